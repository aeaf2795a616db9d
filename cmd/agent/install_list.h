/* zs install --list. */
#ifndef ZS_CMD_INSTALL_LIST_H
#define ZS_CMD_INSTALL_LIST_H

#include <stdbool.h>

/* Which agents there are, and whether our hook is in force. */
void zs_install_list(char *const envp[], bool json);

/* A line for each hook that is not in force, or that somebody could replace. */
void zs_install_warn(char *const envp[]);

#endif
