/* Finds the host that a TLS client asks for. The client's first message, the ClientHello, names it in clear (RFC 8446,
 * RFC 6066). Pure. Each call reads the bytes that have come so far, from the connection's first byte. The bytes go on
 * to the server unchanged.
 *
 * A server may ask for a second ClientHello (HelloRetryRequest), and use the name in that one (OpenSSL does). So the
 * server's first message is read, too, and the client's next one. */
#ifndef ZS_SANDBOX_NET_TLS_HELLO_H
#define ZS_SANDBOX_NET_TLS_HELLO_H

#include "net/host_name.h"

enum {
	ZS_TLS_HELLO_MAX = 16 * 1024, /* with the headers of its records */
	ZS_TLS_RECORD_MAX = 16 * 1024,
	ZS_TLS_ANSWER_MAX = 512, /* of the server's first bytes: 38 of its hello, in any pieces */
};

enum zs_tls_status {
	ZS_TLS_BAD,     /* it starts as TLS does, but is malformed or too long */
	ZS_TLS_NOT_TLS, /* decided by the first six bytes */
	ZS_TLS_MORE,    /* not returned once ZS_TLS_HELLO_MAX bytes are there */
	ZS_TLS_NO_NAME, /* a whole hello that names no host */
	ZS_TLS_NAME,
};

struct zs_tls_hello {
	struct zs_host host; /* a name, canonical, without a port */
	/* It has the extension encrypted_client_hello. The extension may hold another name or nothing: clients always
	 * send it, so that nobody can tell (draft-ietf-tls-esni). The server uses the name inside. */
	bool encrypted;
	size_t used;         /* bytes up to the end of a whole hello, which is also the end of its record */
	const char *problem; /* the fault of a bad hello; static */
};

enum zs_tls_status zs_tls_hello_read(const uint8_t *bytes, size_t len, struct zs_tls_hello *ret_hello);

/* Reads the second hello. Skips what may come before it (RFC 8446, D.4 and 4.2.10). Never returns NOT_TLS. */
enum zs_tls_status zs_tls_hello_read_again(const uint8_t *bytes, size_t len, struct zs_tls_hello *ret_hello);

enum zs_tls_answer {
	ZS_TLS_ANSWER_AGAIN, /* the client must send another hello */
	ZS_TLS_ANSWER_MORE,
	ZS_TLS_ANSWER_OTHER, /* the server has taken or refused the hello, or does not speak TLS */
};

/* Reads the server's answer to a hello, from its first byte. */
enum zs_tls_answer zs_tls_answer_read(const uint8_t *bytes, size_t len);

#endif
