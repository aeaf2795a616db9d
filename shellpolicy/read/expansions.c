/* $x ${…} $(…) $((…)) $[…] `…` <(…) and subscripts. bash looks for the end of some expansions twice, when it reads and
 * when it expands, by rules that differ with quotes and braces (man bash, Parameter Expansion). Only text whose end is
 * the same for both is modelled. */
#include "read/reader.h"
#include "read/variables.h"

#include <string.h>

/* $(…) and <(…) */

static void open_substitution(struct strict_reader *r)
{
	struct frame *frame = zs_open(r, FRAME_SUBSTITUTION);

	frame->mark = zs_start_mark(r, ZS_MARK_SUBSTITUTION, r->at);
	frame->saved = r->heredocs.count;
	frame->nesting = ZS_NEST_SUBSTITUTION;
	frame->depth++;
	r->reading->plain = false;
	r->at += 2;
	zs_open_list(r, CLOSE_PAREN | CLOSE_EMPTY);
}

/* bash looks for the end of <(( as if it were arithmetic, and reads its content as commands. */
void zs_open_process_substitution(struct strict_reader *r)
{
	uint32_t end = 0;
	enum zs_refusal refused = peek_behind(r, 2) == '(' ? zs_matched_end(r, r->at + 2, &end) : ZS_REFUSE_NOTHING;

	if (refused)
		zs_refuse(r, refused, r->at, r->len);
	zs_only_in_bash(r, CONSTRUCT_PROCESS);
	open_substitution(r);
	r->frames.items[r->frames.count - 2].value = end;
}

void zs_step_substitution(struct strict_reader *r)
{
	const struct frame *frame = top(r);
	uint32_t end = 0;

	r->at++; /* takes the parenthesis that has ended the list */
	if (r->heredocs.count != frame->saved)
		zs_refuse(r, ZS_REFUSE_HEREDOC_BODY, frame->start, r->at);
	if (frame->value && frame->value != r->at)
		zs_refuse(r, ZS_REFUSE_PARENTHESES, frame->start, r->at);
	/* bash removes continued lines from a body before it reads the substitutions in it */
	for (uint32_t i = frame->start; r->in_bodies && i + 1 < r->at; i++)
		if (r->text[i] == '\\' && r->text[i + 1] == '\n')
			zs_refuse(r, ZS_REFUSE_HEREDOC_BODY, frame->start, r->at);
	/* bash 3.2 looks for the end of $( by that search too */
	if (zs_reads_otherwise(r->pending, CONSTRUCT_OPEN_PARENTHESIS) &&
		(zs_matched_end(r, frame->start + 2, &end) || end != r->at))
		zs_only_in_bash(r, CONSTRUCT_OPEN_PARENTHESIS);
	zs_end_mark(r, frame->mark, r->at);
	zs_note_at(r, ZS_RISK_SUBSHELL, NULL, frame->start, r->at);
	zs_close(r);
}

/* Backquotes */

/* bash ends backquotes at the next backquote without a backslash. It removes the backslash from \$, \` and \\ and reads
 * the content as a text of its own (man bash, Command Substitution), and so does this reader. */
void zs_take_backquotes(struct strict_reader *r, enum backquotes where)
{
	uint32_t start = r->at, end = r->at + 1, len = 0;
	struct zs_pending_text inner = {
		.place = r->place,
		.shells = r->pending->shells,
		.shell = r->pending->shell,
		.input = r->pending->input,
	};
	char *text;

	zs_only_in_bash(r, CONSTRUCT_BACKQUOTES);
	while (end < r->len && r->text[end] != '`')
		end += r->text[end] == '\\' ? 2 : 1;
	if (end >= r->len) {
		zs_reject(r);
		return;
	}
	text = zs_arena_alloc(r->build->arena, end - start);
	for (uint32_t i = start + 1; i < end; i++) {
		if (r->text[i] == '\\' && (r->text[i + 1] == '\n' || where == BACKQUOTES_NESTED ||
						  (r->text[i + 1] == '"' && where == BACKQUOTES_QUOTED))) {
			zs_refuse(r, ZS_REFUSE_BACKQUOTES, start, end + 1);
			return;
		}
		if (r->text[i] == '\\' && strchr("$`\\", r->text[i + 1]))
			i++;
		text[len++] = r->text[i];
	}
	inner.text = text;
	inner.len = len;
	inner.nesting = ZS_NEST_SUBSTITUTION;
	inner.depth = top(r)->depth + 1u;
	inner.scope = zs_scope_within(
		r->build->arena, (struct zs_where){ r->pending->scope, top(r)->function, 2 * r->raw->commands.count });
	if (len == end - start - 1) /* the bytes are unchanged, so each has a place of its own */
		inner.place.base += start + 1;
	else
		inner.place = (struct zs_place){ true, 0, zs_span_of(r, start, end + 1) };
	ZS_PUSH(r->build->arena, &r->build->pending, inner);
	r->at = end + 1;
	zs_mask(r, start, r->at, '_');
	zs_note_at(r, ZS_RISK_SUBSHELL, NULL, start, r->at);
}

