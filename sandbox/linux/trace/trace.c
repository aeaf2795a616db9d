/* Follows a command by ptrace(2), from zs's own set-up to the end of all that it has started (man 2 ptrace). The walls
 * stand as always: the tracer only reads.
 *
 * zs's own processes are followed for their children, and not stopped at calls. From its exec on, with seccomp's
 * filter in effect, a process is the command's. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "linux/trace/trace_read.h"

enum {
	OPTIONS = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE |
		  PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL
};

struct task {
	struct zs_traced traced;
	bool born;    /* its parent has reported it */
	bool stopped; /* it waits for that report */
	bool command; /* it belongs to the command */
	bool pending; /* it is in a call */
	uint64_t number, arguments[6];
	char program[NAME_MAX + 1]; /* the name of the file that it executes */
	struct task *next;
};

enum { BUCKETS = 256 };

struct tracer {
	int proc;
	struct zs_denials *denials;
	struct task *tasks[BUCKETS];
	long filters;  /* of seccomp, which the child begins with */
	pid_t first;   /* the child */
	pid_t highest; /* the highest pid inside so far */
	int status;
	struct zs_refusal refusal;
	struct zs_trace_texts texts;
};

static struct task **tracer_slot(struct tracer *tracer, pid_t pid)
{
	struct task **slot = &tracer->tasks[(unsigned)pid % BUCKETS];

	while (*slot && (*slot)->traced.pid != pid)
		slot = &(*slot)->next;
	return slot;
}

/* NULL when out of memory: that task is not looked at. */
static struct task *find_or_add(struct tracer *tracer, pid_t pid)
{
	struct task **slot = tracer_slot(tracer, pid);

	if (!*slot) {
		*slot = calloc(1, sizeof **slot);
		if (*slot)
			(*slot)->traced = (struct zs_traced){ tracer->proc, pid, pid, 0 };
	}
	return *slot;
}

static void forget(struct tracer *tracer, pid_t pid)
{
	struct task **slot = tracer_slot(tracer, pid), *task = *slot;

	if (task) {
		*slot = task->next;
		free(task);
	}
}

static void go_on(const struct task *task, pid_t pid, int signal)
{
	ptrace(task && task->command ? PTRACE_SYSCALL : PTRACE_CONT, pid, NULL, (long)signal);
}

/* Learns which process the thread belongs to. */
static void identify(struct tracer *tracer, struct task *task)
{
	long group = zs_trace_status(tracer->proc, task->traced.pid, "\nTgid:", false);
	long inside = zs_trace_status(tracer->proc, task->traced.pid, "\nNStgid:", true);

	if (group > 0)
		task->traced.group = (pid_t)group;
	if (inside > 0)
		task->traced.inside = (pid_t)inside;
	if (task->command && task->traced.inside > tracer->highest)
		tracer->highest = task->traced.inside;
}

static void at_birth(struct tracer *tracer, const struct task *parent)
{
	unsigned long pid = 0;
	struct task *child;

	if (ptrace(PTRACE_GETEVENTMSG, parent->traced.pid, NULL, &pid) < 0)
		return;
	child = find_or_add(tracer, (pid_t)pid);
	if (!child)
		return;
	child->born = true;
	child->command = parent->command;
	identify(tracer, child);
	if (child->stopped) {
		child->stopped = false;
		go_on(child, child->traced.pid, 0);
	}
}

/* The thread that calls execve(2) takes the pid of its process. */
static void at_exec(struct tracer *tracer, struct task *task)
{
	unsigned long former = 0;

	if (ptrace(PTRACE_GETEVENTMSG, task->traced.pid, NULL, &former) == 0 && (pid_t)former != task->traced.pid)
		forget(tracer, (pid_t)former);
	task->pending = false;
	if (task->command)
		zs_denials_found(tracer->denials, task->traced.group, ZS_DENIAL_EXEC, task->program);
	else
		task->command =
			zs_trace_status(tracer->proc, task->traced.pid, "\nSeccomp_filters:", false) > tracer->filters;
	identify(tracer, task);
}

