/* Real overlays. A command changes files in the merged view. The test compares what zs_overlay lists and applies with
 * the merged view itself. */
#include <ftw.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>

#include "run/changes.h"
#include "harness.h"
#include "linux/base/namespace_calls.h"

struct entry {
	char path[160];
	mode_t mode;
	unsigned long hash;
};

struct tree {
	struct entry items[600];
	size_t count;
	bool failed;
};

static struct tree *filling;
static size_t root_len;

static unsigned long hash_of(const char *path, mode_t mode)
{
	unsigned long hash = 5381;
	char buffer[1 << 16];
	ssize_t len = 0;

	if (S_ISLNK(mode)) {
		len = readlink(path, buffer, sizeof buffer);
	} else if (S_ISREG(mode)) {
		int fd = open(path, O_RDONLY | O_CLOEXEC);

		len = read(fd, buffer, sizeof buffer);
		close(fd);
	}
	filling->failed |= len < 0;
	for (ssize_t i = 0; i < len; i++)
		hash = hash * 33 + (unsigned char)buffer[i];
	return hash + (unsigned long)len;
}

static int add_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	struct entry *entry = &filling->items[filling->count];

	(void)type;
	if (ftw->level == 0)
		return 0;
	snprintf(entry->path, sizeof entry->path, "%s", path + root_len + 1);
	entry->mode = st->st_mode;
	entry->hash = hash_of(path, st->st_mode);
	return ++filling->count == 600;
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct entry *)a)->path, ((const struct entry *)b)->path);
}

static void read_tree(const char *root, struct tree *tree)
{
	memset(tree, 0, sizeof *tree);
	filling = tree;
	root_len = strlen(root);
	tree->failed |= nftw(root, add_entry, 16, FTW_PHYS) != 0;
	qsort(tree->items, tree->count, sizeof *tree->items, by_path);
}

static const struct entry *find(const struct tree *tree, const char *path)
{
	struct entry key;

	snprintf(key.path, sizeof key.path, "%s", path);
	return bsearch(&key, tree->items, tree->count, sizeof key, by_path);
}

/* Returns the kind of change that the list must have for a path; ZS_CHANGE_COUNT: none. */
static enum zs_change_kind truth(const struct entry *old, const struct entry *new)
{
	if (!old)
		return ZS_CHANGE_CREATED;
	if (!new)
		return ZS_CHANGE_DELETED;
	if ((old->mode ^ new->mode) & S_IFMT)
		return ZS_CHANGE_TYPE;
	if (old->hash != new->hash)
		return S_ISLNK(new->mode) ? ZS_CHANGE_LINK : ZS_CHANGE_CHANGED;
	return old->mode != new->mode ? ZS_CHANGE_MODE : ZS_CHANGE_COUNT;
}

static size_t count_truth(const struct tree *old, const struct tree *new)
{
	size_t count = 0;

	for (size_t i = 0; i < new->count; i++)
		count += truth(find(old, new->items[i].path), &new->items[i]) != ZS_CHANGE_COUNT;
	for (size_t i = 0; i < old->count; i++)
		count += !find(new, old->items[i].path);
	return count;
}

static int enter_overlay(const char *root)
{
	const char *object;
	char options[256];
	int r;

	r = zs_namespaces_enter(CLONE_NEWUSER | CLONE_NEWNS, geteuid(), getegid(), &object);

	if (r < 0 || chdir(root) < 0)
		return r < 0 ? r : -errno;
	snprintf(options, sizeof options, "userxattr,lowerdir=lower,upperdir=upper,workdir=work");
	return mount("overlay", "merged", "overlay", 0, options) < 0 ? -errno : 0;
}

struct bench {
	char root[64];
	struct tree old, new; /* the workspace before the run, and the merged view after it */
	struct timespec since;
	int lower, upper;
	struct zs_overlay *overlay;
	const struct zs_change *changes;
	size_t count;
};

static int make(const char *root, const char *name, int *ret_fd)
{
	char path[128];

	snprintf(path, sizeof path, "%s/%s", root, name);
	make_folder(path);
	if (ret_fd)
		*ret_fd = open(path, O_DIRECTORY | O_PATH | O_CLOEXEC);
	return 0;
}

static int shell(const char *folder, const char *script)
{
	char *line;
	int status;

	if (asprintf(&line, "cd '%s' && umask 022 && set -e\n%s", folder, script) < 0)
		return -1;
	status = system(line);
	free(line);
	return status;
}

