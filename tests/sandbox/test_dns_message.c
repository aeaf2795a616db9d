/* DNS messages of both sides: every length, and malformed content. */
#include "check.h"
#include "net/dns_message.h"

#define ROW(text, ...) { (const uint8_t *)text, sizeof(text) - 1, __VA_ARGS__ }
#define HEADER(flags, questions) "\x12\x34" flags "\0" questions "\0\0\0\0\0\0"
#define X_ORG "\1x\3org\0"
#define IN_A "\0\1\0\1"
#define IN_AAAA "\0\x1c\0\1"

/* Reads from a block of exactly that size, so that ASan sees reads beyond it. */
static int read_query(const uint8_t *bytes, size_t len, struct zs_dns_query *ret_query, enum zs_dns_code *ret_code)
{
	uint8_t *copy = malloc(len ? len : 1);
	int r;

	memcpy(copy, bytes, len);
	r = zs_dns_read_query(copy, len, ret_query, ret_code);
	free(copy);
	return r;
}

TEST(dns_queries)
{
	static const struct {
		const uint8_t *bytes;
		size_t len;
		int result;
		enum zs_dns_code code;
		const char *name;
		uint16_t type;
	} rows[] = {
		ROW(HEADER("\1\0", "\1") X_ORG IN_A, 0, ZS_DNS_OK, "x.org", 1),
		ROW(HEADER("\1\0", "\1") "\1X\3oRg\0" IN_AAAA, 0, ZS_DNS_OK, "x.org", 28),
		ROW(HEADER("\0\0", "\1") X_ORG "\0\xff\0\1", 0, ZS_DNS_OK, "x.org", 255),
		/* with EDNS behind it */
		ROW("\x12\x34\1\0\0\1\0\0\0\0\0\1" X_ORG IN_A "\0\0\x29\x04\xd0\0\0\0\0\0\0", 0, ZS_DNS_OK, "x.org", 1),
		ROW(HEADER("\x81\x80", "\1") X_ORG IN_A, -EBADMSG, 0, "", 0),
		ROW(HEADER("\x28\0", "\1") X_ORG IN_A, -EINVAL, ZS_DNS_NOT_IMPLEMENTED, "", 0),
		ROW(HEADER("\1\0", "\0"), -EINVAL, ZS_DNS_FORMAT_ERROR, "", 0),
		ROW(HEADER("\1\0", "\2") X_ORG IN_A "\1y\0" IN_A, -EINVAL, ZS_DNS_FORMAT_ERROR, "", 0),
		ROW("\x12\x34\1\0\0\1\0\1\0\0\0\0" X_ORG IN_A, -EINVAL, ZS_DNS_FORMAT_ERROR, "", 0),
		ROW("\x12\x34\1\0\0\1\0\0\0\1\0\0" X_ORG IN_A, -EINVAL, ZS_DNS_FORMAT_ERROR, "", 0),
		ROW(HEADER("\1\0", "\1") X_ORG "\0\1\0\3", -EINVAL, ZS_DNS_REFUSED, "x.org", 1), /* CHAOS */
		ROW(HEADER("\1\0", "\1") X_ORG "\0\1\0\xff", -EINVAL, ZS_DNS_REFUSED, "x.org", 1),
		ROW(HEADER("\1\0", "\1") "\xc0\x0c" IN_A, -EINVAL, ZS_DNS_FORMAT_ERROR, "", 0),
		ROW(HEADER("\1\0", "\1") "\1x\xc0\x0c" IN_A, -EINVAL, ZS_DNS_FORMAT_ERROR, "", 0),
		ROW(HEADER("\1\0", "\1") "\1x\xc0\x00" IN_A, -EINVAL, ZS_DNS_FORMAT_ERROR, "", 0),
		ROW(HEADER("\1\0", "\1") "\x41x\0" IN_A, -EINVAL, ZS_DNS_FORMAT_ERROR, "", 0),
		ROW(HEADER("\1\0", "\1") "\x80x\0" IN_A, -EINVAL, ZS_DNS_FORMAT_ERROR, "", 0),
		ROW(HEADER("\1\0", "\1") "\x3fx\0" IN_A, -EINVAL, ZS_DNS_FORMAT_ERROR, "", 0),
		ROW(HEADER("\1\0", "\1") "\3x.y\3org\0" IN_A, -EINVAL, ZS_DNS_NO_SUCH_NAME, "x?y.org", 1),
		ROW(HEADER("\1\0", "\1") "\3x\0y\3org\0" IN_A, -EINVAL, ZS_DNS_NO_SUCH_NAME, "x?y.org", 1),
		ROW(HEADER("\1\0", "\1") "\3x\ny\3org\0" IN_A, -EINVAL, ZS_DNS_NO_SUCH_NAME, "x?y.org", 1),
		ROW(HEADER("\1\0", "\1") "\3x\xc3\xbc\3org\0" IN_A, -EINVAL, ZS_DNS_NO_SUCH_NAME, "x??.org", 1),
		ROW(HEADER("\1\0", "\1") "\0" IN_A, 0, ZS_DNS_OK, "", 1), /* the root: no name for zs_host_parse */
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct zs_dns_query query;
		enum zs_dns_code code = ZS_DNS_OK;
		int r = read_query(rows[i].bytes, rows[i].len, &query, &code);

		CHECK(r == rows[i].result && code == rows[i].code, "%zu: %d %d", i, r, code);
		CHECK(r == -EBADMSG || (query.id == 0x1234 && strcmp(query.name, rows[i].name) == 0 &&
					       query.type == rows[i].type),
			"%zu: %s", i, query.name);
		/* No part of a question is a question. */
		for (size_t len = 0; rows[i].result == 0 && i != 3 && len < rows[i].len; len++)
			CHECK(read_query(rows[i].bytes, len, &query, &code) ==
					(len < ZS_DNS_HEADER_SIZE ? -EBADMSG : -EINVAL),
				"%zu, %zu bytes", i, len);
	}
}

