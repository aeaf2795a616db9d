/* A tracker's host, its watchdog and its commands share the folder of its fingerprint. */
#ifndef ZS_SHIM_DARWIN_TRACKER_PLACE_H
#define ZS_SHIM_DARWIN_TRACKER_PLACE_H

#include "darwin/fingerprint.h"

/* Commands may join as long as this file is in the folder. A command takes the fingerprint before it looks for the
 * file. So if the file is removed, either the command finds no file, or the scan of all processes that follows finds
 * the command. */
int zs_tracker_place_open(const struct zs_fingerprint *fingerprint);
int zs_tracker_place_look(const struct zs_fingerprint *fingerprint); /* -ENOENT: no command may join any more */

/* Lets no further command join, and ends those that have joined. */
int zs_tracker_place_end(const struct zs_fingerprint *fingerprint, struct zs_scan_report *ret_report);

#endif
