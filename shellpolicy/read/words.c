/* Words: quotes, expansions and bytes up to a metacharacter, and arrays, which are made of words. */
#include "read/reader.h"

#include <string.h>

static void words_put(struct strict_reader *r, struct frame *word, char byte, enum zs_unit_kind kind)
{
	ZS_PUSH(r->build->arena, &word->units, (struct zs_unit){ .byte = byte, .kind = (uint8_t)kind });
}

static void put_dynamic(struct strict_reader *r, struct frame *word, enum zs_dynamic why)
{
	r->reading->plain &= why == ZS_DYNAMIC_VARIABLE;
	ZS_PUSH(r->build->arena, &word->units, (struct zs_unit){ .kind = ZS_UNIT_DYNAMIC, .dynamic = (uint8_t)why });
}

/* Opening */

static bool has_mark(enum word_place place)
{
	return place < PLACE_PATTERN;
}

/* Takes NAME=, NAME+= or NAME[ if bash takes it for the start of an assignment. */
static void begin_assignment(struct strict_reader *r, struct frame *word)
{
	uint32_t len = 0;

	while (zs_is_name(peek(r, len)))
		len++;
	if (!len || zs_is_digit(peek(r, 0)))
		return;
	if (peek(r, len) == '[' && word->place == PLACE_COMMAND) {
		r->reading->plain = false;
		if (r->frames.items[r->frames.count - 2]
				.any) /* after a redirection bash may not read it as a subscript */
			zs_refuse(r, ZS_REFUSE_SUBSCRIPT, r->at, r->at + len + 1);
	} else if (peek(r, len) == '=' || (peek(r, len) == '+' && peek(r, len + 1) == '=')) {
		word->name_len = len;
		r->reading->plain &= word->place == PLACE_COMMAND;
	} else {
		return;
	}
	if (word->place == PLACE_COMMAND && peek(r, len) != '=')
		zs_only_in_bash(r, peek(r, len) == '[' ? CONSTRUCT_ARRAY : CONSTRUCT_APPEND);
	for (uint32_t i = 0; i < len; i++)
		words_put(r, word, peek(r, i), ZS_UNIT_PLAIN);
	r->at += len;
	if (!word->name_len) { /* the text after the subscript decides whether this is an assignment */
		word->value = len;
		word->close = ']';
		zs_open_arithmetic(r, 1, ']', 1);
		return;
	}
	if (peek(r, 0) == '+') {
		words_put(r, word, '+', ZS_UNIT_PLAIN);
		r->at++;
	}
	words_put(r, word, '=', ZS_UNIT_PLAIN);
	r->at++;
	word->value = word->units.count;
}

/* In a substitution bash 5.1 takes a parenthesis of a subscript for the substitution's end, if it is the first without
 * a partner. */
static bool are_parentheses_odd(const struct strict_reader *r, uint32_t start, uint32_t end)
{
	uint32_t open = 0;

	for (uint32_t i = start; i < end; i++) {
		if (r->text[i] == ')' && !open)
			return true;
		open += r->text[i] == '(';
		open -= r->text[i] == ')';
	}
	return open > 0;
}

/* Reads on after the subscript that began a word. Before = or += it belongs to an assignment or an array's element;
 * else it is a pattern. */
static void take_subscript(struct strict_reader *r, struct frame *word)
{
	uint32_t start = word->start + word->value;
	bool plain = true;

	if (are_parentheses_odd(r, start, r->at)) {
		zs_refuse(r, ZS_REFUSE_SUBSCRIPT_END, word->start, r->at);
		return;
	}
	if (peek(r, 0) == '=' || (peek(r, 0) == '+' && peek(r, 1) == '=')) {
		if (word->place == PLACE_COMMAND)
			word->name_len = word->value;
		r->at += peek(r, 0) == '=' ? 1 : 2;
		word->units = (struct zs_units){ 0 }; /* only the value is kept */
		word->value = 0;
		return;
	}
	for (uint32_t i = start; i < r->at; i++) {
		plain &= zs_is_name(r->text[i]) || strchr("[].,:-^!+*@", r->text[i]);
		words_put(r, word, r->text[i], ZS_UNIT_PLAIN);
	}
	if (!plain)
		zs_refuse(r, ZS_REFUSE_SUBSCRIPT, word->start, r->at);
}

