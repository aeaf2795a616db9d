/* The functions that reading and applying an overlay share. */
#ifndef ZS_SANDBOX_LINUX_OVERLAY_FILES_H
#define ZS_SANDBOX_LINUX_OVERLAY_FILES_H

#include <sys/stat.h>

#include "zs_overlay.h"

struct zs_mode_of {
	char *path;
	mode_t mode; /* with the type: what has become of another type keeps its mode */
	size_t order;
};

struct zs_modes {
	struct zs_mode_of *items;
	size_t count, room;
};

struct zs_overlay {
	int lower, upper;
	int channel; /* of who received it; -1: there is none */
	bool stopped;
	struct timespec since; /* when the run began; zero: not known */
	bool cut;              /* a signal or a limit has ended the run */
	size_t entries, entries_max, path_bytes;
	struct zs_change *changes;
	size_t count, room;
	bool walked;
	struct zs_policy *protected; /* its grants PROTECT are held; NULL: names alone */
	struct zs_modes relaxed;     /* of the upper layer, as they were before reading it took more */
};

/* As openat(2), for "" too, which is base itself: below base, through no link and no mount. A negative errno. */
int zs_overlay_openat(int base, const char *path, int flags);

/* The same for reading a directory or a regular file, of the upper layer whatever its mode. The type is checked. */
int zs_overlay_open_upper(struct zs_overlay *overlay, const char *path, mode_t type);
int zs_overlay_open_lower(struct zs_overlay *overlay, const char *path, mode_t type);

/* A symbolic link's target; free() it. */
int zs_overlay_readlink(int base, const char *path, char **ret_target);

/* Reads until buffer is full or the file ends. */
ssize_t zs_overlay_read(int fd, char *buffer, size_t size);

/* Makes room for one more of an array's items. */
int zs_overlay_grow(void **items, size_t *room, size_t count, size_t size);

int zs_modes_add(struct zs_modes *modes, const char *path, mode_t mode);
/* Lets the owner read, and of a directory write and enter, and remembers what was. The command may have taken that
 * away, from root too when root has no powers. */
int zs_overlay_relax(int base, const char *path, mode_t type, struct zs_modes *modes);
/* Sets them below base, the deepest first. Returns the first failure, having tried all; what is gone is none. */
int zs_modes_set(struct zs_modes *modes, int base, const char **ret_path);
void zs_modes_free(struct zs_modes *modes);

/* Marks what is not to be applied, beside what is marked already. */
int zs_overlay_hold(struct zs_overlay *overlay);

#endif
