/* Sessions: what their runs keep and share, the requests to them, and what they refuse. */
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "attacks.h"
#include "harness.h"
#include "enforce/session_request.h"
#include "session_stand.h"

/* Tests of zs_spawn() that look at the command, which must be the same in a session. */
SLOW_TEST(session_keeps_what_a_run_of_its_own_does)
{
	RUN_AGAIN(HARNESS_SESSION_ENV, false, "=privileges", "=setuid_program_gains_nothing", "=ipc_and_keys_of_others",
		"=descriptors", "=environment_arrives", "=exit_codes", "=spawn_options", "=limits_hold",
		"=limits_bind_the_command_and_not_the_stages", "=limits_never_raise", "=seccomp_stops_each_call",
		"=seccomp_datagram_pair_reaches_nobody", "=one_program_runs_with_what_it_loads",
		"=script_runs_with_its_interpreter", "=file_attacks", "=nothing_is_above_the_root_directory",
		"=sockets_in_the_workspace", "=network");
}

SLOW_TEST(session_without_namespaces_keeps_what_a_run_of_its_own_does)
{
	RUN_AGAIN(HARNESS_SESSION_ENV, false, "=landlock_tier_files", "=landlock_tier_network",
		"=landlock_tier_processes", "=landlock_tier_privileges_and_ipc", "=landlock_tier_approved_places");
}

SLOW_TEST(session_without_namespaces)
{
	RUN_AGAIN(NULL, true, "=session_run_ends_with_all_that_it_started",
		"=session_run_that_is_killed_leaves_nothing", "=session_of_many_runs_that_are_killed",
		"=session_passes_signals_on_and_ends_in_time",
		"=session_command_reaches_neither_supervisor_nor_init_nor_other_runs",
		"=session_survives_a_run_that_takes_every_process",
		"=session_ends_with_its_host_its_session_parent_and_its_close",
		"=session_run_whose_supervisor_is_killed_at_once",
		"=session_run_whose_supervisor_is_killed_before_the_exec", "=session_answers_before_it_complains",
		"=session_of_several_threads", "=session_requests_are_bounded", "=session_refuses_what_it_cannot_do",
		"=session_folder_of_tmpdir_goes_with_it");
}

SLOW_TEST(session_with_denials_keeps_what_a_session_does)
{
	RUN_AGAIN(HARNESS_DENIALS_ENV, false, "=privileges", "=descriptors", "=exit_codes", "=spawn_options",
		"=limits_bind_the_command_and_not_the_stages", "=seccomp_stops_each_call", "=file_attacks",
		"=script_runs_with_its_interpreter", "=sockets_in_the_workspace",
		"=session_run_ends_with_all_that_it_started", "=session_run_that_is_killed_leaves_nothing",
		"=session_of_many_runs_that_are_killed", "=session_passes_signals_on_and_ends_in_time",
		"=session_command_reaches_neither_supervisor_nor_init_nor_other_runs",
		"=session_ends_with_its_host_its_session_parent_and_its_close",
		"=session_run_whose_supervisor_is_killed_at_once",
		"=session_run_whose_supervisor_is_killed_before_the_exec", "=session_answers_before_it_complains",
		"=session_of_several_threads");
}

