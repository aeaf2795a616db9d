/* The options that say what a command may reach, and running it confined. run, bash and mcp share them. */
#ifndef ZS_CMD_CONFINE_H
#define ZS_CMD_CONFINE_H

#include "run/ask.h"
#include "base/command.h"
#include "zs_sandbox.h"

struct zs_confine_fields {
	const char *workspace, *chdir, *root, *git_base, *policy, *network, *tmp, *caches, *git, *secrets;
	struct zs_option_list read, write, exec, protect, hide, no_default, sockets, hosts, tasks, pass, set, limits,
		without;
	const char *report, *session, *idle, *agree;
	const char *denials;         /* NULL: not asked for; "off"; else see struct zs_denied_options */
	bool denials_usual;          /* no option: they are on where --denials is not given */
	bool to_model, not_to_model; /* --denials-to-model, which implies --denials; --no-denials-to-model */
	bool root_user, users, verify, diff, patch, apply, print_policy, print_sandbox, no_settings;
	bool hides_secrets; /* no option: the profile hides secrets where --secrets and --policy say nothing */
	struct zs_ask_fields ask;
};

/* Offsets are those of struct zs_confine_fields. */
extern const struct zs_option zs_confine_options[];
extern const struct zs_option zs_trial_options[];
#define ZS_DENIALS_OPTION(field, usual)                                                                                \
	ZS_MAYBE("denials", "FILE|fd:N|off", field,                                                                    \
		"say on stderr, if it fails, which writes, programs\n"                                                 \
		"and hosts zs has refused; or write each as a line\n"                                                  \
		"of JSON. 'zs why' also sees reads" usual)
#define ZS_TO_MODEL_OPTION(field)                                                                                      \
	ZS_FLAG(0, "denials-to-model", field,                                                                          \
		"the same for a model that reads stderr: without\n"                                                    \
		"names from folders that are hidden from it")
#define ZS_NOT_TO_MODEL_OPTION(field)                                                                                  \
	ZS_FLAG(0, "no-denials-to-model", field,                                                                       \
		"do not tell the model, after a command that failed,\n"                                                \
		"which writes, programs and hosts zs has refused")
extern const char *const zs_agree_choices[]; /* of --agree */
#define ZS_DRY_RUN_TITLE "A dry run, which writes to an overlay and not to the workspace"

/* Becomes the command, confined. Returns an exit code, only on failure or for --print-policy and --print-sandbox;
 * errors are on stderr. verify: as if --verify had been given. json: --diff lists JSON. */
int zs_confine(const struct zs_confine_fields *fields, bool verify, bool json, char *const argv[]);

/* The same for one run of a server that starts many and reads their output. It ignores --report, and of the options of
 * dry runs it takes --agree (then changes that agree are applied, unless verify is set). It starts the command in the
 * workspace that is named, and prints nothing about settings that are not trusted. report: a pipe that gets the
 * decisions about the network. */
int zs_confine_run(const struct zs_confine_fields *fields, bool verify, int report, char *const argv[]);

/* Prints it as JSON. Returns an exit code. */
int zs_print_policy(const struct zs_policy *policy);

/* Enters a folder that an option names. "~" is HOME, as in a policy: no shell expands it in an agent's configuration.
 * Returns an exit code; errors are on stderr. */
int zs_enter(const char *option, const char *folder);

/* The words that run a vetted text, which is the next word. --norc: Debian's bash reads ~/.bashrc even with -c if it
 * believes that sshd started it. --: bash would take a text that starts with "-" for options, and run the next word,
 * which was not vetted. */
#define ZS_BASH_WORDS "bash", "--norc", "-c", "--"

#endif