/* Ending */

/* Could bash take the text right before < or > for a descriptor, as in {x[1]}>f ? */
static bool is_odd_descriptor(const struct strict_reader *r, const struct frame *word, uint32_t end)
{
	char c = peek(r, 0);
	bool digits = true;

	if ((c != '<' && c != '>') || end == word->start)
		return false;
	if (r->text[word->start] == '{' && r->text[end - 1] == '}')
		return true;
	for (uint32_t i = word->start; i < end; i++)
		digits &= zs_is_digit(r->text[i]) || r->text[i] == '\\' || r->text[i] == '\n';
	return digits; /* digits with a continued line in them; without one they were taken as a descriptor */
}

static enum zs_word_kind kind_of(const struct frame *word)
{
	if (word->place == PLACE_COMMAND || (word->place == PLACE_DECLARED && word->array))
		return word->name_len ? ZS_WORD_ASSIGNMENT : ZS_WORD_ARGUMENT;
	if (word->place == PLACE_DECLARED)
		return word->name_len ? ZS_WORD_DECLARED : ZS_WORD_ARGUMENT;
	return word->place == PLACE_ARGUMENT || word->place == PLACE_TARGET || word->place == PLACE_ITEM ||
			       word->place == PLACE_ELEMENT
		       ? ZS_WORD_ARGUMENT
		       : ZS_WORD_SINGLE;
}

/* Is it a builtin that takes x=(…) as an array? To eval and let it is text. */
static bool declares(const struct zs_raw_word *name)
{
	return !name->quoted && zs_listed(name->text, "declare export local readonly typeset");
}

static bool has_plain(const struct zs_units *units, char byte)
{
	for (uint32_t i = 0; i < units->count; i++)
		if (units->items[i].kind == ZS_UNIT_PLAIN && units->items[i].byte == byte)
			return true;
	return false;
}

/* Does a brace expansion stand in the word: {a,b} or {1..3} ? */
static bool has_braces(const struct zs_units *units)
{
	bool open = false;

	for (uint32_t i = 0; i < units->count; i++) {
		const struct zs_unit *unit = &units->items[i];

		if (unit->kind != ZS_UNIT_PLAIN)
			continue;
		if (unit->byte == '{' || unit->byte == '}')
			open = unit->byte == '{';
		else if (open && (unit->byte == ',' || (unit->byte == '.' && unit[-1].byte == '.')))
			return true;
	}
	return false;
}

static void note_words(struct strict_reader *r, const struct zs_word_list *list, uint32_t start, uint32_t end)
{
	if (list->count != 1) /* brace expansion made several words, or none */
		zs_note_at(r, ZS_RISK_EXPANSION, NULL, start, end);
	else if (list->items[0].dynamic)
		zs_note_at(r, ZS_RISK_EXPANSION, list->items[0].dynamic, start, end);
}

/* The reason to refuse a word whose braces are not expanded yet; ZS_REFUSE_NOTHING if there is none. */
static enum zs_refusal refused_word(const struct strict_reader *r, const struct frame *word, uint32_t end)
{
	bool continued = false;

	for (uint32_t i = word->start; i + 1 < end; i++)
		continued |= r->text[i] == '\\' && r->text[i + 1] == '\n';
	if (is_odd_descriptor(r, word, end))
		return ZS_REFUSE_DESCRIPTOR;
	if (continued && (word->place == PLACE_COMMAND || word->place == PLACE_DECLARED) && !word->name_len &&
		zs_is_assignment_form(&word->units))
		return ZS_REFUSE_CONTINUED_ASSIGNMENT;
	/* {$,}x makes $x: bash expands braces first */
	if (has_plain(&word->units, '{') && has_plain(&word->units, '$') && kind_of(word) <= ZS_WORD_DECLARED)
		return ZS_REFUSE_DOLLAR;
	return zs_has_subscript_code(&word->units) ? ZS_REFUSE_SUBSCRIPT_CODE : ZS_REFUSE_NOTHING;
}

