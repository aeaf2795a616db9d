/* The proxy's parts, one by one; tests/e2e/test_hosts.py tests the whole proxy with real clients. */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include "linux/network/proxy.h"
#include "proxy/proxy_ports.h"
#include "proxy/linux/proxy_splice.h"
#include "proxy/proxy_relay.h"
#include "proxy/proxy_report.h"
#include "harness.h"
#include "policy/policy.h"
#include "policy/environment.h"
#include "linux/base/namespace_calls.h"

/* The proxy checks the sockets that it receives: each listener, and its network namespace. */

/* One port for all names, and one for a name's own address. */
enum { OF_22 = ZS_PROXY_FIXED, OF_NAME, OF_TEST };

static int make_policy(struct zs_policy **ret_policy)
{
	int r = zs_policy_new((char *[]){ NULL }, ret_policy);

	if (r == 0)
		r = zs_policy_add_host(*ret_policy, "example.org:22", NULL);
	return r == 0 ? zs_policy_add_host(*ret_policy, "db.example.org:5432", NULL) : r;
}

/* Listens in a network of its own. */
static int listen_in_new_network(const struct zs_policy *policy, int fds[ZS_PROXY_LISTENERS])
{
	const char *object = "prctl";
	/* A process that has changed its uid owns none of its /proc/self. */
	int r = prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) < 0 ? -errno : 0;

	if (r == 0)
		r = zs_namespaces_enter(CLONE_NEWUSER | CLONE_NEWNET, geteuid(), getegid(), &object);
	if (r == 0)
		r = zs_loopback_up();
	if (r == 0)
		r = zs_proxy_listen(policy, fds, &object);
	if (r < 0)
		fprintf(stderr, "%s: %s\n", object, strerror(-r));
	return r;
}

static int open_stray(int type, uint32_t address, uint16_t port, bool listens)
{
	const struct sockaddr_in at = {
		.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(address)
	};
	int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);

	if (bind(fd, (const struct sockaddr *)&at, sizeof at) < 0 || (listens && listen(fd, 1) < 0))
		fprintf(stderr, "stray: %s\n", strerror(errno));
	return fd;
}

/* Sends the listeners over the socket. row: the one of them that is wrong; -1: none. */
static int pass_strays(void *arg)
{
	int row = ((int *)arg)[0], to = ((int *)arg)[1], count, r;
	int fds[ZS_PROXY_LISTENERS];
	struct zs_policy *policy;

	r = make_policy(&policy);
	if (r == 0)
		r = listen_in_new_network(policy, fds);
	if (r < 0)
		return HARNESS_FAILED;
	count = zs_proxy_listener_count(policy);
	if (row >= 0)
		close(fds[row % 16]);
	switch (row / 16) {
	case 0: /* another port */
		if (row >= 0)
			fds[row] = open_stray(row == ZS_PROXY_DNS_UDP ? SOCK_DGRAM : SOCK_STREAM, INADDR_ANY, 4000,
				row != ZS_PROXY_DNS_UDP);
		break;
	case 1: /* another type: the ports of UDP are free */
		fds[row % 16] = open_stray(SOCK_DGRAM, INADDR_ANY, 443, false);
		break;
	case 2: /* it does not listen */
		fds[row % 16] = open_stray(SOCK_STREAM, INADDR_ANY, 443, false);
		break;
	case 3: /* another address */
		fds[row % 16] = open_stray(SOCK_STREAM, INADDR_LOOPBACK, 443, true);
		break;
	case 4: /* no socket */
		fds[row % 16] = open("/dev/null", O_RDWR | O_CLOEXEC);
		break;
	case 5: /* too few */
		count--;
		break;
	}
	return zs_proxy_pass(to, fds, count) < 0 ? HARNESS_FAILED : 0;
}

static bool is_paced(int listener)
{
	char control[16] = "";
	socklen_t size = sizeof control - 1;

	return getsockopt(listener, IPPROTO_TCP, TCP_CONGESTION, control, &size) < 0 || strcmp(control, "reno") != 0;
}

