/* The supervisor: the process that the caller knows. It stays outside of the sandbox, and forks the process that goes
 * on. It waits, passes signals on, and ends the run when its own parent has ended or the time limit is reached. Then it
 * ends what the command has left, and exits as the command did. The watchdog stands beside it. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/event.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "darwin/mac_stage.h"
#include "enforce/inside.h"
#include "policy/policy.h"

enum { CANNOT_ENFORCE = 125 };

struct supervisor {
	struct zs_run *run;
	pid_t child;
	int lifeline, queue;
	int64_t deadline; /* INT64_MAX: there is none */
};

static void say_reached(const struct zs_policy *policy, enum zs_limit limit, const char *word)
{
	char value[32];

	zs_policy_limit_text(policy, limit, value, sizeof value);
	dprintf(STDERR_FILENO, "zs: %s limit %s reached\n", word, value);
}

/* A signal that is typed at the terminal goes to the whole foreground group, so the command gets it as well. kqueue
 * does not tell who sent a signal. So a program that sends one of these to the supervisor does not reach the command;
 * SIGTERM does. */
static bool is_typed(int number)
{
	bool typed;
	int tty;

	if (number != SIGINT && number != SIGQUIT && number != SIGTSTP)
		return false;
	tty = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);
	if (tty < 0)
		return false;
	typed = tcgetpgrp(tty) == getpgrp();
	close(tty);
	return typed;
}

static void supervisor_take_signal(const struct supervisor *supervisor, int number)
{
	if (number == SIGCHLD)
		return;
	if (!is_typed(number))
		kill(supervisor->child, number);
	/* ^Z: the shell that started zs waits for the supervisor to stop. */
	if (number == SIGTSTP || number == SIGTTIN || number == SIGTTOU)
		kill(getpid(), SIGSTOP);
}

/* Signals are blocked; the queue reports each attempt to deliver one (man 2 kqueue, EVFILT_SIGNAL). */
static int open_queue(pid_t parent)
{
	int queue = kqueue(), r = 0;
	struct kevent event;

	if (queue < 0)
		return -errno;
	fcntl(queue, F_SETFD, FD_CLOEXEC);
	for (int number = 1; r == 0 && number < NSIG; number++) {
		if (number == SIGKILL || number == SIGSTOP)
			continue;
		EV_SET(&event, (uintptr_t)number, EVFILT_SIGNAL, EV_ADD, 0, 0, NULL);
		r = kevent(queue, &event, 1, NULL, 0, NULL) < 0 ? -errno : 0;
	}
	/* If the parent has died already, this process has a new one and cannot tell. A caller that starts zs in the
	 * background and exits wants the run to go on. */
	if (r == 0 && parent > 1) {
		EV_SET(&event, (uintptr_t)parent, EVFILT_PROC, EV_ADD | EV_ONESHOT, NOTE_EXIT, 0, NULL);
		if (kevent(queue, &event, 1, NULL, 0, NULL) < 0 && errno != ESRCH)
			r = -errno;
	}
	if (r < 0)
		close(queue);
	return r < 0 ? r : queue;
}

/* Takes one event, if one comes before the deadline. */
static void wait_for_event(const struct supervisor *supervisor)
{
	int64_t left = supervisor->deadline == INT64_MAX ? 0 : supervisor->deadline - zs_now_ms();
	struct timespec timeout;
	struct kevent event;
	int count;

	if (left < 0)
		left = 0;
	timeout = (struct timespec){ left / 1000, left % 1000 * 1000000 };
	count = kevent(supervisor->queue, NULL, 0, &event, 1, supervisor->deadline == INT64_MAX ? NULL : &timeout);
	if (count <= 0)
		return;
	if (event.filter == EVFILT_SIGNAL)
		supervisor_take_signal(supervisor, (int)event.ident);
	else if ((pid_t)event.ident != supervisor->child && (pid_t)event.ident != supervisor->run->proxy.pid)
		/* the parent has ended */
		kill(supervisor->child, SIGKILL);
}

