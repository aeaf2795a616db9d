/* Makes the policy from options, settings and a policy file. */
#include "run/confine_policy.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/input.h"
#include "git/obeyed.h"
#include "git_base.h"
#include "image.h"
#include "run/limit_value.h"
#include "base/message.h"
#include "base/shell_quote.h"

extern char **environ;

/* If memory or descriptors have run out, the input is not at fault. */
static int exit_of(int cause, int exit_code)
{
	return cause == ENOMEM || cause == EMFILE || cause == ENFILE ? ZS_EXIT_CANNOT_ENFORCE : exit_code;
}

static int read_policy(const char *path, struct zs_policy **ret_policy)
{
	ZS_AUTO_FREE char *text = NULL;
	struct zs_error error;
	size_t len;
	int r;

	if (!*path)
		return zs_fail(ZS_EXIT_USAGE, "--policy: the path is empty; name a file");
	r = zs_read_input(path, ZS_POLICY_BYTES_MAX, &text, &len);
	if (r < 0)
		return zs_fail_errno(exit_of(-r, ZS_EXIT_BAD_INPUT), "policy", path, r);
	r = zs_policy_from_json(text, len, environ, ret_policy, &error);
	return r < 0 ? zs_fail_error(ZS_EXIT_BAD_INPUT, &error) : ZS_EXIT_OK;
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
		return zs_fail_error(
			strcmp(error.step, "workspace") == 0 ? ZS_EXIT_CANNOT_ENFORCE : ZS_EXIT_BAD_INPUT, &error);
	return ZS_EXIT_OK;
}

static int load_machine(struct zs_settings **ret_settings)
{
	struct zs_error error;

	return zs_settings_none("/", environ, ret_settings, &error) < 0 ? zs_fail_error(ZS_EXIT_BAD_INPUT, &error)
									: ZS_EXIT_OK;
}

/* task: NULL: no task. */
static int note(struct zs_confinement *made, enum zs_source_kind kind, const char *task)
{
	const struct zs_source source = { .kind = kind, .task = task };

	return !made->sources || zs_sources_note(made->sources, made->policy, source) == 0
		       ? ZS_EXIT_OK
		       : zs_fail_errno(ZS_EXIT_CANNOT_ENFORCE, "policy", "", ENOMEM);
}

/* A command that only looks needs no secrets. One whose changes may be applied works as without a dry run. */
static bool hides_secrets(const struct zs_confine_fields *fields, bool verify)
{
	bool trial = fields->diff || fields->patch || fields->apply;

	return fields->secrets ? strcmp(fields->secrets, "hide") == 0 : fields->hides_secrets || (verify && !trial);
}

static int hide_secrets(struct zs_confinement *made)
{
	struct zs_error error;

	if (zs_settings_show_secrets(made->settings))
		return ZS_EXIT_OK;
	if (zs_policy_add_pattern(made->policy, "@secrets", ZS_ACCESS_HIDE, &error) < 0)
		return zs_fail_error(ZS_EXIT_CANNOT_ENFORCE, &error);
	return note(made, ZS_SOURCE_PRESET, NULL);
}

static int preset_policy(
	const struct zs_confine_fields *fields, bool verify, bool with_sources, struct zs_confinement *made)
{
	static const char *const none[] = { NULL };
	struct zs_path_lists lists = { 0 };
	ZS_AUTO_FREE char *path = NULL;
	struct zs_error error;
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
	if (r != ZS_EXIT_OK)
		return r;
	if (zs_settings_policy(made->settings, verify ? ZS_WORKSPACE_OVERLAY : ZS_WORKSPACE_WRITE, &lists,
		    &made->policy, with_sources ? &made->sources : NULL, &error) < 0)
		return zs_fail_error(strcmp(error.step, "settings") == 0 ? ZS_EXIT_BAD_INPUT : ZS_EXIT_USAGE, &error);
	return hides_secrets(fields, verify) ? hide_secrets(made) : ZS_EXIT_OK;
}

/* An option whose values are added to the policy one by one. */
struct list_option {
	const char *path_of; /* the option's name, where its values are paths; else NULL */
	const struct zs_option_list *list;
	int (*add)(struct zs_policy *policy, const char *value, struct zs_error *error); /* NULL: as access says */
	enum zs_access access;
};

