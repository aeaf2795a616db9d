/* The parts of git that zs reads: its configuration, and paths that do not exist yet. */
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "git/git_command.h"
#include "git/git_config.h"
#include "git/git_index.h"
#include "git/git_orders.h"
#include "git/git_upstream.h"
#include "harness.h"
#include "base/path.h"

struct printed {
	char text[512];
	bool older;
};

static int append(const struct zs_git_entry *entry, void *arg)
{
	struct printed *out = arg;
	const char *value = out->older ? entry->older : entry->value;
	size_t len = strlen(out->text);

	snprintf(out->text + len, sizeof out->text - len, "%u %s%s%s|", entry->line, entry->name, value ? "=" : "",
		value ? value : "");
	return value && strcmp(value, "stop") == 0 ? -ECANCELED : 0;
}

#define TEXT(text) text, sizeof text - 1

TEST(git_config_rows)
{
	static const struct {
		const char *text;
		size_t len;
		const char *want;
		int r;
		unsigned line;
		const char *older; /* NULL: the same as value */
	} rows[] = {
		{ TEXT(""), "", 0, 0, NULL },
		{ TEXT("[core]\n\thooksPath = .husky\n"), "2 core.hookspath=.husky|", 0, 0, NULL },
		{ TEXT("[CORE]HooksPath=a b\r\n"), "1 core.hookspath=a b|", 0, 0, NULL },
		{ TEXT("\xef\xbb\xbf[a]b=c"), "1 a.b=c|", 0, 0, NULL },
		{ TEXT("\xef\xbb[a]b=c"), "", -EBADMSG, 1, NULL },
		{ TEXT("[s \"A]b\\\"\\c\"]\np = x\n"), "2 s.A]b\"c.p=x|", 0, 0, NULL },
		{ TEXT("[s.A]\np = x\n"), "2 s.a.p=x|", 0, 0, NULL },
		{ TEXT("[s \"\"]p = x\n"), "1 s..p=x|", 0, 0, NULL },
		{ TEXT("[a]p = \"x # y\"z # c\n"), "1 a.p=x # yz|", 0, 0, NULL },
		{ TEXT("[a]p = \".git\"hooks\n"), "1 a.p=.githooks|", 0, 0, NULL },
		{ TEXT("[a]p = .git\\\nhooks\nq\n"), "2 a.p=.githooks|3 a.q|", 0, 0, NULL },
		{ TEXT("[a]p = .git\\\r\nhooks\r\n"), "2 a.p=.githooks|", 0, 0, NULL },
		{ TEXT("[a]p = a\\tb\\n\\b\\\"\\\\\n"), "1 a.p=a\tb\n\b\"\\|", 0, 0, NULL },
		{ TEXT("[a]p =  \"  x \"  ; c\n"), "1 a.p=  x |", 0, 0, NULL },
		{ TEXT("[a]p = x\t\ty \t\n"), "1 a.p=x\t\ty|", 0, 0, "1 a.p=x  y|" },
		{ TEXT("[a]p = x\\x\n"), "", -EBADMSG, 1, NULL },
		{ TEXT("[a]\np = \"x\n"), "", -EBADMSG, 2, NULL },
		{ TEXT("# [a]\n; b = c\n[a] ; z\nb\nd = e ; f\n"), "4 a.b|5 a.d=e|", 0, 0, NULL },
		{ TEXT("[a.b] c = d\n[e"), "1 a.b.c=d|", -EBADMSG, 3, NULL },
		{ TEXT("[a]b c\n"), "", -EBADMSG, 1, NULL },
		{ TEXT("[a]\n[]\n"), "", -EBADMSG, 2, NULL },
		{ TEXT("[a]b_c = d\n"), "", -EBADMSG, 1, NULL },
		{ TEXT("<<<<<<< HEAD\n"), "", -EBADMSG, 1, NULL },
		{ TEXT("[core \"hookspath\0x\"]p = q\n"), "1 core.hookspath=q|", 0, 0, NULL },
		{ TEXT("[a]p = q\0r\n"), "1 a.p=q|", 0, 0, NULL },
		{ TEXT("[a]\nb = stop\nc = d\n"), "2 a.b=stop|", -ECANCELED, 0, NULL },
		{ TEXT("b = c"), "1 b=c|", 0, 0, NULL },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct printed have = { "", false }, older = { "", true };
		unsigned line = 99;
		int r = zs_git_config_each(rows[i].text, rows[i].len, append, &have, &line);

		CHECK(r == rows[i].r && line == rows[i].line && strcmp(have.text, rows[i].want) == 0, "%s: %d %u %s",
			rows[i].text, r, line, have.text);
		zs_git_config_each(rows[i].text, rows[i].len, append, &older, &line);
		CHECK(strcmp(older.text, rows[i].older ? rows[i].older : rows[i].want) == 0, "older git: %s: %s",
			rows[i].text, older.text);
	}
}