static int receive_strays(uid_t uid, int row)
{
	int ends[2], received[ZS_PROXY_LISTENERS], r, arg[2];
	struct zs_policy *policy;
	struct result result;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return -errno;
	arg[0] = row;
	arg[1] = ends[1];
	run_child(uid, pass_strays, arg, &result);
	close(ends[1]);
	CHECK(result.status == 0 && !*result.err, "row %d: %d %s", row, result.status, result.err);
	CHECK(make_policy(&policy) == 0, "policy");
	r = zs_proxy_receive(ends[0], received, OF_TEST);
	if (r == 0) {
		r = zs_proxy_check(policy, received, OF_TEST);
		CHECK(zs_proxy_check(policy, received, OF_TEST - 1) == -EBADF, "without the last");
		for (int i = 0; i < OF_TEST; i++) {
			CHECK(row >= 0 || i == ZS_PROXY_DNS_UDP || !is_paced(received[i]), "listener %d", i);
			close(received[i]);
		}
	}
	zs_policy_free(policy);
	close(ends[0]);
	return r;
}

TEST(proxy_takes_its_listeners_and_no_others)
{
	const int rows[] = { ZS_PROXY_HTTP, ZS_PROXY_DNS_UDP, ZS_PROXY_DNS_TCP, ZS_PROXY_TLS, ZS_PROXY_PLAIN, OF_22,
		OF_NAME, 16 + ZS_PROXY_TLS, 32 + ZS_PROXY_TLS, 48 + ZS_PROXY_TLS, 64 + ZS_PROXY_TLS };

	AS_EACH_USER (scratch) {
		CHECK(receive_strays(scratch.owner, -1) == 0, "its own");
		for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
			CHECK(receive_strays(scratch.owner, rows[i]) == -EBADF, "row %d", rows[i]);
		CHECK(receive_strays(scratch.owner, 80 + OF_NAME) == -EBADMSG, "too few");
	}
}

/* The listeners are right, except for their network. */
static int check_here(void *arg)
{
	int fds[ZS_PROXY_LISTENERS];
	struct zs_policy *policy;

	(void)arg;
	if (make_policy(&policy) < 0 || listen_in_new_network(policy, fds) < 0)
		return HARNESS_FAILED;
	return zs_proxy_check(policy, fds, zs_proxy_listener_count(policy)) == -EBADF ? 0 : 1;
}

TEST(proxy_takes_no_listeners_of_its_own_network)
{
	AS_EACH_USER (scratch) {
		struct result result;

		run_child(scratch.owner, check_here, NULL, &result);
		CHECK(result.status == 0, "%d %s", result.status, result.err);
	}
}

TEST(proxy_listens_at_ports_that_hosts_name)
{
	enum { NONE = 0, ALL = INADDR_ANY, OWN = 1 };
	static const struct {
		const char *host;
		uint16_t port; /* 0: no listener */
		int where;
	} rows[] = {
		{ "example.org", 0, NONE },
		{ "example.org:443", 0, NONE },
		{ "example.org:80", 0, NONE },
		{ "*.example.org:22", 22, ALL },
		{ "[2001:db8::1]:22", 22, ALL },
		{ "example.org:993", 993, ALL },
		{ "*.example.org:1023", 1023, ALL },
		{ "example.org:1024", 1024, OWN },
		{ "example.org:5432", 5432, OWN },
		{ "example.org:53", 53, OWN }, /* beside the resolver and the proxy */
		{ "example.org:808", 808, OWN },
		{ "*.example.org:5432", 0, NONE },
		{ "192.0.2.1:5432", 0, NONE },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct zs_proxy_ports ports;
		AUTO_POLICY *policy = NULL;

		zs_policy_new((char *[]){ NULL }, &policy);
		zs_policy_add_host(policy, rows[i].host, NULL);
		/* Adding a host twice changes nothing. */
		zs_policy_add_host(policy, rows[i].host, NULL);
		zs_proxy_ports_of(policy, &ports);
		CHECK(ports.count == (rows[i].port ? 1 : 0), "%s: %zu", rows[i].host, ports.count);
		CHECK(ports.named == (rows[i].where == OWN ? 1 : 0), "%s: %zu", rows[i].host, ports.named);
		CHECK(!rows[i].port || (ports.rows[0].port == rows[i].port &&
					       ports.rows[0].address ==
						       (rows[i].where == OWN ? zs_proxy_address_at(0) : INADDR_ANY)),
			"%s: %x:%d", rows[i].host, ports.rows[0].address, ports.rows[0].port);
		CHECK(zs_proxy_listener_count(policy) == ZS_PROXY_FIXED + (int)ports.count, "%s", rows[i].host);
	}
}

