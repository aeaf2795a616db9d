/* Words: quotes, expansions and bytes up to a metacharacter, and arrays, which are made of words. */
#include "read/reader.h"

#include <string.h>

static void put(struct witness *w, struct frame *word, char byte, enum zs_unit_kind kind)
{
	ZS_PUSH(w->build->arena, &word->units, (struct zs_unit){ .byte = byte, .kind = (uint8_t)kind });
}

static void put_dynamic(struct witness *w, struct frame *word, enum zs_dynamic why)
{
	w->reading->plain &= why == ZS_DYNAMIC_VARIABLE;
	ZS_PUSH(w->build->arena, &word->units, (struct zs_unit){ .kind = ZS_UNIT_DYNAMIC, .dynamic = (uint8_t)why });
}

/* Opening */

static bool has_mark(enum word_place place)
{
	return place != PLACE_PATTERN && place != PLACE_OPERAND && place != PLACE_GLOB && place != PLACE_REGEX &&
	       place != PLACE_ELEMENT;
}

/* NAME=, NAME+= and NAME[ where bash takes them for the start of an assignment. */
static void begin_assignment(struct witness *w, struct frame *word)
{
	uint32_t len = 0;

	while (zs_is_name(peek(w, len)))
		len++;
	if (!len || zs_is_digit(peek(w, 0)))
		return;
	if (peek(w, len) == '[' && word->place == PLACE_COMMAND) {
		w->reading->plain = false;
		if (w->frames.items[w->frames.count - 2].any) /* behind a redirection bash may not read a subscript */
			zs_refuse(w, ZS_REFUSE_SUBSCRIPT, w->at, w->at + len + 1);
	} else if (peek(w, len) == '=' || (peek(w, len) == '+' && peek(w, len + 1) == '=')) {
		word->name_len = len;
		w->reading->plain &= word->place == PLACE_COMMAND;
	} else {
		return;
	}
	for (uint32_t i = 0; i < len; i++)
		put(w, word, peek(w, i), ZS_UNIT_PLAIN);
	w->at += len;
	if (!word->name_len) { /* what follows the subscript decides */
		word->value = len;
		word->close = ']';
		zs_open_arithmetic(w, 1, ']', 1);
		return;
	}
	if (peek(w, 0) == '+') {
		put(w, word, '+', ZS_UNIT_PLAIN);
		w->at++;
	}
	put(w, word, '=', ZS_UNIT_PLAIN);
	w->at++;
	word->value = word->units.count;
}

/* Behind the subscript that began a word: [x]= of an assignment or an array's element, or [x] as a pattern. */
static void take_subscript(struct witness *w, struct frame *word)
{
	uint32_t start = word->start + word->value;
	bool plain = true;

	if (peek(w, 0) == '=' || (peek(w, 0) == '+' && peek(w, 1) == '=')) {
		if (word->place == PLACE_COMMAND)
			word->name_len = word->value;
		w->at += peek(w, 0) == '=' ? 1 : 2;
		word->units = (struct zs_units){ 0 }; /* the value alone */
		word->value = 0;
		return;
	}
	for (uint32_t i = start; i < w->at; i++) {
		plain &= zs_is_name(w->text[i]) || strchr("[].,:-^!+*@", w->text[i]);
		put(w, word, w->text[i], ZS_UNIT_PLAIN);
	}
	if (!plain)
		zs_refuse(w, ZS_REFUSE_SUBSCRIPT, word->start, w->at);
}

/* Ending */

/* What stands right in front of < or > may be a descriptor: {x[1]}>f. */
static bool is_odd_descriptor(const struct witness *w, const struct frame *word, uint32_t end)
{
	char c = peek(w, 0);
	bool digits = true;

	if ((c != '<' && c != '>') || end == word->start)
		return false;
	if (w->text[word->start] == '{' && w->text[end - 1] == '}')
		return true;
	for (uint32_t i = word->start; i < end; i++)
		digits &= zs_is_digit(w->text[i]) || w->text[i] == '\\' || w->text[i] == '\n';
	return digits; /* with a continued line in it: without, it was taken */
}

