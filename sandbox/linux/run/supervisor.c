/* The process that the caller knows stays outside, and starts the one that goes on: the watch (watch_process.c), or in
 * the Landlock tier the watchdog. Outside, this one waits, passes signals on, has the run ended when a limit is reached
 * or its own parent has gone, and exits as the command did. */
#include "linux/base/stage.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "enforce/backend.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "linux/network/proxy.h"
#include "base/error.h"
#include "linux/base/process_calls.h"
#include "linux/overlay/overlay_channel.h"
#include "base/scheduling.h"
#include "linux/limits/run_limits.h"
#include "linux/files/standard_files.h"
#include "linux/files/public.h"
#include "linux/locks/locks.h"
#include "linux/run/supervisor.h"
#include "linux/run/watchdog.h"
#include "linux/watch/watch.h"
#include "linux/watch/journal.h"

/* The supervisor's exit codes: also when the fate of the command or of its overlay is not known. */
enum { CANNOT_ENFORCE = 125, SIGNALED = 128 };

/* The watch ends the run by itself, and looks a last time at what must not appear. When it takes longer than this,
 * which no command can bring about, the kernel ends the watch and with it the run. */
enum { GRACE_MS = 300 };

/* A run of a session that lasts so long gets a killer: when its supervisor is killed, the runner may have to wait for a
 * processor, since it shares the host's session, and so what the scheduler gives that, with the command. */
enum { KILLER_AFTER_MS = 100 };

/* man 2 signalfd: a signal of the terminal, sent to the whole foreground group, has reached the command as well. */
static bool is_for_all(const struct signalfd_siginfo *signal)
{
	return signal->ssi_code == SI_KERNEL;
}

/* False: the run is to be ended. */
static bool supervisor_take_signal(struct zs_run *run, int fd, pid_t child, const struct zs_run_limits *limits)
{
	struct signalfd_siginfo signal;

	if (read(fd, &signal, sizeof signal) != (ssize_t)sizeof signal)
		return true;
	run->signals |= UINT64_C(1) << (signal.ssi_signo - 1);
	switch (signal.ssi_signo) {
	case SIGCHLD:
		break;
	case SIGIO: /* dnotify's, in a session; else there is nothing to look after */
		if (!is_for_all(&signal))
			kill(child, SIGIO);
		return zs_watch_look(run->watch);
	case SIGTSTP:
	case SIGTTIN:
	case SIGTTOU:
		if (!is_for_all(&signal))
			kill(child, (int)signal.ssi_signo);
		/* ^Z: the shell that started us waits for us to stop. */
		zs_run_limits_stop(limits);
		break;
	default:
		if (!is_for_all(&signal))
			kill(child, (int)signal.ssi_signo);
	}
	return true;
}

/* Has a signal or a limit ended the run? A command may exit with such a status, too; but one that does so after such a
 * signal or limit says that this was the cause, as shells do. */
static bool is_cut(const struct zs_run *run, int status, const struct zs_run_limits *limits)
{
	int code = zs_exit_code(status), signal = code - SIGNALED;

	if (WIFSIGNALED(status) || (run->killed && *run->killed))
		return true;
	return signal > 0 && (limits->said || (signal <= SIGRTMAX && run->signals & UINT64_C(1) << (signal - 1)));
}

static void supervisor_say(const char *line)
{
	if (write(STDERR_FILENO, line, strlen(line)) < 0) {
		/* There is nobody to tell; the status says it. */
	}
}

/* Whoever waits for the overlay gets it now; a run that succeeded has failed all the same when that did. */
static _Noreturn void supervisor_leave(int code, bool cut, int channel, int signals)
{
	int r = channel < 0 ? 0 : zs_channel_end(channel, code, cut, signals);

	if (r < 0 && r != -ECANCELED) /* who is not content has said why */
		supervisor_say("zs: overlay: whoever was to receive the changes has gone; they are gone as well\n");
	_exit(r < 0 && code == 0 ? CANNOT_ENFORCE : code);
}

static _Noreturn void lose(struct zs_run *run, pid_t child, struct zs_run_limits *limits, int cause)
{
	char line[128];

	if (run->channel >= 0)
		zs_channel_cancel(run->channel);
	snprintf(line, sizeof line, "zs: supervisor: wait4: %s\n", strerror(cause));
	supervisor_say(line);
	kill(child, SIGKILL);
	zs_lifeline_finish(run);
	zs_standard_finish(run->standard);
	zs_proxy_end(run);
	zs_run_cgroups_end(&limits->cgroups);
	_exit(CANNOT_ENFORCE);
}

/* Has all of the run ended by whoever keeps it. The supervisor of a session's run ends it by itself, at once and not
 * its command first: its signals reach that run alone (session_run.c). *deadline: when it has to be over. */
