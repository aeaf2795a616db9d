/* The daemon of a named session: named_session.h. */
#include "linux/named_daemon.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/read_file.h"
#include "exec_command.h"
#include "linux/base/fd_message.h"
#include "linux/base/process_calls.h"
#include "linux/limits/run_limits.h"
#include "linux/named_denials.h"
#include "linux/named_message.h"
#include "linux/trace/denial_channel.h"
#include "named_session.h"
#include "proxy/proxy_loop.h"
#include "zs_denials.h"
#include "zs_shim.h"

enum {
	LAST_MS = 300,    /* the longest wait for the end of a run of which a process has ended */
	HELLO_MS = 1000,  /* the longest wait for a client's first message */
	FAILED_MS = 2000, /* the longest wait for the client that has started a session which failed */
	CUT_MS = 1000,    /* the longest wait for the end of the proxy */
	END_MS = 1000,    /* the time that the run gets to end by itself */
	KILL_MS = 2,      /* the time between two looks whether it has been killed */
	DRAINS_MAX = 256, /* outputs that the daemon empties */
};

struct client {
	int connection; /* our copy of it: it tells when the client has gone; -1: none */
	int server;     /* a pipe of the process that serves the client, see ZS_NAMED_HANDED; -1: it has ended */
	int outputs[ZS_NAMED_OUTPUTS];
	struct zs_named_told told;
};

struct daemon {
	const struct zs_named_daemon *of;
	struct client clients[ZS_NAMED_CLIENTS_MAX];
	size_t client_count;
	int drains[DRAINS_MAX];
	size_t drain_count;
	int control, log; /* to the server; the standard output and error of the run */
	off_t printed;    /* so much of the log */
	int report;       /* the decisions of the proxy or the resolver; -1: there is none */
	struct zs_named_denials denials;
	enum zs_box_cause cause; /* of the end */
	struct zs_strings taken; /* the policy's hosts, while they are taken and can be given back */
	pid_t supervisor;
	int64_t started, idle_since;
};

static void read_log(const struct daemon *daemon, char *text, size_t size)
{
	struct stat st;
	off_t from = fstat(daemon->log, &st) == 0 && st.st_size >= (off_t)size ? st.st_size - (off_t)size + 1 : 0;
	ssize_t len = pread(daemon->log, text, size - 1, from);

	text[len > 0 ? len : 0] = '\0';
}

