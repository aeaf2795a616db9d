/* The supervisor of a run: the process that the caller has started. It forks a child that passes the remaining stages
 * and becomes the watch (watch_process.c), or in the Landlock tier the watchdog. The supervisor stays outside of the
 * run's namespaces. It passes signals on, ends the run when a limit is reached or its own parent has ended, and exits
 * as the command did. */
#include "linux/base/stage.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "enforce/backend.h"
#include "enforce/inside.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "linux/network/proxy.h"
#include "base/error.h"
#include "linux/base/process_calls.h"
#include "linux/base/users.h"
#include "linux/overlay/overlay_channel.h"
#include "base/scheduling.h"
#include "linux/limits/run_limits.h"
#include "linux/files/cache_layers.h"
#include "linux/files/disk_tmp.h"
#include "linux/files/standard_files.h"
#include "linux/files/public.h"
#include "linux/locks/locks.h"
#include "linux/run/supervisor.h"
#include "linux/run/lifeline.h"
#include "linux/watch/watch.h"
#include "linux/watch/journal.h"
#include "linux/trace/denial_channel.h"
#include "proxy/proxy_denials.h"
#include "policy/policy.h"

/* The supervisor's own exit code. It also says that it is not known what became of the command or the overlay. */
enum { CANNOT_ENFORCE = 125 };

/* The time that the watch gets to end the run and to look a last time at the protected names. No command can make it
 * take longer. When the time is over, the supervisor kills the watch, and with it the run. */
enum { GRACE_MS = 300 };

/* A run of a session that lasts longer than this gets a killer when its command is in the host's session. If the
 * supervisor of such a run is killed, the runner should end the run; but it may have to wait for a processor, since it
 * is in that session, whose share of the processors the command uses, too (man 7 sched, "The autogroup feature"). */
enum { KILLER_AFTER_MS = 100 };

/* A signal from the terminal goes to the whole foreground process group, so the command has received it as well. */
static bool is_for_all(const struct signalfd_siginfo *signal)
{
	return signal->ssi_code == SI_KERNEL;
}

/* False: the run must end. */
static bool supervisor_take_signal(struct zs_run *run, int fd, pid_t child, const struct zs_run_limits *limits)
{
	struct signalfd_siginfo signal;

	if (read(fd, &signal, sizeof signal) != (ssize_t)sizeof signal)
		return true;
	run->signals |= UINT64_C(1) << (signal.ssi_signo - 1);
	if (signal.ssi_signo != SIGCHLD && !is_for_all(&signal))
		kill(child, (int)signal.ssi_signo);
	/* ^Z: the shell waits until this process has stopped. */
	if (signal.ssi_signo == SIGTSTP || signal.ssi_signo == SIGTTIN || signal.ssi_signo == SIGTTOU)
		zs_run_limits_stop(limits);
	/* SIGIO is from dnotify, in a session; the list of names is empty in other runs. */
	return signal.ssi_signo != SIGIO || zs_watch_look(run->watch);
}

/* Has a signal or a limit ended the run? Some commands handle the signal and exit with 128 and its number, as shells
 * do. Such an exit code counts as cut if the supervisor was sent this signal or a limit was reached. */
static bool is_cut(const struct zs_run *run, int status, const struct zs_run_limits *limits)
{
	int code = zs_exit_code(status), signal = code - ZS_EXIT_SIGNALED;

	if (WIFSIGNALED(status) || (run->killed && *run->killed))
		return true;
	return signal > 0 && (limits->said || (signal <= SIGRTMAX && run->signals & UINT64_C(1) << (signal - 1)));
}

/* Hands the overlay's changes to the process that waits for them. A run that succeeded fails when this fails. */
static _Noreturn void supervisor_leave(struct zs_run *run, int code, bool cut, int signals)
{
	int r = run->channel < 0 ? 0 : zs_channel_end(run->channel, code, cut, signals);

	zs_disk_tmp_end(run);

	if (r < 0 && r != -ECANCELED) /* -ECANCELED: the receiver refused, and has said why */
		zs_notice("zs: overlay: the process that waits for the changes has ended, so the changes are lost");
	_exit(r > 0 ? r : r < 0 && code == 0 ? CANNOT_ENFORCE : code);
}

static _Noreturn void lose(struct zs_run *run, pid_t child, struct zs_run_limits *limits, int cause)
{
	if (run->channel >= 0)
		zs_channel_cancel(run->channel);
	zs_notice("zs: supervisor: wait4: %s", strerror(cause));
	kill(child, SIGKILL);
	zs_lifeline_finish(run);
	zs_standard_finish(run->standard);
	zs_proxy_end(run);
	zs_run_cgroups_end(&limits->cgroups);
	zs_disk_tmp_end(run);
	_exit(CANNOT_ENFORCE);
}

