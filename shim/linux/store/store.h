/* A store: a folder of $XDG_STATE_HOME/zs, beside what zs itself obeys, which no run can write. It holds folders that
 * are made once, each under a name of its own. */
#ifndef ZS_SHIM_STORE_H
#define ZS_SHIM_STORE_H

#include <limits.h>
#include <stdbool.h>

#include "linux/files/own_tmp.h"
#include "zs_sandbox.h"

struct zs_store {
	const char *step; /* the errors' */
	char path[PATH_MAX];
	int folder;
	struct zs_own_tmp tmp; /* what is being made */
};

#define ZS_STORE_NONE(word) { .step = (word), .folder = -1, .tmp = { .parent = -1, .folder = -1 } }

/* Opens the store and locks it: one process at a time makes something, and removes what a killed one has left. Call
 * zs_store_close() in either case. */
int zs_store_open(struct zs_store *store, const char *name, const struct zs_policy *policy, char *const envp[],
	struct zs_error *error);
bool zs_store_has(const struct zs_store *store, const char *name);
/* Makes a folder, store->tmp; then keeps it under the name. -ENOTEMPTY: there is one meanwhile. */
int zs_store_begin(struct zs_store *store, struct zs_error *error);
/* Between the two: others may use the store. Filling the folder may take for ever. */
void zs_store_unlock(struct zs_store *store);
int zs_store_keep(struct zs_store *store, const char *name, struct zs_error *error);
/* Removes a folder that is not kept. */
void zs_store_close(struct zs_store *store);

#endif
