/* Writing and reading a file of a box, inside. */
#ifndef ZS_SHIM_BOX_FILES_H
#define ZS_SHIM_BOX_FILES_H

#include "linux/named_message.h"

/* ZS_NAMED_PUT, ZS_NAMED_GET. Returns 0, or 1 with the errno as text on standard error: the file could not be written
 * or read. So a status of 1 says something about the box's files, and not about zs. */
int zs_box_file(enum zs_named_request request, char *const words[]);

#endif
