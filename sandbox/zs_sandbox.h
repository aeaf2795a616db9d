/* zs_sandbox.h: for a program that confines commands: policies, and whether this machine can enforce them.
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
 * A policy lists the paths, hosts and variables that a command may reach; everything else is denied. Its path grants
 * are a *union*: a grant inside another one can add access and never takes any away (Landlock cannot subtract, man 7
 * landlock). Only PROTECT and HIDE take access away.
 *
 * Errors: a function that can fail returns 0 or a negative errno. It writes its ret_… outputs only on success, and
 * fills *error (which may be NULL) only on failure.
 *
 * Ownership: a function copies the strings and lists that it gets, unless its comment says otherwise. The caller
 * passes an object of zs_…_new() to zs_…_free(), which takes NULL as well.
 *
 * Threads: objects may be used from any thread. One thread at a time may use a policy. A sandbox never changes after
 * zs_sandbox_new(), and may be shared freely.
 *
 * Nothing here prints, exits, or reads the environment or the working directory: envp is a parameter, and paths are
 * absolute.
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
	const char *step; /* the failed step, a static string: "policy", "landlock", "network namespace" */
	int cause;        /* a positive errno */
	char object[512]; /* the path, key or field at fault; may be empty; cut where it does not fit */
	char what[256];   /* the cause in words; empty: the errno's own text says it */
	char hint[384];   /* the way out; empty: none is known */
};

/* Writes one line without a newline: "zs: landlock: /srv/x: no such directory; hint". It shows controls (C1's too),
 * characters that turn or hide text, and bytes that are not UTF-8 as \xNN. Returns the length of the whole line, as
 * snprintf does; size 0 is fine. */
size_t zs_error_format(const struct zs_error *error, char *buffer, size_t size);

/* A callback that gets one error. The error lives as long as the call. */
typedef void zs_each_error(const struct zs_error *error, void *arg);

/* Values. The first of each list is the strictest, and a zeroed struct holds it. */

/* The rights of a grant, on its path and below it. enumerator, name, text */
#define ZS_ACCESSES(X)                                                                                                 \
	X(HIDE, "hide", "no access, inside a readable tree")                                                           \
	X(PROTECT, "protect", "read only, inside a writable tree")                                                     \
	X(READ, "read", "read files, list directories")                                                                \
	X(EXEC, "exec", "read, and run programs")                                                                      \
	X(LAYER, "layer", "as write, but the folder stays as it is: writes go to a layer of the workspace's own")      \
	X(WRITE, "write", "everything except making device nodes; also renames between directories")

#define ZS_NETWORKS(X)                                                                                                 \
	X(NONE, "none", "a private network that has only a private loopback")                                          \
	X(HOSTS, "hosts", "only the named hosts")                                                                      \
	X(FULL, "full", "the machine's network")

#define ZS_WORKSPACES(X)                                                                                               \
	X(READ, "read", "read and run programs; nothing in it can change")                                             \
	X(OVERLAY, "overlay", "writes go to an overlay")                                                               \
	X(WRITE, "write", "as a write grant")

#define ZS_TMPS(X)                                                                                                     \
	X(PRIVATE, "private", "a private, empty one that is deleted afterwards")                                       \
	X(SHARED, "shared", "the machine's, as far as paths grant it")

/* The preset's caches of tools, which all projects share. */
#define ZS_CACHESES(X)                                                                                                 \
	X(PRIVATE, "private", "what is written goes to a layer of the workspace's own (access layer)")                 \
	X(AUTO, "auto", "private where this machine can have that, else shared")                                       \
	X(TASKS, "tasks", "the same for the caches that a named task adds to (paths of access layer); else shared")    \
	X(SHARED, "shared", "written by the commands of all workspaces")

#define ZS_GITS(X)                                                                                                     \
	X(PROTECT, "protect", "the hooks and configuration that git runs or obeys cannot be written")                  \
	X(ALLOW, "allow", "they are as writable as the rest of the workspace")

/* How a policy is enforced. MOUNTS keeps every promise. LANDLOCK is for a machine without namespaces, and keeps those
 * that the policy has not waived. Both are Linux's; SEATBELT is macOS's. */
#define ZS_TIERS(X)                                                                                                    \
	X(MOUNTS, "mounts", "private namespaces and a private root directory, with Landlock and seccomp on top")       \
	X(LANDLOCK, "landlock", "Landlock and seccomp alone")                                                          \
	X(SEATBELT, "seatbelt", "Seatbelt, the sandbox of macOS")

