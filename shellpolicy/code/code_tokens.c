#include "code/code_tokens.h"

bool zs_code_listed(const char *text, size_t len, const char *list)
{
	for (; list && *list; list += strspn(list, " ")) {
		size_t word = strcspn(list, " ");

		if (word == len && memcmp(list, text, len) == 0)
			return true;
		list += word;
	}
	return false;
}

bool zs_filter_is_harmless_file(const char *name, size_t len)
{
	return zs_code_listed(name, len, "/dev/null /dev/stdout /dev/stderr /dev/fd/1 /dev/fd/2");
}

/* The length of the list's text that stands at `pos`, or 0. */
static size_t length_of(const struct code_text *code, size_t pos, const char *list)
{
	for (; list && *list; list += strspn(list, " ")) {
		size_t len = strcspn(list, " ");

		if (code->len - pos >= len && memcmp(code->text + pos, list, len) == 0)
			return len;
		list += len;
	}
	return 0;
}

/* The first place from `from` on where a text of this list stands, or code->len. */
static size_t find_text(const struct code_text *code, size_t from, const char *list)
{
	while (from < code->len && !length_of(code, from, list))
		from++;
	return from;
}

static const struct code_scope *top(const struct code_text *code)
{
	static const struct code_scope outside = { .kind = SCOPE_BRACKET };

	return code->depth ? &code->scopes[code->depth - 1] : &outside;
}

bool zs_code_push(struct code_text *code, enum code_kind kind, size_t start)
{
	if (code->count >= CODE_TOKENS)
		return false;
	code->tokens[code->count++] = (struct code_token){
		.start = (uint32_t)start,
		.len = (uint32_t)(code->pos - start),
		.kind = (uint8_t)kind,
		.mark = code->mark,
		.expect = (uint8_t)code->expect,
		.spaced = start == 0 || is_one_of((unsigned char)code->text[start - 1], " \t\n"),
	};
	code->mark = 0;
	return true;
}

bool zs_code_open(struct code_text *code, struct code_scope scope, enum code_kind kind, size_t start)
{
	if (code->depth == CODE_DEPTH || !zs_code_push(code, kind, start))
		return false;
	scope.token = (uint16_t)(code->count - 1);
	code->scopes[code->depth++] = scope;
	return true;
}

static bool close_scope(struct code_text *code, enum code_kind kind, size_t start)
{
	uint16_t open = top(code)->token;

	if (!zs_code_push(code, kind, start))
		return false;
	code->depth--;
	code->tokens[open].mate = (uint16_t)(code->count - 1);
	code->tokens[code->count - 1].mate = open;
	return true;
}

/* Does the prefix of a string have one of these letters? The prefix ends at code->pos. */
static bool has_prefix(const struct code_text *code, size_t start, const char *letters)
{
	for (; start < code->pos; start++)
		if (is_one_of((unsigned char)code->text[start], letters))
			return true;
	return false;
}

static bool ends_string(const struct code_text *code, const struct code_scope *scope)
{
	const char triple[] = { scope->quote, scope->quote, scope->quote, '\0' };

	return scope->triple ? code_starts(code, code->pos, triple) : code_peek(code) == scope->quote;
}

/* Reads a string with a prefix. Its opening quote is at code->pos. */
static bool read_string(struct code_text *code, size_t start)
{
	struct code_scope scope = { .kind = SCOPE_TEMPLATE, .quote = code->text[code->pos], .triple = true };
	bool python = code->language->python;

	scope.triple = python && ends_string(code, &scope);
	if (python ? has_prefix(code, start, "fF") : is_one_of(scope.quote, code->language->templates)) {
		code->pos += scope.triple ? 3 : 1;
		return zs_code_open(code, scope, CODE_TEMPLATE, start);
	}
	for (code->pos += scope.triple ? 3 : 1; !ends_string(code, &scope); code->pos++) {
		int c = code_peek(code);

		if (c == END || (c == '\n' && !scope.triple && !code->language->raw_quotes))
			return false;
		if (c == '\\' &&
			(code_at(code, ++code->pos) == END || (code->language->acts && code_peek(code) == '\n')))
			return false;
	}
	code->pos += scope.triple ? 3 : 1;
	return zs_code_push(code, CODE_STRING, start);
}

