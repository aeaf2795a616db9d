/* The settings of both files, and the judgements of the project's items. */
#ifndef ZS_SANDBOX_SETTINGS_VALUE_H
#define ZS_SANDBOX_SETTINGS_VALUE_H

#include "settings/settings.h"

/* How much an item of a project's file would give beyond the user's own settings. */
enum zs_width {
	ZS_WIDTH_NARROW,  /* nothing: it takes access away, or is null */
	ZS_WIDTH_GRANTED, /* nothing that the user's settings do not give already */
	ZS_WIDTH_WIDE,    /* something */
	ZS_WIDTH_PLANTED, /* something, through a link that an earlier command may have made: a user who trusts the file
			     has not seen the target */
};

struct zs_judged {
	enum zs_width width;
	char *real; /* of an item that is planted, or granted where a command can write: its real path */
};

struct zs_settings {
	char *const *envp;
	char *workspace;    /* as the caller gave it */
	char *account_home; /* "HOME=…" of the system's own list; NULL: it has none, or there is no managed file */
	char *root;         /* its real path; NULL: it does not exist */
	struct zs_settings_file managed, user, project;
	bool has_managed, has_user, has_project;
	bool trusted;
	struct zs_error trust_problem; /* step NULL: there is no problem */
	bool judged;
	struct zs_judged *judgements; /* one for each of the project's items */
	struct zs_widening *widenings;
	char **places; /* of the widenings: their real places, where these differ */
	size_t widening_count, open_count;
	struct zs_settings_file packs[ZS_PACK_COUNT];
	bool has_pack[ZS_PACK_COUNT];
	size_t rule_count;
	struct zs_command_rule *rules; /* copies of the files' rules, which own the strings; NULL: not made yet */
};

/* Reads the machine's own file into the settings (managed.c). 0 also if there is none. */
int zs_managed_load(struct zs_settings *settings, struct zs_error *error);

/* Can the item give anything that the user's own settings do not give? */
bool zs_setting_can_widen(const struct zs_setting *item);

/* Fills in judgements and widenings. resolved: the user's own policy; NULL when no item of the project can widen it. */
int zs_settings_judge_by(struct zs_settings *settings, const struct zs_policy *resolved, struct zs_error *error);
/* The same, once, with a policy that this call makes. */
int zs_settings_judge(struct zs_settings *settings, struct zs_error *error);

/* Makes the policy of the user's own settings. */
int zs_settings_user_policy(const struct zs_settings *settings, struct zs_policy **ret_policy, struct zs_error *error);

/* Does a resolved policy give this much access to a path? It gives none to a protected or hidden path, nor to one that
 * is granted in part. */
bool zs_policy_covers(const struct zs_policy *resolved, const char *path, enum zs_access access);

#endif
