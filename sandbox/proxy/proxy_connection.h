/* A connection of the command's, on its way through the proxy. Each part is a file, which calls only those before it.
 */
#ifndef ZS_SANDBOX_PROXY_CONNECTION_H
#define ZS_SANDBOX_PROXY_CONNECTION_H

#include "proxy/proxy_state.h"

/* proxy_judge.c: may the command reach it? NULL, or why not. */
const char *zs_proxy_refuses(const struct zs_proxy *proxy, const struct zs_host *host);
const char *zs_proxy_refuses_address(const struct zs_proxy *proxy, const struct zs_address *address, uint16_t port);

/* proxy_dns.c: the resolver, over UDP; and one question, for an answer's length. 0: there is none. */
void zs_proxy_answer_names(struct zs_proxy *proxy, struct zs_watched *listener, uint32_t events);
size_t zs_proxy_answer_name(
	struct zs_proxy *proxy, const uint8_t *question, size_t len, uint8_t answer[ZS_DNS_UDP_MAX]);

/* The next step of a connection. */
enum zs_next {
	ZS_NEXT_END,
	ZS_NEXT_REFUSE,    /* for connection->reason */
	ZS_NEXT_LINGER,    /* the command has its answer */
	ZS_NEXT_WAIT,      /* for more of its words */
	ZS_NEXT_GO,        /* to connection->host, if the policy allows; the rest of the head is passed on */
	ZS_NEXT_PASS,      /* bytes, both ways */
	ZS_NEXT_PASS_DOWN, /* bytes of the server */
};

/* proxy_greeting.c: by what the command has said so far, connection->head. */
enum zs_next zs_greeting_read(struct zs_proxy *proxy, struct zs_connection *connection);
/* Tells the command that it is connected, where it waits for that. */
int zs_greeting_connected(struct zs_connection *connection);
/* Tells it of a refusal, or of a failure. */
void zs_greeting_refused(struct zs_connection *connection, bool failed);
/* More of a request's body, of connection->head, into connection->up.first. */
int zs_greeting_pass_body(struct zs_connection *connection);

/* proxy_connection.c */

const char *zs_proxy_via_name(enum zs_proxy_via via);
/* Ends it, with a line in the report; and its lookup alone. */
void zs_connection_end(struct zs_proxy *proxy, struct zs_connection *connection);
void zs_connection_end_lookup(struct zs_proxy *proxy, struct zs_connection *connection);
/* Refuses, in the words of the protocol that the command speaks. */
void zs_connection_refuse(struct zs_proxy *proxy, struct zs_connection *connection, const char *reason);
void zs_connection_fail(struct zs_proxy *proxy, struct zs_connection *connection, const char *reason);
/* The command has been told all, and is given a moment to read it. */
void zs_connection_linger(struct zs_proxy *proxy, struct zs_connection *connection);
/* Reads more of what the command says into connection->head. 1: something; 0: later; -EPIPE: its end; -E2BIG. */
int zs_connection_hear(struct zs_connection *connection);
/* One of its sockets, before it is of use. */
void zs_connection_bound(const struct zs_connection *connection, int fd);

/* proxy_hello.c: the command's first bytes behind its greeting, and the server's answer to them. */
enum zs_next zs_hello_hear(const struct zs_proxy *proxy, struct zs_connection *connection);
enum zs_next zs_hello_hear_answer(const struct zs_proxy *proxy, struct zs_connection *connection);

/* proxy_connect.c: does what comes next; and the way to a host. */
void zs_connection_follow(struct zs_proxy *proxy, struct zs_connection *connection, enum zs_next next);
void zs_connection_go(struct zs_proxy *proxy, struct zs_connection *connection);
void zs_connection_continue_lookup(struct zs_proxy *proxy, struct zs_connection *connection);
void zs_connection_try_next(struct zs_proxy *proxy, struct zs_connection *connection);
/* Events of its two sockets. */
void zs_connection_relay(struct zs_proxy *proxy, struct zs_connection *connection, uint32_t client, uint32_t server);
void zs_server_ready(struct zs_proxy *proxy, struct zs_watched *watched, uint32_t events);

/* proxy_accept.c: takes what waits at a listener; and ends what has taken too long. */
void zs_proxy_accept(struct zs_proxy *proxy, struct zs_watched *listener, uint32_t events);
void zs_connection_expire(struct zs_proxy *proxy, struct zs_connection *connection);

#endif
