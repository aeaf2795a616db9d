/* The run's end of the channel that hands its overlay over. zs_overlay.h has the receiver's end. */
#ifndef ZS_SANDBOX_LINUX_OVERLAY_CHANNEL_H
#define ZS_SANDBOX_LINUX_OVERLAY_CHANNEL_H

#include <stdbool.h>

/* Is the descriptor an end made by zs_overlay_channel()? Returns 0 or a negative errno. */
int zs_channel_check(int channel);

/* Sends the layers' directories before the run begins. The receiver then waits for one of the next two messages. */
int zs_channel_offer(int channel, int lower, int upper, const char *workspace);

/* Says that the run has not begun. */
void zs_channel_cancel(int channel);

/* Says that the run has ended and all of its processes are dead. cut: a signal or a limit has ended it. Waits until the
 * receiver is done with the overlay, and asks it to stop when a signal to end comes. signals: a non-blocking signalfd.
 * Returns 0, or the exit status that the receiver asks for. -ECANCELED: the receiver has failed with the overlay;
 * another errno: the receiver has gone. */
int zs_channel_end(int channel, int status, bool cut, int signals);

#endif
