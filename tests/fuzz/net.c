/* Bytes that come from a network, for the readers of sandbox/net: nothing may crash, and what is read must not depend
 * on how the bytes came, and must be the same when it is written and read again. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/dns_message.h"
#include "net/http_request.h"
#include "net/socks5.h"
#include "net/tls_hello.h"
#include "policy/host_list.h"
#include "target.h"

/* Checks the properties that every host has, whichever reader read it. */
static void check_host(const struct zs_host *host)
{
	char text[ZS_HOST_TEXT_SIZE];
	struct zs_host again;
	size_t len = strlen(host->name);

	zs_target_check(len > 0 && len <= ZS_HOST_NAME_MAX, "a name of no or of too great a length");
	zs_target_check(
		strspn(host->name, host->address.family == AF_INET6 ? "0123456789abcdef:."
								    : "abcdefghijklmnopqrstuvwxyz0123456789-_.") == len,
		"a name with a character that none has");
	zs_host_text(host, text);
	zs_target_check(zs_host_parse(text, strlen(text), &again, NULL) == 0, "a name that is none");
	zs_target_check(zs_host_same_name(host, &again) && host->port == again.port, "a name that is not canonical");
}

static bool check_name(const char *bytes, size_t size)
{
	char *copy = zs_target_copy(bytes, size), *text = malloc(size + 1), canonical[ZS_HOST_ENTRY_SIZE];
	struct zs_host_entry entry, again;
	struct zs_host host;
	const char *problem = NULL;
	int r = zs_host_parse(copy, size, &host, &problem);

	zs_target_check(r == 0 || (r == -EINVAL && problem && *problem), "refused, without saying why");
	if (r == 0)
		check_host(&host);
	if (zs_host_parse_name(copy, size, &host, NULL) == 0)
		check_host(&host);
	if (zs_host_parse_only_name(copy, size, &host, NULL) == 0) {
		check_host(&host);
		zs_target_check(host.address.family == AF_UNSPEC, "an address, where only a name will do");
	}
	memcpy(text, bytes, size);
	text[size] = '\0';
	if (zs_host_entry_parse(text, &entry, NULL) == 0) {
		check_host(&entry.host);
		zs_host_entry_text(&entry, canonical);
		zs_target_check(zs_host_entry_parse(canonical, &again, NULL) == 0 && again.below == entry.below &&
					zs_host_same_name(&entry.host, &again.host) &&
					entry.host.port == again.host.port,
			"an entry that is not canonical");
		zs_target_check(zs_host_entry_allows(&entry, &entry.host) == !entry.below,
			"an entry that does not allow itself");
	}
	free(text);
	free(copy);
	return r == 0;
}

/* Feeds the bytes in pieces of `step` bytes. *ret_head is the length of the head. */
static void feed(struct zs_http_request *request, enum zs_http_place place, const char *bytes, size_t size, size_t step,
	size_t *ret_head, size_t *ret_used)
{
	size_t at = 0, used;

	zs_http_request_init(request, place);
	*ret_head = 0;
	for (;;) {
		size_t len = size - at < step ? size - at : step;
		char *copy = zs_target_copy(bytes + at, len);
		enum zs_http_status status = zs_http_request_feed(request, copy, len, &used);

		free(copy);
		zs_target_check(used <= len, "used more than there was");
		at += used;
		if (status == ZS_HTTP_HEAD)
			*ret_head = at;
		else if (status == ZS_HTTP_BAD || status == ZS_HTTP_END || at == size)
			break;
		else
			zs_target_check(used == len, "not all was used, and more is wanted");
	}
	*ret_used = at;
}

