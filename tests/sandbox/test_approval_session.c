/* The approvals of a session: which files zs trusts, and when they end. */
#include <inttypes.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "harness.h"
#include "policy/policy.h"
#include "approval/session_place.h"
#include "zs_approval.h"
#include "zs_settings.h"

enum { SAVERS = 16 };

static int answer_with(const struct zs_question *question, enum zs_answer *answers, void *data, struct zs_error *error)
{
	(void)error;
	CHECK(question->session, "there is one");
	for (size_t i = 0; i < question->count; i++)
		answers[i] = *(const enum zs_answer *)data;
	return 0;
}

/* Approves a host, as one run of zs does. */
static int approve_with(enum zs_answer answer, char *const envp[], const char *host, struct zs_error *error)
{
	const struct zs_request request = { .hosts = (const char *[]){ host, NULL } };
	struct zs_approvals *approvals;
	int r = zs_approvals_new(NULL, envp, &approvals, error);

	if (r < 0)
		return r;
	r = zs_approvals_load(approvals, error);
	if (r == 0)
		r = zs_approvals_ask(approvals, &request, answer_with, &answer, error);
	if (r == 0)
		r = zs_approvals_save(approvals, error);
	zs_approvals_free(approvals);
	return r;
}

static int approve(char *const envp[], const char *host, struct zs_error *error)
{
	return approve_with(ZS_ANSWER_SESSION, envp, host, error);
}

/* Returns the number of approvals that another run finds, or the error. */
static int remembered(char *const envp[], struct zs_error *error)
{
	struct zs_approvals *approvals;
	int r = zs_approvals_new(NULL, envp, &approvals, error);

	if (r < 0)
		return r;
	r = zs_approvals_load(approvals, error);
	if (r == 0)
		r = (int)zs_approvals_count(approvals);
	zs_approvals_free(approvals);
	return r;
}

/* A runtime folder of the user's own. */
struct place {
	const struct scratch *scratch;
	char runtime[128], name[128];
	char *envp[3];
};

static void place_make(struct place *place, const struct scratch *scratch)
{
	place->scratch = scratch;
	snprintf(place->runtime, sizeof place->runtime, "XDG_RUNTIME_DIR=%s", scratch_path(place->scratch, "ws"));
	snprintf(place->name, sizeof place->name, "ZS_SESSION=one");
	place->envp[0] = place->runtime;
	place->envp[1] = place->name;
	place->envp[2] = NULL;
}

static const char *file_of(const struct place *place)
{
	return scratch_path(place->scratch, "ws/zs/session-one.json");
}

static int come_and_go(void *arg)
{
	struct place *place = arg;
	struct zs_error error = { 0 };
	struct stat st;
	bool known = false;

	umask(0177);
	check_ok(approve(place->envp, "a.example", &error), &error, "approve");
	umask(022);
	check_ok(approve(place->envp, "b.example", &error), &error, "approve another");
	check_ok(approve(place->envp, "b.example", &error), &error, "approve it again");
	CHECK(remembered(place->envp, &error) == 2, "both are remembered: %s", error.what);
	CHECK(stat(file_of(place), &st) == 0 && (st.st_mode & 07777) == 0600, "mode of the file");
	CHECK(stat(scratch_path(place->scratch, "ws/zs"), &st) == 0 && (st.st_mode & 07777) == 0700, "of the folder");
	CHECK(zs_approvals_revoke(place->envp, ZS_NEED_HOST, "a.example", &known, &error) == 0 && known, "revoke");
	CHECK(zs_approvals_revoke(place->envp, ZS_NEED_HOST, "a.example", &known, &error) == 0 && !known, "again");
	CHECK(remembered(place->envp, &error) == 1, "one is left");
	strcpy(place->name, "ZS_SESSION=two");
	CHECK(remembered(place->envp, &error) == 0, "another session");
	strcpy(place->name, "ZS_SESSION=../one");
	CHECK(remembered(place->envp, &error) == -EINVAL, "a name with a slash");
	snprintf(place->name, sizeof place->name, "ZS_SESSION=%0*d", ZS_SESSION_NAME_MAX, 1);
	CHECK(remembered(place->envp, &error) == 0, "a name as long as it may be");
	snprintf(place->name, sizeof place->name, "ZS_SESSION=%0*d", ZS_SESSION_NAME_MAX + 1, 1);
	CHECK(remembered(place->envp, &error) == -EINVAL, "a longer one");
	return 0;
}

TEST(approval_sessions_come_and_go)
{
	AS_EACH_USER (scratch) {
		struct place place;
		struct result result;

		place_make(&place, &scratch);
		run_child(scratch.owner, come_and_go, &place, &result);
		CHECK(result.status == 0 && !*result.out, "%s%s", result.out, result.err);
	}
}

