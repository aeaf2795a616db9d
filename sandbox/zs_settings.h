/* zs_settings.h: what a user and a project have written down about the sandbox, and the policy that comes of it.
 *
 *	struct zs_settings *settings;
 *	struct zs_policy *policy;
 *
 *	if (zs_settings_load("/home/me/project", environ, &settings, &error) < 0 ||
 *	    zs_settings_policy(settings, ZS_WORKSPACE_WRITE, NULL, &policy, NULL, &error) < 0 ||
 *	    zs_settings_protect(policy, environ, &error) < 0)
 *		… zs_error_format(&error, line, sizeof line) …
 *	zs_settings_free(settings);
 *
 * The user's file is $XDG_CONFIG_HOME/zs/settings.json (~/.config/zs; on macOS ~/Library/Application Support/zs), a
 * project's is .zs/settings.json in its workspace. docs/settings.md lists their keys.
 *
 * A project's file comes with the repository, so it is not trusted: what narrows counts at once, what widens once the
 * user has trusted these very bytes in this very place (zs_settings_trust()). Every file is read once: what was judged,
 * hashed and shown is what counts.
 *
 * Errors, threads and ownership are as in zs_sandbox.h. These functions read the file system where envp says; only
 * those of trust and zs_settings_append() write, each by an atomic rename under a lock.
 */
#ifndef ZS_SETTINGS_H
#define ZS_SETTINGS_H

#include "zs_sandbox.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Limits; each is an error that says so. */
enum {
	ZS_SETTINGS_BYTES_MAX = 64 * 1024,
	ZS_SETTINGS_ENTRIES_MAX = 1024, /* of one file, list entries each for itself */
	ZS_TRUST_BYTES_MAX = 1024 * 1024,
	ZS_START_FILE_BYTES_MAX = 1024 * 1024, /* beyond that nobody looks for secrets */
};

struct zs_settings;

/* Reads both files; one that does not exist says nothing. envp is kept, and must outlive the settings. Errors: a file
 * that cannot be read, or not as it should be: a link or pipe where a project's file is expected, somebody else's where
 * the user's is, and all that the reader refuses. workspace: an absolute path. */
int zs_settings_load(
	const char *workspace, char *const envp[], struct zs_settings **ret_settings, struct zs_error *error);

/* The user's alone. */
int zs_settings_load_user(
	const char *workspace, char *const envp[], struct zs_settings **ret_settings, struct zs_error *error);

/* As though neither file were there. */
int zs_settings_none(
	const char *workspace, char *const envp[], struct zs_settings **ret_settings, struct zs_error *error);

/* The same with this file, whatever its name, as the user's, and no project's. */
int zs_settings_of_file(const char *workspace, const char *file, char *const envp[], struct zs_settings **ret_settings,
	struct zs_error *error);

void zs_settings_free(struct zs_settings *settings);

/* The policy: zs_policy_preset() with what the settings say. A list that is not NULL replaces what the settings say of
 * that kind. sources: may be NULL; else it gets the source of each entry, until zs_sources_free(). */
struct zs_sources;
int zs_settings_policy(struct zs_settings *settings, enum zs_workspace access, const struct zs_path_lists *lists,
	struct zs_policy **ret_policy, struct zs_sources **ret_sources, struct zs_error *error);

/* Protects the folders in which settings and trust are kept, as far as the policy lets them be written: no other call
 * does. Last of all: what is granted afterwards is not known here. */
int zs_settings_protect(struct zs_policy *policy, char *const envp[], struct zs_error *error);

/* Makes the private folder in which runs with this policy keep their journals, where it is missing:
 * $XDG_STATE_HOME/zs/journal, or else the folder of approvals. Runs use a folder that variables name and do not make
 * it, since a host may take a command's variables from a model. Without one a run says that it keeps no journal. */
void zs_settings_make_journal(const struct zs_policy *policy, char *const envp[]);

/* Is a host to confine the commands of its terminal, of its agent's tool? May it run one unconfined that asks for it?
 */
bool zs_settings_confine_terminal(const struct zs_settings *settings);
bool zs_settings_confine_tool(const struct zs_settings *settings);
bool zs_settings_allow_unsandboxed(const struct zs_settings *settings);

/* Trust */

/* An entry of a project's file that would widen, or could: `granted` means that the user's own settings grant it
 * already. One who trusts the file trusts all of it, also for the day when they no longer do. Strings live as long as
 * the settings. */
struct zs_widening {
	const char *key;
	const char *value;    /* "true", a path, a name */
	const char *leads_to; /* NULL, or where a path really is, by links */
	unsigned line;
	bool granted;
};

