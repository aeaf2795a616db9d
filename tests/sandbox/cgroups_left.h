/* Cgroups that a traced run makes, by the names that its system calls say: those of other runs on the machine, which
 * come and go meanwhile, are none of ours. */
#ifndef ZS_TESTS_SANDBOX_CGROUPS_LEFT_H
#define ZS_TESTS_SANDBOX_CGROUPS_LEFT_H

#include "inject.h"

enum { CGROUPS_MADE_MAX = 16 };

struct cgroups_made {
	unsigned count;
	char names[CGROUPS_MADE_MAX][32];
};

/* At the entry of each call of the run. */
void cgroups_note(struct cgroups_made *made, const struct call *call);

/* How many of them are still there, and where this process would make its own. */
unsigned cgroups_left(const struct cgroups_made *made);

#endif
