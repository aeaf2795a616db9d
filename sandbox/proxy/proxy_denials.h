/* The hosts that the proxy has refused to a run, for the lines that zs prints when the run has ended. The
 * proxy counts them in memory that it shares with the supervisor. */
#ifndef ZS_SANDBOX_PROXY_DENIALS_H
#define ZS_SANDBOX_PROXY_DENIALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/host_name.h"
#include "proxy/proxy_report.h"

/* The most different ones that are kept of a run: the first ones. */
enum { ZS_PROXY_DENIALS_MAX = 8 };

struct zs_proxy_denial {
	uint32_t times;
	bool resolve;                  /* only its address was asked for */
	char host[ZS_HOST_TEXT_SIZE];  /* with its port */
	char grant[ZS_HOST_TEXT_SIZE]; /* the host for --host; "": none */
	char reason[64];               /* "": it is not listed */
};

struct zs_proxy_denials {
	size_t count;
	uint32_t others; /* denials of other hosts, for which there is no room */
	struct zs_proxy_denial rows[ZS_PROXY_DENIALS_MAX];
};

/* Counts a line of the report, if it refuses a host. */
void zs_proxy_denials_add(struct zs_proxy_denials *denials, const struct zs_proxy_line *line);

/* The proxy has parsed hostile bytes, so a row may be anything: is it text? */
bool zs_proxy_denial_is_text(const struct zs_proxy_denial *row);

/* Prints them to standard error, one line each. */
void zs_proxy_denials_print(const struct zs_proxy_denials *denials);

#endif
