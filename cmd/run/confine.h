/* The options that say what a command may reach, and running it so: what run and bash share. */
#ifndef ZS_CMD_CONFINE_H
#define ZS_CMD_CONFINE_H

#include "run/ask.h"
#include "base/command.h"
#include "zs_sandbox.h"

struct zs_confine_fields {
	const char *workspace, *policy, *network, *tmp, *git;
	struct zs_option_list read, write, exec, protect, hide, no_default, sockets, hosts, pass, set, limits, without;
	const char *report;
	bool verify, diff, patch, apply, print_policy, print_sandbox, no_settings;
	struct zs_ask_fields ask;
};

/* Offsets are those of struct zs_confine_fields. */
extern const struct zs_option zs_confine_options[];
extern const struct zs_option zs_trial_options[];
#define ZS_DRY_RUN_TITLE "A dry run, which writes to an overlay in memory and not to the workspace"

/* Becomes the command, confined: returns only when that failed, or --print-policy or --print-sandbox
 * asked for no more. Returns an exit code; stderr was told what is wrong. verify: as if --verify had been given; json:
 * what --diff lists is JSON. */
int zs_confine(const struct zs_confine_fields *fields, bool verify, bool json, char *const argv[]);

/* The same for one run of a host that has many, which reads what the run prints: without --report and what belongs to a
 * dry run, in the workspace that is named, and without a word on settings that are not trusted. report: a pipe that
 * gets the network's decisions. */
int zs_confine_run(const struct zs_confine_fields *fields, bool verify, int report, char *const argv[]);

/* The words that run a text that has been vetted; the text is the next word. --norc: Debian's bash reads ~/.bashrc even
 * for -c when it believes that sshd started it. --: a text that starts with "-" would be taken for options, and the
 * next word, which nobody vetted, for the command. */
#define ZS_BASH_WORDS "bash", "--norc", "-c", "--"

#endif
