/* Requests that a proxy must not believe: each is a way to say one thing to it and another to the server behind it. */
#include "net/http_check.h"

#include <string.h>
#include <strings.h>

static const struct zs_http_span none = { 0, 0 };

enum zs_http_status zs_http_bad(struct zs_http_request *request, uint16_t code, const char *problem)
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
	return zs_http_bad(request, 400, problem);
}

const char *zs_http_problem(llhttp_errno_t error)
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

bool zs_http_is(const struct zs_http_request *request, struct zs_http_span span, const char *name)
{
	return strlen(name) == span.len && strncasecmp(request->raw + span.at, name, span.len) == 0;
}

static bool http_check_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static struct zs_http_span trim(const struct zs_http_request *request, struct zs_http_span span)
{
	while (span.len > 0 && http_check_is_blank(request->raw[span.at])) {
		span.at++;
		span.len--;
	}
	while (span.len > 0 && http_check_is_blank(request->raw[span.at + span.len - 1]))
		span.len--;
	return span;
}

bool zs_http_next_word(const struct zs_http_request *request, struct zs_http_span *list, struct zs_http_span *ret_word)
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

/* How often is the field there? ret_value: of the last one. */
static unsigned http_check_find(const struct zs_http_request *request, const char *name, struct zs_http_span *ret_value)
{
	unsigned count = 0;

	for (size_t i = 0; i < request->field_count; i++)
		if (zs_http_is(request, request->fields[i].name, name)) {
			*ret_value = trim(request, request->fields[i].value);
			count++;
		}
	return count;
}

/* Fields that Connection may not name: without these it would be another request. */
static bool check_connection(struct zs_http_request *request)
{
	static const char *const kept[] = { "Host", "Content-Length", "Transfer-Encoding", "Trailer" };
	unsigned words = 0;

	for (size_t i = 0; i < request->field_count; i++) {
		struct zs_http_span list = request->fields[i].value, word;

		if (!zs_http_is(request, request->fields[i].name, "Connection"))
			continue;
		while (zs_http_next_word(request, &list, &word)) {
			if (++words > ZS_HTTP_CONNECTION_MAX) {
				zs_http_bad(request, 431, "has a Connection field of more than 32 words");
				return false;
			}
			for (size_t j = 0; j < sizeof kept / sizeof *kept; j++)
				if (zs_http_is(request, word, kept[j])) {
					bad_text(request, word, "is named by Connection, and must stay");
					return false;
				}
		}
	}
	return true;
}

/* How long the body is must be said once, and so that everybody understands it alike. */
static bool check_length(struct zs_http_request *request)
{
	struct zs_http_span value = none;
	unsigned lengths = http_check_find(request, "Content-Length", &value), codings;

	codings = http_check_find(request, "Transfer-Encoding", &value);
	/* llhttp refuses two lengths, and a length with chunks. */
	if (codings > 1 ||
		(codings && (!zs_http_is(request, value, "chunked") || !(request->parser.flags & F_CHUNKED) ||
				    request->parser.http_minor == 0))) {
		zs_http_bad(request, 400, zs_http_problem(HPE_INVALID_TRANSFER_ENCODING));
		return false;
	}
	if (request->connect && lengths + codings > 0) {
		zs_http_bad(request, 400, "is CONNECT with a body");
		return false;
	}
	return true;
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
			return zs_http_bad(request, 405, "is CONNECT, to a server that is no proxy");
		if (read_host(request, target, &request->host) == ZS_HTTP_BAD)
			return ZS_HTTP_BAD;
		return request->host.port ? ZS_HTTP_HEAD
					  : bad_text(request, target, "has no port; CONNECT asks for HOST:PORT");
	}
	if (request->place == ZS_HTTP_PROXY)
		return read_absolute(request);
	request->path = target;
	if (target.len == 0 || (*text != '/' && !zs_http_is(request, target, "*")))
		return bad_text(request, target, "is not what a server is asked for: a path");
	return ZS_HTTP_HEAD;
}

/* There is one Host, and it says what the target says. */
static enum zs_http_status check_host(struct zs_http_request *request)
{
	struct zs_http_span value = none;
	unsigned count = http_check_find(request, "Host", &value);
	uint16_t normal = request->connect ? request->host.port : 80;
	struct zs_host host;

	if (count > 1)
		return zs_http_bad(request, 400, "has more than one Host field");
	/* Before 1.1 there was none; with CONNECT some clients send none. */
	if (count == 0 && request->place == ZS_HTTP_PROXY && (request->connect || request->parser.http_minor == 0))
		return ZS_HTTP_HEAD;
	if (count == 0)
		return zs_http_bad(request, 400, "has no Host field");
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

enum zs_http_status zs_http_check(struct zs_http_request *request)
{
	request->connect = zs_http_is(request, request->method, "CONNECT");
	if (request->parser.http_major != 1)
		return zs_http_bad(request, 505, zs_http_problem(HPE_INVALID_VERSION));
	if (!check_connection(request) || !check_length(request) || read_target(request) == ZS_HTTP_BAD)
		return ZS_HTTP_BAD;
	if (request->host.port == 0)
		request->host.port = 80;
	return check_host(request);
}
