/* Where a loader looks for libraries: ld.so(8), ldconfig(8). This reads the configuration from which ldconfig makes its
 * cache, and not the cache. */
#include "base/library_path.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/path.h"

enum { INCLUDE_DEPTH_MAX = 4, FOLDERS_MAX = 256 };

/* The folders of glibc and musl, and the multi-arch folders that are built into Debian's glibc. */
static const char *const own_folders[] = {
	"/lib64",
	"/usr/lib64",
	"/lib",
	"/usr/lib",
	"/usr/local/lib",
	"/lib/x86_64-linux-gnu",
	"/usr/lib/x86_64-linux-gnu",
	"/lib/aarch64-linux-gnu",
	"/usr/lib/aarch64-linux-gnu",
	"/lib/i386-linux-gnu",
	"/usr/lib/i386-linux-gnu",
	"/lib32",
	"/usr/lib32",
};

static int add_folder(struct zs_library_path *path, const char *folder)
{
	char **folders;

	if (path->count == FOLDERS_MAX)
		return -E2BIG;
	folders = zs_with_room(path->folders, path->count, sizeof *folders);
	if (!folders)
		return -ENOMEM;
	path->folders = folders;
	folders[path->count] = strdup(folder);
	if (!folders[path->count])
		return -ENOMEM;
	path->count++;
	return 0;
}

static int read_conf(struct zs_library_path *path, const char *file, unsigned depth);

static int read_included(struct zs_library_path *path, const char *pattern, unsigned depth)
{
	glob_t found;
	int r = 0;

	if (glob(pattern, 0, NULL, &found) != 0)
		return 0;
	for (size_t i = 0; r == 0 && i < found.gl_pathc; i++)
		r = read_conf(path, found.gl_pathv[i], depth + 1);
	globfree(&found);
	return r;
}

static int read_conf_line(struct zs_library_path *path, char *line, unsigned depth)
{
	static const char include[] = "include ";

	line[strcspn(line, "#\n")] = '\0';
	for (size_t len = strlen(line); len && (line[len - 1] == ' ' || line[len - 1] == '\t'); len--)
		line[len - 1] = '\0';
	line += strspn(line, " \t");
	if (line[0] == '/')
		return add_folder(path, line);
	if (strncmp(line, include, sizeof include - 1) == 0 && line[sizeof include - 1] == '/')
		return read_included(path, line + sizeof include - 1, depth);
	return 0;
}

static int read_conf(struct zs_library_path *path, const char *file, unsigned depth)
{
	char line[PATH_MAX + 16];
	FILE *stream;
	int r = 0;

	if (depth > INCLUDE_DEPTH_MAX)
		return 0;
	stream = fopen(file, "re");
	if (!stream)
		return 0;
	while (r == 0 && fgets(line, sizeof line, stream))
		r = read_conf_line(path, line, depth);
	fclose(stream);
	return r;
}

int zs_library_path_read(struct zs_library_path *ret_path)
{
	struct zs_library_path path = { 0 };
	int r = read_conf(&path, "/etc/ld.so.conf", 0);

	for (size_t i = 0; r == 0 && i < ZS_COUNT(own_folders); i++)
		r = add_folder(&path, own_folders[i]);
	if (r < 0) {
		zs_library_path_free(&path);
		return r;
	}
	*ret_path = path;
	return 0;
}

void zs_library_path_free(struct zs_library_path *path)
{
	for (size_t i = 0; i < path->count; i++)
		free(path->folders[i]);
	free(path->folders);
	*path = (struct zs_library_path){ 0 };
}

/* The loader ignores a file of another class, so this does as well. */
static bool is_of_class(const char *file, unsigned char class)
{
	ZS_AUTO_FD int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	unsigned char start[5];

	return fd >= 0 && pread(fd, start, sizeof start, 0) == (ssize_t)sizeof start &&
	       memcmp(start, "\177ELF", 4) == 0 && start[4] == class;
}

static char *in_folder(const char *folder, const char *name, unsigned char class)
{
	char *file = zs_path_join(folder, name);

	if (file && is_of_class(file, class))
		return file;
	free(file);
	return NULL;
}

/* Takes each leading ".." of rest from the folder's real path, as the kernel does. Returns what is left of rest. */
static const char *go_up(const char *rest, char **folder)
{
	while (*folder && strncmp(rest, "/..", 3) == 0 && (!rest[3] || rest[3] == '/' || rest[3] == ':')) {
		char *real = realpath(*folder, NULL);

		free(*folder);
		*folder = real;
		if (real)
			*strrchr(real, '/') = '\0';
		rest += 3;
	}
	return rest;
}

/* Expands one element of DT_RPATH or DT_RUNPATH: an absolute path, or one relative to the file by $ORIGIN. Other
 * elements ($LIB, paths relative to the working directory) are ignored: if the library is in no other folder, that is
 * an error. */
static char *expand(const char *element, size_t len, const char *origin)
{
	static const char *const spellings[] = { "$ORIGIN", "${ORIGIN}" };
	size_t folder_len = (size_t)(strrchr(origin, '/') - origin);
	const char *end = element + len;

	if (len && element[0] == '/')
		return strndup(element, len);
	for (size_t i = 0; i < ZS_COUNT(spellings); i++) {
		size_t skip = strlen(spellings[i]);
		ZS_AUTO_FREE char *folder = NULL;
		char *expanded;

		if (len < skip || strncmp(element, spellings[i], skip) != 0)
			continue;
		folder = strndup(origin, folder_len);
		element = go_up(element + skip, &folder);
		if (!folder || asprintf(&expanded, "%s%.*s", folder, (int)(end - element), element) < 0)
			return NULL;
		return expanded;
	}
	return NULL;
}

static char *in_list(const char *list, const char *origin, const char *name, unsigned char class)
{
	while (list && *list) {
		size_t len = strcspn(list, ":");
		ZS_AUTO_FREE char *folder = expand(list, len, origin);
		char *file = folder ? in_folder(folder, name, class) : NULL;

		if (file)
			return file;
		list += len + (list[len] == ':');
	}
	return NULL;
}

int zs_library_find(const struct zs_library_path *path, const struct zs_elf *needed_by, const char *origin,
	const char *name, char **ret_file)
{
	unsigned char class = needed_by->class;
	char *file;

	/* A name with a slash is a path. DT_RPATH counts only if there is no DT_RUNPATH. */
	if (strchr(name, '/'))
		file = name[0] == '/' && is_of_class(name, class) ? strdup(name) : NULL;
	else
		file = in_list(needed_by->runpath ? needed_by->runpath : needed_by->rpath, origin, name, class);
	for (size_t i = 0; !file && !strchr(name, '/') && i < path->count; i++)
		file = in_folder(path->folders[i], name, class);
	if (!file)
		return -ENOENT;
	*ret_file = file;
	return 0;
}
