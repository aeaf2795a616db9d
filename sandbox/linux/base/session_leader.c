#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "approval/session_place.h"

static int session_leader_read_line(const char *path, char *line, size_t size)
{
	ZS_AUTO_FD int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len = fd < 0 ? -1 : read(fd, line, size - 1);

	if (len <= 0)
		return len < 0 ? -errno : -EIO;
	line[len] = '\0';
	line[strcspn(line, "\n")] = '\0';
	return 0;
}

/* man 5 proc_pid_stat: field 22, in clock ticks after boot; the name, field 2, may hold blanks and brackets. */
int zs_process_start(pid_t pid, uint64_t *ret_start)
{
	enum { START = 22, AFTER_NAME = 3 };
	char path[64], line[1024], *field;
	int r;

	snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
	r = session_leader_read_line(path, line, sizeof line);
	if (r < 0)
		return r == -ENOENT ? -ESRCH : r;
	field = strrchr(line, ')');
	for (int i = AFTER_NAME - 1; field && i < START; i++)
		field = strchr(field + 1, ' ');
	if (!field)
		return -EIO;
	*ret_start = strtoull(field + 1, NULL, 10);
	return 0;
}

int zs_session_leader(pid_t *ret_leader, uint64_t *ret_start)
{
	pid_t leader = getsid(0);

	if (leader <= 0)
		return leader < 0 ? -errno : -ESRCH; /* 0: of another PID namespace */
	*ret_leader = leader;
	return zs_process_start(leader, ret_start);
}

int zs_boot_id(char *id, size_t size)
{
	return session_leader_read_line("/proc/sys/kernel/random/boot_id", id, size);
}
