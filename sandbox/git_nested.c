#include "git_nested.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cleanup.h"
#include "error.h"
#include "git_config.h"
#include "path.h"

static const char step[] = "policy";

struct search {
	const char *workspace;
	zs_git_nested_each *each;
	void *arg;
	struct zs_error *error;
	char *folders[ZS_GIT_FOLDERS_MAX]; /* in order of depth; the workspace itself is the first */
	unsigned depths[ZS_GIT_FOLDERS_MAX];
	size_t count;
};

static bool is_out_of_reach(int cause)
{
	return cause == ENOENT || cause == ENOTDIR || cause == EACCES || cause == ELOOP;
}

/* What package managers fill has many folders, and nobody's git is called in there. */
static bool is_looked_into(const char *name)
{
	static const char *const skipped[] = { ".", "..", ".git", "node_modules" };

	for (size_t i = 0; i < ZS_COUNT(skipped); i++)
		if (strcmp(name, skipped[i]) == 0)
			return false;
	return zs_utf8_valid(name);
}

/* 1 or 0; a negative errno when it cannot be told, which is not to mean that there is nothing to protect. */
static int look(int folder, const char *name, mode_t *ret_mode)
{
	struct stat st;

	if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return is_out_of_reach(errno) ? 0 : -errno;
	*ret_mode = st.st_mode;
	return 1;
}

static int is_folder(int folder, const struct dirent *entry)
{
	mode_t mode;
	int r;

	if (entry->d_type != DT_UNKNOWN)
		return entry->d_type == DT_DIR;
	r = look(folder, entry->d_name, &mode);
	return r > 0 ? S_ISDIR(mode) : r;
}

static int has_git(int folder, const char *name)
{
	char path[NAME_MAX + sizeof "/.git"];
	mode_t mode;

	snprintf(path, sizeof path, "%s/.git", name);
	return look(folder, path, &mode);
}

static int visit_entry(struct search *search, size_t at, int folder, const struct dirent *entry)
{
	char *path;
	int r = is_looked_into(entry->d_name) ? is_folder(folder, entry) : 0;

	if (r < 0)
		return zs_error_errno(search->error, step, entry->d_name, -r);
	if (r == 0)
		return 0;
	path = zs_path_join(search->folders[at], entry->d_name);
	if (!path)
		return zs_error_errno(search->error, step, search->folders[at], ENOMEM);
	search->folders[search->count] = path;
	search->depths[search->count++] = search->depths[at] + 1;
	r = has_git(folder, entry->d_name);
	if (r < 0)
		return zs_error_errno(search->error, step, path, -r);
	return r > 0 ? search->each(path, search->arg) : 0;
}

static int visit(struct search *search, size_t at)
{
	int fd = open(search->folders[at], O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	int r = 0;

	if (!folder) {
		r = is_out_of_reach(errno) ? 0 : zs_error_errno(search->error, step, search->folders[at], errno);
		if (fd >= 0)
			close(fd);
		return r;
	}
	while (r == 0 && search->count < ZS_GIT_FOLDERS_MAX) {
		errno = 0;
		entry = readdir(folder);
		if (!entry)
			break;
		r = visit_entry(search, at, fd, entry);
		errno = 0;
	}
	if (r == 0 && errno)
		r = zs_error_errno(search->error, step, search->folders[at], errno);
	closedir(folder);
	return r;
}

static int add_submodule(const struct zs_git_entry *entry, void *arg)
{
	struct search *search = arg;
	ZS_AUTO_FREE char *joined = NULL, *path = NULL;
	const char *problem;

	if (strcmp(entry->section, "submodule") != 0 || strcmp(entry->key, "path") != 0 || !entry->value ||
		!*entry->value)
		return 0;
	joined = zs_path_join(search->workspace, entry->value);
	if (!joined)
		return zs_error_errno(search->error, step, entry->value, ENOMEM);
	/* Behind a link, or out of the workspace: git refuses it as well. */
	if (zs_path_normalize(joined, NULL, &path, &problem) < 0 || !zs_path_is_real(path))
		return 0;
	return search->each(path, search->arg);
}

static int visit_submodules(struct search *search)
{
	ZS_AUTO_FREE char *file = zs_path_join(search->workspace, ".gitmodules");
	ZS_AUTO_FREE char *text = NULL;
	unsigned line;
	size_t len = 0;
	int r = file ? zs_git_config_read(file, &text, &len) : -ENOMEM;

	if (r < 0)
		return zs_error_errno(search->error, step, file, -r);
	r = zs_git_config_each(text, len, add_submodule, search, &line);
	/* A merge may have left its marks in there. Git obeys none of such a file. */
	return r == -EBADMSG ? 0 : r;
}

int zs_git_nested(const char *workspace, zs_git_nested_each *each, void *arg, struct zs_error *error)
{
	struct search search = { .workspace = workspace, .each = each, .arg = arg, .error = error };
	int r = visit_submodules(&search);

	search.folders[0] = strdup(workspace);
	search.count = search.folders[0] ? 1 : 0;
	if (r == 0 && search.count == 0)
		r = zs_error_errno(error, step, workspace, ENOMEM);
	for (size_t i = 0; r == 0 && i < search.count && search.count < ZS_GIT_FOLDERS_MAX; i++)
		r = search.depths[i] < ZS_GIT_DEPTH_MAX ? visit(&search, i) : 0;
	for (size_t i = 0; i < search.count; i++)
		free(search.folders[i]);
	return r;
}
