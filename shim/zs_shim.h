/* zs_shim.h: any program as the launcher of its own confined commands.
 *
 *	int main(int argc, char **argv)
 *	{
 *		zs_exec_shim(argc, argv);          first: a no-op unless this process is the shim
 *		…
 *		zs_spawn(sandbox, (char *[]){ "make", "test", NULL }, environ, NULL, &pid, &error);
 *		waitpid(pid, &status, 0);
 *
 * A wrapped command is this same program, started again under the name ZS_SHIM_ARGV0 with the policy in
 * ZS_SANDBOX_POLICY. zs_exec_shim() in it confines the process and starts the command in it; the process that was
 * started stays outside as its supervisor, passes signals on, and exits as the command did (with 128 and N for a signal
 * N): every process of the run is dead then. When the confinement cannot be had, the command does not run: one line on
 * stderr and exit 125; 126 when the command cannot be executed, 127 when it is not found.
 *
 * Every function is thread-safe but zs_exec_shim(), which wants to be the process's first and only thread.
 */
#ifndef ZS_SHIM_H
#define ZS_SHIM_H

#include <sys/types.h>

#include "zs_sandbox.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define ZS_SHIM_ARGV0 "zs-sandbox-shim"
#define ZS_SHIM_POLICY "ZS_SANDBOX_POLICY"
/* Numbers of descriptors: see struct zs_spawn_options. */
#define ZS_SHIM_OVERLAY "ZS_SANDBOX_OVERLAY"
#define ZS_SHIM_REPORT "ZS_SANDBOX_REPORT"

enum {
	ZS_EXIT_CANNOT_ENFORCE = 125,
	ZS_EXIT_CANNOT_EXECUTE = 126,
	ZS_EXIT_NOT_FOUND = 127,
};

/* Does nothing unless argv[0] is ZS_SHIM_ARGV0; then it never returns. Call it first in main, before anything
 * starts a thread or opens a descriptor; a host that has threads before main links zs_shim_constructor.o as well, which
 * makes the same call before them. In a shared library that object does nothing: the program may load it after main has
 * begun. */
void zs_exec_shim(int argc, char **argv);

/* Becomes the command, confined, by what zs_exec_shim() does, in this process and without a second start: for a program
 * with one thread whose last act this is, and that has not changed its uid since it was started (man 2 PR_SET_DUMPABLE:
 * it would own none of its /proc/self). policy, argv and envp as for zs_sandbox_new() and zs_wrap(). No feature of the
 * machine is tried out beforehand: the stage that needs a missing one fails. Returns, a negative errno, as long as
 * nothing has been confined; later failures end the process as in the shim, and like an exec this one calls no
 * atexit(3) handler and flushes no stream. */
int zs_exec(const struct zs_policy *policy, char *const argv[], char *const envp[], struct zs_error *error);

/* A command, rewritten so that whoever executes it, with any spawn call of any language, starts the shim. */
struct zs_wrapped {
	const char *path; /* "/proc/self/exe"; macOS: this program's path; or the executable of zs_wrap_with() */
	char **argv;      /* ZS_SHIM_ARGV0, then the command's own words */
	char **envp;      /* the given envp without loader variables (LD_PRELOAD, BASH_ENV, …), which a dynamic
			   * host would obey while it is not confined yet, and with our ZS_SANDBOX_POLICY */
	void *storage;    /* all of the above; private */
};

/* argv[0] is the command: a path, or a name to be looked up in PATH as the policy lets it pass; "-/bin/bash" is
 * /bin/bash, which sees the "-" and acts as at a login (man 1 bash). envp is what the policy's env list selects from;
 * NULL is an empty one. Copies both. -EINVAL without a command. -EPERM in a program that has not called zs_exec_shim():
 * started again it would run on as itself, with the command's words for its arguments. Pass the result to
 * zs_wrapped_free(). */
int zs_wrap(const struct zs_sandbox *sandbox, char *const argv[], char *const envp[], struct zs_wrapped *ret_wrapped,
	struct zs_error *error);
void zs_wrapped_free(struct zs_wrapped *wrapped);

struct zs_spawn_options;

/* The same, for a run that another program than this one starts, options.executable; or with options.overlay or
 * options.report: the numbers that these have in the process that starts the shim, and which the exec must not close.
 * The other options are ignored. */
int zs_wrap_with(const struct zs_sandbox *sandbox, char *const argv[], char *const envp[],
	const struct zs_spawn_options *options, struct zs_wrapped *ret_wrapped, struct zs_error *error);

