/* The rules of settings for a vetting. */
#ifndef ZS_CMD_OWN_RULES_H
#define ZS_CMD_OWN_RULES_H

#include "zs_settings.h"
#include "zs_shellpolicy.h"

struct zs_own_rules {
	struct zs_settings *settings; /* holds the strings */
	struct zs_own_rule *items;
	uint32_t count;
};

/* Reads the rules of this machine, the user and the project, and puts those that count into the options. workspace:
 * absolute; NULL: it is not known, so no project's file counts. only_machine: as with --no-settings.
 * zs_own_rules_free() *ret_rules, also after a failure. */
int zs_own_rules_load(const char *workspace, bool only_machine, struct zs_own_rules *ret_rules,
	struct zs_vet_options *options, struct zs_error *error);
void zs_own_rules_free(struct zs_own_rules *rules);

/* The rule as the library takes it. */
struct zs_own_rule zs_own_rule_of(const struct zs_command_rule *rule);

#endif
