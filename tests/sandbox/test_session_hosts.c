/* Sessions with allowed hosts: one proxy for all runs, its report, and its end. */
#include <arpa/inet.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include "harness.h"
#include "session_stand.h"

/* A server on the machine's own loopback, which a policy may name. */
struct server {
	int fd;
	char host[32], other[32]; /* the address at which it listens, and one at which no server does */
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

/* Counts the connections since the last call. */
static int count_visitors(const struct server *server)
{
	int count = 0, fd;

	while ((fd = accept4(server->fd, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
		close(fd);
		count++;
	}
	return count;
}

/* Finds the session parent's first child; the second is the init. 0: it has gone, or there is none. */
static pid_t find_proxy(pid_t session_parent)
{
	pid_t children[2];

	stand_read_children(session_parent, children);
	return children[1] > 0 ? children[0] : 0;
}

/* Reads the report until no process can write to it any more. */
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

static int reach_hosts(struct stand *stand)
{
	static const char allowed[] = "\"host\":\"127.0.0.1\",\"port\":%s,\"address\":\"127.0.0.1\",\"allowed\":true",
			  refused[] = "\"host\":\"127.0.0.2\",\"port\":%s,\"allowed\":false";
	struct zs_error error = { 0 };
	struct server server;
	char expected[128], *report;
	struct run other;
	int pipes[2];
	pid_t proxy;

	EXPECT(open_server(&server) == 0 && pipe2(pipes, O_CLOEXEC) == 0, "preparing");
	stand->host = server.host;
	stand->report = pipes[1];
	if (stand_open(stand))
		return 1;
	close(pipes[1]);
	proxy = find_proxy(stand_find_child(false));
	EXPECT(proxy > 0, "there is no proxy");
	EXPECT(stand_begin(stand, &other, "through_proxy_again", server.host, &error) == 0 &&
			stand_read_pid(&other) > 1,
		"%s", stand_text_of(&error));
	for (int i = 0; i < 3; i++) {
		EXPECT(stand_run_one(stand, "through_proxy", server.host) == 0, "it is listed");
		EXPECT(stand_run_one(stand, "through_proxy", server.other) == EACCES, "it is not listed");
	}
	EXPECT(count_visitors(&server) == 4, "visitors");
	EXPECT(find_proxy(stand_find_child(false)) == proxy, "another proxy");
	/* Without a proxy there is only the session's own loopback. */
	EXPECT(stand_run_one(stand, "connect", "127.0.0.1") != 0, "a connection");
	zs_session_close(stand->session);
	EXPECT(kill(proxy, 0) < 0 && errno == ESRCH, "the proxy is there");
	report = read_report(pipes[0]);
	snprintf(expected, sizeof expected, allowed, server.host + strlen("127.0.0.1:"));
	EXPECT(strstr(report, expected), "%s is not in %s", expected, report);
	snprintf(expected, sizeof expected, refused, server.host + strlen("127.0.0.1:"));
	EXPECT(strstr(report, expected), "%s is not in %s", expected, report);
	EXPECT(stand_status_of(other.pid) == 128 + SIGKILL, "the other's status");
	return 0;
}

STAND_TEST(session_proxy_that_is_lost_is_shut)
{
	struct zs_error error = { 0 };
	struct server server;
	struct run run, later;
	int r = 0;

	EXPECT(open_server(&server) == 0, "preparing");
	stand->host = server.host;
	if (stand_open(stand))
		return 1;
	EXPECT(stand_begin(stand, &run, "through_proxy_again", server.host, &error) == 0 && stand_read_pid(&run) > 1,
		"%s", stand_text_of(&error));
	count_visitors(&server);
	EXPECT(kill(find_proxy(stand_find_child(false)), SIGKILL) == 0, "%s", strerror(errno));
	close(run.in);
	EXPECT(stand_status_of(run.pid) == 0, "a connection goes on, or there is another");
	/* The session parent notices that a moment later. Until then a run can begin, but reaches nothing. */
	for (int i = 0; i < 300 && r == 0; i++) {
		r = stand_begin(stand, &later, "through_proxy", server.host, &error);
		EXPECT(r < 0 || stand_status_of(later.pid) == ECONNREFUSED, "a later run reaches it");
	}
	EXPECT(r == -ENETDOWN &&
			strcmp(stand_text_of(&error), "zs: session: proxy: has ended; no host is reached any more; "
						      "open another session") == 0,
		"%d: %s", r, stand_text_of(&error));
	EXPECT(count_visitors(&server) == 0, "visitors");
	zs_session_close(stand->session);
	return 0;
}

/* Kills the session parent during a run: no process is left that serves the proxy. */
static int kill_the_session_parent(struct stand *stand)
{
	struct zs_error error = { 0 };
	struct server server;
	struct run run;
	int pipes[2];

	EXPECT(prctl(PR_SET_CHILD_SUBREAPER, 1) == 0 && open_server(&server) == 0 && pipe2(pipes, O_CLOEXEC) == 0,
		"preparing");
	stand->host = server.host;
	stand->report = pipes[1];
	if (stand_open(stand))
		return 1;
	close(pipes[1]);
	EXPECT(stand_begin(stand, &run, "through_proxy_again", server.host, &error) == 0 && stand_read_pid(&run) > 1,
		"%s", stand_text_of(&error));
	kill(stand_find_child(false), SIGKILL);
	EXPECT(strstr(read_report(pipes[0]), "\"allowed\":true"), "no line of the connection");
	EXPECT(stand_status_of(run.pid) == 128 + SIGKILL, "its status");
	zs_session_close(stand->session);
	EXPECT(stand_is_all_gone(), "something lives");
	return 0;
}

/* Nobody reads the report, so it is full. The session must end all the same. */
static int let_the_report_fill(struct stand *stand)
{
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
	if (stand_open(stand))
		return 1;
	EXPECT(stand_run_one(stand, "through_proxy", server.other) == EACCES, "it is not listed");
	zs_session_close(stand->session);
	EXPECT(stand_is_all_gone(), "something lives");
	return 0;
}

/* An empty list of hosts. */
static int reach_nothing(struct stand *stand)
{
	struct server server;

	EXPECT(open_server(&server) == 0, "preparing");
	stand->host = "";
	if (stand_open(stand))
		return 1;
	EXPECT(stand_run_one(stand, "through_proxy", server.host) == EACCES, "it is not listed");
	EXPECT(count_visitors(&server) == 0, "visitors");
	zs_session_close(stand->session);
	return 0;
}

TEST(session_has_one_proxy_for_all_its_runs)
{
	stand_as_each_user(reach_hosts, "hosts", NULL);
	stand_as_each_user(reach_nothing, "no hosts", NULL);
}

TEST(session_proxy_ends_with_the_session)
{
	stand_as_each_user(kill_the_session_parent, "session parent", NULL);
	stand_as_each_user(let_the_report_fill, "report", NULL);
}
