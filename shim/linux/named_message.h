/* The messages between client, daemon and server of a named session or a box, over sockets that keep messages apart. */
#ifndef ZS_SHIM_NAMED_MESSAGE_H
#define ZS_SHIM_NAMED_MESSAGE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/sha256.h"
#include "enforce/session_request.h"

enum { ZS_NAMED_PROTOCOL = 7 };

/* A client's first message. A request to run something brings the reading ends of the command's output, which the
 * daemon empties when the client has gone, so that a server that the command has left behind goes on; behind them the
 * channel of a collector, if the client asks for what is refused to its command. The next message
 * is for the server: a struct zs_session_head with the command's standard descriptors and a memory file with the body.
 * Later ones are the numbers of signals, int32_t;
 * the last one is for the daemon, int64_t: how far the client has printed the session's messages. */
enum zs_named_request {
	ZS_NAMED_RUN, /* the command brings all its variables */
	ZS_NAMED_END,
	ZS_NAMED_SHOW, /* with `denials` the answer brings a memory file with the policy as JSON */
	/* For a box: */
	ZS_NAMED_EXEC,    /* the command has the box's variables, and those that it brings. Its cwd comes behind a "/":
			   * it may be relative to the box's, or empty */
	ZS_NAMED_EXEC_AS, /* the same, for the user whom the first word names (box_user.h). The standard descriptors
			   * that are pipes are zs's own */
	ZS_NAMED_PUT,     /* words: a path, its mode in octal, and a user if it is not the box's own. The standard input
			   * becomes the file */
	ZS_NAMED_GET,     /* words: a path, the most bytes, and a user. The file is written to the standard output */
	ZS_NAMED_PACK,    /* words: a folder. A tar file of it is written to the standard output */
	ZS_NAMED_UNPACK,  /* words: a folder. The tar file on the standard input is unpacked in it */
	ZS_NAMED_RESUME,  /* key: the owner's token. Gives back the hosts that ZS_NAMED_CUT has taken */
	ZS_NAMED_CUT,     /* ends all connections that leave the box, for good */
};
/* Does zs itself serve it, by a process inside that copies files? */
static inline bool zs_named_copies(enum zs_named_request request)
{
	return request >= ZS_NAMED_PUT && request <= ZS_NAMED_UNPACK;
}

enum {
	ZS_NAMED_OUTPUTS = 2,
	ZS_NAMED_DESCRIPTORS = ZS_SESSION_STDIO + 1, /* for the server: the standard ones, the body */
};

/* The daemon hands the server a client's connection, with the request in one byte, and the writing end of a pipe. The
 * process that serves the client writes two numbers to it, int32_t: its pid, before it starts the command, and when it
 * has answered the command's exit code. ZS_NAMED_COLLECTED is in the byte if somebody collects what is refused to the
 * command. */
enum { ZS_NAMED_HANDED = 2, ZS_NAMED_COLLECTED = 0x40 };

struct zs_named_hello {
	uint32_t protocol, request;
	uint32_t denials;            /* bool */
	char key[ZS_SHA256_HEX + 1]; /* of the policy and the options */
};

enum zs_named_kind {
	ZS_NAMED_TAKEN,  /* the session's own messages come with it, as a memory file; the image is in `text` */
	ZS_NAMED_EXITED, /* from the server: the command's exit code is in `status`, the signal that ended it in
			    `signal` */
	ZS_NAMED_OTHER,  /* the session has another policy */
	ZS_NAMED_LOST,   /* the session has ended: its own messages are in `text` */
	ZS_NAMED_SHOWN,  /* the workspace is in `text`; `status` is 1 if its commands are root in another root, and
			    2 if that root has other users, too */
	ZS_NAMED_ENDED,
	ZS_NAMED_CUT_OFF, /* no connection leaves the box */
	ZS_NAMED_RESUMED,
	ZS_NAMED_DENIED, /* the token is not the box's */
};

struct zs_named_answer {
	uint32_t kind;
	int32_t status;
	int64_t seconds; /* TAKEN: so much of the messages has been printed. SHOWN: since the session was started */
	int32_t supervisor, signal;
	int32_t executed; /* the command was executed, before it ended */
	uint32_t cause;   /* of LOST: enum zs_box_cause */
	/* Limits, bits 1 << ZS_LIMIT_…. LOST: those that were met. EXITED: those that a command which failed may have
	 * met. TAKEN: of these, those that are the policy's. */
	uint32_t limits;
	uint32_t each_process, tier; /* TAKEN: see struct zs_box_result */
	char text[PATH_MAX];
};

/* Is the other end this user's, and no more confined than this process? Every process that zs confines has a seccomp
 * filter more, which it cannot take off. */
struct ucred;
bool zs_named_trusts(const struct ucred *peer);

#endif
