/* zs_sandbox.h: what a command may reach, and whether this machine can hold it to that.
 *
 *	struct zs_policy *policy;
 *	struct zs_sandbox *sandbox;
 *	struct zs_error error;
 *
 *	if (zs_policy_default("/home/me/project", environ, &policy, &error) < 0 ||
 *	    zs_sandbox_new(policy, &sandbox, &error) < 0)
 *		… zs_error_format(&error, line, sizeof line) …
 *	zs_policy_free(policy);
 *
 * and then zs_wrap() or zs_spawn() of zs_shim.h.
 *
 * A policy lists what may be reached; everything else is denied. Its path grants are a *union*: a grant
 * inside another one can add access and never takes any away (Landlock cannot subtract, man 7 landlock).
 *
 * Functions that can fail return 0 or a negative errno, write their ret_… outputs only on success, and fill
 * *error (which may be NULL) only on failure. Nothing here prints, exits, or reads the environment or the
 * working directory: envp is a parameter, and paths are absolute. Strings and lists that are given are copied, unless
 * it says otherwise; what zs_…_new() made goes to zs_…_free(), which takes NULL as well. Objects may be used from any
 * thread, but a policy from one at a time; a sandbox never changes after zs_sandbox_new() and may be shared freely.
 */
#ifndef ZS_SANDBOX_H
#define ZS_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Errors */

struct zs_error {
	const char *step; /* what was being done, a static string: "policy", "landlock", "network namespace" */
	int cause;        /* a positive errno */
	char object[512]; /* the path, key or field at fault; may be empty; cut where it does not fit */
	char what[256];   /* the cause in words; empty: the errno's own text will do */
	char hint[384];   /* what to do about it; empty when we do not know */
};

/* One line without a newline: "zs: landlock: /srv/x: no such directory; hint". Controls (C1's too),
 * characters that turn or hide text, and bytes that are no UTF-8 are shown as \xNN. Returns the whole line's length, as
 * snprintf does; size 0 is fine. */
size_t zs_error_format(const struct zs_error *error, char *buffer, size_t size);

/* Is told of one. The error ends with the call. */
typedef void zs_each_error(const struct zs_error *error, void *arg);

/* Values. The first of each list is what a zeroed struct holds, and it is the strictest. */

/* The rights of a grant below its path, or on it when it is a file. */
#define ZS_ACCESSES(X)                                                                                                 \
	X(HIDE, "hide", "nothing, inside a tree that can be read")                                                     \
	X(PROTECT, "protect", "read only, inside a tree that can be written")                                          \
	X(READ, "read", "read files, list directories")                                                                \
	X(EXEC, "exec", "read, and run programs")                                                                      \
	X(WRITE, "write", "everything but making device nodes; renames between directories included")

#define ZS_NETWORKS(X)                                                                                                 \
	X(NONE, "none", "an own network with nothing but an own loopback")                                             \
	X(HOSTS, "hosts", "only the named hosts")                                                                      \
	X(FULL, "full", "the machine's network")

#define ZS_WORKSPACES(X)                                                                                               \
	X(READ, "read", "read and run programs; nothing in it can change")                                             \
	X(OVERLAY, "overlay", "writes go to an overlay in memory")                                                     \
	X(WRITE, "write", "as a write grant")

#define ZS_TMPS(X)                                                                                                     \
	X(PRIVATE, "private", "an own, fresh one, gone afterwards")                                                    \
	X(SHARED, "shared", "the machine's, as far as paths grant it")

#define ZS_GITS(X)                                                                                                     \
	X(PROTECT, "protect", "what git runs or obeys, hooks and config, cannot be written")                           \
	X(ALLOW, "allow", "it is as writable as the rest")

/* How a policy is enforced: every promise is kept, or those that are left where there are no namespaces to be had. The
 * last is macOS's, the others are Linux's. */
#define ZS_TIERS(X)                                                                                                    \
	X(MOUNTS, "mounts", "own namespaces and an own root directory, with Landlock and seccomp on top")              \
	X(LANDLOCK, "landlock", "Landlock and seccomp alone")                                                          \
	X(SEATBELT, "seatbelt", "Seatbelt, the sandbox of macOS")

