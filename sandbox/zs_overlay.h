/* zs_overlay.h: what a run in an overlay workspace would have changed, and making it real.
 *
 *	int ends[2], status;
 *	struct zs_overlay *overlay;
 *
 *	zs_overlay_channel(ends);
 *	zs_spawn(sandbox, argv, environ, &(struct zs_spawn_options){ .overlay = ends[1] }, &pid, &error);
 *	close(ends[1]);
 *	if (zs_overlay_receive(ends[0], &overlay, &status, &error) == 0) {      waits for the end of the run
 *		r = zs_overlay_protect(overlay, policy, &error);
 *		if (r == 0)
 *			r = zs_overlay_changes(overlay, &changes, &count, &error);
 *		if (r == 0 && status == 0)
 *			r = zs_overlay_apply(overlay, &(struct zs_overlay_options){ 0 }, &error);
 *		zs_overlay_free(overlay);
 *		zs_overlay_release(ends[0], r == 0);
 *	}
 *	close(ends[0]);
 *	waitpid(pid, &status, 0);                                           not before: the run waits for us
 *
 * Functions return 0 or a negative errno with *error (which may be NULL) filled in; -EOPNOTSUPP but on Linux. One
 * overlay is for one thread at a time. The command wrote the upper layer, so nothing of it is believed: no symbolic
 * link of it is followed, and what overlayfs cannot have made of this mount (a redirect, a metacopy, an unknown
 * attribute) is refused. */
#ifndef ZS_OVERLAY_H
#define ZS_OVERLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "zs_sandbox.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum { ZS_PERMISSIONS = 07777 }; /* of a mode; musl has no ALLPERMS */

/* Reaching one is an error that says so; each has a test that does. */
enum {
	ZS_OVERLAY_ENTRIES_MAX = 1 << 18,  /* looked at, unchanged ones included */
	ZS_OVERLAY_LOCK_WAIT_MS = 10000,   /* for another process that has locked the workspace */
	ZS_OVERLAY_PATHS_MIB_MAX = 32,     /* of all their paths together: they are held in memory */
	ZS_OVERLAY_PATH_BYTES_MAX = 4095,  /* PATH_MAX without its NUL; a command can make deeper trees */
	ZS_OVERLAY_APPLY_MIB_MAX = 1 << 14 /* of all files together: a sparse file costs its maker nothing */
};

#define ZS_CHANGES(X)                                                                                                  \
	X(CREATED, "created")                                                                                          \
	X(CHANGED, "changed") /* the content, and perhaps the mode */                                                  \
	X(DELETED, "deleted")                                                                                          \
	X(MODE, "mode") /* nothing else */                                                                             \
	X(LINK, "link") /* a symbolic link's target */                                                                 \
	X(TYPE, "type") /* a file is now a directory, and the like */

/* Why a change is listed and not applied. */
#define ZS_HELDS(X)                                                                                                    \
	X(NOT, "", "")                                                                                                 \
	X(GIT, "git", "git would run it, or take orders from it")                                                      \
	X(SETTINGS, "settings", "a shell, an editor or an agent would take orders from it")                            \
	X(PROTECTED, "protected", "a run that writes at once could not change it either")                              \
	X(SET_ID, "set-id", "it would run as its owner or group")                                                      \
	X(SPECIAL, "special", "it is a socket or a device")                                                            \
	X(NEIGHBOUR, "neighbour", "it needs a change that is not applied")

#define ZS_ENUM_CHANGE(id, name) ZS_CHANGE_##id,
#define ZS_ENUM_HELD(id, name, text) ZS_HELD_##id,
enum zs_change_kind { ZS_CHANGES(ZS_ENUM_CHANGE) ZS_CHANGE_COUNT };
enum zs_held { ZS_HELDS(ZS_ENUM_HELD) ZS_HELD_COUNT };

struct zs_change {
	const char *path; /* below the workspace */
	enum zs_change_kind kind;
	enum zs_held held;           /* unless zs_overlay_options say otherwise */
	bool made;                   /* by zs_overlay_apply(), in the workspace */
	mode_t old_mode, new_mode;   /* type and permissions; 0: there is none */
	uint64_t old_size, new_size; /* bytes, of regular files */
	/* The workspace's side, when it was looked at. */
	ino_t old_ino;
	nlink_t old_links;
	struct timespec old_mtime, old_ctime;
};

struct zs_overlay;

/* Two connected descriptors: one for the run, by zs_spawn_options.overlay or zs_wrap_with(), the other for us. Neither
 * is a standard one. */
int zs_overlay_channel(int ret_ends[2]);

