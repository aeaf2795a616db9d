#include "net/dns_message.h"

#include <errno.h>
#include <string.h>

/* The parts of a message (RFC 1035, 4.1) */

enum { CLASS_IN = 1 };

/* Bits of the flags. */
enum {
	RESPONSE = 0x8000,
	OPCODE_MASK = 0x7800,
	TRUNCATION = 0x0200,
	RECURSION_DESIRED = 0x0100,
	RECURSION_AVAILABLE = 0x0080,
	CODE_MASK = 0x000f,
};

/* The fields of a header. */
enum { ID, FLAGS, QUESTIONS, ANSWERS, AUTHORITIES, ADDITIONAL, FIELDS };

enum { LABEL_KIND_MASK = 0xc0, POINTER = 0xc0 };

static uint16_t get16(const uint8_t *bytes)
{
	return (uint16_t)(bytes[0] << 8 | bytes[1]);
}

static void put16(uint8_t *bytes, uint16_t value)
{
	bytes[0] = (uint8_t)(value >> 8);
	bytes[1] = (uint8_t)value;
}

/* False: there are not enough bytes. */
static bool read_header(const uint8_t *bytes, size_t len, uint16_t ret_header[FIELDS])
{
	for (size_t i = 0; len >= ZS_DNS_HEADER_SIZE && i < FIELDS; i++)
		ret_header[i] = get16(bytes + 2 * i);
	return len >= ZS_DNS_HEADER_SIZE;
}

static void write_header(const uint16_t header[FIELDS], uint8_t bytes[ZS_DNS_HEADER_SIZE])
{
	for (size_t i = 0; i < FIELDS; i++)
		put16(bytes + 2 * i, header[i]);
}

/* Reads the name at *at as labels in lower case, with the root's label at the end, and moves *at behind it. A pointer
 * must lead backwards, so there is no loop. Without `pointers`, a pointer is an error, as is everything else that is no
 * name. */
static int read_name(const uint8_t *bytes, size_t len, size_t *at, bool pointers, uint8_t ret_wire[ZS_DNS_NAME_MAX])
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
			from = get16(bytes + from) & 0x3fffu;
			/* Each pointer leads further back than the one before. */
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

/* Writes a canonical name. Returns its length; 0: it is no name. */
static size_t write_name(const char *name, uint8_t wire[ZS_DNS_NAME_MAX])
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

/* Compares two names that read_name() has made. */
static bool same_name(const uint8_t *a, const uint8_t *b)
{
	for (; *a == *b; a += *a + 1, b += *b + 1) {
		if (*a == 0)
			return true;
		if (memcmp(a + 1, b + 1, *a) != 0)
			return false;
	}
	return false;
}

/* The questions and answers of our own resolver */

enum { RECORD_HEADER_SIZE = 12, POINTER_TO_QUESTION = 0xc000 | ZS_DNS_HEADER_SIZE };

static int dns_message_bad(enum zs_dns_code *ret_code, enum zs_dns_code code)
{
	*ret_code = code;
	return -EINVAL;
}

/* Writes the labels with dots between them, for people and for zs_host_parse_only_name(). A byte that no name can have
 * is shown as "?". */
static bool name_text(const uint8_t *wire, char text[ZS_HOST_NAME_MAX + 1])
{
	bool good = true;
	size_t at = 0;

	for (; *wire; wire += *wire + 1) {
		if (at > 0)
			text[at++] = '.';
		for (size_t i = 1; i <= *wire; i++) {
			bool plain = wire[i] > ' ' && wire[i] < 0x7f && wire[i] != '.' && wire[i] != '\\';

			good &= plain;
			text[at++] = plain ? (char)wire[i] : '?';
		}
	}
	text[at] = '\0';
	return good;
}