static int count_descriptors(void)
{
	int count = 0;

	for (int fd = 0; fd < 1024; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

SLOW_STAND_TEST(session_of_a_thousand_runs)
{
	int before;

	if (stand_open(stand))
		return 1;
	before = count_descriptors();
	for (int i = 0; i < 1000; i++)
		EXPECT(stand_run_one(stand, "ok", "") == 0, "run %d", i);
	EXPECT(count_descriptors() == before, "%d descriptors, not %d", count_descriptors(), before);
	EXPECT(waitpid(-1, NULL, WNOHANG) == 0, "a child that nobody knows");
	zs_session_close(stand->session);
	EXPECT(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD, "there is a child");
	return 0;
}

static void *run_some(void *arg)
{
	static const int statuses[] = { 3, 17, 42, 99 };
	const struct stand *stand = arg;
	char text[8];

	for (size_t i = 0; i < 100; i++) {
		snprintf(text, sizeof text, "%d", statuses[i % 4]);
		if (stand_run_one(stand, "stay", text) != statuses[i % 4])
			return (void *)"failed";
	}
	return NULL;
}

SESSION_TEST(session_of_several_threads)
{
	pthread_t threads[4];
	void *failed;

	for (int i = 0; i < 4; i++)
		EXPECT(pthread_create(&threads[i], NULL, run_some, stand) == 0, "thread");
	for (int i = 0; i < 4; i++)
		EXPECT(pthread_join(threads[i], &failed) == 0 && !failed, "thread %d", i);
	return 0;
}

/* Requests */

/* Makes one variable of this many bytes, or as many small ones as it takes. */
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

static int requests_of_all_sizes(struct stand *stand)
{
	static const struct {
		size_t bytes;
		int result, status;
	} rows[] = {
		{ 0, 0, 0 },
		{ ZS_SESSION_INLINE_BYTES - 2000, 0, 0 },
		{ ZS_SESSION_INLINE_BYTES + 2000, 0, 0 }, /* sent in a file from here on */
		{ 1000 * 1000, 0, 0 },
		{ 5 * 1000 * 1000, 0, ZS_EXIT_CANNOT_EXECUTE }, /* the kernel's own limit */
		{ ZS_SESSION_BYTES_MAX + 2000, -E2BIG, 0 },
	};
	struct rlimit stack = { 8 << 20, 8 << 20 };
	char *argv[] = { (char *)stand->scratch->prog, NULL };
	struct zs_error error = { 0 };
	int before;

	/* execve(2) takes at most a quarter of it. */
	EXPECT(setrlimit(RLIMIT_STACK, &stack) == 0, "setrlimit");
	if (stand_open(stand))
		return 1;
	before = count_descriptors();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		pid_t pid;
		int r = zs_session_spawn(stand->session, argv, make_variables(rows[i].bytes), NULL, &pid, &error);

		EXPECT(r == rows[i].result, "%zu bytes: %s", rows[i].bytes, stand_text_of(&error));
		EXPECT(r < 0 || stand_status_of(pid) == rows[i].status, "%zu bytes", rows[i].bytes);
	}
	EXPECT(count_descriptors() == before, "descriptors");
	zs_session_close(stand->session);
	return 0;
}

static int too_many_runs(struct stand *stand)
{
	struct zs_error error = { 0 };
	static struct run runs[ZS_SESSION_RUNS_MAX + 1];

	for (int i = 0; i < ZS_SESSION_RUNS_MAX; i++)
		EXPECT(stand_begin(stand, &runs[i], "stay", "5", &error) == 0, "%d: %s", i, stand_text_of(&error));
	EXPECT(stand_begin(stand, &runs[ZS_SESSION_RUNS_MAX], "stay", "5", &error) == -EAGAIN, "one more");
	EXPECT(strcmp(stand_text_of(&error), "zs: session: 128 runs are going on") == 0, "%s", stand_text_of(&error));
	/* The other runs are not disturbed, and a place that has become free is used again. */
	close(runs[77].in);
	EXPECT(stand_status_of(runs[77].pid) == 5, "its status");
	for (int tries = 0; stand_begin(stand, &runs[77], "stay", "6", &error) < 0; tries++) {
		EXPECT(tries < 300, "%s", stand_text_of(&error));
		usleep(10 * 1000);
	}
	for (int i = 0; i < ZS_SESSION_RUNS_MAX; i++) {
		close(runs[i].in);
		EXPECT(stand_status_of(runs[i].pid) == (i == 77 ? 6 : 5), "%d", i);
	}
	return 0;
}

TEST(session_requests_are_bounded)
{
	stand_as_each_user(requests_of_all_sizes, "sizes", NULL);
	stand_in_session(too_many_runs, "runs", NULL);
}

/* The run refuses with a line and exits with 125, or the call refuses. */
STAND_TEST(session_refuses_what_it_cannot_do)
{
	char *argv[] = { (char *)stand->scratch->prog, NULL }, *envp[] = { (char *)ATTACK_ENV "=ok", NULL };
	char *none[] = { NULL };
	struct zs_error error = { 0 };
	int folder = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC), pipes[2], r;
	int network = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	char line[512] = "";
	pid_t pid, copy;

	if (stand_open(stand))
		return 1;
	EXPECT(pipe2(pipes, O_CLOEXEC) == 0, "pipe");
	const struct {
		struct zs_spawn_options options;
		const char *line;
	} rows[] = {
		{ { .cwd = "/no/such/folder", .stdio = (const int[]){ 0, 1, pipes[1] } },
			"zs: session: /no/such/folder: no such file or directory; the working directory must be "
			"granted, "
			"or be the one in which the host opened the session\n" },
		{ { .cwd = "/", .stdio = (const int[]){ folder, 1, pipes[1] } },
			"zs: session: standard input: is a directory, through which the command could reach other "
			"files; redirect it to a file or to /dev/null\n" },
		{ { .cwd = "/", .stdio = (const int[]){ 0, network, pipes[1] } },
			"zs: session: standard output: is a socket that the command could connect to other peers; "
			"put a pipe between: cat | zs …\n" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		EXPECT(zs_session_spawn(stand->session, argv, envp, &rows[i].options, &pid, &error) == 0, "%s",
			stand_text_of(&error));
		EXPECT(stand_status_of(pid) == ZS_EXIT_CANNOT_ENFORCE, "row %zu", i);
		memset(line, 0, sizeof line);
		EXPECT(read(pipes[0], line, sizeof line - 1) > 0 && strcmp(line, rows[i].line) == 0, "%s", line);
	}
	EXPECT(zs_session_spawn(stand->session, none, envp, NULL, &pid, &error) == -EINVAL, "no command");
	r = zs_session_spawn(
		stand->session, argv, envp, &(struct zs_spawn_options){ .executable = "/bin/true" }, &pid, &error);
	EXPECT(r == -EINVAL && strcmp(error.object, "executable") == 0, "%s", stand_text_of(&error));
	r = zs_session_spawn(stand->session, argv, envp, &(struct zs_spawn_options){ .overlay = 9 }, &pid, &error);
	EXPECT(r == -EINVAL && strcmp(error.object, "overlay") == 0, "%s", stand_text_of(&error));
	r = zs_session_spawn(stand->session, argv, envp, &(struct zs_spawn_options){ .denials = 9 }, &pid, &error);
	EXPECT(r == -EINVAL && strcmp(error.object, "denials") == 0, "%s", stand_text_of(&error));
	r = zs_session_spawn(stand->session, argv, envp,
		&(struct zs_spawn_options){ .stdio = (const int[]){ 0, 1000, 2 } }, &pid, &error);
	EXPECT(r == -EBADF, "%s", stand_text_of(&error));
	/* A copy of the host does not count: neither its runs nor its end. */
	copy = fork();
	if (copy == 0) {
		r = zs_session_spawn(stand->session, argv, envp, NULL, &pid, &error);
		zs_session_close(stand->session);
		_exit(r == -EINVAL ? 0 : 1);
	}
	EXPECT(stand_status_of(copy) == 0, "the copy");
	EXPECT(stand_run_one(stand, "ok", "") == 0, "the next");
	zs_session_close(stand->session);
	return 0;
}

/* A host with one thread reads the run's error only after it has its answer, and the pipe may be full by then. */
SESSION_TEST(session_answers_before_it_complains)
{
	enum { SECONDS = 60 }; /* a process that waits for the reader would wait for ever */
	static const struct {
		const char *cwd, *program;
		bool bad_input;
		int status;
		const char *line;
	} rows[] = {
		{ "/no/such/folder", NULL, false, ZS_EXIT_CANNOT_ENFORCE, "zs: session: /no/such/folder: " },
		{ "/", "/no/such/program", false, ZS_EXIT_NOT_FOUND, "zs: exec: /no/such/program: " },
		{ "/", NULL, true, ZS_EXIT_CANNOT_ENFORCE, "zs: session: standard input: " },
	};
	int folder = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	alarm(SECONDS);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *argv[] = { (char *)(uintptr_t)(rows[i].program ? rows[i].program : stand->scratch->prog), NULL };
		char *envp[] = { (char *)ATTACK_ENV "=ok", NULL }, text[4096];
		struct zs_error error = { 0 };
		int pipes[2], status;
		ssize_t len, last = 0;
		pid_t pid;

		EXPECT(pipe2(pipes, O_CLOEXEC) == 0 && fcntl(pipes[1], F_SETFL, O_NONBLOCK) == 0, "pipe");
		memset(text, '.', sizeof text);
		while (write(pipes[1], text, sizeof text) > 0) {
		}
		EXPECT(fcntl(pipes[1], F_SETFL, 0) == 0, "pipe");
		EXPECT(zs_session_spawn(stand->session, argv, envp,
			       &(struct zs_spawn_options){ .cwd = rows[i].cwd,
				       .stdio = (const int[]){ rows[i].bad_input ? folder : 0, 1, pipes[1] } },
			       &pid, &error) == 0,
			"row %zu: %s", i, stand_text_of(&error));
		close(pipes[1]);
		while ((len = read(pipes[0], text, sizeof text - 1)) > 0)
			last = len;
		text[last] = '\0';
		EXPECT(strstr(text, rows[i].line), "row %zu: %s", i, text);
		close(pipes[0]);
		status = stand_status_of(pid);
		EXPECT(status == rows[i].status, "row %zu: %d", i, status);
	}
	return 0;
}

