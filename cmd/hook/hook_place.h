/* Finds where a call wants to run. A folder that the call names changes the directory, and the command's text does not
 * show it. */
#ifndef ZS_CMD_HOOK_PLACE_H
#define ZS_CMD_HOOK_PLACE_H

#include "hook/hook_event.h"

struct zs_hook_place {
	char *workspace; /* the workspace of the call, as a real path */
	char *folder;    /* the folder in which the command runs, as a real path; NULL: it does not exist */
	bool outside;    /* the call leaves every folder of the workspace; why says where */
	bool certain;    /* the call itself did not choose the workspace */
	char why[4096];
};

/* workspace: that of --workspace, or NULL. False: the folders cannot be resolved, and why says so. Call
 * zs_hook_place_free() in either case. */
bool zs_hook_find_place(const struct zs_agent *agent, const struct zs_hook_event *event, const char *workspace,
	struct zs_hook_place *place);
void zs_hook_place_free(struct zs_hook_place *place);

#endif
