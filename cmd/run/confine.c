#include "run/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/confine_policy.h"
#include "exec_command.h"
#include "base/cleanup.h"
#include "base/json.h"
#include "base/message.h"
#include "run/receipt.h"

extern char **environ;

/* Raised by one for each change that concerns hosts in other languages. */
enum { SHIM_PROTOCOL = 1 };

#define FIELD(name) offsetof(struct zs_confine_fields, name)

static const char *const network_choices[] = { "none", "hosts", "full", NULL };
static const char *const tmp_choices[] = { "private", "shared", NULL };
static const char *const category_choices[] = { "exec", "read", "write", NULL };
static const char *const git_choices[] = { "protect", "allow", NULL };

const struct zs_option zs_confine_options[] = {
	ZS_TEXT(0, "workspace", "DIR", FIELD(workspace), "let it write DIR, and below (default: this one)"),
	ZS_TEXT(0, "chdir", "DIR", FIELD(chdir), "start it in DIR, which may lie in --workspace"),
	ZS_TEXT(0, "policy", "FILE", FIELD(policy), "start from this JSON policy, not from the default"),
	ZS_FLAG(0, "no-settings", FIELD(no_settings), "ignore every settings.json"),
	ZS_LIST(0, "ro", "PATH", FIELD(read), "let it read PATH, and below; may be repeated"),
	ZS_LIST(0, "rw", "PATH", FIELD(write), "let it write PATH, and below"),
	ZS_LIST(0, "exec", "PROGRAM", FIELD(exec), "let it run PROGRAM, a file, with its libraries"),
	ZS_CHOICES(0, "no-default", category_choices, FIELD(no_default), "leave out the default paths of this kind"),
	ZS_LIST(0, "protect", "PATH", FIELD(protect), "keep PATH, and below, from being written"),
	ZS_LIST(0, "hide", "PATH", FIELD(hide), "keep PATH, and below, from being read"),
	ZS_CHOICE(0, "git", git_choices, FIELD(git), "git's hooks and config (default: protect)"),
	ZS_CHOICE(0, "tmp", tmp_choices, FIELD(tmp), "/tmp (default: private)"),
	ZS_LIST(0, "socket", "PATH", FIELD(sockets), "let it connect to the unix socket PATH"),
	ZS_CHOICE(0, "net", network_choices, FIELD(network), "the network (default: none)"),
	ZS_LIST(0, "host", "NAME[:PORT]", FIELD(hosts),
		"let it reach this host, or *.NAME for all below it,\n"
		"by name; nothing else (--net hosts)"),
	ZS_LIST(0, "env", "NAME", FIELD(pass), "let this variable pass; NAME* for a prefix"),
	ZS_LIST(0, "setenv", "NAME=VALUE", FIELD(set), "set this variable"),
	ZS_LIST(0, "limit", "NAME=VALUE", FIELD(limits),
		"set a limit: wall=30s, cpu=10s (s m h),\n"
		"memory=512M, file-size=1G (K M G), processes=100,\n"
		"files=256"),
	ZS_LIST(0, "without", "LIST", FIELD(without),
		"run even where these cannot be had: protect, hide,\n"
		"private-tmp, loopback, sockets, metadata,\n"
		"processes, privileges, overlay; see 'zs doctor'"),
	ZS_FLAG(0, "print-policy", FIELD(print_policy), "print the policy as JSON; run nothing"),
	{ 0 },
};

const struct zs_option zs_trial_options[] = {
	ZS_FLAG(0, "verify", FIELD(verify), "throw away its changes to the workspace"),
	ZS_FLAG(0, "diff", FIELD(diff), "list on stderr the files that it would change"),
	ZS_FLAG(0, "patch", FIELD(patch), "the same, as a patch for git apply"),
	ZS_FLAG(0, "apply", FIELD(apply),
		"apply these changes after the command, unless\n"
		"somebody else has changed the files meanwhile"),
	ZS_TEXT(0, "report", "FILE", FIELD(report),
		"write the list or the patch to FILE; with --net\n"
		"hosts each decision too, as a line of JSON"),
	{ 0 },
};

static int print_policy(const struct zs_policy *policy)
{
	struct zs_error error;
	char *text;
	size_t len;

	if (zs_policy_to_json(policy, true, &text, &len, &error) < 0)
		return zs_fail_error(ZS_EXIT_USAGE, &error);
	fwrite(text, 1, len, stdout);
	if (len == 0 || text[len - 1] != '\n')
		fputc('\n', stdout);
	free(text);
	return ZS_EXIT_OK;
}

