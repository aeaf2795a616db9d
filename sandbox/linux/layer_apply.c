/* Makes a layer's changes in the real workspace. */
#include "layer_files.h"

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

struct apply {
	struct zs_layer *layer;
	const struct zs_layer_options *options;
	const struct zs_change *changes;
	size_t count;
	unsigned char *progress;
	struct zs_modes modes; /* of directories: set last, since one may forbid what is to be done in it */
	uint64_t random;
	struct zs_error *error;
};

/* The directory that a change is in. */
struct place {
	int folder;
	const char *name;
	char temporary[64];
};

static int fail(struct apply *apply, const char *path, int r)
{
	if (r == -ELOOP)
		return zs_error_say(apply->error, step, path, -r, "has become a symbolic link");
	return zs_error_errno(apply->error, step, path, -r);
}

static int fail_stale(struct apply *apply, const char *path, const char *what)
{
	zs_error_say(apply->error, step, path, ESTALE, "%s", what);
	return zs_error_hint(apply->error, -ESTALE, "run the command again");
}

static const char *parent_of(const char *path, char buffer[ZS_LAYER_PATH_BYTES_MAX + 1])
{
	const char *slash = strrchr(path, '/');
	size_t len = slash ? (size_t)(slash - path) : 0;

	memcpy(buffer, path, len);
	buffer[len] = '\0';
	return buffer;
}

/* close() place->folder. */
static int find_place(struct apply *apply, size_t i, struct place *ret_place)
{
	char buffer[ZS_LAYER_PATH_BYTES_MAX + 1];
	const char *path = apply->changes[i].path, *slash = strrchr(path, '/');
	int fd = zs_layer_openat(apply->layer->lower, parent_of(path, buffer), O_PATH | O_DIRECTORY);

	if (fd < 0)
		return fail(apply, path, fd);
	ret_place->folder = fd;
	ret_place->name = slash ? slash + 1 : path;
	snprintf(ret_place->temporary, sizeof ret_place->temporary, ".zs-%016llx-%zu",
		(unsigned long long)apply->random, i);
	return 0;
}

/* Questions */

static bool applies(const struct apply *apply, size_t i)
{
	return zs_change_applies(&apply->changes[i], apply->options);
}

static bool becomes_folder(const struct zs_change *change)
{
	return change->kind == ZS_CHANGE_TYPE && S_ISDIR(change->new_mode);
}

static bool was_folder(const struct zs_change *change)
{
	return change->kind == ZS_CHANGE_TYPE && S_ISDIR(change->old_mode);
}

/* Is a new file to be written? Of a file with several names only the one that was changed has a new mode, since
 * overlayfs's copy parted them. */
static bool needs_file(const struct zs_change *change)
{
	if (change->kind == ZS_CHANGE_MODE)
		return S_ISREG(change->new_mode) && change->old_links > 1;
	return change->new_mode && !S_ISDIR(change->new_mode);
}

static bool is_below(const char *path, const struct zs_change *folder)
{
	size_t len = folder ? strlen(folder->path) : 0;

	return folder && strncmp(path, folder->path, len) == 0 && path[len] == '/';
}

static int compare_times(struct timespec a, struct timespec b)
{
	if (a.tv_sec != b.tv_sec)
		return a.tv_sec < b.tv_sec ? -1 : 1;
	return (a.tv_nsec > b.tv_nsec) - (a.tv_nsec < b.tv_nsec);
}

static bool is_same(const struct zs_change *change, const struct stat *now)
{
	if (change->old_ino != now->st_ino || (change->old_mode ^ now->st_mode) & S_IFMT)
		return false;
	/* A directory's time moves with every change in it, and relax_parents() may have changed its mode. */
	return S_ISDIR(now->st_mode) ||
	       (change->old_mode == now->st_mode && compare_times(change->old_mtime, now->st_mtim) == 0 &&
		       (!S_ISREG(now->st_mode) || change->old_size == (uint64_t)now->st_size));
}

