/* Paths as text. Pure. */
#include "base/path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

const char *zs_env_value(char *const envp[], const char *name)
{
	size_t len = strlen(name);

	for (; envp && *envp; envp++)
		if (strncmp(*envp, name, len) == 0 && (*envp)[len] == '=')
			return *envp + len + 1;
	return NULL;
}

/* RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF. One row for each range of first bytes of what is
 * not ASCII. */
static const struct {
	unsigned char first_low, first_high, second_low, second_high, more;
} utf8_forms[] = {
	{ 0xc2, 0xdf, 0x80, 0xbf, 1 },
	{ 0xe0, 0xe0, 0xa0, 0xbf, 2 },
	{ 0xe1, 0xec, 0x80, 0xbf, 2 },
	{ 0xed, 0xed, 0x80, 0x9f, 2 },
	{ 0xee, 0xef, 0x80, 0xbf, 2 },
	{ 0xf0, 0xf0, 0x90, 0xbf, 3 },
	{ 0xf1, 0xf3, 0x80, 0xbf, 3 },
	{ 0xf4, 0xf4, 0x80, 0x8f, 3 },
};

/* The length of the character that text starts with, and that is not ASCII; 0 when it is none. */
static size_t utf8_length(const unsigned char *text)
{
	for (size_t i = 0; i < ZS_COUNT(utf8_forms); i++) {
		if (text[0] < utf8_forms[i].first_low || text[0] > utf8_forms[i].first_high)
			continue;
		if (text[1] < utf8_forms[i].second_low || text[1] > utf8_forms[i].second_high)
			return 0;
		for (size_t n = 2; n <= utf8_forms[i].more; n++)
			if (text[n] < 0x80 || text[n] > 0xbf)
				return 0;
		return 1u + utf8_forms[i].more;
	}
	return 0;
}

bool zs_utf8_valid(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;

	while (*at) {
		size_t len = *at < 0x80 ? 1 : utf8_length(at);

		if (len == 0)
			return false;
		at += len;
	}
	return true;
}

char *zs_path_join(const char *base, const char *name)
{
	size_t base_len = strlen(base), name_size = strlen(name) + 1;
	char *path = malloc(base_len + 1 + name_size);

	if (!path)
		return NULL;
	memcpy(path, base, base_len);
	if (*name)
		path[base_len++] = '/';
	memcpy(path + base_len, name, name_size);
	return path;
}

int zs_path_list_next(const char **list, char **ret_entry)
{
	const char *start = *list + strspn(*list, ":");
	size_t len = strcspn(start, ":");
	char *entry;

	*list = start + len;
	if (!len)
		return 0;
	entry = strndup(start, len);
	if (!entry)
		return -ENOMEM;
	*ret_entry = entry;
	return 1;
}

static const char *problem_of(const char *path, const char *home, int *ret_cause)
{
	bool tilde = path[0] == '~' && (path[1] == '\0' || path[1] == '/');

	*ret_cause = EINVAL;
	if (path[0] == '\0')
		return "the path is empty";
	if (path[0] != '/' && !tilde)
		return "is not absolute";
	if (tilde && (!home || home[0] != '/'))
		return "needs HOME to be an absolute path";
	if (!zs_utf8_valid(path)) {
		*ret_cause = EILSEQ;
		return "is not UTF-8";
	}
	if (strlen(path) + (tilde ? strlen(home) : 0) > ZS_POLICY_PATH_BYTES_MAX) {
		*ret_cause = ENAMETOOLONG;
		return "is too long";
	}
	return NULL;
}

/* Copies component by component; false at a "..": where that leads depends on links, so it is not ours to guess. */
static bool copy_components(const char *from, char **to)
{
	while (*from) {
		size_t len = 0;

		while (*from == '/')
			from++;
		while (from[len] && from[len] != '/')
			len++;
		if (len == 2 && from[0] == '.' && from[1] == '.')
			return false;
		if (len && !(len == 1 && from[0] == '.')) {
			*(*to)++ = '/';
			memcpy(*to, from, len);
			*to += len;
		}
		from += len;
	}
	return true;
}

int zs_path_normalize(const char *path, const char *home, char **ret_path, const char **ret_problem)
{
	ZS_AUTO_FREE char *normal = NULL;
	char *end;
	int cause;

	*ret_problem = problem_of(path, home, &cause);
	if (*ret_problem)
		return -cause;
	end = normal = malloc(strlen(path) + (home ? strlen(home) : 0) + 2);
	if (!normal) {
		*ret_problem = "out of memory";
		return -ENOMEM;
	}
	if ((path[0] == '~' && !copy_components(home, &end)) || !copy_components(path + (path[0] == '~'), &end)) {
		*ret_problem = "has a '..' component";
		return -EINVAL;
	}
	if (end == normal)
		*end++ = '/';
	*end = '\0';
	*ret_path = ZS_STEAL(normal);
	return 0;
}
