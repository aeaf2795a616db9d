/* Reading git's configuration files, as far as zs asks (man 1 git-config, "CONFIGURATION FILE"). */
#ifndef ZS_SANDBOX_GIT_CONFIG_H
#define ZS_SANDBOX_GIT_CONFIG_H

/* The whole of a file; free() it. Empty when it is not there, or when this user cannot read it. -EFBIG above 1 MiB. */
int zs_git_config_read(const char *file, char **ret_text);

/* section and key in lower case, without a subsection. Negative: ends the reading with it. */
typedef int zs_git_config_entry(const char *section, const char *key, const char *value, void *arg);

/* Takes text apart. Values are as they are written, without quotes around the whole of them; one that goes on in the
 * next line ends where its line does. */
int zs_git_config_each(char *text, zs_git_config_entry *each, void *arg);

#endif
