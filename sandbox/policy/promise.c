/* The promises that a preset keeps in any environment: no grant of its own covers the home directory, verify's
 * workspace cannot change, and a variable (TMPDIR, PATH, …) opens no part of the system. A grant that the caller
 * spelled out is a wish of the caller, and stays. */
#include "policy/promise.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "policy/preset.h"

static bool verifies(const struct zs_policy *policy)
{
	return policy->workspace && policy->workspace_access != ZS_WORKSPACE_WRITE;
}

static void promise_look(struct zs_judged_folder *folder, const char *path)
{
	folder->itself = zs_identity_of(path);
	folder->above = zs_ancestry_of(path);
}

static void forget(struct zs_judged_folder *folder)
{
	zs_ancestry_free(&folder->above);
}

/* The user whose credentials are protected; NULL: there is none. */
static const char *home_of(const struct zs_policy *policy, size_t index)
{
	const char *const homes[ZS_JUDGED_HOMES] = { policy->home, policy->account_home };

	return homes[index] && homes[index][0] ? homes[index] : NULL;
}

void zs_judge_begin(struct zs_judge *judge, const struct zs_policy *policy)
{
	*judge = (struct zs_judge){ .policy = policy };
	if (!policy->preset)
		return;
	for (size_t i = 0; i < ZS_JUDGED_HOMES; i++)
		if (home_of(policy, i))
			promise_look(&judge->homes[i], home_of(policy, i));
}

void zs_judge_end(struct zs_judge *judge)
{
	for (size_t i = 0; i < ZS_JUDGED_HOMES; i++) {
		forget(&judge->homes[i]);
		for (size_t j = 0; j < ZS_JUDGED_CREDENTIALS_MAX; j++)
			forget(&judge->credentials[i][j]);
	}
	forget(&judge->workspace);
	zs_folder_names_free(&judge->in_home);
}

bool zs_judge_knows_absent(struct zs_judge *judge, const char *path, enum zs_origin origin)
{
	const char *home = judge->policy->preset ? home_of(judge->policy, 0) : NULL;

	if (origin != ZS_ORIGIN_PRESET || !home || !zs_path_lies_in(path, home) || path[strlen(home)] != '/')
		return false;
	if (!judge->knows_home)
		judge->in_home = zs_folder_names_read(home);
	judge->knows_home = true;
	return zs_folder_names_lack(&judge->in_home, path + strlen(home) + 1);
}

static bool is_above(const struct zs_identity *tree, const struct zs_judged_folder *folder)
{
	return zs_ancestry_holds(&folder->above, tree, true);
}

bool zs_judge_covers_home(const struct zs_judge *judge, const struct zs_identity *tree)
{
	for (size_t i = 0; i < ZS_JUDGED_HOMES; i++)
		if (home_of(judge->policy, i) && is_above(tree, &judge->homes[i]))
			return true;
	return false;
}

static void look_at_workspace(struct zs_judge *judge)
{
	if (!judge->knows_workspace && judge->policy->preset && judge->policy->workspace)
		promise_look(&judge->workspace, judge->policy->workspace);
	judge->knows_workspace = true;
}

static bool lies_in_one_of(const char *real, const char *const *trees)
{
	for (; *trees; trees++)
		if (zs_path_lies_in(real, *trees))
			return true;
	return false;
}

static bool holds_one_of(const char *real, const char *const *trees)
{
	for (; *trees; trees++)
		if (zs_path_lies_in(*trees, real))
			return true;
	return false;
}

static void look_at_credentials(struct zs_judge *judge)
{
	for (size_t i = 0; i < ZS_JUDGED_HOMES; i++)
		for (size_t j = 0; home_of(judge->policy, i) && zs_preset_credentials[j]; j++) {
			ZS_AUTO_FREE char *path = zs_path_join(home_of(judge->policy, i), zs_preset_credentials[j]);

			/* Out of memory: the folder may be anywhere. */
			judge->credentials[i][j].itself.presence = ZS_PRESENCE_UNKNOWN;
			if (path)
				promise_look(&judge->credentials[i][j], path);
		}
	judge->knows_credentials = true;
}

