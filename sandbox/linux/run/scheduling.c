/* Gets this thread a processor soon, although a command keeps all of them busy. An ordinary user cannot raise a
 * priority. But since Linux 6.12 a thread that asks for short slices gets them sooner than one that asks for longer
 * ones (sched_runtime of SCHED_OTHER, kernel/sched/fair.c). If a command also asks for short slices, it waits no longer
 * than this thread. */
#include <sched.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/scheduling.h"

/* man 2 sched_setattr */
struct attributes {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime, deadline, period;
};

enum {
	SLICE_NS = 100 * 1000, /* the kernel's minimum */
	RESET_ON_FORK = 1,     /* SCHED_FLAG_RESET_ON_FORK of linux/sched.h */
};

void zs_use_short_slices(void)
{
	struct attributes own = { .size = sizeof own };

	if (syscall(SYS_sched_getattr, 0, &own, sizeof own, 0) < 0)
		return;
	own.size = sizeof own;
	own.policy = SCHED_OTHER; /* if zs was started with SCHED_IDLE */
	own.flags = RESET_ON_FORK;
	own.runtime = SLICE_NS;
	if (syscall(SYS_sched_setattr, 0, &own, 0) < 0)
		return;
}