/* Promises that a caller may waive by name where a machine cannot keep them: all that the Landlock tier lacks. With
 * mounts too, sockets are lacking before Landlock's ABI 9 (Linux 7.1). */
#define ZS_PROMISES(X)                                                                                                 \
	X(PROTECT, "protect", "what is read only inside a tree that can be written")                                   \
	X(HIDE, "hide", "what cannot be read inside a tree that can")                                                  \
	X(PRIVATE_TMP, "private-tmp", "an own /tmp, /var/tmp and /dev/shm; without: a fresh folder, named by TMPDIR")  \
	X(LOOPBACK, "loopback", "an own 127.0.0.1; without: no network at all")                                        \
	X(SOCKETS, "sockets",                                                                                          \
		"only granted unix sockets are reached; without: where one is granted, all in granted trees are, and " \
		"without namespaces all")                                                                              \
	X(METADATA, "metadata", "outside the grants no file can be seen, and chmod, utimes and setxattr fail")         \
	X(PROCESSES, "processes", "other processes cannot be seen, and all of the command's end with it, always")      \
	X(PRIVILEGES, "privileges", "a user namespace, in which root has no powers")                                   \
	X(OVERLAY, "overlay", "an overlay workspace can be written: it is read-only instead")

/* Limits: field and JSON key, word for people, unit. "wall" and "processes" are of the run as a whole; "memory" and
 * "cpu" are where a cgroup can be made for the run (features "run-memory" and "run-cpu"), and of each process
 * elsewhere.
 *
 * The supervisor says that one has been reached, "zs: memory limit 512M reached", where it can know: wall, cpu and
 * file-size always; memory and processes where a cgroup holds them. Elsewhere these, and open files anywhere, are
 * errors that the command meets (ENOMEM, EAGAIN, EMFILE), and that nobody counts.
 *
 * wall ends the run. cpu ends the process that has used so much, by SIGXCPU and a second later by SIGKILL, and the run
 * a second after all of it together has. memory: version 2 of cgroups ends the run, version 1 one of its processes. */
#define ZS_LIMITS(X)                                                                                                   \
	X(WALL, wall_seconds, "wall", SECONDS, "how long the run may last")                                            \
	X(CPU, cpu_seconds, "cpu", SECONDS, "processor time")                                                          \
	X(MEMORY, memory_bytes, "memory", BYTES,                                                                       \
		"memory in use; without a cgroup, address space, whether used or not (RLIMIT_AS)")                     \
	X(PROCESSES, processes, "processes", COUNT, "processes and threads at a time")                                 \
	X(FILES, open_files, "files", COUNT, "open descriptors, of each process")                                      \
	X(FILE_SIZE, file_bytes, "file-size", BYTES, "how far a file can be written")

#define ZS_ENUM_ACCESS(id, name, text) ZS_ACCESS_##id,
#define ZS_ENUM_NETWORK(id, name, text) ZS_NETWORK_##id,
#define ZS_ENUM_WORKSPACE(id, name, text) ZS_WORKSPACE_##id,
#define ZS_ENUM_TMP(id, name, text) ZS_TMP_##id,
#define ZS_ENUM_GIT(id, name, text) ZS_GIT_##id,
#define ZS_ENUM_TIER(id, name, text) ZS_TIER_##id,
#define ZS_ENUM_PROMISE(id, name, text) ZS_PROMISE_##id,
#define ZS_ENUM_LIMIT(id, name, word, unit, text) ZS_LIMIT_##id,
enum zs_access { ZS_ACCESSES(ZS_ENUM_ACCESS) ZS_ACCESS_COUNT };
enum zs_network { ZS_NETWORKS(ZS_ENUM_NETWORK) ZS_NETWORK_COUNT };
enum zs_workspace { ZS_WORKSPACES(ZS_ENUM_WORKSPACE) ZS_WORKSPACE_COUNT };
enum zs_tmp { ZS_TMPS(ZS_ENUM_TMP) ZS_TMP_COUNT };
enum zs_git { ZS_GITS(ZS_ENUM_GIT) ZS_GIT_COUNT };
enum zs_tier { ZS_TIERS(ZS_ENUM_TIER) ZS_TIER_COUNT };
enum zs_promise { ZS_PROMISES(ZS_ENUM_PROMISE) ZS_PROMISE_COUNT };
enum zs_limit { ZS_LIMITS(ZS_ENUM_LIMIT) ZS_LIMIT_COUNT };

