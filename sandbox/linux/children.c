/* Ending what a subreaper is left with: the children first, whose own become ours. A child's number is its own until it
 * has been reaped, so that no stranger is hit. */
#include "stage.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cleanup.h"

/* A storm of forks that each leave their parent could go on for ever. */
enum { SECONDS_MAX = 5 };

/* man 5 proc_pid_stat: the name, which is in parentheses, may hold any character. 0: it has gone. */
static pid_t parent_of(int proc, const char *pid)
{
	char path[64], text[512], *end;
	ssize_t len;

	snprintf(path, sizeof path, "%.20s/stat", pid);

	ZS_AUTO_FD int fd = openat(proc, path, O_RDONLY | O_CLOEXEC);

	len = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
	if (len < 0)
		return 0;
	text[len] = '\0';
	end = strrchr(text, ')');
	return end && strlen(end) > 4 ? (pid_t)strtol(end + 4, NULL, 10) : 0;
}

static void kill_children(void)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;

	while (proc && (entry = readdir(proc)))
		if (isdigit((unsigned char)entry->d_name[0]) && parent_of(dirfd(proc), entry->d_name) == getpid())
			kill((pid_t)strtol(entry->d_name, NULL, 10), SIGKILL);
	if (proc)
		closedir(proc);
}

static time_t now(void)
{
	struct timespec time = { 0 };

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec;
}

int zs_children_end(void)
{
	time_t deadline = now() + SECONDS_MAX;

	for (;;) {
		pid_t done;

		while ((done = waitpid(-1, NULL, WNOHANG)) > 0) {
		}
		if (done < 0 && errno == ECHILD)
			return 0;
		if (now() > deadline)
			return -ETIMEDOUT;
		kill_children();
		/* They need a moment to die. */
		poll(NULL, 0, 1);
	}
}