/* The tasks whose needs zs knows, by name. Those that fetch from a public registry, and grant no credential, come
 * first: a file of the workspace may choose them. enumerator, name, text */
#define ZS_REGISTRY_TASKS(X)                                                                                           \
	X(NPM, "npm", "npm's registry")                                                                                \
	X(PNPM, "pnpm", "npm's registry")                                                                              \
	X(YARN, "yarn", "the registries of yarn and npm")                                                              \
	X(PIP, "pip", "Python's package index")                                                                        \
	X(UV, "uv", "Python's package index")                                                                          \
	X(CARGO, "cargo", "Rust's registry")                                                                           \
	X(GO, "go", "Go's module proxy and checksum database")                                                         \
	X(MAVEN, "maven", "Maven's central repository")
#define ZS_TASKS(X)                                                                                                    \
	ZS_REGISTRY_TASKS(X)                                                                                           \
	X(GIT, "git", "commits, and known forges by https")                                                            \
	X(GIT_SSH, "git-ssh", "commits, and known forges by ssh, with the keys of the ssh agent")                      \
	X(SIGN_SSH, "sign-ssh", "commits that the ssh agent signs")                                                    \
	X(SIGN_GPG, "sign-gpg", "commits that gpg's agent signs")                                                      \
	X(GPU, "gpu", "the devices of graphics cards, and their descriptions in /sys")                                 \
	X(DOCKER_NONE, "docker-none", "grants nothing: hides the sockets of docker, podman and containerd for good")

/* Promises that a caller may waive by name where a machine cannot keep them: those that the Landlock tier cannot keep.
 * Before Landlock's ABI 9 (Linux 7.1) the mount tier cannot keep SOCKETS either with the machine's network. */
#define ZS_PROMISES(X)                                                                                                 \
	X(PROTECT, "protect", "read-only paths inside a writable tree")                                                \
	X(HIDE, "hide", "hidden paths inside a readable tree")                                                         \
	X(PRIVATE_TMP, "private-tmp",                                                                                  \
		"a private /tmp, /var/tmp and /dev/shm; without it a new folder, named by TMPDIR")                     \
	X(LOOPBACK, "loopback", "a private 127.0.0.1; without it no network at all")                                   \
	X(SOCKETS, "sockets",                                                                                          \
		"only granted unix sockets and the run's own can be reached; without it all in granted trees, and "    \
		"without namespaces one granted socket opens all")                                                     \
	X(METADATA, "metadata", "outside the grants no file can be seen, and chmod, utimes and setxattr fail")         \
	X(PROCESSES, "processes",                                                                                      \
		"other processes cannot be seen, and every process of the command always ends with it")                \
	X(PRIVILEGES, "privileges", "a user namespace, in which root has no powers")                                   \
	X(OVERLAY, "overlay", "an overlay workspace; without it the workspace is read-only")

/* Limits. enumerator, field and JSON key, word for people, unit, text.
 *
 * "wall" and "processes" bound the run as a whole. "memory" and "cpu" do so where zs can make a cgroup for the run
 * (features "run-memory" and "run-cpu"), and bound each process elsewhere.
 *
 * The supervisor reports a limit that was reached, "zs: memory limit 512M reached", where it can know: wall, cpu and
 * file-size always; memory and processes where a cgroup holds them. Elsewhere memory and processes, and open files
 * anywhere, are errors that the command meets (ENOMEM, EAGAIN, EMFILE), and that nobody counts.
 *
 * wall ends the run. cpu ends the process that has used so much, by SIGXCPU and a second later by SIGKILL; it ends the
 * run a second after all its processes together have used so much. memory: version 2 of cgroups ends the run, version 1
 * ends one of its processes. */
#define ZS_LIMITS(X)                                                                                                   \
	X(WALL, wall_seconds, "wall", SECONDS, "how long the run may last")                                            \
	X(CPU, cpu_seconds, "cpu", SECONDS, "processor time")                                                          \
	X(MEMORY, memory_bytes, "memory", BYTES,                                                                       \
		"memory in use; without a cgroup, address space, whether used or not (RLIMIT_AS)")                     \
	X(PROCESSES, processes, "processes", COUNT, "processes and threads at a time")                                 \
	X(FILES, open_files, "files", COUNT, "open descriptors, of each process")                                      \
	X(FILE_SIZE, file_bytes, "file-size", BYTES, "how far a file can be written")                                  \
	X(TMP, tmp_bytes, "tmp", BYTES,                                                                                \
		"the private /tmp, and the layers of an overlay workspace and of another root; without it 2 GiB. "     \
		"They are memory up to 2 GiB, and above that a folder in /var/tmp")

