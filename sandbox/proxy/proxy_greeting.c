/* The words of a command to the proxy: its protocol, and the host that it asks for; and the answers to it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/socks5.h"
#include "proxy/proxy_connection.h"
#include "proxy/proxy_system.h"

/* Sends all of it, or returns a negative errno. The bytes are few and the first ones, so they fit the socket's
 * buffer. */
static int say_to_client(const struct zs_connection *connection, const void *bytes, size_t len)
{
	ssize_t done = zs_proxy_send(connection->client.fd, bytes, len);

	if (done < 0)
		return -errno;
	return (size_t)done == len ? 0 : -EAGAIN;
}

static enum zs_next refuse_greeting(struct zs_connection *connection, const char *reason)
{
	connection->reason = reason;
	return ZS_NEXT_REFUSE;
}

/* Drops the bytes of the head that were for the proxy. */
static void drop_from_head(struct zs_connection *connection, size_t used)
{
	connection->head_len -= used;
	if (connection->head_len > 0)
		memmove(connection->head, connection->head + used, connection->head_len);
}

/* HTTP */

static bool is_request(const struct zs_connection *connection)
{
	return connection->via == ZS_VIA_HTTP || connection->via == ZS_VIA_PLAIN;
}

static void take_host(struct zs_connection *connection, const struct zs_host *host)
{
	connection->host = *host;
	connection->host_known = true;
}

/* A client that connects to port 80 of an address has asked the resolver for a name, and must name the same host
 * again. */
static bool agrees(const struct zs_connection *connection)
{
	return connection->via != ZS_VIA_PLAIN || (zs_host_same_name(&connection->host, &connection->http->host) &&
							  connection->http->host.port == connection->host.port);
}

static enum zs_next begin_request(struct zs_connection *connection, size_t used)
{
	if (!agrees(connection))
		return refuse_greeting(connection, "its Host field names another host");
	if (connection->via == ZS_VIA_PROXY) {
		connection->via = connection->http->connect ? ZS_VIA_CONNECT : ZS_VIA_HTTP;
		take_host(connection, &connection->http->host);
	}
	if (connection->http->connect) {
		free(connection->http);
		connection->http = NULL;
		connection->unseen = true;
	}
	drop_from_head(connection, used);
	return ZS_NEXT_GO;
}

static enum zs_next read_request(struct zs_connection *connection)
{
	enum zs_http_status status;
	size_t used;

	if (!connection->http) {
		connection->http = malloc(sizeof *connection->http);
		if (!connection->http)
			return ZS_NEXT_END;
		zs_http_request_init(
			connection->http, connection->via == ZS_VIA_PLAIN ? ZS_HTTP_SERVER : ZS_HTTP_PROXY);
	}
	status = zs_http_request_feed(connection->http, (const char *)connection->head, connection->head_len, &used);
	if (status == ZS_HTTP_HEAD)
		return begin_request(connection, used);
	connection->head_len = 0;
	if (status == ZS_HTTP_MORE)
		return ZS_NEXT_WAIT;
	if (connection->via == ZS_VIA_PROXY)
		connection->via = ZS_VIA_HTTP;
	return refuse_greeting(connection, connection->http->problem);
}

/* Adds the bytes of the body that have come to those in `first`. */
static int add_body(struct zs_connection *connection, char *first, size_t len)
{
	size_t done = 0, used;

	while (done < connection->head_len) {
		enum zs_http_status status = zs_http_request_feed(
			connection->http, (const char *)connection->head + done, connection->head_len - done, &used);

		if (status == ZS_HTTP_BAD || (status == ZS_HTTP_BODY && used == 0))
			break;
		memcpy(first + len, connection->head + done, used);
		len += used;
		done += used;
		if (status == ZS_HTTP_END)
			break;
	}
	connection->head_len = 0;
	connection->up.first = first;
	connection->up.first_len = len;
	connection->up.first_done = 0;
	return connection->http->status == ZS_HTTP_BAD ? -EBADMSG : 0;
}

/* A request without a body ends with its head. */
static void note_end(struct zs_connection *connection)
{
	size_t used;

	if (connection->http->status != ZS_HTTP_END &&
		zs_http_request_feed(connection->http, "", 0, &used) != ZS_HTTP_END)
		return;
	free(connection->http);
	connection->http = NULL;
	connection->up.limited = true;
	connection->up.left = 0;
}

int zs_greeting_pass_body(struct zs_connection *connection)
{
	char *first;
	int r;

	first = malloc(connection->head_len + 1);
	if (!first)
		return -ENOMEM;
	r = add_body(connection, first, 0);
	note_end(connection);
	if (connection->up.first_len == 0) {
		free(first);
		connection->up.first = NULL;
	}
	return r;
}

static int send_request(struct zs_connection *connection)
{
	char *first = malloc(ZS_HTTP_HEAD_SIZE + connection->head_len);
	int r;

	if (!first)
		return -ENOMEM;
	connection->up.held = true;
	r = add_body(connection, first, zs_http_request_head(connection->http, first));
	note_end(connection);
	return r;
}

/* SOCKS */

static enum zs_next read_socks_request(struct zs_connection *connection)
{
	enum zs_socks_code code;
	struct zs_host host;
	const char *problem;
	size_t used;
	uint8_t reply[ZS_SOCKS_REPLY_SIZE];

