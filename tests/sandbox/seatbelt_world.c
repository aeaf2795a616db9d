#include "seatbelt_world.h"

#include "check.h"
#include "policy/preset.h"

void world_begin(struct world *world)
{
	*world = (struct world){ 0 };
	CHECK(zs_policy_new(NULL, &world->policy) == 0, "no policy");
	world->request = (struct zs_seatbelt_request){ .policy = world->policy,
		.fingerprint_allowed = WORLD_ALLOWED,
		.fingerprint_denied = WORLD_DENIED,
		.home = "/Users/me",
		.user_tmp = "/var/folders/ab/cd" };
}

void world_grant(struct world *world, const char *path, enum zs_access access)
{
	struct zs_error error = { 0 };

	CHECK(zs_policy_add_path(world->policy, path, access, &error) == 0, "%s: %s", path, error.what);
}

bool world_make(struct world *world)
{
	char problem[SBPL_PROBLEM_SIZE] = "";
	struct zs_error error = { 0 };
	int r = zs_seatbelt_profile_new(&world->request, &world->profile, &error);

	CHECK(r == 0, "%d %s %s %s", r, error.step ? error.step : "", error.object, error.what);
	if (r < 0)
		return false;
	world->sbpl = sbpl_read(world->profile.text, world->profile.parameters, problem);
	CHECK(world->sbpl, "%s\n%s", problem, world->profile.text);
	return world->sbpl != NULL;
}

void world_end(struct world *world)
{
	sbpl_free(world->sbpl);
	zs_seatbelt_profile_free(&world->profile);
	zs_policy_free(world->policy);
}

void world_grant_all(struct world *world)
{
	static const struct {
		const char *path;
		enum zs_access access;
	} grants[] = {
		{ "/usr", ZS_ACCESS_EXEC },
		{ "/System/Library", ZS_ACCESS_EXEC },
		{ "/Users/me/bin/tool", ZS_ACCESS_EXEC },
		{ "/Users/me/ro", ZS_ACCESS_READ },
		{ "/Users/me/ro/out", ZS_ACCESS_WRITE },
		{ "/Users/me/conf", ZS_ACCESS_WRITE },
		{ "/Users/me/ro/.SSH", ZS_ACCESS_HIDE },
		{ "/usr/hidden", ZS_ACCESS_HIDE },
		{ WORLD_WORKSPACE "/.git/hooks", ZS_ACCESS_PROTECT },
		{ WORLD_WORKSPACE "/.git/config", ZS_ACCESS_PROTECT },
		{ WORLD_WORKSPACE "/.bashrc", ZS_ACCESS_PROTECT },
		{ WORLD_WORKSPACE "/sub/deep/keep", ZS_ACCESS_PROTECT },
		{ WORLD_WORKSPACE "/p", ZS_ACCESS_PROTECT },
		{ WORLD_WORKSPACE "/p/q", ZS_ACCESS_WRITE },
		{ WORLD_WORKSPACE "/secret", ZS_ACCESS_HIDE },
		{ WORLD_WORKSPACE "/h", ZS_ACCESS_HIDE },
		{ WORLD_WORKSPACE "/h/r", ZS_ACCESS_READ },
	};

	for (size_t i = 0; i < sizeof grants / sizeof *grants; i++)
		world_grant(world, grants[i].path, grants[i].access);
	CHECK(zs_policy_set_workspace(world->policy, WORLD_WORKSPACE, ZS_WORKSPACE_WRITE, NULL) == 0, "a workspace");
	CHECK(zs_policy_add_socket(world->policy, "/var/run/db.sock", NULL) == 0, "a socket");
	CHECK(zs_policy_add_socket(world->policy, WORLD_WORKSPACE "/own.sock", NULL) == 0, "a socket");
	CHECK(zs_policy_add_link(world->policy, "/Users/me/links/go", "../ro", NULL) == 0, "a link");
	CHECK(zs_policy_set_tmp(world->policy, ZS_TMP_SHARED, NULL) == 0, "shared");
	zs_policy_add_grant(world->policy, "/Users/me/public", ZS_ACCESS_EXEC, ZS_ORIGIN_SPELLED, false, NULL);
	zs_policy_mark_public(world->policy, world->policy->grant_count - 1);
}

