/* A policy, its profile, and the single system calls that a process confined by it can make. */
#ifndef ZS_TESTS_SANDBOX_SEATBELT_WORLD_H
#define ZS_TESTS_SANDBOX_SEATBELT_WORLD_H

#include "policy/policy.h"
#include "seatbelt/profile.h"
#include "sbpl.h"

/* The fingerprint of every world: only the profile's own rule decides about each of its paths. */
#define WORLD_ALLOWED "/private/var/db/zs-4b1d/allowed"
#define WORLD_DENIED "/private/var/folders/ab/cd/T/zs-4b1d/denied"

#define WORLD_WORKSPACE "/Users/me/w"

struct world {
	struct zs_policy *policy;
	struct zs_seatbelt_request request; /* of this policy, /Users/me and /var/folders/ab/cd */
	struct zs_seatbelt_profile profile;
	struct sbpl *sbpl;
};

/* Begins with an empty policy. Fill it, then call world_make(). */
void world_begin(struct world *world);
void world_grant(struct world *world, const char *path, enum zs_access access);
/* Adds one grant of each kind, around WORLD_WORKSPACE. */
void world_grant_all(struct world *world);
/* Adds the presets of macOS, as if all of their paths existed. */
void world_grant_preset(struct world *world);
/* False, with a failed CHECK: there is no profile, or it cannot be read. */
bool world_make(struct world *world);
void world_end(struct world *world);

/* System calls. The profile lets a call happen if both readings allow all accesses that the call asks for.
 * docs/seatbelt.md lists these accesses. */
enum world_call {
	CALL_STAT,
	CALL_READ,
	CALL_WRITE,
	CALL_CREATE, /* a file, a folder, a link */
	CALL_UNLINK,
	CALL_RENAME,  /* to `to`, which does not exist */
	CALL_REPLACE, /* to `to`, which exists */
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
/* SBPL_UNCLEAR: the readings differ. */
enum sbpl_answer world_call(const struct sbpl *sbpl, enum world_call call, const char *path, const char *to);

#endif
