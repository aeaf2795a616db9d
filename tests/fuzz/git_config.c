/* Compares our reader of git's configuration (sandbox/git/git_config.c) with the real git. For each of COUNT generated
 * files both must list the same keys, values and files, or both must refuse the same line. Some of the files then
 *become the configuration of a repository: sandbox/git/git_obeyed.c must name the hooks folder that git names, and each
 *file that git reads.
 *
 *	git_config COUNT SEED SECONDS
 *
 * The same count and seed give the same files. The run ends after SECONDS; 0: no limit. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "git/git_config.h"
#include "git/git_orders.h"
#include "mutator.h"
#include "base/path.h"

enum {
	BATCH = 250,
	REPOSITORY_EVERY = 100, /* git is asked for the hooks folder of one file in this many */
};

static const struct seed sections[] = { ROW("[core]"), ROW("[CORE]"), ROW("[core \"sub\"]"), ROW("[Core.Sub]"),
	ROW("[a \"x\\\"y\\\\z\\w\"]"), ROW("[ \"x\"]"), ROW("[a \t \"b c\"]"), ROW("[a \"\"]"), ROW("[a-1.b]"),
	ROW("[include]"), ROW("[includeIf \"gitdir:/none/\"]"), ROW("[filter \"LFS\"]"), ROW("[alias]"), ROW("[a]"),
	ROW("[url \"ext::sh -c ./x\"]"), ROW("[extensions]") };
static const struct seed keys[] = { ROW("hooksPath"), ROW("HOOKSPATH"), ROW("path"), ROW("x"), ROW("A-b"), ROW("a1"),
	ROW("clean"), ROW("fsmonitor"), ROW("insteadOf"), ROW("worktreeConfig") };
static const struct seed separators[] = { ROW("="), ROW(" = "), ROW("\t=\t"), ROW(" ="), ROW("= "), ROW(" \t = \t "),
	ROW("==") };
static const struct seed values[] = { ROW(".githooks"), ROW("./tools/x.sh -a"), ROW("\".git\"hooks"), ROW("\"a b\""),
	ROW("a\\\nb"), ROW("a\\\r\nb"), ROW("\\t\\n\\b\\\\\\\""), ROW("\" x \""), ROW("a  b"), ROW("a\tb"), ROW("#"),
	ROW(";"), ROW("\"#;\""), ROW(" "), ROW("\t"), ROW("true"), ROW("one"), ROW("./two"), ROW("~/one"), ROW("none"),
	ROW("\xc3\xa9"), ROW("[a]"), ROW("="), ROW("\"\""), ROW("\\\n"), ROW("!sh -c \\\"x\\\"") };
static const struct seed ends[] = { ROW("\n"), ROW("\n"), ROW("\n"), ROW("\r\n"), ROW(" # c\n"), ROW(";c\\\n"),
	ROW(" \n\n"), ROW("\t\n") };
static const struct seed tokens[] = { ROW("\""), ROW("\\"), ROW("\n"), ROW("\r"), ROW("\r\n"), ROW("["), ROW("]"),
	ROW("="), ROW("#"), ROW(";"), ROW(" "), ROW("\t"), ROW("\0"), ROW("\xef\xbb\xbf"), ROW("\xef"), ROW("."),
	ROW("a"), ROW("-"), ROW("_"), ROW("\v"), ROW("\\x"), ROW("\\\n"), ROW("\xff"), ROW("1") };

#define PICK(random, list) (&(list)[zs_random(random, sizeof(list) / sizeof *(list))])

struct text {
	char bytes[ZS_INPUT_MAX];
	size_t len;
};

static void put(struct text *text, const struct seed *piece)
{
	text->len = zs_insert(text->bytes, text->len, text->len, piece->bytes, piece->len);
}

static void generate_entry(struct mutator *random, struct text *text)
{
	if (zs_random(random, 4) == 0)
		put(text, &(const struct seed)ROW("\t"));
	put(text, PICK(random, keys));
	if (zs_random(random, 12) != 0) {
		put(text, PICK(random, separators));
		for (uint32_t count = 1 + zs_random(random, 3); count > 0; count--)
			put(text, PICK(random, values));
	}
	put(text, PICK(random, ends));
}

