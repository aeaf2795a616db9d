/* All keys of settings.json. The code that reads, merges, describes and documents them is made from this list. Pure. */
#ifndef ZS_SANDBOX_SETTINGS_KEYS_H
#define ZS_SANDBOX_SETTINGS_KEYS_H

#include <stdbool.h>

#include "zs_settings.h"

/* The types of a key's value. Each value may also be null, which is the same as leaving the key out. */
enum zs_setting_type {
	ZS_SETTING_BOOL,
	ZS_SETTING_SHELLS, /* a name of ZS_SHELLS */
	ZS_SETTING_CACHES, /* a name of ZS_CACHESES */
	ZS_SETTING_PATHS,
	ZS_SETTING_HOSTS,
	ZS_SETTING_TASKS, /* names of ZS_TASKS */
	ZS_SETTING_VARIABLES,
	ZS_SETTING_PACKS, /* names of ZS_PACKS */
	ZS_SETTING_RULES, /* struct zs_command_rule */
	ZS_SETTING_LIMIT,
};

/* The rules for merging a key with the project's file, which comes with the repository. */
#define ZS_MERGES(X)                                                                                                   \
	X(GUARD, "true counts at once; false is refused in a project's file")                                          \
	X(LICENCE, "false counts at once; true is refused in a project's file")                                        \
	X(UNION, "what either file names is confined")                                                                 \
	X(SWITCH, "false counts at once, true once the file is trusted")                                               \
	X(REPLACE,                                                                                                     \
		"replaces the user's; entries that the user's settings do not grant count once the file is trusted")   \
	X(ADD, "adds to the user's; entries that the user's settings do not grant count once the file is trusted")     \
	X(TAKE, "adds to the user's at once; only paths in the workspace")                                             \
	X(MORE, "adds to the user's at once")                                                                          \
	X(OWN, "left out: only the user's own file can allow")                                                         \
	X(LEAST, "the stricter of the two counts")

#define ZS_ENUM_MERGE(id, text) ZS_MERGE_##id,
enum zs_merge { ZS_MERGES(ZS_ENUM_MERGE) ZS_MERGE_COUNT };

