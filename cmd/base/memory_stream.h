/* A stream into memory that says when it has lost something. open_memstream(3) of musl does not: text that it
 * finds no memory for is gone, ferror() is 0 and fclose() succeeds (src/stdio/open_memstream.c), and half a text
 * becomes a user's configuration, or a denial without a reason. */
#ifndef ZS_CMD_MEMORY_STREAM_H
#define ZS_CMD_MEMORY_STREAM_H

#include <stddef.h>
#include <stdio.h>

/* As open_memstream(), but fclose() fails when not all of it is in *text. Both are set at fclose(), which ends *text in
 * a NUL; free() it in either case. Not for seeking. NULL: out of memory. */
FILE *zs_memory_stream(char **text, size_t *len);

/* Closes it and returns *text; NULL, with nothing left to free, when not all of it is there, or there is no stream. */
char *zs_memory_close(FILE *stream, char **text);

#endif
