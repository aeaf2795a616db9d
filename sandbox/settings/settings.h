/* Settings as values: one file's, and what comes of a user's and a project's. */
#ifndef ZS_SANDBOX_SETTINGS_H
#define ZS_SANDBOX_SETTINGS_H

#include "policy/policy.h"
#include "settings/settings_keys.h"
#include "base/sha256.h"
#include "zs_settings.h"

enum zs_setting_form {
	ZS_FORM_NONE,  /* null: as though the key were not there; under "linux", as though it were nowhere */
	ZS_FORM_EMPTY, /* [] */
	ZS_FORM_VALUE,
};

/* A key and a value; of a list one entry. */
struct zs_setting {
	const struct zs_setting_key *key;
	enum zs_platform platform;
	enum zs_setting_form form;
	unsigned line;
	char *text;      /* of paths, absolute; of hosts and variables; else NULL */
	uint64_t number; /* of the others */
};

struct zs_settings_file {
	char *path;
	struct zs_setting *items; /* in the file's order; of one platform, once read */
	size_t count;
	char sha256[ZS_SHA256_HEX + 1];
};

/* How a file is read. */
struct zs_settings_reading {
	const char *file;      /* its name, for messages */
	const char *workspace; /* of a project's file, absolute; NULL: the file is the user's */
	enum zs_platform platform;
	char *const *envp;
	zs_each_error *each; /* not NULL: it is told of every error */
	void *each_arg;
	struct zs_error *error;
};

/* Pure. zs_settings_file_free() *ret_file. */
int zs_settings_parse(
	const struct zs_settings_reading *reading, const char *text, size_t len, struct zs_settings_file *ret_file);
void zs_settings_file_free(struct zs_settings_file *file);

/* The first item of a key; NULL: the file does not have it, or has it as null. */
const struct zs_setting *zs_settings_find(const struct zs_settings_file *file, enum zs_setting_id id);

#endif
