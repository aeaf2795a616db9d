#include "linux/run/background.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/folder_reader.h"
#include "linux/base/process_calls.h"
#include "linux/base/run_state.h"

/* bash does not wait for a process substitution, "tee >(sort >file)", which ends soon after the command. On a busy
 * machine both that process and the looks take longer, so the looks are counted, and not the time. */
enum { LOOKS = 20, LOOK_MS = 5 };

struct look {
	int proc;
	pid_t parent;
	unsigned most;  /* the look ends when so many have been found */
	unsigned count; /* the processes that are alive */
	pid_t pid;      /* the first of them */
	char name[16];  /* its name, of which no byte can leave the line */
};

/* man 5 proc_pid_stat: "pid (name) state parent …". The process has chosen the name. */
static bool read_stat(int proc, pid_t pid, char ret_name[16], char *ret_state, pid_t *ret_parent)
{
	char path[32], text[128], *begin, *end;
	ZS_AUTO_FD int fd = -1;
	ssize_t len;
	size_t i = 0;

	snprintf(path, sizeof path, "%ld/stat", (long)pid);
	fd = openat(proc, path, O_RDONLY | O_CLOEXEC);
	len = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
	if (len <= 0)
		return false;
	text[len] = '\0';
	begin = strchr(text, '(');
	end = strrchr(text, ')');
	if (!begin || !end || end < begin || strlen(end) < 5)
		return false;
	for (begin++; begin < end && i < 15; begin++)
		ret_name[i++] = *begin >= ' ' && *begin <= '~' ? *begin : '?';
	ret_name[i] = '\0';
	*ret_state = end[2];
	*ret_parent = (pid_t)strtol(end + 4, NULL, 10);
	return true;
}

static int add_living(pid_t pid, void *arg)
{
	struct look *look = arg;
	pid_t parent;
	char name[sizeof look->name], state;

	/* Pid 1 is the init, of the mount tier or of the machine. */
	if (pid == 1 || !read_stat(look->proc, pid, name, &state, &parent) || state == 'Z' || state == 'X' ||
		(look->parent && parent != look->parent))
		return 0;
	if (look->count++ == 0) {
		look->pid = pid;
		memcpy(look->name, name, sizeof name);
	}
	return look->count == look->most;
}

static bool finds_living(struct look *look, unsigned most)
{
	look->most = most;
	look->count = 0;
	zs_proc_each(look->proc, add_living, look);
	return look->count > 0;
}

void zs_background_tell(const struct zs_run *run, pid_t parent)
{
	enum { MOST = 1000 };
	struct look look = { .parent = parent };
	struct pollfd lifeline = { run->lifeline[0], POLLIN, 0 };
	ZS_AUTO_FD int proc = zs_folder_open("/proc");
	char more[32] = "";
	struct statfs st;

	if (proc < 0 || fstatfs(proc, &st) < 0 || st.f_type != PROC_SUPER_MAGIC)
		return;
	look.proc = proc;
	for (int looks = 0; finds_living(&look, 1) && looks < LOOKS; looks++)
		/* The run must end at once if the supervisor has. */
		if (poll(&lifeline, 1, LOOK_MS) > 0)
			return;
	if (look.count == 0 || !finds_living(&look, MOST))
		return;
	if (look.count > 1)
		snprintf(more, sizeof more, " and %u more", look.count - 1);
	zs_notice("zs: ended with the run: %s (pid %ld)%s; to keep a server between commands: zs run --session NAME",
		look.name, (long)look.pid, more);
}
