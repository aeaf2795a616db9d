/* The run's end of the channel on which its overlay is handed over (zs_overlay.h has the other one). */
#ifndef ZS_SANDBOX_LINUX_OVERLAY_CHANNEL_H
#define ZS_SANDBOX_LINUX_OVERLAY_CHANNEL_H

#include <stdbool.h>

/* Is it one of zs_overlay_channel()'s? 0 or a negative errno. */
int zs_channel_check(int channel);

/* The directories of a run that is about to begin. Their receiver waits for what the next two say. */
int zs_channel_offer(int channel, int lower, int upper);

/* It has not begun. */
void zs_channel_cancel(int channel);

/* It has ended, and all of its processes are dead. cut: a signal or a limit has ended it. Waits until the overlay is of
 * no use any more, and tells its receiver to stop when a signal says so. signals: of a signalfd that does not block.
 * -ECANCELED: its receiver is not content; another errno: the receiver has gone. */
int zs_channel_end(int channel, int status, bool cut, int signals);

#endif
