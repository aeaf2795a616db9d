/* The stages that put this process's own state in order: its threads, signals, descriptors and environment. */
#include "linux/base/stage.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "linux/base/process_calls.h"
#include "linux/files/own_tmp.h"
#include "linux/files/standard_files.h"
#include "linux/overlay/overlay_channel.h"
#include "policy/environment.h"

/* Refuses a process that has more than one thread. Confinement applies to the calling thread, and the others would stay
 * free until the exec ends them. */
int zs_stage_threads(struct zs_run *run, struct zs_error *error)
{
	static const char tasks[] = "/proc/self/task";
	struct stat st;

	(void)run;
	/* One link for each thread beside "." and "..": proc_task_getattr() in fs/proc/base.c. */
	if (stat(tasks, &st) < 0) {
		int r = zs_error_errno(error, "", tasks, errno);

		return zs_error_hint(error, r, "mount proc on /proc");
	}
	if (st.st_nlink == 3)
		return 0;
	zs_error_say(error, "", "", EBUSY, "%lu threads are running", (unsigned long)st.st_nlink - 2);
	return zs_error_hint(error, -EBUSY, "call zs_exec_shim() first in main, or link zs_shim_constructor.o");
}

/* Sets the default action for SIGCHLD. If a parent ignores this signal, its children inherit that, and are not told
 * when their own children end (man 2 sigaction, SA_NOCLDWAIT): supervisor, init and watchdog would wait for ever. The
 * command gets the default action as well, as programs that start others expect. */
int zs_stage_signals(struct zs_run *run, struct zs_error *error)
{
	const struct sigaction action = { .sa_handler = SIG_DFL };

	(void)run;
	return sigaction(SIGCHLD, &action, NULL) < 0 ? zs_error_errno(error, "", "sigaction", errno) : 0;
}

/* Opens /dev/null for each standard descriptor that is closed; else the next open(2) would get its number. */
static int fill_standard(void)
{
	for (int fd = 0; fd <= 2; fd++) {
		if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF)
			continue;
		/* open(2) returns the lowest free number, which is fd. */
		if (open("/dev/null", O_RDWR) < 0)
			return -errno;
	}
	return 0;
}

/* The channel was inherited, and no exec may pass it on. */
static int keep_channel(int channel, struct zs_error *error)
{
	int r = zs_channel_check(channel);

	if (r == 0 && fcntl(channel, F_SETFD, FD_CLOEXEC) < 0)
		r = -errno;
	return r < 0 ? zs_error_errno(error, "", "the overlay's channel", -r) : 0;
}

/* Closes all descriptors but 0, 1 and 2. An inherited directory, socket or pidfd would be a hole that neither Landlock
 * nor a namespace closes. The supervisor may keep the overlay's channel and that of denials, and the proxy its report.
 */
int zs_stage_descriptors(struct zs_run *run, struct zs_error *error)
{
	int r = fill_standard();

	if (r < 0)
		return zs_error_errno(error, "", "/dev/null", -r);
	r = zs_close_others((const int[]){ run->channel, run->report, run->denials }, 3);
	if (r < 0)
		return zs_error_errno(error, "", "close_range", -r);
	if (run->channel >= 0)
		r = keep_channel(run->channel, error);
	if (r == 0 && run->report >= 0 && fcntl(run->report, F_SETFD, FD_CLOEXEC) < 0)
		r = zs_error_errno(error, "", "the report", errno);
	if (r == 0 && run->denials >= 0 && fcntl(run->denials, F_SETFD, FD_CLOEXEC) < 0)
		r = zs_error_errno(error, "", "the denials", errno);
	return r < 0 ? r : zs_standard_check(run->policy, error);
}

/* Makes the command's environment: the variables that the policy passes on, and those that it sets. */
int zs_stage_environment(struct zs_run *run, struct zs_error *error)
{
	int r = zs_env_filter(run->policy, run->envp, &run->env);

	if (r < 0)
		return zs_error_errno(error, "", "", -r);
	zs_own_tmp_name(run->own_tmp, run->env);
	return 0;
}
