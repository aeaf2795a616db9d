/* $x ${…} $(…) $((…)) $[…] `…` <(…) and subscripts. Where bash looks twice for the end of an expansion, when it reads
 * and when it expands, and by rules that differ with quotes and braces (man bash, Parameter Expansion), only what
 * both see alike is modelled. */
#include "read/reader.h"
#include "read/variables.h"

#include <string.h>

/* $(…) and <(…) */

static void open_substitution(struct witness *w)
{
	struct frame *frame = zs_open(w, FRAME_SUBSTITUTION);

	frame->mark = zs_start_mark(w, ZS_MARK_SUBSTITUTION, w->at);
	frame->saved = w->heredocs.count;
	frame->nesting = ZS_NEST_SUBSTITUTION;
	frame->depth++;
	w->reading->plain = false;
	w->at += 2;
	zs_open_list(w, CLOSE_PAREN | CLOSE_EMPTY);
}

/* <((: bash looks for its end as for that of arithmetic, and reads what it holds as commands. */
void zs_open_process_substitution(struct witness *w)
{
	uint32_t end = 0;
	enum zs_refusal refused = peek_behind(w, 2) == '(' ? zs_matched_end(w, w->at + 2, &end) : ZS_REFUSE_NOTHING;

	if (refused)
		zs_refuse(w, refused, w->at, w->len);
	open_substitution(w);
	w->frames.items[w->frames.count - 2].value = end;
}

void zs_step_substitution(struct witness *w)
{
	const struct frame *frame = top(w);

	w->at++; /* the parenthesis at which its list has ended */
	if (w->heredocs.count != frame->saved)
		zs_refuse(w, ZS_REFUSE_HEREDOC_BODY, frame->start, w->at);
	if (frame->value && frame->value != w->at)
		zs_refuse(w, ZS_REFUSE_PARENTHESES, frame->start, w->at);
	/* From a body bash takes continued lines before it reads what is in it. */
	for (uint32_t i = frame->start; w->in_bodies && i + 1 < w->at; i++)
		if (w->text[i] == '\\' && w->text[i + 1] == '\n')
			zs_refuse(w, ZS_REFUSE_HEREDOC_BODY, frame->start, w->at);
	zs_end_mark(w, frame->mark, w->at);
	zs_note_at(w, ZS_RISK_SUBSHELL, NULL, frame->start, w->at);
	zs_close(w);
}

/* Backquotes */

/* bash ends them at the next backquote without a backslash, and takes the backslash from \$, \` and \\ before it
 * reads what they hold as a text of its own (man bash, Command Substitution). So do we. */
void zs_take_backquotes(struct witness *w, enum backquotes where)
{
	uint32_t start = w->at, end = w->at + 1, len = 0;
	struct zs_pending_text inner = {
		.place = w->place,
		.shells = w->pending->shells,
		.posix = w->pending->posix,
		.other = w->pending->other,
		.input = w->pending->input,
	};
	char *text;

	while (end < w->len && w->text[end] != '`')
		end += w->text[end] == '\\' ? 2 : 1;
	if (end >= w->len) {
		zs_reject(w);
		return;
	}
	text = zs_arena_alloc(w->build->arena, end - start);
	for (uint32_t i = start + 1; i < end; i++) {
		if (w->text[i] == '\\' && (w->text[i + 1] == '\n' || where == BACKQUOTES_NESTED ||
						  (w->text[i + 1] == '"' && where == BACKQUOTES_QUOTED))) {
			zs_refuse(w, ZS_REFUSE_BACKQUOTES, start, end + 1);
			return;
		}
		if (w->text[i] == '\\' && strchr("$`\\", w->text[i + 1]))
			i++;
		text[len++] = w->text[i];
	}
	inner.text = text;
	inner.len = len;
	inner.nesting = ZS_NEST_SUBSTITUTION;
	inner.depth = top(w)->depth + 1u;
	inner.scope = zs_scope_within(
		w->build->arena, (struct zs_where){ w->pending->scope, top(w)->function, 2 * w->raw->commands.count });
	if (len == end - start - 1) /* as it stands: its bytes have places of their own */
		inner.place.base += start + 1;
	else
		inner.place = (struct zs_place){ true, 0, zs_span_of(w, start, end + 1) };
	ZS_PUSH(w->build->arena, &w->build->pending, inner);
	w->at = end + 1;
	zs_mask(w, start, w->at, '_');
	zs_note_at(w, ZS_RISK_SUBSHELL, NULL, start, w->at);
}

