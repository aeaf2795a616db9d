/* From the host that is asked for to bytes that pass: looks it up, connects, and relays. */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stddef.h>
#include <sys/socket.h>
#include <unistd.h>

#include "proxy/proxy_connection.h"
#include "proxy/proxy_system.h"

static struct zs_connection *of_server(struct zs_watched *watched)
{
	return (struct zs_connection *)((char *)watched - offsetof(struct zs_connection, server));
}

/* Passing on */

/* The command's bytes are still read into the proxy's memory. */
static bool is_heard(const struct zs_connection *connection)
{
	return connection->unseen || connection->http;
}

/* The proxy reads what the server says next. */
static bool hears_server(const struct zs_connection *connection)
{
	return connection->hello == ZS_HELLO_ANSWER && !zs_flow_wants_write(&connection->down);
}

static void watch_flows(struct zs_proxy *proxy, struct zs_connection *connection)
{
	const struct zs_flow *up = &connection->up, *down = &connection->down;
	bool reads = zs_flow_wants_read(up) || (is_heard(connection) && !zs_flow_wants_write(up));

	zs_proxy_watch(proxy, &connection->client, (reads ? POLLIN : 0u) | (zs_flow_wants_write(down) ? POLLOUT : 0u));
	zs_proxy_watch(proxy, &connection->server,
		(zs_flow_wants_read(down) || hears_server(connection) ? POLLIN : 0u) |
			(zs_flow_wants_write(up) ? POLLOUT : 0u));
}

/* Called after a byte in either direction. */
static void extend(struct zs_proxy *proxy, struct zs_connection *connection)
{
	bool half = connection->up.ended || connection->down.ended;

	/* The first words of the command must be complete in time. */
	if (!connection->unseen || connection->head_len == 0)
		connection->deadline = proxy->now + (half ? ZS_PROXY_HALF_MS : ZS_PROXY_IDLE_MS);
}

static void pass_bytes(struct zs_proxy *proxy, struct zs_connection *connection, bool up, bool down)
{
	uint64_t before = connection->up.passed + connection->down.passed;
	bool ended = connection->up.ended || connection->down.ended;
	int r = 0;

	if (up)
		r = zs_flow_pump(&connection->up, &proxy->pipes, connection->client.fd, connection->server.fd);
	if (r == 0 && down)
		r = zs_flow_pump(&connection->down, &proxy->pipes, connection->server.fd, connection->client.fd);
	if (r < 0) {
		zs_connection_end(proxy, connection);
		return;
	}
	if (connection->down.shut && connection->up.limited)
		zs_connection_linger(proxy, connection);
	else if (connection->down.shut && connection->up.shut)
		zs_connection_end(proxy, connection);
	else {
		if (connection->up.passed + connection->down.passed != before ||
			ended != (connection->up.ended || connection->down.ended))
			extend(proxy, connection);
		watch_flows(proxy, connection);
	}
}

/* Passes on more of a request's body. */
static void pass_body(struct zs_proxy *proxy, struct zs_connection *connection)
{
	int r = zs_connection_hear(connection);

	if (r > 0)
		r = zs_greeting_pass_body(connection);
	/* Also when the body ends in the middle. */
	if (r < 0)
		zs_connection_end(proxy, connection);
	else
		pass_bytes(proxy, connection, true, false);
}

void zs_connection_relay(struct zs_proxy *proxy, struct zs_connection *connection, uint32_t client, uint32_t server)
{
	const uint32_t out = POLLOUT;

	if ((client & ~out) && connection->unseen)
		zs_connection_follow(proxy, connection, zs_hello_hear(proxy, connection));
	else if ((server & ~out) && hears_server(connection))
		zs_connection_follow(proxy, connection, zs_hello_hear_answer(proxy, connection));
	else if ((client & ~out) && connection->http && !zs_flow_wants_write(&connection->up))
		pass_body(proxy, connection);
	else
		pass_bytes(proxy, connection, (client & ~out) || (server & (POLLOUT | POLLERR)),
			(server & ~out) || (client & (POLLOUT | POLLERR)));
}

/* Connecting */

