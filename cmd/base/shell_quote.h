/* Quotes words for a shell: in single quotes, in which POSIX shells and fish expand nothing. */
#ifndef ZS_CMD_SHELL_QUOTE_H
#define ZS_CMD_SHELL_QUOTE_H

#include <stdbool.h>

/* The size, with its NUL, of a quoted text of `len` bytes. */
#define ZS_SHELL_QUOTED_BYTES(len) (4 * (len) + 3)

/* Writes the quoted text into room, which has ZS_SHELL_QUOTED_BYTES(strlen(text)) bytes. Returns the position of the
 * NUL. */
char *zs_shell_quote(const char *text, char *room);

/* The reverse: unquotes a word that zs_shell_quote() made. False: zs_shell_quote() would not write it so. room:
 * strlen(word) bytes. */
bool zs_shell_unquote(const char *word, char *room);

/* Writes a path as a word for a shell, in quotes if it needs them, so that a person can safely copy the line. Returns
 * word. A path that is too long is cut. One with control bytes becomes $'…', which not every shell reads. */
enum { ZS_SHELL_WORD_BYTES = 4 * 4096 };
const char *zs_shell_word(const char *path, char word[ZS_SHELL_WORD_BYTES]);

#endif
