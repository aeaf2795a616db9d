/* The caller's terminal, under a name. */
#ifndef ZS_SANDBOX_LINUX_TERMINAL_H
#define ZS_SANDBOX_LINUX_TERMINAL_H

#include <stdbool.h>

#include "linux/files/root_tree.h"

/* As in a container: in the command's own /dev/pts there is no name for it. */
#define ZS_TERMINAL "/dev/console"

/* Shows the terminal of a standard descriptor, if there is one whose name is known here, and nothing else of the
 * machine's terminals. The command has it open anyway; ttyname(3) and who opens it by its name want that. */
int zs_terminal_show(struct zs_root_tree *tree, bool *ret_shown);

#endif
