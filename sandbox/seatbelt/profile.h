/* Makes a Seatbelt profile for macOS from a resolved policy. Pure: it uses only its request, so it is compiled and
 * tested on every system. docs/seatbelt.md has a line for each rule. */
#ifndef ZS_SANDBOX_SEATBELT_PROFILE_H
#define ZS_SANDBOX_SEATBELT_PROFILE_H

#include "policy/policy.h"

struct zs_seatbelt_request {
	/* Resolved. NULL: only the fingerprint is denied, for hosts that want only the cleanup. */
	const struct zs_policy *policy;
	/* The paths by which the processes of one session are known: absolute and different. The files need not
	 * exist. */
	const char *fingerprint_allowed, *fingerprint_denied;
	const char *home;     /* the home of the account; NULL: none */
	const char *user_tmp; /* this user's own folder of /var/folders, in either form; NULL: not known */
	uint16_t proxy_port;  /* for allowed hosts: the proxy's port on loopback; 0: no host can be reached */
	bool localhost; /* for network none: the machine's own loopback can be reached, since the run has none of its
			   own */
};

/* For sandbox_init_with_parameters(text, 0, parameters, …). */
struct zs_seatbelt_profile {
	char *text;              /* contains no byte of any path */
	const char **parameters; /* name, value, …, NULL */
	size_t parameter_count;  /* the number of pairs */
};

/* The question about a process and each of the two paths: sandbox_check(pid, …, SANDBOX_FILTER_PATH, path). The process
 * belongs to the session if it is allowed the first path and denied the second. */
#define ZS_SEATBELT_FINGERPRINT_OPERATION "file-read-data"

/* A policy with more paths, counting each spelling and each folder above, is refused (E2BIG). */
enum { ZS_SEATBELT_PARAMETERS_MAX = 4096 };

/* Refuses a field of the policy that no profile can express, and names it. If the field can be waived, it is refused
 * unless it is waived. */
int zs_seatbelt_profile_new(
	const struct zs_seatbelt_request *request, struct zs_seatbelt_profile *ret_profile, struct zs_error *error);
/* Makes the profile of the proxy, which listens at this port of the loopback. */
int zs_seatbelt_proxy_profile_new(uint16_t port, struct zs_seatbelt_profile *ret_profile, struct zs_error *error);
void zs_seatbelt_profile_free(struct zs_seatbelt_profile *profile);

#endif
