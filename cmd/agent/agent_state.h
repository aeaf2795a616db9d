/* Is our hook of an agent really in force? As its files say. */
#ifndef ZS_CMD_AGENT_STATE_H
#define ZS_CMD_AGENT_STATE_H

#include "agent/agent_place.h"
#include "agent/hook_call.h"

enum { ZS_STATE_NOTE_BYTES = 2 * PATH_MAX };

#define ZS_HOOK_STATES(X)                                                                                              \
	X(NONE, "none")                                                                                                \
	X(ACTIVE, "active")                                                                                            \
	X(BROKEN, "broken")                                                                                            \
	X(UNKNOWN, "unknown")

enum zs_hook_state {
#define X(id, name) ZS_HOOK_##id,
	ZS_HOOK_STATES(X)
#undef X
};

extern const char *const zs_hook_state_names[];

struct zs_agent_state {
	enum zs_hook_state state;
	struct zs_hook_call command;    /* when there is one */
	char path[PATH_MAX];            /* of the file; "": there can be none */
	char note[ZS_STATE_NOTE_BYTES]; /* why it is broken or unknown; or what to know of one that is active */
};

void zs_agent_state(
	const struct zs_agent *agent, enum zs_config_scope scope, char *const envp[], struct zs_agent_state *ret_state);

/* Is it on this machine? By its program in PATH, which goes to program with its version if that is written beside it,
 * or by its folder. */
bool zs_agent_is_here(const struct zs_agent *agent, char *const envp[], char version[64]);

/* Says who could put another program in the place of that one: an agent that works where it lies, or everyone. False:
 * it is as safe as its owner. */
bool zs_program_is_loose(const char *path, char *why, size_t size);

/* Prints the hooks that are not in force, or could be replaced. */
void zs_agent_warn(char *const envp[]);

#endif
