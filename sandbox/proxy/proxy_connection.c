/* The end of a connection: by itself, by a refusal, or by a failure. Also reads what the command says first. */
#include "proxy/proxy_connection.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>

static const char *const via_names[ZS_VIA_COUNT] = { [ZS_VIA_PROXY] = "proxy",
	[ZS_VIA_HTTP] = "http",
	[ZS_VIA_CONNECT] = "connect",
	[ZS_VIA_SOCKS] = "socks",
	[ZS_VIA_TLS] = "tls",
	[ZS_VIA_PLAIN] = "plain",
	[ZS_VIA_SSH] = "ssh",
	[ZS_VIA_PORT] = "port",
	[ZS_VIA_DNS] = "dns" };

const char *zs_proxy_via_name(enum zs_proxy_via via)
{
	return via_names[via];
}

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

	/* A question by TCP has a line of its own. A connection that said nothing has asked for nothing. */
	if (!connection->reported && (connection->reason || (connection->via != ZS_VIA_DNS && connection->host_known)))
		zs_proxy_tell(proxy, &line);
	connection->reported = true;
}

void zs_connection_end_lookup(struct zs_proxy *proxy, struct zs_connection *connection)
{
	zs_proxy_watch(proxy, &connection->server, 0);
	connection->server.fd = -1;
	zs_lookup_end(&connection->lookup);
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

/* If a connection is closed while bytes of the command's are unread, it is reset, and the bytes that were sent last are
 * lost. */
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
	/* Once the connection relays, the proxy says nothing more to the command. */
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

/* Makes more room for the command's first bytes. */
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

void zs_connection_bound(const struct zs_connection *connection, int fd)
{
	const int size = ZS_PROXY_SMALL_BUFFER;

	if (!connection->small)
		return;
	setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
	setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
}
