/* A policy, its profile, and what a process that it confines can do, as single calls of the system. */
#ifndef ZS_TESTS_SANDBOX_SEATBELT_WORLD_H
#define ZS_TESTS_SANDBOX_SEATBELT_WORLD_H

#include "policy/policy.h"
#include "seatbelt/profile.h"
#include "sbpl.h"

/* The fingerprint of every world: each where only its own rule makes it so. */
#define WORLD_ALLOWED "/private/var/db/zs-4b1d/allowed"
#define WORLD_DENIED "/private/var/folders/ab/cd/T/zs-4b1d/denied"

#define WORLD_WORKSPACE "/Users/me/w"

struct world {
	struct zs_policy *policy;
	struct zs_seatbelt_request request; /* of this policy, /Users/me and /var/folders/ab/cd */
	struct zs_seatbelt_profile profile;
	struct sbpl *sbpl;
};

/* The policy is empty; world_make() when it is what it shall be. */
void world_begin(struct world *world);
void world_grant(struct world *world, const char *path, enum zs_access access);
/* One of each kind, around WORLD_WORKSPACE. */
void world_grant_all(struct world *world);
/* The presets of macOS, as if all of it were there. */
void world_grant_preset(struct world *world);
/* False, with a CHECK: there is no profile, or not one that can be read. */
bool world_make(struct world *world);
void world_end(struct world *world);

/* A call of the system, and whether the profile lets it happen: all that it asks for must be allowed, and clearly so.
 * The accesses that they ask for: docs/seatbelt.md. */
enum world_call {
	CALL_STAT,
	CALL_READ,
	CALL_WRITE,
	CALL_CREATE, /* a file, a folder, a link */
	CALL_UNLINK,
	CALL_RENAME,  /* to `to`, where nothing is */
	CALL_REPLACE, /* the same, of what is there */
	CALL_LINK,
	CALL_CLONE,
	CALL_CHMOD,
	CALL_CHOWN,
	CALL_UTIMES,
	CALL_SETXATTR,
	CALL_CHFLAGS,
	CALL_EXEC,
	CALL_DLOPEN,
	CALL_MKNOD,
	CALL_CONNECT_UNIX,
	CALL_BIND_UNIX,
	CALL_COUNT,
};

const char *world_call_name(enum world_call call);
/* SBPL_UNCLEAR when the readings differ. */
enum sbpl_answer world_call(const struct sbpl *sbpl, enum world_call call, const char *path, const char *to);

#endif
