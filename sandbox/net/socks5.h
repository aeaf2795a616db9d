/* A client's part of SOCKS5 (RFC 1928): no authentication, CONNECT. Pure. Each reads what has come so far, from its
 * first byte; feed it all again when there is more: a message is small. */
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
	ZS_SOCKS_MORE, /* never once the _MAX bytes are there */
	ZS_SOCKS_WHOLE,
};

/* The first message. WHOLE or BAD: send ret_reply; WHOLE: *ret_used bytes were read. BAD: another version, or a client
 * that will not go without authentication; *ret_problem (which may be NULL) says so. */
enum zs_socks_status zs_socks_read_greeting(const uint8_t *bytes, size_t len, size_t *ret_used,
	uint8_t ret_reply[ZS_SOCKS_GREETING_REPLY_SIZE], const char **ret_problem);

/* The second. WHOLE: *ret_host is who is asked for, with its port. BAD: *ret_code is to be answered. A name with a NUL
 * or anything else that zs_host_parse_name() refuses is BAD; a name that is an address's text is the address. */
enum zs_socks_status zs_socks_read_request(const uint8_t *bytes, size_t len, size_t *ret_used, struct zs_host *ret_host,
	enum zs_socks_code *ret_code, const char **ret_problem);

/* The answer to the second; its address is 0.0.0.0:0, which no client needs. */
void zs_socks_reply(enum zs_socks_code code, uint8_t ret_reply[ZS_SOCKS_REPLY_SIZE]);

#endif
