#include "base/toml_text.h"

#include <stddef.h>
#include <string.h>

const char *zs_toml_skip_string(const char *at)
{
	const char quotes[] = { *at, *at, *at, '\0' };
	bool whole = strncmp(at, quotes, 3) == 0;

	for (at += whole ? 3 : 1; *at; at++) {
		if (*at == '\\' && *quotes == '"' && at[1])
			at++;
		else if (*at == '\n' && !whole)
			return NULL;
		else if (whole ? strncmp(at, quotes, 3) == 0 : *at == *quotes)
			return at + (whole ? strspn(at, quotes) : 1); /* up to two more quotes belong to the string */
	}
	return NULL;
}

bool zs_toml_next_statement(const char **at, struct zs_toml_statement *ret, const char **ret_problem)
{
	const char *here = *at + strspn(*at, ZS_TOML_BLANKS), *end;
	size_t depth = 0;

	while (*here == '#') {
		here += strcspn(here, "\n");
		here += strspn(here, ZS_TOML_BLANKS);
	}
	ret->begin = here;
	for (; *here && (*here != '\n' || depth > 0); here = end) {
		bool opens = *here == '[' || *here == '{', closes = *here == ']' || *here == '}';

		end = here + 1;
		if (*here == '"' || *here == '\'')
			end = zs_toml_skip_string(here);
		else if (*here == '#')
			end = here + strcspn(here, "\n");
		if (!end || (closes && depth == 0)) {
			*at = here;
			*ret_problem = end ? "a bracket that nothing opens" : "a string without an end";
			return false;
		}
		depth = depth + opens - closes;
	}
	if (depth > 0) {
		*at = ret->begin;
		*ret_problem = "a bracket that nothing closes";
		return false;
	}
	ret->end = *at = here + (*here == '\n');
	return ret->end > ret->begin;
}

const char *zs_toml_skip(const char *at)
{
	at += strspn(at, ZS_TOML_BLANKS);
	while (*at == '#') {
		at += strcspn(at, "\n");
		at += strspn(at, ZS_TOML_BLANKS);
	}
	return at;
}

const char *zs_toml_key(const char *at, struct zs_toml_statement *ret)
{
	const char *end;

	at += strspn(at, " \t");
	if (*at == '"' || *at == '\'') {
		end = zs_toml_skip_string(at);
		if (!end || end - at < 2 || memchr(at, '\\', (size_t)(end - at)))
			return NULL;
		*ret = (struct zs_toml_statement){ at + 1, end - 1 };
	} else {
		end = at + strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-");
		if (end == at)
			return NULL;
		*ret = (struct zs_toml_statement){ at, end };
	}
	return end + strspn(end, " \t");
}
