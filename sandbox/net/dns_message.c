/* The questions and answers of our own resolver. */
#include "net/dns_message.h"

#include <errno.h>
#include <string.h>

#include "net/dns_wire.h"

enum { RECORD_HEADER_SIZE = 12, POINTER_TO_QUESTION = 0xc000 | ZS_DNS_HEADER_SIZE };

static int dns_message_bad(enum zs_dns_code *ret_code, enum zs_dns_code code)
{
	*ret_code = code;
	return -EINVAL;
}

/* The labels with dots between them, for people and for zs_host_parse_only_name(). A byte that no name has is shown as
 * "?". */
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
	struct zs_dns_header header;
	size_t at = ZS_DNS_HEADER_SIZE, end;
	bool good;

	memset(ret_query, 0, sizeof *ret_query);
	if (zs_dns_read_header(bytes, len, &header) < 0 || header.flags & ZS_DNS_RESPONSE)
		return -EBADMSG;
	ret_query->id = header.id;
	ret_query->recursion = header.flags & ZS_DNS_RECURSION_DESIRED;
	if (header.flags & ZS_DNS_OPCODE_MASK)
		return dns_message_bad(ret_code, ZS_DNS_NOT_IMPLEMENTED);
	/* Additional records may be there (EDNS), and are not looked at. */
	if (header.questions != 1 || header.answers || header.authorities)
		return dns_message_bad(ret_code, ZS_DNS_FORMAT_ERROR);
	/* Nothing stands before the first name that it could point to. */
	if (zs_dns_read_name(bytes, len, &at, false, wire) < 0 || len - at < 4)
		return dns_message_bad(ret_code, ZS_DNS_FORMAT_ERROR);
	end = at + 4;
	ret_query->type = zs_dns_get16(bytes + at);
	ret_query->question_len = end - ZS_DNS_HEADER_SIZE;
	memcpy(ret_query->question, bytes + ZS_DNS_HEADER_SIZE, ret_query->question_len);
	good = name_text(wire, ret_query->name);
	if (zs_dns_get16(bytes + at + 2) != ZS_DNS_CLASS_IN)
		return dns_message_bad(ret_code, ZS_DNS_REFUSED);
	return good ? 0 : dns_message_bad(ret_code, ZS_DNS_NO_SUCH_NAME);
}

static size_t put_record(const struct zs_address *address, uint16_t type, uint32_t ttl, uint8_t *bytes)
{
	uint16_t size = type == ZS_DNS_A ? 4 : 16;

	zs_dns_put16(bytes, POINTER_TO_QUESTION);
	zs_dns_put16(bytes + 2, type);
	zs_dns_put16(bytes + 4, ZS_DNS_CLASS_IN);
	zs_dns_put16(bytes + 6, (uint16_t)(ttl >> 16));
	zs_dns_put16(bytes + 8, (uint16_t)ttl);
	zs_dns_put16(bytes + 10, size);
	memcpy(bytes + RECORD_HEADER_SIZE, address->bytes, size);
	return RECORD_HEADER_SIZE + size;
}

size_t zs_dns_answer(const struct zs_dns_query *query, enum zs_dns_code code, const struct zs_address *addresses,
	size_t count, uint32_t ttl, uint8_t *bytes, size_t size)
{
	struct zs_dns_header header = {
		.id = query->id,
		.flags = (uint16_t)(ZS_DNS_RESPONSE | ZS_DNS_RECURSION_AVAILABLE | code),
		.questions = query->question_len > 0,
	};
	size_t at = ZS_DNS_HEADER_SIZE + query->question_len;

	if (query->recursion)
		header.flags |= ZS_DNS_RECURSION_DESIRED;
	memcpy(bytes + ZS_DNS_HEADER_SIZE, query->question, query->question_len);
	for (size_t i = 0; code == ZS_DNS_OK && query->question_len > 0 && i < count; i++) {
		sa_family_t wanted = query->type == ZS_DNS_A ? AF_INET : AF_INET6;

		if (addresses[i].family != wanted || (query->type != ZS_DNS_A && query->type != ZS_DNS_AAAA))
			continue;
		if (size - at < RECORD_HEADER_SIZE + (wanted == AF_INET ? 4u : 16u)) {
			header.flags |= ZS_DNS_TRUNCATION;
			break;
		}
		at += put_record(&addresses[i], query->type, ttl, bytes + at);
		header.answers++;
	}
	zs_dns_write_header(&header, bytes);
	return at;
}
