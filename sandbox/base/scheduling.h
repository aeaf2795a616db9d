/* Getting a processor soon, beside a command that keeps all of them busy. */
#ifndef ZS_SANDBOX_SCHEDULING_H
#define ZS_SANDBOX_SCHEDULING_H

/* For a thread of ours that ends a run. A process that it starts later is as before. */
void zs_use_short_slices(void);

#endif
