/* zs install, as far as others use it. */
#ifndef ZS_CMD_INSTALL_H
#define ZS_CMD_INSTALL_H

/* Prints the hooks that are not in force, or could be replaced. */
void zs_install_warn(char *const envp[]);

#endif
