#include "read/expand.h"

#include <stdbool.h>
#include <string.h>

/* Is the text printable ASCII, or text that a pattern matches? Other bytes depend on the locale. */
static bool is_ascii(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if ((text[i] < ' ' || text[i] > '~') && text[i] != ZS_PLACE_PATTERN)
			return false;
	return true;
}

static bool transform_is_plain(const char *text, size_t len, const char *more)
{
	static const char special[] = "\\'\"$`[](){}<>|&;!^~";

	for (size_t i = 0; i < len; i++)
		if (strchr(special, text[i]) || strchr(more, text[i]))
			return false;
	return true;
}

/* Does the pattern match the whole text? Only literals, * and ? are modelled. */
static bool matches(const char *pattern, size_t pattern_len, const char *text, size_t len)
{
	size_t at = 0, star = pattern_len, from = 0, i = 0;

	while (i < len) {
		if (at < pattern_len && pattern[at] == '*') {
			star = at++;
			from = i;
		} else if (at < pattern_len && (pattern[at] == '?' || pattern[at] == text[i])) {
			at++;
			i++;
		} else if (star < pattern_len) {
			at = star + 1;
			i = ++from;
		} else {
			return false;
		}
	}
	while (at < pattern_len && pattern[at] == '*')
		at++;
	return at == pattern_len;
}

static const char *cased(struct zs_arena *arena, const char *value, bool upper, bool all)
{
	char *copy = zs_arena_string(arena, value, strlen(value));

	for (char *at = copy; *at && (all || at == copy); at++) {
		if (upper && *at >= 'a' && *at <= 'z')
			*at = (char)(*at - 'a' + 'A');
		else if (!upper && *at >= 'A' && *at <= 'Z')
			*at = (char)(*at - 'A' + 'a');
	}
	return copy;
}

/* ${x#p} ${x##p} ${x%p} ${x%%p}: removes the shortest or longest match from the front or the end. */
static const char *trimmed(struct zs_arena *arena, const char *value, const char *op, size_t len)
{
	bool front = op[0] == '#', longest = len > 1 && op[1] == op[0];
	size_t skip = longest ? 2 : 1, size = strlen(value);

	if (!transform_is_plain(op + skip, len - skip, ""))
		return NULL;
	for (size_t i = 0; i <= size; i++) {
		size_t gone = longest ? size - i : i;

		if (matches(op + skip, len - skip, front ? value : value + size - gone, gone))
			return front ? value + gone : zs_arena_string(arena, value, size - gone);
	}
	return value;
}

/* Length of the longest match that begins at `at`; SIZE_MAX if there is none. */
static size_t match_at(const char *pattern, size_t pattern_len, const char *value, size_t size, size_t at)
{
	for (size_t len = size - at;; len--) {
		if (matches(pattern, pattern_len, value + at, len))
			return len;
		if (!len)
			return SIZE_MAX;
	}
}

/* ${x/p/r} ${x//p/r} ${x/#p/r} ${x/%p/r} */
static const char *replaced(struct zs_arena *arena, const char *value, const char *op, size_t len)
{
	char kind = len > 1 && strchr("/#%", op[1]) ? op[1] : '\0';
	const char *pattern = op + (kind ? 2 : 1), *end = op + len;
	const char *slash = memchr(pattern, '/', (size_t)(end - pattern));
	size_t pattern_len = (size_t)((slash ? slash : end) - pattern), size = strlen(value), rest = 0;
	const char *text = slash ? slash + 1 : "", *result = "";
	size_t text_len = slash ? (size_t)(end - text) : 0;

	if (!pattern_len || !size || !transform_is_plain(pattern, pattern_len, "") ||
		!transform_is_plain(text, text_len, ""))
		return NULL;
	for (size_t at = 0; at < size; at++) {
		size_t gone = kind == '%'
				      ? (matches(pattern, pattern_len, value + at, size - at) ? size - at : SIZE_MAX)
				      : match_at(pattern, pattern_len, value, size, at);

		if (gone == 0) /* bash puts the replacement for an empty match at surprising places */
			return NULL;
		if (gone != SIZE_MAX) {
			result = zs_arena_format(
				arena, "%s%.*s%.*s", result, (int)(at - rest), value + rest, (int)text_len, text);
			rest = at + gone;
			at = rest - 1;
			if (kind != '/')
				break;
		}
		if (kind == '#')
			break;
	}
	return zs_arena_format(arena, "%s%s", result, value + rest);
}

/* Reads a number of at most four digits. Before the first number a minus sign needs a blank. */
static bool transform_read_number(const char **at, const char *end, long *ret_number)
{
	const char *start;
	bool minus;

	while (*at < end && **at == ' ')
		++*at;
	minus = *at < end && **at == '-';
	*at += minus;
	*ret_number = 0;
	for (start = *at; *at < end && **at >= '0' && **at <= '9' && *at - start < 5; ++*at)
		*ret_number = *ret_number * 10 + (**at - '0');
	if (*at == start || *at - start > 4 || (*start == '0' && *at - start > 1)) /* octal numbers are not modelled */
		return false;
	*ret_number = minus ? -*ret_number : *ret_number;
	while (*at < end && **at == ' ')
		++*at;
	return true;
}

/* ${x:offset} ${x:offset:length} */
static const char *transform_cut(struct zs_arena *arena, const char *value, const char *op, size_t len)
{
	const char *at = op + 1, *end = op + len;
	long size = (long)strlen(value), from, count = size;

	if (!transform_read_number(&at, end, &from))
		return NULL;
	if (from < 0)
		from += size;
	if (at < end) {
		if (*at++ != ':' || !transform_read_number(&at, end, &count) || at != end)
			return NULL;
		if (count < 0)
			count += size - from;
		if (count < 0)
			return NULL;
	}
	if (from < 0 || from > size)
		return "";
	return zs_arena_string(arena, value + from, (size_t)(count < size - from ? count : size - from));
}

const char *zs_transformed(struct zs_arena *arena, const char *value, const char *op, size_t len)
{
	bool twice = len == 2 && op[1] == op[0];

	if (!len || !is_ascii(value, strlen(value)) || !is_ascii(op, len))
		return NULL;
	switch (op[0]) {
	case '^':
	case ',':
		return len == 1 || twice ? cased(arena, value, op[0] == '^', twice) : NULL;
	case '@':
		if (len != 2 || !strchr("UuL", op[1]))
			return NULL;
		return cased(arena, value, op[1] != 'L', op[1] != 'u');
	case '#':
	case '%':
		return trimmed(arena, value, op, len);
	case '/':
		return replaced(arena, value, op, len);
	case ':':
		return transform_cut(arena, value, op, len);
	default:
		return NULL;
	}
}
