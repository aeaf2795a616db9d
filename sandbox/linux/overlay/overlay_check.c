/* Checks that the workspace still is what the command saw, before an overlay is applied. */
#include "linux/overlay/overlay_apply.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/error.h"

static const char step[] = "apply";

int zs_apply_fail(struct zs_apply *apply, const char *path, int r)
{
	if (r == -ECANCELED)
		return zs_error_say(apply->error, step, "", -r, "interrupted; nothing has been applied");
	if (r == -ELOOP)
		return zs_error_say(apply->error, step, path, -r, "has become a symbolic link");
	return zs_error_errno(apply->error, step, path, -r);
}

int zs_apply_fail_stale(struct zs_apply *apply, const char *path, const char *what)
{
	zs_error_say(apply->error, step, path, ESTALE, "%s", what);
	return zs_error_hint(apply->error, -ESTALE, "run the command again");
}

const char *zs_apply_parent(const char *path, char buffer[ZS_OVERLAY_PATH_BYTES_MAX + 1])
{
	const char *slash = strrchr(path, '/');
	size_t len = slash ? (size_t)(slash - path) : 0;

	memcpy(buffer, path, len);
	buffer[len] = '\0';
	return buffer;
}

bool zs_apply_applies(const struct zs_apply *apply, size_t i)
{
	return zs_change_applies(&apply->changes[i], apply->options);
}

/* A mode change of a file with several names needs a new file: overlayfs's copy-up separated the changed name from the
 * others, which keep the old mode. */
bool zs_apply_needs_file(const struct zs_change *change)
{
	if (change->kind == ZS_CHANGE_MODE)
		return !S_ISDIR(change->new_mode) && change->old_links > 1;
	return change->new_mode && !S_ISDIR(change->new_mode);
}

static int compare_times(struct timespec a, struct timespec b)
{
	if (a.tv_sec != b.tv_sec)
		return a.tv_sec < b.tv_sec ? -1 : 1;
	return (a.tv_nsec > b.tv_nsec) - (a.tv_nsec < b.tv_nsec);
}

bool zs_apply_is_same(const struct zs_change *change, const struct stat *now)
{
	if (change->old_ino != now->st_ino || (change->old_mode ^ now->st_mode) & S_IFMT)
		return false;
	/* A directory's times change with its content, and relax_parents() may have changed its mode. */
	return S_ISDIR(now->st_mode) ||
	       (change->old_mode == now->st_mode && compare_times(change->old_mtime, now->st_mtim) == 0 &&
		       (!S_ISREG(now->st_mode) || change->old_size == (uint64_t)now->st_size));
}

/* The ctime also shows a program that has set the mtime back. It cannot be compared for a file of several names, since
 * applying a change to one name changes the ctime of the others. */
static bool is_untouched(const struct zs_change *change, const struct stat *now)
{
	return S_ISDIR(now->st_mode) || change->old_links > 1 || compare_times(change->old_ctime, now->st_ctim) == 0;
}

/* Does the workspace still hold what the change was made from? */
int zs_apply_check_old(struct zs_apply *apply, const struct zs_change *change)
{
	ZS_AUTO_FD int fd = zs_overlay_openat(apply->overlay->lower, change->path, O_PATH);
	struct stat now;

	if (fd == -ENOENT || fd == -ENOTDIR)
		return change->old_mode ? zs_apply_fail_stale(apply, change->path, "has disappeared during the run")
					: 0;
	if (fd < 0)
		return zs_apply_fail(apply, change->path, fd);
	if (!change->old_mode)
		return zs_apply_fail_stale(apply, change->path, "has appeared during the run");
	if (fstat(fd, &now) < 0)
		return zs_apply_fail(apply, change->path, -errno);
	return zs_apply_is_same(change, &now) && is_untouched(change, &now)
		       ? 0
		       : zs_apply_fail_stale(apply, change->path, "has changed during the run");
}

/* Checks that no other process has changed the file since the run began. A change that looks like a creation may be a
 * file that the command changed and another process removed meanwhile; only the directory's ctime tells. */
static int check_time(struct zs_apply *apply, const struct zs_change *change, struct timespec since)
{
	char buffer[ZS_OVERLAY_PATH_BYTES_MAX + 1];
	const char *parent = zs_apply_parent(change->path, buffer);
	ZS_AUTO_FD int fd = -1;
	struct stat st;

	if (!since.tv_sec && !since.tv_nsec)
		return 0;
	if (change->old_mode)
		return compare_times(change->old_ctime, since) < 0
			       ? 0
			       : zs_apply_fail_stale(apply, change->path, "has changed during the run");
	fd = zs_overlay_openat(apply->overlay->lower, parent, O_PATH | O_DIRECTORY);
	if (fd == -ENOENT || fd == -ENOTDIR) /* the directory is a creation, too, and checked by its own change */
		return 0;
	if (fd < 0 || fstat(fd, &st) < 0)
		return zs_apply_fail(apply, change->path, fd < 0 ? fd : -errno);
	return compare_times(st.st_ctim, since) < 0
		       ? 0
		       : zs_apply_fail_stale(apply, *parent ? parent : ".",
				 "files in it have appeared or disappeared during the run");
}

static int check_one(struct zs_apply *apply, const struct zs_change *change, struct timespec since)
{
	int r = check_time(apply, change, since);

	return r < 0 ? r : zs_apply_check_old(apply, change);
}

int zs_apply_check_all(struct zs_apply *apply)
{
	struct timespec since = apply->options->since;
	uint64_t bytes = 0;

	if (!since.tv_sec && !since.tv_nsec)
		since = apply->overlay->since;
	for (size_t i = 0; i < apply->count; i++) {
		const struct zs_change *change = &apply->changes[i];
		int r;

		if (!zs_apply_applies(apply, i))
			continue;
		r = zs_overlay_stopped(apply->overlay) ? zs_apply_fail(apply, "", -ECANCELED) : 0;
		/* Inside a path that is not a directory yet there is nothing to check. */
		if (r == 0 && !apply->inside[i])
			r = check_one(apply, change, since);
		if (r < 0)
			return r;
		if (zs_apply_needs_file(change) && __builtin_add_overflow(bytes, change->new_size, &bytes))
			bytes = UINT64_MAX;
		if (bytes > (uint64_t)ZS_OVERLAY_APPLY_MIB_MAX << 20)
			return zs_error_say(apply->error, step, change->path, EFBIG,
				"more than %d MiB would be written", ZS_OVERLAY_APPLY_MIB_MAX);
	}
	return 0;
}
