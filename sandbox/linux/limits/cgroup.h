/* A cgroup of our own: made, written to, emptied and removed (man 7 cgroups). */
#ifndef ZS_SANDBOX_LINUX_CGROUP_H
#define ZS_SANDBOX_LINUX_CGROUP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct zs_cgroup {
	int parent; /* the folder that it is in; -1: there is no cgroup */
	int fd;
	char name[24];
};

#define ZS_CGROUP_NONE ((struct zs_cgroup){ -1, -1, "" })

/* Opens a folder in which this process may make cgroups and put processes into them. v2: of that version, else of
 * version 1. A descriptor, or a negative errno, of which -ENOENT says that it is not to be had here. */
int zs_cgroup_open_parent(const char *path, bool v2);

/* Makes one in a folder that zs_cgroup_open_parent() gave, and that *ret_cgroup owns then. It is locked, which says
 * that it is in use. -ENOENT as above. */
int zs_cgroup_make(int parent, struct zs_cgroup *ret_cgroup);

int zs_cgroup_write(const struct zs_cgroup *cgroup, const char *file, const char *text);

/* The number that a file holds; with a key, the one behind it ("usage_usec 7"). -ENOENT when there is none. */
int zs_cgroup_number(const struct zs_cgroup *cgroup, const char *file, const char *key, uint64_t *ret_number);

/* A descriptor from which zs_cgroup_usage() reads the processor time of all who are, or were, in it. */
int zs_cgroup_open_usage(const struct zs_cgroup *cgroup, bool v2);
int zs_cgroup_usage(int fd, bool v2, uint64_t *ret_microseconds);

/* Does the file of this folder list the word? 1, 0 or a negative errno. */
int zs_cgroup_lists(int folder, const char *file, const char *word);

/* Version 2: as fork(2), and the child starts in the cgroup. -ENOSYS where clone3(2) is not to be had. */
pid_t zs_cgroup_fork(const struct zs_cgroup *cgroup);

/* Version 2: ends every process in it, those that are being started too, and waits for their end. -ETIMEDOUT. */
int zs_cgroup_kill(const struct zs_cgroup *cgroup);

/* Removes it, and what was made below it. Its processes have ended; of version 2 those that have not are. Then those
 * beside it that are empty and locked by nobody: supervisors that were killed have left them. */
int zs_cgroup_remove(struct zs_cgroup *cgroup);

/* Lets go of the descriptors. */
void zs_cgroup_close(struct zs_cgroup *cgroup);

#endif
