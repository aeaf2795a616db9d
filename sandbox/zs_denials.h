/* zs_denials.h: what the second wall refuses to a command, and what would grant it.
 *
 * A record stands for one refused access: the command failed there, and would not have failed without zs. A file that
 * is missing outside as well makes no record.
 *
 * zs_denials_trace() follows a command by ptrace(2), so it sees each call and what the call returned, and the command
 * runs several times slower. The records are for the caller: they tell what exists outside of the sandbox.
 *
 * Errors, ownership and threads are as in zs_sandbox.h.
 */
#ifndef ZS_DENIALS_H
#define ZS_DENIALS_H

#include <sys/types.h>

#include "zs_sandbox.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* enumerator, name */
#define ZS_DENIAL_KINDS(X)                                                                                             \
	X(READ, "read")                                                                                                \
	X(WRITE, "write")                                                                                              \
	X(EXEC, "exec")                                                                                                \
	X(CONNECT, "connect")                                                                                          \
	X(RESOLVE, "resolve")                                                                                          \
	X(SIGNAL, "signal")                                                                                            \
	X(SOCKET, "socket")                                                                                            \
	X(CALL, "system call")                                                                                         \
	X(LIMIT, "limit")

/* enumerator, text */
#define ZS_DENIAL_CAUSES(X)                                                                                            \
	X(NOT_GRANTED, "not granted")                                                                                  \
	X(HIDDEN, "hidden")                                                                                            \
	X(PROTECTED, "protected")                                                                                      \
	X(READ_ONLY, "granted only to read")                                                                           \
	X(NO_HOST, "no such host is allowed")                                                                          \
	X(SECCOMP, "refused by seccomp")                                                                               \
	X(PRIVILEGE, "root has no rights over modes inside")                                                           \
	X(NAMESPACE, "outside of the run's namespaces")                                                                \
	X(LIMIT, "a limit of the run")

#define ZS_ENUM_DENIAL_KIND(id, name) ZS_DENIAL_##id,
#define ZS_ENUM_DENIAL_CAUSE(id, text) ZS_DENIED_##id,
enum zs_denial_kind { ZS_DENIAL_KINDS(ZS_ENUM_DENIAL_KIND) ZS_DENIAL_KIND_COUNT };
enum zs_denial_cause { ZS_DENIAL_CAUSES(ZS_ENUM_DENIAL_CAUSE) ZS_DENIAL_CAUSE_COUNT };

/* Texts may hold any bytes that a command can name; zs_denial_format() makes them visible. */
struct zs_denial {
	enum zs_denial_kind kind;
	enum zs_denial_cause cause;
	int error;          /* the errno that the command saw; 0: unknown */
	const char *named;  /* the path, address, host or call, as the command named it */
	const char *real;   /* the path as it resolves outside; else the same as named */
	bool exists;        /* outside */
	const char *option; /* the smallest option that grants it: "--ro"; NULL: nothing does, or it is withheld */
	bool withheld;      /* a model reads this, so only zs_denials_trace() says what grants it */
	const char *value;  /* of the option */
	const char *risk;   /* a word about the grant: "keys"; NULL: nothing is known */
	char process[16];   /* the name of the process, as it has set it itself */
	pid_t pid;          /* inside; 0: unknown */
	unsigned times;     /* so often */
	unsigned order;     /* of the last time, among all records */
	bool decisive;      /* the last refusals before this process, or one that it started, failed */
};

struct zs_denials;

enum {
	ZS_DENIALS_MAX = 512,            /* records; more are only counted */
	ZS_DENIALS_RUN_MAX = 256 * 1024, /* bytes of a run that is remembered */
};

/* Makes an empty list for the runs of a policy. zs_denials_free() it. */
int zs_denials_new(const struct zs_policy *policy, struct zs_denials **ret_denials, struct zs_error *error);
void zs_denials_free(struct zs_denials *denials);

/* Follows a child of this process that is going to confine itself and to become the command, and adds its refusals. The
 * child waits until this process has called ptrace(2): it reads from a pipe whose other end is `go`, which this
 * function closes. Returns when the child and all that it has started have ended. The calling process must have no
 * other children. -ENOSYS: this system cannot do it. *ret_status is as from waitpid(2). */
