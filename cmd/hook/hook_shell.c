#include "hook/hook_shell.h"

#include <string.h>

enum zs_shell zs_hook_shell(const char *program)
{
	const char *slash = program ? strrchr(program, '/') : NULL;
	enum zs_shell shell = ZS_SHELL_ANY;

	if (!program || !*program)
		return ZS_SHELL_BASH;
#ifdef __APPLE__
	if (strcmp(program, "/bin/bash") == 0)
		return ZS_SHELL_BASH32;
#endif
	zs_shell_parse(slash ? slash + 1 : program, &shell);
	return shell;
}