static int add_value(struct zs_policy *policy, const struct list_option *option, const char *value)
{
	bool takes = !option->add && option->access < ZS_ACCESS_READ; /* access away */
	ZS_AUTO_FREE char *path = NULL;
	struct zs_error error;
	int r;

	if (takes && (strchr(value, '*') || value[0] == '@'))
		return zs_policy_add_pattern(policy, value, option->access, &error) < 0
			       ? zs_fail_error(ZS_EXIT_USAGE, &error)
			       : ZS_EXIT_OK;
	r = option->path_of ? zs_absolute_option(option->path_of, value, &path) : ZS_EXIT_OK;

	if (r != ZS_EXIT_OK)
		return r;
	r = option->add ? option->add(policy, path ? path : value, &error)
			: zs_policy_add_path(policy, path, option->access, &error);
	return r < 0 ? zs_fail_error(ZS_EXIT_USAGE, &error) : ZS_EXIT_OK;
}

static int add_host(struct zs_policy *policy, const char *host, struct zs_error *error)
{
	return zs_policy_add_hosts(policy, host, environ, error);
}

static int add_lists(const struct zs_confine_fields *fields, struct zs_policy *policy)
{
	const struct list_option options[] = {
		{ "--ro", &fields->read, NULL, ZS_ACCESS_READ },
		{ "--rw", &fields->write, NULL, ZS_ACCESS_WRITE },
		{ "--exec", &fields->exec, zs_policy_add_exec, ZS_ACCESS_EXEC },
		{ "--protect", &fields->protect, NULL, ZS_ACCESS_PROTECT },
		{ "--hide", &fields->hide, NULL, ZS_ACCESS_HIDE },
		{ "--socket", &fields->sockets, zs_policy_add_socket, ZS_ACCESS_WRITE },
		{ NULL, &fields->pass, zs_policy_add_env, ZS_ACCESS_READ },
		{ NULL, &fields->set, zs_policy_set_env, ZS_ACCESS_READ },
		{ NULL, &fields->hosts, add_host, ZS_ACCESS_READ },
	};
	int r = ZS_EXIT_OK;

	for (size_t i = 0; i < ZS_COUNT(options); i++)
		for (size_t j = 0; j < options[i].list->count && r == ZS_EXIT_OK; j++)
			r = add_value(policy, &options[i], options[i].list->items[j]);
	return r;
}

#define PROMISE_NAME(id, name, text) name,
static const char *const promises[] = { ZS_PROMISES(PROMISE_NAME) };

static bool give_up_one(const char *text, size_t len, void *arg)
{
	struct zs_error error;
	enum zs_promise promise;
	const char *nearest;
	char name[32];

	snprintf(name, sizeof name, "%.*s", (int)len, text);
	if (zs_promise_from_name(name, &promise) == 0)
		return zs_policy_give_up(arg, promise, &error) == 0 || !zs_fail_error(ZS_EXIT_USAGE, &error);
	nearest = zs_nearest(name, promises, ZS_PROMISE_COUNT);
	if (!*name)
		return zs_fail(false, "--without: a name is empty; write names, with commas between");
	return nearest ? zs_fail(false, "--without: %s: no such promise; did you mean %s?", name, nearest)
		       : zs_fail(false,
				 "--without: %s: no such promise; choose from protect, hide, private-tmp, loopback, "
				 "sockets, metadata, processes, privileges, overlay",
				 name);
}

