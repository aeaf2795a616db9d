#include "code/code_tokens.h"

#include <string.h>

static int peek_at(const struct code_text *code, size_t pos)
{
	return pos < code->len ? (unsigned char)code->text[pos] : END;
}

static int code_tokens_peek(const struct code_text *code)
{
	return peek_at(code, code->pos);
}

static bool starts(const struct code_text *code, const char *text)
{
	size_t len = strlen(text);

	return code->len - code->pos >= len && memcmp(code->text + code->pos, text, len) == 0;
}

static const struct code_scope *top(const struct code_text *code)
{
	static const struct code_scope outside = { .kind = SCOPE_BRACKET };

	return code->depth ? &code->scopes[code->depth - 1] : &outside;
}

static bool push_token(struct code_text *code, enum code_kind kind, size_t start)
{
	struct code_token *token = &code->tokens[code->count];
	size_t line = start;

	if (code->count >= CODE_TOKENS)
		return false;
	while (line > 0 && is_one_of((unsigned char)code->text[line - 1], " \t"))
		line--;
	*token = (struct code_token){
		.start = (uint32_t)start,
		.len = (uint32_t)(code->pos - start),
		.kind = (uint8_t)kind,
		.first = line == 0 || code->text[line - 1] == '\n',
		.spaced = start == 0 || is_one_of((unsigned char)code->text[start - 1], " \t\n"),
	};
	code->count++;
	return true;
}

static bool open_scope(struct code_text *code, struct code_scope scope, enum code_kind kind, size_t start)
{
	if (code->depth == CODE_DEPTH || !push_token(code, kind, start))
		return false;
	scope.token = (uint16_t)(code->count - 1);
	code->scopes[code->depth++] = scope;
	return true;
}

static bool close_scope(struct code_text *code, enum code_kind kind, size_t start)
{
	uint16_t open = top(code)->token;

	if (!push_token(code, kind, start))
		return false;
	code->depth--;
	code->tokens[open].mate = (uint16_t)(code->count - 1);
	code->tokens[code->count - 1].mate = open;
	return true;
}

/* A string with a prefix that ends in `quote`, which stands at code->pos. */

static bool is_raw(const struct code_text *code, size_t start)
{
	for (size_t i = start; i < code->pos; i++)
		if (is_one_of((unsigned char)code->text[i], "rR"))
			return true;
	return false;
}

static bool is_format(const struct code_text *code, size_t start)
{
	for (size_t i = start; i < code->pos; i++)
		if (is_one_of((unsigned char)code->text[i], "fF"))
			return true;
	return false;
}

static bool ends_string(const struct code_text *code, const struct code_scope *scope)
{
	const char triple[] = { scope->quote, scope->quote, scope->quote, '\0' };

	return scope->triple ? starts(code, triple) : code_tokens_peek(code) == scope->quote;
}

static bool code_tokens_read_string(struct code_text *code, size_t start)
{
	struct code_scope scope = { .kind = SCOPE_TEMPLATE, .quote = code->text[code->pos] };
	const char triple[] = { scope.quote, scope.quote, scope.quote, '\0' };
	bool python = code->syntax->python;

	scope.triple = python && starts(code, triple);
	scope.raw = is_raw(code, start);
	if (python ? is_format(code, start) : is_one_of(scope.quote, code->syntax->templates)) {
		code->pos += scope.triple ? 3 : 1;
		return open_scope(code, scope, CODE_TEMPLATE, start);
	}
	for (code->pos += scope.triple ? 3 : 1; !ends_string(code, &scope); code->pos++) {
		if (code_tokens_peek(code) == END || code_tokens_peek(code) == '\r' ||
			(code_tokens_peek(code) == '\n' && !scope.triple && !code->syntax->raw_quotes))
			return false;
		if (code_tokens_peek(code) == '\\' && peek_at(code, ++code->pos) == END)
			return false;
	}
	code->pos += scope.triple ? 3 : 1;
	return push_token(code, CODE_STRING, start);
}

