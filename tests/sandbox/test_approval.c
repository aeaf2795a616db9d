/* Approvals: which items are asked for, in which order, and that an approval is only for the item that was shown. */
#include <sys/stat.h>

#include "approval/approval.h"
#include "attacks.h"
#include "harness.h"

static int answer_all(const struct zs_question *question, enum zs_answer *answers, void *data, struct zs_error *error)
{
	(void)error;
	for (size_t i = 0; i < question->count; i++)
		answers[i] = *(const enum zs_answer *)data;
	return 0;
}

enum when { NEVER, ASKED, RESOLVED };

/* `gone` is renamed, and replaced by a link to another folder, or by that folder. home/out/file is replaced by a new
 * file. */
struct swap {
	const char *gone, *linked, *moved;
	enum when when;
	const char *holds; /* the folder in which a write to home/out/file would be seen */
};

static void swap(const struct scratch *scratch, const struct swap *row)
{
	char path[128];
	int r = 0;

	snprintf(path, sizeof path, "%s", scratch_path(scratch, row->gone));
	if (row->linked || row->moved) {
		r = rename(path, scratch_path(scratch, "old"));
		r |= row->linked ? symlink(row->linked, path) : rename(scratch_path(scratch, row->moved), path);
	} else {
		/* The new file may get the inode number of the old one. */
		r = unlink(scratch_path(scratch, "home/out/file"));
		r |= rmdir(path);
		r |= mkdir(path, 0777);
		write_text(scratch_path(scratch, "home/out/file"), "old");
		chmod(scratch_path(scratch, "home/out/file"), 0666);
	}
	CHECK(r == 0, "%s: %s", row->gone, strerror(errno));
}

struct swap_run {
	const struct swap *row;
	const struct scratch *scratch;
};

static void build_approved(struct zs_policy *policy, const void *arg)
{
	static const enum zs_answer once = ZS_ANSWER_ONCE;
	static char *const env[] = { NULL };
	const struct swap_run *run = arg;
	const char *path = scratch_path(run->scratch, "home/out");
	const struct zs_request request = { .write_paths = (const char *[]){ path, NULL } };
	struct zs_approvals *approvals; /* held until the command has run */
	struct zs_error error;

	grant_prog(policy, run->scratch);
	zs_policy_add_env(policy, ATTACK_ENV "*", NULL);
	check_ok(zs_approvals_new(policy, env, &approvals, &error), &error, "new");
	check_ok(zs_approvals_ask(approvals, &request, answer_all, (void *)&once, &error), &error, "ask");
	check_ok(zs_approvals_apply(approvals, policy, &error), &error, "apply");
	if (run->row->when == ASKED)
		swap(run->scratch, run->row);
}

static void swap_after(const void *arg)
{
	const struct swap_run *run = arg;

	if (run->row->when == RESOLVED)
		swap(run->scratch, run->row);
}

static void make_swappable(const struct scratch *scratch)
{
	static const char *const folders[] = { "home", "home/out", "home/secret", "other", "other/out" };
	static const char *const files[] = { "home/out/file", "home/secret/file", "other/out/file" };

	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
		make_folder(scratch_path(scratch, folders[i]));
		chown(scratch_path(scratch, folders[i]), scratch->owner, scratch->owner);
	}
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		write_text(scratch_path(scratch, files[i]), "old");
		chown(scratch_path(scratch, files[i]), scratch->owner, scratch->owner);
	}
}

static const struct swap swaps[] = {
	{ NULL, NULL, NULL, NEVER, "home/out/file" },
	{ "home/out", "../ro", NULL, ASKED, "ro/file" },
	{ "home/out", "../ro", NULL, RESOLVED, "ro/file" },
	{ "home/out", NULL, "home/secret", ASKED, "home/out/file" },
	{ "home/out", NULL, "home/secret", RESOLVED, "home/out/file" },
	{ "home", NULL, "other", ASKED, "home/out/file" },
	{ "home", NULL, "other", RESOLVED, "home/out/file" },
	{ "home", "other", NULL, ASKED, "other/out/file" },
	{ "home", "other", NULL, RESOLVED, "other/out/file" },
	{ "home/out", NULL, NULL, ASKED, "home/out/file" },
	{ "home/out", NULL, NULL, RESOLVED, "home/out/file" },
};

