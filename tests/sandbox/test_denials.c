/* The records that a host of the library gets of its runs: zs_denials_channel(), zs_spawn(), zs_denials_collect(). */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "harness.h"
#include "session_stand.h"
#include "zs_denials.h"

struct host {
	const char *workspace, *granted, *script;
	bool dead; /* the supervisor is killed before its run has ended */
};

/* A host with its sandbox, and with a session where one is opened. */
struct stand_of_host {
	struct zs_policy *policy;
	struct zs_sandbox *sandbox;
	struct zs_session *session;
};

static char *const variables[] = { (char *)"HOME=/nowhere", (char *)"PATH=/usr/bin:/bin", NULL };

static void begin_host(const struct host *host, bool session, bool denials, struct stand_of_host *ret_stand)
{
	const struct zs_session_options options = { .denials = denials };
	struct zs_error error = { 0 };

	*ret_stand = (struct stand_of_host){ 0 };
	check_ok(zs_policy_default(host->workspace, variables, &ret_stand->policy, &error), &error, "policy");
	check_ok(zs_policy_add_path(ret_stand->policy, host->granted, ZS_ACCESS_READ, &error), &error, "path");
	for (int i = 0; harness_has_no_namespaces() && i < ZS_PROMISE_COUNT; i++)
		check_ok(zs_policy_give_up(ret_stand->policy, (enum zs_promise)i, &error), &error, "promise");
	check_ok(zs_sandbox_new(ret_stand->policy, &ret_stand->sandbox, &error), &error, "sandbox");
	if (session)
		check_ok(zs_session_open(ret_stand->sandbox, &options, &ret_stand->session, &error), &error, "session");
}

static void end_host(struct stand_of_host *stand)
{
	zs_session_close(stand->session);
	zs_sandbox_free(stand->sandbox);
	zs_policy_free(stand->policy);
}

struct collected_run {
	pid_t pid;
	int channel;
};

static void begin_run(
	const struct host *host, const struct stand_of_host *stand, const char *script, struct collected_run *ret_run)
{
	char *argv[] = { (char *)"/bin/sh", (char *)"-c", (char *)(uintptr_t)script, NULL };
	struct zs_spawn_options options = { .cwd = host->workspace };
	struct zs_error error = { 0 };
	int ends[2];

	check_ok(zs_denials_channel(ends), &error, "channel");
	options.denials = ends[1];
	check_ok(stand->session ? zs_session_spawn(stand->session, argv, variables, &options, &ret_run->pid, &error)
				: zs_spawn(stand->sandbox, argv, variables, &options, &ret_run->pid, &error),
		&error, "spawn");
	close(ends[1]);
	ret_run->channel = ends[0];
}

/* Prints the records as lines, and then the ends: that of the collecting, of the run, and of its process. */
static int end_run(const struct stand_of_host *stand, const struct collected_run *run)
{
	int status = -1, waited, r;
	struct zs_denials *denials;
	struct zs_error error = { 0 };
	char line[1024];
	bool blind;

	r = zs_denials_collect(stand->policy, run->channel, &denials, &status, &blind, &error);
	close(run->channel);
	for (size_t i = 0; denials && i < zs_denials_count(denials); i++) {
		const struct zs_denial *row = zs_denials_get(denials, i);

		zs_denial_format(row, NULL, line, sizeof line);
		printf("%s|%d|%d\n", line, row->error, row->decisive);
	}
	if (waitpid(run->pid, &waited, 0) < 0)
		return HARNESS_FAILED;
	printf("%d|%d|%d|%d\n", r, status, blind, WIFEXITED(waited) ? WEXITSTATUS(waited) : -WTERMSIG(waited));
	fflush(stdout);
	zs_denials_free(denials);
	return 0;
}

static int collect_in(const struct host *host, bool session)
{
	struct stand_of_host stand;
	struct collected_run run;
	int r;

	begin_host(host, session, session, &stand);
	begin_run(host, &stand, host->script, &run);
	if (host->dead)
		kill(run.pid, SIGKILL);
	r = end_run(&stand, &run);
	end_host(&stand);
	return r;
}

static int collect(void *arg)
{
	return collect_in(arg, false);
}

static int collect_in_session(void *arg)
{
	return collect_in(arg, true);
}

/* Listens outside, where a run does not reach it. Returns its port. */
static unsigned listen_outside(int *ret_listener)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof at;

	*ret_listener = harness_listen(SOCK_STREAM, &at, size);
	CHECK(getsockname(*ret_listener, (struct sockaddr *)&at, &size) == 0, "getsockname");
	return ntohs(at.sin_port);
}

