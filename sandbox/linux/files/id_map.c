#include "linux/files/id_map.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "linux/base/process_calls.h"

static int write_map(pid_t pid, const char *name, unsigned id, unsigned shown)
{
	char path[64], map[64];
	ZS_AUTO_FD int fd = -1;
	int len = snprintf(map, sizeof map, "%u %u 1\n", id, shown);

	snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	return fd < 0 || write(fd, map, (size_t)len) != len ? -errno : 0;
}

static int open_namespace(pid_t pid, const struct zs_id_map *map)
{
	char path[64];
	int fd, r = write_map(pid, "uid_map", map->uid, map->shown_uid);

	if (r == 0)
		r = write_map(pid, "gid_map", map->gid, map->shown_gid);
	snprintf(path, sizeof path, "/proc/%d/ns/user", (int)pid);
	if (r < 0)
		return r;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* Keeps the namespace alive until this process is killed or its parent has ended. */
static _Noreturn void hold(pid_t parent)
{
	enum { SECOND_MS = 1000 };

	while (getppid() == parent)
		poll(NULL, 0, SECOND_MS);
	_exit(0);
}

/* A namespace begins with a process in it; the descriptor keeps it when that process has been killed. */
int zs_id_map_make(const struct zs_id_map *map)
{
	pid_t parent = getpid();
	pid_t pid = zs_fork(CLONE_NEWUSER, NULL);
	int fd;

	if (pid < 0)
		return pid;
	if (pid == 0)
		hold(parent);
	fd = open_namespace(pid, map);
	while (kill(pid, SIGKILL) == 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
	}
	return fd;
}