/* Makes a name of `labels` labels of `size` bytes each. */
static size_t put_name(uint8_t *to, size_t labels, size_t size)
{
	size_t at = 0;

	for (size_t i = 0; i < labels; i++) {
		to[at++] = (uint8_t)size;
		memset(to + at, 'a', size);
		at += size;
	}
	to[at++] = 0;
	return at;
}

TEST(dns_query_limits)
{
	/* On the wire the longest name has 255 bytes: 127 labels of one byte, or 4 of 62 and then one of 2. */
	uint8_t bytes[1024] = HEADER("\1\0", "\1");
	struct zs_dns_query query;
	enum zs_dns_code code;

	for (size_t labels = 127; labels <= 128; labels++) {
		size_t len = ZS_DNS_HEADER_SIZE + put_name(bytes + ZS_DNS_HEADER_SIZE, labels, 1);

		memcpy(bytes + len, IN_A, 4);
		CHECK(read_query(bytes, len + 4, &query, &code) == (labels == 127 ? 0 : -EINVAL), "%zu labels", labels);
		CHECK(labels > 127 || strlen(query.name) == ZS_HOST_NAME_MAX, "%zu", strlen(query.name));
	}
	for (size_t size = 63; size < 256; size++) {
		size_t len = ZS_DNS_HEADER_SIZE + put_name(bytes + ZS_DNS_HEADER_SIZE, 1, size);

		memcpy(bytes + len, IN_A, 4);
		CHECK(read_query(bytes, len + 4, &query, &code) == (size == 63 ? 0 : -EINVAL), "a label of %zu", size);
	}
	for (size_t labels = 4; labels <= 5; labels++) {
		size_t len = ZS_DNS_HEADER_SIZE + put_name(bytes + ZS_DNS_HEADER_SIZE, labels, 62);

		memcpy(bytes + len, IN_A, 4);
		CHECK(read_query(bytes, len + 4, &query, &code) == (labels == 4 ? 0 : -EINVAL), "%zu labels", labels);
	}
}

static struct zs_address address(const char *text)
{
	struct zs_address read;

	CHECK(zs_address_parse(text, strlen(text), &read) == 0, "%s", text);
	return read;
}

