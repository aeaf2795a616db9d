#include "proxy/proxy_report.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"

enum { TEXT_MAX = 256 }; /* the most bytes of a name that are shown */

struct text {
	char *at;
	size_t size, len;
};

__attribute__((format(printf, 2, 3))) static void add(struct text *text, const char *format, ...)
{
	va_list arguments;
	int len;

	va_start(arguments, format);
	len = vsnprintf(text->at + text->len, text->size - text->len, format, arguments);
	va_end(arguments);
	text->len += (size_t)len;
	if (text->len >= text->size)
		text->len = text->size - 1;
}

/* Names are ASCII, but a command may give any bytes as a name. */
static void add_string(struct text *text, const char *name, const char *value)
{
	add(text, ",\"%s\":\"", name);
	for (size_t i = 0; value[i] && i < TEXT_MAX; i++) {
		unsigned char byte = (unsigned char)value[i];

		if (byte < ' ' || byte > '~' || byte == '"' || byte == '\\')
			add(text, "\\u%04x", byte);
		else
			add(text, "%c", byte);
	}
	add(text, "\"");
}

size_t zs_proxy_line_format(const struct zs_proxy_line *line, int64_t unix_ms, char *buffer, size_t size)
{
	struct text text = { buffer, size - 1, 0 };
	time_t seconds = (time_t)(unix_ms / 1000);
	struct tm utc = { 0 };
	char time[32];

	gmtime_r(&seconds, &utc);
	strftime(time, sizeof time, "%Y-%m-%dT%H:%M:%S", &utc);
	add(&text, "{\"time\":\"%s.%03dZ\",\"event\":\"%s\",\"via\":\"%s\"", time, (int)(unix_ms % 1000), line->event,
		line->via);
	if (line->host)
		add_string(&text, "host", line->host);
	if (line->port)
		add(&text, ",\"port\":%u", line->port);
	if (line->address && *line->address)
		add_string(&text, "address", line->address);
	add(&text, ",\"allowed\":%s", line->allowed ? "true" : "false");
	if (line->sni)
		add_string(&text, "sni", line->sni);
	if (line->reason)
		add_string(&text, "reason", line->reason);
	if (line->ms >= 0)
		add(&text, ",\"sent\":%llu,\"received\":%llu,\"ms\":%lld", (unsigned long long)line->sent,
			(unsigned long long)line->received, (long long)line->ms);
	add(&text, "}");
	buffer[text.len++] = '\n';
	return text.len;
}

/* man 7 pipe: a pipe that can be written has room for PIPE_BUF bytes, and a line is shorter. */
static bool has_room(int fd, int run)
{
	struct pollfd events[] = { { fd, POLLOUT, 0 }, { run, POLLIN, 0 } };

	while (poll(events, ZS_COUNT(events), -1) < 0 && errno == EINTR) {
	}
	while (!events[0].revents && poll(events, 1, ZS_PROXY_LAST_LINES_MS) < 0 && errno == EINTR) {
	}
	return events[0].revents;
}

static bool put(struct zs_proxy_report *report, const struct zs_proxy_line *line)
{
	char text[ZS_PROXY_LINE_MAX];
	struct timespec now = { 0 };
	size_t len;

	clock_gettime(CLOCK_REALTIME, &now);
	len = zs_proxy_line_format(line, (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000, text, sizeof text);
	report->written += len;
	/* One call, so that lines do not mix with those of other writers. */
	return write(report->fd, text, len) == (ssize_t)len;
}

bool zs_proxy_report(struct zs_proxy_report *report, int run, const struct zs_proxy_line *line)
{
	static const struct zs_proxy_line full = {
		.event = "end", .via = "proxy", .reason = "the report has 64 MiB; no host is reached any more", .ms = -1
	};

	if (report->fd >= 0 && !has_room(report->fd, run))
		report->fd = -1;
	if (report->fd < 0)
		return true;
	if (report->written <= ZS_PROXY_REPORT_MAX - 2 * ZS_PROXY_LINE_MAX)
		return put(report, line);
	put(report, &full);
	return false;
}