/* $ */

static uint32_t variable_length(const struct witness *w)
{
	char c = peek(w, 1);
	uint32_t len = 2;

	if (zs_is_digit(c) || (c && strchr("@*#?-$!", c)))
		return len;
	if (!zs_is_name_start(c))
		return 0;
	while (zs_is_name(peek(w, len)))
		len++;
	return len;
}

static void open_braced(struct witness *w)
{
	zs_open(w, FRAME_BRACED);
	zs_deeper(w);
	w->reading->plain = false;
	w->at += 2;
}

enum dollar zs_take_dollar(struct witness *w, enum zs_dynamic *ret_why)
{
	uint32_t len = variable_length(w);
	char c = peek(w, 1);

	if (len) {
		*ret_why = ZS_DYNAMIC_VARIABLE;
		if (at_continuation(w, len) && zs_is_name(peek_behind(w, len)))
			zs_refuse(w, ZS_REFUSE_CONTINUED_NAME, w->at, w->at + len + 2);
		w->at += len;
		return DOLLAR_TAKEN;
	}
	if (c == '{') {
		*ret_why = ZS_DYNAMIC_EXPANSION;
		open_braced(w);
	} else if (c == '[' || (c == '(' && peek(w, 2) == '(')) {
		*ret_why = ZS_DYNAMIC_ARITHMETIC;
		if (c == '[')
			zs_open_arithmetic(w, 2, ']', 1);
		else
			zs_open_arithmetic(w, 3, ')', 2);
	} else if (c == '(') {
		*ret_why = ZS_DYNAMIC_SUBSTITUTION;
		if (at_continuation(w, 2) && peek_behind(w, 2) == '(')
			zs_refuse(w, ZS_REFUSE_CONTINUED_OPERATOR, w->at, w->at + 4);
		open_substitution(w);
	} else {
		if (at_continuation(w, 1))
			zs_refuse(w, ZS_REFUSE_CONTINUED_DOLLAR, w->at, w->at + 3);
		zs_mask(w, w->at, w->at + 1, '_');
		w->at++;
		return DOLLAR_PLAIN;
	}
	return DOLLAR_OPENED;
}

/* ${…} */

enum { BRACED_PARAMETER, BRACED_OPERATOR, BRACED_WORD };

/* Parentheses and brackets in an expansion within arithmetic count for bash's search of the end. */
static bool in_arithmetic(const struct witness *w)
{
	for (uint32_t i = w->frames.count; i > 0 && w->frames.items[i - 1].kind != FRAME_LIST; i--)
		if (w->frames.items[i - 1].kind == FRAME_ARITHMETIC)
			return true;
	return false;
}

static void take_parameter(struct witness *w)
{
	struct frame *frame = top(w);
	uint32_t start;

	frame->state = BRACED_OPERATOR;
	if (peek(w, 0) == '!' && (zs_is_name(peek(w, 1)))) {
		frame->any = true; /* ${!x} */
		zs_note_evaluated(w, w->at, w->at + 2);
		w->at++;
	} else if (peek(w, 0) == '#' && (zs_is_name(peek(w, 1)) || peek(w, 1) == '@' || peek(w, 1) == '*')) {
		w->at++; /* ${#x} */
	}
	start = w->at;
	if (zs_is_digit(peek(w, 0)))
		while (zs_is_digit(peek(w, 0)))
			w->at++;
	else if (zs_is_name(peek(w, 0)))
		while (zs_is_name(peek(w, 0)))
			w->at++;
	else if (!at_end(w) && strchr("@*#?-$!", peek(w, 0)))
		w->at++;
	else
		zs_refuse(w, ZS_REFUSE_BRACED_PARAMETER, frame->start, w->at + 1);
	frame->value = start;
	frame->name_len = w->at - start;
	if (peek(w, 0) != '[')
		return;
	if ((peek(w, 1) == '@' || peek(w, 1) == '*') && peek(w, 2) == ']')
		w->at += 3;
	else
		zs_open_arithmetic(w, 1, ']', 1);
}