int zs_dns_read_query(const uint8_t *bytes, size_t len, struct zs_dns_query *ret_query, enum zs_dns_code *ret_code)
{
	uint8_t wire[ZS_DNS_NAME_MAX];
	uint16_t header[FIELDS];
	size_t at = ZS_DNS_HEADER_SIZE, end;
	bool good;

	memset(ret_query, 0, sizeof *ret_query);
	if (!read_header(bytes, len, header) || header[FLAGS] & RESPONSE)
		return -EBADMSG;
	ret_query->id = header[ID];
	ret_query->recursion = header[FLAGS] & RECURSION_DESIRED;
	if (header[FLAGS] & OPCODE_MASK)
		return dns_message_bad(ret_code, ZS_DNS_NOT_IMPLEMENTED);
	/* Additional records (EDNS) are allowed, and ignored. */
	if (header[QUESTIONS] != 1 || header[ANSWERS] || header[AUTHORITIES])
		return dns_message_bad(ret_code, ZS_DNS_FORMAT_ERROR);
	/* There is nothing before the first name to which it could point. */
	if (read_name(bytes, len, &at, false, wire) < 0 || len - at < 4)
		return dns_message_bad(ret_code, ZS_DNS_FORMAT_ERROR);
	end = at + 4;
	ret_query->type = get16(bytes + at);
	ret_query->question_len = end - ZS_DNS_HEADER_SIZE;
	memcpy(ret_query->question, bytes + ZS_DNS_HEADER_SIZE, ret_query->question_len);
	good = name_text(wire, ret_query->name);
	if (get16(bytes + at + 2) != CLASS_IN)
		return dns_message_bad(ret_code, ZS_DNS_REFUSED);
	return good ? 0 : dns_message_bad(ret_code, ZS_DNS_NO_SUCH_NAME);
}

static size_t put_record(const struct zs_address *address, uint16_t type, uint32_t ttl, uint8_t *bytes)
{
	uint16_t size = type == ZS_DNS_A ? 4 : 16;

	put16(bytes, POINTER_TO_QUESTION);
	put16(bytes + 2, type);
	put16(bytes + 4, CLASS_IN);
	put16(bytes + 6, (uint16_t)(ttl >> 16));
	put16(bytes + 8, (uint16_t)ttl);
	put16(bytes + 10, size);
	memcpy(bytes + RECORD_HEADER_SIZE, address->bytes, size);
	return RECORD_HEADER_SIZE + size;
}

size_t zs_dns_answer(const struct zs_dns_query *query, enum zs_dns_code code, const struct zs_address *addresses,
	size_t count, uint32_t ttl, uint8_t *bytes, size_t size)
{
	uint16_t header[FIELDS] = {
		[ID] = query->id,
		[FLAGS] = (uint16_t)(RESPONSE | RECURSION_AVAILABLE | code),
		[QUESTIONS] = query->question_len > 0,
	};
	size_t at = ZS_DNS_HEADER_SIZE + query->question_len;

	if (query->recursion)
		header[FLAGS] |= RECURSION_DESIRED;
	memcpy(bytes + ZS_DNS_HEADER_SIZE, query->question, query->question_len);
	for (size_t i = 0; code == ZS_DNS_OK && query->question_len > 0 && i < count; i++) {
		sa_family_t wanted = query->type == ZS_DNS_A ? AF_INET : AF_INET6;

		if (addresses[i].family != wanted || (query->type != ZS_DNS_A && query->type != ZS_DNS_AAAA))
			continue;
		if (size - at < RECORD_HEADER_SIZE + (wanted == AF_INET ? 4u : 16u)) {
			header[FLAGS] |= TRUNCATION;
			break;
		}
		at += put_record(&addresses[i], query->type, ttl, bytes + at);
		header[ANSWERS]++;
	}
	write_header(header, bytes);
	return at;
}

/* Questions to a real resolver, and its answers */

struct record {
	uint8_t owner[ZS_DNS_NAME_MAX];
	uint16_t type, class;
	size_t data, data_len; /* offset in the message */
};

