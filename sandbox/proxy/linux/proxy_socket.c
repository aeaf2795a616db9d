#include "proxy/proxy_system.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

int zs_proxy_socket(int family, int type)
{
	int fd = socket(family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	return fd < 0 ? -errno : fd;
}

int zs_proxy_take(int listener)
{
	int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

ssize_t zs_proxy_send(int socket, const void *bytes, size_t len)
{
	return send(socket, bytes, len, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void zs_proxy_do_not_pace(int socket)
{
	static const char reno[] = "reno";

	setsockopt(socket, IPPROTO_TCP, TCP_CONGESTION, reno, sizeof reno - 1);
}
