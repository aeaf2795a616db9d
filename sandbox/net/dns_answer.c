/* Questions to a real resolver, and its answers. */
#include <errno.h>
#include <string.h>

#include "net/dns_wire.h"

struct record {
	uint8_t owner[ZS_DNS_NAME_MAX];
	uint16_t type, class;
	size_t data, data_len; /* where in the message */
};

size_t zs_dns_ask(uint16_t id, const char *name, uint16_t type, uint8_t bytes[ZS_DNS_QUERY_MAX])
{
	struct zs_dns_header header = { .id = id, .flags = ZS_DNS_RECURSION_DESIRED, .questions = 1 };
	size_t at = ZS_DNS_HEADER_SIZE, len = zs_dns_write_name(name, bytes + at);

	if (len == 0)
		return 0;
	zs_dns_write_header(&header, bytes);
	at += len;
	zs_dns_put16(bytes + at, type);
	zs_dns_put16(bytes + at + 2, ZS_DNS_CLASS_IN);
	return at + 4;
}

static int read_record(const uint8_t *bytes, size_t len, size_t *at, struct record *ret_record)
{
	if (zs_dns_read_name(bytes, len, at, true, ret_record->owner) < 0 || len - *at < 10)
		return -EINVAL;
	ret_record->type = zs_dns_get16(bytes + *at);
	ret_record->class = zs_dns_get16(bytes + *at + 2);
	ret_record->data_len = zs_dns_get16(bytes + *at + 8);
	ret_record->data = *at + 10;
	if (ret_record->data_len > len - ret_record->data)
		return -EINVAL;
	*at = ret_record->data + ret_record->data_len;
	return 0;
}

/* Does it answer the question? *ret_at is then where its records start, and wire the name that was asked for. */
static bool is_ours(const uint8_t *bytes, size_t len, const struct zs_dns_header *header, uint16_t type,
	const uint8_t wire[ZS_DNS_NAME_MAX], size_t *ret_at)
{
	uint8_t asked[ZS_DNS_NAME_MAX];
	size_t at = ZS_DNS_HEADER_SIZE;

	if (!(header->flags & ZS_DNS_RESPONSE) || header->flags & ZS_DNS_OPCODE_MASK || header->questions != 1 ||
		zs_dns_read_name(bytes, len, &at, false, asked) < 0 || len - at < 4 || !zs_dns_same_name(asked, wire) ||
		zs_dns_get16(bytes + at) != type || zs_dns_get16(bytes + at + 2) != ZS_DNS_CLASS_IN)
		return false;
	*ret_at = at + 4;
	return true;
}

/* One way through the records: the addresses of `wire`, or, when it is an alias, wire becomes what it is one of. */
static int look_up(const uint8_t *bytes, size_t len, size_t at, unsigned records, uint16_t type,
	uint8_t wire[ZS_DNS_NAME_MAX], struct zs_address ret_addresses[ZS_DNS_ADDRESSES_MAX], size_t *ret_count,
	bool *ret_alias)
{
	size_t count = 0, size = type == ZS_DNS_A ? 4 : 16;
	uint8_t target[ZS_DNS_NAME_MAX];

	*ret_alias = false;
	for (unsigned i = 0; i < records; i++) {
		struct record record;
		size_t data;

		if (read_record(bytes, len, &at, &record) < 0)
			return -EINVAL;
		if (record.class != ZS_DNS_CLASS_IN || !zs_dns_same_name(record.owner, wire))
			continue;
		data = record.data;
		if (record.type == type) {
			if (record.data_len != size)
				return -EINVAL;
			if (count < ZS_DNS_ADDRESSES_MAX)
				ret_addresses[count++] = zs_address_from_bytes(bytes + data, size);
		} else if (record.type == ZS_DNS_CNAME && !*ret_alias) {
			if (zs_dns_read_name(bytes, len, &data, true, target) < 0 || data != at)
				return -EINVAL;
			*ret_alias = true;
		}
	}
	if (*ret_alias)
		memcpy(wire, target, sizeof target);
	*ret_count = count;
	return 0;
}

enum zs_dns_outcome zs_dns_read_answer(const uint8_t *bytes, size_t len, uint16_t id, const char *name, uint16_t type,
	struct zs_address ret_addresses[ZS_DNS_ADDRESSES_MAX], size_t *ret_count)
{
	struct zs_dns_header header;
	uint8_t wire[ZS_DNS_NAME_MAX];
	bool alias = true;
	size_t at;

	*ret_count = 0;
	if (!zs_dns_write_name(name, wire) || zs_dns_read_header(bytes, len, &header) < 0 || header.id != id ||
		!is_ours(bytes, len, &header, type, wire, &at))
		return ZS_DNS_NOT_OURS;
	if (header.flags & ZS_DNS_TRUNCATION)
		return ZS_DNS_TRUNCATED;
	if ((header.flags & ZS_DNS_CODE_MASK) == ZS_DNS_NO_SUCH_NAME)
		return ZS_DNS_NO_NAME;
	if ((header.flags & ZS_DNS_CODE_MASK) != ZS_DNS_OK)
		return ZS_DNS_FAILED;
	if (header.answers > ZS_DNS_RECORDS_MAX)
		return ZS_DNS_BROKEN;
	for (unsigned i = 0; i <= ZS_DNS_ALIASES_MAX && alias; i++) {
		if (look_up(bytes, len, at, header.answers, type, wire, ret_addresses, ret_count, &alias) < 0)
			return ZS_DNS_BROKEN;
		if (*ret_count > 0)
			return ZS_DNS_ADDRESSES;
	}
	return alias ? ZS_DNS_BROKEN : ZS_DNS_NO_ADDRESS;
}