size_t zs_dns_ask(uint16_t id, const char *name, uint16_t type, uint8_t bytes[ZS_DNS_QUERY_MAX])
{
	const uint16_t header[FIELDS] = { [ID] = id, [FLAGS] = RECURSION_DESIRED, [QUESTIONS] = 1 };
	size_t at = ZS_DNS_HEADER_SIZE, len = write_name(name, bytes + at);

	if (len == 0)
		return 0;
	write_header(header, bytes);
	at += len;
	put16(bytes + at, type);
	put16(bytes + at + 2, CLASS_IN);
	return at + 4;
}

static int read_record(const uint8_t *bytes, size_t len, size_t *at, struct record *ret_record)
{
	if (read_name(bytes, len, at, true, ret_record->owner) < 0 || len - *at < 10)
		return -EINVAL;
	ret_record->type = get16(bytes + *at);
	ret_record->class = get16(bytes + *at + 2);
	ret_record->data_len = get16(bytes + *at + 8);
	ret_record->data = *at + 10;
	if (ret_record->data_len > len - ret_record->data)
		return -EINVAL;
	*at = ret_record->data + ret_record->data_len;
	return 0;
}

/* Does the message answer the question? *ret_at: the offset of its records; wire: the name that was asked for. */
static bool is_ours(const uint8_t *bytes, size_t len, const uint16_t header[FIELDS], uint16_t type,
	const uint8_t wire[ZS_DNS_NAME_MAX], size_t *ret_at)
{
	uint8_t asked[ZS_DNS_NAME_MAX];
	size_t at = ZS_DNS_HEADER_SIZE;

	if (!(header[FLAGS] & RESPONSE) || header[FLAGS] & OPCODE_MASK || header[QUESTIONS] != 1 ||
		read_name(bytes, len, &at, false, asked) < 0 || len - at < 4 || !same_name(asked, wire) ||
		get16(bytes + at) != type || get16(bytes + at + 2) != CLASS_IN)
		return false;
	*ret_at = at + 4;
	return true;
}

/* Makes one pass over the records: takes the addresses of `wire`. If that is an alias, wire becomes the name that the
 * alias stands for. */
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
		if (record.class != CLASS_IN || !same_name(record.owner, wire))
			continue;
		data = record.data;
		if (record.type == type) {
			if (record.data_len != size)
				return -EINVAL;
			if (count < ZS_DNS_ADDRESSES_MAX)
				ret_addresses[count++] = zs_address_from_bytes(bytes + data, size);
		} else if (record.type == ZS_DNS_CNAME && !*ret_alias) {
			if (read_name(bytes, len, &data, true, target) < 0 || data != at)
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
	uint16_t header[FIELDS];
	uint8_t wire[ZS_DNS_NAME_MAX];
	bool alias = true;
	size_t at;

	*ret_count = 0;
	if (!write_name(name, wire) || !read_header(bytes, len, header) || header[ID] != id ||
		!is_ours(bytes, len, header, type, wire, &at))
		return ZS_DNS_NOT_OURS;
	if (header[FLAGS] & TRUNCATION)
		return ZS_DNS_TRUNCATED;
	if ((header[FLAGS] & CODE_MASK) == ZS_DNS_NO_SUCH_NAME)
		return ZS_DNS_NO_NAME;
	if ((header[FLAGS] & CODE_MASK) != ZS_DNS_OK)
		return ZS_DNS_FAILED;
	if (header[ANSWERS] > ZS_DNS_RECORDS_MAX)
		return ZS_DNS_BROKEN;
	for (unsigned i = 0; i <= ZS_DNS_ALIASES_MAX && alias; i++) {
		if (look_up(bytes, len, at, header[ANSWERS], type, wire, ret_addresses, ret_count, &alias) < 0)
			return ZS_DNS_BROKEN;
		if (*ret_count > 0)
			return ZS_DNS_ADDRESSES;
	}
	return alias ? ZS_DNS_BROKEN : ZS_DNS_NO_ADDRESS;
}