static int split(const struct zs_git_entry *entry, void *arg)
{
	snprintf(arg, 64, "%s|%s|%s", entry->section, entry->subsection ? entry->subsection : "-", entry->key);
	return 0;
}

TEST(git_config_names)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "[a]b", "a|-|b" },
		{ "[a \"B.c\"]d", "a|B.c|d" },
		{ "[a.B.c]d", "a|b.c|d" },
		{ "[a \"\"]d", "a||d" },
		{ "[ \"x\"]d", "|x|d" },
		{ "d", "|-|d" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char have[64] = "";
		unsigned line;

		CHECK(zs_git_config_each(rows[i].text, strlen(rows[i].text), split, have, &line) == 0 &&
				strcmp(have, rows[i].want) == 0,
			"%s: %s", rows[i].text, have);
	}
}

TEST(git_config_files)
{
	OWN_SCRATCH(scratch);
	char *text = NULL;
	size_t len = 0;

	write_text(scratch_path(&scratch, "ws/config"), "[a]\n");
	CHECK(zs_git_config_read(scratch_path(&scratch, "ws/config"), &text, &len) == 0 && strcmp(text, "[a]\n") == 0 &&
			len == 4,
		"a file: %s", text);
	free(text);
	CHECK(zs_git_config_read(scratch_path(&scratch, "ws/none"), &text, &len) == 0 && !*text && len == 0, "no file");
	free(text);
	CHECK(zs_git_config_read(scratch_path(&scratch, "ws"), &text, &len) == 0 && !*text, "a folder");
	free(text);
	CHECK(truncate(scratch_path(&scratch, "ws/config"), ZS_GIT_CONFIG_BYTES_MAX) == 0 &&
			zs_git_config_read(scratch_path(&scratch, "ws/config"), &text, &len) == 0 &&
			len == ZS_GIT_CONFIG_BYTES_MAX,
		"the largest");
	free(text);
	CHECK(truncate(scratch_path(&scratch, "ws/config"), ZS_GIT_CONFIG_BYTES_MAX + 1) == 0 &&
			zs_git_config_read(scratch_path(&scratch, "ws/config"), &text, &len) == -EFBIG,
		"a larger one");
}