static enum zs_word_kind kind_of(const struct frame *word)
{
	switch (word->place) {
	case PLACE_COMMAND:
		return word->name_len ? ZS_WORD_ASSIGNMENT : ZS_WORD_ARGUMENT;
	case PLACE_DECLARED:
		return word->array ? ZS_WORD_ASSIGNMENT : word->name_len ? ZS_WORD_DECLARED : ZS_WORD_ARGUMENT;
	case PLACE_ARGUMENT:
	case PLACE_TARGET:
	case PLACE_ITEM:
	case PLACE_ELEMENT:
		return ZS_WORD_ARGUMENT;
	default:
		return ZS_WORD_SINGLE;
	}
}

/* The builtins behind whose name x=(…) is an array. It is text behind eval and let. */
static bool declares(const struct zs_raw_word *name)
{
	static const char *const names[] = { "declare", "export", "local", "readonly", "typeset" };

	for (size_t i = 0; name->text && !name->quoted && i < sizeof names / sizeof *names; i++)
		if (strcmp(names[i], name->text) == 0)
			return true;
	return false;
}

static bool has_plain(const struct zs_units *units, char byte)
{
	for (uint32_t i = 0; i < units->count; i++)
		if (units->items[i].kind == ZS_UNIT_PLAIN && units->items[i].byte == byte)
			return true;
	return false;
}

static void note_words(struct witness *w, const struct zs_word_list *list, uint32_t start, uint32_t end)
{
	if (list->count != 1) /* braces */
		zs_note_at(w, ZS_RISK_EXPANSION, NULL, start, end);
	else if (list->items[0].dynamic)
		zs_note_at(w, ZS_RISK_EXPANSION, list->items[0].dynamic, start, end);
}

/* What is refused of a word that is complete but for its braces. */
static enum zs_refusal refused_word(const struct witness *w, const struct frame *word, uint32_t end)
{
	bool continued = false;

	for (uint32_t i = word->start; i + 1 < end; i++)
		continued |= w->text[i] == '\\' && w->text[i + 1] == '\n';
	if (is_odd_descriptor(w, word, end))
		return ZS_REFUSE_DESCRIPTOR;
	if (continued && (word->place == PLACE_COMMAND || word->place == PLACE_DECLARED) && !word->name_len &&
		zs_is_assignment_form(&word->units))
		return ZS_REFUSE_CONTINUED_ASSIGNMENT;
	/* {$,}x makes $x: braces come first. */
	if (has_plain(&word->units, '{') && has_plain(&word->units, '$') && kind_of(word) <= ZS_WORD_DECLARED)
		return ZS_REFUSE_DOLLAR;
	return zs_has_subscript_code(&word->units) ? ZS_REFUSE_SUBSCRIPT_CODE : ZS_REFUSE_NOTHING;
}

/* [ is a command to bash and the start of an expression to the parser (parser-facts.md, A); { and } alone confuse it.
 */
static void mask_brackets(struct witness *w, const struct frame *word, uint32_t end)
{
	char first = word->start < end ? w->text[word->start] : '\0';

	if (word->place == PLACE_COMMAND ? first == '[' : end - word->start == 1 && strchr("[]{}", first))
		zs_mask(w, word->start, end, '_');
}

static void hand_over(struct witness *w, const struct frame *word, struct zs_word_list *list, uint32_t end)
{
	struct frame *owner = top(w);

	/* In $(…) bash prints what it has parsed and parses it again, with redirections at the end: <f ! a is ! a <f.
	 */
	if (word->place == PLACE_COMMAND && list->count && owner->any && zs_is_reserved_text(&list->items[0]))
		zs_refuse(w, ZS_REFUSE_RESERVED, word->start, end);
	if (word->place == PLACE_COMMAND && !word->name_len && list->count)
		owner->array = declares(&list->items[0]);
	zs_take_word(w, word, list, end);
}

