/* What to do with the changes of a run in an overlay: print them, apply them, or drop them? */
#ifndef ZS_CMD_RECEIPT_H
#define ZS_CMD_RECEIPT_H

#include <stdbool.h>

#include "zs_sandbox.h"

struct zs_receipt {
	bool list, json; /* json: each change a JSON object */
	bool patch;
	bool apply;
	const char *file; /* for list and patch; NULL: stderr */
	int decisions;    /* 0, or the descriptor for the network's, where there is no file for them */
};

/* For writing; NULL: standard error. Never one of the standard descriptors, which become the command's, also when the
 * caller has closed those. close() it. Negative: stderr was told why. */
int zs_open_report(const char *file);

/* Starts a process that waits for the end of the run that this process is about to become, prints and applies, and
 * *ret_overlay is for zs_wrap_with(); 0 where the receipt asks for nothing. A failure there makes the run's exit status
 * 125 where it would have been 0. Returns an exit code; stderr was told what is wrong. */
int zs_receive_later(const struct zs_receipt *receipt, const struct zs_policy *policy, int *ret_overlay);

#endif