static int refused_policies(struct stand *stand)
{
	static const struct {
		enum zs_workspace workspace;
		enum zs_network network;
		uint64_t processes;
		const char *root, *field;
	} rows[] = {
		{ ZS_WORKSPACE_OVERLAY, ZS_NETWORK_NONE, 0, NULL, "workspace: overlay" },
		{ ZS_WORKSPACE_READ, ZS_NETWORK_NONE, 9, NULL, "limits: processes" },
		{ ZS_WORKSPACE_READ, ZS_NETWORK_NONE, 0, "/usr", "root" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct zs_policy *policy;
		struct zs_sandbox *sandbox;
		struct zs_session *session;
		struct zs_error error = { 0 };

		EXPECT(zs_policy_new(NULL, &policy) == 0, "policy");
		zs_policy_set_workspace(policy, scratch_path(stand->scratch, "ws"), rows[i].workspace, NULL);
		zs_policy_set_network(policy, rows[i].network, NULL);
		if (rows[i].root)
			EXPECT(zs_policy_set_root(policy, rows[i].root, false, NULL) == 0, "root");
		if (rows[i].processes)
			zs_policy_set_limit(policy, ZS_LIMIT_PROCESSES, rows[i].processes, NULL);
		if (zs_sandbox_new(policy, &sandbox, &error) < 0)
			continue; /* the machine itself cannot do it */
		EXPECT(zs_session_open(sandbox, NULL, &session, &error) == -EOPNOTSUPP, "%s", rows[i].field);
		EXPECT(strcmp(error.object, rows[i].field) == 0, "%s", stand_text_of(&error));
		zs_sandbox_free(sandbox);
		zs_policy_free(policy);
	}
	return 0;
}

static int session_parent_that_is_none(struct stand *stand)
{
	static const struct {
		const char *executable;
		int result;
	} rows[] = { { "/no/such/helper", -ENOENT }, { "/bin/true", -EPIPE } };
	struct zs_session *session;
	struct zs_error error = { 0 };
	int before;

	if (stand_open(stand))
		return 1;
	before = count_descriptors();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct zs_session_options options = { .executable = rows[i].executable };
		int r = zs_session_open(stand->sandbox, &options, &session, &error);

		EXPECT(r == rows[i].result, "%s: %s", rows[i].executable, stand_text_of(&error));
	}
	EXPECT(strstr(stand_text_of(&error), "zs_exec_shim() first?"), "%s", stand_text_of(&error));
	EXPECT(count_descriptors() == before, "descriptors");
	zs_session_close(stand->session);
	EXPECT(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD, "there is a child");
	return 0;
}