static void answer(int connection, const struct zs_named_answer *what)
{
	send(connection, what, sizeof *what, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void answer_lost(const struct daemon *daemon, int connection, int status)
{
	bool limit = daemon->denials.met && daemon->cause == ZS_BOX_KILLED;
	struct zs_named_answer lost = { .kind = ZS_NAMED_LOST,
		.status = status,
		.cause = limit ? ZS_BOX_LIMIT : daemon->cause,
		.limits = daemon->denials.met };

	read_log(daemon, lost.text, sizeof lost.text);
	answer(connection, &lost);
}

/* The run */

static _Noreturn void be_run(const struct zs_named_daemon *of, int control, int log, int report, int denials)
{
	char name[PATH_MAX + 1], *argv[] = { name, (char[]){ ZS_NAMED_SERVER }, NULL };
	struct zs_error error;
	sigset_t none;

	snprintf(name, sizeof name, "-%s", of->program);

	sigemptyset(&none);
	if (dup2(control, STDIN_FILENO) < 0 || dup2(log, STDOUT_FILENO) < 0 || dup2(log, STDERR_FILENO) < 0 ||
		sigprocmask(SIG_SETMASK, &none, NULL) < 0)
		_exit(ZS_EXIT_CANNOT_ENFORCE);
	signal(SIGPIPE, SIG_DFL);
	fcntl(denials, F_SETFD, 0);
	zs_exec_reporting(of->policy, argv, of->envp, report, denials, &error);
	zs_error_write_last(STDERR_FILENO, &error);
	_exit(ZS_EXIT_CANNOT_ENFORCE);
}

static bool start_run(struct daemon *daemon)
{
	int pair[2], report[2] = { -1, -1 }, denials[2];
	char ready;

	daemon->log = memfd_create("zs-session", MFD_CLOEXEC);
	if (daemon->log < 0 || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return false;
	if (daemon->of->policy->network != ZS_NETWORK_FULL &&
		socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, report) < 0)
		return false;
	if (zs_denials_channel(denials) < 0)
		return false;
	daemon->supervisor = zs_fork(0, NULL);
	if (daemon->supervisor == 0)
		be_run(daemon->of, pair[1], daemon->log, report[1], denials[1]);
	close(pair[1]);
	close(denials[1]);
	if (report[1] >= 0)
		close(report[1]);
	daemon->report = report[0];
	daemon->denials.channel = denials[0];
	daemon->control = pair[0];
	if (daemon->supervisor < 0 || recv(daemon->control, &ready, 1, 0) != 1)
		return false;
	/* The run says before its command begins that it is blind. */
	zs_named_denials_take(&daemon->denials, NULL, 0);
	return true;
}

static size_t list_told(struct daemon *daemon, struct zs_named_told *told[ZS_NAMED_CLIENTS_MAX])
{
	for (size_t i = 0; i < daemon->client_count; i++)
		told[i] = &daemon->clients[i].told;
	return daemon->client_count;
}

static void take_denials(struct daemon *daemon)
{
	struct zs_named_told *told[ZS_NAMED_CLIENTS_MAX];
	size_t count = list_told(daemon, told);

	zs_named_denials_take(&daemon->denials, told, count);
}

/* The end of the control socket ends the server and so the run. A server that a command has stopped does not see it.
 * Returns the status for commands that the end has met. */
static int end_run(struct daemon *daemon)
{
	int64_t deadline = zs_now_ms() + END_MS;
	int process = zs_pidfd_open(daemon->supervisor), status = 0;

	close(daemon->control);
	while (daemon->supervisor > 0 && waitpid(daemon->supervisor, &status, WNOHANG) == 0) {
		struct pollfd events[] = { { process, POLLIN, 0 }, { daemon->denials.channel, POLLIN, 0 } };
		bool late = zs_now_ms() >= deadline;

		if (late)
			kill(daemon->supervisor, SIGKILL);
		poll(events, ZS_COUNT(events), late || process < 0 ? KILL_MS : zs_ms_until(deadline));
		take_denials(daemon);
	}
	if (process >= 0)
		close(process);
	return zs_exit_code(status) == ZS_EXIT_UNPROTECTED ? ZS_EXIT_UNPROTECTED : ZS_EXIT_SIGNALED + SIGKILL;
}

/* The lock under which clients connect. It lasts until its descriptor is closed. */
static int lock_place(const struct daemon *daemon)
{
	int lock = openat(daemon->of->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (lock >= 0)
		flock(lock, LOCK_EX);
	return lock;
}

/* Removes the socket while it still listens, and under the lock: a client that starts another session cannot lose that
 * one's socket. */
static _Noreturn void leave(const struct daemon *daemon)
{
	lock_place(daemon);
	unlinkat(daemon->of->folder, daemon->of->file, 0);
	_exit(EXIT_SUCCESS);
}

static void end_all(struct daemon *daemon)
{
	int status = end_run(daemon);

	take_denials(daemon);
	for (size_t i = 0; i < daemon->client_count; i++) {
		zs_named_told_leave(&daemon->clients[i].told, status);
		answer_lost(daemon, daemon->clients[i].connection, status);
	}
}

static _Noreturn void end_session(struct daemon *daemon)
{
	end_all(daemon);
	leave(daemon);
}

/* Returns if a client has come meanwhile, which must not meet the end. One that comes later waits for the lock, and
 * then starts another session. */
static void end_unused(struct daemon *daemon)
{
	int lock = lock_place(daemon);
	struct pollfd event = { daemon->of->listener, POLLIN, 0 };

	if (poll(&event, 1, 0) == 0) {
		end_all(daemon);
		unlinkat(daemon->of->folder, daemon->of->file, 0);
		_exit(EXIT_SUCCESS);
	}
	if (lock >= 0)
		close(lock);
}

static _Noreturn void fail_session(struct daemon *daemon)
{
	struct pollfd event = { daemon->of->listener, POLLIN, 0 };
	int connection;

	end_run(daemon);
	connection = poll(&event, 1, FAILED_MS) > 0 ? accept4(daemon->of->listener, NULL, NULL, SOCK_CLOEXEC) : -1;
	if (connection >= 0)
		answer_lost(daemon, connection, ZS_EXIT_CANNOT_ENFORCE);
	leave(daemon);
}

/* Clients */

/* The folder lets only this user in. But a confined process of this user must not reach a session, which may have more
 * rights than it has. */
static bool may_enter(int connection)
{
	struct ucred peer;
	socklen_t size = sizeof peer;

	return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && zs_named_trusts(&peer);
}

static void add_drain(struct daemon *daemon, int fd)
{
	if (fd >= 0 && daemon->drain_count < DRAINS_MAX)
		daemon->drains[daemon->drain_count++] = fd;
	else if (fd >= 0)
		close(fd);
}

static void drop(struct client *client)
{
	close(client->connection);
	if (client->server >= 0)
		close(client->server);
	if (client->told.channel >= 0)
		close(client->told.channel);
	for (size_t i = 0; i < ZS_NAMED_OUTPUTS; i++)
		if (client->outputs[i] >= 0)
			close(client->outputs[i]);
}

/* Hands the connection to the server. A command can kill the process that serves it: the pipe tells. */
static int hand_over(const struct daemon *daemon, uint32_t request, struct client *client)
{
	const char byte = (char)(request | (client->told.channel >= 0 ? ZS_NAMED_COLLECTED : 0));
	int ends[2], r;

	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0)
		return -errno;
	client->server = ends[0];
	r = zs_fds_send(daemon->control, &byte, 1, (int[]){ client->connection, ends[1] }, ZS_NAMED_HANDED);
	close(ends[1]);
	return r;
}

/* The limits that the kernel counts for one process where no cgroup counts them. */
static uint32_t each_process(const struct daemon *daemon)
{
	static const enum zs_limit counted[] = { ZS_LIMIT_MEMORY, ZS_LIMIT_CPU };
	uint32_t bits = 0;

	for (size_t i = 0; i < ZS_COUNT(counted); i++)
		if (zs_policy_limit(daemon->of->policy, counted[i]) > 0)
			bits |= 1u << counted[i];
	return bits & ~daemon->denials.held;
}

static void run(struct daemon *daemon, const struct zs_named_hello *hello, struct client *client)
{
	const struct zs_policy *policy = daemon->of->policy;
	struct zs_named_answer taken = { .kind = ZS_NAMED_TAKEN,
		.seconds = daemon->printed,
		.limits = policy->tmp == ZS_TMP_PRIVATE ? 1u << ZS_LIMIT_TMP : 0,
		.each_process = each_process(daemon),
		.tier = daemon->denials.tier };
	struct zs_named_answer other = { .kind = ZS_NAMED_OTHER };

	snprintf(taken.text, sizeof taken.text, "%s", policy->image ? policy->image : "");
	if (strcmp(hello->key, daemon->of->key) != 0 || daemon->client_count == ZS_NAMED_CLIENTS_MAX) {
		other.status = daemon->client_count == ZS_NAMED_CLIENTS_MAX ? EAGAIN : 0;
		answer(client->connection, &other);
		drop(client);
	} else if (zs_fds_send(client->connection, &taken, sizeof taken, &daemon->log, 1) < 0 ||
		   hand_over(daemon, hello->request, client) < 0) {
		drop(client);
	} else {
		if (client->told.channel >= 0 && daemon->denials.blind)
			zs_denial_send_blind(client->told.channel);
		daemon->clients[daemon->client_count++] = *client;
	}
}

/* Reads what the proxy has decided. False: it has ended. */
static bool take_report(struct daemon *daemon)
{
	struct zs_named_told *told[ZS_NAMED_CLIENTS_MAX];
	size_t count = list_told(daemon, told);
	char bytes[4096];
	ssize_t len;

	while ((len = recv(daemon->report, bytes, sizeof bytes, MSG_DONTWAIT)) > 0)
		zs_named_denials_report(&daemon->denials, bytes, (size_t)len, told, count);
	if (len < 0 && (errno == EAGAIN || errno == EINTR))
		return true;
	close(daemon->report);
	daemon->report = -1;
	return false;
}

/* The supervisor complains of the end of the proxy, of which no client has to hear that was asked for. */
static void skip_complaint(struct daemon *daemon)
{
	enum { LOOKS = 50, LOOK_MS = 2 };
	struct stat st;
	off_t before = fstat(daemon->log, &st) == 0 ? st.st_size : 0;

	for (int i = 0; i < LOOKS && fstat(daemon->log, &st) == 0 && st.st_size == before; i++)
		poll(NULL, 0, LOOK_MS);
	daemon->printed = st.st_size;
}

/* The proxy ends when this side of its report does, and its own side tells when it has. */
static bool end_proxy(struct daemon *daemon)
{
	int64_t deadline = zs_now_ms() + CUT_MS;
	struct pollfd event = { daemon->report, POLLIN, 0 };

	shutdown(daemon->report, SHUT_WR);
	while (zs_now_ms() < deadline)
		if (poll(&event, 1, zs_ms_until(deadline)) > 0 && !take_report(daemon)) {
			skip_complaint(daemon);
			return true;
		}
	return false;
}

/* Has the proxy of a box with a token pause or resume, and waits for its word. */
static bool turn_proxy(struct daemon *daemon, char how)
{
	int64_t deadline = zs_now_ms() + CUT_MS;
	struct pollfd event = { daemon->report, POLLIN, 0 };

	daemon->denials.turned = '\0';
	if (send(daemon->report, &how, 1, MSG_NOSIGNAL | MSG_DONTWAIT) != 1)
		return false;
	while (zs_now_ms() < deadline && daemon->denials.turned != how)
		if (poll(&event, 1, zs_ms_until(deadline)) > 0 && !take_report(daemon))
			return false;
	return daemon->denials.turned == how;
}

/* The policy that the box shows, and the digest that its results have, are those of a box without hosts. */
static bool take_hosts(struct daemon *daemon)
{
	struct zs_policy *policy = daemon->of->policy;
	bool again = *daemon->of->token;

	if (policy->network != ZS_NETWORK_HOSTS)
		return true;
	if (daemon->report >= 0 && !(again ? turn_proxy(daemon, ZS_PROXY_PAUSE) : end_proxy(daemon)))
		return false;
	if (again)
		daemon->taken = policy->hosts;
	policy->hosts = (struct zs_strings){ 0 };
	policy->network = ZS_NETWORK_NONE;
	return true;
}

/* A box whose connections cannot be ended ends itself. One that shares the machine's network is left as it is. */
static void cut(struct daemon *daemon, int connection)
{
	struct zs_named_answer answered = { .kind = ZS_NAMED_CUT_OFF };

	if (daemon->of->policy->network == ZS_NETWORK_FULL) {
		answered.kind = ZS_NAMED_OTHER;
	} else if (!take_hosts(daemon)) {
		end_all(daemon);
		answer_lost(daemon, connection, ZS_EXIT_CANNOT_ENFORCE);
		leave(daemon);
	}
	answer(connection, &answered);
}

static bool give_hosts(struct daemon *daemon)
{
	struct zs_policy *policy = daemon->of->policy;

	if (daemon->taken.count == 0)
		return true;
	if (daemon->report < 0 || !turn_proxy(daemon, ZS_PROXY_RESUME))
		return false;
	policy->hosts = daemon->taken;
	policy->network = ZS_NETWORK_HOSTS;
	daemon->taken = (struct zs_strings){ 0 };
	return true;
}

/* Gives the hosts back that were taken. Only the owner has the token, and no process inside. */
static void resume(struct daemon *daemon, const char *token, int connection)
{
	struct zs_named_answer answered = { .kind = ZS_NAMED_RESUMED };

	if (!*daemon->of->token || strcmp(token, daemon->of->token) != 0) {
		answered.kind = ZS_NAMED_DENIED;
	} else if (!give_hosts(daemon)) {
		end_all(daemon);
		answer_lost(daemon, connection, ZS_EXIT_CANNOT_ENFORCE);
		leave(daemon);
	}
	answer(connection, &answered);
}

/* Returns a memory file with the policy as JSON, or a negative number. */
static int make_policy_file(const struct zs_policy *policy)
{
	ZS_AUTO_FREE char *json = NULL;
	ZS_AUTO_FD int file = memfd_create("zs-policy", MFD_CLOEXEC);
	size_t len;

	return file >= 0 && zs_policy_to_json(policy, false, &json, &len, NULL) == 0 &&
			       zs_write_all(file, json, len) == 0
		       ? ZS_STEAL_FD(file)
		       : -1;
}

static void show(const struct daemon *daemon, int connection, bool with_policy)
{
	ZS_AUTO_FD int file = with_policy ? make_policy_file(daemon->of->policy) : -1;
	struct zs_named_answer shown = { .kind = ZS_NAMED_SHOWN,
		.seconds = (zs_now_ms() - daemon->started) / 1000,
		.supervisor = daemon->supervisor,
		.status = daemon->of->policy->root_user + daemon->of->policy->users };
	const char *workspace = daemon->of->policy->workspace;

	snprintf(shown.text, sizeof shown.text, "%s", workspace ? workspace : "");
	if (file >= 0)
		zs_fds_send(connection, &shown, sizeof shown, &file, 1);
	else
		answer(connection, &shown);
}

/* The outputs, then the channel of the client's collector. */
static void take_descriptors(struct client *client, const int fds[], size_t count, bool denials)
{
	size_t outputs = count - (denials && count > 0);

	for (size_t i = 0; i < count; i++)
		if (i >= outputs)
			client->told.channel = fds[i];
		else if (i < ZS_NAMED_OUTPUTS)
			client->outputs[i] = fds[i];
		else
			close(fds[i]);
}

static void take_client(struct daemon *daemon)
{
	const struct timeval wait = { HELLO_MS / 1000, HELLO_MS % 1000 * 1000 };
	struct client client = { .server = -1, .outputs = { -1, -1 }, .told = { .channel = -1 } };
	struct zs_named_hello hello = { 0 };
	struct zs_named_answer ended = { .kind = ZS_NAMED_ENDED };
	int fds[ZS_NAMED_OUTPUTS + 1], flags;
	size_t count = ZS_COUNT(fds);

	client.connection = accept4(daemon->of->listener, NULL, NULL, SOCK_CLOEXEC);
	if (client.connection < 0)
		return;
	if (!may_enter(client.connection) ||
		setsockopt(client.connection, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait) < 0 ||
		zs_fds_receive(client.connection, &hello, sizeof hello, fds, &count, &flags) != (ssize_t)sizeof hello ||
		hello.protocol != ZS_NAMED_PROTOCOL) {
		drop(&client);
		return;
	}
	take_descriptors(&client, fds, count, hello.denials);
	hello.key[sizeof hello.key - 1] = '\0';
	setsockopt(client.connection, SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){ 0 }, sizeof wait);
	if (hello.request == ZS_NAMED_RUN || hello.request == ZS_NAMED_EXEC || hello.request == ZS_NAMED_EXEC_AS ||
		zs_named_copies(hello.request)) {
		run(daemon, &hello, &client);
		return;
	}
	if (hello.request == ZS_NAMED_SHOW)
		show(daemon, client.connection, hello.denials);
	if (hello.request == ZS_NAMED_CUT)
		cut(daemon, client.connection);
	if (hello.request == ZS_NAMED_RESUME)
		resume(daemon, hello.key, client.connection);
	if (hello.request == ZS_NAMED_END) {
		daemon->cause = ZS_BOX_CLOSED;
		end_all(daemon);
		unlinkat(daemon->of->folder, daemon->of->file, 0);
		answer(client.connection, &ended);
		_exit(EXIT_SUCCESS);
	}
	drop(&client);
}

static void end_client(struct daemon *daemon, size_t index)
{
	struct client client = daemon->clients[index];
	int64_t seen;
	ssize_t len;

	while ((len = recv(client.connection, &seen, sizeof seen, MSG_DONTWAIT)) > 0)
		if (len == (ssize_t)sizeof seen && seen > daemon->printed)
			daemon->printed = seen;
	close(client.connection);
	if (client.server >= 0)
		close(client.server);
	if (client.told.channel >= 0)
		close(client.told.channel);
	for (size_t i = 0; i < ZS_NAMED_OUTPUTS; i++)
		add_drain(daemon, client.outputs[i]);
	daemon->clients[index] = daemon->clients[--daemon->client_count];
	daemon->idle_since = zs_now_ms();
}

/* Reads and forgets what processes write that their client has left. */
static void drain(struct daemon *daemon, size_t index)
{
	char bytes[64 * 1024];

	if (read(daemon->drains[index], bytes, sizeof bytes) > 0)
		return;
	close(daemon->drains[index]);
	daemon->drains[index] = daemon->drains[--daemon->drain_count];
}

/* Reads what the process that serves this client has said. False: it says no more: it has ended, or is about to. */
static bool hear_server(struct client *client)
{
	int32_t number;
	ssize_t len;

	while (!client->told.ended && (len = read(client->server, &number, sizeof number)) != 0)
		if (len != (ssize_t)sizeof number)
			return len < 0 && (errno == EAGAIN || errno == EINTR);
		else if (client->told.server == 0)
			client->told.server = number;
		else
			zs_named_told_end(&client->told, number);
	return false;
}

/* Does the run end within LAST_MS? Its supervisor waits until its last records have been taken. */
static bool is_ending(struct daemon *daemon)
{
	int64_t deadline = zs_now_ms() + LAST_MS;

	do {
		struct pollfd events[] = { { daemon->control, POLLIN, 0 }, { daemon->denials.channel, POLLIN, 0 } };

		if (poll(events, ZS_COUNT(events), zs_ms_until(deadline)) > 0 && events[0].revents)
			return true;
		take_denials(daemon);
	} while (zs_now_ms() < deadline);
	return false;
}

/* If the process that serves the client has not answered, the client must not wait. Its end may be the first sign that
 * the whole run has ended, of which the client learns more. */
static void end_server(struct daemon *daemon, struct client *client)
{
	close(client->server);
	client->server = -1;
	if (!client->told.ended && !is_ending(daemon))
		shutdown(client->connection, SHUT_WR);
}

static int64_t idle_left(const struct daemon *daemon)
{
	if (!daemon->of->idle_seconds)
		return INT64_MAX;
	return daemon->idle_since + (int64_t)daemon->of->idle_seconds * 1000 - zs_now_ms();
}

/* Hands on what has been refused, and tells of the commands that have ended. A command's records come before its end.
 * Returns the time until the next call, in milliseconds; -1: none is needed. */
static int tell_denials(struct daemon *daemon)
{
	int next = -1;

	for (size_t i = 0; i < daemon->client_count; i++)
		if (daemon->clients[i].server >= 0)
			hear_server(&daemon->clients[i]);
	if (daemon->report >= 0)
		take_report(daemon);
	take_denials(daemon);
	for (size_t i = 0; i < daemon->client_count; i++) {
		int left = zs_named_told_finish(&daemon->clients[i].told, &daemon->denials);

		if (left >= 0 && (next < 0 || left < next))
			next = left;
	}
	return next;
}

static int timeout_of(const struct daemon *daemon, int next)
{
	int64_t left = idle_left(daemon);

	if (daemon->client_count > 0)
		return next;
	return left <= 0 ? 0 : left > INT_MAX ? INT_MAX : (int)left;
}

static _Noreturn void serve(struct daemon *daemon)
{
	enum { LISTENER, CONTROL, OWNER, REPORT, DENIALS, OURS };
	struct pollfd events[OURS + 2 * ZS_NAMED_CLIENTS_MAX + DRAINS_MAX];

	for (;;) {
		int next = tell_denials(daemon);
		size_t clients = daemon->client_count, drains = daemon->drain_count;

		events[LISTENER] = (struct pollfd){ daemon->of->listener, POLLIN, 0 };
		events[CONTROL] = (struct pollfd){ daemon->control, POLLIN, 0 };
		events[OWNER] = (struct pollfd){ daemon->of->owner, POLLIN, 0 };
		events[REPORT] = (struct pollfd){ daemon->report, POLLIN, 0 };
		events[DENIALS] = (struct pollfd){ daemon->denials.channel, POLLIN, 0 };
		for (size_t i = 0; i < clients; i++)
			events[OURS + i] = (struct pollfd){ daemon->clients[i].connection, 0, 0 };
		for (size_t i = 0; i < clients; i++)
			events[OURS + clients + i] = (struct pollfd){ daemon->clients[i].server, POLLIN, 0 };
		for (size_t i = 0; i < drains; i++)
			events[OURS + 2 * clients + i] = (struct pollfd){ daemon->drains[i], POLLIN, 0 };
		if (poll(events, OURS + 2 * clients + drains, timeout_of(daemon, next)) < 0)
			continue;
		/* The last first, since each of these may move the last one to its place. */
		for (size_t i = drains; i-- > 0;)
			if (events[OURS + 2 * clients + i].revents)
				drain(daemon, i);
		for (size_t i = clients; i-- > 0;)
			if (events[OURS + i].revents)
				end_client(daemon, i);
			else if (events[OURS + clients + i].revents && !hear_server(&daemon->clients[i]))
				end_server(daemon, &daemon->clients[i]);
		if (poll(&events[CONTROL], 1, 0) > 0)
			end_session(daemon);
		if (events[OWNER].revents) {
			daemon->cause = ZS_BOX_OWNER;
			end_session(daemon);
		}
		if (daemon->client_count == 0 && idle_left(daemon) <= 0)
			end_unused(daemon);
		if (events[LISTENER].revents)
			take_client(daemon);
	}
}

_Noreturn void zs_named_be_daemon(struct zs_named_daemon *of)
{
	static struct daemon daemon;
	struct stat st;

	/* The list of boxes does not count processes of this name. */
	prctl(PR_SET_NAME, "zs", 0, 0, 0);
	daemon.of = of;
	daemon.started = zs_now_ms();
	daemon.control = daemon.report = daemon.denials.channel = -1;
	if (!start_run(&daemon))
		fail_session(&daemon);
	daemon.idle_since = zs_now_ms();
	/* The setting-up has told the process that has started the session. */
	daemon.printed = fstat(daemon.log, &st) == 0 ? st.st_size : 0;
	serve(&daemon);
}
