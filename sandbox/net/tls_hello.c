#include "net/tls_hello.h"

#include <string.h>

enum {
	RECORD_HEADER = 5,
	CHANGE_CIPHER_SPEC = 20,
	ALERT = 21,
	HANDSHAKE = 22,
	APPLICATION_DATA = 23,
	HANDSHAKE_HEADER = 4,
	CLIENT_HELLO = 1,
	SERVER_HELLO = 2,
	RANDOM = 32,
	SERVER_NAME = 0,         /* RFC 6066, 3 */
	HOST_NAME = 0,           /* the same */
	ENCRYPTED_HELLO = 65037, /* 0xfe0d, draft-ietf-tls-esni */
};

/* A part of a message, which is read from its start. */
struct piece {
	const uint8_t *at;
	size_t len;
};

/* Takes a number of `size` bytes. */
static bool take_number(struct piece *from, size_t size, size_t *ret_number)
{
	size_t number = 0;

	if (from->len < size)
		return false;
	for (size_t i = 0; i < size; i++)
		number = number << 8 | from->at[i];
	from->at += size;
	from->len -= size;
	*ret_number = number;
	return true;
}

static bool skip(struct piece *from, size_t len)
{
	if (from->len < len)
		return false;
	from->at += len;
	from->len -= len;
	return true;
}

/* Takes bytes that follow their length, which has `size` bytes. */
static bool take_piece(struct piece *from, size_t size, struct piece *ret_piece)
{
	size_t len;

	if (!take_number(from, size, &len) || from->len < len)
		return false;
	*ret_piece = (struct piece){ from->at, len };
	return skip(from, len);
}

static enum zs_tls_status tls_hello_bad(struct zs_tls_hello *hello, const char *problem)
{
	hello->problem = problem;
	return ZS_TLS_BAD;
}

/* There must be exactly one name, of the only type that exists. */
static enum zs_tls_status read_server_name(struct piece extension, struct zs_tls_hello *hello)
{
	struct piece list, name;
	size_t type;

	if (!take_piece(&extension, 2, &list) || extension.len > 0 || !take_number(&list, 1, &type) ||
		!take_piece(&list, 2, &name))
		return tls_hello_bad(hello, "has a malformed server_name");
	if (type != HOST_NAME)
		return tls_hello_bad(hello, "has a server_name of an unknown type");
	if (list.len > 0)
		return tls_hello_bad(hello, "has more than one server_name");
	if (zs_host_parse_only_name((const char *)name.at, name.len, &hello->host, &hello->problem) < 0)
		return ZS_TLS_BAD;
	return ZS_TLS_NAME;
}

static enum zs_tls_status read_extensions(struct piece extensions, struct zs_tls_hello *hello)
{
	enum zs_tls_status status = ZS_TLS_NO_NAME;

	while (extensions.len > 0) {
		struct piece extension;
		size_t type;

		if (!take_number(&extensions, 2, &type) || !take_piece(&extensions, 2, &extension))
			return tls_hello_bad(hello, "has malformed extensions");
		if (type == ENCRYPTED_HELLO)
			hello->encrypted = true;
		if (type != SERVER_NAME)
			continue;
		if (status == ZS_TLS_NAME)
			return tls_hello_bad(hello, "has more than one server_name");
		status = read_server_name(extension, hello);
		if (status != ZS_TLS_NAME)
			return status;
	}
	return status;
}

/* RFC 8446, 4.1.2; TLS 1.0 to 1.2 have the same form, and may end before the extensions. */
static enum zs_tls_status read_hello(struct piece message, struct zs_tls_hello *hello)
{
	struct piece session, suites, compressions, extensions;

	if (!skip(&message, 2 + RANDOM) || !take_piece(&message, 1, &session) || session.len > 32 ||
		!take_piece(&message, 2, &suites) || suites.len == 0 || suites.len % 2 != 0 ||
		!take_piece(&message, 1, &compressions) || compressions.len == 0)
		return tls_hello_bad(hello, "is no ClientHello");
	if (message.len == 0)
		return ZS_TLS_NO_NAME;
	if (!take_piece(&message, 2, &extensions) || message.len > 0)
		return tls_hello_bad(hello, "has malformed extensions");
	return read_extensions(extensions, hello);
}

