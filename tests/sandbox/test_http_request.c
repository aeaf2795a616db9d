/* Requests to a proxy, split at every place, and requests that must not pass. */
#include "check.h"
#include "net/http_request.h"

static struct zs_http_request *request;

/* Feeds text in pieces of `step` bytes; or, if step is 0, in two pieces cut at `cut`. Each piece is a block of exactly
 * its size, for ASan. *ret_used: the bytes used of all pieces. Stops at the end. */
static enum zs_http_status feed(enum zs_http_place place, const char *text, size_t len, size_t step, size_t cut,
	size_t *ret_head, size_t *ret_used)
{
	enum zs_http_status status = ZS_HTTP_MORE;
	size_t at = 0, used;

	if (!request)
		request = malloc(sizeof *request);
	zs_http_request_init(request, place);
	*ret_head = *ret_used = 0;
	for (unsigned rounds = 0; rounds < 4 * len + 8; rounds++) {
		size_t size = step ? step : at < cut ? cut - at : len - at;
		char *copy;

		if (size > len - at)
			size = len - at;
		copy = malloc(size ? size : 1);
		memcpy(copy, text + at, size);
		status = zs_http_request_feed(request, copy, size, &used);
		free(copy);
		CHECK(used <= size, "used %zu of %zu", used, size);
		at += used;
		*ret_used = at;
		if (status == ZS_HTTP_HEAD)
			*ret_head = at;
		if (status == ZS_HTTP_BAD || status == ZS_HTTP_END || (status != ZS_HTTP_HEAD && at == len))
			break;
	}
	return status;
}

#define OK "Host: x.org\r\n"

