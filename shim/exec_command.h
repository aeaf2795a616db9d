/* Becoming the command. */
#ifndef ZS_SHIM_EXEC_COMMAND_H
#define ZS_SHIM_EXEC_COMMAND_H

#include "enforce/backend.h"
#include "zs_sandbox.h"

/* Executes argv[0] as execvp(3) would, with PATH taken from envp; "-/path" is that path, which sees the "-" too.
 * Returns only on failure: a negative errno. */
int zs_exec_command(char *const argv[], char *const envp[]);

/* Returns the exit code for a command that could not be executed, with the error. */
int zs_exec_judge(const char *command, int cause, struct zs_error *error);

/* Executes argv[0] in the same way, with an error and the exit code for it: a zs_become of backend.h. */
int zs_exec_become(char *const argv[], char *const envp[], struct zs_error *error);

/* Confines the process by a resolved policy, and becomes the command. */
_Noreturn void zs_exec_confined(
	struct zs_policy *policy, char *const argv[], char *const envp[], const struct zs_run_descriptors *own);

/* zs_exec() with the options report and denials of struct zs_spawn_options; -1: none. */
int zs_exec_reporting(const struct zs_policy *policy, char *const argv[], char *const envp[], int report, int denials,
	struct zs_error *error);

#endif
