#include "proxy/proxy_system.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

/* In two calls: the proxy has one thread, and starts no program. */
static int proxy_socket_set_up(int fd)
{
	int flags = fcntl(fd, F_GETFL), cause;

	if (flags >= 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) >= 0 && fcntl(fd, F_SETFD, FD_CLOEXEC) >= 0)
		return fd;
	cause = errno;
	close(fd);
	return -cause;
}

int zs_proxy_socket(int family, int type)
{
	int fd = socket(family, type, 0);

	return fd < 0 ? -errno : proxy_socket_set_up(fd);
}

int zs_proxy_take(int listener)
{
	int fd = accept(listener, NULL, NULL);

	return fd < 0 ? -errno : proxy_socket_set_up(fd);
}

/* The proxy has all signals blocked, SIGPIPE too. */
ssize_t zs_proxy_send(int socket, const void *bytes, size_t len)
{
	return send(socket, bytes, len, MSG_DONTWAIT);
}

void zs_proxy_do_not_pace(int socket)
{
	(void)socket;
}
