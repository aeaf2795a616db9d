/* Makes the policy from options, settings and a policy file. */
#ifndef ZS_CMD_CONFINE_POLICY_H
#define ZS_CMD_CONFINE_POLICY_H

#include "run/confine.h"
#include "zs_settings.h"

struct zs_confinement {
	struct zs_policy *policy;
	struct zs_settings *settings; /* NULL: --policy replaces them */
	struct zs_settings *machine;  /* the managed settings; NULL: they are in settings */
	struct zs_error left_out;     /* the line about what those left out; step NULL: nothing */
	struct zs_sources *sources;   /* NULL: the caller did not ask for them */
	bool automatic;               /* --for auto */
	uint32_t chosen;              /* the tasks that it has chosen: bits 1 << ZS_TASK_… */
};

/* Returns an exit code; errors are on stderr. verify: as if --verify had been given. zs_confinement_free() *ret_made.
 */
int zs_make_policy(
	const struct zs_confine_fields *fields, bool verify, bool with_sources, struct zs_confinement *ret_made);
void zs_confinement_free(struct zs_confinement *made);

/* Takes from the policy what the machine's own settings do not allow, also what --no-settings, --policy or an approval
 * has granted. zs_make_policy() does so; do it again after later grants. Returns an exit code. */
int zs_narrow(struct zs_confinement *made);

/* Prints a line on stderr if that took something away. */
void zs_tell_left_out(const struct zs_confinement *made);

/* Makes the path of an option absolute; free() *ret_path. Returns an exit code; errors are on stderr. */
int zs_absolute_option(const char *option, const char *path, char **ret_path);

/* Prints a line on stderr for each option that names no file, folder or variable that exists. */
void zs_tell_unmatched(const struct zs_confine_fields *fields);

/* Prints a line on stderr that says which tasks "auto" has chosen, and one for each thing that a task lacks. */
void zs_tell_tasks(const struct zs_confinement *made);

/* Prints a line on stderr if some of a project's settings do not count. */
void zs_tell_untrusted(const struct zs_confinement *made);

#endif
