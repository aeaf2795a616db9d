/* The state of the proxy and of each connection, and the descriptors that its loop watches. */
#ifndef ZS_SANDBOX_PROXY_STATE_H
#define ZS_SANDBOX_PROXY_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "net/dns_message.h"
#include "proxy/proxy_denials.h"
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
	ZS_PROXY_HEAD_MS = 15 * 1000,    /* for the request of a command, however slowly it comes */
	ZS_PROXY_CONNECT_MS = 10 * 1000, /* for connecting to each address */
	ZS_PROXY_IDLE_MS = 3600 * 1000,  /* without a byte in either direction */
	ZS_PROXY_HALF_MS = 60 * 1000,    /* the same, once one side has sent everything */
	ZS_PROXY_LINGER_MS = 2000,       /* for reading a refusal */
	ZS_PROXY_HEAD_BYTES = 64 * 1024, /* of a command's first bytes */
	/* This many connections have sockets whose buffers grow as the kernel likes (man 7 tcp, tcp_rmem: megabytes
	 * each). A command with many more connections, none of which it reads, must not fill the machine's memory. */
	ZS_PROXY_LARGE_CONNECTIONS = 16,
	ZS_PROXY_SMALL_BUFFER = 128 * 1024, /* the buffers of the other connections */
};

struct zs_proxy;

/* A descriptor in the loop. */
struct zs_watched {
	int fd;          /* -1: none */
	uint32_t events; /* POLLIN and the like */
	void (*ready)(struct zs_proxy *proxy, struct zs_watched *watched, uint32_t events);
};

enum zs_proxy_state {
	ZS_STATE_HEAD, /* the command says which host it wants */
	ZS_STATE_LOOKUP,
	ZS_STATE_CONNECT,
	ZS_STATE_RELAY,
	ZS_STATE_LINGER, /* the command has its answer, and may still be sending */
	ZS_STATE_DEAD,   /* freed after this turn of the loop */
};

enum zs_proxy_via {
	ZS_VIA_PROXY, /* not known yet which of the next three it is */
	ZS_VIA_HTTP,
	ZS_VIA_CONNECT,
	ZS_VIA_SOCKS,
	ZS_VIA_TLS, /* from programs that know no proxy, by their port */
	ZS_VIA_PLAIN,
	ZS_VIA_SSH,
	ZS_VIA_PORT, /* another port that the policy names */
	ZS_VIA_DNS,
	ZS_VIA_COUNT
};

struct zs_listener {
	struct zs_watched watched; /* the first member, so that a pointer to it is a pointer to the struct */
	enum zs_proxy_via via;
};

/* The state of a tunnel, in which TLS names a host. */
enum zs_proxy_hello {
	ZS_HELLO_FIRST,
	ZS_HELLO_ANSWER, /* the server may ask for another hello */
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
	bool unseen; /* the command's bytes after its greeting must still be judged */
	enum zs_proxy_hello hello;
	uint8_t answer[ZS_TLS_ANSWER_MAX];
	size_t answer_len;
	char sni[ZS_HOST_NAME_MAX + 1]; /* the host that it names by TLS, if that is another */
	bool greeted;                   /* SOCKS: the method has been chosen */
	bool small;                     /* its buffers are small */
	struct zs_http_request *http;   /* until the whole request has been passed on */
	const char *reason;             /* the reason of a refusal */
	unsigned char *head;
	size_t head_len, head_size;
	struct zs_lookup lookup;
	size_t next; /* the index of the next of the lookup's addresses */
	char address[ZS_ADDRESS_TEXT_SIZE];
	struct zs_flow up, down; /* from the command, and to it */
	bool tried;              /* at least one address was tried */
	bool allowed, answered, reported;
};

struct zs_proxy {
	const struct zs_policy *policy;
	int queue; /* a descriptor of proxy_system.h */
	struct zs_proxy_report report;
	struct zs_proxy_denials *denials; /* or NULL */
	int64_t now;
	struct zs_watched run;
	bool has_reader; /* the report is a socket; on Linux the end of its other side ends the proxy */
	bool paused;     /* its reader has said so: no host is reached */
	struct zs_watched reader;
	struct zs_listener listeners[ZS_PROXY_LISTENERS_MAX];
	size_t listener_count;
	struct zs_resolvers resolvers;
	int routes; /* a descriptor of proxy_routes.h */
	struct zs_proxy_names names;
	struct zs_pipes pipes;
	struct zs_connection *connections[ZS_PROXY_CONNECTIONS_MAX];
	size_t count, dead;
	size_t most; /* the number of connections for which there are descriptors */
};

/* Waits for these events from now on; 0: for none, not even for the end of a connection. */
void zs_proxy_watch(struct zs_proxy *proxy, struct zs_watched *watched, uint32_t events);
/* Closes the descriptor. */
void zs_proxy_forget(struct zs_proxy *proxy, struct zs_watched *watched);

/* Writes a line of the report. If it cannot be written, the proxy ends. */
void zs_proxy_tell(struct zs_proxy *proxy, const struct zs_proxy_line *line);

#endif
