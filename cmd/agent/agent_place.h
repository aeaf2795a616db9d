/* Where an agent's configuration is for this user or this project, and reading and replacing it with care. */
#ifndef ZS_CMD_AGENT_PLACE_H
#define ZS_CMD_AGENT_PLACE_H

#include <limits.h>
#include <sys/stat.h>

#include "agent/agent.h"
#include "zs_sandbox.h"

struct zs_agent_place {
	char base[PATH_MAX]; /* real: the home folder, what a variable names, or the project; never made nor removed */
	char folder[PATH_MAX]; /* the agent's own */
	char path[PATH_MAX];   /* the file */
};

/* *ret_place without looking whether anything of it is there, but for its base. -ENOENT: the agent has no such scope.
 */
int zs_agent_place(const struct zs_agent *agent, enum zs_config_scope scope, char *const envp[],
	struct zs_agent_place *ret_place, struct zs_error *error);

/* May this user make files there? Not in a folder of somebody else's: HOME stays the caller's under some sudo. */
int zs_agent_place_check(const struct zs_agent_place *place, struct zs_error *error);

struct zs_agent_file {
	const struct zs_agent_place *place;
	char real[PATH_MAX]; /* where the file is, or would be, links resolved */
	char *text;          /* NULL: there is none */
	size_t len;
	struct stat st; /* of it */
};

/* A link is followed, in a project not out of it. Anything but a regular file of this user's is refused. free()
 * text. */
int zs_agent_file_read(const struct zs_agent_place *place, enum zs_config_scope scope, struct zs_agent_file *ret_file,
	struct zs_error *error);

/* Replaces it, all of it or nothing, with folders made as needed and mode and owner kept; mode: of a new one. text:
 * NULL: it goes, with the folders that are empty then. -ESTALE when it is not what was read. */
int zs_agent_file_write(
	const struct zs_agent_file *file, mode_t mode, const char *text, size_t len, struct zs_error *error);

#endif
