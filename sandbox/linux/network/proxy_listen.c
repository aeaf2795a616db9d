/* The listeners of a run with a proxy: opens them, adds their addresses to lo, passes them to the proxy, and checks
 * them there. */
#include "linux/network/proxy.h"

#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "linux/base/fd_message.h"
#include "linux/base/namespace_calls.h"
#include "proxy/proxy_ports.h"
#include "proxy/proxy_system.h"
#include "policy/environment.h"

enum { BACKLOG = 256 };

struct place {
	const char *name;
	int type;
	uint32_t address;
	uint16_t port;
	bool v6; /* ::1 instead of the address */
};

static const struct place fixed[ZS_PROXY_FIXED] = {
	[ZS_PROXY_HTTP] = { "proxy", SOCK_STREAM, INADDR_LOOPBACK, ZS_PROXY_PORT, false },
	[ZS_PROXY_DNS_UDP] = { "resolver", SOCK_DGRAM, INADDR_LOOPBACK, ZS_PROXY_DNS_PORT, false },
	[ZS_PROXY_DNS_TCP] = { "resolver", SOCK_STREAM, INADDR_LOOPBACK, ZS_PROXY_DNS_PORT, false },
	[ZS_PROXY_TLS] = { "port 443", SOCK_STREAM, INADDR_ANY, ZS_PROXY_TLS_PORT, false },
	[ZS_PROXY_PLAIN] = { "port 80", SOCK_STREAM, INADDR_ANY, ZS_PROXY_PLAIN_PORT, false },
};

/* Lists this policy's listeners and returns their number. */
static int find_places(const struct zs_policy *policy, struct place ret_places[ZS_PROXY_LISTENERS])
{
	struct zs_proxy_ports ports;

	zs_proxy_ports_of(policy, &ports);
	memcpy(ret_places, fixed, sizeof fixed);
	for (size_t i = 0; i < ports.count; i++)
		ret_places[ZS_PROXY_FIXED + i] = (struct place){ "a host's port", SOCK_STREAM, ports.rows[i].address,
			ports.rows[i].port, ports.rows[i].v6 };
	return (int)(ZS_PROXY_FIXED + ports.count);
}

static struct sockaddr_in address_of(uint32_t address, uint16_t port)
{
	return (struct sockaddr_in){
		.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(address)
	};
}

/* Returns its length. */
static socklen_t address_of_place(const struct place *place, struct sockaddr_storage *ret_address)
{
	const struct sockaddr_in v4 = address_of(place->address, place->port);
	const struct sockaddr_in6 v6 = {
		.sin6_family = AF_INET6, .sin6_port = htons(place->port), .sin6_addr = IN6ADDR_LOOPBACK_INIT
	};

	*ret_address = (struct sockaddr_storage){ 0 };
	if (place->v6)
		memcpy(ret_address, &v6, sizeof v6);
	else
		memcpy(ret_address, &v4, sizeof v4);
	return place->v6 ? sizeof v6 : sizeof v4;
}

/* Adds the pool of addresses as an alias of lo (man 7 netdevice). Every address of a loopback device's network is local
 * (fib_add_ifaddr() in net/ipv4/fib_frontend.c), as all of 127.0.0.0/8 is. */
static int add_pool(void)
{
	ZS_AUTO_FD int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	const struct sockaddr_in address = address_of(ZS_PROXY_POOL + 1, 0), mask = address_of(ZS_PROXY_POOL_MASK, 0);
	struct ifreq request = { .ifr_name = "lo:0" };

	if (fd < 0)
		return -errno;
	memcpy(&request.ifr_addr, &address, sizeof address);
	if (ioctl(fd, SIOCSIFADDR, &request) < 0)
		return -errno;
	memcpy(&request.ifr_netmask, &mask, sizeof mask);
	return ioctl(fd, SIOCSIFNETMASK, &request) < 0 ? -errno : 0;
}

