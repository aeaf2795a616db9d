#include <errno.h>
#include <string.h>
#include <sys/sysctl.h>
#include <unistd.h>

#include "darwin/process_table.h"
#include "approval/session_place.h"

int zs_process_start(pid_t pid, uint64_t *ret_start)
{
	struct zs_process process;
	int r = zs_processes_look(NULL, pid, &process);

	if (r == 0)
		*ret_start = process.start;
	return r;
}

int zs_session_leader(pid_t *ret_leader, uint64_t *ret_start)
{
	pid_t leader = getsid(0);

	if (leader <= 0)
		return leader < 0 ? -errno : -ESRCH;
	*ret_leader = leader;
	return zs_process_start(leader, ret_start);
}

int zs_boot_id(char *id, size_t size)
{
	return sysctlbyname("kern.bootsessionuuid", id, &size, NULL, 0) < 0 ? -errno : 0;
}
