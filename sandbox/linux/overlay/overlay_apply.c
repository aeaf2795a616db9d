/* Makes an overlay's changes in the real workspace. */
#include "linux/overlay/overlay_apply.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"

static const char step[] = "apply";

enum { PLACE_BYTES = ZS_OVERLAY_PATH_BYTES_MAX + ZS_TEMPORARY_BYTES + 1 };

/* How far a change has come. */
enum progress {
	STAGE_NONE,
	STAGE_MADE,      /* a new directory has been made, under its own name */
	STAGE_TEMPORARY, /* the new file or directory exists under its temporary name */
	STAGE_DONE,
};

static void name_temporary(const struct zs_apply *apply, size_t i, char buffer[ZS_TEMPORARY_BYTES])
{
	snprintf(buffer, ZS_TEMPORARY_BYTES, ".zs-%016llx-%zu", (unsigned long long)apply->random, i);
}

/* Finds the directory of a change: under its own path, or below a directory that still has its temporary name. */
static void find_parent(const struct zs_apply *apply, size_t i, char buffer[PLACE_BYTES])
{
	const char *path = apply->changes[i].path, *above, *rest;
	char parent[ZS_OVERLAY_PATH_BYTES_MAX + 1], temporary[ZS_TEMPORARY_BYTES];
	size_t outer = apply->inside[i];

	zs_apply_parent(path, parent);
	if (!outer || apply->progress[outer - 1] == STAGE_DONE) {
		snprintf(buffer, PLACE_BYTES, "%s", parent);
		return;
	}
	name_temporary(apply, outer - 1, temporary);
	above = apply->changes[outer - 1].path;
	rest = parent + strlen(above);
	snprintf(buffer, PLACE_BYTES, "%.*s%s%s", (int)(zs_overlay_last_name(above) - above), above, temporary, rest);
}

/* Opens the directory of a change; close() ret_place->folder. */
static int find_place(struct zs_apply *apply, size_t i, struct zs_apply_place *ret_place)
{
	const char *path = apply->changes[i].path;
	char parent[PLACE_BYTES];
	int fd;

	find_parent(apply, i, parent);
	fd = zs_overlay_openat(apply->overlay->lower, parent, O_PATH | O_DIRECTORY);
	if (fd < 0)
		return zs_apply_fail(apply, path, fd);
	ret_place->folder = fd;
	ret_place->name = zs_overlay_last_name(path);
	name_temporary(apply, i, ret_place->temporary);
	return 0;
}

/* Questions */

static bool becomes_folder(const struct zs_change *change)
{
	return change->kind == ZS_CHANGE_TYPE && S_ISDIR(change->new_mode);
}

static bool was_folder(const struct zs_change *change)
{
	return change->kind == ZS_CHANGE_TYPE && S_ISDIR(change->old_mode);
}

/* Staging */

static int stage_folder(struct zs_apply *apply, size_t i, const struct zs_apply_place *place)
{
	const struct zs_change *change = &apply->changes[i];
	bool fresh = change->kind == ZS_CHANGE_CREATED;
	const char *name = fresh ? place->name : place->temporary;

	if (mkdirat(place->folder, name, S_IRWXU) < 0)
		return errno == EEXIST ? zs_apply_fail_stale(apply, change->path, "has appeared during the run")
				       : zs_apply_fail(apply, change->path, -errno);
	apply->progress[i] = fresh ? STAGE_MADE : STAGE_TEMPORARY;
	/* The umask may have removed bits of the mode. */
	if (fchmodat(place->folder, name, S_IRWXU, AT_SYMLINK_NOFOLLOW) < 0)
		return zs_apply_fail(apply, change->path, -errno);
	return 0;
}

static int stage(struct zs_apply *apply, size_t i)
{
	const struct zs_change *change = &apply->changes[i];
	bool folder = becomes_folder(change) || (change->kind == ZS_CHANGE_CREATED && S_ISDIR(change->new_mode));
	struct zs_apply_place place;
	int r;

	if (!folder && !zs_apply_needs_file(change))
		return 0;
	r = find_place(apply, i, &place);
	if (r < 0)
		return r;
	if (folder) {
		r = stage_folder(apply, i, &place);
	} else {
		r = zs_apply_write(apply, change, &place);
		if (r == 0)
			apply->progress[i] = STAGE_TEMPORARY;
		else
			r = zs_apply_fail(apply, change->path, r);
	}
	close(place.folder);
	return r;
}

