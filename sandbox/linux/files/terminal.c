#include "linux/files/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/mount.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "linux/base/mount_calls.h"

/* Opens the terminal's path with O_PATH. -ENOENT: it has none here, for example because another container made it. */
static int open_name(int terminal)
{
	char link[32], name[PATH_MAX];
	struct stat want, have;
	ssize_t len;
	int place;

	snprintf(link, sizeof link, "/proc/self/fd/%d", terminal);
	len = readlink(link, name, sizeof name - 1);
	if (len < 0)
		return -ENOENT;
	name[len] = '\0';
	place = zs_open_place(AT_FDCWD, name);
	if (place < 0)
		return -ENOENT;
	if (fstat(terminal, &want) == 0 && fstat(place, &have) == 0 && S_ISCHR(have.st_mode) &&
		have.st_rdev == want.st_rdev && have.st_dev == want.st_dev && have.st_ino == want.st_ino)
		return place;
	close(place);
	return -ENOENT;
}

int zs_terminal_show(struct zs_root_tree *tree, bool *ret_shown)
{
	/* A terminal can be written on a read-only mount, but its mode and owner cannot be changed. */
	const unsigned attributes = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC;

	*ret_shown = false;
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		ZS_AUTO_FD int place = isatty(fd) ? open_name(fd) : -ENOENT;
		ZS_AUTO_FD int mount = place < 0 ? place : zs_mount_clone(place, "", attributes);
		int r;

		if (mount == -ENOENT)
			continue;
		r = mount < 0 ? mount : zs_root_attach(tree, mount, ZS_TERMINAL, false);
		*ret_shown = r == 0;
		return r;
	}
	return 0;
}