static void try_swap(const struct scratch *scratch, const struct swap *row, size_t index)
{
	struct swap_run run = { row, scratch };
	struct attack attack = { scratch, "write", NULL, "" };
	struct result result;
	bool written;

	make_swappable(scratch);
	attack.a = scratch_path(scratch, "home/out/file");
	attack_confined_after(scratch->owner, &attack, build_approved, &run, swap_after, &result);
	written = !file_holds(scratch_path(scratch, row->holds), "old");
	CHECK(written == (row->when == NEVER), "row %zu: written %d, status %d, %s", index, written, result.status,
		result.err);
	CHECK(row->when == NEVER || strstr(result.err, "has become a symbolic link") ||
			strstr(result.err, ZS_APPROVED_PLACE_REPLACED),
		"row %zu: status %d, %s", index, result.status, result.err);
}

TEST(approval_ends_with_the_place_that_was_shown)
{
	for (size_t i = 0; i < sizeof swaps / sizeof *swaps; i++)
		AS_EACH_USER (scratch)
			try_swap(&scratch, &swaps[i], i);
}

/* Requests */

struct shown {
	char text[4096]; /* "kind wanted granted;" for each item */
	enum zs_answer answer;
};

static int show(const struct zs_question *question, enum zs_answer *answers, void *data, struct zs_error *error)
{
	struct shown *shown = data;

	(void)error;
	for (size_t i = 0; i < question->count; i++) {
		const struct zs_need *need = &question->needs[i];
		size_t len = strlen(shown->text);

		snprintf(shown->text + len, sizeof shown->text - len, "%s%s%s%s%s%s;", zs_need_name(need->kind),
			need->granted ? " " : "", need->granted ? need->granted : "", need->folder ? "/" : "",
			need->missing ? "?" : "", need->broad ? "!" : "");
		answers[i] = shown->answer;
	}
	return 0;
}

static struct zs_approvals *approvals_of(const struct zs_policy *policy, char *const envp[])
{
	struct zs_approvals *approvals = NULL;
	struct zs_error error;

	check_ok(zs_approvals_new(policy, envp, &approvals, &error), &error, "new");
	return approvals;
}

TEST(approval_shows_the_narrow_first)
{
	struct zs_approvals *approvals = approvals_of(NULL, (char *[]){ (char *)"HOME=/usr/bin", NULL });
	const struct zs_request request = {
		.hosts = (const char *[]){ "*.com", "*.Example.org", "A.example.org.", "a.example.org", "b.example:443",
			NULL },
		.write_paths = (const char *[]){ "/", "~", "/usr", "/usr/bin/env/../x", NULL },
		.git = true,
		.all_hosts = true,
		.all_writes = true,
		.unsandboxed = true,
	};
	struct zs_request good = request;
	struct shown shown = { .answer = ZS_ANSWER_ONCE };
	struct zs_error error = { 0 };

	CHECK(zs_approvals_ask(approvals, &request, show, &shown, &error) == -EINVAL && !*shown.text &&
			strstr(error.what, "'..'"),
		"..: %s", error.what);
	good.write_paths = (const char *[]){ "/", "~", "/usr", "/usr/lib", "/usr/lib/no/thing", "/usr/no", NULL };
	CHECK(zs_approvals_ask(approvals, &good, show, &shown, &error) == 0, "%s", error.what);
	CHECK(strcmp(shown.text,
		      "host a.example.org;host b.example:443;host *.example.org;write /usr/lib/;git;host *.com!;"
		      "write //!;write /usr/bin/!;write /usr/!;all-hosts;all-writes;unsandboxed;") == 0,
		"%s", shown.text);
	CHECK(zs_approvals_unsandboxed(approvals), "asked for and approved");
	/* All items are granted, and none is asked for again. */
	*shown.text = '\0';
	shown.answer = ZS_ANSWER_DENY;
	good.unsandboxed = false;
	CHECK(zs_approvals_ask(approvals, &good, show, &shown, &error) == 0 && !*shown.text, "%s", shown.text);
	CHECK(!zs_approvals_unsandboxed(approvals), "not asked for");
	zs_approvals_free(approvals);
}