TEST(http_requests_rewritten)
{
	static const struct {
		const char *text, *host, *head, *body, *rest;
	} rows[] = {
		{ "GET http://x.org/ HTTP/1.1\r\n" OK "\r\n", "x.org:80",
			"GET / HTTP/1.1\r\nHost: x.org\r\nConnection: close\r\n\r\n", "", "" },
		{ "GET http://x.org HTTP/1.1\r\n" OK "\r\n", "x.org:80",
			"GET / HTTP/1.1\r\nHost: x.org\r\nConnection: close\r\n\r\n", "", "" },
		{ "GET http://x.org?q=1 HTTP/1.1\r\n" OK "\r\n", "x.org:80",
			"GET /?q=1 HTTP/1.1\r\nHost: x.org\r\nConnection: close\r\n\r\n", "", "" },
		{ "OPTIONS http://x.org HTTP/1.1\r\n" OK "\r\n", "x.org:80",
			"OPTIONS * HTTP/1.1\r\nHost: x.org\r\nConnection: close\r\n\r\n", "", "" },
		{ "GET HTTP://X.ORG.:80/a//b?c=http://evil/@ HTTP/1.0\r\n\r\n", "x.org:80",
			"GET /a//b?c=http://evil/@ HTTP/1.0\r\nHost: x.org\r\nConnection: close\r\n\r\n", "", "" },
		{ "GET http://x.org:8080/ HTTP/1.1\r\nHost:\tX.org:8080 \r\n\r\n", "x.org:8080",
			"GET / HTTP/1.1\r\nHost: x.org:8080\r\nConnection: close\r\n\r\n", "", "" },
		{ "GET http://[::1]:8080/ HTTP/1.1\r\nHost: [0::1]:8080\r\n\r\n", "[::1]:8080",
			"GET / HTTP/1.1\r\nHost: [::1]:8080\r\nConnection: close\r\n\r\n", "", "" },
		{ "GET http://x.org/ HTTP/1.1\r\n" OK "Accept: a, b\r\nEmpty:\r\nCookie:c=1\r\n\r\n", "x.org:80",
			"GET / HTTP/1.1\r\nHost: x.org\r\nAccept: a, b\r\nEmpty: \r\nCookie: c=1\r\n"
			"Connection: close\r\n\r\n",
			"", "" },
		/* A field between a client and its proxy is not passed on. */
		{ "GET http://x.org/ HTTP/1.1\r\n" OK "Proxy-Connection: keep-alive\r\nKeep-Alive: 5\r\n"
		  "Proxy-Authorization: Basic eA==\r\nConnection: X-Own , close\r\nX-Own: 1\r\n"
		  "Upgrade: h2c\r\nHTTP2-Settings: AA\r\nTE: trailers\r\nX-Stays: 2\r\n\r\n",
			"x.org:80", "GET / HTTP/1.1\r\nHost: x.org\r\nX-Stays: 2\r\nConnection: close\r\n\r\n", "",
			"" },
		/* A second request after the first one is not passed on. */
		{ "GET http://x.org/ HTTP/1.1\r\n" OK "\r\nGET http://evil/ HTTP/1.1\r\n\r\n", "x.org:80",
			"GET / HTTP/1.1\r\nHost: x.org\r\nConnection: close\r\n\r\n", "",
			"GET http://evil/ HTTP/1.1\r\n\r\n" },
		{ "POST http://x.org/ HTTP/1.1\r\n" OK "Content-Length: 3\r\n\r\nabcGET / HTTP/1.1\r\n", "x.org:80",
			"POST / HTTP/1.1\r\nHost: x.org\r\nContent-Length: 3\r\nConnection: close\r\n\r\n", "abc",
			"GET / HTTP/1.1\r\n" },
		{ "POST http://x.org/ HTTP/1.1\r\n" OK "Content-Length: 0\r\n\r\nX", "x.org:80",
			"POST / HTTP/1.1\r\nHost: x.org\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", "", "X" },
		{ "POST http://x.org/ HTTP/1.1\r\n" OK "Transfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\nX",
			"x.org:80",
			"POST / HTTP/1.1\r\nHost: x.org\r\nTransfer-Encoding: Chunked\r\nConnection: close\r\n\r\n",
			"3\r\nabc\r\n0\r\n\r\n", "X" },
		{ "POST http://x.org/ HTTP/1.1\r\n" OK "Transfer-Encoding: chunked\r\nTrailer: T\r\n\r\n"
		  "0\r\nT: 1\r\n\r\nX",
			"x.org:80",
			"POST / HTTP/1.1\r\nHost: x.org\r\nTransfer-Encoding: chunked\r\nTrailer: T\r\n"
			"Connection: close\r\n\r\n",
			"0\r\nT: 1\r\n\r\n", "X" },
		/* An upgrade with a body, and one that would turn the following bytes into a tunnel. */
		{ "POST http://x.org/ HTTP/1.1\r\n" OK
		  "Connection: upgrade\r\nUpgrade: h2c\r\nContent-Length: 1\r\n\r\naX",
			"x.org:80", "POST / HTTP/1.1\r\nHost: x.org\r\nContent-Length: 1\r\nConnection: close\r\n\r\n",
			"a", "X" },
		{ "GET http://x.org/ HTTP/1.1\r\n" OK "Connection: upgrade\r\nUpgrade: websocket\r\n\r\nX", "x.org:80",
			"GET / HTTP/1.1\r\nHost: x.org\r\nConnection: close\r\n\r\n", "", "X" },
	};
	static char head[ZS_HTTP_HEAD_SIZE];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		size_t len = strlen(rows[i].text);

		for (size_t cut = 0; cut <= len + 1; cut++) {
			char host[ZS_HOST_TEXT_SIZE];
			size_t at, used, size;
			/* In two pieces cut at each place, and byte by byte. */
			enum zs_http_status status =
				feed(ZS_HTTP_PROXY, rows[i].text, len, cut > len ? 1 : 0, cut, &at, &used);

			zs_host_text(&request->host, host);
			size = zs_http_request_head(request, head);
			head[size] = '\0';
			CHECK(status == ZS_HTTP_END && strcmp(host, rows[i].host) == 0, "%zu, cut at %zu: %d %s %s %s",
				i, cut, status, host, request->problem ? request->problem : "", request->culprit);
			CHECK(strcmp(head, rows[i].head) == 0, "%zu: %s", i, head);
			CHECK(used - at == strlen(rows[i].body) &&
					memcmp(rows[i].text + at, rows[i].body, used - at) == 0,
				"%zu, cut at %zu: body %.*s", i, cut, (int)(used - at), rows[i].text + at);
			CHECK(strcmp(rows[i].text + used, rows[i].rest) == 0, "%zu: rest %s", i, rows[i].text + used);
		}
	}
}