/* Does the workspace still hold what the change was made from? */
static int check_old(struct apply *apply, const struct zs_change *change)
{
	ZS_AUTO_FD int fd = zs_layer_openat(apply->layer->lower, change->path, O_PATH);
	struct stat now;

	if (fd == -ENOENT || fd == -ENOTDIR)
		return change->old_mode ? fail_stale(apply, change->path, "has gone during the run") : 0;
	if (fd < 0)
		return fail(apply, change->path, fd);
	if (!change->old_mode)
		return fail_stale(apply, change->path, "has come during the run");
	if (fstat(fd, &now) < 0)
		return fail(apply, change->path, -errno);
	return is_same(change, &now) ? 0 : fail_stale(apply, change->path, "has changed during the run");
}

/* Has somebody been there during the run? What seems to be created may then be a file that the command changed, and
 * that somebody else has removed meanwhile: of that the directory's ctime is the only trace. */
static int check_time(struct apply *apply, const struct zs_change *change, struct timespec since)
{
	char buffer[ZS_LAYER_PATH_BYTES_MAX + 1];
	const char *parent = parent_of(change->path, buffer);
	ZS_AUTO_FD int fd = -1;
	struct stat st;

	if (!since.tv_sec && !since.tv_nsec)
		return 0;
	if (change->old_mode)
		return compare_times(change->old_ctime, since) < 0
			       ? 0
			       : fail_stale(apply, change->path, "has changed during the run");
	fd = zs_layer_openat(apply->layer->lower, parent, O_PATH | O_DIRECTORY);
	if (fd == -ENOENT || fd == -ENOTDIR) /* created as well, which is asked about on its own */
		return 0;
	if (fd < 0 || fstat(fd, &st) < 0)
		return fail(apply, change->path, fd < 0 ? fd : -errno);
	return compare_times(st.st_ctim, since) < 0
		       ? 0
		       : fail_stale(apply, *parent ? parent : ".", "files have come or gone there during the run");
}

/* The first pass: nothing has been touched. */
static int check_all(struct apply *apply)
{
	struct timespec since = apply->options->since;
	uint64_t bytes = 0;

	if (!since.tv_sec && !since.tv_nsec)
		since = apply->layer->since;
	for (size_t i = 0; i < apply->count; i++) {
		const struct zs_change *change = &apply->changes[i];
		int r;

		if (!applies(apply, i))
			continue;
		r = check_time(apply, change, since);
		if (r == 0)
			r = check_old(apply, change);
		if (r < 0)
			return r;
		if (needs_file(change) && __builtin_add_overflow(bytes, change->new_size, &bytes))
			bytes = UINT64_MAX;
		if (bytes > (uint64_t)ZS_LAYER_APPLY_MIB_MAX << 20)
			return zs_error_say(apply->error, step, change->path, EFBIG,
				"more than %d MiB would be written", ZS_LAYER_APPLY_MIB_MAX);
	}
	return 0;
}

/* Staging */

static int copy_bytes(int from, int to, uint64_t size)
{
	enum { SIZE = 1 << 17 };
	ZS_AUTO_FREE char *buffer = malloc(SIZE);

	if (!buffer)
		return -ENOMEM;
	for (;;) {
		ssize_t have = zs_layer_read(from, buffer, SIZE);

		if (have < 0)
			return (int)have;
		if ((uint64_t)have > size)
			return -ESTALE; /* somebody is writing to it */
		for (ssize_t at = 0; at < have;) {
			ssize_t n = write(to, buffer + at, (size_t)(have - at));

			if (n < 0 && errno != EINTR)
				return -errno;
			at += n < 0 ? 0 : n;
		}
		size -= (uint64_t)have;
		if (have < SIZE)
			return size ? -ESTALE : 0;
	}
}