/* Text of a template, or of the format behind a python field, up to what ends it or opens a field. */
static bool read_template(struct code_text *code)
{
	const struct code_scope *scope = top(code);
	const char *field = code->syntax->field;
	bool format = scope->kind == SCOPE_FORMAT, python = code->syntax->python;

	for (;; code->pos++) {
		int c = code_tokens_peek(code);

		if (c == END || c == '\r' || (c == '\n' && (format || (!scope->triple && python))))
			return false;
		if (ends_string(code, scope))
			break;
		if (format && (c == '\\' || c == scope->quote))
			return false;
		if (c == '\\') {
			c = peek_at(code, ++code->pos);
			/* "\{x}" and "\N{…}" differ between versions of python. */
			if (c == END || c == '\r' || (python && is_one_of(c, "{}N\n")))
				return false;
			continue;
		}
		if (python && !format && (starts(code, "{{") || starts(code, "}}"))) {
			code->pos++;
			continue;
		}
		if (python && c == '}') {
			if (!format)
				return false;
			code->pos++;
			code->depth--;
			return true;
		}
		if (starts(code, field)) {
			size_t start = code->pos;
			struct code_scope inner = *scope;

			inner.kind = SCOPE_FIELD;
			code->pos += strlen(field);
			return open_scope(code, inner, CODE_FIELD, start);
		}
		if (field[0] == '#' && c == '#' && is_one_of(peek_at(code, code->pos + 1), "@$"))
			return false; /* ruby: "#@x" is code too */
	}
	if (format)
		return false;
	{
		size_t start = code->pos;

		code->pos += scope->triple ? 3 : 1;
		return close_scope(code, CODE_TEMPLATE_END, start);
	}
}

/* Behind the expression of a python field: =, !r, and :format. */
static bool end_python_field(struct code_text *code)
{
	size_t start = code->pos;
	int c = code_tokens_peek(code);

	if (c == '=') {
		code->pos++;
		while (code_tokens_peek(code) == ' ')
			code->pos++;
		return is_one_of(code_tokens_peek(code), "}:!");
	}
	if (!close_scope(code, CODE_FIELD_END, start))
		return false;
	if (c == '!') {
		if (!is_one_of(peek_at(code, start + 1), "rsa"))
			return false;
		code->pos = start + 2;
		c = code_tokens_peek(code);
	}
	code->pos++;
	if (c == ':')
		code->scopes[code->depth++].kind = SCOPE_FORMAT; /* what the field left there but for its kind */
	return c == ':' || c == '}';
}

/* PEP 263: a comment that names an encoding other than UTF-8. */
static bool names_encoding(const struct code_text *code)
{
	static const char *const plain[] = { "coding: utf-8", "coding:utf-8", "coding=utf-8", "coding: utf8",
		"coding:utf8", "coding=utf8", "coding: UTF-8", "coding:UTF-8", "coding=UTF-8" };

	if (!starts(code, "coding:") && !starts(code, "coding="))
		return false;
	for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
		size_t len = strlen(plain[i]);

		if (starts(code, plain[i]) &&
			(code->pos + len >= code->len || strchr(" \n", code->text[code->pos + len])))
			return false;
	}
	return true;
}

static bool skip_comment(struct code_text *code, bool *ret_skipped)
{
	const struct code_syntax *syntax = code->syntax;
	bool slash = syntax->slash_comments && (starts(code, "//") || starts(code, "/*"));

	*ret_skipped = false;
	if (!slash && !(syntax->hash_comments && code_tokens_peek(code) == '#'))
		return true;
	*ret_skipped = true;
	if (slash && starts(code, "/*")) {
		for (code->pos += 2; !starts(code, "*/"); code->pos++)
			if (code_tokens_peek(code) == END)
				return false;
		code->pos += 2;
		return true;
	}
	while (code_tokens_peek(code) != END && code_tokens_peek(code) != '\n') {
		/* Lines end at them in JavaScript. */
		if (code_tokens_peek(code) == '\r' || starts(code, "\xe2\x80\xa8") || starts(code, "\xe2\x80\xa9") ||
			(syntax->python && names_encoding(code)))
			return false;
		code->pos++;
	}
	return true;
}

