/* The messages between a session's host and its session parent, over a Unix socket that keeps messages apart
 * (SOCK_SEQPACKET). Pure, except for the answers, which are in linux/. */
#ifndef ZS_SANDBOX_SESSION_REQUEST_H
#define ZS_SANDBOX_SESSION_REQUEST_H

#include <sys/types.h>

#include "policy/policy.h"

enum {
	ZS_SESSION_PROTOCOL = 3,
	/* A longer body comes in a memory file, since it would not fit the socket's buffer. */
	ZS_SESSION_INLINE_BYTES = 16 * 1024,
};

/* A request: the head, then the body unless that comes in a memory file. The run's standard input, output and error
 * come with it as descriptors, then with `denials` the run's channel, and then that file. */
struct zs_session_head {
	uint32_t bytes;   /* of the body */
	uint32_t denials; /* bool */
	uint32_t argc, envc;
};

struct zs_session_request {
	struct zs_session_head head;
	char body[];
};

enum { ZS_SESSION_STDIO = 3, ZS_SESSION_DESCRIPTORS = 5 };

static inline bool zs_session_is_inline(const struct zs_session_head *head)
{
	return head->bytes <= ZS_SESSION_INLINE_BYTES;
}

/* So many descriptors come with it. */
static inline size_t zs_session_descriptors(const struct zs_session_head *head)
{
	return ZS_SESSION_STDIO + (head->denials != 0) + !zs_session_is_inline(head);
}

/* The command to run. */
struct zs_session_command {
	const char *cwd; /* absolute */
	char *const *argv;
	char **envp;
};

/* Makes the body: the working directory, the words, the variables, each with its NUL. free() *ret_request. -E2BIG above
 * ZS_SESSION_BYTES_MAX. */
int zs_session_pack(const struct zs_session_command *command, struct zs_session_request **ret_request);

/* The reverse. The results point into body; argv and envp are one malloc'ed array, which begins at argv. -EBADMSG: the
 * body does not match the head. */
int zs_session_unpack(
	const struct zs_session_head *head, const char *body, size_t bytes, struct zs_session_command *ret_command);

/* An answer: a result, and an error if the result is negative. The first answer comes without a request:
 * ZS_SESSION_PROTOCOL, from the session's runner when it is ready. Later answers are ZS_SESSION_STARTED, from the
 * process that is the run. */
enum { ZS_SESSION_STARTED = 0 };

struct zs_session_answer {
	int32_t result;
	int32_t cause;
	char object[512], what[256], hint[384]; /* as in struct zs_error; object begins with the step */
};

/* error may be NULL if result is not negative. */
int zs_session_answer(int socket, int result, const struct zs_error *error);

/* Waits for an answer, and returns its result. *ret_sender: the pid of the sender, which the kernel tells with
 * SO_PASSCRED in any pid namespace (man 7 unix); ret_sender may be NULL. -EPIPE: there is no runner any more. If no
 * answer can be read, shuts the socket down, which ends the process at its other end. */
int zs_session_await(int socket, pid_t *ret_sender, struct zs_error *error);

/* -EOPNOTSUPP, with the field in the error: the policy promises each run something that runs of one session cannot
 * have. */
int zs_session_check(const struct zs_policy *policy, struct zs_error *error);

#endif
