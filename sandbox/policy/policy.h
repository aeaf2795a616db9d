/* The policy as a value. Only policy.c changes one; the backends read it. */
#ifndef ZS_SANDBOX_POLICY_H
#define ZS_SANDBOX_POLICY_H

#include "policy/approved_place.h"
#include "zs_sandbox.h"

struct zs_strings {
	char **items;
	size_t count;
	size_t lent; /* this many items, the first ones, are constants */
};

/* The origin of a wish for a grant. If there are two wishes for the same, the first of these counts. */
enum zs_origin {
	ZS_ORIGIN_SPELLED,   /* the caller's or the user's own: if it cannot be granted, that is an error */
	ZS_ORIGIN_ESSENTIAL, /* a preset's; nothing runs without it */
	ZS_ORIGIN_PRESET,    /* a preset's: left out where it would break a promise */
	ZS_ORIGIN_VARIABLE,  /* the same, for a path that an environment variable names */
};

struct zs_grant {
	char *path;
	size_t len;    /* of path, to compare quickly: a preset has a hundred similar paths */
	uint32_t hash; /* of path, for the same: patterns may match thousands of paths of one length */
	enum zs_access access;
	enum zs_origin origin;
	bool repository;  /* a preset's, of the workspace's repository */
	bool system;      /* of the user's list that stands in for a preset's programs and configuration */
	bool public;      /* only the files in it that everybody may read, since root owns the others */
	bool scratch;     /* a preset's folder for temporary files; left out where the policy asks for private ones */
	const char *tool; /* of a preset's cache, which zs_policy_make_caches() makes; NULL: of no other grant */
	bool adds;        /* of a tool's cache: a task that names the tool gives it a layer (ZS_CACHES_TASKS) */
	bool kept;        /* the same: an earlier run of the workspace has given it one */
	bool firm;        /* of PROTECT and HIDE: the machine's own; no grant inside it counts */
	bool judged;      /* path was real when it was checked, so it must not be a link when it is resolved */
	struct zs_approved_place approved; /* only this very place is granted */
};

/* A PROTECT or HIDE for the files of the workspace that match; see pattern.c. */
struct zs_pattern {
	char *text; /* absolute, or relative to the workspace */
	enum zs_access access;
	bool firm;
};

/* A symbolic link by which programs reach a resolved policy's paths: /bin → usr/bin. */
struct zs_link {
	char *path, *target;
};

/* 0: no limit. */
#define ZS_FIELD_LIMIT(id, name, word, unit, text) uint64_t name;
struct zs_limits {
	ZS_LIMITS(ZS_FIELD_LIMIT)
};

/* XDG_CONFIG_HOME, GIT_CONFIG_GLOBAL, GIT_CONFIG_SYSTEM */
enum { ZS_GIT_CONFIG_HOME, ZS_GIT_GLOBAL, ZS_GIT_SYSTEM, ZS_GIT_VARIABLES };

struct zs_policy {
	char *home;                        /* what "~" stands for; NULL without HOME */
	char *git_files[ZS_GIT_VARIABLES]; /* where git's own configuration is; NULL: not set */
	struct zs_strings git_env;         /* NAME=value: the variables that name what git runs; zs_git_names_env() */
	bool preset;        /* made by zs_policy_default() or zs_policy_verify(), and bound by their promises */
	char *account_home; /* of a preset: the user's home in the system's own list; NULL without one */
	char *workspace;
	enum zs_workspace workspace_access;
	char *root;     /* the folder that the command sees as "/"; NULL: the grants alone make "/" */
	bool root_user; /* the command is uid 0 there */
	bool users;     /* and that root has other users */
	char *image;    /* the digest of the image that was unpacked there, as "sha256:…"; NULL: none */
	char *git_base; /* the folder that the command sees as the workspace's .git; NULL: the real one */
	struct zs_grant *grants;
	size_t grant_count;
	size_t matches; /* of a resolved policy: grants of what patterns match, which have room of their own */
	struct zs_pattern *patterns; /* not of a resolved policy, which has the files */
	size_t pattern_count;
	struct zs_strings former; /* of a preset: its default write trees that this policy's lists take away */
	struct zs_link *links;
	size_t link_count;
	enum zs_network network;
	struct zs_strings hosts;
	struct zs_strings env_pass; /* names and prefixes */
	struct zs_strings env_set;  /* NAME=value, each name once */
	size_t env_bytes;
	enum zs_tmp tmp;
	enum zs_caches caches;
	enum zs_git git;
	bool git_firm; /* no write grant lifts the protection of git and of what agents obey */
	struct zs_strings sockets;
	uint32_t tasks; /* bits 1 << ZS_TASK_… that were added */
	struct zs_limits limits;
	uint32_t without;      /* a bit 1 << ZS_PROMISE_… for each that is waived */
	enum zs_tier tier;     /* of a resolved policy */
	zs_each_error *notice; /* called for what was not searched; NULL: never */
	void *notice_arg;
	struct zs_error *secrets;  /* of a resolved policy: the line about files that "@secrets" hides; NULL: none */
	struct zs_error *left_out; /* of a resolved policy: see left_out.c; NULL: nothing */
	bool untried;              /* nobody has probed the machine, so a stage that fails does; see zs_exec() */
};

