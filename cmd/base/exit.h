/* All exit codes of zs. The last four are the shim's, since a zs process may become a shim. */
#ifndef ZS_CMD_EXIT_H
#define ZS_CMD_EXIT_H

#include "zs_shim.h"

enum {
	ZS_EXIT_OK = 0,
	ZS_EXIT_NO = 1,
	ZS_EXIT_BLOCKED = 2, /* agents take this status of a hook as a refusal */
	ZS_EXIT_USAGE = 64,  /* EX_USAGE of sysexits.h; the next two are from there as well */
	ZS_EXIT_BAD_INPUT = 65,
	ZS_EXIT_NO_OUTPUT = 74,
	ZS_EXIT_TIMED_OUT = 124, /* as timeout(1) has it */
};

#define ZS_EXITS(X)                                                                                                    \
	X(ZS_EXIT_OK, "allowed; of a command that ran: it succeeded")                                                  \
	X(ZS_EXIT_NO, "no: vet --rows has no such row, policy diff finds a difference,\n"                              \
		      "            trust is not given, approvals revoke and end find none")                            \
	X(ZS_EXIT_BLOCKED, "blocked by the shell policy, or denied when asked; nothing ran")                           \
	X(ZS_EXIT_USAGE, "wrong usage")                                                                                \
	X(ZS_EXIT_BAD_INPUT, "an input or policy file is unreadable or malformed")                                     \
	X(ZS_EXIT_NO_OUTPUT, "the output could not be written")                                                        \
	X(ZS_EXIT_UNPROTECTED, "a protection was lost while the command ran, and it was ended;\n"                      \
			       "            or its box has ended before it did")                                       \
	X(ZS_EXIT_TIMED_OUT, "the time of zs box exec --timeout is over")                                              \
	X(ZS_EXIT_CANNOT_ENFORCE, "the policy cannot be enforced here, and nothing ran;\n"                             \
				  "            or --apply did not make every change")                                  \
	X(ZS_EXIT_CANNOT_EXECUTE, "the command cannot be executed")                                                    \
	X(ZS_EXIT_NOT_FOUND, "the command was not found")

#endif