static void write_session(const char *path, const char *boot, const char *approvals)
{
	char own_boot[64], text[256];

	CHECK(zs_boot_id(own_boot, sizeof own_boot) == 0, "boot");
	snprintf(text, sizeof text, "{\"boot\": \"%s\", \"approvals\": %s", boot ? boot : own_boot, approvals);
	write_text(path, text);
	chmod(path, 0600);
}

static const char forged[] = "[{\"kind\": \"unsandboxed\"}]}";

static void write_forged(const char *path)
{
	write_session(path, NULL, forged);
}

enum planted { A_FILE, A_LINK, A_HARD_LINK, A_FIFO, A_FOLDER_LINK };

static const struct plant {
	enum planted planted;
	const char *boot, *approvals; /* NULL: this start of the machine; the forged approvals */
	mode_t mode, folder_mode;     /* 0: private */
	off_t size;                   /* 0: unchanged */
	int want;
	const char *what;
} plants[] = {
	{ .want = 1, .what = "" },
	{ A_LINK, .want = -EPERM, .what = "symbolic link" },
	{ A_HARD_LINK, .want = -EPERM, .what = "not a regular file" },
	{ A_FIFO, .want = -EPERM, .what = "not a regular file" },
	{ .mode = 0620, .want = -EPERM, .what = "open to other users" },
	{ .folder_mode = 0770, .want = -EPERM, .what = "open to other users" },
	{ A_FOLDER_LINK, .want = -EPERM, .what = "not a folder" },
	{ .approvals = "", .want = -EPERM, .what = "not a list" },
	{ .approvals = "[{\"kind\": \"unsandboxed\", \"value\": \"x\"}]}", .want = -EPERM, .what = "not an approval" },
	{ .size = ZS_SESSION_FILE_MAX + 1, .want = -EPERM, .what = "too large" },
	{ .boot = "another", .want = 0, .what = "" },
};

static void plant(const struct place *place, const struct plant *row)
{
	char file[128], other[128], folder[128], other_folder[128];
	int r = 0;

	snprintf(file, sizeof file, "%s", file_of(place));
	snprintf(other, sizeof other, "%s", scratch_path(place->scratch, "out/session"));
	snprintf(folder, sizeof folder, "%s", scratch_path(place->scratch, "ws/zs"));
	snprintf(other_folder, sizeof other_folder, "%s", scratch_path(place->scratch, "out/zs"));
	if (row->planted == A_FIFO)
		r = mkfifo(file, 0600);
	else
		write_session(row->planted == A_LINK || row->planted == A_HARD_LINK ? other : file, row->boot,
			row->approvals ? row->approvals : forged);
	if (row->planted == A_LINK || row->planted == A_HARD_LINK)
		r = (row->planted == A_LINK ? symlink : link)(other, file);
	if (row->planted == A_FOLDER_LINK)
		r = rename(folder, other_folder) < 0 ? -1 : symlink("../out/zs", folder);
	CHECK(r == 0, "plant: %s", strerror(errno));
	if (row->mode)
		chmod(file, row->mode);
	if (row->folder_mode)
		chmod(folder, row->folder_mode);
	CHECK(!row->size || truncate(file, row->size) == 0, "truncate: %s", strerror(errno));
}

struct plant_run {
	struct place place;
	size_t row;
};

static int find_planted(void *arg)
{
	struct plant_run *run = arg;
	const struct plant *row = &plants[run->row];
	struct zs_error error = { 0 };
	int r;

	CHECK(mkdir(scratch_path(run->place.scratch, "ws/zs"), 0700) == 0, "folder");
	plant(&run->place, row);
	r = remembered(run->place.envp, &error);
	CHECK(r == row->want && strstr(error.what, row->what), "row %zu: %d %s", run->row, r, error.what);
	return 0;
}

TEST(approval_sessions_that_are_planted)
{
	for (size_t row = 0; row < sizeof plants / sizeof *plants; row++)
		AS_EACH_USER (scratch) {
			struct plant_run run = { .row = row };
			struct result result;

			place_make(&run.place, &scratch);
			run_child(scratch.owner, find_planted, &run, &result);
			CHECK(result.status == 0 && !*result.out, "%s%s", result.out, result.err);
		}
}

