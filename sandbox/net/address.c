#include "net/address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

enum { V4 = 4, V6 = 16 };

static const uint8_t mapped_prefix[12] = { [10] = 0xff, 0xff };

struct zs_address zs_address_from_bytes(const uint8_t *bytes, size_t len)
{
	struct zs_address address = { .family = AF_INET };

	if (len == V6 && memcmp(bytes, mapped_prefix, sizeof mapped_prefix) != 0)
		address.family = AF_INET6;
	else
		bytes += len - V4;
	memcpy(address.bytes, bytes, address.family == AF_INET ? V4 : V6);
	return address;
}

/* One of the four numbers; what is left of the text goes to *text and *len. */
static int read_byte(const char **text, size_t *len, uint8_t *ret_byte)
{
	unsigned value = 0;
	size_t digits = 0;

	while (digits < *len && (*text)[digits] >= '0' && (*text)[digits] <= '9' && digits < 4)
		value = value * 10 + (unsigned)((*text)[digits++] - '0');
	if (digits == 0 || value > UINT8_MAX || (digits > 1 && **text == '0'))
		return -EINVAL;
	*text += digits;
	*len -= digits;
	*ret_byte = (uint8_t)value;
	return 0;
}

static int parse_v4(const char *text, size_t len, struct zs_address *ret_address)
{
	uint8_t bytes[V4];

	for (size_t i = 0; i < V4; i++) {
		if (i > 0) {
			if (len == 0 || *text != '.')
				return -EINVAL;
			text++;
			len--;
		}
		if (read_byte(&text, &len, &bytes[i]) < 0)
			return -EINVAL;
	}
	if (len > 0)
		return -EINVAL;
	*ret_address = zs_address_from_bytes(bytes, V4);
	return 0;
}

int zs_address_parse(const char *text, size_t len, struct zs_address *ret_address)
{
	char copy[INET6_ADDRSTRLEN];
	uint8_t bytes[V6];

	if (!memchr(text, ':', len))
		return parse_v4(text, len, ret_address);
	if (len >= sizeof copy || memchr(text, '\0', len))
		return -EINVAL;
	memcpy(copy, text, len);
	copy[len] = '\0';
	if (inet_pton(AF_INET6, copy, bytes) != 1)
		return -EINVAL;
	*ret_address = zs_address_from_bytes(bytes, V6);
	return 0;
}

void zs_address_text(const struct zs_address *address, char text[ZS_ADDRESS_TEXT_SIZE])
{
	if (address->family == AF_UNSPEC || !inet_ntop(address->family, address->bytes, text, ZS_ADDRESS_TEXT_SIZE))
		*text = '\0';
}

bool zs_address_equal(const struct zs_address *a, const struct zs_address *b)
{
	return a->family == b->family && memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

int zs_address_from_sockaddr(const struct sockaddr_storage *from, struct zs_address *ret_address, uint16_t *ret_port)
{
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
	in_port_t port;

	if (from->ss_family == AF_INET) {
		memcpy(&v4, from, sizeof v4);
		*ret_address = zs_address_from_bytes((const uint8_t *)&v4.sin_addr, V4);
		port = v4.sin_port;
	} else if (from->ss_family == AF_INET6) {
		memcpy(&v6, from, sizeof v6);
		*ret_address = zs_address_from_bytes(v6.sin6_addr.s6_addr, V6);
		port = v6.sin6_port;
	} else {
		return -EAFNOSUPPORT;
	}
	if (ret_port)
		*ret_port = ntohs(port);
	return 0;
}

socklen_t zs_address_to_sockaddr(const struct zs_address *address, uint16_t port, struct sockaddr_storage *ret_to)
{
	struct sockaddr_in v4 = { .sin_family = AF_INET, .sin_port = htons(port) };
	struct sockaddr_in6 v6 = { .sin6_family = AF_INET6, .sin6_port = htons(port) };

	memset(ret_to, 0, sizeof *ret_to);
	if (address->family == AF_INET) {
		memcpy(&v4.sin_addr, address->bytes, V4);
		memcpy(ret_to, &v4, sizeof v4);
		return sizeof v4;
	}
	if (address->family == AF_INET6) {
		memcpy(v6.sin6_addr.s6_addr, address->bytes, V6);
		memcpy(ret_to, &v6, sizeof v6);
		return sizeof v6;
	}
	return 0;
}
