#include "confine.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exit.h"
#include "input.h"
#include "limit_value.h"
#include "message.h"
#include "receipt.h"

extern char **environ;

#define FIELD(name) offsetof(struct zs_confine_fields, name)

static const char *const network_choices[] = { "none", "full", NULL };
static const char *const tmp_choices[] = { "private", "shared", NULL };
static const char *const category_choices[] = { "exec", "read", "write", NULL };
static const char *const git_choices[] = { "protect", "allow", NULL };

const struct zs_option zs_confine_options[] = {
	{ ZS_OPTION_TEXT, 0, "workspace", "DIR", FIELD(workspace), "where the command works (default: this directory)",
		NULL },
	{ ZS_OPTION_TEXT, 0, "policy", "FILE", FIELD(policy), "start from this JSON policy, not from the default",
		NULL },
	{ ZS_OPTION_LIST, 0, "ro", "PATH", FIELD(read), "let it read PATH, and below; may be repeated", NULL },
	{ ZS_OPTION_LIST, 0, "rw", "PATH", FIELD(write), "let it write PATH, and below", NULL },
	{ ZS_OPTION_LIST, 0, "exec", "PROGRAM", FIELD(exec), "let it run PROGRAM, a file, with its libraries", NULL },
	{ ZS_OPTION_LIST, 0, "no-default", NULL, FIELD(no_default), "none of the machine's own paths of this kind",
		category_choices },
	{ ZS_OPTION_LIST, 0, "protect", "PATH", FIELD(protect), "keep PATH, and below, from being written", NULL },
	{ ZS_OPTION_LIST, 0, "hide", "PATH", FIELD(hide), "keep PATH, and below, from being read", NULL },
	{ ZS_OPTION_TEXT, 0, "git", NULL, FIELD(git), "git's hooks and config (default: protect)", git_choices },
	{ ZS_OPTION_TEXT, 0, "tmp", NULL, FIELD(tmp), "/tmp (default: private)", tmp_choices },
	{ ZS_OPTION_LIST, 0, "socket", "PATH", FIELD(sockets), "let it connect to the unix socket PATH", NULL },
	{ ZS_OPTION_TEXT, 0, "net", NULL, FIELD(network), "the network (default: none)", network_choices },
	{ ZS_OPTION_LIST, 0, "env", "NAME", FIELD(pass), "let this variable pass; NAME* for a prefix", NULL },
	{ ZS_OPTION_LIST, 0, "setenv", "NAME=VALUE", FIELD(set), "set this variable", NULL },
	{ ZS_OPTION_LIST, 0, "limit", "NAME=VALUE", FIELD(limits),
		"at most so much: wall=30s, cpu=10s (s m h),\n"
		"memory=512M, file-size=1G (K M G), processes=100,\n"
		"files=256",
		NULL },
	{ ZS_OPTION_LIST, 0, "without", "LIST", FIELD(without),
		"run even where these cannot be had: protect, hide,\n"
		"private-tmp, loopback, sockets, metadata,\n"
		"processes, privileges, overlay; see 'zs doctor'",
		NULL },
	{ ZS_OPTION_FLAG, 0, "print-policy", NULL, FIELD(print_policy), "print the policy as JSON; run nothing", NULL },
	{ 0 },
};

const struct zs_option zs_trial_options[] = {
	{ ZS_OPTION_FLAG, 0, "verify", NULL, FIELD(verify), "throw away what it writes in the workspace", NULL },
	{ ZS_OPTION_FLAG, 0, "diff", NULL, FIELD(diff), "list on stderr what it would have changed", NULL },
	{ ZS_OPTION_FLAG, 0, "patch", NULL, FIELD(patch), "the same as a patch that git apply takes", NULL },
	{ ZS_OPTION_FLAG, 0, "apply", NULL, FIELD(apply),
		"change it when the command has ended, unless\n"
		"somebody else has done so meanwhile",
		NULL },
	{ ZS_OPTION_TEXT, 0, "report", "FILE", FIELD(report), "write list or patch to FILE instead", NULL },
	{ 0 },
};

/* From an error to the exit code whose fault it is; out of memory is nobody's. */
static int refuse(const struct zs_error *error, int exit_code)
{
	zs_complain_error(error);
	return error->cause == ENOMEM ? ZS_EXIT_CANNOT_ENFORCE : exit_code;
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
		return r == -ENOMEM ? ZS_EXIT_CANNOT_ENFORCE : ZS_EXIT_BAD_INPUT;
	}
	r = zs_policy_from_json(text, len, environ, ret_policy, &error);
	free(text);
	return r < 0 ? refuse(&error, ZS_EXIT_BAD_INPUT) : ZS_EXIT_OK;
}