TEST(http_connect)
{
	static const struct {
		const char *text, *host;
	} rows[] = {
		{ "CONNECT x.org:443 HTTP/1.1\r\nHost: x.org:443\r\nProxy-Connection: x\r\n\r\n", "x.org:443" },
		{ "CONNECT x.org:443 HTTP/1.1\r\nHost: x.org\r\n\r\n", "x.org:443" },
		{ "CONNECT X.org.:443 HTTP/1.0\r\n\r\n", "x.org:443" },
		{ "CONNECT [::ffff:127.0.0.1]:22 HTTP/1.1\r\n\r\n", "127.0.0.1:22" },
		{ "CONNECT [2001:db8::1]:22 HTTP/1.1\r\nHost: [2001:db8::1]:22\r\n\r\n", "[2001:db8::1]:22" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char text[512], host[ZS_HOST_TEXT_SIZE];
		size_t len = strlen(rows[i].text);

		/* The first bytes of a tunnel are not read. */
		memcpy(text, rows[i].text, len);
		memcpy(text + len, "\x16\x03\x01\n \r\0x", 8);
		for (size_t cut = 0; cut <= len + 9; cut++) {
			size_t at, used;
			enum zs_http_status status = feed(ZS_HTTP_PROXY, text, len + 8, cut > len + 8, cut, &at, &used);

			zs_host_text(&request->host, host);
			CHECK(status == ZS_HTTP_END && request->connect && strcmp(host, rows[i].host) == 0,
				"%zu, cut at %zu: %d %s %s", i, cut, status, host,
				request->problem ? request->problem : "");
			CHECK(at == len && used == len, "%zu, cut at %zu: %zu %zu", i, cut, at, used);
		}
	}
}

TEST(http_to_a_server)
{
	static const struct {
		const char *text, *host, *head;
	} rows[] = {
		{ "GET /a?b HTTP/1.1\r\nHost: X.org\r\nAccept: *\r\n\r\n", "x.org:80",
			"GET /a?b HTTP/1.1\r\nHost: x.org\r\nAccept: *\r\nConnection: close\r\n\r\n" },
		{ "OPTIONS * HTTP/1.1\r\nHost: x.org:81\r\n\r\n", "x.org:81",
			"OPTIONS * HTTP/1.1\r\nHost: x.org:81\r\nConnection: close\r\n\r\n" },
		{ "GET / HTTP/1.0\r\n\r\n", NULL, "has no Host field" },
		{ "GET http://x.org/ HTTP/1.1\r\nHost: x.org\r\n\r\n", NULL, "a path" },
		{ "CONNECT x.org:443 HTTP/1.1\r\nHost: x.org\r\n\r\n", NULL, "no proxy" },
	};
	static char head[ZS_HTTP_HEAD_SIZE];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char host[ZS_HOST_TEXT_SIZE];
		size_t at, used;
		enum zs_http_status status = feed(ZS_HTTP_SERVER, rows[i].text, strlen(rows[i].text), 1, 0, &at, &used);

		if (!rows[i].host) {
			CHECK(status == ZS_HTTP_BAD && strstr(request->problem, rows[i].head), "%zu: %s", i,
				request->problem);
			continue;
		}
		zs_host_text(&request->host, host);
		head[zs_http_request_head(request, head)] = '\0';
		CHECK(status == ZS_HTTP_END && strcmp(host, rows[i].host) == 0, "%zu: %d %s", i, status, host);
		CHECK(strcmp(head, rows[i].head) == 0, "%zu: %s", i, head);
	}
}

