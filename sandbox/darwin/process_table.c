#include "darwin/process_table.h"

#include <errno.h>
#include <libproc.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/proc.h>
#include <sys/sysctl.h>
#include <unistd.h>

enum { MORE = 256, TRIES = 10, WAIT_MS = 2 };

/* proc_listpids() walks the kernel's list under its lock, so that all are of one moment; sysctl's KERN_PROC_ALL would
 * leave out what ends while it is copied (xnu, bsd/kern/proc_info.c, proc_listpids(); kern_proc.c, proc_iterate()). */
int zs_processes_list(void *context, pid_t **ret_pids, size_t *ret_count)
{
	(void)context;
	for (int i = 0; i < TRIES; i++) {
		int bytes = proc_listpids(PROC_ALL_PIDS, 0, NULL, 0), filled;
		pid_t *pids;

		if (bytes <= 0)
			return errno ? -errno : -EIO;
		bytes += MORE * (int)sizeof *pids;
		pids = malloc((size_t)bytes);
		if (!pids)
			return -ENOMEM;
		filled = proc_listpids(PROC_ALL_PIDS, 0, pids, bytes);
		if (filled > 0 && filled < bytes) {
			*ret_pids = pids;
			*ret_count = (size_t)filled / sizeof *pids;
			return 0;
		}
		/* Full: some may be missing. */
		free(pids);
		if (filled <= 0)
			return errno ? -errno : -EIO;
	}
	return -EAGAIN;
}

static uint64_t microseconds(uint64_t seconds, uint64_t more)
{
	return seconds * 1000000 + more;
}

/* proc_pidinfo() knows only one's own processes. This call knows all; but it goes through all for it. */
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
	/* 1: zombies too (proc_info.c, proc_pidinfo()). */
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