/* The option parser has checked the names. */
static int set_choices(const struct zs_confine_fields *fields, struct zs_policy *policy)
{
	enum zs_network network = ZS_NETWORK_NONE;
	enum zs_tmp tmp;
	enum zs_caches caches;
	enum zs_git git;
	struct zs_error error;

	if (fields->network)
		zs_network_from_name(fields->network, &network);
	if (fields->network && fields->hosts.count && network != ZS_NETWORK_HOSTS)
		return zs_fail(
			ZS_EXIT_USAGE, "--host: does not go with --net %s; leave one of them out", fields->network);
	if ((fields->network && zs_policy_set_network(policy, network, &error) < 0) ||
		(fields->tmp && zs_tmp_from_name(fields->tmp, &tmp) == 0 &&
			zs_policy_set_tmp(policy, tmp, &error) < 0) ||
		(fields->caches && zs_caches_from_name(fields->caches, &caches) == 0 &&
			zs_policy_set_caches(policy, caches, &error) < 0) ||
		(fields->git && zs_git_from_name(fields->git, &git) == 0 && zs_policy_set_git(policy, git, &error) < 0))
		return zs_fail_error(ZS_EXIT_USAGE, &error);
	return ZS_EXIT_OK;
}

static int set_root(const struct zs_confine_fields *fields, struct zs_policy *policy)
{
	ZS_AUTO_FREE char *path = NULL;
	struct zs_error error;
	int r;

	if ((fields->root_user || fields->users) && !fields->root)
		return zs_fail(ZS_EXIT_USAGE, "--%s: goes with --root DIR", fields->users ? "users" : "root-user");
	if (!fields->root)
		return ZS_EXIT_OK;
	r = zs_absolute_option("--root", fields->root, &path);
	if (r != ZS_EXIT_OK)
		return r;
	if (zs_image_is(path)) {
		if (zs_image_use(policy, path, fields->root_user, environ, &error) < 0)
			return zs_fail_error(ZS_EXIT_CANNOT_ENFORCE, &error);
	} else if (zs_policy_set_root(policy, path, fields->root_user, &error) < 0) {
		return zs_fail_error(ZS_EXIT_USAGE, &error);
	}
	if (fields->users && zs_policy_set_users(policy, &error) < 0)
		return zs_fail_error(ZS_EXIT_USAGE, &error);
	return ZS_EXIT_OK;
}

static int set_git_base(const struct zs_confine_fields *fields, struct zs_policy *policy)
{
	struct zs_error error;
	int r = fields->git_base ? zs_git_base_use(policy, fields->git_base, environ, &error) : 0;

	if (r == 0)
		return ZS_EXIT_OK;
	return zs_fail_error(r == -EINVAL ? ZS_EXIT_USAGE : ZS_EXIT_CANNOT_ENFORCE, &error);
}

static int add_options(const struct zs_confine_fields *fields, struct zs_policy *policy)
{
	int r = set_choices(fields, policy);

	if (r == ZS_EXIT_OK)
		r = set_root(fields, policy);
	if (r == ZS_EXIT_OK)
		r = set_git_base(fields, policy);
	if (r == ZS_EXIT_OK)
		r = add_lists(fields, policy);
	if (r == ZS_EXIT_OK)
		r = zs_set_limits(&fields->limits, policy);
	if (r == ZS_EXIT_OK && !zs_options_names(&fields->without, give_up_one, policy))
		r = ZS_EXIT_USAGE;
	return r;
}

static int confine_policy_check(const struct zs_confine_fields *fields)
{
	if (fields->policy && fields->workspace)
		return zs_fail(ZS_EXIT_USAGE, "--workspace: does not go with --policy; the file names the workspace");
	if (fields->policy && fields->no_default.count)
		return zs_fail(ZS_EXIT_USAGE, "--no-default: does not go with --policy; the file says \"path_lists\"");
	if (fields->policy && fields->secrets)
		return zs_fail(
			ZS_EXIT_USAGE, "--secrets: does not go with --policy; the file hides the pattern @secrets");
	if (fields->policy && fields->verify)
		return zs_fail(
			ZS_EXIT_USAGE, "--verify: does not go with --policy; the file says \"access\": \"overlay\"");
	return ZS_EXIT_OK;
}

/* This comes last, when all grants are known. */
static int protect_settings(struct zs_policy *policy)
{
	struct zs_error error;

	zs_settings_keep_layers(policy, environ);
	zs_settings_make_journal(policy, environ);
	return zs_settings_protect(policy, environ, &error) < 0 || zs_approvals_protect(policy, environ, &error) < 0
		       ? zs_fail_error(ZS_EXIT_CANNOT_ENFORCE, &error)
		       : ZS_EXIT_OK;
}

