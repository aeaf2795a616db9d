/* --ask: what a command wants beyond its policy, asked of whoever sits at the terminal. */
#ifndef ZS_CMD_ASK_H
#define ZS_CMD_ASK_H

#include "base/command.h"
#include "zs_approval.h"
#include "zs_settings.h"

struct zs_ask_fields {
	bool ask, git, all_hosts, all_writes, unsandboxed;
	struct zs_option_list hosts, writes;
	const char *patience;
};

/* Offsets are those of struct zs_ask_fields. */
extern const struct zs_option zs_ask_options[];
#define ZS_ASK_TITLE "Questions that it may ask you, at this terminal"

/* False: an option needs --ask, and stderr was told. */
bool zs_check_ask(const struct zs_ask_fields *fields);

/* Widens the policy by what was approved before, and by what is approved now. An exit code; stderr was told what is
 * wrong. *ret_approvals is to be kept until the command runs; zs_approvals_free() it. settings: NULL where they do not
 * count; then an answer for always, which is kept in them, would be asked for again, and is not offered. */
int zs_ask(const struct zs_ask_fields *fields, const struct zs_settings *settings, struct zs_policy *policy,
	char *const argv[], struct zs_approvals **ret_approvals);

/* Becomes the command, without any sandbox. Returns an exit code when that failed. */
int zs_run_unsandboxed(char *const argv[]);

#endif
