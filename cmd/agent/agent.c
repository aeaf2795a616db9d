#include "agent/agent.h"

#include <stddef.h>
#include <string.h>

#include "base/message.h"

const struct zs_agent zs_agents[ZS_AGENT_COUNT] = {
#define X(enumerator, id, title, shell, rewrites) { ZS_AGENT_##enumerator, id, title, shell, rewrites },
	ZS_AGENTS(X)
#undef X
};

const struct zs_agent *zs_agent_find(const char *id)
{
	for (size_t i = 0; i < ZS_AGENT_COUNT; i++)
		if (strcmp(zs_agents[i].id, id) == 0)
			return &zs_agents[i];
	return NULL;
}

const char *zs_agent_nearest(const char *id)
{
	const char *ids[ZS_AGENT_COUNT];

	for (size_t i = 0; i < ZS_AGENT_COUNT; i++)
		ids[i] = zs_agents[i].id;
	return zs_nearest(id, ids, ZS_AGENT_COUNT);
}