/* In another user's folder a file is refused whoever owns it. */
TEST(approval_sessions_of_other_users)
{
	struct scratch scratch;
	struct place place;
	struct zs_error error = { 0 };
	char tmp[128], folder[32];

	if (geteuid() != 0) {
		check_skip("needs root: only root can make what belongs to another user");
		return;
	}
	scratch_make(&scratch, 0);
	place_make(&place, &scratch);
	CHECK(mkdir(scratch_path(place.scratch, "ws/zs"), 0700) == 0, "folder");
	write_forged(file_of(&place));
	CHECK(remembered(place.envp, &error) == 1, "control");
	CHECK(chown(file_of(&place), NOBODY, NOBODY) == 0, "chown");
	CHECK(remembered(place.envp, &error) == -EPERM && strstr(error.what, "another user"), "file: %s", error.what);
	CHECK(chown(file_of(&place), 0, 0) == 0 && chown(scratch_path(place.scratch, "ws/zs"), NOBODY, NOBODY) == 0,
		"chown");
	CHECK(remembered(place.envp, &error) == -EPERM && strstr(error.what, "another user"), "folder: %s", error.what);
	/* A runtime folder of another user counts as none. In the temporary folder another user may have made the
	 * folder first. */
	CHECK(chown(scratch_path(place.scratch, "ws"), NOBODY, NOBODY) == 0, "chown");
	snprintf(tmp, sizeof tmp, "TMPDIR=%s", scratch_path(place.scratch, "out"));
	snprintf(folder, sizeof folder, "out/zs-%d", 0);
	char *envp[] = { place.runtime, place.name, tmp, NULL };

	CHECK(remembered(envp, &error) == 0, "none: %s", error.what);
	check_ok(approve(envp, "a.example", &error), &error, "in the temporary folder");
	CHECK(file_exists(scratch_path(place.scratch, "out/zs-0/session-one.json")), "there");
	CHECK(chown(scratch_path(place.scratch, folder), NOBODY, NOBODY) == 0, "chown");
	CHECK(remembered(envp, &error) == -EPERM && approve(envp, "b.example", &error) == -EPERM, "%s", error.what);
	scratch_remove(&scratch);
}

/* Another process gets the leader's pid, so only the time differs. */
static int outlive(void *arg)
{
	struct place *place = arg;
	char stale[64], other[64];
	struct zs_error error = { 0 };
	uint64_t start = 0;

	place->envp[1] = NULL;
	CHECK(setsid() > 0 && zs_process_start(getpid(), &start) == 0, "a session of its own");
	check_ok(approve(place->envp, "a.example", &error), &error, "approve");
	CHECK(remembered(place->envp, &error) == 1, "remembered");
	snprintf(stale, sizeof stale, "ws/zs/session-%d.%" PRIu64 ".json", (int)getpid(), start);
	CHECK(file_exists(scratch_path(place->scratch, stale)), "%s", stale);
	snprintf(other, sizeof other, "ws/zs/session-%d.%" PRIu64 ".json", (int)getpid(), start - 1);
	CHECK(rename(scratch_path(place->scratch, stale), scratch_path(place->scratch, other)) == 0, "rename");
	CHECK(remembered(place->envp, &error) == 0, "of another that had this number");
	CHECK(!file_exists(scratch_path(place->scratch, other)), "it is gone");
	check_ok(approve(place->envp, "a.example", &error), &error, "approve");
	return 0;
}

TEST(approval_sessions_end_with_their_leader)
{
	AS_EACH_USER (scratch) {
		struct place place;
		struct result result;
		struct zs_error error = { 0 };

		place_make(&place, &scratch);
		run_child(scratch.owner, outlive, &place, &result);
		CHECK(result.status == 0 && !*result.out, "%s%s", result.out, result.err);
		/* Any other run removes the remaining file. */
		if (scratch.owner == geteuid())
			CHECK(remembered(place.envp, &error) == 0 && rmdir(scratch_path(place.scratch, "ws/zs")) == 0,
				"nothing is left");
	}
}

static void save_at_once(enum zs_answer answer, char *const envp[])
{
	struct zs_error error = { 0 };

	for (int i = 0; i < SAVERS; i++) {
		char host[32];

		snprintf(host, sizeof host, "h%d.example", i);
		if (fork() == 0)
			_exit(approve_with(answer, envp, host, &error) < 0);
	}
	for (int i = 0; i < SAVERS; i++) {
		int status = -1;

		wait(&status);
		CHECK(status == 0, "saver %d", i);
	}
}

TEST(approvals_are_saved_at_once)
{
	OWN_SCRATCH(scratch);
	struct place place;
	struct zs_error error = { 0 };
	struct zs_settings *settings;
	AUTO_POLICY *policy = NULL;
	char home[128];

	place_make(&place, &scratch);
	snprintf(home, sizeof home, "HOME=%s", scratch_path(place.scratch, "out"));
	char *envp[] = { place.runtime, place.name, home, NULL };

	save_at_once(ZS_ANSWER_SESSION, envp);
	CHECK(remembered(envp, &error) == SAVERS, "all of the session's");
	strcpy(place.name, "ZS_SESSION=two");
	save_at_once(ZS_ANSWER_ALWAYS, envp);
	CHECK(remembered(envp, &error) == 0, "none of it is the session's");
	check_ok(zs_settings_load(scratch_path(place.scratch, "ws"), envp, &settings, &error), &error, "load");
	check_ok(zs_settings_policy(settings, ZS_WORKSPACE_WRITE, NULL, &policy, NULL, &error), &error, "policy");
	CHECK(policy->hosts.count == SAVERS, "all of the settings': %zu", policy->hosts.count);
	zs_settings_free(settings);
}
