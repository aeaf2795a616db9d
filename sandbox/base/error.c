/* Errors: step, object, cause and hint, and the one line that they make. */
#include "base/error.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

int zs_error_errno(struct zs_error *error, const char *step, const char *object, int cause)
{
	/* A failure without a cause must not pass for success. It can come from a call that "always succeeds", and sets
	 * no errno. */
	if (cause <= 0)
		cause = EIO;
	if (!error)
		return -cause;
	*error = (struct zs_error){ .step = step, .cause = cause };
	snprintf(error->object, sizeof error->object, "%s", object ? object : "");
	return -cause;
}

int zs_error_say(struct zs_error *error, const char *step, const char *object, int cause, const char *format, ...)
{
	int r = zs_error_errno(error, step, object, cause);
	va_list args;

	if (!error)
		return r;
	va_start(args, format);
	vsnprintf(error->what, sizeof error->what, format, args);
	va_end(args);
	return r;
}

int zs_error_hint(struct zs_error *error, int result, const char *format, ...)
{
	va_list args;

	if (!error)
		return result;
	va_start(args, format);
	vsnprintf(error->hint, sizeof error->hint, format, args);
	va_end(args);
	return result;
}

struct line {
	char *buffer;
	size_t size, len;
};

static void error_put(struct line *line, char c)
{
	if (line->len + 1 < line->size)
		line->buffer[line->len] = c;
	line->len++;
}

static void put_byte(struct line *line, unsigned char byte)
{
	static const char hex[] = "0123456789abcdef";

	error_put(line, '\\');
	error_put(line, 'x');
	error_put(line, hex[byte >> 4]);
	error_put(line, hex[byte & 15]);
}

/* A model may have invented the path: no byte of it may reach a terminal or a log as a control character, or change the
 * text's direction. Other characters pass, since paths are UTF-8 in many languages. */
static void put_text(struct line *line, const char *text)
{
	size_t left = strlen(text);

	while (left > 0) {
		uint32_t point = 0;
		size_t len = zs_utf8_decode(text, left, &point);
		bool shown = len > 0 && !zs_is_unseen(point);

		if (len == 0)
			len = 1;
		for (size_t i = 0; i < len; i++) {
			if (shown)
				error_put(line, text[i]);
			else
				put_byte(line, (unsigned char)text[i]);
		}
		text += len;
		left -= len;
	}
}

/* "No such file or directory" reads better after a colon without its capital. */
static void put_cause(struct line *line, int cause)
{
	const char *text = strerror(cause);

	if (text[0] >= 'A' && text[0] <= 'Z' && !(text[1] >= 'A' && text[1] <= 'Z')) {
		error_put(line, (char)(text[0] - 'A' + 'a'));
		text++;
	}
	put_text(line, text);
}

size_t zs_error_format(const struct zs_error *error, char *buffer, size_t size)
{
	struct line line = { buffer, size, 0 };

	put_text(&line, "zs: ");
	if (error->step) {
		put_text(&line, error->step);
		put_text(&line, ": ");
	}
	if (error->object[0]) {
		put_text(&line, error->object);
		put_text(&line, ": ");
	}
	if (error->what[0])
		put_text(&line, error->what);
	else
		put_cause(&line, error->cause);
	if (error->hint[0]) {
		put_text(&line, "; ");
		put_text(&line, error->hint);
	}
	if (size)
		buffer[line.len < size ? line.len : size - 1] = '\0';
	return line.len;
}

/* Cuts off the part of a line that does not fit. */
static void write_line(int fd, char *line, size_t size, size_t len)
{
	if (len > size - 1)
		len = size - 1;
	line[len++] = '\n';
	if (write(fd, line, len) < 0) {
		/* Nobody reads the line. The exit status still tells of a failure. */
	}
}

void zs_error_write(int fd, const struct zs_error *error)
{
	char line[1536];

	write_line(fd, line, sizeof line, zs_error_format(error, line, sizeof line));
}

void zs_error_write_last(int fd, const struct zs_error *error)
{
	/* If the reader has gone, SIGPIPE must not replace the exit status. */
	signal(SIGPIPE, SIG_IGN);
	/* SIGXFSZ must not either, if a log is as large as the policy allows. */
	signal(SIGXFSZ, SIG_IGN);
	zs_error_write(fd, error);
}

void zs_notice(const char *format, ...)
{
	char line[1024];
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(line, sizeof line, format, args);
	va_end(args);
	write_line(STDERR_FILENO, line, sizeof line, (size_t)len);
}
