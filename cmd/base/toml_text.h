/* Finds the parts of a TOML text (https://toml.io/en/v1.0.0), so that a change leaves all other bytes as they were
 * written. It is split into statements, which are not interpreted. The text has a single NUL, at its end. Pure. */
#ifndef ZS_CMD_TOML_TEXT_H
#define ZS_CMD_TOML_TEXT_H

#include <stdbool.h>

#define ZS_TOML_BLANKS " \t\r\n"

/* One statement, or another part of the text. */
struct zs_toml_statement {
	const char *begin, *end; /* from its first byte to the one after its newline */
};

/* Finds the next statement. False: the file has ended; or *ret_problem says what is wrong at *at. */
bool zs_toml_next_statement(const char **at, struct zs_toml_statement *ret, const char **ret_problem);

/* Returns the end of the string that begins at `at`; NULL: it is not closed. */
const char *zs_toml_skip_string(const char *at);

/* Skips blanks, newlines and comments. */
const char *zs_toml_skip(const char *at);

/* Reads one part of a dotted key. *ret has no quotes. Returns the place after it and its blanks; NULL: it is no key, or
 * it is written with escapes. */
const char *zs_toml_key(const char *at, struct zs_toml_statement *ret);

#endif
