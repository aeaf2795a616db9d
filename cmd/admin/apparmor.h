/* The AppArmor profile that lets this program make user namespaces, where AppArmor keeps them from programs without
 * one: Ubuntu from 23.10 on. */
#ifndef ZS_CMD_APPARMOR_H
#define ZS_CMD_APPARMOR_H

#include <stdbool.h>
#include <stdio.h>

bool zs_apparmor_restricts(void);

/* Prints the profile of this program, by its path; a path that no profile can name is complained about. Returns an exit
 * code. */
int zs_apparmor_print(FILE *out);

#endif
