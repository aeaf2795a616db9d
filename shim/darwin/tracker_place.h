/* A tracker's host, its watchdog and its commands share the folder of its fingerprint. */
#ifndef ZS_SHIM_DARWIN_TRACKER_PLACE_H
#define ZS_SHIM_DARWIN_TRACKER_PLACE_H

#include "darwin/fingerprint.h"

/* As long as this file is in the folder, commands may join. One that joins has its fingerprint before it looks for the
 * file, so that either it finds none, or the look at all processes that follows the file's removal finds it. */
int zs_tracker_place_open(const struct zs_fingerprint *fingerprint);
int zs_tracker_place_look(const struct zs_fingerprint *fingerprint); /* -ENOENT: nobody joins any more */

/* Nobody joins any more, and who has is ended. */
int zs_tracker_place_end(const struct zs_fingerprint *fingerprint, struct zs_scan_report *ret_report);

#endif