static void end(struct zs_run *run, int64_t *deadline)
{
	if (run->shared)
		kill(-1, SIGKILL);
	else
		zs_lifeline_end(run);
	if (*deadline == INT64_MAX)
		*deadline = zs_now_ms() + GRACE_MS;
}

static int timeout_for(const struct zs_run_limits *limits, int64_t deadline)
{
	int timeout = zs_run_limits_timeout(limits);
	int64_t left = deadline == INT64_MAX ? INT64_MAX : deadline - zs_now_ms();

	if (left == INT64_MAX || (timeout >= 0 && timeout < left))
		return timeout;
	return left < 0 ? 0 : (int)left;
}

/* Without one the runner ends the run. */
static void start_killer(void)
{
	pid_t self = getpid();

	if (zs_fork(0, NULL) == 0)
		zs_be_killer(self, -1);
}

int zs_supervise(struct zs_run *run, pid_t child, int parent, int signals, struct zs_run_limits *limits,
	int *ret_status, struct rusage *ret_usage)
{
	struct pollfd events[2 + ZS_STANDARD_FILES] = { { signals, POLLIN, 0 }, { parent, POLLIN, 0 } };
	int64_t deadline = INT64_MAX; /* of an end that was asked for */
	int64_t killer = run->shared ? zs_now_ms() + KILLER_AFTER_MS : INT64_MAX;

	zs_use_short_slices();
	for (;;) {
		pid_t done;

		while ((done = wait4(-1, ret_status, WNOHANG, ret_usage)) > 0)
			if (done == child) {
				/* Whoever keeps the run may have been the first to see that its time is over. */
				if (zs_exit_code(*ret_status) == SIGNALED + SIGKILL)
					zs_run_limits_exceeded(limits);
				return 0;
			} else if (done == run->proxy.pid)
				zs_proxy_lost(run);
		if (done < 0 && errno != EINTR)
			return -errno;
		zs_standard_events(run->standard, events + 2);
		if (poll(events, ZS_COUNT(events), timeout_for(limits, killer < deadline ? killer : deadline)) < 0)
			continue;
		if (zs_now_ms() >= killer) {
			start_killer();
			killer = INT64_MAX;
		}
		if (zs_run_limits_exceeded(limits))
			end(run, &deadline);
		if (events[0].revents && !supervisor_take_signal(run, signals, child, limits))
			end(run, &deadline);
		if (events[1].revents) {
			end(run, &deadline);
			events[1].fd = -1;
		}
		zs_standard_pass_on(run->standard, events + 2);
		if (zs_now_ms() >= deadline) {
			kill(child, SIGKILL);
			deadline = INT64_MAX - 1;
		}
	}
}

/* Never returns. parent: -1 when it is not known; signals: of a signalfd. */
static _Noreturn void supervise(struct zs_run *run, pid_t child, int parent, int signals, struct zs_run_limits *limits)
{
	struct rusage usage;
	int status, code, r = zs_supervise(run, child, parent, signals, limits, &status, &usage);

	if (r < 0)
		lose(run, child, limits, -r);
	zs_run_cgroups_kill(&limits->cgroups);
	zs_lifeline_finish(run);
	/* A watch that was killed has not looked. */
	if (!WIFSIGNALED(status) || zs_journal_look(run->journal) == 0)
		zs_journal_end(run->journal);
	zs_standard_finish(run->standard);
	zs_standard_put_back(run->standard);
	/* As if the command had met the limit itself. */
	if (run->standard->cause == EFBIG)
		status = SIGXFSZ;
	zs_run_limits_end(limits, status, &usage);
	zs_proxy_end(run);
	code = zs_exit_code(status);
	supervisor_leave(code == 0 && run->standard->cause ? CANNOT_ENFORCE : code, is_cut(run, status, limits),
		run->channel, signals);
}

/* The gate is a pipe: when a byte has come out of it, the supervisor is ready, and so is the network. A child that has
 * failed meanwhile has said why, and is no fault of this end. */
static int open_gate(const int gate[2])
{
	int r = write(gate[1], "", 1) == 1 ? 0 : -errno;

	close(gate[0]);
	close(gate[1]);
	return r;
}

/* Nothing comes: the supervisor has failed, and said so, or is dead. */
int zs_stage_gate(struct zs_run *run, struct zs_error *error)
{
	char byte;
	ssize_t len = read(run->gate, &byte, 1);
	int r;

	if (len == 0)
		_exit(CANNOT_ENFORCE);
	close(run->gate);
	if (len < 0)
		return zs_error_errno(error, "", "read", errno);
	r = zs_network_join(run);
	return r < 0 ? zs_error_errno(error, "", "network", -r) : 0;
}

/* Never returns when all goes well. This process sees the child's mounts, and from some moment on also its "/" (man 2
 * pivot_root): no path leads to the machine's files any more. */
