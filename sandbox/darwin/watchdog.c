/* The watchdog does the supervisor's last work when the supervisor has been killed, since macOS has no kernel feature
 * for that. Both are outside of the sandbox, so no signal from inside reaches them. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <unistd.h>

#include "base/clock.h"
#include "darwin/mac_stage.h"

static void end_run(const struct zs_run *run)
{
	struct zs_scan_report report;
	int r = zs_fingerprint_end(&run->fingerprint, &report);

	zs_fingerprint_complain(&report, r);
	zs_run_remove(run);
}

/* The supervisor writes a byte when it is done. If the pipe ends without that, the supervisor was killed. */
static _Noreturn void watchdog_keep(const struct zs_run *run, int lifeline, int64_t wall_ms, pid_t supervisor)
{
	int64_t deadline = wall_ms ? zs_now_ms() + wall_ms : INT64_MAX;
	struct pollfd event = { lifeline, POLLIN, 0 };

	for (;;) {
		int64_t left = deadline == INT64_MAX ? -1 : deadline - zs_now_ms();
		char byte;
		ssize_t len;
		int r;

		if (deadline != INT64_MAX && left <= 0) {
			/* The supervisor may have been stopped by ^Z. Its pid cannot be another process's as long as
			 * the lifeline is open. */
			kill(supervisor, SIGCONT);
			deadline = INT64_MAX;
			continue;
		}
		r = poll(&event, 1, left > INT_MAX ? INT_MAX : (int)left);
		if (r <= 0)
			continue;
		len = read(lifeline, &byte, 1);
		if (len < 0)
			continue;
		if (len == 0)
			end_run(run);
		_exit(0);
	}
}

/* Leaves the session, so that the terminal's signals do not reach this process, and closes the output: a reader of the
 * command's output must not wait for this process. */
static void watchdog_detach(int lifeline)
{
	int null = open("/dev/null", O_RDWR);

	setsid();
	if (null >= 0) {
		dup2(null, STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
	}
	zs_close_others(&lifeline, 1);
}

int zs_watchdog_start(const struct zs_run *run, int64_t wall_ms)
{
	pid_t supervisor = getpid(), watchdog;
	int ends[2];

	if (pipe(ends) < 0)
		return -errno;
	watchdog = fork();
	if (watchdog < 0) {
		int cause = errno;

		close(ends[0]);
		close(ends[1]);
		return -cause;
	}
	if (watchdog == 0) {
		close(ends[1]);
		watchdog_detach(ends[0]);
		watchdog_keep(run, ends[0], wall_ms, supervisor);
	}
	close(ends[0]);
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	return ends[1];
}

void zs_watchdog_dismiss(int lifeline)
{
	if (write(lifeline, "d", 1) < 0) {
		/* The watchdog was killed. */
	}
	close(lifeline);
}