static void close_braced(struct witness *w)
{
	struct frame *frame = top(w);

	if (frame->saved)
		w->raw->defaults.items[frame->saved - 1].value = (struct zs_raw_word){
			.dynamic = "expansion",
			.prefix = "",
			.raw = w->text + frame->value,
			.raw_len = w->at - frame->value,
			.span = zs_span_of(w, frame->value, w->at),
		};
	if (top(w)->state == BRACED_WORD && top(w)->value < w->at)
		zs_note_escaped_data(w, top(w)->value, w->at);

	w->at++;
	zs_close(w);
}

/* ${x@Q}; @P expands a prompt, which runs commands. */
static void take_transformation(struct witness *w)
{
	if (peek(w, 1) == 'P' || !peek(w, 1) || !strchr("UuLQEAKak", peek(w, 1)) || peek(w, 2) != '}')
		zs_refuse(w, ZS_REFUSE_PROMPT, top(w)->start, w->at + 2);
	w->at += 2;
	if (!w->failed)
		close_braced(w);
}

/* At the operator of ${x:=…}. */
static void open_default(struct witness *w, struct frame *frame)
{
	uint32_t count = w->raw->commands.count;

	ZS_PUSH(w->build->arena, &w->raw->defaults,
		(struct zs_raw_default){
			.name = frame->any ? "!"
					   : zs_arena_string(w->build->arena, w->text + frame->value, frame->name_len),
			.function = frame->function,
			.at = count ? count - 1 : 0,
			.loose = frame->loose,
		});
	frame->saved = w->raw->defaults.count;
}

static void take_braced_operator(struct witness *w)
{
	struct frame *frame = top(w);
	char c = peek(w, 0), next = peek(w, 1);

	frame->state = BRACED_WORD;
	if (c == '}') {
		frame->value = w->at;
		close_braced(w);
	} else if (frame->any && (c == '*' || c == '@') && next == '}') { /* ${!prefix*} */
		w->at++;
		close_braced(w);
	} else if (c == '@') {
		take_transformation(w);
	} else if (c && strchr(":-=?+#%/^,~", c)) {
		if (c == '=' || (c == ':' && next == '='))
			open_default(w, frame);
		if (c == ':' && !(next && strchr("-=?+", next)) && !zs_is_digit(next)) /* ${x:i:j} */
			zs_note_evaluated(w, w->at, w->at + 1);
		w->at += c == ':' && next && strchr("-=?+", next) ? 2 : 1;
		frame->value = w->at;
	} else {
		zs_refuse(w, ZS_REFUSE_BRACED_OPERATOR, frame->start, w->at + 1);
	}
}

/* A quoted string that is the same whether the quotes count or not. */
static void take_plain_quotes(struct witness *w, const char *refused_bytes)
{
	uint32_t start = w->at, end = zs_quote_end(w->text, w->len, w->at);
	uint32_t i = start + (w->text[start] == '$' ? 2 : 1);

	for (; end && i < end - 1; i++)
		/* bash may decode $'\x24' and read the result again. */
		if (strchr(refused_bytes, w->text[i]) || (w->text[i] == '\\' && !strchr("abeEfnrtv", w->text[i + 1])))
			break;
	if (!end || i < end - 1)
		zs_refuse(w, ZS_REFUSE_BRACED_QUOTES, start, end ? end : w->len);
	w->at = end;
}