#define TASK_NAME(id, name, text) name,
static const char *const tasks[] = { ZS_TASKS(TASK_NAME) };

struct adding {
	const struct zs_confine_fields *fields;
	struct zs_confinement *made;
};

static bool add_task(const struct adding *adding, enum zs_task task)
{
	const char *network = adding->fields->network, *name = zs_task_name(task);
	struct zs_policy *policy = adding->made->policy;
	struct zs_error error;
	enum zs_git git;

	if (zs_policy_add_task(policy, task, environ, &error) < 0)
		return !zs_fail_error(ZS_EXIT_USAGE, &error);
	if (network && strcmp(network, zs_network_name(zs_policy_network(policy))) != 0)
		return zs_fail(false, "--for: %s has hosts, and does not go with --net %s; leave one of them out", name,
			network);
	if (adding->fields->git && zs_git_from_name(adding->fields->git, &git) == 0)
		zs_policy_set_git(policy, git, &error);
	return note(adding->made, ZS_SOURCE_OPTION, name) == ZS_EXIT_OK;
}

static bool add_named_task(const char *text, size_t len, void *arg)
{
	const struct adding *adding = arg;
	bool automatic = len == strlen("auto") && strncmp(text, "auto", len) == 0;
	const char *nearest;
	enum zs_task task;
	bool added = true;
	char name[32];

	if (automatic) {
		adding->made->automatic = true;
		adding->made->chosen = zs_policy_find_tasks(adding->made->policy);
	}
	for (task = 0; automatic && added && task < ZS_TASK_COUNT; task++)
		added = !(adding->made->chosen & 1u << task) || add_task(adding, task);
	if (automatic)
		return added;
	snprintf(name, sizeof name, "%.*s", (int)len, text);
	if (zs_task_from_name(name, &task) == 0)
		return add_task(adding, task);
	nearest = zs_nearest(name, tasks, ZS_TASK_COUNT);
	return zs_fail(false,
		"--for: %s: no such task%s%s; choose from npm, pnpm, yarn, pip, uv, cargo, go, maven, git, git-ssh, "
		"sign-ssh, sign-gpg, gpu, docker-none, auto",
		name, nearest ? "; did you mean " : "", nearest ? nearest : "");
}

/* They come after all other grants: a registry is taken from no file that the command can write. */
static int add_tasks(const struct zs_confine_fields *fields, struct zs_confinement *made)
{
	struct adding adding = { fields, made };

	return zs_options_names(&fields->tasks, add_named_task, &adding) ? ZS_EXIT_OK : ZS_EXIT_USAGE;
}

static void tell_missing(const struct zs_error *error, void *arg)
{
	(void)arg;
	zs_complain_error(error);
}

void zs_tell_tasks(const struct zs_confinement *made)
{
	char names[128] = "";

	for (enum zs_task task = 0; task < ZS_TASK_COUNT; task++)
		if (made->chosen & 1u << task)
			snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", *names ? "," : "",
				zs_task_name(task));
	if (made->automatic && *names)
		zs_complain("for: auto: the files of the workspace ask for --for %s", names);
	else if (made->automatic)
		zs_complain("for: auto: no file of the workspace asks for a task; name it, as in --for npm,pip");
	zs_policy_each_missing(made->policy, environ, tell_missing, NULL);
}

int zs_narrow(struct zs_confinement *made)
{
	struct zs_error error;

	return zs_settings_narrow(made->machine ? made->machine : made->settings, made->policy, made->sources,
		       &made->left_out, &error) < 0
		       ? zs_fail_error(error.cause == EPERM ? ZS_EXIT_CANNOT_ENFORCE : ZS_EXIT_BAD_INPUT, &error)
		       : ZS_EXIT_OK;
}

