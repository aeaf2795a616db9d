/* Paths in a Seatbelt profile: whatever bytes they have, they are only names of files. */
#include "harness.h"
#include "seatbelt/rules.h"
#include "seatbelt_world.h"

/* Returns one of four buffers. */
static const char *in(const char *folder, const char *name)
{
	static char buffers[4][512];
	static unsigned next;
	char *buffer = buffers[next++ % 4];

	snprintf(buffer, sizeof buffers[0], "%s/%s", folder, name);
	return buffer;
}

static void check_call(const struct world *world, enum world_call call, const char *path, const char *to, bool allowed)
{
	enum sbpl_answer answer = world_call(world->sbpl, call, path, to);

	CHECK(answer == (allowed ? SBPL_ALLOW : SBPL_DENY), "%s %s %s: %d", world_call_name(call), path, to ? to : "",
		answer);
}

static bool make_named(struct world *world, const char *name)
{
	world_begin(world);
	world_grant(world, in("/Users/me", name), ZS_ACCESS_WRITE);
	world_grant(world, in(in("/Users/me", name), name), ZS_ACCESS_PROTECT);
	world_grant(world, "/opt", ZS_ACCESS_WRITE);
	world_grant(world, in("/opt/d", name), ZS_ACCESS_HIDE);
	world_grant(world, in("/usr", name), ZS_ACCESS_READ);
	CHECK(zs_policy_add_socket(world->policy, in("/var/run", name), NULL) == 0, "%s", name);
	return world_make(world);
}

static void check_named(const struct world *world, const char *name)
{
	char root[512];

	snprintf(root, sizeof root, "/Users/me/%s", name);
	check_call(world, CALL_WRITE, in(root, "x"), NULL, true);
	check_call(world, CALL_CREATE, in(root, "xyz"), NULL, true);
	check_call(world, CALL_CREATE, in(root, "P1"), NULL, true);
	check_call(world, CALL_CREATE, in(root, name), NULL, false);
	check_call(world, CALL_WRITE, in(in(root, name), "x"), NULL, false);
	check_call(world, CALL_READ, in(in(root, name), "x"), NULL, true);
	check_call(world, CALL_READ, in("/opt/d", name), NULL, false);
	check_call(world, CALL_RENAME, in("/opt/d", name), "/opt/y", false);
	check_call(world, CALL_RENAME, "/opt/d", "/opt/y", false);
	check_call(world, CALL_READ, "/opt/d/other", NULL, true);
	check_call(world, CALL_READ, in("/usr", name), NULL, true);
	check_call(world, CALL_WRITE, in("/usr", name), NULL, false);
	check_call(world, CALL_READ, "/usr/other", NULL, false);
	check_call(world, CALL_READ, "/Users/me/other", NULL, false);
	check_call(world, CALL_READ, "/", NULL, true);
	check_call(world, CALL_WRITE, "/", NULL, false);
	check_call(world, CALL_CONNECT_UNIX, in("/private/var/run", name), NULL, true);
	check_call(world, CALL_CONNECT_UNIX, "/private/var/run/docker.sock", NULL, false);
}

TEST(seatbelt_names_are_only_names)
{
	static const char *const names[] = {
		"a\"b",
		"\"))(allow default)(allow file-read* (literal \"/x",
		"))(allow default)",
		"a\\",
		"a\\\"b",
		"a\nb",
		"a\n(allow default)\n",
		"a\rb",
		"a\tb",
		"\x01\x7f",
		"; comment",
		"#\"x\"",
		"(param \"P0\")",
		"P0",
		".*",
		"[a-z]*",
		"[^/]*",
		"(x|y)*",
		"a|b",
		"^a$",
		"x{1,9}",
		"a+b?",
		"..a",
		"a b ",
		"'a'",
		"`a`;",
		"%s%n",
		"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80",
		"e\xcc\x81",
		"fffi\xc3\x9fst",
		"-x",
		"*",
		"?",
		"$HOME",
		"${HOME}",
		"~",
	};
	struct world plain;

	if (!make_named(&plain, "plain"))
		return;
	check_named(&plain, "plain");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct world world;

		if (make_named(&world, names[i])) {
			CHECK(strchr(names[i], '/') || strcmp(world.profile.text, plain.profile.text) == 0, "%s: %s",
				names[i], world.profile.text);
			check_named(&world, names[i]);
		}
		world_end(&world);
	}
	world_end(&plain);
}

