/* Stands in for a private /tmp: a new folder in the user's own temporary folder, which TMPDIR names. */
#ifndef ZS_SANDBOX_DARWIN_MAC_TMP_H
#define ZS_SANDBOX_DARWIN_MAC_TMP_H

#include <limits.h>

struct zs_own_tmp {
	char folder[PATH_MAX];            /* a real path; "": there is none */
	char variables[3][PATH_MAX + 16]; /* TMPDIR and similar variables */
};

/* Replaces the variables of these names in env. */
void zs_own_tmp_name(struct zs_own_tmp *tmp, char **env);

/* Removes the folder and its content. No process may be writing in it any more. */
void zs_own_tmp_remove(const struct zs_own_tmp *tmp);

#endif
