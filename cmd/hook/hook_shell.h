/* The shell that will run an agent's command. */
#ifndef ZS_CMD_HOOK_SHELL_H
#define ZS_CMD_HOOK_SHELL_H

#include "zs_shellpolicy.h"

/* The shell of a program's path or name, as $SHELL or an event gives it. NULL or "": bash; a program that is not
 * known: ZS_SHELL_ANY. */
enum zs_shell zs_hook_shell(const char *program);

#endif
