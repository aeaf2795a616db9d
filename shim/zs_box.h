/* zs_box.h: boxes, confined places that live on between commands. Their commands share /tmp, the network and their
 * processes. Linux only: elsewhere zs_box_each() finds none, and the other functions give -EOPNOTSUPP.
 *
 *	int main(int argc, char **argv)
 *	{
 *		zs_exec_shim(argc, argv);                                        as in zs_shim.h
 *		…
 *		zs_box_create(policy, NULL, id, &error);
 *		zs_box_exec(id, &(struct zs_box_command){ .argv = words }, &result, &error);
 *		zs_box_close(id, &error);
 *
 * A box is known by its ID alone, to all processes of this user that are not confined, and to the program zs. It has a
 * process in the background, which is no child of the host. This process and the server inside are the host's own
 * program, started again.
 *
 * A failure of zs never looks like a command's status: a function that returns a negative errno has run nothing, and
 * zs_box_exec() says when a command has ended in a way that nobody has asked for (ZS_BOX_LOST).
 *
 * Errors and ownership are as in zs_sandbox.h. Every function is thread-safe, except that one thread at a time may use
 * a policy. They find the boxes' folder by this process's XDG_RUNTIME_DIR or TMPDIR. A box's own messages, such as
 * those of a limit that ends it, are on standard error. A box asks /proc who its caller is: where that hides processes
 * (hidepid), the caller must be dumpable (man 2 PR_SET_DUMPABLE), or gets -EPIPE.
 */
#ifndef ZS_BOX_H
#define ZS_BOX_H

#include <stdint.h>
#include <sys/types.h>

#include "zs_sandbox.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum {
	ZS_BOX_ID_SIZE = 17, /* with the NUL */
	ZS_BOX_OUTPUTS = 2,
	ZS_BOX_COMMANDS_MAX = 32, /* commands of one box at a time */
};

/* NULL, or zeroed: the defaults. */
struct zs_box_options {
	/* As in struct zs_spawn_options. The box's commands can execute this program, and read what it loads. With
	 * another root directory it must be a static one. */
	const char *executable;
	const char *cwd; /* the directory in which commands start; NULL: this process's */
	pid_t owner;     /* the box ends with this process; 0: with this one */
};

/* Makes a box of the policy, and returns when it can run commands. Its commands have this process's variables, as far
 * as the policy lets them pass. Copies the policy. -ECANCELED: the policy cannot be enforced; lines on standard error
 * say why. -EPERM in a program that has not called zs_exec_shim(), unless options name another one. */
int zs_box_create(const struct zs_policy *policy, const struct zs_box_options *options, char ret_id[ZS_BOX_ID_SIZE],
	struct zs_error *error);

/* Keeps what a command writes. The caller sets max, and free()s bytes. */
struct zs_box_capture {
	char *bytes; /* NULL when it is empty; no NUL ends it */
	size_t len, max;
	bool cut; /* more came, which was read and dropped */
};

struct zs_box_command {
	char *const *argv;
	char *const *envp;               /* variables besides the box's; NULL: none */
	const char *cwd;                 /* NULL: the box's; a relative one starts there */
	int64_t milliseconds;            /* the longest time that it may take; 0: any */
	const int *stdio;                /* its standard input, output and error; NULL: this process's own */
	struct zs_box_capture *captures; /* ZS_BOX_OUTPUTS of them, in place of stdio's outputs; NULL: none */
	/* 0, or ends[1] of zs_denials_channel(), which is closed: what is refused to this command. Another thread is in
	 * zs_denials_collect() meanwhile, with the policy of zs_box_policy(), and then closes ends[0]. */
	int denials;
	/* SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1 and SIGUSR2 to this process go to the command. They and SIGPIPE
	 * stay blocked: for a program of one thread that ends with the command. */
	bool signals;
	/* "USER" or "USER:GROUP", by the box's own /etc/passwd and /etc/group, or by numbers; NULL: the box's own. It
	 * takes a policy with zs_policy_set_users(). The command has that user's home as HOME, unless envp has one. */
	const char *user;
};

enum zs_box_end {
	ZS_BOX_LOST,      /* the box or the command's server has ended before the command: it has no status */
	ZS_BOX_TIMED_OUT, /* its process group was killed, since its time was over */
	ZS_BOX_ENDED,     /* by itself, or by a signal */
};

/* Why a box has ended: nobody knows, or a process of zs was killed; zs_box_close(); its owner's end; a limit. */
enum zs_box_cause { ZS_BOX_KILLED, ZS_BOX_CLOSED, ZS_BOX_OWNER, ZS_BOX_LIMIT };

struct zs_box_result {
	enum zs_box_end end;
	int status;              /* the exit code, as shells form it; 126 and 127 as in zs_shim.h */
	int signal;              /* the signal that ended it; 0: none */
	char image[96];          /* the digest of the box's image, "sha256:…"; "": it has none, or nothing ran */
	enum zs_box_cause cause; /* of ZS_BOX_LOST */
	/* Limits, as bits 1 << ZS_LIMIT_…. Those that a lost box has met; and TMP, if the command has failed while /tmp
	 * or the layer of the root was full. */
	uint32_t limits;
	enum zs_tier tier;     /* how the command was confined */
	uint32_t each_process; /* the limits of the policy that bound each process, not the box: it has no cgroup */
};

/* Runs a command, and returns when it has ended. Processes that it leaves behind live on. The command gets pipes, and
 * none of this process's files; the input is read ahead unless it is a pipe. Negative: nothing ran. -EAGAIN above
 * ZS_BOX_COMMANDS_MAX. *error is set for ZS_BOX_LOST, too. */
int zs_box_exec(
	const char *id, const struct zs_box_command *command, struct zs_box_result *ret_result, struct zs_error *error);

/* Gives the policy of a box, by which zs_denials_collect() judges. zs_policy_free() it. */
int zs_box_policy(const char *id, struct zs_policy **ret_policy, struct zs_error *error);

/* Writes what can be read from the descriptor to a file of the box, and makes the folders above it. The box's server
 * copies, inside. *ret_status: 0, or 1 when the box's files do not allow it, as *error says. Negative: zs has failed.
 */
int zs_box_put(const char *id, int from, const char *path, mode_t mode, int *ret_status, struct zs_error *error);
/* The reverse, for a file of at most `most` bytes: a larger one is such a status, too. A status that is not 0 may have
 * written a part. */
int zs_box_get(const char *id, const char *path, uint64_t most, int to, int *ret_status, struct zs_error *error);

/* Ends all connections that leave the box, and lets no new ones through, for good: nothing of the library gives them
 * back. -EOPNOTSUPP: the box shares the machine's network, and is as it was. On another failure the box has ended. */
int zs_box_cut(const char *id, struct zs_error *error);

/* Ends a box and all its processes. -ENOENT: there is none. */
int zs_box_close(const char *id, struct zs_error *error);

struct zs_box_shown {
	const char *id, *workspace;
	int64_t seconds; /* since it was made */
	int processes;   /* that its commands have started, and that live; -1: /proc does not tell (hidepid) */
};

/* Calls each for every box of this user; the strings live as long as the call. Removes the sockets that killed boxes
 * have left. */
int zs_box_each(void (*each)(const struct zs_box_shown *shown, void *arg), void *arg, struct zs_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