/* Ends the run: the watch or the watchdog does it when the lifeline is cut. In a session the supervisor does it itself,
 * since its signals reach that run alone (session_run.c). *deadline: when it must be over. */
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
	int64_t next = zs_run_limits_next(limits);

	return zs_ms_until(next < deadline ? next : deadline);
}

/* A failure is no error: the runner ends the run then. */
static void start_killer(void)
{
	pid_t self = getpid();

	if (zs_fork(0, NULL) == 0)
		zs_be_killer(self, -1);
}

int zs_supervise(struct zs_run *run, pid_t child, int parent, int signals, struct zs_run_limits *limits,
	int *ret_status, struct rusage *ret_usage)
{
	enum { OWN = 3 };
	struct pollfd events[OWN + ZS_STANDARD_FILES] = { { signals, POLLIN, 0 }, { parent, POLLIN, 0 },
		{ run->proxy.names, POLLIN, 0 } };
	int64_t deadline = INT64_MAX; /* the time by which the run must end, once its end was asked for */
	int64_t killer = run->shared && !run->alone ? zs_now_ms() + KILLER_AFTER_MS : INT64_MAX;

	zs_use_short_slices();
	for (;;) {
		pid_t done;

		while ((done = wait4(-1, ret_status, WNOHANG, ret_usage)) > 0)
			if (done == child) {
				/* The watch or the watchdog may have noticed first that the time limit was reached. */
				if (zs_exit_code(*ret_status) == ZS_EXIT_SIGNALED + SIGKILL)
					zs_run_limits_exceeded(limits);
				return 0;
			} else if (done == run->proxy.pid)
				zs_proxy_lost(run);
		if (done < 0 && errno != EINTR)
			return -errno;
		zs_standard_events(run->standard, events + OWN);
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
		if (events[2].revents) {
			zs_resolver_start(run);
			events[2].fd = -1;
		}
		zs_standard_pass_on(run->standard, events + OWN);
		if (zs_now_ms() >= deadline) {
			kill(child, SIGKILL);
			deadline = INT64_MAX - 1;
		}
	}
}

/* Ends the channel of denials: every process of the run is dead, so nothing more comes. */
static void tell_denials(struct zs_run *run, const struct zs_run_limits *limits, int code)
{
	const struct zs_proxy_denials *hosts = run->proxy.denials;
	unsigned others = hosts ? hosts->others : 0;

	if (run->denials < 0)
		return;
	for (enum zs_limit limit = 0; limit < ZS_LIMIT_COUNT; limit++)
		if (limits->said & ZS_LIMIT_BIT(limit))
			zs_denial_send_limit(run->denials, limit);
	for (size_t i = 0; hosts && i < hosts->count && i < ZS_PROXY_DENIALS_MAX; i++) {
		const struct zs_proxy_denial *row = &hosts->rows[i];

		if (zs_proxy_denial_is_text(row))
			zs_denial_send_host(
				run->denials, row->host, row->resolve, *row->grant ? row->grant : NULL, row->times);
	}
	zs_denial_send_end(run->denials, code, others);
}

/* Never returns. parent: a pidfd, or -1; signals: a signalfd. */
static _Noreturn void supervise(struct zs_run *run, pid_t child, int parent, int signals, struct zs_run_limits *limits)
{
	struct rusage usage;
	int status, code, r = zs_supervise(run, child, parent, signals, limits, &status, &usage);

	if (r < 0)
		lose(run, child, limits, -r);
	zs_run_cgroups_kill(&limits->cgroups);
	zs_lifeline_finish(run);
	/* A watch that was killed has not looked a last time, so the supervisor does. */
	if (!WIFSIGNALED(status) || zs_journal_look(run->journal) == 0)
		zs_journal_end(run->journal);
	zs_standard_finish(run->standard);
	zs_standard_put_back(run->standard);
	/* The supervisor met the file size limit while it copied the command's output: report it as the kernel does. */
	if (run->standard->cause == EFBIG)
		status = SIGXFSZ;
	zs_run_limits_end(limits, status, &usage);
	zs_proxy_end(run);
	code = zs_exit_code(status);
	if (!is_cut(run, status, limits)) {
		zs_policy_tell_left_out(run->policy, code);
		zs_tell_inside(run->policy, run->argv, code);
	}
	tell_denials(run, limits, code);
	supervisor_leave(
		run, code == 0 && run->standard->cause ? CANNOT_ENFORCE : code, is_cut(run, status, limits), signals);
}

