/* The promises that a preset keeps in any environment: see promise.c. Each of a preset's hundred grants is compared
 * with the same few places, so these are looked up once. */
#ifndef ZS_SANDBOX_PROMISE_H
#define ZS_SANDBOX_PROMISE_H

#include "base/folder_names.h"
#include "base/path.h"
#include "policy/policy.h"

/* A folder and all folders that it lies in. */
struct zs_judged_folder {
	struct zs_identity itself;
	struct zs_ancestry above;
};

enum { ZS_JUDGED_HOMES = 2, ZS_JUDGED_CREDENTIALS_MAX = 16 };

struct zs_judge {
	const struct zs_policy *policy;
	/* HOME and the account's own home, if it has one; absent otherwise. */
	struct zs_judged_folder homes[ZS_JUDGED_HOMES];
	/* Each is looked up for the first grant that needs it. knows_credentials is for the credentials in each home,
	 * which matter for a grant that a variable names. */
	bool knows_workspace, knows_home, knows_credentials;
	struct zs_judged_folder workspace;
	struct zs_folder_names in_home;
	struct zs_judged_folder credentials[ZS_JUDGED_HOMES][ZS_JUDGED_CREDENTIALS_MAX];
};

/* The judge is valid within one call into the library, since files can move. zs_judge_end() it. */
void zs_judge_begin(struct zs_judge *judge, const struct zs_policy *policy);
void zs_judge_end(struct zs_judge *judge);

/* May a preset grant what is at `path`? If a variable names the grant, path is its real place. known: the identity of
 * what is there; NULL or absent: it is looked up. */
bool zs_judge_allows(struct zs_judge *judge, const char *path, const struct zs_identity *known, enum zs_access access,
	enum zs_origin origin);

/* The same for a path as it is written, which may lead to another place. 1, 0 or -ENOMEM. */
int zs_judge_named(struct zs_judge *judge, const char *path, enum zs_access access, enum zs_origin origin);

/* Is it certain that the path of a preset's grant does not exist? False: that is not known. */
bool zs_judge_knows_absent(struct zs_judge *judge, const char *path, enum zs_origin origin);

/* Is the tree one of the homes that a preset keeps closed, or does it hold one? */
bool zs_judge_covers_home(const struct zs_judge *judge, const struct zs_identity *tree);

/* -EPERM: a preset's workspace is or holds one of these homes, or is the root directory. */
int zs_judge_workspace(const struct zs_judge *judge, const char *workspace, struct zs_error *error);

#endif