TEST(dns_answers_of_ours)
{
	static const uint8_t question[] = HEADER("\1\0", "\1") "\1X\3org\0" IN_A;
	static const uint8_t want[] = "\x12\x34\x81\x80\0\1\0\1\0\0\0\0"
				      "\1X\3org\0" IN_A "\xc0\x0c" IN_A "\0\0\0\x3c\0\4"
				      "\xc6\x12\0\1";
	static const uint8_t refused[] = "\x12\x34\x81\x85\0\1\0\0\0\0\0\0"
					 "\1X\3org\0" IN_A;
	struct zs_address all[40] = { address("2001:db8::1"), address("198.18.0.1") };
	uint8_t bytes[ZS_DNS_MESSAGE_MAX];
	struct zs_dns_query query;
	enum zs_dns_code code;
	size_t len;

	read_query(question, sizeof question - 1, &query, &code);
	len = zs_dns_answer(&query, ZS_DNS_OK, all, 2, 60, bytes, ZS_DNS_UDP_MAX);
	CHECK(len == sizeof want - 1 && memcmp(bytes, want, len) == 0, "an address: %zu", len);
	len = zs_dns_answer(&query, ZS_DNS_REFUSED, all, 2, 60, bytes, ZS_DNS_UDP_MAX);
	CHECK(len == sizeof refused - 1 && memcmp(bytes, refused, len) == 0, "refused, without an address");
	/* There is no address of this type. */
	query.type = ZS_DNS_AAAA;
	len = zs_dns_answer(&query, ZS_DNS_OK, all + 1, 1, 60, bytes, ZS_DNS_UDP_MAX);
	CHECK(len == sizeof refused - 1 && bytes[3] == 0x80 && bytes[7] == 0, "none");
	len = zs_dns_answer(&query, ZS_DNS_OK, all, 2, 60, bytes, ZS_DNS_UDP_MAX);
	CHECK(bytes[7] == 1 && len == sizeof want - 1 + 12, "the v6 one");
	query.type = 16;
	zs_dns_answer(&query, ZS_DNS_OK, all, 2, 60, bytes, ZS_DNS_UDP_MAX);
	CHECK(bytes[7] == 0, "TXT");
	/* There are more addresses than fit. */
	query.type = ZS_DNS_A;
	for (size_t i = 0; i < 40; i++)
		all[i] = address("198.18.0.1");
	len = zs_dns_answer(&query, ZS_DNS_OK, all, 40, 60, bytes, ZS_DNS_UDP_MAX);
	CHECK(len <= ZS_DNS_UDP_MAX && bytes[2] == 0x83 && bytes[7] == 30, "%zu bytes, %d addresses", len, bytes[7]);
	len = zs_dns_answer(&query, ZS_DNS_OK, all, 40, 60, bytes, sizeof bytes);
	CHECK(bytes[2] == 0x81 && bytes[7] == 40, "by TCP all");
	for (size_t size = ZS_DNS_QUERY_MAX; size < ZS_DNS_UDP_MAX; size++)
		CHECK(zs_dns_answer(&query, ZS_DNS_OK, all, 40, 60, bytes, size) <= size, "%zu", size);
	/* No question could be read. */
	read_query(question, ZS_DNS_HEADER_SIZE, &query, &code);
	len = zs_dns_answer(&query, code, NULL, 0, 0, bytes, ZS_DNS_UDP_MAX);
	CHECK(len == ZS_DNS_HEADER_SIZE && bytes[5] == 0 && bytes[3] == 0x81, "a format error");
}

TEST(dns_asking)
{
	static const uint8_t want[] = HEADER("\1\0", "\1") X_ORG IN_AAAA;
	uint8_t bytes[ZS_DNS_QUERY_MAX];
	char name[300];

	CHECK(zs_dns_ask(0x1234, "x.org", ZS_DNS_AAAA, bytes) == sizeof want - 1 &&
			memcmp(bytes, want, sizeof want - 1) == 0,
		"x.org");
	for (size_t len = 253; len <= 254; len++) {
		for (size_t i = 0; i < len; i++)
			name[i] = i % 2 ? '.' : 'a';
		name[len] = '\0';
		if (len == 254)
			name[253] = 'a'; /* the last label has two */
		CHECK(zs_dns_ask(1, name, ZS_DNS_A, bytes) == (len == 253 ? (size_t)ZS_DNS_QUERY_MAX : 0), "%zu", len);
	}
	CHECK(zs_dns_ask(1, "", ZS_DNS_A, bytes) == 0 && zs_dns_ask(1, "a..b", ZS_DNS_A, bytes) == 0 &&
			zs_dns_ask(1, "a.", ZS_DNS_A, bytes) == 0,
		"no names");
}

#define ANSWER(flags, count) "\x12\x34" flags "\0\1\0" count "\0\0\0\0" X_ORG IN_A
#define AT_X "\xc0\x0c"
#define TTL "\0\0\0\x3c"
#define A_1 IN_A TTL "\0\4\1\1\1\1"
#define A_2 IN_A TTL "\0\4\1\1\1\2"
#define CNAME "\0\5\0\1" TTL

