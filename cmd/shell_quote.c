#include "shell_quote.h"

#include <string.h>

/* A quote ends the quoting, stands escaped, and begins it again. */
static const char quote[] = "'\\''";
enum { QUOTE_BYTES = sizeof quote - 1 };

char *zs_shell_quote(const char *text, char *room)
{
	*room++ = '\'';
	for (; *text; text++) {
		size_t len = *text == '\'' ? QUOTE_BYTES : 1;

		memcpy(room, *text == '\'' ? quote : text, len);
		room += len;
	}
	*room++ = '\'';
	*room = '\0';
	return room;
}

bool zs_shell_unquote(const char *word, char *room)
{
	if (*word++ != '\'')
		return false;
	while (*word) {
		if (strncmp(word, quote, QUOTE_BYTES) == 0) {
			*room++ = '\'';
			word += QUOTE_BYTES;
		} else if (*word == '\'') {
			break;
		} else {
			*room++ = *word++;
		}
	}
	*room = '\0';
	return strcmp(word, "'") == 0;
}
