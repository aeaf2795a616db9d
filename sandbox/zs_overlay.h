/* zs_overlay.h: for a host of dry runs: the changes of a run in an overlay workspace, and applying them.
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
 * Errors: functions return 0 or a negative errno, and then fill *error (which may be NULL). On systems other than Linux
 * they return -EOPNOTSUPP.
 *
 * Ownership: zs_overlay_free() frees an overlay, its changes and their paths.
 *
 * Threads: one thread at a time may use an overlay.
 *
 * The command wrote the upper layer, so zs does not trust it: it follows no symbolic link of that layer, and refuses
 * entries that overlayfs cannot have made of this mount (a redirect, a metacopy, an unknown attribute). */
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

enum { ZS_PERMISSIONS = 07777 }; /* the permission bits of a mode; musl has no ALLPERMS */

/* Bounds. A call that reaches one fails and names it; each has a test. */
enum {
	ZS_OVERLAY_ENTRIES_MAX = 1 << 18,  /* entries of the upper layer, unchanged ones included */
	ZS_OVERLAY_LOCK_WAIT_MS = 10000,   /* wait for another process that has locked the workspace */
	ZS_OVERLAY_PATHS_MIB_MAX = 32,     /* all their paths together: memory holds them */
	ZS_OVERLAY_PATH_BYTES_MAX = 4095,  /* PATH_MAX without its NUL; a command can make deeper trees */
	ZS_OVERLAY_APPLY_MIB_MAX = 1 << 14 /* all files together: a sparse file costs its maker nothing */
};

/* Kinds of changes. enumerator, name */
#define ZS_CHANGES(X)                                                                                                  \
	X(CREATED, "created")                                                                                          \
	X(CHANGED, "changed") /* the content, and perhaps the mode */                                                  \
	X(DELETED, "deleted")                                                                                          \
	X(MODE, "mode") /* nothing else */                                                                             \
	X(LINK, "link") /* a symbolic link's target */                                                                 \
	X(TYPE, "type") /* a file is now a directory, and the like */

/* The reasons why a change is listed and not applied. enumerator, name, text */
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

/* One change. "old" is the workspace's side, "new" the overlay's. */
struct zs_change {
	const char *path; /* below the workspace */
	enum zs_change_kind kind;
	enum zs_held held;           /* NOT: it is applied; zs_overlay_options can lift GIT */
	bool made;                   /* zs_overlay_apply() has made it in the workspace */
	mode_t old_mode, new_mode;   /* type and permissions; 0: no file on that side */
	uint64_t old_size, new_size; /* bytes, of regular files */
	/* The workspace's file, as zs_overlay_changes() saw it. */
	ino_t old_ino;
	nlink_t old_links;
	struct timespec old_mtime, old_ctime;
};

struct zs_overlay;

/* Makes two connected descriptors: one for the run, by zs_spawn_options.overlay or zs_wrap_with(), the other for the
 * caller. Neither is a standard descriptor. The caller closes both. */
int zs_overlay_channel(int ret_ends[2]);

/* Waits for the run's end and takes its overlay. *ret_status is the exit status that the run's process will have. That
 * process stays until zs_overlay_release(), or until all copies of `end` are closed; the overlay uses `end` as well.
 * zs_overlay_free() the overlay. -ECANCELED: the set-up failed, the command has not run, and the run has said why.
 * -EPIPE: the run's process was killed, and its changes are gone. */
int zs_overlay_receive(int end, struct zs_overlay **ret_overlay, int *ret_status, struct zs_error *error);

/* Has SIGINT, SIGTERM, SIGHUP or SIGQUIT told the run's process to end since zs_overlay_receive(), or was it killed? A
 * caller that waits for the process has only its pid. The functions below ask this too, and then return -ECANCELED. */
bool zs_overlay_stopped(struct zs_overlay *overlay);

/* Lets the run's process end. well false: its exit status is 125 where it would have been 0. Closing `end` without this
 * call does the same, and the run reports it on standard error. */
int zs_overlay_release(int end, bool well);

/* The same when the changes were refused: the process ends with this exit status, from 1 to 255, whatever the
 * command's was. */
int zs_overlay_release_as(int end, int status);