static void print_notice(const struct zs_error *notice, void *arg)
{
	(void)arg;
	zs_complain_error(notice);
}

/* Prints the values with which a host in another language starts 'zs shim', in place of zs_sandbox_new() and
 * zs_wrap(). */
static int print_sandbox(struct zs_policy *policy)
{
	struct zs_sandbox *sandbox;
	struct zs_error error;

	zs_policy_on_notice(policy, print_notice, NULL);
	if (zs_sandbox_new(policy, &sandbox, &error) < 0)
		return zs_fail_error(ZS_EXIT_CANNOT_ENFORCE, &error);
	zs_json_print_line(stdout, "{'protocol':%d,'argv':['shim','--'],'env':{%s:%s}}", SHIM_PROTOCOL, ZS_SHIM_POLICY,
		zs_sandbox_json(sandbox));
	zs_sandbox_free(sandbox);
	return ZS_EXIT_OK;
}

/* Protects the report from the command, wherever the file is. */
static int protect_report(const char *file, int fd, struct zs_policy *policy)
{
	ZS_AUTO_FREE char *real = NULL;
	struct zs_error error;
	struct stat status;

	if (fstat(fd, &status) == 0 && !S_ISREG(status.st_mode))
		return ZS_EXIT_OK;
	real = realpath(file, NULL);
	if (!real)
		return zs_fail_errno(ZS_EXIT_CANNOT_ENFORCE, "report", file, -errno);
	return zs_policy_add_path(policy, real, ZS_ACCESS_PROTECT, &error) < 0
		       ? zs_fail_error(ZS_EXIT_CANNOT_ENFORCE, &error)
		       : ZS_EXIT_OK;
}

/* Opens the descriptor that the run's proxy inherits for its report. */
static int open_decisions(const struct zs_receipt *receipt, struct zs_policy *policy, int *ret_report)
{
	int fd = zs_open_report(receipt->file);
	int r = fd < 0 ? ZS_EXIT_CANNOT_ENFORCE : protect_report(receipt->file, fd, policy);

	if (r == ZS_EXIT_OK && fcntl(fd, F_SETFD, 0) < 0)
		r = zs_fail_errno(ZS_EXIT_CANNOT_ENFORCE, "report", "", -errno);
	if (r != ZS_EXIT_OK && fd >= 0)
		close(fd);
	*ret_report = fd;
	return r;
}

/* Enters a folder. "~" is HOME, as in a policy: no shell expands it in an agent's configuration. */
static int enter(const char *option, const char *folder)
{
	bool home = folder[0] == '~' && (folder[1] == '/' || !folder[1]);
	const char *rest = folder + home + (home ? strspn(folder + 1, "/") : 0);
	const char *start = home ? getenv("HOME") : ".";

	if (start && chdir(start) == 0 && (!*rest || chdir(rest) == 0))
		return ZS_EXIT_OK;
	return zs_fail_errno(ZS_EXIT_CANNOT_ENFORCE, option, folder, start ? errno : ENOENT);
}

/* Enters the folder in which the command starts. A relative one lies in the workspace, if that is named. This comes
 * last: the paths of the other options are relative to the caller's folder. */
static int enter_chdir(const struct zs_confine_fields *fields)
{
	int r = fields->chdir && fields->workspace ? enter("--workspace", fields->workspace) : ZS_EXIT_OK;

	return r == ZS_EXIT_OK && fields->chdir ? enter("--chdir", fields->chdir) : r;
}

/* Does not fork: this process becomes the shim, so that signals, terminal and exit status are those of the run. Another
 * process receives the changes. */
