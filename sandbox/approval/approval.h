/* Approvals as a value (approval.c), asking for more (approval_request.c), hosts (approval_host.c). */
#ifndef ZS_SANDBOX_APPROVAL_H
#define ZS_SANDBOX_APPROVAL_H

#include "policy/policy.h"
#include "zs_approval.h"

struct zs_approved {
	enum zs_need_kind kind;
	enum zs_answer answer;
	char *value; /* canonical; NULL for a switch */
	int fd;      /* of a path: held open, so that its inode is not used again; else -1 */
	struct zs_approved_place place;
	bool fresh; /* not saved yet */
};

struct zs_approvals {
	struct zs_policy *base; /* resolved; its grants need no approval; NULL: there are none */
	struct zs_policy *user; /* a policy that has only the user's home folders */
	char *const *envp;
	struct zs_approved *items;
	size_t count;
	bool wants_unsandboxed;
};

void zs_approved_free(struct zs_approved *item);

/* Adds the item, and takes it over, also on failure. */
int zs_approvals_take(struct zs_approvals *approvals, struct zs_approved item, struct zs_error *error);

/* Is it granted by the policy or by an approval? */
bool zs_approvals_cover(const struct zs_approvals *approvals, enum zs_need_kind kind, const char *value);

/* Works as zs_approvals_has_session(), for a run in its workspace. */
bool zs_approvals_can_remember(const struct zs_approvals *approvals);

/* Makes the canonical form; free() it. *ret_broad: as in struct zs_need. */
int zs_approval_host(const char *text, char **ret_host, const char **ret_broad, struct zs_error *error);

/* Does one canonical entry grant everything that another one grants? */
bool zs_approval_host_covers(const char *entry, const char *wanted);

/* Opens a canonical path for an approval of it. */
int zs_approved_open(const char *real, struct zs_approved *ret_item);

#endif
