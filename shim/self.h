/* Where this program is. */
#ifndef ZS_SHIM_SELF_H
#define ZS_SHIM_SELF_H

#include <stddef.h>

/* The path that starts this program again; -ENAMETOOLONG when it does not fit. */
int zs_self_path(char *buffer, size_t size);

#endif