static const char base_script[] =
	"mkdir -p a/deep/er b c .git/hooks; printf 'one\\ntwo\\nthree\\n' >a/f; echo x >a/deep/x; echo y >a/deep/er/y\n"
	"seq 100 >b/long; printf 'no newline' >b/end; ln -s a/f link; ln b/long b/hard; touch c/empty; chmod 755 "
	"b/end\n"
	"echo '[core]' >.git/config; echo hook >.git/hooks/pre; printf 'a\\0b' >c/bin; mkfifo c/fifo; echo sp >'c/a "
	"b'; echo s >c/suid; chmod 4755 c/suid\n";

/* Fills bench->root, runs the body in the merged view, and opens the overlay. */
static bool bench_run(struct bench *bench, int (*body)(const void *arg), const void *arg)
{
	char path[128];
	int status;
	pid_t pid;
	struct tree *shared;
	FILE *file;

	snprintf(bench->root, sizeof bench->root, "/tmp/zs-test-XXXXXX");
	if (!mkdtemp(bench->root))
		return false;
	make(bench->root, "lower", &bench->lower);
	make(bench->root, "upper", &bench->upper);
	make(bench->root, "work", NULL);
	make(bench->root, "merged", NULL);
	snprintf(path, sizeof path, "%s/lower", bench->root);
	if (shell(path, base_script) != 0)
		return false;
	read_tree(path, &bench->old);
	zs_overlay_begin(&bench->since);
	shared = &bench->new;
	pid = fork();
	if (pid == 0) {
		int r = enter_overlay(bench->root);

		if (r < 0 || body(arg) != 0)
			_exit(r < 0 ? 77 : 1);
		read_tree("merged", shared);
		file = fopen("tree", "we");
		_exit(!file || fwrite(shared, sizeof *shared, 1, file) != 1 || fclose(file) != 0);
	}
	waitpid(pid, &status, 0);
	if (status != 0) {
		fprintf(stderr, "the run: %x\n", (unsigned)status);
		return false;
	}
	snprintf(path, sizeof path, "%s/tree", bench->root);
	file = fopen(path, "re");
	if (!file || fread(shared, sizeof *shared, 1, file) != 1 || shared->failed)
		return false;
	fclose(file);
	return zs_overlay_open(bench->lower, bench->upper, &bench->overlay, NULL) == 0;
}

static int run_script(const void *script)
{
	return shell("merged", script);
}

static void bench_end(struct bench *bench)
{
	struct scratch scratch = { 0 };

	zs_overlay_free(bench->overlay);
	close(bench->lower);
	close(bench->upper);
	snprintf(scratch.root, sizeof scratch.root, "%s", bench->root);
	shell(bench->root, "chmod -R u+rwx .");
	scratch_remove(&scratch);
}

