/* zs install and zs uninstall: put our hook into an agent's own configuration, and remove it. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/agent_place.h"
#include "agent/agent_state.h"
#include "agent/agent_form.h"
#include "base/cleanup.h"
#include "base/command.h"
#include "base/diff.h"
#include "base/json.h"
#include "base/memory_stream.h"
#include "base/message.h"
#include "base/person.h"
#include "self.h"

extern char **environ;

struct fields {
	bool user, project, yes, dry_run;
	bool list, json, confine; /* for zs install alone */
	const char *profile;
};

enum { PATIENCE_SECONDS = 3600 };

#define COMMON                                                                                                         \
	ZS_FLAG(0, "user", offsetof(struct fields, user),                                                              \
		"in your own configuration, for all your projects\n(default)"),                                        \
		ZS_FLAG(0, "project", offsetof(struct fields, project),                                                \
			"in the configuration of the project in this\ndirectory, for everyone who works in it"),       \
		ZS_FLAG('y', "yes", offsetof(struct fields, yes), "do not ask"),                                       \
		ZS_FLAG(0, "dry-run", offsetof(struct fields, dry_run), "show the change, and do not make it")

static const struct zs_option install_options[] = {
	COMMON,
	ZS_CHOICE(0, "profile", zs_profile_choices, offsetof(struct fields, profile), "of zs hook"),
	ZS_FLAG(0, "confine", offsetof(struct fields, confine),
		"commands that are allowed run inside zs run, where\nthe agent lets a hook change them"),
	ZS_FLAG(0, "list", offsetof(struct fields, list), "list agents, and whether the hook of zs is in force"),
	ZS_FLAG('j', "json", offsetof(struct fields, json), "print --list as lines of JSON"),
	{ 0 },
};

static const struct zs_option uninstall_options[] = { COMMON, { 0 } };

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

/* Showing */

/* Prints a unified diff. escaped: for a terminal, which the file's text must not control; else for patch(1).
 * -ENOMEM. */
static int show_change(const struct zs_agent_file *old, const struct zs_agent_change *new, FILE *out, bool escaped)
{
	struct zs_diff_text before = { old->text ? old->text : "", old->len };
	struct zs_diff_text after = { new->text ? new->text : "", new->len };
	ZS_AUTO_FREE char *diff = NULL;
	size_t len;
	FILE *text = zs_memory_stream(&diff, &len);
	int r = text ? zs_diff_hunks(text, before, after) : -ENOMEM;

	if (!zs_memory_close(text, &diff) || r < 0)
		return -ENOMEM;
	fputs("--- ", out);
	zs_put_value(out, old->text ? old->real : "/dev/null");
	fputs("\n+++ ", out);
	zs_put_value(out, new->text ? old->real : "/dev/null");
	fputc('\n', out);
	if (escaped)
		zs_put_lines(out, diff, len);
	else
		fwrite(diff, 1, len, out);
	return 0;
}

static bool install_is_same(const struct job *job)
{
	const struct zs_agent_file *old = &job->file;

	return !old->text == !job->new.text &&
	       (!old->text || (old->len == job->new.len && memcmp(old->text, job->new.text, old->len) == 0));
}

/* Asks a person, unless --yes was given. Returns an exit code. */
static int agree(const struct job *job)
{
	struct zs_person person;
	const char *why;
	bool yes, asks = !job->fields->yes && !job->fields->dry_run && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);

	if (!asks) {
		if (show_change(&job->file, &job->new, stdout, isatty(STDOUT_FILENO)) < 0)
			return zs_fail_errno(ZS_EXIT_NO_OUTPUT, "install", job->file.real, ENOMEM);
		if (job->fields->yes || job->fields->dry_run)
			return ZS_EXIT_OK;
		return zs_fail(
			ZS_EXIT_NO, "install: there is no terminal to ask at; look at the change, and add --yes");
	}
	why = zs_person_meet(&person, PATIENCE_SECONDS);
	if (why)
		return zs_fail(ZS_EXIT_NO, "install: %s", why);
	yes = show_change(&job->file, &job->new, person.out, true) == 0 &&
	      zs_person_agrees(&person, "Make this change? [y/N] ");
	zs_person_leave(&person);
	return yes ? ZS_EXIT_OK : zs_fail(ZS_EXIT_NO, "install: nothing was changed");
}

