/* A file of the kernel's as text. */
#ifndef ZS_SANDBOX_READ_FILE_H
#define ZS_SANDBOX_READ_FILE_H

/* All of it, NUL-terminated; free() *ret_text. -EFBIG above 4 MiB. */
int zs_read_file(const char *path, char **ret_text);

#endif
