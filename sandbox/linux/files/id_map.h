/* User namespaces that nobody lives in: the map of an ID-mapped mount (man 2 mount_setattr). */
#ifndef ZS_SANDBOX_LINUX_ID_MAP_H
#define ZS_SANDBOX_LINUX_ID_MAP_H

#include <sys/types.h>

/* One user and one group: what the file system says, and what the mount shows. All others are shown as nobody. */
struct zs_id_map {
	uid_t uid, shown_uid;
	gid_t gid, shown_gid;
};

/* A descriptor, or a negative errno. It takes the machine's root to make such a mount. */
int zs_id_map_make(const struct zs_id_map *map);

#endif
