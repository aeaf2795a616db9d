/* An overlay's state, and file access below its two layers: for reading the changes and for applying them. */
#ifndef ZS_SANDBOX_LINUX_OVERLAY_FILES_H
#define ZS_SANDBOX_LINUX_OVERLAY_FILES_H

#include <limits.h>
#include <sys/stat.h>

#include "zs_overlay.h"

/* The step of all errors. */
extern const char zs_overlay_step[];

/* A mode to set later. */
struct zs_mode_of {
	char *path;
	mode_t mode;  /* with the file type: a file that has changed its type keeps its mode */
	size_t order; /* in which it was added */
};

struct zs_modes {
	struct zs_mode_of *items;
	size_t count;
};

struct zs_overlay {
	int lower, upper;                        /* descriptors of the layers' top directories */
	int channel;                             /* the receiver's end; -1: the overlay was opened without a channel */
	bool stopped;                            /* the run's process asks to stop, or has ended */
	struct timespec since;                   /* when the run began; zero: not known */
	bool cut;                                /* a signal or a limit has ended the run */
	char workspace[PATH_MAX];                /* its path, as the run says; "": the descriptor's */
	size_t entries, entries_max, path_bytes; /* looked at so far, and their most; bytes of their paths */
	struct zs_change *changes;
	size_t count;                /* of changes */
	bool walked;                 /* changes is complete */
	struct zs_policy *protected; /* changes to its PROTECT grants are held; NULL: none */
	struct zs_modes relaxed;     /* original modes in the upper layer that were widened for reading */
};

/* Opens as openat(2), but only below base, and through no symbolic link and no mount. path "" is base itself. Returns a
 * descriptor or a negative errno. */
int zs_overlay_openat(int base, const char *path, int flags);

/* Opens a directory or a regular file for reading and checks its type. In the upper layer a mode that forbids reading
 * is widened first. */
int zs_overlay_open_upper(struct zs_overlay *overlay, const char *path, mode_t type);
int zs_overlay_open_lower(struct zs_overlay *overlay, const char *path, mode_t type);

/* Writes folder/name, or name alone if folder is "". Returns the length, or -ENAMETOOLONG. */
int zs_overlay_join(char buffer[ZS_OVERLAY_PATH_BYTES_MAX + 1], const char *folder, const char *name);
/* The last component of a path. */
const char *zs_overlay_last_name(const char *path);
/* Does the path lie below the folder? */
bool zs_overlay_is_below(const char *path, const char *folder);

/* Reads a symbolic link's target; free() it. */
int zs_overlay_readlink(int base, const char *path, char **ret_target);

/* Reads until buffer is full or the file ends. */
ssize_t zs_overlay_read(int fd, char *buffer, size_t size);

int zs_modes_add(struct zs_modes *modes, const char *path, mode_t mode);
/* Gives the owner the right to read a file, or to read, write and enter a directory, and adds the old mode to modes.
 * The command may have removed these rights, which binds root, too, when root has no capabilities. */
int zs_overlay_relax(int base, const char *path, mode_t type, struct zs_modes *modes);
/* Sets all modes below base, the deepest first. Tries all of them and returns the first failure; a file that is gone is
 * no failure. */
int zs_modes_set(struct zs_modes *modes, int base, const char **ret_path);
void zs_modes_free(struct zs_modes *modes);

/* Sets `held` of each change that is not to be applied unasked. Marks that are set already stay. */
int zs_overlay_hold(struct zs_overlay *overlay);

#endif
