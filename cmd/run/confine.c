#include "run/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/confine_policy.h"
#include "exec_command.h"
#include "named_session.h"
#include "run/expected.h"
#include "base/cleanup.h"
#include "base/json.h"
#include "base/message.h"
#include "base/path.h"
#include "git/obeyed.h"
#include "run/limit_value.h"
#include "run/denied.h"
#include "run/receipt.h"
#include "run/whole_git.h"

extern char **environ;

/* Raised by one for each change that concerns hosts in other languages. */
enum { SHIM_PROTOCOL = 1 };

#define FIELD(name) offsetof(struct zs_confine_fields, name)

static const char *const network_choices[] = { "none", "hosts", "full", NULL };
static const char *const tmp_choices[] = { "private", "shared", NULL };
static const char *const caches_choices[] = { "private", "auto", "tasks", "shared", NULL };
static const char *const category_choices[] = { "exec", "read", "write", NULL };
static const char *const git_choices[] = { "protect", "allow", NULL };
static const char *const secrets_choices[] = { "hide", "show", NULL };
const char *const zs_agree_choices[] = { "report", "refuse", NULL };

const struct zs_option zs_confine_options[] = {
	ZS_TEXT(0, "workspace", "DIR", FIELD(workspace), "let it write DIR, and below (default: this one)"),
	ZS_TEXT(0, "chdir", "DIR", FIELD(chdir), "start it in DIR, which may lie in --workspace"),
	ZS_TEXT(0, "root", "DIR", FIELD(root),
		"let it see DIR as /, under a layer of its own in\n"
		"memory (--limit tmp), and of this machine only what\n"
		"is granted"),
	ZS_FLAG(0, "root-user", FIELD(root_user), "with --root: let it be root in there"),
	ZS_FLAG(0, "users", FIELD(users), "the same, with other users beside root"),
	ZS_TEXT(0, "git-base", "COMMIT", FIELD(git_base),
		"let it see the workspace's repository as one that\n"
		"ends at COMMIT: nothing that came later, no tags and\n"
		"no reflogs. Its commits are gone with the run"),
	ZS_TEXT(0, "policy", "FILE", FIELD(policy), "start from this JSON policy, not from the default"),
	ZS_FLAG(0, "no-settings", FIELD(no_settings), "ignore every settings.json"),
	ZS_LIST(0, "ro", "PATH", FIELD(read), "let it read PATH, and below; may be repeated"),
	ZS_LIST(0, "rw", "PATH", FIELD(write), "let it write PATH, and below"),
	ZS_LIST(0, "exec", "PROGRAM", FIELD(exec), "let it run PROGRAM, a file, with its libraries"),
	ZS_CHOICES(0, "no-default", category_choices, FIELD(no_default), "leave out the default paths of this kind"),
	ZS_LIST(0, "protect", "PATH", FIELD(protect),
		"keep PATH, and below, from being written; or a\npattern of the workspace: '*.lock', 'a/**/b*'"),
	ZS_LIST(0, "hide", "PATH", FIELD(hide), "keep PATH, and below, from being read; or a pattern"),
	ZS_CHOICE(0, "secrets", secrets_choices, FIELD(secrets),
		"the workspace's .env, private keys and the like\n(default: as the command and its profile say)"),
	ZS_CHOICE(0, "git", git_choices, FIELD(git), "git's hooks and config (default: protect)"),
	ZS_CHOICE(0, "tmp", tmp_choices, FIELD(tmp), "/tmp (default: private)"),
	ZS_CHOICE(0, "caches", caches_choices, FIELD(caches),
		"the caches of tools: private keeps what it writes\nthere to this workspace; "
		"tasks (default) only\nwhere a task of --for adds to it"),
	ZS_LIST(0, "socket", "PATH", FIELD(sockets), "let it connect to the unix socket PATH"),
	ZS_CHOICE(0, "net", network_choices, FIELD(network), "the network (default: none)"),
	ZS_LIST(0, "for", "LIST", FIELD(tasks),
		"grant what these tasks need: npm, pnpm, yarn, pip,\n"
		"uv, cargo, go, maven, git, git-ssh, sign-ssh,\n"
		"sign-gpg, gpu, docker-none; auto: those of the\n"
		"workspace's files"),
	ZS_LIST(0, "host", "NAME[:PORT]", FIELD(hosts),
		"let it reach this host, *.NAME for all below it, or\n"
		"@TASK, by name; nothing else (--net hosts)"),
	ZS_LIST(0, "env", "NAME", FIELD(pass), "let this variable pass; NAME* for a prefix"),
	ZS_LIST(0, "setenv", "NAME=VALUE", FIELD(set), "set this variable"),
	ZS_LIST(0, "limit", "NAME=VALUE", FIELD(limits),
		"set a limit: wall=30s, cpu=10s (s m h),\n"
		"memory=512M, file-size=1G, tmp=10G (K M G),\n"
		"processes=100, files=256"),
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
	ZS_CHOICE(0, "agree", zs_agree_choices, FIELD(agree),
		"compare its changes with what zs says of the\ncommand (zs vet --explain); refuse throws them away"),
	ZS_TEXT(0, "report", "FILE", FIELD(report),
		"write the list or the patch to FILE; and a line of\n"
		"JSON for each host that it asks for"),
	{ 0 },
};