/* Does the path lie in a folder of credentials, or above one? */
static bool meets_credentials(struct zs_judge *judge, const struct zs_judged_folder *place)
{
	if (!judge->knows_credentials)
		look_at_credentials(judge);
	for (size_t i = 0; i < ZS_JUDGED_HOMES; i++)
		for (size_t j = 0; home_of(judge->policy, i) && zs_preset_credentials[j]; j++)
			if (is_above(&judge->credentials[i][j].itself, place) ||
				is_above(&place->itself, &judge->credentials[i][j]))
				return true;
	return false;
}

/* The rule is explained in preset_tables.c. */
static bool variable_may_name(
	struct zs_judge *judge, const char *real, const struct zs_judged_folder *place, enum zs_access access)
{
	const char *const *closed = access == ZS_ACCESS_WRITE ? zs_preset_unwritable : zs_preset_unreadable;

	if (meets_credentials(judge, place) || holds_one_of(real, closed))
		return false;
	if (!lies_in_one_of(real, closed) || lies_in_one_of(real, zs_preset_open))
		return true;
	return (home_of(judge->policy, 0) && is_above(&judge->homes[0].itself, place)) ||
	       (judge->policy->workspace && is_above(&judge->workspace.itself, place));
}

bool zs_judge_allows(struct zs_judge *judge, const char *path, const struct zs_identity *known, enum zs_access access,
	enum zs_origin origin)
{
	bool could_change = verifies(judge->policy) && access == ZS_ACCESS_WRITE;
	struct zs_judged_folder place = { 0 };
	bool allows;

	if (origin == ZS_ORIGIN_SPELLED || origin == ZS_ORIGIN_ESSENTIAL)
		return true;
	if (!could_change && zs_judge_knows_absent(judge, path, origin))
		return true;
	place.itself = known && known->presence == ZS_PRESENT ? *known : zs_identity_of(path);
	/* /tmp covers the home if a test's HOME lies in it. */
	if (zs_judge_covers_home(judge, &place.itself))
		return false;
	if (!could_change && origin != ZS_ORIGIN_VARIABLE)
		return true;
	look_at_workspace(judge);
	place.above = zs_ancestry_of(path);
	allows = !could_change ||
		 !(is_above(&place.itself, &judge->workspace) || is_above(&judge->workspace.itself, &place));
	if (allows && origin == ZS_ORIGIN_VARIABLE)
		allows = variable_may_name(judge, path, &place, access);
	forget(&place);
	return allows;
}

int zs_judge_named(struct zs_judge *judge, const char *path, enum zs_access access, enum zs_origin origin)
{
	ZS_AUTO_FREE char *real = origin == ZS_ORIGIN_VARIABLE ? realpath(path, NULL) : NULL;

	if (origin == ZS_ORIGIN_VARIABLE && !real && errno == ENOMEM)
		return -ENOMEM;
	return zs_judge_allows(judge, real ? real : path, NULL, access, origin);
}

static bool is_root_directory(const struct zs_identity *place)
{
	const struct zs_identity root = zs_identity_of("/");

	return place->presence != ZS_ABSENT && root.presence == ZS_PRESENT &&
	       (place->presence == ZS_PRESENCE_UNKNOWN || (place->device == root.device && place->inode == root.inode));
}

static bool knows_homes(const struct zs_judge *judge)
{
	for (size_t i = 0; i < ZS_JUDGED_HOMES; i++)
		if (judge->homes[i].above.unknown)
			return false;
	return true;
}

int zs_judge_workspace(const struct zs_judge *judge, const char *workspace, struct zs_error *error)
{
	const struct zs_identity identity = zs_identity_of(workspace);
	bool is_root = is_root_directory(&identity);

	if (!is_root && !zs_judge_covers_home(judge, &identity))
		return 0;
	if (!is_root && !knows_homes(judge))
		return zs_error_say(
			error, "workspace", workspace, ENOMEM, "cannot be compared with the home directory");
	zs_error_say(error, "workspace", workspace, EPERM, "holds the home directory, with its keys");
	return zs_error_hint(error, -EPERM, "choose a project folder as the workspace");
}
