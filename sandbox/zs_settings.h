/* zs_settings.h: for a host that obeys settings files: the user's and the project's, and the policy that they make.
 *
 *	struct zs_settings *settings;
 *	struct zs_policy *policy;
 *
 *	if (zs_settings_load("/home/me/project", environ, &settings, &error) < 0 ||
 *	    zs_settings_policy(settings, ZS_WORKSPACE_WRITE, NULL, &policy, NULL, &error) < 0 ||
 *	    zs_settings_narrow(settings, policy, NULL, &left_out, &error) < 0 ||
 *	    zs_settings_protect(policy, environ, &error) < 0)
 *		… zs_error_format(&error, line, sizeof line) …
 *	zs_settings_free(settings);
 *
 * The user's file is $XDG_CONFIG_HOME/zs/settings.json (~/.config/zs; on macOS ~/Library/Application Support/zs), a
 * project's is .zs/settings.json in its workspace. docs/settings.md lists their keys.
 *
 * A project's file comes with the repository, so it is not trusted. It narrows at once, and widens only after the user
 * has trusted these very bytes in this very place (zs_settings_trust()). Every file is read once, so the bytes that
 * were judged, hashed and shown are those that count.
 *
 * Errors, threads and ownership are as in zs_sandbox.h. These functions read the file system where envp says. Only the
 * functions of trust, zs_settings_append() and zs_settings_make_journal() write; files change by an atomic rename
 * under a lock.
 */
#ifndef ZS_SETTINGS_H
#define ZS_SETTINGS_H

#include "zs_sandbox.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Bounds. A call that reaches one fails and names it. */
enum {
	ZS_SETTINGS_BYTES_MAX = 64 * 1024,
	ZS_SETTINGS_ENTRIES_MAX = 1024, /* of one file; each entry of a list counts */
	ZS_RULE_TEXT_MAX = 256,         /* bytes of a rule's match, command, why, … */
	ZS_RULE_WORDS_MAX = 16,         /* words of a match or a command */
	ZS_RULE_FLAGS_MAX = 32,         /* entries of flags, unless or operand */
	ZS_RULE_EXAMPLES_MAX = 64,      /* entries of blocks or passes */
	ZS_RULE_EXAMPLE_MAX = 4096,     /* bytes of an example */
	ZS_TRUST_BYTES_MAX = 1024 * 1024,
	ZS_START_FILE_BYTES_MAX = 1024 * 1024, /* zs_settings_secrets() looks no further */
};

struct zs_settings;

/* Reads both files. A missing file says nothing. workspace: an absolute path. envp is kept, and must outlive the
 * settings. zs_settings_free() them. Errors: a file that cannot be read; a link or pipe in place of a project's file;
 * another user's file in place of the user's; and everything that the reader refuses. */
int zs_settings_load(
	const char *workspace, char *const envp[], struct zs_settings **ret_settings, struct zs_error *error);

/* Reads the user's file alone. */
int zs_settings_load_user(
	const char *workspace, char *const envp[], struct zs_settings **ret_settings, struct zs_error *error);

/* Makes settings as though neither file existed. */
int zs_settings_none(
	const char *workspace, char *const envp[], struct zs_settings **ret_settings, struct zs_error *error);

/* Reads this file, whatever its name, as the user's, and no project's. */
int zs_settings_of_file(const char *workspace, const char *file, char *const envp[], struct zs_settings **ret_settings,
	struct zs_error *error);

void zs_settings_free(struct zs_settings *settings);

/* Makes the policy of the settings, by zs_policy_preset(). A list that is not NULL replaces the settings' list of that
 * kind. ret_sources may be NULL; else *ret_sources has the source of each entry, until zs_sources_free(). */
struct zs_sources;
int zs_settings_policy(struct zs_settings *settings, enum zs_workspace access, const struct zs_path_lists *lists,
	struct zs_policy **ret_policy, struct zs_sources **ret_sources, struct zs_error *error);

/* Protects the folders of settings and trust, as far as the policy lets the command write them. No other call does
 * that. Call it after the last grant: it does not see later ones. */
int zs_settings_protect(struct zs_policy *policy, char *const envp[], struct zs_error *error);

/* Makes the private folder in which runs with this policy keep their journals, if it is missing:
 * $XDG_STATE_HOME/zs/journal, or else the folder of approvals. A run itself does not make the folder that its variables
 * name, since a host may take a command's variables from a model. Without the folder a run says that it keeps no
 * journal. */
void zs_settings_make_journal(const struct zs_policy *policy, char *const envp[]);

