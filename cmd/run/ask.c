#include "run/ask.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/ask_terminal.h"
#include "run/confine_policy.h"
#include "exec_command.h"
#include "base/exit.h"
#include "base/input.h"
#include "run/limit_value.h"
#include "base/message.h"
#include "settings/settings_places.h"

extern char **environ;

#define FIELD(name) offsetof(struct zs_ask_fields, name)

enum { PATIENCE_SECONDS = 120 };

const struct zs_option zs_ask_options[] = {
	ZS_FLAG(0, "ask", FIELD(ask),
		"ask for what is named below, and grant what was\n"
		"approved for this session"),
	ZS_LIST(0, "want-host", "NAME", FIELD(hosts), "connect to NAME, *.NAME or NAME:PORT"),
	ZS_LIST(0, "want-write", "PATH", FIELD(writes), "write PATH, and below"),
	ZS_FLAG(0, "want-git", FIELD(git), "write git's metadata, as commits do"),
	ZS_FLAG(0, "want-all-hosts", FIELD(all_hosts), "connect to any host"),
	ZS_FLAG(0, "want-all-writes", FIELD(all_writes), "write all that you can write"),
	ZS_FLAG(0, "want-unsandboxed", FIELD(unsandboxed), "run without any sandbox"),
	ZS_TEXT(0, "ask-for", "TIME", FIELD(patience), "wait so long for each answer (default: 2m)"),
	{ 0 },
};

bool zs_check_ask(const struct zs_ask_fields *fields)
{
	bool wants = fields->git || fields->all_hosts || fields->all_writes || fields->unsandboxed ||
		     fields->hosts.count || fields->writes.count;

	if (fields->ask || (!wants && !fields->patience))
		return true;
	zs_complain("%s: asks nobody; add --ask", wants ? "--want-*" : "--ask-for");
	return false;
}

static void free_list(char **list)
{
	for (size_t i = 0; list && list[i]; i++)
		free(list[i]);
	free(list);
}

/* The paths as absolute ones, up to a NULL; free_list() it. An exit code. */
static int copy_paths(const struct zs_option_list *list, char ***ret_paths)
{
	char **paths = calloc(list->count + 1, sizeof *paths);
	int r = paths ? ZS_EXIT_OK : ZS_EXIT_CANNOT_ENFORCE;

	if (!paths)
		zs_complain_errno("ask", "", ENOMEM);
	for (size_t i = 0; r == ZS_EXIT_OK && i < list->count; i++)
		r = zs_absolute_option("--want-write", list->items[i], &paths[i]);
	if (r == ZS_EXIT_OK)
		*ret_paths = paths;
	else
		free_list(paths);
	return r;
}

/* The obstacle is on stderr already when it is a no. */
static int ask_refuse(const struct zs_error *error, const struct zs_terminal_asking *asking)
{
	if (asking->denied)
		return ZS_EXIT_BLOCKED;
	return zs_complain_exit(
		error, error->cause == EACCES || error->cause == EPERM ? ZS_EXIT_BLOCKED : ZS_EXIT_USAGE);
}

static int ask(const struct zs_request *request, struct zs_terminal_asking *asking, struct zs_approvals *approvals)
{
	struct zs_error error, save_error;
	int r, saved;

	r = zs_approvals_ask(approvals, request, zs_ask_terminal, asking, &error);
	saved = zs_approvals_save(approvals, &save_error);
	if (r < 0)
		r = ask_refuse(&error, asking);
	if (saved < 0)
		return zs_complain_exit(&save_error, ZS_EXIT_BAD_INPUT);
	return r;
}

/* The user's own notes about it are not part of a policy. */
static int remember(const struct zs_settings *settings, struct zs_approvals *approvals)
{
	struct zs_error error;

	if (settings && zs_settings_allow_unsandboxed(settings) &&
		zs_approvals_add(approvals, ZS_NEED_UNSANDBOXED, NULL, ZS_ANSWER_ALWAYS, &error) < 0)
		return zs_complain_exit(&error, ZS_EXIT_CANNOT_ENFORCE);
	return zs_approvals_load(approvals, &error) < 0 ? zs_complain_exit(&error, ZS_EXIT_BAD_INPUT) : ZS_EXIT_OK;
}

static int widen(const struct zs_approvals *approvals, struct zs_policy *policy)
{
	struct zs_error error;

	if (zs_approvals_apply(approvals, policy, &error) < 0 || zs_settings_protect(policy, environ, &error) < 0 ||
		zs_approvals_protect(policy, environ, &error) < 0)
		return zs_complain_exit(&error, ZS_EXIT_CANNOT_ENFORCE);
	return ZS_EXIT_OK;
}

static int ask_fill(const struct zs_ask_fields *fields, bool settings, struct zs_terminal_asking *asking)
{
	char *folder;

	*asking = (struct zs_terminal_asking){ .seconds = PATIENCE_SECONDS };
	if (settings && zs_settings_folder(&zs_settings_places.config, environ, &folder) == 0) {
		snprintf(asking->settings, sizeof asking->settings, "%s/settings.json", folder);
		free(folder);
	}
	if (!fields->patience || zs_parse_seconds(fields->patience, &asking->seconds))
		return ZS_EXIT_OK;
	zs_complain("--ask-for: %s: is no time; write a number and s, m or h", fields->patience);
	return ZS_EXIT_USAGE;
}

static int ask_for(
	const struct zs_ask_fields *fields, bool settings, char *const argv[], struct zs_approvals *approvals)
{
	char folder[PATH_MAX], **writes = NULL;
	struct zs_terminal_asking asking;
	int r = ask_fill(fields, settings, &asking);

	if (r == ZS_EXIT_OK)
		r = copy_paths(&fields->writes, &writes);
	if (r == ZS_EXIT_OK) {
		const struct zs_request request = { .hosts = fields->hosts.items,
			.write_paths = (const char *const *)writes,
			.git = fields->git,
			.all_hosts = fields->all_hosts,
			.all_writes = fields->all_writes,
			.unsandboxed = fields->unsandboxed,
			.argv = argv,
			.folder = getcwd(folder, sizeof folder) };

		r = ask(&request, &asking, approvals);
	}
	free_list(writes);
	return r;
}

int zs_ask(const struct zs_ask_fields *fields, const struct zs_settings *settings, struct zs_policy *policy,
	char *const argv[], struct zs_approvals **ret_approvals)
{
	struct zs_approvals *approvals;
	struct zs_error error;
	int r;

	if (zs_approvals_new(policy, environ, &approvals, &error) < 0)
		return zs_complain_exit(&error, ZS_EXIT_CANNOT_ENFORCE);
	r = remember(settings, approvals);
	if (r == ZS_EXIT_OK)
		r = ask_for(fields, settings, argv, approvals);
	if (r == ZS_EXIT_OK)
		r = widen(approvals, policy);
	if (r == ZS_EXIT_OK)
		*ret_approvals = approvals;
	else
		zs_approvals_free(approvals);
	return r;
}

int zs_run_unsandboxed(char *const argv[])
{
	int cause = -zs_exec_command(argv, environ);

	zs_complain_errno("exec", argv[0], cause);
	return cause == ENOENT || cause == ENOTDIR ? ZS_EXIT_NOT_FOUND : ZS_EXIT_CANNOT_EXECUTE;
}