/* This is needed beside SIGCHLD, whose default action is to ignore it: such a signal may or may not be reported (man 2
 * kqueue). A child that has ended already is found by waitpid(2), which comes first. */
static void watch_end(const struct supervisor *supervisor, pid_t child)
{
	struct kevent event;

	EV_SET(&event, (uintptr_t)child, EVFILT_PROC, EV_ADD | EV_ONESHOT, NOTE_EXIT, 0, NULL);
	if (kevent(supervisor->queue, &event, 1, NULL, 0, NULL) < 0) {
		/* The child has ended, or SIGCHLD must suffice. */
	}
}

/* True: the proxy has ended before the run. This ends the run, since another program could take the port to which the
 * command may connect. */
static bool has_lost_proxy(struct supervisor *supervisor)
{
	struct zs_run_proxy *proxy = &supervisor->run->proxy;

	if (proxy->pid <= 0 || waitpid(proxy->pid, NULL, WNOHANG) != proxy->pid)
		return false;
	dprintf(STDERR_FILENO, "zs: proxy: it has ended, and the run with it\n");
	kill(supervisor->child, SIGKILL);
	waitpid(supervisor->child, NULL, 0);
	return true;
}

static int wait_for_child(struct supervisor *supervisor)
{
	watch_end(supervisor, supervisor->child);
	if (supervisor->run->proxy.pid > 0)
		watch_end(supervisor, supervisor->run->proxy.pid);
	for (;;) {
		int status;
		pid_t done = waitpid(supervisor->child, &status, WNOHANG);

		if (done == supervisor->child)
			return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
		if (done < 0 && errno != EINTR) {
			dprintf(STDERR_FILENO, "zs: supervisor: waitpid: %s\n", strerror(errno));
			kill(supervisor->child, SIGKILL);
			return CANNOT_ENFORCE;
		}
		if (has_lost_proxy(supervisor))
			return CANNOT_ENFORCE;
		wait_for_event(supervisor);
		if (supervisor->deadline != INT64_MAX && zs_now_ms() >= supervisor->deadline) {
			say_reached(supervisor->run->policy, ZS_LIMIT_WALL, "wall");
			supervisor->deadline = INT64_MAX;
			kill(supervisor->child, SIGKILL);
		}
	}
}

static _Noreturn void supervisor_leave(const struct supervisor *supervisor, int code)
{
	struct zs_run *run = supervisor->run;
	struct zs_scan_report report;
	int r;

	if (code == 128 + SIGXFSZ && zs_policy_limit(run->policy, ZS_LIMIT_FILE_SIZE))
		say_reached(run->policy, ZS_LIMIT_FILE_SIZE, "file-size");
	/* killpg(2) cannot be used: the command is in the caller's own process group, for the terminal. The command's
	 * processes in that group are found with the others. */
	r = zs_fingerprint_end(&run->fingerprint, &report);
	zs_fingerprint_complain(&report, r);
	zs_proxy_end(&run->proxy); /* no process of the command is left */
	zs_run_remove(run);
	zs_watchdog_dismiss(supervisor->lifeline);
	zs_policy_tell_left_out(run->policy, code);
	zs_tell_inside(run->policy, run->argv, code);
	_exit(r < 0 ? CANNOT_ENFORCE : code);
}

/* True: the run goes on. If the fingerprint cannot be seen, processes that the command leaves could not be found. */
static bool supervisor_is_known(const struct supervisor *supervisor)
{
	const struct zs_fingerprint *fingerprint = &supervisor->run->fingerprint;
	int r = zs_fingerprint_probe(fingerprint, supervisor->child);

	if (r == 1)
		r = zs_fingerprint_check(fingerprint);
	else if (r == 0)
		r = -ENOENT;
	if (r == 0)
		return true;
	dprintf(STDERR_FILENO, "zs: supervisor: the command's fingerprint cannot be told: %s\n", strerror(-r));
	return false;
}

