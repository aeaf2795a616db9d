/* Sessions: what a run leaves, what a command can do to the processes that watch over it, and how a session ends. */
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "harness.h"
#include "session_stand.h"

/* The end of a run */

static int leave_behind(struct stand *stand)
{
	struct run other, run;

	EXPECT(stand_begins(stand, &other, "stay", "7"), "it does not begin");
	EXPECT(stand_begins(stand, &run, stand->kind, ""), "it does not begin");
	EXPECT(stand_status_of(run.pid) == 0, "its status");
	EXPECT(stand_is_silent(&run, 0), "something of it lives");
	EXPECT(waitpid(other.pid, NULL, WNOHANG) == 0, "the other run has ended too");
	close(other.in);
	EXPECT(stand_status_of(other.pid) == 7, "the other's status");
	return 0;
}

static const char *const leavers[] = { "daemon", "crowd", "chain", "storm" };

TEST(session_run_ends_with_all_that_it_started)
{
	for (size_t i = 0; i < sizeof leavers / sizeof *leavers; i++)
		stand_in_session(leave_behind, leavers[i], NULL);
}

/* Sends SIGKILL to the pid that the host knows. */
static int kill_supervisor(struct stand *stand)
{
	struct run other, run;

	EXPECT(stand_begins(stand, &other, "stay", "7"), "it does not begin");
	EXPECT(stand_begins(stand, &run, stand->kind, "stay"), "it does not begin");
	kill(run.pid, SIGKILL);
	EXPECT(stand_status_of(run.pid) == 128 + SIGKILL, "its status");
	EXPECT(stand_is_silent(&run, 3000), "something of it lives");
	EXPECT(waitpid(other.pid, NULL, WNOHANG) == 0, "the other run has ended too");
	close(other.in);
	EXPECT(stand_status_of(other.pid) == 7, "the other's status");
	EXPECT(stand_run_one(stand, "ok", "") == 0, "the next");
	return 0;
}

TEST(session_run_that_is_killed_leaves_nothing)
{
	for (size_t i = 0; i < sizeof leavers / sizeof *leavers; i++)
		stand_in_session(kill_supervisor, leavers[i], NULL);
}

/* Kills more runs than a session may have at a time, at different points of their start. Some are killed before the
 * command's exec, when the new process still shares the runner's memory. */
SESSION_TEST(session_of_many_runs_that_are_killed)
{
	for (int i = 0; i < 2 * ZS_SESSION_RUNS_MAX; i++) {
		struct zs_error error = { 0 };
		struct run run;

		EXPECT(stand_begin(stand, &run, "stay", "7", &error) == 0, "run %d: %s", i, stand_text_of(&error));
		usleep((useconds_t)(i % 16) * 50);
		kill(run.pid, SIGKILL);
		EXPECT(stand_status_of(run.pid) == 128 + SIGKILL, "its status");
		EXPECT(stand_is_silent(&run, 3000), "something of it lives");
		close(run.in);
		close(run.out);
	}
	EXPECT(stand_run_one(stand, "ok", "") == 0, "the next");
	return 0;
}

static int pass_signals(struct stand *stand)
{
	struct run run;

	EXPECT(stand_begins(stand, &run, "stay", "7"), "it does not begin");
	kill(run.pid, SIGTERM);
	EXPECT(stand_status_of(run.pid) == 128 + SIGTERM, "SIGTERM");
	EXPECT(stand_begins(stand, &run, "stay", "7"), "it does not begin");
	kill(run.pid, SIGUSR2);
	EXPECT(stand_status_of(run.pid) == 128 + SIGUSR2, "SIGUSR2");
	return 0;
}

static void limit_wall(struct zs_policy *policy)
{
	zs_policy_set_limit(policy, ZS_LIMIT_WALL, 1, NULL);
}

static int reach_wall(struct stand *stand)
{
	struct run run;

	EXPECT(stand_begins(stand, &run, "daemon", "stay"), "it does not begin");
	EXPECT(stand_status_of(run.pid) == 128 + SIGKILL, "its status");
	EXPECT(stand_is_silent(&run, 0), "something of it lives");
	return 0;
}

TEST(session_passes_signals_on_and_ends_in_time)
{
	stand_in_session(pass_signals, "signals", NULL);
	stand_in_session(reach_wall, "wall", limit_wall);
}

/* The attempts of a command on the processes that watch over it */

/* Finds the session parent's only child. */
static pid_t find_guard(pid_t session_parent)
{
	pid_t children[2];

	stand_read_children(session_parent, children);
	return children[0];
}