static bool skip_space(struct code_text *code)
{
	bool in_field = top(code)->kind == SCOPE_FIELD, skipped;

	for (;;) {
		if (code->syntax->python && starts(code, "\\\n") && !in_field)
			code->pos += 2;
		else if (is_one_of(code_tokens_peek(code), " \t"))
			code->pos++;
		else if (code_tokens_peek(code) == '\n' &&
			 (!code->syntax->newlines || (code->depth && !code->syntax->in_brackets)) &&
			 !(in_field && code->syntax->python && !top(code)->triple))
			code->pos++;
		else if (in_field && code->syntax->python && code_tokens_peek(code) == '#')
			return false;
		else if (!skip_comment(code, &skipped))
			return false;
		else if (!skipped)
			return true;
	}
}

/* A digit, or a point in front of one, stands at code->pos. */
static bool code_tokens_read_number(struct code_text *code)
{
	size_t start = code->pos;
	const char *digits = "0123456789_";
	bool based = code_tokens_peek(code) == '0' && is_one_of(peek_at(code, start + 1), "xXoObB");

	if (based) {
		digits = "0123456789abcdefABCDEF_";
		code->pos += 2;
	}
	while (is_one_of(code_tokens_peek(code), digits))
		code->pos++;
	if (!based && code_tokens_peek(code) == '.' &&
		(code->syntax->python || (is_digit(peek_at(code, code->pos + 1)) && peek_at(code, start) != '.') ||
			code->pos == start)) {
		code->pos++;
		while (is_one_of(code_tokens_peek(code), digits))
			code->pos++;
	}
	if (!based && is_one_of(code_tokens_peek(code), "eE")) {
		code->pos++;
		if (is_one_of(code_tokens_peek(code), "+-"))
			code->pos++;
		if (!is_digit(code_tokens_peek(code)))
			return false;
		while (is_one_of(code_tokens_peek(code), digits))
			code->pos++;
	}
	if (is_one_of(code_tokens_peek(code), code->syntax->python ? "jJ" : "n"))
		code->pos++;
	return !is_word(code_tokens_peek(code)) && push_token(code, CODE_NUMBER, start);
}

static bool read_name(struct code_text *code)
{
	const struct code_syntax *syntax = code->syntax;
	size_t start = code->pos++;

	while (is_word(code_tokens_peek(code)) || (code_tokens_peek(code) == '$' && is_one_of('$', syntax->first)))
		code->pos++;
	if (is_one_of(code_tokens_peek(code), syntax->last) && !is_one_of(peek_at(code, code->pos + 1), "=:"))
		code->pos++;
	if (syntax->python && is_one_of(code_tokens_peek(code), "'\""))
		return zs_code_listed(code->text + start, code->pos - start,
			       "r R b B u U f F br bR Br BR rb rB Rb RB fr fR Fr FR rf rF Rf RF") &&
		       code_tokens_read_string(code, start);
	return push_token(code, CODE_NAME, start);
}

static bool read_regex(struct code_text *code)
{
	size_t start = code->pos++;
	bool class = false;

	for (; class || code_tokens_peek(code) != '/'; code->pos++) {
		int c = code_tokens_peek(code);

		if (c == '\\')
			c = peek_at(code, ++code->pos);
		else if (c == '[')
			class = true;
		else if (c == ']')
			class = false;
		if (c == END || is_one_of(c, "\n\r") || starts(code, "\xe2\x80\xa8") || starts(code, "\xe2\x80\xa9") ||
			starts(code, "#{"))
			return false;
	}
	code->pos++;
	while (is_letter(code_tokens_peek(code)))
		code->pos++;
	return !is_word(code_tokens_peek(code)) && push_token(code, CODE_REGEX, start);
}

static bool read_sign(struct code_text *code)
{
	size_t start = code->pos;

	for (const char *sign = code->syntax->signs; *sign; sign += strspn(sign, " ")) {
		size_t len = strcspn(sign, " ");

		if (code->len - code->pos >= len && memcmp(code->text + code->pos, sign, len) == 0) {
			code->pos += len;
			return push_token(code, CODE_SIGN, start);
		}
		sign += len;
	}
	return false;
}