/* The gate is a pipe on which the child waits. A byte tells it that the supervisor and the network are ready. A child
 * that has failed meanwhile has reported its error, so EPIPE is no error here. */
static int open_gate(const int gate[2])
{
	int r = write(gate[1], "", 1) == 1 ? 0 : -errno;

	close(gate[0]);
	close(gate[1]);
	return r;
}

/* When no byte comes, the supervisor has failed and reported its error, or it is dead. */
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

/* Returns only on failure. This process is in the child's mount namespace, and at some moment the child's root
 * directory becomes its own (man 2 pivot_root): from then on no path leads from this process to the machine's files. */
static int supervisor_watch(struct zs_run *run, pid_t child, int parent, int signals, const int gate[2],
	struct zs_run_cgroups *cgroups, struct zs_error *error)
{
	int r = run->policy->tier == ZS_TIER_MOUNTS ? run->pass(run, ZS_STAGES_OF_NETWORK, error) : 0;
	const char *object = NULL;
	struct zs_run_limits limits;

	if (run->overlay >= 0)
		close(run->overlay);
	zs_cache_layers_end(run->caches);
	zs_public_end(&run->public);
	if (r == 0) {
		object = "capset";
		/* It removes the layers, in which other users have files. */
		r = zs_capabilities_keep(cgroups->capabilities | (run->policy->users ? zs_users_capabilities : 0));
	}
	if (r == 0) {
		object = "standard descriptors";
		r = zs_standard_hand_over(run->standard, zs_policy_limit(run->policy, ZS_LIMIT_FILE_SIZE));
	}
	if (r == 0) {
		/* A killed process needs a processor before its end of the lifeline is closed. */
		zs_use_short_slices();
		zs_run_limits_begin(&limits, run->policy, cgroups);
		if (run->denials >= 0)
			zs_denial_send_enforced(run->denials, run->policy->tier, cgroups->held);
		if (run->denials >= 0 && !zs_observes(run))
			zs_denial_send_blind(run->denials);
		object = "gate";
		r = open_gate(gate);
	}
	if (r == 0)
		supervise(run, child, parent, signals, &limits);
	/* Not by the lifeline: the child would report that the supervisor has gone. */
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	zs_lifeline_finish(run);
	zs_run_cgroups_end(cgroups);
	return object ? zs_error_errno(error, "", object, -r) : r;
}

/* The process that applies an overlay needs to know whether a signal ended the command. The watch's exit code does not
 * tell, since pid 1 of a namespace cannot kill itself by a signal. The command could inherit a pipe. So supervisor and
 * watch share a page of memory. */
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
	/* Without a terminal no shell controls jobs, so the command can get a session of its own. That keeps it from
	 * using this process's share of the processors (man 7 sched, "The autogroup feature"). */
	run->alone = !zs_has_terminal();
	self = zs_pidfd_open(getpid());
	if (self < 0)
		return zs_error_errno(error, "", "pidfd_open", -self);
	/* 0: the parent is in another pid namespace. When the parent has died already, this process has a new one and
	 * cannot tell; a caller that starts zs in the background and exits wants it to go on. */
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
	/* Preparing the files takes mounts. */
	r = run->policy->tier == ZS_TIER_MOUNTS ? zs_standard_prepare(run->standard) : zs_standard_note(run->standard);
	/* AppArmor opens no file of a mount without a path, unless its profile says so. */
	if (run->policy->tier == ZS_TIER_MOUNTS && (r == -EACCES || r == -EPERM)) {
		run->missed.feature = ZS_FEATURE_MOUNT_NAMESPACE;
		run->missed.cause = -r;
	}
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
	/* Only the supervisor may say on this channel that the run is over. */
	if (run->channel >= 0)
		close(run->channel);
	run->channel = -1;
	if (run->report >= 0)
		close(run->report);
	run->report = -1;
	/* In the mount tier the init takes it along. */
	if (run->policy->tier != ZS_TIER_MOUNTS && run->denials >= 0) {
		close(run->denials);
		run->denials = -1;
	}
	if (run->proxy.pid > 0)
		close(run->proxy.socket);
	run->supervisor = self;
	run->held = cgroups.held;
	close(gate[1]);
	run->gate = gate[0];
	return zs_run_cgroups_join(&cgroups, error);
}
