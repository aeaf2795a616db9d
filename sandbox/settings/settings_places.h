/* The files of settings: finds them, reads each once and safely, and replaces one as a whole. */
#ifndef ZS_SANDBOX_SETTINGS_PLACES_H
#define ZS_SANDBOX_SETTINGS_PLACES_H

#include <stdbool.h>
#include <sys/types.h>

#include "settings/settings_keys.h"

/* A folder that a variable names, or that lies in HOME. */
struct zs_settings_place {
	const char *variable; /* NULL: no variable names it */
	const char *fallback;
};

/* Each system defines its own (linux/, none/). */
extern const struct zs_settings_places {
	enum zs_platform platform;
	struct zs_settings_place config, state;
	const char *managed; /* the folder of the machine's own settings */
} zs_settings_places;

/* Finds the folder zs in such a place; free() it. -ENOENT: neither the variable nor HOME is an absolute path. */
int zs_settings_folder(const struct zs_settings_place *place, char *const envp[], char **ret_folder);

/* Has envp's variable put such a place into the workspace, whose commands and repository could have written the files
 * there? False if the user's own link leads there from the usual folder, which is the user's wish. */
bool zs_settings_are_planted(const struct zs_settings_place *place, char *const envp[], const char *root);

/* The text of a file; free() it. */
struct zs_file_text {
	char *text;
	size_t len;
};

/* Reads an open file to its end. path: its name, for messages. */
int zs_read_text(
	const char *step, const char *path, int fd, size_t max, struct zs_file_text *ret, struct zs_error *error);

/* The owner that a file must have. ANY: no check; OWN: the user or root, and not writable for everyone; PRIVATE: the
 * same, and closed to all others. */
enum zs_file_owner { ZS_FILE_ANY, ZS_FILE_OWN, ZS_FILE_PRIVATE };

/* Reads a file of the user's. Follows links, except for a private file. -ENOENT: there is none. */
int zs_read_own_file(const char *step, const char *path, size_t max, enum zs_file_owner owner, struct zs_file_text *ret,
	struct zs_error *error);

/* Reads settings.json in a folder of the machine's, which only root can write. It follows no link there. -ENOENT: there
 * is none. */
int zs_read_managed_file(
	const char *folder, const char *path, size_t max, struct zs_file_text *ret, struct zs_error *error);

/* Reads .zs/settings.json in a workspace, without following any link in the workspace. -ENOENT: there is none. */
int zs_read_project_file(const char *root, size_t max, struct zs_file_text *ret, struct zs_error *error);

/* The time that a writer waits for another one, which needs some milliseconds. */
enum { ZS_LOCK_WAIT_MS = 5000 };

/* Locks the folder that is open as fd, until fd is closed. */
int zs_lock_open_folder(const char *step, const char *folder, int fd, struct zs_error *error);

/* Makes a folder and the folders above it, private. path is unchanged when this returns 0. */
int zs_make_private_folders(char *path);

/* Makes the folder in the same way, and locks it until *ret_fd is closed. */
int zs_lock_folder(const char *step, const char *folder, int *ret_fd, struct zs_error *error);

/* Writes a new file under this name, in place of an existing one: all of it, or nothing changes. */
int zs_replace_file(const char *step, int folder, const char *name, mode_t mode, const char *text, size_t len,
	struct zs_error *error);

#endif
