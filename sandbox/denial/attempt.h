/* A failed call of a command, as a system's tracer sees it, and the list of those that zs has refused. */
#ifndef ZS_SANDBOX_ATTEMPT_H
#define ZS_SANDBOX_ATTEMPT_H

#include <limits.h>
#include <sys/socket.h>

#include "policy/policy.h"
#include "zs_denials.h"

enum zs_attempt {
	ZS_ATTEMPT_LOOK,   /* stat(2) and its like: the path need not be readable */
	ZS_ATTEMPT_READ,   /* open, list or enter it */
	ZS_ATTEMPT_WRITE,  /* open it to write; it may be missing */
	ZS_ATTEMPT_CHANGE, /* its mode, owner, times, attributes or length */
	ZS_ATTEMPT_MAKE,   /* an entry of its folder */
	ZS_ATTEMPT_REMOVE, /* the same, or rename it */
	ZS_ATTEMPT_EXEC,
	ZS_ATTEMPT_CONNECT, /* to an address */
	ZS_ATTEMPT_SIGNAL,  /* number: the pid */
	ZS_ATTEMPT_SOCKET,  /* family, type, protocol */
	ZS_ATTEMPT_FORK,
	ZS_ATTEMPT_CALL,  /* one that seccomp refuses */
	ZS_ATTEMPT_LIMIT, /* no call: the run has reached a limit. number: which */
};

struct zs_refusal {
	enum zs_attempt attempt;
	int error;         /* 0: the attempt has succeeded */
	const char *call;  /* the system call's name */
	const char *named; /* the path as it was named; "" without one */
	const char *path;  /* absolute, as the command sees it; "" without one */
	const char *other; /* the path that it is renamed or linked to; "" without one */
	const struct sockaddr *address;
	socklen_t address_size;
	bool datagram; /* the socket that connects */
	int family, type, protocol;
	pid_t number; /* of ZS_ATTEMPT_SIGNAL and ZS_ATTEMPT_LIMIT */
	bool foreign; /* no process of the run has had this pid */
	char process[16];
	pid_t pid, group; /* inside; and what identifies the process to the tracer */
	/* The run's first process has started this one, inside, of whose tree the process is: see zs_observer_look().
	 */
	pid_t branch;
};

/* Adds the refusal if zs is its cause; or a success of a dry run that another run would not have. */
void zs_denials_note(struct zs_denials *denials, const struct zs_refusal *refusal);

/* Adds a limit that the run has reached. */
void zs_denials_add_limit(struct zs_denials *denials, enum zs_limit limit);

/* The process has succeeded with a file of this name, so it was searching: its earlier refusals of this name do not
 * count. */
void zs_denials_found(struct zs_denials *denials, pid_t group, enum zs_denial_kind kind, const char *path);

/* The process has ended. Its last refusals are what it has failed from, unless it has failed from a child's. status:
 * its exit code; of a signal, any but 0. */
void zs_denials_ended(struct zs_denials *denials, pid_t group, int status);

/* Counts refusals that nobody has seen. */
void zs_denials_miss(struct zs_denials *denials, unsigned count);

/* The run has ended, and nothing is known of its single processes. status: as above. */
void zs_denials_finish(struct zs_denials *denials, int status);

/* Would the attempt have succeeded without zs? Fills in the kind, cause and grant. The texts are static or in *words.
 */
struct zs_denial_words {
	char named[PATH_MAX + 64], real[PATH_MAX], value[PATH_MAX + 64];
};
bool zs_refusal_judge(const struct zs_policy *resolved, const struct zs_refusal *refusal, struct zs_denial *ret_denial,
	struct zs_denial_words *words);

/* The same for a list that a model reads: see hidden.c. */
bool zs_refusal_judge_for_model(const struct zs_policy *resolved, const struct zs_refusal *refusal,
	struct zs_denial *ret_denial, struct zs_denial_words *words);

/* Is it a tree of the run's own? Outside another thing has its name. */
bool zs_denial_is_own_place(const struct zs_policy *policy, const char *path);

/* Reads the program that a script names in its first line. False: it names none. */
bool zs_denial_interpreter(const char *path, char program[PATH_MAX]);

/* Makes an empty list into one for a model. */
void zs_denials_set_model(struct zs_denials *denials);

/* A word for what a grant of this path gives away; NULL: nothing is known. */
const char *zs_denial_risk(const struct zs_policy *policy, const char *path);
/* Does the word stand for a secret? */
bool zs_denial_risk_is_secret(const char *risk);
/* The word of the first secret whose place lies in the folder, whether or not it exists; or NULL. */
const char *zs_denial_risk_within(const struct zs_policy *policy, const char *folder);

/* The resolved policy of the runs. */
const struct zs_policy *zs_denials_policy(const struct zs_denials *denials);

/* Puts the records into the order of their last time. */
void zs_denials_sort(struct zs_denials *denials);

#endif
