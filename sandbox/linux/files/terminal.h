/* Gives the caller's terminal a path in the new root. */
#ifndef ZS_SANDBOX_LINUX_TERMINAL_H
#define ZS_SANDBOX_LINUX_TERMINAL_H

#include <stdbool.h>

#include "linux/files/root_tree.h"

/* The path, the same as in a container. The command's own /dev/pts has no name for the caller's terminal. */
#define ZS_TERMINAL "/dev/console"

/* Bind-mounts the terminal of a standard descriptor, and no other terminal of the machine. The command has it open
 * already; ttyname(3) and programs that open the terminal need its path. *ret_shown: a terminal was mounted. */
int zs_terminal_show(struct zs_root_tree *tree, bool *ret_shown);

#endif
