/* Paths as Seatbelt knows them: where the file really is. /tmp, /var and /etc are links into /private on every macOS.
 */
#ifndef ZS_SANDBOX_SEATBELT_PLACE_H
#define ZS_SANDBOX_SEATBELT_PLACE_H

#include "zs_sandbox.h"

/* The form below /private of a path below one of the links; a copy of any other. free() it. -EINVAL or -EILSEQ, with
 * the error said, for what is no path that a profile can name. */
int zs_seatbelt_place(const char *field, const char *path, char **ret_place, struct zs_error *error);

/* The form through the link of a place that has one, which is what programs call it; else NULL. free() it. */
int zs_seatbelt_through_link(const char *place, char **ret_path);

/* The links themselves; ends with NULL. */
extern const char *const zs_seatbelt_links[];

/* The volume of /Users, /Applications and the like, which have this second name. Rules for the one say nothing of the
 * other, so it is no place (man 5 synthetic.conf, firmlinks). */
extern const char zs_seatbelt_data_volume[];

#endif
