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

/* Makes a normal absolute path of "/…", "~" or "~/…", without doubled or trailing slashes and without ".". On failure
 * returns a negative errno and says what is wrong in *ret_problem, a static string. free() *ret_path. */
int zs_path_normalize(const char *path, const char *home, char **ret_path, const char **ret_problem);

/* base/name; free() it. NULL when out of memory. */
char *zs_path_join(const char *base, const char *name);

/* Takes the next entry that is not empty from a list separated by colons, and advances *list; free() *ret_entry. 0:
 * there is none. */
int zs_path_list_next(const char **list, char **ret_entry);

/* A walk along a path, name by name, as the kernel does it (man 7 path_resolution). */
struct zs_path_walk {
	char done[PATH_MAX]; /* the part that has been walked; "" at the root */
	char rest[PATH_MAX]; /* still to go */
	size_t folder_len;   /* the length of done without its last name */
	unsigned links;
};

/* base: "" or a real path. -ENAMETOOLONG. */
int zs_path_start(struct zs_path_walk *walk, const char *base, const char *path);

/* Takes the next name, or goes up for "..". -ENAMETOOLONG. */
enum { ZS_PATH_ENDS, ZS_PATH_GOES_UP, ZS_PATH_HAS_NAME };
int zs_path_step(struct zs_path_walk *walk);

/* Follows the last name, which is a link. -ENAMETOOLONG; -ELOOP after as many links as the kernel follows. */
int zs_path_follow(struct zs_path_walk *walk, const char *target);

/* A file or directory, identified by device and inode, which are the same through symbolic links and bind mounts. */
enum zs_presence { ZS_ABSENT, ZS_PRESENT, ZS_PRESENCE_UNKNOWN };

struct zs_identity {
	enum zs_presence presence;
	dev_t device;
	ino_t inode;
};

struct zs_identity zs_identity_of(const char *path);

/* The identities of all directories that hold a path: its real place, or its nearest existing ancestor, and all
 * directories above. */
struct zs_ancestry {
	struct zs_identity *items;
	size_t count;
	bool unknown; /* an identity could not be read, for example for lack of memory */
};

/* zs_ancestry_free() the result. */
struct zs_ancestry zs_ancestry_of(const char *path);
/* The same for a real path. */
struct zs_ancestry zs_ancestry_of_real(const char *real);
void zs_ancestry_free(struct zs_ancestry *ancestry);

/* Is the tree one of them? A missing tree is not. doubt: the answer when that is not known. */
bool zs_ancestry_holds(const struct zs_ancestry *ancestry, const struct zs_identity *tree, bool doubt);

/* Is the tree at `tree` the same as `path`, or does it hold it? When that is not known, the answer is yes, which
 * refuses. */
bool zs_tree_covers(const char *tree, const char *path);

/* The same question about two real paths, as text. */
bool zs_path_lies_in(const char *path, const char *tree);

/* Would a grant of this tree, which holds the path, also give it as a device? Only /dev and grants inside it do: a
 * command that may read "/" must not read root's disks. Compares text. */
bool zs_tree_gives_devices(const char *tree, const char *path);

/* Finds the real place of a path, or the place that it would have if it were made now; free() *ret_real. -ELOOP: a link
 * on the way leads nowhere. */
int zs_path_would_be(const char *path, char **ret_real);

/* Is this the path's real place, or would it be, without any link on the way? */
bool zs_path_is_real(const char *path);

/* The real place of a path, found in one walk that reads each link once. So nobody can show one link to the judge and
 * another to the grant. */
struct zs_place_link {
	char *folder; /* the real folder in which the link lies */
	char *path;   /* the link's path */
	char *target; /* the link's target */
};

struct zs_place {
	char *real;
	/* The identity of the place, as the walk found it; absent: the walk did not look. A run opens the place later
	 * in any case, with RESOLVE_NO_SYMLINKS. */
	struct zs_identity identity;
	struct zs_place_link *links; /* all links on the way, in the order of the walk */
	size_t link_count;
};

/* Works as realpath(3), for an absolute path. zs_place_free() *ret_place. known: a real path whose folders are not
 * looked at again, or ""; it is set to the last folder that this walk has found, since most paths of a policy share
 * their folders. Do not keep it longer than one call into the library, since files can move. */
int zs_path_place(const char *path, char known[PATH_MAX], struct zs_place *ret_place);

/* Is the path out of reach because of a folder of this user's own, who can open it again? True also when that is not
 * known. */
bool zs_path_is_shut(const char *path);
void zs_place_free(struct zs_place *place);

/* Works as zs_path_place(). If the path does not exist, it finds the way to the nearest folder above it that exists.
 * -ELOOP: a link leads nowhere. */
int zs_path_way(const char *path, struct zs_place *ret_place);

/* Does the way end in the tree, or go through a link that lies in it? When that is not known, the answer is yes. */
bool zs_way_touches(const char *path, const char *tree);

#endif
