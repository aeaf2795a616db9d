#include "seatbelt_world.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

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

/* Each operation is asked of the call's first path, or behind a ">" of its second. */
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