/* $ */

static uint32_t variable_length(const struct strict_reader *r)
{
	char c = peek(r, 1);
	uint32_t len = 2;

	if (zs_is_digit(c) || (c && strchr("@*#?-$!", c)))
		return len;
	if (!zs_is_name_start(c))
		return 0;
	while (zs_is_name(peek(r, len)))
		len++;
	return len;
}

static void open_braced(struct strict_reader *r)
{
	zs_open(r, FRAME_BRACED);
	zs_deeper(r);
	r->reading->plain = false;
	r->at += 2;
}

enum dollar zs_take_dollar(struct strict_reader *r, enum zs_dynamic *ret_why)
{
	uint32_t len = variable_length(r);
	char c = peek(r, 1);

	zs_check_dollar(r, len);
	if (len) {
		*ret_why = ZS_DYNAMIC_VARIABLE;
		if (at_continuation(r, len) && zs_is_name(peek_behind(r, len)))
			zs_refuse(r, ZS_REFUSE_CONTINUED_NAME, r->at, r->at + len + 2);
		r->at += len;
		return DOLLAR_TAKEN;
	}
	if (c == '{') {
		*ret_why = ZS_DYNAMIC_EXPANSION;
		zs_only_in_bash(r, CONSTRUCT_BRACED);
		open_braced(r);
	} else if (c == '[' || (c == '(' && peek(r, 2) == '(')) {
		*ret_why = ZS_DYNAMIC_ARITHMETIC;
		zs_only_in_bash(r, c == '[' ? CONSTRUCT_OLD_ARITHMETIC : CONSTRUCT_ARITHMETIC);
		zs_open_arithmetic(r, c == '[' ? 2 : 3, c == '[' ? ']' : ')', c == '[' ? 1 : 2);
	} else if (c == '(') {
		*ret_why = ZS_DYNAMIC_SUBSTITUTION;
		if (at_continuation(r, 2) && peek_behind(r, 2) == '(')
			zs_refuse(r, ZS_REFUSE_CONTINUED_OPERATOR, r->at, r->at + 4);
		open_substitution(r);
	} else {
		if (at_continuation(r, 1))
			zs_refuse(r, ZS_REFUSE_CONTINUED_DOLLAR, r->at, r->at + 3);
		zs_mask(r, r->at, r->at + 1, '_');
		r->at++;
		return DOLLAR_PLAIN;
	}
	return DOLLAR_OPENED;
}

/* ${…} */

enum { BRACED_PARAMETER, BRACED_OPERATOR, BRACED_WORD };

/* In arithmetic bash's search for the end counts parentheses and brackets within an expansion. */
static bool in_arithmetic(const struct strict_reader *r)
{
	for (uint32_t i = r->frames.count; i > 0 && r->frames.items[i - 1].kind != FRAME_LIST; i--)
		if (r->frames.items[i - 1].kind == FRAME_ARITHMETIC)
			return true;
	return false;
}

static void take_parameter(struct strict_reader *r)
{
	struct frame *frame = top(r);
	uint32_t start;

	frame->state = BRACED_OPERATOR;
	if (peek(r, 0) == '!' && (zs_is_name(peek(r, 1)))) {
		frame->any = true; /* ${!x} */
		r->build->assembly.evaluates = true;
		r->at++;
	} else if (peek(r, 0) == '#' && (zs_is_name(peek(r, 1)) || peek(r, 1) == '@' || peek(r, 1) == '*')) {
		r->at++; /* ${#x} */
	}
	start = r->at;
	if (zs_is_digit(peek(r, 0)))
		while (zs_is_digit(peek(r, 0)))
			r->at++;
	else if (zs_is_name(peek(r, 0)))
		while (zs_is_name(peek(r, 0)))
			r->at++;
	else if (!at_end(r) && strchr("@*#?-$!", peek(r, 0)))
		r->at++;
	else
		zs_refuse(r, ZS_REFUSE_BRACED_PARAMETER, frame->start, r->at + 1);
	frame->value = start;
	frame->name_len = r->at - start;
	if (peek(r, 0) != '[')
		return;
	if ((peek(r, 1) == '@' || peek(r, 1) == '*') && peek(r, 2) == ']')
		r->at += 3;
	else {
		zs_only_in_bash(r, CONSTRUCT_SUBSCRIPT);
		zs_open_arithmetic(r, 1, ']', 1);
	}
}