TEST(git_keys_that_name_programs)
{
	static const struct {
		const char *section, *key;
		enum zs_git_how how;
	} rows[] = {
		{ "core", "hookspath", ZS_GIT_HOOKS },
		{ "includeif", "path", ZS_GIT_INCLUDE },
		{ "alias", "x", ZS_GIT_ALIAS },
		{ "pager", "log", ZS_GIT_COMMAND },
		{ "filter", "smudge", ZS_GIT_COMMAND },
		{ "remote", "url", ZS_GIT_URL },
		{ "anything", "reviewcommand", ZS_GIT_COMMAND },
		{ "core", "bare", ZS_GIT_NOT },
		{ "user", "name", ZS_GIT_NOT },
		{ "branch", "merge", ZS_GIT_NOT },
		{ "safe", "directory", ZS_GIT_NOT },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		CHECK(zs_git_how(rows[i].section, rows[i].key) == rows[i].how, "%s.%s", rows[i].section, rows[i].key);
}

static int append_word(const struct zs_git_word *word, void *arg)
{
	char *out = arg;

	sprintf(out + strlen(out), "%s%s%s%s%s ", word->first ? "!" : "", word->git ? "g:" : "", word->tail ? "$" : "",
		word->start ? "cd:" : "", word->text);
	return 0;
}

TEST(git_command_words)
{
	static const struct {
		const char *line, *want;
		bool git;
	} rows[] = {
		{ "", "", false },
		{ "./x.sh -q a", "!./x.sh a ", false },
		{ "sh './a b'", "!sh ./a b !./a b ", false },
		{ "sh -c \"exec ./x '\\$1'\" -", "!sh exec ./x '$1' !exec !./x $1 ", false },
		{ "A=./y ./x", "./y !./x ", false },
		{ "a --b=./c | ./d&&./e;./f", "!a ./c !./d !./e !./f ", false },
		{ "\"$HOME/x\" ${A}y $1/z", "!$/x $y $/z ", false },
		{ "$(git rev-parse --show-toplevel)/x", "!git g:rev-parse !$/x ", false },
		{ "`./a`/x", "!./a !$/x ", false },
		{ "cd a && ./x", "!cd cd:a !./x ", false },
		{ "if ./x; then ./y; fi", "!if !./x !then !./y !fi ", false },
		{ "log origin/main", "g:log g:origin/main ", true },
		{ "git -c core.pager=./x log", "!git g:core.pager=./x g:./x g:log ", false },
		{ "a <b >c", "!a b c ", false },
		{ "a\\ b 'c", "!a b !a b c ", false },
	};

	char nested[512] = "";

	CHECK(zs_git_words("$(a $(b $(c $(./d))))", false, append_word, nested) == 0, "%s", nested);
	CHECK(zs_git_words("$(a $(b $(c $(d $(./e)))))", false, append_word, nested) == -EOVERFLOW, "%s", nested);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char have[512] = "";

		CHECK(zs_git_words(rows[i].line, rows[i].git, append_word, have) == 0 &&
				strcmp(have, rows[i].want) == 0,
			"%s: %s", rows[i].line, have);
	}
}

TEST(git_places_that_would_be)
{
	static const struct {
		const char *path, *want; /* in the scratch folder; NULL: an error */
	} rows[] = {
		{ "ws", "ws" },
		{ "ws/a/b", "ws/a/b" },
		{ "ws/in/a", "ws/a" },
		{ "ws/in", "ws" },
		{ "ws/nowhere/a", NULL },
		{ "ws/round/a", NULL },
	};
	OWN_SCRATCH(scratch);

	CHECK(symlink(".", scratch_path(&scratch, "ws/in")) == 0 &&
			symlink("none", scratch_path(&scratch, "ws/nowhere")) == 0 &&
			symlink("round", scratch_path(&scratch, "ws/round")) == 0,
		"symlink");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *path = strdup(scratch_path(&scratch, rows[i].path)), *real = NULL;
		int r = zs_path_would_be(path, &real);
		const char *want = rows[i].want ? scratch_path(&scratch, rows[i].want) : NULL;

		CHECK(want ? r == 0 && strcmp(real, want) == 0 : r == -ELOOP, "%s: %d %s", path, r, real);
		CHECK(zs_path_is_real(path) == (want && strcmp(path, want) == 0), "%s: is real", path);
		free(path);
		free(real);
	}
}

/* Counts the places that git obeys in ws, by a configuration that a test has written. */
static int count_place(const char *path, void *arg)
{
	int *count = arg;

	*count += path != NULL;
	return 0;
}

static int ask_obeyed(const struct scratch *scratch, struct zs_error *error)
{
	const struct zs_git_places places = { .home = scratch->root };
	ZS_AUTO_FREE char *git_dir = strdup(scratch_path(scratch, "ws"));
	const struct zs_git_repository repository = { git_dir, git_dir };
	struct zs_git_orders *user = NULL;
	int count = 0, r = zs_git_orders_read(&places, &user, error);

	if (r == 0)
		r = zs_git_obeyed(&repository, user, count_place, &count, error);
	zs_git_orders_free(user);
	return r < 0 ? r : count;
}

/* Writes a configuration that repeats the same lines `count` times; %d stands for the number. */
static void write_config(const struct scratch *scratch, const char *format, int count)
{
	FILE *file = fopen(scratch_path(scratch, "ws/config"), "w");

	for (int i = 0; i < count; i++) {
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-nonliteral"
		fprintf(file, format, i);
#pragma clang diagnostic pop
	}
	fclose(file);
}

