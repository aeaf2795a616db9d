#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "approval/session_place.h"
#include "linux/base/process_calls.h"

int zs_process_start(pid_t pid, uint64_t *ret_start)
{
	return zs_proc_stat(pid, ZS_PROC_START, ret_start);
}

int zs_session_leader(pid_t *ret_leader, uint64_t *ret_start)
{
	pid_t leader = getsid(0);

	if (leader <= 0)
		return leader < 0 ? -errno : -ESRCH; /* 0: the leader is in another pid namespace */
	*ret_leader = leader;
	return zs_process_start(leader, ret_start);
}

int zs_boot_id(char *id, size_t size)
{
	ZS_AUTO_FD int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	ssize_t len = fd < 0 ? -1 : read(fd, id, size - 1);

	if (len <= 0)
		return len < 0 ? -errno : -EIO;
	id[len] = '\0';
	id[strcspn(id, "\n")] = '\0';
	return 0;
}