/* Clients use no proxy for these, so each has a listener at its own address. */
TEST(proxy_listens_at_listed_loopback_addresses)
{
	static const struct {
		const char *host;
		uint32_t address;
		uint16_t port; /* 0: no listener of its own */
		bool v6;
	} rows[] = {
		{ "127.0.0.1:5432", INADDR_LOOPBACK, 5432, false },
		{ "127.0.0.2:5432", INADDR_LOOPBACK + 1, 5432, false },
		{ "localhost:5432", INADDR_LOOPBACK, 5432, false },
		{ "[::1]:5432", 0, 5432, true },
		{ "[::1]:443", 0, 443, true },
		{ "127.0.0.1:22", INADDR_ANY, 22, false },
		{ "127.0.0.1:80", 0, 0, false }, /* the listener of port 80 */
		{ "127.0.0.1:53", 0, 0, false }, /* the resolver and the proxy are there */
		{ "localhost:808", 0, 0, false },
		{ "127.0.0.1", 0, 0, false },
		{ "localhost", 0, 0, false },
		{ "[2001:db8::1]:5432", 0, 0, false },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct zs_proxy_ports ports;
		AUTO_POLICY *policy = NULL;

		zs_policy_new((char *[]){ NULL }, &policy);
		CHECK(zs_policy_add_host(policy, rows[i].host, NULL) == 0, "%s", rows[i].host);
		zs_proxy_ports_of(policy, &ports);
		CHECK(ports.count == (rows[i].port ? 1 : 0) && ports.named == 0, "%s: %zu", rows[i].host, ports.count);
		CHECK(!rows[i].port || (ports.rows[0].address == rows[i].address &&
					       ports.rows[0].port == rows[i].port && ports.rows[0].v6 == rows[i].v6),
			"%s: %x:%d", rows[i].host, ports.rows[0].address, ports.rows[0].port);
	}
}

/* A name has one address for all its ports; and their number has a limit. */
TEST(proxy_listens_at_so_many_ports)
{
	struct zs_proxy_ports ports;
	AUTO_POLICY *policy = NULL;
	char host[32];

	zs_policy_new((char *[]){ NULL }, &policy);
	for (int i = 0; i < 2 * ZS_PROXY_PORTS_MAX; i++) {
		snprintf(host, sizeof host, "n%d.example.org:%d", i / 2, 5000 + i % 2);
		zs_policy_add_host(policy, host, NULL);
		zs_proxy_ports_of(policy, &ports);
		CHECK(ports.count == (size_t)(i < ZS_PROXY_PORTS_MAX ? i + 1 : ZS_PROXY_PORTS_MAX), "%d: %zu", i,
			ports.count);
		if (i < ZS_PROXY_PORTS_MAX)
			CHECK(ports.named == (size_t)i / 2 + 1 && ports.rows[i].port == 5000 + i % 2 &&
					ports.rows[i].address == zs_proxy_address_at((size_t)i / 2),
				"%d: %zu names", i, ports.named);
	}
	CHECK(zs_proxy_listener_count(policy) == ZS_PROXY_LISTENERS, "%d", zs_proxy_listener_count(policy));
}