/* Waits for the run's end and takes its overlay; *ret_status is the exit status that its process is about to have. The
 * run's process stays until zs_overlay_release(), or until all copies of `end` are closed; the overlay uses it as well.
 * -ECANCELED: the set-up failed, the command has not run, and the run has said why. -EPIPE: the run was cut off, its
 * process killed: what it has changed is gone. */
int zs_overlay_receive(int end, struct zs_overlay **ret_overlay, int *ret_status, struct zs_error *error);

/* Has the run's process been told to end since then, by SIGINT, SIGTERM, SIGHUP or SIGQUIT, or been killed? Whoever
 * waits for it has only its pid. The functions below ask, and end with -ECANCELED. */
bool zs_overlay_stopped(struct zs_overlay *overlay);

/* Lets the run's process end. well: false makes its exit status 125 where it would have been 0, as does closing `end`
 * without this call, of which the run complains. */
int zs_overlay_release(int end, bool well);

/* For whoever mounts an overlay on his own (with userxattr; who did it does not matter): an overlay of two directories.
 * lower: the workspace; upper: overlayfs's upperdir. Copies the descriptors. */
int zs_overlay_open(int lower, int upper, struct zs_overlay **ret_overlay, struct zs_error *error);

/* The time before a run, for zs_overlay_options. Waits for the kernel's clock to tick, a few milliseconds, so that what
 * was written right before the run does not look as if it had been written during the run. An overlay that was received
 * brings its own. */
void zs_overlay_begin(struct timespec *ret_since);

/* Also gives the upper layer back the modes that reading it took. NULL is fine. */
void zs_overlay_free(struct zs_overlay *overlay);

/* Less than ZS_OVERLAY_ENTRIES_MAX. */
void zs_overlay_limit(struct zs_overlay *overlay, size_t entries);

/* Holds back, beside what names alone say, all that a run of this policy would have protected if its workspace could be
 * written: the whole .git unless the policy's "git" is ALLOW, what git's configuration names, what links lead to. Reads
 * the workspace, whose place the policy names, as it is now. Before zs_overlay_changes(): -EALREADY. Without this call
 * zs_overlay_changes() does it for a policy that grants the workspace alone, with "git" ALLOW and the account's home.
 */
int zs_overlay_protect(struct zs_overlay *overlay, const struct zs_policy *policy, struct zs_error *error);

/* In the tree's order: a folder, what is in it, its next sibling; names as bytes. Owned by the overlay; found once.
 * Touched files whose content, type and permissions are as before are left out: times, owners and extended attributes
 * do not count. The content of a directory that came or went is listed too. */
int zs_overlay_changes(
	struct zs_overlay *overlay, const struct zs_change **ret_changes, size_t *ret_count, struct zs_error *error);

enum zs_side { ZS_SIDE_OLD, ZS_SIDE_NEW };

/* A regular file's content or a symbolic link's target; free() it. -EFBIG when it has more than max bytes. */
int zs_overlay_content(struct zs_overlay *overlay, const struct zs_change *change, enum zs_side side, size_t max,
	char **ret_bytes, size_t *ret_len, struct zs_error *error);

struct zs_overlay_options {
	/* Nothing that a change replaces or removes may have a ctime of this moment or later, nor the directory in
	 * which one creates: then all is refused, with -ESTALE, and nothing done. The ctime, since nobody can set it
	 * (the clock aside), and since writing, chmod, rename and link all move it. Zero: when the run began; of a
	 * overlay of zs_overlay_open(): do not ask. */
	struct timespec since;
	bool git; /* apply what is held for git's sake, too */
};

/* Makes the workspace what the command saw. Waits until no other process applies an overlay to it, which holds a lock
 * on its top (flock(2)). -EWOULDBLOCK: that lasted ZS_OVERLAY_LOCK_WAIT_MS, and nothing is applied. Everything is
 * written under temporary names first, so that a full disk is found before anything has changed; then each file is
 * replaced in one step, and deletions come last. The files belong to the caller. Root works in another user's workspace
 * as that user (setfsuid(2), of this thread) and with no more rights. When it fails half way, each file is old or new,
 * zs_change.made says which, and the temporaries are removed. -ECANCELED: a signal or a limit has ended the run (its
 * status alone does not say so: a command may exit with 129), or zs_overlay_stopped() while nothing had changed yet:
 * nothing is applied. From the first replacement on it goes on to the end, which takes no writing. */
int zs_overlay_apply(struct zs_overlay *overlay, const struct zs_overlay_options *options, struct zs_error *error);

/* Is it applied? */
bool zs_change_applies(const struct zs_change *change, const struct zs_overlay_options *options);

const char *zs_change_name(enum zs_change_kind kind);
const char *zs_held_name(enum zs_held held);
const char *zs_held_text(enum zs_held held);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
