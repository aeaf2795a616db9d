#include "tls_hello.h"

#include <string.h>

enum {
	RECORD_HEADER = 5,
	HANDSHAKE = 22,
	HANDSHAKE_HEADER = 4,
	CLIENT_HELLO = 1,
	RANDOM = 32,
	SERVER_NAME = 0,         /* RFC 6066, 3 */
	HOST_NAME = 0,           /* the same */
	ENCRYPTED_HELLO = 65037, /* 0xfe0d, draft-ietf-tls-esni */
};

/* A piece of a message, which is read from its start. */
struct piece {
	const uint8_t *at;
	size_t len;
};

/* A number of `size` bytes. */
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

/* What has its length before it, in `size` bytes. */
static bool take_piece(struct piece *from, size_t size, struct piece *ret_piece)
{
	size_t len;

	if (!take_number(from, size, &len) || from->len < len)
		return false;
	*ret_piece = (struct piece){ from->at, len };
	return skip(from, len);
}

static enum zs_tls_status bad(struct zs_tls_hello *hello, const char *problem)
{
	hello->problem = problem;
	return ZS_TLS_BAD;
}

/* Just one name, of the one type that there is. */
static enum zs_tls_status read_server_name(struct piece extension, struct zs_tls_hello *hello)
{
	struct piece list, name;
	size_t type;

	if (!take_piece(&extension, 2, &list) || extension.len > 0 || !take_number(&list, 1, &type) ||
		!take_piece(&list, 2, &name))
		return bad(hello, "has a malformed server_name");
	if (type != HOST_NAME)
		return bad(hello, "has a server_name of an unknown type");
	if (list.len > 0)
		return bad(hello, "has more than one server_name");
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
			return bad(hello, "has malformed extensions");
		if (type == ENCRYPTED_HELLO)
			hello->encrypted = true;
		if (type != SERVER_NAME)
			continue;
		if (status == ZS_TLS_NAME)
			return bad(hello, "has more than one server_name");
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
		return bad(hello, "is no ClientHello");
	if (message.len == 0)
		return ZS_TLS_NO_NAME;
	if (!take_piece(&message, 2, &extensions) || message.len > 0)
		return bad(hello, "has malformed extensions");
	return read_extensions(extensions, hello);
}

/* Of a message that is not whole yet: is there room for it? */
static enum zs_tls_status more(size_t len, struct zs_tls_hello *hello)
{
	return len < ZS_TLS_HELLO_MAX ? ZS_TLS_MORE : bad(hello, "is longer than 16 KiB");
}

/* Puts the pieces of the first message that lie in records together, as far as they are there. */
static enum zs_tls_status join_records(
	struct piece records, uint8_t message[ZS_TLS_HELLO_MAX], size_t *ret_len, struct zs_tls_hello *hello)
{
	while (records.len > 0) {
		size_t type = records.at[0], len;

		if (type != HANDSHAKE || (records.len > 1 && records.at[1] != 3))
			return bad(hello, "goes on with something else in the middle of its hello");
		if (records.len < RECORD_HEADER)
			break;
		skip(&records, 3);
		take_number(&records, 2, &len);
		if (len == 0 || len > ZS_TLS_RECORD_MAX)
			return bad(hello, "has a record of no or of too great a length");
		if (len > records.len)
			len = records.len;
		memcpy(message + *ret_len, records.at, len);
		*ret_len += len;
		skip(&records, len);
		if (*ret_len >= HANDSHAKE_HEADER) {
			size_t whole = (size_t)message[1] << 16 | (size_t)message[2] << 8 | message[3];

			if (*ret_len >= HANDSHAKE_HEADER + whole)
				return ZS_TLS_NAME;
		}
	}
	return ZS_TLS_MORE;
}

enum zs_tls_status zs_tls_hello_read(const uint8_t *bytes, size_t len, struct zs_tls_hello *ret_hello)
{
	uint8_t message[ZS_TLS_HELLO_MAX];
	struct piece rest, hello;
	enum zs_tls_status status;
	size_t message_len = 0;

	memset(ret_hello, 0, sizeof *ret_hello);
	if ((len > 0 && bytes[0] != HANDSHAKE) || (len > 1 && bytes[1] != 3))
		return ZS_TLS_NOT_TLS;
	/* What comes behind the hello is not read; what is of it fits. */
	if (len > ZS_TLS_HELLO_MAX)
		len = ZS_TLS_HELLO_MAX;
	status = join_records((struct piece){ bytes, len }, message, &message_len, ret_hello);
	if (status == ZS_TLS_BAD)
		return status;
	if (message_len > 0 && message[0] != CLIENT_HELLO)
		return bad(ret_hello, "does not start with a ClientHello");
	if (status == ZS_TLS_MORE)
		return more(len, ret_hello);
	/* What comes behind it in its records is not read: it may come a moment later as well. */
	rest = (struct piece){ message + 1, message_len - 1 };
	if (!take_piece(&rest, 3, &hello))
		return bad(ret_hello, "is no ClientHello");
	status = read_hello(hello, ret_hello);
	if (status == ZS_TLS_BAD)
		memset(&ret_hello->host, 0, sizeof ret_hello->host);
	return status;
}