static void end_word(struct witness *w)
{
	struct frame word = *top(w);
	uint32_t end = w->at;
	enum zs_refusal refused;
	struct zs_word_list list = { 0 };
	struct zs_raw_word raw;

	/* A continued line behind the word is none of it. */
	while (end >= word.start + 2 && w->text[end - 1] == '\n' && w->text[end - 2] == '\\') {
		end -= 2;
		zs_mask(w, end, end + 2, ' ');
	}
	raw = (struct zs_raw_word){
		.raw = w->text + word.start,
		.raw_len = end - word.start,
		.quoted = word.quoted,
		.span = zs_span_of(w, word.start, end),
	};
	mask_brackets(w, &word, end);
	zs_end_mark(w, word.mark, end);
	zs_close(w);
	refused = refused_word(w, &word, end);
	if (refused) {
		zs_refuse(w, refused, word.start, end);
		return;
	}
	if (!zs_make_words(w->build->arena, word.units, kind_of(&word), &raw, &list)) {
		zs_find(w->build, ZS_RISK_LIMIT, -1, "words that braces make", NULL, raw.span);
		w->failed = true;
		return;
	}
	note_words(w, &list, word.start, end);
	hand_over(w, &word, &list, end);
}

/* Bytes that stand for themselves wherever a word may stand, and are not of an assignment. */
static bool is_simple(char c)
{
	return zs_is_name(c) || c == '-' || c == '.' || c == '/' || c == ':' || c == ',' || c == '%' || c == '@';
}

/* Most words are made of such bytes alone: they need no frame. */
static bool take_simple_word(struct witness *w, enum word_place place)
{
	struct frame word = { .kind = FRAME_WORD, .place = (uint8_t)place, .start = w->at };
	struct zs_raw_word raw;
	struct zs_word_list list = { &raw, 1, 1 };
	uint32_t len = 0;

	while (is_simple(peek(w, len)))
		len++;
	if (!len || (w->at + len < w->len && !strchr(" \t\n;&|)", peek(w, len))) ||
		(place == PLACE_REGEX && peek(w, len) == '|'))
		return false;
	w->at += len;
	raw = (struct zs_raw_word){
		.text = zs_arena_string(w->build->arena, w->text + word.start, len),
		.raw = w->text + word.start,
		.raw_len = len,
		.span = zs_span_of(w, word.start, w->at),
	};
	raw.prefix = raw.text;
	if (has_mark(place))
		zs_end_mark(w, zs_start_mark(w, ZS_MARK_WORD, word.start), w->at);
	hand_over(w, &word, &list, w->at);
	return true;
}

void zs_open_word(struct witness *w, enum word_place place)
{
	struct frame *word;

	if (take_simple_word(w, place))
		return;
	word = zs_open(w, FRAME_WORD);
	word->place = (uint8_t)place;
	if (has_mark(place))
		word->mark = zs_start_mark(w, ZS_MARK_WORD, w->at);
	if (place == PLACE_COMMAND || place == PLACE_DECLARED)
		begin_assignment(w, word);
	if (place == PLACE_ELEMENT && peek(w, 0) == '[') {
		word->close = ']';
		zs_open_arithmetic(w, 1, ']', 1);
	}
}

/* Reading */

static void take_single_quoted(struct witness *w, struct frame *word)
{
	uint32_t end = zs_quote_end(w->text, w->len, w->at);

	if (!end) {
		zs_reject(w);
		return;
	}
	for (uint32_t i = w->at + 1; i < end - 1; i++)
		put(w, word, w->text[i], ZS_UNIT_QUOTED);
	w->at = end;
}

static void take_ansi_c_quoted(struct witness *w, struct frame *word)
{
	uint32_t end = zs_quote_end(w->text, w->len, w->at);
	enum zs_refusal refused;

	w->reading->plain = false;
	if (!end) {
		zs_reject(w);
		return;
	}
	refused = zs_decode_ansi_c(w->build->arena, w->text, w->at + 2, end - 1, &word->units);
	if (refused)
		zs_refuse(w, refused, w->at, end);
	w->at = end;
}

static void begin_quote(struct witness *w, struct frame *word)
{
	word->quoted = true;
	put(w, word, '\0', ZS_UNIT_QUOTE);
}

