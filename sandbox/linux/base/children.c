/* Ending what a subreaper is left with: the children first, whose own become ours. A child's number is its own until it
 * has been reaped, so that nobody else is hit. */

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "linux/base/children.h"

/* A storm of forks that each leave their parent could go on for ever. */
enum { MS_MAX = 5000 };

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

/* Calls visit for each child, until it fails, and returns the sum of what it returns. */
static int for_each_child(struct zs_strangers *strangers, int (*visit)(struct zs_strangers *strangers, pid_t child))
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	int r = proc ? 0 : -errno, sum = 0;

	while (r >= 0 && (errno = 0, entry = readdir(proc))) {
		if (!isdigit((unsigned char)entry->d_name[0]) || parent_of(dirfd(proc), entry->d_name) != getpid())
			continue;
		r = visit(strangers, (pid_t)strtol(entry->d_name, NULL, 10));
		sum += r;
	}
	if (r >= 0)
		r = errno ? -errno : sum;
	if (proc)
		closedir(proc);
	return r;
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
	pid_t *more = reallocarray(strangers->pids, strangers->count + 1, sizeof *more);

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

	/* Nearly always there are none. */
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

/* 1: it was the run's. */
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

static int64_t children_now_ms(void)
{
	struct timespec time = { 0 };

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* A stranger that has ended is forgotten: its number may be a child's of the run next. False: there are no more. */
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
	/* One that is left to us while we look may be overlooked once. */
	enum { LOOKS = 3 };
	int64_t start = children_now_ms();

	for (int looks = 0; reap(strangers); looks++) {
		if (for_each_child(strangers, children_now_ms() < start + patience ? count_child : end_child) != 0)
			looks = 0;
		if (strangers->count > 0 && looks == LOOKS)
			return 0;
		if (children_now_ms() > start + MS_MAX)
			return -ETIMEDOUT;
		/* They need a moment to die. */
		poll(NULL, 0, 1);
	}
	return 0;
}
