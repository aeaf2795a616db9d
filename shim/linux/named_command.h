/* A command in a named session or a box, as its client sees it. The command gets no terminal and no file of the
 * caller's, since what it leaves behind would keep it: its input and output are pipes, which this process copies. */
#ifndef ZS_SHIM_NAMED_COMMAND_H
#define ZS_SHIM_NAMED_COMMAND_H

#include "enforce/session_request.h"
#include "linux/named_place.h"
#include "named_session.h"

enum { ZS_NAMED_INPUT, ZS_NAMED_OUTPUT, ZS_NAMED_COMPLAINTS };

struct zs_named_order {
	enum zs_named_request request;
	const char *key; /* of the session's policy; "": a box has none to compare */
	struct zs_session_command command;
	int files[ZS_SESSION_STDIO];     /* the caller's input and outputs */
	struct zs_box_capture *captures; /* of output and error, in place of files; NULL: none */
	int64_t milliseconds;            /* the longest time that it may take; 0: any */
	int denials;                     /* 0, or of zs_denials_channel(): it is closed at the end */
	bool signals;                    /* those to this process go to the command, and stay blocked */
};

struct zs_named_result {
	struct zs_named_answer answer;
	struct zs_named_log log;
	bool timed_out;                      /* it was killed because its time was over */
	char image[96];                      /* the digest of the session's image; "": none */
	uint32_t limits, each_process, tier; /* of the answer that the command was taken */
};

/* Runs it, and waits a moment until the collector has ended.
 * -EPIPE: the connection has ended without an answer. */
int zs_named_command(int connection, const struct zs_named_order *order, struct zs_named_result *ret_result);

/* Ends the records of a command that was not started. denials: 0, or the channel, which is closed. */
void zs_named_no_command(int denials);

#endif
