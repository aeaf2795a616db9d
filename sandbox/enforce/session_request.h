/* The messages between a session's host and its session parent, over a socket of AF_UNIX that keeps messages apart
 * (SOCK_SEQPACKET). Pure, but for the answers, which are in linux/. */
#ifndef ZS_SANDBOX_SESSION_REQUEST_H
#define ZS_SANDBOX_SESSION_REQUEST_H

#include <sys/types.h>

#include "policy/policy.h"

enum {
	ZS_SESSION_PROTOCOL = 2,
	/* A longer body comes in a memory file: it would not fit the socket's buffer. */
	ZS_SESSION_INLINE_BYTES = 16 * 1024,
};

/* A request: the head, then the body unless it comes as a descriptor. With it come standard input, output and error of
 * the run, and that descriptor. */
struct zs_session_head {
	uint32_t bytes; /* of the body */
	uint32_t argc, envc;
};

struct zs_session_request {
	struct zs_session_head head;
	char body[];
};

enum { ZS_SESSION_STDIO = 3, ZS_SESSION_DESCRIPTORS = 4 };

static inline bool zs_session_is_inline(const struct zs_session_head *head)
{
	return head->bytes <= ZS_SESSION_INLINE_BYTES;
}

/* The command that is to run. */
struct zs_session_command {
	const char *cwd; /* absolute */
	char *const *argv;
	char **envp;
};

/* The body: the working directory, the words, the variables, each with its NUL. free() *ret_request. -E2BIG above
 * ZS_SESSION_BYTES_MAX. */
int zs_session_pack(const struct zs_session_command *command, struct zs_session_request **ret_request);

/* The reverse. Points into body; argv and envp are one malloc'ed array, which begins at argv. -EBADMSG when the body
 * is not what the head says. */
int zs_session_unpack(
	const struct zs_session_head *head, const char *body, size_t bytes, struct zs_session_command *ret_command);

/* An answer: result alone, or with the error when that is negative. The first, unasked, is ZS_SESSION_PROTOCOL, from
 * the session's runner when that is ready; later ones are ZS_SESSION_STARTED, from the process that the run is. */
enum { ZS_SESSION_STARTED = 0 };

struct zs_session_answer {
	int32_t result;
	int32_t cause;
	char object[512], what[256], hint[384]; /* as in struct zs_error; object starts with the step */
};

/* error may be NULL when result is not negative. */
int zs_session_answer(int socket, int result, const struct zs_error *error);

/* Waits for one; returns its result, and from whom it is: with SO_PASSCRED (man 7 unix) the kernel says that,
 * whatever pid namespace that is in. ret_sender may be NULL. -EPIPE when there is no runner any more. When none can be
 * read the socket is shut down, which ends who is at its other end. */
int zs_session_await(int socket, pid_t *ret_sender, struct zs_error *error);

/* -EOPNOTSUPP, naming the field, for what is promised to each run and cannot be kept when several share the rest. */
int zs_session_check(const struct zs_policy *policy, struct zs_error *error);

#endif
