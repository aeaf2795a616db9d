/* zs install and zs uninstall: put our hook into an agent's own configuration, and remove it. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/install.h"
#include "agent/install_change.h"
#include "agent/agent_state.h"
#include "base/command.h"
#include "base/json.h"
#include "base/message.h"
#include "zs_settings.h"

extern char **environ;

struct fields {
	bool user, project, yes, dry_run, mcp;
	bool list, json, confine, no_confine; /* for zs install alone */
	const char *profile;
	struct zs_confine_fields policy; /* with --mcp, of the servers */
};

#define COMMON                                                                                                         \
	ZS_FLAG(0, "user", offsetof(struct fields, user),                                                              \
		"in your own configuration, for all your projects\n(default)"),                                        \
		ZS_FLAG(0, "project", offsetof(struct fields, project),                                                \
			"in the configuration of the project in this\ndirectory, for everyone who works in it"),       \
		ZS_FLAG('y', "yes", offsetof(struct fields, yes), "do not ask"),                                       \
		ZS_FLAG(0, "dry-run", offsetof(struct fields, dry_run), "show the change, and do not make it"),        \
		ZS_FLAG(0, "mcp", offsetof(struct fields, mcp),                                                        \
			"the agent's MCP servers, or those that are named,\ninstead of the hook")

static const struct zs_option install_options[] = {
	COMMON,
	ZS_CHOICE(0, "profile", zs_profile_choices, offsetof(struct fields, profile), "of zs hook"),
	ZS_FLAG(0, "confine", offsetof(struct fields, confine),
		"commands that are allowed run inside zs run; the\ndefault where the agent lets a hook change them"),
	ZS_FLAG(0, "no-confine", offsetof(struct fields, no_confine), "the hook only reads commands"),
	ZS_FLAG(0, "list", offsetof(struct fields, list), "list agents, and whether the hook of zs is in force"),
	ZS_FLAG('j', "json", offsetof(struct fields, json), "print --list as lines of JSON"),
	{ 0 },
};

static const struct zs_option uninstall_options[] = { COMMON, { 0 } };

static const struct zs_option_group install_groups[] = {
	{ "Options", install_options, 0 },
	{ "With --mcp, what the servers may reach", zs_confine_options, offsetof(struct fields, policy) },
	{ 0 },
};

/* One change of one file. */
struct job {
	const struct fields *fields;
	const struct zs_agent *agent;
	enum zs_config_scope scope;
	bool install;
	struct zs_agent_place place;
	struct zs_agent_file file;
	struct zs_agent_change new;
};

static bool install_is_same(const struct job *job)
{
	const struct zs_agent_file *old = &job->file;

	return !old->text == !job->new.text &&
	       (!old->text || (old->len == job->new.len && memcmp(old->text, job->new.text, old->len) == 0));
}

/* The new hook */

static bool confines(const struct job *job)
{
	return job->agent->rewrites && !job->fields->no_confine;
}

static int make_command(const struct job *job, struct zs_hook_call *ret_command)
{
	struct zs_hook_call command = { .agent = job->agent, .confine = confines(job) };
	int r = zs_install_self(command.zs);

	if (r != ZS_EXIT_OK)
		return r;
	if (job->fields->profile)
		snprintf(command.profile, sizeof command.profile, "%s", job->fields->profile);
	*ret_command = command;
	return ZS_EXIT_OK;
}

static void warn(const struct job *job, const struct zs_hook_call *command)
{
	char version[64];

	if (job->scope == ZS_SCOPE_PROJECT)
		zs_complain("install: warning: people who work in this project need zs at %s: without it the agent "
			    "denies every command",
			command->zs);
	else if (!zs_agent_is_here(job->agent, environ, version))
		zs_complain("install: warning: %s is not found on this machine", job->agent->title);
	zs_install_warn(command->zs);
}

/* The change */