static void generate(struct mutator *random, struct text *text)
{
	text->len = 0;
	if (zs_random(random, 16) == 0)
		put(text, &(const struct seed)ROW("\xef\xbb\xbf"));
	for (uint32_t lines = 1 + zs_random(random, 6); lines > 0; lines--) {
		if (zs_random(random, 2) == 0 || text->len < 4) {
			put(text, PICK(random, sections));
			if (zs_random(random, 4) != 0)
				put(text, PICK(random, ends));
		}
		generate_entry(random, text);
	}
	/* Few files get changes: each file that git refuses needs a git of its own. */
	for (uint32_t changes = zs_random(random, 4) == 0 ? 1 + zs_random(random, 3) : 0; changes > 0; changes--)
		text->len = zs_change(random, tokens, sizeof tokens / sizeof *tokens, text->bytes, text->len);
}

/* The output of git, real or expected. */
struct output {
	char *bytes;
	size_t len, room;
};

static void add(struct output *output, const void *bytes, size_t len)
{
	if (output->len + len > output->room) {
		output->room = 2 * (output->len + len);
		output->bytes = realloc(output->bytes, output->room);
		if (!output->bytes)
			abort();
	}
	memcpy(output->bytes + output->len, bytes, len);
	output->len += len;
}

static struct {
	char root[64];
	const char *envp[8];
	bool older; /* this git is older than 2.45 */
	struct mutator *random;
	size_t count, refused, included, repositories;
	bool differs;
} fuzz;

static void name_file(char path[PATH_MAX], size_t index)
{
	snprintf(path, PATH_MAX, "%s/f%zu", fuzz.root, index);
}

static void write_file(const char *path, const char *bytes, size_t len)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	if (fd < 0 || write(fd, bytes, len) != (ssize_t)len || close(fd) < 0) {
		perror(path);
		exit(1);
	}
}

/* Runs git in a folder. Its status; output gets its stdout and stderr. */
static int run_git(const char *const argv[], const char *folder, struct output *output)
{
	posix_spawn_file_actions_t actions;
	int ends_of[2], status = -1;
	char buffer[65536];
	ssize_t len;
	pid_t pid;

	if (pipe2(ends_of, O_CLOEXEC) < 0 || posix_spawn_file_actions_init(&actions) != 0 ||
		posix_spawn_file_actions_addchdir_np(&actions, folder) != 0 ||
		posix_spawn_file_actions_adddup2(&actions, ends_of[1], 1) != 0 ||
		posix_spawn_file_actions_adddup2(&actions, ends_of[1], 2) != 0 ||
		posix_spawnp(&pid, "git", &actions, NULL, (char *const *)argv, (char *const *)fuzz.envp) != 0) {
		perror("git");
		exit(1);
	}
	posix_spawn_file_actions_destroy(&actions);
	close(ends_of[1]);
	output->len = 0;
	while ((len = read(ends_of[0], buffer, sizeof buffer)) > 0)
		add(output, buffer, (size_t)len);
	close(ends_of[0]);
	waitpid(pid, &status, 0);
	add(output, "", 1);
	output->len--;
	return status;
}

/* The reading of one file by our reader. It follows include.path as git does, and takes every condition for false. */
struct reading {
	const char *file;
	struct output *output;
	struct zs_git_places places;
	unsigned depth, bad; /* bad: the line whose include git refuses */
};

static int read_all(struct reading *reading, unsigned *ret_line);

static int follow(const char *base, const char *rest, void *arg)
{
	struct reading *outer = arg, inner = *outer;
	ZS_AUTO_FREE char *path = zs_path_join(base, rest[0] == '/' ? rest + 1 : rest);
	unsigned line;
	struct stat st;

	inner.file = path;
	inner.depth++;
	if (stat(path, &st) < 0)
		return errno == ENOENT || errno == ENOTDIR ? 0 : -EBADMSG;
	fuzz.included++;
	return !S_ISREG(st.st_mode) || inner.depth > ZS_GIT_INCLUDE_DEPTH_MAX ? -EBADMSG : read_all(&inner, &line);
}

