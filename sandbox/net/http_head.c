/* Writes a request's head to the server, and an answer to the client. */
#include "net/http_check.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

struct text {
	char *bytes;
	size_t len;
};

static void http_head_add(struct text *text, const char *bytes, size_t len)
{
	memcpy(text->bytes + text->len, bytes, len);
	text->len += len;
}

static void add_text(struct text *text, const char *string)
{
	http_head_add(text, string, strlen(string));
}

static void add_span(struct text *text, const struct zs_http_request *request, struct zs_http_span span)
{
	http_head_add(text, request->raw + span.at, span.len);
}

static bool is_named_by_connection(const struct zs_http_request *request, struct zs_http_span name)
{
	for (size_t i = 0; i < request->field_count; i++) {
		struct zs_http_span list = request->fields[i].value, word;

		if (!zs_http_is(request, request->fields[i].name, "Connection"))
			continue;
		while (zs_http_next_word(request, &list, &word))
			if (word.len == name.len &&
				strncasecmp(request->raw + word.at, request->raw + name.at, name.len) == 0)
				return true;
	}
	return false;
}

/* Transfer-Encoding and Trailer stay: the body passes as it is. */
static bool is_left_out(const struct zs_http_request *request, struct zs_http_span name)
{
	static const char *const names[] = { "Host", "Connection", "Proxy-Connection", "Keep-Alive", "TE", "Upgrade",
		"HTTP2-Settings", "Proxy-Authorization", "Proxy-Authenticate", "Proxy-Authentication-Info" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (zs_http_is(request, name, names[i]))
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
		add_text(&text, zs_http_is(request, request->method, "OPTIONS") ? "*" : "/");
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

static const char *phrase(unsigned code)
{
	switch (code) {
	case 400:
		return "Bad Request";
	case 403:
		return "Forbidden";
	case 405:
		return "Method Not Allowed";
	case 431:
		return "Request Header Fields Too Large";
	case 502:
		return "Bad Gateway";
	case 503:
		return "Service Unavailable";
	case 504:
		return "Gateway Timeout";
	case 505:
		return "HTTP Version Not Supported";
	default:
		return "Error";
	}
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
		code, phrase(code), len + 1, line, line);
	return (size_t)written;
}
