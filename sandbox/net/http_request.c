/* Reads a request, judges it, and writes it anew. llhttp finds the method, the target and the fields; it is strict by
 * default. This refuses each form of request that a proxy and the server behind it can understand differently. */
#include "net/http_request.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Judging */

static const struct zs_http_span none = { 0, 0 };

static enum zs_http_status bad(struct zs_http_request *request, uint16_t code, const char *problem)
{
	request->code = code;
	request->problem = problem;
	return ZS_HTTP_BAD;
}

static enum zs_http_status bad_text(struct zs_http_request *request, struct zs_http_span culprit, const char *problem)
{
	size_t len = culprit.len < sizeof request->culprit ? culprit.len : sizeof request->culprit - 1;

	memcpy(request->culprit, request->raw + culprit.at, len);
	for (size_t i = 0; i < len; i++)
		if (request->culprit[i] < ' ' || request->culprit[i] > '~')
			request->culprit[i] = '?';
	return bad(request, 400, problem);
}

/* Returns the text for a fault that llhttp found. */
static const char *problem_of(llhttp_errno_t error)
{
	switch ((int)error) {
	case HPE_INVALID_METHOD:
		return "has an unknown method, or is no HTTP";
	case HPE_INVALID_URL:
		return "has a malformed target";
	case HPE_INVALID_VERSION:
		return "is of another version of HTTP; 1.0 and 1.1 are known";
	case HPE_INVALID_HEADER_TOKEN:
		return "has a malformed field";
	case HPE_UNEXPECTED_CONTENT_LENGTH:
	case HPE_INVALID_CONTENT_LENGTH:
	case HPE_INVALID_TRANSFER_ENCODING:
		return "does not say clearly how long it is (Content-Length, Transfer-Encoding)";
	case HPE_INVALID_CHUNK_SIZE:
		return "has a malformed chunk";
	default:
		return "is malformed";
	}
}

