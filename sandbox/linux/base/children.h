/* Children of this process, and of those that it has adopted as their subreaper. */
#ifndef ZS_SANDBOX_LINUX_CHILDREN_H
#define ZS_SANDBOX_LINUX_CHILDREN_H

#include <stddef.h>
#include <sys/types.h>

/* Children that the supervisor's process has had before it was one: a shell that becomes zs by exec leaves it those
 * that it has started in the background. They are not the run's. */
struct zs_strangers {
	pid_t *pids;
	size_t count;
};

/* free() ret_strangers->pids. */
int zs_children_find(struct zs_strangers *ret_strangers);

/* Ends and reaps all other children of this process, and theirs, as they become its own. For so many milliseconds it
 * only waits for somebody else to end them. -ETIMEDOUT when some are left after a while. */
int zs_children_end(struct zs_strangers *strangers, int patience);

#endif
