#include "linux/base/proc.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/folder_reader.h"

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
	struct visitor visitor = { visit, arg };
	int cause, r;

	if (lseek(proc, 0, SEEK_SET) < 0)
		return -errno;
	r = zs_folder_each(proc, visit_name, &visitor, &cause);
	return cause ? -cause : r;
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
