/* Becoming the command. */
#ifndef ZS_SHIM_EXEC_COMMAND_H
#define ZS_SHIM_EXEC_COMMAND_H

/* Executes argv[0] as execvp(3) would, with PATH taken from envp; "-/path" is that path, which sees the "-" too.
 * Returns only on failure: a negative errno. */
int zs_exec_command(char *const argv[], char *const envp[]);

#endif