static void close_braced(struct strict_reader *r)
{
	struct frame *frame = top(r);

	if (frame->saved)
		r->raw->defaults.items[frame->saved - 1].value = (struct zs_raw_word){
			.dynamic = "expansion",
			.prefix = "",
			.raw = r->text + frame->value,
			.raw_len = r->at - frame->value,
			.span = zs_span_of(r, frame->value, r->at),
		};
	if (top(r)->state == BRACED_WORD && top(r)->value < r->at)
		zs_note_escaped_data(r, top(r)->value, r->at);

	r->at++;
	zs_close(r);
}

/* ${x@Q}. The operator @P expands the value as a prompt, which runs commands. */
static void take_transformation(struct strict_reader *r)
{
	if (peek(r, 1) == 'P' || !peek(r, 1) || !strchr("UuLQEAKak", peek(r, 1)) || peek(r, 2) != '}')
		zs_refuse(r, ZS_REFUSE_PROMPT, top(r)->start, r->at + 2);
	r->at += 2;
	if (!r->failed)
		close_braced(r);
}

/* Notes the default that the operator of ${x:=…} assigns. */
static void open_default(struct strict_reader *r, struct frame *frame)
{
	uint32_t count = r->raw->commands.count;

	ZS_PUSH(r->build->arena, &r->raw->defaults,
		(struct zs_raw_default){
			.name = frame->any ? "!"
					   : zs_arena_string(r->build->arena, r->text + frame->value, frame->name_len),
			.function = frame->function,
			.at = count ? count - 1 : 0,
			.loose = frame->loose,
		});
	frame->saved = r->raw->defaults.count;
}

/* Are the numbers of ${x:1:2} plain? Then bash evaluates nothing. */
static bool has_plain_range(const struct strict_reader *r)
{
	uint32_t len = 0;

	while (peek(r, len) && strchr("0123456789: -", peek(r, len)))
		len++;
	return peek(r, len) == '}';
}

static void take_braced_operator(struct strict_reader *r)
{
	struct frame *frame = top(r);
	char c = peek(r, 0), next = peek(r, 1);

	frame->state = BRACED_WORD;
	if (c && strchr("^,@", c))
		zs_only_in_bash(r, CONSTRUCT_CASE_CHANGE);
	if (c == ':' && next && !strchr("-=?+ $(0123456789", next))
		zs_only_in_bash(r, CONSTRUCT_MODIFIER);
	if (c == '}') {
		frame->value = r->at;
		close_braced(r);
	} else if (frame->any && (c == '*' || c == '@') && next == '}') { /* ${!prefix*} */
		r->at++;
		close_braced(r);
	} else if (c == '@') {
		take_transformation(r);
	} else if (c && strchr(":-=?+#%/^,~", c)) {
		if (c == '=' || (c == ':' && next == '='))
			open_default(r, frame);
		if (c == ':' && !(next && strchr("-=?+", next)))
			r->build->assembly.evaluates |= !has_plain_range(r);
		r->at += c == ':' && next && strchr("-=?+", next) ? 2 : 1;
		frame->value = r->at;
	} else {
		zs_refuse(r, ZS_REFUSE_BRACED_OPERATOR, frame->start, r->at + 1);
	}
}

/* Takes a quoted string that means the same whether bash honours the quotes or not. */
static void take_plain_quotes(struct strict_reader *r, const char *refused_bytes)
{
	uint32_t start = r->at, end = zs_quote_end(r->text, r->len, r->at);
	uint32_t i = start + (r->text[start] == '$' ? 2 : 1);

	for (; end && i < end - 1; i++)
		/* bash may decode $'\x24' and read the result again */
		if (strchr(refused_bytes, r->text[i]) || (r->text[i] == '\\' && !strchr("abeEfnrtv", r->text[i + 1])))
			break;
	if (!end || i < end - 1)
		zs_refuse(r, ZS_REFUSE_BRACED_QUOTES, start, end ? end : r->len);
	r->at = end;
}

