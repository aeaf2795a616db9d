/* Makes a user namespace without processes, to be the map of an ID-mapped mount (man 2 mount_setattr). */
#ifndef ZS_SANDBOX_LINUX_ID_MAP_H
#define ZS_SANDBOX_LINUX_ID_MAP_H

#include <sys/types.h>

/* Maps one user and one group: uid and gid are the ids on the file system, shown_uid and shown_gid the ids that the
 * mount shows. All other ids are shown as nobody. */
struct zs_id_map {
	uid_t uid, shown_uid;
	gid_t gid, shown_gid;
};

/* Returns a descriptor of the namespace, or a negative errno. Only root of the initial user namespace may make an
 * ID-mapped mount with it. */
int zs_id_map_make(const struct zs_id_map *map);

#endif
