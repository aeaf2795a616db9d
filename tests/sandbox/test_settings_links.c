/* A path of a project's file becomes a link after it was judged, and before the policy is made. */
#include <sys/stat.h>

#include "harness.h"
#include "policy/policy.h"
#include "settings/settings_value.h"
#include "zs_settings.h"

enum when { NEVER, JUDGED, MADE };

static const struct {
	const char *key;
	const char *path; /* below HOME, in a cache that every command of the preset can write */
	enum zs_access access;
	enum when when;
	bool missing; /* it does not exist when it is judged */
} rows[] = {
	{ "read_write", ".cache/uv/x", ZS_ACCESS_WRITE, NEVER, false },
	{ "read_write", ".cache/uv/x", ZS_ACCESS_WRITE, JUDGED, false },
	{ "read_write", ".cache/uv/x", ZS_ACCESS_WRITE, MADE, false },
	{ "read_write", ".cache/uv/x", ZS_ACCESS_WRITE, JUDGED, true },
	{ "read_only", ".cache/uv/x", ZS_ACCESS_READ, JUDGED, false },
	{ "executable", ".cache/uv/x", ZS_ACCESS_EXEC, JUDGED, false },
	{ "read_write", ".cache/uv/x/sub", ZS_ACCESS_WRITE, JUDGED, false },
};

static void swap(const struct scratch *scratch)
{
	rename(scratch_path(scratch, "home/.cache/uv/x"), scratch_path(scratch, "home/.cache/uv/old"));
	CHECK(symlink("../../secret", scratch_path(scratch, "home/.cache/uv/x")) == 0, "link: %s", strerror(errno));
}

static void make_places(const struct scratch *scratch, const char *key, const char *path, bool missing)
{
	static const char *const folders[] = { "home", "home/secret", "home/secret/sub", "home/.cache",
		"home/.cache/uv", "ws/.zs", "home/.cache/uv/x", "home/.cache/uv/x/sub" };
	char text[256];

	for (size_t i = 0; i < sizeof folders / sizeof *folders - (missing ? 2 : 0); i++)
		make_folder(scratch_path(scratch, folders[i]));
	snprintf(text, sizeof text, "{\"sandbox\":{\"system_paths\":{\"%s\":[\"~/%s\"]}}}", key, path);
	write_text(scratch_path(scratch, "ws/.zs/settings.json"), text);
}

static void try_swap(size_t index)
{
	const struct zs_widening *widenings;
	AUTO_POLICY *policy = NULL, *resolved = NULL;
	struct zs_settings *settings;
	OWN_SCRATCH(scratch);
	struct zs_error error;
	char home[128];
	size_t count, open;
	bool secret;
	int r;

	make_places(&scratch, rows[index].key, rows[index].path, rows[index].missing);
	snprintf(home, sizeof home, "HOME=%s", scratch_path(&scratch, "home"));
	check_ok(zs_settings_load(scratch_path(&scratch, "ws"), (char *[]){ home, NULL }, &settings, &error), &error,
		"load");
	check_ok(zs_settings_widenings(settings, &widenings, &count, &open, &error), &error, "judge");
	CHECK(count == 1 && open == 0, "row %zu: %zu, %zu open", index, count, open);
	if (rows[index].when == JUDGED)
		swap(&scratch);
	r = zs_settings_policy(settings, ZS_WORKSPACE_WRITE, NULL, &policy, NULL, &error);
	if (r == 0 && rows[index].when == MADE)
		swap(&scratch);
	if (r == 0)
		r = zs_policy_resolve(policy, &resolved, &error);
	secret = r == 0 && zs_policy_covers(resolved, scratch_path(&scratch, "home/secret/sub"), rows[index].access);
	CHECK(!secret && (r == 0) == (rows[index].when == NEVER), "row %zu: %d, secret %d", index, r, secret);
	if (r == 0)
		CHECK(zs_policy_covers(resolved, scratch_path(&scratch, "home/.cache/uv/x"), rows[index].access),
			"row %zu: it is not granted", index);
	zs_settings_free(settings);
}

TEST(settings_that_become_links)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		try_swap(i);
}