static void be_connected(struct zs_proxy *proxy, struct zs_connection *connection)
{
	const int on = 1;

	connection->allowed = true;
	connection->state = ZS_STATE_RELAY;
	setsockopt(connection->client.fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	setsockopt(connection->server.fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	extend(proxy, connection);
	if (zs_greeting_connected(connection) < 0) {
		zs_connection_end(proxy, connection);
		return;
	}
	connection->up.held = is_heard(connection);
	if (connection->unseen && connection->head_len > 0) {
		connection->deadline = proxy->now + ZS_PROXY_HEAD_MS;
		zs_connection_follow(proxy, connection, zs_hello_hear(proxy, connection));
	} else {
		pass_bytes(proxy, connection, true, true);
	}
}

/* 0: the connection is made, or in progress. */
static int try_address(struct zs_proxy *proxy, struct zs_connection *connection, const struct zs_address *address)
{
	struct sockaddr_storage to;
	socklen_t size = zs_address_to_sockaddr(address, connection->host.port, &to);
	int fd = zs_proxy_socket(address->family, SOCK_STREAM);

	if (fd < 0)
		return fd;
	if (zs_address_kind(address) == ZS_ADDRESS_LOOPBACK)
		zs_proxy_do_not_pace(fd);
	zs_connection_bound(connection, fd);
	if (connect(fd, (struct sockaddr *)&to, size) < 0 && errno != EINPROGRESS) {
		int cause = errno;

		close(fd);
		return -cause;
	}
	connection->server.fd = fd;
	connection->state = ZS_STATE_CONNECT;
	connection->deadline = proxy->now + ZS_PROXY_CONNECT_MS;
	zs_proxy_watch(proxy, &connection->server, POLLOUT);
	return 0;
}

/* Tries the addresses in their order. It judges each, and connects to the address that it judged. */
void zs_connection_try_next(struct zs_proxy *proxy, struct zs_connection *connection)
{
	const struct zs_lookup *lookup = &connection->lookup;

	zs_proxy_forget(proxy, &connection->server);
	while (connection->next < lookup->count) {
		const struct zs_address *address = &lookup->addresses[connection->next++];
		const char *reason = zs_proxy_refuses_address(proxy, address, connection->host.port);

		zs_address_text(address, connection->address);
		if (reason)
			connection->reason = reason;
		else if (try_address(proxy, connection, address) == 0)
			return;
		else
			connection->tried = true;
	}
	if (connection->tried)
		zs_connection_fail(proxy, connection, "cannot be connected to");
	else
		zs_connection_refuse(proxy, connection, connection->reason);
}

/* r: the result of zs_lookup_begin() or zs_lookup_continue(). */
static void follow_lookup(struct zs_proxy *proxy, struct zs_connection *connection, int r)
{
	connection->server.fd = connection->lookup.fd;
	if (r == 0) {
		connection->deadline = connection->lookup.deadline;
		zs_proxy_watch(
			proxy, &connection->server, zs_lookup_waits_to_ask(&connection->lookup) ? POLLOUT : POLLIN);
		return;
	}
	zs_connection_end_lookup(proxy, connection);
	connection->state = ZS_STATE_CONNECT;
	if (r < 0)
		zs_connection_fail(proxy, connection, "cannot be resolved");
	else
		zs_connection_try_next(proxy, connection);
}

void zs_connection_continue_lookup(struct zs_proxy *proxy, struct zs_connection *connection)
{
	/* The lookup may come back with another socket of the same number. */
	zs_proxy_watch(proxy, &connection->server, 0);
	follow_lookup(proxy, connection, zs_lookup_continue(&connection->lookup, &proxy->resolvers, proxy->now));
}

void zs_connection_go(struct zs_proxy *proxy, struct zs_connection *connection)
{
	static const struct zs_address v4 = { AF_INET, { 127, 0, 0, 1 } }, v6 = { AF_INET6, { [15] = 1 } };
	const char *reason = zs_proxy_refuses(proxy, &connection->host);

	if (reason) {
		zs_connection_refuse(proxy, connection, reason);
		return;
	}
	zs_proxy_watch(proxy, &connection->client, 0);
	if (connection->host.address.family != AF_UNSPEC) {
		connection->lookup.addresses[0] = connection->host.address;
		connection->lookup.count = 1;
		/* localhost: the server may listen at the other address alone. */
		if (zs_address_equal(&connection->host.address, &v4) &&
			zs_proxy_refuses_address(proxy, &v6, connection->host.port) == NULL)
			connection->lookup.addresses[connection->lookup.count++] = v6;
		zs_connection_try_next(proxy, connection);
		return;
	}
	connection->state = ZS_STATE_LOOKUP;
	follow_lookup(proxy, connection,
		zs_lookup_begin(&connection->lookup, &proxy->resolvers, connection->host.name, proxy->now));
}

void zs_connection_follow(struct zs_proxy *proxy, struct zs_connection *connection, enum zs_next next)
{
	switch (next) {
	case ZS_NEXT_END:
		zs_connection_end(proxy, connection);
		break;
	case ZS_NEXT_REFUSE:
		zs_connection_refuse(proxy, connection, connection->reason);
		break;
	case ZS_NEXT_LINGER:
		zs_connection_linger(proxy, connection);
		break;
	case ZS_NEXT_WAIT:
		break;
	case ZS_NEXT_GO:
		zs_connection_go(proxy, connection);
		break;
	case ZS_NEXT_PASS:
	case ZS_NEXT_PASS_DOWN:
		pass_bytes(proxy, connection, next == ZS_NEXT_PASS, true);
		break;
	}
}

void zs_server_ready(struct zs_proxy *proxy, struct zs_watched *watched, uint32_t events)
{
	struct zs_connection *connection = of_server(watched);
	socklen_t size = sizeof(int);
	int cause = 0;

	if (connection->state == ZS_STATE_LOOKUP) {
		zs_connection_continue_lookup(proxy, connection);
	} else if (connection->state == ZS_STATE_CONNECT) {
		if (getsockopt(watched->fd, SOL_SOCKET, SO_ERROR, &cause, &size) == 0 && cause == 0) {
			connection->reason = NULL;
			be_connected(proxy, connection);
			return;
		}
		connection->tried = true;
		zs_connection_try_next(proxy, connection);
	} else if (connection->state == ZS_STATE_RELAY) {
		zs_connection_relay(proxy, connection, 0, events);
	}
}
