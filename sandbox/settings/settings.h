/* Settings as values: those of one file, and the result of a user's and a project's. */
#ifndef ZS_SANDBOX_SETTINGS_H
#define ZS_SANDBOX_SETTINGS_H

#include "policy/policy.h"
#include "settings/settings_keys.h"
#include "base/sha256.h"
#include "zs_settings.h"

enum zs_setting_form {
	ZS_FORM_NONE,  /* null: as if the key were missing; under "linux", as if it were missing everywhere */
	ZS_FORM_EMPTY, /* [] */
	ZS_FORM_VALUE,
};

/* A key and a value, or one entry of a list. */
struct zs_setting {
	const struct zs_setting_key *key;
	enum zs_platform platform;
	enum zs_setting_form form;
	unsigned line;
	char *text; /* for paths (absolute), hosts, variables and rules, as messages show them; else NULL */
	struct zs_command_rule *rule; /* for rules; else NULL */
	uint64_t number;              /* for other types */
};

struct zs_settings_file {
	char *path;
	struct zs_setting *items; /* in the file's order; for one platform, once they have been read */
	size_t count;
	char sha256[ZS_SHA256_HEX + 1];
};

/* How a file is read. */
struct zs_settings_reading {
	const char *file;      /* its name, for messages */
	const char *workspace; /* absolute, for a project's file; NULL: the file is the user's */
	enum zs_platform platform;
	char *const *envp;
	zs_each_error *each; /* not NULL: it is called for every error */
	void *each_arg;
	struct zs_error *error;
};

/* Pure. zs_settings_file_free() *ret_file. */
int zs_settings_parse(
	const struct zs_settings_reading *reading, const char *text, size_t len, struct zs_settings_file *ret_file);
void zs_settings_file_free(struct zs_settings_file *file);

/* Reads the rules of a pack (packs.c). zs_settings_file_free() *ret_file. */
int zs_pack_read(enum zs_pack pack, struct zs_settings_file *ret_file, struct zs_error *error);

struct zs_json_node;
/* Reads a rule (settings_rules.c). zs_command_rule_free() *ret_rule. *ret_shown: the rule as messages show it; free()
 * it. */
int zs_command_rule_read(const struct zs_json_node *node, struct zs_command_rule **ret_rule, char **ret_shown);
void zs_command_rule_free(struct zs_command_rule *rule);

/* Finds the first item of a key. NULL: the key is missing in the file, or null. */
const struct zs_setting *zs_settings_find(const struct zs_settings_file *file, enum zs_setting_id id);

#endif