/* Names and addresses of the pool. */
TEST(proxy_names_have_addresses_until_there_are_too_many)
{
	struct zs_proxy_names *names = calloc(1, sizeof *names);
	uint32_t first = zs_proxy_address_of(names, "a.example"), address = 0;
	char name[32];

	CHECK((first & ZS_PROXY_POOL_MASK) == ZS_PROXY_POOL && first > ZS_PROXY_POOL + 1, "%x", first);
	CHECK(zs_proxy_address_of(names, "a.example") == first, "the same again");
	for (int i = 1; i < ZS_PROXY_NAMES_MAX; i++) {
		snprintf(name, sizeof name, "n%d.example", i);
		address = zs_proxy_address_of(names, name);
		CHECK(address == first + (uint32_t)i && strcmp(zs_proxy_name_of(names, address), name) == 0, "%s",
			name);
	}
	CHECK((address & ZS_PROXY_POOL_MASK) == ZS_PROXY_POOL, "%x", address);
	CHECK(zs_proxy_address_of(names, "late.example") == 0, "one too many");
	CHECK(zs_proxy_address_of(names, name) == address, "one that is there");
	CHECK(!zs_proxy_name_of(names, address + 1) && !zs_proxy_name_of(names, first - 1) &&
			!zs_proxy_name_of(names, 0),
		"nobody's");
	for (size_t i = 0; i < names->count; i++)
		free(names->names[i]);
	free(names);
}

/* The report. */
TEST(proxy_lines_are_json_whatever_the_name)
{
	struct zs_proxy_line line = { .event = "connect",
		.via = "tls",
		.host = "a.example",
		.port = 443,
		.address = "192.0.2.1",
		.allowed = true,
		.sent = 1,
		.received = UINT64_MAX,
		.ms = 7 };
	char text[ZS_PROXY_LINE_MAX], long_name[1024];
	size_t len = zs_proxy_line_format(&line, 1234567890123, text, sizeof text);

	text[len] = '\0';
	CHECK(strcmp(text, "{\"time\":\"2009-02-13T23:31:30.123Z\",\"event\":\"connect\",\"via\":\"tls\",\"host\":"
			   "\"a.example\",\"port\":443,\"address\":\"192.0.2.1\",\"allowed\":true,\"sent\":1,"
			   "\"received\":18446744073709551615,\"ms\":7}\n") == 0,
		"%s", text);
	line = (struct zs_proxy_line){
		.event = "resolve", .via = "dns", .host = "a\"\\\n\x7f\xff", .reason = "no", .ms = -1
	};
	len = zs_proxy_line_format(&line, 0, text, sizeof text);
	text[len] = '\0';
	CHECK(strcmp(text, "{\"time\":\"1970-01-01T00:00:00.000Z\",\"event\":\"resolve\",\"via\":\"dns\",\"host\":"
			   "\"a\\u0022\\u005c\\u000a\\u007f\\u00ff\",\"allowed\":false,\"reason\":\"no\"}\n") == 0,
		"%s", text);
	memset(long_name, 1, sizeof long_name - 1);
	long_name[sizeof long_name - 1] = '\0';
	line.host = long_name;
	len = zs_proxy_line_format(&line, 0, text, sizeof text);
	CHECK(len < sizeof text - 1 && memcmp(text + len - 2, "}\n", 2) == 0, "%zu", len);
}