static bool check_http(enum zs_http_place place, const char *bytes, size_t size)
{
	static struct zs_http_request request, other;
	static char head[ZS_HTTP_HEAD_SIZE], again[ZS_HTTP_HEAD_SIZE];
	size_t len, used, other_len, other_used;

	feed(&request, place, bytes, size, size ? size : 1, &len, &used);
	for (size_t step = 1; step < 4; step++) {
		feed(&other, place, bytes, size, step, &other_len, &other_used);
		zs_target_check(request.status == other.status && len == other_len, "another answer, in other pieces");
		zs_target_check(request.status == ZS_HTTP_BAD || used == other_used, "another length, in other pieces");
		zs_target_check(len == 0 || memcmp(&request.host, &other.host, sizeof request.host) == 0,
			"another host, in other pieces");
	}
	zs_target_check(request.status != ZS_HTTP_BAD || (request.problem && request.code >= 400),
		"refused, without saying why");
	if (len == 0)
		return false;
	check_host(&request.host);
	zs_target_check(request.host.port != 0, "no port");
	if (request.connect)
		return true;
	/* the server reads the head as we did, and writing it again changes nothing */
	len = zs_http_request_head(&request, head);
	feed(&other, ZS_HTTP_SERVER, head, len, len, &other_len, &other_used);
	zs_target_check(other.status != ZS_HTTP_BAD && other_len == len, "a head that is none");
	zs_target_check(memcmp(&request.host, &other.host, sizeof request.host) == 0, "a head with another host");
	zs_target_check(
		zs_http_request_head(&other, again) == len && memcmp(head, again, len) == 0, "a head that changes");
	return request.status == ZS_HTTP_END;
}

/* More bytes do not change a decision. */
static bool check_socks(const uint8_t *bytes, size_t size)
{
	enum zs_socks_status greeting = ZS_SOCKS_MORE, request = ZS_SOCKS_MORE;

	for (size_t len = 0; len <= size; len++) {
		uint8_t *copy = zs_target_copy(bytes, len), reply[ZS_SOCKS_GREETING_REPLY_SIZE];
		const char *problem = NULL;
		enum zs_socks_status status;
		enum zs_socks_code code;
		struct zs_host host;
		size_t used = 0;

		status = zs_socks_read_greeting(copy, len, &used, reply, &problem);
		zs_target_check(greeting == ZS_SOCKS_MORE || status == greeting, "a greeting that changes");
		zs_target_check(used <= len && (status != ZS_SOCKS_MORE || len < ZS_SOCKS_GREETING_MAX),
			"a greeting without an end");
		greeting = status;
		used = 0;
		status = zs_socks_read_request(copy, len, &used, &host, &code, &problem);
		zs_target_check(request == ZS_SOCKS_MORE || status == request, "a request that changes");
		zs_target_check(used <= len && (status != ZS_SOCKS_MORE || len < ZS_SOCKS_REQUEST_MAX),
			"a request without an end");
		request = status;
		if (status == ZS_SOCKS_WHOLE)
			check_host(&host);
		free(copy);
	}
	return greeting == ZS_SOCKS_WHOLE || request == ZS_SOCKS_WHOLE;
}

static bool check_tls(const uint8_t *bytes, size_t size)
{
	enum zs_tls_status before = ZS_TLS_MORE, again = ZS_TLS_MORE;
	enum zs_tls_answer said = ZS_TLS_ANSWER_MORE;

	for (size_t len = 0; len <= size; len++) {
		uint8_t *copy = zs_target_copy(bytes, len);
		struct zs_tls_hello hello, second;
		enum zs_tls_status status = zs_tls_hello_read(copy, len, &hello);

		zs_target_check(before == ZS_TLS_MORE || status == before, "a hello that changes");
		zs_target_check(
			said == ZS_TLS_ANSWER_MORE || zs_tls_answer_read(copy, len) == said, "an answer that changes");
		said = zs_tls_answer_read(copy, len);
		zs_target_check((status == ZS_TLS_BAD) == (hello.problem != NULL), "refused, without saying why");
		zs_target_check(hello.used <= len, "used more than there was");
		before = status;
		if (status == ZS_TLS_NAME)
			check_host(&hello.host);
		status = zs_tls_hello_read_again(copy, len, &second);
		zs_target_check(again == ZS_TLS_MORE || status == again, "a second hello that changes");
		zs_target_check(status != ZS_TLS_NOT_TLS && second.used <= len, "a second hello that is none");
		again = status;
		free(copy);
	}
	return before == ZS_TLS_NAME;
}

