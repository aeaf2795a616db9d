/* ClientHellos as they come: whole, in pieces, in many records, and malicious. */
#include "check.h"
#include "net/tls_hello.h"

/* A message that grows. */
struct bytes {
	uint8_t at[4 * ZS_TLS_HELLO_MAX];
	size_t len;
};

static void put(struct bytes *to, const void *bytes, size_t len)
{
	memcpy(to->at + to->len, bytes, len);
	to->len += len;
}

static void put_number(struct bytes *to, size_t number, size_t size)
{
	while (size-- > 0)
		to->at[to->len++] = (uint8_t)(number >> 8 * size);
}

/* Adds an extension server_name with these entries, each a type and a text. */
static void put_server_name(struct bytes *to, const char *name, size_t len, unsigned type, unsigned times)
{
	put_number(to, 0, 2);
	put_number(to, 2 + times * (len + 3), 2);
	put_number(to, times * (len + 3), 2);
	for (unsigned i = 0; i < times; i++) {
		put_number(to, type, 1);
		put_number(to, len, 2);
		put(to, name, len);
	}
}

static void put_empty(struct bytes *to, unsigned type)
{
	put_number(to, type, 2);
	put_number(to, 0, 2);
}

/* The lengths in a normal hello. */
static const size_t usual[] = { 32, 2, 1 };

/* Makes the whole message. sizes: of its session, its suites and its compressions. */
static void hello(struct bytes *to, const struct bytes *extensions, const size_t sizes[3])
{
	static const uint8_t zeros[64];

	to->len = 0;
	put_number(to, 1, 1);
	put_number(to, 2 + 32 + 1 + sizes[0] + 2 + sizes[1] + 1 + sizes[2] + 2 + extensions->len, 3);
	put_number(to, 0x303, 2);
	put(to, zeros, 32);
	put_number(to, sizes[0], 1);
	put(to, zeros, sizes[0]);
	put_number(to, sizes[1], 2);
	put(to, zeros, sizes[1]);
	put_number(to, sizes[2], 1);
	put(to, zeros, sizes[2]);
	put_number(to, extensions->len, 2);
	put(to, extensions->at, extensions->len);
}

/* Puts the message into records of `size` bytes. */
static void records(struct bytes *to, const struct bytes *message, size_t size)
{
	to->len = 0;
	for (size_t at = 0; at < message->len; at += size) {
		size_t len = message->len - at < size ? message->len - at : size;

		put_number(to, 22, 1);
		put_number(to, 0x301, 2);
		put_number(to, len, 2);
		put(to, message->at + at, len);
	}
}

/* Reads from a block of exactly that size, for ASan. */
static enum zs_tls_status read(const uint8_t *bytes, size_t len, struct zs_tls_hello *ret_hello)
{
	uint8_t *copy = malloc(len ? len : 1);
	enum zs_tls_status status;

	memcpy(copy, bytes, len);
	status = zs_tls_hello_read(copy, len, ret_hello);
	free(copy);
	return status;
}

static struct bytes extensions, message, stream;

/* The result must be the same with each size of record, and MORE before the last byte. */
static void check(enum zs_tls_status want, const char *name, bool encrypted, const char *what)
{
	static const size_t sizes[] = { 1, 2, 3, 4, 5, 50, 16384 };
	struct zs_tls_hello got;

	hello(&message, &extensions, usual);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		records(&stream, &message, sizes[i]);
		for (size_t len = 0; len <= stream.len; len++) {
			enum zs_tls_status status = read(stream.at, len, &got);

			CHECK(status == (len < stream.len ? ZS_TLS_MORE : want), "%s, records of %zu, %zu bytes: %d %s",
				what, sizes[i], len, status, got.problem ? got.problem : "");
		}
		CHECK(strcmp(got.host.name, name) == 0, "%s: %s", what, got.host.name);
		CHECK(got.encrypted == encrypted, "%s", what);
		CHECK(want == ZS_TLS_BAD || got.used == stream.len, "%s: %zu used", what, got.used);
		CHECK((got.problem != NULL) == (want == ZS_TLS_BAD), "%s", what);
	}
}