/* The name as it stands in JSON; NULL when out of range. */
const char *zs_access_name(enum zs_access access);
const char *zs_network_name(enum zs_network network);
const char *zs_workspace_name(enum zs_workspace access);
const char *zs_tmp_name(enum zs_tmp tmp);
const char *zs_git_name(enum zs_git git);
const char *zs_tier_name(enum zs_tier tier);
const char *zs_promise_name(enum zs_promise promise);
const char *zs_limit_name(enum zs_limit limit);

/* -EINVAL when there is no such name. */
int zs_access_from_name(const char *name, enum zs_access *ret_access);
int zs_network_from_name(const char *name, enum zs_network *ret_network);
int zs_workspace_from_name(const char *name, enum zs_workspace *ret_access);
int zs_tmp_from_name(const char *name, enum zs_tmp *ret_tmp);
int zs_git_from_name(const char *name, enum zs_git *ret_git);
int zs_tier_from_name(const char *name, enum zs_tier *ret_tier);
int zs_promise_from_name(const char *name, enum zs_promise *ret_promise);
int zs_limit_from_name(const char *name, enum zs_limit *ret_limit);

/* Limits. Reaching one is an error that says so; each has a test that does. */
enum {
	ZS_POLICY_VERSION = 1,
	/* execve(2) takes at most 128 KiB a string (MAX_ARG_STRLEN), and the policy travels as one, with its
	 * variable's name. */
	ZS_POLICY_BYTES_MAX = 124 * 1024,
	ZS_POLICY_PATHS_MAX = 1024,
	ZS_POLICY_PATH_BYTES_MAX = 4095, /* PATH_MAX without its NUL */
	ZS_POLICY_ENV_MAX = 512,         /* names that pass, and as many that are set */
	ZS_POLICY_ENV_BYTES_MAX = 32 * 1024,
	ZS_POLICY_HOSTS_MAX = 256,
	ZS_POLICY_SOCKETS_MAX = 64,
	ZS_POLICY_SECONDS_MAX = 1000 * 1000 * 1000, /* the kernel counts nanoseconds in 64 bits */
	ZS_EXEC_FILES_MAX = 256,                    /* files that one zs_policy_add_exec() may come to */
	/* Words, variables and working directory of zs_session_spawn(). execve(2) never takes more. */
	ZS_SESSION_BYTES_MAX = 6 * 1024 * 1024,
	ZS_SESSION_RUNS_MAX = 128, /* of one session at a time */
};

/* Policies */

struct zs_policy;

/* Denies everything: no path, no network, an empty environment. envp is read for HOME, which "~" stands for
 * in later calls; without one "~" is an error. */
int zs_policy_new(char *const envp[], struct zs_policy **ret_policy);
void zs_policy_free(struct zs_policy *policy);

/* The coding agent's preset: the system's programs can run; workspace, temporary folders and toolchain caches
 * can be written; git's and the shell's configuration can be read; nothing else of the home directory, no
 * network, and of envp only names known to be harmless. Grants no path that does not exist when the sandbox
 * is made. ZS_SANDBOX_RO and ZS_SANDBOX_RW in envp (colon separated) add read and write grants.
 * A workspace that is "/", the home directory (HOME's, or the account's own) or above it is refused: it would grant
 * ~/.ssh. On macOS it gives up what no Mac has: private-tmp, loopback, processes and privileges. */
int zs_policy_default(const char *workspace, char *const envp[], struct zs_policy **ret_policy, struct zs_error *error);

/* The same with an immutable workspace: an overlay, in which builds and tests write freely, and which is gone with the
 * run unless somebody receives it (zs_overlay.h). The preset's own write grants that would touch the workspace are left
 * out: /tmp, when the workspace lies in /tmp. A linked git worktree's repository can be read. */
int zs_policy_verify(const char *workspace, char *const envp[], struct zs_policy **ret_policy, struct zs_error *error);