static void at_return(struct tracer *tracer, const struct task *task, int64_t result)
{
	struct zs_refusal *refusal = &tracer->refusal;

	if (!zs_trace_read(&task->traced, task->number, task->arguments, result, refusal, &tracer->texts))
		return;
	refusal->foreign = refusal->number > tracer->highest;
	if (refusal->error || refusal->attempt > ZS_ATTEMPT_READ)
		zs_denials_note(tracer->denials, refusal);
	else
		zs_denials_found(tracer->denials, task->traced.group, ZS_DENIAL_READ, refusal->path);
}

static void at_call(struct tracer *tracer, struct task *task)
{
	struct __ptrace_syscall_info info = { 0 };

	if (ptrace(PTRACE_GET_SYSCALL_INFO, task->traced.pid, sizeof info, &info) < 0)
		return;
	if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
		task->pending = true;
		task->number = info.entry.nr;
		memcpy(task->arguments, info.entry.args, sizeof task->arguments);
		if (task->number == SYS_execve)
			zs_trace_program(task->traced.pid, task->arguments[0], task->program);
	} else if (info.op == PTRACE_SYSCALL_INFO_EXIT && task->pending) {
		task->pending = false;
		at_return(tracer, task, info.exit.rval);
	}
}

static bool stops_jobs(int signal)
{
	return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

static void at_stop(struct tracer *tracer, struct task *task, int status)
{
	int signal = WSTOPSIG(status), event = status >> 16;
	pid_t pid = task->traced.pid;

	if (event == PTRACE_EVENT_STOP && !task->born) {
		task->stopped = true;
		return;
	}
	if (event == PTRACE_EVENT_STOP && stops_jobs(signal)) {
		ptrace(PTRACE_LISTEN, pid, NULL, NULL);
		return;
	}
	if (event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_VFORK || event == PTRACE_EVENT_CLONE)
		at_birth(tracer, task);
	else if (event == PTRACE_EVENT_EXEC)
		at_exec(tracer, task);
	else if (signal == (SIGTRAP | 0x80))
		at_call(tracer, task);
	go_on(task, pid, event || signal == (SIGTRAP | 0x80) ? 0 : signal);
}

static void at_end(struct tracer *tracer, pid_t pid, int status)
{
	const struct task *task = *tracer_slot(tracer, pid);

	if (pid == tracer->first)
		tracer->status = status;
	if (task && task->command && task->traced.group == pid)
		zs_denials_ended(tracer->denials, pid, WIFEXITED(status) ? WEXITSTATUS(status) : -1);
	forget(tracer, pid);
}

static void follow(struct tracer *tracer)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, __WALL)) > 0 || errno == EINTR) {
		struct task *task;

		if (pid < 0)
			continue;
		if (WIFEXITED(status) || WIFSIGNALED(status)) {
			at_end(tracer, pid, status);
			continue;
		}
		task = find_or_add(tracer, pid);
		if (task)
			at_stop(tracer, task, status);
		else
			go_on(NULL, pid, 0);
	}
}

int zs_denials_trace(struct zs_denials *denials, pid_t child, int go, int *ret_status, struct zs_error *error)
{
	ZS_AUTO_FD int proc = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct tracer *tracer = calloc(1, sizeof *tracer);
	struct task *first = NULL;
	int r = proc < 0 ? -errno : 0;

	if (r == 0 && tracer) {
		tracer->proc = proc;
		first = find_or_add(tracer, child);
	}
	if (r == 0 && !first)
		r = -ENOMEM;
	if (r == 0 && ptrace(PTRACE_SEIZE, child, NULL, (long)OPTIONS) < 0)
		r = -errno;
	if (r < 0)
		kill(child, SIGKILL);
	close(go);
	if (r == 0) {
		tracer->denials = denials;
		tracer->first = child;
		tracer->filters = zs_trace_status(tracer->proc, child, "\nSeccomp_filters:", false);
		first->born = true;
		follow(tracer);
		zs_denials_sort(denials);
		*ret_status = tracer->status;
	} else {
		waitpid(child, NULL, 0);
	}
	for (size_t i = 0; tracer && i < BUCKETS; i++)
		while (tracer->tasks[i])
			forget(tracer, tracer->tasks[i]->traced.pid);
	free(tracer);
	if (r == 0)
		return 0;
	zs_error_errno(error, "trace", "ptrace", -r);
	return zs_error_hint(error, r, "the machine's settings forbid tracing: see /proc/sys/kernel/yama/ptrace_scope");
}
