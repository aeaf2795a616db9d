#include "darwin/process_table.h"

#include <errno.h>
#include <libproc.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/proc.h>
#include <sys/sysctl.h>
#include <unistd.h>

#include "approval/session_place.h"

enum { WAIT_MS = 2 };

int zs_kernel_list(zs_kernel_fill *fill, size_t size, void **ret_items, size_t *ret_count)
{
	enum { MORE = 256, TRIES = 10 };

	for (int i = 0; i < TRIES; i++) {
		int bytes, filled;
		void *items;

		errno = 0;
		bytes = fill(NULL, 0);
		if (bytes <= 0)
			return errno ? -errno : -EIO;
		bytes += MORE * (int)size;
		items = malloc((size_t)bytes);
		if (!items)
			return -ENOMEM;
		filled = fill(items, bytes);
		if (filled > 0 && filled < bytes) {
			*ret_items = items;
			*ret_count = (size_t)filled / size;
			return 0;
		}
		/* The buffer is full, so some items may be missing. */
		free(items);
		if (filled <= 0)
			return errno ? -errno : -EIO;
	}
	return -EAGAIN;
}

/* This call walks the kernel's list under its lock, so all pids are of one moment. sysctl's KERN_PROC_ALL leaves out
 * processes that end while the list is copied (xnu, bsd/kern/proc_info.c, proc_listpids(); kern_proc.c,
 * proc_iterate()). */
static int fill_pids(void *buffer, int bytes)
{
	return proc_listpids(PROC_ALL_PIDS, 0, buffer, bytes);
}

int zs_processes_list(void *context, pid_t **ret_pids, size_t *ret_count)
{
	(void)context;
	return zs_kernel_list(fill_pids, sizeof **ret_pids, (void **)ret_pids, ret_count);
}

static uint64_t microseconds(uint64_t seconds, uint64_t more)
{
	return seconds * 1000000 + more;
}

/* proc_pidinfo() works only for the user's own processes. This call works for all, but walks the whole list. */
static int look_by_sysctl(pid_t pid, struct zs_process *ret_process)
{
	int name[] = { CTL_KERN, KERN_PROC, KERN_PROC_PID, pid };
	struct kinfo_proc info;
	size_t size = sizeof info;

	if (sysctl(name, sizeof name / sizeof name[0], &info, &size, NULL, 0) < 0)
		return -errno;
	if (size != sizeof info)
		return -ESRCH;
	*ret_process = (struct zs_process){
		.real = info.kp_eproc.e_pcred.p_ruid,
		.effective = info.kp_eproc.e_ucred.cr_uid,
		.start = microseconds(
			(uint64_t)info.kp_proc.p_starttime.tv_sec, (uint64_t)info.kp_proc.p_starttime.tv_usec),
		.dead = info.kp_proc.p_stat == SZOMB,
	};
	return 0;
}

int zs_processes_look(void *context, pid_t pid, struct zs_process *ret_process)
{
	struct proc_bsdinfo info;
	int size;

	(void)context;
	errno = 0;
	/* The argument 1 includes zombies (proc_info.c, proc_pidinfo()). */
	size = proc_pidinfo(pid, PROC_PIDTBSDINFO, 1, &info, sizeof info);
	if (size != sizeof info && errno == EPERM)
		return look_by_sysctl(pid, ret_process);
	if (size != sizeof info)
		return errno ? -errno : -EIO;
	*ret_process = (struct zs_process){
		.real = info.pbi_ruid,
		.effective = info.pbi_uid,
		.start = microseconds(info.pbi_start_tvsec, info.pbi_start_tvusec),
		.dead = info.pbi_status == SZOMB,
	};
	return 0;
}

int zs_processes_kill(void *context, pid_t pid)
{
	(void)context;
	return kill(pid, SIGKILL) < 0 ? -errno : 0;
}

void zs_processes_wait(void *context)
{
	(void)context;
	poll(NULL, 0, WAIT_MS);
}

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
