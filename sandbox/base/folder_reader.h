/* Reading many folders one after the other, with as few calls as a system needs. */
#ifndef ZS_SANDBOX_FOLDER_READER_H
#define ZS_SANDBOX_FOLDER_READER_H

#include <errno.h>
#include <fcntl.h>

#include "base/cleanup.h"

/* A real folder, not a link to one. A descriptor or a negative errno. */
int zs_folder_open(const char *path);

/* type: DT_… of dirent.h. Not 0: ends the reading with it. */
typedef int zs_folder_name(int folder, const char *name, unsigned char type, void *arg);

/* Calls each for every name but "." and "..". When the folder cannot be read, *ret_cause is the errno, else 0; with
 * NULL the negative errno is returned. */
int zs_folder_each(int folder, zs_folder_name *each, void *arg, int *ret_cause);

/* The same from the start of any folder, also of one that is open with O_PATH. A negative errno: it cannot be read. */
static inline int zs_folder_list(int folder, zs_folder_name *each, void *arg)
{
	ZS_AUTO_FD int list = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return list < 0 ? -errno : zs_folder_each(list, each, arg, NULL);
}

/* Does the folder lie in a file system whose files the kernel makes up, such as /proc and /sys? 1: nobody can leave a
 * file of an own name in there, nor a link. 0: it is a file system like others. Or a negative errno. */
int zs_has_kernel_files(int folder);

#endif
