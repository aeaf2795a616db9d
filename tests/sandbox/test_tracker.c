/* Trackers of both kinds, as root and as an ordinary user: whatever a command has done to escape, it is dead when the
 * tracker has ended. Every tracked process holds the write end of a pipe, so its end of file says that none is left. */
#include <dirent.h>
#include <linux/sched.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "harness.h"
#include "linux/limits/cgroup_place.h"
#include "base/read_file.h"
#include "zs_tracker.h"

#define STORM_ENV "TRACKED_STORM"

extern char **environ;

/* A place of a host: its user and its cgroups. */
static const struct place {
	const char *name;
	uid_t uid;
	bool hidden; /* no cgroup file system is mounted */
	enum zs_tracker_kind kind;
} places[] = {
	{ "root", 0, false, ZS_TRACKER_CGROUP },
	{ "root, without cgroups", 0, true, ZS_TRACKER_SUBREAPER },
	{ "user", NOBODY, false, ZS_TRACKER_SUBREAPER },
	{ "user, in a delegated cgroup", NOBODY, false, ZS_TRACKER_CGROUP },
};

enum { PLACES = sizeof places / sizeof *places, WAIT_MS = 10000 };

/* A body of run_child(): in its place, with a tracker. */
struct host {
	const struct place *place;
	void (*body)(struct host *host);
	char cgroup[PATH_MAX + 32]; /* its own, if it has cgroups; what is left there is the tracker's */
	struct zs_tracker *tracker;
	int out; /* what tracked processes write is read here */
	int in;  /* the write end of the same pipe */
	const struct scratch *scratch;
};

static void hide_cgroups(void)
{
	if (unshare(CLONE_NEWNS) < 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
		mount("tmpfs", "/sys", "tmpfs", 0, NULL) < 0) {
		perror("hide");
		_exit(HARNESS_FAILED);
	}
}

static bool find_cgroup2(struct zs_cgroup_place *place)
{
	char *mountinfo = NULL, *membership = NULL;
	bool found = zs_read_file("/proc/self/mountinfo", &mountinfo) == 0 &&
		     zs_read_file("/proc/self/cgroup", &membership) == 0 &&
		     zs_cgroup_find(mountinfo, membership, ZS_HIERARCHY_V2, place) == 0;

	free(mountinfo);
	free(membership);
	return found;
}

/* Delegates as systemd does: the folder, and the files that move processes, belong to the user. */
static void make_cgroup(struct host *host)
{
	const uid_t uid = host->place->uid;
	struct zs_cgroup_place place;
	char procs[PATH_MAX + 64];

	if (!find_cgroup2(&place))
		_exit(HARNESS_FAILED);
	snprintf(host->cgroup, sizeof host->cgroup, "%.4000s/test-%d", place.path, getpid());
	snprintf(procs, sizeof procs, "%s/cgroup.procs", host->cgroup);
	if (mkdir(host->cgroup, 0755) < 0 || chown(host->cgroup, uid, uid) < 0 || chown(procs, uid, uid) < 0) {
		perror(host->cgroup);
		_exit(HARNESS_FAILED);
	}
}

static void enter_cgroup(const char *folder)
{
	char procs[PATH_MAX + 64];

	snprintf(procs, sizeof procs, "%s/cgroup.procs", folder);
	write_text(procs, "0");
}

static bool make_tracker(struct host *host)
{
	struct zs_error error;
	int pipes[2], r = zs_tracker_new(NULL, &host->tracker, &error);

	check_ok(r, &error, "zs_tracker_new");
	if (r < 0 || pipe2(pipes, O_CLOEXEC) < 0)
		return false;
	host->out = pipes[0];
	host->in = pipes[1];
	CHECK(zs_tracker_kind(host->tracker) == host->place->kind, "kind %s",
		zs_tracker_kind_name(zs_tracker_kind(host->tracker)));
	CHECK((zs_tracker_cgroup(host->tracker) >= 0) == (host->place->kind == ZS_TRACKER_CGROUP), "%d",
		zs_tracker_cgroup(host->tracker));
	return true;
}