/* Fills in apply->inside. Changes are sorted so that a directory's content follows it. */
static void find_inside(struct zs_apply *apply)
{
	size_t outer = 0;

	for (size_t i = 0; i < apply->count; i++) {
		if (outer && zs_overlay_is_below(apply->changes[i].path, apply->changes[outer - 1].path))
			apply->inside[i] = outer;
		else
			outer = becomes_folder(&apply->changes[i]) ? i + 1 : 0;
	}
}

static int stage_all(struct zs_apply *apply)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < apply->count; i++) {
		if (!zs_apply_applies(apply, i))
			continue;
		r = zs_overlay_stopped(apply->overlay) ? zs_apply_fail(apply, "", -ECANCELED) : stage(apply, i);
	}
	/* Written to disk before the renames, so that no name leads to an empty file after a power cut. */
	if (r == 0 && syncfs(apply->overlay->lower) < 0 && errno != EBADF)
		r = zs_apply_fail(apply, "", -errno);
	return r;
}

/* Committing */

/* Makes the change: moves the new file in, removes the old one, or sets the mode. */
static int finish(struct zs_apply *apply, size_t i, const struct zs_apply_place *place)
{
	const struct zs_change *change = &apply->changes[i];

	if (apply->progress[i] == STAGE_TEMPORARY)
		return zs_apply_move_in(change, place);
	if (change->kind == ZS_CHANGE_DELETED)
		return zs_apply_remove(change, place);
	if (change->kind == ZS_CHANGE_MODE && !S_ISDIR(change->new_mode))
		return zs_apply_change_mode(change, place);
	return 0;
}

static int commit(struct zs_apply *apply, size_t i)
{
	const struct zs_change *change = &apply->changes[i];
	struct zs_apply_place place;
	int r = 0;

	if (apply->progress[i] != STAGE_MADE) {
		r = zs_apply_check_old(apply, change);
		if (r < 0)
			return r;
		r = find_place(apply, i, &place);
		if (r < 0)
			return r;
		r = finish(apply, i, &place);
		close(place.folder);
	}
	if (r == -EEXIST)
		return zs_apply_fail_stale(apply, change->path, "has appeared during the run");
	if (r == -ESTALE)
		return zs_apply_fail_stale(apply, change->path, "has changed during the run");
	if (r == -ENOTEMPTY)
		return zs_apply_fail_stale(apply, change->path, "holds a new file");
	if (r == 0 && S_ISDIR(change->new_mode))
		r = zs_modes_add(&apply->modes, change->path, change->new_mode);
	if (r < 0)
		return zs_apply_fail(apply, change->path, r);
	apply->progress[i] = STAGE_DONE;
	apply->overlay->changes[i].made = true;
	return 0;
}

static bool is_removal(const struct zs_change *change)
{
	return change->kind == ZS_CHANGE_DELETED || was_folder(change);
}

/* The second pass: renames and removals. They are quick, and no signal stops them half done. */
static int commit_all(struct zs_apply *apply)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < apply->count; i++)
		if (zs_apply_applies(apply, i) && !is_removal(&apply->changes[i]))
			r = commit(apply, i);
	/* Backwards, so that a directory's content is removed before the directory. */
	for (size_t i = apply->count; r == 0 && i-- > 0;)
		if (zs_apply_applies(apply, i) && is_removal(&apply->changes[i]))
			r = commit(apply, i);
	return r;
}

/* After a failure */

static void remove_temporary(struct zs_apply *apply, size_t i)
{
	struct zs_error *error = apply->error; /* a failure here must not replace the first one */
	struct zs_apply_place place;

	apply->error = NULL;
	if (find_place(apply, i, &place) == 0) {
		if (apply->progress[i] == STAGE_MADE)
			unlinkat(place.folder, place.name, AT_REMOVEDIR);
		else if (unlinkat(place.folder, place.temporary, 0) < 0)
			unlinkat(place.folder, place.temporary, AT_REMOVEDIR);
		close(place.folder);
	}
	apply->error = error;
}

/* Removes temporary files and new directories. A new directory that already holds finished changes stays. */
static void clean_up(struct zs_apply *apply)
{
	for (size_t i = apply->count; i-- > 0;)
		if (apply->progress[i] == STAGE_MADE || apply->progress[i] == STAGE_TEMPORARY)
			remove_temporary(apply, i);
}

/* Widens the modes of directories that hold changes but cannot be written: the command changed such a mode, wrote, and
 * changed the mode back. */