#define ZS_ENUM_ACCESS(id, name, text) ZS_ACCESS_##id,
#define ZS_ENUM_NETWORK(id, name, text) ZS_NETWORK_##id,
#define ZS_ENUM_WORKSPACE(id, name, text) ZS_WORKSPACE_##id,
#define ZS_ENUM_TMP(id, name, text) ZS_TMP_##id,
#define ZS_ENUM_CACHES(id, name, text) ZS_CACHES_##id,
#define ZS_ENUM_GIT(id, name, text) ZS_GIT_##id,
#define ZS_ENUM_TIER(id, name, text) ZS_TIER_##id,
#define ZS_ENUM_TASK(id, name, text) ZS_TASK_##id,
#define ZS_COUNT_TASK(id, name, text) +1
#define ZS_ENUM_PROMISE(id, name, text) ZS_PROMISE_##id,
#define ZS_ENUM_LIMIT(id, name, word, unit, text) ZS_LIMIT_##id,
enum zs_access { ZS_ACCESSES(ZS_ENUM_ACCESS) ZS_ACCESS_COUNT };
enum zs_network { ZS_NETWORKS(ZS_ENUM_NETWORK) ZS_NETWORK_COUNT };
enum zs_workspace { ZS_WORKSPACES(ZS_ENUM_WORKSPACE) ZS_WORKSPACE_COUNT };
enum zs_tmp { ZS_TMPS(ZS_ENUM_TMP) ZS_TMP_COUNT };
enum zs_caches { ZS_CACHESES(ZS_ENUM_CACHES) ZS_CACHES_COUNT };
enum zs_git { ZS_GITS(ZS_ENUM_GIT) ZS_GIT_COUNT };
enum zs_tier { ZS_TIERS(ZS_ENUM_TIER) ZS_TIER_COUNT };
enum zs_task { ZS_TASKS(ZS_ENUM_TASK) ZS_TASK_COUNT };
enum { ZS_REGISTRY_TASK_COUNT = ZS_REGISTRY_TASKS(ZS_COUNT_TASK) };
enum zs_promise { ZS_PROMISES(ZS_ENUM_PROMISE) ZS_PROMISE_COUNT };
enum zs_limit { ZS_LIMITS(ZS_ENUM_LIMIT) ZS_LIMIT_COUNT };

/* The name as in JSON, a static string; NULL when out of range. */
const char *zs_access_name(enum zs_access access);
const char *zs_network_name(enum zs_network network);
const char *zs_workspace_name(enum zs_workspace access);
const char *zs_tmp_name(enum zs_tmp tmp);
const char *zs_caches_name(enum zs_caches caches);
const char *zs_git_name(enum zs_git git);
const char *zs_tier_name(enum zs_tier tier);
const char *zs_promise_name(enum zs_promise promise);
const char *zs_task_name(enum zs_task task);
const char *zs_limit_name(enum zs_limit limit);

/* Finds a value by its name. -EINVAL when there is no such name. */
int zs_access_from_name(const char *name, enum zs_access *ret_access);
int zs_network_from_name(const char *name, enum zs_network *ret_network);
int zs_workspace_from_name(const char *name, enum zs_workspace *ret_access);
int zs_tmp_from_name(const char *name, enum zs_tmp *ret_tmp);
int zs_caches_from_name(const char *name, enum zs_caches *ret_caches);
int zs_git_from_name(const char *name, enum zs_git *ret_git);
int zs_tier_from_name(const char *name, enum zs_tier *ret_tier);
int zs_promise_from_name(const char *name, enum zs_promise *ret_promise);
int zs_task_from_name(const char *name, enum zs_task *ret_task);
int zs_limit_from_name(const char *name, enum zs_limit *ret_limit);