TEST(git_limits_refuse)
{
	OWN_SCRATCH(scratch);
	struct zs_error error = { 0 };

	write_config(&scratch, "[alias]a%d = x\n", ZS_GIT_ORDERS_MAX);
	CHECK(ask_obeyed(&scratch, &error) > 0, "orders: %s", error.what);
	write_config(&scratch, "[alias]a%d = x\n", ZS_GIT_ORDERS_MAX + 1);
	CHECK(ask_obeyed(&scratch, &error) == -E2BIG && strstr(error.what, "names more than"), "orders: %s",
		error.what);
	write_config(&scratch, "[include]path = none%d\n", ZS_GIT_FILES_MAX - 2);
	CHECK(ask_obeyed(&scratch, &error) > 0, "files: %s", error.what);
	write_config(&scratch, "[include]path = none%d\n", ZS_GIT_FILES_MAX);
	CHECK(ask_obeyed(&scratch, &error) == -E2BIG && strstr(error.what, "too many files"), "files: %s", error.what);
	write_config(&scratch, "[include]path = config\n", 1);
	CHECK(ask_obeyed(&scratch, &error) == -E2BIG && strstr(error.what, "more than 10 deep"), "depth: %s",
		error.what);
	write_config(&scratch, "[core]editor = \"./a%1$d ./b%1$d ./c%1$d ./d%1$d ./e%1$d\"\n", ZS_GIT_ORDERS_MAX / 2);
	CHECK(ask_obeyed(&scratch, &error) == -E2BIG && strstr(error.what, "obeys more than"), "places: %s",
		error.what);
}

static int add_name(
	const char *path, const struct zs_git_index_entry *before, const struct zs_git_index_entry *after, void *arg)
{
	char *text = arg;

	snprintf(text + strlen(text), 256 - strlen(text), "%s%s%s|", before ? "-" : "", after ? "+" : "", path);
	return 0;
}

/* Entries of version 2. Each content is its letter. */
static int make_index(const char *const *rows, size_t size)
{
	unsigned char text[1024] = "DIRC\0\0\0\2";
	size_t len = 12;
	int fd = memfd_create("index", MFD_CLOEXEC);

	for (; *rows; rows++, text[11]++) {
		const char *path = *rows + 1;
		size_t start = len;

		text[len + 26] = 0x81;
		text[len + 40] = (unsigned char)**rows;
		text[len + 61] = (unsigned char)strlen(path);
		memcpy(text + len + 62, path, strlen(path));
		len += 62 + strlen(path) + 1;
		while ((len - start) % 8)
			len++;
	}
	CHECK(fd >= 0 && write(fd, text, len + 20) == (ssize_t)(len + 20), "write");
	CHECK(size == 0 || ftruncate(fd, (off_t)size) == 0, "ftruncate");
	return fd;
}

TEST(git_index_rows)
{
	static const struct {
		const char *before[4], *after[4];
		size_t size; /* of the second; 0: as it is */
		const char *want;
		int r;
	} rows[] = {
		{ { "1a", "1b" }, { "1a", "1b" }, 0, "", 0 },
		{ { "1a", "1b" }, { "1a", "2b", "1c" }, 0, "-+b|+c|", 0 },
		{ { "1a", "1b", "1z" }, { "1b" }, 0, "-a|-z|", 0 },
		{ { NULL }, { "1a" }, 0, "+a|", 0 },
		{ { "1a" }, { "1b", "1a" }, 0, "", -EBADMSG },
		{ { "1a" }, { "1" }, 0, "", -EBADMSG },
		{ { "1a" }, { "1b" }, 11, "", -EBADMSG },
		{ { "1a" }, { "1b" }, 60, "", -EBADMSG },
		{ { "1a" }, { "1b" }, ZS_GIT_INDEX_BYTES_MAX, "", -EOPNOTSUPP },
		{ { "1a" }, { "1b" }, ZS_GIT_INDEX_BYTES_MAX + 1, "", -EFBIG },
	};

	for (size_t i = 0; i < ZS_COUNT(rows); i++) {
		int before = make_index(rows[i].before, 0), after = make_index(rows[i].after, rows[i].size);
		char text[256] = "";
		int r;

		r = zs_git_index_compare(before, after, add_name, text);
		CHECK(r == rows[i].r && strcmp(text, rows[i].want) == 0, "row %zu: %d %s", i, r, text);
		close(before);
		close(after);
	}
	CHECK(zs_git_index_compare(-1, -1, add_name, NULL) == 0, "no index");
}

