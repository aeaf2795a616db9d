#include "base/folder_reader.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int zs_folder_open(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

int zs_folder_each(int folder, zs_folder_name *each, void *arg, int *ret_cause)
{
	int copy = fcntl(folder, F_DUPFD_CLOEXEC, 0), r = 0;
	DIR *stream = copy < 0 ? NULL : fdopendir(copy);
	const struct dirent *entry;

	*ret_cause = stream ? 0 : errno;
	if (!stream) {
		if (copy >= 0)
			close(copy);
		return 0;
	}
	while (r == 0 && (errno = 0, entry = readdir(stream)))
		r = each(folder, entry->d_name, entry->d_type, arg);
	*ret_cause = r == 0 ? errno : 0;
	closedir(stream);
	return r;
}