static int relax_parents(struct zs_apply *apply)
{
	char buffers[2][ZS_OVERLAY_PATH_BYTES_MAX + 1] = { "/", "/" }; /* no parent's name */

	for (size_t i = 0, last = 0; i < apply->count; i++) {
		const char *parent = zs_apply_parent(apply->changes[i].path, buffers[!last]);
		int r;

		if (!zs_apply_applies(apply, i) || apply->inside[i] || strcmp(buffers[0], buffers[1]) == 0)
			continue;
		last = !last;
		r = zs_overlay_relax(apply->overlay->lower, parent, S_IFDIR, &apply->modes);
		/* A parent may not exist yet, or not as a directory (staging makes it). If it belongs to another user
		 * (EPERM), the write into it fails with a better message. */
		if (r < 0 && r != -ENOENT && r != -ENOTDIR && r != -EINVAL && r != -EPERM)
			return zs_apply_fail(apply, parent, r);
	}
	return 0;
}

static int fail_locked(struct zs_apply *apply)
{
	zs_error_say(apply->error, "apply", "", EWOULDBLOCK,
		"another process has locked the workspace for %d seconds; nothing has been applied",
		ZS_OVERLAY_LOCK_WAIT_MS / 1000);
	return zs_error_hint(apply->error, -EWOULDBLOCK,
		"'fuser' names the process that has it open; end that process, and try again");
}

/* Locks the workspace: two applies at a time would each make half of their changes and refuse the rest. The wait is
 * bounded, since every process that can read the folder can hold its lock, also the confined command of another run.
 * close() *ret_fd. */
static int await_turn(struct zs_apply *apply, int *ret_fd)
{
	enum { PAUSE_MS = 20 };
	const struct timespec pause = { .tv_nsec = PAUSE_MS * 1000000 };
	ZS_AUTO_FD int fd = zs_overlay_openat(apply->overlay->lower, "", O_RDONLY | O_DIRECTORY);

	if (fd < 0)
		return zs_apply_fail(apply, "", fd);
	/* Any other error means a file system without locks, which is used unlocked. */
	for (int waited = 0; flock(fd, LOCK_EX | LOCK_NB) < 0 && (errno == EWOULDBLOCK || errno == EINTR);
		waited += PAUSE_MS) {
		if (zs_overlay_stopped(apply->overlay))
			return zs_apply_fail(apply, "", -ECANCELED);
		if (waited >= ZS_OVERLAY_LOCK_WAIT_MS)
			return fail_locked(apply);
		nanosleep(&pause, NULL);
	}
	*ret_fd = ZS_STEAL_FD(fd);
	return 0;
}

static int apply_all(struct zs_apply *apply)
{
	ZS_AUTO_FD int turn = -1;
	const char *path;
	int failure, r;

	find_inside(apply);
	r = await_turn(apply, &turn);
	if (r == 0)
		r = zs_apply_check_all(apply);
	if (r == 0)
		r = zs_apply_check_indexes(apply);
	if (r < 0)
		return r;
	r = relax_parents(apply);
	if (r == 0)
		r = stage_all(apply);
	if (r == 0 && zs_overlay_stopped(apply->overlay))
		r = zs_apply_fail(apply, "", -ECANCELED);
	if (r == 0)
		r = commit_all(apply);
	if (r < 0)
		clean_up(apply);
	failure = zs_modes_set(&apply->modes, apply->overlay->lower, &path);
	return r == 0 && failure < 0 ? zs_apply_fail(apply, path, failure) : r;
}

int zs_overlay_apply(struct zs_overlay *overlay, const struct zs_overlay_options *options, struct zs_error *error)
{
	struct zs_apply apply = { .overlay = overlay, .options = options, .error = error };
	int r = zs_overlay_changes(overlay, &apply.changes, &apply.count, error);

	/* A user who presses ^C, or has set a limit, does not want half of the command's work. */
	if (overlay->cut)
		return zs_error_say(error, step, "", ECANCELED, "a signal or a limit has ended the run");
	if (r < 0)
		return r;
	if (getrandom(&apply.random, sizeof apply.random, 0) < 0)
		return zs_error_errno(error, step, "getrandom", errno);
	apply.progress = calloc(apply.count + 1, sizeof *apply.progress);
	apply.inside = calloc(apply.count + 1, sizeof *apply.inside);
	r = apply.progress && apply.inside ? zs_apply_become_owner(&apply) : zs_error_errno(error, step, "", ENOMEM);
	if (r == 0)
		r = apply_all(&apply);
	zs_apply_be_root(&apply);
	free(apply.progress);
	free(apply.inside);
	zs_modes_free(&apply.modes);
	return r;
}
