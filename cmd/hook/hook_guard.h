/* Agents run the command when their hook crashes, hangs or prints something odd. So the hook is two processes: one that
 * reads and decides, and may fail in any way, and one in front of it that knows how to say no and does nothing else. */
#ifndef ZS_CMD_HOOK_GUARD_H
#define ZS_CMD_HOOK_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	/* From the start to the answer. Grok gives a hook 5 seconds unless it is told otherwise, the others 10 and
	   more. */
	ZS_HOOK_SECONDS = 3,
	ZS_HOOK_ANSWER_MAX = 2 * 1024 * 1024,
};

/* argv: of "hook". Returns in a new process, whose standard output leads to this one: that prints nothing but what
 * zs_hook_deliver() sends it, or no. For a person who asks for help it returns at once. */
void zs_hook_guard(int argc, char **argv);

struct zs_hook_answer {
	bool allow;
	int exit;
	const char *output, *error; /* for standard output and standard error */
	size_t output_len, error_len;
};

/* False: it could not be sent, which is a denial. */
bool zs_hook_deliver(const struct zs_hook_answer *answer);

#endif
