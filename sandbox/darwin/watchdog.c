/* The watchdog does the supervisor's last work when the supervisor has been killed: there is no kernel here that does
 * it. Both stand outside of the sandbox, in which no signal can reach them. */
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

/* The supervisor says "done"; an end without that is the supervisor's. */
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
			/* ^Z has stopped it, perhaps. Its number is its own as long as the lifeline is there. */
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

/* A session of its own: no terminal's signals. Whoever reads the command's output must not wait for this process. */
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
		/* It has been killed. */
	}
	close(lifeline);
}
