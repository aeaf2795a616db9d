/* zs_tracker.h: the processes of a host's own commands, so that all of them can be ended: what a command has put into
 * the background, daemons too.
 *
 *	int main(int argc, char **argv)
 *	{
 *		zs_exec_shim(argc, argv);                                        as in zs_shim.h
 *		…
 *		zs_tracker_new(NULL, &tracker, &error);
 *		zs_tracker_spawn(tracker, NULL, (char *[]){ "make", "run", NULL }, environ, NULL, &pid, &error);
 *		waitpid(pid, &status, 0);
 *		zs_tracker_kill(tracker, &error);                                its servers are gone
 *		zs_tracker_free(tracker);
 *
 * A tracker does not confine. A command confined with zs_wrap() is dead when its run ends, and needs none; on Linux it
 * can be in one all the same. A tracker has a process of its own, its watchdog, outside of the host's process group:
 * that ends everything when the host ends, however it does. Linux and macOS: elsewhere zs_tracker_new() gives
 * -EOPNOTSUPP.
 */
#ifndef ZS_TRACKER_H
#define ZS_TRACKER_H

#include "zs_shim.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* How the processes are known.
 *
 * CGROUP, where one of version 2 can be made (as root, or in a cgroup that belongs to the user): the command is the
 * host's child, in the cgroup, and nothing that it starts can be missed. Only who may write cgroups can leave.
 *
 * SUBREAPER, elsewhere: between the host and the command stand two processes. One is the host's child, passes signals
 * on and ends as the command does; the other gets the command's orphans (man 2 PR_SET_CHILD_SUBREAPER) and ends them. A
 * command that kills that one, which has its uid, frees them.
 *
 * FINGERPRINT, on macOS: the command is the host's child, in a sandbox that denies it one file, which the tracker has
 * made, and nothing else; all that it starts is in that, and is found by it. So it cannot be in a sandbox of another
 * kind: what zs_wrap() gave, and what confines itself (sandbox-exec, a browser), fails in it. A program that takes the
 * tracker's folder away, which its uid may, is not found. */
#define ZS_TRACKER_KINDS(X)                                                                                            \
	X(SUBREAPER, "subreaper")                                                                                      \
	X(CGROUP, "cgroup")                                                                                            \
	X(FINGERPRINT, "fingerprint")

#define ZS_ENUM_TRACKER_KIND(id, name) ZS_TRACKER_##id,
enum zs_tracker_kind { ZS_TRACKER_KINDS(ZS_ENUM_TRACKER_KIND) ZS_TRACKER_KIND_COUNT };
const char *zs_tracker_kind_name(enum zs_tracker_kind kind);

struct zs_tracker;

/* NULL, or zeroed: as this process. */
struct zs_tracker_options {
	const char *executable; /* the watchdog's: instead of this program, as in struct zs_spawn_options */
};

/* Any number at a time. Starts the watchdog, which is nobody's child: SIGCHLD may be seen once. */
int zs_tracker_new(const struct zs_tracker_options *options, struct zs_tracker **ret_tracker, struct zs_error *error);

enum zs_tracker_kind zs_tracker_kind(const struct zs_tracker *tracker);

/* A command, rewritten so that whoever executes it, with any spawn call of any language, has it tracked. path is
 * executed; NULL: argv[0] is looked up in envp's PATH. A command from zs_wrap() is tracked as well, with its path, argv
 * and envp, but not on macOS. A command that cannot join (the tracker has ended, or the host) exits with 125 and a line
 * on stderr, and has not run; 126 and 127 as in zs_shim.h. Environment, descriptors and everything else are as given.
 * zs_wrapped_free() it. Thread-safe. */
int zs_tracker_wrap(const struct zs_tracker *tracker, const char *path, char *const argv[], char *const envp[],
	struct zs_wrapped *ret_wrapped, struct zs_error *error);

/* The same, started as zs_spawn() does it. The kernel takes about 6 ms to move a process into a cgroup: see below.
 * Thread-safe. */
int zs_tracker_spawn(const struct zs_tracker *tracker, const char *path, char *const argv[], char *const envp[],
	const struct zs_spawn_options *options, pid_t *ret_pid, struct zs_error *error);

/* For hosts that call clone3(2) themselves: a descriptor for CLONE_INTO_CGROUP, which costs 0.1 ms. The tracker's; -1
 * when its kind is not CGROUP. */
int zs_tracker_cgroup(const struct zs_tracker *tracker);

/* Ends every process that is tracked, those that are being started too, and waits until they are dead; what joins later
 * is refused. The host still waits for its pids. -ETIMEDOUT after ten seconds: a process in the kernel's
 * uninterruptible sleep ends when that does, and with SUBREAPER a storm of forks may outrun it. */
int zs_tracker_kill(struct zs_tracker *tracker, struct zs_error *error);

/* Kills first. In a child that the host has forked it only lets go. */
void zs_tracker_free(struct zs_tracker *tracker);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
