/* SOCKS5, byte by byte. */
#include "check.h"
#include "net/socks5.h"

/* A block of exactly that size, for ASan. */
static uint8_t *copy_of(const void *bytes, size_t len)
{
	uint8_t *copy = malloc(len ? len : 1);

	memcpy(copy, bytes, len);
	return copy;
}

#define ROW(text, ...) { text, sizeof(text) - 1, __VA_ARGS__ }

TEST(socks_greetings)
{
	static const struct {
		const char *bytes;
		size_t len;
		enum zs_socks_status status;
		size_t used;
	} rows[] = {
		ROW("\5\1\0", ZS_SOCKS_WHOLE, 3),
		ROW("\5\1\0\5\1\0\1", ZS_SOCKS_WHOLE, 3),
		ROW("\5\3\2\1\0", ZS_SOCKS_WHOLE, 5),
		ROW("\5\1\2", ZS_SOCKS_BAD, 3),
		ROW("\5\0", ZS_SOCKS_BAD, 2),
		ROW("\5\1\2\0", ZS_SOCKS_BAD, 3),
		ROW("\4\1\0\120", ZS_SOCKS_BAD, 1),
		ROW("GET", ZS_SOCKS_BAD, 1),
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (size_t len = 0; len <= rows[i].len; len++) {
			uint8_t *bytes = copy_of(rows[i].bytes, len), reply[ZS_SOCKS_GREETING_REPLY_SIZE];
			size_t used = 0;
			enum zs_socks_status status = zs_socks_read_greeting(bytes, len, &used, reply, NULL),
					     want = len < rows[i].used ? ZS_SOCKS_MORE : rows[i].status;

			free(bytes);
			CHECK(status == want, "%zu, %zu bytes: %d", i, len, status);
			CHECK(status != ZS_SOCKS_WHOLE || (used == rows[i].used && memcmp(reply, "\5\0", 2) == 0),
				"%zu", i);
			CHECK(status != ZS_SOCKS_BAD || memcmp(reply, "\5\xff", 2) == 0, "%zu", i);
		}
}

TEST(socks_requests)
{
	static const struct {
		const char *bytes;
		size_t len;
		const char *host; /* NULL: refused */
		size_t used;
		enum zs_socks_code code;
	} rows[] = {
		ROW("\5\1\0\3\5x.ORG\1\273rest", "x.org:443", 12, ZS_SOCKS_SUCCEEDED),
		ROW("\5\1\0\3\6x.org.\0\120", "x.org:80", 13, ZS_SOCKS_SUCCEEDED),
		ROW("\5\1\0\3\11127.0.0.1\0\120", "127.0.0.1:80", 16, ZS_SOCKS_SUCCEEDED),
		ROW("\5\1\0\3\3::1\0\120", "[::1]:80", 10, ZS_SOCKS_SUCCEEDED),
		ROW("\5\1\0\3\20::ffff:127.0.0.1\0\120", "127.0.0.1:80", 23, ZS_SOCKS_SUCCEEDED),
		ROW("\5\1\0\1\177\0\0\1\0\120", "127.0.0.1:80", 10, ZS_SOCKS_SUCCEEDED),
		ROW("\5\1\0\4\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0\120", "[::1]:80", 22, ZS_SOCKS_SUCCEEDED),
		ROW("\5\1\0\4\0\0\0\0\0\0\0\0\0\0\377\377\12\0\0\1\0\26", "10.0.0.1:22", 22, ZS_SOCKS_SUCCEEDED),
		ROW("\5\1\0\3\17allowed\0.evil.x\0\120", NULL, 22, ZS_SOCKS_FAILURE),
		ROW("\5\1\0\3\1\0\0\120", NULL, 8, ZS_SOCKS_FAILURE),
		ROW("\5\1\0\3\0\0\120", NULL, 7, ZS_SOCKS_FAILURE),
		ROW("\5\1\0\3\5a\r\nbc\0\120", NULL, 12, ZS_SOCKS_FAILURE),
		ROW("\5\1\0\3\6x.y:80\0\120", NULL, 13, ZS_SOCKS_FAILURE),
		ROW("\5\1\0\3\5[::1]\0\120", NULL, 12, ZS_SOCKS_FAILURE),
		ROW("\5\1\0\3\3a@b\0\120", NULL, 10, ZS_SOCKS_FAILURE),
		ROW("\5\1\0\3\3x..\0\120", NULL, 10, ZS_SOCKS_FAILURE),
		ROW("\5\1\0\3\6"
		    "0x7f.1\0\120",
			NULL, 13, ZS_SOCKS_FAILURE),
		ROW("\5\1\0\3\1x\0\0", NULL, 8, ZS_SOCKS_FAILURE),
		ROW("\5\2\0\3\1x\0\120", NULL, 4, ZS_SOCKS_COMMAND_NOT_SUPPORTED),
		ROW("\5\3\0\1\0\0\0\0\0\0", NULL, 4, ZS_SOCKS_COMMAND_NOT_SUPPORTED),
		ROW("\5\1\1\3\1x\0\120", NULL, 4, ZS_SOCKS_FAILURE),
		ROW("\5\1\0\2\1x\0\120", NULL, 4, ZS_SOCKS_ADDRESS_NOT_SUPPORTED),
		ROW("\4\1\0\120\0\0\0\1", NULL, 1, ZS_SOCKS_FAILURE),
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (size_t len = 0; len <= rows[i].len; len++) {
			uint8_t *bytes = copy_of(rows[i].bytes, len);
			char text[ZS_HOST_TEXT_SIZE] = "";
			size_t used = 0;
			struct zs_host host;
			enum zs_socks_code code = ZS_SOCKS_SUCCEEDED;
			const char *problem = NULL;
			enum zs_socks_status status = zs_socks_read_request(bytes, len, &used, &host, &code, &problem),
					     want = len < rows[i].used ? ZS_SOCKS_MORE
						    : rows[i].host     ? ZS_SOCKS_WHOLE
								       : ZS_SOCKS_BAD;

			free(bytes);
			CHECK(status == want, "%zu, %zu bytes: %d %s", i, len, status, problem ? problem : "");
			if (status == ZS_SOCKS_WHOLE)
				zs_host_text(&host, text);
			CHECK(status != ZS_SOCKS_WHOLE || (strcmp(text, rows[i].host) == 0 && used == rows[i].used),
				"%zu: %s", i, text);
			CHECK(status != ZS_SOCKS_BAD || (code == rows[i].code && problem), "%zu: %d", i, code);
		}
}

/* At the longest message, no more bytes are waited for. */
TEST(socks_limits)
{
	uint8_t bytes[ZS_SOCKS_REQUEST_MAX], reply[ZS_SOCKS_GREETING_REPLY_SIZE], answer[ZS_SOCKS_REPLY_SIZE];
	struct zs_host host;
	enum zs_socks_code code;
	size_t used;

	memset(bytes, 0xff, sizeof bytes);
	bytes[0] = 5;
	CHECK(zs_socks_read_greeting(bytes, ZS_SOCKS_GREETING_MAX - 1, &used, reply, NULL) == ZS_SOCKS_MORE, "256");
	CHECK(zs_socks_read_greeting(bytes, ZS_SOCKS_GREETING_MAX, &used, reply, NULL) == ZS_SOCKS_BAD, "257");
	memcpy(bytes, "\5\1\0\3\xff", 5);
	CHECK(zs_socks_read_request(bytes, ZS_SOCKS_REQUEST_MAX - 1, &used, &host, &code, NULL) == ZS_SOCKS_MORE,
		"261");
	CHECK(zs_socks_read_request(bytes, ZS_SOCKS_REQUEST_MAX, &used, &host, &code, NULL) == ZS_SOCKS_BAD, "262");
	zs_socks_reply(ZS_SOCKS_NOT_ALLOWED, answer);
	CHECK(memcmp(answer, "\5\2\0\1\0\0\0\0\0\0", 10) == 0, "reply");
}
