/* The rules by which zs learn makes folders of paths, and refuses paths.
 *
 * A grant is never proposed for
 *   "/", the home folder, or a folder above it;
 *   a secret: a place that zs_denials_secret() knows, or a folder that holds one;
 *   and to write: a folder at the top, a folder of the system (/usr, /etc, /var, …), a folder of the home that many
 *   programs share (~/.config, ~/.local/share, ~/bin, …), a file that git, a shell or an agent obeys, or a folder that
 *   holds the workspace.
 * A file becomes its folder, and two folders become the one that holds both, as long as that one
 *   is none of these, to read as well;
 *   lies at least two names below the home folder, or is a folder ~/.NAME of one tool (in a folder that many programs
 *   share: one name below it);
 *   lies, outside of the home folder, at least two names below "/", or three in /usr and /var; in /etc, /dev, /proc,
 *   /run and /sys nothing becomes a folder. */
#ifndef ZS_CMD_LEARN_RULES_H
#define ZS_CMD_LEARN_RULES_H

#include "zs_denials.h"

struct zs_learn_ground {
	struct zs_denials *denials; /* of the last run, or NULL */
	const char *homes[2];       /* HOME's and the account's; each may be NULL */
	const char *workspace;      /* a real path */
};

/* Why a grant of this path is not proposed; NULL: it may be. wide: the path is a folder that has been made of others.
 * Looks at the path as it is named and as it resolves. */
const char *zs_learn_refusal(const struct zs_learn_ground *ground, const char *path, bool write, bool wide);

/* The folder of a file, or the folder itself, if it may be proposed; else the path. free() it. */
char *zs_learn_folder(const struct zs_learn_ground *ground, const char *path, bool write);

/* The folder that holds both, if it may be proposed; free() it. NULL: it may not. */
char *zs_learn_common(const struct zs_learn_ground *ground, const char *one, const char *other, bool write);

#endif
