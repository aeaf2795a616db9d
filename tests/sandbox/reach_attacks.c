#include "reach_attacks.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <netinet/ip_icmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attacks.h"

static int worked(bool success)
{
	return success ? 0 : errno;
}

static struct sockaddr_in ipv4(const char *address, const char *port)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port)) };

	inet_pton(AF_INET, address, &to.sin_addr);
	return to;
}

static int connect_to(int family, int type, int protocol, const void *address, socklen_t size)
{
	int fd = socket(family, type | SOCK_CLOEXEC, protocol);

	return worked(fd >= 0 && connect(fd, address, size) == 0);
}

int attack_connect6(const char *address, const char *port)
{
	struct sockaddr_in6 to = { .sin6_family = AF_INET6, .sin6_port = htons((uint16_t)atoi(port)) };

	inet_pton(AF_INET6, address, &to.sin6_addr);
	return connect_to(AF_INET6, SOCK_STREAM, 0, &to, sizeof to);
}

/* Connects to an IPv4 address in the form of an IPv6 one. */
int attack_connect_mapped(const char *address, const char *port)
{
	char mapped[64];

	snprintf(mapped, sizeof mapped, "::ffff:%s", address);
	return attack_connect6(mapped, port);
}

/* Connects without connect(2), which a filter of that call misses. */
int attack_fast_open(const char *address, const char *port)
{
	struct sockaddr_in to = ipv4(address, port);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	return worked(
		fd >= 0 && sendto(fd, "x", 1, MSG_FASTOPEN | MSG_NOSIGNAL, (struct sockaddr *)&to, sizeof to) == 1);
}

int attack_mptcp(const char *address, const char *port)
{
	struct sockaddr_in to = ipv4(address, port);

	return connect_to(AF_INET, SOCK_STREAM, 262, &to, sizeof to); /* IPPROTO_MPTCP */
}

int attack_sctp(const char *address, const char *port)
{
	struct sockaddr_in to = ipv4(address, port);

	return connect_to(AF_INET, SOCK_STREAM, 132, &to, sizeof to); /* IPPROTO_SCTP */
}

/* Sends a datagram and waits for its answer, as a DNS look-up does. */
int attack_ask(const char *address, const char *port)
{
	struct sockaddr_in to = ipv4(address, port);
	struct timeval wait = { 1, 0 };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	char c;

	return worked(fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait) == 0 &&
		      connect(fd, (struct sockaddr *)&to, sizeof to) == 0 && send(fd, "x", 1, 0) == 1 &&
		      recv(fd, &c, 1, 0) == 1);
}

int attack_ping(const char *address, const char *b)
{
	struct sockaddr_in to = ipv4(address, "0");
	struct icmphdr echo = { .type = ICMP_ECHO, .checksum = (uint16_t)~htons(ICMP_ECHO << 8) };
	int fd = socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_ICMP);

	(void)b;
	return worked(fd >= 0 && sendto(fd, &echo, sizeof echo, 0, (struct sockaddr *)&to, sizeof to) == sizeof echo);
}

/* Listens to all packets on the machine's loopback. */
int attack_packet(const char *a, const char *b)
{
	struct sockaddr_ll at = {
		.sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL), .sll_ifindex = (int)if_nametoindex("lo")
	};
	int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, htons(ETH_P_ALL));

	(void)a;
	(void)b;
	return worked(fd >= 0 && bind(fd, (struct sockaddr *)&at, sizeof at) == 0);
}

static struct sockaddr_un local(const char *path)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };

	snprintf(to.sun_path, sizeof to.sun_path, "%s", path);
	return to;
}

int attack_socket_file(const char *path, const char *b)
{
	struct sockaddr_un to = local(path);

	(void)b;
	return connect_to(AF_UNIX, SOCK_STREAM, 0, &to, sizeof to);
}

int attack_send_file(const char *path, const char *b)
{
	struct sockaddr_un to = local(path);
	int pair[2];

	(void)b;
	if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair) < 0)
		return errno;
	return worked(sendto(pair[0], "x", 1, 0, (struct sockaddr *)&to, sizeof to) == 1);
}

int attack_trace(const char *pid, const char *b)
{
	(void)b;
	if (ptrace(PTRACE_ATTACH, atoi(pid), NULL, NULL) < 0)
		return errno;
	waitpid(atoi(pid), NULL, 0);
	ptrace(PTRACE_DETACH, atoi(pid), NULL, NULL);
	return 0;
}

/* b: an address in that process. */
int attack_read_memory(const char *pid, const char *b)
{
	char byte;
	struct iovec here = { &byte, 1 }, there = { (void *)(uintptr_t)strtoull(b, NULL, 0), 1 };

	return worked(process_vm_readv(atoi(pid), &here, 1, &there, 1, 0) == 1);
}

int attack_write_memory(const char *pid, const char *b)
{
	char byte = 0;
	struct iovec here = { &byte, 1 }, there = { (void *)(uintptr_t)strtoull(b, NULL, 0), 1 };

	return worked(process_vm_writev(atoi(pid), &here, 1, &there, 1, 0) == 1);
}

int attack_memory_file(const char *pid, const char *b)
{
	char path[64], byte;
	FILE *file;

	snprintf(path, sizeof path, "/proc/%s/mem", pid);
	file = fopen(path, "re");
	return worked(file && pread(fileno(file), &byte, 1, (off_t)strtoull(b, NULL, 0)) == 1);
}

int attack_kill_by_descriptor(const char *pid, const char *b)
{
	long fd = syscall(SYS_pidfd_open, atoi(pid), 0);

	(void)b;
	return worked(fd >= 0 && syscall(SYS_pidfd_send_signal, fd, SIGKILL, NULL, 0) == 0);
}
