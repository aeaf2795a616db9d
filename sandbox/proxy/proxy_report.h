/* The lines of the proxy's report: one JSON object for each decision. */
#ifndef ZS_SANDBOX_PROXY_REPORT_H
#define ZS_SANDBOX_PROXY_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct zs_proxy_line {
	const char *event; /* "connect", "resolve" */
	const char *via;   /* "http", "connect", "socks", "tls", "plain", "ssh", "port", "dns" */
	const char *host;  /* as far as it is known; any bytes */
	unsigned port;     /* 0: none */
	const char *address;
	bool allowed;
	const char *sni;         /* the name in its ClientHello, when that is another; NULL */
	const char *reason;      /* NULL: none */
	uint64_t sent, received; /* bytes: to the host, and from it */
	int64_t ms;              /* that it took; -1: not of interest */
};

enum { ZS_PROXY_LINE_MAX = 2048 };

/* Writes it into line[size], with its newline, and returns its length. */
size_t zs_proxy_line_format(const struct zs_proxy_line *line, int64_t unix_ms, char *text, size_t size);

enum {
	ZS_PROXY_LAST_LINES_MS = 1000, /* for who reads the report, once the run has ended */
	/* A line is the command's for the asking, as many as it likes, on the caller's disk. */
	ZS_PROXY_REPORT_MAX = 64 * 1024 * 1024,
};

struct zs_proxy_report {
	int fd; /* -1: nobody reads it */
	size_t written;
};

/* Waits for who reads it slowly, but not much longer than until `run`, a socket, ends: then report->fd becomes -1.
 * False: the line is not there, for there is no room for it (a disk that is full, which the command may have seen to),
 * or nobody reads it any more. Then nothing may be decided that nobody would know of. */
bool zs_proxy_report(struct zs_proxy_report *report, int run, const struct zs_proxy_line *line);

#endif
