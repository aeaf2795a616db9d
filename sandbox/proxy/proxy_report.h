/* The lines of the proxy's report: one JSON object for each decision. */
#ifndef ZS_SANDBOX_PROXY_REPORT_H
#define ZS_SANDBOX_PROXY_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reasons. */
#define ZS_PROXY_NOT_LISTED "is not listed"
#define ZS_PROXY_PAUSED "the network is paused"

struct zs_proxy_line {
	const char *event; /* "connect", "resolve" */
	const char *via;   /* "http", "connect", "socks", "tls", "plain", "ssh", "port", "dns" */
	const char *host;  /* as far as it is known; may hold any bytes */
	unsigned port;     /* 0: none */
	const char *address;
	bool allowed;
	const char *sni;         /* the name in its ClientHello, if that differs; or NULL */
	const char *reason;      /* NULL: none */
	uint64_t sent, received; /* bytes: to the host, and from it */
	int64_t ms;              /* the duration; -1: not measured */
};

enum { ZS_PROXY_LINE_MAX = 2048 };

/* Writes the line with its newline into text[size]. Returns its length. */
size_t zs_proxy_line_format(const struct zs_proxy_line *line, int64_t unix_ms, char *text, size_t size);

enum {
	ZS_PROXY_LAST_LINES_MS = 1000, /* for a reader of the report, once the run has ended */
	/* The command can cause any number of lines, on the caller's disk. */
	ZS_PROXY_REPORT_MAX = 64 * 1024 * 1024,
};

struct zs_proxy_report {
	int fd; /* -1: nobody reads the report */
	size_t written;
};

/* Waits for a slow reader, but not much longer than until the end of `run`, a socket; then report->fd becomes -1.
 * False: the line is not written, since there is no room for it (the command may have filled the disk), or nobody reads
 * the report any more. Then the proxy must make no more decisions, since nobody would learn of them. */
bool zs_proxy_report(struct zs_proxy_report *report, int run, const struct zs_proxy_line *line);

#endif