static void end_tracker(struct host *host)
{
	zs_tracker_free(host->tracker);
	host->tracker = NULL;
}

static int be_host(void *arg)
{
	struct host *host = arg;

	if (make_tracker(host))
		host->body(host);
	end_tracker(host);
	return 0;
}

/* Runs the body in every place that this user can make. */
static void in_places(void (*body)(struct host *host))
{
	OWN_SCRATCH(scratch);
	struct zs_cgroup_place place;
	bool cgroup2 = find_cgroup2(&place) && geteuid() == 0;

	for (size_t i = 0; i < PLACES; i++) {
		struct host host = { .place = &places[i], .body = body, .scratch = &scratch };
		bool has_cgroup = places[i].kind == ZS_TRACKER_CGROUP;
		struct result result;
		pid_t pid;
		int status;

		if ((places[i].uid != geteuid() && geteuid() != 0) || (has_cgroup && !cgroup2))
			continue;
		check_context("%s", places[i].name);
		if (has_cgroup)
			make_cgroup(&host);
		fflush(stdout);
		pid = fork();
		if (pid == 0) {
			if (places[i].hidden)
				hide_cgroups();
			if (has_cgroup)
				enter_cgroup(host.cgroup);
			run_child(places[i].uid, be_host, &host, &result);
			printf("%s%s", result.out, result.err);
			fflush(stdout);
			/* A failed CHECK prints something. */
			_exit(*result.out || *result.err ? HARNESS_FAILED : result.status);
		}
		waitpid(pid, &status, 0);
		CHECK(status == 0, "%x", status);
		/* No cgroup is left in it, once the watchdogs that have answered have ended. */
		for (int tries = 0; has_cgroup && rmdir(host.cgroup) < 0; tries++) {
			CHECK(tries < 600, "%s: %s", host.cgroup, strerror(errno));
			if (tries == 600)
				break;
			usleep(10 * 1000);
		}
	}
}

/* A test of which the block is run in all places, with a tracker. */
#define REGISTER_PLACES(test, id)                                                                                      \
	static void id(struct host *host);                                                                             \
	test(id)                                                                                                       \
	{                                                                                                              \
		in_places(id);                                                                                         \
	}                                                                                                              \
	static void id(struct host *host)
#define PLACES_TEST(id) REGISTER_PLACES(TEST, id)
#define SLOW_PLACES_TEST(id) REGISTER_PLACES(SLOW_TEST, id)

static char *const environment[] = { (char *)"PATH=/usr/bin:/bin", (char *)"OF_HOST=1", NULL };

static pid_t spawn(const struct host *host, const char *path, char *const argv[], char *const envp[])
{
	struct zs_spawn_options options = { .stdio = (int[]){ STDIN_FILENO, host->in, STDERR_FILENO } };
	struct zs_error error;
	pid_t pid = -1;

	check_ok(zs_tracker_spawn(host->tracker, path, argv, envp, &options, &pid, &error), &error, argv[0]);
	return pid;
}

/* Starts sh -c script, and returns its pid. */
static pid_t start(const struct host *host, const char *script)
{
	return spawn(host, NULL, (char *[]){ (char *)"sh", (char *)"-c", (char *)script, NULL }, environment);
}

