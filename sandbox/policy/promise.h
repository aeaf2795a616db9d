/* The promises that a preset keeps whatever the environment says: see promise.c. A preset has more than a hundred
 * grants, and each is judged by the same few places, so those are looked up once. */
#ifndef ZS_SANDBOX_PROMISE_H
#define ZS_SANDBOX_PROMISE_H

#include "base/folder_names.h"
#include "base/path.h"
#include "policy/policy.h"

/* A folder, and all that it lies in. */
struct zs_judged_folder {
	struct zs_identity itself;
	struct zs_ancestry above;
};

enum { ZS_JUDGED_HOMES = 2, ZS_JUDGED_CREDENTIALS_MAX = 16 };

struct zs_judge {
	const struct zs_policy *policy;
	/* HOME and the account's own home, if it has one; absent otherwise. */
	struct zs_judged_folder homes[ZS_JUDGED_HOMES];
	/* Each is looked up for the first grant that it decides: in each home the credentials for one that a variable
	 * names. */
	bool knows_workspace, knows_home, knows_credentials;
	struct zs_judged_folder workspace;
	struct zs_folder_names in_home;
	struct zs_judged_folder credentials[ZS_JUDGED_HOMES][ZS_JUDGED_CREDENTIALS_MAX];
};

/* Within one call into the library, since places move. zs_judge_end() it. */
void zs_judge_begin(struct zs_judge *judge, const struct zs_policy *policy);
void zs_judge_end(struct zs_judge *judge);

/* May a preset grant what is at `path`? If a variable names the grant, path is where it really is. known: what is
 * there; NULL, or absent: to be looked up. */
bool zs_judge_allows(struct zs_judge *judge, const char *path, const struct zs_identity *known, enum zs_access access,
	enum zs_origin origin);

/* The same of a path as it is named, which may lead elsewhere. 1 or 0, or -ENOMEM. */
int zs_judge_named(struct zs_judge *judge, const char *path, enum zs_access access, enum zs_origin origin);

/* Is it certain that what a preset grants there is not there? False says nothing. */
bool zs_judge_knows_absent(struct zs_judge *judge, const char *path, enum zs_origin origin);

/* Is it one of the homes that a preset keeps, or does it hold one? */
bool zs_judge_covers_home(const struct zs_judge *judge, const struct zs_identity *tree);

/* -EPERM when a preset's workspace holds one, or is the root directory. */
int zs_judge_workspace(const struct zs_judge *judge, const char *workspace, struct zs_error *error);

#endif
