/* Words for a shell: in single quotes, in which every shell of the POSIX family, and fish, finds nothing to do. */
#ifndef ZS_CMD_SHELL_QUOTE_H
#define ZS_CMD_SHELL_QUOTE_H

#include <stdbool.h>

/* The size of a quoted text of so many bytes, with its NUL. */
#define ZS_SHELL_QUOTED_BYTES(len) (4 * (len) + 3)

/* Returns where its NUL is. room: of ZS_SHELL_QUOTED_BYTES(strlen(text)). */
char *zs_shell_quote(const char *text, char *room);

/* The other way, of a text that is one such word, to the byte. False: it is not. room: of strlen(word). */
bool zs_shell_unquote(const char *word, char *room);

/* A path as a word for a shell, in quotes where it needs them, so that a line that a person copies does nothing else
 * there. Returns word. A longer path is cut. */
enum { ZS_SHELL_WORD_BYTES = 4 * 4096 };
const char *zs_shell_word(const char *path, char word[ZS_SHELL_WORD_BYTES]);

#endif
