#include "inject.h"

#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>

#include "call_names.h"
#include "harness.h"
#include "registers.h"

enum { PROCESSES_MAX = 64, CALLS_MAX = 512 };

struct process {
	pid_t pid;
	unsigned calls, image;
	unsigned short seen[CALLS_MAX];
	bool ended;   /* it may have ended before its parent's report of it comes */
	bool new;     /* its first SIGSTOP comes from the tracer */
	bool known;   /* its parent has reported it */
	bool held;    /* held until then, or its first calls would count as the harness's */
	bool startup; /* its program has made no call of its own yet */
	bool skipped; /* the call in progress is being skipped */
	bool vforked; /* the kernel holds it until its child releases its memory */
	bool waits;   /* held before that call, until all others are at rest */
	bool executes_command;
	long last; /* the last call */
	long result;
};

struct tracer {
	const struct injection *injection;
	struct outcome *outcome;
	struct process processes[PROCESSES_MAX];
	unsigned count;
	pid_t root;
	bool over; /* the command was allowed to begin: later calls of other processes are not the set-up */
};

static const struct call_row *find_row(long number)
{
	for (size_t i = 0; i < sizeof call_rows / sizeof *call_rows; i++)
		if (call_rows[i].number == number)
			return &call_rows[i];
	return NULL;
}

const char *call_name(long number)
{
	const struct call_row *row = find_row(number);
	static char text[24];

	if (row)
		return row->name;
	snprintf(text, sizeof text, "%ld", number);
	return text;
}

static struct process *find(struct tracer *tracer, pid_t pid)
{
	for (unsigned i = 0; i < tracer->count; i++)
		if (tracer->processes[i].pid == pid)
			return &tracer->processes[i];
	return NULL;
}

/* A process's first stop and its parent's report of it come in either order. */
static struct process *find_or_add(struct tracer *tracer, pid_t pid, const struct process *parent)
{
	struct process *process = find(tracer, pid);

	if (!process && tracer->count < PROCESSES_MAX) {
		process = &tracer->processes[tracer->count++];
		*process = (struct process){ .pid = pid, .new = true };
	}
	if (process && parent) {
		process->image = parent->image;
		process->known = true;
	}
	return process;
}

static size_t read_memory(pid_t pid, uint64_t address, char *to, size_t size)
{
	struct iovec local = { to, size }, remote = { NULL, size };
	ssize_t len;

	memcpy(&remote.iov_base, &address, sizeof remote.iov_base);
	len = process_vm_readv(pid, &local, 1, &remote, 1, 0);
	return len < 0 ? 0 : (size_t)len;
}

/* Reads page by page: the page after the text's last one may not exist. */
static void read_path(pid_t pid, uint64_t address, char *path, size_t size)
{
	size_t len = 0;

	memset(path, 0, size);
	while (address && len + 1 < size && !memchr(path, '\0', len)) {
		size_t page = 4096 - ((address + len) & 4095), room = size - 1 - len;
		size_t got = read_memory(pid, address + len, path + len, room < page ? room : page);

		if (got == 0)
			return;
		len += got;
	}
}

static void describe(
	struct tracer *tracer, struct process *process, const struct __ptrace_syscall_info *info, struct call *ret_call)
{
	long number = (long)info->entry.nr;
	const struct call_row *row = find_row(number);
	struct call call = { .process = (unsigned)(process - tracer->processes), .number = number };

	memcpy(call.arguments, info->entry.args, sizeof call.arguments);
	call.startup = process->startup;
	/* With musl this is the last call before the first constructor; with glibc it is nearly the last. */
	process->startup = process->startup && number != SYS_set_tid_address;
	call.ordinal = process->calls++;
	call.image = process->image;
	if (number >= 0 && number < CALLS_MAX)
		call.occurrence = ++process->seen[number];
	if (row && row->path >= 0)
		read_path(process->pid, call.arguments[row->path], call.path, sizeof call.path);
	/* The call of the first stage: zs becomes the shim without another exec. */
	if (process->image == 1 && !call.startup && strcmp(call.path, "/proc/self/task") == 0)
		call.image = process->image = 2;
	/* An ordinary user's tracer cannot read the memory of a process that is not dumpable. From the shim on, no
	 * other program is executed. */
	call.command = number == SYS_execve &&
		       (strcmp(call.path, tracer->injection->command) == 0 || (!*call.path && process->image > 1));
	*ret_call = call;
}

/* This call would end other processes in the middle of their work, or end the tracing. The scheduler decides how far
 * they are, so they finish first, and each run has the same calls. That is also the worst order: if a command begins
 * before a step of its supervisor that can still fail, this shows it. */
static bool comes_last(const struct call *call)
{
	bool kills = call->number == SYS_kill || call->number == SYS_pidfd_send_signal;

	return call->command || (kills && call->arguments[1] == SIGKILL);
}