static int expect(const struct zs_git_entry *entry, void *arg)
{
	struct reading *reading = arg;
	const char *value = fuzz.older ? entry->older : entry->value;
	ZS_AUTO_FREE char *folder = strdup(reading->file);
	const char *bases[] = { folder };
	int r;

	add(reading->output, "file:", 5);
	add(reading->output, reading->file, strlen(reading->file) + 1);
	add(reading->output, entry->name, strlen(entry->name));
	if (value) {
		add(reading->output, "\n", 1);
		add(reading->output, value, strlen(value));
	}
	add(reading->output, "", 1);
	if (strcmp(entry->name, "include.path") != 0)
		return 0;
	reading->bad = entry->line;
	*strrchr(folder, '/') = '\0';
	if (!value || (value[0] == '~' && value[1] && value[1] != '/'))
		return -EBADMSG;
	/* git refuses "", which names the folder itself */
	r = *value ? zs_git_expand(&reading->places, value, bases, 1, follow, reading) : -EBADMSG;
	return r;
}

/* -EBADMSG: git refuses line *ret_line. */
static int read_all(struct reading *reading, unsigned *ret_line)
{
	ZS_AUTO_FREE char *text = NULL;
	size_t len;
	int r = zs_git_config_read(reading->file, &text, &len);

	if (r < 0)
		return r;
	r = zs_git_config_each(text, len, expect, reading, ret_line);
	if (r == -EBADMSG && *ret_line == 0)
		*ret_line = reading->bad;
	return r;
}

static int read_file(const char *file, struct output *output, unsigned *ret_line)
{
	struct reading reading = { .file = file, .output = output, .places = { .home = fuzz.root } };

	return read_all(&reading, ret_line);
}

static void show(const char *what, const char *bytes, size_t len)
{
	fprintf(stderr, "  %s: ", what);
	for (size_t i = 0; i < len; i++)
		if (bytes[i] >= ' ' && bytes[i] < 127 && bytes[i] != '\\')
			fputc(bytes[i], stderr);
		else
			fprintf(stderr, "\\x%02x", (unsigned char)bytes[i]);
	fputc('\n', stderr);
}

static void differ(const char *file, const struct output *ours, const struct output *gits)
{
	ZS_AUTO_FREE char *text = NULL;
	size_t len = 0;

	fuzz.differs = true;
	fprintf(stderr, "%s: git reads it otherwise\n", file);
	if (zs_git_config_read(file, &text, &len) == 0)
		show("file", text, len);
	show("ours", ours->bytes, ours->len);
	show("git ", gits->bytes, gits->len);
}

static int list(const char *file, struct output *output)
{
	const char *argv[] = { "git", "config", "-f", file, "--includes", "--show-origin", "--list", "-z", NULL };

	return run_git(argv, fuzz.root, output);
}

static void compare_one(const char *file)
{
	struct output ours = { 0 }, gits = { 0 };
	unsigned line = 0;
	int r = read_file(file, &ours, &line), status = list(file, &gits);

	if (r == -EBADMSG) {
		char want[64];

		/* git prints this after the entries that it has listed so far */
		snprintf(want, sizeof want, "bad config line %u in file ", line);
		ours.len = 0;
		add(&ours, want, strlen(want));
		if (status == 0 || !memmem(gits.bytes, gits.len, want, strlen(want)))
			differ(file, &ours, &gits);
	} else if (r != 0 || status != 0 || ours.len != gits.len || memcmp(ours.bytes, gits.bytes, ours.len) != 0) {
		differ(file, &ours, &gits);
	}
	free(ours.bytes);
	free(gits.bytes);
}

