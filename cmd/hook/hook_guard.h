/* Agents run the command when their hook crashes, hangs or prints something odd. So the hook is two processes. One
 * reads and decides, and may fail in any way. The guard in front of it passes the answer on, or denies. */
#ifndef ZS_CMD_HOOK_GUARD_H
#define ZS_CMD_HOOK_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	/* The time from the start to the answer. By default Grok gives a hook 5 seconds, the others 10 or more. */
	ZS_HOOK_SECONDS = 3,
	ZS_HOOK_ANSWER_MAX = 2 * 1024 * 1024,
};

/* argv: of "hook". Forks, and returns in the child, whose standard output is a pipe to the guard. The guard prints what
 * zs_hook_deliver() sends, or a denial, and nothing else. For --help it returns at once, without a fork. */
void zs_hook_guard(int argc, char **argv);

struct zs_hook_answer {
	bool allow;
	int exit;
	const char *output, *error; /* for standard output and standard error */
	size_t output_len, error_len;
};

/* Sends the answer to the guard. False: it could not be sent, and the guard denies. */
bool zs_hook_deliver(const struct zs_hook_answer *answer);

#endif