/* Bounds of a policy. A call that reaches one fails and names it; each has a test. */
enum {
	ZS_POLICY_VERSION = 1,
	/* execve(2) takes at most 128 KiB a string (MAX_ARG_STRLEN). The policy travels as one string, with the name
	 * of its variable. */
	ZS_POLICY_BYTES_MAX = 124 * 1024,
	ZS_POLICY_PATHS_MAX = 1024,
	ZS_POLICY_PATTERNS_MAX = 64,
	ZS_POLICY_MATCHES_MAX = 10 * 1000, /* files that the patterns of a policy may match, beside its paths */
	ZS_POLICY_FOLDERS_MAX = 64 * 1024, /* folders that are searched for them */
	ZS_POLICY_PATH_BYTES_MAX = 4095,   /* PATH_MAX without its NUL */
	ZS_POLICY_ENV_MAX = 512,           /* names that pass, and the same number that are set */
	ZS_POLICY_ENV_BYTES_MAX = 32 * 1024,
	ZS_POLICY_HOSTS_MAX = 256,
	ZS_POLICY_SOCKETS_MAX = 64,
	ZS_POLICY_SECONDS_MAX = 1000 * 1000 * 1000, /* the kernel counts nanoseconds in 64 bits */
	ZS_EXEC_FILES_MAX = 256,                    /* files that one zs_policy_add_exec() may grant */
	/* Words, variables and working directory of one zs_session_spawn(). execve(2) never takes more. */
	ZS_SESSION_BYTES_MAX = 6 * 1024 * 1024,
	ZS_SESSION_RUNS_MAX = 128, /* runs of one session at a time */
};

/* The limit "tmp" of a policy that sets none, and the largest that is memory. */
#define ZS_POLICY_TMP_BYTES (UINT64_C(2) << 30)

/* Policies */

struct zs_policy;

/* Makes a policy that denies everything: no path, no network, an empty environment. "~" in later calls means HOME of
 * envp; without HOME it is an error. zs_policy_free() it. */
int zs_policy_new(char *const envp[], struct zs_policy **ret_policy);
void zs_policy_free(struct zs_policy *policy);

/* Makes the preset for coding agents, the default policy of zs run. The command can run the system's programs; write
 * the workspace, temporary folders and toolchain caches; and read git's and the shell's configuration. It reaches
 * nothing else of the home directory, no network, and only those variables of envp that are known to be harmless. A
 * path that does not exist when the sandbox is made is not granted. ZS_SANDBOX_RO and ZS_SANDBOX_RW in envp (colon
 * separated) add grants to read and to write.
 *
 * Refuses a workspace that is "/", the home directory (HOME's, or the account's own) or above it, since it would grant
 * ~/.ssh. On macOS the preset waives the promises that no Mac can keep: private-tmp, loopback, processes, privileges.
 */
int zs_policy_default(const char *workspace, char *const envp[], struct zs_policy **ret_policy, struct zs_error *error);

/* The same with a workspace that stays as it is: builds and tests write into an overlay, which is gone with the run
 * unless the caller receives it (zs_overlay.h). The preset leaves out its own write grants that would touch the
 * workspace: /tmp, when the workspace lies in /tmp. A linked git worktree's repository can be read. */
int zs_policy_verify(const char *workspace, char *const envp[], struct zs_policy **ret_policy, struct zs_error *error);

/* Makes the preset's caches that are missing (mode 0700), if their tool is in the PATH of envp or has a task: npm's,
 * pip's, cargo's, … Without that a tool's first run cannot write its cache. A cache is not made in a folder of another
 * user, nor where a command may write. zs run does this; a host may. Call it before zs_sandbox_new(). */
void zs_policy_make_caches(const struct zs_policy *policy, char *const envp[]);

/* Paths by category, as settings have them. A list ends with NULL. Each of the first three replaces the machine's
 * defaults, and an empty one grants none; NULL keeps the defaults. The other three add to the result. Entries are as
 * for zs_policy_add_path(); in the lists of exec a file is a program, as for zs_policy_add_exec(). */
struct zs_path_lists {
	const char *const *exec, *const *read, *const *write;
	const char *const *more_exec, *const *more_read, *const *more_write;
};

/* Makes the preset with these lists. lists NULL: the same as zs_policy_default(), or with an overlay as
 * zs_policy_verify(). */
int zs_policy_preset(const char *workspace, enum zs_workspace access, char *const envp[],
	const struct zs_path_lists *lists, struct zs_policy **ret_policy, struct zs_error *error);

/* Sets the workspace. It is always granted, never skipped: it must be an existing directory when the sandbox is made.
 * Copies path. */
int zs_policy_set_workspace(
	struct zs_policy *policy, const char *path, enum zs_workspace access, struct zs_error *error);