int zs_make_policy(
	const struct zs_confine_fields *fields, bool verify, bool with_sources, struct zs_confinement *ret_made)
{
	struct zs_confinement made = { 0 };
	int r = confine_policy_check(fields);

	if (r == ZS_EXIT_OK && fields->policy)
		r = load_machine(&made.machine);
	if (r == ZS_EXIT_OK && fields->policy)
		r = read_policy(fields->policy, &made.policy);
	else if (r == ZS_EXIT_OK)
		r = preset_policy(fields, verify, with_sources, &made);
	if (r == ZS_EXIT_OK && fields->policy && with_sources && zs_sources_new(&made.sources) < 0)
		r = ZS_EXIT_CANNOT_ENFORCE;
	if (r == ZS_EXIT_OK && fields->policy)
		r = note(&made, ZS_SOURCE_POLICY, NULL);
	if (r == ZS_EXIT_OK)
		r = add_options(fields, made.policy);
	if (r == ZS_EXIT_OK)
		r = note(&made, ZS_SOURCE_OPTION, NULL);
	if (r == ZS_EXIT_OK)
		r = add_tasks(fields, &made);
	if (r == ZS_EXIT_OK)
		r = zs_narrow(&made);
	if (r == ZS_EXIT_OK && !with_sources) /* 'zs policy show' makes nothing */
		zs_policy_make_caches(made.policy, environ);
	if (r == ZS_EXIT_OK)
		r = protect_settings(made.policy);
	if (r == ZS_EXIT_OK)
		r = note(&made, ZS_SOURCE_PRESET, NULL);
	if (r == ZS_EXIT_OK)
		*ret_made = made;
	else
		zs_confinement_free(&made);
	return r;
}

/* "~" is HOME, as in a policy. */
static bool exists(const char *path)
{
	bool home = path[0] == '~' && (path[1] == '/' || !path[1]);
	const char *value = home ? getenv("HOME") : NULL;
	char whole[PATH_MAX];
	struct stat st;

	if ((home && !value) || strchr(path, '*') || path[0] == '@') /* a pattern may match nothing */
		return true;
	snprintf(whole, sizeof whole, "%s%s", home ? value : "", path + home);
	return stat(whole, &st) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

/* The caller's own name takes the protection from a missing file, so a command can make it. */
static bool can_be_written(const char *path)
{
	return exists(path) || zs_obeyed_anywhere(path);
}

static bool is_set(const char *pattern)
{
	size_t len = strlen(pattern);
	bool prefix = len > 0 && pattern[len - 1] == '*';

	for (char *const *entry = environ; *entry; entry++)
		if (strncmp(*entry, pattern, len - prefix) == 0 && (prefix || (*entry)[len] == '='))
			return true;
	return false;
}

void zs_tell_unmatched(const struct zs_confine_fields *fields)
{
	static const char file[] = "no such file or folder";
	const struct {
		const char *option;
		const struct zs_option_list *list;
		bool (*found)(const char *value);
		const char *missing, *then;
	} rows[] = {
		{ "--ro", &fields->read, exists, file, "nothing is granted" },
		{ "--rw", &fields->write, can_be_written, file, "nothing is granted" },
		{ "--socket", &fields->sockets, exists, file, "nothing is granted" },
		{ "--hide", &fields->hide, exists, file, "nothing is hidden" },
		{ "--protect", &fields->protect, exists, file, "only the name is protected" },
		{ "--env", &fields->pass, is_set, "no such variable is set", "nothing passes" },
	};

	for (size_t i = 0; i < ZS_COUNT(rows); i++)
		for (size_t j = 0; j < rows[i].list->count; j++)
			if (!rows[i].found(rows[i].list->items[j]))
				zs_complain("%s: %s: %s; %s", rows[i].option, rows[i].list->items[j], rows[i].missing,
					rows[i].then);
}

void zs_confinement_free(struct zs_confinement *made)
{
	zs_policy_free(made->policy);
	zs_settings_free(made->settings);
	zs_settings_free(made->machine);
	zs_sources_free(made->sources);
}

void zs_tell_left_out(const struct zs_confinement *made)
{
	if (made->left_out.step)
		zs_complain_error(&made->left_out);
}

/* Prints one line; 'zs trust' shows the entries. */
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
	zs_complain("settings: %s: left out %zu %s more than your own settings grant, since the file is not trusted; "
		    "see: zs trust %s",
		zs_settings_project_file(made->settings), open,
		open == 1 ? "entry that asks for" : "entries that ask for",
		zs_shell_word(zs_settings_project_root(made->settings), word));
}
