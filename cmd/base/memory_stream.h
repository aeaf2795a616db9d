/* A stream into memory that reports lost text. open_memstream(3) of musl does not: when memory runs out, it drops text,
 * ferror() is 0 and fclose() succeeds (musl's src/stdio/open_memstream.c). Half a text could then become a user's
 * configuration, or a denial without a reason. */
#ifndef ZS_CMD_MEMORY_STREAM_H
#define ZS_CMD_MEMORY_STREAM_H

#include <stddef.h>
#include <stdio.h>

/* Like open_memstream(3), but fclose() fails if *text is incomplete. fclose() sets *text, which ends with a NUL, and
 * *len; free() *text in either case. The stream cannot seek. NULL: out of memory. */
FILE *zs_memory_stream(char **text, size_t *len);

/* Closes the stream and returns *text. Returns NULL, with nothing left to free, if the text is incomplete or stream is
 * NULL. */
char *zs_memory_close(FILE *stream, char **text);

#endif