static int plan(struct job *job, struct zs_error *error)
{
	struct zs_agent_text old = { job->agent, job->place.path, NULL, 0 };
	struct zs_hook_call command;
	int r;

	if (zs_agent_file_read(&job->place, job->scope, &job->file, error) < 0)
		return zs_fail_error(ZS_EXIT_BAD_INPUT, error);
	old.text = job->file.text;
	old.len = job->file.len;
	r = job->install ? make_command(job, &command) : ZS_EXIT_OK;
	if (r != ZS_EXIT_OK)
		return r;
	if ((job->install ? zs_agent_text_install(&old, &command, &job->new, error)
			  : zs_agent_text_uninstall(&old, &job->new, error)) < 0)
		return zs_fail_error(ZS_EXIT_BAD_INPUT, error);
	if (job->install)
		warn(job, &command);
	return ZS_EXIT_OK;
}

static void advise(const struct job *job)
{
	const char *advice = zs_agent_configs[job->agent->number].advice[job->scope];

	if (job->install && advice)
		printf("Still to do: %s.\n", advice);
	if (job->install && confines(job) && !(job->fields->profile && strcmp(job->fields->profile, "relaxed") == 0))
		puts("The sandbox hides .env, private keys and the like in the workspace, unless git tracks them; to "
		     "show "
		     "them, set \"show_secrets\": true below \"sandbox\" in your settings.");
	if (job->install && !confines(job))
		printf("The hook reads commands and does not confine them: an allowed command runs with all your "
		       "rights, and guard does not look into scripts and programs; %s.\n",
			job->agent->rewrites ? "--confine puts each command in the sandbox"
					     : "this agent lets no hook change them, so for both walls use zs mcp");
}

static int make_change(struct job *job, struct zs_error *error)
{
	bool script = zs_agent_configs[job->agent->number].form == ZS_CONFIG_SCRIPT, runs;
	int r = plan(job, error);

	if (r != ZS_EXIT_OK)
		return r;
	runs = !script || !job->install || !job->file.text || job->file.st.st_mode & S_IXUSR;
	if (!runs)
		job->file.st.st_mode |= 0111; /* a script must be executable */
	if (install_is_same(job) && runs) {
		zs_tell(stdout, "Nothing to do: the hook of zs is %s %s%s.", job->install ? "in" : "not in",
			job->place.path, job->install ? " already" : "");
		advise(job);
		return ZS_EXIT_OK;
	}
	r = zs_install_agree(&job->file, &job->new, job->fields->yes, job->fields->dry_run);
	if (r != ZS_EXIT_OK || job->fields->dry_run)
		return r;
	if (zs_agent_file_write(&job->file, script ? 0777 : 0666, job->new.text, job->new.len, error) < 0)
		return zs_fail_error(ZS_EXIT_NO_OUTPUT, error);
	zs_tell(stdout, "The hook of zs is %s %s%s.", job->install ? "in" : "no longer in", job->place.path,
		job->install ? " now" : "");
	advise(job);
	return ZS_EXIT_OK;
}

/* zs install --list */

struct row {
	const struct zs_agent *agent;
	bool here;
	char version[64];
	enum zs_config_scope scope;
	struct zs_agent_state state;
};

static void print_row(const struct row *row)
{
	const struct zs_agent_state *state = &row->state;
	const char *confines = state->command.confine ? "yes" : "no";

	zs_tell(stdout, "%-11s  %-5s  %-9s  %-7s  %-7s  %-*s%s", row->agent->id, row->here ? "yes" : "no",
		row->version[0] ? row->version : "-", zs_hook_state_names[state->state],
		state->state == ZS_HOOK_NONE ? "-" : zs_scope_names[row->scope], state->note[0] ? 9 : 0,
		state->command.agent ? confines : "-", state->note);
}

static void put_row(const struct row *row)
{
	const struct zs_agent_state *state = &row->state;
	const struct zs_hook_call *command = state->command.agent ? &state->command : NULL;

	zs_json_print_line(stdout,
		"{'agent':%s,'title':%s,'found':%i,'version':%s,'scope':%s,'file':%s,'hook':%s,'note':%s,'zs':%s,"
		"'profile':%s,'confine':%i}",
		row->agent->id, row->agent->title, row->here, row->version[0] ? row->version : NULL,
		zs_scope_names[row->scope], state->path[0] ? state->path : NULL, zs_hook_state_names[state->state],
		state->note, command ? command->zs : NULL, command && command->profile[0] ? command->profile : NULL,
		command && command->confine);
}

