/* Where a loader looks for libraries. */
#ifndef ZS_SANDBOX_LIBRARY_PATH_H
#define ZS_SANDBOX_LIBRARY_PATH_H

#include "base/elf.h"

/* Folders, in the order in which they are searched. */
struct zs_library_path {
	char **folders;
	size_t count;
};

/* Reads the machine's folders: those of /etc/ld.so.conf and of the files that it includes, then the loader's own. */
int zs_library_path_read(struct zs_library_path *ret_path);
void zs_library_path_free(struct zs_library_path *path);

/* Finds the file that is loaded for `name`, which the ELF file `needed_by` at path `origin` needs: one of the same
 * class, found as ld.so(8) says. free() *ret_file. -ENOENT: there is none. */
int zs_library_find(const struct zs_library_path *path, const struct zs_elf *needed_by, const char *origin,
	const char *name, char **ret_file);

#endif
