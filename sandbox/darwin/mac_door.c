/* The run's side of its door. */
#include "darwin/mac_door.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "proxy/door_answer.h"
#include "proxy/door_child.h"
#include "base/error.h"
#include "darwin/mac_stage.h"

/* No signal reaches the door from its first moment on: the terminal's are for the whole group, and it ends when the run
 * does, not before. SIGPIPE is one. */
static int fork_door(struct zs_run *run, const int ends[2])
{
	sigset_t all, mask;
	pid_t pid;

	sigfillset(&all);
	if (sigprocmask(SIG_BLOCK, &all, &mask) < 0)
		return -errno;
	pid = fork();
	if (pid == 0) {
		close(ends[0]);
		zs_door_be(run->policy, &run->door, ends[1], run->report);
	}
	if (pid < 0)
		return -errno;
	run->door.pid = pid;
	return sigprocmask(SIG_SETMASK, &mask, NULL) < 0 ? -errno : 0;
}

int zs_stage_door(struct zs_run *run, struct zs_error *error)
{
	int ends[2], r;

	if (run->policy->network != ZS_NETWORK_HOSTS)
		return 0;
	r = zs_door_listen_local(run->door.listeners, &run->door.port);
	if (r < 0)
		return zs_error_errno(error, "", "a port of the loopback", -r);
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
		return zs_error_errno(error, "", "socketpair", errno);
	for (int i = 0; i < 2; i++)
		fcntl(ends[i], F_SETFD, FD_CLOEXEC);
	r = fork_door(run, ends);
	close(ends[1]);
	run->door.socket = ends[0];
	if (run->report >= 0)
		close(run->report);
	run->report = -1;
	return r < 0 ? zs_error_errno(error, "", "fork", -r) : zs_door_await(run->door.socket, error);
}

void zs_door_leave(struct zs_run_door *door)
{
	if (door->pid <= 0)
		return;
	close(door->socket);
	for (int i = 0; i < ZS_DOOR_LOCAL_LISTENERS; i++)
		if (door->listeners[i] >= 0)
			close(door->listeners[i]);
	door->pid = 0;
}

void zs_door_end(struct zs_run_door *door)
{
	pid_t pid = door->pid;

	zs_door_leave(door);
	if (pid > 0)
		zs_door_wait(pid);
}
