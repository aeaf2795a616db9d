/* A resolved policy as a profile of Seatbelt, the sandbox of macOS. Pure: it looks at nothing but its request, so it is
 * compiled and tested on every system. docs/seatbelt.md has a line for each rule. */
#ifndef ZS_SANDBOX_SEATBELT_PROFILE_H
#define ZS_SANDBOX_SEATBELT_PROFILE_H

#include "policy/policy.h"

struct zs_seatbelt_request {
	/* Resolved. NULL: nothing is denied but the fingerprint, for hosts that want only the cleanup. */
	const struct zs_policy *policy;
	/* By these the processes of one session are known: absolute and different. Nothing need be there. */
	const char *fingerprint_allowed, *fingerprint_denied;
	const char *home;     /* of the account; NULL: none */
	const char *user_tmp; /* this user's own folder of /var/folders, in either form; NULL: not known */
	uint16_t proxy_port;  /* for network hosts: on loopback; 0: no host is reached */
	bool localhost;       /* for network none: the machine's own loopback is reached, which is not an own one */
};

/* For sandbox_init_with_parameters(text, 0, parameters, …). */
struct zs_seatbelt_profile {
	char *text;              /* holds no byte of any path */
	const char **parameters; /* name, value, …, NULL */
	size_t parameter_count;  /* of pairs */
};

/* The question to a process about both paths, by sandbox_check(pid, …, SANDBOX_FILTER_PATH, path): it is of the session
 * when it may do so with the first, and not with the second. */
#define ZS_SEATBELT_FINGERPRINT_OPERATION "file-read-data"

/* With more paths, counting each spelling and each folder above, a policy is refused (E2BIG). */
enum { ZS_SEATBELT_PARAMETERS_MAX = 4096 };

/* A field of the policy that no profile can express is an error that names it: one that can be waived, unless it is. */
int zs_seatbelt_profile_new(
	const struct zs_seatbelt_request *request, struct zs_seatbelt_profile *ret_profile, struct zs_error *error);
/* For the proxy, whose listeners are at this port of the loopback. */
int zs_seatbelt_proxy_profile_new(uint16_t port, struct zs_seatbelt_profile *ret_profile, struct zs_error *error);
void zs_seatbelt_profile_free(struct zs_seatbelt_profile *profile);

#endif
