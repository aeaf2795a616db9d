/* One dry run of a command that is followed, for zs why and zs learn. */
#ifndef ZS_CMD_TRIAL_H
#define ZS_CMD_TRIAL_H

#include "run/confine.h"
#include "zs_denials.h"

struct zs_trial {
	struct zs_denials *denials;
	int status; /* the run's exit code; 128 + N for signal N */
};

/* Runs the command as 'zs run --verify' does. Its standard output becomes standard error; silent: it has neither,
 * and no input.
 * Returns an exit code; errors are on stderr. zs_denials_free() ret_trial->denials. */
int zs_trial_run(const struct zs_confine_fields *fields, char *const argv[], bool silent, struct zs_trial *ret_trial);

/* The key of settings.json for an option of a record, or NULL: there is none. */
const char *zs_trial_key(const char *option);

#endif
