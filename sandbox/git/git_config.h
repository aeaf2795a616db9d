/* Reading git's configuration files as git's own config.c does (man 1 git-config, "CONFIGURATION FILE").
 * tests/fuzz/git_config.c compares this reader with the real git. */
#ifndef ZS_SANDBOX_GIT_CONFIG_H
#define ZS_SANDBOX_GIT_CONFIG_H

#include <stddef.h>

/* A larger file is refused: -EFBIG. */
enum { ZS_GIT_CONFIG_BYTES_MAX = 1024 * 1024 };

/* Reads all of a file, and adds a NUL; free() *ret_text. The text is empty if the file does not exist, is not readable
 * for this user, or is no regular file. */
int zs_git_config_read(const char *file, char **ret_text, size_t *ret_len);

/* One "key = value". The strings are valid during the call. */
struct zs_git_entry {
	const char *name;       /* as git prints it: "core.hookspath", "filter.LFS.clean" */
	const char *section;    /* the name up to its first dot; lower case */
	const char *subsection; /* NULL: there is none */
	const char *key;        /* the name behind its last dot; lower case */
	const char *value;      /* NULL: a key alone, which is true */
	const char *older;      /* value, as git before 2.45 reads it: a blank between words is a space */
	unsigned line;          /* where the entry ends */
};

/* A negative result ends the reading, and is returned. */
typedef int zs_git_config_entry(const struct zs_git_entry *entry, void *arg);

/* Calls each for every entry, in order. -EBADMSG with *ret_line set: git cannot read that line, and then obeys nothing
 * in the file. Otherwise *ret_line is 0. */
int zs_git_config_each(const char *text, size_t len, zs_git_config_entry *each, void *arg, unsigned *ret_line);

#endif
