/* Makes a layer's changes in the real workspace. */
#include "layer_apply.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cleanup.h"
#include "error.h"

static const char step[] = "apply";

/* How far a change has come. */
enum progress {
	STAGE_NONE,
	STAGE_MADE,      /* a directory that was not there */
	STAGE_TEMPORARY, /* stands under its temporary name */
	STAGE_DONE,
};

/* close() place->folder. */
static int find_place(struct zs_apply *apply, size_t i, struct zs_apply_place *ret_place)
{
	char buffer[ZS_LAYER_PATH_BYTES_MAX + 1];
	const char *path = apply->changes[i].path, *slash = strrchr(path, '/');
	int fd = zs_layer_openat(apply->layer->lower, zs_apply_parent(path, buffer), O_PATH | O_DIRECTORY);

	if (fd < 0)
		return zs_apply_fail(apply, path, fd);
	ret_place->folder = fd;
	ret_place->name = slash ? slash + 1 : path;
	snprintf(ret_place->temporary, sizeof ret_place->temporary, ".zs-%016llx-%zu",
		(unsigned long long)apply->random, i);
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

static bool is_below(const char *path, const struct zs_change *folder)
{
	size_t len = folder ? strlen(folder->path) : 0;

	return folder && strncmp(path, folder->path, len) == 0 && path[len] == '/';
}

/* Staging */

static int stage_folder(struct zs_apply *apply, size_t i, const struct zs_apply_place *place)
{
	const struct zs_change *change = &apply->changes[i];
	bool fresh = change->kind == ZS_CHANGE_CREATED;
	const char *name = fresh ? place->name : place->temporary;
	int r;

	if (mkdirat(place->folder, name, S_IRWXU) < 0)
		return errno == EEXIST ? zs_apply_fail_stale(apply, change->path, "has come during the run")
				       : zs_apply_fail(apply, change->path, -errno);
	apply->progress[i] = fresh ? STAGE_MADE : STAGE_TEMPORARY;
	r = zs_apply_own_folder(place, name);
	return r < 0 ? zs_apply_fail(apply, change->path, r) : 0;
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

/* What goes into a directory that stands under a temporary name so far is written later, with nothing old to lose. */
static int stage_all(struct zs_apply *apply)
{
	const struct zs_change *late = NULL;
	int r = 0;

	for (size_t i = 0; r == 0 && i < apply->count; i++) {
		if (!zs_apply_applies(apply, i) || is_below(apply->changes[i].path, late))
			continue;
		if (becomes_folder(&apply->changes[i]))
			late = &apply->changes[i];
		r = stage(apply, i);
	}
	/* Before the renames, so that after a power cut no name leads to an empty file. */
	if (r == 0 && syncfs(apply->layer->lower) < 0 && errno != EBADF)
		r = zs_apply_fail(apply, "", -errno);
	return r;
}

/* Committing */

/* musl has no renameat2(3) */
static int rename_with(const struct zs_apply_place *place, unsigned flag)
{
	return (int)syscall(SYS_renameat2, place->folder, place->temporary, place->folder, place->name, flag);
}

/* Swaps the two, and removes what was there. */
static int exchange(const struct zs_apply_place *place, int remove_flag)
{
	if (rename_with(place, RENAME_EXCHANGE) < 0)
		return -errno;
	return unlinkat(place->folder, place->temporary, remove_flag) < 0 ? -errno : 0;
}

/* A directory that was: by now it is empty, unless somebody has put something there. */
static int exchange_folder(const struct zs_apply_place *place)
{
	int r = exchange(place, AT_REMOVEDIR);

	if (r == -ENOTEMPTY && rename_with(place, RENAME_EXCHANGE) == 0)
		return -ENOTEMPTY;
	return r;
}

static int move_in(const struct zs_change *change, const struct zs_apply_place *place)
{
	if (becomes_folder(change))
		return exchange(place, 0);
	if (was_folder(change))
		return exchange_folder(place);
	if (change->kind == ZS_CHANGE_CREATED) {
		if (rename_with(place, RENAME_NOREPLACE) == 0)
			return 0;
		if (errno != EINVAL) /* a file system without the flag */
			return -errno;
	}
	return renameat(place->folder, place->temporary, place->folder, place->name) < 0 ? -errno : 0;
}

static int remove_old(const struct zs_change *change, const struct zs_apply_place *place)
{
	return unlinkat(place->folder, place->name, S_ISDIR(change->old_mode) ? AT_REMOVEDIR : 0) < 0 ? -errno : 0;
}

static int change_mode(const struct zs_change *change, const struct zs_apply_place *place)
{
	int r = fchmodat(place->folder, place->name, change->new_mode & ZS_PERMISSIONS, AT_SYMLINK_NOFOLLOW);

	return r < 0 ? -errno : 0;
}

/* Of the three things that can be left to do, the one. */
static int finish(struct zs_apply *apply, size_t i, const struct zs_apply_place *place)
{
	const struct zs_change *change = &apply->changes[i];

	if (apply->progress[i] == STAGE_TEMPORARY)
		return move_in(change, place);
	if (change->kind == ZS_CHANGE_DELETED)
		return remove_old(change, place);
	if (change->kind == ZS_CHANGE_MODE && !S_ISDIR(change->new_mode))
		return change_mode(change, place);
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
		return zs_apply_fail_stale(apply, change->path, "has come during the run");
	if (r == -ENOTEMPTY)
		return zs_apply_fail_stale(apply, change->path, "has something new in it");
	if (r == 0 && S_ISDIR(change->new_mode))
		r = zs_modes_add(&apply->modes, change->path, change->new_mode);
	if (r < 0)
		return zs_apply_fail(apply, change->path, r);
	apply->progress[i] = STAGE_DONE;
	return 0;
}

static bool is_removal(const struct zs_change *change)
{
	return change->kind == ZS_CHANGE_DELETED || was_folder(change);
}

static int commit_all(struct zs_apply *apply)
{
	const struct zs_change *late = NULL;
	int r = 0;

	for (size_t i = 0; r == 0 && i < apply->count; i++) {
		const struct zs_change *change = &apply->changes[i];

		if (!zs_apply_applies(apply, i) || is_removal(change))
			continue;
		if (is_below(change->path, late))
			r = stage(apply, i);
		else
			late = becomes_folder(change) ? change : NULL;
		if (r == 0)
			r = commit(apply, i);
	}
	/* Backwards: a directory's content goes before it. */
	for (size_t i = apply->count; r == 0 && i-- > 0;)
		if (zs_apply_applies(apply, i) && is_removal(&apply->changes[i]))
			r = commit(apply, i);
	return r;
}

/* After a failure */

static void remove_temporary(struct zs_apply *apply, size_t i)
{
	struct zs_error *error = apply->error; /* keeps the first failure's */
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

/* Directories that have been filled stay, and what is in them. */
static void clean_up(struct zs_apply *apply)
{
	for (size_t i = apply->count; i-- > 0;)
		if (apply->progress[i] == STAGE_MADE || apply->progress[i] == STAGE_TEMPORARY)
			remove_temporary(apply, i);
}

/* Directories of the workspace that may not be written to as they are, and were all the same, by a command that changed
 * their modes and changed them back. */
static int relax_parents(struct zs_apply *apply)
{
	char buffers[2][ZS_LAYER_PATH_BYTES_MAX + 1] = { "/", "/" }; /* no parent's name */

	for (size_t i = 0, last = 0; i < apply->count; i++) {
		const char *parent = zs_apply_parent(apply->changes[i].path, buffers[!last]);
		int r;

		if (!zs_apply_applies(apply, i) || strcmp(buffers[0], buffers[1]) == 0)
			continue;
		last = !last;
		r = zs_layer_relax(apply->layer->lower, parent, S_IFDIR, &apply->modes);
		/* Not there, or no directory: not yet. Not ours to change: then writing there says more. */
		if (r < 0 && r != -ENOENT && r != -ENOTDIR && r != -EINVAL && r != -EPERM)
			return zs_apply_fail(apply, parent, r);
	}
	return 0;
}

static int apply_all(struct zs_apply *apply)
{
	const char *path;
	int failure, r = zs_apply_check_all(apply);

	if (r < 0)
		return r;
	r = relax_parents(apply);
	if (r == 0)
		r = stage_all(apply);
	if (r == 0)
		r = commit_all(apply);
	if (r < 0)
		clean_up(apply);
	failure = zs_modes_set(&apply->modes, apply->layer->lower, &path);
	return r == 0 && failure < 0 ? zs_apply_fail(apply, path, failure) : r;
}

int zs_layer_apply(struct zs_layer *layer, const struct zs_layer_options *options, struct zs_error *error)
{
	enum { SIGNALED = 128 };
	struct zs_apply apply = { .layer = layer, .options = options, .error = error };
	int r = zs_layer_changes(layer, &apply.changes, &apply.count, error);

	/* Who presses ^C, or sets a limit, does not want half of the work. */
	if (layer->status > SIGNALED)
		return zs_error_say(error, step, "", ECANCELED, "a signal has ended the run");
	if (r < 0)
		return r;
	if (getrandom(&apply.random, sizeof apply.random, 0) < 0)
		return zs_error_errno(error, step, "getrandom", errno);
	apply.progress = calloc(apply.count ? apply.count : 1, 1);
	if (!apply.progress)
		return zs_error_errno(error, step, "", ENOMEM);
	r = apply_all(&apply);
	free(apply.progress);
	zs_modes_free(&apply.modes);
	return r;
}
