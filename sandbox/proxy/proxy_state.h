/* The state of the proxy and of each connection; and the descriptors that its loop waits for. */
#ifndef ZS_SANDBOX_PROXY_STATE_H
#define ZS_SANDBOX_PROXY_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "net/dns_message.h"
#include "proxy/proxy_lookup.h"
#include "proxy/proxy_ports.h"
#include "proxy/proxy_relay.h"
#include "proxy/proxy_report.h"
#include "net/http_request.h"
#include "net/tls_hello.h"

enum {
	ZS_PROXY_LISTENERS_MAX = 5 + ZS_PROXY_PORTS_MAX,
	ZS_PROXY_FILES_MAX = 4096,       /* descriptors */
	ZS_PROXY_CONNECTIONS_MAX = 256,  /* at a time; more are refused */
	ZS_PROXY_HEAD_MS = 15 * 1000,    /* until what is wanted has been said, however slowly */
	ZS_PROXY_CONNECT_MS = 10 * 1000, /* for each address */
	ZS_PROXY_IDLE_MS = 3600 * 1000,  /* without a byte in either direction */
	ZS_PROXY_HALF_MS = 60 * 1000,    /* the same, once one side has said all */
	ZS_PROXY_LINGER_MS = 2000,       /* for a refusal to be read */
	ZS_PROXY_HEAD_BYTES = 64 * 1024, /* of what is said first */
	/* Sockets whose buffers grow as the kernel likes (man 7 tcp, tcp_rmem: megabytes each) are those of so many
	 * connections; a command with many more, of which it reads none, is not to fill the machine's memory. */
	ZS_PROXY_LARGE_CONNECTIONS = 16,
	ZS_PROXY_SMALL_BUFFER = 128 * 1024, /* of the others */
};

struct zs_proxy;

/* A descriptor in the loop. */
struct zs_watched {
	int fd;          /* -1: none */
	uint32_t events; /* POLLIN and the like */
	void (*ready)(struct zs_proxy *proxy, struct zs_watched *watched, uint32_t events);
};

enum zs_proxy_state {
	ZS_STATE_HEAD, /* the command says what it wants */
	ZS_STATE_LOOKUP,
	ZS_STATE_CONNECT,
	ZS_STATE_RELAY,
	ZS_STATE_LINGER, /* it has its answer, and may still be talking */
	ZS_STATE_DEAD,   /* freed behind this turn of the loop */
};

enum zs_proxy_via {
	ZS_VIA_PROXY, /* not known yet which of the next three */
	ZS_VIA_HTTP,
	ZS_VIA_CONNECT,
	ZS_VIA_SOCKS,
	ZS_VIA_TLS, /* blind ones, by their port */
	ZS_VIA_PLAIN,
	ZS_VIA_SSH,
	ZS_VIA_PORT, /* another one that the policy names */
	ZS_VIA_DNS,
	ZS_VIA_COUNT
};

struct zs_listener {
	struct zs_watched watched; /* first: one stands for the other */
	enum zs_proxy_via via;
};

/* The state of a tunnel, in which TLS names a host. */
enum zs_proxy_hello {
	ZS_HELLO_FIRST,
	ZS_HELLO_ANSWER, /* the server may ask for another one */
	ZS_HELLO_SECOND,
	ZS_HELLO_DONE,
};

struct zs_connection {
	struct zs_watched client, server;
	enum zs_proxy_state state;
	enum zs_proxy_via via;
	int64_t began, deadline;
	struct zs_host host;
	bool host_known;
	bool unseen; /* what the command says, behind its greeting, is to be looked at */
	enum zs_proxy_hello hello;
	uint8_t answer[ZS_TLS_ANSWER_MAX];
	size_t answer_len;
	char sni[ZS_HOST_NAME_MAX + 1]; /* whom it asks for by TLS, when that is another */
	bool greeted;                   /* SOCKS: has a method */
	bool small;                     /* its buffers are */
	struct zs_http_request *http;   /* until all of it has been passed on */
	const char *reason;             /* of a refusal */
	unsigned char *head;
	size_t head_len, head_size;
	struct zs_lookup lookup;
	size_t next; /* of the lookup's addresses */
	char address[ZS_ADDRESS_TEXT_SIZE];
	struct zs_flow up, down; /* from the command, and to it */
	bool tried;              /* one of them at least */
	bool allowed, answered, reported;
};

struct zs_proxy {
	const struct zs_policy *policy;
	int queue; /* of proxy_system.h */
	struct zs_proxy_report report;
	int64_t now;
	struct zs_watched run;
	struct zs_listener listeners[ZS_PROXY_LISTENERS_MAX];
	size_t listener_count;
	struct zs_resolvers resolvers;
	int routes; /* of proxy_routes.h */
	struct zs_proxy_names names;
	struct zs_pipes pipes;
	struct zs_connection *connections[ZS_PROXY_CONNECTIONS_MAX];
	size_t count, dead;
	size_t most; /* connections, for which there are descriptors */
};

/* Waits for these events from now on; 0: none, and the end of a connection is none either. */
void zs_proxy_watch(struct zs_proxy *proxy, struct zs_watched *watched, uint32_t events);
/* Closes it. */
void zs_proxy_forget(struct zs_proxy *proxy, struct zs_watched *watched);

/* A line of the report. A line that cannot be written is the end of the proxy. */
void zs_proxy_tell(struct zs_proxy *proxy, const struct zs_proxy_line *line);

#endif