/* Masks [ and single brackets and braces: [ is a command to bash and the start of an expression to the parser, and { or
 * } alone confuses the parser. */
static void mask_brackets(struct strict_reader *r, const struct frame *word, uint32_t end)
{
	char first = word->start < end ? r->text[word->start] : '\0';

	if (word->place == PLACE_COMMAND ? first == '[' : end - word->start == 1 && strchr("[]{}", first))
		zs_mask(r, word->start, end, '_');
}

static void hand_over(struct strict_reader *r, const struct frame *word, struct zs_word_list *list, uint32_t end)
{
	struct frame *owner = top(r);

	/* bash prints a substitution that it has parsed, with redirections at the end, and parses it again: <f ! a
	 * becomes ! a <f */
	if (word->place == PLACE_COMMAND && list->count && owner->any && zs_is_reserved_text(&list->items[0]))
		zs_refuse(r, ZS_REFUSE_RESERVED, word->start, end);
	if (word->place == PLACE_COMMAND && !word->name_len && list->count)
		owner->array = declares(&list->items[0]);
	zs_take_word(r, word, list, end);
}

static void end_word(struct strict_reader *r)
{
	struct frame word = *top(r);
	uint32_t end = r->at;
	enum zs_refusal refused;
	struct zs_word_list list = { 0 };
	struct zs_raw_word raw;

	/* a continued line after the word is no part of it */
	while (end >= word.start + 2 && r->text[end - 1] == '\n' && r->text[end - 2] == '\\') {
		end -= 2;
		zs_mask(r, end, end + 2, ' ');
	}
	raw = (struct zs_raw_word){
		.raw = r->text + word.start,
		.raw_len = end - word.start,
		.quoted = word.quoted,
		.span = zs_span_of(r, word.start, end),
	};
	mask_brackets(r, &word, end);
	zs_end_mark(r, word.mark, end);
	zs_close(r);
	zs_check_word(r, &word, end);
	refused = refused_word(r, &word, end);
	if (refused) {
		zs_refuse(r, refused, word.start, end);
		return;
	}
	if (!zs_make_words(r->build->arena, word.units, kind_of(&word), &raw, &list)) {
		zs_find(r->build, ZS_RISK_LIMIT, -1, "words that braces make", NULL, raw.span);
		r->failed = true;
		return;
	}
	if (kind_of(&word) <= ZS_WORD_DECLARED && (list.count != 1 || has_braces(&word.units)))
		zs_only_in_bash(r, CONSTRUCT_BRACES);
	note_words(r, &list, word.start, end);
	hand_over(r, &word, &list, end);
}

/* Bytes that stand for themselves in every place of a word and have no part in an assignment. */
static bool is_simple(char c)
{
	return zs_is_name(c) || c == '-' || c == '.' || c == '/' || c == ':' || c == ',' || c == '@';
}

/* Takes a word of only such bytes, as most words are. It needs no frame. */
static bool take_simple_word(struct strict_reader *r, enum word_place place)
{
	struct frame word = { .kind = FRAME_WORD, .place = (uint8_t)place, .start = r->at };
	struct zs_raw_word raw;
	struct zs_word_list list = { &raw, 1, 1 };
	uint32_t len = 0;

	while (is_simple(peek(r, len)))
		len++;
	if (!len || (r->at + len < r->len && !strchr(" \t\n;&|)", peek(r, len))) ||
		(place == PLACE_REGEX && peek(r, len) == '|'))
		return false;
	r->at += len;
	raw = (struct zs_raw_word){
		.text = zs_arena_string(r->build->arena, r->text + word.start, len),
		.raw = r->text + word.start,
		.raw_len = len,
		.span = zs_span_of(r, word.start, r->at),
	};
	raw.prefix = raw.text;
	if (has_mark(place))
		zs_end_mark(r, zs_start_mark(r, ZS_MARK_WORD, word.start), r->at);
	hand_over(r, &word, &list, r->at);
	return true;
}

