#include "net/socks5.h"

#include <string.h>

enum { NO_AUTHENTICATION = 0, NO_METHOD = 0xff, CONNECT = 1, V4 = 1, NAME = 3, V6 = 4 };

static enum zs_socks_status socks5_bad(const char **ret_problem, const char *problem)
{
	if (ret_problem)
		*ret_problem = problem;
	return ZS_SOCKS_BAD;
}

enum zs_socks_status zs_socks_read_greeting(const uint8_t *bytes, size_t len, size_t *ret_used,
	uint8_t ret_reply[ZS_SOCKS_GREETING_REPLY_SIZE], const char **ret_problem)
{
	ret_reply[0] = ZS_SOCKS_VERSION;
	ret_reply[1] = NO_METHOD;
	if (len > 0 && bytes[0] != ZS_SOCKS_VERSION)
		return socks5_bad(ret_problem, "is another version of SOCKS; use 5 (socks5h)");
	if (len < 2 || len - 2 < bytes[1])
		return ZS_SOCKS_MORE;
	if (!memchr(bytes + 2, NO_AUTHENTICATION, bytes[1]))
		return socks5_bad(ret_problem, "asks for authentication; there is none");
	ret_reply[1] = NO_AUTHENTICATION;
	*ret_used = 2 + (size_t)bytes[1];
	return ZS_SOCKS_WHOLE;
}

/* Finds the form and the length of the address; *ret_at is its offset. 0: that is not known yet. */
static size_t address_len(const uint8_t *bytes, size_t len, size_t *ret_at)
{
	*ret_at = bytes[3] == NAME ? 5 : 4;
	if (bytes[3] == V4)
		return 4;
	if (bytes[3] == V6)
		return 16;
	return len > 4 ? bytes[4] : 0;
}

static int read_host(const uint8_t *bytes, size_t at, size_t size, struct zs_host *ret_host, const char **ret_problem)
{
	struct zs_address address;

	if (bytes[3] == NAME)
		return zs_host_parse_name((const char *)bytes + at, size, ret_host, ret_problem);
	address = zs_address_from_bytes(bytes + at, size);
	*ret_host = zs_host_of_address(&address, 0);
	return 0;
}

enum zs_socks_status zs_socks_read_request(const uint8_t *bytes, size_t len, size_t *ret_used, struct zs_host *ret_host,
	enum zs_socks_code *ret_code, const char **ret_problem)
{
	size_t at, size;
	int r;

	*ret_code = ZS_SOCKS_FAILURE;
	if (len > 0 && bytes[0] != ZS_SOCKS_VERSION)
		return socks5_bad(ret_problem, "is another version of SOCKS; use 5 (socks5h)");
	if (len < 4)
		return ZS_SOCKS_MORE;
	*ret_code = ZS_SOCKS_COMMAND_NOT_SUPPORTED;
	if (bytes[1] != CONNECT)
		return socks5_bad(ret_problem, "asks for BIND or UDP; only CONNECT is there");
	*ret_code = ZS_SOCKS_FAILURE;
	if (bytes[2] != 0)
		return socks5_bad(ret_problem, "is no SOCKS request: its reserved byte is not 0");
	*ret_code = ZS_SOCKS_ADDRESS_NOT_SUPPORTED;
	if (bytes[3] != V4 && bytes[3] != NAME && bytes[3] != V6)
		return socks5_bad(ret_problem, "has an unknown type of address");
	size = address_len(bytes, len, &at);
	if (len < at || len - at < size + 2)
		return ZS_SOCKS_MORE;
	*ret_code = ZS_SOCKS_FAILURE;
	r = read_host(bytes, at, size, ret_host, ret_problem);
	if (r < 0)
		return ZS_SOCKS_BAD;
	ret_host->port = (uint16_t)(bytes[at + size] << 8 | bytes[at + size + 1]);
	if (ret_host->port == 0)
		return socks5_bad(ret_problem, "has the port 0");
	*ret_code = ZS_SOCKS_SUCCEEDED;
	*ret_used = at + size + 2;
	return ZS_SOCKS_WHOLE;
}

void zs_socks_reply(enum zs_socks_code code, uint8_t ret_reply[ZS_SOCKS_REPLY_SIZE])
{
	memset(ret_reply, 0, ZS_SOCKS_REPLY_SIZE);
	ret_reply[0] = ZS_SOCKS_VERSION;
	ret_reply[1] = (uint8_t)code;
	ret_reply[3] = V4;
}
