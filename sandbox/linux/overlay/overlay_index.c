/* Refuses to apply a half of what git has done: a new index, without the protected files that it lists. See
 * linux/watch/watch_index.c for a run that writes at once. */
#include "linux/overlay/overlay_apply.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "git/git_index.h"

struct comparison {
	struct zs_apply *apply;
	const char *index; /* the path of the changed index */
	size_t root;       /* the length of its work tree's path; 0: the workspace */
};

/* Returns the length of the path up to the slash before .git/index, counting the slash. -1: it is no index. */
static ssize_t root_of(const char *path)
{
	static const char end[] = ".git/index";
	size_t len = strlen(path), tail = sizeof end - 1;

	if (len < tail || strcmp(path + len - tail, end) != 0 || (len > tail && path[len - tail - 1] != '/'))
		return -1;
	return (ssize_t)(len - tail);
}

/* Does the overlay hold back the file that this entry names? */
static int compare(
	const char *name, const struct zs_git_index_entry *before, const struct zs_git_index_entry *after, void *arg)
{
	const struct comparison *comparison = arg;
	struct zs_apply *apply = comparison->apply;

	if (before && after && zs_git_index_same(before, after))
		return 0;
	for (size_t i = 0; i < apply->count; i++) {
		const char *path = apply->changes[i].path;

		if (zs_apply_applies(apply, i) || strncmp(path, comparison->index, comparison->root) != 0 ||
			strcmp(path + comparison->root, name) != 0)
			continue;
		zs_error_say(apply->error, "apply", path, EPERM,
			"git has changed its entry, too, and zs holds the file back: nothing has been applied");
		return zs_error_hint(apply->error, -EPERM, "run git outside of zs");
	}
	return 0;
}

static int open_new(struct zs_apply *apply, const struct zs_change *change)
{
	int failure, fd, r = zs_apply_read_as_root(apply, true);

	if (r < 0)
		return r;
	fd = zs_overlay_open_upper(apply->overlay, change->path, S_IFREG);
	failure = zs_apply_read_as_root(apply, false);
	if (failure < 0 && fd >= 0)
		close(fd);
	return failure < 0 ? failure : fd;
}

static int check_index(struct zs_apply *apply, const struct zs_change *change, size_t root)
{
	struct comparison comparison = { apply, change->path, root };
	ZS_AUTO_FD int before = -1, after = -1;
	int r = 0;

	if (S_ISREG(change->old_mode))
		r = before = zs_overlay_open_lower(apply->overlay, change->path, S_IFREG);
	if (r >= 0 && S_ISREG(change->new_mode))
		r = after = open_new(apply, change);
	if (r < 0)
		return zs_apply_fail(apply, change->path, r);
	r = zs_git_index_compare(before, after, compare, &comparison);
	if (r == 0 || r == -EPERM)
		return r;
	zs_error_say(apply->error, "apply", change->path, -r,
		"zs cannot compare it with the files that it holds back: nothing has been applied");
	return zs_error_hint(apply->error, r, "run outside of zs: git update-index --no-split-index");
}

/* Is the change held back, in a work tree? */
static bool is_held(const struct zs_apply *apply, size_t i)
{
	const char *path = apply->changes[i].path;

	return !zs_apply_applies(apply, i) && strncmp(path, ".git/", 5) != 0 && !strstr(path, "/.git/");
}

int zs_apply_check_indexes(struct zs_apply *apply)
{
	bool held = false;
	int r = 0;

	for (size_t i = 0; i < apply->count && !held; i++)
		held = is_held(apply, i);
	for (size_t i = 0; r == 0 && held && i < apply->count; i++) {
		ssize_t root = zs_apply_applies(apply, i) ? root_of(apply->changes[i].path) : -1;

		if (root >= 0)
			r = check_index(apply, &apply->changes[i], (size_t)root);
	}
	return r;
}