/* Lets the command see a folder as "/", under an overlay of its own: it can read and run all that is in there, and what
 * it writes is gone with the run. The limit "tmp" bounds that layer, too. The workspace, the private /tmp, /proc, /dev
 * and the grants are mounted on it; of a preset's grants only /proc, /sys, /dev and the workspace's repository count.
 * root_user: the command is uid 0 in there, with the rights of the caller: calls that change owners or users, and those
 * that make devices, seem to succeed. Only the mount tier can keep this, and no session.
 *
 * zs_sandbox_new() refuses "/" and a folder that holds the home directory or a hidden path, that lies in one, or that
 * meets a tree which the command can write. Copies path. */
int zs_policy_set_root(struct zs_policy *policy, const char *path, bool root_user, struct zs_error *error);

/* Gives the other root directory several users, and makes the command root there. Inside, 0 is the caller, and the
 * other ids are the caller's subordinate ids (man 5 subuid). Calls that change owners and users work then: of root's
 * capabilities the command has those that they take, over files of these ids alone. The caller may be unable to delete
 * what other users write in the workspace. zs_sandbox_new() does not look for subordinate ids: without any, the run
 * fails. Call it after zs_policy_set_root(), which takes the users away. */
int zs_policy_set_users(struct zs_policy *policy, struct zs_error *error);

/* Has its root directory several users? */
bool zs_policy_has_users(const struct zs_policy *policy);

/* The folder that the command sees as "/"; NULL: none. It lives as long as the policy, or until the next such call. */
const char *zs_policy_root(const struct zs_policy *policy);

/* The digest of the image that was unpacked there, "sha256:…"; NULL: none. It lives as long. */
const char *zs_policy_image(const struct zs_policy *policy);

/* Lets the command see another repository as the workspace's .git: a folder that git has made, under an overlay of its
 * own in memory. Nothing of the real one can be reached, and what is written is gone with the run. The workspace must
 * be the top of its repository, with a folder .git. Only the mount tier can keep this, and no session. zs_sandbox_new()
 * refuses a folder that the command can write. Copies path. */
int zs_policy_set_git_base(struct zs_policy *policy, const char *path, struct zs_error *error);

/* Adds one grant. Copies path: absolute, or "~" or "~/…". A "..", invalid UTF-8 or too many bytes are an error.
 *
 * A path that does not exist, or that this user cannot reach, when the sandbox is made is skipped, and never widened to
 * its parent. PROTECT of a missing path in a writable tree forbids to make it: a file that appears there while a
 * command runs, whoever made it, is moved aside at once to a name beside it, "….set-aside-" and a number, with a line
 * on stderr. A command that goes on making it is ended. zs makes no stand-in, in the workspace or elsewhere.
 *
 * PROTECT and HIDE of an existing path hold as long as it stays in its place. When a program outside renames another
 * file to a PROTECTed one, the run goes on, and the new file is protected, with a line on stderr. When it replaces or
 * moves a path in another way, or a folder above it, or the command may have changed the new file meanwhile, the run is
 * ended, with status 122 and a line on stderr. In a session each replaced path ends its runs, and no more begin.
 */
int zs_policy_add_path(struct zs_policy *policy, const char *path, enum zs_access access, struct zs_error *error);

/* Adds PROTECT or HIDE for each file and folder of the workspace that the pattern matches when the sandbox is made; a
 * file that appears later is a match of the next run. In a name '*' stands for any text. "**" as a whole name stands
 * for any number of folders. A pattern without a slash matches in every folder: "*.pem". Any other is relative to the
 * workspace, or absolute within it: "certs/a*.pem". ASCII letters match in either case. No link is followed; a link
 * that matches stands for the file in the workspace that it leads to. More than ZS_POLICY_MATCHES_MAX matches are an
 * error of the sandbox. "@secrets", for HIDE: the files that usually hold secrets, such as .env, but those that git
 * tracks and those that a grant of their own names. Copies pattern. */
int zs_policy_add_pattern(struct zs_policy *policy, const char *pattern, enum zs_access access, struct zs_error *error);

/* Grants one program and the files that its loader maps: ELF interpreter and DT_NEEDED libraries; for a "#!" script the
 * interpreter's. It finds them by reading the ELF files and /etc/ld.so.conf as ld.so(8) does, and runs nothing. Files
 * that a program opens later by itself (dlopen, plugins, data) are not included. Reads the file system. On failure
 * nothing is granted. Copies binary. */
int zs_policy_add_exec(struct zs_policy *policy, const char *binary, struct zs_error *error);

/* Sets the network. */
int zs_policy_set_network(struct zs_policy *policy, enum zs_network network, struct zs_error *error);

/* The network that the policy has now. */
enum zs_network zs_policy_network(const struct zs_policy *policy);

