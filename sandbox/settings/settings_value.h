/* Both files' settings, and what has been judged of them. */
#ifndef ZS_SANDBOX_SETTINGS_VALUE_H
#define ZS_SANDBOX_SETTINGS_VALUE_H

#include "settings/settings.h"

/* The amount that an item of a project's file would give and the user's own settings may not. */
enum zs_width {
	ZS_WIDTH_NARROW,  /* nothing: it takes away, or is null */
	ZS_WIDTH_GRANTED, /* nothing that they do not give already */
	ZS_WIDTH_WIDE,    /* something */
	ZS_WIDTH_PLANTED, /* something, by a link that an earlier command may have made: whoever trusts the file has not
			   * seen that */
};

struct zs_judged {
	enum zs_width width;
	char *real; /* of one that is granted where a command can write, or planted: where it is, without any link */
};

struct zs_settings {
	char *const *envp;
	char *workspace; /* as given */
	char *root;      /* where it really is; NULL: it is not there */
	struct zs_settings_file user, project;
	bool has_user, has_project;
	bool trusted;
	struct zs_error trust_problem; /* step NULL: there is none */
	bool judged;
	struct zs_judged *judgements; /* of the project's items */
	struct zs_widening *widenings;
	char **places; /* theirs, where they lead elsewhere */
	size_t widening_count, open_count;
};

/* Can it give anything that the user's own settings do not? */
bool zs_setting_can_widen(const struct zs_setting *item);

/* Fills in judgements and widenings. resolved: the user's own policy; NULL when no item of the project can widen it. */
int zs_settings_judge_by(struct zs_settings *settings, const struct zs_policy *resolved, struct zs_error *error);
/* The same, once, with the policy made here. */
int zs_settings_judge(struct zs_settings *settings, struct zs_error *error);

/* The policy by the user's own settings. */
int zs_settings_user_policy(const struct zs_settings *settings, struct zs_policy **ret_policy, struct zs_error *error);

/* Does a resolved policy give this much access to a path? It gives none to a protected or hidden path, nor to one that
 * is granted in part. */
bool zs_policy_covers(const struct zs_policy *resolved, const char *path, enum zs_access access);

#endif