TEST(tls_hello_names)
{
	static const struct {
		const char *name;
		size_t len;
		const char *want; /* NULL: bad */
	} rows[] = {
#define ROW(text, want) { text, sizeof(text) - 1, want }
		ROW("x.org", "x.org"),
		ROW("X.oRg", "x.org"),
		ROW("x.org.", "x.org"),
		ROW("xn--bcher-kva.example", "xn--bcher-kva.example"),
		ROW("", NULL),
		ROW("127.0.0.1", NULL),
		ROW("::1", NULL),
		ROW("[::1]", NULL),
		ROW("x.org:443", NULL),
		ROW("x..", NULL),
		ROW("allowed\0.evil", NULL),
		ROW("x.org\0", NULL),
		ROW("a b", NULL),
		ROW("a\r\nb", NULL),
		ROW("*.x.org", NULL),
		ROW("b\u00fccher.example", NULL),
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		extensions.len = 0;
		put_empty(&extensions, 23);
		put_server_name(&extensions, rows[i].name, rows[i].len, 0, 1);
		put_empty(&extensions, 65281);
		check(rows[i].want ? ZS_TLS_NAME : ZS_TLS_BAD, rows[i].want ? rows[i].want : "", false, rows[i].name);
	}
}

TEST(tls_hello_extensions)
{
	extensions.len = 0;
	check(ZS_TLS_NO_NAME, "", false, "none");
	put_empty(&extensions, 23);
	check(ZS_TLS_NO_NAME, "", false, "another");
	put_empty(&extensions, 0xfe0d);
	check(ZS_TLS_NO_NAME, "", true, "an encrypted one alone");
	put_server_name(&extensions, "x.org", 5, 0, 1);
	check(ZS_TLS_NAME, "x.org", true, "an encrypted one, and the outer name");
	put_server_name(&extensions, "x.org", 5, 0, 1);
	check(ZS_TLS_BAD, "", true, "two extensions of the same name");
	extensions.len = 0;
	put_server_name(&extensions, "x.org", 5, 0, 2);
	check(ZS_TLS_BAD, "", false, "two names in one");
	extensions.len = 0;
	put_server_name(&extensions, "x.org", 5, 1, 1);
	check(ZS_TLS_BAD, "", false, "another type of name");
	extensions.len = 0;
	put_empty(&extensions, 0);
	check(ZS_TLS_BAD, "", false, "an empty one, which is a server's");
	for (size_t cut = 1; cut < 14; cut++) {
		extensions.len = 0;
		put_server_name(&extensions, "x.org", 5, 0, 1);
		extensions.len -= cut;
		if (extensions.len > 0)
			check(ZS_TLS_BAD, "", false, "cut short");
	}
	extensions.len = 0;
	put_server_name(&extensions, "x.org", 5, 0, 1);
	extensions.at[6]++;
	check(ZS_TLS_BAD, "", false, "a length that is too long inside");
}

TEST(tls_hello_fields)
{
	/* The bytes of a hello that are lengths. Each is tried one larger and one smaller. */
	static const size_t lengths[] = { 38, 72, 75, 78, 82, 84, 87 };
	static const size_t sizes[][3] = { { 0, 2, 1 }, { 32, 64, 2 }, { 32, 2, 1 }, { 33, 2, 1 }, { 32, 0, 1 },
		{ 32, 3, 1 }, { 32, 2, 0 } };
	struct zs_tls_hello got;

	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
		for (int change = -1; change <= 1; change++) {
			enum zs_tls_status status;

			extensions.len = 0;
			put_server_name(&extensions, "x.org", 5, 0, 1);
			hello(&message, &extensions, usual);
			message.at[lengths[i]] = (uint8_t)(message.at[lengths[i]] + change);
			records(&stream, &message, 16384);
			status = read(stream.at, stream.len, &got);
			CHECK(status == (change ? ZS_TLS_BAD : ZS_TLS_NAME), "byte %zu %+d: %d", lengths[i], change,
				status);
		}
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		hello(&message, &extensions, sizes[i]);
		records(&stream, &message, 16384);
		CHECK(read(stream.at, stream.len, &got) == (i < 3 ? ZS_TLS_NAME : ZS_TLS_BAD), "sizes %zu", i);
	}
	/* Bytes after the name and after the extensions; another message. */
	hello(&message, &extensions, usual);
	message.at[message.len - 11]++; /* the extension's length */
	message.at[message.len - 15]++; /* the extensions' */
	message.at[3]++;
	put_number(&message, 0, 1);
	records(&stream, &message, 16384);
	CHECK(read(stream.at, stream.len, &got) == ZS_TLS_BAD, "behind the name");
	hello(&message, &extensions, usual);
	message.at[3]++;
	put_number(&message, 0, 1);
	records(&stream, &message, 16384);
	CHECK(read(stream.at, stream.len, &got) == ZS_TLS_BAD, "behind the extensions");
	hello(&message, &extensions, usual);
	message.at[0] = 2;
	records(&stream, &message, 16384);
	CHECK(read(stream.at, stream.len, &got) == ZS_TLS_BAD, "a ServerHello");
	/* TLS 1.0 and 1.1 may have no extensions at all. */
	extensions.len = 0;
	hello(&message, &extensions, usual);
	message.len -= 2;
	message.at[3] = (uint8_t)(message.at[3] - 2);
	records(&stream, &message, 16384);
	CHECK(read(stream.at, stream.len, &got) == ZS_TLS_NO_NAME, "no extensions");
}

