/* Commands of git that are done whole or not at all. */
#ifndef ZS_CMD_WHOLE_GIT_H
#define ZS_CMD_WHOLE_GIT_H

#include <stdbool.h>

/* Is the command one call of git that changes index and files together: by itself, or as the whole text of a shell's
 * -c? False means only that it may be a script. Pure. */
bool zs_is_whole_git(char *const argv[]);

#endif
