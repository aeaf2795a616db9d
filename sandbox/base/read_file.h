/* Files as text. */
#ifndef ZS_SANDBOX_READ_FILE_H
#define ZS_SANDBOX_READ_FILE_H

#include <stddef.h>

/* Reads all of one of the kernel's files, NUL-terminated; free() *ret_text. -EFBIG above 4 MiB. */
int zs_read_file(const char *path, char **ret_text);

/* Reads into text up to the end or max bytes, whichever comes first, and goes on after signals. 0 or a negative
 * errno. */
int zs_read_up_to(int fd, size_t max, char *text, size_t *ret_len);

/* Writes all of text, and goes on after signals. 0 or a negative errno. */
int zs_write_all(int fd, const char *text, size_t len);

#endif