TEST(tls_hello_other_protocols)
{
	static const struct {
		const char *bytes;
		size_t len;
		enum zs_tls_status status;
	} rows[] = {
#define TEXT(text, status) { text, sizeof(text) - 1, status }
		TEXT("", ZS_TLS_MORE), TEXT("\x16", ZS_TLS_MORE), TEXT("\x16\x03", ZS_TLS_MORE),
		TEXT("GET / HTTP/1.1\r\n", ZS_TLS_NOT_TLS), TEXT("SSH-2.0-x\r\n", ZS_TLS_NOT_TLS),
		TEXT("\x80\x2e\x01\x03\x01", ZS_TLS_NOT_TLS),     /* SSL 2 */
		TEXT("\x16\xfe\xff\x00\x00\x00", ZS_TLS_NOT_TLS), /* DTLS */
		/* Go ignores an alert that is a warning, and a record's version. */
		TEXT("\x15\x03\x01\x00\x02\x01\x70", ZS_TLS_BAD), TEXT("\x15\x03", ZS_TLS_BAD),
		TEXT("\x15\x02\x03\x00\x02\x01\x70", ZS_TLS_BAD), TEXT("\x15\x00\x00\x00\x02", ZS_TLS_MORE),
		TEXT("\x16\x02\x03\x00\x50\x01", ZS_TLS_BAD), TEXT("\x16\x02\x03\x00\x50", ZS_TLS_MORE),
		TEXT("\x14\x03\x03\x00\x01\x01", ZS_TLS_BAD), TEXT("\x14\x02\x03\x00\x01\x01", ZS_TLS_BAD),
		TEXT("\x16\x00\x00\x00\x50\x00", ZS_TLS_NOT_TLS), TEXT("\x15\x00\x00\x00\x50\x00", ZS_TLS_NOT_TLS),
		TEXT("\x17\x03\x03\x00\x01\x01", ZS_TLS_NOT_TLS), TEXT("\x16\x03\x01\x00\x00", ZS_TLS_BAD),
		TEXT("\x16\x03\x01\x40\x01", ZS_TLS_BAD), TEXT("\x16\x03\x01\xff\xff", ZS_TLS_BAD),
		TEXT("\x16\x03\x01\x00\x04\x02\x00\x00\x00", ZS_TLS_BAD), /* a ServerHello */
		TEXT("\x16\x03\x01\x00\x01\x01\x15", ZS_TLS_BAD),         /* an alert in the middle */
		TEXT("\x16\x03\x01\x00\x01\x01\x17\x03\x01", ZS_TLS_BAD),
		TEXT("\x16\x03\x01\x00\x01\x01\x16\x04", ZS_TLS_BAD),
		TEXT("\x16\x03\x01\x00\x04\x01\x00\x00\x00", ZS_TLS_BAD), /* an empty hello */
	};
	struct zs_tls_hello got;
	size_t whole;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		enum zs_tls_status status = read((const uint8_t *)rows[i].bytes, rows[i].len, &got);

		CHECK(status == rows[i].status, "%zu: %d %s", i, status, got.problem ? got.problem : "");
	}
	/* Bytes after a hello may come later in another record, but not in the hello's own record. */
	extensions.len = 0;
	put_server_name(&extensions, "x.org", 5, 0, 1);
	hello(&message, &extensions, usual);
	records(&stream, &message, 16384);
	whole = stream.len;
	put(&stream, "\x14\x03\x03\0\1\1\x17", 7);
	for (size_t len = whole; len <= stream.len; len++)
		CHECK(read(stream.at, len, &got) == ZS_TLS_NAME && got.used == whole, "%zu of %zu bytes", len,
			stream.len);
	put(&message, "\1\0\0\0", 4);
	records(&stream, &message, 16384);
	for (size_t len = whole; len <= stream.len; len++)
		CHECK(read(stream.at, len, &got) == ZS_TLS_BAD, "%zu of %zu bytes in a record", len, stream.len);
}