/* At $ or a backquote. The unit is put before a frame is opened: the word may move in memory. */
static void take_expansion(struct witness *w, struct frame *word, enum zs_unit_kind plain_kind)
{
	uint32_t index = w->frames.count - 1;
	enum zs_dynamic why = ZS_DYNAMIC_SUBSTITUTION;
	bool alone = word->in_quotes || word->units.count == 0;

	if (peek(w, 0) == '`') {
		put_dynamic(w, word, why);
		zs_take_backquotes(w, word->in_quotes ? BACKQUOTES_QUOTED : BACKQUOTES_PLAIN);
		return;
	}
	switch (zs_take_dollar(w, &why)) {
	case DOLLAR_PLAIN:
		put(w, word, '$', plain_kind);
		break;
	case DOLLAR_TAKEN: /* the parser may end $1$2x elsewhere */
		w->reading->plain &= alone && (word->in_quotes || at_end(w) || zs_is_metacharacter(peek(w, 0)));
		put_dynamic(w, word, why);
		break;
	case DOLLAR_OPENED:
		put_dynamic(w, &w->frames.items[index], why);
		break;
	}
}

static void step_in_quotes(struct witness *w, struct frame *word)
{
	char c = peek(w, 0), next = peek(w, 1);

	if (at_end(w)) {
		zs_reject(w);
	} else if (c == '"') {
		word->in_quotes = false;
		w->at++;
	} else if (at_continuation(w, 0)) {
		w->reading->plain = false;
		w->at += 2;
	} else if (c == '\\' && next && strchr("$`\"\\", next)) {
		w->reading->plain = false;
		put(w, word, next, ZS_UNIT_QUOTED);
		w->at += 2;
	} else if (c == '$' || c == '`') {
		take_expansion(w, word, ZS_UNIT_QUOTED);
	} else {
		put(w, word, c, ZS_UNIT_QUOTED);
		w->at++;
	}
}

/* (a|b) of a pattern: bash takes all up to the matching parenthesis, blanks and operators too. */
static void open_pattern(struct witness *w, struct frame *word)
{
	if (!word->parens) {
		enum zs_refusal refused = zs_matched_end(w, w->at + 1, &word->saved);

		if (refused)
			zs_refuse(w, refused, w->at, w->len);
	}
	w->reading->plain = false;
	word->parens++;
	put(w, word, '(', ZS_UNIT_PLAIN);
	put(w, word, '*', ZS_UNIT_PLAIN); /* it is a pattern */
	w->at++;
}

static void step_in_pattern(struct witness *w, struct frame *word)
{
	char c = peek(w, 0);

	if (at_end(w)) {
		zs_reject(w);
	} else if (c == '\n' || at_process_substitution(w)) {
		zs_refuse(w, ZS_REFUSE_PATTERN_CONTENT, word->start, w->at + 1);
	} else if (c == '(') {
		open_pattern(w, word);
	} else {
		put(w, word, c, ZS_UNIT_PLAIN);
		w->at++;
		if (c == ')' && --word->parens == 0 && w->at != word->saved)
			zs_refuse(w, ZS_REFUSE_PATTERN_END, word->start, w->at);
	}
}

/* Where ( belongs to the word: behind ?*+@! of a pattern. Outside of [[ ]] that needs extglob; without it bash does
 * not accept the text, but for !(…) in front, which is a negated subshell. */
static bool opens_pattern(const struct witness *w, const struct frame *word)
{
	char before;

	if (word->place == PLACE_REGEX)
		return true;
	if (w->at == word->start || word->units.count == 0 ||
		word->units.items[word->units.count - 1].kind != ZS_UNIT_PLAIN)
		return false;
	before = w->text[w->at - 1];
	return strchr("?*+@!", before) && (word->place == PLACE_ARGUMENT || word->place == PLACE_GLOB ||
						  word->place == PLACE_ITEM || word->place == PLACE_DECLARED);
}