/* The keys that the machine's own settings force, each once, with the number of its entries. */
struct forced {
	char text[1024];
	const char *key;
	unsigned count;
};

static void end_key(struct forced *forced)
{
	size_t len = strlen(forced->text);

	if (forced->key)
		snprintf(forced->text + len, sizeof forced->text - len, forced->count > 1 ? "%s%s (%u)" : "%s%s",
			len ? ", " : "", forced->key, forced->count);
}

static void add_forced(const char *key, const char *value, struct zs_source source, void *arg)
{
	struct forced *forced = arg;

	(void)value;
	(void)source;
	if (forced->key && strcmp(forced->key, key) == 0) {
		forced->count++;
		return;
	}
	end_key(forced);
	forced->key = key;
	forced->count = 1;
}

static int list_forced(bool json)
{
	struct forced forced = { 0 };
	struct zs_settings *settings;
	struct zs_error error;

	if (zs_settings_none("/", environ, &settings, &error) < 0)
		return zs_fail_error(ZS_EXIT_BAD_INPUT, &error);
	zs_settings_each_managed(settings, add_forced, &forced);
	end_key(&forced);
	if (zs_settings_managed_file(settings) && json)
		zs_json_print_line(
			stdout, "{'managed':%s,'forces':%s}", zs_settings_managed_file(settings), forced.text);
	else if (zs_settings_managed_file(settings))
		zs_tell(stdout, "\nThis machine's %s forces: %s", zs_settings_managed_file(settings),
			*forced.text ? forced.text : "nothing");
	zs_settings_free(settings);
	return ZS_EXIT_OK;
}

static void install_list(char *const envp[], bool json)
{
	if (!json)
		puts("agent        found  version    hook     scope    confine  note");
	for (size_t i = 0; i < ZS_AGENT_COUNT; i++) {
		struct row row = { .agent = &zs_agents[i] };
		bool any = false;

		row.here = zs_agent_is_here(row.agent, envp, row.version);
		for (row.scope = 0; row.scope < ZS_SCOPE_COUNT; row.scope++) {
			zs_agent_state(row.agent, row.scope, envp, &row.state);
			/* An agent without a hook gets one row; in JSON it gets one for each place. */
			if (json ? !row.state.path[0] : row.state.state == ZS_HOOK_NONE)
				continue;
			any = true;
			(json ? put_row : print_row)(&row);
		}
		row.scope = ZS_SCOPE_USER;
		if (!any)
			(json ? put_row : print_row)(&row);
	}
}

static int install_start(struct job *job, const char *id)
{
	struct zs_error error;
	const char *nearest;
	int r;

	job->agent = zs_agent_find(id);
	if (!job->agent) {
		nearest = zs_agent_nearest(id);
		return zs_fail(ZS_EXIT_USAGE, "install: %s: no such agent; %s%s%s", id, nearest ? "did you mean '" : "",
			nearest ? nearest : "'zs install --list' names them", nearest ? "'?" : "");
	}
	if (job->fields->confine && job->fields->no_confine)
		return zs_fail(ZS_EXIT_USAGE, "install: write one of --confine and --no-confine");
	if (job->fields->confine && !job->agent->rewrites)
		return zs_fail(ZS_EXIT_USAGE, "install: --confine: %s lets no hook change a command; leave it out",
			job->agent->title);
	if (zs_agent_place(job->agent, job->scope, environ, &job->place, &error) < 0 ||
		zs_agent_place_check(&job->place, &error) < 0)
		return zs_fail_error(ZS_EXIT_BAD_INPUT, &error);
	r = make_change(job, &error);
	free(job->file.text);
	free(job->new.text);
	return r;
}

