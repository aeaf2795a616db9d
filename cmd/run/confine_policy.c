/* The policy that options, settings and a file make. */
#include "run/confine_policy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/exit.h"
#include "base/input.h"
#include "run/limit_value.h"
#include "base/message.h"
#include "base/shell_quote.h"

extern char **environ;

/* From an error to the exit code whose fault it is; that there is no memory or descriptor left is nobody's. */
static int exit_of(int cause, int exit_code)
{
	return cause == ENOMEM || cause == EMFILE || cause == ENFILE ? ZS_EXIT_CANNOT_ENFORCE : exit_code;
}

int zs_complain_exit(const struct zs_error *error, int exit_code)
{
	zs_complain_error(error);
	return exit_of(error->cause, exit_code);
}

static int read_policy(const char *path, struct zs_policy **ret_policy)
{
	struct zs_error error;
	char *text;
	size_t len;
	int r;

	if (!*path) {
		zs_complain("--policy: the path is empty; name a file");
		return ZS_EXIT_USAGE;
	}
	r = zs_read_input(path, ZS_POLICY_BYTES_MAX, &text, &len);
	if (r < 0) {
		zs_complain_errno("policy", path, r);
		return exit_of(-r, ZS_EXIT_BAD_INPUT);
	}
	r = zs_policy_from_json(text, len, environ, ret_policy, &error);
	free(text);
	return r < 0 ? zs_complain_exit(&error, ZS_EXIT_BAD_INPUT) : ZS_EXIT_OK;
}

int zs_absolute_option(const char *option, const char *path, char **ret_path)
{
	int r = zs_absolute_path(path, ret_path);

	if (r == -EINVAL)
		zs_complain("%s: the path is empty; name one", option);
	else if (r < 0)
		zs_complain_errno(option, path, r);
	return r < 0 ? exit_of(-r, ZS_EXIT_USAGE) : ZS_EXIT_OK;
}

static int load_settings(
	const struct zs_confine_fields *fields, const char *workspace, struct zs_settings **ret_settings)
{
	struct zs_error error;

	if (fields->no_settings ? zs_settings_none(workspace, environ, ret_settings, &error)
				: zs_settings_load(workspace, environ, ret_settings, &error))
		return zs_complain_exit(
			&error, strcmp(error.step, "workspace") == 0 ? ZS_EXIT_CANNOT_ENFORCE : ZS_EXIT_BAD_INPUT);
	return ZS_EXIT_OK;
}

static int preset_policy(
	const struct zs_confine_fields *fields, bool verify, bool with_sources, struct zs_confinement *made)
{
	static const char *const none[] = { NULL };
	struct zs_path_lists lists = { 0 };
	struct zs_error error;
	char *path;
	int r = zs_absolute_option("--workspace", fields->workspace ? fields->workspace : ".", &path);

	if (r != ZS_EXIT_OK)
		return r;
	for (size_t i = 0; i < fields->no_default.count; i++) {
		const char *category = fields->no_default.items[i];

		if (strcmp(category, "exec") == 0)
			lists.exec = none;
		else if (strcmp(category, "read") == 0)
			lists.read = none;
		else
			lists.write = none;
	}
	r = load_settings(fields, path, &made->settings);
	free(path);
	if (r != ZS_EXIT_OK)
		return r;
	if (zs_settings_policy(made->settings, verify ? ZS_WORKSPACE_OVERLAY : ZS_WORKSPACE_WRITE, &lists,
		    &made->policy, with_sources ? &made->sources : NULL, &error) < 0)
		return zs_complain_exit(
			&error, strcmp(error.step, "settings") == 0 ? ZS_EXIT_BAD_INPUT : ZS_EXIT_USAGE);
	return ZS_EXIT_OK;
}

/* The options that name paths. */
struct path_option {
	const char *name;
	const struct zs_option_list *paths;
	enum zs_access access;
	int (*add)(struct zs_policy *policy, const char *path, struct zs_error *error); /* NULL: as access says */
};

static int add_one_path(struct zs_policy *policy, const struct path_option *option, const char *path)
{
	struct zs_error error;
	char *full;
	int r = zs_absolute_option(option->name, path, &full);

	if (r != ZS_EXIT_OK)
		return r;
	r = option->add ? option->add(policy, full, &error) : zs_policy_add_path(policy, full, option->access, &error);
	free(full);
	return r < 0 ? zs_complain_exit(&error, ZS_EXIT_USAGE) : ZS_EXIT_OK;
}