static int absolute(const char *option, const char *path, char **ret_path)
{
	int r = zs_absolute_path(path, ret_path);

	if (r == -EINVAL)
		zs_complain("%s: the path is empty; name one", option);
	else if (r < 0)
		zs_complain_errno(option, path, r);
	if (r == -ENOMEM)
		return ZS_EXIT_CANNOT_ENFORCE;
	return r < 0 ? ZS_EXIT_USAGE : ZS_EXIT_OK;
}

static int preset_policy(const struct zs_confine_fields *fields, bool verify, struct zs_policy **ret_policy)
{
	static const char *const none[] = { NULL };
	struct zs_path_lists lists = { 0 };
	const char *const **categories[] = { &lists.exec, &lists.read, &lists.write };
	struct zs_error error;
	char *path;
	int r = absolute("--workspace", fields->workspace ? fields->workspace : ".", &path);

	if (r != ZS_EXIT_OK)
		return r;
	for (size_t i = 0; i < fields->no_default.count; i++)
		for (size_t j = 0; j < sizeof categories / sizeof *categories; j++)
			if (strcmp(fields->no_default.items[i], category_choices[j]) == 0)
				*categories[j] = none;
	r = zs_policy_preset(
		path, verify ? ZS_WORKSPACE_OVERLAY : ZS_WORKSPACE_WRITE, environ, &lists, ret_policy, &error);
	free(path);
	return r < 0 ? refuse(&error, ZS_EXIT_USAGE) : ZS_EXIT_OK;
}

static int add_path(struct zs_policy *policy, const char *option, const char *path, enum zs_access access)
{
	struct zs_error error;
	char *full;
	int r = absolute(option, path, &full);

	if (r != ZS_EXIT_OK)
		return r;
	r = access == ZS_ACCESS_EXEC ? zs_policy_add_exec(policy, full, &error)
				     : zs_policy_add_path(policy, full, access, &error);
	free(full);
	return r < 0 ? refuse(&error, ZS_EXIT_USAGE) : ZS_EXIT_OK;
}

static int add_paths(const struct zs_confine_fields *fields, struct zs_policy *policy)
{
	const struct {
		const char *option;
		const struct zs_option_list *paths;
		enum zs_access access;
	} lists[] = {
		{ "--ro", &fields->read, ZS_ACCESS_READ },
		{ "--rw", &fields->write, ZS_ACCESS_WRITE },
		{ "--exec", &fields->exec, ZS_ACCESS_EXEC },
		{ "--protect", &fields->protect, ZS_ACCESS_PROTECT },
		{ "--hide", &fields->hide, ZS_ACCESS_HIDE },
	};
	int r = ZS_EXIT_OK;

	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		for (size_t j = 0; j < lists[i].paths->count && r == ZS_EXIT_OK; j++)
			r = add_path(policy, lists[i].option, lists[i].paths->items[j], lists[i].access);
	return r;
}

static int add_sockets(const struct zs_option_list *list, struct zs_policy *policy)
{
	struct zs_error error;

	for (size_t i = 0; i < list->count; i++) {
		char *full;
		int r = absolute("--socket", list->items[i], &full);

		if (r != ZS_EXIT_OK)
			return r;
		r = zs_policy_add_socket(policy, full, &error);
		free(full);
		if (r < 0)
			return refuse(&error, ZS_EXIT_USAGE);
	}
	return ZS_EXIT_OK;
}

#define PROMISE_NAME(id, name, text) name,
static const char *const promises[] = { ZS_PROMISES(PROMISE_NAME) };

static int give_up_one(const char *name, struct zs_policy *policy)
{
	struct zs_error error;
	enum zs_promise promise;
	const char *nearest;

	if (zs_promise_from_name(name, &promise) == 0)
		return zs_policy_give_up(policy, promise, &error) < 0 ? refuse(&error, ZS_EXIT_USAGE) : ZS_EXIT_OK;
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

static int give_up(const struct zs_option_list *lists, struct zs_policy *policy)
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
			return refuse(&error, ZS_EXIT_USAGE);
	return ZS_EXIT_OK;
}

static int set_network(const char *choice, struct zs_policy *policy)
{
	enum zs_network network = ZS_NETWORK_NONE;
	struct zs_error error;

	if (!choice)
		return ZS_EXIT_OK;
	zs_network_from_name(choice, &network);
	return zs_policy_set_network(policy, network, &error) < 0 ? refuse(&error, ZS_EXIT_USAGE) : ZS_EXIT_OK;
}

static int set_tmp_and_git(const struct zs_confine_fields *fields, struct zs_policy *policy)
{
	enum zs_tmp tmp;
	enum zs_git git;
	struct zs_error error;

	if (fields->tmp && zs_tmp_from_name(fields->tmp, &tmp) == 0 && zs_policy_set_tmp(policy, tmp, &error) < 0)
		return refuse(&error, ZS_EXIT_USAGE);
	if (fields->git && zs_git_from_name(fields->git, &git) == 0 && zs_policy_set_git(policy, git, &error) < 0)
		return refuse(&error, ZS_EXIT_USAGE);
	return ZS_EXIT_OK;
}

