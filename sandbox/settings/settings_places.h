/* The files of settings: where they are, reading them once and safely, and replacing one as a whole. */
#ifndef ZS_SANDBOX_SETTINGS_PLACES_H
#define ZS_SANDBOX_SETTINGS_PLACES_H

#include <stdbool.h>
#include <sys/types.h>

#include "settings/settings_keys.h"

/* A folder that a variable names, or that lies in HOME. */
struct zs_settings_place {
	const char *variable; /* NULL: none does */
	const char *fallback;
};

/* One of each system (linux/, none/). */
extern const struct zs_settings_places {
	enum zs_platform platform;
	struct zs_settings_place config, state;
} zs_settings_places;

/* The folder zs in such a place; free() it. -ENOENT: neither the variable nor HOME is an absolute path. */
int zs_settings_folder(const struct zs_settings_place *place, char *const envp[], char **ret_folder);

/* Has envp's variable put such a place into the workspace, whose commands and repository could have written what is
 * there? Not so where the user's own link leads into it from the folder that is usual: that is his wish. */
bool zs_settings_are_planted(const struct zs_settings_place *place, char *const envp[], const char *root);

/* A file's text; free() it. */
struct zs_file_text {
	char *text;
	size_t len;
};

/* Reads an open file to its end. path: its name, for messages. */
int zs_read_text(
	const char *step, const char *path, int fd, size_t max, struct zs_file_text *ret, struct zs_error *error);

/* The owner that a file must have: anybody; the user or root, and not for everyone to write; the same, and closed to
 * everybody else. */
enum zs_file_owner { ZS_FILE_ANY, ZS_FILE_OWN, ZS_FILE_PRIVATE };

/* Reads a file of the user's. Links are followed, but of a private one. -ENOENT: there is none. */
int zs_read_own_file(const char *step, const char *path, size_t max, enum zs_file_owner owner, struct zs_file_text *ret,
	struct zs_error *error);

/* Reads .zs/settings.json in a workspace, without following any link in there. -ENOENT: there is none. */
int zs_read_project_file(const char *root, size_t max, struct zs_file_text *ret, struct zs_error *error);

/* How long a writer waits for another, which needs some milliseconds. */
enum { ZS_LOCK_WAIT_MS = 5000 };

/* Locks a folder that is open as fd, until that is closed. */
int zs_lock_open_folder(const char *step, const char *folder, int fd, struct zs_error *error);

/* Makes a folder and those above it, as private ones. path is as it was when this returns 0. */
int zs_make_private_folders(char *path);

/* The same, and locks it until *ret_fd is closed. */
int zs_lock_folder(const char *step, const char *folder, int *ret_fd, struct zs_error *error);

/* A new file under this name, in place of the one that may be there: all of it, or nothing changes. */
int zs_replace_file(const char *step, int folder, const char *name, mode_t mode, const char *text, size_t len,
	struct zs_error *error);

#endif
