/* The names in a folder, read once, for who would look many of them up of which most are not there. */
#ifndef ZS_SANDBOX_FOLDER_NAMES_H
#define ZS_SANDBOX_FOLDER_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* A folder that holds more is slower to read than its hundred paths are to look up. */
enum { ZS_FOLDER_NAMES_MAX = 512 };

struct zs_folder_names {
	char *names; /* each with a NUL behind it */
	size_t len;
	bool known; /* all of them */
};

/* zs_folder_names_free() it. A folder that cannot be read has no known names. */
struct zs_folder_names zs_folder_names_read(const char *folder);
void zs_folder_names_free(struct zs_folder_names *names);

/* Is it certain that none of them begins the relative path? Letters are compared without their case, as some file
 * systems do. */
bool zs_folder_names_lack(const struct zs_folder_names *names, const char *path);

#endif
