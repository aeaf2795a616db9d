#include "linux/run/lifeline.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/scheduling.h"
#include "linux/base/children.h"
#include "linux/base/landlock_rights.h"
#include "linux/base/process_calls.h"
#include "linux/base/run_state.h"
#include "linux/files/own_tmp.h"
#include "linux/limits/run_limits.h"

/* The time that the killer gets to end the run before the supervisor does it child by child. */
enum { KILLER_MS = 400 };

int zs_lifeline_prepare(struct zs_run *run, struct zs_error *error)
{
	int r;

	if (pipe2(run->lifeline, O_CLOEXEC) < 0)
		return zs_error_errno(error, "", "pipe", errno);
	if (run->policy->tier != ZS_TIER_LANDLOCK)
		return 0;
	r = zs_children_find(&run->strangers);
	if (r < 0)
		return zs_error_errno(error, "", "children", -r);
	/* If the watchdog is killed, its children become the supervisor's. */
	if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0)
		return zs_error_errno(error, "", "subreaper", errno);
	return 0;
}

static void close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void zs_lifeline_pass(struct zs_run *run)
{
	close_end(&run->lifeline[1]);
	run->own_tmp->made = false; /* the supervisor removes it */
}

void zs_lifeline_end(struct zs_run *run)
{
	close_end(&run->lifeline[1]);
}

static void lifeline_complain(const char *what, int cause)
{
	struct zs_error error;

	zs_error_errno(&error, what, "", cause);
	zs_error_write(STDERR_FILENO, &error);
}

void zs_lifeline_finish(struct zs_run *run)
{
	int r;

	if (run->policy->tier != ZS_TIER_LANDLOCK)
		return;
	r = zs_children_end(&run->strangers, zs_landlock_abi() >= ZS_LANDLOCK_ABI_SCOPES ? KILLER_MS : 0);
	if (r < 0)
		lifeline_complain("processes of the run are left", -r);
	r = zs_own_tmp_remove(run->own_tmp);
	if (r < 0)
		lifeline_complain("files of the run are left in TMPDIR", -r);
}

bool zs_lifeline_is_cut(const struct zs_run *run)
{
	struct pollfd event = { run->lifeline[0], POLLIN, 0 };

	return poll(&event, 1, 0) != 0;
}

int zs_lifeline_signals(struct zs_error *error)
{
	sigset_t all;
	int signals;

	if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0)
		return zs_error_errno(error, "", "dumpable", errno);
	sigfillset(&all);
	signals = signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
	return signals < 0 ? zs_error_errno(error, "", "signalfd", errno) : signals;
}

static bool goes_on(struct zs_run *run, int signals, pid_t command, zs_lifeline_take *take)
{
	struct signalfd_siginfo signal;

	return read(signals, &signal, sizeof signal) != (ssize_t)sizeof signal || take(run, &signal, command);
}

int zs_lifeline_wait(
	struct zs_run *run, pid_t command, pid_t killer, int signals, zs_lifeline_take *take, bool *ret_killed)
{
	struct pollfd events[] = { { signals, POLLIN, 0 }, { run->lifeline[0], POLLIN, 0 } };
	int64_t backstop = zs_run_backstop(run->policy);
	bool over = false;

	/* The command stays in the caller's session and process group, unless it is alone. This process leaves them: a
	 * signal to the group does not kill it, and the command does not use its share of the processors, which the
	 * kernel divides among sessions first (man 7 sched, "The autogroup feature"). */
	setsid();
	zs_use_short_slices();
	while (!over) {
		int status;
		pid_t done;

		while ((done = waitpid(-1, &status, WNOHANG)) > 0) {
			if (done == command) {
				*ret_killed = WIFSIGNALED(status);
				return zs_exit_code(status);
			}
			over = over || done == killer;
		}
		if (over || poll(events, ZS_COUNT(events), zs_ms_until(backstop)) < 0)
			continue;
		over = zs_ms_until(backstop) == 0 || events[1].revents ||
		       (events[0].revents && !goes_on(run, signals, command, take));
	}
	kill(command, SIGKILL);
	*ret_killed = true;
	return ZS_EXIT_SIGNALED + SIGKILL;
}

/* The killer waits for the signal that its parent's end sends. Other signals may come from outside, so it checks. */
_Noreturn void zs_be_killer(pid_t parent, int ready)
{
	sigset_t all;

	sigfillset(&all);
	setsid();
	zs_use_short_slices();
	if (prctl(PR_SET_PDEATHSIG, SIGHUP, 0, 0, 0) < 0 || zs_close_others(&ready, 1) < 0 ||
		(ready >= 0 && write(ready, "", 1) != 1))
		_exit(EXIT_FAILURE);
	if (ready >= 0)
		close(ready);
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		close(fd);
	while (getppid() == parent)
		sigwaitinfo(&all, NULL);
	kill(-1, SIGKILL);
	_exit(EXIT_SUCCESS);
}