/* Errors of these go to stderr, which the test shows. */
#define WANT(expr, ...)                                                                                                \
	do {                                                                                                           \
		if (!(expr)) {                                                                                         \
			fprintf(stderr, "%d: %s: ", __LINE__, #expr);                                                  \
			fprintf(stderr, __VA_ARGS__);                                                                  \
			fputc('\n', stderr);                                                                           \
			bad++;                                                                                         \
		}                                                                                                      \
	} while (0)

static const char *line_of(const struct zs_error *error)
{
	static char line[1024];

	zs_error_format(error, line, sizeof line);
	return line;
}

/* The list must be exactly the difference of the two trees. */
static int check_list(struct bench *bench)
{
	struct zs_error error = { 0 };
	int bad = 0, r = zs_overlay_changes(bench->overlay, &bench->changes, &bench->count, &error);

	WANT(r == 0, "%s", line_of(&error));
	if (r < 0)
		return 1;
	WANT(bench->count == count_truth(&bench->old, &bench->new), "%zu instead of %zu", bench->count,
		count_truth(&bench->old, &bench->new));
	for (size_t i = 0; i < bench->count; i++) {
		const struct zs_change *change = &bench->changes[i];
		const struct entry *old = find(&bench->old, change->path), *new = find(&bench->new, change->path);

		WANT((old || new) && change->kind == truth(old, new), "%s: %s", change->path,
			zs_change_name(change->kind));
		WANT(change->old_mode == (old ? old->mode : 0) && change->new_mode == (new ? new->mode : 0),
			"%s: %o %o", change->path, change->old_mode, change->new_mode);
	}
	return bad;
}

/* The workspace must be what the command saw, with nothing else in it. */
static int check_applied(struct bench *bench, bool git)
{
	struct zs_overlay_options options = { bench->since, git };
	struct zs_error error = { 0 };
	static struct tree now;
	char path[128];
	int bad = 0, r = zs_overlay_apply(bench->overlay, &options, &error);

	WANT(r == 0, "%s", line_of(&error));
	snprintf(path, sizeof path, "%s/lower", bench->root);
	read_tree(path, &now);
	WANT(now.count == bench->new.count, "%zu instead of %zu", now.count, bench->new.count);
	for (size_t i = 0; i < bench->new.count; i++) {
		const struct entry *want = &bench->new.items[i], *have = find(&now, want->path);

		WANT(have && truth(want, have) == ZS_CHANGE_COUNT, "%s: %o", want->path, have ? have->mode : 0);
	}
	return bad;
}

/* git apply refuses such a path, and rightly; no patch contains one. */
static bool is_gits(const char *path)
{
	size_t len = strlen(path);

	return strstr(path, ".git/") || (len >= 4 && strcmp(path + len - 4, ".git") == 0);
}

static int check_patch(struct bench *bench)
{
	struct zs_error error = { 0 };
	static struct tree got;
	char path[128];
	int bad = 0;
	FILE *file;

	shell(bench->root, "cp -a lower copy");
	snprintf(path, sizeof path, "%s/patch", bench->root);
	file = fopen(path, "we");
	WANT(zs_changes_patch(file, bench->overlay, &error) == 0, "%s", line_of(&error));
	fclose(file);
	/* Runs outside of a repository, since the .git of the copy is not a real one. */
	WANT(shell(bench->root, "cd copy; test ! -s ../patch || GIT_DIR=/nowhere git apply ../patch") == 0,
		"git apply");
	snprintf(path, sizeof path, "%s/copy", bench->root);
	read_tree(path, &got);
	for (size_t i = 0; i < bench->new.count; i++) {
		const struct entry *want = &bench->new.items[i], *have = find(&got, want->path);

		if ((!S_ISREG(want->mode) && !S_ISLNK(want->mode)) || is_gits(want->path))
			continue;
		WANT(have && have->hash == want->hash && ((have->mode ^ want->mode) & (S_IFMT | S_IXUSR)) == 0, "%s",
			want->path);
	}
	for (size_t i = 0; i < got.count; i++)
		WANT(S_ISDIR(got.items[i].mode) || S_ISFIFO(got.items[i].mode) || is_gits(got.items[i].path) ||
				find(&bench->new, got.items[i].path),
			"%s is left", got.items[i].path);
	return bad;
}

/* Each user runs the body in a child. */
static void run_as_all(int (*body)(void *arg), void *arg, const char *name)
{
	AS_EACH_USER (scratch) {
		struct result result;

		run_child(scratch.owner, body, arg, &result);
		CHECK(result.status == 0, "%s: %d: %s%s", name, result.status, result.out, result.err);
	}
}

static int whole(void *script)
{
	static struct bench bench;
	int bad = 1;

	if (bench_run(&bench, run_script, script))
		bad = check_list(&bench) + check_patch(&bench) + check_applied(&bench, true);
	bench_end(&bench);
	return bad != 0;
}

/* Each script's changes are listed, printed as a patch and applied, as root and as an ordinary user. */
TEST(overlay_scripts)
{
	static const char *const scripts[] = {
		"true",
		"touch a/f; chmod 700 a; chmod 755 a", /* copied up, and as before */
		"echo new >n; mkdir -p x/y/z; echo z >x/y/z/z; echo more >>a/f",
		"rm a/f; rm -r a/deep; rmdir x 2>/dev/null || rm c/empty",
		"rm -r a; mkdir a; echo new >a/new", /* opaque */
		"rm -r a; echo file >a",
		"rm a/f; mkdir a/f; echo in >a/f/in",
		"rm a/f; ln -s ../b a/f; rm link; echo l >link",
		"rm link; mkdir -p link/d/e link/x; echo l >link/d/l; ln -s / link/d/root",
		"ln -sf elsewhere link; ln -s /etc/passwd abs",
		"chmod 700 b/long; chmod 644 b/end; chmod 500 c",
		"mv a/f a/g; mv b/long c/long; mv a/deep c/deep 2>/dev/null || cp -r a/deep c/deep",
		"ln a/f a/second; echo both >>a/second",
		"chmod 600 b/hard",
		"echo k >>b/hard",
		"sed -i 's/^50$/fifty/; s/^3$/three/; 97d' b/long; printf more >>b/end",
		"printf 'no newline\\n' >b/end; printf 'one\\ntwo\\nthree' >a/f",
		"echo odd >'c/t\tab'; echo odd >'c/q\"uote'",
		"echo odd >'c/\303\251'; echo odd >'c/new\nline'; rm 'c/a b'",
		"echo sp >>'c/a b'; echo 1 >'new with blank'; touch 'empty with blank'",
		"mkfifo f; mkdir -m 1777 t; rm c/fifo",
		"chmod 500 a; mkdir -m 555 ro; chmod 700 ro; echo f >ro/f; chmod 555 ro",
		"echo hook >>.git/hooks/pre; echo c >>.git/config; rm -r b",
		"rm -r .git; echo gitdir: /tmp >.git",
		"rm c/empty; echo 1 >c/empty; : >a/f; mkdir a-b; echo 1 >a-b/f; rm -r a; mkdir a; mkdir a/deep",
	};

	for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++)
		run_as_all(whole, (void *)(size_t)scripts[i], scripts[i]);
}

