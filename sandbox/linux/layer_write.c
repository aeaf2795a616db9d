/* Writes what a layer has in it to the workspace, under a temporary name. */
#include "layer_apply.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cleanup.h"

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

/* Root works in folders of others, and what it makes there is to be theirs: with the owner of what it replaces, else of
 * the folder. By descriptor, since the folder's owner could put another file in the new one's place. */
static int own(int fd, const struct zs_change *change, const struct zs_apply_place *place)
{
	struct stat owner;
	int r;

	if (geteuid() != 0)
		return 0;
	r = change && change->old_mode ? fstatat(place->folder, place->name, &owner, AT_SYMLINK_NOFOLLOW)
				       : fstat(place->folder, &owner);
	if (r < 0 || fchownat(fd, "", owner.st_uid, owner.st_gid, AT_EMPTY_PATH) < 0)
		return -errno;
	return 0;
}

/* The same of what was made by name: it is ours, and has no other. */
static int own_named(mode_t type, const struct zs_change *change, const struct zs_apply_place *place, const char *name)
{
	ZS_AUTO_FD int fd = openat(place->folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	if ((st.st_mode & S_IFMT) != type || st.st_uid != geteuid() || (!S_ISDIR(type) && st.st_nlink != 1))
		return -ESTALE;
	return own(fd, change, place);
}

int zs_apply_own_folder(const struct zs_apply_place *place, const char *name)
{
	return own_named(S_IFDIR, NULL, place, name);
}

/* The time goes along: make(1) reads it. */
static int copy_file(struct zs_apply *apply, const struct zs_change *change, const struct zs_apply_place *place)
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
	if (r == 0)
		r = own(to, change, place);
	if (r == 0 && fchmod(to, change->new_mode & ZS_PERMISSIONS) < 0)
		r = -errno;
	if (r == 0 && futimens(to, (struct timespec[]){ { .tv_nsec = UTIME_OMIT }, st.st_mtim }) < 0)
		r = -errno;
	if (r < 0)
		unlinkat(place->folder, place->temporary, 0);
	return r;
}

static int copy_link(struct zs_apply *apply, const struct zs_change *change, const struct zs_apply_place *place)
{
	ZS_AUTO_FREE char *target = NULL;
	int r = zs_layer_readlink(apply->layer->upper, change->path, &target);

	if (r == 0 && symlinkat(target, place->folder, place->temporary) < 0)
		r = -errno;
	if (r < 0)
		return r;
	r = own_named(S_IFLNK, change, place, place->temporary);
	if (r < 0)
		unlinkat(place->folder, place->temporary, 0);
	return r;
}

static int make_fifo(const struct zs_change *change, const struct zs_apply_place *place)
{
	int r;

	if (mkfifoat(place->folder, place->temporary, 0600) < 0)
		return -errno;
	r = own_named(S_IFIFO, change, place, place->temporary);
	if (r == 0 &&
		fchmodat(place->folder, place->temporary, change->new_mode & ZS_PERMISSIONS, AT_SYMLINK_NOFOLLOW) < 0)
		r = -errno;
	if (r < 0)
		unlinkat(place->folder, place->temporary, 0);
	return r;
}

int zs_apply_write(struct zs_apply *apply, const struct zs_change *change, const struct zs_apply_place *place)
{
	if (S_ISREG(change->new_mode))
		return copy_file(apply, change, place);
	if (S_ISLNK(change->new_mode))
		return copy_link(apply, change, place);
	if (S_ISFIFO(change->new_mode))
		return make_fifo(change, place);
	return -EOPNOTSUPP;
}
