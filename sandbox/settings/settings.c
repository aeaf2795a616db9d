/* The settings of a user and a project, from their files. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/path.h"
#include "settings/settings_places.h"
#include "settings/settings_value.h"
#include "settings/trust.h"

static const char step[] = "settings";

void zs_settings_free(struct zs_settings *settings)
{
	if (!settings)
		return;
	free(settings->workspace);
	free(settings->account_home);
	free(settings->root);
	for (size_t i = 0; settings->places && i < settings->widening_count; i++)
		free(settings->places[i]);
	free(settings->places);
	for (size_t i = 0; settings->judgements && i < settings->project.count; i++)
		free(settings->judgements[i].real);
	free(settings->judgements);
	free(settings->widenings);
	free(settings->rules);
	for (size_t i = 0; i < ZS_PACK_COUNT; i++)
		zs_settings_file_free(&settings->packs[i]);
	zs_settings_file_free(&settings->managed);
	zs_settings_file_free(&settings->user);
	zs_settings_file_free(&settings->project);
	free(settings);
}

static int settings_parse(struct zs_settings *settings, const char *path, const char *root, struct zs_file_text *text,
	struct zs_settings_file *ret_file, bool *ret_has, struct zs_error *error)
{
	const struct zs_settings_reading reading = { .file = path,
		.workspace = root,
		.platform = zs_settings_places.platform,
		.envp = settings->envp,
		.error = error };
	int r = zs_settings_parse(&reading, text->text, text->len, ret_file);

	*ret_has = r == 0;
	free(text->text);
	return r;
}

int zs_settings_none(
	const char *workspace, char *const envp[], struct zs_settings **ret_settings, struct zs_error *error)
{
	struct zs_settings *settings = calloc(1, sizeof *settings);
	int r;

	if (settings)
		settings->workspace = strdup(workspace);
	if (!settings || !settings->workspace) {
		zs_settings_free(settings);
		return zs_error_errno(error, step, NULL, ENOMEM);
	}
	settings->envp = envp;
	r = zs_managed_load(settings, error);
	if (r < 0)
		zs_settings_free(settings);
	else
		*ret_settings = settings;
	return r;
}

static int read_user(struct zs_settings *settings, const char *path, bool must, struct zs_error *error)
{
	struct zs_file_text text;
	int r = zs_read_own_file(step, path, ZS_SETTINGS_BYTES_MAX, ZS_FILE_OWN, &text, error);

	if (r == -ENOENT)
		return must ? zs_error_errno(error, step, path, ENOENT) : 0;
	return r < 0 ? r : settings_parse(settings, path, NULL, &text, &settings->user, &settings->has_user, error);
}

static int load_user(struct zs_settings *settings, struct zs_error *error)
{
	ZS_AUTO_FREE char *folder = NULL;
	ZS_AUTO_FREE char *path = NULL;
	int r = zs_settings_folder(&zs_settings_places.config, settings->envp, &folder);

	if (r == -ENOENT)
		return 0;
	path = r == 0 ? zs_path_join(folder, "settings.json") : NULL;
	return path ? read_user(settings, path, false, error) : zs_error_errno(error, step, NULL, ENOMEM);
}

/* If the trust file cannot be used, nothing is trusted, and the run goes on with the entries that narrow. */
static void look_up_trust(struct zs_settings *settings)
{
	struct zs_error problem = { 0 };

	if (zs_trust_holds(settings->root, settings->project.sha256, settings->envp, &settings->trusted, &problem) <
		0) {
		settings->trusted = false;
		settings->trust_problem = problem;
	}
}

static int load_project(struct zs_settings *settings, struct zs_error *error)
{
	ZS_AUTO_FREE char *path = NULL;
	struct zs_file_text text;
	int r;

	settings->root = realpath(settings->workspace, NULL);
	/* A missing workspace has no settings. A workspace that cannot be read may have some that narrow, so that is an
	 * error. */
	if (!settings->root)
		return errno == ENOENT || errno == ENOTDIR
			       ? 0
			       : zs_error_errno(error, "workspace", settings->workspace, errno);
	path = zs_path_join(settings->root, ".zs/settings.json");
	if (!path)
		return zs_error_errno(error, step, NULL, ENOMEM);
	r = zs_read_project_file(settings->root, ZS_SETTINGS_BYTES_MAX, &text, error);
	if (r < 0)
		return r == -ENOENT ? 0 : r;
	r = settings_parse(settings, path, settings->root, &text, &settings->project, &settings->has_project, error);
	if (r == 0)
		look_up_trust(settings);
	return r;
}