/* Gives a cache the layer that an earlier run of the workspace has made for it, whether or not this run has the task
 * (ZS_CACHES_TASKS). Call it after the last grant, and before zs_settings_make_journal(). */
void zs_settings_keep_layers(struct zs_policy *policy, char *const envp[]);

/* Shall a host confine the commands of its terminal, and of its agent's tool? May it run a command unconfined, without
 * a question, when the command asks for that? */
bool zs_settings_confine_terminal(const struct zs_settings *settings);
bool zs_settings_confine_tool(const struct zs_settings *settings);
bool zs_settings_allow_unsandboxed(const struct zs_settings *settings);

/* Does the user want a run that hides "@secrets" by default to show them? */
bool zs_settings_show_secrets(const struct zs_settings *settings);

/* Trust */

/* An entry of a project's file that widens, or could widen. `granted`: the user's own settings grant it already. To
 * trust the file is to trust this entry too, for the day when they no longer do. Strings live as long as the settings.
 */
struct zs_widening {
	const char *key;
	const char *value;    /* "true", a path, a name */
	const char *leads_to; /* the real place of a path that goes through links, or NULL */
	unsigned line;
	bool granted;
};

/* Lists the widenings. It resolves the policy without the project's file for that. The settings own the list.
 * *ret_open: the number that is not granted; 0: there is nothing to trust. */
int zs_settings_widenings(struct zs_settings *settings, const struct zs_widening **ret_widenings, size_t *ret_count,
	size_t *ret_open, struct zs_error *error);

/* Does the user trust the project's file? *ret_problem: NULL, or the reason why the trust file cannot be used; nothing
 * is trusted then. */
bool zs_settings_trusted(const struct zs_settings *settings, const struct zs_error **ret_problem);

/* The path of the project's file, its canonical workspace, and the SHA-256 of its bytes in hexadecimal digits; the path
 * of the user's file. NULL: there is none. They live as long as the settings. */
const char *zs_settings_project_file(const struct zs_settings *settings);
const char *zs_settings_project_root(const struct zs_settings *settings);
const char *zs_settings_project_hash(const struct zs_settings *settings);
const char *zs_settings_user_file(const struct zs_settings *settings);

/* Trusts the widenings of this project's file: writes its place and hash into $XDG_STATE_HOME/zs/trust. */
int zs_settings_trust(const struct zs_settings *settings, struct zs_error *error);

/* Ends the trust in a workspace, by its canonical path. *ret_known: was it trusted? */
int zs_trust_revoke(const char *workspace, char *const envp[], bool *ret_known, struct zs_error *error);

/* Calls each(…, arg) for each trusted workspace, with the hash that its file had. Strings live as long as the call. */
typedef void zs_each_trusted(const char *workspace, const char *sha256, void *arg);
int zs_trust_list(char *const envp[], zs_each_trusted *each, void *arg, struct zs_error *error);

/* Remembering an answer */

/* Adds an entry to a list of the user's settings file ("sandbox.write_paths", "sandbox.network_hosts", …). entry NULL:
 * sets a switch ("sandbox.allow_all_hosts") to true. If the file has the key for this system alone ("linux", "macos"),
 * the entry goes there. The rest of the file keeps its text and order. A missing file or folder is made; a link to the
 * file stays a link. An entry that exists is not added again. If the entry would make the file invalid, the file stays
 * as it was, and the call fails. */
int zs_settings_append(char *const envp[], const char *key, const char *entry, struct zs_error *error);

/* Checking and describing */

/* Passes every error of a settings file's text to each(…, arg). workspace: that of a project's file; NULL: the text is
 * of a user's file. 0: there was no error. */
int zs_settings_check(const char *file, const char *workspace, const char *text, size_t len, char *const envp[],
	zs_each_error *each, void *arg);

/* Is this the text of a policy, and not of settings? Its "version" decides, or the file's name where it is no JSON. */
bool zs_is_policy_json(const char *file, const char *text, size_t len);

/* Writes the keys as a JSON Schema (draft 2020-12). *ret_text ends in NUL; free() it. */
int zs_settings_schema(char **ret_text, struct zs_error *error);

/* Looks for secrets in the start files of shells (~/.bashrc, ~/.profile, …) that a command may read by the user's own
 * settings. Passes file, line and name of each to each(…, arg), never the value. Fails if the settings cannot be read.
 */
typedef void zs_each_secret(const char *file, unsigned line, const char *name, void *arg);
int zs_settings_secrets(char *const envp[], zs_each_secret *each, void *arg, struct zs_error *error);

