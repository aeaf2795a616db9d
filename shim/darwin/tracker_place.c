#include "darwin/tracker_place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int at_open_file(const struct zs_fingerprint *fingerprint, char path[PATH_MAX])
{
	int len = snprintf(path, PATH_MAX, "%s/open", fingerprint->folder);

	return len > 0 && len < PATH_MAX ? 0 : -ENAMETOOLONG;
}

int zs_tracker_place_open(const struct zs_fingerprint *fingerprint)
{
	char path[PATH_MAX];
	int r = at_open_file(fingerprint, path), fd;

	if (r < 0)
		return r;
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

int zs_tracker_place_look(const struct zs_fingerprint *fingerprint)
{
	char path[PATH_MAX];
	int r = at_open_file(fingerprint, path);

	return r == 0 && access(path, F_OK) < 0 ? -errno : r;
}

int zs_tracker_place_end(const struct zs_fingerprint *fingerprint, struct zs_scan_report *ret_report)
{
	char path[PATH_MAX];
	int r = at_open_file(fingerprint, path);

	*ret_report = (struct zs_scan_report){ 0 };
	if (r == 0 && unlink(path) < 0 && errno != ENOENT)
		r = -errno;
	return r < 0 ? r : zs_fingerprint_end(fingerprint, ret_report);
}
