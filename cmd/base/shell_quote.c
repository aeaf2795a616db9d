#include "base/shell_quote.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"

/* Each replacement ends the quotes, escapes the character, and begins the quotes again. A backslash needs one too: in
 * fish, a backslash within single quotes escapes a following quote or backslash, so fish would end the quotes elsewhere
 * than bash. */
static const struct escape {
	char byte;
	char text[5];
} escapes[] = { { '\'', "'\\''" }, { '\\', "'\\\\'" } };
enum { ESCAPE_BYTES = 4 };

static const struct escape *escape_of(char byte)
{
	for (size_t i = 0; i < ZS_COUNT(escapes); i++)
		if (escapes[i].byte == byte)
			return &escapes[i];
	return NULL;
}

static const struct escape *escape_at(const char *word)
{
	for (size_t i = 0; i < ZS_COUNT(escapes); i++)
		if (strncmp(word, escapes[i].text, ESCAPE_BYTES) == 0)
			return &escapes[i];
	return NULL;
}

char *zs_shell_quote(const char *text, char *room)
{
	*room++ = '\'';
	for (; *text; text++) {
		const struct escape *escape = escape_of(*text);
		size_t len = escape ? ESCAPE_BYTES : 1;

		memcpy(room, escape ? escape->text : text, len);
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
		const struct escape *escape = escape_at(word);

		if (escape) {
			*room++ = escape->byte;
			word += ESCAPE_BYTES;
		} else if (escape_of(*word)) {
			break;
		} else {
			*room++ = *word++;
		}
	}
	*room = '\0';
	return strcmp(word, "'") == 0;
}

/* Writes bytes that a terminal obeys or hides as \xNN, which bash, zsh and ksh read in $'…'. */
static void quote_unseen(const char *text, char *room)
{
	static const char digits[] = "0123456789abcdef";

	*room++ = '$';
	*room++ = '\'';
	for (; *text; text++) {
		unsigned char byte = (unsigned char)*text;

		if (byte >= ' ' && byte <= '~' && byte != '\'' && byte != '\\') {
			*room++ = *text;
			continue;
		}
		*room++ = '\\';
		*room++ = 'x';
		*room++ = digits[byte >> 4];
		*room++ = digits[byte & 15];
	}
	*room++ = '\'';
	*room = '\0';
}

static bool is_all_seen(const char *text)
{
	size_t len = strlen(text);

	while (len) {
		uint32_t point;
		size_t step = zs_utf8_decode(text, len, &point);

		if (step == 0 || zs_is_unseen(point))
			return false;
		text += step;
		len -= step;
	}
	return true;
}

const char *zs_shell_word(const char *path, char word[ZS_SHELL_WORD_BYTES])
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_/.,:@%+=-";
	char cut[ZS_SHELL_WORD_BYTES / 4 - 1];

	snprintf(cut, sizeof cut, "%s", path);
	if (*cut && !cut[strspn(cut, plain)])
		strcpy(word, cut);
	else if (!is_all_seen(cut))
		quote_unseen(cut, word);
	else
		zs_shell_quote(cut, word);
	return word;
}