/* Paths by category, as settings have them. NULL for one of the first three stands for the machine's defaults, and a
 * list, which ends with NULL, replaces them: an empty one grants none. The others come on top of either. Entries are as
 * for zs_policy_add_path(); in the lists of exec a file is a program, as for zs_policy_add_exec(). */
struct zs_path_lists {
	const char *const *exec, *const *read, *const *write;
	const char *const *more_exec, *const *more_read, *const *more_write;
};

/* The preset with these lists; NULL: zs_policy_default()'s, or with an overlay zs_policy_verify()'s. */
int zs_policy_preset(const char *workspace, enum zs_workspace access, char *const envp[],
	const struct zs_path_lists *lists, struct zs_policy **ret_policy, struct zs_error *error);

/* The workspace: always granted, never skipped; it must be an existing directory when the sandbox is made.
 * Copies path. */
int zs_policy_set_workspace(
	struct zs_policy *policy, const char *path, enum zs_workspace access, struct zs_error *error);

/* Adds one grant. Copies path: absolute, or "~" or "~/…"; a "..", invalid UTF-8 or too much is an error.
 * A path that does not exist, or that this user cannot get to, when the sandbox is made is skipped, never widened
 * to its parent. But PROTECT of a path in a writable tree where nothing is means that nothing shall be: no stand-in is
 * made, in the workspace or elsewhere; what appears there while a command runs, whoever made it, is moved aside at once
 * to a name beside it, "….set-aside-" and a number, with a line on stderr; who does it again and again is ended.
 * PROTECT and HIDE of what is there end with it: a run is ended, with status 125 and a line on stderr, when a program
 * outside replaces or moves it, or a folder above it; a session then runs nothing any more. */
int zs_policy_add_path(struct zs_policy *policy, const char *path, enum zs_access access, struct zs_error *error);

/* Grants one program and the files that its loader maps: ELF interpreter and DT_NEEDED libraries, found by
 * reading the ELF files and /etc/ld.so.conf as ld.so(8) does, never by running anything; for a "#!" script, the
 * interpreter's. Files that a program opens later by itself (dlopen, plugins, data) are not included. Reads the file
 * system. On failure nothing is granted. */
int zs_policy_add_exec(struct zs_policy *policy, const char *binary, struct zs_error *error);

int zs_policy_set_network(struct zs_policy *policy, enum zs_network network, struct zs_error *error);

enum zs_network zs_policy_network(const struct zs_policy *policy);

/* Sets the network to HOSTS and adds one: a name, "*.name" for every name below it (and not itself), or an IP address;
 * behind each may stand ":port", else every port is meant. An IPv6 address with a port stands in brackets. HOSTS
 * without a host reaches nothing. The policy holds the canonical form: lower case, no trailing dot. A name is ASCII: an
 * internationalised one is written as "xn--…". A name that leads to an address that is not public (loopback,
 * link-local, private) reaches it only when the address is listed too. A program that knows no proxy reaches the ports
 * 443 and 80, and of the others that are named the first 32; from 1024 on not for names below "*.". */
int zs_policy_add_host(struct zs_policy *policy, const char *host, struct zs_error *error);

/* Lets the command connect to one pathname socket of AF_UNIX. Copies path: as for zs_policy_add_path(). Without any, a
 * command makes no socket of AF_UNIX but pairs. Before Landlock's ABI 9 (Linux 7.1) one granted socket opens all that
 * lie in granted trees, so zs_sandbox_new() refuses it unless ZS_PROMISE_SOCKETS is waived. For sockets of its own,
 * name the one that it will bind. A place that is no socket is an error of the run. */
int zs_policy_add_socket(struct zs_policy *policy, const char *path, struct zs_error *error);

/* PRIVATE, as it starts out, keeps other programs' temporary files and sockets out of reach. */
int zs_policy_set_tmp(struct zs_policy *policy, enum zs_tmp tmp, struct zs_error *error);

/* PROTECT, as it starts out, keeps the command from planting what the next git call outside would run: of the
 * workspace, of its submodules, and of other repositories in it, which are found by looking into its nearest folders
 * (ZS_GIT_FOLDERS_MAX and ZS_GIT_FOUND_MAX of git_nested.h; zs_policy_on_notice()). A write grant that somebody spells
 * out for one of these very paths is respected. */
