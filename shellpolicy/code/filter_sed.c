/* Reads sed's script grammar as GNU sed does (sed/compile.c, 4.2 to 4.9), to find what writes and what executes.
 *
 * sed opens the files of `w` while it still compiles the script, so a script with a syntax error can truncate a file
 * too: everything that GNU sed would refuse is UNKNOWN here, and where versions disagree about where a command ends,
 * the answer is UNKNOWN as well.
 */
#include "code/filter.h"
#include "code/filter_text.h"

struct sed_reader {
	const char *text;
	size_t len;
	size_t pos;
	size_t open_blocks;
	struct zs_filter found; /* set by settle(), read when a reading function returned false */
};

static int filter_sed_peek(const struct sed_reader *r)
{
	return r->pos < r->len ? (unsigned char)r->text[r->pos] : END;
}

static int take(struct sed_reader *r)
{
	int c = filter_sed_peek(r);

	if (c != END)
		r->pos++;
	return c;
}

static bool settle(struct sed_reader *r, enum zs_filter_effect effect, size_t at)
{
	r->found = (struct zs_filter){ .effect = effect, .at = at };
	return false;
}

static bool filter_sed_unknown(struct sed_reader *r)
{
	return settle(r, ZS_FILTER_UNKNOWN, r->pos);
}

static void skip_set(struct sed_reader *r, const char *set)
{
	while (is_one_of(filter_sed_peek(r), set))
		r->pos++;
}

static void filter_sed_skip_blanks(struct sed_reader *r)
{
	skip_set(r, " \t");
}

static bool skip_digits(struct sed_reader *r)
{
	size_t start = r->pos;

	skip_set(r, "0123456789");
	return r->pos > start;
}

static void skip_line(struct sed_reader *r)
{
	while (filter_sed_peek(r) != END && filter_sed_peek(r) != '\n')
		r->pos++;
}

static bool read_end(struct sed_reader *r)
{
	filter_sed_skip_blanks(r);
	if (is_one_of(filter_sed_peek(r), ";\n"))
		return take(r) != END;
	return filter_sed_peek(r) == END || is_one_of(filter_sed_peek(r), "}#") || filter_sed_unknown(r);
}

/* After `[`: up to and with the `]` that closes it; a delimiter in here is an ordinary character. */
static bool read_bracket(struct sed_reader *r)
{
	r->pos += filter_sed_peek(r) == '^';
	r->pos += filter_sed_peek(r) == ']';
	for (;;) {
		int c = take(r);

		if (c == ']')
			return true;
		if (c == END || c == '\n')
			return filter_sed_unknown(r);
		if (c == '[' && is_one_of(filter_sed_peek(r), ".:=")) {
			c = take(r);
			while (is_letter(filter_sed_peek(r)))
				r->pos++;
			if (take(r) != c || take(r) != ']')
				return filter_sed_unknown(r);
		}
	}
}

/* Up to and with the delimiter: match_slash(). `\cX` is one escape for sed 4.9 and two characters for 4.8, which
 * matters when X means something. */
static bool read_delimited(struct sed_reader *r, int delimiter, bool regex)
{
	for (int c = take(r); c != delimiter; c = take(r)) {
		bool escapes = c == '\\';

		if (escapes)
			c = take(r);
		if (c == END || (c == '\n' && !escapes))
			return filter_sed_unknown(r);
		if (escapes && regex && c == 'c' &&
			(filter_sed_peek(r) == END || filter_sed_peek(r) == delimiter ||
				is_one_of(filter_sed_peek(r), "\\[\n")))
			return filter_sed_unknown(r);
		if (!escapes && c == '[' && regex && !read_bracket(r))
			return false;
	}
	return true;
}

static bool read_delimiter(struct sed_reader *r, int *ret_delimiter)
{
	int c = take(r);

	if (c == END || c == '\n' || c == '\\' || c >= 0x80)
		return filter_sed_unknown(r);
	*ret_delimiter = c;
	return true;
}

static bool read_address_regex(struct sed_reader *r)
{
	int delimiter = '/';

	if (take(r) == '\\' && !read_delimiter(r, &delimiter))
		return false;
	if (!read_delimited(r, delimiter, true))
		return false;
	skip_set(r, "IM \t");
	return true;
}

/* Reads one address, if there is one. +N and ~N stand only after a comma. */
static bool read_address(struct sed_reader *r, bool second, bool *ret_present)
{
	int c = filter_sed_peek(r);

	*ret_present = true;
	if (c == '/' || c == '\\')
		return read_address_regex(r);
	if (c == '$') {
		r->pos++;
	} else if (is_digit(c)) {
		skip_set(r, "0123456789");
		filter_sed_skip_blanks(r);
		if (filter_sed_peek(r) == '~') {
			r->pos++;
			skip_set(r, " \t");
			skip_set(r, "0123456789");
		}
	} else if (second && (c == '+' || c == '~')) {
		r->pos++;
		filter_sed_skip_blanks(r);
		if (!skip_digits(r))
			return filter_sed_unknown(r);
	} else {
		*ret_present = false;
	}
	return true;
}

