/* Sessions: what a run leaves, what a command can do to what watches over it, and how a session ends. */
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attacks.h"
#include "check.h"
#include "harness.h"
#include "session_request.h"

/* A session of a test's own, in a process of the test's own, which fails by printing why. */
struct stand {
	const struct scratch *scratch;
	const char *kind;
	void (*more)(struct zs_policy *policy);
	const char *protect; /* in the scratch folder */
	const char *host;    /* HOST:PORT */
	int report;
	const char *tmpdir;
	struct zs_sandbox *sandbox;
	struct zs_session *session;
};

#define EXPECT(expr, ...)                                                                                              \
	do {                                                                                                           \
		if (!(expr)) {                                                                                         \
			printf("%d: %s: ", __LINE__, #expr);                                                           \
			printf(__VA_ARGS__);                                                                           \
			putchar('\n');                                                                                 \
			return 1;                                                                                      \
		}                                                                                                      \
	} while (0)

static char *text_of(const struct zs_error *error)
{
	static char line[1024];

	zs_error_format(error, line, sizeof line);
	return line;
}

static int open_session(struct stand *stand)
{
	struct zs_session_options options;
	struct zs_policy *policy;
	struct zs_error error = { 0 };

	EXPECT(zs_policy_new(NULL, &policy) == 0, "policy");
	grant_prog(policy, stand->scratch);
	zs_policy_add_path(policy, "/proc", ZS_ACCESS_READ, NULL);
	zs_policy_add_path(policy, scratch_path(stand->scratch, "ws"), ZS_ACCESS_WRITE, NULL);
	zs_policy_add_env(policy, ATTACK_ENV "*", NULL);
	for (enum zs_promise promise = 0; harness_has_no_namespaces() && promise < ZS_PROMISE_COUNT; promise++)
		zs_policy_give_up(policy, promise, NULL);
	if (stand->more)
		stand->more(policy);
	if (stand->host)
		zs_policy_set_network(policy, ZS_NETWORK_HOSTS, NULL);
	if (stand->host && *stand->host)
		zs_policy_add_host(policy, stand->host, NULL);
	if (stand->protect)
		zs_policy_add_path(policy, scratch_path(stand->scratch, stand->protect), ZS_ACCESS_PROTECT, NULL);
	EXPECT(zs_sandbox_new(policy, &stand->sandbox, &error) == 0, "%s", text_of(&error));
	zs_policy_free(policy);
	EXPECT(zs_sandbox_tier(stand->sandbox) == (harness_has_no_namespaces() ? ZS_TIER_LANDLOCK : ZS_TIER_MOUNTS),
		"tier");
	options = (struct zs_session_options){ .report = stand->report, .tmpdir = stand->tmpdir };
	EXPECT(zs_session_open(stand->sandbox, &options, &stand->session, &error) == 0, "%s", text_of(&error));
	return 0;
}

/* A run, what it is given to read, and what it writes: to standard output, which all that it starts holds open. */
struct run {
	pid_t pid;
	int in, out;
};

static int begin(const struct stand *stand, struct run *run, const char *attack, const char *a, struct zs_error *error)
{
	char attack_text[64], a_text[256];
	char *envp[] = { attack_text, a_text, NULL }, *argv[] = { (char *)stand->scratch->prog, NULL };
	int in[2], out[2], r;

	if (pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0)
		return -errno;
	snprintf(attack_text, sizeof attack_text, ATTACK_ENV "=%s", attack);
	snprintf(a_text, sizeof a_text, ATTACK_ARG1_ENV "=%s", a);
	r = zs_session_spawn(stand->session, argv, envp,
		&(struct zs_spawn_options){ .cwd = "/", .stdio = (const int[]){ in[0], out[1], STDERR_FILENO } },
		&run->pid, error);
	close(in[0]);
	close(out[1]);
	run->in = in[1];
	run->out = out[0];
	return r;
}

static int status_of(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		return -errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* The line that says the command has begun. */
static int read_pid(const struct run *run)
{
	char line[32] = "";

	return read(run->out, line, sizeof line - 1) > 0 ? atoi(line) : -1;
}

/* Has every process that held the run's output ended, within this time? */
static bool is_silent(const struct run *run, int milliseconds)
{
	struct pollfd event = { run->out, POLLIN, 0 };
	char text[256];

	while (poll(&event, 1, milliseconds) == 1)
		if (read(run->out, text, sizeof text) == 0)
			return true;
	return false;
}

/* Begins a run, and ends it by itself. */
static int run_one(const struct stand *stand, const char *attack, const char *a)
{
	struct zs_error error = { 0 };
	struct run run;
	int r = begin(stand, &run, attack, a, &error);

	if (r < 0)
		printf("%s: %s\n", attack, text_of(&error));
	close(run.in);
	r = r < 0 ? r : status_of(run.pid);
	close(run.out);
	return r;
}

static void as_each_user(int (*body)(void *arg), const char *kind, void (*more)(struct zs_policy *policy))
{
	uid_t users[2];
	size_t count = test_users(users);

	for (size_t u = 0; u < count; u++) {
		struct scratch scratch;
		struct stand stand = { .scratch = &scratch, .kind = kind, .more = more };
		struct result result;

		scratch_make(&scratch, users[u]);
		run_child(users[u], body, &stand, &result);
		CHECK(result.status == 0, "uid %d: %s: %d %s%s", (int)users[u], kind, result.status, result.out,
			result.err);
		scratch_remove(&scratch);
	}
}

/* Runs tests by these names again, in a program of their own with this in its environment. */
static void run_again(const char *const names[], const char *variable, bool docker)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		if (docker) {
			harness_be_in_docker(NULL);
			setenv(HARNESS_NO_NAMESPACES_ENV, "1", 1);
		}
		if (variable)
			setenv(variable, "1", 1);
		execv("/proc/self/exe", (char **)(uintptr_t)names);
		_exit(HARNESS_FAILED);
	}
	CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && status == 0, "above");
}

#define RUN_AGAIN(variable, docker, ...)                                                                               \
	run_again((const char *[]){ "/proc/self/exe", __VA_ARGS__, NULL }, variable, docker)

/* Tests of zs_spawn() whose subject is the command, which is no different in a session. */
TEST(session_keeps_what_a_run_of_its_own_does)
{
	RUN_AGAIN(HARNESS_SESSION_ENV, false, "=privileges", "=setuid_program_gains_nothing", "=ipc_and_keys_of_others",
		"=descriptors", "=environment_arrives", "=exit_codes", "=spawn_options", "=limits_hold",
		"=limits_bind_the_command_and_not_the_stages", "=limits_never_raise", "=seccomp_stops_each_call",
		"=seccomp_datagram_pair_reaches_nobody", "=one_program_runs_with_what_it_loads",
		"=script_runs_with_its_interpreter", "=file_attacks", "=nothing_is_above_the_root_directory",
		"=sockets_in_the_workspace", "=network");
}

