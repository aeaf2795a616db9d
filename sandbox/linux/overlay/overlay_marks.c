/* Reads overlayfs's marks on a file, which are extended attributes. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "linux/overlay/overlay_walk.h"

/* The attributes that the kernel may leave on a file of this mount. Mark 0: the attribute changes nothing for us. */
static const struct {
	const char *name;
	int mark;
} known[] = {
	{ "origin", 0 },
	{ "impure", 0 },
	{ "nlink", 0 },
	{ "upper", 0 },
	{ "uuid", 0 },
	{ "protattr", 0 },
	{ "whiteout", ZS_MARK_WHITEOUT },
	{ "opaque", ZS_MARK_OPAQUE },
};

static int find_mark(const char *name)
{
	static const char escape[] =
		"overlay."; /* an attribute that the command has set itself is kept below this name */

	if (strncmp(name, escape, sizeof escape - 1) == 0)
		return 0;
	for (size_t i = 0; i < ZS_COUNT(known); i++)
		if (strcmp(known[i].name, name) == 0)
			return known[i].mark;
	return -EOPNOTSUPP;
}

/* Collects the marks from a list of names, as listxattr(2) returns it. */
static int read_marks(struct zs_walk *walk, const char *path, const char *names, size_t len)
{
	static const char prefix[] = "user.overlay.";
	int marks = 0;

	for (const char *name = names; name < names + len; name += strlen(name) + 1) {
		int mark;

		if (strncmp(name, prefix, sizeof prefix - 1) != 0)
			continue;
		mark = find_mark(name + sizeof prefix - 1);
		if (mark < 0)
			return zs_error_say(walk->error, zs_walk_step, path, -mark,
				"has the attribute %s, which no overlay of ours leaves", name);
		marks |= mark;
	}
	return marks;
}

/* Uses /proc/self/fd, since flistxattr(2) takes no O_PATH descriptor. Symbolic links and special files have no user
 * attributes (man 7 xattr). */
int zs_walk_marks(struct zs_walk *walk, const char *path, int fd, mode_t mode)
{
	ZS_AUTO_FREE char *names = NULL;
	char proc[64];
	ssize_t len;

	if (!S_ISREG(mode) && !S_ISDIR(mode))
		return 0;
	snprintf(proc, sizeof proc, "/proc/self/fd/%d", fd);
	len = listxattr(proc, NULL, 0);
	if (len < 0 && errno != ENOTSUP)
		return zs_walk_fail(walk, path, -errno);
	if (len <= 0)
		return 0;
	names = malloc((size_t)len);
	if (!names)
		return zs_walk_fail(walk, path, -ENOMEM);
	len = listxattr(proc, names, (size_t)len);
	if (len < 0)
		return zs_walk_fail(walk, path, -errno);
	return read_marks(walk, path, names, (size_t)len);
}

/* The value "y" makes the directory opaque. "x" says that it contains whiteouts in the form of an attribute. */
int zs_walk_opaque(struct zs_walk *walk, const char *path, int fd)
{
	char value[8];
	ssize_t len = fgetxattr(fd, "user.overlay.opaque", value, sizeof value);

	if (len < 0)
		return errno == ENODATA || errno == ENOTSUP ? 0 : zs_walk_fail(walk, path, -errno);
	if (len == 1 && (value[0] == 'y' || value[0] == 'x'))
		return value[0] == 'y';
	return zs_error_say(walk->error, zs_walk_step, path, EOPNOTSUPP, "has an unknown value of user.overlay.opaque");
}
