/* Lua code that only computes and prints.
 *
 * Every name must be one that Lua defines and that changes nothing, or one that the program binds. Without require,
 * load, _G and their like a program reaches no other global variable: libraries that -l loads are the caller's
 * business. Text that Lua's own lexer reads in another way in some version (long strings, comments, 1x) is refused.
 */
#include "code/code_judge.h"

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

static bool lua_bind(struct code_text *code, size_t name)
{
	return zs_code_in(code, name, denied) || zs_code_bind(code, (struct code_binding){ .name = (uint16_t)name });
}

/* local a, b   for a, b in   function f(a, b)   a = */
static bool lua_bind_token(struct code_text *code, size_t at)
{
	size_t name = at + 1;

	if (zs_code_is(code, at, "=") && code_kind(code, at - 1) == CODE_NAME && !lua_bind(code, at - 1))
		return false;
	if (!zs_code_in(code, at, "local for function"))
		return true;
	name += zs_code_is(code, name, "function");
	name += zs_code_is(code, name - 1, "function") && zs_code_is(code, name, "(");
	for (; code_kind(code, name) == CODE_NAME && !zs_code_in(code, name, keywords); name += 2) {
		if (!lua_bind(code, name))
			return false;
		if (!zs_code_in(code, name + 1, ", ("))
			break;
	}
	return true;
}

static bool lua_check_token(struct code_text *code, struct code_place place, size_t *ret_last)
{
	size_t at = place.first;
	bool known = true;

	(void)ret_last;
	if (zs_code_in(code, at - 1, ". :") && code_kind(code, at) == CODE_NAME) /* string.dump gives bytecode */
		known = code_sigil(code, at) != '_' && !zs_code_is(code, at, "dump");
	else if (code_kind(code, at) == CODE_NAME)
		known = zs_code_in(code, at, keywords) || zs_code_in(code, at, plain) || zs_code_is_bound(code, at);
	else if (code_kind(code, at) == CODE_NUMBER)
		known = is_number(code, at);
	else if (zs_code_is(code, at, "#"))
		known = at > 1; /* the first line is not read */
	return known;
}

struct zs_filter zs_filter_lua(const char *program, size_t len)
{
	return zs_code_judge(program, len, &syntax, lua_bind_token, lua_check_token);
}