TEST(approval_of_what_is_missing_is_for_the_folder)
{
	struct zs_approvals *approvals = approvals_of(NULL, (char *[]){ NULL });
	struct scratch scratch;
	struct shown shown = { .answer = ZS_ANSWER_DENY };
	char want[512];
	struct zs_error error = { 0 };

	scratch_make(&scratch, geteuid());
	snprintf(want, sizeof want, "write %s/out/sub/?;write %s/out/file;", scratch.root, scratch.root);
	const struct zs_request request = {
		.write_paths = (const char *[]){ scratch_path(&scratch, "out/sub/new/file"),
			scratch_path(&scratch, "ws/link"), NULL },
	};
	CHECK(zs_approvals_ask(approvals, &request, show, &shown, &error) == -EACCES, "denied");
	CHECK(strcmp(shown.text, want) == 0, "%s, not %s", shown.text, want);
	CHECK(strstr(error.hint, "sandbox.write_paths") && strstr(error.object, "/out/sub"), "%s: %s", error.object,
		error.hint);

	CHECK(symlink("nowhere", scratch_path(&scratch, "ws/dangling")) == 0, "link");
	const struct zs_request dangling = { .write_paths =
						     (const char *[]){ scratch_path(&scratch, "ws/dangling"), NULL } };
	CHECK(zs_approvals_ask(approvals, &dangling, show, &shown, &error) == -ELOOP, "a link that leads nowhere");
	const struct zs_request below = { .write_paths =
						  (const char *[]){ scratch_path(&scratch, "ws/file/x"), NULL } };
	CHECK(zs_approvals_ask(approvals, &below, show, &shown, &error) == -ENOTDIR, "below a file");
	scratch_remove(&scratch);
	zs_approvals_free(approvals);
}

TEST(approval_is_not_asked_for_what_the_policy_grants)
{
	AUTO_POLICY *policy = policy_own();
	struct zs_approvals *approvals;
	OWN_SCRATCH(scratch);
	struct shown shown = { .answer = ZS_ANSWER_DENY };
	char want[512];
	struct zs_error error;

	zs_policy_set_workspace(policy, scratch_path(&scratch, "ws"), ZS_WORKSPACE_WRITE, NULL);
	zs_policy_add_path(policy, scratch_path(&scratch, "out"), ZS_ACCESS_WRITE, NULL);
	zs_policy_add_path(policy, scratch_path(&scratch, "out/sub"), ZS_ACCESS_PROTECT, NULL);
	zs_policy_add_path(policy, scratch_path(&scratch, "ro"), ZS_ACCESS_READ, NULL);
	zs_policy_add_host(policy, "*.example.org", NULL);
	approvals = approvals_of(policy, (char *[]){ NULL });
	const struct zs_request request = {
		.hosts = (const char *[]){ "a.example.org", "example.org", NULL },
		.write_paths = (const char *[]){ scratch_path(&scratch, "ws/sub"), scratch_path(&scratch, "out/file"),
			scratch_path(&scratch, "out/sub"), scratch_path(&scratch, "ro/file"), NULL },
	};
	snprintf(want, sizeof want, "host example.org;write %s/out/sub/;write %s/ro/file;", scratch.root, scratch.root);
	CHECK(zs_approvals_ask(approvals, &request, show, &shown, &error) == -EACCES && strcmp(shown.text, want) == 0,
		"%s, not %s", shown.text, want);
	/* Without a callback every item is denied. */
	CHECK(zs_approvals_ask(approvals, &request, NULL, NULL, &error) == -EACCES, "denied");
	zs_approvals_free(approvals);
}

TEST(approval_takes_no_answer_that_is_none)
{
	static const int answers[] = { ZS_ANSWER_DENY, ZS_ANSWER_COUNT, -1, 1000 };
	struct zs_approvals *approvals = approvals_of(NULL, (char *[]){ NULL });
	const struct zs_request request = { .unsandboxed = true };
	struct zs_error error;

	for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
		enum zs_answer answer = (enum zs_answer)answers[i];

		CHECK(zs_approvals_ask(approvals, &request, answer_all, &answer, &error) == -EACCES &&
				!zs_approvals_unsandboxed(approvals),
			"%d", answers[i]);
	}
	zs_approvals_free(approvals);
}

TEST(approval_has_limits)
{
	struct zs_approvals *approvals = approvals_of(NULL, (char *[]){ NULL });
	const char *hosts[ZS_REQUEST_ITEMS_MAX + 2] = { NULL };
	char names[ZS_REQUEST_ITEMS_MAX + 1][16];
	enum zs_answer once = ZS_ANSWER_ONCE;
	struct zs_request request = { .hosts = hosts };
	struct zs_error error;
	char name[32];
	int r = 0;

	for (size_t i = 0; i <= ZS_REQUEST_ITEMS_MAX; i++) {
		snprintf(names[i], sizeof names[i], "h%zu.example", i);
		hosts[i] = names[i];
	}
	CHECK(zs_approvals_ask(approvals, &request, answer_all, &once, &error) == -E2BIG &&
			zs_approvals_count(approvals) == 0,
		"one item too many");
	hosts[ZS_REQUEST_ITEMS_MAX] = NULL;
	check_ok(zs_approvals_ask(approvals, &request, answer_all, &once, &error), &error, "as many as there may be");
	for (int i = ZS_REQUEST_ITEMS_MAX; r == 0 && i < ZS_APPROVALS_MAX; i++) {
		snprintf(name, sizeof name, "h%d.example", i);
		r = zs_approvals_add(approvals, ZS_NEED_HOST, name, once, &error);
	}
	check_ok(r, &error, "approvals");
	CHECK(zs_approvals_add(approvals, ZS_NEED_HOST, "x.example", once, &error) == -E2BIG, "one approval too many");
	zs_approvals_free(approvals);
}