int zs_policy_set_git(struct zs_policy *policy, enum zs_git git, struct zs_error *error);

/* notice: is called while the policy is resolved (zs_sandbox_new(), zs_exec(), zs_overlay_protect()) when the search
 * for repositories in the workspace has reached a bound: what was not looked into may hold one that is not protected.
 * At most once a call, and the run goes on. NULL, as it starts out: nobody is told. */
void zs_policy_on_notice(struct zs_policy *policy, zs_each_error *notice, void *arg);

/* At most so much; of two values the later counts. Without a cgroup the machine's root cannot have a limit of
 * processes: the kernel exempts it (man 2 getrlimit, RLIMIT_NPROC). 0 is an error: a policy starts out without limits.
 * A limit never raises what the caller's own ulimit allows. Core dumps are off, whatever the
 * limits, and so is the program that core_pattern may name. */
int zs_policy_set_limit(struct zs_policy *policy, enum zs_limit limit, uint64_t value, struct zs_error *error);

/* Where the machine cannot keep this promise, run without it instead of failing. Where it can, it is kept: the
 * Landlock tier is never taken while the other can be had, and then only if all that it lacks for this policy has been
 * waived. It refuses what nobody can give up: a limit of processes, where no cgroup holds it. */
int zs_policy_give_up(struct zs_policy *policy, enum zs_promise promise, struct zs_error *error);

/* Lets a variable pass, by name or by prefix ("LC_*"). Copies name. Naming a variable that makes loaders or
 * interpreters run code (LD_PRELOAD, BASH_ENV, NODE_OPTIONS, …) is an error; a prefix never covers one, nor what is
 * called a secret (…_TOKEN, …_SECRET, …_KEY, …_PASSWORD and the like): name those. */
int zs_policy_add_env(struct zs_policy *policy, const char *name, struct zs_error *error);

/* Sets a variable: "NAME=value". Copies it; a later one of the same name replaces it. Loader variables are an
 * error here as well. */
int zs_policy_set_env(struct zs_policy *policy, const char *assignment, struct zs_error *error);

/* Reads the JSON form, strictly: unknown and duplicate keys, wrong types, another version, relative paths, NUL,
 * invalid UTF-8 and whatever the calls above refuse are errors that name the key and its line. text need not
 * end in NUL. envp as for zs_policy_new().
 *
 *	{
 *		"version": 1,
 *		"workspace": { "root": "/w", "access": "write" },
 *		"paths": [ { "path": "/usr", "access": "exec" } ],
 *		"git": "protect",
 *		"tmp": "private",
 *		"network": "none",                  or { "hosts": ["example.org", "*.example.net:443"] }
 *		"unix_sockets": ["/run/db.sock"],
 *		"env": { "pass": ["HOME", "LC_*"], "set": { "CI": "1" } },
 *		"limits": { "wall_seconds": 600, "memory_bytes": 8000000000 },
 *		"without": ["metadata"]
 *	}
 *
 * Only "version" is required; what is absent is denied, and a limit that is absent is none. With "path_lists" the
 * machine's defaults are granted as far as its lists do not replace them; without it none are. A resolved policy may
 * have "tier", which zs_sandbox_new() decides anew, and "links". A path of access read or exec may have "public": true,
 * which grants only what everybody may read of it; root, who owns /etc/shadow, is as weak there as an ordinary user.
 * "approved": [device, inode, seconds and nanoseconds of its birth] ends the run when another place has that path. */
int zs_policy_from_json(
	const char *text, size_t len, char *const envp[], struct zs_policy **ret_policy, struct zs_error *error);

/* Reads it to its end and tells of every error, each with the file's name, which may be NULL. 0: there was none. */
int zs_policy_check_json(
	const char *file, const char *text, size_t len, char *const envp[], zs_each_error *each, void *arg);

/* The canonical form: fixed order of keys, every key present (of limits those that are set), no "~". A preset's own
 * grants that would make the home directory or verify's workspace reachable are left out, as zs_sandbox_new() does:
 * whoever reads the text takes each for a wish. Reads the file system. *ret_text is NUL-terminated; free() it. -E2BIG
 * above ZS_POLICY_BYTES_MAX. */
