/* What a preset promises whatever the environment says: no grant of its own covers the home directory, verify's
 * workspace cannot change, and a variable (TMPDIR, PATH, …) opens no part of the system. A grant that somebody spelled
 * out is another matter: that is a wish, and stands. */
#include <errno.h>
#include <string.h>

#include "cleanup.h"
#include "error.h"
#include "path.h"
#include "policy.h"
#include "preset.h"

static bool verifies(const struct zs_policy *policy)
{
	return policy->workspace && policy->workspace_access != ZS_WORKSPACE_WRITE;
}

bool zs_promise_covers_home(const struct zs_policy *policy, const char *tree)
{
	return (policy->home && policy->home[0] && zs_tree_covers(tree, policy->home)) ||
	       (policy->account_home && zs_tree_covers(tree, policy->account_home));
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

/* Is it in, or above, a folder of credentials of this home? */
static bool meets_credentials(const char *home, const char *real)
{
	for (const char *const *name = zs_preset_credentials; *name; name++) {
		ZS_AUTO_FREE char *folder = zs_path_join(home, *name);

		if (!folder || zs_tree_covers(folder, real) || zs_tree_covers(real, folder))
			return true;
	}
	return false;
}

/* The rule of preset_tables.c. */
static bool variable_may_name(const struct zs_policy *policy, const char *real, enum zs_access access)
{
	const char *const *closed = access == ZS_ACCESS_WRITE ? zs_preset_unwritable : zs_preset_unreadable;
	const char *const homes[] = { policy->home, policy->account_home };

	for (size_t i = 0; i < ZS_COUNT(homes); i++)
		if (homes[i] && homes[i][0] == '/' && meets_credentials(homes[i], real))
			return false;
	if (holds_one_of(real, closed))
		return false;
	if (!lies_in_one_of(real, closed) || lies_in_one_of(real, zs_preset_open))
		return true;
	return (policy->home && policy->home[0] && zs_tree_covers(policy->home, real)) ||
	       (policy->workspace && zs_tree_covers(policy->workspace, real));
}

bool zs_promise_allows(const struct zs_policy *policy, const char *real, enum zs_access access, enum zs_origin origin)
{
	if (origin == ZS_ORIGIN_SPELLED || origin == ZS_ORIGIN_ESSENTIAL)
		return true;
	/* /tmp does, when a test's HOME lies in it. */
	if (zs_promise_covers_home(policy, real))
		return false;
	if (verifies(policy) && access == ZS_ACCESS_WRITE &&
		(zs_tree_covers(real, policy->workspace) || zs_tree_covers(policy->workspace, real)))
		return false;
	return origin != ZS_ORIGIN_VARIABLE || variable_may_name(policy, real, access);
}

int zs_promise_check_workspace(const struct zs_policy *policy, const char *workspace, struct zs_error *error)
{
	if (!zs_tree_covers(workspace, "/") && !zs_promise_covers_home(policy, workspace))
		return 0;
	zs_error_say(error, "workspace", workspace, EPERM, "holds the home directory, with its keys");
	return zs_error_hint(error, -EPERM, "choose a project folder as the workspace");
}