static void at_entry(struct tracer *tracer, struct process *process, const struct __ptrace_syscall_info *info)
{
	bool again = process->last == SYS_nanosleep && (long)info->entry.nr == SYS_nanosleep;
	struct call call;

	process->last = (long)info->entry.nr;
	/* A process that asks for the time may do so any number of times. */
	if (again)
		return;
	describe(tracer, process, info, &call);
	process->executes_command = call.command;
	process->skipped =
		tracer->injection->filter && tracer->injection->filter(&call, &process->result, tracer->injection->arg);
	if (process->skipped)
		registers_skip_call(process->pid);
	process->waits = (process->skipped && tracer->injection->late) || comes_last(&call);
}

static void at_call(struct tracer *tracer, struct process *process)
{
	struct __ptrace_syscall_info info = { 0 };

	process->vforked = false;
	if (ptrace(PTRACE_GET_SYSCALL_INFO, process->pid, sizeof info, &info) < 0)
		return;
	if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
		/* Calls of the harness, before it becomes the program */
		if (process->image > 0 && !tracer->over)
			at_entry(tracer, process, &info);
	} else if (info.op == PTRACE_SYSCALL_INFO_EXIT && process->skipped) {
		registers_set_result(process->pid, process->result);
		process->skipped = false;
	}
}

static void go_on(struct tracer *tracer, pid_t pid, int signal)
{
	const struct process *process = find(tracer, pid);
	bool ends_call = process && process->skipped;

	/* The command's own calls do not matter, but its children are followed. Calls of other processes do not matter
	 * from then on either, except one that is being skipped, which still needs its result. */
	ptrace(tracer->outcome->ran && !ends_call ? PTRACE_CONT : PTRACE_SYSCALL, pid, NULL, (long)signal);
}

static void at_birth(struct tracer *tracer, const struct process *parent)
{
	unsigned long pid = 0;
	struct process *child;

	ptrace(PTRACE_GETEVENTMSG, parent->pid, NULL, &pid);
	child = find_or_add(tracer, (pid_t)pid, parent);
	if (!child || !child->held)
		return;
	child->held = false;
	go_on(tracer, child->pid, 0);
}

static void at_event(struct tracer *tracer, struct process *process, int event)
{

	process->vforked = event == PTRACE_EVENT_VFORK;
	switch (event) {
	case PTRACE_EVENT_FORK:
	case PTRACE_EVENT_VFORK:
	case PTRACE_EVENT_CLONE:
		at_birth(tracer, process);
		break;
	case PTRACE_EVENT_EXEC:
		process->image++;
		process->startup = true;
		if (process->executes_command)
			tracer->outcome->ran = true;
		break;
	default:
		break;
	}
}

/* Returns the signal with which the process goes on. */
static int at_stop(struct tracer *tracer, struct process *process, int status)
{
	int signal = WSTOPSIG(status), event = status >> 16;

	if (event) {
		at_event(tracer, process, event);
		return 0;
	}
	if (signal == (SIGTRAP | 0x80)) {
		at_call(tracer, process);
		return 0;
	}
	if (signal == SIGSTOP && process->new) {
		process->new = false;
		process->held = !process->known;
		return 0;
	}
	return signal;
}

static void handle(struct tracer *tracer, pid_t pid, int status)
{
	struct process *process = find_or_add(tracer, pid, NULL);
	int signal;

	if (!WIFSTOPPED(status)) {
		if (pid == tracer->root)
			tracer->outcome->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
		if (process)
			process->ended = true;
		return;
	}
	if (!process) {
		kill(pid, SIGKILL);
		return;
	}
	signal = at_stop(tracer, process, status);
	if (!process->held && !process->waits)
		go_on(tracer, pid, signal);
}

