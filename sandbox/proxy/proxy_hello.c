/* Reads the first bytes in a tunnel. A TLS client names a host in clear, which must be the host that was allowed. This
 * checks the name in its ClientHello, and in the second ClientHello if the server asks for that. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "proxy/proxy_connection.h"
#include "net/tls_hello.h"

/* At an address that is listed itself, the client may name any listed host. */
static bool may_name(const struct zs_proxy *proxy, const struct zs_connection *connection, const struct zs_host *host)
{
	return zs_host_same_name(host, &connection->host) ||
	       (connection->host.address.family != AF_UNSPEC && !zs_proxy_refuses(proxy, host));
}

static int proxy_hello_refuse(struct zs_connection *connection, const char *reason)
{
	connection->reason = reason;
	return -EPERM;
}

/* Judges a whole hello. *ret_pass of its bytes may pass. */
static int judge_name(const struct zs_proxy *proxy, struct zs_connection *connection, enum zs_tls_status status,
	struct zs_tls_hello *hello, size_t *ret_pass)
{
	hello->host.port = connection->host.port;
	if (status == ZS_TLS_NAME && !may_name(proxy, connection, &hello->host)) {
		memcpy(connection->sni, hello->host.name, sizeof connection->sni);
		return proxy_hello_refuse(connection, "its TLS handshake asks for another host");
	}
	*ret_pass = hello->used;
	if (connection->hello == ZS_HELLO_SECOND) {
		connection->hello = ZS_HELLO_DONE;
		*ret_pass = connection->head_len;
		return 1;
	}
	connection->hello = ZS_HELLO_ANSWER;
	return 1;
}

/* 1: *ret_pass of the command's bytes may pass; 0: more bytes are needed; a negative errno: the connection is refused,
 * for connection->reason. */
static int check(const struct zs_proxy *proxy, struct zs_connection *connection, bool ended, size_t *ret_pass)
{
	bool again = connection->hello == ZS_HELLO_SECOND;
	struct zs_tls_hello hello;
	enum zs_tls_status status;

	*ret_pass = connection->head_len;
	if (connection->head_len == 0) {
		if (ended)
			connection->hello = ZS_HELLO_DONE;
		return ended;
	}
	status = (again ? zs_tls_hello_read_again : zs_tls_hello_read)(connection->head, connection->head_len, &hello);
	switch (status) {
	case ZS_TLS_MORE:
		return ended ? proxy_hello_refuse(connection, "its TLS handshake is incomplete") : 0;
	case ZS_TLS_NOT_TLS:
		connection->hello = ZS_HELLO_DONE;
		return 1;
	case ZS_TLS_BAD:
		return proxy_hello_refuse(connection, hello.problem);
	case ZS_TLS_NAME:
	case ZS_TLS_NO_NAME:
		break;
	}
	return judge_name(proxy, connection, status, &hello, ret_pass);
}

/* Adds bytes to those that the flow sends first. */
static int queue(struct zs_flow *flow, const void *bytes, size_t len)
{
	size_t waiting = flow->first ? flow->first_len - flow->first_done : 0;
	char *first = malloc(waiting + len);

	if (!first)
		return -ENOMEM;
	if (waiting > 0)
		memcpy(first, flow->first + flow->first_done, waiting);
	memcpy(first + waiting, bytes, len);
	free(flow->first);
	flow->first = first;
	flow->first_len = waiting + len;
	flow->first_done = 0;
	return 0;
}

/* Passes the first `len` of the command's bytes. After a first hello the rest waits for the server's answer. */
static int let_pass(struct zs_connection *connection, size_t len)
{
	int r = len > 0 ? queue(&connection->up, connection->head, len) : 0;

	if (r < 0)
		return r;
	connection->unseen = false;
	connection->up.held = connection->down.held = connection->hello == ZS_HELLO_ANSWER;
	connection->head_len -= len;
	if (connection->head_len > 0) {
		memmove(connection->head, connection->head + len, connection->head_len);
		return 0;
	}
	free(connection->head);
	connection->head = NULL;
	connection->head_size = 0;
	return 0;
}

static enum zs_next judge_hello(const struct zs_proxy *proxy, struct zs_connection *connection, bool ended)
{
	size_t pass;
	int r = check(proxy, connection, ended, &pass);

	if (r < 0)
		return ZS_NEXT_REFUSE;
	return r > 0 && let_pass(connection, pass) < 0 ? ZS_NEXT_END : ZS_NEXT_PASS;
}

enum zs_next zs_hello_hear(const struct zs_proxy *proxy, struct zs_connection *connection)
{
	bool first = connection->head_len == 0;
	int r = zs_connection_hear(connection);

	if (r == -E2BIG) {
		connection->reason = "its first message is too long";
		return ZS_NEXT_REFUSE;
	}
	if (r < 0 && r != -EPIPE)
		return ZS_NEXT_END;
	if (first && connection->head_len > 0)
		connection->deadline = proxy->now + ZS_PROXY_HEAD_MS;
	return judge_hello(proxy, connection, r == -EPIPE);
}

/* Judges the command's bytes that came meanwhile, or passes them on if there is no second hello. */
static enum zs_next go_on(const struct zs_proxy *proxy, struct zs_connection *connection, bool again)
{
	connection->hello = again ? ZS_HELLO_SECOND : ZS_HELLO_DONE;
	connection->unseen = again;
	connection->down.held = false;
	if (again)
		return judge_hello(proxy, connection, false);
	return let_pass(connection, connection->head_len) < 0 ? ZS_NEXT_END : ZS_NEXT_PASS;
}

enum zs_next zs_hello_hear_answer(const struct zs_proxy *proxy, struct zs_connection *connection)
{
	uint8_t *answer = connection->answer + connection->answer_len;
	ssize_t len =
		recv(connection->server.fd, answer, sizeof connection->answer - connection->answer_len, MSG_DONTWAIT);
	enum zs_tls_answer what = ZS_TLS_ANSWER_OTHER;

	if (len < 0 && (errno == EAGAIN || errno == EINTR))
		return ZS_NEXT_WAIT;
	if (len > 0) {
		connection->answer_len += (size_t)len;
		what = zs_tls_answer_read(connection->answer, connection->answer_len);
	}
	if (len < 0 || (len > 0 && queue(&connection->down, answer, (size_t)len) < 0))
		return ZS_NEXT_END;
	if (what != ZS_TLS_ANSWER_MORE)
		return go_on(proxy, connection, what == ZS_TLS_ANSWER_AGAIN);
	if (connection->answer_len < sizeof connection->answer)
		return ZS_NEXT_PASS_DOWN;
	connection->reason = "its server does not say how it decides about TLS";
	return ZS_NEXT_REFUSE;
}