/* id, name, type, merge, access of paths, description */
#define ZS_SETTING_KEYS(X)                                                                                             \
	X(ENABLED, "sandbox.enabled", BOOL, GUARD, NONE,                                                               \
		"whether a host of zs confines its commands (default: true). 'zs run' and 'zs bash' always do")        \
	X(APPLY_TO, "sandbox.apply_to", SHELLS, UNION, NONE,                                                           \
		"which of a host's shells are confined: its terminal, its agent's tool, both (the default) or "        \
		"neither. 'zs run' and 'zs bash' always are")                                                          \
	X(SYSTEM_EXECUTABLE, "sandbox.system_paths.executable", PATHS, REPLACE, EXEC,                                  \
		"read and run; null, or absent: the machine's own such paths; []: none of them")                       \
	X(SYSTEM_READ_ONLY, "sandbox.system_paths.read_only", PATHS, REPLACE, READ,                                    \
		"read; null, or absent: the machine's own such paths; []: none of them")                               \
	X(SYSTEM_READ_WRITE, "sandbox.system_paths.read_write", PATHS, REPLACE, WRITE,                                 \
		"read and write; null, or absent: the machine's own such paths; []: none of them")                     \
	X(MORE_EXECUTABLE, "sandbox.additional_executable_paths", PATHS, ADD, EXEC,                                    \
		"more to read and run; a file is a program, which is granted with the libraries that it loads")        \
	X(MORE_READ_ONLY, "sandbox.additional_read_only_paths", PATHS, ADD, READ, "more to read")                      \
	X(MORE_READ_WRITE, "sandbox.additional_read_write_paths", PATHS, ADD, WRITE, "more to read and write")         \
	X(ALLOW_NETWORK, "sandbox.allow_network", BOOL, SWITCH, NONE,                                                  \
		"true: the machine's network; false: none, whatever the other keys say; absent: what they say")        \
	X(NETWORK_HOSTS, "sandbox.network_hosts", HOSTS, ADD, NONE,                                                    \
		"the hosts that can be reached: a name, \"*.\" and a name for all below it, or an address; each with " \
		":PORT or without; or \"@\" and a task, for its hosts")                                                \
	X(FOR, "sandbox.for", TASKS, ADD, NONE,                                                                        \
		"the tasks whose needs are granted: hosts, variables, files, sockets; as 'zs run --for' does")         \
	X(ALLOW_ALL_HOSTS, "sandbox.allow_all_hosts", BOOL, SWITCH, NONE,                                              \
		"true: any host, which is the machine's network")                                                      \
	X(ALLOW_GIT_ACCESS, "sandbox.allow_git_access", BOOL, SWITCH, NONE,                                            \
		"true: commits can be made; git's hooks and configuration stay protected")                             \
	X(WRITE_PATHS, "sandbox.write_paths", PATHS, ADD, WRITE,                                                       \
		"more to read and write: where an approval that is to last is kept")                                   \
	X(ALLOW_FS_WRITE_ALL, "sandbox.allow_fs_write_all", BOOL, SWITCH, NONE,                                        \
		"true: everything that the user can write, the home folder with its keys included")                    \
	X(ALLOW_UNSANDBOXED, "sandbox.allow_unsandboxed", BOOL, LICENCE, NONE,                                         \
		"true: a host need not ask before it runs a command unconfined that asks for that. "                   \
		"'zs run --ask --want-unsandboxed' is such a host; else 'zs run' and 'zs bash' never do")              \
	X(ALLOWED_ENV, "sandbox.allowed_env_vars", VARIABLES, REPLACE, NONE,                                           \
		"variables that pass, NAME or a start of names and \"*\"; null, or absent: those that are known to "   \
		"be harmless; []: none")                                                                               \
	X(MORE_ENV, "sandbox.additional_env_vars", VARIABLES, ADD, NONE, "more variables that pass")                   \
	X(PROTECT, "sandbox.protect", PATHS, TAKE, PROTECT, "paths that are read-only inside a writable tree")         \
	X(HIDE, "sandbox.hide", PATHS, TAKE, HIDE, "paths that are hidden inside a readable tree")                     \
	X(SHOW_SECRETS, "sandbox.show_secrets", BOOL, LICENCE, NONE,                                                   \
		"true: runs that hide \"@secrets\" by default, or by --secrets hide, show them; see Patterns")         \
	X(DENY, "commands.deny", RULES, MORE, NONE, "rules of commands that are blocked")                              \
	X(ASK, "commands.ask", RULES, MORE, NONE, "rules of commands to which a person must agree")                    \
	X(ALLOW, "commands.allow", RULES, OWN, NONE, "rules of commands that pass although the profile blocks them")   \
	X(PACKS, "packs", PACKS, MORE, NONE,                                                                           \
		"rules that come with zs: git-careful, cloud, database, publish, secrets")                             \
	X(CACHES, "sandbox.caches", CACHES, LEAST, NONE,                                                               \
		"the caches of tools. private: what a command writes there, only later commands of the same "          \
		"workspace see; shared: all do; auto: private where this machine can have that; tasks (the default): " \
		"auto for the caches of a named task, shared for the others")                                          \
	X(WALL, "sandbox.limits.wall_seconds", LIMIT, LEAST, NONE, "how long the run may last")                        \
	X(CPU, "sandbox.limits.cpu_seconds", LIMIT, LEAST, NONE, "processor time")                                     \
	X(MEMORY, "sandbox.limits.memory_bytes", LIMIT, LEAST, NONE, "memory in use")                                  \
	X(PROCESSES, "sandbox.limits.processes", LIMIT, LEAST, NONE, "processes and threads at a time")                \
	X(FILES, "sandbox.limits.open_files", LIMIT, LEAST, NONE, "open descriptors, of each process")                 \
	X(FILE_SIZE, "sandbox.limits.file_bytes", LIMIT, LEAST, NONE, "how far a file can be written")                 \
	X(TMP, "sandbox.limits.tmp_bytes", LIMIT, LEAST, NONE,                                                         \
		"the private /tmp, and the layer of a dry run; above 2 GiB, which the user's own file can set, they "  \
		"lie in /var/tmp")

#define ZS_ENUM_SETTING(id, name, type, merge, access, text) ZS_SETTING_KEY_##id,
enum zs_setting_id { ZS_SETTING_KEYS(ZS_ENUM_SETTING) ZS_SETTING_KEY_COUNT };

struct zs_setting_key {
	const char *name;
	enum zs_setting_type type;
	enum zs_merge merge;
	enum zs_access access; /* of paths */
	enum zs_limit limit;   /* of limits */
	const char *text;
};

extern const struct zs_setting_key zs_setting_keys[ZS_SETTING_KEY_COUNT];
extern const char *const zs_merge_texts[ZS_MERGE_COUNT];

/* The shells that a host confines: a bit each. */
#define ZS_SHELLS(X) X(NEITHER, "neither", 0) X(TERMINAL, "terminal", 1) X(TOOL, "tool", 2) X(BOTH, "both", 3)

#define ZS_ENUM_SHELL(id, name, bits) ZS_SHELL_##id = bits,
enum zs_shells { ZS_SHELLS(ZS_ENUM_SHELL) };

/* The names, indexed by value; NULL-terminated. NULL: a key of this type has no such list. */
const char *const *zs_setting_names(enum zs_setting_type type);

/* Finds a pack by its name. False: there is none. */
bool zs_pack_find(const char *name, enum zs_pack *ret_pack);
extern const char *const zs_pack_names[ZS_PACK_COUNT];

/* The systems that a part of a file can be for. */
enum zs_platform { ZS_PLATFORM_ANY, ZS_PLATFORM_LINUX, ZS_PLATFORM_MACOS, ZS_PLATFORM_COUNT };
extern const char *const zs_platform_names[ZS_PLATFORM_COUNT]; /* of the first: NULL */

#endif
