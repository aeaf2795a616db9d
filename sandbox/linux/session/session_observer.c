/* The observer of a session: looks at the calls of the runs whose hosts collect denials, as the init of a run does that
 * is no session (run/observer.h). It is a child of the init, made before the init gives up what it needs for that. The
 * process that becomes a command sends the listener of its own filter, so the kernel keeps the runs' calls apart, and
 * the run's channel, on which this process tells of them. If it ends, the observed calls of all runs fail. */
#include <errno.h>
#include <linux/capability.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/scheduling.h"
#include "linux/base/fd_message.h"
#include "linux/base/process_calls.h"
#include "linux/base/stage.h"
#include "linux/locks/locks.h"
#include "linux/locks/seccomp_filter.h"
#include "linux/run/broker.h"
#include "linux/session/session.h"
#include "linux/trace/denial_channel.h"

/* A run may begin before this process has noticed the end of the one that has made room for it. */
enum { OBSERVED_MAX = 2 * ZS_SESSION_RUNS_MAX };

struct observed {
	struct zs_broker *broker;
	int channel, over;
	struct sock_filter refusing[ZS_SECCOMP_FILTER_MAX];
};

static struct observed *observed[OBSERVED_MAX];
static size_t observed_count;

/* As in init.c. */
static int weaken(const struct zs_run *run)
{
	const uint32_t kept = UINT32_C(1) << CAP_SYS_CHROOT | UINT32_C(1) << CAP_SYS_PTRACE;
	int r = zs_capabilities_keep(kept);

	if (r == 0 && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0)
		r = -errno;
	return r < 0 ? r : zs_close_others((const int[]){ run->observed, run->processes }, 2);
}

static int take_run(const struct zs_run *session, struct observed *run)
{
	enum { LISTENER, CHANNEL, OVER, FDS };
	struct zs_run of_run = *session;
	int fds[FDS] = { -1, -1, -1 }, flags, r;
	size_t count = FDS;
	ssize_t len = zs_fds_receive(session->observed, run->refusing, sizeof run->refusing, fds, &count, &flags);

	of_run.denials = fds[CHANNEL];
	r = len > 0 && count == FDS ? zs_broker_begin(&of_run, fds[LISTENER], session->processes, run->refusing,
					      (size_t)len / sizeof *run->refusing, &run->broker)
				    : -EBADMSG;
	if (r == 0) {
		run->channel = fds[CHANNEL];
		run->over = fds[OVER];
		return 0;
	}
	/* Without a listener the run's observed calls fail, so its command does not begin. */
	for (size_t i = 0; i < count; i++)
		close(fds[i]);
	return r;
}

static void begin(const struct zs_run *session)
{
	struct observed *run = observed_count < OBSERVED_MAX ? calloc(1, sizeof *run) : NULL;
	char none;

	if (run && take_run(session, run) == 0) {
		observed[observed_count++] = run;
		return;
	}
	/* Drops the message with its descriptors. */
	if (!run)
		recv(session->observed, &none, 1, MSG_DONTWAIT);
	free(run);
}

/* No process of the run has the filter any more. The supervisor waits for this. */
static void end(size_t index)
{
	struct observed *run = observed[index];
	unsigned untold = zs_broker_end(run->broker);

	if (write(run->over, &untold, sizeof untold) < 0)
		untold = 0; /* the supervisor was killed */
	close(run->over);
	free(run);
	observed[index] = observed[--observed_count];
}

static _Noreturn void be_observer(const struct zs_run *run)
{
	static struct pollfd events[1 + OBSERVED_MAX];

	setsid();
	zs_use_short_slices();
	if (weaken(run) < 0)
		_exit(EXIT_FAILURE);
	for (;;) {
		size_t count = observed_count;

		events[0] = (struct pollfd){ run->observed, POLLIN, 0 };
		for (size_t i = 0; i < count; i++)
			zs_broker_events(observed[i]->broker, &events[1 + i]);
		if (poll(events, 1 + count, -1) < 0)
			continue;
		/* The last first, since an end moves the last one to its place. */
		for (size_t i = count; i-- > 0;) {
			if (events[1 + i].revents)
				zs_broker_serve(observed[i]->broker, &events[1 + i]);
			if (zs_broker_is_over(observed[i]->broker))
				end(i);
		}
		if (events[0].revents & POLLIN)
			begin(run);
		else if (events[0].revents)
			_exit(EXIT_SUCCESS);
	}
}

/* The child sends no signal when it ends, so the init's waits for its children do not mean it (man 2 wait, __WCLONE).
 */
int zs_stage_observer(struct zs_run *run, struct zs_error *error)
{
	long pid;

	if (run->observed < 0)
		return 0;
	pid = syscall(SYS_clone, 0, NULL, NULL, NULL, 0);
	if (pid < 0)
		return zs_error_errno(error, "", "clone", errno);
	if (pid == 0)
		be_observer(run);
	close(run->observed);
	run->observed = -1;
	return 0;
}

int zs_session_observe(const struct zs_session_observer *observer, int channel, int over)
{
	const struct zs_session_program *refusing = &observer->refusing;
	int listener, r;

	if (observer->socket < 0 && channel >= 0)
		zs_denial_send_blind(channel);
	if (observer->socket < 0)
		return 0;
	/* A run of this session that is not observed: the kernel itself refuses. */
	listener = channel < 0 ? -EBUSY : zs_seccomp_listen(observer->observing.code, observer->observing.count);
	if (listener == -EBUSY && channel >= 0)
		zs_denial_send_blind(channel);
	if (listener == -EBUSY)
		return zs_seccomp_install((struct sock_filter *)(uintptr_t)refusing->code, refusing->count);
	if (listener < 0)
		return listener;
	r = zs_fds_send(observer->socket, refusing->code, refusing->count * sizeof *refusing->code,
		(int[]){ listener, channel, over }, 3);
	close(listener);
	return r;
}
