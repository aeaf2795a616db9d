/* Lua code that only computes and prints.
 *
 * Every name must be one of Lua's own that changes nothing, or one that the program binds. Without require, load, _G
 * and their like a program reaches no other global variable. The caller judges libraries that -l loads. Text that Lua's
 * versions read differently (long strings, comments, 1x) is refused.
 */
#include "code/code_judge.h"

/* local a, b   for a, b in   function f(a, b)   a = */
static bool lua_bind_token(struct code_text *lua, size_t at)
{
	size_t to = at + 1;

	if (zs_code_is(lua, at, "=") && code_kind(lua, at - 1) == CODE_NAME)
		return zs_code_in(lua, at - 2, ". :") ||
		       zs_code_bind(lua, (struct code_binding){ .name = (uint16_t)(at - 1) });
	if (zs_code_is(lua, at, "function")) {
		to += code_kind(lua, to) == CODE_NAME;
		return (to == at + 1 || zs_code_bind(lua, (struct code_binding){ .name = (uint16_t)(at + 1) })) &&
		       zs_code_bind_names(lua, to, code_mate(lua, to));
	}
	while (zs_code_in(lua, at, "local for") && code_kind(lua, to) == CODE_NAME && zs_code_is(lua, to + 1, ","))
		to += 2;
	return !zs_code_in(lua, at, "local for") || zs_code_bind_names(lua, at + 1, to + 1);
}

static bool lua_check_token(struct code_text *lua, struct code_place place, size_t *ret_last)
{
	size_t at = place.first;

	if (code_kind(lua, at) != CODE_NAME)
		return !zs_code_is(lua, at, "#") || at > 1; /* lua skips a first line that begins with # */
	/* string.dump gives bytecode; Lua 5.3 reads 1.os as 1. os */
	if (zs_code_in(lua, at - 1, ". :"))
		return code_sigil(lua, at) != '_' && !zs_code_is(lua, at, "dump") &&
		       code_kind(lua, at - 2) != CODE_NUMBER;
	return zs_code_is_keyword(lua, at) || zs_code_check_name(lua, place, ret_last);
}

static const struct code_language lua = {
	.signs = "... .. == ~= <= >= // << >> + - * / % ^ # & ~ | < > = , ; : .",
	.quotes = "'\"",
	.refused = "\r -- [[ [= ::",
	.keywords = "and break do else elseif end false for function if in local nil not or repeat return then true "
		    "until while",
	/* Names of Lua 5.1 to 5.4. The tables math, string, table and utf8 hold only functions that compute. */
	.globals = "print type tostring tonumber ipairs pairs next select assert error pcall xpcall unpack rawequal "
		   "rawlen rawget _VERSION arg math string table utf8",
	/* No program may bind these names: which variable a use means would depend on scopes. */
	.denied = "_G _ENV _PROMPT _PROMPT2 bit bit32 collectgarbage coroutine debug dofile ffi gcinfo getfenv "
		  "getmetatable io jit load loadfile loadstring lfs module newproxy os package posix rawset require "
		  "setfenv setmetatable socket warn",
	.points = ". :",
	.bind = lua_bind_token,
	.check = lua_check_token,
};

struct zs_filter zs_filter_lua(const char *program, size_t len)
{
	return zs_code_judge(program, len, &lua);
}