static int wait_for(pid_t pid)
{
	int status = -1;

	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

/* Reads the next bytes into a static buffer: "" at the end; "timeout" when nothing comes. */
static const char *read_out(const struct host *host, int milliseconds)
{
	static char text[4096];
	struct pollfd event = { host->out, POLLIN, 0 };
	ssize_t len;

	if (poll(&event, 1, milliseconds) <= 0)
		return "timeout";
	len = read(host->out, text, sizeof text - 1);
	text[len < 0 ? 0 : len] = '\0';
	return text;
}

/* Closes the write end, so that only tracked processes hold it from here on. */
static void let_go(struct host *host)
{
	if (host->in >= 0)
		close(host->in);
	host->in = -1;
}

static void check_alive(struct host *host, const char *what)
{
	let_go(host);
	CHECK(strcmp(read_out(host, 50), "timeout") == 0, "%s: nothing is left even now", what);
}

/* All tracked processes must have ended by now. */
static void check_ended(struct host *host, const char *what)
{
	const char *text;

	let_go(host);
	while (strcmp(text = read_out(host, 0), "") != 0 && strcmp(text, "timeout") != 0) {
	}
	CHECK(*text == '\0', "%s: something is left", what);
	close(host->out);
}

static void check_status(pid_t pid, int want)
{
	int status = wait_for(pid);

	CHECK(status == want, "status %d, not %d", status, want);
}

static void check_says(const struct host *host, const char *want)
{
	const char *text = read_out(host, WAIT_MS);

	CHECK(strcmp(text, want) == 0, "it says %s, not %s", text, want);
}

/* All tracked processes must end within a moment. */
static void check_all_gone(const struct host *host)
{
	CHECK(strcmp(read_out(host, WAIT_MS), "") == 0, "something is left");
}

static void kill_tracked(const struct host *host)
{
	struct zs_error error;

	check_ok(zs_tracker_kill(host->tracker, &error), &error, "kill");
}

static const struct {
	const char *script;
	bool ends; /* the command does, on its own */
} runaways[] = {
	{ "echo up; sleep 1000", false },
	{ "sleep 1000 & echo up", true },
	{ "setsid sleep 1000 & echo up", true },
	{ "setsid sh -c 'setsid sleep 1000 & echo up' & wait; exit 0", true },
	{ "(sh -c 'sleep 1000 & sleep 1000 & echo up' &); exit 0", true },
	{ "trap '' TERM HUP INT QUIT; (setsid sh -c 'trap \"\" TERM; echo up; while :; do sleep 1; done' &); exit 0",
		true },
	{ "sh -c 'echo up; kill -STOP $$' & exit 0", true },
	{ "nohup sh -c 'echo up >&3; sleep 1000' 3>&1 >/dev/null 2>&1 & exit 0", true },
};

PLACES_TEST(tracker_runaways)
{
	for (size_t i = 0; i < sizeof runaways / sizeof *runaways; i++) {
		pid_t pid = start(host, runaways[i].script);

		CHECK(strcmp(read_out(host, WAIT_MS), "up\n") == 0, "%s: not up", runaways[i].script);
		if (runaways[i].ends)
			check_status(pid, 0);
		check_alive(host, runaways[i].script);
		kill_tracked(host);
		check_ended(host, runaways[i].script);
		if (!runaways[i].ends)
			check_status(pid, 1000 + SIGKILL);
		end_tracker(host);
		if (!make_tracker(host))
			return;
	}
}

/* Chains of processes that each fork the next and end, as fast as they can. They stop after some time, in case a test
 * fails. */
__attribute__((constructor(103))) static void be_storm(void)
{
	enum { CHAINS = 4, LINKS = 100000 };

	if (!getenv(STORM_ENV))
		return;
	printf("up\n");
	fflush(stdout);
	for (int i = 0; i < CHAINS; i++)
		if (fork() == 0) {
			for (int link = 0; link < LINKS; link++)
				if (fork() != 0)
					_exit(0);
			_exit(0);
		}
	_exit(0);
}

PLACES_TEST(tracker_storm)
{
	char *argv[] = { (char *)host->scratch->prog, NULL }, *envp[] = { (char *)STORM_ENV "=1", NULL };
	pid_t pid = spawn(host, NULL, argv, envp);

	check_says(host, "up\n");
	check_status(pid, 0);
	usleep(20 * 1000);
	check_alive(host, "storm");
	kill_tracked(host);
	check_ended(host, "storm");
}

/* The output of a script that the host starts itself; malloc'ed, and never freed. */
static const char *free_out(const struct host *host, const char *script)
{
	char *argv[] = { (char *)"sh", (char *)"-c", (char *)script, NULL };
	pid_t pid = fork();

	if (pid == 0) {
		dup2(host->in, STDOUT_FILENO);
		execve("/bin/sh", argv, environment);
		_exit(HARNESS_FAILED);
	}
	wait_for(pid);
	return strdup(read_out(host, WAIT_MS));
}

/* The signals that the C library does not use itself. */
#define SIGNALS "sed -nE 's/^(SigBlk|SigIgn):.*(.{7})$/\\1 \\2/p' /proc/self/status"

/* The command's state is the same as if the host had started it without a tracker. */
PLACES_TEST(tracker_is_transparent)
{
	const struct {
		const char *script;
		int status;
		const char *out;
	} rows[] = {
		{ "exit 7", 7, "" },
		{ "kill -USR1 $$", 1000 + SIGUSR1, "" },
		{ "kill -KILL $$", 1000 + SIGKILL, "" },
		{ "echo \"$OF_HOST,$PATH,$ZS_TRACKER\"", 0, "1,/usr/bin:/bin,\n" },
		{ "ls /proc/self/fd", 0, free_out(host, "ls /proc/self/fd") },
		{ SIGNALS, 0, free_out(host, SIGNALS) },
		{ "trap 'echo caught' USR1; kill -USR1 $$; echo on", 0, "caught\non\n" },
		{ "pwd", 0, free_out(host, "pwd") },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		pid_t pid = start(host, rows[i].script);
		int status = wait_for(pid);
		const char *out;

		CHECK(status == rows[i].status, "%s: %d", rows[i].script, status);
		out = read_out(host, *rows[i].out ? WAIT_MS : 0);
		if (*rows[i].out)
			CHECK(strcmp(out, rows[i].out) == 0, "%s: %s", rows[i].script, out);
	}
	end_tracker(host);
	check_ended(host, "after free");
}

/* A host that starts a wrapped command itself passes on the signals that it ignores. */
PLACES_TEST(tracker_of_a_host_that_ignores_its_children)
{
	char *argv[] = { (char *)"sh", (char *)"-c", (char *)"exit 7", NULL };
	struct zs_wrapped wrapped;
	pid_t pid;

	CHECK(zs_tracker_wrap(host->tracker, NULL, argv, environment, &wrapped, NULL) == 0, "wrap");
	pid = fork();
	if (pid == 0) {
		signal(SIGCHLD, SIG_IGN);
		execve(wrapped.path, wrapped.argv, wrapped.envp);
		_exit(127);
	}
	alarm(WAIT_MS / 1000);
	check_status(pid, 7);
	alarm(0);
	zs_wrapped_free(&wrapped);
}

/* No process of the tracker keeps a descriptor open that the daemon has closed: a host that reads to the end would wait
 * for ever. */
PLACES_TEST(tracker_holds_no_descriptor)
{
	enum { EXTRA = 9 };
	pid_t pid;

	dup2(host->in, EXTRA); /* without O_CLOEXEC: it is inherited */
	pid = start(host, "setsid sleep 1000 </dev/null >/dev/null 2>&1 9>&- & exit 0");
	close(EXTRA);
	check_status(pid, 0);
	let_go(host);
	check_all_gone(host);
}

/* Signals to the pid that the host knows reach the command. */
PLACES_TEST(tracker_signals)
{
	static const char script[] = "trap 'echo term' TERM; trap 'exit 3' USR2; echo up; while :; do sleep 0.01; done";
	pid_t pid = start(host, script);

	check_says(host, "up\n");
	kill(pid, SIGTERM);
	check_says(host, "term\n");
	kill(pid, SIGUSR2);
	check_status(pid, 3);
	pid = start(host, script);
	check_says(host, "up\n");
	kill(pid, SIGKILL);
	check_status(pid, 1000 + SIGKILL);
	let_go(host);
	/* With SUBREAPER another process is killed first. */
	check_all_gone(host);
}

static const char *stderr_of(const struct host *host, const char *path, char *const argv[], int *ret_status)
{
	static char text[1024];
	struct zs_spawn_options options = { .stdio = (int[]){ STDIN_FILENO, STDOUT_FILENO, host->in } };
	struct zs_error error;
	pid_t pid;

	check_ok(zs_tracker_spawn(host->tracker, path, argv, environment, &options, &pid, &error), &error, "spawn");
	*ret_status = wait_for(pid);
	snprintf(text, sizeof text, "%s", read_out(host, 100));
	return text;
}

PLACES_TEST(tracker_refusals)
{
	char *argv[] = { (char *)"no-such-command", NULL };
	struct zs_error error;
	const char *text;
	int status;

	text = stderr_of(host, NULL, argv, &status);
	CHECK(status == 127 && strncmp(text, "zs: exec: no-such-command: ", 27) == 0, "%d %s", status, text);
	text = stderr_of(host, "/no/such/path", argv, &status);
	CHECK(status == 127 && strncmp(text, "zs: exec: /no/such/path: ", 25) == 0, "%d %s", status, text);
	text = stderr_of(host, "/etc/passwd", argv, &status);
	CHECK(status == 126 && strncmp(text, "zs: exec: /etc/passwd: ", 23) == 0, "%d %s", status, text);
	CHECK(zs_tracker_wrap(host->tracker, NULL, (char *[]){ NULL }, NULL, NULL, &error) == -EINVAL, "%s",
		error.what);
	/* A command that comes too late does not run. */
	kill_tracked(host);
	text = stderr_of(host, NULL, (char *[]){ (char *)"sh", (char *)"-c", (char *)"echo ran >&2", NULL }, &status);
	CHECK(status == ZS_EXIT_CANNOT_ENFORCE && strcmp(text, "zs: tracker: it has ended\n") == 0, "%d %s", status,
		text);
	kill_tracked(host);
}

/* Commands that are killed before they have joined must not go on. */
static void raced(struct host *host)
{
	enum { COMMANDS = 20 };
	pid_t pids[COMMANDS];

	for (int i = 0; i < COMMANDS; i++)
		pids[i] = start(host, "exec 2>&-; sleep 1000");
	kill_tracked(host);
	for (int i = 0; i < COMMANDS; i++) {
		int status = wait_for(pids[i]);

		CHECK(status == ZS_EXIT_CANNOT_ENFORCE || status == 1000 + SIGKILL, "%d", status);
	}
	check_ended(host, "raced");
}

PLACES_TEST(tracker_killed_before_commands_join)
{
	int null = open("/dev/null", O_WRONLY), err = dup(STDERR_FILENO);

	dup2(null, STDERR_FILENO);
	raced(host);
	dup2(err, STDERR_FILENO);
	close(null);
	close(err);
}

SLOW_PLACES_TEST(tracker_hundred_at_a_time)
{
	enum { TRACKERS = 100 };
	struct zs_tracker *trackers[TRACKERS];
	struct zs_error error;

	end_tracker(host);
	for (int i = 0; i < TRACKERS; i++) {
		check_ok(zs_tracker_new(NULL, &trackers[i], &error), &error, "tracker");
		host->tracker = trackers[i];
		CHECK(wait_for(start(host, "setsid sleep 1000 & exit 0")) == 0, "%d", i);
	}
	for (int i = 0; i < TRACKERS; i++) {
		if (i % 2 == 0)
			check_ok(zs_tracker_kill(trackers[i], &error), &error, "tracker");
		zs_tracker_free(trackers[i]);
	}
	host->tracker = NULL;
	check_ended(host, "a hundred");
}

/* Forks a child of the host, and grandchildren of it in the background. */
static pid_t fork_host(struct host *host, bool with_child)
{
	pid_t pid = fork();

	if (pid == 0) {
		end_tracker(host); /* which, in a child, ends nothing */
		if (zs_tracker_new(NULL, &host->tracker, NULL) < 0)
			_exit(HARNESS_FAILED);
		wait_for(start(host, "setsid sh -c 'echo up; sleep 1000' & exit 0"));
		/* The grandchild has a copy of the socket, and not of the pipe. */
		if (with_child && fork() == 0) {
			close(host->in);
			close(host->out);
			sleep(3);
			_exit(0);
		}
		pause();
	}
	return pid;
}

SLOW_PLACES_TEST(tracker_host_killed)
{
	for (int with_child = 0; with_child < 2; with_child++) {
		pid_t pid = fork_host(host, with_child);

		check_says(host, "up\n");
		check_alive(host, "host killed");
		kill(pid, SIGKILL);
		check_status(pid, 1000 + SIGKILL);
		CHECK(strcmp(read_out(host, 2000), "") == 0, "%d: something is left", with_child);
		close(host->out);
		/* That has not ended our own tracker. */
		end_tracker(host);
		if (!make_tracker(host))
			return;
	}
}

PLACES_TEST(tracker_is_not_ended_by_a_child_that_frees_it)
{
	pid_t pid;

	wait_for(start(host, "sleep 1000 & exit 0"));
	pid = fork();
	if (pid == 0) {
		end_tracker(host);
		_exit(0);
	}
	wait_for(pid);
	check_alive(host, "freed by a child");
	end_tracker(host);
	check_ended(host, "free");
}

/* The process is a child of this one, which is the subreaper. */
static pid_t only_child(void)
{
	char text[64] = "";
	int fd = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);

	if (read(fd, text, sizeof text - 1) < 0)
		perror("children");
	close(fd);
	return (pid_t)atoi(text);
}