/* One connection to a port where somebody listens outside, and one to a port where nobody does. */
static void check_connections(int (*collect_it)(void *host))
{
	AS_EACH_USER (scratch) {
		static struct result result;
		char workspace[128], script[256], want[256];
		struct host host = { .workspace = workspace, .granted = workspace, .script = script };
		int listener, other;
		unsigned port = listen_outside(&listener), closed = listen_outside(&other);

		close(other);
		snprintf(workspace, sizeof workspace, "%s", scratch_path(&scratch, "ws"));
		snprintf(script, sizeof script,
			"for p in %u %u; do bash -c \"echo >/dev/tcp/127.0.0.1/$p\" 2>&-; done; exit 3", closed, port);
		snprintf(want, sizeof want,
			"connect 127.0.0.1:%u: no such host is allowed; --host 127.0.0.1:%u|%d|1\n0|3|0|3\n", port,
			port, ECONNREFUSED);
		run_child(scratch.owner, collect_it, &host, &result);
		/* In a session bash also has a record of the socket by which libc would ask nscd. */
		snprintf(script, sizeof script, "127.0.0.1:%u", closed);
		CHECK(result.status == 0 && strstr(result.out, want) && !strstr(result.out, script), "%d\n%s\n%s%s",
			result.status, result.out, want, result.err);
		close(listener);
	}
}

static void check_host(int (*collect_it)(void *host))
{
	AS_EACH_USER (scratch) {
		static struct result result;
		static char want[1024];
		struct host host = { .script = "mkdir ../ro/new; unshare -U true; exit 7" };
		char workspace[128], granted[128];

		snprintf(workspace, sizeof workspace, "%s", scratch_path(&scratch, "ws"));
		snprintf(granted, sizeof granted, "%s", scratch_path(&scratch, "ro"));
		host.workspace = workspace;
		host.granted = granted;
		run_child(scratch.owner, collect_it, &host, &result);
		snprintf(want, sizeof want,
			"write %s/new: granted only to read; --rw %s|%d|1\n"
			"system call unshare: refused by seccomp; no option grants it|%d|1\n0|7|0|7\n",
			granted, granted, EROFS, EPERM);
		CHECK(result.status == 0 && strcmp(result.out, want) == 0, "%d\n%s%s%s", result.status, result.out,
			want, result.err);
		/* No list is made for a run that succeeds and refuses nothing. */
		host.script = "echo x >made; cat made >/dev/null";
		run_child(scratch.owner, collect_it, &host, &result);
		CHECK(result.status == 0 && strcmp(result.out, "0|0|0|0\n") == 0, "%d\n%s%s", result.status, result.out,
			result.err);
		host.script = "sleep 1000";
		host.dead = true;
		run_child(scratch.owner, collect_it, &host, &result);
		snprintf(want, sizeof want, "%d|-1|0|%d\n", -ESRCH, -SIGKILL);
		CHECK(result.status == 0 && strcmp(result.out, want) == 0, "%d\n%s%s", result.status, result.out,
			result.err);
	}
}

TEST(a_host_gets_the_denials_of_its_run)
{
	check_host(collect);
	check_connections(collect);
}

TEST(a_host_gets_the_denials_of_a_sessions_run)
{
	check_host(collect_in_session);
	check_connections(collect_in_session);
}

/* Two runs at once, one of which is refused without end. Then one without records, one that is blind to nothing, and a
 * session that was opened without them. */
static int share_session(void *arg)
{
	const struct host *host = arg;
	char *argv[] = { (char *)"/bin/sh", (char *)"-c", (char *)"unshare -U true 2>&1; exit 5", NULL };
	const struct zs_spawn_options plain = { .cwd = host->workspace };
	struct zs_spawn_options options = { .denials = 9 };
	struct collected_run flood, own;
	struct zs_error error = { 0 };
	struct stand_of_host stand;
	unsigned times = 0, order = 0;
	struct zs_denials *denials;
	int status, waited, r;
	bool blind;
	pid_t pid;

	begin_host(host, true, true, &stand);
	begin_run(host, &stand,
		"i=0; while test $i -lt 3000; do i=$((i+1)); test $i != 9 || : >begun; (: >../ro/x$i) 2>&-; done; exit "
		"1",
		&flood);
	for (int i = 0; i < 5; i++) {
		begin_run(host, &stand, "while ! test -e begun; do :; done; mkdir ../ro/own 2>&-; exit 4", &own);
		if (end_run(&stand, &own) != 0)
			return HARNESS_FAILED;
	}
	r = zs_denials_collect(stand.policy, flood.channel, &denials, &status, &blind, &error);
	close(flood.channel);
	for (size_t i = 0; denials && i < zs_denials_count(denials); i++)
		times += zs_denials_get(denials, i)->times;
	order = (unsigned)(times + zs_denials_others(denials));
	printf("%d|%d|%u|%d\n", r, status, order, zs_denials_count(denials) <= ZS_DENIALS_MAX);
	zs_denials_free(denials);
	waitpid(flood.pid, NULL, 0);
	fflush(stdout);
	check_ok(zs_session_spawn(stand.session, argv, variables, &plain, &pid, &error), &error, "spawn");
	waitpid(pid, &waited, 0);
	printf("%d\n", WEXITSTATUS(waited));
	end_host(&stand);
	begin_host(host, true, false, &stand);
	r = zs_session_spawn(stand.session, argv, variables, &options, &pid, &error);
	printf("%d %s\n", r, error.object);
	fflush(stdout);
	end_host(&stand);
	return 0;
}

