/* Is our hook in force for an agent? The answer comes from the agent's files. */
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
	struct zs_hook_call command;    /* the call, if there is a hook */
	char path[PATH_MAX];            /* the file's path; "": the agent has no such file */
	char note[ZS_STATE_NOTE_BYTES]; /* why the hook is broken or unknown; for an active one, a warning */
};

void zs_agent_state(
	const struct zs_agent *agent, enum zs_config_scope scope, char *const envp[], struct zs_agent_state *ret_state);

/* Is the agent on this machine? zs looks for its program in PATH, and for its folder. version: "" if it is unknown. */
bool zs_agent_is_here(const struct zs_agent *agent, char *const envp[], char version[64]);

/* Can somebody else replace the program: an agent that works in its folder, or every user? Then `why` says who. */
bool zs_program_is_loose(const char *path, char *why, size_t size);

/* Prints the hooks that are not in force, or could be replaced. */
void zs_agent_warn(char *const envp[]);

#endif