int zs_print_policy(const struct zs_policy *policy)
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

/* Opens the descriptor that the run's proxy inherits for its report. */
static int open_decisions(const struct zs_receipt *receipt, struct zs_policy *policy, int *ret_report)
{
	int fd = zs_open_report("report", receipt->file);
	int r = fd < 0 ? ZS_EXIT_CANNOT_ENFORCE : zs_protect_report("report", receipt->file, fd, policy);

	if (r == ZS_EXIT_OK && fcntl(fd, F_SETFD, 0) < 0)
		r = zs_fail_errno(ZS_EXIT_CANNOT_ENFORCE, "report", "", -errno);
	if (r != ZS_EXIT_OK && fd >= 0)
		close(fd);
	*ret_report = fd;
	return r;
}

int zs_enter(const char *option, const char *folder)
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
	int r = fields->chdir && fields->workspace ? zs_enter("--workspace", fields->workspace) : ZS_EXIT_OK;

	return r == ZS_EXIT_OK && fields->chdir ? zs_enter("--chdir", fields->chdir) : r;
}

static bool asks_denials(const struct zs_confine_fields *fields)
{
	return fields->denials && strcmp(fields->denials, "off") != 0;
}

/* An option, or what starts the command, asks for records. The report's pipe is that of a server. */
static int start_denials(const struct zs_confine_fields *fields, const struct zs_receipt *receipt,
	struct zs_policy *policy, char *const argv[], int *ret_channel)
{
	bool asked = asks_denials(fields);
	bool usual = !fields->denials && (fields->denials_usual || fields->to_model);
	const struct zs_denied_options options = {
		.to = asked ? fields->denials : "",
		.silent = !asked && !usual,
		.usual = !asked,
		.model = fields->to_model,
		.report = fields->to_model && receipt->denied ? receipt->denied : -1,
		.fields = fields,
		.table = zs_confine_options,
		.expected = receipt->tried,
		.json = receipt->json,
		.here = !receipt->denied,
		.fixed = fields->session,
	};

	/* A denial is judged by the machine's files. */
	if ((asked || receipt->tried) && zs_policy_root(policy))
		return zs_fail(ZS_EXIT_USAGE, "%s: does not go with another root directory",
			asked ? "--denials" : "--agree without a dry run");
	usual = usual && !zs_policy_root(policy);
	return asked || usual || receipt->tried ? zs_denied_start(&options, policy, argv, ret_channel) : ZS_EXIT_OK;
}

/* Does not fork: this process becomes the shim, so that signals, terminal and exit status are those of the run. Another
 * process receives the changes, and one more what is refused. */
