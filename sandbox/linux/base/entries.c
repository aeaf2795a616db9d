#include "linux/base/entries.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int zs_for_each_entry(int folder, int (*each)(void *arg, const struct zs_entry *entry), void *arg)
{
	_Alignas(struct zs_entry) char buffer[2048]; /* small, since a recursive walk has one a level */
	long len;
	int r = 0;

	while (r == 0 && (len = syscall(SYS_getdents64, folder, buffer, sizeof buffer)) > 0)
		for (long at = 0; r == 0 && at < len;) {
			const struct zs_entry *entry = (const void *)(buffer + at);

			if (strcmp(entry->name, ".") != 0 && strcmp(entry->name, "..") != 0)
				r = each(arg, entry);
			at += entry->size;
		}
	return r == 0 && len < 0 ? -errno : r;
}
