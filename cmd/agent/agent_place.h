/* Finds an agent's configuration for this user or this project; reads and replaces it safely. */
#ifndef ZS_CMD_AGENT_PLACE_H
#define ZS_CMD_AGENT_PLACE_H

#include <limits.h>
#include <sys/stat.h>

#include "agent/agent.h"
#include "zs_sandbox.h"

struct zs_agent_place {
	char base[PATH_MAX]; /* resolved: the home folder, a variable's folder, or the project; never made or removed */
	char folder[PATH_MAX]; /* the agent's own folder */
	char path[PATH_MAX];   /* the file */
};

/* Fills in *ret_place; only its base must exist. -ENOENT: the agent has no such scope.
 */
int zs_agent_place(const struct zs_agent *agent, enum zs_config_scope scope, char *const envp[],
	struct zs_agent_place *ret_place, struct zs_error *error);

/* The same for any file below a folder that exists. */
int zs_agent_place_at(const char *base, const char *file, struct zs_agent_place *ret_place, struct zs_error *error);
/* The folder that `file` is below: HOME, or for a project ".". NULL: *error says what is wrong. */
const char *zs_agent_base(enum zs_config_scope scope, char *const envp[], struct zs_error *error);

/* May this user make files there? A folder of another user is refused: some versions of sudo keep the caller's HOME. */
int zs_agent_place_check(const struct zs_agent_place *place, struct zs_error *error);

struct zs_agent_file {
	const struct zs_agent_place *place;
	char real[PATH_MAX]; /* the file's path, or that of a missing file, with links resolved */
	char *text;          /* NULL: there is no file */
	size_t len;
	struct stat st;
};

/* Reads the file. It follows a link, but in a project not out of the project. It refuses anything but a regular file of
 * this user. free() text. */
int zs_agent_file_read(const struct zs_agent_place *place, enum zs_config_scope scope, struct zs_agent_file *ret_file,
	struct zs_error *error);

/* Replaces the whole file at once, keeps its mode and owner, and makes missing folders. mode: for a new file. If text
 * is NULL, it removes the file, and the folders that are empty then. -ESTALE: the file has changed since it was
 * read. */
int zs_agent_file_write(
	const struct zs_agent_file *file, mode_t mode, const char *text, size_t len, struct zs_error *error);

#endif
