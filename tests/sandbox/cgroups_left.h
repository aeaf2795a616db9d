/* Finds the cgroups that a traced run makes, by the names in its system calls. Cgroups of other runs on the machine,
 * which come and go meanwhile, do not count. */
#ifndef ZS_TESTS_SANDBOX_CGROUPS_LEFT_H
#define ZS_TESTS_SANDBOX_CGROUPS_LEFT_H

#include "inject.h"

enum { CGROUPS_MADE_MAX = 16 };

struct cgroups_made {
	unsigned count;
	char names[CGROUPS_MADE_MAX][32];
};

/* Called at the entry of each call of the run. */
void cgroups_note(struct cgroups_made *made, const struct call *call);

/* Counts those that still exist, in the place where this process would make its own. */
unsigned cgroups_left(const struct cgroups_made *made);

#endif
