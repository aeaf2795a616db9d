#include "git_base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/path.h"
#include "base/read_file.h"
#include "base/sha256.h"
#include "linux/store/confined.h"
#include "linux/store/store.h"
#include "policy/policy.h"

static const char step[] = "git_base";

enum { WORDS = 16, LINE = 256 };

struct making {
	struct zs_store store;
	const char *git;    /* the program */
	const char *source; /* the real repository */
	char from[PATH_MAX + 16], to[PATH_MAX + 48];
	char made[PATH_MAX + 32]; /* the new one */
	char commit[LINE], format[LINE], branch[LINE];
	struct zs_error *error;
};

static int refuse(const struct making *making, const char *what)
{
	return zs_error_say(making->error, step, making->source, EOPNOTSUPP, "%s", what);
}

/* Starts git with these words. Neither the user's nor the system's configuration is there to be read, and the
 * repository's own cannot make it run a program: there is none but git. */
static int start(const struct making *making, const char *const words[], int in, int out, pid_t *ret_pid)
{
	const char *argv[WORDS] = { making->git, "-c", "safe.directory=*", "--no-replace-objects" };
	const struct zs_confined confined = {
		.step = step, .reads = making->source, .writes = *making->made ? making->made : NULL
	};
	size_t count = 4;

	for (; *words && count + 1 < WORDS; words++)
		argv[count++] = *words;
	return zs_confined_start((char *const *)(uintptr_t)argv, &confined, in, out, ret_pid, making->error);
}

/* Runs git without input. line: receives the first line of its output; NULL: it has none. -ECANCELED: git has failed,
 * and has said why. */
static int run(const struct making *making, const char *const words[], char line[LINE])
{
	ZS_AUTO_FD int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	int output[2] = { -1, -1 }, r = 0, ended;
	size_t len = 0;
	pid_t pid = -1;

	if (null < 0 || pipe2(output, O_CLOEXEC) < 0)
		return zs_error_errno(making->error, step, "git", errno);
	r = start(making, words, null, line ? output[1] : STDERR_FILENO, &pid);
	close(output[1]);
	if (r == 0 && line)
		r = zs_read_up_to(output[0], LINE - 1, line, &len);
	close(output[0]);
	if (line) {
		line[r == 0 ? len : 0] = '\0';
		line[strcspn(line, "\n")] = '\0';
	}
	ended = pid > 0 ? zs_confined_wait(pid) : 0;
	r = r == 0 ? ended : r;
	return r == -EOPNOTSUPP ? refuse(making, "cannot be read: git cannot be confined here") : r;
}

/* Objects go from one git to the other, and to no file between. */
static int copy_objects(const struct making *making)
{
	const char *const pack[] = { making->from, "pack-objects", "--revs", "--stdout", "-q", NULL };
	const char *const index[] = { making->to, "index-pack", "--stdin", "--fix-thin", NULL };
	ZS_AUTO_FD int null = open("/dev/null", O_WRONLY | O_CLOEXEC); /* for the name of the pack */
	int ends[2], input[2] = { -1, -1 }, r;
	pid_t packer = -1, indexer = -1;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return zs_error_errno(making->error, step, "pipe", errno);
	r = pipe2(input, O_CLOEXEC) < 0 ? zs_error_errno(making->error, step, "pipe", errno) : 0;
	if (r == 0)
		r = zs_write_all(input[1], making->commit, strlen(making->commit));
	if (input[1] >= 0)
		close(input[1]);
	if (r == 0)
		r = start(making, pack, input[0], ends[1], &packer);
	close(ends[1]);
	if (input[0] >= 0)
		close(input[0]);
	if (r == 0)
		r = null < 0 ? zs_error_errno(making->error, step, "/dev/null", errno)
			     : start(making, index, ends[0], null, &indexer);
	close(ends[0]);
	/* Both have started once, with the same policy. */
	for (pid_t *pid = (pid_t[]){ packer, indexer, -1 }; *pid > 0; pid++)
		r = zs_confined_wait(*pid) < 0 && r == 0 ? -ECANCELED : r;
	return r;
}

/* Objects that these name would be missing, or would lead to more than the commit does. */
static int check_source(const struct making *making)
{
	static const struct {
		const char *file, *what;
	} rows[] = {
		{ "shallow", "is shallow: fetch the whole history (git fetch --unshallow)" },
		{ "objects/info/alternates",
			"takes objects from another repository (git repack -a -d takes them over)" },
		{ "info/grafts", "has grafts, which change the history" },
	};

	for (size_t i = 0; i < ZS_COUNT(rows); i++) {
		ZS_AUTO_FREE char *path = zs_path_join(making->source, rows[i].file);
		struct stat st;

		if (!path)
			return zs_error_errno(making->error, step, NULL, ENOMEM);
		if (lstat(path, &st) == 0)
			return refuse(making, rows[i].what);
	}
	return 0;
}

/* The branch of the workspace, so that programs find the usual name; "main" where none is checked out. */
static void find_branch(struct making *making)
{
	static const char heads[] = "refs/heads/";
	const char *const words[] = { making->from, "symbolic-ref", "-q", "HEAD", NULL };
	char line[LINE];

	strcpy(making->branch, "refs/heads/main");
	if (run(making, words, line) == 0 && strncmp(line, heads, strlen(heads)) == 0)
		strcpy(making->branch, line);
}

