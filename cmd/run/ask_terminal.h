/* Asking a person at the controlling terminal, whatever the standard descriptors are. */
#ifndef ZS_CMD_ASK_TERMINAL_H
#define ZS_CMD_ASK_TERMINAL_H

#include <stdint.h>

#include "zs_approval.h"

struct zs_terminal_asking {
	uint64_t seconds;    /* how long there is for each answer */
	char settings[4096]; /* the user's file, where an answer for always is kept; "": settings do not count */
	bool denied;         /* set when stderr was told of each denial */
};

/* A zs_approval_ask; data is the above. Everything that is not a clear yes is a no: another word, the end of the input,
 * ^C, silence, a terminal that this process is not in the foreground of, or none. */
int zs_ask_terminal(const struct zs_question *question, enum zs_answer *answers, void *data, struct zs_error *error);

#endif