/* Reads the text of a template, up to its end or to the next field. */
static bool read_template(struct code_text *code)
{
	struct code_scope scope = *top(code);
	const char *field = code->language->field;
	bool python = code->language->python;
	size_t start;

	for (; !ends_string(code, &scope); code->pos++) {
		int c = code_peek(code), next = code_at(code, code->pos + 1);

		if (c == END || (python && c == '\n' && !scope.triple))
			return false;
		if (c == '\\') {
			/* python's versions read "\{x}" and "\N{…}" differently */
			if (next == END || (python && is_one_of(next, "{}N\n")))
				return false;
			code->pos++;
		} else if (python && is_one_of(c, "{}") && next == c) {
			code->pos++;
		} else if (code_starts(code, code->pos, field)) {
			scope.kind = SCOPE_FIELD;
			start = code->pos;
			code->pos += strlen(field);
			return zs_code_open(code, scope, CODE_FIELD, start);
		} else if ((python && c == '}') || (field[0] == '#' && c == '#' && is_one_of(next, "@$"))) {
			return false; /* ruby: "#@x" is code too */
		}
	}
	start = code->pos;
	code->pos += scope.triple ? 3 : 1;
	return close_scope(code, CODE_TEMPLATE_END, start);
}

/* Reads the end of a python field, after its expression: =, !r, and a format without fields of its own. */
static bool end_python_field(struct code_text *code)
{
	int quote = top(code)->quote;
	size_t start = code->pos;

	code->pos += code_peek(code) == '=';
	while (code_peek(code) == ' ')
		code->pos++;
	if (code_peek(code) == '!') {
		if (!is_one_of(code_at(code, code->pos + 1), "rsa"))
			return false;
		code->pos += 2;
	}
	if (code_peek(code) == ':')
		while (code_peek(code) != END && code_peek(code) != quote && !is_one_of(code_peek(code), "{}\\\n"))
			code->pos++;
	return code_peek(code) == '}' && ++code->pos && close_scope(code, CODE_FIELD_END, start);
}

static bool skip_comment(struct code_text *code, bool *ret_skipped)
{
	const struct code_language *language = code->language;
	bool block = language->slash_comments && code_starts(code, code->pos, "/*");

	*ret_skipped = block || (language->slash_comments && code_starts(code, code->pos, "//")) ||
		       (language->hash_comments && code_peek(code) == '#');
	if (!*ret_skipped)
		return true;
	for (code->pos += block ? 2 : 0; block ? !code_starts(code, code->pos, "*/") : code_peek(code) != '\n';
		code->pos++) {
		if (code_peek(code) == END)
			return !block;
		/* PEP 263: an encoding other than UTF-8 */
		if (language->python && code_starts(code, code->pos, "coding") &&
			is_one_of(code_at(code, code->pos + 6), ":=") &&
			!length_of(code, code->pos + 7 + (code_at(code, code->pos + 7) == ' '), "utf-8 utf8"))
			return false;
	}
	code->pos += block ? 2 : 0;
	return true;
}

static bool skip_space(struct code_text *code)
{
	bool in_field = top(code)->kind == SCOPE_FIELD, skipped;

	for (;;) {
		int c = code_peek(code);

		if (code->language->continued && code_starts(code, code->pos, "\\\n") && !in_field)
			code->pos += 2;
		else if (is_one_of(c, " \t"))
			code->pos++;
		else if (c == '\n' && (!code->language->newlines || (code->depth && !code->language->in_brackets)) &&
			 !(in_field && code->language->python && !top(code)->triple))
			code->pos++;
		else if ((in_field && code->language->python && c == '#') || !skip_comment(code, &skipped))
			return false;
		else if (!skipped)
			return true;
	}
}

