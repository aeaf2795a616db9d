/* zs_shim.h: starts confined commands; the calling program is their launcher.
 *
 *	int main(int argc, char **argv)
 *	{
 *		zs_exec_shim(argc, argv);          first: it returns at once unless this process is the shim
 *		…
 *		zs_spawn(sandbox, (char *[]){ "make", "test", NULL }, environ, NULL, &pid, &error);
 *		waitpid(pid, &status, 0);
 *
 * A wrapped command is this same program, started again under the name ZS_SHIM_ARGV0 with the policy in
 * ZS_SANDBOX_POLICY: the shim. There zs_exec_shim() confines a child process and starts the command in it. The process
 * that was started stays outside as the supervisor. It passes signals on, and exits as the command did (with 128 and N
 * for a signal N); every process of the run is dead then.
 *
 * If the policy cannot be enforced, the command does not run: the shim prints one line on stderr and exits with 125.
 * It exits with 126 when the command cannot be executed, and with 127 when it is not found.
 *
 * Errors and ownership are as in zs_sandbox.h. Every function is thread-safe, except zs_exec_shim() and zs_exec(),
 * which must run in the process's only thread, and zs_session_close().
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
/* Variables with numbers of descriptors: see struct zs_spawn_options. */
#define ZS_SHIM_OVERLAY "ZS_SANDBOX_OVERLAY"
#define ZS_SHIM_REPORT "ZS_SANDBOX_REPORT"
#define ZS_SHIM_DENIALS "ZS_SANDBOX_DENIALS"

/* Exit codes of the shim. Any other is the command's own. */
enum {
	ZS_EXIT_UNPROTECTED = 122, /* the command was ended: a protected or hidden path was replaced meanwhile */
	ZS_EXIT_CANNOT_ENFORCE = 125,
	ZS_EXIT_CANNOT_EXECUTE = 126,
	ZS_EXIT_NOT_FOUND = 127,
};

/* Returns at once unless argv[0] is ZS_SHIM_ARGV0; then it never returns. Call it first in main, before the program
 * starts a thread or opens a descriptor. A host that has threads before main links zs_shim_constructor.o as well, which
 * makes the same call before them. In a shared library that object does nothing, since a program may load the library
 * after main has begun. */
void zs_exec_shim(int argc, char **argv);

/* Becomes the shim in this process, without a second start, and runs the command confined. It is the last call of a
 * program with one thread that has not changed its uid since it was started (man 2 PR_SET_DUMPABLE: it would own none
 * of its /proc/self). policy, argv and envp are as for zs_sandbox_new() and zs_wrap(). It probes no feature of the
 * machine beforehand: the stage that needs a missing one fails. It returns a negative errno as long as nothing has been
 * confined. Later failures end the process as in the shim. Like an exec it calls no atexit(3) handler and flushes no
 * stream. */
int zs_exec(const struct zs_policy *policy, char *const argv[], char *const envp[], struct zs_error *error);

/* A rewritten command: any spawn call of any language that executes it starts the shim. */
struct zs_wrapped {
	const char *path; /* "/proc/self/exe"; macOS: this program's path; or the executable of zs_wrap_with() */
	char **argv;      /* ZS_SHIM_ARGV0, then the command's own words */
	char **envp;      /* the given envp with ZS_SANDBOX_POLICY, and without loader variables (LD_PRELOAD, BASH_ENV,
			   * …), which a dynamic host would obey while it is not confined yet */
	void *storage;    /* private; holds all of the above */
};

/* Rewrites a command; zs_wrapped_free() the result. argv[0] is the command: a path, or a name that is looked up in PATH
 * as the policy lets it pass. "-/bin/bash" is /bin/bash, which sees the "-" and acts as at a login (man 1 bash). The
 * policy's env list selects from envp; NULL is an empty one. Copies both. -EINVAL without a command. -EPERM in a
 * program that has not called zs_exec_shim(): started again, it would run as itself, with the command's words as its
 * arguments. */
int zs_wrap(const struct zs_sandbox *sandbox, char *const argv[], char *const envp[], struct zs_wrapped *ret_wrapped,
	struct zs_error *error);
void zs_wrapped_free(struct zs_wrapped *wrapped);

struct zs_spawn_options;

/* The same with four options. options.executable names another program as the shim. options.overlay, options.report and
 * options.denials are numbers of descriptors in the process that starts the shim; its exec must not close them. The
 * other options are ignored. */
int zs_wrap_with(const struct zs_sandbox *sandbox, char *const argv[], char *const envp[],
	const struct zs_spawn_options *options, struct zs_wrapped *ret_wrapped, struct zs_error *error);

/* NULL, or zeroed: the same as this process has. */
struct zs_spawn_options {
	/* The absolute path of another program as the shim: one that calls zs_exec_shim(), such as zs. For hosts that
	 * cannot call it (an interpreter, a plugin in somebody else's program). NULL: this program. */
	const char *executable;
	const char *cwd;  /* the directory in which the command starts; NULL: this process's */
	const int *stdio; /* three descriptors to become 0, 1 and 2; they may be the same one */
	/* 0, or one end of zs_overlay_channel() (zs_overlay.h), for a run in an overlay workspace whose changes the
	 * caller receives. The run's process exits once they have been received and released. */
	int overlay;
	/* 0, or a file or pipe for a run whose policy allows hosts: it gets a line of JSON for each decision about the
	 * network. A decision that cannot be reported does not happen: when a line cannot be written, and after 64 MiB,
	 * no host is reached any more; while a pipe is full, all wait. If the command can write the file's path, the
	 * caller must protect it: zs_policy_add_path(). The command gets none of overlay, report and denials. None
	 * may be 1 or 2; for zs_spawn() they may be close-on-exec. */
	int report;
	/* 0, or one end of zs_denials_channel() (zs_denials.h), on which the run tells what it refuses:
	 *
	 *	zs_denials_channel(ends);
	 *	options.denials = ends[1];
	 *	zs_spawn(sandbox, argv, environ, &options, &pid, &error);
	 *	close(ends[1]);
	 *	zs_denials_collect(policy, ends[0], &denials, &code, &blind, &error);   until the run has ended
	 *	close(ends[0]);
	 *	waitpid(pid, &status, 0); */
	int denials;
};

