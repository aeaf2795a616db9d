/* Accepts the command's connections, reads their greeting, and ends those that take too long. */
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "proxy/proxy_connection.h"
#include "proxy/proxy_system.h"

static void hear_greeting(struct zs_proxy *proxy, struct zs_connection *connection)
{
	int r = zs_connection_hear(connection);

	if (r == -E2BIG)
		zs_connection_refuse(proxy, connection, "its request is too long");
	else if (r < 0)
		zs_connection_end(proxy, connection);
	else if (r > 0)
		zs_connection_follow(proxy, connection, zs_greeting_read(proxy, connection));
}

static void drain(struct zs_proxy *proxy, struct zs_connection *connection)
{
	char nothing[4096];
	ssize_t len = recv(connection->client.fd, nothing, sizeof nothing, MSG_DONTWAIT);

	if (len == 0 || (len < 0 && errno != EAGAIN && errno != EINTR))
		zs_connection_end(proxy, connection);
}

static struct zs_connection *of_client(struct zs_watched *watched)
{
	return (struct zs_connection *)((char *)watched - offsetof(struct zs_connection, client));
}

static void client_ready(struct zs_proxy *proxy, struct zs_watched *watched, uint32_t events)
{
	struct zs_connection *connection = of_client(watched);

	if (connection->state == ZS_STATE_HEAD)
		hear_greeting(proxy, connection);
	else if (connection->state == ZS_STATE_LINGER)
		drain(proxy, connection);
	else if (connection->state == ZS_STATE_RELAY)
		zs_connection_relay(proxy, connection, events, 0);
}

void zs_connection_expire(struct zs_proxy *proxy, struct zs_connection *connection)
{
	switch (connection->state) {
	case ZS_STATE_LOOKUP:
		zs_connection_continue_lookup(proxy, connection);
		break;
	case ZS_STATE_CONNECT:
		connection->tried = true;
		zs_connection_try_next(proxy, connection);
		break;
	case ZS_STATE_HEAD:
		zs_connection_refuse(proxy, connection, "has sent no request in time");
		break;
	case ZS_STATE_RELAY:
		connection->reason = "idle for too long";
		zs_connection_end(proxy, connection);
		break;
	case ZS_STATE_LINGER:
	case ZS_STATE_DEAD:
		zs_connection_end(proxy, connection);
		break;
	}
}

/* Takes the loopback address that a program has connected to, for the caller's own server there. */
static bool take_loopback(struct zs_connection *connection)
{
	struct sockaddr_storage to;
	socklen_t size = sizeof to;
	struct zs_address address;
	uint16_t port;

	if (getsockname(connection->client.fd, (struct sockaddr *)&to, &size) < 0 ||
		!zs_address_from_sockaddr((const struct sockaddr *)&to, size, &address, &port) ||
		zs_address_kind(&address) != ZS_ADDRESS_LOOPBACK)
		return false;
	connection->host = zs_host_of_address(&address, port);
	connection->host_known = true;
	connection->via = ZS_VIA_PORT;
	return true;
}

/* Finds the name whose address a program that knows no proxy has connected to. NULL: none. */
static const char *name_of(const struct zs_proxy *proxy, int fd, uint16_t *ret_port)
{
	struct sockaddr_in to;
	socklen_t size = sizeof to;

	if (getsockname(fd, (struct sockaddr *)&to, &size) < 0 || to.sin_family != AF_INET)
		return NULL;
	*ret_port = ntohs(to.sin_port);
	return zs_proxy_name_of(&proxy->names, ntohl(to.sin_addr.s_addr));
}

static void start_connection(struct zs_proxy *proxy, struct zs_connection *connection)
{
	if (connection->via != ZS_VIA_PROXY && connection->via != ZS_VIA_DNS && take_loopback(connection)) {
		/* Its bytes name no other host, so none is judged. */
		zs_connection_go(proxy, connection);
		return;
	}
	if (connection->via != ZS_VIA_PROXY && connection->via != ZS_VIA_DNS) {
		const char *name = name_of(proxy, connection->client.fd, &connection->host.port);

		if (!name) {
			zs_connection_refuse(proxy, connection, "its address belongs to no name");
			return;
		}
		snprintf(connection->host.name, sizeof connection->host.name, "%s", name);
		connection->host_known = true;
		if (connection->via == ZS_VIA_PORT && connection->host.port == ZS_PROXY_SSH_PORT)
			connection->via = ZS_VIA_SSH;
	}
	zs_proxy_watch(proxy, &connection->client, POLLIN);
	connection->unseen = connection->host_known && connection->via != ZS_VIA_PLAIN;
	if (connection->unseen)
		zs_connection_go(proxy, connection);
}

static void take_connection(struct zs_proxy *proxy, int fd, enum zs_proxy_via via)
{
	struct zs_connection *connection = calloc(1, sizeof *connection);

	if (!connection) {
		close(fd);
		return;
	}
	*connection = (struct zs_connection){ .client = { fd, 0, client_ready },
		.server = { -1, 0, zs_server_ready },
		.via = via,
		.began = proxy->now,
		.deadline = proxy->now + ZS_PROXY_HEAD_MS,
		.lookup = { .fd = -1 },
		.small = proxy->count >= ZS_PROXY_LARGE_CONNECTIONS };
	zs_connection_bound(connection, fd);
	proxy->connections[proxy->count++] = connection;
	start_connection(proxy, connection);
}

static void turn_back(struct zs_proxy *proxy, int fd, enum zs_proxy_via via)
{
	const struct zs_proxy_line line = {
		.event = "connect", .via = zs_proxy_via_name(via), .reason = "too many connections", .ms = -1
	};

	zs_proxy_tell(proxy, &line);
	close(fd);
}

void zs_proxy_accept(struct zs_proxy *proxy, struct zs_watched *listener, uint32_t events)
{
	enum { AT_ONCE = 16 };
	enum zs_proxy_via via = ((const struct zs_listener *)listener)->via;

	(void)events;
	for (int i = 0; i < AT_ONCE; i++) {
		int fd = zs_proxy_take(listener->fd);

		if (fd < 0)
			return;
		if (proxy->count == proxy->most)
			turn_back(proxy, fd, via);
		else
			take_connection(proxy, fd, via);
	}
}