/* Sets the network to HOSTS and adds one host: a name, "*.name" for every name below it (and not itself), or an IP
 * address. ":port" may follow; without it every port is granted. An IPv6 address with a port stands in brackets. HOSTS
 * without a host reaches nothing.
 *
 * The policy holds the canonical form: lower case, no trailing dot. A name is ASCII: write an internationalised one as
 * "xn--…". A name that leads to an address that is not public (loopback, link-local, private) reaches that address only
 * when the address is listed too. A program that uses no proxy reaches the ports 443 and 80, and the first 32 other
 * named ports; from port 1024 on not for names below "*.". */
int zs_policy_add_host(struct zs_policy *policy, const char *host, struct zs_error *error);

/* Lets the command connect to one pathname socket of AF_UNIX. Copies path, as zs_policy_add_path() does. Without such a
 * grant a command reaches its own sockets of AF_UNIX; with the machine's network, in a session and in the Landlock tier
 * it makes none but pairs. There, before Landlock's ABI 9 (Linux 7.1), one granted socket opens all sockets in granted
 * trees, so it is refused unless ZS_PROMISE_SOCKETS is waived. A path with another kind of file is an error of the
 * run. */
int zs_policy_add_socket(struct zs_policy *policy, const char *path, struct zs_error *error);

/* Adds what a task needs: hosts, variables, files and sockets. Where the user's configuration or a variable names a
 * registry, that host takes the place of the tool's default. The configuration is not used if a command of this policy
 * can write it, so call this after the other grants. A file or variable that may hold a password or token is not
 * granted. If the network is FULL, it stays so. envp is the user's own, and holds nothing that a model has set. */
int zs_policy_add_task(struct zs_policy *policy, enum zs_task task, char *const envp[], struct zs_error *error);

/* Adds the hosts of "@TASK", or works as zs_policy_add_host(). */
int zs_policy_add_hosts(struct zs_policy *policy, const char *host, char *const envp[], struct zs_error *error);

/* Finds the registry tasks whose files lie in the workspace: bits 1 << ZS_TASK_…. It opens no file. */
uint32_t zs_policy_find_tasks(const struct zs_policy *policy);

/* Calls each(…, arg) for what the policy's tasks ask for and do not get: a host that only the workspace's configuration
 * names, and a socket that is missing. Call it when the policy is complete. */
void zs_policy_each_missing(const struct zs_policy *policy, char *const envp[], zs_each_error *each, void *arg);

/* Sets /tmp. PRIVATE, the default, keeps other programs' temporary files and sockets out of reach. */
int zs_policy_set_tmp(struct zs_policy *policy, enum zs_tmp tmp, struct zs_error *error);

/* Sets the caches of tools: the preset's grants that zs_policy_make_caches() makes, and no others. With PRIVATE, which
 * only Linux's mount tier has, they have the access LAYER: a command sees the cache as it is, and writes into a layer
 * of its workspace's own, which only later commands in the same workspace see. The layers lie in
 * $XDG_STATE_HOME/zs/caches. One run of a workspace at a time has its layer; another one that begins meanwhile gets a
 * layer that is thrown away, and says so on stderr. A cache that is a file stays shared. AUTO shares the caches where
 * the machine has no layers. With TASKS, the default of a preset, only those caches have a layer, as with AUTO, to
 * which a task of the policy adds, at little cost (zs_policy_add_task(), the table of caches), and those for which an
 * earlier run of the workspace has made one (zs_settings_keep_layers()). SHARED is the default of other policies. */
int zs_policy_set_caches(struct zs_policy *policy, enum zs_caches caches, struct zs_error *error);

/* Sets the protection of git. PROTECT, the default, keeps the command from planting a program that the next git call
 * outside would run. It covers the workspace's repository, its submodules, and other repositories in the workspace. zs
 * finds those by looking into its nearest folders (ZS_GIT_FOLDERS_MAX and ZS_GIT_FOUND_MAX of git_nested.h;
 * zs_policy_on_notice()). A write grant that names one of these very paths still counts. */
int zs_policy_set_git(struct zs_policy *policy, enum zs_git git, struct zs_error *error);

/* The protection of git that the policy has now. */
enum zs_git zs_policy_git(const struct zs_policy *policy);

/* Sets the callback for a search that ended early. While zs resolves the policy (zs_sandbox_new(), zs_exec(),
 * zs_overlay_protect()) it calls notice(…, arg) when the search for repositories in the workspace has reached a bound:
 * a folder that it did not look into may hold one that is not protected. It calls at most once a call, and the run goes
 * on. NULL, the default: no call. */
