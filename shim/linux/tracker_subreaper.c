/* Tracks a command without a cgroup, by two more processes. The host's child stands for the command: it passes signals
 * on and ends as the command does. Its child, the subreaper (man 2 PR_SET_CHILD_SUBREAPER), becomes the parent of every
 * orphan of the command. The subreaper lives as long as it has children, and kills them when the watchdog shuts the
 * connection down. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/scheduling.h"
#include "tracker_shim.h"

/* The descriptors of both processes. All others are closed: a reader in the host must see the end of the command's
 * pipes. */
enum {
	CONNECTION, /* to the watchdog */
	OTHER,      /* a socket between the two processes */
	SIGNALS,    /* a signalfd */
	CHILDREN,   /* /proc/thread-self/children */
	DESCRIPTORS
};

/* Moves fds to these numbers (-1: none) and closes all others. Exits on failure: without its descriptors the process is
 * of no use, and the command does not outlive the subreaper. */
static void keep_descriptors(const int fds[DESCRIPTORS])
{
	int copies[DESCRIPTORS];

	/* Copies them out of each other's way first. */
	for (int i = 0; i < DESCRIPTORS; i++) {
		copies[i] = fds[i] < 0 ? -1 : fcntl(fds[i], F_DUPFD_CLOEXEC, DESCRIPTORS);
		if (fds[i] >= 0 && copies[i] < 0) {
			dprintf(STDERR_FILENO, "zs: tracker: descriptors: %s\n", strerror(errno));
			_exit(ZS_EXIT_CANNOT_ENFORCE);
		}
	}
	for (int i = 0; i < DESCRIPTORS; i++)
		if (copies[i] < 0)
			close(i);
		else
			dup3(copies[i], i, O_CLOEXEC);
	syscall(SYS_close_range, (unsigned)DESCRIPTORS, ~0u, 0u);
}

/* The host's child */

/* Ends as the command has ended, so that the host sees the same WTERMSIG(). */
static _Noreturn void end_as(int status)
{
	const struct rlimit none = { 0, 0 };
	sigset_t one;

	if (WIFEXITED(status))
		_exit(WEXITSTATUS(status));
	setrlimit(RLIMIT_CORE, &none);
	signal(WTERMSIG(status), SIG_DFL);
	kill(getpid(), WTERMSIG(status));
	sigemptyset(&one);
	sigaddset(&one, WTERMSIG(status));
	sigprocmask(SIG_UNBLOCK, &one, NULL);
	_exit(128 + WTERMSIG(status));
}

/* Passes a signal on to the command, unless the terminal has sent it to the whole process group. The supervisor of a
 * confined run does the same (sandbox/linux/run/supervisor.c). */
static void pass_on(void)
{
	struct signalfd_siginfo signal;
	int number;

	if (read(SIGNALS, &signal, sizeof signal) != (ssize_t)sizeof signal)
		return;
	number = (int)signal.ssi_signo;
	if (number == SIGCHLD)
		return;
	if (signal.ssi_code != SI_KERNEL)
		zs_tracker_send(OTHER, &number, sizeof number, -1);
	if (number == SIGTSTP || number == SIGTTIN || number == SIGTTOU)
		kill(getpid(), SIGSTOP);
}

static _Noreturn void stand_for(pid_t subreaper)
{
	struct pollfd events[] = { { OTHER, POLLIN, 0 }, { SIGNALS, POLLIN, 0 } };
	int status;

	zs_use_short_slices();
	for (;;) {
		if (poll(events, ZS_COUNT(events), -1) < 0)
			continue;
		if (events[1].revents)
			pass_on();
		if (!events[0].revents)
			continue;
		if (zs_tracker_receive(OTHER, &status, sizeof status, NULL) == 0)
			end_as(status);
		/* The subreaper has failed, with a message, or was killed. */
		while (waitpid(subreaper, &status, 0) < 0 && errno == EINTR) {
		}
		end_as(status);
	}
}

/* The subreaper */

struct subreaper {
	pid_t command;   /* 0: the command has ended */
	unsigned reaped; /* number of children reaped so far */
};

/* Reaps ended children, and reports the command's status. False: no children are left. */
static bool reap(struct subreaper *subreaper)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		subreaper->reaped++;
		if (pid != subreaper->command)
			continue;
		subreaper->command = 0;
		zs_tracker_send(OTHER, &status, sizeof status, -1);
		close(OTHER);
	}
	return pid == 0;
}

/* Kills all children. Their pids cannot be reused before this process has reaped them. */
static void kill_children(void)
{
	char text[4096], *at = text;
	ssize_t len = pread(CHILDREN, text, sizeof text - 1, 0);

	text[len < 0 ? 0 : len] = '\0';
	for (;;) {
		char *end;
		long pid = strtol(at, &end, 10);

		/* The last number may be cut off; the next call reads it again. */
		if (end == at || *end != ' ')
			return;
		kill((pid_t)pid, SIGKILL);
		at = end;
	}
}

