/* Where this program is, and whether it is a host. */
#ifndef ZS_SHIM_SELF_H
#define ZS_SHIM_SELF_H

#include <stdbool.h>
#include <stddef.h>

/* The path that starts this program again; -ENAMETOOLONG when it does not fit. */
int zs_self_path(char *buffer, size_t size);

/* Has this program called zs_exec_shim(), which says so by the first? One that has not would, started as a shim, take
 * the command's words for its own arguments, and run unconfined. */
void zs_shim_enter(void);
bool zs_shim_is_entered(void);

#endif