#define GET "GET http://x.org/ HTTP/1.1\r\n" OK
#define ROW(text, problem) { text, sizeof(text) - 1, 400, problem }

TEST(http_requests_refused)
{
	static const struct {
		const char *text;
		size_t len;
		int code;
		const char *problem;
	} rows[] = {
		ROW("GET http://x.org/ HTTP/1.1\r\n\r\n", "no Host"),
		ROW(GET "Host: x.org\r\n\r\n", "more than one Host"),
		ROW(GET "Host: evil\r\n\r\n", "more than one Host"),
		ROW(GET "hOsT: x.org\r\n\r\n", "more than one Host"),
		ROW("GET http://x.org/ HTTP/1.1\r\nHost: evil\r\n\r\n", "its target is another"),
		ROW("GET http://x.org/ HTTP/1.1\r\nHost: x.org:81\r\n\r\n", "its target is another"),
		ROW("GET http://x.org:81/ HTTP/1.1\r\nHost: x.org\r\n\r\n", "its target is another"),
		ROW("GET http://x.org/ HTTP/1.1\r\nHost:\r\n\r\n", "is empty"),
		ROW("GET http://x.org/ HTTP/1.1\r\nHost: x.org, evil\r\n\r\n", "a character"),
		ROW("GET http://x.org/ HTTP/1.1\r\nHost: x.org evil\r\n\r\n", "a character"),
		ROW("GET http://x.org/ HTTP/1.1\r\nHost: x.org@evil\r\n\r\n", "a user name"),
		ROW("CONNECT x.org:443 HTTP/1.1\r\nHost: evil:443\r\n\r\n", "its target is another"),
		ROW("CONNECT x.org:443 HTTP/1.1\r\nHost: x.org:80\r\n\r\n", "its target is another"),
		ROW("CONNECT x.org HTTP/1.1\r\nHost: x.org\r\n\r\n", "no port"),
		ROW("CONNECT x.org: HTTP/1.1\r\n\r\n", "a port"),
		ROW("CONNECT x.org:0 HTTP/1.1\r\n\r\n", "a port"),
		ROW("CONNECT x.org:65536 HTTP/1.1\r\n\r\n", "a port"),
		ROW("CONNECT x.org:+80 HTTP/1.1\r\n\r\n", "a port"),
		ROW("CONNECT http://x.org:443 HTTP/1.1\r\n\r\n", ""),
		ROW("CONNECT x.org:443/ HTTP/1.1\r\n\r\n", ""),
		ROW("CONNECT /x.org:443 HTTP/1.1\r\n\r\n", ""),
		ROW("CONNECT allowed@evil:443 HTTP/1.1\r\n\r\n", "a user name"),
		ROW("CONNECT allowed:80@evil:443 HTTP/1.1\r\n\r\n", "a user name"),
		ROW("CONNECT allowed%00.evil:443 HTTP/1.1\r\n\r\n", ""),
		ROW("CONNECT allowed\0.evil:443 HTTP/1.1\r\n\r\n", ""),
		ROW("CONNECT 0x7f.1:443 HTTP/1.1\r\n\r\n", "ends in a number"),
		ROW("CONNECT 2130706433:443 HTTP/1.1\r\n\r\n", "ends in a number"),
		ROW("CONNECT x..:443 HTTP/1.1\r\n\r\n", "empty label"),
		ROW("CONNECT ::1:443 HTTP/1.1\r\n\r\n", ""),
		ROW("CONNECT x.org:443 HTTP/1.1\r\nContent-Length: 1\r\n\r\n", "with a body"),
		ROW("CONNECT x.org:443 HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", "with a body"),
		ROW("GET https://x.org/ HTTP/1.1\r\n" OK "\r\n", "use CONNECT"),
		ROW("GET ftp://x.org/ HTTP/1.1\r\n" OK "\r\n", "a proxy is asked for"),
		ROW("GET / HTTP/1.1\r\n" OK "\r\n", "a proxy is asked for"),
		ROW("OPTIONS * HTTP/1.1\r\n" OK "\r\n", "a proxy is asked for"),
		ROW("GET x.org:80 HTTP/1.1\r\n" OK "\r\n", ""),
		ROW("GET http:///x.org/ HTTP/1.1\r\n" OK "\r\n", ""),
		ROW("GET http:x.org/ HTTP/1.1\r\n" OK "\r\n", ""),
		ROW("GET http://user:pw@x.org/ HTTP/1.1\r\n" OK "\r\n", "a user name"),
		ROW("GET http://x.org@evil/ HTTP/1.1\r\n" OK "\r\n", "a user name"),
		ROW("GET http://x.org#@evil/ HTTP/1.1\r\n" OK "\r\n", ""),
		ROW("GET http://x.org/#f HTTP/1.1\r\n" OK "\r\n", "a character"),
		ROW("GET http://x.org\\@evil/ HTTP/1.1\r\n" OK "\r\n", ""),
		ROW("GET http://x.org/a b HTTP/1.1\r\n" OK "\r\n", ""),
		{ "GET http://x.org/\r\n" OK "\r\n", 0, 0, "" },
		ROW("GET\thttp://x.org/ HTTP/1.1\r\n" OK "\r\n", ""),
		/* the length, given in two ways */
		ROW(GET "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", "how long"),
		ROW(GET "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n", "how long"),
		ROW(GET "Content-Length: 1\r\nContent-Length: 1\r\n\r\n", "how long"),
		ROW(GET "Content-Length: 1\r\nContent-Length: 2\r\n\r\n", "how long"),
		ROW(GET "Content-Length: 1, 1\r\n\r\n", "how long"),
		ROW(GET "Content-Length: -1\r\n\r\n", "how long"),
		ROW(GET "Content-Length: +1\r\n\r\n", "how long"),
		ROW(GET "Content-Length: 0x1\r\n\r\n", "how long"),
		ROW(GET "Content-Length: 99999999999999999999\r\n\r\n", "how long"),
		ROW(GET "Content-Length:\r\n\r\n", ""),
		ROW(GET "Transfer-Encoding: chunked, identity\r\n\r\n", "how long"),
		ROW(GET "Transfer-Encoding: identity\r\n\r\n", "how long"),
		ROW(GET "Transfer-Encoding: gzip, chunked\r\n\r\n", "how long"),
		ROW(GET "Transfer-Encoding: xchunked\r\n\r\n", "how long"),
		ROW(GET "Transfer-Encoding: chunked\t\r\n\r\n", "how long"), /* llhttp sees no chunks then */
		ROW(GET "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", "how long"),
		ROW(GET "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n", "how long"),
		ROW("POST http://x.org/ HTTP/1.0\r\n" OK "Transfer-Encoding: chunked\r\n\r\n", "how long"),
		ROW(GET "Transfer-Encoding : chunked\r\n\r\n", "field"),
		ROW(GET "Transfer-Encoding: chunked\r\n\r\nxyz\r\n", "chunk"),
		ROW(GET "Transfer-Encoding: chunked\r\n\r\n1\nabc\r\n", ""),
		ROW(GET "Transfer-Encoding: chunked\r\n\r\n-1\r\n", "chunk"),
#define CHUNKED GET "Transfer-Encoding: chunked\r\n\r\n"
		ROW(CHUNKED "1;a\nx\r\n0\r\n\r\n", ""),
		ROW(CHUNKED "1;a=\n\r\nx\r\n0\r\n\r\n", ""),
		ROW(CHUNKED "1;a=\"\n\"\r\nx\r\n0\r\n\r\n", ""),
		ROW(CHUNKED "1;a\rb\r\nx\r\n0\r\n\r\n", ""),
		ROW(CHUNKED "1 \r\nx\r\n0\r\n\r\n", ""),
		ROW(CHUNKED "0x1\r\nx\r\n0\r\n\r\n", ""),
		ROW(CHUNKED "1\r\nx\n0\r\n\r\n", ""),
		ROW(CHUNKED "1\r\nxy\r\n0\r\n\r\n", ""),
		ROW(CHUNKED "0\r\n\n", ""),
		ROW(CHUNKED "0\r\nX: y\n\r\n", ""),
		ROW(CHUNKED "0\r\nX: y\r\n z\r\n\r\n", ""),
		ROW(CHUNKED "0\r\nContent-Length: 9\r\n\r\n", ""),
		ROW(CHUNKED "0\r\nTransfer-Encoding: chunked\r\n\r\n", ""),
		ROW(GET "Transfer-Encoding: chunked\r\n\r\n11111111111111111\r\n", "chunk"),
		/* lines */
		ROW(GET " folded: 1\r\n\r\n", ""),
		ROW(GET "X: a\r\n b\r\n\r\n", ""),
		ROW(GET "X: a\r\n\tHost: evil\r\n\r\n", ""),
		ROW(GET "X: a\nHost: evil\r\n\r\n", ""),
		ROW(GET "X: a\rHost: evil\r\n\r\n", ""),
		{ "GET http://x.org/ HTTP/1.1\n" OK "\r\n", 0, 0, "" },
		ROW(GET "\n", ""),
		ROW(GET "X: \0\r\n\r\n", ""),
		ROW(GET "X\0: 1\r\n\r\n", ""),
		ROW(GET ": 1\r\n\r\n", ""),
		ROW(GET "no colon\r\n\r\n", ""),
		ROW(GET "a b: 1\r\n\r\n", ""),
		/* fields that Connection may not take away */
		ROW(GET "Connection: host\r\n\r\n", "is named by Connection"),
		ROW(GET "Connection: close, Content-Length\r\nContent-Length: 1\r\n\r\n", "is named by Connection"),
		ROW(GET "Connection: a\r\nConnection: transfer-encoding\r\n\r\n", "is named by Connection"),
		/* other protocols */
		ROW("\x16\x03\x01\x02", ""),
		ROW("\x05\x01\x00", ""),
		ROW("SSH-2.0-x\r\n", ""),
		ROW("HTTP/1.1 200 OK\r\n\r\n", ""),
		ROW("GETT http://x.org/ HTTP/1.1\r\n" OK "\r\n", ""),
		{ "GET http://x.org/ HTTP/2.0\r\n" OK "\r\n", 0, 505, "version" },
		{ "GET http://x.org/ HTTP/0.9\r\n" OK "\r\n", 0, 505, "version" },
		{ "GET http://x.org/ HTTP/1.2\r\n" OK "\r\n", 0, 505, "version" },
		{ "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 0, 0, "" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		size_t len = rows[i].len ? rows[i].len : strlen(rows[i].text), at, used;

		for (size_t cut = 0; cut <= len + 1; cut++) {
			enum zs_http_status status =
				feed(ZS_HTTP_PROXY, rows[i].text, len, cut > len ? 1 : 0, cut, &at, &used);

			CHECK(status == ZS_HTTP_BAD && strstr(request->problem, rows[i].problem),
				"%s (%zu), cut at %zu: %d %s", rows[i].text, i, cut, status,
				request->problem ? request->problem : "");
			CHECK(!rows[i].code || status != ZS_HTTP_BAD || request->code == rows[i].code, "%s: %d",
				rows[i].text, request->code);
			/* No byte of it has been passed on. */
			CHECK(!strstr(rows[i].problem, "how long") || at == 0, "%s: %zu", rows[i].text, at);
			/* The result stays. */
			CHECK(zs_http_request_feed(request, "GET ", 4, &used) == status && used == 0, "%s",
				rows[i].text);
			if (status != ZS_HTTP_BAD)
				break;
		}
	}
}

TEST(http_limits)
{
	static char text[2 * ZS_HTTP_HEAD_MAX], head[ZS_HTTP_HEAD_SIZE];
	size_t start = strlen(GET), at, used;
	enum zs_http_status status;

	/* The longest head, and one byte less. */
	for (size_t len = ZS_HTTP_HEAD_MAX - 1; len <= ZS_HTTP_HEAD_MAX; len++) {
		memcpy(text, GET "X:", start + 2);
		memset(text + start + 2, 'x', len - start - 6);
		memcpy(text + len - 4, "\r\n\r\n", 4);
		status = feed(ZS_HTTP_PROXY, text, len, 1000, 0, &at, &used);
		CHECK(status == ZS_HTTP_END && at == len, "%zu: %d", len, status);
		CHECK(zs_http_request_head(request, head) <= ZS_HTTP_HEAD_SIZE, "fits");
	}
	memset(text + start + 2, 'x', sizeof text - start - 2);
	status = feed(ZS_HTTP_PROXY, text, sizeof text, 1000, 0, &at, &used);
	CHECK(status == ZS_HTTP_BAD && request->code == 431 && strstr(request->problem, "64 KiB"), "%d", status);

	for (size_t count = ZS_HTTP_FIELDS_MAX - 1; count <= ZS_HTTP_FIELDS_MAX; count++) {
		size_t len = start;

		memcpy(text, GET, start);
		for (size_t i = 0; i < count; i++, len += 5)
			memcpy(text + len, "a:b\r\n", 5);
		memcpy(text + len, "\r\n", 2);
		status = feed(ZS_HTTP_PROXY, text, len + 2, 0, 0, &at, &used);
		CHECK(count < ZS_HTTP_FIELDS_MAX ? status == ZS_HTTP_END
						 : status == ZS_HTTP_BAD && request->code == 431,
			"%zu fields: %d", count, status);
		/* The head that is written has blanks that the request did not have, and a longer host. */
		CHECK(zs_http_request_head(request, head) <= ZS_HTTP_HEAD_SIZE, "fits");
	}
}

TEST(http_limit_of_connection)
{
	char text[512];
	size_t at, used;

	for (int count = ZS_HTTP_CONNECTION_MAX; count <= ZS_HTTP_CONNECTION_MAX + 1; count++) {
		enum zs_http_status status;

		strcpy(text, GET "Connection: a\r\nConnection: b");
		for (int i = 1; i < count; i++)
			strcat(text, ",");
		strcat(text, "\r\n\r\n");
		status = feed(ZS_HTTP_PROXY, text, strlen(text), 0, 0, &at, &used);
		CHECK(count == ZS_HTTP_CONNECTION_MAX ? status == ZS_HTTP_END
						      : status == ZS_HTTP_BAD && request->code == 431,
			"%d words: %d", count, status);
	}
}

TEST(http_answers)
{
	char answer[ZS_HTTP_ANSWER_SIZE], text[2 * ZS_HTTP_ANSWER_SIZE];
	size_t len = zs_http_answer(403, "zs: evil: not in the list\r\nX: 1\x1b", answer);

	CHECK(len == strlen(answer) &&
			strcmp(answer, "HTTP/1.1 403 zs: evil: not in the list??X: 1?\r\nContent-Type: "
				       "text/plain\r\nContent-Length: 33\r\n"
				       "Connection: close\r\nX-Zs-Reason: zs: evil: not in the list??X: 1?\r\n\r\n"
				       "zs: evil: not in the list??X: 1?\n") == 0,
		"%s", answer);
	memset(text, 'x', sizeof text);
	text[sizeof text - 1] = '\0';
	len = zs_http_answer(502, text, answer);
	CHECK(len < sizeof answer && len == strlen(answer) && strstr(answer, "Content-Length: 1024\r\n"), "%zu", len);
}
