#include "net/dns_wire.h"

#include <errno.h>
#include <string.h>

enum { LABEL_KIND_MASK = 0xc0, POINTER = 0xc0 };

uint16_t zs_dns_get16(const uint8_t *bytes)
{
	return (uint16_t)(bytes[0] << 8 | bytes[1]);
}

void zs_dns_put16(uint8_t *bytes, uint16_t value)
{
	bytes[0] = (uint8_t)(value >> 8);
	bytes[1] = (uint8_t)value;
}

int zs_dns_read_header(const uint8_t *bytes, size_t len, struct zs_dns_header *ret_header)
{
	if (len < ZS_DNS_HEADER_SIZE)
		return -EINVAL;
	*ret_header = (struct zs_dns_header){
		.id = zs_dns_get16(bytes),
		.flags = zs_dns_get16(bytes + 2),
		.questions = zs_dns_get16(bytes + 4),
		.answers = zs_dns_get16(bytes + 6),
		.authorities = zs_dns_get16(bytes + 8),
		.additional = zs_dns_get16(bytes + 10),
	};
	return 0;
}

void zs_dns_write_header(const struct zs_dns_header *header, uint8_t bytes[ZS_DNS_HEADER_SIZE])
{
	zs_dns_put16(bytes, header->id);
	zs_dns_put16(bytes + 2, header->flags);
	zs_dns_put16(bytes + 4, header->questions);
	zs_dns_put16(bytes + 6, header->answers);
	zs_dns_put16(bytes + 8, header->authorities);
	zs_dns_put16(bytes + 10, header->additional);
}

int zs_dns_read_name(const uint8_t *bytes, size_t len, size_t *at, bool pointers, uint8_t ret_wire[ZS_DNS_NAME_MAX])
{
	size_t from = *at, behind = 0, limit = *at, out = 0;

	for (;;) {
		size_t label;

		if (from >= len)
			return -EINVAL;
		label = bytes[from];
		if ((label & LABEL_KIND_MASK) == POINTER) {
			if (!pointers || len - from < 2)
				return -EINVAL;
			if (behind == 0)
				behind = from + 2;
			from = zs_dns_get16(bytes + from) & 0x3fffu;
			/* Each one leads further back than the one before. */
			if (from >= limit || from < ZS_DNS_HEADER_SIZE)
				return -EINVAL;
			limit = from;
			continue;
		}
		if (label & LABEL_KIND_MASK || label >= len - from || out + label + 1 > ZS_DNS_NAME_MAX)
			return -EINVAL;
		ret_wire[out++] = (uint8_t)label;
		for (size_t i = 1; i <= label; i++) {
			uint8_t byte = bytes[from + i];

			ret_wire[out++] = (uint8_t)(byte >= 'A' && byte <= 'Z' ? byte + ('a' - 'A') : byte);
		}
		from += label + 1;
		if (label == 0)
			break;
	}
	*at = behind ? behind : from;
	return 0;
}

size_t zs_dns_write_name(const char *name, uint8_t wire[ZS_DNS_NAME_MAX])
{
	size_t at = 0;

	for (;;) {
		size_t label = strcspn(name, ".");

		if (label == 0 || label > ZS_HOST_LABEL_MAX || at + label + 2 > ZS_DNS_NAME_MAX)
			return 0;
		wire[at++] = (uint8_t)label;
		memcpy(wire + at, name, label);
		at += label;
		if (name[label] == '\0')
			break;
		name += label + 1;
	}
	wire[at++] = 0;
	return at;
}

bool zs_dns_same_name(const uint8_t *a, const uint8_t *b)
{
	for (; *a == *b; a += *a + 1, b += *b + 1) {
		if (*a == 0)
			return true;
		if (memcmp(a + 1, b + 1, *a) != 0)
			return false;
	}
	return false;
}