	switch (zs_socks_read_request(connection->head, connection->head_len, &used, &host, &code, &problem)) {
	case ZS_SOCKS_MORE:
		return ZS_NEXT_WAIT;
	case ZS_SOCKS_WHOLE:
		take_host(connection, &host);
		connection->unseen = true;
		drop_from_head(connection, used);
		return ZS_NEXT_GO;
	case ZS_SOCKS_BAD:
		break;
	}
	zs_socks_reply(code, reply);
	say_to_client(connection, reply, sizeof reply);
	connection->answered = true;
	return refuse_greeting(connection, problem);
}

static enum zs_next read_socks(struct zs_connection *connection)
{
	uint8_t reply[ZS_SOCKS_GREETING_REPLY_SIZE];
	enum zs_socks_status status;
	const char *problem;
	size_t used;

	connection->via = ZS_VIA_SOCKS;
	if (connection->greeted)
		return read_socks_request(connection);
	status = zs_socks_read_greeting(connection->head, connection->head_len, &used, reply, &problem);
	if (status == ZS_SOCKS_MORE)
		return ZS_NEXT_WAIT;
	connection->greeted = say_to_client(connection, reply, sizeof reply) == 0 && status == ZS_SOCKS_WHOLE;
	if (!connection->greeted) {
		connection->answered = true;
		return refuse_greeting(connection, status == ZS_SOCKS_BAD ? problem : "does not listen");
	}
	drop_from_head(connection, used);
	return connection->head_len > 0 ? read_socks_request(connection) : ZS_NEXT_WAIT;
}

/* The resolver's */

static enum zs_next read_question(struct zs_proxy *proxy, struct zs_connection *connection)
{
	enum { LENGTH = 2 };
	uint8_t answer[LENGTH + ZS_DNS_UDP_MAX];
	size_t len;

	if (connection->head_len < LENGTH)
		return ZS_NEXT_WAIT;
	len = (size_t)connection->head[0] << 8 | connection->head[1];
	if (connection->head_len < LENGTH + len)
		return ZS_NEXT_WAIT;
	len = zs_proxy_answer_name(proxy, connection->head + LENGTH, len, answer + LENGTH);
	answer[0] = (uint8_t)(len >> 8);
	answer[1] = (uint8_t)len;
	if (len > 0)
		say_to_client(connection, answer, LENGTH + len);
	return ZS_NEXT_LINGER;
}

/* All of them */

enum zs_next zs_greeting_read(struct zs_proxy *proxy, struct zs_connection *connection)
{
	if (connection->via == ZS_VIA_DNS)
		return read_question(proxy, connection);
	if (connection->via == ZS_VIA_SOCKS ||
		(connection->via == ZS_VIA_PROXY && !connection->http && connection->head[0] == ZS_SOCKS_VERSION))
		return read_socks(connection);
	return read_request(connection);
}

int zs_greeting_connected(struct zs_connection *connection)
{
	static const char established[] = "HTTP/1.1 200 Connection established\r\n\r\n";
	uint8_t reply[ZS_SOCKS_REPLY_SIZE];

	if (connection->via == ZS_VIA_CONNECT)
		return say_to_client(connection, established, sizeof established - 1);
	if (connection->via == ZS_VIA_SOCKS) {
		zs_socks_reply(ZS_SOCKS_SUCCEEDED, reply);
		return say_to_client(connection, reply, sizeof reply);
	}
	return is_request(connection) ? send_request(connection) : 0;
}

/* Answers with the host, the reason, and the way to change it. */
static void answer_request(struct zs_connection *connection, bool failed)
{
	char text[1024], answer[ZS_HTTP_ANSWER_SIZE], host[ZS_HOST_TEXT_SIZE];
	unsigned code = failed ? 502 : 403;

	zs_host_text(&connection->host, host);
	if (connection->http && connection->http->status == ZS_HTTP_BAD) {
		code = connection->http->code;
		snprintf(text, sizeof text, "zs: %s%s%s", connection->http->culprit,
			*connection->http->culprit ? ": " : "", connection->reason);
	} else if (failed) {
		snprintf(text, sizeof text, "zs: %s: %s", host, connection->reason);
	} else if (strcmp(connection->reason, ZS_PROXY_PAUSED) == 0) {
		snprintf(text, sizeof text, "zs: %s: %s; the box's owner resumes it: zs box policy ID --net hosts",
			host, connection->reason);
	} else {
		snprintf(text, sizeof text, "zs: %s: %s; only hosts of the policy are reached: zs run --host %s", host,
			connection->reason,
			connection->host.address.family == AF_UNSPEC ? connection->host.name : host);
	}
	say_to_client(connection, answer, zs_http_answer(code, text, answer));
}

void zs_greeting_refused(struct zs_connection *connection, bool failed)
{
	uint8_t reply[ZS_SOCKS_REPLY_SIZE];

	if (connection->answered)
		return;
	if (connection->via != ZS_VIA_SOCKS) {
		answer_request(connection, failed);
		return;
	}
	zs_socks_reply(failed ? ZS_SOCKS_HOST_UNREACHABLE : ZS_SOCKS_NOT_ALLOWED, reply);
	say_to_client(connection, reply, sizeof reply);
}
