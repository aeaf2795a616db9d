/* The reach of a confined command: the network, sockets, other processes. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "attacks.h"
#include "harness.h"

static pid_t echo_datagrams(int fd)
{
	pid_t pid = fork();

	while (pid == 0) {
		struct sockaddr_storage from;
		socklen_t size = sizeof from;
		char c;

		if (recvfrom(fd, &c, 1, 0, (struct sockaddr *)&from, &size) == 1)
			sendto(fd, &c, 1, 0, (struct sockaddr *)&from, size);
	}
	return pid;
}

/* The listeners outside, on the machine's loopback. */
struct servers {
	int tcp, tcp6, udp, abstract;
	pid_t echo;
	char port[16], port6[16], udp_port[16], name[64];
};

static void say_port(int fd, char *port, size_t size)
{
	struct sockaddr_in6 at = { 0 }; /* sockaddr_in has its port at the same place */
	socklen_t len = sizeof at;

	getsockname(fd, (struct sockaddr *)&at, &len);
	snprintf(port, size, "%d", ntohs(at.sin6_port));
}

static void start_servers(struct servers *servers)
{
	struct sockaddr_in ip = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct sockaddr_in6 ip6 = { .sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	struct sockaddr_un local = { .sun_family = AF_UNIX };
	socklen_t prefix = offsetof(struct sockaddr_un, sun_path) + 1;

	snprintf(servers->name, sizeof servers->name, "zs-test-%d", getpid());
	memcpy(local.sun_path + 1, servers->name, strlen(servers->name));
	servers->tcp = harness_listen(SOCK_STREAM, &ip, sizeof ip);
	servers->tcp6 = harness_listen(SOCK_STREAM, &ip6, sizeof ip6);
	servers->udp = harness_listen(SOCK_DGRAM, &ip, sizeof ip);
	servers->abstract = harness_listen(SOCK_STREAM, &local, prefix + (socklen_t)strlen(servers->name));
	say_port(servers->tcp, servers->port, sizeof servers->port);
	say_port(servers->tcp6, servers->port6, sizeof servers->port6);
	say_port(servers->udp, servers->udp_port, sizeof servers->udp_port);
	servers->echo = echo_datagrams(servers->udp);
}

static void stop_servers(struct servers *servers)
{
	kill(servers->echo, SIGKILL);
	waitpid(servers->echo, NULL, 0);
	close(servers->tcp);
	close(servers->tcp6);
	close(servers->udp);
	close(servers->abstract);
}

/* A kernel without the protocol answers so. */
static bool is_unknown(int status)
{
	return status == EPROTONOSUPPORT || status == ESOCKTNOSUPPORT || status == ENOSYS;
}

TEST(network)
{
	struct servers servers;

	start_servers(&servers);
	const struct {
		const char *attack, *a, *b;
		int none, full;
		bool as_root_only, optional; /* an ordinary user cannot do it free either; the kernel may not know it */
	} rows[] = {
		{ "connect", "127.0.0.1", servers.port, ECONNREFUSED, 0, false, false },
		{ "connect6", "::1", servers.port6, ECONNREFUSED, 0, false, false },
		{ "connect_mapped", "127.0.0.1", servers.port, ECONNREFUSED, 0, false, false },
		{ "fast_open", "127.0.0.1", servers.port, ECONNREFUSED, 0, false, false },
		{ "mptcp", "127.0.0.1", servers.port, ECONNREFUSED, 0, false, true },
		{ "sctp", "127.0.0.1", servers.port, EPROTONOSUPPORT, 0, false, true },
		{ "ask", "127.0.0.1", servers.udp_port, ECONNREFUSED, 0, false, false },
		{ "ping", "127.0.0.1", "", EPERM, EPERM, true, false },
		{ "packet", "", "", EAFNOSUPPORT, EAFNOSUPPORT, true, false },
		{ "ring_socket", "", "", ENOSYS, ENOSYS, false, true },
		/* another network; then Landlock's scope */
		{ "abstract", servers.name, "", ECONNREFUSED, EPERM, false, false },
		{ "own_loopback", "", "", 0, 0, false, false },
	};

	AS_EACH_USER (scratch) {
		for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
			const char *attack = rows[i].attack;
			struct result result;
			int status;

			status =
				run_attack(scratch.owner, &scratch, ATTACK_FREE, attack, rows[i].a, rows[i].b, &result);
			CHECK(status == 0 || (rows[i].as_root_only && scratch.owner != 0) ||
					(rows[i].optional && is_unknown(status)),
				"%s fails even free: %d", attack, status);
			if (status && rows[i].optional)
				continue;
			status = run_attack(
				scratch.owner, &scratch, ZS_NETWORK_NONE, attack, rows[i].a, rows[i].b, &result);
			CHECK(status == rows[i].none, "none: %s: %d %s", attack, status, result.err);
			if (!harness_has_session()) { /* a policy without a proxy */
				status = run_attack(scratch.owner, &scratch, ZS_NETWORK_HOSTS, attack, rows[i].a,
					rows[i].b, &result);
				CHECK(status == rows[i].none, "hosts: %s: %d %s", attack, status, result.err);
			}
			status = run_attack(
				scratch.owner, &scratch, ZS_NETWORK_FULL, attack, rows[i].a, rows[i].b, &result);
			CHECK(status == rows[i].full, "full: %s: %d %s", attack, status, result.err);
		}
	}
	stop_servers(&servers);
}