TEST(proxy_report_is_not_without_end)
{
	const struct zs_proxy_line line = { .event = "resolve", .via = "dns", .host = "a.example", .ms = -1 };
	struct zs_proxy_report report = { .fd = open("/dev/null", O_WRONLY | O_CLOEXEC) };
	struct zs_proxy_report full = { .fd = open("/dev/full", O_WRONLY | O_CLOEXEC) }, none = { .fd = -1 };
	char *last = NULL;
	size_t lines = 0;
	int run[2], ends[2];

	CHECK(pipe2(run, O_CLOEXEC) == 0 && pipe2(ends, O_CLOEXEC) == 0, "%s", strerror(errno));
	CHECK(zs_proxy_report(&none, run[0], &line), "nobody reads it");
	CHECK(!zs_proxy_report(&full, run[0], &line), "a full disk");
	while (zs_proxy_report(&report, run[0], &line))
		lines++;
	CHECK(lines > 500000 && report.written <= ZS_PROXY_REPORT_MAX, "%zu lines, %zu bytes", lines, report.written);
	/* A line in the report says so. */
	last = calloc(1, ZS_PROXY_LINE_MAX + 1);
	dup2(ends[1], report.fd);
	CHECK(!zs_proxy_report(&report, run[0], &line) && read(ends[0], last, ZS_PROXY_LINE_MAX) > 0 &&
			strstr(last, "\"the report has 64 MiB; no host is reached any more\""),
		"%s", last);
	free(last);
	close(report.fd);
	close(full.fd);
	for (int i = 0; i < 2; i++) {
		close(run[i]);
		close(ends[i]);
	}
}

/* The relay. */

static void open_pair(int ends[2])
{
	CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) == 0, "%s", strerror(errno));
}

TEST(proxy_relay_keeps_order_and_waits_for_who_is_slow)
{
	enum { ROUNDS = 40, CHUNK = 64 * 1024 };
	static unsigned char sent[CHUNK], got[CHUNK];
	struct zs_flow flow = { .first = strdup("first"), .first_len = 5 };
	struct zs_pipes pipes = { .count = 0 };
	size_t written = 0, read_back = 0;
	int in[2], out[2];
	bool waited = false;

	open_pair(in);
	open_pair(out);
	while (read_back < 5 + (size_t)ROUNDS * CHUNK) {
		ssize_t len;

		for (size_t i = 0; i < CHUNK; i++)
			sent[i] = (unsigned char)((written + i) % 251);
		if (written < (size_t)ROUNDS * CHUNK) {
			size_t left = (size_t)ROUNDS * CHUNK - written;

			len = write(in[0], sent, left < CHUNK ? left : CHUNK);
			written += len > 0 ? (size_t)len : 0;
		}
		CHECK(zs_flow_pump(&flow, &pipes, in[1], out[0]) == 0, "%s", strerror(errno));
		waited |= zs_flow_wants_write(&flow);
		CHECK(!(zs_flow_wants_write(&flow) && zs_flow_wants_read(&flow)), "it reads what it cannot write");
		/* A slow reader. */
		len = read(out[1], got, 3000);
		for (ssize_t i = 0; i < len; i++) {
			size_t at = read_back + (size_t)i;
			unsigned char want = at < 5 ? (unsigned char)"first"[at] : (unsigned char)((at - 5) % 251);

			if (got[i] != want) {
				CHECK(false, "byte %zu", at);
				return;
			}
		}
		read_back += len > 0 ? (size_t)len : 0;
	}
	CHECK(waited && flow.passed == read_back, "it never had to wait");
	shutdown(in[0], SHUT_WR);
	for (int i = 0; i < 3; i++)
		zs_flow_pump(&flow, &pipes, in[1], out[0]);
	CHECK(flow.shut && read(out[1], got, 1) == 0, "the end is passed on");
	/* The other direction goes on. */
	CHECK(write(out[1], "x", 1) == 1, "half a connection");
	CHECK(pipes.count == 1 && !flow.pipe, "%zu pipes", pipes.count);
	zs_flow_end(&flow, &pipes);
	zs_pipes_close(&pipes);
	for (int i = 0; i < 2; i++) {
		close(in[i]);
		close(out[i]);
	}
}

