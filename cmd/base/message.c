#include "base/message.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/columns.h"
#include "base/text.h"

/* One character as it is shown. Returns its bytes in text. */
static size_t message_show(const char *text, size_t len, char shown[12], size_t *ret_columns)
{
	uint32_t point = 0;
	size_t step = zs_utf8_decode(text, len, &point);

	if (step == 0)
		snprintf(shown, 12, "\\x%02x", (unsigned)(unsigned char)*text);
	else if (point == '\t')
		strcpy(shown, " ");
	else if (point == '\n')
		strcpy(shown, "\\n");
	else if (zs_is_unseen(point))
		snprintf(shown, 12, point < 0x80 ? "\\x%02x" : "\\u%04x", (unsigned)point);
	else
		snprintf(shown, 12, "%.*s", (int)step, text);
	*ret_columns = step > 1 && !zs_is_unseen(point) ? zs_columns(point) : strlen(shown);
	return step ? step : 1;
}

size_t zs_put_text(FILE *out, const char *text, size_t len)
{
	size_t columns = 0;

	while (len > 0) {
		char shown[12];
		size_t wide, step = message_show(text, len, shown, &wide);

		fputs(shown, out);
		columns += wide;
		text += step;
		len -= step;
	}
	return columns;
}

size_t zs_put_quoted(FILE *out, const char *text, size_t len)
{
	size_t columns = 2;

	fputc('"', out);
	while (len > 0) {
		size_t plain = 0;

		while (plain < len && text[plain] != '"' && text[plain] != '\\' && text[plain] != '\t')
			plain++;
		columns += zs_put_text(out, text, plain);
		text += plain;
		len -= plain;
		if (len > 0) {
			fprintf(out, "\\%c", *text == '\t' ? 't' : *text);
			columns += 2;
			text++;
			len--;
		}
	}
	fputc('"', out);
	return columns;
}

size_t zs_put_value(FILE *out, const char *text)
{
	size_t len = strlen(text), done = 0, step = 1;

	while (done < len && step) {
		uint32_t point = 0;

		step = zs_utf8_decode(text + done, len - done, &point);
		if (zs_is_unseen(point) || strchr(" \"\\", (int)text[done]))
			break;
		done += step;
	}
	return done == len && len ? zs_put_text(out, text, len) : zs_put_quoted(out, text, len);
}

const char *zs_shell_word(const char *path, char word[ZS_SHELL_WORD_BYTES])
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_/.,:@%+=-";
	char *at = word, *end = word + ZS_SHELL_WORD_BYTES - 6; /* of one more, the last quote and the NUL */
	bool quote = !*path || path[strspn(path, plain)];

	if (quote)
		*at++ = '\'';
	for (; *path && at < end; path++) {
		if (*path == '\'')
			at = stpcpy(at, "'\\'");
		*at++ = *path;
	}
	if (quote)
		*at++ = '\'';
	*at = '\0';
	return word;
}

size_t zs_fit_text(const char *text, size_t len, size_t columns)
{
	size_t fits = 0;

	while (fits < len) {
		char shown[12];
		size_t wide, step = message_show(text + fits, len - fits, shown, &wide);

		if (wide > columns)
			break;
		columns -= wide;
		fits += step;
	}
	return fits;
}

bool zs_wants_colour(FILE *out)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM"); /* https://no-color.org */

	return isatty(fileno(out)) && !(no_color && *no_color) && term && strcmp(term, "dumb") != 0;
}

/* "zs:", by which a person finds the lines that are not the command's. */
static void put_name(void)
{
	fputs(zs_wants_colour(stderr) ? "\033[1;31mzs:\033[0m" : "zs:", stderr);
}

void zs_complain(const char *format, ...)
{
	char line[8192]; /* a path may have 4095 bytes */
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof line, format, args);
	va_end(args);
	put_name();
	fputc(' ', stderr);
	zs_put_text(stderr, line, strlen(line));
	fputc('\n', stderr);
}

void zs_complain_error(const struct zs_error *error)
{
	char line[8192];

	zs_error_format(error, line, sizeof line);
	put_name();
	fprintf(stderr, "%s\n", line + strlen("zs:"));
}

void zs_complain_errno(const char *step, const char *object, int cause)
{
	struct zs_error error = { .step = step, .cause = abs(cause) };

	snprintf(error.object, sizeof error.object, "%s", object);
	zs_complain_error(&error);
}