/* Random operations */

static unsigned state;

static unsigned pick(unsigned count)
{
	state = state * 1103515245 + 12345;
	return (state >> 16) % count;
}

static const char *any_path(void)
{
	static const char *const folders[] = { "", "a/", "a/deep/", "b/", "c/", "d/", "d/e/", "a/f/" };
	static const char *const names[] = { "f", "x", "long", "hard", "end", "deep", "e", "d", "link", "n" };
	static char buffers[2][64];
	static unsigned next;
	char *buffer = buffers[next++ % 2];

	snprintf(buffer, sizeof buffers[0], "%s%s", folders[pick(8)], names[pick(10)]);
	return buffer;
}

static void write_some(const char *path, int flags)
{
	int fd = open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | flags, 0644);

	for (unsigned i = pick(40); fd >= 0 && i > 0; i--)
		dprintf(fd, "%u%s", pick(5), pick(8) ? "\n" : "");
	if (fd >= 0)
		close(fd);
}

static void any_change(void)
{
	static const mode_t modes[] = { 0600, 0644, 0755, 0700, 0750, 0444, 0555, 0500 };
	const char *path = any_path();
	struct stat st;

	switch (pick(13)) {
	case 0:
		write_some(path, O_CREAT);
		break;
	case 1:
		write_some(path, O_CREAT | O_TRUNC);
		break;
	case 2:
		write_some(path, O_APPEND);
		break;
	case 3:
		/* Never makes the file longer: that would add NULs, which our patches cannot contain. */
		if (lstat(path, &st) < 0 || !S_ISREG(st.st_mode) || truncate(path, st.st_size / 2) < 0)
			break;
		break;
	case 4:
		unlink(path);
		break;
	case 5:
	case 6:
		rename(path, any_path());
		break;
	case 7:
		mkdir(path, 0755);
		break;
	case 8:
		rmdir(path);
		break;
	case 9:
		if (lstat(path, &st) == 0 && !S_ISLNK(st.st_mode))
			chmod(path, modes[S_ISDIR(st.st_mode) ? 2 + pick(3) : pick(8)]);
		break;
	case 10:
		if (symlink(path, any_path()) < 0)
			break;
		break;
	case 11:
		if (link(path, any_path()) < 0)
			break;
		break;
	default:
		remove(path);
		break;
	}
}

static int run_random(const void *seed)
{
	state = *(const unsigned *)seed;
	if (chdir("merged") < 0)
		return 1;
	for (unsigned i = 20 + pick(200); i > 0; i--)
		any_change();
	return chdir("..");
}

static int random_body(void *seed)
{
	static struct bench bench;
	int bad = 1;

	if (bench_run(&bench, run_random, seed))
		bad = check_list(&bench) + check_patch(&bench) + check_applied(&bench, true);
	bench_end(&bench);
	return bad != 0;
}

SLOW_TEST(overlay_random)
{
	const char *rounds = getenv("ZS_OVERLAY_ROUNDS");
	char name[32];

	for (unsigned seed = 1, last = rounds ? (unsigned)atoi(rounds) : 40; seed <= last; seed++) {
		snprintf(name, sizeof name, "seed %u", seed);
		run_as_all(random_body, &seed, name);
	}
}

/* Applies that are refused must change nothing. */

struct refusal {
	const char *run, *meanwhile; /* run in the merged view; run in the bench's folder after that */
	size_t limit;
	int error;
	bool git;
	const char *check; /* a shell's test in the workspace */
};

static int refusal_body(void *arg)
{
	const struct refusal *row = arg;
	struct zs_error error = { 0 };
	static struct bench bench;
	int bad = 1;

	if (bench_run(&bench, run_script, row->run) && shell(bench.root, row->meanwhile) == 0) {
		struct zs_overlay_options options = { bench.since, row->git };
		int r;

		bad = 0;
		if (row->limit)
			zs_overlay_limit(bench.overlay, row->limit);
		r = zs_overlay_apply(bench.overlay, &options, &error);
		WANT(r == row->error, "%d: %s", r, r ? line_of(&error) : "");
		WANT(shell(bench.root, "cd lower; ! find . -name '.zs-*' | grep .") == 0, "a temporary is left");
		WANT(shell(bench.root, row->check) == 0, "%s", row->check);
	}
	bench_end(&bench);
	return bad != 0;
}

