/* One HTTP/1 request to a proxy, or to a server in whose place we are: its head is read by llhttp as it comes, judged,
 * and written anew; its body is counted, so that nothing passes behind it. Pure.
 *
 *	struct zs_http_request *request = …;   64 KiB
 *	zs_http_request_init(request, ZS_HTTP_PROXY);
 *	while ((status = zs_http_request_feed(request, bytes, len, &used)) == ZS_HTTP_MORE)
 *		… more bytes …
 *
 * ZS_HTTP_HEAD: request->host is who is asked for. After CONNECT the other bytes are the tunnel's; else send what
 * zs_http_request_head() writes, and feed on: each ZS_HTTP_BODY and ZS_HTTP_END gives `used` bytes to send on as they
 * are, and behind ZS_HTTP_END comes nothing: the head that was sent says "Connection: close".
 *
 * So a connection carries one request; a second one, for whatever host, has a connection of its own. An upgrade is not
 * passed on (not h2c, which would hide further requests, and so not ws:// either; wss:// is a tunnel). */
#ifndef ZS_SANDBOX_NET_HTTP_REQUEST_H
#define ZS_SANDBOX_NET_HTTP_REQUEST_H

#include <llhttp.h>

#include "net/host_name.h"

enum {
	ZS_HTTP_HEAD_MAX = 64 * 1024,
	ZS_HTTP_FIELDS_MAX = 256,
	/* Named by Connection: each is looked for in each field. */
	ZS_HTTP_CONNECTION_MAX = 32,
	/* Room for what zs_http_request_head() writes: Host, "Connection: close", and the host of an absolute form. */
	ZS_HTTP_HEAD_SIZE = ZS_HTTP_HEAD_MAX + 1024,
	ZS_HTTP_ANSWER_SIZE = 4096,
};

enum zs_http_place {
	ZS_HTTP_PROXY,  /* CONNECT, or the absolute form */
	ZS_HTTP_SERVER, /* the origin form, with Host */
};

enum zs_http_status {
	ZS_HTTP_BAD,  /* problem and code are set; for good */
	ZS_HTTP_MORE, /* all was used, and the head goes on */
	ZS_HTTP_HEAD, /* once, at its end */
	ZS_HTTP_BODY, /* `used` bytes of it, which may be 0: feed more */
	ZS_HTTP_END,  /* `used` bytes, and no more are to come */
};

struct zs_http_span {
	uint32_t at, len; /* in raw */
};

struct zs_http_field {
	struct zs_http_span name, value;
};

struct zs_http_request {
	struct zs_host host; /* with its port: 80 where none was given */
	bool connect;        /* the method is CONNECT */
	uint16_t code;       /* of the answer, when it is bad: 400, 405, 431, 501, 505 */
	const char *problem; /* the same, in words: "there are two Host fields"; static */
	char culprit[128];   /* what is at fault, to be shown; may be empty */

	enum zs_http_place place;
	enum zs_http_status status;
	llhttp_t parser;
	bool complete;
	struct zs_http_span method, target, path;
	size_t field_count;
	bool in_value;
	struct zs_http_field fields[ZS_HTTP_FIELDS_MAX];
	uint32_t raw_len;
	char raw[ZS_HTTP_HEAD_MAX];
};

void zs_http_request_init(struct zs_http_request *request, enum zs_http_place place);

/* Takes bytes as they come, in pieces of any size. *ret_used of them were taken; never more than len. */
enum zs_http_status zs_http_request_feed(
	struct zs_http_request *request, const char *bytes, size_t len, size_t *ret_used);

/* The head to send to the server, in the origin form, with one Host field, without what is between a client and its
 * proxy (RFC 9110, 7.6.1). Its length, which is never above ZS_HTTP_HEAD_SIZE. Not after CONNECT. */
size_t zs_http_request_head(const struct zs_http_request *request, char head[ZS_HTTP_HEAD_SIZE]);

/* The answer to a request that is refused, whole: "HTTP/1.1 403 Forbidden", Connection: close, the text as body and as
 * X-Zs-Reason. Bytes of it that are not printable ASCII become "?". Its length. */
size_t zs_http_answer(unsigned code, const char *text, char answer[ZS_HTTP_ANSWER_SIZE]);

#endif