static bool read_addresses(struct sed_reader *r, bool *ret_present)
{
	bool second;

	if (!read_address(r, false, ret_present))
		return false;
	filter_sed_skip_blanks(r);
	if (*ret_present && filter_sed_peek(r) == ',') {
		r->pos++;
		filter_sed_skip_blanks(r);
		if (!read_address(r, true, &second))
			return false;
		if (!second)
			return filter_sed_unknown(r);
		filter_sed_skip_blanks(r);
	}
	if (filter_sed_peek(r) == '!') {
		*ret_present = true;
		r->pos++;
		filter_sed_skip_blanks(r);
	}
	return true;
}

/* A blank ends a label too, and then the next command may follow at once. sed 4.2 reads `}` and `#` as part of the
 * label: a comment that follows at once would not be one. */
static bool read_label(struct sed_reader *r, bool required)
{
	size_t start;

	filter_sed_skip_blanks(r);
	start = r->pos;
	while (filter_sed_peek(r) != END && !is_one_of(filter_sed_peek(r), " \t\r\v\f\n;}#"))
		r->pos++;
	if ((required && r->pos == start) || is_one_of(filter_sed_peek(r), "\r\v\f"))
		return filter_sed_unknown(r);
	if (filter_sed_peek(r) == '#' ||
		(filter_sed_peek(r) == '}' && r->pos + 1 < r->len && r->text[r->pos + 1] == '#'))
		return filter_sed_unknown(r);
	return true;
}

/* After `a\`: a newline, or the text itself, where versions disagree on what a backslash does to the end of the line.
 */
static bool read_text_start(struct sed_reader *r)
{
	size_t start = r->pos;

	filter_sed_skip_blanks(r);
	skip_set(r, "\\");
	if (filter_sed_peek(r) != '\n')
		return r->pos == start || filter_sed_peek(r) != END || filter_sed_unknown(r);
	if (r->pos > start)
		return filter_sed_unknown(r);
	r->pos++;
	return true;
}

/* Text runs to the first newline that no backslash precedes. In the `a\` form it starts on the next line. */
static bool filter_sed_read_text(struct sed_reader *r)
{
	filter_sed_skip_blanks(r);
	if (filter_sed_peek(r) == END || filter_sed_peek(r) == '\n')
		return filter_sed_unknown(r);
	if (filter_sed_peek(r) == '\\') {
		r->pos++;
		if (!read_text_start(r))
			return false;
	}
	for (int c = take(r); c != END && c != '\n'; c = take(r))
		if (c == '\\')
			take(r);
	return true;
}

/* The rest of the line: read_filename(). */
static bool read_file_name(struct sed_reader *r, bool writes)
{
	size_t at, len;

	filter_sed_skip_blanks(r);
	at = r->pos;
	skip_line(r);
	len = r->pos - at;
	if (!len)
		return filter_sed_unknown(r);
	if (!writes || zs_filter_is_harmless_file(r->text + at, len))
		return true;
	settle(r, ZS_FILTER_WRITES, at);
	r->found.object = r->text + at;
	r->found.object_len = len;
	return false;
}

static bool read_subst_flags(struct sed_reader *r)
{
	skip_set(r, "gpiImM0123456789 \t");
	if (filter_sed_peek(r) == 'e')
		return settle(r, ZS_FILTER_EXECUTES, r->pos);
	if (filter_sed_peek(r) != 'w')
		return read_end(r);
	r->pos++;
	return read_file_name(r, true);
}

static bool read_two_parts(struct sed_reader *r, bool regex)
{
	int delimiter;

	return read_delimiter(r, &delimiter) && read_delimited(r, delimiter, regex) &&
	       read_delimited(r, delimiter, false);
}

static bool read_command(struct sed_reader *r)
{
	bool has_address;
	int letter;

	if (!read_addresses(r, &has_address))
		return false;
	letter = filter_sed_peek(r);
	if (has_address && is_one_of(letter, ":}#"))
		return filter_sed_unknown(r);
	r->pos++;
	switch (letter) {
	case '{':
		r->open_blocks++;
		return true;
	case '}':
		return r->open_blocks-- ? read_end(r) : filter_sed_unknown(r);
	case '#':
		skip_line(r);
		return true;
	case ':':
	case 'b':
	case 't':
	case 'T':
	case 'v':
		return read_label(r, letter == ':');
	case 'a':
	case 'i':
	case 'c':
		return filter_sed_read_text(r);
	case 'r':
	case 'R':
	case 'w':
	case 'W':
		return read_file_name(r, is_one_of(letter, "wW"));
	case 'e':
		return settle(r, ZS_FILTER_EXECUTES, r->pos - 1);
	case 's':
		return read_two_parts(r, true) && read_subst_flags(r);
	case 'y':
		return read_two_parts(r, false) && read_end(r);
	case 'l':
	case 'L':
	case 'q':
	case 'Q':
		filter_sed_skip_blanks(r);
		skip_digits(r);
		return read_end(r);
	default:
		if (is_one_of(letter, "=dDFgGhHnNpPxz"))
			return read_end(r);
		r->pos--;
		return filter_sed_unknown(r);
	}
}

struct zs_filter zs_filter_sed(const char *program, size_t len)
{
	struct sed_reader r = { .text = program, .len = len };

	for (;;) {
		while (is_one_of(filter_sed_peek(&r), "; \t\n\v\f\r"))
			r.pos++;
		if (filter_sed_peek(&r) == END)
			break;
		if (!read_command(&r))
			return r.found;
	}
	if (r.open_blocks)
		filter_sed_unknown(&r);
	else
		settle(&r, ZS_FILTER_PLAIN, 0);
	return r.found;
}