/* Each flow's reader reads nothing, so that it keeps its pipe. */
TEST(proxy_relay_has_few_large_pipes)
{
	enum { FLOWS = ZS_RELAY_LARGE_PIPES + 4, CHUNK = 64 * 1024 };
	static unsigned char chunk[CHUNK];
	struct zs_flow flows[FLOWS + 1] = { 0 };
	struct zs_pipes pipes = { .count = 0 };
	int in[FLOWS + 1][2], out[FLOWS + 1][2];

	for (int i = 0; i <= FLOWS; i++) {
		open_pair(in[i]);
		open_pair(out[i]);
	}
	for (int i = 0; i <= FLOWS; i++) {
		int want = i < ZS_RELAY_LARGE_PIPES || i == FLOWS ? ZS_RELAY_PIPE_BYTES : ZS_RELAY_SMALL_PIPE_BYTES;

		/* When a connection ends, the next one gets its large pipe. */
		if (i == FLOWS)
			zs_flow_end(&flows[0], &pipes);
		while (!zs_flow_wants_write(&flows[i])) {
			if (write(in[i][0], chunk, sizeof chunk) < 0 && errno != EAGAIN)
				break;
			if (zs_flow_pump(&flows[i], &pipes, in[i][1], out[i][0]) < 0)
				break;
		}
		CHECK(flows[i].pipe, "flow %d has no pipe", i);
		if (flows[i].pipe)
			CHECK(fcntl(((struct zs_splice *)flows[i].pipe)->in, F_GETPIPE_SZ) == want, "flow %d: %d", i,
				fcntl(((struct zs_splice *)flows[i].pipe)->in, F_GETPIPE_SZ));
	}
	for (int i = 0; i <= FLOWS; i++)
		zs_flow_end(&flows[i], &pipes);
	zs_pipes_close(&pipes);
	CHECK(pipes.large == 0, "%zu large ones are left", pipes.large);
	for (int i = 0; i <= FLOWS; i++)
		for (int j = 0; j < 2; j++) {
			close(in[i][j]);
			close(out[i][j]);
		}
}

TEST(proxy_relay_ends_a_request_where_it_ends)
{
	struct zs_flow flow = { .limited = true, .left = 3 };
	struct zs_pipes pipes = { .count = 0 };
	int in[2], out[2];
	char got[16];

	open_pair(in);
	open_pair(out);
	CHECK(write(in[0], "abcdef", 6) == 6, "write");
	CHECK(zs_flow_pump(&flow, &pipes, in[1], out[0]) == 0 && flow.ended, "pump");
	CHECK(read(out[1], got, sizeof got) == 3 && memcmp(got, "abc", 3) == 0, "its bytes");
	CHECK(read(out[1], got, sizeof got) < 0 && errno == EAGAIN, "and no end, which some take for a change of mind");
	zs_flow_end(&flow, &pipes);
	zs_pipes_close(&pipes);
	for (int i = 0; i < 2; i++) {
		close(in[i]);
		close(out[i]);
	}
}

/* The caller's variables for another proxy are replaced. */
TEST(proxy_variables)
{
	static const char *const names[] = { "PROXY", "HTTP_PROXY_HOST", "HTTP_PROXY", "npm_config_https_proxy",
		"Rsync_Proxy", NULL };
	char *envp[] = { (char *)"PROXY=x", (char *)"HTTP_PROXY_HOST=x", (char *)"HTTP_PROXY=x",
		(char *)"npm_config_https_proxy=x", (char *)"Rsync_Proxy=x", NULL };
	AUTO_POLICY *policy = policy_own();
	size_t passed = 0;
	char **env = NULL;

	zs_policy_set_network(policy, ZS_NETWORK_HOSTS, NULL);
	for (size_t i = 0; names[i]; i++)
		zs_policy_add_env(policy, names[i], NULL);
	CHECK(zs_env_filter(policy, envp, &env) == 0, "filter");
	for (char **at = env; at && *at; at++) {
		const char *value = strchr(*at, '=') + 1;
		bool exception = strncasecmp(*at, "no_proxy=", 9) == 0;

		if (*at == envp[0] || *at == envp[1])
			passed++;
		else if (strncmp(*at, "ZS_SANDBOX", 10) != 0)
			CHECK(strcmp(value, exception ? "localhost,127.0.0.1,::1" : "http://127.0.0.1:808") == 0, "%s",
				*at);
	}
	CHECK(passed == 2, "%zu others", passed);
	free(env);
}
