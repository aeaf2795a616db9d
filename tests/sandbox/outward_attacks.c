#include "outward_attacks.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static int answer(long result)
{
	return result < 0 ? errno : 0;
}

static int send_by_pidfd(pid_t pid)
{
	long fd = syscall(SYS_pidfd_open, pid, 0);

	return fd < 0 ? errno : answer(syscall(SYS_pidfd_send_signal, fd, 0, NULL, 0));
}

static int limit(pid_t pid)
{
	struct rlimit limit;

	if (syscall(SYS_prlimit64, pid, RLIMIT_CORE, NULL, &limit) < 0)
		return errno;
	return answer(syscall(SYS_prlimit64, pid, RLIMIT_CORE, &limit, NULL));
}

/* Sets the affinity that the process already has. */
static int set_affinity(pid_t pid)
{
	cpu_set_t all;

	return sched_getaffinity(pid, sizeof all, &all) < 0 ? errno : answer(sched_setaffinity(pid, sizeof all, &all));
}

static int trace(pid_t pid)
{
	int status;

	if (ptrace(PTRACE_SEIZE, pid, NULL, NULL) < 0)
		return errno;
	ptrace(PTRACE_INTERRUPT, pid, NULL, NULL);
	waitpid(pid, &status, __WALL);
	ptrace(PTRACE_DETACH, pid, NULL, NULL);
	return 0;
}

/* Reads where no memory is: it counts that the call was allowed. */
static int read_memory(pid_t pid)
{
	char byte;
	struct iovec local = { &byte, 1 }, remote = { (void *)(intptr_t)8, 1 };

	return process_vm_readv(pid, &local, 1, &remote, 1, 0) < 0 && errno != EFAULT ? errno : 0;
}

static int open_in_proc(pid_t pid, const char *name, int flags)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
	return open(path, flags | O_CLOEXEC);
}

static int open_environment(pid_t pid)
{
	char path[64], byte;
	int fd;

	snprintf(path, sizeof path, "/proc/%d/environ", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? errno : answer(read(fd, &byte, 1));
}

/* The attacks that are one call, named by the call or by the file in /proc/PID. */
/* clang-format off */
#define ONE_CALLS(X) \
	X(kill, kill(pid, 0)) \
	X(tgkill, syscall(SYS_tgkill, pid, pid, 0)) \
	X(sigqueue, sigqueue(pid, 0, (union sigval){ 0 })) \
	X(sched_setscheduler, syscall(SYS_sched_setscheduler, pid, SCHED_OTHER, &(struct sched_param){ 0 })) \
	X(setpriority, setpriority(PRIO_PROCESS, (id_t)pid, getpriority(PRIO_PROCESS, (id_t)pid))) \
	X(ioprio_set, syscall(SYS_ioprio_set, 1 /* IOPRIO_WHO_PROCESS */, pid, 0)) \
	X(mem, open_in_proc(pid, "mem", O_RDWR)) \
	X(root, open_in_proc(pid, "root", O_PATH)) \
	X(cwd, open_in_proc(pid, "cwd/", O_RDONLY)) \
	X(fd, open_in_proc(pid, "fd/0", O_RDONLY)) \
	X(maps, open_in_proc(pid, "maps", O_RDONLY))
/* clang-format on */

#define ONE_CALL(name, result)                                                                                         \
	static int one_call_##name(pid_t pid)                                                                          \
	{                                                                                                              \
		return answer(result);                                                                                 \
	}
ONE_CALLS(ONE_CALL)

#define ROW_OF_CALL(name, result) { #name, one_call_##name },

/* clang-format off */
static const struct {
	const char *name;
	int (*run)(pid_t pid);
} on_processes[] = {
	ONE_CALLS(ROW_OF_CALL)
	{ "pidfd_send_signal", send_by_pidfd },
	{ "prlimit", limit },
	{ "sched_setaffinity", set_affinity },
	{ "ptrace", trace },
	{ "process_vm_readv", read_memory },
	{ "environ", open_environment },
};
/* clang-format on */

int attack_outward(const char *name, const char *target)
{
	for (size_t i = 0; i < sizeof on_processes / sizeof *on_processes; i++)
		if (strcmp(on_processes[i].name, name) == 0)
			return on_processes[i].run(strcmp(target, "parent") == 0 ? getppid() : atoi(target));
	fprintf(stderr, "no attack on others is called %s\n", name);
	return 98;
}