static int add_paths(const struct zs_confine_fields *fields, struct zs_policy *policy)
{
	const struct path_option options[] = {
		{ "--ro", &fields->read, ZS_ACCESS_READ, NULL },
		{ "--rw", &fields->write, ZS_ACCESS_WRITE, NULL },
		{ "--exec", &fields->exec, ZS_ACCESS_EXEC, zs_policy_add_exec },
		{ "--protect", &fields->protect, ZS_ACCESS_PROTECT, NULL },
		{ "--hide", &fields->hide, ZS_ACCESS_HIDE, NULL },
		{ "--socket", &fields->sockets, ZS_ACCESS_WRITE, zs_policy_add_socket },
	};
	int r = ZS_EXIT_OK;

	for (size_t i = 0; i < sizeof options / sizeof *options; i++)
		for (size_t j = 0; j < options[i].paths->count && r == ZS_EXIT_OK; j++)
			r = add_one_path(policy, &options[i], options[i].paths->items[j]);
	return r;
}

#define PROMISE_NAME(id, name, text) name,
static const char *const promises[] = { ZS_PROMISES(PROMISE_NAME) };

static int give_up_one(const char *name, struct zs_policy *policy)
{
	struct zs_error error;
	enum zs_promise promise;
	const char *nearest;

	if (zs_promise_from_name(name, &promise) == 0)
		return zs_policy_give_up(policy, promise, &error) < 0 ? zs_complain_exit(&error, ZS_EXIT_USAGE)
								      : ZS_EXIT_OK;
	nearest = zs_nearest(name, promises, ZS_PROMISE_COUNT);
	if (!*name)
		zs_complain("--without: a name is empty; write names, with commas between");
	else if (nearest)
		zs_complain("--without: %s: no such promise; did you mean %s?", name, nearest);
	else
		zs_complain("--without: %s: no such promise; choose of protect, hide, private-tmp, loopback, sockets, "
			    "metadata, processes, privileges, overlay",
			name);
	return ZS_EXIT_USAGE;
}

static int confine_policy_give_up(const struct zs_option_list *lists, struct zs_policy *policy)
{
	for (size_t i = 0; i < lists->count; i++) {
		for (const char *item = lists->items[i];; item++) {
			size_t len = strcspn(item, ",");
			char name[32];
			int r;

			snprintf(name, sizeof name, "%.*s", (int)len, item);
			r = give_up_one(name, policy);
			if (r != ZS_EXIT_OK)
				return r;
			item += len;
			if (!*item)
				break;
		}
	}
	return ZS_EXIT_OK;
}

static int add_variables(const struct zs_option_list *list, struct zs_policy *policy,
	int (*add)(struct zs_policy *, const char *, struct zs_error *))
{
	struct zs_error error;

	for (size_t i = 0; i < list->count; i++)
		if (add(policy, list->items[i], &error) < 0)
			return zs_complain_exit(&error, ZS_EXIT_USAGE);
	return ZS_EXIT_OK;
}

static int set_network(const struct zs_confine_fields *fields, struct zs_policy *policy)
{
	enum zs_network network = ZS_NETWORK_NONE;
	struct zs_error error;

	if (fields->network)
		zs_network_from_name(fields->network, &network);
	if (fields->network && fields->hosts.count && network != ZS_NETWORK_HOSTS) {
		zs_complain("--host: does not go with --net %s; leave one of them out", fields->network);
		return ZS_EXIT_USAGE;
	}
	if (fields->network && zs_policy_set_network(policy, network, &error) < 0)
		return zs_complain_exit(&error, ZS_EXIT_USAGE);
	for (size_t i = 0; i < fields->hosts.count; i++)
		if (zs_policy_add_host(policy, fields->hosts.items[i], &error) < 0)
			return zs_complain_exit(&error, ZS_EXIT_USAGE);
	return ZS_EXIT_OK;
}

static int set_tmp_and_git(const struct zs_confine_fields *fields, struct zs_policy *policy)
{
	enum zs_tmp tmp;
	enum zs_git git;
	struct zs_error error;

	if (fields->tmp && zs_tmp_from_name(fields->tmp, &tmp) == 0 && zs_policy_set_tmp(policy, tmp, &error) < 0)
		return zs_complain_exit(&error, ZS_EXIT_USAGE);
	if (fields->git && zs_git_from_name(fields->git, &git) == 0 && zs_policy_set_git(policy, git, &error) < 0)
		return zs_complain_exit(&error, ZS_EXIT_USAGE);
	return ZS_EXIT_OK;
}

