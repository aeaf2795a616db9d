/* The promises that a preset keeps whatever the environment says: see promise.c. A preset has more than a hundred
 * grants, and each is judged by the same few places, so those are looked up once. */
#ifndef ZS_SANDBOX_PROMISE_H
#define ZS_SANDBOX_PROMISE_H

#include "path.h"
#include "policy.h"

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
	struct zs_judged_folder workspace;
	/* In each home. Looked up for the first grant that a variable names. */
	bool knows_credentials;
	struct zs_judged_folder credentials[ZS_JUDGED_HOMES][ZS_JUDGED_CREDENTIALS_MAX];
};

/* Within one call into the library, since places move. zs_judge_end() it. */
void zs_judge_begin(struct zs_judge *judge, const struct zs_policy *policy);
void zs_judge_end(struct zs_judge *judge);

/* May a preset grant what is at `path`? Of a grant that a variable names, path is where it really is. */
bool zs_judge_allows(struct zs_judge *judge, const char *path, enum zs_access access, enum zs_origin origin);

/* Does `tree` hold one of the homes that a preset keeps? */
bool zs_judge_covers_home(const struct zs_judge *judge, const char *tree);

/* -EPERM when a preset's workspace holds one, or is the root directory. */
int zs_judge_workspace(const struct zs_judge *judge, const char *workspace, struct zs_error *error);

#endif