/* git_worktree.c. The folder that git_base replaces; free() it. NULL: memory has run out. */
char *zs_policy_git_folder(const struct zs_policy *policy);
int zs_git_folder_check(const char *folder, struct zs_error *error);

/* 0: there is no such limit. */
uint64_t zs_policy_limit(const struct zs_policy *policy, enum zs_limit limit);
/* The limit "tmp", or ZS_POLICY_TMP_BYTES without one. */
uint64_t zs_policy_tmp_bytes(const struct zs_policy *policy);
/* As --limit reads it, in the largest unit that needs no fraction: "2m", "512M". */
void zs_bytes_text(uint64_t bytes, char *text, size_t size);
void zs_limit_text(enum zs_limit limit, uint64_t value, char *text, size_t size);
void zs_policy_limit_text(const struct zs_policy *policy, enum zs_limit limit, char *text, size_t size);

bool zs_policy_gives_up(const struct zs_policy *policy, enum zs_promise promise);

/* Takes one entry out. */
void zs_policy_drop_grant(struct zs_policy *policy, size_t index);
void zs_strings_drop(struct zs_strings *strings, size_t index);

/* Does a policy let the command reach every host of this entry? */
bool zs_policy_covers_host(const struct zs_policy *policy, const char *host);

/* Adds a tree that is not granted, but that commands of other runs may write. */
int zs_policy_add_former(struct zs_policy *policy, const char *path, struct zs_error *error);

/* Forgets the grants after the first `count`. */
void zs_policy_cut_grants(struct zs_policy *policy, size_t count);

/* The places where a command of a policy can write, looked up once for several questions: most trees of a preset are
 * missing, and it takes a system call to find that out. */
struct zs_written {
	struct zs_identity *trees;
	size_t count;
};

/* zs_written_free() *ret_written. */
int zs_written_find(const struct zs_policy *policy, struct zs_written *ret_written);
void zs_written_free(struct zs_written *written);

/* Can a command write this path, wherever it really is? */
bool zs_written_holds(const struct zs_written *written, const char *path);

/* Refuses a path that leads through a link which the command could replace, or through a link that leads nowhere.
 * stage: the error's step. */
int zs_written_check_way(const struct zs_written *written, const char *stage, const char *path, struct zs_error *error);

/* The same for one question. When out of memory, the answer is that the command can write. */
bool zs_policy_can_write(const struct zs_policy *policy, const char *path);
int zs_policy_check_way(const struct zs_policy *policy, const char *stage, const char *path, struct zs_error *error);

/* Does a grant between a tree and a path in it take this access away? All paths are real, as in a resolved policy. */
bool zs_policy_takes_between(
	const struct zs_policy *resolved, const char *path, const char *tree, enum zs_access access);

/* Does a resolved policy give this access to a real path, as to all of a tree that holds the path? */
bool zs_policy_gives(const struct zs_policy *resolved, const char *real, enum zs_access access);

/* The access with which a grant counts: a tool's cache may have a layer. */
enum zs_access zs_policy_access(const struct zs_policy *policy, const struct zs_grant *grant);

/* Has a grant of the policy a layer? */
bool zs_policy_has_layers(const struct zs_policy *policy);

/* Do layers give way where the machine has none? */
bool zs_policy_prefers_layers(const struct zs_policy *policy);

/* The folder of the layers, in $XDG_STATE_HOME/zs. It has a folder for each workspace, and that one for each cache,
 * named by the hash (base/sha256.h) of its real path. */
#define ZS_CACHE_LAYERS "caches"

