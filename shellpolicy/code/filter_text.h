/* Classes of bytes, for the readers of filters' programs. A byte is an int from 0 to 255, or END after the last. */
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

#endif
