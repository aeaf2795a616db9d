/* One HTTP/1 request to a proxy, or to a server that zs stands in for. llhttp reads the head as it comes; zs judges it
 * and writes it anew. zs counts the bytes of the body, so that nothing can follow it. Pure.
 *
 *	struct zs_http_request *request = …;   64 KiB
 *	zs_http_request_init(request, ZS_HTTP_PROXY);
 *	while ((status = zs_http_request_feed(request, bytes, len, &used)) == ZS_HTTP_MORE)
 *		… more bytes …
 *
 * ZS_HTTP_HEAD: request->host is the host that is asked for. After CONNECT the other bytes belong to the tunnel.
 * Otherwise send the head that zs_http_request_head() writes, and feed on: each ZS_HTTP_BODY and ZS_HTTP_END gives
 * `used` bytes to send on as they are. Nothing follows ZS_HTTP_END, since the head that was sent says "Connection:
 * close".
 *
 * So a connection carries one request, and each further request needs a connection of its own. Upgrades are not passed
 * on: h2c would hide further requests. So ws:// does not work; wss:// is a tunnel. */
#ifndef ZS_SANDBOX_NET_HTTP_REQUEST_H
#define ZS_SANDBOX_NET_HTTP_REQUEST_H

#include <llhttp.h>

#include "net/host_name.h"

enum {
	ZS_HTTP_HEAD_MAX = 64 * 1024,
	ZS_HTTP_FIELDS_MAX = 256,
	/* Words of Connection fields: each is looked for in each field. */
	ZS_HTTP_CONNECTION_MAX = 32,
	/* Room for the head that zs_http_request_head() writes: Host, "Connection: close", and the host of an absolute
	 * form. */
	ZS_HTTP_HEAD_SIZE = ZS_HTTP_HEAD_MAX + 1024,
	ZS_HTTP_ANSWER_SIZE = 4096,
};

enum zs_http_place {
	ZS_HTTP_PROXY,  /* CONNECT, or the absolute form */
	ZS_HTTP_SERVER, /* the origin form, with Host */
};

enum zs_http_status {
	ZS_HTTP_BAD,  /* problem and code are set; all later calls return the same */
	ZS_HTTP_MORE, /* all bytes were used, and the head goes on */
	ZS_HTTP_HEAD, /* returned once, at the end of the head */
	ZS_HTTP_BODY, /* `used` bytes of the body, which may be 0: feed more */
	ZS_HTTP_END,  /* `used` bytes, and no more follow */
};

struct zs_http_span {
	uint32_t at, len; /* offset in raw, and length */
};

struct zs_http_field {
	struct zs_http_span name, value;
};

struct zs_http_request {
	struct zs_host host; /* with its port: 80 if none was given */
	bool connect;        /* the method is CONNECT */
	uint16_t code;       /* for the answer to a bad request: 400, 405, 431, 501, 505 */
	const char *problem; /* the fault in words: "there are two Host fields"; static */
	char culprit[128];   /* the text at fault, to be shown; may be empty */

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

/* Takes bytes as they come, in pieces of any size. *ret_used: the number of bytes taken. */
enum zs_http_status zs_http_request_feed(
	struct zs_http_request *request, const char *bytes, size_t len, size_t *ret_used);

/* Writes the head for the server, in the origin form, with one Host field, without the fields that are between a client
 * and its proxy (RFC 9110, 7.6.1). Returns its length, at most ZS_HTTP_HEAD_SIZE. Do not call it after CONNECT. */
size_t zs_http_request_head(const struct zs_http_request *request, char head[ZS_HTTP_HEAD_SIZE]);

/* Writes the whole answer to a refused request: the text is in the status line, since many clients print nothing else
 * of an answer to CONNECT, in X-Zs-Reason, and the body. Bytes of the text that are not printable ASCII become "?".
 * Returns its length. */
size_t zs_http_answer(unsigned code, const char *text, char answer[ZS_HTTP_ANSWER_SIZE]);

#endif
