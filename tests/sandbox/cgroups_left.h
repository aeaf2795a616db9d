/* Cgroups of zs's that nobody uses any more. */
#ifndef ZS_TESTS_SANDBOX_CGROUPS_LEFT_H
#define ZS_TESTS_SANDBOX_CGROUPS_LEFT_H

/* How many there are that were not there at the last call, where this process makes its own; of runs elsewhere on the
 * machine those that have ended. */
unsigned cgroups_left(void);

#endif