static void take_braced_dollar(struct strict_reader *r)
{
	struct frame *frame = top(r);
	char next = peek(r, 1);
	enum zs_dynamic why;

	if (next == '\'' && !frame->in_quotes && !frame->body) {
		zs_only_in_bash(r, CONSTRUCT_ANSI_C);
		take_plain_quotes(r, "$`\"{}");
	} else if (next && strchr("\\\"'", next)) {
		zs_refuse(r, ZS_REFUSE_DOLLAR, r->at, r->at + 2);
	} else {
		zs_take_dollar(r, &why);
	}
}

void zs_step_braced(struct strict_reader *r)
{
	struct frame *frame = top(r);
	char c = peek(r, 0);

	if (at_end(r)) {
		zs_reject(r);
	} else if (frame->state == BRACED_PARAMETER) {
		take_parameter(r);
	} else if (frame->state == BRACED_OPERATOR) {
		take_braced_operator(r);
	} else if (c == '}' && !frame->in_quotes) {
		close_braced(r);
	} else if (c == '$') {
		take_braced_dollar(r);
	} else if (c == '`') {
		zs_take_backquotes(r, BACKQUOTES_NESTED);
	} else if (c == '"' && !frame->body) {
		frame->in_quotes = !frame->in_quotes;
		r->at++;
	} else if (c == '\'' && !frame->in_quotes && !frame->body) {
		take_plain_quotes(r, "$`\"\\{}");
	} else if (c == '\\' && !frame->in_quotes && r->at + 1 < r->len && peek(r, 1) != '\n') {
		r->at += 2;
	} else if (c == '\\' || c == '\'' || c == '"' || (c == '{' && !frame->in_quotes) ||
		   (c == '\n' && r->heredocs.count) || (at_process_substitution(r) && !frame->in_quotes) ||
		   (strchr("()[]", c) && in_arithmetic(r))) {
		zs_refuse(r, ZS_REFUSE_BRACED_END, frame->start, r->at + 1);
	} else {
		r->at++;
	}
}

/* Arithmetic and subscripts */

void zs_open_arithmetic(struct strict_reader *r, uint32_t skip, char close, uint32_t parens)
{
	struct frame *frame = zs_open(r, FRAME_ARITHMETIC);

	frame->close = close;
	frame->parens = parens;
	r->reading->plain = false;
	r->at += skip;
	zs_deeper(r);
}

/* bash takes $(( … )) for arithmetic if the parentheses between match, byte by byte, outside of quotes; even a pattern
 * of case counts. The result is false if a comment may begin there. */
static bool parentheses_match(const struct strict_reader *r, uint32_t from, uint32_t to)
{
	uint32_t open = 0;
	char quote = 0;

	zs_arena_spend(r->build->arena, to - from);
	for (uint32_t i = from; i < to; i++) {
		char c = r->text[i];

		if (c == '\\' && quote != '\'')
			i++;
		else if (quote)
			quote = c == quote ? 0 : quote;
		else if (c == '\'' || c == '"')
			quote = c;
		else if (c == '(')
			open++;
		else if ((c == ')' && open-- == 0) || (c == '#' && (i == from || zs_is_metacharacter(r->text[i - 1]))))
			return false;
	}
	return open == 0;
}

static void end_arithmetic(struct strict_reader *r)
{
	const struct frame *frame = top(r);

	if (frame->close == ')' && r->text[frame->start] == '$' && !parentheses_match(r, frame->start + 3, r->at))
		zs_refuse(r, ZS_REFUSE_ARITHMETIC_END, frame->start, r->at);
	r->at += frame->close == ')' ? 2 : 1;
	if (frame->saved && frame->saved != r->at)
		zs_refuse(r, ZS_REFUSE_ARITHMETIC_END, frame->start, r->at);
	zs_close(r);
}