TEST(session_without_namespaces_keeps_what_a_run_of_its_own_does)
{
	RUN_AGAIN(HARNESS_SESSION_ENV, false, "=landlock_tier_files", "=landlock_tier_network",
		"=landlock_tier_processes", "=landlock_tier_privileges_and_ipc", "=landlock_tier_approved_places");
}

TEST(session_without_namespaces)
{
	RUN_AGAIN(NULL, true, "=session_run_ends_with_all_that_it_started",
		"=session_run_that_is_killed_leaves_nothing", "=session_of_many_runs_that_are_killed",
		"=session_passes_signals_on_and_ends_in_time",
		"=session_command_reaches_neither_supervisor_nor_init_nor_other_runs",
		"=session_survives_a_run_that_takes_every_process",
		"=session_ends_with_its_host_its_steward_and_its_close",
		"=session_run_whose_supervisor_is_killed_at_once", "=session_of_several_threads",
		"=session_requests_are_bounded", "=session_refuses_what_it_cannot_do",
		"=session_folder_of_tmpdir_goes_with_it");
}

/* The end of a run */

static int leave_behind(void *arg)
{
	struct stand *stand = arg;
	struct zs_error error = { 0 };
	struct run other, run;

	if (open_session(stand))
		return 1;
	EXPECT(begin(stand, &other, "stay", "7", &error) == 0 && read_pid(&other) > 1, "%s", text_of(&error));
	EXPECT(begin(stand, &run, stand->kind, "", &error) == 0 && read_pid(&run) > 1, "%s", text_of(&error));
	EXPECT(status_of(run.pid) == 0, "its status");
	EXPECT(is_silent(&run, 0), "something of it lives");
	EXPECT(waitpid(other.pid, NULL, WNOHANG) == 0, "the other run has ended too");
	close(other.in);
	EXPECT(status_of(other.pid) == 7, "the other's status");
	zs_session_close(stand->session);
	return 0;
}

static const char *const leavers[] = { "daemon", "crowd", "chain", "storm" };

TEST(session_run_ends_with_all_that_it_started)
{
	for (size_t i = 0; i < sizeof leavers / sizeof *leavers; i++)
		as_each_user(leave_behind, leavers[i], NULL);
}

/* SIGKILL to the pid that the host knows. */
static int kill_supervisor(void *arg)
{
	struct stand *stand = arg;
	struct zs_error error = { 0 };
	struct run other, run;

	if (open_session(stand))
		return 1;
	EXPECT(begin(stand, &other, "stay", "7", &error) == 0 && read_pid(&other) > 1, "%s", text_of(&error));
	EXPECT(begin(stand, &run, stand->kind, "stay", &error) == 0 && read_pid(&run) > 1, "%s", text_of(&error));
	kill(run.pid, SIGKILL);
	EXPECT(status_of(run.pid) == 128 + SIGKILL, "its status");
	EXPECT(is_silent(&run, 3000), "something of it lives");
	EXPECT(waitpid(other.pid, NULL, WNOHANG) == 0, "the other run has ended too");
	close(other.in);
	EXPECT(status_of(other.pid) == 7, "the other's status");
	EXPECT(run_one(stand, "ok", "") == 0, "the next");
	zs_session_close(stand->session);
	return 0;
}

TEST(session_run_that_is_killed_leaves_nothing)
{
	for (size_t i = 0; i < sizeof leavers / sizeof *leavers; i++)
		as_each_user(kill_supervisor, leavers[i], NULL);
}

/* More often than there can be runs, and at whatever point of its beginning that meets each: before the command's exec
 * too, when the process that is to be it still shares the runner's memory. */
static int kill_many(void *arg)
{
	struct stand *stand = arg;

	if (open_session(stand))
		return 1;
	for (int i = 0; i < 2 * ZS_SESSION_RUNS_MAX; i++) {
		struct zs_error error = { 0 };
		struct run run;

		EXPECT(begin(stand, &run, "stay", "7", &error) == 0, "run %d: %s", i, text_of(&error));
		usleep((useconds_t)(i % 16) * 50);
		kill(run.pid, SIGKILL);
		EXPECT(status_of(run.pid) == 128 + SIGKILL, "its status");
		EXPECT(is_silent(&run, 3000), "something of it lives");
		close(run.in);
		close(run.out);
	}
	EXPECT(run_one(stand, "ok", "") == 0, "the next");
	zs_session_close(stand->session);
	return 0;
}

TEST(session_of_many_runs_that_are_killed)
{
	as_each_user(kill_many, "kills", NULL);
}

static int pass_signals(void *arg)
{
	struct stand *stand = arg;
	struct zs_error error = { 0 };
	struct run run;

	if (open_session(stand))
		return 1;
	EXPECT(begin(stand, &run, "stay", "7", &error) == 0 && read_pid(&run) > 1, "%s", text_of(&error));
	kill(run.pid, SIGTERM);
	EXPECT(status_of(run.pid) == 128 + SIGTERM, "SIGTERM");
	EXPECT(begin(stand, &run, "stay", "7", &error) == 0 && read_pid(&run) > 1, "%s", text_of(&error));
	kill(run.pid, SIGUSR2);
	EXPECT(status_of(run.pid) == 128 + SIGUSR2, "SIGUSR2");
	zs_session_close(stand->session);
	return 0;
}

static void limit_wall(struct zs_policy *policy)
{
	zs_policy_set_limit(policy, ZS_LIMIT_WALL, 1, NULL);
}

static int reach_wall(void *arg)
{
	struct stand *stand = arg;
	struct zs_error error = { 0 };
	struct run run;

	if (open_session(stand))
		return 1;
	EXPECT(begin(stand, &run, "daemon", "stay", &error) == 0 && read_pid(&run) > 1, "%s", text_of(&error));
	EXPECT(status_of(run.pid) == 128 + SIGKILL, "its status");
	EXPECT(is_silent(&run, 0), "something of it lives");
	zs_session_close(stand->session);
	return 0;
}

TEST(session_passes_signals_on_and_ends_in_time)
{
	as_each_user(pass_signals, "signals", NULL);
	as_each_user(reach_wall, "wall", limit_wall);
}

/* What a command can do to what watches over it */

/* The first two. */
static void read_children(pid_t parent, pid_t ret_children[2])
{
	char path[64], text[64] = "", *end;
	int fd;

	snprintf(path, sizeof path, "/proc/%d/task/%d/children", parent, parent);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || read(fd, text, sizeof text - 1) < 0)
		perror(path);
	close(fd);
	ret_children[0] = (pid_t)strtol(text, &end, 10);
	ret_children[1] = (pid_t)strtol(end, NULL, 10);
}

