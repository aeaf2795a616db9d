/* Matches patterns of names. Pure. */
#include "base/pattern.h"

#include <string.h>

bool zs_is_pattern(const char *text)
{
	return strchr(text, '*') != NULL || zs_is_secrets(text);
}

bool zs_is_secrets(const char *text)
{
	return strcmp(text, ZS_SECRETS) == 0;
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* After a '*' that has taken too little, it is enough to try again from the last one. */
static bool name_matches(const char *pattern, size_t pattern_len, const char *name, size_t name_len)
{
	size_t p = 0, n = 0, star = pattern_len, taken = 0;

	while (n < name_len) {
		if (p < pattern_len && pattern[p] == '*') {
			star = p++;
			taken = n;
		} else if (p < pattern_len && lower(pattern[p]) == lower(name[n])) {
			p++;
			n++;
		} else if (star < pattern_len) {
			p = star + 1;
			n = ++taken;
		} else {
			return false;
		}
	}
	while (p < pattern_len && pattern[p] == '*')
		p++;
	return p == pattern_len;
}

static const char *after_name(const char *text)
{
	text += strcspn(text, "/");
	return text + strspn(text, "/");
}

/* Works as name_matches(), with names in place of letters and "**" in place of '*'. */
static bool names_match(const char *pattern, const char *path)
{
	const char *star = NULL, *taken = NULL;

	while (*path) {
		size_t pattern_len = strcspn(pattern, "/");

		if (pattern_len == 2 && memcmp(pattern, "**", 2) == 0) {
			pattern = star = after_name(pattern);
			taken = path;
		} else if (*pattern && name_matches(pattern, pattern_len, path, strcspn(path, "/"))) {
			pattern = after_name(pattern);
			path = after_name(path);
		} else if (star) {
			pattern = star;
			path = taken = after_name(taken);
		} else {
			return false;
		}
	}
	while (strcmp(pattern, "**") == 0 || strncmp(pattern, "**/", 3) == 0)
		pattern = after_name(pattern);
	return !*pattern;
}

bool zs_pattern_matches(const char *pattern, const char *path)
{
	const char *name = strrchr(path, '/');

	if (strchr(pattern, '/'))
		return names_match(pattern + (pattern[0] == '/'), path);
	return names_match(pattern, name ? name + 1 : path);
}
