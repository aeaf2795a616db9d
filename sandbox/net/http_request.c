/* Reading a request. llhttp, which is strict unless it is told otherwise, says what is method, target and fields; what
 * a proxy must not believe is refused in http_check.c. */
#include "net/http_check.h"

#include <string.h>

static struct zs_http_request *of(llhttp_t *parser)
{
	return parser->data;
}

/* llhttp gives pieces, which lie one behind the other in raw. */
static int http_request_extend(struct zs_http_request *request, struct zs_http_span *span, const char *at, size_t len)
{
	if (span->len == 0)
		span->at = (uint32_t)(at - request->raw);
	span->len += (uint32_t)len;
	return 0;
}

static int on_method(llhttp_t *parser, const char *at, size_t len)
{
	return http_request_extend(of(parser), &of(parser)->method, at, len);
}

static int on_target(llhttp_t *parser, const char *at, size_t len)
{
	return http_request_extend(of(parser), &of(parser)->target, at, len);
}

static int on_field(llhttp_t *parser, const char *at, size_t len)
{
	struct zs_http_request *request = of(parser);

	if (request->status != ZS_HTTP_MORE)
		return 0; /* a trailer's */
	if (request->in_value || request->field_count == 0) {
		if (request->field_count == ZS_HTTP_FIELDS_MAX)
			return HPE_USER;
		request->field_count++;
		request->in_value = false;
	}
	return http_request_extend(request, &request->fields[request->field_count - 1].name, at, len);
}

static int on_value(llhttp_t *parser, const char *at, size_t len)
{
	struct zs_http_request *request = of(parser);

	if (request->status != ZS_HTTP_MORE)
		return 0;
	request->in_value = true;
	return http_request_extend(request, &request->fields[request->field_count - 1].value, at, len);
}

/* Fields without a value have no piece of one. */
static int on_value_complete(llhttp_t *parser)
{
	of(parser)->in_value = true;
	return 0;
}

static int on_head(llhttp_t *parser)
{
	(void)parser;
	return HPE_PAUSED;
}

static int on_end(llhttp_t *parser)
{
	of(parser)->complete = true;
	return HPE_PAUSED;
}

static const llhttp_settings_t settings = {
	.on_method = on_method,
	.on_url = on_target,
	.on_header_field = on_field,
	.on_header_value = on_value,
	.on_header_value_complete = on_value_complete,
	.on_headers_complete = on_head,
	.on_message_complete = on_end,
};

void zs_http_request_init(struct zs_http_request *request, enum zs_http_place place)
{
	/* Not the 64 KiB. */
	memset(request, 0, offsetof(struct zs_http_request, raw));
	request->place = place;
	request->status = ZS_HTTP_MORE;
	llhttp_init(&request->parser, HTTP_REQUEST, &settings);
	request->parser.data = request;
}

static enum zs_http_status read_head(struct zs_http_request *request, const char *bytes, size_t len, size_t *ret_used)
{
	size_t room = ZS_HTTP_HEAD_MAX - request->raw_len, taken = len < room ? len : room;
	char *start = request->raw + request->raw_len;
	llhttp_errno_t error;

	memcpy(start, bytes, taken);
	error = llhttp_execute(&request->parser, start, taken);
	if (error == HPE_OK) {
		request->raw_len += (uint32_t)taken;
		*ret_used = taken;
		if (request->raw_len == ZS_HTTP_HEAD_MAX)
			return zs_http_bad(request, 431, "has a head of more than 64 KiB");
		return ZS_HTTP_MORE;
	}
	if (error == HPE_USER)
		return zs_http_bad(request, 431, "has more than 256 fields");
	if (error != HPE_PAUSED)
		return zs_http_bad(request, error == HPE_INVALID_VERSION ? 505 : 400, zs_http_problem(error));
	*ret_used = (size_t)(llhttp_get_error_pos(&request->parser) - start);
	request->raw_len += (uint32_t)*ret_used;
	return zs_http_check(request);
}

static enum zs_http_status read_body(struct zs_http_request *request, const char *bytes, size_t len, size_t *ret_used)
{
	llhttp_errno_t error;

	llhttp_resume(&request->parser);
	error = llhttp_execute(&request->parser, bytes, len);
	if (error == HPE_OK) {
		*ret_used = len;
		return ZS_HTTP_BODY;
	}
	if (error != HPE_PAUSED || !request->complete)
		return zs_http_bad(request, 400, zs_http_problem(error));
	*ret_used = (size_t)(llhttp_get_error_pos(&request->parser) - bytes);
	return ZS_HTTP_END;
}

enum zs_http_status zs_http_request_feed(
	struct zs_http_request *request, const char *bytes, size_t len, size_t *ret_used)
{
	*ret_used = 0;
	switch (request->status) {
	case ZS_HTTP_MORE:
		request->status = read_head(request, bytes, len, ret_used);
		break;
	case ZS_HTTP_HEAD:
	case ZS_HTTP_BODY:
		request->status = request->connect ? ZS_HTTP_END : read_body(request, bytes, len, ret_used);
		break;
	case ZS_HTTP_BAD:
	case ZS_HTTP_END:
		break;
	}
	return request->status;
}
