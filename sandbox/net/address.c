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

/* Reads one of the four numbers, and moves *text and *len behind it. */
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

bool zs_address_from_sockaddr(
	const struct sockaddr *from, socklen_t size, struct zs_address *ret_address, uint16_t *ret_port)
{
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;

	if (size >= sizeof v4 && from->sa_family == AF_INET) {
		memcpy(&v4, from, sizeof v4);
		*ret_address = zs_address_from_bytes((const uint8_t *)&v4.sin_addr, V4);
		*ret_port = ntohs(v4.sin_port);
		return true;
	}
	if (size < sizeof v6 || from->sa_family != AF_INET6)
		return false;
	memcpy(&v6, from, sizeof v6);
	*ret_address = zs_address_from_bytes(v6.sin6_addr.s6_addr, V6);
	*ret_port = ntohs(v6.sin6_port);
	return true;
}

struct zs_address zs_address_reached(const struct zs_address *address)
{
	static const uint8_t v4[V4] = { 127, 0, 0, 1 }, v6[V6] = { [V6 - 1] = 1 };

	if (zs_address_kind(address) != ZS_ADDRESS_UNSPECIFIED)
		return *address;
	return address->family == AF_INET6 ? zs_address_from_bytes(v6, V6) : zs_address_from_bytes(v4, V4);
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

/* Finds the kind of an address, by the IANA IPv4 and IPv6 Special-Purpose Address Registries. */

struct range {
	uint8_t prefix[16];
	unsigned bits;
	enum zs_address_kind kind;
};

/* The first range that matches counts. All other addresses are public. That includes the ranges of documentation:
 * nobody's own machines have such addresses, but laboratories use them in place of public ones. */
static const struct range v4_ranges[] = {
	{ { 0 }, 8, ZS_ADDRESS_UNSPECIFIED }, /* Linux connects 0.0.0.0 to itself */
	{ { 10 }, 8, ZS_ADDRESS_PRIVATE },
	{ { 100, 64 }, 10, ZS_ADDRESS_PRIVATE }, /* a carrier's, RFC 6598 */
	{ { 127 }, 8, ZS_ADDRESS_LOOPBACK },
	{ { 168, 63, 129, 16 }, 32, ZS_ADDRESS_LINK_LOCAL }, /* in Azure the machine's host, which holds secrets */
	{ { 169, 254 }, 16, ZS_ADDRESS_LINK_LOCAL },         /* other clouds' metadata */
	{ { 172, 16 }, 12, ZS_ADDRESS_PRIVATE },
	{ { 192, 0, 0 }, 24, ZS_ADDRESS_RESERVED },
	{ { 192, 88, 99 }, 24, ZS_ADDRESS_RESERVED }, /* relays of 6to4, RFC 7526 */
	{ { 192, 168 }, 16, ZS_ADDRESS_PRIVATE },
	{ { 198, 18 }, 15, ZS_ADDRESS_BENCHMARK },
	{ { 224 }, 4, ZS_ADDRESS_MULTICAST },
	{ { 240 }, 4, ZS_ADDRESS_RESERVED },
};

/* Only 2000::/3 has been assigned to the public, so all other addresses are reserved. */
static const struct range v6_ranges[] = {
	{ { 0 }, 128, ZS_ADDRESS_UNSPECIFIED },
	{ { [15] = 1 }, 128, ZS_ADDRESS_LOOPBACK },
	{ { 0xfc }, 7, ZS_ADDRESS_PRIVATE },
	{ { 0xfe, 0x80 }, 10, ZS_ADDRESS_LINK_LOCAL },
	{ { 0xfe, 0xc0 }, 10, ZS_ADDRESS_PRIVATE }, /* site-local, RFC 3879 */
	{ { 0xff }, 8, ZS_ADDRESS_MULTICAST },
	{ { 0x00, 0x64, 0xff, 0x9b, 0x00, 0x01 }, 48, ZS_ADDRESS_PRIVATE }, /* a site's NAT64, RFC 8215 */
	{ { 0x20, 0x01, 0x00, 0x02 }, 48, ZS_ADDRESS_BENCHMARK },
	{ { 0x20, 0x01 }, 23, ZS_ADDRESS_RESERVED }, /* of protocols, RFC 2928 */
	{ { 0x20 }, 3, ZS_ADDRESS_PUBLIC },
};

/* Where a v6 address embeds a v4 address to which it leads. */
static const struct embedding {
	struct range range;
	unsigned at;
	uint8_t mask; /* each byte is XORed with it */
} embeddings[] = {
	{ { { 0x00, 0x64, 0xff, 0x9b }, 96, ZS_ADDRESS_PUBLIC }, 12, 0 }, /* NAT64, RFC 6052 */
	{ { { 0x20, 0x02 }, 16, ZS_ADDRESS_PUBLIC }, 2, 0 },              /* 6to4, RFC 3056 */
	{ { { 0x20, 0x01 }, 32, ZS_ADDRESS_PUBLIC }, 4, 0 },              /* Teredo's server, RFC 4380 */
	{ { { 0x20, 0x01 }, 32, ZS_ADDRESS_PUBLIC }, 12, 0xff },          /* and the client of Teredo */
};

static bool in_range(const uint8_t *bytes, const struct range *range)
{
	size_t whole = range->bits / 8;
	unsigned rest = range->bits % 8;
	uint8_t mask = (uint8_t)(0xff00u >> rest);

	return memcmp(bytes, range->prefix, whole) == 0 &&
	       (rest == 0 || ((bytes[whole] ^ range->prefix[whole]) & mask) == 0);
}

static enum zs_address_kind address_kind_find(
	const uint8_t *bytes, const struct range *ranges, size_t count, enum zs_address_kind otherwise)
{
	for (size_t i = 0; i < count; i++)
		if (in_range(bytes, &ranges[i]))
			return ranges[i].kind;
	return otherwise;
}

static enum zs_address_kind kind_of_v4(const uint8_t *bytes)
{
	return address_kind_find(bytes, v4_ranges, sizeof v4_ranges / sizeof *v4_ranges, ZS_ADDRESS_PUBLIC);
}

size_t zs_address_embedded(const struct zs_address *address, struct zs_address ret_embedded[ZS_ADDRESS_EMBEDDED_MAX])
{
	size_t count = 0;

	if (address->family != AF_INET6)
		return 0;
	for (size_t i = 0; i < sizeof embeddings / sizeof *embeddings && count < ZS_ADDRESS_EMBEDDED_MAX; i++) {
		const struct embedding *embedding = &embeddings[i];

		if (!in_range(address->bytes, &embedding->range))
			continue;
		ret_embedded[count] = (struct zs_address){ .family = AF_INET };
		for (size_t j = 0; j < 4; j++)
			ret_embedded[count].bytes[j] = address->bytes[embedding->at + j] ^ embedding->mask;
		count++;
	}
	return count;
}

static enum zs_address_kind kind_of_v6(const struct zs_address *address)
{
	struct zs_address embedded[ZS_ADDRESS_EMBEDDED_MAX];
	const uint8_t *bytes = address->bytes;
	size_t count = zs_address_embedded(address, embedded);

	for (size_t i = 0; i < count; i++)
		if (kind_of_v4(embedded[i].bytes) != ZS_ADDRESS_PUBLIC)
			return kind_of_v4(embedded[i].bytes);
	if (count > 0)
		return ZS_ADDRESS_PUBLIC;
	return address_kind_find(bytes, v6_ranges, sizeof v6_ranges / sizeof *v6_ranges, ZS_ADDRESS_RESERVED);
}

enum zs_address_kind zs_address_kind(const struct zs_address *address)
{
	if (address->family == AF_INET)
		return kind_of_v4(address->bytes);
	return address->family == AF_INET6 ? kind_of_v6(address) : ZS_ADDRESS_RESERVED;
}
