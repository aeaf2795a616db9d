#include "git/git_config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"

/* Git's own classes of characters, which no locale changes (git's ctype.c). */
static bool git_config_is_blank(int c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_letter(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_key(int c)
{
	return is_letter(c) || (c >= '0' && c <= '9') || c == '-';
}

static char lower(int c)
{
	return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

/* No text is longer than the file, so each buffer is allocated once. */
struct reader {
	const unsigned char *at, *end;
	bool ended; /* the end of the file has been read, as a newline */
	unsigned line;
	char *name, *value, *older, *pieces;
	size_t name_len, stem; /* stem: the length of the section's part of the name, with its dot */
	bool valued, bad;
	zs_git_config_entry *each;
	void *arg;
};

/* Returns the next character; a newline for "\r\n" and for the end of the file. */
static int next(struct reader *reader)
{
	int c;

	if (reader->at == reader->end) {
		reader->ended = true;
		reader->line++;
		return '\n';
	}
	c = *reader->at++;
	if (c == '\r' && reader->at < reader->end && *reader->at == '\n')
		c = *reader->at++;
	if (c == '\n')
		reader->line++;
	return c;
}

static void git_config_add_name(struct reader *reader, int c)
{
	reader->name[reader->name_len++] = (char)c;
}

/* Notes that the line that has just ended is the bad one. */
static bool refuse_line(struct reader *reader)
{
	reader->line--;
	return false;
}

/* Reads on after the section's name: [section "subsection"]. */
static bool read_subsection(struct reader *reader, int c)
{
	while (git_config_is_blank(c)) {
		if (c == '\n')
			return refuse_line(reader);
		c = next(reader);
	}
	if (c != '"')
		return false;
	git_config_add_name(reader, '.');
	while ((c = next(reader)) != '"') {
		if (c == '\\')
			c = next(reader);
		if (c == '\n')
			return refuse_line(reader);
		git_config_add_name(reader, c);
	}
	return next(reader) == ']';
}

/* Reads on after "[". [section.subsection] is an old spelling, whose case does not count. */
static bool read_section(struct reader *reader)
{
	int c;

	reader->name_len = 0;
	while ((c = next(reader)) != ']') {
		if (reader->ended)
			return false;
		if (git_config_is_blank(c)) {
			if (!read_subsection(reader, c))
				return false;
			break;
		}
		if (!is_key(c) && c != '.')
			return false;
		git_config_add_name(reader, lower(c));
	}
	if (reader->name_len == 0)
		return false;
	git_config_add_name(reader, '.');
	reader->stem = reader->name_len;
	return true;
}

/* Returns the character that a letter after a backslash stands for; -1: git knows no such letter. */
static int unescape(int c)
{
	switch (c) {
	case 't':
		return '\t';
	case 'b':
		return '\b';
	case 'n':
		return '\n';
	case '\\':
	case '"':
		return c;
	default:
		return -1;
	}
}

/* Reads on after "=". Blanks at both ends do not count unless they are quoted. Before git 2.45 a blank between words
 * was read as a space; since then it stays as it is. */
static bool read_value(struct reader *reader)
{
	bool quoted = false, comment = false;
	size_t len = 0, kept = 0; /* kept: the length without the blanks at the end */
	int c;

	for (;;) {
		c = next(reader);
		if (c == '\n')
			break;
		if (comment)
			continue;
		if (git_config_is_blank(c) && !quoted) {
			if (len > 0) {
				reader->older[len] = ' ';
				reader->value[len++] = (char)c;
			}
			continue;
		}
		if (!quoted && (c == ';' || c == '#')) {
			comment = true;
			continue;
		}
		kept = len;
		if (c == '"') {
			quoted = !quoted;
			continue;
		}
		if (c == '\\') {
			c = next(reader);
			if (c == '\n')
				continue;
			c = unescape(c);
			if (c < 0)
				return false;
		}
		reader->older[len] = reader->value[len] = (char)c;
		kept = ++len;
	}
	if (quoted)
		return refuse_line(reader);
	reader->older[kept] = reader->value[kept] = '\0';
	return true;
}

/* Splits a copy of the name: "a.b.c.d" is section "a", subsection "b.c", key "d". */
static void split(struct reader *reader, struct zs_git_entry *entry)
{
	char *first, *last;

	memcpy(reader->pieces, reader->name, strlen(reader->name) + 1);
	first = strchr(reader->pieces, '.');
	last = strrchr(reader->pieces, '.');
	entry->section = first ? reader->pieces : "";
	entry->key = last ? last + 1 : reader->pieces;
	entry->subsection = first && first < last ? first + 1 : NULL;
	if (first)
		*first = *last = '\0';
}

static int hand_on(struct reader *reader)
{
	struct zs_git_entry entry = { .name = reader->name, .line = reader->line - 1 };

	split(reader, &entry);
	if (reader->valued) {
		entry.value = reader->value;
		entry.older = reader->older;
	}
	return reader->each(&entry, reader->arg);
}

/* Reads a key and its value; c is the key's first letter. */
static bool read_entry(struct reader *reader, int c)
{
	reader->name_len = reader->stem;
	do {
		git_config_add_name(reader, lower(c));
		c = next(reader);
	} while (!reader->ended && is_key(c));
	reader->name[reader->name_len] = '\0';
	while (c == ' ' || c == '\t')
		c = next(reader);
	reader->valued = c == '=';
	return c == '\n' || (c == '=' && read_value(reader));
}

/* False: git cannot read the line. */
static bool git_config_read_line(struct reader *reader, int *ret_r)
{
	int c = next(reader);

	while (git_config_is_blank(c) && c != '\n')
		c = next(reader);
	if (c == '#' || c == ';')
		while (c != '\n')
			c = next(reader);
	if (c == '\n')
		return true;
	if (c == '[')
		return read_section(reader);
	if (!is_letter(c) || !read_entry(reader, c))
		return false;
	*ret_r = hand_on(reader);
	return true;
}

/* Skips a byte order mark at the start of a file. A part of one does not count. */
static bool skip_mark(struct reader *reader)
{
	static const unsigned char mark[] = { 0xef, 0xbb, 0xbf };

	if (reader->at == reader->end || *reader->at != mark[0])
		return true;
	for (size_t i = 0; i < ZS_COUNT(mark); i++)
		if (next(reader) != mark[i])
			return false;
	return true;
}

static int git_config_read_all(struct reader *reader)
{
	int r = 0;

	reader->bad = !skip_mark(reader);
	while (r == 0 && !reader->bad && !reader->ended)
		reader->bad = !git_config_read_line(reader, &r);
	return reader->bad ? -EBADMSG : r;
}

int zs_git_config_each(const char *text, size_t len, zs_git_config_entry *each, void *arg, unsigned *ret_line)
{
	const size_t room = len + 3; /* room for the two dots of a name, and a NUL */
	ZS_AUTO_FREE char *buffers = malloc(4 * room);
	struct reader reader = {
		.at = (const unsigned char *)text,
		.end = (const unsigned char *)text + len,
		.line = 1,
		.each = each,
		.arg = arg,
	};
	int r;

	if (!buffers)
		return -ENOMEM;
	reader.name = buffers;
	reader.value = buffers + room;
	reader.older = buffers + 2 * room;
	reader.pieces = buffers + 3 * room;
	r = git_config_read_all(&reader);
	*ret_line = reader.bad ? reader.line : 0;
	return r;
}

/* A file that this user cannot read is not read by his git either. */
static bool git_config_is_absent(int cause)
{
	return cause == ENOENT || cause == ENOTDIR || cause == EACCES || cause == ELOOP;
}

int zs_git_config_read(const char *file, char **ret_text, size_t *ret_len)
{
	ZS_AUTO_FD int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ZS_AUTO_FREE char *text = NULL;
	struct stat st = { 0 };
	size_t len = 0;
	ssize_t count = 1;

	if (fd < 0 && !git_config_is_absent(errno))
		return -errno;
	if (fd >= 0 && fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		st.st_size = 0;
	if (st.st_size > ZS_GIT_CONFIG_BYTES_MAX)
		return -EFBIG;
	text = calloc(1, (size_t)st.st_size + 1);
	if (!text)
		return -ENOMEM;
	while (len < (size_t)st.st_size && count > 0) {
		count = read(fd, text + len, (size_t)st.st_size - len);
		if (count < 0)
			return -errno;
		len += (size_t)count;
	}
	*ret_text = ZS_STEAL(text);
	*ret_len = len;
	return 0;
}