PLACES_TEST(tracker_watchdog_killed)
{
	struct zs_error error;
	pid_t watchdog;

	end_tracker(host);
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	check_ok(zs_tracker_new(NULL, &host->tracker, &error), &error, "tracker");
	watchdog = only_child();
	CHECK(watchdog > 0, "no watchdog");
	wait_for(start(host, "setsid sh -c 'echo up; sleep 1000' & exit 0"));
	check_says(host, "up\n");
	kill(watchdog, SIGKILL);
	check_status(watchdog, 1000 + SIGKILL);
	kill_tracked(host);
	let_go(host);
	check_all_gone(host);
	end_tracker(host);
	/* When a watchdog is killed it leaves a folder, which the next watchdog that ends removes. */
	check_ok(zs_tracker_new(NULL, &host->tracker, &error), &error, "tracker");
	end_tracker(host);
	while (waitpid(-1, NULL, 0) > 0) {
	}
}

/* An abstract socket has no mode. Every process may connect, but without the token none can join. */
PLACES_TEST(tracker_lets_no_stranger_in)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct zs_wrapped wrapped;
	char *argv[] = { (char *)"true", NULL }, *envp[] = { NULL }, answer[64];
	const char *name;
	size_t len;
	int fd;

	CHECK(zs_tracker_wrap(host->tracker, NULL, argv, envp, &wrapped, NULL) == 0, "wrap");
	name = strchr(wrapped.envp[0], '=') + 1;
	len = strcspn(name, " ");
	memcpy(address.sun_path + 1, name, len);
	for (int i = 0; i < 2; i++) {
		fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
		CHECK(connect(fd, (struct sockaddr *)&address,
			      (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + len)) == 0,
			"%s", strerror(errno));
		CHECK(send(fd, i ? "0123456789abcdef0123456789abcdef" : "x", i ? 32 : 1, MSG_NOSIGNAL) > 0, "%s",
			strerror(errno));
		CHECK(recv(fd, answer, sizeof answer, 0) <= 0, "an answer");
		close(fd);
	}
	zs_wrapped_free(&wrapped);
	/* A connection that says nothing does not delay the end. */
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (connect(fd, (struct sockaddr *)&address, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + len)) < 0)
		perror("connect");
	check_status(start(host, "exit 4"), 4);
	CHECK(zs_tracker_kill(host->tracker, NULL) == 0, "kill");
	end_tracker(host);
	close(fd);
}

