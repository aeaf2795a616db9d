/* Tracks a command by a subreaper, where no cgroup is available. */
#ifndef ZS_SHIM_LINUX_TRACKER_SUBREAPER_H
#define ZS_SHIM_LINUX_TRACKER_SUBREAPER_H

#include "zs_tracker.h"

/* Forks the subreaper and below it the process that becomes the command; returns only in the latter. Takes *connection:
 * the watchdog shuts it down to end all that the command has started. */
int zs_tracker_reap(int *connection, struct zs_error *error);

#endif