/* The origins of a policy's entries. enumerator, name */
#define ZS_SOURCES(X)                                                                                                  \
	X(PRESET, "preset")                                                                                            \
	X(ENVIRONMENT, "environment")                                                                                  \
	X(USER, "user")                                                                                                \
	X(PROJECT, "project")                                                                                          \
	X(OPTION, "option")                                                                                            \
	X(POLICY, "policy")                                                                                            \
	X(MANAGED, "managed")

#define ZS_ENUM_SOURCE(id, name) ZS_SOURCE_##id,
enum zs_source_kind { ZS_SOURCES(ZS_ENUM_SOURCE) ZS_SOURCE_COUNT };

struct zs_source {
	enum zs_source_kind kind;
	unsigned line;    /* of the origin's file; 0: none */
	const char *task; /* the task that needs the entry, a static string; NULL: none */
};

/* Makes an empty list of sources; zs_sources_free() it. */
int zs_sources_new(struct zs_sources **ret_sources);
void zs_sources_free(struct zs_sources *sources);

/* Notes `source` for each entry of the policy that has no source yet. */
int zs_sources_note(struct zs_sources *sources, const struct zs_policy *policy, struct zs_source source);

/* Passes a policy's entries to each(…, arg) one by one: "write", "/home/me"; "network", "none"; "limits.files", "256".
 * sources may be NULL: then each entry comes from the preset. Strings live as long as the call. */
typedef void zs_each_entry(const char *field, const char *value, struct zs_source source, void *arg);
void zs_policy_each(const struct zs_policy *policy, const struct zs_sources *sources, zs_each_entry *each, void *arg);

/* Rules about commands, for a host that vets them (struct zs_own_rule of zs_shellpolicy.h, which has the same members).
 * enumerator, name */
#define ZS_COMMAND_LISTS(X) X(DENY, "deny") X(ASK, "ask") X(ALLOW, "allow")

#define ZS_ENUM_COMMAND_LIST(id, name) ZS_COMMANDS_##id,
enum zs_command_list { ZS_COMMAND_LISTS(ZS_ENUM_COMMAND_LIST) ZS_COMMAND_LIST_COUNT };

/* Packs: rules that come with zs, each a settings file in settings/packs. enumerator, name, meaning */
#define ZS_PACKS(X)                                                                                                    \
	X(GIT_CAREFUL, "git-careful", "commands of git that lose commits or change what others have")                  \
	X(CLOUD, "cloud", "commands that delete in clouds and clusters; a question before those that change them")     \
	X(DATABASE, "database", "commands that delete databases or all of their data")                                 \
	X(PUBLISH, "publish", "a question before packages, images and releases are published")                         \
	X(SECRETS, "secrets", "commands that print secrets or files that hold them")

#define ZS_ENUM_PACK(id, name, text) ZS_PACK_##id,
enum zs_pack { ZS_PACKS(ZS_ENUM_PACK) ZS_PACK_COUNT };

struct zs_command_rule {
	enum zs_command_list list;
	enum zs_source_kind source;
	const char *pack;              /* the name of its pack, a static string; NULL: none */
	const char *file;              /* the file that holds it; "pack cloud" */
	unsigned line;                 /* of that file */
	bool counts;                   /* false: an allow of a project's file */
	char *match, *command;         /* one of them is NULL */
	char *flags, *unless;          /* joined by blanks, or NULL */
	char *operand, *why, *instead; /* or NULL */
	char **blocks, **passes;       /* examples, up to a NULL; or NULL */
};

/* Lists the rules of the machine's file, the user's and the project's, in this order, each in its file's order; then
 * those of the packs that they name. The settings own the list, which is NULL if it is empty. */
int zs_settings_commands(struct zs_settings *settings, const struct zs_command_rule **ret_rules, size_t *ret_count,
	struct zs_error *error);

/* Managed settings: the machine's own file, /etc/zs/settings.json (on macOS /Library/Application
 * Support/zs/settings.json), whose owner is root. Each call above that makes settings
 * reads it. It grants nothing. A policy keeps no more than a user would get whose own settings were this file, as far
 * as it names that. Call this after the last grant, and before zs_settings_protect(). *ret_left_out: step NULL: nothing
 * was taken away; else the line that says so. sources may be NULL. */
int zs_settings_narrow(const struct zs_settings *settings, struct zs_policy *policy, struct zs_sources *sources,
	struct zs_error *ret_left_out, struct zs_error *error);

/* The path of the managed file; NULL: there is none. Calls each(…) for every entry that it holds. */
const char *zs_settings_managed_file(const struct zs_settings *settings);
void zs_settings_each_managed(const struct zs_settings *settings, zs_each_entry *each, void *arg);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