void zs_policy_on_notice(struct zs_policy *policy, zs_each_error *notice, void *arg);

/* Sets a limit, in seconds, bytes or a count (ZS_LIMITS). A later value replaces an earlier one. 0 is an error: a new
 * policy has no limits. A limit never raises the caller's own ulimit. Without a cgroup the machine's root cannot have a
 * limit of processes: the kernel exempts it (man 2 getrlimit, RLIMIT_NPROC). Core dumps are off, whatever the limits,
 * and so is the program that core_pattern may name. */
int zs_policy_set_limit(struct zs_policy *policy, enum zs_limit limit, uint64_t value, struct zs_error *error);

/* Waives a promise: where the machine cannot keep it, the command runs without it instead of failing. Where the machine
 * can keep it, it is kept. zs takes the Landlock tier only where the mount tier is impossible, and only if every
 * promise that it cannot keep for this policy has been waived. A limit of processes cannot be waived: without a cgroup
 * that tier refuses it. */
int zs_policy_give_up(struct zs_policy *policy, enum zs_promise promise, struct zs_error *error);

/* Lets a variable pass, by name or by prefix ("LC_*"). Copies name. A variable that makes loaders or interpreters run
 * code (LD_PRELOAD, BASH_ENV, NODE_OPTIONS, …) is an error, and no prefix covers one. A prefix does not cover a name
 * that says secret either (…_TOKEN, …_SECRET, …_KEY, …_PASSWORD and the like): give such a name in full. */
int zs_policy_add_env(struct zs_policy *policy, const char *name, struct zs_error *error);

/* Sets a variable: "NAME=value". Copies it. A later one of the same name replaces it. A loader variable is an error
 * here as well. */
int zs_policy_set_env(struct zs_policy *policy, const char *assignment, struct zs_error *error);

/* Makes a policy of its JSON form. Unknown and duplicate keys, wrong types, another version, relative paths, NUL,
 * invalid UTF-8, and every value that the calls above refuse are errors that name the key and its line. text need not
 * end in NUL. envp is as for zs_policy_new().
 *
 *	{
 *		"version": 1,
 *		"workspace": { "root": "/w", "access": "write" },
 *		"root": { "path": "/srv/debian", "root_user": true, "users": true },
 *		"git_base": "/srv/bases/1",
 *		"paths": [ { "path": "/usr", "access": "exec" }, { "pattern": "*.pem", "access": "hide" } ],
 *		"git": "protect",
 *		"tmp": "private",
 *		"caches": "shared",
 *		"network": "none",                  or { "hosts": ["example.org", "*.example.net:443"] }
 *		"unix_sockets": ["/run/db.sock"],
 *		"env": { "pass": ["HOME", "LC_*"], "set": { "CI": "1" } },
 *		"limits": { "wall_seconds": 600, "memory_bytes": 8000000000 },
 *		"without": ["metadata"]
 *	}
 *
 * Only "version" is required. An absent grant is denied, and an absent limit is no limit. With "path_lists" the
 * machine's defaults are granted as far as its lists do not replace them; without it none are. A resolved policy may
 * have "tier", which zs_sandbox_new() decides anew, and "links". A path of access read or exec may have "public":
 * true, which grants only the files that everybody may read: root, who owns /etc/shadow, reads there no more than an
 * ordinary user. "approved": [device, inode, seconds and nanoseconds of its birth] ends the run when another place has
 * that path.
 */
int zs_policy_from_json(
	const char *text, size_t len, char *const envp[], struct zs_policy **ret_policy, struct zs_error *error);

/* Reads the JSON form to its end and passes every error to each(…, arg), with the name `file`, which may be NULL. 0:
 * there was no error. */
int zs_policy_check_json(
	const char *file, const char *text, size_t len, char *const envp[], zs_each_error *each, void *arg);

/* Writes the canonical JSON form: fixed order of keys, every key present (limits only if set), no "~". Like
 * zs_sandbox_new() it leaves out a preset's own grants that would make the home directory or verify's workspace
 * reachable, because a reader of the text takes each entry for a wish. Reads the file system. *ret_text ends in NUL;
 * free() it. -E2BIG above ZS_POLICY_BYTES_MAX. */
int zs_policy_to_json(
	const struct zs_policy *policy, bool pretty, char **ret_text, size_t *ret_len, struct zs_error *error);