static int become(const struct zs_confine_fields *fields, struct zs_policy *policy, const struct zs_receipt *receipt,
	char *const argv[])
{
	bool hosts = receipt->file && zs_policy_network(policy) == ZS_NETWORK_HOSTS;
	struct zs_spawn_options options = { 0 };
	struct zs_sandbox *sandbox;
	struct zs_wrapped wrapped;
	struct zs_error error;
	int r;

	zs_policy_on_notice(policy, print_notice, NULL);
	if (!receipt->list && !receipt->patch && !receipt->apply && !hosts) {
		r = enter_chdir(fields);
		if (r != ZS_EXIT_OK)
			return r;
		zs_exec_reporting(policy, argv, environ, receipt->decisions ? receipt->decisions : -1, &error);
		return zs_fail_error(ZS_EXIT_CANNOT_ENFORCE, &error);
	}
	r = hosts ? open_decisions(receipt, policy, &options.report) : ZS_EXIT_OK;
	if (r != ZS_EXIT_OK)
		return r;
	if (zs_sandbox_new(policy, &sandbox, &error) < 0)
		return zs_fail_error(ZS_EXIT_CANNOT_ENFORCE, &error);
	r = zs_receive_later(receipt, policy, &options.overlay);
	if (r == ZS_EXIT_OK && zs_wrap_with(sandbox, argv, environ, &options, &wrapped, &error) < 0)
		r = zs_fail_error(ZS_EXIT_CANNOT_ENFORCE, &error);
	if (r == ZS_EXIT_OK)
		r = enter_chdir(fields);
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

/* overlay: the run has an overlay. received: its changes are printed or applied. */
static int confine_check(const struct zs_confine_fields *fields, bool overlay, bool received, bool json, bool command)
{
	const char *wrong = NULL;

	if (fields->patch && json)
		wrong = "--patch: does not go with --json; a patch is text: use --diff --json";
	else if (fields->report && !*fields->report)
		wrong = "--report: the path is empty; name a file";
	else if (!zs_check_ask(&fields->ask))
		return ZS_EXIT_USAGE;
	else if (fields->ask.unsandboxed && (overlay || fields->print_policy))
		wrong = "--want-unsandboxed: goes with neither a dry run nor --print-policy";
	else if (fields->print_sandbox &&
		 (received || fields->report || fields->print_policy || fields->ask.ask || command))
		wrong = "--print-sandbox: goes with no command, and with none of --diff, --patch, --apply, --report, "
			"--ask and --print-policy";
	return wrong ? zs_fail(ZS_EXIT_USAGE, "%s", wrong) : ZS_EXIT_OK;
}

int zs_confine(const struct zs_confine_fields *fields, bool verify, bool json, char *const argv[])
{
	const struct zs_receipt receipt = { .list = fields->diff && !fields->patch,
		.json = json,
		.patch = fields->patch,
		.apply = fields->apply,
		.file = fields->report };
	bool received = fields->diff || fields->patch || fields->apply;
	bool overlay = verify || fields->verify || received;
	struct zs_approvals *approvals = NULL;
	struct zs_confinement made;
	int r = confine_check(fields, overlay, received, json, *argv);

	if (r == ZS_EXIT_OK)
		r = zs_make_policy(fields, overlay, false, &made);
	if (r != ZS_EXIT_OK)
		return r;
	zs_tell_untrusted(&made);
	if (!fields->print_policy && !fields->print_sandbox)
		zs_tell_unmatched(fields);
	if (fields->ask.ask)
		r = zs_ask(&fields->ask, fields->no_settings ? NULL : made.settings, made.policy, argv, &approvals);
	if (r == ZS_EXIT_OK && fields->report && !fields->diff && !fields->patch &&
		zs_policy_network(made.policy) != ZS_NETWORK_HOSTS)
		r = zs_fail(ZS_EXIT_USAGE, "--report: there is nothing to write; add --diff, --patch or --net hosts");
	if (r == ZS_EXIT_OK && fields->print_policy)
		r = print_policy(made.policy);
	else if (r == ZS_EXIT_OK && fields->print_sandbox)
		r = print_sandbox(made.policy);
	else if (r == ZS_EXIT_OK && approvals && zs_approvals_unsandboxed(approvals))
		r = zs_run_unsandboxed(argv);
	else if (r == ZS_EXIT_OK)
		r = become(fields, made.policy, &receipt, argv);
	zs_approvals_free(approvals);
	zs_confinement_free(&made);
	return r;
}

int zs_confine_run(const struct zs_confine_fields *fields, bool verify, int report, char *const argv[])
{
	const struct zs_receipt receipt = { .decisions = report };
	struct zs_confinement made;
	int r = zs_make_policy(fields, verify, false, &made);

	if (r != ZS_EXIT_OK)
		return r;
	if (fields->workspace && !fields->chdir)
		r = enter("--workspace", fields->workspace);
	if (r == ZS_EXIT_OK)
		r = become(fields, made.policy, &receipt, argv);
	zs_confinement_free(&made);
	return r;
}