TEST(overlay_refusals)
{
	static const struct refusal rows[] = {
		{ "echo 2 >>a/f; echo n >n", "echo mine >lower/a/f", 0, -ESTALE, false,
			"grep -q mine lower/a/f && ! test -e lower/n" },
		{ "rm a/f; echo n >n", "echo mine >lower/a/f; touch -d 2001-01-01 lower/a/f", 0, -ESTALE, false,
			"! test -e lower/n" },
		{ "echo n >n", "echo mine >lower/n", 0, -ESTALE, false, "grep -q mine lower/n" },
		{ "rm -r a; echo n >n", "echo mine >lower/a/mine", 0, -ESTALE, false, "test -e lower/a/f" },
		{ "echo n >a/deep/x", "mv lower/a lower/a2; ln -s a2 lower/a", 0, -ESTALE, false,
			"grep -qx x lower/a2/deep/x" },
		{ "seq 9 | xargs touch", "true", 8, -EOVERFLOW, false, "! test -e lower/1" },
		{ "seq 8 | xargs touch", "true", 8, 0, false, "test -e lower/8" },
		{ "truncate -s 17G big; echo n >n", "true", 0, -EFBIG, false, "! test -e lower/n" },
		{ "python3 -c 'import os\nfor i in range(21): os.mkdir(200 * \"d\"); os.chdir(200 * \"d\")'", "true", 0,
			-ENAMETOOLONG, false, "true" },
		{ "echo n >n", "python3 -c 'import os; os.setxattr(\"upper/n\", \"user.overlay.redirect\", b\"/etc\")'",
			0, -EOPNOTSUPP, false, "! test -e lower/n" },
		{ "echo n >n", "python3 -c 'import os; os.setxattr(\"upper/n\", \"user.overlay.metacopy\", b\"\")'", 0,
			-EOPNOTSUPP, false, "! test -e lower/n" },
		/* Held */
		{ "echo h >.git/hooks/pre; echo c >>.git/config; echo i >.git/index", "true", 0, 0, false,
			("grep -qx hook lower/.git/hooks/pre && test -e lower/.git/index && test $(wc -l "
			 "<lower/.git/config) = 1") },
		{ "echo h >.git/hooks/pre", "true", 0, 0, true, "grep -qx h lower/.git/hooks/pre" },
		{ "rm -r .git; echo gitdir: x >.git; echo n >n", "true", 0, 0, false,
			"test -f lower/.git/config && test -e lower/n" },
		{ "mkdir -p s/.git/hooks; echo h >s/.git/hooks/p; echo n >s/n", "true", 0, 0, false,
			"test -e lower/s/n && ! test -e lower/s/.git/hooks" },
		{ "echo x >.mcp.json; mkdir .claude s; echo y >.Bashrc; echo z | tee .claude/f s/.mcp.json", "true", 0,
			0, true,
			"! test -e lower/.mcp.json && ! test -e lower/.claude && ! test -e lower/.Bashrc && "
			"! test -e lower/s/.mcp.json" },
		{ "cp /bin/true suid; chmod 4755 suid; echo n >n", "true", 0, 0, false,
			"! test -e lower/suid && test -e lower/n" },
		{ "chmod 4711 c/suid; ln c/suid c/suid2; echo n >n", "true", 0, 0, false,
			"test $(stat -c %a lower/c/suid) = 4755 && ! test -e lower/c/suid2 && test -e lower/n" },
		{ "chmod 711 c/suid", "true", 0, 0, false, "test $(stat -c %a lower/c/suid) = 711" },
		{ "mkdir .git/rebase-merge; echo exec x >.git/rebase-merge/git-rebase-todo; echo n >n", "true", 0, 0,
			false, "! test -e lower/.git/rebase-merge && test -e lower/n" },
		/* zs_overlay_protect() was not called. */
		{ "echo evil >a/f; echo n >n", "printf '[core]\\n\\tfsmonitor = ./a/f\\n' >lower/.git/config", 0, 0,
			true, "grep -qx one lower/a/f && test -e lower/n" },
		{ "mkdir z; echo 1 >z/f; chmod 000 z/f z", "true", 0, 0, false, "test $(stat -c %a lower/z) = 0" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		run_as_all(refusal_body, (void *)(size_t)&rows[i], rows[i].run);
}