/* One file includes all files that our reader accepts, so one git reads them all. */
static void compare_batch(size_t first, size_t count)
{
	struct output ours = { 0 }, gits = { 0 }, top = { 0 };
	char path[PATH_MAX], name[PATH_MAX];
	bool good[BATCH];

	snprintf(name, sizeof name, "%s/top", fuzz.root);
	add(&top, "[include]\n", 10);
	for (size_t i = 0; i < count; i++) {
		struct output alone = { 0 };
		unsigned line;

		name_file(path, first + i);
		good[i] = read_file(path, &alone, &line) == 0;
		free(alone.bytes);
		if (good[i]) {
			char text[PATH_MAX + 16];

			add(&top, text, (size_t)snprintf(text, sizeof text, "path = %s\n", path));
		}
	}
	write_file(name, top.bytes, top.len);
	{
		unsigned line;
		int r = read_file(name, &ours, &line), status = list(name, &gits);
		bool same =
			r == 0 && status == 0 && ours.len == gits.len && memcmp(ours.bytes, gits.bytes, ours.len) == 0;

		for (size_t i = 0; i < count; i++) {
			name_file(path, first + i);
			if (!good[i] || !same)
				compare_one(path);
			fuzz.refused += !good[i];
		}
		if (!same && !fuzz.differs)
			differ(name, &ours, &gits);
	}
	free(ours.bytes);
	free(gits.bytes);
	free(top.bytes);
}

/* A path that must be among the places that git obeys in a repository with this configuration. */
struct wanted {
	const char *path;
	bool found;
};

static int look_for(const char *path, void *arg)
{
	struct wanted *wanted = arg;

	wanted->found |= strcmp(path, wanted->path) == 0;
	return 0;
}

static void want_obeyed(const struct zs_git_orders *user, const char *path, const char *what)
{
	char git_dir[PATH_MAX], work_tree[PATH_MAX], real[PATH_MAX];
	const struct zs_git_repository repository = { git_dir, work_tree };
	/* git names "./two" as the include spells it, and our reader names its real path */
	struct wanted wanted = { realpath(path, real) ? real : path, false };
	struct zs_error error = { 0 };

	snprintf(work_tree, sizeof work_tree, "%s/repository", fuzz.root);
	snprintf(git_dir, sizeof git_dir, "%s/.git", work_tree);
	if (zs_git_obeyed(&repository, user, look_for, &wanted, &error) == 0 && !wanted.found) {
		fprintf(stderr, "%s: git's %s is not among what it obeys\n", path, what);
		fuzz.differs = true;
	}
}

/* Checks git's own answer, a path on one line. A path with newlines in it is passed over, and so is "./", the answer
 * for "": its hooks would lie in "/". */
static void want_hooks(const struct zs_git_orders *user, const char *folder, struct output *output)
{
	char joined[2 * PATH_MAX], hook[PATH_MAX];
	ZS_AUTO_FREE char *real = NULL;
	size_t len;

	if (output->len < 2)
		return;
	output->bytes[output->len - 1] = '\0';
	snprintf(joined, sizeof joined, "%s%s%s", output->bytes[0] == '/' ? "" : folder,
		output->bytes[0] == '/' ? "" : "/", output->bytes);
	if (strcmp(output->bytes, "./") == 0 || strchr(output->bytes, '\n') || zs_path_would_be(joined, &real) < 0)
		return;
	len = strlen(real);
	while (len > 1 && real[len - 1] == '/')
		real[--len] = '\0';
	snprintf(hook, sizeof hook, "%s/pre-commit", real);
	want_obeyed(user, zs_path_lies_in(folder, real) ? hook : real, "hooks folder");
}

static void ask_repository(const char *file)
{
	static const char *const ask[] = { "git", "rev-parse", "--git-path", "hooks", NULL };
	static const char *const all[] = { "git", "config", "--includes", "--show-origin", "--list", "-z", NULL };
	struct zs_git_places places = { .home = fuzz.root };
	struct zs_git_orders *user = NULL;
	struct zs_error error = { 0 };
	struct output output = { 0 };
	ZS_AUTO_FREE char *text = NULL;
	char path[PATH_MAX], folder[PATH_MAX];
	size_t len;

	snprintf(folder, sizeof folder, "%s/repository", fuzz.root);
	snprintf(path, sizeof path, "%s/.git/config", folder);
	if (zs_git_config_read(file, &text, &len) < 0 || zs_git_orders_read(&places, &user, &error) < 0)
		return;
	write_file(path, text, len);
	if (run_git(ask, folder, &output) == 0)
		want_hooks(user, folder, &output);
	if (run_git(all, folder, &output) == 0)
		for (size_t at = 0; at < output.len; at += strlen(output.bytes + at) + 1)
			if (strncmp(output.bytes + at, "file:/", 6) == 0)
				want_obeyed(user, output.bytes + at + 5, "configuration");
	fuzz.repositories++;
	zs_git_orders_free(user);
	free(output.bytes);
}