/* Features of the machine */

#ifdef __APPLE__
#define ZS_FEATURES(X)                                                                                                 \
	X(SEATBELT, "seatbelt", "everything that a policy denies")                                                     \
	X(FINGERPRINT, "fingerprint", "every process ends with its run")
#else
#define ZS_FEATURES(X)                                                                                                 \
	X(PROC, "proc", "the shim, which starts as /proc/self/exe")                                                    \
	X(CLOSE_RANGE, "close-range", "no inherited descriptors")                                                      \
	X(LANDLOCK, "landlock", "paths, workspace")                                                                    \
	X(LANDLOCK_SCOPES, "landlock-scopes", "no signals or abstract sockets to processes of the same namespaces")    \
	X(NO_NEW_PRIVS, "no-new-privs", "setuid programs gain nothing")                                                \
	X(SECCOMP, "seccomp", "no system calls that administer, trace other processes or type into a terminal")        \
	X(USER_NAMESPACE, "user-namespace", "every other namespace, and a root without powers")                        \
	X(IPC_NAMESPACE, "ipc-namespace", "no shared memory or message queues of outside processes")                   \
	X(NETWORK_NAMESPACE, "network-namespace", "network: none, hosts")                                              \
	X(LOOPBACK, "loopback", "network: none, with a private 127.0.0.1")                                             \
	X(PROCESS_LIMIT, "process-limit", "limits: processes")                                                         \
	X(OVERLAY, "overlay", "workspace: overlay")                                                                    \
	X(RUN_MEMORY, "run-memory", "limits: memory, of the run as a whole; else of each process")                     \
	X(RUN_CPU, "run-cpu", "limits: cpu, of the run as a whole; else of each process")                              \
	X(MOUNT_NAMESPACE, "mount-namespace", "protect, hide, private-tmp, metadata")                                  \
	X(PID_NAMESPACE, "pid-namespace", "processes")                                                                 \
	X(PROC_MOUNT, "proc-mount", "processes, with a private /proc")                                                 \
	X(SOCKET_BROKER, "socket-broker", "unix sockets of the run's own; sockets, before Landlock ABI 9")             \
	X(SUBORDINATE_IDS, "subordinate-ids", "root: users, several in another root directory")
#endif

#define ZS_ENUM_FEATURE(id, name, needed_by) ZS_FEATURE_##id,
enum zs_feature_id { ZS_FEATURES(ZS_ENUM_FEATURE) ZS_FEATURE_COUNT };

struct zs_feature {
	const char *name;
	const char *needed_by; /* the protections that depend on it */
	bool present;
	int cause;        /* a positive errno when absent */
	char detail[160]; /* "ABI 7", or the reason why it is absent */
	char fix[320];    /* the way to get it; empty when present */
};

/* Tries each feature for real, in a short-lived child that unshares its namespaces from the caller's, as a shim does.
 * It takes about a millisecond, and changes neither the caller nor the machine. */
void zs_features_probe(struct zs_feature ret_features[ZS_FEATURE_COUNT]);

/* Sandboxes */

struct zs_sandbox;

/* Resolves the policy, and checks that this machine can enforce it. Copies policy; zs_sandbox_free() the result.
 *
 * It refuses a policy that this machine or this build cannot enforce as written, and names field and feature: zs
 * enforces all of a policy or nothing. It needs Landlock ABI 3 (Linux 6.2), for truncate(2), and with the machine's
 * network ABI 6 (Linux 6.12), for abstract sockets. It also refuses a write grant on or above a read-only or overlay
 * workspace.
 *
 * It follows symbolic links now, and refuses them later: a path that is swapped for a link after this call fails the
 * run. A link in the workspace or in a write grant, where an earlier command may have made it, may not lead out of
 * there: zs then leaves out a preset's grant, and any other grant is an error. */
int zs_sandbox_new(const struct zs_policy *policy, struct zs_sandbox **ret_sandbox, struct zs_error *error);
void zs_sandbox_free(struct zs_sandbox *sandbox);

/* The resolved policy in canonical JSON, which the shim gets. It lives as long as the sandbox. */
const char *zs_sandbox_json(const struct zs_sandbox *sandbox);

/* The way in which the sandbox's policy is enforced. */
enum zs_tier zs_sandbox_tier(const struct zs_sandbox *sandbox);

/* Is the promise kept here? True also of a promise that the policy does not need. */
bool zs_sandbox_keeps(const struct zs_sandbox *sandbox, enum zs_promise promise);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