void zs_open_word(struct strict_reader *r, enum word_place place)
{
	struct frame *word;

	if (take_simple_word(r, place))
		return;
	word = zs_open(r, FRAME_WORD);
	word->place = (uint8_t)place;
	if (has_mark(place))
		word->mark = zs_start_mark(r, ZS_MARK_WORD, r->at);
	if (place == PLACE_COMMAND || place == PLACE_DECLARED)
		begin_assignment(r, word);
	if (place == PLACE_ELEMENT && peek(r, 0) == '[') {
		word->close = ']';
		zs_open_arithmetic(r, 1, ']', 1);
	}
}

/* Reading */

static void take_single_quoted(struct strict_reader *r, struct frame *word)
{
	uint32_t end = zs_quote_end(r->text, r->len, r->at);

	if (!end) {
		zs_reject(r);
		return;
	}
	for (uint32_t i = r->at + 1; i < end - 1; i++) {
		if (r->text[i] == '\\' && strchr("\\'", r->text[i + 1]))
			zs_only_in_bash(r, CONSTRUCT_QUOTED_BACKSLASH);
		words_put(r, word, r->text[i], ZS_UNIT_QUOTED);
	}
	r->at = end;
}

static void take_ansi_c_quoted(struct strict_reader *r, struct frame *word)
{
	uint32_t end = zs_quote_end(r->text, r->len, r->at);
	enum zs_refusal refused;

	r->reading->plain = false;
	if (!end) {
		zs_reject(r);
		return;
	}
	for (uint32_t i = r->at + 2; i < end - 1; i++) {
		if (r->text[i] != '\\')
			continue;
		if (!strchr("\\'\"?abeEfnrtvxuU01234567", r->text[++i]))
			zs_only_in_bash(r, CONSTRUCT_ANSI_C_ESCAPE);
		if (strchr("uU", r->text[i]))
			zs_only_in_bash(r, CONSTRUCT_UNICODE);
		if (strchr("xuU", r->text[i]) && !strchr("0123456789abcdefABCDEF", r->text[i + 1]))
			zs_only_in_bash(r, CONSTRUCT_ANSI_C_ESCAPE);
	}
	refused = zs_decode_ansi_c(r->build->arena, r->text, r->at + 2, end - 1, &word->units);
	if (refused)
		zs_refuse(r, refused, r->at, end);
	r->at = end;
}

static void begin_quote(struct strict_reader *r, struct frame *word)
{
	word->quoted = true;
	words_put(r, word, '\0', ZS_UNIT_QUOTE);
}

/* Takes the expansion at $ or a backquote. The unit is put before a frame is opened, since that may move the word in
 * memory. */
static void take_expansion(struct strict_reader *r, struct frame *word, enum zs_unit_kind plain_kind)
{
	uint32_t index = r->frames.count - 1;
	enum zs_dynamic why = ZS_DYNAMIC_SUBSTITUTION;
	bool alone = word->in_quotes || word->units.count == 0;

	if (peek(r, 0) == '`') {
		put_dynamic(r, word, why);
		zs_take_backquotes(r, word->in_quotes ? BACKQUOTES_QUOTED : BACKQUOTES_PLAIN);
		return;
	}
	switch (zs_take_dollar(r, &why)) {
	case DOLLAR_PLAIN:
		words_put(r, word, '$', plain_kind);
		break;
	case DOLLAR_TAKEN: /* the parser may end the variable in $1$2x elsewhere */
		r->reading->plain &= alone && (word->in_quotes || at_end(r) || zs_is_metacharacter(peek(r, 0)));
		put_dynamic(r, word, why);
		break;
	case DOLLAR_OPENED:
		put_dynamic(r, &r->frames.items[index], why);
		break;
	}
}