static void prepare(void)
{
	static const char one[] = "[one]\n\tx = 1\n[include]\n\tpath = ./two\n", two[] = "[two]\n\tx\n";
	const char *init[] = { "git", "init", "-q", "repository", NULL };
	const char *version[] = { "git", "--version", NULL };
	struct output output = { 0 };
	char path[PATH_MAX];
	static char home[PATH_MAX], ceiling[PATH_MAX], search[PATH_MAX];
	unsigned major = 0, minor = 0;

	snprintf(fuzz.root, sizeof fuzz.root, "/tmp/zs-git-config.XXXXXX");
	if (!mkdtemp(fuzz.root)) {
		perror(fuzz.root);
		exit(1);
	}
	snprintf(home, sizeof home, "HOME=%s", fuzz.root);
	snprintf(ceiling, sizeof ceiling, "GIT_CEILING_DIRECTORIES=%s", fuzz.root);
	snprintf(search, sizeof search, "PATH=%s", getenv("PATH"));
	memcpy(fuzz.envp, (const char *[]){ home, ceiling, search, "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1", NULL },
		6 * sizeof *fuzz.envp);
	snprintf(path, sizeof path, "%s/one", fuzz.root);
	write_file(path, one, sizeof one - 1);
	snprintf(path, sizeof path, "%s/two", fuzz.root);
	write_file(path, two, sizeof two - 1);
	run_git(init, fuzz.root, &output);
	run_git(version, fuzz.root, &output);
	sscanf(output.bytes, "git version %u.%u", &major, &minor);
	fuzz.older = major < 2 || (major == 2 && minor < 45);
	free(output.bytes);
}

static void clean(void)
{
	const char *argv[] = { "rm", "-rf", fuzz.root, NULL };
	pid_t pid;

	if (posix_spawnp(&pid, "rm", NULL, NULL, (char *const *)argv, (char *const *)fuzz.envp) == 0)
		waitpid(pid, NULL, 0);
}

int main(int argc, char **argv)
{
	size_t wanted = argc == 4 ? strtoul(argv[1], NULL, 10) : 0;
	time_t seconds = argc == 4 ? (time_t)strtoul(argv[3], NULL, 10) : 0, start = time(NULL);
	struct text text;

	if (wanted == 0) {
		fprintf(stderr, "usage: git_config COUNT SEED SECONDS\n");
		return 64;
	}
	fuzz.random = zs_mutator_new(strtoul(argv[2], NULL, 10));
	if (!fuzz.random)
		return 1;
	prepare();
	while (fuzz.count < wanted && !fuzz.differs && (seconds == 0 || time(NULL) - start < seconds)) {
		size_t batch = wanted - fuzz.count < BATCH ? wanted - fuzz.count : BATCH;
		char path[PATH_MAX];

		for (size_t i = 0; i < batch; i++) {
			generate(fuzz.random, &text);
			name_file(path, i);
			write_file(path, text.bytes, text.len);
		}
		compare_batch(0, batch);
		for (size_t i = 0; i < batch; i += REPOSITORY_EVERY) {
			name_file(path, i);
			ask_repository(path);
		}
		fuzz.count += batch;
	}
	printf("git_config: %zu files in %ld s, %zu of them refused by both, %zu includes, %zu repositories: %s\n",
		fuzz.count, (long)(time(NULL) - start), fuzz.refused, fuzz.included, fuzz.repositories,
		fuzz.differs ? "git reads one otherwise" : "no difference");
	zs_mutator_free(fuzz.random);
	if (!fuzz.differs)
		clean();
	return fuzz.differs;
}
