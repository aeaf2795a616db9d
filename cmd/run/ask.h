/* --ask: asks the person at the terminal for the grants that a command wants beyond its policy. */
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

/* False: an option is given that needs --ask; stderr has the message. */
bool zs_check_ask(const struct zs_ask_fields *fields);

/* Widens the policy by earlier approvals and by those that are given now. Returns an exit code; errors are on stderr.
 * Keep *ret_approvals until the command runs, then zs_approvals_free() it. settings: NULL if they do not count. Then
 * "always" is not offered, since it is kept in the settings and would be asked for again. */
int zs_ask(const struct zs_ask_fields *fields, const struct zs_settings *settings, struct zs_policy *policy,
	char *const argv[], struct zs_approvals **ret_approvals);

/* Becomes the command, without any sandbox. Returns only on failure, an exit code. */
int zs_run_unsandboxed(char *const argv[]);

#endif