static bool say_option(const char *name, const char *value, void *arg)
{
	(void)value;
	*(const char **)arg = name;
	return false;
}

static int mcp_run(const struct fields *fields, const struct zs_operands *operands, bool install)
{
	const struct zs_agent *agent = operands->count > 0 ? zs_agent_find(operands->items[0]) : NULL;
	const struct zs_install_mcp wanted = { .agent = agent,
		.scope = fields->project ? ZS_SCOPE_PROJECT : ZS_SCOPE_USER,
		.names = (const char *const *)operands->items + (operands->count > 0),
		.policy = &fields->policy,
		.install = install,
		.yes = fields->yes,
		.dry_run = fields->dry_run };

	if (!agent || (fields->user && fields->project) || fields->list || fields->json || fields->profile ||
		fields->confine || fields->no_confine || fields->policy.print_policy)
		return zs_fail(ZS_EXIT_USAGE,
			install ? "install: write zs install --mcp AGENT [SERVER...] [--user|--project] [options of zs "
				  "run]"
				: "uninstall: write zs uninstall --mcp AGENT [SERVER...] [--user|--project]");
	return zs_install_mcp(&wanted);
}

static int install_run(const struct fields *fields, const struct zs_operands *operands, bool install)
{
	struct job job = { .fields = fields, .install = install };
	const char *option;

	if (fields->mcp)
		return mcp_run(fields, operands, install);
	if (!zs_options_given(zs_confine_options, &fields->policy, say_option, &option))
		return zs_fail(ZS_EXIT_USAGE, "install: --%s: goes with --mcp; the hook takes no grants", option);
	job.scope = fields->project ? ZS_SCOPE_PROJECT : ZS_SCOPE_USER;
	if (operands->count != 1 || (fields->user && fields->project) || fields->json)
		return zs_fail(ZS_EXIT_USAGE,
			install ? "install: write one of zs install AGENT [--user|--project], zs install --list "
				  "[--json]"
				: "uninstall: write zs uninstall AGENT [--user|--project]");
	return install_start(&job, operands->items[0]);
}

static int install_main(const void *storage, const struct zs_operands *operands)
{
	const struct fields *fields = storage;

	if (fields->list && operands->count == 0 && !fields->mcp) {
		install_list(environ, fields->json);
		return list_forced(fields->json);
	}
	return install_run(fields, operands, true);
}

static int uninstall_main(const void *storage, const struct zs_operands *operands)
{
	return install_run(storage, operands, false);
}

const struct zs_subcommand zs_install_subcommand = {
	.name = "install",
	.description = "Write the hook of zs into an agent's configuration",
	.usage = "AGENT [--user|--project] [--no-confine] [--profile P]\n"
		 "--mcp AGENT [SERVER...] [--user|--project] [options of zs run]\n--list [--json]",
	.words = ZS_AGENT_WORDS,
	.groups = install_groups,
	.notes = "Shows the change and asks. Other text in the file stays as it is; zs uninstall\n"
		 "removes the hook. The hook calls zs by its present path, so first install zs at\n"
		 "a path where no agent can write. Exits with 1 when the answer was no.\n\n"
		 "With --mcp each MCP server that the agent starts as a command runs in zs run:\n"
		 "without a network, with a cache of its own in /tmp, and the workspace read-only,\n"
		 "unless options say otherwise (--host, --for, --rw). A server that is wrapped\n"
		 "already keeps its options, unless there are new ones.",
	.fields_size = sizeof(struct fields),
	.main = install_main,
};

const struct zs_subcommand zs_uninstall_subcommand = {
	.name = "uninstall",
	.description = "Remove the hook of zs from an agent's configuration",
	.usage = "AGENT [--user|--project]\n--mcp AGENT [SERVER...] [--user|--project]",
	.words = ZS_AGENT_WORDS,
	.groups = ZS_ONE_GROUP(uninstall_options),
	.notes = "Shows the change and asks. Removes a file and folders that hold nothing else.\n"
		 "Exits with 1 when the answer was no.",
	.fields_size = sizeof(struct fields),
	.main = uninstall_main,
};
