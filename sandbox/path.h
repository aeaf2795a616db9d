/* Paths as text (path.c, pure) and as trees on this machine (path_tree.c). */
#ifndef ZS_SANDBOX_PATH_H
#define ZS_SANDBOX_PATH_H

#include <stdbool.h>

#include "zs_sandbox.h"

/* The value of name in envp, or NULL. */
const char *zs_env_value(char *const envp[], const char *name);

bool zs_utf8_valid(const char *text);

/* Makes an absolute path of "/…", "~" or "~/…": no doubled or trailing slash, no ".". On failure returns -errno and
 * says what is wrong in *ret_problem, a static string. free() *ret_path. */
int zs_path_normalize(const char *path, const char *home, char **ret_path, const char **ret_problem);

/* base/name; free() it. NULL when out of memory. */
char *zs_path_join(const char *base, const char *name);

/* Does the tree at `tree` hold `path`, or is it the same? Compares device and inode along the ancestors of where
 * path really is, so neither symbolic links nor bind mounts hide it. What does not exist covers nothing; when it
 * cannot be told, for lack of memory, the answer is yes, which is the one that refuses. */
bool zs_tree_covers(const char *tree, const char *path);

/* The same question about two real paths, as text. */
bool zs_path_lies_in(const char *path, const char *tree);

/* Where a path leads, found in one walk that looks at each link once: so nobody can show one link to the judge and
 * another to the grant. */
struct zs_place_link {
	char *folder; /* the real one that it lies in */
	char *path;   /* in there */
	char *target; /* what it says */
};

struct zs_place {
	char *real;
	struct zs_place_link *links; /* all on the way, in its order */
	size_t link_count;
};

/* As realpath(3), for an absolute path. zs_place_free() *ret_place. */
int zs_path_place(const char *path, struct zs_place *ret_place);
void zs_place_free(struct zs_place *place);

#endif