SESSION_TEST(session_command_reaches_neither_supervisor_nor_init_nor_other_runs)
{
	static const struct {
		const char *attack;
		int parent, init, other; /* the errno with which each attack fails; the runner's is the init's */
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
	struct zs_error error = { 0 };
	struct run other;
	char pid[16], on_parent[64], of_init[16] = "1", of_runner[16] = "2";

	if (harness_has_no_namespaces()) {
		snprintf(of_init, sizeof of_init, "%d", find_guard(stand_find_child(false)));
		snprintf(of_runner, sizeof of_runner, "%d", stand_find_child(true));
	}
	EXPECT(stand_begin(stand, &other, "stay", "7", &error) == 0, "%s", stand_text_of(&error));
	snprintf(pid, sizeof pid, "%d", stand_read_pid(&other));
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		int parent, init, runner, run;

		snprintf(on_parent, sizeof on_parent, "%s", rows[i].attack);
		parent = stand_run_one(stand, "on_parent", on_parent);
		init = stand_run_one(stand, rows[i].attack, of_init);
		runner = stand_run_one(stand, rows[i].attack, of_runner);
		run = stand_run_one(stand, rows[i].attack, pid);
		EXPECT(parent == rows[i].parent && init == rows[i].init && runner == rows[i].init &&
				run == rows[i].other,
			"%s: supervisor %d, init %d, runner %d, another run %d", rows[i].attack, parent, init, runner,
			run);
	}
	EXPECT(stand_run_one(stand, "kill_everyone", "") == 0, "kill_everyone");
	EXPECT(waitpid(other.pid, NULL, WNOHANG) == 0, "the other run has ended");
	close(other.in);
	EXPECT(stand_status_of(other.pid) == 7, "the other's status");
	EXPECT(stand_run_one(stand, "open_descriptors", "") == 0, "descriptors");
	EXPECT(stand_run_one(stand, "ok", "") == 0, "the next");
	return 0;
}

/* Some more processes than the machine has now: the kernel also counts this user's processes outside, and their
 * threads, and other tests start theirs meanwhile. */
