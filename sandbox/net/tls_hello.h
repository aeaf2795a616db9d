/* Which host does a TLS client ask for? Its first message, the ClientHello, says it in clear (RFC 8446, RFC 6066).
 * Pure. It reads what has come so far, from the connection's first byte: the bytes go on to the server as they are.
 *
 * A server may ask for a second ClientHello (HelloRetryRequest), and takes the name of that one (OpenSSL does): so what
 * the server says first is read too, and what the client says then. */
#ifndef ZS_SANDBOX_NET_TLS_HELLO_H
#define ZS_SANDBOX_NET_TLS_HELLO_H

#include "net/host_name.h"

enum {
	ZS_TLS_HELLO_MAX = 16 * 1024, /* with the headers of its records */
	ZS_TLS_RECORD_MAX = 16 * 1024,
	ZS_TLS_ANSWER_MAX = 512, /* of what a server says first: its hello's first 38 bytes, however cut up */
};

enum zs_tls_status {
	ZS_TLS_BAD,     /* it starts as TLS does, and goes on otherwise, or is too long */
	ZS_TLS_NOT_TLS, /* known by the first six bytes */
	ZS_TLS_MORE,    /* never once ZS_TLS_HELLO_MAX bytes are there */
	ZS_TLS_NO_NAME, /* a whole hello that names no host */
	ZS_TLS_NAME,
};

struct zs_tls_hello {
	struct zs_host host; /* a name, canonical, without a port */
	/* It has the extension encrypted_client_hello. Behind that there may be another name, or nothing: clients send
	 * it either way, so that nobody can tell (draft-ietf-tls-esni). The server acts on the one inside. */
	bool encrypted;
	size_t used;         /* bytes up to its end, when it is whole, which is its record's as well */
	const char *problem; /* when it is bad; static */
};

enum zs_tls_status zs_tls_hello_read(const uint8_t *bytes, size_t len, struct zs_tls_hello *ret_hello);

/* The second one: what may come before it (RFC 8446, D.4 and 4.2.10) is passed over. Never NOT_TLS. */
enum zs_tls_status zs_tls_hello_read_again(const uint8_t *bytes, size_t len, struct zs_tls_hello *ret_hello);

enum zs_tls_answer {
	ZS_TLS_ANSWER_AGAIN, /* the client is to say another hello */
	ZS_TLS_ANSWER_MORE,
	ZS_TLS_ANSWER_OTHER, /* it has taken the hello, or refused it, or is no TLS */
};

/* The server's answer to a hello, from its first byte. */
enum zs_tls_answer zs_tls_answer_read(const uint8_t *bytes, size_t len);

#endif