/* The host's own spawn: a child that gives up its uid before the exec. */
PLACES_TEST(tracker_of_another_uid)
{
	char *argv[] = { (char *)"sh", (char *)"-c", (char *)"setsid sh -c 'id -u; sleep 1000' & exit 0", NULL };
	struct zs_wrapped wrapped;
	pid_t pid;

	if (geteuid() == 0) {
		CHECK(zs_tracker_wrap(host->tracker, NULL, argv, environment, &wrapped, NULL) == 0, "wrap");
		pid = fork();
		if (pid == 0) {
			dup2(host->in, STDOUT_FILENO);
			if (setresgid(NOBODY, NOBODY, NOBODY) < 0 || setresuid(NOBODY, NOBODY, NOBODY) < 0)
				_exit(HARNESS_FAILED);
			execve(wrapped.path, wrapped.argv, wrapped.envp);
			_exit(HARNESS_FAILED);
		}
		check_status(pid, 0);
		check_says(host, "65534\n");
		zs_wrapped_free(&wrapped);
	}
	end_tracker(host);
	check_ended(host, "another uid");
}

/* A confined command is tracked as well, and a tracked process can be a host itself. */
PLACES_TEST(tracker_of_a_confined_command)
{
	char *argv[] = { (char *)"sh", (char *)"-c", (char *)"echo up; sleep 1000", NULL };
	struct zs_policy *policy;
	struct zs_sandbox *sandbox;
	struct zs_wrapped wrapped;
	struct zs_error error;
	pid_t pid;

	CHECK(zs_policy_new(environment, &policy) == 0, "policy");
	for (size_t i = 0; i < 4; i++)
		zs_policy_add_path(
			policy, (const char *[]){ "/usr", "/bin", "/lib", "/lib64" }[i], ZS_ACCESS_EXEC, NULL);
	zs_policy_add_env(policy, "PATH", NULL);
	check_ok(zs_sandbox_new(policy, &sandbox, &error), &error, "sandbox");
	check_ok(zs_wrap(sandbox, argv, environment, &wrapped, &error), &error, "wrap");
	pid = spawn(host, wrapped.path, wrapped.argv, wrapped.envp);
	check_says(host, "up\n");
	kill_tracked(host);
	check_status(pid, 1000 + SIGKILL);
	let_go(host);
	/* The init of its pid namespace ends at once after the supervisor, and not before it. */
	check_all_gone(host);
	zs_wrapped_free(&wrapped);
	zs_sandbox_free(sandbox);
	zs_policy_free(policy);
}

/* The host itself calls clone3(2). */
PLACES_TEST(tracker_cgroup_of_a_host_that_clones)
{
	struct clone_args args = { .flags = CLONE_INTO_CGROUP, .exit_signal = SIGCHLD };
	int cgroup = zs_tracker_cgroup(host->tracker);
	pid_t pid;

	if (cgroup >= 0) {
		args.cgroup = (uint64_t)cgroup;
		pid = (pid_t)syscall(SYS_clone3, &args, sizeof args);
		if (pid == 0) {
			if (fork() >= 0)
				pause();
			_exit(0);
		}
		CHECK(zs_tracker_kill(host->tracker, NULL) == 0, "kill");
		check_status(pid, 1000 + SIGKILL);
		/* The cgroup is gone: no process can enter it after the end. */
		pid = (pid_t)syscall(SYS_clone3, &args, sizeof args);
		if (pid == 0)
			_exit(0);
		CHECK(pid < 0 && (errno == ENODEV || errno == ENOENT), "%s", strerror(errno));
	}
	end_tracker(host);
	check_ended(host, "clone3");
}
