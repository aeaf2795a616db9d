/* tree-sitter-bash's external scanner with ASCII character classes. It uses isw*() of the C library, so the same text
 * would parse differently in another locale; bash's grammar is ASCII. The scanner's own state is allocated in the
 * arena, so a parser that was stopped midway leaks nothing. */
#include <ctype.h>
#include <stdlib.h>
#include <wctype.h>

static int ascii_space(wint_t c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static int ascii_alpha(wint_t c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static int ascii_digit(wint_t c)
{
	return c >= '0' && c <= '9';
}

static int ascii_alnum(wint_t c)
{
	return ascii_alpha(c) || ascii_digit(c);
}

#undef iswspace
#undef iswalpha
#undef iswdigit
#undef iswalnum
#define calloc zs_parse_calloc
#define free zs_parse_free
#define iswspace ascii_space
#define iswalpha ascii_alpha
#define iswdigit ascii_digit
#define iswalnum ascii_alnum

#include "scanner.c"