TEST(approval_hosts)
{
	static const struct {
		const char *text, *want;
	} names[] = {
		{ "Example.ORG", "example.org" },
		{ "example.org.:8080", "example.org:8080" },
		{ "*.Example.org", "*.example.org" },
		{ "XN--bcher-kva.example", "xn--bcher-kva.example" },
		{ "bücher.example", NULL },
		{ "192.0.2.7", "192.0.2.7" },
		{ "*", NULL },
		{ "*.", NULL },
		{ "", NULL },
		{ "a..b", NULL },
		{ "a b", NULL },
		{ "a\n.b", NULL },
		{ "a:0", NULL },
		{ "a:65536", NULL },
		{ "a:", NULL },
		{ "a:080", NULL },
		{ "a.*.b", NULL },
		{ "http://a", NULL },
	};
	static const struct {
		const char *entry, *wanted;
		bool covers;
	} rows[] = {
		{ "a.b", "a.b", true },
		{ "a.b", "a.b:1", true },
		{ "a.b:1", "a.b", false },
		{ "a.b:1", "a.b:1", true },
		{ "a.b:1", "a.b:11", false },
		{ "*.b", "a.b", true },
		{ "*.b", "b", false },
		{ "*.b", "*.b", true },
		{ "*.b", "*.a.b", true },
		{ "*.a.b", "*.b", false },
		{ "b", "*.b", false },
		{ "*.b", "ab", false },
		{ "*.b:1", "a.b:1", true },
		{ "*.b:1", "*.a.b:1", true },
		{ "*.b:1", "*.b", false },
		{ "*.b", "192.0.2.7", false },
		{ "not one", "a.b", false },
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *broad;
		char *host = NULL;
		struct zs_error error;
		int r = zs_approval_host(names[i].text, &host, &broad, &error);

		CHECK((r == 0) == (names[i].want != NULL) && (r < 0 || strcmp(host, names[i].want) == 0), "%s: %s",
			names[i].text, host);
		free(host);
	}
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		CHECK(zs_approval_host_covers(rows[i].entry, rows[i].wanted) == rows[i].covers, "%s, %s", rows[i].entry,
			rows[i].wanted);
}

/* A command must not write approvals, so this is refused without a question. */
TEST(approval_of_approvals_is_refused)
{
	OWN_SCRATCH(scratch);
	struct zs_approvals *approvals;
	AUTO_POLICY *policy = policy_own();
	struct shown shown = { .answer = ZS_ANSWER_ALWAYS };
	struct stat st;
	struct zs_error error = { 0 };
	char runtime[128];

	snprintf(runtime, sizeof runtime, "XDG_RUNTIME_DIR=%s", scratch_path(&scratch, "out"));
	char *envp[] = { runtime, NULL };

	/* If the policy lets a command write around the folder, zs makes it first and protects it. */
	zs_policy_add_path(policy, scratch_path(&scratch, "out"), ZS_ACCESS_WRITE, NULL);
	check_ok(zs_approvals_protect(policy, envp, &error), &error, "protect");
	CHECK(policy->grant_count == 2 && policy->grants[1].access == ZS_ACCESS_PROTECT &&
			strcmp(policy->grants[1].path, scratch_path(&scratch, "out/zs")) == 0,
		"protected");
	CHECK(stat(scratch_path(&scratch, "out/zs"), &st) == 0 && (st.st_mode & 07777) == 0700, "made");
	write_text(scratch_path(&scratch, "out/zs/session-one.json"), "{}");
	CHECK(symlink("../out/zs", scratch_path(&scratch, "ws/there")) == 0, "link");
	approvals = approvals_of(NULL, envp);
	for (size_t i = 0; i < 3; i++) {
		static const char *const names[] = { "out/zs", "out/zs/session-one.json", "ws/there/new" };
		const struct zs_request request = {
			.write_paths = (const char *[]){ scratch_path(&scratch, names[i]), NULL },
		};

		CHECK(zs_approvals_ask(approvals, &request, show, &shown, &error) == -EPERM && !*shown.text, "%s: %s",
			names[i], shown.text);
	}
	zs_approvals_free(approvals);
}