static int open_listener(const struct place *place)
{
	struct sockaddr_storage address;
	socklen_t size = address_of_place(place, &address);
	ZS_AUTO_FD int fd = zs_proxy_socket(address.ss_family, place->type);

	if (fd < 0)
		return fd;
	/* Accepted connections inherit this from the listener: tcp_ca_openreq_child() in net/ipv4/tcp_minisocks.c. */
	if (place->type == SOCK_STREAM)
		zs_proxy_do_not_pace(fd);
	if (bind(fd, (const struct sockaddr *)&address, size) < 0 ||
		(place->type == SOCK_STREAM && listen(fd, BACKLOG) < 0))
		return -errno;
	return ZS_STEAL_FD(fd);
}

int zs_proxy_listen_names(void)
{
	return open_listener(&fixed[ZS_PROXY_DNS_UDP]);
}

int zs_proxy_listener_count(const struct zs_policy *policy)
{
	struct place places[ZS_PROXY_LISTENERS];

	return find_places(policy, places);
}

int zs_proxy_listen(const struct zs_policy *policy, int ret_listeners[ZS_PROXY_LISTENERS], const char **ret_object)
{
	struct place places[ZS_PROXY_LISTENERS];
	int count = find_places(policy, places), opened = 0, r;

	*ret_object = "addresses";
	r = add_pool();
	for (; r >= 0 && opened < count; opened++) {
		*ret_object = places[opened].name;
		r = ret_listeners[opened] = open_listener(&places[opened]);
		if (r < 0)
			break;
	}
	while (r < 0 && opened-- > 0)
		close(ret_listeners[opened]);
	return r < 0 ? r : 0;
}

int zs_proxy_pass(int socket, const int *listeners, int count)
{
	return zs_fds_send(socket, "", 1, listeners, (size_t)count);
}

int zs_proxy_receive(int socket, int ret_listeners[ZS_PROXY_LISTENERS], int count)
{
	int descriptors[ZS_PROXY_LISTENERS + 1], flags; /* room for one too many, so that it is noticed */
	size_t got = ZS_COUNT(descriptors);
	char byte;
	ssize_t len = zs_fds_receive(socket, &byte, 1, descriptors, &got, &flags);

	if (len <= 0)
		return len < 0 ? (int)len : -EPIPE;
	if (got == (size_t)count && !(flags & (MSG_CTRUNC | MSG_TRUNC))) {
		memcpy(ret_listeners, descriptors, got * sizeof *descriptors);
		return 0;
	}
	while (got-- > 0)
		close(descriptors[got]);
	return -EBADMSG;
}

static bool has_option(int fd, int option, int value)
{
	socklen_t size = sizeof(int);
	int is;

	return getsockopt(fd, SOL_SOCKET, option, &is, &size) == 0 && size == sizeof is && is == value;
}

static bool is_listener(int fd, const struct place *place)
{
	bool stream = place->type == SOCK_STREAM;
	struct sockaddr_storage address, found = { 0 };
	socklen_t size = address_of_place(place, &address), len = sizeof found;

	return has_option(fd, SO_DOMAIN, address.ss_family) && has_option(fd, SO_TYPE, place->type) &&
	       has_option(fd, SO_PROTOCOL, stream ? IPPROTO_TCP : IPPROTO_UDP) &&
	       has_option(fd, SO_ACCEPTCONN, stream) && getsockname(fd, (struct sockaddr *)&found, &len) == 0 &&
	       len == size && memcmp(&found, &address, size) == 0;
}

int zs_proxy_check(const struct zs_policy *policy, const int listeners[ZS_PROXY_LISTENERS], int count)
{
	struct place places[ZS_PROXY_LISTENERS];
	uint64_t here, inside, there;
	int r = zs_network_of(-1, &here);

	if (count != find_places(policy, places))
		return -EBADF;
	for (int i = 0; r == 0 && i < count; i++) {
		if (!is_listener(listeners[i], &places[i]))
			return -EBADF;
		r = zs_network_of(listeners[i], i == 0 ? &inside : &there);
		if (r == 0 && (inside == here || (i > 0 && there != inside)))
			return -EBADF;
	}
	return r;
}
