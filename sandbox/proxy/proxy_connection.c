#include "proxy/proxy_connection.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "proxy/proxy_socket.h"

static const char *const via_names[ZS_VIA_COUNT] = { [ZS_VIA_PROXY] = "proxy",
	[ZS_VIA_HTTP] = "http",
	[ZS_VIA_CONNECT] = "connect",
	[ZS_VIA_SOCKS] = "socks",
	[ZS_VIA_TLS] = "tls",
	[ZS_VIA_PLAIN] = "plain",
	[ZS_VIA_SSH] = "ssh",
	[ZS_VIA_PORT] = "port",
	[ZS_VIA_DNS] = "dns" };

static void report(struct zs_proxy *proxy, struct zs_connection *connection)
{
	const struct zs_proxy_line line = { .event = "connect",
		.via = via_names[connection->via],
		.host = connection->host_known ? connection->host.name : NULL,
		.port = connection->host.port,
		.address = connection->address,
		.allowed = connection->allowed,
		.sni = *connection->sni ? connection->sni : NULL,
		.reason = connection->reason,
		.sent = connection->up.passed,
		.received = connection->down.passed,
		.ms = proxy->now - connection->began };

	/* A question that came by TCP has a line of its own; who has said nothing has asked for nothing. */
	if (!connection->reported && (connection->reason || (connection->via != ZS_VIA_DNS && connection->host_known)))
		zs_proxy_tell(proxy, &line);
	connection->reported = true;
}

void zs_connection_end(struct zs_proxy *proxy, struct zs_connection *connection)
{
	if (connection->state == ZS_STATE_DEAD)
		return;
	report(proxy, connection);
	if (connection->state == ZS_STATE_LOOKUP)
		zs_connection_end_lookup(proxy, connection);
	zs_flow_end(&connection->up, &proxy->pipes);
	zs_flow_end(&connection->down, &proxy->pipes);
	zs_proxy_forget(proxy, &connection->client);
	zs_proxy_forget(proxy, &connection->server);
	free(connection->head);
	free(connection->http);
	connection->head = NULL;
	connection->http = NULL;
	connection->state = ZS_STATE_DEAD;
	proxy->dead++;
}

/* Refusing */

int zs_connection_say(struct zs_connection *connection, const void *bytes, size_t len)
{
	/* Little, and first of all: it fits the socket's buffer. */
	ssize_t done = zs_proxy_send(connection->client.fd, bytes, len);

	return done < 0 ? -errno : (size_t)done == len ? 0 : -EAGAIN;
}

/* A connection that is closed while bytes of the command's are unread is reset, and loses the last bytes that were
 * sent. */
void zs_connection_linger(struct zs_proxy *proxy, struct zs_connection *connection)
{
	report(proxy, connection);
	shutdown(connection->client.fd, SHUT_WR);
	zs_proxy_forget(proxy, &connection->server);
	connection->state = ZS_STATE_LINGER;
	connection->deadline = proxy->now + ZS_PROXY_LINGER_MS;
	zs_proxy_watch(proxy, &connection->client, POLLIN);
}

static bool has_words(const struct zs_connection *connection)
{
	return connection->via == ZS_VIA_HTTP || connection->via == ZS_VIA_CONNECT || connection->via == ZS_VIA_SOCKS ||
	       connection->via == ZS_VIA_PLAIN;
}

static void turn_away(struct zs_proxy *proxy, struct zs_connection *connection, bool failed)
{
	const struct linger at_once = { 1, 0 };

	if (connection->state == ZS_STATE_LOOKUP)
		zs_connection_end_lookup(proxy, connection);
	/* Once it is connected it hears nothing more from us. */
	if (connection->state != ZS_STATE_RELAY && has_words(connection)) {
		zs_greeting_refused(connection, failed);
		zs_connection_linger(proxy, connection);
		return;
	}
	setsockopt(connection->client.fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
	zs_connection_end(proxy, connection);
}

void zs_connection_refuse(struct zs_proxy *proxy, struct zs_connection *connection, const char *reason)
{
	connection->allowed = false;
	connection->reason = reason;
	turn_away(proxy, connection, false);
}

void zs_connection_fail(struct zs_proxy *proxy, struct zs_connection *connection, const char *reason)
{
	connection->allowed = true;
	connection->reason = reason;
	turn_away(proxy, connection, true);
}

/* From the command */

/* Grows the memory for the command's first bytes. */
static int grow_head(struct zs_connection *connection)
{
	enum { FIRST = 4096 };
	size_t size = connection->head_size ? 2 * connection->head_size : FIRST;
	unsigned char *head;

	if (connection->head_len < connection->head_size)
		return 0;
	if (size > ZS_PROXY_HEAD_BYTES)
		return -E2BIG;
	head = realloc(connection->head, size);
	if (!head)
		return -ENOMEM;
	connection->head = head;
	connection->head_size = size;
	return 0;
}

int zs_connection_hear(struct zs_connection *connection)
{
	int r = grow_head(connection);
	ssize_t len;

	if (r < 0)
		return r;
	len = recv(connection->client.fd, connection->head + connection->head_len,
		connection->head_size - connection->head_len, MSG_DONTWAIT);
	if (len < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -errno;
	connection->head_len += (size_t)len;
	return len > 0 ? 1 : -EPIPE;
}

static void hear(struct zs_proxy *proxy, struct zs_connection *connection)
{
	int r = zs_connection_hear(connection);

	if (r == -E2BIG)
		zs_connection_refuse(proxy, connection, "what it asks for is too long");
	else if (r < 0)
		zs_connection_end(proxy, connection);
	else if (r > 0)
		zs_greeting_read(proxy, connection);
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
		hear(proxy, connection);
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
		zs_connection_refuse(proxy, connection, "has not said in time what it wants");
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

/* Which name stands for the address that a program blind to proxies has connected to. NULL: none. */
static const char *name_of(const struct zs_proxy *proxy, int fd, uint16_t *ret_port)
{
	struct sockaddr_in to;
	socklen_t size = sizeof to;

	if (getsockname(fd, (struct sockaddr *)&to, &size) < 0 || to.sin_family != AF_INET)
		return NULL;
	*ret_port = ntohs(to.sin_port);
	return zs_proxy_name_of(&proxy->names, ntohl(to.sin_addr.s_addr));
}

static void start(struct zs_proxy *proxy, struct zs_connection *connection)
{
	if (connection->via != ZS_VIA_PROXY && connection->via != ZS_VIA_DNS) {
		const char *name = name_of(proxy, connection->client.fd, &connection->host.port);

		if (!name) {
			zs_connection_refuse(proxy, connection, "its address stands for no name");
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
		zs_connection_go(proxy, connection, 0);
}

void zs_connection_bound(const struct zs_connection *connection, int fd)
{
	const int size = ZS_PROXY_SMALL_BUFFER;

	if (!connection->small)
		return;
	setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
	setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
}

static void take(struct zs_proxy *proxy, int fd, enum zs_proxy_via via)
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
	start(proxy, connection);
}

static void turn_back(struct zs_proxy *proxy, int fd, enum zs_proxy_via via)
{
	const struct zs_proxy_line line = {
		.event = "connect", .via = via_names[via], .reason = "too many connections", .ms = -1
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
			take(proxy, fd, via);
	}
}