static int become(const struct zs_confine_fields *fields, struct zs_policy *policy, const struct zs_receipt *receipt,
	char *const argv[])
{
	enum zs_network network = zs_policy_network(policy);
	bool decides = receipt->file && (network == ZS_NETWORK_HOSTS ||
						(network == ZS_NETWORK_NONE && !receipt->list && !receipt->patch));
	struct zs_spawn_options options = { 0 };
	struct zs_sandbox *sandbox;
	struct zs_wrapped wrapped;
	struct zs_error error;
	int r = start_denials(fields, receipt, policy, argv, &options.denials);

	if (r != ZS_EXIT_OK)
		return r;
	zs_policy_on_notice(policy, print_notice, NULL);
	if (!receipt->list && !receipt->patch && !receipt->apply && !receipt->expected && !decides) {
		r = enter_chdir(fields);
		if (r != ZS_EXIT_OK)
			return r;
		zs_exec_reporting(policy, argv, environ, receipt->decisions ? receipt->decisions : -1,
			options.denials ? options.denials : -1, &error);
		return zs_fail_error(ZS_EXIT_CANNOT_ENFORCE, &error);
	}
	r = decides ? open_decisions(receipt, policy, &options.report) : ZS_EXIT_OK;
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

/* Runs the command in a session that goes on. */
static int run_in_session(const struct zs_confine_fields *fields, struct zs_policy *policy, char *const argv[])
{
	uint64_t idle = ZS_NAMED_IDLE_SECONDS;
	struct zs_error error;
	int status, denials = 0, r;

	if (fields->idle && !zs_parse_seconds(fields->idle, &idle))
		return zs_fail(ZS_EXIT_USAGE, "--idle: %s: is no time; write a number and s, m or h", fields->idle);
	r = start_denials(fields, &(struct zs_receipt){ 0 }, policy, argv, &denials);
	if (r == ZS_EXIT_OK)
		r = enter_chdir(fields);
	if (r != ZS_EXIT_OK)
		return r;
	r = zs_named_run(policy, fields->session, idle, argv, denials, &status, &error);
	return r < 0 ? zs_fail_error(r == -EINVAL || r == -EEXIST ? ZS_EXIT_USAGE : ZS_EXIT_CANNOT_ENFORCE, &error)
		     : status;
}

/* Notes what the rows say of the command, if that is to be compared with the changes of a dry run, or with what a run
 * is refused. folder: where the command starts; NULL is the workspace. */
static int expect(const struct zs_confine_fields *fields, bool overlay, const char *folder, char *const argv[],
	struct zs_receipt *receipt, struct zs_expected **ret_expected)
{
	int r = fields->agree ? zs_expect(argv, fields->workspace, folder, ret_expected) : 0;

	if (r < 0)
		return zs_fail_errno(ZS_EXIT_CANNOT_ENFORCE, "agree", "the workspace", r);
	*(overlay ? &receipt->expected : &receipt->tried) = *ret_expected;
	receipt->refuses = fields->agree && strcmp(fields->agree, "refuse") == 0;
	return ZS_EXIT_OK;
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
	else if (fields->session && (overlay || fields->report || fields->ask.ask))
		wrong = "--session: goes with none of --verify, --diff, --patch, --apply, --report and --ask";
	else if ((fields->denials || fields->to_model) && fields->print_sandbox)
		wrong = "--denials: does not go with --print-sandbox";
	else if (fields->denials && *fields->denials && fields->to_model)
		wrong = "--denials-to-model: a model reads stderr; leave FILE out of --denials";
	else if (fields->agree && !overlay && strcmp(fields->agree, "refuse") == 0)
		wrong = "--agree=refuse: goes with a dry run; add --verify, --diff, --patch or --apply";
	else if (fields->agree && (fields->policy || fields->session))
		wrong = "--agree: goes with neither --policy nor --session";
	else if (fields->idle && !fields->session)
		wrong = "--idle: goes with --session NAME";
	return wrong ? zs_fail(ZS_EXIT_USAGE, "%s", wrong) : ZS_EXIT_OK;
}

/* whole: nothing is applied if anything is held back. */
static int confine(const struct zs_confine_fields *fields, bool verify, bool json, bool whole, char *const argv[])
{
	struct zs_receipt receipt = { .whole = whole,
		.list = fields->diff && !fields->patch,
		.json = json,
		.patch = fields->patch,
		.apply = fields->apply,
		.file = fields->report };
	bool received = fields->diff || fields->patch || fields->apply;
	bool overlay = verify || fields->verify || received;
	struct zs_approvals *approvals = NULL;
	struct zs_expected *expected = NULL;
	struct zs_confinement made;
	int r = confine_check(fields, overlay, received, json, *argv);

	if (r == ZS_EXIT_OK)
		r = zs_make_policy(fields, overlay, false, &made);
	if (r != ZS_EXIT_OK)
		return r;
	zs_tell_untrusted(&made);
	zs_tell_tasks(&made);
	if (!fields->print_policy && !fields->print_sandbox)
		zs_tell_unmatched(fields);
	if (fields->ask.ask)
		r = zs_ask(&fields->ask, fields->no_settings ? NULL : made.settings, made.policy, argv, &approvals);
	if (r == ZS_EXIT_OK && fields->ask.ask)
		r = zs_narrow(&made);
	zs_tell_left_out(&made);
	if (r == ZS_EXIT_OK && fields->report && !fields->diff && !fields->patch &&
		zs_policy_network(made.policy) == ZS_NETWORK_FULL)
		r = zs_fail(
			ZS_EXIT_USAGE, "--report: with --net full there is nothing to write; add --diff or --patch");
	if (r == ZS_EXIT_OK && fields->print_policy)
		r = zs_print_policy(made.policy);
	else if (r == ZS_EXIT_OK && fields->print_sandbox)
		r = print_sandbox(made.policy);
	else if (r == ZS_EXIT_OK && approvals && zs_approvals_unsandboxed(approvals))
		r = zs_run_unsandboxed(argv);
	else if (r == ZS_EXIT_OK && fields->session)
		r = run_in_session(fields, made.policy, argv);
	else if (r == ZS_EXIT_OK) {
		/* The decisions about hosts go to standard error, unless the caller has closed it. */
		ZS_AUTO_FREE char *here = realpath(".", NULL);
		int copy = json && !received && !fields->report ? fcntl(STDERR_FILENO, F_DUPFD, STDERR_FILENO + 1) : 0;

		receipt.decisions = copy > 0 ? copy : 0;
		r = expect(fields, overlay, fields->chdir ? fields->chdir : here, argv, &receipt, &expected);
		if (r == ZS_EXIT_OK)
			r = become(fields, made.policy, &receipt, argv);
	}
	zs_expected_free(expected);
	zs_approvals_free(approvals);
	zs_confinement_free(&made);
	return r;
}

/* May git's command be a dry run that is applied? The repository is in the workspace then: one whose .git is a file is
 * elsewhere, where no overlay holds its changes. */
static bool is_whole_work(const struct zs_confine_fields *fields, char *const argv[])
{
	ZS_AUTO_FREE char *git = zs_path_join(fields->workspace ? fields->workspace : ".", ".git");
	struct stat st;

	if (!zs_is_whole_git(argv) || fields->policy || fields->chdir || fields->report || fields->session ||
		fields->ask.ask || fields->print_policy || fields->print_sandbox)
		return false;
	/* The caller lets git change a protected file. */
	for (size_t i = 0; i < fields->write.count; i++)
		if (zs_obeyed_anywhere(fields->write.items[i]))
			return false;
	return git && lstat(git, &st) == 0 && S_ISDIR(st.st_mode);
}

/* May the command write the repository, and can it have an overlay here? */
static bool can_be_whole(const struct zs_confine_fields *fields)
{
	struct zs_sandbox *sandbox = NULL;
	struct zs_confinement made;
	struct zs_error error;
	bool has;

	if (zs_make_policy(fields, true, false, &made) != ZS_EXIT_OK)
		return false;
	has = zs_policy_git(made.policy) == ZS_GIT_ALLOW && zs_sandbox_new(made.policy, &sandbox, &error) == 0;
	zs_sandbox_free(sandbox);
	zs_confinement_free(&made);
	return has;
}

int zs_confine(const struct zs_confine_fields *fields, bool verify, bool json, char *const argv[])
{
	bool trial = verify || fields->verify || fields->diff || fields->patch || fields->apply;
	struct zs_confine_fields whole = *fields;

	whole.apply = true;
	if (trial || !is_whole_work(fields, argv) || !can_be_whole(&whole))
		return confine(fields, verify, json, false, argv);
	return confine(&whole, verify, json, true, argv);
}

int zs_confine_run(const struct zs_confine_fields *fields, bool verify, int report, char *const argv[])
{
	struct zs_receipt receipt = { .decisions = report, .denied = report, .apply = fields->agree && !verify };
	struct zs_expected *expected = NULL;
	struct zs_confinement made;
	int r = zs_make_policy(fields, verify || receipt.apply, false, &made);

	if (r != ZS_EXIT_OK)
		return r;
	r = expect(fields, verify || receipt.apply, fields->chdir, argv, &receipt, &expected);
	if (r == ZS_EXIT_OK && fields->workspace && !fields->chdir)
		r = zs_enter("--workspace", fields->workspace);
	if (r == ZS_EXIT_OK)
		r = become(fields, made.policy, &receipt, argv);
	zs_expected_free(expected);
	zs_confinement_free(&made);
	return r;
}
