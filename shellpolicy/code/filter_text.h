/* Classes of bytes and lists of words, for the readers of programs. A byte is an int from 0 to 255, or END after the
 * last. */
#ifndef ZS_FILTER_TEXT_H
#define ZS_FILTER_TEXT_H

#include <stdbool.h>
#include <string.h>

enum { END = -1 };

/* Neither END nor NUL is one of any set. */
static inline bool is_one_of(int c, const char *set)
{
	return c > 0 && strchr(set, c);
}

static inline bool is_digit(int c)
{
	return c >= '0' && c <= '9';
}

static inline bool is_letter(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static inline bool is_word(int c)
{
	return is_letter(c) || is_digit(c);
}

/* A file that filters write to without making one. Not /dev/fd/N in general: mawk and sed open /dev/fd/0 anew, which
 * truncates the file that stdin was redirected from. */
bool zs_filter_is_harmless_file(const char *name, size_t len);
/* Is the text one of the words of a list that blanks separate? */
bool zs_code_listed(const char *text, size_t len, const char *list);
/* The text of a name in a table of ZS_CODE_ENTRY(name, text), one after the other: one string, since pointers would be
 * relocated whenever a position-independent program starts. NULL when the name is not there. */
const char *zs_code_entry(const char *table, const char *name, size_t len);
#define ZS_CODE_ENTRY(name, text) name "\0" text "\0"

#endif