/* A socket in the workspace, for example of a supervisor of services that runs any command it is told to. Its folder is
 * granted, so its path exists. */

static void build_sockets(struct zs_policy *policy, const void *arg)
{
	const struct scratch *scratch = arg;

	zs_policy_set_workspace(policy, scratch_path(scratch, "ws"), ZS_WORKSPACE_WRITE, NULL);
	grant_prog(policy, scratch);
	zs_policy_add_env(policy, ATTACK_ENV "*", NULL);
}

static void build_granted_socket(struct zs_policy *policy, const void *arg)
{
	build_sockets(policy, arg);
	zs_policy_add_socket(policy, scratch_path(arg, "ws/stream"), NULL);
	zs_policy_give_up(policy, ZS_PROMISE_SOCKETS, NULL);
}

TEST(sockets_in_the_workspace)
{
	static const struct {
		const char *attack, *socket;
	} rows[] = { { "socket_file", "ws/stream" }, { "send_file", "ws/datagram" } };

	AS_EACH_USER (scratch) {
		int fds[] = { harness_listen_at(SOCK_STREAM, scratch_path(&scratch, "ws/stream")),
			harness_listen_at(SOCK_DGRAM, scratch_path(&scratch, "ws/datagram")) };

		for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
			const struct attack attack = { &scratch, rows[i].attack, scratch_path(&scratch, rows[i].socket),
				"" };
			struct result result;

			attack_free(scratch.owner, &attack, &result);
			CHECK(result.status == 0, "%s fails even free: %d", rows[i].attack, result.status);
			attack_confined(scratch.owner, &attack, build_sockets, &scratch, &result);
			CHECK(result.status == EACCES, "%s: %d %s", rows[i].attack, result.status, result.err);
			attack_confined(scratch.owner, &attack, build_granted_socket, &scratch, &result);
			CHECK(i > 0 || result.status == 0, "granted %s: %d %s", rows[i].attack, result.status,
				result.err);
		}
		close(fds[0]);
		close(fds[1]);
	}
}

/* Finds a mapped address in the victim's memory: its stack's, which it can also write. */
static void find_memory(pid_t pid, char *address, size_t size)
{
	char path[64], line[512] = "";
	FILE *file;

	snprintf(path, sizeof path, "/proc/%d/maps", pid);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof line, file) && !strstr(line, "[stack]")) {
	}
	if (file)
		fclose(file);
	snprintf(address, size, "0x%.*s", (int)strcspn(line, "-"), line);
}

TEST(other_processes)
{
	static const struct {
		const char *attack;
		int confined;
	} rows[] = {
		{ "environ_of", ENOENT },
		{ "memory_file", ENOENT },
		{ "trace", ESRCH },
		{ "read_memory", ESRCH },
		{ "write_memory", ESRCH },
		{ "limit_other", ESRCH },
		{ "priority", ESRCH },
		{ "kill", ESRCH },
		{ "kill_group", ESRCH },
		{ "kill_all", ESRCH },
		{ "thread_kill", ESRCH },
		{ "kill_by_descriptor", ESRCH },
	};

	AS_EACH_USER (scratch) {
		for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
			pid_t pid = harness_start_victim(scratch.owner);
			struct result result;
			char text[16], address[32];
			int status;

			snprintf(text, sizeof text, "%d", pid);
			find_memory(pid, address, sizeof address);
			for (int network = 0; network < ZS_NETWORK_COUNT; network++) {
				status = run_attack(
					scratch.owner, &scratch, network, rows[i].attack, text, address, &result);
				CHECK(status == rows[i].confined, "%s: %d %s", rows[i].attack, status, result.err);
			}
			CHECK(waitpid(pid, &status, WNOHANG) == 0, "%s: it has ended", rows[i].attack);
			status = run_attack(
				scratch.owner, &scratch, ATTACK_FREE, rows[i].attack, text, address, &result);
			CHECK(status == 0, "%s fails even free: %d", rows[i].attack, status);
			kill(pid, SIGKILL);
			waitpid(pid, &status, 0);
		}
	}
}
