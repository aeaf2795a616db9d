/* The prediction of each command's effects on files. */
#include "vetting.h"

#include <stdio.h>

static void add(char *list, size_t size, const char *text)
{
	size_t len = strlen(list);

	snprintf(list + len, size - len, "%s", text);
}

/* "ls: reads | rm: writes a (delete)" */
static void effects_of(const struct zs_ir *ir, char *have, size_t size)
{
	for (uint32_t i = 0; i < ir->command_count; i++) {
		const struct zs_command *command = &ir->commands[i];
		const struct zs_effects *effects = &command->effects;
		char item[256];

		snprintf(item, sizeof item, "%s%s: %s", i ? " | " : "", command->key ? command->key : "?",
			zs_prediction_name(effects->prediction));
		add(have, size, item);
		for (uint32_t j = 0; j < effects->place_count; j++) {
			const struct zs_effect_place *place = &effects->places[j];

			snprintf(item, sizeof item, " %s%s%s (%s)",
				place->path.text          ? place->path.text
				: zs_is_repository(place) ? "<repository>"
							  : "<>",
				place->pattern ? "/" : "", place->pattern ? place->pattern : "",
				zs_effect_name(place->effect));
			add(have, size, item);
		}
	}
}

struct row {
	const char *command, *want;
};

static const struct row rows[] = {
	{ "ls -l", "ls: reads" },
	{ "A=1", ": reads" },
	{ "cat < a", "cat: reads" },
	{ "cat a > /dev/null 2>&1", "cat: reads" },
	{ "git status", "git status: reads" },
	{ "make --version", "make: reads" },
	{ "python3 -c 'print(1)'", "python3: reads" },
	{ "grep -r x . | head", "grep: reads | head: reads" },
	/* exactly these files */
	{ "echo x > f", "echo: writes f (overwrite)" },
	{ "echo x >> f", "echo: writes f (append)" },
	{ "ls | tee a b", "ls: reads | tee: writes a (overwrite) b (overwrite)" },
	{ "rm -r a b", "rm: writes a (delete) b (delete)" },
	{ "chmod +x a", "chmod: writes a (metadata)" },
	{ "sudo rm a", "sudo: reads | rm: writes a (delete)" },
	{ "bash -c 'echo a > b; rm c'", "bash: reads | echo: writes b (overwrite) | rm: writes c (delete)" },
	{ "strip -o st /bin/true", "strip: writes st (overwrite)" },
	{ "objcopy a oc", "objcopy: writes oc (overwrite)" },
	{ "gcc -c src/x.c", "gcc: writes x.o (overwrite)" },
	/* within places */
	{ "tar xf a.tar", "tar: within <>/** (overwrite)" },
	{ "gzip d/x.txt", "gzip: within d/x.txt (overwrite) d/x* (overwrite)" },
	{ "gzip -c x", "gzip: reads" },
	{ "enc2xs --version a", "enc2xs: within <>/** (overwrite)" },
	{ "pip cache list --log a", "pip cache: writes a (overwrite)" },
	{ "pip config list --log=a", "pip config: writes a (overwrite)" },
	{ "rustc src/x.rs", "rustc: within x (overwrite) ./x* (overwrite)" },
	{ "clippy-driver -l 1 a.rs", "clippy-driver: within a (overwrite) ./a* (overwrite)" },
	{ "sed -i s/a/b/ x.c", "sed: writes x.c (overwrite)" },
	{ "sed -i.bak s/a/b/ x.c", "sed: within x.c (overwrite) ./x* (overwrite)" },
	{ "perl -pi.bak -e 's/a/b/' x.c", "perl: within x.c (overwrite) ./x* (overwrite)" },
	/* found by ./zigw build test-rows */
	{ "shred a", "shred: within a (overwrite) ./a* (overwrite)" },
	{ "gzexe -V a", "gzexe: within a (overwrite) ./a* (overwrite)" },
	{ "gio save --backup a", "gio save: within a (overwrite) ./a* (overwrite)" },
	{ "lessfile a b", "lessfile: writes a (delete) b (delete)" },
	{ "rst2s5.py a.rst new", "rst2s5.py: within new (overwrite) <>/** (overwrite)" },
	{ "2to3 -W a.py", "2to3: within <>/** (overwrite)" },
	{ "rustdoc a.rs", "rustdoc: within <>/** (overwrite)" },
	{ "rustdoc -o out a.rs", "rustdoc: writes out (overwrite)" },
	{ "enc2xs --list a", "enc2xs: within <>/** (overwrite)" },
	{ "cargo metadata", "cargo metadata: runs" },
	/* found by ./zigw build test-truth */
	{ "cc -MMD -c a.c", "cc: within a.o (overwrite) ./a* (overwrite)" },
	{ "gcc --coverage -c a.c -o o/b.o", "gcc: within o/b.o (overwrite) o/b* (overwrite)" },
	/* git's own folder, or the work tree too */
	{ "git add a", "git add: within <repository>/** (overwrite)" },
	{ "git commit -am x", "git commit: within <repository>/** (overwrite)" },
	{ "git -C d tag v1", "git tag: within <repository>/** (overwrite)" },
	{ "git fetch", "git fetch: within <repository>/** (overwrite)" },
	{ "git branch new", "git branch: within <repository>/** (overwrite)" },
	{ "git stash drop", "git stash: within <repository>/** (overwrite)" },
	{ "git reset a", "git reset: within <repository>/** (overwrite)" },
	{ "git hash-object -w a", "git hash-object: within <repository>/** (overwrite)" },
	{ "git reset --hard", "git reset: within <>/** (overwrite)" },
	{ "git reset --har", "git reset: within <>/** (overwrite)" },
	{ "git stash", "git stash: within <>/** (overwrite)" },
	{ "git stash pop", "git stash: within <>/** (overwrite)" },
	{ "git checkout a", "git checkout: within <>/** (overwrite)" },
	{ "git merge a", "git merge: within <>/** (overwrite)" },
	{ "git pull", "git pull: within <>/** (overwrite)" },
	{ "git --git-dir=x add a", "git add: within <>/** (overwrite)" },
	{ "git --git-dir x add a", "git add: within <>/** (overwrite)" },
	{ "git --work-tree=x add a", "git add: within <>/** (overwrite)" },
	{ "GIT_DIR=x git add a", "git add: unknown" },
	{ "xargs rm", "xargs: reads | rm: within <>/** (delete) <>/** (delete)" },
	/* code of the workspace; the files that words name are still known */
	{ "make", "make: runs" },
	{ "./x.sh", "x.sh: runs" },
	{ "sh x.sh", "sh: runs" },
	{ "node x.js > out", "node: runs out (overwrite)" },
	{ "npm run build", "npm run: runs" },
	{ "pytest --junitxml=r.xml", "pytest: runs r.xml (overwrite)" },
	{ "awk -i inplace '{print}' a",
		"awk: runs a (overwrite)" }, /* awk looks for inplace.awk in this folder first */
	/* not known */
	{ "$x", "?: unknown" },
	{ "frobnicate", "frobnicate: unknown" },
	{ "git frobnicate", "git frobnicate: unknown" },
	{ "eval \"$x\"", "eval: unknown" },
	{ "LD_PRELOAD=./x.so ls", "ls: unknown" },
};

TEST(effects_are_predicted)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char have[1024] = "";

		effects_of(&vet(ZS_PROFILE_VERIFY, rows[i].command)->ir, have, sizeof have);
		CHECK(same(have, rows[i].want), "%s: %s, not %s", rows[i].command, have, rows[i].want);
	}
}

/* The profile decides what blocks, and changes no prediction. */
TEST(effects_are_the_same_in_each_profile)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (unsigned profile = 0; profile < ZS_PROFILE_COUNT; profile++) {
			char have[1024] = "";

			effects_of(&vet((enum zs_profile)profile, rows[i].command)->ir, have, sizeof have);
			CHECK(same(have, rows[i].want), "%s: %s: %s", rows[i].command,
				zs_profile_name((enum zs_profile)profile), have);
		}
}

/* A zeroed prediction promises nothing. */
TEST(effects_of_nothing_are_unknown)
{
	const struct zs_effects none = { 0 };

	CHECK(none.prediction == ZS_PREDICTS_UNKNOWN, "%d", (int)none.prediction);
	CHECK(same(zs_prediction_name(ZS_PREDICTION_COUNT), "unknown"), "out of range");
}