static void step_in_quotes(struct strict_reader *r, struct frame *word)
{
	char c = peek(r, 0), next = peek(r, 1);

	if (at_end(r)) {
		zs_reject(r);
	} else if (c == '"') {
		word->in_quotes = false;
		r->at++;
	} else if (at_continuation(r, 0)) {
		r->reading->plain = false;
		r->at += 2;
	} else if (c == '\\' && next && strchr("$`\"\\", next)) {
		if (next == '`')
			zs_only_in_bash(r, CONSTRUCT_QUOTED_BACKSLASH);
		r->reading->plain = false;
		words_put(r, word, next, ZS_UNIT_QUOTED);
		r->at += 2;
	} else if (c == '$' || c == '`') {
		take_expansion(r, word, ZS_UNIT_QUOTED);
	} else {
		words_put(r, word, c, ZS_UNIT_QUOTED);
		r->at++;
	}
}

/* Opens (a|b) of a pattern: bash takes everything up to the matching parenthesis, blanks and operators too. */
static void open_pattern(struct strict_reader *r, struct frame *word)
{
	if (word->place != PLACE_GLOB && word->place != PLACE_REGEX)
		zs_only_in_bash(r, CONSTRUCT_PATTERN);
	if (!word->parens) {
		enum zs_refusal refused = zs_matched_end(r, r->at + 1, &word->saved);

		if (refused)
			zs_refuse(r, refused, r->at, r->len);
	}
	r->reading->plain = false;
	word->parens++;
	words_put(r, word, '(', ZS_UNIT_PLAIN);
	words_put(r, word, '*', ZS_UNIT_PLAIN); /* a star, so that the word counts as a pattern */
	r->at++;
}

static void step_in_pattern(struct strict_reader *r, struct frame *word)
{
	char c = peek(r, 0);

	if (at_end(r)) {
		zs_reject(r);
	} else if (c == '\n' || at_process_substitution(r)) {
		zs_refuse(r, ZS_REFUSE_PATTERN_CONTENT, word->start, r->at + 1);
	} else if (c == '(') {
		open_pattern(r, word);
	} else {
		words_put(r, word, c, ZS_UNIT_PLAIN);
		r->at++;
		if (c == ')' && --word->parens == 0 && r->at != word->saved)
			zs_refuse(r, ZS_REFUSE_PATTERN_END, word->start, r->at);
	}
}

/* Does this ( belong to the word, as part of a pattern ?( *( +( @( or !(? Outside of [[ ]] such patterns need extglob.
 * Without extglob bash rejects the text, except for !(…) at the start, which is a negated subshell. */
static bool opens_pattern(const struct strict_reader *r, const struct frame *word)
{
	char before;

	if (word->place == PLACE_REGEX)
		return true;
	if (r->at == word->start || word->units.count == 0 ||
		word->units.items[word->units.count - 1].kind != ZS_UNIT_PLAIN)
		return false;
	before = r->text[r->at - 1];
	return strchr("?*+@!", before) && (word->place == PLACE_ARGUMENT || word->place == PLACE_GLOB ||
						  word->place == PLACE_ITEM || word->place == PLACE_DECLARED);
}

static void take_backslash(struct strict_reader *r, struct frame *word)
{
	char next = peek(r, 1);

	if (r->at + 1 >= r->len) { /* a lone backslash at the end of the text stands for itself; if other lines come
				      before, bash drops it */
		if (memchr(r->text, '\n', r->len))
			zs_refuse(r, ZS_REFUSE_LONE_BACKSLASH, r->at, r->len);
		zs_only_in_bash(r, CONSTRUCT_LONE_BACKSLASH);
		zs_mask(r, r->at, r->at + 1, '_');
		words_put(r, word, '\\', ZS_UNIT_QUOTED);
		r->at++;
		return;
	}
	r->reading->plain = false;
	if (next == '\n') {
		zs_mask(r, r->at, r->at + 2, '_');
	} else {
		if (strchr("abcefnrtuvxUX01234567", next))
			zs_only_in_bash(r, CONSTRUCT_ESCAPE);
		if (zs_is_blank(next))
			zs_mask(r, r->at, r->at + 2, '_');
		words_put(r, word, next, ZS_UNIT_QUOTED);
		word->quoted = true;
	}
	r->at += 2;
}

/* x=(…) */
static bool opens_array(const struct strict_reader *r, const struct frame *word)
{
	return word->name_len && word->place != PLACE_ELEMENT && r->text[r->at - 1] == '=' &&
	       word->units.count == word->value;
}

