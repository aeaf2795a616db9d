/* Real paths, as Seatbelt sees them. /tmp, /var and /etc are links into /private on every macOS. */
#ifndef ZS_SANDBOX_SEATBELT_PLACE_H
#define ZS_SANDBOX_SEATBELT_PLACE_H

#include "zs_sandbox.h"

/* Makes the form below /private of a path below one of these links, or a copy of any other path. free() it. -EINVAL or
 * -EILSEQ, with the error filled in: a profile cannot name the path. */
int zs_seatbelt_place(const char *field, const char *path, char **ret_place, struct zs_error *error);

/* Makes the form through the link, which is how programs name the place; NULL: the place has none. free() it. */
int zs_seatbelt_through_link(const char *place, char **ret_path);

/* These links; ends with NULL. */
extern const char *const zs_seatbelt_links[];

/* The volume of /Users, /Applications and the like, which is their second name (man 5 synthetic.conf, firmlinks). A
 * rule for one name does not apply to the other, so a path through the volume is not a place. */
extern const char zs_seatbelt_data_volume[];

#endif
