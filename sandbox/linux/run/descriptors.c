/* Leaves the command descriptors 0, 1 and 2 and no other: an inherited directory, socket or pidfd is a hole that
 * neither Landlock nor a namespace closes. Supervisor and proxy may keep one each. */
#include "linux/base/stage.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "linux/overlay/overlay_channel.h"

/* A standard descriptor that is closed would be taken by the next open. /dev/null instead: reads end, writes vanish. */
static int fill_standard(void)
{
	for (int fd = 0; fd <= 2; fd++) {
		if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF)
			continue;
		/* The lowest free number, hence fd itself. */
		if (open("/dev/null", O_RDWR) < 0)
			return -errno;
	}
	return 0;
}

/* One of a network can be connected to another place than it was, also when the namespace is a new one: it stays of the
 * old. One of AF_UNIX can when it is not connected, or sends datagrams. */
static int check_socket(const struct zs_policy *policy, int fd, const char *name, struct zs_error *error)
{
	struct sockaddr_un peer;
	socklen_t peer_size = sizeof peer, domain_size = sizeof(int), type_size = sizeof(int);
	int domain, type;

	if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &domain_size) < 0 ||
		getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &type_size) < 0)
		return zs_error_errno(error, "", name, errno);
	if (domain != AF_UNIX && policy->network == ZS_NETWORK_FULL)
		return 0;
	if (domain == AF_UNIX &&
		(policy->sockets.count > 0 ||
			(type != SOCK_DGRAM && getpeername(fd, (struct sockaddr *)&peer, &peer_size) == 0)))
		return 0;
	zs_error_say(error, "", name, EPERM, "is a socket that can be connected to other places, and a way out");
	return zs_error_hint(error, -EPERM, "put a pipe between: cat | zs …");
}

/* A directory leads to all of the machine's files: openat(0, "..", …). */
int zs_standard_check(const struct zs_policy *policy, struct zs_error *error)
{
	static const char *const names[] = { "standard input", "standard output", "standard error" };
	int r = 0;

	for (int fd = 0; r == 0 && fd <= 2; fd++) {
		struct stat st;

		if (fstat(fd, &st) < 0)
			return zs_error_errno(error, "", names[fd], errno);
		if (S_ISSOCK(st.st_mode))
			r = check_socket(policy, fd, names[fd], error);
		if (!S_ISDIR(st.st_mode))
			continue;
		zs_error_say(error, "", names[fd], EISDIR, "is a directory, and a way out");
		return zs_error_hint(error, -EISDIR, "redirect it to a file or to /dev/null");
	}
	return r;
}

static int close_range_of(unsigned first, unsigned last)
{
	return first <= last && syscall(SYS_close_range, first, last, 0u) < 0 ? -errno : 0;
}

static int close_all_but(int one, int other)
{
	const int kept[] = { one < other ? one : other, one < other ? other : one };
	unsigned from = STDERR_FILENO + 1;

	for (size_t i = 0; i < ZS_COUNT(kept); i++) {
		int r;

		if (kept[i] < (int)from)
			continue;
		r = close_range_of(from, (unsigned)kept[i] - 1);
		if (r < 0)
			return r;
		from = (unsigned)kept[i] + 1;
	}
	return close_range_of(from, UINT_MAX);
}

/* One more is opened, and must be gone: close_range(2) may only be said to succeed. */
int zs_close_others(int one, int other)
{
	int strict = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	int r = strict < 0 ? -errno : close_all_but(one, other);

	if (r < 0 || fcntl(strict, F_GETFD) < 0)
		return r;
	close(strict);
	return -EPERM;
}

/* Inherited like all others, and no exec is to pass it on. */
static int keep_channel(int channel, struct zs_error *error)
{
	int r = zs_channel_check(channel);

	if (r == 0 && fcntl(channel, F_SETFD, FD_CLOEXEC) < 0)
		r = -errno;
	return r < 0 ? zs_error_errno(error, "", "the overlay's channel", -r) : 0;
}

int zs_stage_descriptors(struct zs_run *run, struct zs_error *error)
{
	int r = fill_standard();

	if (r < 0)
		return zs_error_errno(error, "", "/dev/null", -r);
	r = zs_close_others(run->channel, run->report);
	if (r < 0)
		return zs_error_errno(error, "", "close_range", -r);
	if (run->channel >= 0)
		r = keep_channel(run->channel, error);
	if (r == 0 && run->report >= 0 && fcntl(run->report, F_SETFD, FD_CLOEXEC) < 0)
		r = zs_error_errno(error, "", "the report", errno);
	return r < 0 ? r : zs_standard_check(run->policy, error);
}
