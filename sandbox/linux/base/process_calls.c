#include "linux/base/process_calls.h"

#include <ctype.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/folder_reader.h"

static int close_range_of(unsigned first, unsigned last)
{
	return first <= last && syscall(SYS_close_range, first, last, 0u) < 0 ? -errno : 0;
}

/* The least descriptor of the list that is not below `from`; INT_MAX: there is none. */
static int next_kept(const int *kept, size_t count, unsigned from)
{
	int next = INT_MAX;

	for (size_t i = 0; i < count; i++)
		if (kept[i] >= (int)from && kept[i] < next)
			next = kept[i];
	return next;
}

int zs_close_range_but(const int *kept, size_t count)
{
	unsigned from = STDERR_FILENO + 1;
	int r = 0, next;

	while (r == 0 && (next = next_kept(kept, count, from)) != INT_MAX) {
		r = close_range_of(from, (unsigned)next - 1);
		from = (unsigned)next + 1;
	}
	return r < 0 ? r : close_range_of(from, UINT_MAX);
}

/* A seccomp filter around zs may only pretend that close_range(2) succeeds. So this opens one more descriptor, and
 * checks that it is closed afterwards. */
int zs_close_others(const int *kept, size_t count)
{
	int probe = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	int r = probe < 0 ? -errno : zs_close_range_but(kept, count);

	if (r < 0 || fcntl(probe, F_GETFD) < 0)
		return r;
	close(probe);
	return -EPERM;
}

int zs_pidfd_open(pid_t pid)
{
	long fd = syscall(SYS_pidfd_open, pid, 0);

	return fd < 0 ? -errno : (int)fd;
}

bool zs_may_take_descriptors(void)
{
	ZS_AUTO_FD int fd = open(ZS_YAMA_SCOPE, O_RDONLY | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC);
	char scope;

	return fd < 0 || read(fd, &scope, 1) != 1 || scope < '3';
}

void zs_await_readable(int fd)
{
	struct pollfd event = { fd, POLLIN, 0 };

	while (poll(&event, 1, -1) < 0 && errno == EINTR) {
	}
}

bool zs_has_terminal(void)
{
	int terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);

	if (terminal >= 0)
		close(terminal);
	return terminal >= 0 || errno != ENXIO;
}

int zs_exit_code(int status)
{
	return WIFSIGNALED(status) ? ZS_EXIT_SIGNALED + WTERMSIG(status) : WEXITSTATUS(status);
}

struct visitor {
	int (*visit)(pid_t pid, void *arg);
	void *arg;
};

static int visit_name(int folder, const char *name, unsigned char type, void *arg)
{
	const struct visitor *visitor = arg;

	(void)folder;
	(void)type;
	return isdigit((unsigned char)*name) ? visitor->visit((pid_t)strtol(name, NULL, 10), visitor->arg) : 0;
}

int zs_proc_each(int proc, int (*visit)(pid_t pid, void *arg), void *arg)
{
	return zs_folder_list(proc, visit_name, &(struct visitor){ visit, arg });
}

int zs_proc_stat(pid_t pid, enum zs_proc_field field, uint64_t *ret_value)
{
	enum { AFTER_NAME = 3 };
	char path[64], text[1024], *at;
	ssize_t len;

	snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);

	ZS_AUTO_FD int fd = open(path, O_RDONLY | O_CLOEXEC);

	len = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
	if (len < 0)
		return errno == ENOENT ? -ESRCH : -errno;
	text[len] = '\0';
	/* Field 2, the name in parentheses, may hold blanks and parentheses. */
	at = strrchr(text, ')');
	for (int i = AFTER_NAME - 1; at && i < (int)field; i++)
		at = strchr(at + 1, ' ');
	if (!at)
		return -EIO;
	*ret_value = strtoull(at + 1, NULL, 10);
	return 0;
}