static bool check_query(const uint8_t *bytes, size_t size)
{
	struct zs_address address = { .family = AF_INET, .bytes = { 198, 18, 0, 1 } }, found[ZS_DNS_ADDRESSES_MAX];
	uint8_t *copy = zs_target_copy(bytes, size), answer[ZS_DNS_UDP_MAX];
	enum zs_dns_code code = ZS_DNS_OK;
	struct zs_dns_query query;
	struct zs_host host;
	size_t len, count;
	int r = zs_dns_read_query(copy, size, &query, &code);

	free(copy);
	if (r == -EBADMSG)
		return false;
	zs_target_check((r < 0) == (code != ZS_DNS_OK), "refused, without saying why");
	len = zs_dns_answer(&query, code, &address, 1, 60, answer, sizeof answer);
	zs_target_check(len <= sizeof answer, "an answer that is too long");
	if (r < 0 || query.type != ZS_DNS_A || zs_host_parse_only_name(query.name, strlen(query.name), &host, NULL) < 0)
		return false;
	check_host(&host);
	zs_target_check(
		zs_dns_read_answer(answer, len, query.id, host.name, ZS_DNS_A, found, &count) == ZS_DNS_ADDRESSES &&
			count == 1 && zs_address_equal(&address, found),
		"an answer that does not answer");
	return true;
}

static bool check_answer(const uint8_t *bytes, size_t size)
{
	struct zs_address found[ZS_DNS_ADDRESSES_MAX];
	uint8_t *copy = zs_target_copy(bytes, size);
	size_t count;
	enum zs_dns_outcome outcome = zs_dns_read_answer(copy, size, 0x1234, "x.org", ZS_DNS_A, found, &count);

	zs_target_check((outcome == ZS_DNS_ADDRESSES) == (count > 0) && count <= ZS_DNS_ADDRESSES_MAX,
		"addresses of no answer");
	for (size_t i = 0; i < count; i++)
		zs_target_check(found[i].family == AF_INET, "an address of another type");
	free(copy);
	return count > 0;
}

