/* Pure pieces: names, paths, error lines, Landlock's masks. */
#include <linux/landlock.h>
#include <sys/resource.h>

#include "base/error.h"
#include "harness.h"
#include "linux/base/landlock_rights.h"
#include "base/path.h"
#include "policy/policy.h"

#define BOTH_WAYS(kind, id, name)                                                                                      \
	do {                                                                                                           \
		enum zs_##kind value;                                                                                  \
                                                                                                                       \
		CHECK(zs_##kind##_from_name(name, &value) == 0 && value == (id) &&                                     \
				strcmp(zs_##kind##_name(id), name) == 0,                                               \
			"%s", name);                                                                                   \
	} while (0);
#define ACCESS_ROW(id, name, text) BOTH_WAYS(access, ZS_ACCESS_##id, name)
#define NETWORK_ROW(id, name, text) BOTH_WAYS(network, ZS_NETWORK_##id, name)
#define WORKSPACE_ROW(id, name, text) BOTH_WAYS(workspace, ZS_WORKSPACE_##id, name)
#define TMP_ROW(id, name, text) BOTH_WAYS(tmp, ZS_TMP_##id, name)
#define CACHES_ROW(id, name, text) BOTH_WAYS(caches, ZS_CACHES_##id, name)
#define GIT_ROW(id, name, text) BOTH_WAYS(git, ZS_GIT_##id, name)
#define PROMISE_ROW(id, name, text) BOTH_WAYS(promise, ZS_PROMISE_##id, name)
#define LIMIT_ROW(id, name, word, unit, text) BOTH_WAYS(limit, ZS_LIMIT_##id, #name)

TEST(names_go_both_ways)
{
	enum zs_access access;

	ZS_ACCESSES(ACCESS_ROW)
	ZS_NETWORKS(NETWORK_ROW)
	ZS_WORKSPACES(WORKSPACE_ROW)
	ZS_TMPS(TMP_ROW)
	ZS_CACHESES(CACHES_ROW)
	ZS_GITS(GIT_ROW)
	ZS_PROMISES(PROMISE_ROW)
	ZS_LIMITS(LIMIT_ROW)
	CHECK(zs_access_from_name("Write", &access) == -EINVAL, "case matters");
	CHECK(zs_access_name(ZS_ACCESS_COUNT) == NULL, "out of range");
}

TEST(zero_is_the_strictest_value)
{
	CHECK((enum zs_access)0 == ZS_ACCESS_HIDE, "access");
	CHECK((enum zs_network)0 == ZS_NETWORK_NONE, "network");
	CHECK((enum zs_workspace)0 == ZS_WORKSPACE_READ, "workspace");
	CHECK((enum zs_tmp)0 == ZS_TMP_PRIVATE, "tmp");
	CHECK((enum zs_caches)0 == ZS_CACHES_PRIVATE, "caches");
	CHECK((enum zs_git)0 == ZS_GIT_PROTECT, "git");
}

#define SET_LIMIT(id, name, word, unit, text)                                                                          \
	CHECK(zs_policy_set_limit(policy, ZS_LIMIT_##id, 7 + ZS_LIMIT_##id, NULL) == 0, #name);
#define HAS_LIMIT(id, name, word, unit, text)                                                                          \
	CHECK(resolved->limits.name == 7 + ZS_LIMIT_##id &&                                                            \
			zs_policy_limit(resolved, ZS_LIMIT_##id) == 7 + ZS_LIMIT_##id,                                 \
		#name);

/* A value that can be set is in the resolved policy; one that cannot be set changes nothing. */
TEST(setters)
{
	AUTO_POLICY *policy = policy_own(), *resolved = NULL;

	CHECK(zs_policy_set_tmp(policy, ZS_TMP_COUNT, NULL) == -EINVAL && policy->tmp == ZS_TMP_PRIVATE, "tmp");
	CHECK(zs_policy_set_caches(policy, ZS_CACHES_COUNT, NULL) == -EINVAL && policy->caches == ZS_CACHES_SHARED,
		"caches");
	CHECK(zs_policy_set_git(policy, ZS_GIT_COUNT, NULL) == -EINVAL && policy->git == ZS_GIT_PROTECT, "git");
	CHECK(zs_policy_give_up(policy, ZS_PROMISE_COUNT, NULL) == -EINVAL && policy->without == 0, "without");
	CHECK(zs_policy_add_socket(policy, "", NULL) == -EINVAL, "an empty path");
	CHECK(zs_policy_add_socket(policy, "~/x", NULL) == -EINVAL && policy->sockets.count == 0, "without HOME");
	CHECK(zs_policy_set_limit(policy, ZS_LIMIT_COUNT, 1, NULL) == -EINVAL, "unknown limit");
	CHECK(zs_policy_set_limit(policy, ZS_LIMIT_CPU, 0, NULL) == -EINVAL, "no limit");
	CHECK(zs_policy_set_limit(policy, ZS_LIMIT_CPU, ZS_POLICY_SECONDS_MAX + 1ull, NULL) == -ERANGE, "too much");
	CHECK(zs_policy_set_limit(policy, ZS_LIMIT_FILES, UINT64_MAX, NULL) == -ERANGE, "RLIM_INFINITY");
	for (enum zs_limit limit = 0; limit < ZS_LIMIT_COUNT; limit++)
		CHECK(zs_policy_limit(policy, limit) == 0, "%s", zs_limit_name(limit));
	ZS_LIMITS(SET_LIMIT)
	zs_policy_set_tmp(policy, ZS_TMP_SHARED, NULL);
	zs_policy_set_caches(policy, ZS_CACHES_PRIVATE, NULL);
	zs_policy_set_git(policy, ZS_GIT_ALLOW, NULL);
	zs_policy_add_socket(policy, "/run/x", NULL);
	zs_policy_give_up(policy, ZS_PROMISE_METADATA, NULL);
	zs_policy_give_up(policy, ZS_PROMISE_PROTECT, NULL);
	CHECK(zs_policy_resolve(policy, &resolved, NULL) == 0, "resolves");
	CHECK(resolved->caches == ZS_CACHES_PRIVATE, "caches");
	CHECK(resolved->tmp == ZS_TMP_SHARED && resolved->git == ZS_GIT_ALLOW, "tmp, git");
	CHECK(resolved->sockets.count == 1 && strcmp(resolved->sockets.items[0], "/run/x") == 0, "sockets");
	ZS_LIMITS(HAS_LIMIT)
	for (enum zs_promise promise = 0; promise < ZS_PROMISE_COUNT; promise++)
		CHECK(zs_policy_gives_up(resolved, promise) ==
				(promise == ZS_PROMISE_METADATA || promise == ZS_PROMISE_PROTECT),
			"%s", zs_promise_name(promise));
}

TEST(paths_become_normal)
{
	static const struct {
		const char *path, *home, *want; /* want NULL: refused */
		int cause;
	} rows[] = {
		{ "/a/b", NULL, "/a/b", 0 }, { "//a//b/", NULL, "/a/b", 0 }, { "/a/./b/.", NULL, "/a/b", 0 },
		{ "/", NULL, "/", 0 }, { "~", "/home/me/", "/home/me", 0 }, { "~/x", "/home/me", "/home/me/x", 0 },
		{ "/a..b/...", NULL, "/a..b/...", 0 },
		{ "/\xc3\xa9\xf0\x9f\x98\x80", NULL, "/\xc3\xa9\xf0\x9f\x98\x80", 0 }, { "", NULL, NULL, EINVAL },
		{ "a/b", NULL, NULL, EINVAL }, { "./a", NULL, NULL, EINVAL }, { "/a/../b", NULL, NULL, EINVAL },
		{ "/..", NULL, NULL, EINVAL }, { "~/x", NULL, NULL, EINVAL }, { "~/x", "relative", NULL, EINVAL },
		{ "~/../x", "/home/me", NULL, EINVAL }, { "~", "/home/../etc", NULL, EINVAL },
		{ "~other/x", "/home/me", NULL, EINVAL }, { "/\xff", NULL, NULL, EILSEQ },
		{ "/\xc0\xaf", NULL, NULL, EILSEQ },         /* overlong */
		{ "/\xed\xa0\x80", NULL, NULL, EILSEQ },     /* surrogate */
		{ "/\xf4\x90\x80\x80", NULL, NULL, EILSEQ }, /* above U+10FFFF */
		{ "/\xe2\x82", NULL, NULL, EILSEQ },         /* cut off */
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const char *problem = NULL;
		char *path = NULL;
		int r = zs_path_normalize(rows[i].path, rows[i].home, &path, &problem);

		if (rows[i].want)
			CHECK(r == 0 && strcmp(path, rows[i].want) == 0, "%s: %s", rows[i].path, path ? path : problem);
		else
			CHECK(r == -rows[i].cause && problem, "%s: %d", rows[i].path, r);
		free(path);
	}
}

TEST(error_lines)
{
	struct zs_error error;
	char line[256], small[8];
	size_t len;

	zs_error_errno(&error, "landlock", "/srv/x", ENOENT);
	zs_error_format(&error, line, sizeof line);
	CHECK(strcmp(line, "zs: landlock: /srv/x: no such file or directory") == 0 ||
			strcmp(line, "zs: landlock: /srv/x: No such file or directory") == 0,
		"%s", line);
	zs_error_hint(&error, zs_error_say(&error, "policy", "/a\n\033[2J", EINVAL, "is %s", "odd"), "do %d", 7);
	zs_error_format(&error, line, sizeof line);
	CHECK(strcmp(line, "zs: policy: /a\\x0a\\x1b[2J: is odd; do 7") == 0, "%s", line);
	len = zs_error_format(&error, small, sizeof small);
	CHECK(len == strlen(line) && strcmp(small, "zs: pol") == 0, "%zu %s", len, small);
	CHECK(zs_error_errno(NULL, "x", "y", EPERM) == -EPERM, "no error wanted");
	CHECK(zs_error_errno(NULL, "x", "y", 0) < 0 && zs_error_errno(&error, "x", "y", 0) < 0 &&
			zs_error_say(&error, "x", "y", 0, "z") < 0,
		"a failure without a cause is one");
}

TEST(error_lines_hide_nothing)
{
	static const struct {
		const char *object, *want;
	} rows[] = {
		{ "\xc2\x9b"
		  "31m",
			"\\xc2\\x9b31m" }, /* CSI, a C1 control */
		{ "a\xe2\x80\xae"
		  "b",
			"a\\xe2\\x80\\xaeb" }, /* right-to-left override */
		{ "a\xe2\x80\x8b"
		  "b",
			"a\\xe2\\x80\\x8b" }, /* zero width space */
		{ "\xff\xc3", "\\xff\\xc3" }, /* no UTF-8 */
		{ "\xc0\xaf", "\\xc0\\xaf" }, /* overlong */
		{ "\x9b", "\\x9b" },
		{ "\xc3\xa9\xe6\x97\xa5", "\xc3\xa9\xe6\x97\xa5" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct zs_error error;
		char line[256], want[128];

		zs_error_errno(&error, "x", rows[i].object, EPERM);
		zs_error_format(&error, line, sizeof line);
		snprintf(want, sizeof want, "zs: x: %s", rows[i].want);
		CHECK(strncmp(line, want, strlen(want)) == 0, "row %zu: %s", i, line);
	}
}

/* Allocates all memory that malloc can still give. */
static void exhaust_memory(void)
{
	struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_DATA, &none);
	setrlimit(RLIMIT_AS, &none);
	for (size_t size = 1 << 20; size > 0; size /= 2) {
		void *volatile taken;

		do
			taken = malloc(size);
		while (taken);
	}
}

static int covers_without_memory(void *arg)
{
	const char *path = arg;

	exhaust_memory();
	_exit(zs_tree_covers("/usr", path) ? 0 : 1);
}

TEST(tree_covers_when_it_cannot_be_told)
{
	struct result result;
	char path[4096] = "/tmp/", *end = path + strlen(path);

	if (UNDER_ASAN) {
		check_skip("needs a build without ASan: it ends a process that is short of memory");
		return;
	}
	memset(end, 'x', 1000);
	run_child(geteuid(), covers_without_memory, path, &result);
	CHECK(result.status == 0, "short of memory it says no: %d %s", result.status, result.err);
	CHECK(!zs_tree_covers("/usr", path), "and with memory it says no");
	CHECK(zs_tree_covers("/usr", "/usr/bin/env") && !zs_tree_covers("/no/such", "/usr"), "as ever");
}

TEST(landlock_masks_by_abi)
{
	static const struct {
		int abi;
		uint64_t fs, behind_mounts, scoped;
	} rows[] = {
		{ -1, 0, 0, 0 },
		{ 0, 0, 0, 0 },
		{ 1, 0x1fff, 0x1ff2, 0 },
		{ 2, 0x3fff, 0x3ff2, 0 },
		{ 3, 0x7fff, 0x3ff2, 0 },
		{ 4, 0x7fff, 0x3ff2, 0 },
		{ 5, 0xffff, 0xbff2, 0 },
		{ 6, 0xffff, 0xbff2, 3 },
		{ 7, 0xffff, 0xbff2, 3 },
		{ 8, 0xffff, 0xbff2, 3 },
		{ 9, 0x1ffff, 0x1bff2, 3 },
		{ 10, 0x1ffff, 0x1bff2, 3 },
		{ 1000, 0x1ffff, 0x1bff2, 3 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CHECK(zs_landlock_handled_fs(rows[i].abi, ZS_TIER_LANDLOCK) == rows[i].fs, "ABI %d", rows[i].abi);
		CHECK(zs_landlock_handled_fs(rows[i].abi, ZS_TIER_MOUNTS) == rows[i].behind_mounts, "ABI %d",
			rows[i].abi);
		CHECK(zs_landlock_scoped(rows[i].abi) == rows[i].scoped, "ABI %d", rows[i].abi);
	}
}

TEST(landlock_rights_by_access)
{
	static const struct {
		enum zs_access access;
		uint64_t on_directory, on_file; /* at ABI 7 */
	} rows[] = {
		{ ZS_ACCESS_HIDE, 0, 0 },
		{ ZS_ACCESS_PROTECT, 0, 0 },
		{ ZS_ACCESS_READ, 0x000c, 0x0004 },
		{ ZS_ACCESS_EXEC, 0x000d, 0x0005 },
		{ ZS_ACCESS_WRITE, 0xf7bf, 0xc007 }, /* all but MAKE_CHAR and MAKE_BLOCK */
		{ ZS_ACCESS_COUNT, 0, 0 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CHECK(zs_landlock_rights(7, rows[i].access, true) == rows[i].on_directory, "row %zu: %llx", i,
			(unsigned long long)zs_landlock_rights(7, rows[i].access, true));
		CHECK(zs_landlock_rights(7, rows[i].access, false) == rows[i].on_file, "row %zu", i);
		for (int abi = 0; abi <= 7; abi++)
			CHECK((zs_landlock_rights(abi, rows[i].access, true) &
				      ~zs_landlock_handled_fs(abi, ZS_TIER_LANDLOCK)) == 0,
				"row %zu, ABI %d: more than is handled", i, abi);
	}
}