static void take_backslash(struct witness *w, struct frame *word)
{
	char next = peek(w, 1);

	if (w->at + 1 >= w->len) { /* a lone backslash at the end stands for itself; behind other lines bash drops it */
		if (memchr(w->text, '\n', w->len))
			zs_refuse(w, ZS_REFUSE_LONE_BACKSLASH, w->at, w->len);
		zs_mask(w, w->at, w->at + 1, '_');
		put(w, word, '\\', ZS_UNIT_QUOTED);
		w->at++;
		return;
	}
	w->reading->plain = false;
	if (next == '\n') {
		zs_mask(w, w->at, w->at + 2, '_');
	} else {
		if (zs_is_blank(next))
			zs_mask(w, w->at, w->at + 2, '_');
		put(w, word, next, ZS_UNIT_QUOTED);
		word->quoted = true;
	}
	w->at += 2;
}

/* x=(…) */
static bool opens_array(const struct witness *w, const struct frame *word)
{
	return word->name_len && word->place != PLACE_ELEMENT && w->text[w->at - 1] == '=' &&
	       word->units.count == word->value;
}

static void open_array(struct witness *w, struct frame *word)
{
	word->array = true;
	put_dynamic(w, word, ZS_DYNAMIC_EXPANSION);
	w->at++;
	zs_open(w, FRAME_ARRAY);
	zs_deeper(w);
}

static void step_unquoted(struct witness *w, struct frame *word)
{
	char c = peek(w, 0), next = peek(w, 1);

	if (c == '\'') {
		begin_quote(w, word);
		take_single_quoted(w, word);
	} else if (c == '"' || (c == '$' && next == '"')) {
		begin_quote(w, word);
		if (c == '$') { /* bash translates it when TEXTDOMAIN says where to */
			put_dynamic(w, word, ZS_DYNAMIC_LOCALE);
			w->at++;
		}
		word->in_quotes = true;
		w->at++;
	} else if (c == '$' && next == '\'') {
		begin_quote(w, word);
		take_ansi_c_quoted(w, word);
	} else if (c == '$' || c == '`') {
		take_expansion(w, word, ZS_UNIT_PLAIN);
	} else if (c == '\\') {
		take_backslash(w, word);
	} else if (at_process_substitution(w)) {
		put_dynamic(w, word, ZS_DYNAMIC_PROCESS);
		zs_open_process_substitution(w);
	} else if (word->parens) {
		step_in_pattern(w, word);
	} else if (c == '(' && opens_array(w, word)) {
		open_array(w, word);
	} else if (c == '(' && opens_pattern(w, word)) {
		open_pattern(w, word);
	} else if (at_end(w) || (zs_is_metacharacter(c) && !(c == '|' && word->place == PLACE_REGEX))) {
		end_word(w);
	} else {
		w->reading->plain &= zs_is_name(c) || strchr("-./:,@%+", c) || (c == '=' && w->at > word->start);
		put(w, word, c, ZS_UNIT_PLAIN);
		w->at++;
	}
}

/* Behind the value of an array the word must end; a subscript decides what the word is. */
void zs_step_word(struct witness *w)
{
	struct frame *word = top(w);

	if (word->close == ']') {
		word->close = 0;
		take_subscript(w, word);
	} else if (word->array && word->place != PLACE_ELEMENT && !at_end(w) && !zs_is_metacharacter(peek(w, 0))) {
		zs_refuse(w, ZS_REFUSE_ARRAY_GOES_ON, word->start, w->at + 1);
	} else if (word->in_quotes) {
		step_in_quotes(w, word);
	} else {
		step_unquoted(w, word);
	}
}

void zs_step_array(struct witness *w)
{
	char c;

	if (w->heredocs.count) {
		zs_skip_blanks(w);
		if (peek(w, 0) == '\n') {
			zs_refuse(w, ZS_REFUSE_HEREDOC_NEWLINE, w->at, w->at + 1);
			return;
		}
	}
	zs_skip_newlines(w);
	c = peek(w, 0);
	if (c == ')') {
		w->at++;
		zs_close(w);
	} else if (at_end(w) || (zs_is_metacharacter(c) && !at_process_substitution(w))) {
		zs_reject(w);
	} else {
		zs_open_word(w, PLACE_ELEMENT);
	}
}
