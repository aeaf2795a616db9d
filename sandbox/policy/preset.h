/* The parts of the presets. */
#ifndef ZS_SANDBOX_PRESET_H
#define ZS_SANDBOX_PRESET_H

#include <stdint.h>

#include "zs_sandbox.h"

struct zs_preset_tree {
	const char *path;
	enum zs_access access;
	bool scratch;   /* for temporary files */
	bool essential; /* nothing runs without it, so it is granted even if HOME lies in it (daemon's is /usr/sbin) */
};

/* A folder that a variable names, or that lies in HOME if the variable is not set, and a name in the folder. The
 * members are arrays, since each start of a position-independent program would have to relocate pointers. */
struct zs_preset_home {
	char variable[24];     /* "": none; a list of folders separated by colons */
	char fallback[32];     /* below HOME; "": the row counts only if the variable is set */
	char name[24];         /* in the folder; "": the folder itself */
	enum zs_access access; /* LAYER: written, and a task that names the tool gives the cache a layer */
	char tool[10]; /* zs_policy_make_caches() makes a missing cache of this program, if it is installed; "": none */
};

/* Each ends with an empty row or with NULL. */
extern const struct zs_preset_tree zs_preset_trees_linux[];
extern const struct zs_preset_tree zs_preset_trees_macos[];
extern const struct zs_preset_home zs_preset_homes[];
extern const struct zs_preset_home zs_preset_homes_macos[];
extern const char *const zs_preset_records[];     /* trees to read; root reads only the files that everybody may read */
extern const char *const zs_preset_authorities[]; /* variables that name files or folders of certificates */
extern const char *const zs_preset_env[];
extern const char *const zs_preset_unwritable[];
extern const char *const zs_preset_unreadable[];
extern const char *const zs_preset_open[];
extern const char *const zs_preset_credentials[];

/* Tasks (task.c) */

enum {
	ZS_TASK_KIB_MAX = 64, /* of a file of configuration; the workspace's is read so far */
	ZS_TASK_TOLD_MAX = 4, /* hosts of the workspace's configuration that have a line */
};

enum zs_fact {
	ZS_FACT_HOST,               /* name: the tool's default; replaces: a registry of the user's own replaces it */
	ZS_FACT_REGISTRY_VARIABLE,  /* variable: its value names registries; replaces: they replace the default */
	ZS_FACT_REGISTRY_FILE,      /* a place: the user's configuration, in which the key names registries; replaces */
	ZS_FACT_CACHE_FILE,         /* a place: the user's configuration, in which the key names the tool's cache */
	ZS_FACT_LAYER_FILE,         /* the same of a cache that has a layer */
	ZS_FACT_WORKSPACE_REGISTRY, /* name: the same in the workspace */
	ZS_FACT_MARK,               /* name: a file of the workspace by which "auto" finds the task */
	ZS_FACT_VARIABLE,           /* variable: it passes */
	ZS_FACT_READ,               /* a place */
	ZS_FACT_SOCKET,             /* a place */
	ZS_FACT_GIT,                /* commits can be made */
	ZS_FACT_DEVICE,             /* a place in /dev, to write; its last name may be a pattern */
	ZS_FACT_DESCRIPTION, /* the same in /sys: the folders of devices to which the key's links lead, to read */
	ZS_FACT_HIDDEN,      /* a place that no grant opens */
};

/* A place is what the variable names, or lies below HOME if the variable is not set, and has the name in it; as in
 * struct zs_preset_home. A fallback that begins with "/" is a path. */
/* The files that "@secrets" stands for. words: their content has one of these, with spaces between; "": any content. */
struct zs_secret_file {
	const char *pattern, *words;
};
extern const struct zs_secret_file zs_secret_files[];
/* Names that are no secrets, and folders whose files come from a public registry. Each ends with NULL. */
extern const char *const zs_secret_exceptions[], *const zs_secret_folders[];

struct zs_task_row {
	uint16_t tasks; /* bits 1 << ZS_TASK_… */
	uint8_t fact;   /* enum zs_fact */
	bool replaces;
	char variable[28], fallback[32], name[28], key[20];
};

/* Ends with a row of no task. */
extern const struct zs_task_row zs_task_rows[];

/* Returns the name of the first task that has this host by default, whatever the port; NULL: none has. Pure. */
const char *zs_task_of_host(const char *host);

/* The tables of this system: linux/preset.c and its counterparts. homes_here is added to zs_preset_homes, which is the
 * same on all systems. */
extern const struct zs_preset_tree *const zs_preset_trees;
extern const struct zs_preset_home *const zs_preset_homes_here;

/* Promises that the presets do not ask for, since no machine of this system can keep them: bits 1 << ZS_PROMISE_…,
 * waived openly in the policy. A policy that a caller builds itself waives only what it names. */
#define ZS_PRESET_WITHOUT_MACOS                                                                                        \
	(1u << ZS_PROMISE_PRIVATE_TMP | 1u << ZS_PROMISE_LOOPBACK | 1u << ZS_PROMISE_PROCESSES |                       \
		1u << ZS_PROMISE_PRIVILEGES)
extern const uint32_t zs_preset_without;

/* Adds the entries of the lists and the machine's defaults to a policy that no preset has made. The policy keeps a
 * preset's promises from then on. */
int zs_policy_use_lists(
	struct zs_policy *policy, char *const envp[], const struct zs_path_lists *lists, struct zs_error *error);

/* Finds the account's own home, which has the keys that sshd and gpg use: HOME may be unset or wrong. -ENOMEM; 0 also
 * if the account is in no list. */
int zs_policy_find_account_home(struct zs_policy *policy);

/* Adds an executable file as a program with its libraries, and a folder as a tree of programs. A missing path is
 * skipped, as in every grant. */
int zs_policy_add_program(struct zs_policy *policy, const char *path, struct zs_error *error);

/* Finds the git directory that a folder's file .git names; free() it. -ENOENT: the file names none. */
int zs_git_dir(const char *folder, char **ret_git_dir);

/* Finds the git directory that a linked worktree shares with its repository, or that of a submodule, which lies in the
 * git directory of its superproject; free() it. -ENOENT: `workspace` is neither, or its .git file cannot be trusted. */
int zs_git_common_dir(const char *workspace, char **ret_folder);

/* Finds the repository around a folder that is none itself: its top folder, and its git directory; free() both.
 * -ENOENT: there is none that git obeys. */
int zs_git_around(const char *folder, char **ret_top, char **ret_git_dir);

#endif
