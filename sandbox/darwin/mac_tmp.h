/* The stand-in for a private /tmp: a fresh folder in the user's own, that TMPDIR names. */
#ifndef ZS_SANDBOX_DARWIN_MAC_TMP_H
#define ZS_SANDBOX_DARWIN_MAC_TMP_H

#include <limits.h>

struct zs_own_tmp {
	char folder[PATH_MAX];            /* real; "": there is none */
	char variables[3][PATH_MAX + 16]; /* TMPDIR and its like */
};

/* Puts its variables in the place of those of the same names. */
void zs_own_tmp_name(struct zs_own_tmp *tmp, char **env);

/* The folder and all that is in it. Nothing may be writing there any more. */
void zs_own_tmp_remove(const struct zs_own_tmp *tmp);

#endif
