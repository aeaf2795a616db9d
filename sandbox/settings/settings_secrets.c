/* Secrets in start files, which a command reads as its shell does. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/path.h"
#include "settings/secrets.h"
#include "settings/settings_places.h"
#include "settings/settings_value.h"

/* In HOME. The preset grants most of them; what it does not, or what settings hide, is not looked at. */
static const char *const start_files[] = { ".profile", ".bashrc", ".bash_profile", ".bash_login", ".bash_logout",
	".bash_aliases", ".zshenv", ".zprofile", ".zshrc", ".zlogin", ".config/fish/config.fish" };

struct search {
	const char *file;
	zs_each_secret *each;
	void *arg;
};

static void tell(unsigned line, const char *name, size_t len, void *arg)
{
	const struct search *search = arg;
	char text[128];

	snprintf(text, sizeof text, "%.*s", (int)(len < sizeof text ? len : sizeof text - 1), name);
	search->each(search->file, line, text, search->arg);
}

/* One that cannot be read by its owner is read by no command. */
static void look_into(const char *path, zs_each_secret *each, void *arg)
{
	struct search search = { path, each, arg };
	struct zs_file_text text;

	if (zs_read_own_file("settings", path, ZS_START_FILE_BYTES_MAX, ZS_FILE_ANY, &text, NULL) < 0)
		return;
	zs_find_secrets(text.text, text.len, tell, &search);
	free(text.text);
}

/* The files that a command may read wherever it works: a workspace that every machine has. */
static int user_policy(char *const envp[], struct zs_policy **ret_resolved, struct zs_error *error)
{
	struct zs_settings *settings;
	struct zs_policy *policy = NULL;
	int r = zs_settings_load_user("/tmp", envp, &settings, error);

	if (r == 0) {
		r = zs_settings_user_policy(settings, &policy, error);
		zs_settings_free(settings);
	}
	if (r == 0)
		r = zs_policy_resolve(policy, ret_resolved, error);
	zs_policy_free(policy);
	return r;
}

int zs_settings_secrets(char *const envp[], zs_each_secret *each, void *arg, struct zs_error *error)
{
	const char *home = zs_env_value(envp, "HOME");
	struct zs_policy *resolved = NULL;
	int r;

	if (!home || home[0] != '/')
		return 0;
	r = user_policy(envp, &resolved, error);
	for (size_t i = 0; r == 0 && i < ZS_COUNT(start_files); i++) {
		ZS_AUTO_FREE char *path = zs_path_join(home, start_files[i]);

		if (!path)
			r = zs_error_errno(error, "settings", NULL, ENOMEM);
		else if (zs_policy_covers(resolved, path, ZS_ACCESS_READ))
			look_into(path, each, arg);
	}
	zs_policy_free(resolved);
	return r;
}