static void take_braced_dollar(struct witness *w)
{
	struct frame *frame = top(w);
	char next = peek(w, 1);
	enum zs_dynamic why;

	if (next == '\'' && !frame->in_quotes && !frame->body)
		take_plain_quotes(w, "$`\"{}");
	else if (next && strchr("\\\"'", next))
		zs_refuse(w, ZS_REFUSE_DOLLAR, w->at, w->at + 2);
	else
		zs_take_dollar(w, &why);
}

void zs_step_braced(struct witness *w)
{
	struct frame *frame = top(w);
	char c = peek(w, 0);

	if (at_end(w)) {
		zs_reject(w);
	} else if (frame->state == BRACED_PARAMETER) {
		take_parameter(w);
	} else if (frame->state == BRACED_OPERATOR) {
		take_braced_operator(w);
	} else if (c == '}' && !frame->in_quotes) {
		close_braced(w);
	} else if (c == '$') {
		take_braced_dollar(w);
	} else if (c == '`') {
		zs_take_backquotes(w, BACKQUOTES_NESTED);
	} else if (c == '"' && !frame->body) {
		frame->in_quotes = !frame->in_quotes;
		w->at++;
	} else if (c == '\'' && !frame->in_quotes && !frame->body) {
		take_plain_quotes(w, "$`\"\\{}");
	} else if (c == '\\' && !frame->in_quotes && w->at + 1 < w->len && peek(w, 1) != '\n') {
		w->at += 2;
	} else if (c == '\\' || c == '\'' || c == '"' || (c == '{' && !frame->in_quotes) ||
		   (c == '\n' && w->heredocs.count) || (at_process_substitution(w) && !frame->in_quotes) ||
		   (strchr("()[]", c) && in_arithmetic(w))) {
		zs_refuse(w, ZS_REFUSE_BRACED_END, frame->start, w->at + 1);
	} else {
		w->at++;
	}
}

/* Arithmetic and subscripts */

void zs_open_arithmetic(struct witness *w, uint32_t skip, char close, uint32_t parens)
{
	struct frame *frame = zs_open(w, FRAME_ARITHMETIC);

	frame->close = close;
	frame->parens = parens;
	w->reading->plain = false;
	w->at += skip;
	zs_deeper(w);
}

/* $(( … )) is arithmetic to bash when the parentheses between match by their bytes, outside of quotes, though one is a
 * pattern of case. Where a comment may begin, it is none. */
static bool parentheses_match(const struct witness *w, uint32_t from, uint32_t to)
{
	uint32_t open = 0;
	char quote = 0;

	zs_arena_spend(w->build->arena, to - from);
	for (uint32_t i = from; i < to; i++) {
		char c = w->text[i];

		if (c == '\\' && quote != '\'')
			i++;
		else if (quote)
			quote = c == quote ? 0 : quote;
		else if (c == '\'' || c == '"')
			quote = c;
		else if (c == '(')
			open++;
		else if ((c == ')' && open-- == 0) || (c == '#' && (i == from || zs_is_metacharacter(w->text[i - 1]))))
			return false;
	}
	return open == 0;
}

static void end_arithmetic(struct witness *w)
{
	const struct frame *frame = top(w);

	if (frame->close == ')' && w->text[frame->start] == '$' && !parentheses_match(w, frame->start + 3, w->at))
		zs_refuse(w, ZS_REFUSE_ARITHMETIC_END, frame->start, w->at);
	w->at += frame->close == ')' ? 2 : 1;
	if (frame->saved && frame->saved != w->at)
		zs_refuse(w, ZS_REFUSE_ARITHMETIC_END, frame->start, w->at);
	zs_close(w);
}

static void take_bracket(struct witness *w)
{
	struct frame *frame = top(w);

	if (peek(w, 0) != frame->close) {
		if (++frame->parens > ZS_MAX_DEPTH && !w->failed) {
			zs_find(w->build, ZS_RISK_LIMIT, -1, "nesting depth", NULL, zs_span_of(w, 0, w->len));
			w->failed = true;
		}
		w->at++;
	} else if (--frame->parens == (frame->close == ')' ? 1u : 0u)) {
		if (frame->close == ')' && peek(w, 1) != ')')
			zs_refuse(w, ZS_REFUSE_NO_ARITHMETIC, frame->start, w->at + 1);
		end_arithmetic(w);
	} else {
		w->at++;
	}
}

