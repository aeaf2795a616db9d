/* Getting a processor soon, beside a command that keeps all of them busy, in as many sessions as it likes (man 7 sched,
 * "The autogroup feature"). An ordinary user cannot raise a priority; but who asks for short slices gets them sooner
 * (Linux 6.12: sched_runtime of SCHED_OTHER, kernel/sched/fair.c), and before any that runs for longer. A command that
 * asks for short ones too waits as shortly as we do. */
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
	SLICE_NS = 100 * 1000, /* the shortest */
	RESET_ON_FORK = 1,     /* linux/sched.h: of SCHED_FLAG_… */
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