/* The second hello, after the bytes that may come before it. */
TEST(tls_hello_again)
{
	static const struct {
		const char *bytes;
		size_t len;
		enum zs_tls_status status;
	} rows[] = {
		TEXT("", ZS_TLS_NAME),
		TEXT("\x14\x03\x03\0\1\1", ZS_TLS_NAME),
		TEXT("\x17\x03\x03\0\2xx\x17\x03\x03\0\1y\x14\x03\x03\0\1\1", ZS_TLS_NAME),
		TEXT("\x17\x02\x03\0\2xx", ZS_TLS_BAD),
		TEXT("\x15\x03\x03\0\2\1\x70", ZS_TLS_BAD),
		TEXT("x", ZS_TLS_BAD),
		TEXT("\x17\x03\x03\xff\xff", ZS_TLS_MORE),
	};
	static struct bytes all;
	struct zs_tls_hello got;

	extensions.len = 0;
	put_server_name(&extensions, "x.org", 5, 0, 1);
	hello(&message, &extensions, usual);
	records(&stream, &message, 50);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		all.len = 0;
		put(&all, rows[i].bytes, rows[i].len);
		put(&all, stream.at, stream.len);
		for (size_t len = 0; len <= all.len; len++) {
			uint8_t *copy = malloc(len ? len : 1);
			enum zs_tls_status status;

			memcpy(copy, all.at, len);
			status = zs_tls_hello_read_again(copy, len, &got);
			free(copy);
			CHECK(status == ZS_TLS_MORE ||
					(status == rows[i].status && (len == all.len || status == ZS_TLS_BAD)),
				"%zu, %zu bytes: %d", i, len, status);
			if (len == all.len)
				CHECK(status == rows[i].status && (status != ZS_TLS_NAME || got.used == len),
					"%zu: %d, %zu used", i, status, got.used);
		}
	}
}

/* A ServerHello, whose random says whether it asks for another hello. */
static void server_hello(const uint8_t random[32])
{
	message.len = 0;
	put_number(&message, 2, 1);
	put_number(&message, 2 + 32 + 40, 3);
	put_number(&message, 0x303, 2);
	put(&message, random, 32);
	for (size_t i = 0; i < 40; i++)
		put_number(&message, 0, 1);
}

/* OpenSSL 3's HelloRetryRequest, from its wire. */
static const uint8_t retry[32] = "\xcf\x21\xad\x74\xe5\x9a\x61\x11\xbe\x1d\x8c\x02\x1e\x65\xb8\x91\xc2\xa2\x11\x16"
				 "\x7a\xbb\x8c\x5e\x07\x9e\x09\xe2\xc8\xa8\x33\x9c";

TEST(tls_answers)
{
	static const struct {
		const char *before;
		size_t len;
	} warned[] = { { "", 0 }, { "\x15\x03\x03\0\2\1\x70", 7 } };
	static const uint8_t zeros[32];
	static const size_t sizes[] = { 1, 2, 5, 40, 16384 };
	static struct bytes all;

	for (size_t i = 0; i < 2 * 2 * 5; i++) {
		enum zs_tls_answer want = i % 2 ? ZS_TLS_ANSWER_AGAIN : ZS_TLS_ANSWER_OTHER, got = ZS_TLS_ANSWER_MORE;
		size_t len = 0;

		server_hello(i % 2 ? retry : zeros);
		records(&stream, &message, sizes[i / 4]);
		all.len = 0;
		put(&all, warned[i / 2 % 2].before, warned[i / 2 % 2].len);
		put(&all, stream.at, stream.len);
		for (; got == ZS_TLS_ANSWER_MORE && len <= all.len; len++)
			got = zs_tls_answer_read(all.at, len);
		CHECK(got == want && len <= ZS_TLS_ANSWER_MAX, "%zu: %d after %zu bytes", i, got, len);
		CHECK(zs_tls_answer_read(all.at, all.len) == want, "%zu: of all", i);
	}
	CHECK(zs_tls_answer_read((const uint8_t *)"HTTP/1.1 400", 12) == ZS_TLS_ANSWER_OTHER, "no TLS");
	CHECK(zs_tls_answer_read((const uint8_t *)"\x16\x03\x03\0\4\x0e", 6) == ZS_TLS_ANSWER_OTHER, "another message");
}

TEST(tls_hello_limit)
{
	struct zs_tls_hello got;

	for (size_t over = 0; over < 2; over++) {
		extensions.len = 0;
		put_server_name(&extensions, "x.org", 5, 0, 1);
		put_number(&extensions, 21, 2);
		put_number(&extensions, ZS_TLS_HELLO_MAX - 5 - 79 - 14 - 4 + over, 2);
		while (extensions.len < ZS_TLS_HELLO_MAX - 5 - 79 + over)
			put_number(&extensions, 0, 1);
		hello(&message, &extensions, usual);
		records(&stream, &message, 16384);
		CHECK(stream.len == ZS_TLS_HELLO_MAX + over, "%zu", stream.len);
		CHECK(read(stream.at, stream.len, &got) == (over ? ZS_TLS_BAD : ZS_TLS_NAME), "%zu: %s", over,
			got.problem ? got.problem : "");
		CHECK(read(stream.at, ZS_TLS_HELLO_MAX - 1, &got) == ZS_TLS_MORE, "before the last byte");
	}
}
