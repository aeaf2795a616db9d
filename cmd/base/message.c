#include "base/message.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

/* Both ends are included. */
struct range {
	uint32_t from, to;
};

/* EastAsianWidth.txt of Unicode 14, classes W and F. A range may include unassigned code points. */
static const struct range wide_ranges[] = { { 0x1100, 0x115f }, { 0x231a, 0x231b }, { 0x2329, 0x232a },
	{ 0x23e9, 0x23ec }, { 0x23f0, 0x23f0 }, { 0x23f3, 0x23f3 }, { 0x25fd, 0x25fe }, { 0x2614, 0x2615 },
	{ 0x2648, 0x2653 }, { 0x267f, 0x267f }, { 0x2693, 0x2693 }, { 0x26a1, 0x26a1 }, { 0x26aa, 0x26ab },
	{ 0x26bd, 0x26be }, { 0x26c4, 0x26c5 }, { 0x26ce, 0x26ce }, { 0x26d4, 0x26d4 }, { 0x26ea, 0x26ea },
	{ 0x26f2, 0x26f3 }, { 0x26f5, 0x26f5 }, { 0x26fa, 0x26fa }, { 0x26fd, 0x26fd }, { 0x2705, 0x2705 },
	{ 0x270a, 0x270b }, { 0x2728, 0x2728 }, { 0x274c, 0x274c }, { 0x274e, 0x274e }, { 0x2753, 0x2755 },
	{ 0x2757, 0x2757 }, { 0x2795, 0x2797 }, { 0x27b0, 0x27b0 }, { 0x27bf, 0x27bf }, { 0x2b1b, 0x2b1c },
	{ 0x2b50, 0x2b50 }, { 0x2b55, 0x2b55 }, { 0x2e80, 0x303e }, { 0x3041, 0x3247 }, { 0x3250, 0x4dbf },
	{ 0x4e00, 0xa4c6 }, { 0xa960, 0xa97c }, { 0xac00, 0xd7a3 }, { 0xf900, 0xfad9 }, { 0xfe10, 0xfe19 },
	{ 0xfe30, 0xfe6b }, { 0xff01, 0xff60 }, { 0xffe0, 0xffe6 }, { 0x16fe0, 0x1b2fb }, { 0x1f004, 0x1f004 },
	{ 0x1f0cf, 0x1f0cf }, { 0x1f18e, 0x1f18e }, { 0x1f191, 0x1f19a }, { 0x1f200, 0x1f320 }, { 0x1f32d, 0x1f335 },
	{ 0x1f337, 0x1f37c }, { 0x1f37e, 0x1f393 }, { 0x1f3a0, 0x1f3ca }, { 0x1f3cf, 0x1f3d3 }, { 0x1f3e0, 0x1f3f0 },
	{ 0x1f3f4, 0x1f3f4 }, { 0x1f3f8, 0x1f43e }, { 0x1f440, 0x1f440 }, { 0x1f442, 0x1f4fc }, { 0x1f4ff, 0x1f53d },
	{ 0x1f54b, 0x1f54e }, { 0x1f550, 0x1f567 }, { 0x1f57a, 0x1f57a }, { 0x1f595, 0x1f596 }, { 0x1f5a4, 0x1f5a4 },
	{ 0x1f5fb, 0x1f64f }, { 0x1f680, 0x1f6c5 }, { 0x1f6cc, 0x1f6cc }, { 0x1f6d0, 0x1f6d2 }, { 0x1f6d5, 0x1f6df },
	{ 0x1f6eb, 0x1f6ec }, { 0x1f6f4, 0x1f6fc }, { 0x1f7e0, 0x1f7f0 }, { 0x1f90c, 0x1f93a }, { 0x1f93c, 0x1f945 },
	{ 0x1f947, 0x1f9ff }, { 0x1fa70, 0x1faf6 }, { 0x20000, 0x3134a } };

/* The blocks of combining marks. Marks of other blocks count as one column here, so carets may be off by that. */
static const struct range combining_ranges[] = { { 0x300, 0x36f }, { 0x1ab0, 0x1aff }, { 0x1dc0, 0x1dff },
	{ 0x20d0, 0x20ff }, { 0x3099, 0x309a }, { 0xfe20, 0xfe2f } };

static bool is_in_ranges(const struct range *ranges, size_t count, uint32_t point)
{
	for (size_t i = 0; i < count; i++)
		if (point >= ranges[i].from && point <= ranges[i].to)
			return true;
	return false;
}

/* Returns the columns that a terminal needs for a character: 0, 1 or 2. wcwidth(3) would depend on the locale. */
static size_t message_columns(uint32_t point)
{
	if (is_in_ranges(combining_ranges, sizeof combining_ranges / sizeof *combining_ranges, point))
		return 0;
	return is_in_ranges(wide_ranges, sizeof wide_ranges / sizeof *wide_ranges, point) ? 2 : 1;
}

/* Makes one character fit to show. Returns how many bytes of text it has. */
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
	*ret_columns = step > 1 && !zs_is_unseen(point) ? message_columns(point) : strlen(shown);
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

void zs_put_lines(FILE *out, const char *text, size_t len)
{
	while (len > 0) {
		const char *newline = memchr(text, '\n', len);
		size_t line = newline ? (size_t)(newline - text) : len;

		zs_put_text(out, text, line);
		fputc('\n', out);
		line += newline != NULL;
		text += line;
		len -= line;
	}
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

/* Prints "zs:", which tells zs's lines from the command's. */
static void put_name(void)
{
	fputs(zs_wants_colour(stderr) ? "\033[1;31mzs:\033[0m" : "zs:", stderr);
}

static void put_line(FILE *out, const char *format, va_list args)
{
	char line[8192]; /* a path may have 4095 bytes */

	vsnprintf(line, sizeof line, format, args);
	zs_put_text(out, line, strlen(line));
	fputc('\n', out);
}

void zs_tell(FILE *out, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	put_line(out, format, args);
	va_end(args);
}

void zs_complain(const char *format, ...)
{
	va_list args;

	put_name();
	fputc(' ', stderr);
	va_start(args, format);
	put_line(stderr, format, args);
	va_end(args);
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

int zs_fail(int result, const char *format, ...)
{
	va_list args;

	put_name();
	fputc(' ', stderr);
	va_start(args, format);
	put_line(stderr, format, args);
	va_end(args);
	return result;
}

int zs_fail_errno(int result, const char *step, const char *object, int cause)
{
	zs_complain_errno(step, object, cause);
	return result;
}

int zs_fail_error(int exit_code, const struct zs_error *error)
{
	bool nobodys = error->cause == ENOMEM || error->cause == EMFILE || error->cause == ENFILE;

	zs_complain_error(error);
	return nobodys ? ZS_EXIT_CANNOT_ENFORCE : exit_code;
}

void zs_print_processes(int count)
{
	if (count < 0)
		puts("hidden processes");
	else
		printf("%d %s\n", count, count == 1 ? "process" : "processes");
}