/* Called for a message that is not whole yet: is there room for the rest? */
static enum zs_tls_status more(size_t len, struct zs_tls_hello *hello)
{
	return len < ZS_TLS_HELLO_MAX ? ZS_TLS_MORE : tls_hello_bad(hello, "is longer than 16 KiB");
}

/* Joins the pieces of the first message that lie in several records, as far as they are there. */
static enum zs_tls_status join_records(
	struct piece records, uint8_t message[ZS_TLS_HELLO_MAX], size_t *ret_len, struct zs_tls_hello *hello)
{
	while (records.len > 0) {
		size_t type = records.at[0], len, here;

		if (type != HANDSHAKE || (records.len > 1 && records.at[1] != 3))
			return tls_hello_bad(hello, "goes on with something else in the middle of its hello");
		if (records.len < RECORD_HEADER)
			break;
		skip(&records, 3);
		take_number(&records, 2, &len);
		if (len == 0 || len > ZS_TLS_RECORD_MAX)
			return tls_hello_bad(hello, "has a record of no or of too great a length");
		here = len < records.len ? len : records.len;
		memcpy(message + *ret_len, records.at, here);
		*ret_len += here;
		hello->used += RECORD_HEADER + here;
		skip(&records, here);
		if (*ret_len >= HANDSHAKE_HEADER) {
			size_t whole =
				HANDSHAKE_HEADER + ((size_t)message[1] << 16 | (size_t)message[2] << 8 | message[3]);

			/* A second hello could lie there. A client has nothing to say before the answer. */
			if (*ret_len + (len - here) > whole)
				return tls_hello_bad(hello, "goes on behind its hello in the same record");
			if (*ret_len == whole)
				return ZS_TLS_NAME;
		}
	}
	return ZS_TLS_MORE;
}

/* Decides whether a server may take the bytes for TLS, although no client starts in this way. RFC 8446, 5.1 says that
 * the version of a record must be ignored, and some servers ignore an alert that is only a warning (Go's crypto/tls
 * does both). */
static enum zs_tls_status judge_start(const uint8_t *bytes, size_t len, struct zs_tls_hello *hello)
{
	if (len == 0)
		return ZS_TLS_MORE;
	if (bytes[0] != HANDSHAKE && bytes[0] != ALERT && bytes[0] != CHANGE_CIPHER_SPEC)
		return ZS_TLS_NOT_TLS;
	if (len == 1)
		return ZS_TLS_MORE;
	if (bytes[1] == 3)
		return bytes[0] == HANDSHAKE ? ZS_TLS_NAME : tls_hello_bad(hello, "does not start with a ClientHello");
	if (len <= RECORD_HEADER)
		return ZS_TLS_MORE;
	/* A ClientHello, or the level of an alert. */
	return bytes[RECORD_HEADER] == 1 || bytes[RECORD_HEADER] == 2
		       ? tls_hello_bad(hello, "has a record of an unknown version")
		       : ZS_TLS_NOT_TLS;
}

enum zs_tls_status zs_tls_hello_read(const uint8_t *bytes, size_t len, struct zs_tls_hello *ret_hello)
{
	uint8_t message[ZS_TLS_HELLO_MAX];
	enum zs_tls_status status;
	struct piece rest, hello;
	size_t message_len = 0;

	memset(ret_hello, 0, sizeof *ret_hello);
	status = judge_start(bytes, len, ret_hello);
	if (status != ZS_TLS_NAME)
		return status;
	/* Bytes after the hello are not read; the hello itself fits. */
	if (len > ZS_TLS_HELLO_MAX)
		len = ZS_TLS_HELLO_MAX;
	status = join_records((struct piece){ bytes, len }, message, &message_len, ret_hello);
	if (status == ZS_TLS_BAD)
		return status;
	if (message_len > 0 && message[0] != CLIENT_HELLO)
		return tls_hello_bad(ret_hello, "does not start with a ClientHello");
	if (status == ZS_TLS_MORE)
		return more(len, ret_hello);
	rest = (struct piece){ message + 1, message_len - 1 };
	if (!take_piece(&rest, 3, &hello))
		return tls_hello_bad(ret_hello, "is no ClientHello");
	status = read_hello(hello, ret_hello);
	if (status == ZS_TLS_BAD)
		memset(&ret_hello->host, 0, sizeof ret_hello->host);
	return status;
}

