#include "confine.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exit.h"
#include "input.h"
#include "message.h"

extern char **environ;

#define FIELD(name) offsetof(struct zs_confine_fields, name)

static const char *const network_choices[] = { "none", "full", NULL };

const struct zs_option zs_confine_options[] = {
	{ ZS_OPTION_TEXT, 0, "workspace", "DIR", FIELD(workspace), "where the command works (default: this directory)",
		NULL },
	{ ZS_OPTION_TEXT, 0, "policy", "FILE", FIELD(policy), "start from this JSON policy, not from the default",
		NULL },
	{ ZS_OPTION_LIST, 0, "ro", "PATH", FIELD(read), "let it read PATH, and below; may be repeated", NULL },
	{ ZS_OPTION_LIST, 0, "rw", "PATH", FIELD(write), "let it write PATH, and below", NULL },
	{ ZS_OPTION_LIST, 0, "exec", "PROGRAM", FIELD(exec), "let it run PROGRAM, a file, with its libraries", NULL },
	{ ZS_OPTION_TEXT, 0, "net", NULL, FIELD(network), "the network (default: none)", network_choices },
	{ ZS_OPTION_LIST, 0, "env", "NAME", FIELD(pass), "let this variable pass; NAME* for a prefix", NULL },
	{ ZS_OPTION_LIST, 0, "setenv", "NAME=VALUE", FIELD(set), "set this variable", NULL },
	{ ZS_OPTION_FLAG, 0, "print-policy", NULL, FIELD(print_policy), "print the policy as JSON; run nothing", NULL },
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

static int preset_policy(const char *workspace, bool verify, struct zs_policy **ret_policy)
{
	struct zs_error error;
	char *path;
	int r = absolute("--workspace", workspace, &path);

	if (r != ZS_EXIT_OK)
		return r;
	r = (verify ? zs_policy_verify : zs_policy_default)(path, environ, ret_policy, &error);
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
	};
	int r = ZS_EXIT_OK;

	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		for (size_t j = 0; j < lists[i].paths->count && r == ZS_EXIT_OK; j++)
			r = add_path(policy, lists[i].option, lists[i].paths->items[j], lists[i].access);
	return r;
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

/* On failure the policy is gone. */
static int make_policy(const struct zs_confine_fields *fields, bool verify, struct zs_policy **ret_policy)
{
	struct zs_policy *policy;
	int r;

	if (fields->policy && fields->workspace) {
		zs_complain("--workspace: does not go with --policy; the file names the workspace");
		return ZS_EXIT_USAGE;
	}
	if (fields->policy)
		r = read_policy(fields->policy, &policy);
	else
		r = preset_policy(fields->workspace ? fields->workspace : ".", verify, &policy);
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
 * are the command's own. */
static int become(const struct zs_policy *policy, char *const argv[])
{
	struct zs_sandbox *sandbox;
	struct zs_wrapped wrapped;
	struct zs_error error;

	if (zs_sandbox_new(policy, &sandbox, &error) < 0)
		return refuse(&error, ZS_EXIT_CANNOT_ENFORCE);
	if (zs_wrap(sandbox, argv, environ, &wrapped, &error) < 0) {
		zs_sandbox_free(sandbox);
		return refuse(&error, ZS_EXIT_CANNOT_ENFORCE);
	}
	execve(wrapped.path, wrapped.argv, wrapped.envp);
	zs_complain_errno("shim", wrapped.path, errno);
	zs_wrapped_free(&wrapped);
	zs_sandbox_free(sandbox);
	return ZS_EXIT_CANNOT_ENFORCE;
}

int zs_confine(const struct zs_confine_fields *fields, bool verify, char *const argv[])
{
	struct zs_policy *policy;
	int r = make_policy(fields, verify, &policy);

	if (r != ZS_EXIT_OK)
		return r;
	r = fields->print_policy ? print_policy(policy) : become(policy, argv);
	zs_policy_free(policy);
	return r;
}