/* The time goes along: make(1) reads it. */
static int copy_file(struct apply *apply, const struct zs_change *change, const struct place *place)
{
	ZS_AUTO_FD int from = zs_layer_open_upper(apply->layer, change->path, S_IFREG);
	ZS_AUTO_FD int to = -1;
	struct stat st;
	int r;

	if (from < 0)
		return from;
	if (fstat(from, &st) < 0)
		return -errno;
	to = openat(place->folder, place->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (to < 0)
		return -errno;
	r = copy_bytes(from, to, change->new_size);
	if (r == 0 && fchmod(to, change->new_mode & ZS_PERMISSIONS) < 0)
		r = -errno;
	if (r == 0 && futimens(to, (struct timespec[]){ { .tv_nsec = UTIME_OMIT }, st.st_mtim }) < 0)
		r = -errno;
	if (r < 0)
		unlinkat(place->folder, place->temporary, 0);
	return r;
}

static int copy_link(struct apply *apply, const struct zs_change *change, const struct place *place)
{
	ZS_AUTO_FREE char *target = NULL;
	int r = zs_layer_readlink(apply->layer->upper, change->path, &target);

	if (r == 0 && symlinkat(target, place->folder, place->temporary) < 0)
		r = -errno;
	return r;
}

static int make_fifo(const struct zs_change *change, const struct place *place)
{
	int r = 0;

	if (mkfifoat(place->folder, place->temporary, 0600) < 0)
		return -errno;
	if (fchmodat(place->folder, place->temporary, change->new_mode & ZS_PERMISSIONS, AT_SYMLINK_NOFOLLOW) < 0)
		r = -errno;
	if (r < 0)
		unlinkat(place->folder, place->temporary, 0);
	return r;
}

static int make_temporary(struct apply *apply, const struct zs_change *change, const struct place *place)
{
	if (S_ISREG(change->new_mode))
		return copy_file(apply, change, place);
	if (S_ISLNK(change->new_mode))
		return copy_link(apply, change, place);
	if (S_ISFIFO(change->new_mode))
		return make_fifo(change, place);
	return -EOPNOTSUPP;
}

static int stage_folder(struct apply *apply, size_t i, const struct place *place)
{
	bool fresh = apply->changes[i].kind == ZS_CHANGE_CREATED;

	if (mkdirat(place->folder, fresh ? place->name : place->temporary, S_IRWXU) < 0)
		return errno == EEXIST ? fail_stale(apply, apply->changes[i].path, "has come during the run")
				       : fail(apply, apply->changes[i].path, -errno);
	apply->progress[i] = fresh ? STAGE_MADE : STAGE_TEMPORARY;
	return 0;
}

static int stage(struct apply *apply, size_t i)
{
	const struct zs_change *change = &apply->changes[i];
	bool folder = becomes_folder(change) || (change->kind == ZS_CHANGE_CREATED && S_ISDIR(change->new_mode));
	struct place place;
	int r;

	if (!folder && !needs_file(change))
		return 0;
	r = find_place(apply, i, &place);
	if (r < 0)
		return r;
	if (folder) {
		r = stage_folder(apply, i, &place);
	} else {
		r = make_temporary(apply, change, &place);
		if (r == 0)
			apply->progress[i] = STAGE_TEMPORARY;
		else
			r = fail(apply, change->path, r);
	}
	close(place.folder);
	return r;
}

/* What goes into a directory that stands under a temporary name so far is written later, with nothing old to lose. */
static int stage_all(struct apply *apply)
{
	const struct zs_change *late = NULL;
	int r = 0;

	for (size_t i = 0; r == 0 && i < apply->count; i++) {
		if (!applies(apply, i) || is_below(apply->changes[i].path, late))
			continue;
		if (becomes_folder(&apply->changes[i]))
			late = &apply->changes[i];
		r = stage(apply, i);
	}
	/* Before the renames, so that after a power cut no name leads to an empty file. */
	if (r == 0 && syncfs(apply->layer->lower) < 0 && errno != EBADF)
		r = fail(apply, "", -errno);
	return r;
}

/* Committing */

/* musl has no renameat2(3) */
static int rename_with(const struct place *place, unsigned flag)
{
	return (int)syscall(SYS_renameat2, place->folder, place->temporary, place->folder, place->name, flag);
}

/* Swaps the two, and removes what was there. */
static int exchange(const struct place *place, int remove_flag)
{
	if (rename_with(place, RENAME_EXCHANGE) < 0)
		return -errno;
	return unlinkat(place->folder, place->temporary, remove_flag) < 0 ? -errno : 0;
}

/* A directory that was: by now it is empty, unless somebody has put something there. */
static int exchange_folder(const struct place *place)
{
	int r = exchange(place, AT_REMOVEDIR);

	if (r == -ENOTEMPTY && rename_with(place, RENAME_EXCHANGE) == 0)
		return -ENOTEMPTY;
	return r;
}

static int move_in(const struct zs_change *change, const struct place *place)
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

static int remove_old(const struct zs_change *change, const struct place *place)
{
	return unlinkat(place->folder, place->name, S_ISDIR(change->old_mode) ? AT_REMOVEDIR : 0) < 0 ? -errno : 0;
}

static int change_mode(const struct zs_change *change, const struct place *place)
{
	int r = fchmodat(place->folder, place->name, change->new_mode & ZS_PERMISSIONS, AT_SYMLINK_NOFOLLOW);

	return r < 0 ? -errno : 0;
}

/* Of the three things that can be left to do, the one. */
static int finish(struct apply *apply, size_t i, const struct place *place)
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

static int commit(struct apply *apply, size_t i)
{
	const struct zs_change *change = &apply->changes[i];
	struct place place;
	int r = 0;

	if (apply->progress[i] != STAGE_MADE) {
		r = check_old(apply, change);
		if (r < 0)
			return r;
		r = find_place(apply, i, &place);
		if (r < 0)
			return r;
		r = finish(apply, i, &place);
		close(place.folder);
	}
	if (r == -EEXIST)
		return fail_stale(apply, change->path, "has come during the run");
	if (r == -ENOTEMPTY)
		return fail_stale(apply, change->path, "has something new in it");
	if (r == 0 && S_ISDIR(change->new_mode))
		r = zs_modes_add(&apply->modes, change->path, change->new_mode);
	if (r < 0)
		return fail(apply, change->path, r);
	apply->progress[i] = STAGE_DONE;
	return 0;
}

static bool is_removal(const struct zs_change *change)
{
	return change->kind == ZS_CHANGE_DELETED || was_folder(change);
}

static int commit_all(struct apply *apply)
{
	const struct zs_change *late = NULL;
	int r = 0;

	for (size_t i = 0; r == 0 && i < apply->count; i++) {
		const struct zs_change *change = &apply->changes[i];

		if (!applies(apply, i) || is_removal(change))
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
		if (applies(apply, i) && is_removal(&apply->changes[i]))
			r = commit(apply, i);
	return r;
}

/* After a failure */

static void remove_temporary(struct apply *apply, size_t i)
{
	struct zs_error *error = apply->error; /* keeps the first failure's */
	struct place place;

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
static void clean_up(struct apply *apply)
{
	for (size_t i = apply->count; i-- > 0;)
		if (apply->progress[i] == STAGE_MADE || apply->progress[i] == STAGE_TEMPORARY)
			remove_temporary(apply, i);
}

/* Directories of the workspace that may not be written to as they are, and were all the same, by a command that changed
 * their modes and changed them back. */
static int relax_parents(struct apply *apply)
{
	char buffers[2][ZS_LAYER_PATH_BYTES_MAX + 1] = { "/", "/" }; /* no parent's name */

	for (size_t i = 0, last = 0; i < apply->count; i++) {
		const char *parent = parent_of(apply->changes[i].path, buffers[!last]);
		int r;

		if (!applies(apply, i) || strcmp(buffers[0], buffers[1]) == 0)
			continue;
		last = !last;
		r = zs_layer_relax(apply->layer->lower, parent, S_IFDIR, &apply->modes);
		/* Not there, or no directory: not yet. Not ours to change: then writing there says more. */
		if (r < 0 && r != -ENOENT && r != -ENOTDIR && r != -EINVAL && r != -EPERM)
			return fail(apply, parent, r);
	}
	return 0;
}

static int apply_all(struct apply *apply)
{
	const char *path;
	int failure, r = check_all(apply);

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
	return r == 0 && failure < 0 ? fail(apply, path, failure) : r;
}

int zs_layer_apply(struct zs_layer *layer, const struct zs_layer_options *options, struct zs_error *error)
{
	enum { SIGNALED = 128 };
	struct apply apply = { .layer = layer, .options = options, .error = error };
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
