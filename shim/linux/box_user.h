/* The user of a box's command: `--user` of zs box exec. */
#ifndef ZS_SHIM_BOX_USER_H
#define ZS_SHIM_BOX_USER_H

#include <limits.h>
#include <stdbool.h>

#include "zs_sandbox.h"

/* Makes this process that of a user of the box: "USER" or "USER:GROUP", names of the box's own /etc/passwd and
 * /etc/group, or numbers. Without a group the user has all of its groups. A user but root has no capability then.
 * pipes: gives the user those of the standard descriptors that are pipes, which must be zs's own. ret_home: the user's
 * home. 0, or a negative errno with the error filled in. */
int zs_box_become_user(const char *text, bool pipes, char ret_home[PATH_MAX], struct zs_error *error);

#endif
