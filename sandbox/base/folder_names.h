/* The names in a folder, read once, for a caller that looks many names up and finds few of them. */
#ifndef ZS_SANDBOX_FOLDER_NAMES_H
#define ZS_SANDBOX_FOLDER_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* To read a folder with more names takes longer than to look up a hundred paths in it. */
enum { ZS_FOLDER_NAMES_MAX = 512 };

struct zs_folder_names {
	char *names; /* each ends with a NUL */
	size_t len;
	bool known; /* names holds all of them */
};

/* zs_folder_names_free() the result. If the folder cannot be read, `known` is false. */
struct zs_folder_names zs_folder_names_read(const char *folder);
void zs_folder_names_free(struct zs_folder_names *names);

/* Is it certain that no name is the first component of the relative path? Letters are compared without their case, as
 * some file systems do. */
bool zs_folder_names_lack(const struct zs_folder_names *names, const char *path);

#endif