/* Is it this name, in any case? */
static bool is_name(const struct zs_http_request *request, struct zs_http_span span, const char *name)
{
	return strlen(name) == span.len && strncasecmp(request->raw + span.at, name, span.len) == 0;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static struct zs_http_span trim(const struct zs_http_request *request, struct zs_http_span span)
{
	while (span.len > 0 && is_blank(request->raw[span.at])) {
		span.at++;
		span.len--;
	}
	while (span.len > 0 && is_blank(request->raw[span.at + span.len - 1]))
		span.len--;
	return span;
}

/* Takes the next word of a list with commas, such as the value of Connection; *list becomes the rest. False: there is
 * none. */
static bool next_word(const struct zs_http_request *request, struct zs_http_span *list, struct zs_http_span *ret_word)
{
	const char *start = request->raw + list->at, *comma;

	if (list->len == 0)
		return false;
	comma = memchr(start, ',', list->len);
	*ret_word = (struct zs_http_span){ list->at, comma ? (uint32_t)(comma - start) : list->len };
	list->at += ret_word->len + (comma != NULL);
	list->len -= ret_word->len + (comma != NULL);
	*ret_word = trim(request, *ret_word);
	return true;
}

/* Counts the fields of this name. *ret_value: the value of the last one. */
static unsigned find_field(const struct zs_http_request *request, const char *name, struct zs_http_span *ret_value)
{
	unsigned count = 0;

	for (size_t i = 0; i < request->field_count; i++)
		if (is_name(request, request->fields[i].name, name)) {
			*ret_value = trim(request, request->fields[i].value);
			count++;
		}
	return count;
}

/* A position in the words of all Connection fields; zeroed: before the first. */
struct connection_words {
	size_t field; /* the next field to look at */
	struct zs_http_span rest;
};

static bool next_connection_word(
	const struct zs_http_request *request, struct connection_words *words, struct zs_http_span *ret_word)
{
	while (!next_word(request, &words->rest, ret_word)) {
		while (words->field < request->field_count &&
			!is_name(request, request->fields[words->field].name, "Connection"))
			words->field++;
		if (words->field == request->field_count)
			return false;
		words->rest = request->fields[words->field++].value;
	}
	return true;
}

/* Fields that Connection may not name: without one of them it would be another request. */
static enum zs_http_status check_connection(struct zs_http_request *request)
{
	static const char *const kept[] = { "Host", "Content-Length", "Transfer-Encoding", "Trailer" };
	struct connection_words words = { 0 };
	struct zs_http_span word;

	for (unsigned count = 1; next_connection_word(request, &words, &word); count++) {
		if (count > ZS_HTTP_CONNECTION_MAX)
			return bad(request, 431, "has a Connection field of more than 32 words");
		for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
			if (is_name(request, word, kept[i]))
				return bad_text(request, word, "is named by Connection, and must stay");
	}
	return ZS_HTTP_HEAD;
}

/* The request must give the body's length once, in a way that every program understands alike. */
static enum zs_http_status check_length(struct zs_http_request *request)
{
	struct zs_http_span value = none;
	unsigned lengths = find_field(request, "Content-Length", &value), codings;

	codings = find_field(request, "Transfer-Encoding", &value);
	/* llhttp refuses two lengths, and a length with chunks. */
	if (codings > 1 || (codings && (!is_name(request, value, "chunked") || !(request->parser.flags & F_CHUNKED) ||
					       request->parser.http_minor == 0)))
		return bad(request, 400, problem_of(HPE_INVALID_TRANSFER_ENCODING));
	if (request->connect && lengths + codings > 0)
		return bad(request, 400, "is CONNECT with a body");
	return ZS_HTTP_HEAD;
}

static enum zs_http_status read_host(
	struct zs_http_request *request, struct zs_http_span span, struct zs_host *ret_host)
{
	const char *text = request->raw + span.at, *problem;

	if (memchr(text, '@', span.len))
		return bad_text(request, span, "has a user name before its host; leave it out");
	if (zs_host_parse(text, span.len, ret_host, &problem) < 0)
		return bad_text(request, span, problem);
	return ZS_HTTP_HEAD;
}

/* "http://host/path" */
static enum zs_http_status read_absolute(struct zs_http_request *request)
{
	static const char scheme[] = "http://";
	struct zs_http_span target = request->target, authority;
	const char *text = request->raw + target.at;
	size_t len = sizeof scheme - 1;

	if (target.len >= 8 && strncasecmp(text, "https://", 8) == 0)
		return bad_text(request, target, "is asked for over a proxy in clear; use CONNECT for https");
	if (target.len < len || strncasecmp(text, scheme, len) != 0)
		return bad_text(
			request, target, "is not what a proxy is asked for: http://HOST/PATH, or CONNECT HOST:PORT");
	authority = (struct zs_http_span){ target.at + (uint32_t)len, 0 };
	while (len + authority.len < target.len && !strchr("/?", text[len + authority.len]))
		authority.len++;
	request->path =
		(struct zs_http_span){ authority.at + authority.len, target.len - (uint32_t)len - authority.len };
	return read_host(request, authority, &request->host);
}

static enum zs_http_status read_target(struct zs_http_request *request)
{
	struct zs_http_span target = request->target;
	const char *text = request->raw + target.at;

	for (uint32_t i = 0; i < target.len; i++)
		if ((unsigned char)text[i] <= ' ' || text[i] == 0x7f || text[i] == '#')
			return bad_text(request, target, "has a character that no target has");
	if (request->connect) {
		if (request->place != ZS_HTTP_PROXY)
			return bad(request, 405, "is CONNECT, to a server that is no proxy");
		if (read_host(request, target, &request->host) == ZS_HTTP_BAD)
			return ZS_HTTP_BAD;
		return request->host.port ? ZS_HTTP_HEAD
					  : bad_text(request, target, "has no port; CONNECT asks for HOST:PORT");
	}
	if (request->place == ZS_HTTP_PROXY)
		return read_absolute(request);
	request->path = target;
	if (target.len == 0 || (*text != '/' && !is_name(request, target, "*")))
		return bad_text(request, target, "is not what a server is asked for: a path");
	return ZS_HTTP_HEAD;
}

/* There must be one Host, which agrees with the target. */
static enum zs_http_status check_host(struct zs_http_request *request)
{
	struct zs_http_span value = none;
	unsigned count = find_field(request, "Host", &value);
	uint16_t normal = request->connect ? request->host.port : 80;
	struct zs_host host;

	if (count > 1)
		return bad(request, 400, "has more than one Host field");
	/* HTTP before 1.1 had no Host, and some clients send none with CONNECT. */
	if (count == 0 && request->place == ZS_HTTP_PROXY && (request->connect || request->parser.http_minor == 0))
		return ZS_HTTP_HEAD;
	if (count == 0)
		return bad(request, 400, "has no Host field");
	if (read_host(request, value, &host) == ZS_HTTP_BAD)
		return ZS_HTTP_BAD;
	if (host.port == 0)
		host.port = normal;
	if (request->place == ZS_HTTP_SERVER)
		request->host = host;
	if (!zs_host_same_name(&host, &request->host) || host.port != request->host.port)
		return bad_text(request, value, "is its Host field, and its target is another");
	return ZS_HTTP_HEAD;
}

/* Checks a whole head. Returns ZS_HTTP_HEAD with host, connect and path set, or ZS_HTTP_BAD. */
static enum zs_http_status check(struct zs_http_request *request)
{
	request->connect = is_name(request, request->method, "CONNECT");
	if (request->parser.http_major != 1)
		return bad(request, 505, problem_of(HPE_INVALID_VERSION));
	if (check_connection(request) == ZS_HTTP_BAD || check_length(request) == ZS_HTTP_BAD ||
		read_target(request) == ZS_HTTP_BAD)
		return ZS_HTTP_BAD;
	if (request->host.port == 0)
		request->host.port = 80;
	return check_host(request);
}

/* Reading */

static struct zs_http_request *of(llhttp_t *parser)
{
	return parser->data;
}

/* llhttp passes a value in pieces, which follow each other in raw. */
static int extend(struct zs_http_request *request, struct zs_http_span *span, const char *at, size_t len)
{
	if (span->len == 0)
		span->at = (uint32_t)(at - request->raw);
	span->len += (uint32_t)len;
	return 0;
}

static int on_method(llhttp_t *parser, const char *at, size_t len)
{
	return extend(of(parser), &of(parser)->method, at, len);
}

static int on_target(llhttp_t *parser, const char *at, size_t len)
{
	return extend(of(parser), &of(parser)->target, at, len);
}

static int on_field(llhttp_t *parser, const char *at, size_t len)
{
	struct zs_http_request *request = of(parser);

	if (request->status != ZS_HTTP_MORE)
		return 0; /* a field of a trailer */
	if (request->in_value || request->field_count == 0) {
		if (request->field_count == ZS_HTTP_FIELDS_MAX)
			return HPE_USER;
		request->field_count++;
		request->in_value = false;
	}
	return extend(request, &request->fields[request->field_count - 1].name, at, len);
}

static int on_value(llhttp_t *parser, const char *at, size_t len)
{
	struct zs_http_request *request = of(parser);

	if (request->status != ZS_HTTP_MORE)
		return 0;
	request->in_value = true;
	return extend(request, &request->fields[request->field_count - 1].value, at, len);
}

/* llhttp passes no piece for a field without a value. */
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
	/* All but the 64 KiB of raw. */
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
			return bad(request, 431, "has a head of more than 64 KiB");
		return ZS_HTTP_MORE;
	}
	if (error == HPE_USER)
		return bad(request, 431, "has more than 256 fields");
	if (error != HPE_PAUSED)
		return bad(request, error == HPE_INVALID_VERSION ? 505 : 400, problem_of(error));
	*ret_used = (size_t)(llhttp_get_error_pos(&request->parser) - start);
	request->raw_len += (uint32_t)*ret_used;
	return check(request);
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
		return bad(request, 400, problem_of(error));
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