TEST(session_that_cannot_be_opened)
{
	stand_as_each_user(refused_policies, "policies", NULL);
	stand_as_each_user(session_parent_that_is_none, "session parents", NULL);
}

/* The parts that the runs of one session share, and those of two sessions do not. */
static int share(struct stand *stand)
{
	struct zs_session *first;

	if (stand_open(stand))
		return 1;
	first = stand->session;
	EXPECT(stand_run_one(stand, "write", "/tmp/left") == 0, "write");
	EXPECT(stand_run_one(stand, "read", "/tmp/left") == 0, "read");
	if (stand_open(stand))
		return 1;
	EXPECT(stand_run_one(stand, "read", "/tmp/left") == ENOENT, "another session's /tmp");
	EXPECT(access("/tmp/left", F_OK) < 0, "the machine's /tmp");
	zs_session_close(first);
	zs_session_close(stand->session);
	return 0;
}

TEST(session_shares_its_private_folders)
{
	stand_as_each_user(share, "tmp", NULL);
}

/* In the Landlock tier returns the folder for temporary files, else "". */
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
	if (stand_open(stand))
		return 1;
	EXPECT(*find_folder(stand), "there is no folder");
	snprintf(file, sizeof file, "%s/left", find_folder(stand));
	EXPECT(stand_run_one(stand, "write", file) == 0, "write");
	EXPECT(stand_run_one(stand, "read", file) == 0, "read");
	EXPECT(stand_run_one(stand, "write", scratch_path(stand->scratch, "out/file")) == EACCES, "beside it");
	snprintf(file, sizeof file, "%s/folder", find_folder(stand));
	EXPECT(stand_run_one(stand, "mkdir", file) == 0, "mkdir");
	EXPECT(stand_begin(stand, ret_run, "storm", "stay", &error) == 0 && stand_read_pid(ret_run) > 1, "%s",
		stand_text_of(&error));
	return 0;
}

