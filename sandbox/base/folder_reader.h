/* Reads many folders one after the other, with few system calls. */
#ifndef ZS_SANDBOX_FOLDER_READER_H
#define ZS_SANDBOX_FOLDER_READER_H

#include <errno.h>
#include <fcntl.h>

#include "base/cleanup.h"

/* Opens a folder, but not a link to one. Returns a descriptor or a negative errno. */
int zs_folder_open(const char *path);

/* type: DT_… of dirent.h. A result that is not 0 ends the reading, and is returned. */
typedef int zs_folder_name(int folder, const char *name, unsigned char type, void *arg);

/* Calls each for every name but "." and "..". When the folder cannot be read, sets *ret_cause to the errno, else to 0;
 * with ret_cause NULL returns the negative errno. */
int zs_folder_each(int folder, zs_folder_name *each, void *arg, int *ret_cause);

/* The same from the start of any folder, also of one that is open with O_PATH. A negative errno: the folder cannot be
 * read. */
static inline int zs_folder_list(int folder, zs_folder_name *each, void *arg)
{
	ZS_AUTO_FD int list = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return list < 0 ? -errno : zs_folder_each(list, each, arg, NULL);
}

/* Does the folder lie in a file system whose files the kernel makes up, such as /proc and /sys? 1: nobody can make a
 * file or a link with a name of their own in there. 0: it is another file system. Or a negative errno. */
int zs_has_kernel_files(int folder);

#endif