static void grant_homes(struct world *world, const struct zs_preset_home *row)
{
	for (; *row->variable || *row->fallback; row++) {
		char path[256];

		if (!*row->fallback)
			continue;
		snprintf(path, sizeof path, "/Users/me/%s%s%s", row->fallback, *row->name ? "/" : "", row->name);
		world_grant(world, path, row->access == ZS_ACCESS_LAYER ? ZS_ACCESS_WRITE : row->access);
	}
}

void world_grant_preset(struct world *world)
{
	for (const struct zs_preset_tree *row = zs_preset_trees_macos; row->path; row++)
		world_grant(world, row->path, row->access);
	grant_homes(world, zs_preset_homes);
	grant_homes(world, zs_preset_homes_macos);
	zs_policy_set_workspace(world->policy, WORLD_WORKSPACE, ZS_WORKSPACE_WRITE, NULL);
}

/* Each operation is asked for the call's first path, or with ">" before it for the second. */
static const struct {
	const char *name;
	const char *operations[5];
	enum sbpl_kind kind;
} calls[CALL_COUNT] = {
	[CALL_STAT] = { "stat", { "file-read-metadata" }, SBPL_FILE },
	[CALL_READ] = { "read", { "file-read-data" }, SBPL_FILE },
	[CALL_WRITE] = { "write", { "file-write-data" }, SBPL_FILE },
	[CALL_CREATE] = { "create", { "file-write-create" }, SBPL_FILE },
	[CALL_UNLINK] = { "unlink", { "file-write-unlink" }, SBPL_FILE },
	[CALL_RENAME] = { "rename", { "file-write-unlink", ">file-write-create" }, SBPL_FOLDER },
	[CALL_REPLACE] = { "replace", { "file-write-unlink", ">file-write-create", ">file-write-unlink" }, SBPL_FILE },
	[CALL_LINK] = { "link", { "file-link", ">file-write-create" }, SBPL_FILE },
	[CALL_CLONE] = { "clone", { "file-clone", ">file-write-create" }, SBPL_FILE },
	[CALL_CHMOD] = { "chmod", { "file-write-mode" }, SBPL_FILE },
	[CALL_CHOWN] = { "chown", { "file-write-owner" }, SBPL_FILE },
	[CALL_UTIMES] = { "utimes", { "file-write-times" }, SBPL_FILE },
	[CALL_SETXATTR] = { "setxattr", { "file-write-xattr" }, SBPL_FILE },
	[CALL_CHFLAGS] = { "chflags", { "file-write-flags" }, SBPL_FILE },
	[CALL_EXEC] = { "exec", { "process-exec*", "file-read-data" }, SBPL_FILE },
	[CALL_DLOPEN] = { "dlopen", { "file-map-executable", "file-read-data" }, SBPL_FILE },
	[CALL_MKNOD] = { "mknod", { "file-write-create" }, SBPL_BLOCK_DEVICE },
	[CALL_CONNECT_UNIX] = { "connect", { "network-outbound" }, SBPL_SOCKET },
	[CALL_BIND_UNIX] = { "bind", { "network-bind", "file-write-create" }, SBPL_SOCKET },
};

const char *world_call_name(enum world_call call)
{
	return calls[call].name;
}

enum sbpl_answer world_call(const struct sbpl *sbpl, enum world_call call, const char *path, const char *to)
{
	enum sbpl_answer worst = SBPL_ALLOW;

	for (size_t i = 0; i < 5 && calls[call].operations[i]; i++) {
		const char *operation = calls[call].operations[i];
		const bool second = operation[0] == '>';
		const struct sbpl_query query = { .operation = operation + second,
			.path = second ? to : path,
			.kind = calls[call].kind,
			.mode = 0600 };
		enum sbpl_answer answer = sbpl_ask(sbpl, &query);

		if (answer == SBPL_UNCLEAR)
			return answer;
		if (answer == SBPL_DENY)
			worst = SBPL_DENY;
	}
	return worst;
}