static void take_arithmetic_dollar(struct witness *w)
{
	enum zs_dynamic why;
	char next = peek(w, 1);

	zs_note_evaluated(w, w->at, w->at + 1);
	if ((next && strchr("\\\"'", next)) || zs_take_dollar(w, &why) == DOLLAR_PLAIN)
		zs_refuse(w, ZS_REFUSE_ARITHMETIC_DOLLAR, top(w)->start, w->at + 1);
}

/* Single quotes do not quote in arithmetic: $(( '$(c)' )) runs c. In a subscript they may. */
void zs_step_arithmetic(struct witness *w)
{
	struct frame *frame = top(w);
	bool subscript = frame->close == ']';
	char c = peek(w, 0);

	if (at_end(w)) {
		zs_reject(w);
	} else if (c == '$') {
		take_arithmetic_dollar(w);
	} else if (c == '`') {
		zs_take_backquotes(w, BACKQUOTES_NESTED);
	} else if (c == '"' && !frame->body) {
		frame->in_quotes = !frame->in_quotes;
		w->at++;
	} else if (c == '\'' && subscript && !frame->in_quotes && !frame->body) {
		take_plain_quotes(w, "$`\"\\{}[]");
	} else if (strchr("\\'\"{}", c) || (c == '\n' && w->heredocs.count) || at_process_substitution(w)) {
		zs_refuse(w, ZS_REFUSE_ARITHMETIC_QUOTES, frame->start, w->at + 1);
	} else if (!frame->in_quotes && strchr(subscript ? "[]" : "()", c)) {
		take_bracket(w);
	} else if (zs_is_name_start(c)) {
		uint32_t start = w->at;

		while (zs_is_name(peek(w, 0)))
			w->at++;
		zs_note_evaluated(w, start, w->at);
	} else {
		w->at++;
	}
}

/* Whether that search reads a substitution as one depends on bash's version: one in which parentheses need not
 * match, for a comment, a pattern of case or a here-document, is not modelled. */
static bool may_be_unbalanced(const struct witness *w, uint32_t start, uint32_t end)
{
	bool substitution = false, odd = false;

	for (uint32_t i = start; i + 1 < end; i++) {
		substitution |= w->text[i] == '$' && w->text[i + 1] == '(';
		odd |= w->text[i] == '#' || (w->text[i] == '<' && w->text[i + 1] == '<') ||
		       (end - i >= 4 && memcmp(w->text + i, "case", 4) == 0) ||
		       (w->text[i] == '\\' && w->text[i + 1] == '\n');
	}
	return substitution && odd;
}

enum zs_refusal zs_matched_end(const struct witness *w, uint32_t start, uint32_t *ret_end)
{
	uint32_t count = 1, at = start;

	*ret_end = w->len;
	while (at < w->len && count) {
		char c = w->text[at];
		uint32_t end;

		if (c == '\\' || (c == '$' && at + 1 < w->len && w->text[at + 1] == '$')) {
			at += 2;
			continue;
		}
		if (c == '\'' || (c == '$' && at + 1 < w->len && w->text[at + 1] == '\'')) {
			end = zs_quote_end(w->text, w->len, at);
			at = end ? end : w->len;
			continue;
		}
		count += c == '(';
		count -= c == ')';
		at++;
		if (c != '"' && c != '`')
			continue;
		for (; at < w->len && w->text[at] != c; at++) {
			if (w->text[at] == '\\')
				at++;
			else if (c == '"' && (w->text[at] == '`' || (w->text[at] == '$' && at + 1 < w->len &&
									    strchr("({[", w->text[at + 1]))))
				return ZS_REFUSE_QUOTED_EXPANSION;
		}
		at++;
	}
	if (!count)
		*ret_end = at;
	return may_be_unbalanced(w, start, *ret_end) ? ZS_REFUSE_PARENTHESES : ZS_REFUSE_NOTHING;
}