static void take_bracket(struct strict_reader *r)
{
	struct frame *frame = top(r);

	if (peek(r, 0) != frame->close) {
		if (++frame->parens > ZS_MAX_DEPTH && !r->failed) {
			zs_find(r->build, ZS_RISK_LIMIT, -1, "nesting depth", NULL, zs_span_of(r, 0, r->len));
			r->failed = true;
		}
		r->at++;
	} else if (--frame->parens == (frame->close == ')' ? 1u : 0u)) {
		if (frame->close == ')' && peek(r, 1) != ')')
			zs_refuse(r, ZS_REFUSE_NO_ARITHMETIC, frame->start, r->at + 1);
		end_arithmetic(r);
	} else {
		r->at++;
	}
}

static void take_arithmetic_dollar(struct strict_reader *r)
{
	enum zs_dynamic why;
	char next = peek(r, 1);

	r->build->assembly.evaluates = true;
	if ((next && strchr("\\\"'", next)) || zs_take_dollar(r, &why) == DOLLAR_PLAIN)
		zs_refuse(r, ZS_REFUSE_ARITHMETIC_DOLLAR, top(r)->start, r->at + 1);
}

/* Single quotes do not quote in arithmetic: $(( '$(c)' )) runs c. In a subscript they may quote. */
void zs_step_arithmetic(struct strict_reader *r)
{
	struct frame *frame = top(r);
	bool subscript = frame->close == ']';
	char c = peek(r, 0);

	if (at_end(r)) {
		zs_reject(r);
	} else if (c == '$') {
		take_arithmetic_dollar(r);
	} else if (c == '`') {
		r->build->assembly.evaluates = true;
		zs_take_backquotes(r, BACKQUOTES_NESTED);
	} else if (c == '"' && !frame->body) {
		frame->in_quotes = !frame->in_quotes;
		r->at++;
	} else if (c == '\'' && subscript && !frame->in_quotes && !frame->body) {
		take_plain_quotes(r, "$`\"\\{}[]");
	} else if (strchr("\\'\"{}", c) || (c == '\n' && r->heredocs.count) || at_process_substitution(r)) {
		zs_refuse(r, ZS_REFUSE_ARITHMETIC_QUOTES, frame->start, r->at + 1);
	} else if (!frame->in_quotes && strchr(subscript ? "[]" : "()", c)) {
		take_bracket(r);
	} else {
		r->build->assembly.evaluates |= zs_is_name_start(c);
		if (c == ';' && !frame->in_quotes)
			(frame - 1)->semicolons++;
		r->at++;
	}
}

/* bash's versions differ in whether that search reads a substitution as one. A substitution whose parentheses need not
 * match, because of a comment, a pattern of case or a here-document, is not modelled. */
static bool may_be_unbalanced(const struct strict_reader *r, uint32_t start, uint32_t end)
{
	bool substitution = false, odd = false;

	for (uint32_t i = start; i + 1 < end; i++) {
		substitution |= r->text[i] == '$' && r->text[i + 1] == '(';
		odd |= r->text[i] == '#' || (r->text[i] == '<' && r->text[i + 1] == '<') ||
		       (end - i >= 4 && memcmp(r->text + i, "case", 4) == 0) ||
		       (r->text[i] == '\\' && r->text[i + 1] == '\n');
	}
	return substitution && odd;
}

enum zs_refusal zs_matched_end(const struct strict_reader *r, uint32_t start, uint32_t *ret_end)
{
	uint32_t count = 1, at = start;

	*ret_end = r->len;
	while (at < r->len && count) {
		char c = r->text[at];
		uint32_t end;

		if (c == '\\' || (c == '$' && at + 1 < r->len && r->text[at + 1] == '$')) {
			at += 2;
			continue;
		}
		if (c == '\'' || (c == '$' && at + 1 < r->len && r->text[at + 1] == '\'')) {
			end = zs_quote_end(r->text, r->len, at);
			at = end ? end : r->len;
			continue;
		}
		count += c == '(';
		count -= c == ')';
		at++;
		if (c != '"' && c != '`')
			continue;
		for (; at < r->len && r->text[at] != c; at++) {
			if (r->text[at] == '\\')
				at++;
			else if (c == '"' && (r->text[at] == '`' || (r->text[at] == '$' && at + 1 < r->len &&
									    strchr("({[", r->text[at + 1]))))
				return ZS_REFUSE_QUOTED_EXPANSION;
		}
		at++;
	}
	if (!count)
		*ret_end = at;
	return may_be_unbalanced(r, start, *ret_end) ? ZS_REFUSE_PARENTHESES : ZS_REFUSE_NOTHING;
}
