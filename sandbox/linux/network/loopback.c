/* Raises lo in an own network, so that a command can talk to itself. */
#include "linux/base/stage.h"

#include <errno.h>
#include <net/if.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "base/cleanup.h"
#include "base/error.h"

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

int zs_stage_loopback(struct zs_run *run, struct zs_error *error)
{
	int r;

	if (run->policy->network == ZS_NETWORK_FULL)
		return 0;
	r = zs_loopback_up();
	return r < 0 ? zs_error_errno(error, "", "lo", -r) : 0;
}
