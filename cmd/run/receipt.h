/* Receives the changes of a run in an overlay, and prints, applies or drops them. */
#ifndef ZS_CMD_RECEIPT_H
#define ZS_CMD_RECEIPT_H

#include <stdbool.h>

#include "zs_sandbox.h"

struct zs_expected;

struct zs_receipt {
	bool list, json; /* json: each change a JSON object */
	bool patch;
	bool apply;
	bool whole;                         /* apply nothing if anything is held back */
	const char *file;                   /* the file for list and patch; NULL: stderr */
	const struct zs_expected *expected; /* compared with the changes before they are applied; NULL */
	const struct zs_expected *tried;    /* compared with what is refused, where nothing is received; NULL */
	bool refuses;                       /* a difference refuses: nothing is applied, and the status is 2 */
	int denied;                         /* 0, or a pipe that gets as JSON what a model reads of denials */
	int decisions; /* 0, or the descriptor for decisions about the network, if no file is named */
};

/* Opens the file for writing; NULL: a copy of standard error. The descriptor is never 0, 1 or 2, even if the caller has
 * closed these, since they become the command's. close() it. Negative: an error of this step is on stderr. */
int zs_open_report(const char *step, const char *file);

/* Protects the file from the command, wherever it is. Returns an exit code; errors are on stderr. */
int zs_protect_report(const char *step, const char *file, int fd, struct zs_policy *policy);

/* Prepares a process that waits beside a run: it has neither input nor output, ignores the terminal's signals, and
 * keeps of other descriptors these two. */
bool zs_stand_by(int one, int other);

/* Starts a process that waits for the end of the run that this process is about to become, and then prints and applies
 * the changes. *ret_overlay is for zs_wrap_with(); 0 if the receipt asks for nothing. If that process fails, or does
 * not apply every change, an exit status of 0 becomes 125. A refusal makes it 2. Returns an exit code; errors are on
 * stderr. */
int zs_receive_later(const struct zs_receipt *receipt, const struct zs_policy *policy, int *ret_overlay);

#endif
