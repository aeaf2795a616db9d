/* Paths as text (path.c, pure) and as trees on this machine (path_tree.c). */
#ifndef ZS_SANDBOX_PATH_H
#define ZS_SANDBOX_PATH_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

#include "zs_sandbox.h"

/* The value of name in envp, or NULL. */
const char *zs_env_value(char *const envp[], const char *name);

bool zs_utf8_valid(const char *text);

/* Makes an absolute path of "/…", "~" or "~/…": no doubled or trailing slash, no ".". On failure returns -errno and
 * says what is wrong in *ret_problem, a static string. free() *ret_path. */
int zs_path_normalize(const char *path, const char *home, char **ret_path, const char **ret_problem);

/* base/name; free() it. NULL when out of memory. */
char *zs_path_join(const char *base, const char *name);

/* The next entry, that is not empty, of a list with colons; free() it, and go on with the same list. 0: there is none.
 */
int zs_path_list_next(const char **list, char **ret_entry);

/* A walk along a path, name by name, as the kernel makes it (man 7 path_resolution). */
struct zs_path_walk {
	char done[PATH_MAX]; /* "" at the root */
	char rest[PATH_MAX]; /* still to go */
	size_t folder_len;   /* of done, without the name that came last */
	unsigned links;
};

/* base: "" or a real path. -ENAMETOOLONG. */
int zs_path_start(struct zs_path_walk *walk, const char *base, const char *path);

/* Takes the next name, or what ".." says. -ENAMETOOLONG. */
enum { ZS_PATH_ENDS, ZS_PATH_GOES_UP, ZS_PATH_HAS_NAME };
int zs_path_step(struct zs_path_walk *walk);

/* The last name is a link. -ENAMETOOLONG, or -ELOOP after as many as the kernel follows. */
int zs_path_follow(struct zs_path_walk *walk, const char *target);

/* A file or directory, by device and inode, so that neither symbolic links nor bind mounts hide which one it is. */
enum zs_presence { ZS_ABSENT, ZS_PRESENT, ZS_PRESENCE_UNKNOWN };

struct zs_identity {
	enum zs_presence presence;
	dev_t device;
	ino_t inode;
};

struct zs_identity zs_identity_of(const char *path);

/* The directories that hold a path, by identity: its real place, or its nearest existing ancestor, and all directories
 * above. */
struct zs_ancestry {
	struct zs_identity *items;
	size_t count;
	bool unknown; /* for lack of memory, say */
};

/* zs_ancestry_free() it. */
struct zs_ancestry zs_ancestry_of(const char *path);
/* The same for a real path. */
struct zs_ancestry zs_ancestry_of_real(const char *real);
void zs_ancestry_free(struct zs_ancestry *ancestry);

/* Is the tree one of them? A missing tree is none; doubt: the answer when it cannot be told. */
bool zs_ancestry_holds(const struct zs_ancestry *ancestry, const struct zs_identity *tree, bool doubt);

/* Does the tree at `tree` hold `path`, or is it the same? When it cannot be told, the answer is yes, which is the one
 * that refuses. */
bool zs_tree_covers(const char *tree, const char *path);

/* The same question about two real paths, as text. */
bool zs_path_lies_in(const char *path, const char *tree);

/* Would a grant of this tree, which holds the path, give it as a device too? None but those of /dev and in it do: who
 * may read "/" is not to read root's disks. As text. */
bool zs_tree_gives_devices(const char *tree, const char *path);

/* Where a path is, or would be if somebody made it now; free() it. -ELOOP when a link on the way leads nowhere. */
int zs_path_would_be(const char *path, char **ret_real);

/* Is it, or would it be, right there, without any link on the way? */
bool zs_path_is_real(const char *path);

/* Where a path leads, found in one walk that looks at each link once: so nobody can show one link to the judge and
 * another to the grant. */
struct zs_place_link {
	char *folder; /* the real one that it lies in */
	char *path;   /* in there */
	char *target; /* what it says */
};

struct zs_place {
	char *real;
	/* The walk's last find there; absent: it has not looked. As old as a look of its own would be by the time that
	 * a run opens the place, with RESOLVE_NO_SYMLINKS. */
	struct zs_identity identity;
	struct zs_place_link *links; /* all on the way, in its order */
	size_t link_count;
};

/* As realpath(3), for an absolute path. zs_place_free() *ret_place. known: a real path, or "", of which no folder is
 * looked at again; then the one that this walk has met last. Most paths of a policy share their folders. To be kept no
 * longer than a call into the library takes, since places move. */
int zs_path_place(const char *path, char known[PATH_MAX], struct zs_place *ret_place);

/* Of a path to which the way is denied: by a folder of this user's own, who can open it again, or where that cannot be
 * told? */
bool zs_path_is_shut(const char *path);
void zs_place_free(struct zs_place *place);

/* As zs_path_place(); of what is not there the way to its nearest folder that is. -ELOOP: a link leads nowhere. */
int zs_path_way(const char *path, struct zs_place *ret_place);

/* Does the way end in the tree, or go through a link that lies in it? When it cannot be told, the answer is yes. */
bool zs_way_touches(const char *path, const char *tree);

#endif
