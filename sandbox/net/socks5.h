/* The server's side of SOCKS5 (RFC 1928): reads a client's messages; no authentication, CONNECT only. Pure. Each call
 * reads the bytes that have come so far, from the message's first byte. When more come, pass all of them again, since a
 * message is small. */
#ifndef ZS_SANDBOX_NET_SOCKS5_H
#define ZS_SANDBOX_NET_SOCKS5_H

#include "net/host_name.h"

enum {
	ZS_SOCKS_VERSION = 5,
	ZS_SOCKS_GREETING_MAX = 2 + 255,
	ZS_SOCKS_REQUEST_MAX = 4 + 1 + 255 + 2,
	ZS_SOCKS_GREETING_REPLY_SIZE = 2,
	ZS_SOCKS_REPLY_SIZE = 10,
};

/* RFC 1928, 6. */
enum zs_socks_code {
	ZS_SOCKS_SUCCEEDED,
	ZS_SOCKS_FAILURE,
	ZS_SOCKS_NOT_ALLOWED,
	ZS_SOCKS_NETWORK_UNREACHABLE,
	ZS_SOCKS_HOST_UNREACHABLE,
	ZS_SOCKS_REFUSED,
	ZS_SOCKS_TTL_EXPIRED,
	ZS_SOCKS_COMMAND_NOT_SUPPORTED,
	ZS_SOCKS_ADDRESS_NOT_SUPPORTED,
};

enum zs_socks_status {
	ZS_SOCKS_BAD,
	ZS_SOCKS_MORE, /* not returned once the _MAX bytes are there */
	ZS_SOCKS_WHOLE,
};

/* Reads the first message. WHOLE or BAD: send ret_reply. WHOLE: *ret_used bytes were read. BAD: another version, or a
 * client that requires authentication; *ret_problem (which may be NULL) says so. */
enum zs_socks_status zs_socks_read_greeting(const uint8_t *bytes, size_t len, size_t *ret_used,
	uint8_t ret_reply[ZS_SOCKS_GREETING_REPLY_SIZE], const char **ret_problem);

/* Reads the second message. WHOLE: *ret_host is the host that is asked for, with its port. BAD: answer with *ret_code.
 * A name with a NUL, or one that zs_host_parse_name() refuses, is BAD. A name that is an address in text form is read
 * as the address. */
enum zs_socks_status zs_socks_read_request(const uint8_t *bytes, size_t len, size_t *ret_used, struct zs_host *ret_host,
	enum zs_socks_code *ret_code, const char **ret_problem);

/* Makes the answer to the second message. Its address is 0.0.0.0:0, since no client needs it. */
void zs_socks_reply(enum zs_socks_code code, uint8_t ret_reply[ZS_SOCKS_REPLY_SIZE]);

#endif