static bool code_tokens_read_close(struct code_text *code, int c)
{
	const struct code_scope *scope = top(code);
	size_t start = code->pos;
	char open;

	if (!code->depth)
		return false;
	if (scope->kind == SCOPE_FIELD) {
		if (c != '}')
			return false;
		code->pos++;
		return close_scope(code, CODE_FIELD_END, start);
	}
	open = code->text[code->tokens[scope->token].start];
	if (scope->kind != SCOPE_BRACKET || c != strchr("()[]{}", open)[1])
		return false;
	code->pos++;
	return close_scope(code, CODE_CLOSE, start);
}

static bool read_token(struct code_text *code)
{
	const struct code_syntax *syntax = code->syntax;
	const struct code_scope *scope = top(code);
	size_t start = code->pos;
	int c = code_tokens_peek(code), next = peek_at(code, start + 1);

	if (c == '\n') {
		code->pos++;
		return push_token(code, CODE_NEWLINE, start);
	}
	if (scope->kind == SCOPE_FIELD && syntax->python) {
		if (c == scope->quote)
			return false; /* a string ends here before python 3.12, and begins here since */
		if (c == ':' || (c == '!' && next != '=') || (c == '=' && next != '='))
			return end_python_field(code);
	}
	if (is_letter(c) || (is_one_of(c, syntax->first) && is_letter(next)))
		return read_name(code);
	if (is_digit(c) || (c == '.' && is_digit(next)))
		return code_tokens_read_number(code);
	if (is_one_of(c, syntax->quotes) || is_one_of(c, syntax->templates))
		return code_tokens_read_string(code, start);
	if (is_one_of(c, "([{")) {
		code->pos++;
		return open_scope(code, (struct code_scope){ .kind = SCOPE_BRACKET }, CODE_OPEN, start);
	}
	if (is_one_of(c, ")]}"))
		return code_tokens_read_close(code, c);
	if (syntax->expect && c == '/') {
		enum code_expect expect = syntax->expect(code);

		if (expect == EXPECT_DOUBTFUL)
			return false;
		if (expect == EXPECT_OPERAND)
			return read_regex(code);
	}
	return read_sign(code);
}

static bool holds_refused(struct code_text *code)
{
	const char *list = code->syntax->refused;

	for (code->pos = 0; code->pos < code->len; code->pos++)
		for (const char *word = list; *word; word += strspn(word, " ")) {
			size_t len = strcspn(word, " ");

			if (code->len - code->pos >= len && memcmp(code->text + code->pos, word, len) == 0)
				return true;
			word += len;
		}
	code->pos = 0;
	return false;
}

static bool read_program(struct code_text *code, const struct code_syntax *syntax, const char *text, size_t len)
{
	code->text = text;
	code->len = len;
	code->depth = 0;
	code->syntax = syntax;
	code->count = 1;
	code->tokens[0] = (struct code_token){ .kind = CODE_END };
	if (holds_refused(code))
		return false;
	for (;;) {
		if (code->depth && (top(code)->kind == SCOPE_TEMPLATE || top(code)->kind == SCOPE_FORMAT)) {
			if (!read_template(code))
				return false;
			continue;
		}
		if (!skip_space(code))
			return false;
		if (code_tokens_peek(code) == END)
			break;
		if (!read_token(code))
			return false;
	}
	for (size_t i = 0; i < 4; i++)
		code->tokens[code->count + i] = (struct code_token){ .kind = CODE_END, .start = (uint32_t)len };
	return code->depth == 0;
}

bool zs_code_is(const struct code_text *code, size_t token, const char *text)
{
	const struct code_token *t = &code->tokens[token];

	return t->kind != CODE_STRING && t->len == strlen(text) && memcmp(code->text + t->start, text, t->len) == 0;
}

bool zs_code_in(const struct code_text *code, size_t token, const char *list)
{
	const struct code_token *t = &code->tokens[token];

	return t->kind != CODE_STRING && t->len && zs_code_listed(code->text + t->start, t->len, list);
}

size_t zs_code_find(const struct code_text *code, size_t from, size_t to, const char *list)
{
	for (size_t i = from; i < to; i++) {
		enum code_kind kind = code_kind(code, i);

		if (zs_code_in(code, i, list))
			return i;
		if (kind == CODE_OPEN || kind == CODE_TEMPLATE || kind == CODE_FIELD)
			i = code->tokens[i].mate;
	}
	return to;
}

