/* The children of a subreaper (man 2 PR_SET_CHILD_SUBREAPER), and how it ends them. */
#ifndef ZS_SANDBOX_LINUX_CHILDREN_H
#define ZS_SANDBOX_LINUX_CHILDREN_H

#include <stddef.h>
#include <sys/types.h>

/* Children that do not belong to the run: a shell that executes zs in its own place leaves it the processes that it has
 * started in the background. */
struct zs_strangers {
	pid_t *pids;
	size_t count;
};

/* The present children of this process. The caller frees ret_strangers->pids. 0 or a negative errno. */
int zs_children_find(struct zs_strangers *ret_strangers);

/* Kills and reaps all other children of this process and all their descendants. For the first `patience` milliseconds
 * it only waits for another process to kill them. 0 or a negative errno; -ETIMEDOUT: some are left after 5 s. */
int zs_children_end(struct zs_strangers *strangers, int patience);

#endif