int zs_policy_to_json(
	const struct zs_policy *policy, bool pretty, char **ret_text, size_t *ret_len, struct zs_error *error);

/* Features of the machine */

#ifdef __APPLE__
#define ZS_FEATURES(X)                                                                                                 \
	X(SEATBELT, "seatbelt", "everything that a policy denies")                                                     \
	X(FINGERPRINT, "fingerprint", "the end of every process, with its run")
#else
#define ZS_FEATURES(X)                                                                                                 \
	X(PROC, "proc", "the shim, which starts as /proc/self/exe")                                                    \
	X(CLOSE_RANGE, "close-range", "no inherited descriptors")                                                      \
	X(LANDLOCK, "landlock", "paths, workspace")                                                                    \
	X(LANDLOCK_SCOPES, "landlock-scopes", "no signals or abstract sockets to processes of the same namespaces")    \
	X(NO_NEW_PRIVS, "no-new-privs", "setuid programs gain nothing")                                                \
	X(SECCOMP, "seccomp", "system calls of administrators, tracers and typists are refused")                       \
	X(USER_NAMESPACE, "user-namespace", "every other namespace, and root without its powers")                      \
	X(IPC_NAMESPACE, "ipc-namespace", "no outside process's shared memory or message queues")                      \
	X(NETWORK_NAMESPACE, "network-namespace", "network: none, hosts")                                              \
	X(LOOPBACK, "loopback", "network: none, with an own 127.0.0.1")                                                \
	X(PROCESS_LIMIT, "process-limit", "limits: processes")                                                         \
	X(OVERLAY, "overlay", "workspace: overlay")                                                                    \
	X(RUN_MEMORY, "run-memory", "limits: memory, of the run as a whole; else of each process")                     \
	X(RUN_CPU, "run-cpu", "limits: cpu, of the run as a whole; else of each process")                              \
	X(MOUNT_NAMESPACE, "mount-namespace", "protect, hide, private-tmp, metadata")                                  \
	X(PID_NAMESPACE, "pid-namespace", "processes")                                                                 \
	X(PROC_MOUNT, "proc-mount", "processes, with an own /proc")
#endif

#define ZS_ENUM_FEATURE(id, name, needed_by) ZS_FEATURE_##id,
enum zs_feature_id { ZS_FEATURES(ZS_ENUM_FEATURE) ZS_FEATURE_COUNT };

struct zs_feature {
	const char *name;
	const char *needed_by; /* what depends on it */
	bool present;
	int cause;        /* a positive errno when absent */
	char detail[160]; /* "ABI 7", or why it is absent */
	char fix[320];    /* how to get it; empty when present */
};

/* Tries each feature for real, in a short-lived child, which unshares its namespaces from the caller's as a shim does.
 * Costs about a millisecond. Neither the caller nor the machine is changed. */
void zs_features_probe(struct zs_feature ret_features[ZS_FEATURE_COUNT]);

/* Sandboxes */

struct zs_sandbox;

/* Resolves the policy (symbolic links are followed now, and refused later: a path swapped for a link after this
 * call fails the run; a link that lies in the workspace or in a write grant, where an earlier command may have made it,
 * may not lead out of there: a preset's grant is then left out, another one is an error) and refuses what this machine
 * or this build cannot enforce as written, naming field and feature. Nothing is ever enforced by halves. Also refused:
 * a write grant on or above a read-only or overlay workspace. Landlock ABI 3 (Linux 6.2) is the least, for
 * truncate(2); with the machine's network ABI 6 (Linux 6.12), for abstract sockets. Copies policy. */
int zs_sandbox_new(const struct zs_policy *policy, struct zs_sandbox **ret_sandbox, struct zs_error *error);
void zs_sandbox_free(struct zs_sandbox *sandbox);

/* The policy as resolved, in canonical JSON: what the shim is given. Lives as long as the sandbox. */
const char *zs_sandbox_json(const struct zs_sandbox *sandbox);

/* How it is enforced. */
enum zs_tier zs_sandbox_tier(const struct zs_sandbox *sandbox);

/* Is the promise kept here? One that the policy does not ask for is. */
bool zs_sandbox_keeps(const struct zs_sandbox *sandbox, enum zs_promise promise);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