/* Skips a whole record. MORE: it is not whole; BAD: it is no record. */
static enum zs_tls_status skip_record(struct piece *records)
{
	struct piece record = *records;
	size_t len;

	if (record.len < RECORD_HEADER)
		return ZS_TLS_MORE;
	if (record.at[1] != 3)
		return ZS_TLS_BAD;
	skip(&record, 3);
	take_number(&record, 2, &len);
	if (!skip(&record, len))
		return ZS_TLS_MORE;
	*records = record;
	return ZS_TLS_NAME;
}

enum zs_tls_status zs_tls_hello_read_again(const uint8_t *bytes, size_t len, struct zs_tls_hello *ret_hello)
{
	struct piece rest = { bytes, len };
	enum zs_tls_status status;

	memset(ret_hello, 0, sizeof *ret_hello);
	while (rest.len > 0 && (*rest.at == CHANGE_CIPHER_SPEC || *rest.at == APPLICATION_DATA)) {
		status = skip_record(&rest);
		if (status == ZS_TLS_MORE)
			return status;
		if (status == ZS_TLS_BAD)
			return tls_hello_bad(ret_hello, "has a record of an unknown version");
	}
	status = zs_tls_hello_read(rest.at, rest.len, ret_hello);
	ret_hello->used += len - rest.len;
	return status == ZS_TLS_NOT_TLS ? tls_hello_bad(ret_hello, "is to say its hello again, and says something else")
					: status;
}

/* RFC 8446, 4.1.3: the random of a ServerHello that asks for another hello. */
static const uint8_t retry_random[RANDOM] = { 0xcf, 0x21, 0xad, 0x74, 0xe5, 0x9a, 0x61, 0x11, 0xbe, 0x1d, 0x8c, 0x02,
	0x1e, 0x65, 0xb8, 0x91, 0xc2, 0xa2, 0x11, 0x16, 0x7a, 0xbb, 0x8c, 0x5e, 0x07, 0x9e, 0x09, 0xe2, 0xc8, 0xa8,
	0x33, 0x9c };

enum { RANDOM_AT = HANDSHAKE_HEADER + 2, ANSWER_START = RANDOM_AT + RANDOM };

static enum zs_tls_answer judge_answer(const uint8_t message[ANSWER_START], size_t len)
{
	if (len > 0 && message[0] != SERVER_HELLO)
		return ZS_TLS_ANSWER_OTHER;
	if (len < ANSWER_START)
		return ZS_TLS_ANSWER_MORE;
	return memcmp(message + RANDOM_AT, retry_random, RANDOM) == 0 ? ZS_TLS_ANSWER_AGAIN : ZS_TLS_ANSWER_OTHER;
}

enum zs_tls_answer zs_tls_answer_read(const uint8_t *bytes, size_t len)
{
	enum zs_tls_answer answer = ZS_TLS_ANSWER_MORE;
	struct piece rest = { bytes, len };
	uint8_t message[ANSWER_START];
	size_t got = 0;

	while (rest.len > 0 && answer == ZS_TLS_ANSWER_MORE) {
		uint8_t type = *rest.at;
		size_t size, here;

		/* An alert may be a warning that the server does not know the name (RFC 6066, section 3). */
		if (type != HANDSHAKE && type != ALERT)
			return ZS_TLS_ANSWER_OTHER;
		if (!skip(&rest, 3) || !take_number(&rest, 2, &size))
			break;
		here = size < rest.len ? size : rest.len;
		if (type == HANDSHAKE) {
			size_t room = here < sizeof message - got ? here : sizeof message - got;

			memcpy(message + got, rest.at, room);
			got += room;
			answer = judge_answer(message, got);
		}
		skip(&rest, here);
	}
	return answer;
}