/* Gives up the layers of a resolved policy that prefers them: the caches are shared. */
void zs_policy_share_caches(struct zs_policy *resolved);

/* Notes the digest of the root's image, 64 hexadecimal digits of SHA-256, with "sha256:" before them or not. */
int zs_policy_set_image(struct zs_policy *policy, const char *digest, struct zs_error *error);

/* Does a grant not count, since the policy has a /tmp of its own, or another root? Programs and configuration are that
 * root's own there. A preset still grants the kernel's folders and the workspace's repository. */
bool zs_policy_leaves_out(const struct zs_policy *policy, const struct zs_grant *grant);

/* The access that the workspace is granted with. */
enum zs_access zs_policy_workspace_grant(const struct zs_policy *policy);

/* Makes the grants from index `from` on public. */
void zs_policy_mark_public(struct zs_policy *policy, size_t from);

/* Makes them those of a list that stands in for a preset's programs and configuration. */
void zs_policy_mark_system(struct zs_policy *policy, size_t from);

/* Works as zs_policy_add_path(). judged: path is a real path whose content has been checked. */
int zs_policy_add_grant(struct zs_policy *policy, const char *path, enum zs_access access, enum zs_origin origin,
	bool judged, struct zs_error *error);

/* The same for a path that zs_path_normalize() has made. */
int zs_policy_add_normal(struct zs_policy *policy, const char *normal, enum zs_access access, enum zs_origin origin,
	struct zs_error *error);

/* Adds a spelled grant to write a real path, for this very place. If another file takes its path before the run begins,
 * the run fails. */
int zs_policy_add_approved(
	struct zs_policy *policy, const char *real, const struct zs_approved_place *place, struct zs_error *error);

/* Binds a grant that the policy already has, by its canonical path, to a place. False: the policy has no such grant. */
bool zs_policy_approve(
	struct zs_policy *policy, const char *path, enum zs_access access, const struct zs_approved_place *place);

/* Works as zs_policy_add_env() for each of a preset's names, which it does not copy. It does not check the names:
 * tests/sandbox/test_environment.c does. The policy must not let any variable pass yet. */
int zs_policy_lend_env(struct zs_policy *policy, const char *const *names, struct zs_error *error);

/* Copies everything but the paths into a policy that has none of it yet. Nothing is checked again. */
int zs_policy_copy_rest(const struct zs_policy *from, struct zs_policy *to, struct zs_error *error);

/* Clears the list of variables that pass. */
void zs_policy_clear_env(struct zs_policy *policy);

/* Checks a pattern, and finds the text that the policy would keep; free() it. */
int zs_policy_normal_pattern(const struct zs_policy *policy, const char *text, char **ret_text, struct zs_error *error);

/* Makes a protection that the policy already has firm, by its canonical path or its pattern. */
void zs_policy_make_firm(struct zs_policy *policy, const char *path, enum zs_access access);

/* Does the policy set the variable of this "NAME=value"? */
bool zs_policy_sets(const struct zs_policy *policy, const char *assignment);

/* Adds a link, unless the policy already has one at this path. */
int zs_policy_add_link(struct zs_policy *policy, const char *path, const char *target, struct zs_error *error);

/* Makes a copy in which every path is a real path, without paths that do not exist and without repetitions. */
int zs_policy_resolve(const struct zs_policy *policy, struct zs_policy **ret_resolved, struct zs_error *error);

/* Adds a grant to `resolved`, the resolved form of `policy`, for each file of the workspace that one of the policy's
 * patterns matches now. */
int zs_policy_expand(const struct zs_policy *policy, struct zs_policy *resolved, struct zs_error *error);

/* Adds the grants of a resolved policy that protect the files that git, shells and agents obey. policy: the policy
 * before it was resolved. */
int zs_git_protect(const struct zs_policy *policy, struct zs_policy *resolved, struct zs_error *error);

/* The configuration of package tools that a command does not see (left_out.c). */

/* Notes in `resolved`, the resolved form of `policy`, the files and variables that are left out of this command's run.
 * Only those count whose tool the command names. Out of memory: nothing is noted. */
void zs_policy_find_left_out(
	const struct zs_policy *policy, char *const argv[], char *const envp[], struct zs_policy *resolved);

/* Prints a line that names them, if the command has run and failed. code: its exit code. */
void zs_policy_tell_left_out(const struct zs_policy *resolved, int code);

#endif
