/* Where this program is, and whether it is a host. */
#ifndef ZS_SHIM_SELF_H
#define ZS_SHIM_SELF_H

#include <stdbool.h>
#include <stddef.h>

/* The path that starts this program again; -ENAMETOOLONG when it does not fit. */
int zs_self_path(char *buffer, size_t size);

/* zs_exec_shim() calls the first; the second says whether it has. A program that never calls zs_exec_shim(), started as
 * a shim, would run unconfined, with the command's words as its own arguments. */
void zs_shim_enter(void);
bool zs_shim_is_entered(void);

#endif
