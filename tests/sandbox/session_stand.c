#include "session_stand.h"

#include <poll.h>
#include <sys/wait.h>

#include "attacks.h"

char *stand_text_of(const struct zs_error *error)
{
	static char line[1024];

	zs_error_format(error, line, sizeof line);
	return line;
}

int stand_open(struct stand *stand)
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
	EXPECT(zs_sandbox_new(policy, &stand->sandbox, &error) == 0, "%s", stand_text_of(&error));
	zs_policy_free(policy);
	EXPECT(zs_sandbox_tier(stand->sandbox) == (harness_has_no_namespaces() ? ZS_TIER_LANDLOCK : ZS_TIER_MOUNTS),
		"tier");
	options = (struct zs_session_options){
		.report = stand->report, .tmpdir = stand->tmpdir, .denials = harness_has_denials()
	};
	EXPECT(zs_session_open(stand->sandbox, &options, &stand->session, &error) == 0, "%s", stand_text_of(&error));
	return 0;
}

int stand_begin(const struct stand *stand, struct run *run, const char *attack, const char *a, struct zs_error *error)
{
	const struct attack row = { stand->scratch, attack, a, "" };
	struct attack_run command;
	int in[2], out[2], denials = harness_channel(), r;

	if (pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0)
		return -errno;
	attack_prepare(&row, &command);
	r = zs_session_spawn(stand->session, command.argv, command.envp,
		&(struct zs_spawn_options){
			.cwd = "/", .stdio = (const int[]){ in[0], out[1], STDERR_FILENO }, .denials = denials },
		&run->pid, error);
	if (denials)
		close(denials);
	close(in[0]);
	close(out[1]);
	run->in = in[1];
	run->out = out[0];
	return r;
}

bool stand_begins(const struct stand *stand, struct run *run, const char *attack, const char *a)
{
	struct zs_error error = { 0 };
	bool begins = stand_begin(stand, run, attack, a, &error) == 0 && stand_read_pid(run) > 1;

	if (!begins)
		printf("%s: %s\n", attack, stand_text_of(&error));
	return begins;
}

int stand_status_of(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		return -errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int stand_read_pid(const struct run *run)
{
	char line[32] = "";

	return read(run->out, line, sizeof line - 1) > 0 ? atoi(line) : -1;
}

bool stand_is_silent(const struct run *run, int milliseconds)
{
	struct pollfd event = { run->out, POLLIN, 0 };
	char text[256];

	while (poll(&event, 1, milliseconds) == 1)
		if (read(run->out, text, sizeof text) == 0)
			return true;
	return false;
}

int stand_run_one(const struct stand *stand, const char *attack, const char *a)
{
	struct zs_error error = { 0 };
	struct run run;
	int r = stand_begin(stand, &run, attack, a, &error);

	if (r < 0)
		printf("%s: %s\n", attack, stand_text_of(&error));
	close(run.in);
	r = r < 0 ? r : stand_status_of(run.pid);
	close(run.out);
	return r;
}

static void as_each_user(const struct stand *values, int (*body)(void *arg))
{
	AS_EACH_USER (scratch) {
		struct stand stand = *values;
		struct result result;

		stand.scratch = &scratch;
		run_child(scratch.owner, body, &stand, &result);
		CHECK(result.status == 0, "%s: %d %s%s", stand.kind, result.status, result.out, result.err);
	}
}

static int run_body(void *arg)
{
	struct stand *stand = arg;
	int r = stand->is_open ? stand_open(stand) : 0;

	if (r == 0)
		r = stand->body(stand);
	if (r == 0 && stand->is_open)
		zs_session_close(stand->session);
	return r;
}

void stand_as_each_user(int (*body)(struct stand *stand), const char *kind, void (*more)(struct zs_policy *policy))
{
	as_each_user(&(struct stand){ .kind = kind, .more = more, .body = body }, run_body);
}

void stand_in_session(int (*body)(struct stand *stand), const char *kind, void (*more)(struct zs_policy *policy))
{
	as_each_user(&(struct stand){ .kind = kind, .more = more, .body = body, .is_open = true }, run_body);
}

void stand_run_again(const char *const names[], const char *variable, bool docker)
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

void stand_read_children(pid_t parent, pid_t ret_children[2])
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

pid_t stand_find_child(bool runner)
{
	pid_t children[2];

	stand_read_children(getpid(), children);
	return children[runner];
}

bool stand_is_all_gone(void)
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