/* The folder is removed, whatever ends the session. */
static int leave_a_folder(struct stand *stand)
{
	struct zs_session *first;
	struct run run;
	pid_t part;

	if (fill_folder(stand, &run))
		return 1;
	part = strcmp(stand->kind, "close") == 0 ? 0 : stand_find_child(strcmp(stand->kind, "runner") == 0);
	if (part > 0)
		kill(part, SIGKILL);
	first = stand->session;
	zs_session_close(first);
	/* A guard that was killed cannot remove it, so the test does. */
	EXPECT(part > 0 || !*find_folder(stand), "%s is there", find_folder(stand));
	EXPECT(stand_status_of(run.pid) == 128 + SIGKILL && stand_is_silent(&run, 3000), "something of it lives");
	EXPECT(stand_is_all_gone(), "something lives");
	EXPECT(!*find_folder(stand), "%s is there", find_folder(stand));
	return 0;
}

static int wrong_folder(struct stand *stand)
{
	struct zs_session *session;
	struct zs_error error = { 0 };
	struct zs_session_options options = { .tmpdir = "/no/such/folder" };

	EXPECT(zs_session_open(stand->sandbox, &options, &session, &error) == -ENOENT, "%s", stand_text_of(&error));
	EXPECT(strcmp(stand_text_of(&error),
		       "zs: session: tmp: /no/such/folder: no such file or directory; set TMPDIR to a "
		       "folder in which this user can make one") == 0,
		"%s", stand_text_of(&error));
	return 0;
}

TEST(session_folder_of_tmpdir_goes_with_it)
{
	static const char *const ends[] = { "close", "session parent", "runner" };

	for (size_t i = 0; harness_has_no_namespaces() && i < sizeof ends / sizeof *ends; i++)
		stand_as_each_user(leave_a_folder, ends[i], NULL);
	if (harness_has_no_namespaces())
		stand_in_session(wrong_folder, "folder", NULL);
}

/* The session parent must not believe the bytes that it reads. */
TEST(session_request_that_is_none)
{
	char *argv[] = { (char *)"a", (char *)"", NULL }, *envp[] = { (char *)"B=1", NULL };
	const struct zs_session_command command = { "/w", argv, envp };
	struct zs_session_command got = { 0 };
	struct zs_session_request *request;
	struct zs_session_head head, wrong;
	char *body;

	CHECK(zs_session_pack(&command, &request) == 0, "pack");
	head = request->head;
	body = request->body;
	CHECK(head.bytes == 10 && head.argc == 2 && head.envc == 1, "%u bytes", head.bytes);
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
	free(request);
}