/* Judges them, which resolves the policy without the project's file. *ret_open: those that are not granted; 0: there is
 * nothing to trust. */
int zs_settings_widenings(struct zs_settings *settings, const struct zs_widening **ret_widenings, size_t *ret_count,
	size_t *ret_open, struct zs_error *error);

/* Are they trusted? *ret_problem: NULL, or why the list of what is trusted cannot be used; nothing is trusted then. */
bool zs_settings_trusted(const struct zs_settings *settings, const struct zs_error **ret_problem);

/* The project's file, its canonical workspace, and its bytes' SHA-256 in hexadecimal digits; NULL: it has none. */
const char *zs_settings_project_file(const struct zs_settings *settings);
const char *zs_settings_project_root(const struct zs_settings *settings);
const char *zs_settings_project_hash(const struct zs_settings *settings);
const char *zs_settings_user_file(const struct zs_settings *settings);

/* Remembers that the widenings of this project's file are trusted, in $XDG_STATE_HOME/zs/trust. */
int zs_settings_trust(const struct zs_settings *settings, struct zs_error *error);

/* Forgets a workspace, by its canonical path. *ret_known: was it there? */
int zs_trust_revoke(const char *workspace, char *const envp[], bool *ret_known, struct zs_error *error);

/* Tells of each workspace that is trusted, and of the hash that its file had. */
typedef void zs_each_trusted(const char *workspace, const char *sha256, void *arg);
int zs_trust_list(char *const envp[], zs_each_trusted *each, void *arg, struct zs_error *error);

/* Remembering an answer */

/* Adds an entry to a list of the user's settings file ("sandbox.write_paths", "sandbox.network_hosts", …); entry NULL:
 * sets a switch ("sandbox.allow_all_hosts") to true. Where the file has the key for this system alone, it is that one
 * which grows. The rest of the file keeps its text and order; file and folder are made where they are missing, and a
 * link to the file stays one. An entry that is there already is not added again. The file must stay valid with the
 * entry, or it stays as it was. */
int zs_settings_append(char *const envp[], const char *key, const char *entry, struct zs_error *error);

/* Checking and describing */

/* Tells of every error of a settings file's text. workspace: of a project's file; NULL: of a user's. 0: there was none.
 */
int zs_settings_check(const char *file, const char *workspace, const char *text, size_t len, char *const envp[],
	zs_each_error *each, void *arg);

/* Is it a policy's file, and none of settings? By its "version", or where it is no JSON, by the file's name. */
bool zs_is_policy_json(const char *file, const char *text, size_t len);

/* The keys as a JSON Schema (draft 2020-12). *ret_text is NUL-terminated; free() it. */
int zs_settings_schema(char **ret_text, struct zs_error *error);

/* Tells of what looks like a secret in the start files of shells (~/.bashrc, ~/.profile, …) that a command may read by
 * the user's own settings: file, line and name, never the value. An error: the settings cannot be read. */
typedef void zs_each_secret(const char *file, unsigned line, const char *name, void *arg);
int zs_settings_secrets(char *const envp[], zs_each_secret *each, void *arg, struct zs_error *error);

/* Where an entry of a policy comes from. */
#define ZS_SOURCES(X)                                                                                                  \
	X(PRESET, "preset")                                                                                            \
	X(ENVIRONMENT, "environment")                                                                                  \
	X(USER, "user")                                                                                                \
	X(PROJECT, "project")                                                                                          \
	X(OPTION, "option")                                                                                            \
	X(POLICY, "policy")

#define ZS_ENUM_SOURCE(id, name) ZS_SOURCE_##id,
enum zs_source_kind { ZS_SOURCES(ZS_ENUM_SOURCE) ZS_SOURCE_COUNT };

struct zs_source {
	enum zs_source_kind kind;
	unsigned line; /* of a file */
};

int zs_sources_new(struct zs_sources **ret_sources);
void zs_sources_free(struct zs_sources *sources);

/* Grants of the policy that the sources do not know of yet come from here. */
int zs_sources_note(struct zs_sources *sources, const struct zs_policy *policy, struct zs_source source);

/* A policy's entries one by one: "write", "/home/me"; "network", "none"; "limits.files", "256". sources may be NULL:
 * then each comes from the preset. */
typedef void zs_each_entry(const char *field, const char *value, struct zs_source source, void *arg);
void zs_policy_each(const struct zs_policy *policy, const struct zs_sources *sources, zs_each_entry *each, void *arg);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
