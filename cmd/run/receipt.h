/* Receives the changes of a run in an overlay, and prints, applies or drops them. */
#ifndef ZS_CMD_RECEIPT_H
#define ZS_CMD_RECEIPT_H

#include <stdbool.h>

#include "zs_sandbox.h"

struct zs_receipt {
	bool list, json; /* json: each change a JSON object */
	bool patch;
	bool apply;
	const char *file; /* the file for list and patch; NULL: stderr */
	int decisions;    /* 0, or the descriptor for decisions about the network, if no file is named */
};

/* Opens the file for writing; NULL: a copy of standard error. The descriptor is never 0, 1 or 2, even if the caller has
 * closed these, since they become the command's. close() it. Negative: an error is on stderr. */
int zs_open_report(const char *file);

/* Starts a process that waits for the end of the run that this process is about to become, and then prints and applies
 * the changes. *ret_overlay is for zs_wrap_with(); 0 if the receipt asks for nothing. If that process fails, or does
 * not apply every change, an exit status of 0 becomes 125. Returns an exit code; errors are on stderr. */
int zs_receive_later(const struct zs_receipt *receipt, const struct zs_policy *policy, int *ret_overlay);

#endif
