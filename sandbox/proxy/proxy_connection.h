/* A connection of the command, on its way through the proxy. Each part is a file, which calls only the files listed
 * before it. */
#ifndef ZS_SANDBOX_PROXY_CONNECTION_H
#define ZS_SANDBOX_PROXY_CONNECTION_H

#include "proxy/proxy_state.h"

/* proxy_judge.c: may the command reach the host? NULL, or the reason why not. */
const char *zs_proxy_refuses(const struct zs_proxy *proxy, const struct zs_host *host);
const char *zs_proxy_refuses_address(const struct zs_proxy *proxy, const struct zs_address *address, uint16_t port);

/* proxy_dns.c: answers questions over UDP; and one question, returning the answer's length. 0: there is no answer. */
void zs_proxy_answer_names(struct zs_proxy *proxy, struct zs_watched *listener, uint32_t events);
size_t zs_proxy_answer_name(
	struct zs_proxy *proxy, const uint8_t *question, size_t len, uint8_t answer[ZS_DNS_UDP_MAX]);

/* The next step of a connection. */
enum zs_next {
	ZS_NEXT_END,
	ZS_NEXT_REFUSE,    /* refuse it, for connection->reason */
	ZS_NEXT_LINGER,    /* the command has its answer */
	ZS_NEXT_WAIT,      /* wait for more of the command's words */
	ZS_NEXT_GO,        /* connect to connection->host, if allowed; the rest of the head is passed on */
	ZS_NEXT_PASS,      /* pass bytes, both ways */
	ZS_NEXT_PASS_DOWN, /* pass bytes of the server */
};

/* proxy_greeting.c: reads what the command has said so far, connection->head. */
enum zs_next zs_greeting_read(struct zs_proxy *proxy, struct zs_connection *connection);
/* Tells the command that it is connected, if the command waits for that. */
int zs_greeting_connected(struct zs_connection *connection);
/* Tells the command of a refusal or a failure. */
void zs_greeting_refused(struct zs_connection *connection, bool failed);
/* Moves more of a request's body from connection->head to connection->up.first. */
int zs_greeting_pass_body(struct zs_connection *connection);

/* proxy_connection.c */

const char *zs_proxy_via_name(enum zs_proxy_via via);
/* The first ends a connection, with a line in the report. The second ends only its lookup. */
void zs_connection_end(struct zs_proxy *proxy, struct zs_connection *connection);
void zs_connection_end_lookup(struct zs_proxy *proxy, struct zs_connection *connection);
/* Refuses the connection, in the protocol that the command speaks. */
void zs_connection_refuse(struct zs_proxy *proxy, struct zs_connection *connection, const char *reason);
void zs_connection_fail(struct zs_proxy *proxy, struct zs_connection *connection, const char *reason);
/* The command has been told everything, and gets a moment to read it. */
void zs_connection_linger(struct zs_proxy *proxy, struct zs_connection *connection);
/* Reads more of the command's bytes into connection->head. 1: some came; 0: none yet; -EPIPE: the command's end;
 * -E2BIG. */
int zs_connection_hear(struct zs_connection *connection);
/* Limits the buffers of one of its sockets, before the socket is used. */
void zs_connection_bound(const struct zs_connection *connection, int fd);

/* proxy_hello.c: reads the command's first bytes after its greeting, and the server's answer to them. */
enum zs_next zs_hello_hear(const struct zs_proxy *proxy, struct zs_connection *connection);
enum zs_next zs_hello_hear_answer(const struct zs_proxy *proxy, struct zs_connection *connection);

/* proxy_connect.c: does the next step, and finds the way to a host. */
void zs_connection_follow(struct zs_proxy *proxy, struct zs_connection *connection, enum zs_next next);
void zs_connection_go(struct zs_proxy *proxy, struct zs_connection *connection);
void zs_connection_continue_lookup(struct zs_proxy *proxy, struct zs_connection *connection);
void zs_connection_try_next(struct zs_proxy *proxy, struct zs_connection *connection);
/* Handles events of its two sockets. */
void zs_connection_relay(struct zs_proxy *proxy, struct zs_connection *connection, uint32_t client, uint32_t server);
void zs_server_ready(struct zs_proxy *proxy, struct zs_watched *watched, uint32_t events);

/* proxy_accept.c: accepts the connections that wait at a listener, and ends those that have taken too long. */
void zs_proxy_accept(struct zs_proxy *proxy, struct zs_watched *listener, uint32_t events);
void zs_connection_expire(struct zs_proxy *proxy, struct zs_connection *connection);

#endif