/* The new hook */

/* Does the path look the same in a shell, JSON, TOML and JavaScript? */
static bool install_is_plain(const char *path)
{
	size_t len = strlen(path);

	while (len > 0) {
		uint32_t point = 0;
		size_t step = zs_utf8_decode(path, len, &point);

		if (step == 0 || zs_is_unseen(point))
			return false;
		path += step;
		len -= step;
	}
	return true;
}

static int make_command(const struct job *job, struct zs_hook_call *ret_command)
{
	struct zs_hook_call command = { .agent = job->agent, .confine = job->fields->confine };
	char self[PATH_MAX];
	int r = zs_self_path(self, sizeof self);

	if (r < 0 || !realpath(self, command.zs) || access(command.zs, X_OK) < 0)
		return zs_fail_errno(ZS_EXIT_CANNOT_ENFORCE, "install", "the path of zs", r < 0 ? r : errno);
	if (!install_is_plain(command.zs))
		return zs_fail(ZS_EXIT_BAD_INPUT,
			"install: %s: a configuration cannot contain this path; install zs at another one", command.zs);
	if (job->fields->profile)
		snprintf(command.profile, sizeof command.profile, "%s", job->fields->profile);
	*ret_command = command;
	return ZS_EXIT_OK;
}

static void warn(const struct job *job, const struct zs_hook_call *command)
{
	const char *sudo = getenv("SUDO_USER");
	char why[ZS_STATE_NOTE_BYTES], version[64];

	if (job->scope == ZS_SCOPE_PROJECT)
		zs_complain("install: warning: people who work in this project need zs at %s: without it the agent "
			    "denies every command",
			command->zs);
	else if (!zs_agent_is_here(job->agent, environ, version))
		zs_complain("install: warning: %s is not found on this machine", job->agent->title);

	if (zs_program_is_loose(command->zs, why, sizeof why))
		zs_complain("install: warning: %s: %s; install zs elsewhere: ./zigw build install --prefix /usr/local",
			command->zs, why);
	if (geteuid() == 0 && sudo && strcmp(sudo, "root") != 0)
		zs_complain(
			"install: warning: this changes the configuration of root, not of %s; leave sudo out", sudo);
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
	if (job->install && !job->fields->confine)
		printf("The hook reads commands and does not confine them: an allowed command runs with all your "
		       "rights, and strict allows even rm -rf ~; %s.\n",
			job->agent->rewrites ? "--confine puts each command in the sandbox"
					     : "zs mcp reads and confines them");
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
	r = agree(job);
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

static int install_run(const struct fields *fields, const struct zs_operands *operands, bool install)
{
	struct job job = { .fields = fields, .install = install };

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

	if (fields->list && operands->count == 0) {
		install_list(environ, fields->json);
		return ZS_EXIT_OK;
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
	.usage = "AGENT [--user|--project] [--confine] [--profile P]\n--list [--json]",
	.words = ZS_AGENT_WORDS,
	.groups = ZS_ONE_GROUP(install_options),
	.notes = "Shows the change and asks. Other text in the file stays as it is; zs uninstall\n"
		 "removes the hook. The hook calls zs by its present path, so first install zs at\n"
		 "a path where no agent can write. Exits with 1 when the answer was no.",
	.fields_size = sizeof(struct fields),
	.main = install_main,
};

const struct zs_subcommand zs_uninstall_subcommand = {
	.name = "uninstall",
	.description = "Remove the hook of zs from an agent's configuration",
	.usage = "AGENT [--user|--project]",
	.words = ZS_AGENT_WORDS,
	.groups = ZS_ONE_GROUP(uninstall_options),
	.notes = "Shows the change and asks. Removes a file and folders that hold nothing else.\n"
		 "Exits with 1 when the answer was no.",
	.fields_size = sizeof(struct fields),
	.main = uninstall_main,
};
