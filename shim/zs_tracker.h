/* zs_tracker.h: tracks all processes of unconfined commands that a host starts, including daemons and those in the
 * background, and ends them together.
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
 * A tracker does not confine. A command confined with zs_wrap() needs none, since all its processes are dead when its
 * run ends; on Linux it can be in a tracker all the same. A tracker has a process of its own, its watchdog, outside of
 * the host's process group. The watchdog ends everything when the host ends, whatever ends the host.
 *
 * Errors, ownership and threads are as in zs_sandbox.h. Trackers exist on Linux and macOS; elsewhere zs_tracker_new()
 * gives -EOPNOTSUPP.
 */
#ifndef ZS_TRACKER_H
#define ZS_TRACKER_H

#include "zs_shim.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The ways in which a tracker knows its processes. enumerator, name
 *
 * CGROUP, where the tracker can make a cgroup of version 2 (as root, or in a cgroup that belongs to the user): the
 * command is the host's child, in the cgroup, and the tracker misses no process that it starts. Only a process that may
 * write cgroups can leave.
 *
 * SUBREAPER, elsewhere: two processes stand between the host and the command. One is the host's child, passes signals
 * on and ends as the command does. The other gets the command's orphans (man 2 PR_SET_CHILD_SUBREAPER) and ends them.
 * It has the command's uid: a command that kills it frees them.
 *
 * FINGERPRINT, on macOS: the command is the host's child, in a sandbox that denies it a single file, which the tracker
 * has made. All processes that it starts are in that sandbox, by which the tracker finds them. A process cannot have
 * two sandboxes: a command of zs_wrap(), and a program that confines itself (sandbox-exec, a browser), fails in a
 * tracker. The command's uid may remove the tracker's folder. A process that has done so is not found.
 */
#define ZS_TRACKER_KINDS(X)                                                                                            \
	X(SUBREAPER, "subreaper")                                                                                      \
	X(CGROUP, "cgroup")                                                                                            \
	X(FINGERPRINT, "fingerprint")

#define ZS_ENUM_TRACKER_KIND(id, name) ZS_TRACKER_##id,
enum zs_tracker_kind { ZS_TRACKER_KINDS(ZS_ENUM_TRACKER_KIND) ZS_TRACKER_KIND_COUNT };
/* The name of a kind, a static string; NULL when out of range. */
const char *zs_tracker_kind_name(enum zs_tracker_kind kind);

struct zs_tracker;

/* NULL, or zeroed: the watchdog is this program. */
struct zs_tracker_options {
	const char *executable; /* another program for the watchdog, as in struct zs_spawn_options */
};

/* Makes a tracker; zs_tracker_free() it. A host may have any number at a time. It starts the watchdog, which is
 * nobody's child: the host may see one SIGCHLD. */
int zs_tracker_new(const struct zs_tracker_options *options, struct zs_tracker **ret_tracker, struct zs_error *error);

/* The kind of the tracker. */
enum zs_tracker_kind zs_tracker_kind(const struct zs_tracker *tracker);

/* Rewrites a command so that any spawn call of any language that executes it has it tracked; zs_wrapped_free() the
 * result. path is the program; NULL: argv[0] is looked up in envp's PATH. The path, argv and envp of zs_wrap() can be
 * tracked as well, but not on macOS. Environment, descriptors and everything else are as given. A command that cannot
 * join (the tracker has ended, or the host) does not run: it exits with 125 and a line on stderr; 126 and 127 are as in
 * zs_shim.h. Thread-safe. */
int zs_tracker_wrap(const struct zs_tracker *tracker, const char *path, char *const argv[], char *const envp[],
	struct zs_wrapped *ret_wrapped, struct zs_error *error);

/* The same, and starts the command as zs_spawn() does. The kernel takes about 6 ms to move a process into a cgroup;
 * zs_tracker_cgroup() is faster. Thread-safe. */
int zs_tracker_spawn(const struct zs_tracker *tracker, const char *path, char *const argv[], char *const envp[],
	const struct zs_spawn_options *options, pid_t *ret_pid, struct zs_error *error);

/* A descriptor for CLONE_INTO_CGROUP, for hosts that call clone3(2) themselves: that takes 0.1 ms. The tracker owns it.
 * -1 when the kind is not CGROUP. */
int zs_tracker_cgroup(const struct zs_tracker *tracker);

/* Ends every tracked process, also one that is being started, and waits until they are dead. A command that joins later
 * is refused. The host still waits for its pids. -ETIMEDOUT after ten seconds: a process in the kernel's
 * uninterruptible sleep ends when that sleep does, and with SUBREAPER a storm of forks may outrun the call. */
int zs_tracker_kill(struct zs_tracker *tracker, struct zs_error *error);

/* Does the same as zs_tracker_kill(), and frees the tracker. In a child that the host has forked it only frees. */
void zs_tracker_free(struct zs_tracker *tracker);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