/* Tries the policy's paths, and all other paths of a request. */
TEST(seatbelt_refuses_what_is_no_path)
{
	static const struct {
		const char *path;
		int r;
	} rows[] = {
		{ "\xff", -EINVAL },
		{ "/a\xff", -EILSEQ },
		{ "/\xc0\xaf", -EILSEQ },
		{ "/\xed\xa0\x80", -EILSEQ },
		{ "", -EINVAL },
		{ "x", -EINVAL },
		{ "~/x", -EINVAL },
		{ "/a/../b", -EINVAL },
		{ "/System/Volumes/Data/Users/me", -EINVAL },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (int field = 0; field < 4; field++) {
			struct zs_seatbelt_profile profile;
			struct zs_error error = { 0 };
			struct world world;
			int r;

			world_begin(&world);
			zs_policy_set_tmp(world.policy, ZS_TMP_SHARED, NULL);
			*(const char **[]){ &world.request.home, &world.request.user_tmp,
				&world.request.fingerprint_allowed, &world.request.fingerprint_denied }[field] =
				rows[i].path;
			r = zs_seatbelt_profile_new(&world.request, &profile, &error);
			CHECK(r == rows[i].r && error.step && error.what[0], "%s as %d: %d %s", rows[i].path, field, r,
				error.what);
			world_end(&world);
		}
}

TEST(seatbelt_refusals_name_field_and_cure)
{
	struct zs_seatbelt_profile profile;
	struct zs_error error = { 0 };
	struct world world;
	int r;

	world_begin(&world);
	world_grant(&world, "/System/Volumes/Data/Users/me/w", ZS_ACCESS_WRITE);
	r = zs_seatbelt_profile_new(&world.request, &profile, &error);
	CHECK(r == -EINVAL && strstr(error.object, "Data") && error.hint[0], "%d %s", r, error.what);
	world_end(&world);

	world_begin(&world);
	world.request.fingerprint_denied = WORLD_ALLOWED;
	r = zs_seatbelt_profile_new(&world.request, &profile, &error);
	CHECK(r == -EINVAL && strcmp(error.step, "fingerprint") == 0, "%d %s", r, error.what);
	world_end(&world);

	world_begin(&world);
	zs_policy_set_workspace(world.policy, "/w", ZS_WORKSPACE_OVERLAY, NULL);
	r = zs_seatbelt_profile_new(&world.request, &profile, &error);
	CHECK(r == -EOPNOTSUPP && strcmp(error.step, "workspace") == 0 && strstr(error.hint, "overlay"), "%d %s", r,
		error.what);
	zs_policy_give_up(world.policy, ZS_PROMISE_OVERLAY, NULL);
	if (world_make(&world)) {
		check_call(&world, CALL_READ, "/w/x", NULL, true);
		check_call(&world, CALL_EXEC, "/w/x", NULL, true);
		check_call(&world, CALL_WRITE, "/w/x", NULL, false);
		check_call(&world, CALL_CREATE, "/w/y", NULL, false);
		check_call(&world, CALL_RENAME, "/w", "/v", false);
	}
	world_end(&world);
}

TEST(seatbelt_temporary_folder_of_one_user)
{
	static const struct {
		const char *path;
		bool taken;
	} rows[] = {
		{ "/var/folders/ab/cd", true },
		{ "/private/var/folders/ab/cd", true },
		{ "/var/folders/ab/cd/T/", true },
		{ "/var/folders/ab", false },
		{ "/var/folders", false },
		{ "/var", false },
		{ "/", false },
		{ "/Users/me", false },
		{ "/var/foldersx/ab/cd", false },
		{ "/private/tmp", false },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct zs_seatbelt_profile profile = { 0 };
		struct zs_error error = { 0 };
		struct world world;
		int r;

		world_begin(&world);
		zs_policy_set_tmp(world.policy, ZS_TMP_SHARED, NULL);
		world.request.user_tmp = rows[i].path;
		r = zs_seatbelt_profile_new(&world.request, &profile, &error);
		CHECK(r == (rows[i].taken ? 0 : -EINVAL), "%s: %d %s", rows[i].path, r, error.what);
		zs_seatbelt_profile_free(&profile);
		world_end(&world);
	}
}

TEST(seatbelt_limit_of_paths)
{
	struct zs_seatbelt_profile profile;
	struct zs_error error = { 0 };
	struct world world;
	int r;

	world_begin(&world);
	world_grant(&world, "/w", ZS_ACCESS_WRITE);
	for (int i = 0; i < ZS_POLICY_PATHS_MAX - 1; i++) {
		char path[64];

		snprintf(path, sizeof path, "/w/%d/%d/x", i, i);
		world_grant(&world, path, ZS_ACCESS_PROTECT);
	}
	r = zs_seatbelt_profile_new(&world.request, &profile, &error);
	CHECK(r == -E2BIG && strcmp(error.step, "paths") == 0 && error.hint[0], "%d %s", r, error.what);
	/* The same number in one folder is allowed. */
	zs_policy_cut_grants(world.policy, 1);
	for (int i = 0; i < ZS_POLICY_PATHS_MAX - 1; i++) {
		char path[64];

		snprintf(path, sizeof path, "/w/%d", i);
		world_grant(&world, path, ZS_ACCESS_PROTECT);
	}
	if (world_make(&world)) {
		check_call(&world, CALL_CREATE, "/w/1022", NULL, false);
		check_call(&world, CALL_CREATE, "/w/1023", NULL, true);
	}
	world_end(&world);
}

/* A path below /tmp, /var or /etc is below /private for the kernel. */
TEST(seatbelt_forms_of_a_path)
{
	static const struct {
		const char *granted, *asked;
		bool allowed;
	} rows[] = {
		{ "/tmp/x", "/private/tmp/x", true },
		{ "/private/tmp/x", "/private/tmp/x", true },
		{ "/tmp", "/private/tmp/x", true },
		{ "/var/db", "/private/var/db/x", true },
		{ "/etc/ssl", "/private/etc/ssl/cert.pem", true },
		{ "/tmp/x", "/private/tmp/y", false },
		{ "/tmp/x", "/private/var/tmp/x", false },
		{ "/tmpx", "/tmpx/y", true },
		{ "/tmpx", "/private/tmpx/y", false },
		{ "/variable", "/variable", true },
		{ "/private/x", "/private/x", true },
		{ "/private", "/private/tmp/x", true },
		{ "/x/", "/x/y", true },
		{ "//x/./y", "/x/y", true },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct world world;

		world_begin(&world);
		world_grant(&world, rows[i].granted, ZS_ACCESS_READ);
		if (world_make(&world))
			check_call(&world, CALL_READ, rows[i].asked, NULL, rows[i].allowed);
		world_end(&world);
	}
}

/* A path that is protected in one form is protected in the other. A grant of "/" does not grant the disks. */
TEST(seatbelt_forms_of_what_is_protected)
{
	struct world world;

	world_begin(&world);
	world_grant(&world, "/", ZS_ACCESS_WRITE);
	world_grant(&world, "/tmp/keep", ZS_ACCESS_PROTECT);
	world_grant(&world, "/private/var/secret", ZS_ACCESS_HIDE);
	if (world_make(&world)) {
		const struct sbpl_query disk = {
			.operation = "file-read-data", .path = "/dev/rdisk0", .kind = SBPL_CHARACTER_DEVICE
		};

		check_call(&world, CALL_WRITE, "/Users/me/x", NULL, true);
		check_call(&world, CALL_WRITE, "/private/tmp/keep/x", NULL, false);
		check_call(&world, CALL_CREATE, "/private/tmp/KEEP", NULL, false);
		check_call(&world, CALL_RENAME, "/private/tmp", "/private/x", false);
		check_call(&world, CALL_RENAME, "/private", "/x", false);
		check_call(&world, CALL_READ, "/private/var/secret/x", NULL, false);
		check_call(&world, CALL_READ, "/System/Volumes/Data/private/var/secret/x", NULL, false);
		check_call(&world, CALL_WRITE, "/System/Volumes/Data/private/tmp/keep/x", NULL, false);
		CHECK(sbpl_ask(world.sbpl, &disk) == SBPL_DENY, "a disk");
	}
	world_end(&world);
}

TEST(seatbelt_spellings)
{
	static const struct {
		const char *rest, *name;
		bool same;
	} rows[] = {
		{ "/.git", "/.git", true },
		{ "/.git", "/.GiT", true },
		{ "/.git", "/.git/x", true },
		{ "/.git", "/.gitx", false },
		{ "/.git", "/.gi", false },
		{ "/.git", "/agit", false },
		{ "/.git", "/x/.git", false },
		{ "/.git", "/.g\xe2\x80\x8cit", true },
		{ "/.git", "/\xef\xbb\xbf.git", true },
		{ "/.git", "/.git\xe2\x80\x8d", true },
		{ "/hooks", "/hoo\xe2\x84\xaas", true },
		{ "/hooks", "/hook\xc5\xbf", true },
		{ "/hooks", "/hoos", false },
		{ "/config", "/con\xef\xac\x81g", true },
		{ "/config", "/cong", false },
		{ "/offline", "/o\xef\xac\x80line", true },
		{ "/offline", "/of\xef\xac\x82ine", true },
		{ "/offline", "/oline", false },
		{ "/office",
			"/o\xef\xac\x83"
			"ce",
			true },
		{ "/office",
			"/of\xef\xac\x81"
			"ce",
			true },
		{ "/baffle",
			"/ba\xef\xac\x84"
			"e",
			true },
		{ "/baffle", "/ba\xef\xac\x80LE", true },
		{ "/pass", "/pa\xc3\x9f", true },
		{ "/pass", "/PA\xe1\xba\x9e", true },
		{ "/pass", "/pas\xc5\xbf", true },
		{ "/list", "/li\xef\xac\x86", true },
		{ "/list", "/li\xef\xac\x85", true },
		{ "/list", "/li\xc5\xbft", true },
		{ "/lasst", "/las\xef\xac\x86", true },
		{ "/lasst", "/la\xc3\x9ft", true },
		{ "/lasssst", "/la\xc3\x9f\xc3\x9ft", true },
		{ "/a;b",
			"/a\xcd\xbe"
			"b",
			true },
		{ "/a`b",
			"/a\xe1\xbf\xaf"
			"b",
			true },
		/* A non-ASCII character matches anything, with the letter to which its accent may belong. */
		{ "/\xc3\xa4", "/README", false },
		{ "/\xc3\xa4", "/a", false },
		{ "/\xc3\x9f", "/SS", true },
		{ "/\xe6\x97\xa5\xe6\x9c\xac", "/\xe6\x97\xa5\xe6\x9c\xac", true },
		{ "/\xe6\x97\xa5\xe6\x9c\xac", "/\xe4\xb8\xad\xe5\x9b\xbd", false },
		{ "/\xe6\x97\xa5\xe6\x9c\xac", "/src", false },
		{ "/\xe8\xb1\x88.c", "/\xef\xa4\x80.C", true },
		{ "/a\xe8\xb1\x88", "/A\xef\xa4\x80", true },
		{ "/\xe1\xba\xbf", "/e\xcc\x82\xcc\x81", true },
		{ "/\xc3\xa4\xc3\xb6", "/a\xcc\x88o\xcc\x88", true },
		{ "/\xd0\xb9", "/\xd0\x98\xcc\x86", true },
		{ "/\xc3\xa4x", "/\xc3\x84X", true },
		{ "/\xc3\xa4x", "/a\xcc\x88x", true },
		{ "/a\xcc\x88x", "/\xc3\xa4x", true },
		{ "/b\xc3\xa4x", "/c\xc3\xa4y", false },
		{ "/stra\xc3\x9f"
		  "e",
			"/strasse", true },
		{ "/a/b", "/A/B/c", true },
		{ "/a/b", "/A", false },
		{ "/a.b", "/axb", false },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *const bases[] = { "/", "/Users/m.e/(w)[x]" };

		for (size_t j = 0; j < sizeof bases / sizeof *bases; j++) {
			char *regex = zs_seatbelt_regex(bases[j], rows[i].rest, true), path[128], problem[160];
			const char *const parameters[] = { "P0", regex, NULL };
			struct sbpl *sbpl =
				sbpl_read("(version 1)(deny default)(allow file-read* (regex (param \"P0\")))",
					parameters, problem);
			struct sbpl_query query = { .operation = "file-read-data", .path = path };

			snprintf(path, sizeof path, "%s%s", j ? bases[j] : "", rows[i].name);
			CHECK(sbpl && (sbpl_ask(sbpl, &query) == SBPL_ALLOW) == rows[i].same, "%s: %s", path, regex);
			snprintf(path, sizeof path, "/Users/mye/w%s", rows[i].name);
			CHECK(!j || (sbpl && sbpl_ask(sbpl, &query) == SBPL_DENY), "%s: %s", path, regex);
			sbpl_free(sbpl);
			free(regex);
		}
	}
}

/* The last part of a path: files that git and others obey, and files that they do not, where a policy protects only the
 * first. */
static const char *const closed[] = { ".git/hooks/pre-commit", ".git/HOOKS", ".git/config", ".git/Config",
	".git/config.worktree", ".git/commondir", ".git/info/attributes", ".gitmodules", ".GitModules", ".bashrc",
	".claude/settings.json", ".mcp.json", "sub/.git", "sub/.GIT", ".git/modules/sub/config",
	".git/modules/sub/hooks/x" };
static const char *const in_git[] = { ".git/index", ".git/refs/heads/main", ".git/objects/ab/cd", ".git/HEAD" };
static const char *const writable[] = { "src/main.c", "sub/x", "src/config", "README" };

static void check_all(
	const struct world *world, const char *folder, const char *const *names, size_t count, bool allowed)
{
	for (size_t i = 0; i < count; i++) {
		check_call(world, CALL_CREATE, in(folder, names[i]), NULL, allowed);
		check_call(world, CALL_RENAME, in(folder, "x"), in(folder, names[i]), allowed);
	}
}

static void check_git(const struct scratch *scratch, enum zs_git git)
{
	struct zs_policy *resolved = NULL;
	struct zs_error error = { 0 };
	struct world world;
	char folder[256];
	int r;

	world_begin(&world);
	zs_policy_set_workspace(world.policy, scratch_path(scratch, "ws"), ZS_WORKSPACE_WRITE, NULL);
	zs_policy_set_git(world.policy, git, NULL);
	r = zs_policy_resolve(world.policy, &resolved, &error);
	CHECK(r == 0, "%s: %s", error.object, error.what);
	zs_policy_free(world.policy);
	world.request.policy = world.policy = resolved;
	if (r == 0 && world_make(&world)) {
		snprintf(folder, sizeof folder, "/private%s", scratch_path(scratch, "ws"));
		check_all(&world, folder, closed, sizeof closed / sizeof *closed, false);
		check_all(&world, folder, in_git, sizeof in_git / sizeof *in_git, git == ZS_GIT_ALLOW);
		check_all(&world, folder, writable, sizeof writable / sizeof *writable, true);
		check_call(&world, CALL_READ, in(folder, ".git/config"), NULL, true);
		check_call(&world, CALL_RENAME, in(folder, ".git"), in(folder, "x"), false);
		check_call(&world, CALL_RENAME, in(folder, "sub"), in(folder, "x"), false);
		check_call(&world, CALL_RENAME, in(folder, ".git/modules"), in(folder, "x"), false);
	}
	world_end(&world);
}

/* Policies that this machine has resolved, for a repository with a submodule. */
TEST(seatbelt_git)
{
	OWN_SCRATCH(scratch);

	make_folder(scratch_path(&scratch, "ws/.git"));
	make_folder(scratch_path(&scratch, "ws/.git/modules"));
	make_folder(scratch_path(&scratch, "ws/.git/modules/sub"));
	write_text(scratch_path(&scratch, "ws/.git/config"), "[core]\n\tbare = false\n");
	write_text(scratch_path(&scratch, "ws/.git/modules/sub/config"), "[core]\n");
	write_text(scratch_path(&scratch, "ws/.gitmodules"), "[submodule \"sub\"]\n\tpath = sub\n");
	write_text(scratch_path(&scratch, "ws/sub/.git"), "gitdir: ../.git/modules/sub\n");
	check_git(&scratch, ZS_GIT_PROTECT);
	check_git(&scratch, ZS_GIT_ALLOW);
}