#define OLD "[core]\nbare = false\n[remote \"o\"]\nurl = https://h/r\n[branch \"m\"]\nremote = o\n"
#define REMOTE(name) "[remote \"" name "\"]\n"
#define BRANCH(name) "[branch \"" name "\"]\n"

TEST(git_upstream_rows)
{
	static const struct {
		const char *added; /* behind OLD */
		bool adds;
	} rows[] = {
		{ "", false },
		{ "# a comment\n", false },
		{ BRANCH("b") "remote = o\nmerge = refs/heads/b\nrebase = true\npushRemote = p\n", true },
		{ BRANCH("a/b") "remote = .\nmerge = refs/heads/m\n", true },
		{ REMOTE("p") "url = git@h:r.git\nfetch = +refs/heads/*:refs/remotes/p/*\n", true },
		{ REMOTE("p") "url = ../b.git\n", true },
		{ REMOTE("p") "url = ssh://u@h:22/~u/r\n", true },
		/* Programs, transports that run one, options. */
		{ REMOTE("p") "url = ext::sh -c x\n", false },
		{ REMOTE("p") "url = x::y\n", false },
		{ REMOTE("p") "url = -x\n", false },
		{ REMOTE("p") "url = ssh://-oProxyCommand=x/r\n", false },
		{ REMOTE("p") "url = u@-oProxyCommand=x:r\n", false },
		{ REMOTE("p") "uploadpack = x\n", false },
		{ REMOTE("p") "receivepack = x\n", false },
		{ REMOTE("p") "vcs = x\n", false },
		{ REMOTE("p") "proxy = http://h\n", false },
		{ REMOTE("p") "pushurl = https://h/r\n", false },
		{ REMOTE("p") "url\n", false },
		{ REMOTE("p") "fetch = +refs/heads/*:refs/heads/*\n", false },
		{ REMOTE("p") "fetch = +refs/heads/*:refs/remotes/o/*\n", false },
		{ REMOTE("-p") "url = https://h/r\n", false },
		{ "[remote]\nurl = https://h/r\n", false },
		{ BRANCH("b") "remote = ext::x\n", false },
		{ BRANCH("b") "remote = -x\n", false },
		{ BRANCH("b") "remote = ../evil\n", false },
		{ BRANCH("b") "merge = -x\n", false },
		{ BRANCH("b") "merge = refs/tags/x\n", false },
		{ BRANCH("b") "mergeOptions = -s x\n", false },
		{ "[core]\nhooksPath = x\n", false },
		{ "[include]\npath = x\n", false },
		{ "[filter \"x\"]\nclean = x\n", false },
		{ "[alias]\nst = !x\n", false },
		/* An entry that exists stays. */
		{ REMOTE("o") "url = https://evil/r\n", false },
		{ REMOTE("o") "url = https://h/r\n", false },
		{ BRANCH("m") "remote = p\n", false },
		{ REMOTE("o") "fetch = +refs/heads/*:refs/remotes/o/*\n", true },
		/* Git before 2.45 reads another value. */
		{ REMOTE("p") "url = a\tb\n", false },
		{ "[broken\n", false },
	};
	static const char *const others[] = { "", "[core]\nbare = false\n", "[core]\nbare = true\n" REMOTE("o") };
	char text[512];

	for (size_t i = 0; i < ZS_COUNT(rows); i++) {
		int len = snprintf(text, sizeof text, "%s%s", OLD, rows[i].added);

		CHECK(zs_git_adds_upstream(TEXT(OLD), text, (size_t)len) == rows[i].adds, "%s", rows[i].added);
	}
	for (size_t i = 0; i < ZS_COUNT(others); i++)
		CHECK(!zs_git_adds_upstream(TEXT(OLD), others[i], strlen(others[i])), "%s", others[i]);
	CHECK(zs_git_adds_upstream(TEXT(""), TEXT(REMOTE("o") "url = x\n")), "the first entry");
}
