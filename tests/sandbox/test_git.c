/* What zs reads of git: its configuration, and where paths are that nobody has made yet. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "git_config.h"
#include "harness.h"
#include "path.h"

static int append(const char *section, const char *key, const char *value, void *arg)
{
	char *out = arg;

	sprintf(out + strlen(out), "%s.%s=%s|", section, key, value);
	return strcmp(value, "stop") == 0 ? -ECANCELED : 0;
}

TEST(git_config_rows)
{
	static const struct {
		const char *text, *want;
		int r;
	} rows[] = {
		{ "", "", 0 },
		{ "[core]\n\thooksPath = .husky\n", "core.hookspath=.husky|", 0 },
		{ "[CORE]HooksPath=a b\r\n", "core.hookspath=a b|", 0 },
		{ "[submodule \"a]b\"]\npath = x\n", "submodule.path=x|", 0 },
		{ "[submodule \"a\"]\n\tpath = \"x # y\"\n\turl = z # c\n", "submodule.path=x # y|submodule.url=z|",
			0 },
		{ "# [a]\n; b = c\n[a]\nb\nd = e ; f\n", "a.d=e|", 0 },
		{ "[a.b] c = d\n[e", "a.c=d|", 0 },
		{ "[a]\nb = stop\nc = d\n", "a.b=stop|", -ECANCELED },
		{ "b = c", ".b=c|", 0 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *text = strdup(rows[i].text), have[256] = "";
		int r = zs_git_config_each(text, append, have);

		CHECK(r == rows[i].r && strcmp(have, rows[i].want) == 0, "%s: %d %s", rows[i].text, r, have);
		free(text);
	}
}

TEST(git_config_files)
{
	struct scratch scratch;
	char *text = NULL;

	scratch_make(&scratch, geteuid());
	write_text(scratch_path(&scratch, "ws/config"), "[a]\n");
	CHECK(zs_git_config_read(scratch_path(&scratch, "ws/config"), &text) == 0 && strcmp(text, "[a]\n") == 0,
		"a file: %s", text);
	free(text);
	CHECK(zs_git_config_read(scratch_path(&scratch, "ws/none"), &text) == 0 && !*text, "no file");
	free(text);
	CHECK(zs_git_config_read(scratch_path(&scratch, "ws"), &text) == 0 && !*text, "a folder");
	free(text);
	CHECK(truncate(scratch_path(&scratch, "ws/config"), 2 << 20) == 0 &&
			zs_git_config_read(scratch_path(&scratch, "ws/config"), &text) == -EFBIG,
		"a large one");
	scratch_remove(&scratch);
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
	struct scratch scratch;

	scratch_make(&scratch, geteuid());
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
	scratch_remove(&scratch);
}