static struct rlimit some_processes(void)
{
	enum { MORE = 500 };
	DIR *proc = opendir("/proc");
	const struct dirent *entry;
	rlim_t count = MORE;

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
	if (stand_open(stand))
		return 1;
	EXPECT(stand_begins(stand, &bomb, "fork_until", "5000"), "it does not begin");
	r = stand_begin(stand, &run, "ok", "", &error);
	EXPECT(r == -EAGAIN || (r == 0 && stand_status_of(run.pid) == ZS_EXIT_CANNOT_ENFORCE), "%d %s", r,
		stand_text_of(&error));
	close(bomb.in);
	EXPECT(stand_status_of(bomb.pid) == 0 && stand_is_silent(&bomb, 0), "the bomb");
	EXPECT(stand_run_one(stand, "ok", "") == 0, "the next");
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

static int host_is_killed(struct stand *stand)
{
	struct zs_error error = { 0 };
	int pipes[2];
	struct run run = { 0 };
	pid_t host;

	EXPECT(prctl(PR_SET_CHILD_SUBREAPER, 1) == 0 && pipe(pipes) == 0, "preparing");
	host = fork();
	if (host == 0) {
		int r = stand_open(stand) ? -1 : stand_begin(stand, &run, "storm", "stay", &error);

		if (r < 0 || stand_read_pid(&run) < 0 || write(pipes[1], "x", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(pipes[1]);
	EXPECT(read(pipes[0], &run, 1) == 1, "the host");
	kill(host, SIGKILL);
	EXPECT(stand_is_all_gone(), "something lives");
	return 0;
}

static int part_is_killed(struct stand *stand)
{
	struct zs_error error = { 0 };
	struct run run;
	pid_t part;

	EXPECT(prctl(PR_SET_CHILD_SUBREAPER, 1) == 0, "preparing");
	if (stand_open(stand))
		return 1;
	part = stand_find_child(strcmp(stand->kind, "runner") == 0);
	EXPECT(part > 0 && stand_begin(stand, &run, "daemon", "stay", &error) == 0 && stand_read_pid(&run) > 1, "%s",
		stand_text_of(&error));
	kill(part, SIGKILL);
	EXPECT(stand_status_of(run.pid) == 128 + SIGKILL, "its status");
	EXPECT(stand_is_silent(&run, 3000), "something of it lives");
	EXPECT(stand_begin(stand, &run, "ok", "", &error) == -EPIPE, "it still works");
	EXPECT(strcmp(stand_text_of(&error), "zs: session: it has ended; open another") == 0, "%s",
		stand_text_of(&error));
	zs_session_close(stand->session);
	EXPECT(stand_is_all_gone(), "something lives");
	return 0;
}

static int session_is_closed(struct stand *stand)
{
	struct zs_error error = { 0 };
	struct run runs[4];

	if (stand_open(stand))
		return 1;
	for (int i = 0; i < 4; i++)
		EXPECT(stand_begin(stand, &runs[i], leavers[i], "stay", &error) == 0 && stand_read_pid(&runs[i]) > 1,
			"%s", stand_text_of(&error));
	zs_session_close(stand->session);
	for (int i = 0; i < 4; i++)
		EXPECT(stand_is_silent(&runs[i], 0), "%s: something of it lives", leavers[i]);
	for (int i = 0; i < 4; i++)
		EXPECT(stand_status_of(runs[i].pid) == 128 + SIGKILL, "its status");
	EXPECT(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD, "there is a child");
	return 0;
}

TEST(session_ends_with_its_host_its_session_parent_and_its_close)
{
	stand_as_each_user(host_is_killed, "host", NULL);
	stand_as_each_user(part_is_killed, "session parent", NULL);
	stand_as_each_user(part_is_killed, "runner", NULL);
	stand_as_each_user(session_is_closed, "close", NULL);
}

/* A supervisor that is killed before it has answered */

struct killer {
	pid_t runner, killed;
	int ready; /* the end of a pipe, written once no supervisor goes on any more */
};

/* Traces all threads of the runner. Returns their number. */
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

/* A child of a traced process begins with a stop (man 2 ptrace). When this thread ends, it releases all of them. */
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

	if (stand_open(stand))
		return 1;
	killer.runner = stand_find_child(true);
	EXPECT(pipe(pipes) == 0, "preparing");
	killer.ready = pipes[1];
	EXPECT(pthread_create(&thread, NULL, kill_at_once, &killer) == 0, "preparing");
	EXPECT(read(pipes[0], &traced, 1) == 1 && traced == 'y', "the runner's two threads cannot be traced");
	alarm(SECONDS);
	r = stand_begin(stand, &run, "ok", "", &error);
	pthread_join(thread, NULL);
	EXPECT(r == -ESRCH, "%d %s", r, stand_text_of(&error));
	EXPECT(strcmp(stand_text_of(&error), "zs: session: supervisor: was killed before the run began") == 0, "%s",
		stand_text_of(&error));
	close(run.in);
	EXPECT(stand_is_silent(&run, 3000), "something of it lives");
	EXPECT(stand_status_of(killer.killed) == 128 + SIGKILL, "its status");
	EXPECT(stand_run_one(stand, "ok", "") == 0, "the next run");
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

static pid_t await_third_child(void)
{
	for (int i = 0; i < 1000; i++) {
		char path[64], text[128] = "";
		int first, second, third;
		FILE *file;

		snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
		file = fopen(path, "re");
		if (file && fgets(text, sizeof text, file) && sscanf(text, "%d %d %d", &first, &second, &third) == 3) {
			fclose(file);
			return third;
		}
		if (file)
			fclose(file);
		usleep(10 * 1000);
	}
	return -1;
}

static void *kill_stuck(void *arg)
{
	enum { TO_ITS_EXEC_MICROSECONDS = 500 * 1000 };
	pid_t *killed = arg;

	*killed = await_third_child();
	usleep(TO_ITS_EXEC_MICROSECONDS);
	if (*killed > 1)
		kill(*killed, SIGKILL);
	return NULL;
}

/* A process with a lease on a file keeps all others from opening it, for 45 seconds by default (man 2 fcntl). The
 * supervisor does not answer as long as its command waits in execve(2). */
STAND_TEST(session_run_whose_supervisor_is_killed_before_the_exec)
{
	struct zs_error error = { 0 };
	struct run run;
	pthread_t thread;
	sigset_t told;
	pid_t killed = -1;
	int r, held;

	if (stand_open(stand))
		return 1;
	sigemptyset(&told);
	sigaddset(&told, SIGIO);
	sigprocmask(SIG_BLOCK, &told, NULL);
	held = open(stand->scratch->prog, O_RDONLY | O_CLOEXEC);
	EXPECT(held >= 0 && fcntl(held, F_SETLEASE, F_WRLCK) == 0, "lease: %s", strerror(errno));
	EXPECT(pthread_create(&thread, NULL, kill_stuck, &killed) == 0, "preparing");
	r = stand_begin(stand, &run, "ok", "", &error);
	pthread_join(thread, NULL);
	EXPECT(r == -ESRCH, "%d %s", r, stand_text_of(&error));
	close(run.in);
	EXPECT(stand_is_silent(&run, 3000), "something of it lives");
	EXPECT(stand_status_of(killed) == 128 + SIGKILL, "its status");
	EXPECT(fcntl(held, F_SETLEASE, F_UNLCK) == 0 && close(held) == 0, "lease: %s", strerror(errno));
	EXPECT(stand_run_one(stand, "ok", "") == 0, "the next run");
	zs_session_close(stand->session);
	EXPECT(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD, "there is a child");
	return 0;
}
