/* How a thread gets a processor soon, beside a command that keeps all of them busy. */
#ifndef ZS_SANDBOX_SCHEDULING_H
#define ZS_SANDBOX_SCHEDULING_H

/* Called by a thread of zs that ends a run. A process that the thread starts later is not affected. */
void zs_use_short_slices(void);

#endif