/* The process sleeps until another process or a signal wakes it. */
static bool is_at_rest(const struct process *process)
{
	char path[32], text[512];
	const char *state;
	int fd;
	ssize_t len;

	if (process->ended || process->waits)
		return true;
	snprintf(path, sizeof path, "/proc/%d/stat", (int)process->pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	len = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
	if (fd >= 0)
		close(fd);
	text[len < 0 ? 0 : len] = '\0';
	state = strrchr(text, ')');
	if (!state || process->last == SYS_nanosleep)
		return false;
	return state[2] == 'S' || (state[2] == 'D' && process->vforked);
}

/* Takes the command's exec first. */
static struct process *find_waiting(struct tracer *tracer)
{
	struct process *found = NULL;

	for (unsigned i = 0; i < tracer->count; i++) {
		struct process *process = &tracer->processes[i];

		if (process->waits && !process->ended && (!found || process->executes_command))
			found = process;
	}
	return found;
}

/* Called when no process has reported anything just now. */
static void release(struct tracer *tracer, struct process *waiting)
{
	for (unsigned i = 0; i < tracer->count; i++)
		if (!is_at_rest(&tracer->processes[i])) {
			nanosleep(&(struct timespec){ .tv_nsec = 100000 }, NULL);
			return;
		}
	waiting->waits = false;
	tracer->over = tracer->over || (waiting->executes_command && !waiting->skipped);
	go_on(tracer, waiting->pid, 0);
}

static void interrupt(int signal)
{
	(void)signal;
}

static time_t seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/* Goes on until all processes have ended. */
static void trace(struct tracer *tracer)
{
	time_t deadline = seconds_now() + INJECT_SECONDS + 1; /* time(2) cuts the part of a second off */

	for (;;) {
		int status;
		struct process *waiting = find_waiting(tracer);
		pid_t pid = waitpid(-1, &status, __WALL | (waiting ? WNOHANG : 0));

		if (pid < 0 && errno != EINTR)
			return;
		if (pid > 0)
			handle(tracer, pid, status);
		else if (pid == 0)
			release(tracer, waiting);
		if (seconds_now() < deadline)
			continue;
		tracer->outcome->timed_out = true;
		for (unsigned i = 0; i < tracer->count; i++)
			if (!tracer->processes[i].ended)
				kill(tracer->processes[i].pid, SIGKILL);
	}
}

/* Sends signals at intervals, so that a wait that began just after one is interrupted by the next. */
static void trace_in_time(struct tracer *tracer)
{
	const struct itimerval ticks = { { 0, 200000 }, { 0, 200000 } }, none = { 0 };
	struct sigaction ours = { .sa_handler = interrupt }, old;

	sigaction(SIGALRM, &ours, &old);
	setitimer(ITIMER_REAL, &ticks, NULL);
	trace(tracer);
	setitimer(ITIMER_REAL, &none, NULL);
	sigaction(SIGALRM, &old, NULL);
}

static _Noreturn void become_program(const struct injection *injection, int err)
{
	int null = open("/dev/null", O_RDWR);

	dup2(null, 0);
	dup2(null, 1);
	dup2(err, 2);
	syscall(SYS_close_range, 3u, ~0u, 0u);
	if (ptrace(PTRACE_TRACEME) < 0)
		_exit(HARNESS_FAILED);
	raise(SIGSTOP);
	if (injection->uid != geteuid() &&
		(setgroups(0, NULL) < 0 || setresgid(injection->uid, injection->uid, injection->uid) < 0 ||
			setresuid(injection->uid, injection->uid, injection->uid) < 0))
		_exit(HARNESS_FAILED);
	if (chdir(injection->cwd) == 0)
		execve(injection->argv[0], injection->argv, injection->envp);
	perror(injection->argv[0]);
	_exit(HARNESS_FAILED);
}

static int attach(pid_t pid)
{
	const long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE |
			     PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
	int status;

	if (waitpid(pid, &status, 0) < 0)
		return -errno;
	if (!WIFSTOPPED(status))
		return -EPERM;
	if (ptrace(PTRACE_SETOPTIONS, pid, NULL, options) < 0 || ptrace(PTRACE_SYSCALL, pid, NULL, 0L) < 0) {
		int r = -errno;

		kill(pid, SIGKILL);
		waitpid(pid, &status, __WALL);
		return r;
	}
	return 0;
}

/* The tracer and the traced processes wait for each other at every call. On one processor that is a switch between
 * them. On two it wakes an idle processor, which costs a virtual machine many times as much. */
static void share_one_processor(cpu_set_t *ret_old)
{
	cpu_set_t here;

	sched_getaffinity(0, sizeof *ret_old, ret_old);
	CPU_ZERO(&here);
	CPU_SET((size_t)sched_getcpu(), &here);
	sched_setaffinity(0, sizeof here, &here);
}

int inject_run(const struct injection *injection, struct outcome *ret_outcome)
{
	struct outcome outcome = { .status = -1 };
	struct tracer tracer = { .injection = injection, .outcome = &outcome, .count = 1 };
	int err = memfd_create("err", MFD_CLOEXEC), r;
	ssize_t len;
	cpu_set_t processors;

	fflush(stdout);
	share_one_processor(&processors);
	tracer.root = fork();
	if (tracer.root == 0)
		become_program(injection, err);
	tracer.processes[0].pid = tracer.root;
	tracer.processes[0].known = true;
	r = tracer.root < 0 ? -errno : attach(tracer.root);
	if (r == 0)
		trace_in_time(&tracer);
	sched_setaffinity(0, sizeof processors, &processors);
	len = pread(err, outcome.err, sizeof outcome.err - 1, 0);
	outcome.err[len < 0 ? 0 : len] = '\0';
	close(err);
	outcome.processes = tracer.count;
	*ret_outcome = outcome;
	return r;
}