/* The children that there are besides runs, as they were started. */
static pid_t find_child(bool runner)
{
	pid_t children[2];

	read_children(getpid(), children);
	return children[runner];
}

/* The steward's only child. */
static pid_t find_guard(pid_t steward)
{
	pid_t children[2];

	read_children(steward, children);
	return children[0];
}

static int attack_others(void *arg)
{
	static const struct {
		const char *attack;
		int parent, init, other; /* what stops it; the runner is as the init */
	} rows[] = {
		{ "kill", EPERM, EPERM, EPERM },
		{ "thread_kill", EPERM, EPERM, EPERM },
		{ "kill_by_descriptor", EPERM, EPERM, EPERM },
		{ "trace", EPERM, EPERM, EPERM },
		{ "read_memory", EPERM, EPERM, EPERM },
		{ "write_memory", EPERM, EPERM, EPERM },
		{ "memory_file", EACCES, EACCES, EACCES },
		{ "environ_of", EACCES, EACCES, EACCES },
		{ "limit_other", EPERM, EPERM, EPERM },
	};
	struct stand *stand = arg;
	struct zs_error error = { 0 };
	struct run other;
	char pid[16], on_parent[64], of_init[16] = "1", of_runner[16] = "2";

	if (open_session(stand))
		return 1;
	if (harness_has_no_namespaces()) {
		snprintf(of_init, sizeof of_init, "%d", find_guard(find_child(false)));
		snprintf(of_runner, sizeof of_runner, "%d", find_child(true));
	}
	EXPECT(begin(stand, &other, "stay", "7", &error) == 0, "%s", text_of(&error));
	snprintf(pid, sizeof pid, "%d", read_pid(&other));
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		int parent, init, runner, run;

		snprintf(on_parent, sizeof on_parent, "%s", rows[i].attack);
		parent = run_one(stand, "on_parent", on_parent);
		init = run_one(stand, rows[i].attack, of_init);
		runner = run_one(stand, rows[i].attack, of_runner);
		run = run_one(stand, rows[i].attack, pid);
		EXPECT(parent == rows[i].parent && init == rows[i].init && runner == rows[i].init &&
				run == rows[i].other,
			"%s: supervisor %d, init %d, runner %d, another run %d", rows[i].attack, parent, init, runner,
			run);
	}
	EXPECT(run_one(stand, "kill_everyone", "") == 0, "kill_everyone");
	EXPECT(waitpid(other.pid, NULL, WNOHANG) == 0, "the other run has ended");
	close(other.in);
	EXPECT(status_of(other.pid) == 7, "the other's status");
	EXPECT(run_one(stand, "open_descriptors", "") == 0, "descriptors");
	EXPECT(run_one(stand, "ok", "") == 0, "the next");
	zs_session_close(stand->session);
	return 0;
}

TEST(session_command_reaches_neither_supervisor_nor_init_nor_other_runs)
{
	as_each_user(attack_others, "attacks", NULL);
}

/* A few more than the machine has now: the kernel counts those of this user outside as well. */
static struct rlimit some_processes(void)
{
	DIR *proc = opendir("/proc");
	const struct dirent *entry;
	rlim_t count = 100;

	while (proc && (entry = readdir(proc)))
		count += entry->d_name[0] >= '1' && entry->d_name[0] <= '9';
	if (proc)
		closedir(proc);
	return (struct rlimit){ count, count };
}

static int exhaust(void *arg)
{
	struct stand *stand = arg;
	struct rlimit few = some_processes();
	struct zs_error error = { 0 };
	struct run bomb, run;
	int r;

	EXPECT(setrlimit(RLIMIT_NPROC, &few) == 0, "setrlimit");
	if (open_session(stand))
		return 1;
	EXPECT(begin(stand, &bomb, "fork_until", "5000", &error) == 0 && read_pid(&bomb) > 1, "%s", text_of(&error));
	r = begin(stand, &run, "ok", "", &error);
	EXPECT(r == -EAGAIN || (r == 0 && status_of(run.pid) == ZS_EXIT_CANNOT_ENFORCE), "%d %s", r, text_of(&error));
	close(bomb.in);
	EXPECT(status_of(bomb.pid) == 0 && is_silent(&bomb, 0), "the bomb");
	EXPECT(run_one(stand, "ok", "") == 0, "the next");
	zs_session_close(stand->session);
	return 0;
}

TEST(session_survives_a_run_that_takes_every_process)
{
	struct scratch scratch;
	struct stand stand = { .scratch = &scratch };
	struct result result;
	uid_t uid = geteuid() == 0 ? NOBODY : geteuid();

	scratch_make(&scratch, uid);
	run_child(uid, exhaust, &stand, &result);
	CHECK(result.status == 0, "%d %s%s", result.status, result.out, result.err);
	scratch_remove(&scratch);
}

/* The end of a session */

/* What is left of a session whose host this was comes to us, and is gone in a moment. */
static bool is_all_gone(void)
{
	for (int tries = 0; tries < 3000; tries++) {
		while (waitpid(-1, NULL, WNOHANG) > 0) {
		}
		if (waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD)
			return true;
		usleep(10 * 1000);
	}
	return false;
}

