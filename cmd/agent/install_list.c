#include "agent/install_list.h"

#include <stdio.h>
#include <string.h>

#include "agent/agent_state.h"
#include "base/json.h"
#include "base/message.h"

struct row {
	const struct zs_agent *agent;
	bool here;
	char version[64];
	enum zs_config_scope scope;
	struct zs_agent_state state;
};

/* width: 0 for the last. */
static void put_column(const char *text, size_t width)
{
	size_t columns = zs_put_text(stdout, text, strlen(text));

	if (width > 0)
		printf("%*s", columns < width ? (int)(width - columns) + 2 : 2, "");
}

enum { AGENT = 11, FOUND = 5, VERSION = 9, HOOK = 7, SCOPE = 7, CONFINE = 7 };

static void print_row(const struct row *row)
{
	const char *confines = row->state.command.confine ? "yes" : "no";
	bool any = row->state.state != ZS_HOOK_NONE;

	put_column(row->agent->id, AGENT);
	put_column(row->here ? "yes" : "no", FOUND);
	put_column(row->version[0] ? row->version : "-", VERSION);
	put_column(zs_hook_state_names[row->state.state], HOOK);
	put_column(any ? zs_scope_names[row->scope] : "-", SCOPE);
	put_column(row->state.command.agent ? confines : "-", row->state.note[0] ? CONFINE : 0);
	zs_put_text(stdout, row->state.note, strlen(row->state.note));
	putchar('\n');
}

static void install_list_put_row(const struct row *row)
{
	struct zs_json json = zs_json_begin_line(stdout);
	const struct zs_hook_call *command = row->state.command.agent ? &row->state.command : NULL;

	zs_json_key(&json, "agent"), zs_json_text(&json, row->agent->id);
	zs_json_key(&json, "title"), zs_json_text(&json, row->agent->title);
	zs_json_key(&json, "found"), zs_json_bool(&json, row->here);
	zs_json_key(&json, "version"), zs_json_text(&json, row->version[0] ? row->version : NULL);
	zs_json_key(&json, "scope"), zs_json_text(&json, zs_scope_names[row->scope]);
	zs_json_key(&json, "file"), zs_json_text(&json, row->state.path[0] ? row->state.path : NULL);
	zs_json_key(&json, "hook"), zs_json_text(&json, zs_hook_state_names[row->state.state]);
	zs_json_key(&json, "note"), zs_json_text(&json, row->state.note);
	zs_json_key(&json, "zs"), zs_json_text(&json, command ? command->zs : NULL);
	zs_json_key(&json, "profile"), zs_json_text(&json, command && command->profile[0] ? command->profile : NULL);
	zs_json_key(&json, "confine"), zs_json_bool(&json, command && command->confine);
	zs_json_end_line(&json);
}

void zs_install_list(char *const envp[], bool json)
{
	if (!json)
		puts("agent        found  version    hook     scope    confine  note");
	for (size_t i = 0; i < ZS_AGENT_COUNT; i++) {
		struct row row = { .agent = &zs_agents[i] };
		bool any = false;

		row.here = zs_agent_is_here(row.agent, envp, row.version);
		for (row.scope = 0; row.scope < ZS_SCOPE_COUNT; row.scope++) {
			zs_agent_state(row.agent, row.scope, envp, &row.state);
			/* An agent without a hook has one row, and in JSON one for each place. */
			if (json ? !row.state.path[0] : row.state.state == ZS_HOOK_NONE)
				continue;
			any = true;
			(json ? install_list_put_row : print_row)(&row);
		}
		row.scope = ZS_SCOPE_USER;
		if (!any)
			(json ? install_list_put_row : print_row)(&row);
	}
}

void zs_install_warn(char *const envp[])
{
	bool any = false;

	for (size_t i = 0; i < ZS_AGENT_COUNT; i++)
		for (enum zs_config_scope scope = 0; scope < ZS_SCOPE_COUNT; scope++) {
			struct zs_agent_state state;

			zs_agent_state(&zs_agents[i], scope, envp, &state);
			/* Without a path: there is no such place, or no HOME, in which agents find nothing either. */
			if (state.state == ZS_HOOK_NONE || !state.note[0] || !state.path[0])
				continue;
			if (!any)
				puts("\nHooks that zs install has written:\n");
			any = true;
			printf("warning  %s, %s: %s, ", zs_agents[i].title, zs_scope_names[scope],
				zs_hook_state_names[state.state]);
			zs_put_text(stdout, state.note, strlen(state.note));
			putchar('\n');
		}
}