/* Reads a number. At code->pos is a digit, or a point before one. */
static bool read_number(struct code_text *code)
{
	size_t start = code->pos;
	const char *digits = "0123456789_";
	bool based = code_peek(code) == '0' && is_one_of(code_at(code, start + 1), "xXoObB");

	if (based) {
		digits = "0123456789abcdefABCDEF_";
		code->pos += 2;
		if (!is_one_of(code_peek(code), digits))
			return false;
	}
	code->pos = code_skip(code, code->pos, digits);
	if (!based && code_peek(code) == '.' &&
		(code->pos == start || is_digit(code_at(code, code->pos + 1)) ||
			(code->language->bare_point && code_at(code, code->pos + 1) != '.'))) {
		code->pos++;
		code->pos = code_skip(code, code->pos, digits);
	}
	if (!based && is_one_of(code_peek(code), "eE")) {
		code->pos += is_one_of(code_at(code, code->pos + 1), "+-") ? 2 : 1;
		if (!is_digit(code_peek(code)))
			return false;
		code->pos = code_skip(code, code->pos, digits);
	}
	code->pos += is_one_of(code_peek(code), code->language->number_end);
	return !is_word(code_peek(code)) && zs_code_push(code, CODE_NUMBER, start);
}

static bool read_name(struct code_text *code)
{
	const struct code_language *language = code->language;
	size_t start = code->pos++;

	while (is_word(code_peek(code)) || (code_peek(code) == '$' && is_one_of('$', language->first)))
		code->pos++;
	if (is_one_of(code_peek(code), language->last) && !is_one_of(code_at(code, code->pos + 1), "=:"))
		code->pos++;
	if (language->python && is_one_of(code_peek(code), "'\""))
		return zs_code_listed(code->text + start, code->pos - start,
			       "r R b B u U f F br bR Br BR rb rB Rb RB fr fR Fr FR rf rF Rf RF") &&
		       read_string(code, start);
	return zs_code_push(code, CODE_NAME, start);
}

static bool read_regex(struct code_text *code)
{
	bool awk = code->language->acts;
	size_t start = code->pos++, open = 0;

	for (; open || code_peek(code) != '/'; code->pos++) {
		int c = code_peek(code);

		if (c == '\\')
			c = code_at(code, ++code->pos);
		else if (c == '[' && (awk || !open))
			open++;
		else if (c == ']' && open)
			open--;
		/* awks disagree on the `]` that closes the bracket, and on a `/` in it */
		if (c == END || c == '\n' || code_starts(code, code->pos, "#{") || (awk && c == '/' && open) ||
			(awk && length_of(code, code->pos, "[] [^]")))
			return false;
	}
	code->pos++;
	while (!awk && is_letter(code_peek(code)))
		code->pos++;
	return !is_word(code_peek(code)) && zs_code_push(code, CODE_REGEX, start);
}

static bool read_sign(struct code_text *code)
{
	size_t start = code->pos, len = length_of(code, start, code->language->signs);

	code->pos += len;
	return len && zs_code_push(code, CODE_SIGN, start);
}

static bool read_close(struct code_text *code, int c)
{
	const struct code_scope *scope = top(code);
	size_t start = code->pos;
	bool field = scope->kind == SCOPE_FIELD;
	char open;

	if (!code->depth || (scope->kind != SCOPE_BRACKET && !field))
		return false;
	open = field ? '{' : code->text[code->tokens[scope->token].start];
	if (c != strchr("()[]{}", open)[1])
		return false;
	code->pos++;
	return close_scope(code, field ? CODE_FIELD_END : CODE_CLOSE, start);
}

static enum code_expect expect_behind(const struct code_text *code)
{
	const struct code_language *language = code->language;
	size_t last = code->count - (size_t)1;