/* Settings in the workspace are the project's, even if the environment names them as the user's. */
static int check_user(const struct zs_settings *settings, struct zs_error *error)
{
	if (!settings->has_user || !settings->root ||
		!zs_settings_are_planted(&zs_settings_places.config, settings->envp, settings->root))
		return 0;
	zs_error_say(error, step, settings->user.path, EPERM,
		"lies in the workspace, where its repository or a command may have written it");
	return zs_error_hint(
		error, -EPERM, "keep it elsewhere, and set %s to its folder", zs_settings_places.config.variable);
}

/* file: read in place of the user's file; NULL: the user's file. */
static int load(const char *workspace, const char *file, bool project, char *const envp[],
	struct zs_settings **ret_settings, struct zs_error *error)
{
	struct zs_settings *settings;
	int r = zs_settings_none(workspace, envp, &settings, error);

	if (r < 0)
		return r;
	r = file ? read_user(settings, file, true, error) : load_user(settings, error);
	if (r == 0 && project)
		r = load_project(settings, error);
	if (r == 0 && project)
		r = check_user(settings, error);
	if (r < 0)
		zs_settings_free(settings);
	else
		*ret_settings = settings;
	return r;
}

int zs_settings_load(
	const char *workspace, char *const envp[], struct zs_settings **ret_settings, struct zs_error *error)
{
	return load(workspace, NULL, true, envp, ret_settings, error);
}

int zs_settings_load_user(
	const char *workspace, char *const envp[], struct zs_settings **ret_settings, struct zs_error *error)
{
	return load(workspace, NULL, false, envp, ret_settings, error);
}

int zs_settings_of_file(const char *workspace, const char *file, char *const envp[], struct zs_settings **ret_settings,
	struct zs_error *error)
{
	return load(workspace, file, false, envp, ret_settings, error);
}

const char *zs_settings_project_file(const struct zs_settings *settings)
{
	return settings->has_project ? settings->project.path : NULL;
}

const char *zs_settings_project_root(const struct zs_settings *settings)
{
	return settings->has_project ? settings->root : NULL;
}

const char *zs_settings_project_hash(const struct zs_settings *settings)
{
	return settings->has_project ? settings->project.sha256 : NULL;
}

const char *zs_settings_user_file(const struct zs_settings *settings)
{
	return settings->has_user ? settings->user.path : NULL;
}

bool zs_settings_trusted(const struct zs_settings *settings, const struct zs_error **ret_problem)
{
	*ret_problem = settings->trust_problem.step ? &settings->trust_problem : NULL;
	return settings->trusted;
}

int zs_settings_trust(const struct zs_settings *settings, struct zs_error *error)
{
	if (!settings->has_project)
		return zs_error_say(error, step, settings->workspace, ENOENT, "has no .zs/settings.json");
	return zs_trust_add(settings->root, settings->project.sha256, settings->envp, error);
}

/* For hosts. These keys of a project's file can only narrow, so they need no trust. */

static uint64_t settings_value_of(const struct zs_settings_file *file, enum zs_setting_id id, uint64_t otherwise)
{
	const struct zs_setting *item = zs_settings_find(file, id);

	return item ? item->number : otherwise;
}

/* The shells that a file which can only narrow wants confined. */
static uint64_t demanded_by(const struct zs_settings_file *file)
{
	bool on = settings_value_of(file, ZS_SETTING_KEY_ENABLED, false);

	return settings_value_of(file, ZS_SETTING_KEY_APPLY_TO, on ? ZS_SHELL_BOTH : ZS_SHELL_NEITHER);
}

static bool confines(const struct zs_settings *settings, enum zs_shells shell)
{
	uint64_t user = settings_value_of(&settings->user, ZS_SETTING_KEY_ENABLED, true)
				? settings_value_of(&settings->user, ZS_SETTING_KEY_APPLY_TO, ZS_SHELL_BOTH)
				: ZS_SHELL_NEITHER;

	return (user | demanded_by(&settings->project) | demanded_by(&settings->managed)) & shell;
}

bool zs_settings_confine_terminal(const struct zs_settings *settings)
{
	return confines(settings, ZS_SHELL_TERMINAL);
}

bool zs_settings_confine_tool(const struct zs_settings *settings)
{
	return confines(settings, ZS_SHELL_TOOL);
}

static bool is_licensed(const struct zs_settings *settings, enum zs_setting_id id)
{
	return settings_value_of(&settings->user, id, false) && settings_value_of(&settings->project, id, true) &&
	       settings_value_of(&settings->managed, id, true);
}

bool zs_settings_allow_unsandboxed(const struct zs_settings *settings)
{
	return is_licensed(settings, ZS_SETTING_KEY_ALLOW_UNSANDBOXED);
}

bool zs_settings_show_secrets(const struct zs_settings *settings)
{
	return is_licensed(settings, ZS_SETTING_KEY_SHOW_SECRETS);
}