/* Does one token at most stand between coproc and the word? A backslash continues the line. */
static bool is_right_behind_coproc(const struct strict_reader *r, uint32_t start)
{
	static const char between[] = " \t\n\\";
	unsigned tokens = 0;
	bool in_token = false;

	if (!r->behind_coproc || r->behind_coproc > start)
		return false;
	for (uint32_t at = r->behind_coproc; at < start; at++) {
		bool is_token = !strchr(between, r->text[at]);

		tokens += is_token && !in_token;
		in_token = is_token;
	}
	return tokens <= 1;
}

static void open_array(struct strict_reader *r, struct frame *word)
{
	zs_only_in_bash(r, CONSTRUCT_ARRAY);
	if (is_right_behind_coproc(r, word->start))
		zs_refuse(r, ZS_REFUSE_COPROC_ARRAY, r->behind_coproc, r->at);
	word->array = true;
	put_dynamic(r, word, ZS_DYNAMIC_EXPANSION);
	r->at++;
	zs_open(r, FRAME_ARRAY);
	zs_deeper(r);
}

static void step_unquoted(struct strict_reader *r, struct frame *word)
{
	char c = peek(r, 0), next = peek(r, 1);

	if (c == '\'') {
		begin_quote(r, word);
		take_single_quoted(r, word);
	} else if (c == '"' || (c == '$' && next == '"')) {
		begin_quote(r, word);
		if (c == '$') { /* bash translates $"…" if TEXTDOMAIN is set */
			zs_only_in_bash(r, CONSTRUCT_LOCALE);
			put_dynamic(r, word, ZS_DYNAMIC_LOCALE);
			r->at++;
		}
		word->in_quotes = true;
		r->at++;
	} else if (c == '$' && next == '\'') {
		zs_only_in_bash(r, CONSTRUCT_ANSI_C);
		begin_quote(r, word);
		take_ansi_c_quoted(r, word);
	} else if (c == '$' || c == '`') {
		take_expansion(r, word, ZS_UNIT_PLAIN);
	} else if (c == '\\') {
		take_backslash(r, word);
	} else if (at_process_substitution(r)) {
		put_dynamic(r, word, ZS_DYNAMIC_PROCESS);
		zs_open_process_substitution(r);
	} else if (word->parens) {
		step_in_pattern(r, word);
	} else if (c == '(' && opens_array(r, word)) {
		open_array(r, word);
	} else if (c == '(' && opens_pattern(r, word)) {
		open_pattern(r, word);
	} else if (at_end(r) || (zs_is_metacharacter(c) && !(c == '|' && word->place == PLACE_REGEX))) {
		end_word(r);
	} else {
		r->reading->plain &= zs_is_name(c) || strchr("-./:,@%+", c) || (c == '=' && r->at > word->start);
		words_put(r, word, c, ZS_UNIT_PLAIN);
		r->at++;
	}
}

/* The value of an array must be the end of its word; a subscript decides what the word is. */
void zs_step_word(struct strict_reader *r)
{
	struct frame *word = top(r);

	if (word->close == ']') {
		word->close = 0;
		take_subscript(r, word);
	} else if (word->array && word->place != PLACE_ELEMENT && !at_end(r) && !zs_is_metacharacter(peek(r, 0))) {
		zs_refuse(r, ZS_REFUSE_ARRAY_GOES_ON, word->start, r->at + 1);
	} else if (word->in_quotes) {
		step_in_quotes(r, word);
	} else {
		step_unquoted(r, word);
	}
}

void zs_step_array(struct strict_reader *r)
{
	char c;

	if (r->heredocs.count) {
		zs_skip_blanks(r);
		if (peek(r, 0) == '\n') {
			zs_refuse(r, ZS_REFUSE_HEREDOC_NEWLINE, r->at, r->at + 1);
			return;
		}
	}
	zs_skip_newlines(r);
	c = peek(r, 0);
	if (c == ')') {
		r->at++;
		zs_close(r);
	} else if (!at_word_start(r)) {
		zs_reject(r);
	} else {
		zs_open_word(r, PLACE_ELEMENT);
	}
}