	/* x! / y in TypeScript; puts /x/ in ruby */
	if (!language->wants || zs_code_in(code, last, language->doubtful) ||
		(zs_code_is(code, last, ")") && zs_code_in(code, code_mate(code, last) - 1, language->heads)) ||
		(zs_code_is(code, last, "!") && zs_code_ends_operand(code, last - 1)) ||
		(code_kind(code, last) == CODE_NAME && is_one_of(code_at(code, code->pos - 1), " \t\n") &&
			!is_one_of(code_at(code, code->pos + 1), " \t\n") && zs_code_ends_operand(code, last)))
		return EXPECT_DOUBTFUL;
	if (zs_code_ends_operand(code, last))
		return EXPECT_OPERATOR;
	return zs_code_is_keyword(code, last) && !zs_code_in(code, last, language->wants) ? EXPECT_DOUBTFUL
											  : EXPECT_OPERAND;
}

static bool read_token(struct code_text *code)
{
	const struct code_language *language = code->language;
	const struct code_scope *scope = top(code);
	size_t start = code->pos;
	int c = code_peek(code), next = code_at(code, start + 1);
	bool own = false;

	code->expect = language->expect ? language->expect(code) : expect_behind(code);
	if (language->read_own && !language->read_own(code, &own))
		return false;
	if (own)
		return true;
	if (c == '\n') {
		code->pos++;
		return zs_code_push(code, CODE_NEWLINE, start);
	}
	if (scope->kind == SCOPE_FIELD && language->python) {
		if (c == scope->quote)
			return false; /* up to python 3.11 a string ends here; since 3.12 another one begins */
		if (c == ':' || (c == '!' && next != '=') || (c == '=' && next != '='))
			return end_python_field(code);
	}
	if (is_letter(c) || (is_one_of(c, language->first) && is_letter(next)))
		return read_name(code);
	if (is_digit(c) || (c == '.' && is_digit(next)))
		return read_number(code);
	if (is_one_of(c, language->quotes) || is_one_of(c, language->templates))
		return read_string(code, start);
	if (is_one_of(c, "([{")) {
		code->pos++;
		return zs_code_open(code, (struct code_scope){ .kind = SCOPE_BRACKET }, CODE_OPEN, start);
	}
	if (is_one_of(c, ")]}"))
		return read_close(code, c);
	if (language->wants && c == '/' && code->expect != EXPECT_OPERATOR)
		return code->expect == EXPECT_OPERAND && read_regex(code);
	return read_sign(code);
}

bool zs_code_read(struct code_text *code, const char *text, size_t len)
{
	code->text = text;
	code->len = len;
	code->depth = 0;
	code->mark = 0;
	code->expect = EXPECT_DOUBTFUL;
	code->count = 1;
	code->tokens[0] = (struct code_token){ .kind = CODE_END };
	code->pos = find_text(code, 0, code->language->refused);
	if (code->pos < len)
		return false;
	code->pos = code->language->acts && find_text(code, 0, code->language->acts) == len ? len : 0;
	for (;;) {
		if (top(code)->kind == SCOPE_TEMPLATE) {
			if (!read_template(code))
				return false;
			continue;
		}
		if (!skip_space(code))
			return false;
		if (code_peek(code) == END)
			break;
		if (!read_token(code))
			return false;
	}
	for (size_t i = 0; i < 4; i++)
		code->tokens[code->count + i] = (struct code_token){ .kind = CODE_END, .start = (uint32_t)code->len };
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

bool zs_code_is_keyword(const struct code_text *code, size_t token)
{
	return code_kind(code, token) == CODE_NAME && zs_code_in(code, token, code->language->keywords) &&
	       !zs_code_in(code, token - 1, code->language->points);
}

bool zs_code_ends_operand(const struct code_text *code, size_t token)
{
	if (code_kind(code, token) == CODE_NAME)
		return !zs_code_is_keyword(code, token) || zs_code_in(code, token, code->language->operands);
	return code_is_literal(code, token) || (code_kind(code, token) == CODE_CLOSE && !zs_code_is(code, token, "}"));
}

size_t zs_code_find(const struct code_text *code, size_t from, size_t to, const char *list)
{
	for (size_t i = from; i < to; i = code_opens(code, i) ? code_mate(code, i) + 1 : i + 1)
		if (zs_code_in(code, i, list))
			return i;
	return to;
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