static int supervisor_watch(struct zs_run *run, pid_t child, int parent, int signals, const int gate[2],
	struct zs_run_cgroups *cgroups, struct zs_error *error)
{
	int r = run->policy->tier == ZS_TIER_MOUNTS ? run->pass(run, ZS_STAGES_OF_NETWORK, error) : 0;
	const char *object = NULL;
	struct zs_run_limits limits;

	if (run->overlay >= 0)
		close(run->overlay);
	zs_public_end(&run->public);
	if (r == 0) {
		object = "capset";
		r = zs_capabilities_keep(cgroups->capabilities);
	}
	if (r == 0) {
		object = "standard descriptors";
		r = zs_standard_hand_over(run->standard, zs_policy_limit(run->policy, ZS_LIMIT_FILE_SIZE));
	}
	if (r == 0) {
		/* Even to be killed takes a processor, and only then does the watch read the end of its pipe. */
		zs_use_short_slices();
		zs_run_limits_begin(&limits, run->policy, cgroups);
		object = "gate";
		r = open_gate(gate);
	}
	if (r == 0)
		supervise(run, child, parent, signals, &limits);
	/* At once, and not by the watchdog: it would say that we have gone. */
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	zs_lifeline_finish(run);
	zs_run_cgroups_end(cgroups);
	return object ? zs_error_errno(error, "", object, -r) : r;
}

/* A process that applies an overlay asks how the command has ended. A status does not tell (an init cannot be killed as
 * its command was), and a descriptor could be inherited; a page of both is neither. */
static int share_killed(struct zs_run *run)
{
	void *page;

	if (run->channel < 0)
		return 0;
	page = mmap(NULL, sizeof *run->killed, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		return -errno;
	run->killed = page;
	return 0;
}

/* Where nobody controls jobs: this process leads a session that has no terminal (man 4 tty). Then the command gets
 * another, and takes no processor from this process, which wakes late beside a command that shares its session. */
static bool leads_session(void)
{
	int terminal;

	if (getsid(0) != getpid())
		return false;
	terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);
	if (terminal >= 0)
		close(terminal);
	return terminal < 0 && errno == ENXIO;
}

int zs_stage_supervisor(struct zs_run *run, struct zs_error *error)
{
	struct zs_run_cgroups cgroups;
	pid_t parent_pid = getppid(), child;
	int parent, self, signals, gate[2], r;
	sigset_t all;

	if (parent_pid < 0)
		return zs_error_errno(error, "", "getppid", errno);
	sigfillset(&all);
	if (sigprocmask(SIG_BLOCK, &all, &run->signal_mask) < 0)
		return zs_error_errno(error, "", "sigprocmask", errno);
	r = zs_lifeline_prepare(run, error);
	if (r < 0)
		return r;
	run->alone = leads_session();
	self = zs_pidfd_open(getpid());
	if (self < 0)
		return zs_error_errno(error, "", "pidfd_open", -self);
	/* 0: it lives in a pid namespace above ours. A parent that has died has been replaced, and is not told apart
	 * from one that has not: who starts us in the background and leaves wants that. */
	parent = parent_pid > 1 ? zs_pidfd_open(parent_pid) : -1;
	if (parent_pid > 1 && parent < 0 && parent != -ESRCH)
		return zs_error_errno(error, "", "pidfd_open", -parent);
	signals = signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
	if (signals < 0)
		return zs_error_errno(error, "", "signalfd", errno);
	if (pipe2(gate, O_CLOEXEC) < 0)
		return zs_error_errno(error, "", "gate", errno);
	r = share_killed(run);
	if (r < 0)
		return zs_error_errno(error, "", "mmap", -r);
	/* Without namespaces there are no mounts. */
	r = run->policy->tier == ZS_TIER_MOUNTS ? zs_standard_prepare(run->standard) : zs_standard_note(run->standard);
	if (r < 0)
		return zs_error_errno(error, "", "standard descriptors", -r);
	r = zs_run_cgroups_make(run->policy, &cgroups, error);
	if (r < 0)
		return r;
	child = zs_run_cgroups_fork(&cgroups);
	if (child < 0) {
		zs_run_cgroups_end(&cgroups);
		return zs_error_errno(error, "", "fork", -child);
	}
	if (child > 0)
		return supervisor_watch(run, child, parent, signals, gate, &cgroups, error);
	zs_lifeline_pass(run);
	zs_journal_join(run->journal);
	if (parent >= 0)
		close(parent);
	close(signals);
	/* A process that has it may say that the run is over. */
	if (run->channel >= 0)
		close(run->channel);
	run->channel = -1;
	if (run->proxy.pid > 0)
		close(run->proxy.socket);
	run->supervisor = self;
	run->held = cgroups.held;
	close(gate[1]);
	run->gate = gate[0];
	return zs_run_cgroups_join(&cgroups, error);
}
