/* A connection of the command's, on its way through the proxy. */
#ifndef ZS_SANDBOX_PROXY_CONNECTION_H
#define ZS_SANDBOX_PROXY_CONNECTION_H

#include "proxy/proxy_loop.h"

/* The command's bytes so far, connection->head, decide what comes next: proxy_greeting.c. Each calls one of the
 * functions below, or waits for more. */
void zs_greeting_read(struct zs_proxy *proxy, struct zs_connection *connection);

/* The command's first bytes behind its greeting, and the server's answer to them: proxy_hello.c. */
void zs_hello_hear(struct zs_proxy *proxy, struct zs_connection *connection);
void zs_hello_hear_answer(struct zs_proxy *proxy, struct zs_connection *connection);

/* Goes to connection->host, if the policy allows. keep: bytes of the head that were for us; what follows is passed on.
 */
void zs_connection_go(struct zs_proxy *proxy, struct zs_connection *connection, size_t keep);

/* Refuses, in the words of the protocol that the command speaks. */
void zs_connection_refuse(struct zs_proxy *proxy, struct zs_connection *connection, const char *reason);
void zs_connection_fail(struct zs_proxy *proxy, struct zs_connection *connection, const char *reason);

/* Tells the command that it is connected, where it waits for that. */
int zs_greeting_connected(struct zs_connection *connection);
/* Tells it of a refusal, or of a failure. */
void zs_greeting_refused(struct zs_connection *connection, bool failed);

/* More of a request's body, of connection->head, into connection->up.first. */
int zs_greeting_pass_body(struct zs_connection *connection);

/* Reads more of what the command says into connection->head. 1: something; 0: later; -EPIPE: its end; -E2BIG. */
int zs_connection_hear(struct zs_connection *connection);
/* It has been told all, and is given a moment to read it. */
void zs_connection_linger(struct zs_proxy *proxy, struct zs_connection *connection);

/* On the way: proxy_connect.c. Events of its two sockets. */
void zs_connection_continue_lookup(struct zs_proxy *proxy, struct zs_connection *connection);
void zs_connection_end_lookup(struct zs_proxy *proxy, struct zs_connection *connection);
void zs_connection_try_next(struct zs_proxy *proxy, struct zs_connection *connection);
void zs_connection_pass(struct zs_proxy *proxy, struct zs_connection *connection, bool up, bool down);
void zs_connection_relay(struct zs_proxy *proxy, struct zs_connection *connection, uint32_t client, uint32_t server);
void zs_server_ready(struct zs_proxy *proxy, struct zs_watched *watched, uint32_t events);

/* One of its sockets, before it is of use. */
void zs_connection_bound(const struct zs_connection *connection, int fd);

/* All of it, which is little, or a negative errno. */
int zs_connection_say(struct zs_connection *connection, const void *bytes, size_t len);

#endif
