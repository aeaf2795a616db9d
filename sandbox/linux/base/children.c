/* Ends all descendants of a subreaper, generation by generation: when a child is killed, its own children become the
 * subreaper's. A child's pid stays its own until the child is reaped, so no other process can be killed by mistake. */

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/folder_reader.h"
#include "linux/base/children.h"
#include "linux/base/process_calls.h"

/* The time limit. Processes that fork and exit faster than they are found could keep this function going for ever. */
enum { MS_MAX = 5000 };

struct visitor {
	struct zs_strangers *strangers;
	int (*visit)(struct zs_strangers *strangers, pid_t child);
	int sum;
};

static int visit_process(pid_t pid, void *arg)
{
	struct visitor *visitor = arg;
	uint64_t parent;
	int r = zs_proc_stat(pid, ZS_PROC_PARENT, &parent);

	if (r < 0 || (pid_t)parent != getpid())
		return 0;
	r = visitor->visit(visitor->strangers, pid);
	visitor->sum += r < 0 ? 0 : r;
	return r < 0 ? r : 0;
}

/* Calls visit for each child of this process until a visit fails. Returns the sum of what the visits return. */
static int for_each_child(struct zs_strangers *strangers, int (*visit)(struct zs_strangers *strangers, pid_t child))
{
	struct visitor visitor = { strangers, visit, 0 };
	ZS_AUTO_FD int proc = zs_folder_open("/proc");
	int r = proc < 0 ? proc : zs_proc_each(proc, visit_process, &visitor);

	return r < 0 ? r : visitor.sum;
}

static pid_t *find(const struct zs_strangers *strangers, pid_t pid)
{
	for (size_t i = 0; i < strangers->count; i++)
		if (strangers->pids[i] == pid)
			return &strangers->pids[i];
	return NULL;
}

static int children_add(struct zs_strangers *strangers, pid_t child)
{
	pid_t *more = zs_with_room(strangers->pids, strangers->count, sizeof *more);

	if (!more)
		return -ENOMEM;
	strangers->pids = more;
	more[strangers->count++] = child;
	return 0;
}

int zs_children_find(struct zs_strangers *ret_strangers)
{
	struct zs_strangers strangers = { NULL, 0 };
	siginfo_t ignored;
	int r = 0;

	/* Usually there are no children. This call finds that out without reading /proc. */
	if (waitid(P_ALL, 0, &ignored, WEXITED | WNOHANG | WNOWAIT) == 0)
		r = for_each_child(&strangers, children_add);
	else if (errno != ECHILD)
		r = -errno;
	if (r < 0)
		free(strangers.pids);
	else
		*ret_strangers = strangers;
	return r;
}

/* 1: the child belonged to the run. */
static int end_child(struct zs_strangers *strangers, pid_t child)
{
	if (find(strangers, child))
		return 0;
	kill(child, SIGKILL);
	return 1;
}

static int count_child(struct zs_strangers *strangers, pid_t child)
{
	return !find(strangers, child);
}

/* Reaps children that have ended. A stranger that has ended is forgotten, since a child of the run may get its pid.
 * False: there are no more children. */
static bool reap(struct zs_strangers *strangers)
{
	pid_t done, *stranger;

	while ((done = waitpid(-1, NULL, WNOHANG)) > 0) {
		stranger = find(strangers, done);
		if (stranger)
			*stranger = strangers->pids[--strangers->count];
	}
	return done == 0 || errno != ECHILD;
}

int zs_children_end(struct zs_strangers *strangers, int patience)
{
	/* A reading of /proc may miss a process that becomes our child meanwhile. With strangers about, waitpid(2)
	 * does not say that nothing is left, so this many readings must find nothing. */
	enum { LOOKS = 3 };
	int64_t start = zs_now_ms();

	for (int looks = 0; reap(strangers); looks++) {
		if (for_each_child(strangers, zs_now_ms() < start + patience ? count_child : end_child) != 0)
			looks = 0;
		if (strangers->count > 0 && looks == LOOKS)
			return 0;
		if (zs_now_ms() > start + MS_MAX)
			return -ETIMEDOUT;
		/* Killed processes need a moment to die. */
		poll(NULL, 0, 1);
	}
	return 0;
}
