/* Which host does a TLS client ask for? Its first message, the ClientHello, says it in clear (RFC 8446, RFC 6066).
 * Pure. It reads what has come so far, from the connection's first byte: the bytes go on to the server as they are. */
#ifndef ZS_SANDBOX_NET_TLS_HELLO_H
#define ZS_SANDBOX_NET_TLS_HELLO_H

#include "host_name.h"

enum {
	ZS_TLS_HELLO_MAX = 16 * 1024, /* with the headers of its records */
	ZS_TLS_RECORD_MAX = 16 * 1024,
};

enum zs_tls_status {
	ZS_TLS_BAD,     /* it starts as TLS does, and goes on otherwise, or is too long */
	ZS_TLS_NOT_TLS, /* known by the first two bytes */
	ZS_TLS_MORE,    /* never once ZS_TLS_HELLO_MAX bytes are there */
	ZS_TLS_NO_NAME, /* a whole hello that names no host */
	ZS_TLS_NAME,
};

struct zs_tls_hello {
	struct zs_host host; /* a name, canonical, without a port */
	/* It has the extension encrypted_client_hello. Behind that there may be another name, or nothing: clients send
	 * it either way, so that nobody can tell (draft-ietf-tls-esni). The server acts on the one inside. */
	bool encrypted;
	const char *problem; /* when it is bad; static */
};

enum zs_tls_status zs_tls_hello_read(const uint8_t *bytes, size_t len, struct zs_tls_hello *ret_hello);

#endif