static int add_options(const struct zs_confine_fields *fields, struct zs_policy *policy)
{
	int r = add_paths(fields, policy);

	if (r == ZS_EXIT_OK)
		r = add_variables(&fields->pass, policy, zs_policy_add_env);
	if (r == ZS_EXIT_OK)
		r = add_variables(&fields->set, policy, zs_policy_set_env);
	if (r == ZS_EXIT_OK)
		r = set_network(fields, policy);
	if (r == ZS_EXIT_OK)
		r = set_tmp_and_git(fields, policy);
	if (r == ZS_EXIT_OK)
		r = zs_set_limits(&fields->limits, policy);
	if (r == ZS_EXIT_OK)
		r = confine_policy_give_up(&fields->without, policy);
	return r;
}

static bool confine_policy_check(const struct zs_confine_fields *fields)
{
	if (fields->policy && fields->workspace)
		zs_complain("--workspace: does not go with --policy; the file names the workspace");
	else if (fields->policy && fields->no_default.count)
		zs_complain("--no-default: does not go with --policy; the file says \"path_lists\"");
	else if (fields->policy && fields->verify)
		zs_complain("--verify: does not go with --policy; the file says \"access\": \"overlay\"");
	else
		return true;
	return false;
}

/* Last: what an option grants is known by now. */
static int protect_settings(struct zs_policy *policy)
{
	struct zs_error error;

	zs_settings_make_journal(policy, environ);
	return zs_settings_protect(policy, environ, &error) < 0 || zs_approvals_protect(policy, environ, &error) < 0
		       ? zs_complain_exit(&error, ZS_EXIT_CANNOT_ENFORCE)
		       : ZS_EXIT_OK;
}

static int note(struct zs_confinement *made, struct zs_source source)
{
	if (!made->sources || zs_sources_note(made->sources, made->policy, source) == 0)
		return ZS_EXIT_OK;
	zs_complain_errno("policy", "", ENOMEM);
	return ZS_EXIT_CANNOT_ENFORCE;
}

int zs_make_policy(
	const struct zs_confine_fields *fields, bool verify, bool with_sources, struct zs_confinement *ret_made)
{
	static const struct zs_source from_file = { ZS_SOURCE_POLICY, 0 };
	static const struct zs_source from_option = { ZS_SOURCE_OPTION, 0 };
	static const struct zs_source from_preset = { ZS_SOURCE_PRESET, 0 };
	struct zs_confinement made = { 0 };
	int r = confine_policy_check(fields) ? ZS_EXIT_OK : ZS_EXIT_USAGE;

	if (r == ZS_EXIT_OK && fields->policy)
		r = read_policy(fields->policy, &made.policy);
	else if (r == ZS_EXIT_OK)
		r = preset_policy(fields, verify, with_sources, &made);
	if (r == ZS_EXIT_OK && fields->policy && with_sources && zs_sources_new(&made.sources) < 0)
		r = ZS_EXIT_CANNOT_ENFORCE;
	if (r == ZS_EXIT_OK && fields->policy)
		r = note(&made, from_file);
	if (r == ZS_EXIT_OK)
		r = add_options(fields, made.policy);
	if (r == ZS_EXIT_OK)
		r = note(&made, from_option);
	if (r == ZS_EXIT_OK)
		r = protect_settings(made.policy);
	if (r == ZS_EXIT_OK)
		r = note(&made, from_preset);
	if (r == ZS_EXIT_OK)
		*ret_made = made;
	else
		zs_confinement_free(&made);
	return r;
}

void zs_confinement_free(struct zs_confinement *made)
{
	zs_policy_free(made->policy);
	zs_settings_free(made->settings);
	zs_sources_free(made->sources);
}

/* One line: what the rest says is for 'zs trust' to show. */
void zs_tell_untrusted(const struct zs_confinement *made)
{
	const struct zs_widening *widenings;
	const struct zs_error *problem;
	struct zs_error error;
	size_t count, open;
	char word[ZS_SHELL_WORD_BYTES];

	if (!made->settings || zs_settings_trusted(made->settings, &problem) ||
		zs_settings_widenings(made->settings, &widenings, &count, &open, &error) < 0 || open == 0)
		return;
	if (problem)
		zs_complain_error(problem);
	zs_complain("settings: %s: left out %zu %s more than is granted, since it is not trusted; see: zs trust %s",
		zs_settings_project_file(made->settings), open,
		open == 1 ? "entry that asks for" : "entries that ask for",
		zs_shell_word(zs_settings_project_root(made->settings), word));
}
