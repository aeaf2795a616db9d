/* The users of a root directory that has several (zs_policy_set_users()): a user namespace in which 0 is the caller,
 * and the ids from 1 on are the caller's subordinate ids. */
#ifndef ZS_SANDBOX_LINUX_USERS_H
#define ZS_SANDBOX_LINUX_USERS_H

#include <stdint.h>

#include "zs_sandbox.h"

/* So many ids at most, beside 0. */
enum { ZS_USERS_MAX = 65535 };

/* The capabilities of root in such a root directory, over files and processes of its users alone. */
extern const uint32_t zs_users_capabilities;

/* The ids outside that are 1 to `count` inside. */
struct zs_id_range {
	uint32_t first, count;
};

struct zs_users {
	struct zs_id_range uids, gids;
};

/* Finds the ranges: the caller's first rows of /etc/subuid and /etc/subgid. Root without a row gets ids that nobody
 * else has. 0, or a negative errno with the error filled in. */
int zs_users_find(struct zs_users *ret_users, struct zs_error *error);

/* The same, and looks for the programs that write the maps. */
int zs_users_check(struct zs_error *error);

/* Calls unshare(2), and has the maps of the new user namespace written: the real root's by a child, anybody else's by
 * newuidmap and newgidmap. *ret_object: "unshare", if that call failed, and the error is not filled in. */
int zs_users_enter(int flags, const char **ret_object, struct zs_error *error);

/* Takes the caller's supplementary groups away, which the users of the box do not have. 0 or a negative errno. */
int zs_users_drop_groups(void);

#endif