static int host_is_killed(void *arg)
{
	struct stand *stand = arg;
	struct zs_error error = { 0 };
	int pipes[2];
	struct run run = { 0 };
	pid_t host;

	EXPECT(prctl(PR_SET_CHILD_SUBREAPER, 1) == 0 && pipe(pipes) == 0, "preparing");
	host = fork();
	if (host == 0) {
		int r = open_session(stand) ? -1 : begin(stand, &run, "storm", "stay", &error);

		if (r < 0 || read_pid(&run) < 0 || write(pipes[1], "x", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(pipes[1]);
	EXPECT(read(pipes[0], &run, 1) == 1, "the host");
	kill(host, SIGKILL);
	EXPECT(is_all_gone(), "something lives");
	return 0;
}

static int part_is_killed(void *arg)
{
	struct stand *stand = arg;
	struct zs_error error = { 0 };
	struct run run;
	pid_t part;

	EXPECT(prctl(PR_SET_CHILD_SUBREAPER, 1) == 0, "preparing");
	if (open_session(stand))
		return 1;
	part = find_child(strcmp(stand->kind, "runner") == 0);
	EXPECT(part > 0 && begin(stand, &run, "daemon", "stay", &error) == 0 && read_pid(&run) > 1, "%s",
		text_of(&error));
	kill(part, SIGKILL);
	EXPECT(status_of(run.pid) == 128 + SIGKILL, "its status");
	EXPECT(is_silent(&run, 3000), "something of it lives");
	EXPECT(begin(stand, &run, "ok", "", &error) == -EPIPE, "it still works");
	EXPECT(strcmp(text_of(&error), "zs: session: it has ended; open another") == 0, "%s", text_of(&error));
	zs_session_close(stand->session);
	EXPECT(is_all_gone(), "something lives");
	return 0;
}

static int session_is_closed(void *arg)
{
	struct stand *stand = arg;
	struct zs_error error = { 0 };
	struct run runs[4];

	if (open_session(stand))
		return 1;
	for (int i = 0; i < 4; i++)
		EXPECT(begin(stand, &runs[i], leavers[i], "stay", &error) == 0 && read_pid(&runs[i]) > 1, "%s",
			text_of(&error));
	zs_session_close(stand->session);
	for (int i = 0; i < 4; i++)
		EXPECT(is_silent(&runs[i], 0), "%s: something of it lives", leavers[i]);
	for (int i = 0; i < 4; i++)
		EXPECT(status_of(runs[i].pid) == 128 + SIGKILL, "its status");
	EXPECT(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD, "there is a child");
	return 0;
}

TEST(session_ends_with_its_host_its_steward_and_its_close)
{
	as_each_user(host_is_killed, "host", NULL);
	as_each_user(part_is_killed, "steward", NULL);
	as_each_user(part_is_killed, "runner", NULL);
	as_each_user(session_is_closed, "close", NULL);
}

/* A supervisor that is killed before it has answered */

struct killer {
	pid_t runner, killed;
	int ready; /* a pipe's end: from now on no supervisor goes on */
};

/* How many threads of it. */
static int trace(pid_t runner)
{
	char path[64];
	struct dirent *entry;
	DIR *folder;
	int count = 0;

	snprintf(path, sizeof path, "/proc/%d/task", (int)runner);
	folder = opendir(path);
	while (folder && (entry = readdir(folder)))
		count += ptrace(PTRACE_SEIZE, atoi(entry->d_name), NULL, (void *)PTRACE_O_TRACEFORK) == 0;
	if (folder)
		closedir(folder);
	return count;
}

/* What a process that is traced starts begins with a stop (man 2 ptrace). The end of this thread lets go of all. */
static void *kill_at_once(void *arg)
{
	struct killer *killer = arg;
	int status, count = trace(killer->runner);
	unsigned long supervisor = 0;
	pid_t parent;

	if (write(killer->ready, count == 2 ? "y" : "n", 1) != 1 || count != 2)
		return NULL;
	do
		parent = waitpid(-1, &status, __WALL | __WNOTHREAD);
	while (parent > 0 && status >> 8 != (SIGTRAP | PTRACE_EVENT_FORK << 8));
	if (parent > 0 && ptrace(PTRACE_GETEVENTMSG, parent, NULL, &supervisor) == 0 && supervisor > 1) {
		killer->killed = (pid_t)supervisor;
		kill(killer->killed, SIGKILL);
	}
	return NULL;
}

static int supervisor_is_killed_at_once(void *arg)
{
	enum { SECONDS = 60 }; /* without an answer this test would wait for ever */
	struct stand *stand = arg;
	struct zs_error error = { 0 };
	struct killer killer = { 0 };
	struct run run;
	pthread_t thread;
	int pipes[2], r;
	char traced;

	if (open_session(stand))
		return 1;
	killer.runner = find_child(true);
	EXPECT(pipe(pipes) == 0, "preparing");
	killer.ready = pipes[1];
	EXPECT(pthread_create(&thread, NULL, kill_at_once, &killer) == 0, "preparing");
	EXPECT(read(pipes[0], &traced, 1) == 1 && traced == 'y', "the runner's two threads cannot be traced");
	alarm(SECONDS);
	r = begin(stand, &run, "ok", "", &error);
	pthread_join(thread, NULL);
	EXPECT(r == -ESRCH, "%d %s", r, text_of(&error));
	EXPECT(strcmp(text_of(&error), "zs: session: supervisor: was killed before the run began") == 0, "%s",
		text_of(&error));
	close(run.in);
	EXPECT(is_silent(&run, 3000), "something of it lives");
	EXPECT(status_of(killer.killed) == 128 + SIGKILL, "its status");
	EXPECT(run_one(stand, "ok", "") == 0, "the next run");
	zs_session_close(stand->session);
	EXPECT(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD, "there is a child");
	return 0;
}

TEST(session_run_whose_supervisor_is_killed_at_once)
{
	struct scratch scratch;
	struct stand stand = { .scratch = &scratch };
	struct result result;

	if (geteuid() != 0) {
		check_skip("needs root: only root can trace a runner");
		return;
	}
	scratch_make(&scratch, 0);
	run_child(0, supervisor_is_killed_at_once, &stand, &result);
	CHECK(result.status == 0, "%d %s%s", result.status, result.out, result.err);
	scratch_remove(&scratch);
}

static int count_descriptors(void)
{
	int count = 0;

	for (int fd = 0; fd < 1024; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

static int run_many(void *arg)
{
	struct stand *stand = arg;
	int before;

	if (open_session(stand))
		return 1;
	before = count_descriptors();
	for (int i = 0; i < 1000; i++)
		EXPECT(run_one(stand, "ok", "") == 0, "run %d", i);
	EXPECT(count_descriptors() == before, "%d descriptors, not %d", count_descriptors(), before);
	EXPECT(waitpid(-1, NULL, WNOHANG) == 0, "a child that nobody knows");
	zs_session_close(stand->session);
	EXPECT(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD, "there is a child");
	return 0;
}

TEST(session_of_a_thousand_runs)
{
	as_each_user(run_many, "runs", NULL);
}

static void *run_some(void *arg)
{
	static const int statuses[] = { 3, 17, 42, 99 };
	const struct stand *stand = arg;
	char text[8];

	for (size_t i = 0; i < 100; i++) {
		snprintf(text, sizeof text, "%d", statuses[i % 4]);
		if (run_one(stand, "stay", text) != statuses[i % 4])
			return (void *)"failed";
	}
	return NULL;
}

static int run_in_threads(void *arg)
{
	struct stand *stand = arg;
	pthread_t threads[4];
	void *failed;

	if (open_session(stand))
		return 1;
	for (int i = 0; i < 4; i++)
		EXPECT(pthread_create(&threads[i], NULL, run_some, stand) == 0, "thread");
	for (int i = 0; i < 4; i++)
		EXPECT(pthread_join(threads[i], &failed) == 0 && !failed, "thread %d", i);
	zs_session_close(stand->session);
	return 0;
}

TEST(session_of_several_threads)
{
	as_each_user(run_in_threads, "threads", NULL);
}

/* Requests */

/* One variable of so many bytes, and as many small ones as it takes. */
static char **make_variables(size_t bytes)
{
	enum { EACH = 1000 };
	size_t count = bytes / EACH;
	char **list = calloc(count + 2, sizeof *list), *text = calloc(count + 1, EACH);

	for (size_t i = 0; i < count; i++) {
		list[i + 1] = text + i * EACH;
		memset(list[i + 1], 'x', EACH - 1);
		snprintf(list[i + 1], EACH, ATTACK_ENV "_%zu=", i);
		list[i + 1][strlen(list[i + 1])] = 'x';
	}
	list[0] = (char *)ATTACK_ENV "=ok";
	return list;
}

static int requests_of_all_sizes(void *arg)
{
	static const struct {
		size_t bytes;
		int result, status;
	} rows[] = {
		{ 0, 0, 0 },
		{ ZS_SESSION_INLINE_BYTES - 2000, 0, 0 },
		{ ZS_SESSION_INLINE_BYTES + 2000, 0, 0 }, /* in a file from here on */
		{ 1000 * 1000, 0, 0 },
		{ 5 * 1000 * 1000, 0, ZS_EXIT_CANNOT_EXECUTE }, /* the kernel's own limit */
		{ ZS_SESSION_BYTES_MAX + 2000, -E2BIG, 0 },
	};
	struct stand *stand = arg;
	struct rlimit stack = { 8 << 20, 8 << 20 };
	char *argv[] = { (char *)stand->scratch->prog, NULL };
	struct zs_error error = { 0 };
	int before;

	/* execve(2) takes a quarter of it. */
	EXPECT(setrlimit(RLIMIT_STACK, &stack) == 0, "setrlimit");
	if (open_session(stand))
		return 1;
	before = count_descriptors();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		pid_t pid;
		int r = zs_session_spawn(stand->session, argv, make_variables(rows[i].bytes), NULL, &pid, &error);

		EXPECT(r == rows[i].result, "%zu bytes: %s", rows[i].bytes, text_of(&error));
		EXPECT(r < 0 || status_of(pid) == rows[i].status, "%zu bytes", rows[i].bytes);
	}
	EXPECT(count_descriptors() == before, "descriptors");
	zs_session_close(stand->session);
	return 0;
}

static int too_many_runs(void *arg)
{
	struct stand *stand = arg;
	struct zs_error error = { 0 };
	static struct run runs[ZS_SESSION_RUNS_MAX + 1];

	if (open_session(stand))
		return 1;
	for (int i = 0; i < ZS_SESSION_RUNS_MAX; i++)
		EXPECT(begin(stand, &runs[i], "stay", "5", &error) == 0, "%d: %s", i, text_of(&error));
	EXPECT(begin(stand, &runs[ZS_SESSION_RUNS_MAX], "stay", "5", &error) == -EAGAIN, "one more");
	EXPECT(strcmp(text_of(&error), "zs: session: 128 runs are going on") == 0, "%s", text_of(&error));
	/* The others are not disturbed, and a place that is free again is taken. */
	close(runs[77].in);
	EXPECT(status_of(runs[77].pid) == 5, "its status");
	for (int tries = 0; begin(stand, &runs[77], "stay", "6", &error) < 0; tries++) {
		EXPECT(tries < 300, "%s", text_of(&error));
		usleep(10 * 1000);
	}
	for (int i = 0; i < ZS_SESSION_RUNS_MAX; i++) {
		close(runs[i].in);
		EXPECT(status_of(runs[i].pid) == (i == 77 ? 6 : 5), "%d", i);
	}
	zs_session_close(stand->session);
	return 0;
}

TEST(session_requests_are_bounded)
{
	as_each_user(requests_of_all_sizes, "sizes", NULL);
	as_each_user(too_many_runs, "runs", NULL);
}

/* Refused in a line by the run, which exits with 125, or by the call. */
static int wrong_requests(void *arg)
{
	struct stand *stand = arg;
	char *argv[] = { (char *)stand->scratch->prog, NULL }, *envp[] = { (char *)ATTACK_ENV "=ok", NULL };
	char *none[] = { NULL };
	struct zs_error error = { 0 };
	int folder = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC), pipes[2], r;
	int network = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	char line[512] = "";
	pid_t pid, copy;

	if (open_session(stand))
		return 1;
	EXPECT(pipe2(pipes, O_CLOEXEC) == 0, "pipe");
	const struct {
		struct zs_spawn_options options;
		const char *line;
	} rows[] = {
		{ { .cwd = "/no/such/folder", .stdio = (const int[]){ 0, 1, pipes[1] } },
			"zs: session: /no/such/folder: no such file or directory; a working directory must be granted, "
			"or be the host's when the session was opened\n" },
		{ { .cwd = "/", .stdio = (const int[]){ folder, 1, pipes[1] } },
			"zs: session: standard input: is a directory, and a way out; redirect it to a file or to "
			"/dev/null\n" },
		{ { .cwd = "/", .stdio = (const int[]){ 0, network, pipes[1] } },
			"zs: session: standard output: is a socket that can be connected to other places, and a way "
			"out; put a pipe between: cat | zs …\n" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		EXPECT(zs_session_spawn(stand->session, argv, envp, &rows[i].options, &pid, &error) == 0, "%s",
			text_of(&error));
		EXPECT(status_of(pid) == ZS_EXIT_CANNOT_ENFORCE, "row %zu", i);
		memset(line, 0, sizeof line);
		EXPECT(read(pipes[0], line, sizeof line - 1) > 0 && strcmp(line, rows[i].line) == 0, "%s", line);
	}
	EXPECT(zs_session_spawn(stand->session, none, envp, NULL, &pid, &error) == -EINVAL, "no command");
	r = zs_session_spawn(
		stand->session, argv, envp, &(struct zs_spawn_options){ .executable = "/bin/true" }, &pid, &error);
	EXPECT(r == -EINVAL && strcmp(error.object, "executable") == 0, "%s", text_of(&error));
	r = zs_session_spawn(stand->session, argv, envp, &(struct zs_spawn_options){ .layer = 9 }, &pid, &error);
	EXPECT(r == -EINVAL && strcmp(error.object, "layer") == 0, "%s", text_of(&error));
	r = zs_session_spawn(stand->session, argv, envp,
		&(struct zs_spawn_options){ .stdio = (const int[]){ 0, 1000, 2 } }, &pid, &error);
	EXPECT(r == -EBADF, "%s", text_of(&error));
	/* A copy of the host has no part in it: neither its runs nor its end. */
	copy = fork();
	if (copy == 0) {
		r = zs_session_spawn(stand->session, argv, envp, NULL, &pid, &error);
		zs_session_close(stand->session);
		_exit(r == -EINVAL ? 0 : 1);
	}
	EXPECT(status_of(copy) == 0, "the copy");
	EXPECT(run_one(stand, "ok", "") == 0, "the next");
	zs_session_close(stand->session);
	return 0;
}

TEST(session_refuses_what_it_cannot_do)
{
	as_each_user(wrong_requests, "requests", NULL);
}

static int refused_policies(void *arg)
{
	static const struct {
		enum zs_workspace workspace;
		enum zs_network network;
		uint64_t processes;
		const char *field;
	} rows[] = {
		{ ZS_WORKSPACE_OVERLAY, ZS_NETWORK_NONE, 0, "workspace: overlay" },
		{ ZS_WORKSPACE_READ, ZS_NETWORK_NONE, 9, "limits: processes" },
	};
	const struct stand *stand = arg;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct zs_policy *policy;
		struct zs_sandbox *sandbox;
		struct zs_session *session;
		struct zs_error error = { 0 };

		EXPECT(zs_policy_new(NULL, &policy) == 0, "policy");
		zs_policy_set_workspace(policy, scratch_path(stand->scratch, "ws"), rows[i].workspace, NULL);
		zs_policy_set_network(policy, rows[i].network, NULL);
		if (rows[i].processes)
			zs_policy_set_limit(policy, ZS_LIMIT_PROCESSES, rows[i].processes, NULL);
		if (zs_sandbox_new(policy, &sandbox, &error) < 0)
			continue; /* the machine cannot do it either */
		EXPECT(zs_session_open(sandbox, NULL, &session, &error) == -EOPNOTSUPP, "%s", rows[i].field);
		EXPECT(strcmp(error.object, rows[i].field) == 0, "%s", text_of(&error));
		zs_sandbox_free(sandbox);
		zs_policy_free(policy);
	}
	return 0;
}

static int steward_that_is_none(void *arg)
{
	static const struct {
		const char *executable;
		int result;
	} rows[] = { { "/no/such/helper", -ENOENT }, { "/bin/true", -EPIPE } };
	struct stand *stand = arg;
	struct zs_session *session;
	struct zs_error error = { 0 };
	int before;

	if (open_session(stand))
		return 1;
	before = count_descriptors();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct zs_session_options options = { .executable = rows[i].executable };
		int r = zs_session_open(stand->sandbox, &options, &session, &error);

		EXPECT(r == rows[i].result, "%s: %s", rows[i].executable, text_of(&error));
	}
	EXPECT(strstr(text_of(&error), "zs_exec_shim() first?"), "%s", text_of(&error));
	EXPECT(count_descriptors() == before, "descriptors");
	zs_session_close(stand->session);
	EXPECT(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD, "there is a child");
	return 0;
}

TEST(session_that_cannot_be_opened)
{
	as_each_user(refused_policies, "policies", NULL);
	as_each_user(steward_that_is_none, "stewards", NULL);
}

/* What the runs of a session share, and what those of two do not. */
static int share(void *arg)
{
	struct stand *stand = arg;
	struct zs_session *first;

	if (open_session(stand))
		return 1;
	first = stand->session;
	EXPECT(run_one(stand, "write", "/tmp/left") == 0, "write");
	EXPECT(run_one(stand, "read", "/tmp/left") == 0, "read");
	if (open_session(stand))
		return 1;
	EXPECT(run_one(stand, "read", "/tmp/left") == ENOENT, "another session's /tmp");
	EXPECT(access("/tmp/left", F_OK) < 0, "the machine's /tmp");
	zs_session_close(first);
	zs_session_close(stand->session);
	return 0;
}

TEST(session_shares_its_private_folders)
{
	as_each_user(share, "tmp", NULL);
}

/* In the Landlock tier: the folder of TMPDIR's, or "". */
static const char *find_folder(const struct stand *stand)
{
	static char path[512];
	DIR *parent = opendir(stand->tmpdir);
	const struct dirent *entry;

	*path = '\0';
	while (parent && (entry = readdir(parent)))
		if (strncmp(entry->d_name, "zs-", 3) == 0)
			snprintf(path, sizeof path, "%s/%s", stand->tmpdir, entry->d_name);
	if (parent)
		closedir(parent);
	return path;
}

static int fill_folder(struct stand *stand, struct run *ret_run)
{
	struct zs_error error = { 0 };
	char file[600];

	EXPECT(prctl(PR_SET_CHILD_SUBREAPER, 1) == 0, "preparing");
	stand->tmpdir = scratch_path(stand->scratch, "out");
	if (open_session(stand))
		return 1;
	EXPECT(*find_folder(stand), "there is no folder");
	snprintf(file, sizeof file, "%s/left", find_folder(stand));
	EXPECT(run_one(stand, "write", file) == 0, "write");
	EXPECT(run_one(stand, "read", file) == 0, "read");
	EXPECT(run_one(stand, "write", scratch_path(stand->scratch, "out/file")) == EACCES, "beside it");
	snprintf(file, sizeof file, "%s/folder", find_folder(stand));
	EXPECT(run_one(stand, "mkdir", file) == 0, "mkdir");
	EXPECT(begin(stand, ret_run, "storm", "stay", &error) == 0 && read_pid(ret_run) > 1, "%s", text_of(&error));
	return 0;
}

/* Whatever ends the session. */
static int leave_a_folder(void *arg)
{
	struct stand *stand = arg;
	struct zs_session *first;
	struct run run;
	pid_t part;

	if (fill_folder(stand, &run))
		return 1;
	part = strcmp(stand->kind, "close") == 0 ? 0 : find_child(strcmp(stand->kind, "runner") == 0);
	if (part > 0)
		kill(part, SIGKILL);
	first = stand->session;
	zs_session_close(first);
	/* Who was killed can say nothing: the guard is left to us. */
	EXPECT(part > 0 || !*find_folder(stand), "%s is there", find_folder(stand));
	EXPECT(status_of(run.pid) == 128 + SIGKILL && is_silent(&run, 3000), "something of it lives");
	EXPECT(is_all_gone(), "something lives");
	EXPECT(!*find_folder(stand), "%s is there", find_folder(stand));
	return 0;
}

static int wrong_folder(void *arg)
{
	struct stand *stand = arg;
	struct zs_session *session;
	struct zs_error error = { 0 };
	struct zs_session_options options = { .tmpdir = "/no/such/folder" };

	if (open_session(stand))
		return 1;
	EXPECT(zs_session_open(stand->sandbox, &options, &session, &error) == -ENOENT, "%s", text_of(&error));
	EXPECT(strcmp(text_of(&error), "zs: session: tmp: /no/such/folder: no such file or directory; set TMPDIR to a "
				       "folder in which this user can make one") == 0,
		"%s", text_of(&error));
	zs_session_close(stand->session);
	return 0;
}

TEST(session_folder_of_tmpdir_goes_with_it)
{
	static const char *const ends[] = { "close", "steward", "runner" };

	for (size_t i = 0; harness_has_no_namespaces() && i < sizeof ends / sizeof *ends; i++)
		as_each_user(leave_a_folder, ends[i], NULL);
	if (harness_has_no_namespaces())
		as_each_user(wrong_folder, "folder", NULL);
}

/* Names that are protected and not there: each run looks after them, and none begins when they are there by now. */
static int make_a_missing_name(void *arg)
{
	struct stand *stand = arg;
	char path[256];

	stand->protect = "ws/.git";
	snprintf(path, sizeof path, "%s", scratch_path(stand->scratch, stand->protect));
	if (open_session(stand))
		return 1;
	for (int i = 0; i < 3; i++) {
		EXPECT(run_one(stand, "mkdir", path) == 0, "mkdir");
		EXPECT(access(path, F_OK) < 0, "it is there");
	}
	EXPECT(mkdir(path, 0755) == 0, "%s", path);
	EXPECT(run_one(stand, "ok", "") == ZS_EXIT_CANNOT_ENFORCE, "a run in spite of it");
	EXPECT(rmdir(path) == 0 && run_one(stand, "ok", "") == 0, "without it");
	zs_session_close(stand->session);
	return 0;
}

TEST(session_lets_no_protected_name_be_made)
{
	as_each_user(make_a_missing_name, "missing names", NULL);
}

/* A protected file that a program outside replaces: its mount is gone for all runs of the session. */
static int replace_a_protected_file(void *arg)
{
	struct stand *stand = arg;
	struct zs_error error = { 0 };
	char path[256], other[256];
	struct run first, second;

	stand->protect = "ws/kept";
	snprintf(path, sizeof path, "%s", scratch_path(stand->scratch, stand->protect));
	snprintf(other, sizeof other, "%s", scratch_path(stand->scratch, "ws/other"));
	write_text(path, "kept");
	write_text(other, "other");
	if (open_session(stand))
		return 1;
	EXPECT(run_one(stand, "write", path) == EROFS, "it can be written");
	EXPECT(begin(stand, &first, "stay", "7", &error) == 0 && read_pid(&first) > 1, "%s", text_of(&error));
	EXPECT(begin(stand, &second, "daemon", "stay", &error) == 0 && read_pid(&second) > 1, "%s", text_of(&error));
	EXPECT(rename(other, path) == 0, "%s", path);
	EXPECT(is_silent(&first, 5000) && is_silent(&second, 5000), "they go on");
	EXPECT(status_of(first.pid) == ZS_EXIT_CANNOT_ENFORCE, "its status");
	EXPECT(status_of(second.pid) == ZS_EXIT_CANNOT_ENFORCE, "the second's status");
	EXPECT(run_one(stand, "ok", "") == ZS_EXIT_CANNOT_ENFORCE, "a run in spite of it");
	zs_session_close(stand->session);
	if (open_session(stand))
		return 1;
	EXPECT(run_one(stand, "write", path) == EROFS, "a new session does not protect it");
	zs_session_close(stand->session);
	return 0;
}

TEST(session_ends_runs_when_what_is_protected_is_replaced)
{
	as_each_user(replace_a_protected_file, "replaced", NULL);
}

/* Hosts by name: one door for all runs. */

/* Someone at the machine's own loopback, which a policy may name. */
struct server {
	int fd;
	char host[32], other[32]; /* where it listens, and where nobody does */
};

static int open_server(struct server *server)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof at;

	server->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	EXPECT(bind(server->fd, (struct sockaddr *)&at, size) == 0 && listen(server->fd, 8) == 0 &&
			getsockname(server->fd, (struct sockaddr *)&at, &size) == 0,
		"%s", strerror(errno));
	snprintf(server->host, sizeof server->host, "127.0.0.1:%d", ntohs(at.sin_port));
	snprintf(server->other, sizeof server->other, "127.0.0.2:%d", ntohs(at.sin_port));
	return 0;
}

/* How many have connected since the last time. */
static int count_visitors(const struct server *server)
{
	int count = 0, fd;

	while ((fd = accept4(server->fd, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
		close(fd);
		count++;
	}
	return count;
}

/* The steward's first child; its other one is the init. 0: it has gone, or there is none. */
static pid_t find_door(pid_t steward)
{
	pid_t children[2];

	read_children(steward, children);
	return children[1] > 0 ? children[0] : 0;
}

/* What the report says until nobody can write to it any more. */
static char *read_report(int fd)
{
	static char text[8192];
	size_t len = 0;
	ssize_t got;

	while ((got = read(fd, text + len, sizeof text - 1 - len)) > 0)
		len += (size_t)got;
	text[len] = '\0';
	return text;
}

static int reach_hosts(void *arg)
{
	static const char allowed[] = "\"host\":\"127.0.0.1\",\"port\":%s,\"address\":\"127.0.0.1\",\"allowed\":true",
			  refused[] = "\"host\":\"127.0.0.2\",\"port\":%s,\"allowed\":false";
	struct stand *stand = arg;
	struct zs_error error = { 0 };
	struct server server;
	char expected[128], *report;
	struct run other;
	int pipes[2];
	pid_t door;

	EXPECT(open_server(&server) == 0 && pipe2(pipes, O_CLOEXEC) == 0, "preparing");
	stand->host = server.host;
	stand->report = pipes[1];
	if (open_session(stand))
		return 1;
	close(pipes[1]);
	door = find_door(find_child(false));
	EXPECT(door > 0, "there is no door");
	EXPECT(begin(stand, &other, "through_door_again", server.host, &error) == 0 && read_pid(&other) > 1, "%s",
		text_of(&error));
	for (int i = 0; i < 3; i++) {
		EXPECT(run_one(stand, "through_door", server.host) == 0, "it is listed");
		EXPECT(run_one(stand, "through_door", server.other) == EACCES, "it is not listed");
	}
	EXPECT(count_visitors(&server) == 4, "visitors");
	EXPECT(find_door(find_child(false)) == door, "another door");
	/* Without it there is only the session's own loopback. */
	EXPECT(run_one(stand, "connect", "127.0.0.1") != 0, "a connection");
	zs_session_close(stand->session);
	EXPECT(kill(door, 0) < 0 && errno == ESRCH, "the door is there");
	report = read_report(pipes[0]);
	snprintf(expected, sizeof expected, allowed, server.host + strlen("127.0.0.1:"));
	EXPECT(strstr(report, expected), "%s is not in %s", expected, report);
	snprintf(expected, sizeof expected, refused, server.host + strlen("127.0.0.1:"));
	EXPECT(strstr(report, expected), "%s is not in %s", expected, report);
	EXPECT(status_of(other.pid) == 128 + SIGKILL, "the other's status");
	return 0;
}

static int lose_the_door(void *arg)
{
	struct stand *stand = arg;
	struct zs_error error = { 0 };
	struct server server;
	struct run run, later;
	int r = 0;

	EXPECT(open_server(&server) == 0, "preparing");
	stand->host = server.host;
	if (open_session(stand))
		return 1;
	EXPECT(begin(stand, &run, "through_door_again", server.host, &error) == 0 && read_pid(&run) > 1, "%s",
		text_of(&error));
	count_visitors(&server);
	EXPECT(kill(find_door(find_child(false)), SIGKILL) == 0, "%s", strerror(errno));
	close(run.in);
	EXPECT(status_of(run.pid) == 0, "a connection goes on, or there is another");
	/* The steward learns it a moment later; until then a run begins, and reaches nothing. */
	for (int i = 0; i < 300 && r == 0; i++) {
		r = begin(stand, &later, "through_door", server.host, &error);
		EXPECT(r < 0 || status_of(later.pid) == ECONNREFUSED, "a later run reaches it");
	}
	EXPECT(r == -ENETDOWN && strcmp(text_of(&error), "zs: session: door: has ended; no host is reached any more; "
							 "open another session") == 0,
		"%d: %s", r, text_of(&error));
	EXPECT(count_visitors(&server) == 0, "visitors");
	zs_session_close(stand->session);
	return 0;
}

/* The steward, with a run going on: the door has nobody left. */
static int kill_the_steward(void *arg)
{
	struct stand *stand = arg;
	struct zs_error error = { 0 };
	struct server server;
	struct run run;
	int pipes[2];

	EXPECT(prctl(PR_SET_CHILD_SUBREAPER, 1) == 0 && open_server(&server) == 0 && pipe2(pipes, O_CLOEXEC) == 0,
		"preparing");
	stand->host = server.host;
	stand->report = pipes[1];
	if (open_session(stand))
		return 1;
	close(pipes[1]);
	EXPECT(begin(stand, &run, "through_door_again", server.host, &error) == 0 && read_pid(&run) > 1, "%s",
		text_of(&error));
	kill(find_child(false), SIGKILL);
	EXPECT(strstr(read_report(pipes[0]), "\"allowed\":true"), "no line of the connection");
	EXPECT(status_of(run.pid) == 128 + SIGKILL, "its status");
	zs_session_close(stand->session);
	EXPECT(is_all_gone(), "something lives");
	return 0;
}

/* Nobody reads the report: it is full, and the session ends all the same. */
static int let_the_report_fill(void *arg)
{
	struct stand *stand = arg;
	struct server server;
	int pipes[2];

	EXPECT(prctl(PR_SET_CHILD_SUBREAPER, 1) == 0 && open_server(&server) == 0 && pipe2(pipes, O_CLOEXEC) == 0,
		"preparing");
	EXPECT(fcntl(pipes[1], F_SETFL, O_NONBLOCK) == 0, "%s", strerror(errno));
	while (write(pipes[1], "x", 1) == 1) {
	}
	EXPECT(fcntl(pipes[1], F_SETFL, 0) == 0, "%s", strerror(errno));
	stand->host = server.host;
	stand->report = pipes[1];
	if (open_session(stand))
		return 1;
	EXPECT(run_one(stand, "through_door", server.other) == EACCES, "it is not listed");
	zs_session_close(stand->session);
	EXPECT(is_all_gone(), "something lives");
	return 0;
}

/* A list without a name in it. */
static int reach_nothing(void *arg)
{
	struct stand *stand = arg;
	struct server server;

	EXPECT(open_server(&server) == 0, "preparing");
	stand->host = "";
	if (open_session(stand))
		return 1;
	EXPECT(run_one(stand, "through_door", server.host) == EACCES, "it is not listed");
	EXPECT(count_visitors(&server) == 0, "visitors");
	zs_session_close(stand->session);
	return 0;
}

TEST(session_has_one_door_for_all_its_runs)
{
	as_each_user(reach_hosts, "hosts", NULL);
	as_each_user(reach_nothing, "no hosts", NULL);
}

TEST(session_door_that_is_lost_is_shut)
{
	as_each_user(lose_the_door, "door", NULL);
}

TEST(session_door_ends_with_the_session)
{
	as_each_user(kill_the_steward, "steward", NULL);
	as_each_user(let_the_report_fill, "report", NULL);
}

/* What the steward reads is not believed. */
TEST(session_request_that_is_none)
{
	char *argv[] = { (char *)"a", (char *)"", NULL }, *envp[] = { (char *)"B=1", NULL };
	const struct zs_session_command command = { "/w", argv, envp };
	struct zs_session_command got = { 0 };
	struct zs_session_head head, wrong;
	char *body;

	CHECK(zs_session_pack(&command, &head, &body) == 0 && head.bytes == 10 && head.argc == 2 && head.envc == 1,
		"%u bytes", head.bytes);
	CHECK(zs_session_unpack(&head, body, head.bytes, &got) == 0, "unpack");
	CHECK(strcmp(got.cwd, "/w") == 0 && strcmp(got.argv[0], "a") == 0 && !*got.argv[1] && !got.argv[2] &&
			strcmp(got.envp[0], "B=1") == 0 && !got.envp[1],
		"it is another");
	free((void *)(uintptr_t)got.argv);
	for (uint32_t bytes = 0; bytes < head.bytes; bytes++) {
		wrong = head;
		wrong.bytes = bytes;
		CHECK(zs_session_unpack(&wrong, body, bytes, &got) == -EBADMSG, "%u bytes of it", bytes);
		CHECK(zs_session_unpack(&head, body, bytes, &got) == -EBADMSG, "%u bytes there", bytes);
	}
	for (uint32_t count = 0; count < 5; count++) {
		wrong = head;
		wrong.argc = count + (count >= 2);
		CHECK(zs_session_unpack(&wrong, body, head.bytes, &got) == -EBADMSG, "%u words", wrong.argc);
		wrong = head;
		wrong.envc = UINT32_MAX - count;
		CHECK(zs_session_unpack(&wrong, body, head.bytes, &got) == -EBADMSG, "%u variables", wrong.envc);
	}
	body[0] = 'x';
	CHECK(zs_session_unpack(&head, body, head.bytes, &got) == -EBADMSG, "relative");
	free(body);
}
