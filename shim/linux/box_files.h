/* Writing and reading files of a box, inside. */
#ifndef ZS_SHIM_BOX_FILES_H
#define ZS_SHIM_BOX_FILES_H

#include "linux/named_message.h"

/* For a request of zs_named_copies(). Returns 0, or 1 with the errno as text on standard error, behind which a blank
 * and a file may follow: the box's files do not allow it. Another status is a failure of zs. */
int zs_box_file(enum zs_named_request request, char *const words[]);

#endif