TEST(runs_of_a_session_have_denials_of_their_own)
{
	AS_EACH_USER (scratch) {
		static struct result result;
		static char want[4096];
		struct host host = { 0 };
		char workspace[128], granted[128], *at = want;

		snprintf(workspace, sizeof workspace, "%s", scratch_path(&scratch, "ws"));
		snprintf(granted, sizeof granted, "%s", scratch_path(&scratch, "ro"));
		host.workspace = workspace;
		host.granted = granted;
		run_child(scratch.owner, share_session, &host, &result);
		for (int i = 0; i < 5; i++)
			at += sprintf(at, "write %s/own: granted only to read; --rw %s|%d|1\n0|4|0|4\n", granted,
				granted, EROFS);
		sprintf(at, "0|1|3000|1\nunshare: unshare failed: Operation not permitted\n5\n%d denials\n", -EINVAL);
		CHECK(result.status == 0 && strcmp(result.out, want) == 0, "%d\n%s\n%s%s", result.status, result.out,
			want, result.err);
	}
}

/* The child of the session's init. */
static pid_t find_observer(void)
{
	pid_t session_parent[2], init[2], observer[2];

	stand_read_children(getpid(), session_parent);
	stand_read_children(session_parent[0], init);
	stand_read_children(init[0], observer);
	return observer[0];
}

/* No command reaches the observer. When somebody outside kills it, what it has looked at is refused, and no run hangs.
 */
static int lose_observer(void *arg)
{
	const struct host *host = arg;
	char *argv[] = { (char *)"/bin/mkdir", (char *)"plain", NULL };
	const struct zs_spawn_options plain = { .cwd = host->workspace };
	struct collected_run run;
	struct zs_error error = { 0 };
	struct stand_of_host stand;
	int begun[2];
	pid_t pid;

	begin_host(host, true, true, &stand);
	begin_run(host, &stand,
		"for p in /proc/[0-9]*; do p=${p#/proc/}; test $p = $$ || kill -9 $p; test $p = $$ || kill -STOP $p; "
		"done 2>&-; exit 1",
		&run);
	end_run(&stand, &run);
	if (pipe(begun) < 0 || find_observer() <= 0)
		return HARNESS_FAILED;
	begin_run(
		host, &stand, "mkdir ../ro/new 2>&-; : >begun; while ! test -e go; do :; done; mkdir made 2>&-", &run);
	for (char path[256] = ""; !*path || access(path, F_OK) < 0;)
		snprintf(path, sizeof path, "%s/begun", host->workspace);
	kill(find_observer(), SIGKILL);
	close(creat(strcat(strcpy((char[256]){ 0 }, host->workspace), "/go"), 0600));
	end_run(&stand, &run);
	begin_run(host, &stand, "mkdir made", &run);
	end_run(&stand, &run);
	check_ok(zs_session_spawn(stand.session, argv, variables, &plain, &pid, &error), &error, "spawn");
	printf("%d\n", stand_status_of(pid));
	fflush(stdout);
	end_host(&stand);
	return 0;
}

TEST(a_session_without_its_observer_lets_nothing_pass)
{
	AS_EACH_USER (scratch) {
		static struct result result;
		static char want[1024];
		struct host host = { 0 };
		char workspace[128], granted[128];

		snprintf(workspace, sizeof workspace, "%s", scratch_path(&scratch, "ws"));
		snprintf(granted, sizeof granted, "%s", scratch_path(&scratch, "ro"));
		host.workspace = workspace;
		host.granted = granted;
		run_child(scratch.owner, lose_observer, &host, &result);
		snprintf(want, sizeof want,
			"0|1|0|1\nwrite %s/new: granted only to read; --rw %s|%d|1\n0|126|0|126\n0|125|0|125\n0\n",
			granted, granted, EROFS);
		CHECK(result.status == 0 && strcmp(result.out, want) == 0 &&
				access(scratch_path(&scratch, "ws/made"), F_OK) < 0 &&
				access(scratch_path(&scratch, "ws/plain"), F_OK) == 0,
			"%d\n%s\n%s%s", result.status, result.out, want, result.err);
	}
}

TEST(a_sessions_run_says_whether_it_is_blind)
{
	AS_EACH_USER (scratch) {
		static struct result result;
		struct host host = { .script = "mkdir missing/new 2>&-; exit 7" };
		char workspace[128], granted[128];

		snprintf(workspace, sizeof workspace, "%s", scratch_path(&scratch, "ws"));
		snprintf(granted, sizeof granted, "%s", scratch_path(&scratch, "ro"));
		host.workspace = workspace;
		host.granted = granted;
		run_child(scratch.owner, collect_in_session, &host, &result);
		CHECK(result.status == 0 &&
				strcmp(result.out, harness_has_no_namespaces() ? "0|7|1|7\n" : "0|7|0|7\n") == 0,
			"%d\n%s%s", result.status, result.out, result.err);
	}
}

TEST(a_sessions_run_without_namespaces_is_blind)
{
	RUN_AGAIN(NULL, true, "=a_sessions_run_says_whether_it_is_blind");
}
