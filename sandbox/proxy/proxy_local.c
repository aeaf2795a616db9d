#include "proxy/proxy_local.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "proxy/proxy_system.h"

enum { BACKLOG = 128, TRIES = 32 };

static int listen_at(const struct sockaddr *address, socklen_t size)
{
	const int on = 1;
	int fd = zs_proxy_socket(address->sa_family, SOCK_STREAM), cause;

	if (fd < 0)
		return fd;
	if ((address->sa_family != AF_INET6 || setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on) == 0) &&
		bind(fd, address, size) == 0 && listen(fd, BACKLOG) == 0)
		return fd;
	cause = errno;
	close(fd);
	return -cause;
}

/* The kernel chooses the port. */
static int listen_v4(uint16_t *ret_port)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof address;
	int fd = listen_at((const struct sockaddr *)&address, sizeof address);

	if (fd >= 0 && getsockname(fd, (struct sockaddr *)&address, &size) < 0) {
		int cause = errno;

		close(fd);
		return -cause;
	}
	*ret_port = ntohs(address.sin_port);
	return fd;
}

static int listen_v6(uint16_t port)
{
	const struct sockaddr_in6 address = {
		.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT, .sin6_port = htons(port)
	};

	return listen_at((const struct sockaddr *)&address, sizeof address);
}

int zs_proxy_listen_local(int ret_listeners[ZS_PROXY_LOCAL_LISTENERS], uint16_t *ret_port)
{
	int first, second = -EADDRINUSE;

	/* Another program may have that port of ::1. */
	for (int i = 0; second == -EADDRINUSE && i < TRIES; i++) {
		first = listen_v4(ret_port);
		if (first < 0)
			return first;
		second = listen_v6(*ret_port);
		if (second < 0 && second != -EADDRNOTAVAIL && second != -EAFNOSUPPORT)
			close(first);
	}
	if (second < 0 && second != -EADDRNOTAVAIL && second != -EAFNOSUPPORT)
		return second;
	ret_listeners[0] = first;
	ret_listeners[1] = second < 0 ? -1 : second;
	return 0;
}
