/* A new folder in the machine's /tmp or /var/tmp that only this user may enter: the Landlock tier's private /tmp, or in
 * the mount tier the place of what is too large for memory (disk_tmp.c). */
#ifndef ZS_SANDBOX_LINUX_OWN_TMP_H
#define ZS_SANDBOX_LINUX_OWN_TMP_H

#include <stdbool.h>

struct zs_own_tmp {
	bool made;          /* this process has made the folder and removes it */
	int parent, folder; /* descriptors of the machine's /tmp (or TMPDIR) and of the folder */
	char name[32];      /* of the folder, in its parent */
	char *variables[3]; /* "TMPDIR=…", "TMP=…", "TEMP=…"; in the Landlock tier */
};

/* How the folder's name begins, before 16 hexadecimal digits. */
#define ZS_OWN_TMP "zs-"
#define ZS_OWN_TMP_DISK "zs-disk-"

/* Makes and opens the folder in this parent. Returns 0 or a negative errno. */
int zs_own_tmp_make(struct zs_own_tmp *tmp, const char *parent, const char *prefix);

/* Replaces each of these variables in env that has the value /tmp. */
void zs_own_tmp_name(const struct zs_own_tmp *tmp, char **env);

/* Removes the folder's content. No process may be writing in it any more. Returns 0 or a negative errno. */
int zs_own_tmp_empty(const struct zs_own_tmp *tmp);

/* Removes the content and the folder, if this process has made it. */
int zs_own_tmp_remove(const struct zs_own_tmp *tmp);

#endif