/* Starts the command confined, and gives the supervisor's pid; the caller waits for it. It shares the caller's memory
 * until the exec, as vfork(2) does: a plain fork of a 1 GiB process takes 38 ms. Signal mask and dispositions start at
 * their defaults. Success means that the shim has started, not that the command has: see the exit codes above. */
int zs_spawn(const struct zs_sandbox *sandbox, char *const argv[], char *const envp[],
	const struct zs_spawn_options *options, pid_t *ret_pid, struct zs_error *error);

/* Sessions: many short commands under one policy, each for a little more than a spawn of its own costs.
 *
 *	zs_session_open(sandbox, NULL, &session, &error);
 *	zs_session_spawn(session, (char *[]){ "ls", NULL }, environ, NULL, &pid, &error);
 *	waitpid(pid, &status, 0);
 *	zs_session_close(session);
 *
 * A session makes once, for all its runs, the parts that zs_spawn() makes for each. It is one domain of trust, for the
 * commands of one agent:
 *
 * - Its runs share the private /tmp, each other's processes, System V and POSIX IPC, abstract sockets and loopback
 *   ports, and the files and shared memory that an earlier run has left there.
 * - Each run has its own descriptors, environment, working directory and limits. It ends with every process that it
 *   started. It cannot signal or trace the processes of another run, nor set their limits, priority or processors.
 * - No cgroup is made for a run, so limits of memory and cpu bound each process. A command sets priority, processors
 *   and limits of itself alone: other numbers may be the session's own processes.
 *
 * From the opening a session keeps the host's umask, ulimits, process group and terminal; a later change of the host's
 * changes nothing inside. The session ends with the host, whatever ends the host.
 *
 * Two of its processes, session parent and runner, are children of the host and end with the session: a host that
 * waits for any child may meet them. Its init (without namespaces: its guard) and, with allowed hosts, its proxy are
 * children of the session parent. When a run's supervisor was killed, and at the end of the session, they move aside
 * the protected names that they find, with a line on the host's standard error, unless standard error is a folder or a
 * socket. */
struct zs_session;

/* NULL, or zeroed: the defaults. */
struct zs_session_options {
	const char *executable; /* as in struct zs_spawn_options */
	int report;             /* the same, for all runs */
	/* Runs may have the option denials. Each system call that writes or executes of such a run is looked at by one
	 * process of the session, which a run without the option does not meet. */
	bool denials;
	/* In the Landlock tier, with a private /tmp: the folder in which the session makes the one that TMPDIR names in
	 * all runs. That one is private to this user, and gone with the session. NULL: /tmp */
	const char *tmpdir;
	/* Its HOME, XDG_STATE_HOME and XDG_RUNTIME_DIR name the folder of the journal. If all processes of the session
	 * are killed, the next start in this workspace reads that journal (docs/limits.md). zs looks where the user's
	 * own environment says. NULL: the machine's temporary folder, where only another such session looks. */
	char *const *envp;
};

/* Opens a session: confines a process once, and returns when that process can start runs. zs_session_close() it. Keeps
 * neither sandbox nor options. It reports a failure as the shim does. -EOPNOTSUPP on systems other than Linux, and for
 * a policy that a session cannot keep, with the field's name: an overlay, a limit of processes. It needs Landlock
 * ABI 6. With allowed hosts all runs share one proxy, which ends with the session; once the proxy has ended, no run
 * begins. */
int zs_session_open(const struct zs_sandbox *sandbox, const struct zs_session_options *options,
	struct zs_session **ret_session, struct zs_error *error);

/* Starts a command in the session, as zs_spawn() does, with these differences:
 *
 * The session has the options executable and report, and no run has an overlay: here these three are errors. So is
 * denials, unless the session was opened with it; names that the proxy refuses are in the session's report alone.
 * options->cwd is looked up inside; a missing one ends the run with 125. The call returns when the command has begun
 * (its execve(2)) or has failed to; other threads wait for that too. SIGKILL to the pid ends the run, a moment later
 * than waitpid() returns.
 *
 * -EPIPE: one of the session's own processes has died, and all runs are ended; open another session. -ENETDOWN: the
 * proxy has ended. -E2BIG above ZS_SESSION_BYTES_MAX, -EAGAIN above ZS_SESSION_RUNS_MAX. Thread-safe. Only the process
 * that opened the session may call it, not one that it forked. */
int zs_session_spawn(struct zs_session *session, char *const argv[], char *const envp[],
	const struct zs_spawn_options *options, pid_t *ret_pid, struct zs_error *error);

/* Ends and frees the session. Every process of every run is dead when it returns; the host still waits for its pids. Do
 * not call it while another thread is in zs_session_spawn(). NULL is fine. */
void zs_session_close(struct zs_session *session);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