TEST(dns_answers_of_others)
{
	static const struct {
		const uint8_t *bytes;
		size_t len;
		enum zs_dns_outcome outcome;
		size_t count;
	} rows[] = {
		ROW(ANSWER("\x81\x80", "\1") AT_X A_1, ZS_DNS_ADDRESSES, 1),
		ROW(ANSWER("\x81\x80", "\2") AT_X A_1 AT_X A_2, ZS_DNS_ADDRESSES, 2),
		ROW(ANSWER("\x81\x80", "\1") "\1X\3ORG\0" A_1, ZS_DNS_ADDRESSES, 1),
		/* an alias of y.org, whose name lies in the data of the record before (at 37) */
		ROW(ANSWER("\x81\x80", "\2") AT_X CNAME "\0\4\1y\xc0\x0e"
							"\xc0\x27" A_1,
			ZS_DNS_BROKEN, 0),
		ROW(ANSWER("\x81\x80", "\2") AT_X CNAME "\0\4\1y\xc0\x0e"
							"\xc0\x23" A_1,
			ZS_DNS_ADDRESSES, 1),
		ROW(ANSWER("\x81\x80", "\2") "\1y\3org\0" A_1 AT_X CNAME "\0\7\1y\3org\0", ZS_DNS_ADDRESSES, 1),
		ROW(ANSWER("\x81\x80", "\1") AT_X CNAME "\0\7\1y\3org\0", ZS_DNS_NO_ADDRESS, 0),
		ROW(ANSWER("\x81\x80", "\1") AT_X CNAME "\0\2" AT_X, ZS_DNS_BROKEN, 0), /* of itself */
		/* records of another name, class or type do not count */
		ROW(ANSWER("\x81\x80", "\1") "\1y\3org\0" A_1, ZS_DNS_NO_ADDRESS, 0),
		ROW(ANSWER("\x81\x80", "\1") "\1x\4evil\0" A_1, ZS_DNS_NO_ADDRESS, 0),
		ROW(ANSWER("\x81\x80", "\1") AT_X "\0\1\0\3" TTL "\0\4\1\1\1\1", ZS_DNS_NO_ADDRESS, 0),
		ROW(ANSWER("\x81\x80", "\1") AT_X IN_AAAA TTL "\0\20ABCDEFGHIJKLMNOP", ZS_DNS_NO_ADDRESS, 0),
		ROW(ANSWER("\x81\x80", "\0"), ZS_DNS_NO_ADDRESS, 0),
		ROW(ANSWER("\x81\x83", "\0"), ZS_DNS_NO_NAME, 0),
		ROW(ANSWER("\x81\x82", "\0"), ZS_DNS_FAILED, 0),
		ROW(ANSWER("\x81\x85", "\0"), ZS_DNS_FAILED, 0),
		ROW(ANSWER("\x83\x80", "\1") AT_X A_1, ZS_DNS_TRUNCATED, 0),
		/* not ours */
		ROW("\x12\x35\x81\x80\0\1\0\1\0\0\0\0" X_ORG IN_A AT_X A_1, ZS_DNS_NOT_OURS, 0),
		ROW(ANSWER("\1\0", "\1") AT_X A_1, ZS_DNS_NOT_OURS, 0),
		ROW(ANSWER("\xa9\x80", "\1") AT_X A_1, ZS_DNS_NOT_OURS, 0),
		ROW("\x12\x34\x81\x80\0\1\0\1\0\0\0\0" X_ORG IN_AAAA AT_X A_1, ZS_DNS_NOT_OURS, 0),
		ROW("\x12\x34\x81\x80\0\1\0\1\0\0\0\0" X_ORG "\0\1\0\3" AT_X A_1, ZS_DNS_NOT_OURS, 0),
		ROW("\x12\x34\x81\x80\0\1\0\1\0\0\0\0"
		    "\1y\3org\0" IN_A AT_X A_1,
			ZS_DNS_NOT_OURS, 0),
		ROW("\x12\x34\x81\x80\0\0\0\1\0\0\0\0"
		    "\1x\3org\0" A_1,
			ZS_DNS_NOT_OURS, 0),
		ROW("\x12\x34\x81\x80\0\2\0\1\0\0\0\0" X_ORG IN_A X_ORG IN_A AT_X A_1, ZS_DNS_NOT_OURS, 0),
		ROW("", ZS_DNS_NOT_OURS, 0),
		/* malformed */
		ROW(ANSWER("\x81\x80", "\2") AT_X A_1, ZS_DNS_BROKEN, 0),
		ROW(ANSWER("\x81\x80", "\1") AT_X IN_A TTL "\0\5\1\1\1\1\1", ZS_DNS_BROKEN, 0),
		ROW(ANSWER("\x81\x80", "\1") AT_X IN_A TTL "\0\3\1\1\1", ZS_DNS_BROKEN, 0),
		ROW(ANSWER("\x81\x80", "\1") AT_X IN_A TTL "\0\x10\1\1\1\1", ZS_DNS_BROKEN, 0),
		ROW(ANSWER("\x81\x80", "\1") AT_X CNAME "\0\x09\1y\3org\0xx", ZS_DNS_BROKEN, 0),
		ROW(ANSWER("\x81\x80", "\1") AT_X CNAME "\0\1\1y\3org\0", ZS_DNS_BROKEN, 0),
		/* pointers to themselves, forward, into the header, in a circle */
		ROW(ANSWER("\x81\x80", "\1") "\xc0\x17" A_1, ZS_DNS_BROKEN, 0),
		ROW(ANSWER("\x81\x80", "\1") "\xc0\x20" A_1, ZS_DNS_BROKEN, 0),
		ROW(ANSWER("\x81\x80", "\1") "\xc0\x00" A_1, ZS_DNS_BROKEN, 0),
		ROW(ANSWER("\x81\x80", "\1") "\1a\xc0\x17" A_1, ZS_DNS_BROKEN, 0),
		ROW(ANSWER("\x81\x80", "\2") AT_X CNAME "\0\4\1a\xc0\x23" AT_X A_1, ZS_DNS_BROKEN, 0),
		ROW(ANSWER("\x81\x80", "\xff") AT_X A_1, ZS_DNS_BROKEN, 0),
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (size_t len = 0; len <= rows[i].len; len++) {
			struct zs_address addresses[ZS_DNS_ADDRESSES_MAX];
			uint8_t *copy = malloc(len ? len : 1);
			size_t count = 99;
			enum zs_dns_outcome outcome;

			memcpy(copy, rows[i].bytes, len);
			outcome = zs_dns_read_answer(copy, len, 0x1234, "x.org", ZS_DNS_A, addresses, &count);
			free(copy);
			if (len == rows[i].len)
				CHECK(outcome == rows[i].outcome &&
						(outcome != ZS_DNS_ADDRESSES || count == rows[i].count),
					"%zu: %d, %zu", i, outcome, count);
			else
				CHECK(outcome != ZS_DNS_ADDRESSES, "%zu, %zu bytes", i, len);
			CHECK(outcome == ZS_DNS_ADDRESSES || count == 0, "%zu: %zu addresses", i, count);
		}
}

/* Makes a chain of aliases n0, n1, …, the last of which has an address. */
static enum zs_dns_outcome follow(unsigned aliases, unsigned addresses, size_t *ret_count)
{
	static uint8_t bytes[8192];
	struct zs_address found[ZS_DNS_ADDRESSES_MAX];
	size_t at = ZS_DNS_HEADER_SIZE;

	memcpy(bytes, "\x12\x34\x81\x80\0\1\0\0\0\0\0\0\2n0\0" IN_A, 20);
	bytes[7] = (uint8_t)(aliases + addresses);
	at = 20;
	for (unsigned i = 0; i < aliases + addresses; i++) {
		memcpy(bytes + at, "\2n0\0", 4);
		bytes[at + 2] = (uint8_t)('0' + (i < aliases ? i : aliases));
		memcpy(bytes + at + 4, i < aliases ? CNAME "\0\4\2n0\0" : A_1, 14);
		if (i < aliases)
			bytes[at + 16] = (uint8_t)('1' + i);
		at += 18;
	}
	return zs_dns_read_answer(bytes, at, 0x1234, "n0", ZS_DNS_A, found, ret_count);
}

TEST(dns_answer_limits)
{
	size_t count;

	CHECK(follow(ZS_DNS_ALIASES_MAX, 1, &count) == ZS_DNS_ADDRESSES && count == 1, "aliases");
	CHECK(follow(ZS_DNS_ALIASES_MAX + 1, 1, &count) == ZS_DNS_BROKEN && count == 0, "one more");
	CHECK(follow(0, ZS_DNS_ADDRESSES_MAX + 1, &count) == ZS_DNS_ADDRESSES && count == ZS_DNS_ADDRESSES_MAX, "%zu",
		count);
	CHECK(follow(0, ZS_DNS_RECORDS_MAX, &count) == ZS_DNS_ADDRESSES, "records");
	CHECK(follow(0, ZS_DNS_RECORDS_MAX + 1, &count) == ZS_DNS_BROKEN, "one more");
}