/* Writing: a request's head to the server, and an answer to the client */

struct text {
	char *bytes;
	size_t len;
};

static void add_text(struct text *text, const char *string)
{
	size_t len = strlen(string);

	memcpy(text->bytes + text->len, string, len);
	text->len += len;
}

static void add_span(struct text *text, const struct zs_http_request *request, struct zs_http_span span)
{
	memcpy(text->bytes + text->len, request->raw + span.at, span.len);
	text->len += span.len;
}

static bool is_named_by_connection(const struct zs_http_request *request, struct zs_http_span name)
{
	struct connection_words words = { 0 };
	struct zs_http_span word;

	while (next_connection_word(request, &words, &word))
		if (word.len == name.len && strncasecmp(request->raw + word.at, request->raw + name.at, name.len) == 0)
			return true;
	return false;
}

/* Transfer-Encoding and Trailer stay, since the body passes as it is. */
static bool is_left_out(const struct zs_http_request *request, struct zs_http_span name)
{
	static const char *const names[] = { "Host", "Connection", "Proxy-Connection", "Keep-Alive", "TE", "Upgrade",
		"HTTP2-Settings", "Proxy-Authorization", "Proxy-Authenticate", "Proxy-Authentication-Info" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (is_name(request, name, names[i]))
			return true;
	return is_named_by_connection(request, name);
}

size_t zs_http_request_head(const struct zs_http_request *request, char head[ZS_HTTP_HEAD_SIZE])
{
	struct text text = { head, 0 };
	struct zs_host host = request->host;
	char authority[ZS_HOST_TEXT_SIZE];

	if (host.port == 80)
		host.port = 0;
	zs_host_text(&host, authority);
	add_span(&text, request, request->method);
	add_text(&text, " ");
	if (request->path.len == 0)
		add_text(&text, is_name(request, request->method, "OPTIONS") ? "*" : "/");
	else if (request->raw[request->path.at] == '?')
		add_text(&text, "/");
	add_span(&text, request, request->path);
	add_text(&text, request->parser.http_minor ? " HTTP/1.1\r\nHost: " : " HTTP/1.0\r\nHost: ");
	add_text(&text, authority);
	add_text(&text, "\r\n");
	for (size_t i = 0; i < request->field_count; i++) {
		const struct zs_http_field *field = &request->fields[i];

		if (is_left_out(request, field->name))
			continue;
		add_span(&text, request, field->name);
		add_text(&text, ": ");
		add_span(&text, request, field->value);
		add_text(&text, "\r\n");
	}
	add_text(&text, "Connection: close\r\n\r\n");
	return text.len;
}

size_t zs_http_answer(unsigned code, const char *text, char answer[ZS_HTTP_ANSWER_SIZE])
{
	char line[1024];
	size_t len = 0;
	int written;

	for (; text[len] && len + 1 < sizeof line; len++)
		line[len] = (char)(text[len] >= ' ' && text[len] <= '~' ? text[len] : '?');
	line[len] = '\0';
	written = snprintf(answer, ZS_HTTP_ANSWER_SIZE,
		"HTTP/1.1 %u %s\r\nContent-Type: text/plain\r\nContent-Length: %zu\r\nConnection: close\r\n"
		"X-Zs-Reason: %s\r\n\r\n%s\n",
		code, line, len + 1, line, line);
	return (size_t)written;
}