/* Kills all children, again and again: the children of a killed child become this process's. */
static _Noreturn void end_all(struct subreaper *subreaper)
{
	enum { END_MS = 10000 };
	struct zs_tracker_answer failure = { -ETIMEDOUT, ZS_TRACKER_SUBREAPER };
	int64_t deadline = zs_now_ms() + END_MS;

	do {
		unsigned before = subreaper->reaped;

		kill_children();
		if (!reap(subreaper))
			_exit(0);
		/* Pauses only when no child was reaped, so that a fork bomb gets no time. */
		if (subreaper->reaped == before)
			poll(NULL, 0, 1);
	} while (zs_now_ms() < deadline);
	zs_tracker_send(CONNECTION, &failure, sizeof failure, -1);
	_exit(ZS_EXIT_CANNOT_ENFORCE);
}

/* Passes on a signal that the host has sent to the process that stands for the command. When that has been killed, so
 * is the command. */
static void tracker_subreaper_take_signal(const struct subreaper *subreaper, struct pollfd *event)
{
	int number = SIGKILL;

	if (zs_tracker_receive(OTHER, &number, sizeof number, NULL) < 0)
		event->fd = -1;
	if (subreaper->command)
		kill(subreaper->command, number);
}

static _Noreturn void be_subreaper(pid_t command)
{
	struct pollfd events[] = { { CONNECTION, POLLIN, 0 }, { OTHER, POLLIN, 0 }, { SIGNALS, POLLIN, 0 } };
	struct subreaper subreaper = { command, 0 };

	zs_use_short_slices();
	for (;;) {
		struct signalfd_siginfo signal;

		if (!reap(&subreaper))
			_exit(0);
		if (!subreaper.command)
			events[1].fd = -1;
		if (poll(events, ZS_COUNT(events), -1) < 0)
			continue;
		if (events[0].revents)
			end_all(&subreaper);
		if (events[1].revents)
			tracker_subreaper_take_signal(&subreaper, &events[1]);
		if (events[2].revents && read(SIGNALS, &signal, sizeof signal) < 0)
			continue;
	}
}

/* The host's signal mask and SIGCHLD action, which the command gets back. */
struct signals_of_host {
	sigset_t mask;
	struct sigaction child;
};

/* Makes this process the subreaper and forks; returns in the child, which becomes the command. */
static int start_command(int fds[DESCRIPTORS], const struct signals_of_host *host, struct zs_error *error)
{
	pid_t subreaper = getpid(), command;

	if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0)
		return zs_error_errno(error, "tracker", "subreaper", errno);
	fds[CHILDREN] = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
	if (fds[CHILDREN] < 0)
		return zs_error_errno(error, "tracker", "/proc/thread-self/children", errno);
	command = fork();
	if (command < 0)
		return zs_error_errno(error, "tracker", "fork", errno);
	if (command > 0) {
		setsid(); /* the subreaper alone: the command keeps the host's process group and terminal */
		keep_descriptors(fds);
		be_subreaper(command);
	}
	/* Ends the command if the subreaper is killed. */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0)
		return zs_error_errno(error, "tracker", "pdeathsig", errno);
	if (getppid() != subreaper)
		return zs_error_say(error, "tracker", "", ESRCH, "the subreaper has ended");
	if (sigaction(SIGCHLD, &host->child, NULL) < 0 || sigprocmask(SIG_SETMASK, &host->mask, NULL) < 0)
		return zs_error_errno(error, "tracker", "sigprocmask", errno);
	return 0;
}

int zs_tracker_reap(int *connection, struct zs_error *error)
{
	const struct sigaction told = { .sa_handler = SIG_DFL };
	struct signals_of_host host;
	int pair[2];
	sigset_t all;
	int signals;
	pid_t subreaper;

	sigfillset(&all);
	if (sigprocmask(SIG_BLOCK, &all, &host.mask) < 0)
		return zs_error_errno(error, "tracker", "sigprocmask", errno);
	/* A host that ignores SIGCHLD has passed that on, and this process would not learn that a child has ended. */
	if (sigaction(SIGCHLD, &told, &host.child) < 0)
		return zs_error_errno(error, "tracker", "sigaction", errno);
	signals = signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
	if (signals < 0)
		return zs_error_errno(error, "tracker", "signalfd", errno);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return zs_error_errno(error, "tracker", "socketpair", errno);
	subreaper = fork();
	if (subreaper < 0)
		return zs_error_errno(error, "tracker", "fork", errno);
	if (subreaper > 0) {
		keep_descriptors((int[DESCRIPTORS]){ -1, pair[0], signals, -1 });
		stand_for(subreaper);
	}
	close(pair[0]);
	return start_command((int[DESCRIPTORS]){ *connection, pair[1], signals, -1 }, &host, error);
}