/* NULL, or zeroed: as this process. */
struct zs_spawn_options {
	/* Instead of this program: the absolute path of one that calls zs_exec_shim(), such as zs, a small static
	 * helper. For hosts that cannot (an interpreter, a plugin in somebody else's program). */
	const char *executable;
	const char *cwd;  /* directory to start in */
	const int *stdio; /* three descriptors to become 0, 1 and 2; they may be the same one */
	/* 0, or one end of zs_overlay_channel() (zs_overlay.h), for a run in an overlay workspace whose changes the
	 * caller receives. The run's process exits once they have been received and released. */
	int overlay;
	/* 0, or a file or pipe for a run whose policy names hosts: of each decision about the network it gets a line of
	 * JSON. A decision that cannot be reported does not happen: when a line cannot be written, and after 64 MiB, no
	 * host is reached any more; while a pipe is full, all wait. A file in a place that the command can write is the
	 * caller's to protect: zs_policy_add_path(). The command gets neither of the two. Neither may be 1 or 2; for
	 * zs_spawn() they may be close-on-exec. */
	int report;
};

/* Starts the command confined, and returns its pid; the caller waits for it. Shares the caller's memory until the
 * exec, as vfork(2) does: a plain fork of a 1 GiB process takes 38 ms. Signal mask and dispositions start at
 * their defaults. That the process started does not say the command did: see the exit codes above. */
int zs_spawn(const struct zs_sandbox *sandbox, char *const argv[], char *const envp[],
	const struct zs_spawn_options *options, pid_t *ret_pid, struct zs_error *error);

/* Sessions: many short commands under one policy, each for a little more than a spawn of its own costs.
 *
 *	zs_session_open(sandbox, NULL, &session, &error);
 *	zs_session_spawn(session, (char *[]){ "ls", NULL }, environ, NULL, &pid, &error);
 *	waitpid(pid, &status, 0);
 *	zs_session_close(session);
 *
 * A session makes once, for all its runs, the parts that zs_spawn() makes for each: its runs see the same private /tmp,
 * each other's processes, System V and POSIX IPC, abstract sockets and loopback ports, and the files and shared memory
 * that an earlier run has left there. So a session is one domain of trust, for the commands of one agent. These stay
 * each run's own: its end is the end of every process that it started; it cannot signal or trace those of another run,
 * nor set their limits, priority or processors; descriptors, environment, working directory and limits. No cgroup is
 * made for one, so that limits of memory and cpu are of each process. A command sets priority, processors and limits of
 * itself alone: other numbers may be of the session's own processes, and no system call is aimed at these.
 *
 * From the opening a session keeps the host's umask, ulimits, process group and terminal; changing the host's later
 * changes nothing inside. It ends with the host, however that ends. It has two processes of its own that are the
 * host's children and end with the session, session parent and runner: a host that waits for any child may meet them.
 * Its init (without namespaces: its guard) and, with allowed hosts, its proxy are the session parent's. When the
 * supervisor of a run was killed, and at the end, they move aside the protected names that they find, with a line on
 * the host's standard error, unless that is a folder or socket. */
struct zs_session;

/* NULL, or zeroed: as this process. */
struct zs_session_options {
	const char *executable; /* as in struct zs_spawn_options */
	int report;             /* the same, of all runs */
	/* For the tier that does without namespaces, and a policy with a private /tmp: where it makes the folder that
	 * TMPDIR names in all runs, private to this user and gone with the session. NULL: /tmp */
	const char *tmpdir;
	/* HOME, XDG_STATE_HOME and XDG_RUNTIME_DIR of it say where the journal lies that the next start in this
	 * workspace reads when all processes of the session were killed (docs/security.md): zs reads it where the
	 * user's own environment says. NULL: in the machine's temporary folder, where only a session of this kind finds
	 * it. */
	char *const *envp;
};

/* Confines a process once, and returns when that can start runs; what fails is said as the shim says it. Keeps neither
 * sandbox nor options. -EOPNOTSUPP but on Linux, and for a policy that only runs of their own can keep, naming the
 * field: an overlay, a limit of processes. Landlock ABI 6 is the least here.
 * With allowed hosts all runs share one proxy, which ends with the session; once it has ended, no run begins. */
int zs_session_open(const struct zs_sandbox *sandbox, const struct zs_session_options *options,
	struct zs_session **ret_session, struct zs_error *error);

/* As zs_spawn(), with these differences. The options executable and report are the session's, and no run has an
 * overlay: here these are errors. options->cwd is looked up inside, so that one that is not there ends the run with
 * 125. Returns when the command has begun, which is its execve(2), or will not; other threads wait for that too.
 * SIGKILL to the pid ends the run, a moment later than waitpid() returns. After the death of one of its own processes,
 * -EPIPE: what had begun is ended; open another. -ENETDOWN when the proxy has ended, by which a policy's hosts are
 * reached. -E2BIG above ZS_SESSION_BYTES_MAX, -EAGAIN above ZS_SESSION_RUNS_MAX. Thread-safe; of the process that
 * opened the session, not of one that it forked. */
int zs_session_spawn(struct zs_session *session, char *const argv[], char *const envp[],
	const struct zs_spawn_options *options, pid_t *ret_pid, struct zs_error *error);

/* Every process of every run is dead when it returns; the host still waits for its pids. Not while another thread is
 * in zs_session_spawn(). NULL is fine. */
void zs_session_close(struct zs_session *session);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
