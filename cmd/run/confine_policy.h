/* The policy that options, settings and a file make. */
#ifndef ZS_CMD_CONFINE_POLICY_H
#define ZS_CMD_CONFINE_POLICY_H

#include "run/confine.h"
#include "zs_settings.h"

struct zs_confinement {
	struct zs_policy *policy;
	struct zs_settings *settings; /* NULL: --policy takes their place */
	struct zs_sources *sources;   /* NULL: nobody has asked for them */
};

/* An exit code; stderr was told what is wrong. verify: as if --verify had been given. zs_confinement_free() *ret_made.
 */
int zs_make_policy(
	const struct zs_confine_fields *fields, bool verify, bool with_sources, struct zs_confinement *ret_made);
void zs_confinement_free(struct zs_confinement *made);

/* The absolute path of an option's value; free() *ret_path. An exit code; stderr was told what is wrong. */
int zs_absolute_option(const char *option, const char *path, char **ret_path);

/* On stderr, when some of a project's settings do not count. */
void zs_tell_untrusted(const struct zs_confinement *made);

#endif
