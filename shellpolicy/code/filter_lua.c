/* Lua code that only computes and prints.
 *
 * Every name must be one that Lua defines and that changes nothing, or one that the program binds. Without require,
 * load, _G and their like a program reaches no other global variable: libraries that -l loads are the caller's
 * business. Text that Lua's own lexer reads in another way in some version (long strings, comments, 1x) is refused.
 */
#include "code/code_judge.h"

#include <string.h>

static const struct code_syntax syntax = {
	.signs = "... .. == ~= <= >= // << >> + - * / % ^ # & ~ | < > = , ; : .",
	.first = "",
	.last = "",
	.number_end = "",
	.quotes = "'\"",
	.templates = "",
	.field = "{",
	.refused = "\r -- [[ [= ::",
};

static const char keywords[] =
	"and break do else elseif end false for function if in local nil not or repeat return then true until while";

/* Names of Lua 5.1 to 5.4. The tables math, string, table and utf8 hold only functions that compute. */
static const char plain[] =
	"print type tostring tonumber ipairs pairs next select assert error pcall xpcall unpack rawequal rawlen "
	"rawget _VERSION arg math string table utf8";

/* No program may give these names to its own variables: which one a use means depends on scopes. */
static const char denied[] =
	"_G _ENV _PROMPT _PROMPT2 bit bit32 collectgarbage coroutine debug dofile ffi gcinfo getfenv getmetatable io "
	"jit load loadfile loadstring lfs module newproxy os package posix rawset require setfenv setmetatable socket "
	"warn";

/* Lua 5.3 reads 1os as two tokens: only digits with points, and 0x with hexadecimal digits, are numbers. */
static bool is_number(const struct code_text *code, size_t token)
{
	const char *text = code->text + code->tokens[token].start;
	bool hex = code->tokens[token].len > 2 && text[0] == '0' && is_one_of(text[1], "xX");
	const char *digits = hex ? "0123456789abcdefABCDEF" : "0123456789.";

	for (size_t i = hex ? 2 : 0; i < code->tokens[token].len; i++)
		if (!is_one_of((unsigned char)text[i], digits))
			return false;
	return true;
}

/* local a, b   for a, b in   function f(a, b) */
static bool is_listed_at(const struct code_text *code, size_t from, size_t name)
{
	for (; code_kind(code, from) == CODE_NAME && !zs_code_in(code, from, keywords); from += 2) {
		if (zs_code_same(code, from, name))
			return true;
		if (!zs_code_is(code, from + 1, ",") && !zs_code_is(code, from + 1, "("))
			break;
	}
	return false;
}

static bool is_bound(const struct code_text *code, size_t name)
{
	if (zs_code_in(code, name, denied))
		return false;
	for (size_t i = 1; i < code->count; i++) {
		if (zs_code_is(code, i, "=") && zs_code_same(code, i - 1, name))
			return true;
		if (zs_code_in(code, i, "local for") &&
			is_listed_at(code, zs_code_is(code, i + 1, "function") ? i + 2 : i + 1, name))
			return true;
		if (zs_code_is(code, i, "function") &&
			is_listed_at(code, zs_code_is(code, i + 1, "(") ? i + 2 : i + 1, name))
			return true;
	}
	return false;
}

static bool filter_lua_check_token(struct code_text *code, struct code_place place, size_t *ret_last)
{
	size_t at = place.first;
	bool known = true;

	(void)ret_last;
	switch (code_kind(code, at)) {
	case CODE_NAME:
		known = zs_code_in(code, at, keywords) || zs_code_in(code, at, plain) || is_bound(code, at);
		if (zs_code_in(code, at - 1, ". :")) /* string.dump gives bytecode */
			known = code->text[code->tokens[at].start] != '_' && !zs_code_is(code, at, "dump");
		break;
	case CODE_NUMBER:
		known = is_number(code, at);
		break;
	case CODE_SIGN:
		known = at > 1 || !zs_code_is(code, at, "#"); /* the first line is not read */
		break;
	case CODE_END:
	case CODE_STRING:
	case CODE_OPEN:
	case CODE_CLOSE:
		break;
	case CODE_REGEX:
	case CODE_TEMPLATE:
	case CODE_TEMPLATE_END:
	case CODE_FIELD:
	case CODE_FIELD_END:
	case CODE_NEWLINE:
		known = false;
	}
	return known || zs_code_unknown(code, at, at);
}

struct zs_filter zs_filter_lua(const char *program, size_t len)
{
	return zs_code_judge(program, len, &syntax, NULL, filter_lua_check_token);
}