/* Makes an overlay of two directories, for a caller that mounts overlayfs itself (with userxattr). lower: descriptor of
 * the workspace; upper: of overlayfs's upperdir. Copies the descriptors. zs_overlay_free() it. */
int zs_overlay_open(int lower, int upper, struct zs_overlay **ret_overlay, struct zs_error *error);

/* Gives the time before a run, for zs_overlay_options.since. It waits for a tick of the kernel's clock, a few
 * milliseconds, so that a file written right before the run does not look as if it had been written during the run. An
 * overlay of zs_overlay_receive() brings its own time. */
void zs_overlay_begin(struct timespec *ret_since);

/* Frees the overlay, and restores the modes in the upper layer that reading it changed. NULL is fine. */
void zs_overlay_free(struct zs_overlay *overlay);

/* Sets a lower bound than ZS_OVERLAY_ENTRIES_MAX. */
void zs_overlay_limit(struct zs_overlay *overlay, size_t entries);

/* Holds back every change that a run of this policy could not make in a writable workspace: the whole .git unless the
 * policy's "git" is ALLOW, the files that git's configuration names, the targets of links. Names that are always held
 * back need no policy. Reads the policy's workspace as it is now. Call it before zs_overlay_changes(), else -EALREADY.
 * Without this call zs_overlay_changes() does it for a policy that grants the workspace alone, with "git" ALLOW and the
 * account's home. */
int zs_overlay_protect(struct zs_overlay *overlay, const struct zs_policy *policy, struct zs_error *error);

/* Lists the changes, in the tree's order: a folder, its content, its next sibling; names compare as bytes. The overlay
 * owns the list, and makes it once. A file with the same content, type and permissions as before is left out: times,
 * owners and extended attributes do not count. The content of a new or deleted directory is listed too. */
int zs_overlay_changes(
	struct zs_overlay *overlay, const struct zs_change **ret_changes, size_t *ret_count, struct zs_error *error);

enum zs_side { ZS_SIDE_OLD, ZS_SIDE_NEW };

/* Reads a regular file's content or a symbolic link's target; free() it. -EFBIG when it has more than max bytes. */
int zs_overlay_content(struct zs_overlay *overlay, const struct zs_change *change, enum zs_side side, size_t max,
	char **ret_bytes, size_t *ret_len, struct zs_error *error);

/* Zeroed: the defaults. */
struct zs_overlay_options {
	/* Refuse with -ESTALE, and change nothing, if a file that a change replaces or removes, or the directory in
	 * which a change creates a file, has a ctime of this moment or later: somebody else has changed it. The ctime
	 * serves because nobody can set it (the clock aside), and writing, chmod, rename and link all move it. Zero:
	 * the time when the run began; for an overlay of zs_overlay_open(): no check. */
	struct timespec since;
	bool git; /* apply changes that are held because of GIT, too */
};

/* Applies the changes to the workspace.
 *
 * It first takes a lock on the workspace's top (flock(2)), and waits while another process applies an overlay there.
 * -EWOULDBLOCK: that lasted ZS_OVERLAY_LOCK_WAIT_MS, and nothing is applied.
 *
 * It writes everything under temporary names first, so that it finds a full disk before anything has changed. Then it
 * replaces each file in one step; deletions come last. The files belong to the caller. Root works in another user's
 * workspace as that user (setfsuid(2), of this thread) and with no more rights.
 *
 * If it fails half way, each file is old or new; zs_change.made says which, and the temporaries are removed.
 * -ECANCELED: nothing is applied, because a signal or a limit has ended the run (its status alone does not say so: a
 * command may exit with 129), or because zs_overlay_stopped() became true before the first replacement. From the first
 * replacement on it goes on to the end, which writes no more data. */
int zs_overlay_apply(struct zs_overlay *overlay, const struct zs_overlay_options *options, struct zs_error *error);

/* Does zs_overlay_apply() apply this change with these options? */
bool zs_change_applies(const struct zs_change *change, const struct zs_overlay_options *options);

/* The name of a kind, and the name and text of a reason: static strings. */
const char *zs_change_name(enum zs_change_kind kind);
const char *zs_held_name(enum zs_held held);
const char *zs_held_text(enum zs_held held);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
