/* The process in the background that holds a named session (named_session.h) or a box (box.h). */
#ifndef ZS_SHIM_NAMED_DAEMON_H
#define ZS_SHIM_NAMED_DAEMON_H

#include <stdint.h>

#include "base/sha256.h"
#include "named_session.h"
#include "policy/policy.h"

struct zs_named_daemon {
	struct zs_policy *policy;
	char *const *envp;
	const char *program; /* the path of zs, which the policy grants */
	const char *file;    /* the socket's name in the folder */
	char key[ZS_SHA256_HEX + 1];
	char token[ZS_BOX_TOKEN_SIZE]; /* the owner's; "": there is none */
	uint64_t idle_seconds;         /* 0: it does not end by itself */
	int folder, listener;
	int owner; /* a pidfd; -1: none */
};

/* Becomes the daemon. */
_Noreturn void zs_named_be_daemon(struct zs_named_daemon *daemon);

#endif