/* Never returns. A child that fails reports that itself. */
static _Noreturn void supervise(struct supervisor *supervisor, const struct zs_gate *gate)
{
	char byte;

	if (read(gate->ready, &byte, 1) == 1) {
		if (!supervisor_is_known(supervisor)) {
			kill(supervisor->child, SIGKILL);
			waitpid(supervisor->child, NULL, 0);
			supervisor_leave(supervisor, CANNOT_ENFORCE);
		}
		if (write(gate->go, "g", 1) < 0) {
			/* The child was killed. */
		}
	}
	close(gate->ready);
	close(gate->go);
	supervisor_leave(supervisor, wait_for_child(supervisor));
}

static int open_gate(struct zs_gate *ret_ours, struct zs_gate *ret_childs)
{
	int ready[2], go[2];

	if (pipe(ready) < 0)
		return -errno;
	if (pipe(go) < 0) {
		int cause = errno;

		close(ready[0]);
		close(ready[1]);
		return -cause;
	}
	for (int i = 0; i < 2; i++) {
		fcntl(ready[i], F_SETFD, FD_CLOEXEC);
		fcntl(go[i], F_SETFD, FD_CLOEXEC);
	}
	*ret_ours = (struct zs_gate){ ready[0], go[1] };
	*ret_childs = (struct zs_gate){ ready[1], go[0] };
	return 0;
}

static void close_gate(const struct zs_gate *gate)
{
	close(gate->ready);
	close(gate->go);
}

int zs_stage_supervisor(struct zs_run *run, struct zs_error *error)
{
	uint64_t wall = zs_policy_limit(run->policy, ZS_LIMIT_WALL);
	struct supervisor supervisor = { .run = run, .deadline = INT64_MAX };
	struct zs_gate ours, childs;
	pid_t parent = getppid();
	sigset_t all;
	int r;

	/* ZS_POLICY_SECONDS_MAX keeps the product in range. */
	if (wall)
		supervisor.deadline = zs_now_ms() + (int64_t)wall * 1000;
	sigfillset(&all);
	if (sigprocmask(SIG_BLOCK, &all, &run->signal_mask) < 0)
		return zs_error_errno(error, "", "sigprocmask", errno);
	supervisor.lifeline = zs_watchdog_start(run, (int64_t)wall * 1000);
	if (supervisor.lifeline < 0)
		return zs_error_errno(error, "", "watchdog", -supervisor.lifeline);
	supervisor.queue = open_queue(parent);
	r = supervisor.queue < 0 ? supervisor.queue : open_gate(&ours, &childs);
	if (r == 0) {
		supervisor.child = fork();
		r = supervisor.child < 0 ? -errno : 0;
	}
	if (r < 0) {
		zs_watchdog_dismiss(supervisor.lifeline);
		return zs_error_errno(error, "", "", -r);
	}
	if (supervisor.child > 0) {
		close_gate(&childs);
		supervise(&supervisor, &ours);
	}
	/* A queue is not inherited (man 2 kqueue). */
	close_gate(&ours);
	close(supervisor.lifeline);
	zs_proxy_leave(&run->proxy);
	run->gate = childs;
	if (sigprocmask(SIG_SETMASK, &run->signal_mask, NULL) < 0)
		return zs_error_errno(error, "", "sigprocmask", errno);
	return 0;
}

/* The last stage: the exec that follows closes both ends. */
int zs_stage_gate(struct zs_run *run, struct zs_error *error)
{
	char byte;
	ssize_t len;

	if (write(run->gate.ready, "r", 1) != 1)
		return zs_error_errno(error, "", "ready", errno);
	do
		len = read(run->gate.go, &byte, 1);
	while (len < 0 && errno == EINTR);
	/* The supervisor has reported why, or is dead. */
	if (len == 0)
		_exit(CANNOT_ENFORCE);
	return len < 0 ? zs_error_errno(error, "", "go", errno) : 0;
}
