/* The Landlock tier's stand-in for a private /tmp: a fresh folder in the machine's, that only this user may enter. */
#ifndef ZS_SANDBOX_LINUX_OWN_TMP_H
#define ZS_SANDBOX_LINUX_OWN_TMP_H

#include <stdbool.h>

struct zs_own_tmp {
	bool made;          /* by this process, which is to remove it */
	int parent, folder; /* descriptors */
	char name[32];      /* in the parent */
	char *variables[3]; /* TMPDIR and its like */
};

/* Puts its variables in the place of those that name /tmp. */
void zs_own_tmp_name(const struct zs_own_tmp *tmp, char **env);

/* Removes what is in the folder. Nothing may be writing there any more. 0 or a negative errno. */
int zs_own_tmp_empty(const struct zs_own_tmp *tmp);

/* The folder as well, if this process has made it. */
int zs_own_tmp_remove(const struct zs_own_tmp *tmp);

#endif
