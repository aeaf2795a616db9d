#include "git/git_nested.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/folder_reader.h"
#include "git/git_config.h"
#include "base/path.h"

static const char step[] = "policy";

/* The names that make a folder a git directory (is_git_directory() in git's setup.c). */
enum {
	HAS_GIT = 1 << 0,
	HAS_HEAD = 1 << 1,
	HAS_OBJECTS = 1 << 2,
	HAS_REFS = 1 << 3,
	HAS_COMMONDIR = 1 << 4,
};

struct search {
	const char *workspace;
	zs_git_nested_each *each;
	void *arg;
	struct zs_git_missed *missed;
	struct zs_error *error;
	char **folders; /* in order of depth; the first is the workspace */
	size_t count, found;
	char **packages; /* folders called node_modules, which are kept back until all others have been read */
	size_t package_count;
	size_t room, bound; /* bound: the most folders to read; room: the most folders to list */
	size_t at;          /* the folder that is being read */
	unsigned have;      /* HAS_… of the names in it */
};

static void miss(struct search *search, const char *path, int cause, const char *why)
{
	if (search->missed->any)
		return;
	search->missed->any = true;
	zs_error_say(&search->missed->what, "git", path, cause, "%s; a repository in it is not protected", why);
	zs_error_hint(&search->missed->what, 0, "name it (--protect DIR/.git), or run in a smaller workspace");
}

static bool is_out_of_reach(int cause)
{
	return cause == ENOENT || cause == ENOTDIR || cause == EACCES || cause == ELOOP;
}

/* Ignores the case, as some file systems do. */
static unsigned git_nested_find_name(int folder, const char *name)
{
	static const char *const names[] = { ".git", "HEAD", "objects", "refs", "commondir" };

	for (size_t i = 0; i < ZS_COUNT(names); i++)
		if (strcasecmp(names[i], name) == 0 &&
			(strcmp(names[i], name) == 0 || faccessat(folder, names[i], F_OK, AT_SYMLINK_NOFOLLOW) == 0))
			return 1u << i;
	return 0;
}

static bool is_repository(unsigned have)
{
	return have & HAS_GIT || (have & HAS_HEAD && (have & HAS_COMMONDIR || (have & HAS_OBJECTS && have & HAS_REFS)));
}

static bool is_looked_into(const char *name)
{
	return strcasecmp(name, ".git") != 0;
}

/* 1 or 0; a negative errno: that is not known, so the search must not take it for no folder. */
static int is_folder(int folder, const char *name, unsigned char type)
{
	struct stat st;

	if (type != DT_UNKNOWN)
		return type == DT_DIR;
	if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return is_out_of_reach(errno) ? 0 : -errno;
	return S_ISDIR(st.st_mode);
}

static void miss_bound(struct search *search, const char *path)
{
	char why[64];

	snprintf(why, sizeof why, "was not searched, after %zu other folders", search->bound);
	miss(search, path, E2BIG, why);
}

static int add_folder(struct search *search, int folder, const char *name, unsigned char type)
{
	const char *above = search->folders[search->at];
	int r = is_looked_into(name) ? is_folder(folder, name, type) : 0;
	char *path;

	if (r <= 0)
		return r < 0 ? zs_error_errno(search->error, step, name, -r) : 0;
	if (!zs_utf8_valid(name)) {
		miss(search, above, EILSEQ, "holds a folder whose name is not UTF-8");
		return 0;
	}
	path = zs_path_join(above, name);
	if (!path)
		return zs_error_errno(search->error, step, above, ENOMEM);
	if (search->count + search->package_count == search->room) {
		miss_bound(search, path);
		free(path);
	} else if (search->packages && strcmp(name, "node_modules") == 0) {
		search->packages[search->package_count++] = path;
	} else {
		search->folders[search->count++] = path;
	}
	return 0;
}

/* This user owns the folder, and cannot list it: an earlier command may have closed it, and this one could open it
 * again. A folder of another user does not count: neither command can change its mode. */
static int git_nested_refuse(struct search *search, size_t at, int cause)
{
	const char *path = search->folders[at];
	struct stat st;

	if (cause == EACCES && lstat(path, &st) == 0 && st.st_uid == geteuid())
		miss(search, path, cause, "cannot be listed");
	else if (cause == ENAMETOOLONG)
		miss(search, path, cause, "has a path that is too long to search");
	else if (!is_out_of_reach(cause))
		return zs_error_errno(search->error, step, path, cause);
	return 0;
}