int zs_denials_trace(struct zs_denials *denials, pid_t child, int go, int *ret_status, struct zs_error *error);

/* Makes a channel, on which a run tells what it refuses while it goes on. ret_ends[1] is for the run: see
 * zs_spawn_options in zs_shim.h. ret_ends[0] is for zs_denials_collect(). Both are close-on-exec. Returns a negative
 * errno on failure; -ENOSYS: this system cannot do it. */
int zs_denials_channel(int ret_ends[2]);

/* Lists what one run refuses, until it has ended: writes, executions, connections, hosts, signals, calls and sockets
 * that seccomp refuses, and the limits that have ended the run or that its cgroup has met. It does not see reads;
 * zs_denials_trace() does. The run goes on whether or not somebody collects, and
 * waits at its end, up to 2 seconds, until the channel is closed. So close it, and any copy of ret_ends[1], afterwards.
 *
 * Here the kernel does not tell how a call has ended: the error is that with which the run's mounts refuse it, and the
 * last records of a run that failed are decisive.
 *
 * *ret_denials: zs_denials_free() it, also after an error; NULL: the run has succeeded and refused nothing.
 * *ret_status: the run's exit code. *ret_blind: the run looked at no call, since it has no namespaces, or a filter
 * around zs forbids it. Returns 0; -ESRCH: the run has ended without a word, since its supervisor was killed; or
 * another negative errno. */
int zs_denials_collect(const struct zs_policy *policy, int channel, struct zs_denials **ret_denials, int *ret_status,
	bool *ret_blind, struct zs_error *error);

/* The same for a model, whose command this is. A record tells neither what a hidden folder, or one that is not granted,
 * holds, nor whether a name in it exists: it names the folder, as `named` and `real`, has no option, and is there
 * whether or not the access would succeed outside. Sockets there have no record. */
int zs_denials_collect_for_model(const struct zs_policy *policy, int channel, struct zs_denials **ret_denials,
	int *ret_status, bool *ret_blind, struct zs_error *error);

/* Adds a host that the run's proxy or resolver has refused. grant: what --host takes, or NULL. */
void zs_denials_add_host(struct zs_denials *denials, const char *host, bool resolve, const char *grant, unsigned times);

/* Adds the command's own program, an absolute path, if it did not start because zs refuses it. The tracer does not see
 * that: it is zs's own exec. */
void zs_denials_add_program(struct zs_denials *denials, const char *path);

/* Adds the hosts that the proxy's report refuses, lines of JSON; see zs_spawn_options in zs_shim.h. */
void zs_denials_add_decisions(struct zs_denials *denials, const char *report, size_t len);

/* Remembers a run of the policy's workspace to which something was refused: words that end with a NUL each, in the
 * user's state folder, which envp names, for zs_denials_recall(). The folder is open to nobody else, and no run writes
 * it. free() *ret_words. -ENOENT: there is none. -E2BIG: the words are too long. */
int zs_denials_remember(const struct zs_policy *policy, char *const envp[], const char *words, size_t size);
int zs_denials_recall(const struct zs_policy *policy, char *const envp[], char **ret_words, size_t *ret_size);

/* The records in the order of their last time. */
size_t zs_denials_count(const struct zs_denials *denials);
const struct zs_denial *zs_denials_get(const struct zs_denials *denials, size_t index);
/* Refusals for which there was no room. */
size_t zs_denials_others(const struct zs_denials *denials);

/* Would a grant of this path give a secret away? A word for the secret that lies there, above or below, or NULL: none
 * is known. Below are the known places, whether or not they exist, and files with a secret's name in the folder and in
 * its folders. */
const char *zs_denials_secret(const struct zs_denials *denials, const char *path);

const char *zs_denial_kind_name(enum zs_denial_kind kind);
const char *zs_denial_cause_text(enum zs_denial_cause cause);

/* Is it a call for which programs have another way, as ENOSYS tells them? No run fails from it. */
bool zs_denial_is_spare(const struct zs_denial *denial);

/* Writes "read ~/.ssh/id (3 times): not granted; --ro ~/.ssh/id" without a newline. Returns the length of the whole
 * text, as snprintf(3) does. */
size_t zs_denial_format(const struct zs_denial *denial, const char *home, char *buffer, size_t size);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