static bool is_read(const uint8_t *data, size_t size)
{
	const uint8_t *bytes = data + 1;
	size_t len = size - 1;

	switch (size ? *data : 0) {
	case 'n':
		return check_name((const char *)bytes, len);
	case 'h':
		return check_http(ZS_HTTP_PROXY, (const char *)bytes, len);
	case 'H':
		return check_http(ZS_HTTP_SERVER, (const char *)bytes, len);
	case 's':
		return check_socks(bytes, len);
	case 't':
		return check_tls(bytes, len);
	case 'd':
		return check_query(bytes, len);
	case 'a':
		return check_answer(bytes, len);
	default:
		return false;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	zs_target_input = (struct zs_target_input){ data, size };
	return is_read(data, size) ? 0 : -1;
}

#define X_ORG "\1x\3org\0\0\1\0\1"

static const struct seed samples[] = {
	ROW("nExample.ORG.:443"),
	ROW("nxn--bcher-kva.example:65535"),
	ROW("nXN--bcher-kva.xn--r8jz45g.xn--zckzah"),
	ROW("n[2001:db8::1]:80"),
	ROW("n192.0.2.1"),
	ROW("n[::ffff:127.0.0.1]:1"),
	ROW("hGET http://x.org/a?b HTTP/1.1\r\nHost: x.org\r\nAccept: *\r\n\r\n"),
	ROW("hCONNECT x.org:443 HTTP/1.1\r\nHost: x.org:443\r\nProxy-Connection: keep-alive\r\n\r\n\x16\x03\x01"),
	ROW("hPOST http://x.org:8080/ HTTP/1.1\r\nHost: x.org:8080\r\nContent-Length: 3\r\n\r\nabcGET"),
	ROW("hPOST http://[::1]/ HTTP/1.1\r\nHost: [::1]\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nT: "
	    "1\r\n\r\nX"),
	ROW("hGET http://x.org/ HTTP/1.0\r\nConnection: close, X-Own\r\nX-Own: 1\r\nUpgrade: h2c\r\n\r\n"),
	ROW("HGET /a HTTP/1.1\r\nHost: x.org\r\nCookie: a\r\n\r\n"),
	ROW("s\5\1\0\3\5x.org\1\273"),
	ROW("s\5\1\0\1\177\0\0\1\0\120"),
	ROW("s\5\1\0\4 \1\r\270\0\0\0\0\0\0\0\0\0\0\0\1\0\120"),
	ROW("s\5\2\0\2"),
	ROW("t\x16\x03\x01\0\x43\1\0\0\x3f\3\3ABCDEFGHIJKLMNOPQRSTUVWXYZ012345\0\0\2\x13\1\1\0\0\x14"
	    "\0\0\0\x0a\0\x08\0\0\5x.org\xfe\x0d\0\2\0\0"),
	ROW("t\x16\x03\x01\0\x04\1\0\0\x3f\x16\3\1\0\x3f\3\3ABCDEFGHIJKLMNOPQRSTUVWXYZ012345\0\0\2\x13\1\1\0\0\x14"
	    "\0\0\0\x0a\0\x08\0\0\5x.org\xfe\x0d\0\2\0\0"),
	ROW("d\x12\x34\1\0\0\1\0\0\0\0\0\0" X_ORG),
	ROW("a\x12\x34\x81\x80\0\1\0\1\0\0\0\0" X_ORG "\xc0\x0c\0\1\0\1\0\0\0\x3c\0\4\1\1\1\1"),
	ROW("a\x12\x34\x81\x80\0\1\0\2\0\0\0\0" X_ORG "\xc0\x0c\0\5\0\1\0\0\0\x3c\0\4\1y\xc0\x0e"
	    "\xc0\x23\0\1\0\1\0\0\0\x3c\0\4\1\1\1\1"),
};

static const struct seed pieces[] = { ROW("\0"), ROW("\r\n"), ROW("\n"), ROW("\r"), ROW("."), ROW(".."), ROW(":"),
	ROW("@"), ROW("%00"), ROW("["), ROW("]"), ROW("::"), ROW("*."), ROW("/"), ROW("#"), ROW("?"), ROW("\\"),
	ROW(" "), ROW("\t"), ROW("xn--"), ROW("0x"), ROW("127.0.0.1"), ROW("-"), ROW("_"), ROW("\u00fc"),
	ROW("u\u0308"), ROW("\u3002"), ROW("\uff11"), ROW("\u200d"), ROW("\u00df"), ROW("\xff"), ROW("\xc0\x0c"),
	ROW("\xc0\x00"), ROW("Host: evil\r\n"), ROW("Host: x.org\r\n"), ROW("Content-Length: 1\r\n"),
	ROW("Transfer-Encoding: chunked\r\n"), ROW("Connection: "), ROW(", "), ROW("Upgrade: h2c\r\n"),
	ROW(" HTTP/1.1\r\n"), ROW("http://"), ROW("https://"), ROW("CONNECT "), ROW("GET "), ROW("\r\n\r\n"),
	ROW("\x16\x03\x01\0\1"), ROW("\0\0\0\0"), ROW("\xff\xff"), ROW("\5\1\0\3"), ROW("\0\1\0\1"), ROW("\3"),
	ROW("\x3f"), ROW("65536"), ROW(":80") };

const struct target zs_target = { samples, pieces, sizeof samples / sizeof *samples, sizeof pieces / sizeof *pieces };
