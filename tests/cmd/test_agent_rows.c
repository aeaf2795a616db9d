/* The rows of agents: a field that somebody forgets compiles to zeros, and an agent without a row as well. */
#include "agent/agent.h"
#include "check.h"
#include "hook/hook_shape.h"
#include "zs_shellpolicy.h"

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

/* The risk of a command that writes the file, in the profile guard. */
static enum zs_risk risk_of_writing(struct zs_vetter *vetter, const char *folder, const char *path)
{
	const struct zs_vet_options options = {
		.profile = ZS_PROFILE_GUARD, .workspace = "/srv/tally", .folder = "/srv/tally", .home = "/home/ada"
	};
	char text[256];
	int len = snprintf(text, sizeof text, "cp x %s%s", folder, path);

	CHECK(len > 0 && (size_t)len < sizeof text, "%s is too long", path);
	return zs_vet(vetter, text, (size_t)len, &options)->code;
}

/* The profile guard has a list of its own, since shellpolicy knows no file of sandbox. */
TEST(guard_knows_the_files_that_are_obeyed)
{
	static const struct {
		enum zs_obeyed_id row;
		const char *part; /* the file of the row that guard protects; NULL: none */
	} narrower[] = {
		/* Agents edit the rest as work. */
		{ ZS_OBEYED_CLAUDE, "settings.json" },
		{ ZS_OBEYED_CLINERULES, "hooks/PreToolUse" },
		{ ZS_OBEYED_CURSOR, "mcp.json" },
		/* People ask agents to set up editors, and the editor asks before it trusts a folder. */
		{ ZS_OBEYED_DEVCONTAINER, NULL },
		{ ZS_OBEYED_DEVCONTAINER_JSON, NULL },
		{ ZS_OBEYED_IDEA, NULL },
		{ ZS_OBEYED_VSCODE_MCP, NULL },
		{ ZS_OBEYED_VSCODE_SETTINGS, NULL },
		{ ZS_OBEYED_VSCODE_TASKS, NULL },
		{ ZS_OBEYED_ZED, NULL },
	};
	static const char *const folders[] = { "", "/home/ada/", "sub/" };
	struct zs_vetter *vetter = zs_vetter_new();

	for (int id = 0; id < ZS_OBEYED_COUNT; id++) {
		const struct zs_obeyed *row = &zs_obeyed_rows[id];
		char path[128];
		bool left_out = false;

		snprintf(path, sizeof path, "%s", row->path);
		for (size_t i = 0; i < sizeof narrower / sizeof *narrower; i++) {
			if (narrower[i].row != (enum zs_obeyed_id)id)
				continue;
			left_out = !narrower[i].part;
			if (!left_out)
				snprintf(path, sizeof path, "%s/%s", row->path, narrower[i].part);
		}
		for (size_t i = 0; i < 3 && !left_out; i++) {
			enum zs_risk risk = risk_of_writing(vetter, folders[i], path);
			bool start = row->where == ZS_OBEYED_START, home = i == 1;

			if (home || row->where == ZS_OBEYED_PROJECT)
				CHECK(start ? risk == ZS_RISK_PERSISTS || id == ZS_OBEYED_GITMODULES
					    : risk == ZS_RISK_GUARD,
					"guard lets %s%s change: %s", folders[i], path, zs_risk_name(risk));
		}
	}
	zs_vetter_free(vetter);
}

/* No command of an agent may take away the hook that zs install has put there. */
TEST(guard_knows_the_files_that_install_writes)
{
	struct zs_vetter *vetter = zs_vetter_new();

	for (size_t i = 0; i < ZS_AGENT_COUNT; i++)
		for (enum zs_config_scope scope = 0; scope < ZS_SCOPE_COUNT; scope++) {
			const struct zs_agent_config *config = &zs_agent_configs[i];
			char path[128];

			if (!config->files[scope])
				continue;
			snprintf(path, sizeof path, "%s/%s", zs_obeyed_rows[config->places[scope]].path,
				config->files[scope]);
			CHECK(risk_of_writing(vetter, scope == ZS_SCOPE_USER ? "/home/ada/" : "", path) ==
					ZS_RISK_GUARD,
				"%s: %s", zs_agents[i].id, path);
		}
	zs_vetter_free(vetter);
}
