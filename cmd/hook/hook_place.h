/* Where a call wants to run: a folder that it names is a change of directory that no reading of the command shows. */
#ifndef ZS_CMD_HOOK_PLACE_H
#define ZS_CMD_HOOK_PLACE_H

#include "hook/hook_event.h"

struct zs_hook_place {
	char *workspace; /* that the call runs in; real */
	bool outside;    /* of every folder of the workspace; why says where */
	bool certain;    /* the workspace is not what the call itself has named */
	char why[4096];
};

/* workspace: of --workspace, or NULL. False: the folders cannot be resolved, and why says so.
 * zs_hook_place_free() it either way. */
bool zs_hook_find_place(const struct zs_agent *agent, const struct zs_hook_event *event, const char *workspace,
	struct zs_hook_place *place);
void zs_hook_place_free(struct zs_hook_place *place);

#endif
