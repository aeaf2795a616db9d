/* Boxes, for zs box: a named session (named_session.h) that is known by its ID alone. Its policy is given once, when it
 * is made, and its commands have the same place, variables, /tmp and processes until it ends.
 *
 * A failure of zs never looks like a command's status: a function that returns a negative errno has run nothing, and
 * zs_box_exec() says how a command ended that zs has not ended as asked (ZS_BOX_LOST). */
#ifndef ZS_SHIM_BOX_H
#define ZS_SHIM_BOX_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "named_session.h"

enum {
	ZS_BOX_ID_SIZE = 17, /* with the NUL */
	ZS_BOX_OUTPUTS = 2,
};

/* Makes a box of the policy; zs itself is added to it. Its commands start in this process's working directory and have
 * its variables, as far as the policy lets them pass. The box ends with the process `owner`; 0: the nearest process
 * above this one that is no shell, or a shell at its own terminal. */
int zs_box_create(struct zs_policy *policy, pid_t owner, char ret_id[ZS_BOX_ID_SIZE], struct zs_error *error);

struct zs_box_command {
	char *const *argv;
	char **envp;                       /* variables besides the box's; may be empty */
	const char *cwd;                   /* "": the box's; a relative one starts there */
	int64_t milliseconds;              /* the longest time that it may take; 0: any */
	struct zs_named_capture *captures; /* of standard output and error; NULL: they are this process's own */
	int denials;                       /* 0, or of zs_denials_channel(), for what is refused to it; it is closed */
};

enum zs_box_end {
	ZS_BOX_LOST,      /* the box or the command's server has ended before the command: it has no status */
	ZS_BOX_TIMED_OUT, /* its process group was killed, since its time was over */
	ZS_BOX_ENDED,     /* by itself, or by a signal */
};

struct zs_box_result {
	enum zs_box_end end;
	int status;     /* the exit code, as shells form it */
	int signal;     /* the signal that ended it; 0: none */
	char image[96]; /* the digest of the box's image, "sha256:…"; "": it has none, or nothing ran */
};

/* Runs a command, with this process's standard input. Negative: nothing ran. *error is set for ZS_BOX_LOST, too. */
int zs_box_exec(
	const char *id, const struct zs_box_command *command, struct zs_box_result *ret_result, struct zs_error *error);

/* Gives the policy of a box, by which zs_denials_collect() judges. zs_policy_free() it. */
int zs_box_policy(const char *id, struct zs_policy **ret_policy, struct zs_error *error);

/* Writes what can be read from the descriptor to a file of the box, and makes the folders above it. Closes the
 * descriptor. *ret_status: 0, or 1 when the box's files do not allow it; then a message is on standard error. */
int zs_box_put(const char *id, int from, const char *path, mode_t mode, int *ret_status, struct zs_error *error);
/* The reverse, for a file of at most `most` bytes: a larger one is such a status, too. */
int zs_box_get(const char *id, const char *path, uint64_t most, int to, int *ret_status, struct zs_error *error);

/* Are the box's commands root in another root directory? */
int zs_box_is_root(const char *id, bool *ret_root, struct zs_error *error);

/* Ends all connections that leave the box, and lets no new ones through, for good. -EOPNOTSUPP: the box shares the
 * machine's network, and is as it was. On another failure the box has ended. */
int zs_box_cut(const char *id, struct zs_error *error);

/* Ends a box and all its processes. -ENOENT: there is none. */
int zs_box_close(const char *id, struct zs_error *error);

/* Calls each for every box of this user. Removes the sockets that killed daemons have left. */
int zs_box_each(void (*each)(const struct zs_named_shown *shown, void *arg), void *arg, struct zs_error *error);

#endif
