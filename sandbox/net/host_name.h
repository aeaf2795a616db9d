/* A host's name from a client or a policy, made canonical, so that two names of one host are equal bytes. Pure;
 * allocates only for internationalised names.
 *
 *	struct zs_host host;
 *	const char *problem;
 *
 *	if (zs_host_parse("Example.ORG.:443", 16, &host, &problem) < 0)
 *		… problem …
 *	host.name is "example.org", host.port is 443
 */
#ifndef ZS_SANDBOX_NET_HOST_NAME_H
#define ZS_SANDBOX_NET_HOST_NAME_H

#include "net/address.h"

enum {
	ZS_HOST_NAME_MAX = 253, /* RFC 1035, 2.3.4, as text */
	ZS_HOST_LABEL_MAX = 63,
	/* "[", an address or a name, "]:65535" and NUL. */
	ZS_HOST_TEXT_SIZE = ZS_HOST_NAME_MAX + 9,
};

struct zs_host {
	char name[ZS_HOST_NAME_MAX + 1]; /* canonical: a name, or the text of the address */
	struct zs_address address;       /* AF_UNSPEC: it is a name */
	uint16_t port;                   /* 0: none was given */
};

/* Each reads `len` bytes, which need not end in NUL, and returns 0 or -EINVAL. On failure *ret_problem (which may be
 * NULL) is a static text that says what is wrong, to follow the name: "has an empty label".
 *
 * A name becomes lower case and loses one trailing dot. Its labels are of ASCII letters, digits, "-" and "_", 63 bytes
 * at most, 253 together; none starts or ends with "-". An internationalised name must be in its "xn--" form, which is
 * compared without decoding. A name whose last label is a number is refused, since some programs read it as an address.
 * Everything else is refused, too: UTF-8, spaces, controls, NUL, "%", "@", "/", ":", "\". */

/* A name, or an address without brackets. */
int zs_host_parse_name(const char *text, size_t len, struct zs_host *ret_host, const char **ret_problem);

/* The same, where only a name is allowed (SNI, DNS). */
int zs_host_parse_only_name(const char *text, size_t len, struct zs_host *ret_host, const char **ret_problem);

/* NAME, NAME:PORT, V4, V4:PORT, [V6] or [V6]:PORT; a port is decimal, 1 to 65535. */
int zs_host_parse(const char *text, size_t len, struct zs_host *ret_host, const char **ret_problem);

/* Makes a host of an address, for example one from SOCKS or from a socket. */
struct zs_host zs_host_of_address(const struct zs_address *address, uint16_t port);

/* Is it the same name or address, whatever the port? */
bool zs_host_same_name(const struct zs_host *a, const struct zs_host *b);

/* Writes it in the form that zs_host_parse() reads: "example.org", "example.org:443", "[::1]:80". */
void zs_host_text(const struct zs_host *host, char text[ZS_HOST_TEXT_SIZE]);

#endif
