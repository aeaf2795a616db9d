/* The parts of the presets. */
#ifndef ZS_SANDBOX_PRESET_H
#define ZS_SANDBOX_PRESET_H

#include <stdint.h>

#include "zs_sandbox.h"

struct zs_preset_tree {
	const char *path;
	enum zs_access access;
	bool scratch;   /* for temporary files */
	bool essential; /* nothing runs without it: granted even when HOME lies in it (daemon's is /usr/sbin) */
};

/* A folder that a variable names, or that lies in HOME where the variable is not set, and a name in it. Arrays, since
 * pointers would be relocated by every start of a position-independent program. */
struct zs_preset_home {
	char variable[24]; /* "": none; a list of folders separated by colons */
	char fallback[32]; /* below HOME; "": only when the variable is set */
	char name[24];     /* in it; "": the folder itself */
	enum zs_access access;
};

/* Each ends with an empty row, or NULL. */
extern const struct zs_preset_tree zs_preset_trees_linux[];
extern const struct zs_preset_tree zs_preset_trees_macos[];
extern const struct zs_preset_home zs_preset_homes[];
extern const struct zs_preset_home zs_preset_homes_macos[];
extern const char *const zs_preset_env[];
extern const char *const zs_preset_unwritable[];
extern const char *const zs_preset_unreadable[];
extern const char *const zs_preset_open[];
extern const char *const zs_preset_credentials[];

/* Those of this system: linux/preset.c and its like. homes_here come beside zs_preset_homes, which are the same
 * everywhere. */
extern const struct zs_preset_tree *const zs_preset_trees;
extern const struct zs_preset_home *const zs_preset_homes_here;

/* Promises that the presets do not ask for, since no machine of this system can keep them: bits 1 << ZS_PROMISE_…,
 * waived in the policy, where it can be read. A policy of the caller's own gives up nothing unless it says so. */
#define ZS_PRESET_WITHOUT_MACOS                                                                                        \
	(1u << ZS_PROMISE_PRIVATE_TMP | 1u << ZS_PROMISE_LOOPBACK | 1u << ZS_PROMISE_PROCESSES |                       \
		1u << ZS_PROMISE_PRIVILEGES)
extern const uint32_t zs_preset_without;

/* Adds what the lists say, and the machine's defaults, to a policy that is none of a preset's, and keeps its promises
 * from now on. */
int zs_policy_use_lists(
	struct zs_policy *policy, char *const envp[], const struct zs_path_lists *lists, struct zs_error *error);

/* HOME may be unset, or set to anything; the account has a home as well, with the keys that sshd and gpg use. -ENOMEM,
 * or 0 also when the account is in no list. */
int zs_policy_find_account_home(struct zs_policy *policy);

/* A file that may be run is a program, with what it loads; anything else is a tree of programs. A missing file is
 * skipped, as every grant. */
int zs_policy_add_program(struct zs_policy *policy, const char *path, struct zs_error *error);

/* The git directory that a folder's file .git names; free() it. -ENOENT: it names none. */
int zs_git_dir(const char *folder, char **ret_git_dir);

/* The git directory that a linked worktree shares with its repository, or that of a submodule, which lies in the one of
 * its superproject; free() it. -ENOENT when `workspace` is neither, or when what its .git file says cannot be trusted.
 */
int zs_git_common_dir(const char *workspace, char **ret_folder);

#endif