/* On failure the policy is gone. */
static int make_policy(const struct zs_confine_fields *fields, bool verify, struct zs_policy **ret_policy)
{
	struct zs_policy *policy;
	int r;

	if (fields->policy && fields->workspace) {
		zs_complain("--workspace: does not go with --policy; the file names the workspace");
		return ZS_EXIT_USAGE;
	}
	if (fields->policy && fields->no_default.count) {
		zs_complain("--no-default: does not go with --policy; the file says \"path_lists\"");
		return ZS_EXIT_USAGE;
	}
	if (fields->policy && fields->verify) {
		zs_complain("--verify: does not go with --policy; the file says \"access\": \"overlay\"");
		return ZS_EXIT_USAGE;
	}
	if (fields->policy)
		r = read_policy(fields->policy, &policy);
	else
		r = preset_policy(fields, verify, &policy);
	if (r != ZS_EXIT_OK)
		return r;
	r = add_paths(fields, policy);
	if (r == ZS_EXIT_OK)
		r = add_variables(&fields->pass, policy, zs_policy_add_env);
	if (r == ZS_EXIT_OK)
		r = add_variables(&fields->set, policy, zs_policy_set_env);
	if (r == ZS_EXIT_OK)
		r = set_network(fields->network, policy);
	if (r == ZS_EXIT_OK)
		r = set_tmp_and_git(fields, policy);
	if (r == ZS_EXIT_OK)
		r = add_sockets(&fields->sockets, policy);
	if (r == ZS_EXIT_OK)
		r = zs_set_limits(&fields->limits, policy);
	if (r == ZS_EXIT_OK)
		r = give_up(&fields->without, policy);
	if (r == ZS_EXIT_OK)
		*ret_policy = policy;
	else
		zs_policy_free(policy);
	return r;
}

static int print_policy(const struct zs_policy *policy)
{
	struct zs_error error;
	char *text;
	size_t len;

	if (zs_policy_to_json(policy, true, &text, &len, &error) < 0)
		return refuse(&error, ZS_EXIT_USAGE);
	fwrite(text, 1, len, stdout);
	if (len == 0 || text[len - 1] != '\n')
		fputc('\n', stdout);
	free(text);
	return ZS_EXIT_OK;
}

/* No fork: this process becomes the shim and then the command, so that signals, terminal and exit status
 * are the command's own. Who reports on it is another one. */
static int become(const struct zs_policy *policy, const struct zs_receipt *receipt, char *const argv[])
{
	struct zs_sandbox *sandbox;
	struct zs_wrapped wrapped;
	struct zs_error error;
	int layer = 0, r;

	if (!receipt->list && !receipt->patch && !receipt->apply) {
		zs_exec(policy, argv, environ, &error);
		return refuse(&error, ZS_EXIT_CANNOT_ENFORCE);
	}
	if (zs_sandbox_new(policy, &sandbox, &error) < 0)
		return refuse(&error, ZS_EXIT_CANNOT_ENFORCE);
	r = zs_receive_later(receipt, &layer);
	if (r == ZS_EXIT_OK && zs_wrap_layer(sandbox, argv, environ, layer, &wrapped, &error) < 0)
		r = refuse(&error, ZS_EXIT_CANNOT_ENFORCE);
	if (r != ZS_EXIT_OK) {
		zs_sandbox_free(sandbox);
		return r;
	}
	execve(wrapped.path, wrapped.argv, wrapped.envp);
	zs_complain_errno("shim", wrapped.path, errno);
	zs_wrapped_free(&wrapped);
	zs_sandbox_free(sandbox);
	return ZS_EXIT_CANNOT_ENFORCE;
}

static bool check_receipt(const struct zs_confine_fields *fields, bool json)
{
	if (fields->patch && json)
		zs_complain("--patch: does not go with --json; a patch is text, and --diff is listed as JSON");
	else if (fields->report && !fields->diff && !fields->patch)
		zs_complain("--report: there is nothing to write; add --diff or --patch");
	else if (fields->report && !*fields->report)
		zs_complain("--report: the path is empty; name a file");
	else
		return true;
	return false;
}

int zs_confine(const struct zs_confine_fields *fields, bool verify, bool json, char *const argv[])
{
	const struct zs_receipt receipt = { .list = fields->diff && !fields->patch,
		.json = json,
		.patch = fields->patch,
		.apply = fields->apply,
		.file = fields->report };
	bool overlay = verify || fields->verify || fields->diff || fields->patch || fields->apply;
	struct zs_policy *policy;
	int r;

	if (!check_receipt(fields, json))
		return ZS_EXIT_USAGE;
	r = make_policy(fields, overlay, &policy);
	if (r != ZS_EXIT_OK)
		return r;
	r = fields->print_policy ? print_policy(policy) : become(policy, &receipt, argv);
	zs_policy_free(policy);
	return r;
}
