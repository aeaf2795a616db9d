#include "base/listed.h"

#include <string.h>

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Does a word of the list end here, at a blank or at the list's end? */
static bool ends_word(char c)
{
	return (unsigned char)c <= ' ';
}

/* Compares byte by byte, without strcspn() and the like, since most words differ in their first byte. */
static const char *find_listed(const char *text, size_t len, const char *list, bool any_case)
{
	while (*list) {
		size_t at = 0;

		while (at < len && !ends_word(list[at]) && list[at] != '*' &&
			list[at] == (any_case ? lower(text[at]) : text[at]))
			at++;
		if (at && (list[at] == '*' || (at == len && ends_word(list[at]))))
			return list;
		for (list += at; !ends_word(*list);)
			list++;
		list += *list == ' ';
	}
	return NULL;
}

const char *zs_listed_word(const char *text, size_t len, const char *list)
{
	return find_listed(text, len, list, false);
}

bool zs_listed_bytes(const char *text, size_t len, const char *list)
{
	return find_listed(text, len, list, false) != NULL;
}

bool zs_listed(const char *text, const char *list)
{
	return text && find_listed(text, strlen(text), list, false);
}

bool zs_listed_any_case(const char *text, size_t len, const char *list)
{
	return find_listed(text, len, list, true) != NULL;
}

bool zs_listed_ending(const char *text, size_t len, const char *list)
{
	for (size_t word; *list; list += word, list += strspn(list, " ")) {
		word = strcspn(list, " ");
		if (len > word && memcmp(text + len - word, list, word) == 0)
			return true;
	}
	return false;
}
