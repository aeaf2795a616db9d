/* The rows of agents: a field that somebody forgets compiles to zeros, and an agent without a row as well. */
#include "agent/agent.h"
#include "check.h"
#include "hook/hook_shape.h"

/* Text that our hook is written with, or a way to it, for the form that wants it. */
static void check_json(const struct zs_agent *agent, const struct zs_agent_config *config)
{
	const char *dollar = config->entry ? strchr(config->entry, '$') : NULL;

	CHECK(config->keys[0], "%s: no way to its hooks", agent->id);
	CHECK(dollar && !strchr(dollar + 1, '$'), "%s: not one place for the command", agent->id);
	CHECK(!agent->shell || !config->entry || !strstr(config->entry, "\"matcher\"") ||
			strstr(config->entry, agent->shell),
		"%s: its matcher leaves out %s", agent->id, agent->shell);
	CHECK(!config->rest || strchr(config->rest, ':'), "%s: the rest is no member", agent->id);
}

static bool has_shape(const struct zs_agent *agent, bool rewrites)
{
	for (size_t i = 0; i < zs_hook_shape_count; i++)
		if (zs_hook_shapes[i].agent == agent->number && (!rewrites || zs_hook_shapes[i].words->rewrite))
			return true;
	return false;
}

TEST(each_agent_has_whole_rows)
{
	for (size_t i = 0; i < ZS_AGENT_COUNT; i++) {
		const struct zs_agent *agent = &zs_agents[i];
		const struct zs_agent_config *config = &zs_agent_configs[i];
		bool json = config->form == ZS_CONFIG_JSON;

		CHECK(agent->number == i && zs_agent_find(agent->id) == agent, "%s: out of order", agent->id);
		CHECK(config->files[ZS_SCOPE_USER], "%s: no file of a user's", agent->id);
		for (enum zs_config_scope scope = 0; scope < ZS_SCOPE_COUNT; scope++)
			CHECK(!config->files[scope] || config->places[scope] != ZS_OBEYED_GITCONFIG, /* zero */
				"%s: no folder of a %s", agent->id, zs_scope_names[scope]);
		CHECK(config->programs[0], "%s: no program", agent->id);
		CHECK(!config->variable_folder || config->variable, "%s: a folder of no variable", agent->id);
		if (json)
			check_json(agent, config);
		CHECK(json || (!config->keys[0] && !config->entry && !config->off[0]), "%s: fields of JSON", agent->id);
		CHECK(has_shape(agent, false), "%s: no shape of its events", agent->id);
		CHECK(has_shape(agent, true) == agent->rewrites, "%s: rewrites, and no words for it, or the other way",
			agent->id);
	}
}
