/* The settings that zs learn proposes: the user's file with some entries more, as text. */
#ifndef ZS_CMD_LEARN_SETTINGS_H
#define ZS_CMD_LEARN_SETTINGS_H

#include "learn/learn_search.h"

/* Makes the texts; free() them. path: the user's file. *ret_old: "" if the file is missing. empty: begin with an empty
 * file. Returns an exit code; errors are on stderr. */
int zs_learn_settings(const struct zs_learn *learn, const char *path, bool empty, char **ret_old, char **ret_new);

/* Adds the entries to the user's settings. Returns an exit code. */
int zs_learn_write(const struct zs_learn *learn);

/* Writes the text to a new file; an existing one stays as it is. Returns an exit code. */
int zs_learn_write_new(const char *path, const char *text);

/* Entries that settings can hold. */
size_t zs_learn_settable(const struct zs_learn *learn);

/* The entry's value with "~" for the home folder. free() it. */
char *zs_learn_value(const struct zs_learn_entry *entry);

#endif