static int find_commit(struct making *making, const char *commit)
{
	char name[LINE];
	const char *const words[] = { making->from, "rev-parse", "--verify", "-q", "--end-of-options", name, NULL };
	const char *const format[] = { making->from, "rev-parse", "--show-object-format", NULL };
	int r = snprintf(name, sizeof name, "%s^{commit}", commit) < (int)sizeof name ? 0 : -ECANCELED;

	if (r == 0)
		r = run(making, words, making->commit);
	if (r == -ECANCELED || (r == 0 && !*making->commit))
		return zs_error_say(making->error, step, commit, EINVAL, "is no commit of %s", making->source);
	if (r == 0)
		r = run(making, format, making->format);
	return r == -ECANCELED ? refuse(making, "cannot be read by git") : r;
}

/* The committer's name, as far as the repository itself has it. */
static int copy_identity(const struct making *making)
{
	static const char *const keys[] = { "user.name", "user.email" };
	int r = 0;

	for (size_t i = 0; r == 0 && i < ZS_COUNT(keys); i++) {
		char value[LINE];
		const char *const get[] = { making->from, "config", "--get", keys[i], NULL };
		const char *const set[] = { making->to, "config", keys[i], value, NULL };

		r = run(making, get, value);
		if (r == 0 && *value)
			r = run(making, set, NULL);
		r = r == -ECANCELED ? 0 : r; /* it is not set */
	}
	return r;
}

static int fill(struct making *making)
{
	char format[LINE + 32];
	const char *const init[] = { "init", "-q", "--bare", "--template=", format, making->made, NULL };
	const char *const head[] = { making->to, "symbolic-ref", "HEAD", making->branch, NULL };
	const char *const ref[] = { making->to, "update-ref", making->branch, making->commit, NULL };
	const char *const index[] = { making->to, "read-tree", making->commit, NULL };
	const char *const work[] = { making->to, "config", "core.bare", "false", NULL };
	const char *const logs[] = { making->to, "config", "core.logAllRefUpdates", "true", NULL };
	const char *const *const steps[] = { head, ref, index, work, logs };
	int r;

	snprintf(format, sizeof format, "--object-format=%s", making->format);
	r = run(making, init, NULL);
	if (r == 0)
		r = copy_objects(making);
	for (size_t i = 0; r == 0 && i < ZS_COUNT(steps); i++)
		r = run(making, steps[i], NULL);
	if (r == 0)
		r = copy_identity(making);
	return r == -ECANCELED ? refuse(making, "could not be copied up to the commit; git says why") : r;
}

static int make(struct making *making, const char *name)
{
	int r = zs_store_begin(&making->store, making->error);

	if (r < 0)
		return r;
	snprintf(making->made, sizeof making->made, "%s/%s/git", making->store.path, making->store.tmp.name);
	snprintf(making->to, sizeof making->to, "--git-dir=%s", making->made);
	if (mkdir(making->made, 0755) < 0)
		return zs_error_errno(making->error, step, making->made, errno);
	r = fill(making);
	return r < 0 ? r : zs_store_keep(&making->store, name, making->error);
}

static const char *find_git(void)
{
	static const char *const paths[] = { "/usr/bin/git", "/bin/git", "/usr/local/bin/git" };

	for (size_t i = 0; i < ZS_COUNT(paths); i++)
		if (access(paths[i], X_OK) == 0)
			return paths[i];
	return NULL;
}

/* The name of the repository in the store: its source, branch and commit make it. */
static void name_of(const struct making *making, char name[ZS_SHA256_HEX + 1])
{
	char text[PATH_MAX + 2 * LINE];
	int len = snprintf(text, sizeof text, "%s\n%s\n%s", making->source, making->branch, making->commit);

	zs_sha256(text, (size_t)len < sizeof text ? (size_t)len : sizeof text - 1, name);
}

int zs_git_base_use(struct zs_policy *policy, const char *commit, char *const envp[], struct zs_error *error)
{
	ZS_AUTO_FREE char *folder = policy->workspace ? zs_policy_git_folder(policy) : NULL;
	ZS_AUTO_FREE char *source = NULL;
	struct making making = { .store = ZS_STORE_NONE(step), .git = find_git(), .error = error };
	char name[ZS_SHA256_HEX + 1], path[PATH_MAX + 16];
	int r;

	if (!folder)
		return zs_error_errno(error, step, "workspace", policy->workspace ? ENOMEM : ENOENT);
	r = zs_git_folder_check(folder, error);
	if (r < 0)
		return r;
	making.source = source = realpath(folder, NULL);
	if (!source)
		return zs_error_errno(error, step, folder, errno);
	if (!making.git)
		return refuse(&making, "cannot be read: there is no git on this machine");
	snprintf(making.from, sizeof making.from, "--git-dir=%s", source);
	r = check_source(&making);
	if (r == 0)
		r = find_commit(&making, commit);
	if (r < 0)
		return r;
	find_branch(&making);
	name_of(&making, name);
	r = zs_store_open(&making.store, "bases", policy, envp, error);
	if (r == 0 && !zs_store_has(&making.store, name))
		r = make(&making, name);
	if (r == 0 && snprintf(path, sizeof path, "%s/%s/git", making.store.path, name) >= PATH_MAX)
		r = zs_error_errno(error, step, making.store.path, ENAMETOOLONG);
	if (r == 0)
		r = zs_policy_set_git_base(policy, path, error);
	zs_store_close(&making.store);
	return r;
}
