#include "shell_quote.h"

#include <string.h>

void zs_put_shell_quoted(FILE *out, const char *text, size_t len)
{
	fputc('\'', out);
	for (size_t i = 0; i < len; i++)
		if (text[i] == '\'')
			fputs("'\\''", out);
		else
			fputc(text[i], out);
	fputc('\'', out);
}

bool zs_shell_unquote(const char *word, char *ret_text)
{
	static const char quote[] = "'\\''";

	if (*word++ != '\'')
		return false;
	while (*word) {
		if (strncmp(word, quote, sizeof quote - 1) == 0) {
			*ret_text++ = '\'';
			word += sizeof quote - 1;
		} else if (*word == '\'') {
			break;
		} else {
			*ret_text++ = *word++;
		}
	}
	*ret_text = '\0';
	return strcmp(word, "'") == 0;
}