bool zs_code_same(const struct code_text *code, size_t a, size_t b)
{
	const struct code_token *x = &code->tokens[a], *y = &code->tokens[b];

	return x->len == y->len && memcmp(code->text + x->start, code->text + y->start, x->len) == 0;
}

const char *zs_code_literal(const struct code_text *code, size_t token, size_t *ret_len)
{
	const struct code_token *t = &code->tokens[token];
	const char *text = code->text + t->start;

	if (t->kind != CODE_STRING || !is_one_of(*text, "'\"") || memchr(text, '\\', t->len) ||
		(t->len >= 6 && text[1] == text[0] && text[2] == text[0]))
		return NULL;
	*ret_len = t->len - 2;
	return text + 1;
}

bool zs_code_unknown(struct code_text *code, size_t first, size_t last)
{
	code->first = first;
	code->last = last;
	return false;
}

bool zs_code_is_bound(const struct code_text *code, size_t token)
{
	for (size_t i = 0; i < code->bound; i++)
		if (zs_code_same(code, code->bindings[i].name, token))
			return true;
	return false;
}

bool zs_code_bind(struct code_text *code, struct code_binding binding)
{
	for (size_t i = 0; i < code->bound; i++) {
		const struct code_binding *other = &code->bindings[i];

		if (other->kind == binding.kind && other->value == binding.value && other->member == binding.member &&
			zs_code_same(code, other->name, binding.name))
			return true;
	}
	if (code->bound == CODE_BINDINGS)
		return zs_code_unknown(code, binding.name, binding.name);
	code->bindings[code->bound++] = binding;
	return true;
}

bool zs_code_check_bindings(struct code_text *code, struct code_place place,
	bool (*check)(
		struct code_text *code, const struct code_binding *binding, struct code_place place, size_t *ret_last),
	size_t *ret_last)
{
	bool first = true;

	*ret_last = place.last;
	for (size_t i = 0; i < code->bound; i++) {
		size_t last;

		if (!zs_code_same(code, code->bindings[i].name, place.first))
			continue;
		if (!check(code, &code->bindings[i], place, &last))
			return false;
		if (first || last < *ret_last)
			*ret_last = last;
		first = false;
	}
	return true;
}

static bool check_tokens(struct code_text *code, code_check *check)
{
	uint16_t opened[CODE_DEPTH + 1] = { 0 };
	size_t depth = 0;

	for (size_t i = 1; i < code->count; i++) {
		enum code_kind kind = code_kind(code, i);
		size_t last = i;

		if (kind == CODE_CLOSE || kind == CODE_TEMPLATE_END || kind == CODE_FIELD_END)
			depth--;
		if (!(kind == CODE_NAME && code->tokens[i].known) &&
			!check(code, (struct code_place){ i, i, opened[depth], false }, &last))
			return false;
		if (kind == CODE_OPEN || kind == CODE_TEMPLATE || kind == CODE_FIELD)
			opened[++depth] = (uint16_t)i;
		for (size_t behind = i + 1; behind <= last; behind++)
			code->tokens[behind].known = true;
	}
	return true;
}

struct zs_filter zs_code_judge(
	const char *text, size_t len, const struct code_syntax *syntax, code_bind *bind, code_check *check)
{
	struct code_text code;
	size_t start, end;

	code.bound = 0;
	code.first = code.last = 0;
	if (!read_program(&code, syntax, text, len)) {
		start = end = code.pos < len ? code.pos : len;
		while (end < len && end - start < 16 && text[end] != '\n')
			end++;
	} else if ((bind && !bind(&code)) || !check_tokens(&code, check)) {
		start = code.tokens[code.first].start;
		end = code.tokens[code.last].start + code.tokens[code.last].len;
	} else {
		return (struct zs_filter){ .effect = ZS_FILTER_PLAIN };
	}
	return (struct zs_filter){
		.effect = ZS_FILTER_UNKNOWN,
		.at = start,
		.object = end > start ? text + start : NULL,
		.object_len = end > start ? end - start : 0,
	};
}
