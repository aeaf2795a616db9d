/* Where there is no cgroup. */
#ifndef ZS_SHIM_LINUX_TRACKER_SUBREAPER_H
#define ZS_SHIM_LINUX_TRACKER_SUBREAPER_H

#include "zs_tracker.h"

/* Starts the subreaper and, below it, the process that is to become the command, in which alone it returns. Takes
 * *connection: its end is the end of what the command has started. */
int zs_tracker_reap(int *connection, struct zs_error *error);

#endif
