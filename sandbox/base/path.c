/* Paths as text. Pure. */
#include "base/path.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"

const char *zs_env_value(char *const envp[], const char *name)
{
	size_t len = strlen(name);

	for (; envp && *envp; envp++)
		if (strncmp(*envp, name, len) == 0 && (*envp)[len] == '=')
			return *envp + len + 1;
	return NULL;
}

bool zs_utf8_valid(const char *text)
{
	uint32_t point;
	size_t left = strlen(text);

	while (left > 0) {
		size_t len = zs_utf8_decode(text, left, &point);

		if (len == 0)
			return false;
		text += len;
		left -= len;
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

/* Copies component by component. False: there is a "..", and where that leads depends on links. */
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

int zs_path_start(struct zs_path_walk *walk, const char *base, const char *path)
{
	size_t base_size = strlen(base) + 1, size = strlen(path) + 1;

	if (base_size > sizeof walk->done || size > sizeof walk->rest)
		return -ENAMETOOLONG;
	memcpy(walk->done, base, base_size);
	memcpy(walk->rest, path, size);
	walk->links = 0;
	return 0;
}

int zs_path_step(struct zs_path_walk *walk)
{
	const char *name = walk->rest;
	size_t len = 0, skip;
	bool up;

	do {
		name += len;
		name += strspn(name, "/");
		len = strcspn(name, "/");
	} while (len == 1 && name[0] == '.');
	skip = (size_t)(name - walk->rest) + len;
	up = len == 2 && name[0] == '.' && name[1] == '.';
	walk->folder_len = strlen(walk->done);
	if (up) {
		char *slash = strrchr(walk->done, '/');

		if (slash)
			*slash = '\0';
	} else if (len > 0) {
		if (walk->folder_len + 1 + len >= sizeof walk->done)
			return -ENAMETOOLONG;
		walk->done[walk->folder_len] = '/';
		memcpy(walk->done + walk->folder_len + 1, name, len);
		walk->done[walk->folder_len + 1 + len] = '\0';
	}
	memmove(walk->rest, walk->rest + skip, strlen(walk->rest + skip) + 1);
	if (len == 0)
		return ZS_PATH_ENDS;
	return up ? ZS_PATH_GOES_UP : ZS_PATH_HAS_NAME;
}

int zs_path_follow(struct zs_path_walk *walk, const char *target)
{
	enum { LINKS_MAX = 40 };
	size_t len = strlen(target), rest_size = strlen(walk->rest) + 1;

	if (++walk->links > LINKS_MAX)
		return -ELOOP;
	if (len + 1 + rest_size > sizeof walk->rest)
		return -ENAMETOOLONG;
	memmove(walk->rest + len + 1, walk->rest, rest_size);
	memcpy(walk->rest, target, len);
	walk->rest[len] = '/';
	walk->done[target[0] == '/' ? 0 : walk->folder_len] = '\0';
	return 0;
}
