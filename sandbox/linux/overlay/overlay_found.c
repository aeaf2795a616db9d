/* The walk's list of changes, its stack of folders, and its failures. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/error.h"
#include "linux/overlay/overlay_walk.h"

const char zs_walk_step[] = "overlay";

int zs_walk_fail(struct zs_walk *walk, const char *path, int r)
{
	if (r == -EACCES || r == -EPERM)
		return zs_error_say(walk->error, zs_walk_step, path, -r, "cannot be read");
	if (r == -ECANCELED)
		return zs_error_say(walk->error, zs_walk_step, "", -r, "interrupted; what the run has changed is gone");
	if (r == -ELOOP)
		return zs_error_say(walk->error, zs_walk_step, path, -r, "has become a symbolic link");
	return zs_error_errno(walk->error, zs_walk_step, *path ? path : ".", -r);
}

int zs_walk_add(struct zs_walk *walk, const char *path, enum zs_change_kind kind, const struct stat *lower,
	const struct stat *upper)
{
	struct zs_overlay *overlay = walk->overlay;
	void *items = overlay->changes;
	int r = zs_overlay_grow(&items, &overlay->room, overlay->count, sizeof *overlay->changes);
	struct zs_change change = { .kind = kind };

	overlay->changes = items;
	if (r < 0)
		return zs_walk_fail(walk, path, r);
	change.path = strdup(path);
	if (!change.path)
		return zs_walk_fail(walk, path, -ENOMEM);
	if (upper) {
		change.new_mode = upper->st_mode;
		change.new_size = S_ISREG(upper->st_mode) ? (uint64_t)upper->st_size : 0;
	}
	if (lower) {
		change.old_mode = lower->st_mode;
		change.old_size = S_ISREG(lower->st_mode) ? (uint64_t)lower->st_size : 0;
		change.old_ino = lower->st_ino;
		change.old_links = lower->st_nlink;
		change.old_mtime = lower->st_mtim;
		change.old_ctime = lower->st_ctim;
	}
	overlay->changes[overlay->count++] = change;
	return 0;
}

int zs_walk_push(struct zs_walk *walk, const char *path, enum zs_merge merge)
{
	void *items = walk->stack;
	int r = zs_overlay_grow(&items, &walk->room, walk->count, sizeof *walk->stack);
	char *copy;

	walk->stack = items;
	if (r < 0)
		return zs_walk_fail(walk, path, r);
	copy = strdup(path);
	if (!copy)
		return zs_walk_fail(walk, path, -ENOMEM);
	walk->stack[walk->count++] = (struct zs_walk_folder){ .path = copy, .merge = merge };
	return 0;
}

bool zs_overlay_stopped(struct zs_overlay *overlay)
{
	char word;

	/* Any message now is WORD_STOP. An end of file, or another error, means that the run's process was killed. */
	if (!overlay->stopped && overlay->channel >= 0)
		overlay->stopped = recv(overlay->channel, &word, sizeof word, MSG_DONTWAIT) >= 0 ||
				   (errno != EAGAIN && errno != EINTR);
	return overlay->stopped;
}
