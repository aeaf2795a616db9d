/* Exchanges the caller's regular files on standard descriptors. A file that is read is reopened on a read-only mount,
 * where fchmod(2) and its like fail; its final offset is copied to the caller's descriptor when the run has ended. A
 * file that is written cannot be opened on a read-only mount, so the command writes to a pipe and the supervisor copies
 * the pipe to the file. A file that the policy lets the command write by its path is not exchanged. */
#include "linux/files/standard_files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/mount.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/read_file.h"
#include "linux/base/mount_calls.h"

enum { CHUNK_BYTES = 64 * 1024 }; /* as much as a pipe holds */

static bool is_same_inode(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static int open_on_mount(const char *name, const struct stat *want)
{
	const unsigned attributes = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC;
	ZS_AUTO_FD int place = zs_open_place(AT_FDCWD, name);
	ZS_AUTO_FD int mount = -1;
	struct stat st;
	char path[32];

	if (place < 0)
		return place;
	if (fstat(place, &st) < 0)
		return -errno;
	if (!is_same_inode(&st, want))
		return -ESTALE;
	mount = zs_mount_clone(place, "", attributes);
	if (mount < 0)
		return mount;
	snprintf(path, sizeof path, "/proc/self/fd/%d", mount);
	return zs_standard_open(path, O_RDONLY, want);
}

/* May the caller's descriptor stay? It may when no path leads to the file, or this user may not open it for reading.
 * zs_standard_put_back() restores its mode and owner then. */
static bool may_stay(int cause)
{
	return cause == ENOENT || cause == ENOTDIR || cause == ELOOP || cause == ESTALE || cause == EACCES ||
	       cause == EINVAL || cause == ENAMETOOLONG || cause == EWOULDBLOCK;
}

static int prepare_reading(struct zs_standard_regular *file, int fd, const struct stat *st)
{
	char name[PATH_MAX];
	int flags = fcntl(fd, F_GETFL), r = flags < 0 ? -errno : zs_fd_path(fd, name);
	int again = r < 0 ? r : open_on_mount(name, st);

	if (again < 0)
		return may_stay(-again) ? 0 : again;
	file->position = lseek(fd, 0, SEEK_CUR);
	if (file->position < 0 || lseek(again, file->position, SEEK_SET) < 0 || fcntl(again, F_SETFL, 0) < 0) {
		r = -errno;
		close(again);
		return r;
	}
	file->inside = again;
	file->kind = ZS_STANDARD_READ;
	return 0;
}

/* Two descriptors of one file share a pipe, so that their lines keep their order. */
static int find_twin(const struct zs_standard_files *files, int fd, int flags)
{
	for (int other = 0; other < fd; other++)
		if (files->regular[other].kind == ZS_STANDARD_WRITTEN && files->regular[other].flags == flags &&
			is_same_inode(&files->before[other], &files->before[fd]))
			return other;
	return -1;
}

static int prepare_writing(struct zs_standard_files *files, int fd, int flags)
{
	struct zs_standard_regular *file = &files->regular[fd];
	int twin = find_twin(files, fd, flags), pair[2] = { -1, -1 };
	char name[PATH_MAX];
	int r = zs_fd_path(fd, name);

	if (r < 0)
		return r;
	file->name = strdup(name);
	if (!file->name)
		return -ENOMEM;
	if (twin >= 0)
		pair[1] = fcntl(files->regular[twin].inside, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (twin >= 0 ? pair[1] < 0 : pipe2(pair, O_CLOEXEC) < 0)
		return -errno;
	/* Non-blocking: the command can open the pipe in /proc and read the bytes that poll(2) told us of. */
	if (twin < 0 && fcntl(pair[0], F_SETFL, O_NONBLOCK) < 0)
		return -errno;
	file->outside = pair[0];
	file->inside = pair[1];
	file->flags = flags;
	file->kind = ZS_STANDARD_WRITTEN;
	return 0;
}

int zs_standard_prepare(struct zs_standard_files *files)
{
	int r = zs_standard_note(files);

	for (int fd = 0; r == 0 && fd < ZS_STANDARD_FILES; fd++) {
		const struct stat *st = &files->before[fd];
		int flags = S_ISREG(st->st_mode) ? fcntl(fd, F_GETFL) : O_PATH;

		if (flags < 0)
			r = -errno;
		else if (flags & O_PATH)
			continue;
		else if ((flags & O_ACCMODE) == O_RDONLY || (fd == STDIN_FILENO && (flags & O_ACCMODE) == O_RDWR))
			r = prepare_reading(&files->regular[fd], fd, st);
		else
			r = prepare_writing(files, fd, flags);
	}
	return r;
}

/* Can the command open the file for writing by its path? */
static bool can_write_by_path(const struct zs_standard_regular *file, const struct stat *st)
{
	ZS_AUTO_FD int fd = zs_standard_open(file->name, O_WRONLY | O_NOFOLLOW, st);

	return fd >= 0;
}

int zs_standard_take(struct zs_standard_files *files)
{
	for (int fd = 0; fd < ZS_STANDARD_FILES; fd++) {
		struct zs_standard_regular *file = &files->regular[fd];
		bool stays = file->kind == ZS_STANDARD_WRITTEN && can_write_by_path(file, &files->before[fd]);

		if (file->kind == ZS_STANDARD_KEPT)
			continue;
		if (!stays && dup2(file->inside, fd) < 0)
			return -errno;
		close(file->inside);
		if (file->outside >= 0 && file->kind == ZS_STANDARD_WRITTEN)
			close(file->outside);
		file->kind = ZS_STANDARD_KEPT;
		free(ZS_STEAL(file->name));
	}
	return 0;
}

/* RLIMIT_FSIZE binds the writing process, which is the supervisor. It blocks SIGXFSZ, so that write(2) fails. */
int zs_standard_hand_over(struct zs_standard_files *files, uint64_t most_bytes)
{
	struct rlimit limit;
	bool writes = false;

	for (int fd = 0; fd < ZS_STANDARD_FILES; fd++) {
		struct zs_standard_regular *file = &files->regular[fd];

		if (file->kind != ZS_STANDARD_WRITTEN)
			continue;
		close(file->inside);
		free(ZS_STEAL(file->name));
		writes = true;
	}
	if (!writes || !most_bytes)
		return 0;
	if (getrlimit(RLIMIT_FSIZE, &limit) < 0)
		return -errno;
	if (limit.rlim_cur > most_bytes)
		limit.rlim_cur = most_bytes;
	return setrlimit(RLIMIT_FSIZE, &limit) < 0 ? -errno : 0;
}

void zs_standard_events(const struct zs_standard_files *files, struct pollfd *events)
{
	for (int fd = 0; fd < ZS_STANDARD_FILES; fd++) {
		const struct zs_standard_regular *file = &files->regular[fd];

		events[fd] = (struct pollfd){ file->kind == ZS_STANDARD_WRITTEN ? file->outside : -1, POLLIN, 0 };
	}
}

/* Stops passing on after a failed write. The command gets SIGPIPE next. EFBIG has no message here: it stands for the
 * SIGXFSZ that the command would have got, which the supervisor reports as a limit. */
static void note_failure(struct zs_standard_files *files, int fd, int cause)
{
	static const char *const names[] = { "input", "output", "error" };

	files->cause = cause;
	if (cause != EFBIG)
		zs_notice("zs: standard %s: %s", names[fd], strerror(cause));
}

void zs_standard_pass_on(struct zs_standard_files *files, const struct pollfd *events)
{
	char bytes[CHUNK_BYTES];

	for (int fd = 0; fd < ZS_STANDARD_FILES; fd++) {
		struct zs_standard_regular *file = &files->regular[fd];
		ssize_t len;
		int r;

		if (events[fd].fd < 0 || !events[fd].revents)
			continue;
		len = read(file->outside, bytes, sizeof bytes);
		if (len < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		r = len < 0 ? -errno : zs_write_all(fd, bytes, (size_t)len);
		if (r < 0)
			note_failure(files, fd, -r);
		if (len > 0 && r == 0)
			continue;
		close(file->outside);
		file->outside = -1;
	}
}

void zs_standard_finish(struct zs_standard_files *files)
{
	struct pollfd events[ZS_STANDARD_FILES];

	/* No writer is left: the pipes hold all that will ever come. */
	for (;;) {
		zs_standard_events(files, events);
		if (poll(events, ZS_STANDARD_FILES, 0) <= 0)
			break;
		zs_standard_pass_on(files, events);
	}
	for (int fd = 0; fd < ZS_STANDARD_FILES; fd++) {
		const struct zs_standard_regular *file = &files->regular[fd];
		off_t end = file->kind == ZS_STANDARD_READ ? lseek(file->inside, 0, SEEK_CUR) : -1;

		if (end >= 0 && end != file->position && lseek(fd, end, SEEK_SET) < 0)
			note_failure(files, fd, errno);
	}
}