static int found(struct search *search, size_t at)
{
	char why[64];
	int r = 1;

	if (at == 0)
		return 0;
	if (search->found < ZS_GIT_FOUND_MAX)
		r = search->each(search->folders[at], search->arg);
	if (r == 0)
		search->found++;
	if (r <= 0)
		return r;
	snprintf(why, sizeof why, "was found after %zu other repositories", search->found);
	miss(search, search->folders[at], E2BIG, why);
	return 0;
}

static int git_nested_add_name(int folder, const char *name, unsigned char type, void *arg)
{
	struct search *search = arg;

	search->have |= git_nested_find_name(folder, name);
	return add_folder(search, folder, name, type);
}

static int git_nested_visit(struct search *search, size_t at)
{
	ZS_AUTO_FD int folder = zs_folder_open(search->folders[at]);
	int cause = 0, r;

	if (folder < 0)
		return git_nested_refuse(search, at, -folder);
	search->at = at;
	search->have = 0;
	r = zs_has_kernel_files(folder);
	if (r != 0)
		return r < 0 ? zs_error_errno(search->error, step, search->folders[at], -r) : 0;
	r = zs_folder_each(folder, git_nested_add_name, search, &cause);
	/* In some folders even root gets this error only now. */
	if (r == 0 && cause)
		r = git_nested_refuse(search, at, cause);
	return r == 0 && is_repository(search->have) ? found(search, at) : r;
}

/* Package managers fill these folders with many others, and leave no repository in them; but another program may. So
 * they come last, and have a lower bound. */
static void go_on_to_packages(struct search *search)
{
	size_t count = search->package_count;

	memcpy(search->folders + search->count, search->packages, count * sizeof *search->packages);
	free(ZS_STEAL(search->packages));
	search->package_count = 0;
	search->bound = ZS_GIT_PACKAGES_MAX;
	if (search->count + search->bound < search->room)
		search->room = search->count + search->bound;
	search->count += count;
	while (search->count > search->room) {
		miss_bound(search, search->folders[--search->count]);
		free(search->folders[search->count]);
	}
}

static int visit_all(struct search *search)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < search->count; i++) {
		r = git_nested_visit(search, i);
		if (r == 0 && i + 1 == search->count && search->packages)
			go_on_to_packages(search);
	}
	return r;
}

static int add_submodule(const struct zs_git_entry *entry, void *arg)
{
	struct search *search = arg;
	ZS_AUTO_FREE char *joined = NULL, *path = NULL;
	const char *problem;
	int r;

	if (strcmp(entry->section, "submodule") != 0 || strcmp(entry->key, "path") != 0 || !entry->value ||
		!*entry->value)
		return 0;
	joined = zs_path_join(search->workspace, entry->value);
	if (!joined)
		return zs_error_errno(search->error, step, entry->value, ENOMEM);
	/* The path leads through a link, or out of the workspace: git refuses it as well. */
	if (zs_path_normalize(joined, NULL, &path, &problem) < 0 || !zs_path_is_real(path))
		return 0;
	r = search->each(path, search->arg);
	if (r > 0)
		miss(search, path, E2BIG, "does not fit into the policy");
	return r < 0 ? r : 0;
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
	if (r == -ENOMEM)
		return zs_error_errno(search->error, step, file, ENOMEM);
	/* A merge may have left its markers in the file. Git obeys nothing in such a file. */
	return r == -EBADMSG ? 0 : r;
}

int zs_git_nested(const char *workspace, zs_git_nested_each *each, void *arg, struct zs_git_missed *ret_missed,
	struct zs_error *error)
{
	struct search search = {
		.workspace = workspace, .each = each, .arg = arg, .missed = ret_missed, .error = error
	};
	int r;

	ret_missed->any = false;
	r = visit_submodules(&search);
	search.room = search.bound = ZS_GIT_FOLDERS_MAX;
	search.folders = calloc(ZS_GIT_FOLDERS_MAX, sizeof *search.folders);
	search.packages = calloc(ZS_GIT_FOLDERS_MAX, sizeof *search.packages);
	if (r == 0 && (!search.folders || !search.packages || !(search.folders[search.count++] = strdup(workspace))))
		r = zs_error_errno(error, step, workspace, ENOMEM);
	if (r == 0)
		r = visit_all(&search);
	for (size_t i = 0; search.folders && i < search.count; i++)
		free(search.folders[i]);
	for (size_t i = 0; search.packages && i < search.package_count; i++)
		free(search.packages[i]);
	free(search.folders);
	free(search.packages);
	return r;
}
