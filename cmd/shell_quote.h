/* Words for a shell: in single quotes, in which every shell of the POSIX family finds nothing to do. */
#ifndef ZS_CMD_SHELL_QUOTE_H
#define ZS_CMD_SHELL_QUOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

void zs_put_shell_quoted(FILE *out, const char *text, size_t len);

/* The other way, of a text that is one such word, to the byte. False: it is not. room: len of word + 1 is enough. */
bool zs_shell_unquote(const char *word, char *ret_text);

#endif
