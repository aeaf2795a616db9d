#include "linux/base/namespace_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/read_file.h"

static int write_file(const char *path, const char *text)
{
	ZS_AUTO_FD int fd = open(path, O_WRONLY | O_CLOEXEC);

	return fd < 0 ? -errno : zs_write_all(fd, text, strlen(text));
}

struct ids {
	uid_t uid;
	gid_t gid;
};

static int enter(int flags, struct ids outside, struct ids inside, const char **ret_object)
{
	char uid_map[64], gid_map[64];
	/* An ordinary user may write gid_map only after giving up setgroups(2): man 7 user_namespaces. */
	const char *const files[][2] = {
		{ "/proc/self/setgroups", "deny" },
		{ "/proc/self/uid_map", uid_map },
		{ "/proc/self/gid_map", gid_map },
	};

	snprintf(uid_map, sizeof uid_map, "%u %u 1\n", inside.uid, outside.uid);
	snprintf(gid_map, sizeof gid_map, "%u %u 1\n", inside.gid, outside.gid);
	*ret_object = "unshare";
	if (unshare(flags) < 0)
		return -errno;
	for (size_t i = 0; i < ZS_COUNT(files); i++) {
		int r = write_file(files[i][0], files[i][1]);

		*ret_object = files[i][0];
		if (r < 0)
			return r;
	}
	return 0;
}

int zs_namespaces_enter(int flags, uid_t uid, gid_t gid, const char **ret_object)
{
	return enter(flags, (struct ids){ uid, gid }, (struct ids){ uid, gid }, ret_object);
}

int zs_namespaces_enter_as_root(int flags, uid_t uid, gid_t gid, const char **ret_object)
{
	return enter(flags, (struct ids){ uid, gid }, (struct ids){ 0, 0 }, ret_object);
}

int zs_loopback_up(void)
{
	ZS_AUTO_FD int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct ifreq request = { .ifr_name = "lo" };

	/* man 7 netdevice */
	if (fd < 0 || ioctl(fd, SIOCGIFFLAGS, &request) < 0)
		return -errno;
	request.ifr_flags = (short)(request.ifr_flags | IFF_UP);
	return ioctl(fd, SIOCSIFFLAGS, &request) < 0 ? -errno : 0;
}

/* Linux 5.14 (net/core/sock.c); not in musl's headers. */
#ifndef SO_NETNS_COOKIE
#define SO_NETNS_COOKIE 71
#endif

int zs_network_of(int fd, uint64_t *ret_cookie)
{
	ZS_AUTO_FD int own = fd < 0 ? socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0) : -1;
	socklen_t size = sizeof *ret_cookie;

	*ret_cookie = 0;
	return getsockopt(fd < 0 ? own : fd, SOL_SOCKET, SO_NETNS_COOKIE, ret_cookie, &size) < 0 ? -errno : 0;
}
