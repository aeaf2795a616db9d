#include "agent/agent_state.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <yyjson.h>

#include "agent/agent_form.h"
#include "base/cleanup.h"
#include "base/input.h"
#include "base/message.h"
#include "base/path.h"

#define NAME(id, name) name,
const char *const zs_hook_state_names[] = { ZS_HOOK_STATES(NAME) };

#define SAY(its_state, which, ...)                                                                                     \
	((its_state)->state = (which), (void)snprintf((its_state)->note, sizeof(its_state)->note, __VA_ARGS__))

/* The program */

bool zs_program_is_loose(const char *path, char *why, size_t size)
{
	char folder[PATH_MAX], git[PATH_MAX + 8], cwd[PATH_MAX];
	struct stat st;

	if (stat(path, &st) == 0 && st.st_mode & S_IWOTH) {
		snprintf(why, size, "everyone can write it");
		return true;
	}
	if (realpath(".", cwd) && strcmp(cwd, "/") != 0 && zs_path_lies_in(path, cwd)) {
		snprintf(why, size, "it lies in this folder, where an agent that works here can replace it");
		return true;
	}
	snprintf(folder, sizeof folder, "%s", path);
	for (char *slash; (slash = strrchr(folder, '/')) && slash > folder;) {
		*slash = '\0';
		if (stat(folder, &st) == 0 && st.st_mode & S_IWOTH) {
			snprintf(why, size, "everyone can write in %s", folder);
			return true;
		}
		snprintf(git, sizeof git, "%s/.git", folder);
		if (lstat(git, &st) == 0) {
			snprintf(why, size, "it lies in the workspace %s, where an agent can replace it", folder);
			return true;
		}
	}
	return false;
}

/* Returns the reason why the command cannot run; NULL: it can. */
static const char *fault_of(const char *zs)
{
	struct stat st;

	if (zs[0] != '/')
		return "is not an absolute path, so another program may be run";
	if (stat(zs, &st) < 0)
		return strerror(errno);
	if (!S_ISREG(st.st_mode))
		return "is not a file";
	return access(zs, X_OK) < 0 ? "is not executable" : NULL;
}

/* Trust */

/* Codex records a trusted hook in config.toml, by a hash that zs cannot compute. Codex ignores the hash of an older
 * hook, but zs cannot tell it from a valid one. */
static bool is_trusted_by_codex(const char *path, char *const envp[])
{
	struct zs_agent_place place;
	struct zs_error error;
	ZS_AUTO_FREE char *text = NULL;
	char key[PATH_MAX + 64], config[PATH_MAX + 16], *found;
	size_t len;

	if (zs_agent_place(&zs_agents[ZS_AGENT_CODEX], ZS_SCOPE_USER, envp, &place, &error) < 0)
		return false;
	snprintf(config, sizeof config, "%s/config.toml", place.folder);
	if (zs_read_input(config, ZS_CONFIG_FILE_BYTES_MAX, &text, &len) < 0)
		return false;
	text[len < ZS_CONFIG_FILE_BYTES_MAX ? len : ZS_CONFIG_FILE_BYTES_MAX] = '\0';
	snprintf(key, sizeof key, "%s:pre_tool_use:", path);
	found = strstr(text, key);
	return found && strstr(found, "trusted_hash");
}

/* Does any file turn hooks off? One such file is enough. */
static bool is_turned_off(const struct zs_agent *agent, char *const envp[], char where[PATH_MAX])
{
	const char *local = zs_agent_configs[agent->number].local;

	for (enum zs_config_scope scope = 0; scope <= ZS_SCOPE_COUNT; scope++) {
		bool is_local = scope == ZS_SCOPE_COUNT, off;
		struct zs_agent_place place;
		struct zs_agent_file file;
		struct zs_error error;

		if ((is_local && !local) ||
			zs_agent_place(agent, is_local ? ZS_SCOPE_PROJECT : scope, envp, &place, &error) < 0)
			continue;
		if (is_local && snprintf(place.path, PATH_MAX, "%s/%s", place.base, local) >= PATH_MAX)
			continue;
		if (zs_agent_file_read(&place, scope, &file, &error) < 0)
			continue;
		off = zs_agent_text_turns_off(&(struct zs_agent_text){ agent, place.path, file.text, file.len });
		free(file.text);
		if (off) {
			memcpy(where, place.path, PATH_MAX);
			return true;
		}
	}
	return false;
}

static void agent_state_judge(const struct zs_agent *agent, const struct zs_agent_hook *hook,
	const struct zs_agent_file *file, char *const envp[], struct zs_agent_state *state)
{
	enum zs_config_form form = zs_agent_configs[agent->number].form;
	const char *fault = fault_of(hook->command.zs);
	char where[PATH_MAX], why[ZS_STATE_NOTE_BYTES - 256];

	state->command = hook->command;
	if (fault)
		SAY(state, ZS_HOOK_BROKEN, "%.4000s %s", hook->command.zs, fault);
	else if (form == ZS_CONFIG_SCRIPT && !(file->st.st_mode & S_IXUSR))
		SAY(state, ZS_HOOK_BROKEN, "the file is not executable");
	else if (form != ZS_CONFIG_JSON && form != ZS_CONFIG_TOML && !hook->intact)
		SAY(state, ZS_HOOK_BROKEN, "the file has been changed since zs wrote it");
	else if (hook->command.odd)
		SAY(state, ZS_HOOK_BROKEN, "its command line does more than call zs");
	else if (!hook->enabled)
		SAY(state, ZS_HOOK_BROKEN,
			"the file turns the hook off, names another event, or lets the agent go on without the answer");
	else if (!hook->covers)
		SAY(state, ZS_HOOK_BROKEN, "its matcher does not match the shell's tool, %s", agent->shell);
	else if (is_turned_off(agent, envp, where))
		SAY(state, ZS_HOOK_BROKEN, "all hooks are turned off in %.4000s", where);
	else if (agent->number == ZS_AGENT_CODEX && !is_trusted_by_codex(file->real, envp))
		SAY(state, ZS_HOOK_BROKEN, "not trusted, so Codex does not run it: start codex, type /hooks");
	else if (hook->command.confine && !agent->rewrites)
		SAY(state, ZS_HOOK_BROKEN, "%s lets no hook change a command, so --confine denies every command",
			agent->title);
	else if (zs_program_is_loose(hook->command.zs, why, sizeof why))
		SAY(state, ZS_HOOK_ACTIVE, "but %s", why);
	else if (!hook->intact)
		SAY(state, ZS_HOOK_ACTIVE,
			"but it differs from the hook of zs install, so a failure of zs may let commands pass");
	else if (agent->number == ZS_AGENT_CODEX)
		SAY(state, ZS_HOOK_ACTIVE, "if you trusted this version of the hook: start codex, type /hooks");
	else
		state->state = ZS_HOOK_ACTIVE;
}

void zs_agent_state(
	const struct zs_agent *agent, enum zs_config_scope scope, char *const envp[], struct zs_agent_state *ret_state)
{
	struct zs_agent_place place;
	struct zs_agent_file file;
	struct zs_agent_hook hook;
	struct zs_error error;
	char line[1024];
	int r = zs_agent_place(agent, scope, envp, &place, &error);

	*ret_state = (struct zs_agent_state){ .state = ZS_HOOK_NONE };
	if (r < 0 && !zs_agent_configs[agent->number].files[scope])
		return;
	if (r == 0) {
		memcpy(ret_state->path, place.path, PATH_MAX);
		r = zs_agent_file_read(&place, scope, &file, &error);
	}
	if (r == 0) {
		const struct zs_agent_text text = { agent, place.path, file.text, file.len };

		hook.found = false;
		r = text.text ? zs_agent_form_of(agent)->look(&text, &hook, &error) : 0;
		if (r == 0 && hook.found)
			agent_state_judge(agent, &hook, &file, envp, ret_state);
		free(file.text);
	}
	if (r < 0) {
		zs_error_format(&error, line, sizeof line);
		SAY(ret_state, ZS_HOOK_UNKNOWN, "%s", line);
	}
}

/* The agent */

/* Finds the version of an npm program: its package.json lies one or two folders above the file that the link in PATH
 * leads to. */
static void find_version(const char *program, char version[64])
{
	char path[PATH_MAX], package[PATH_MAX + 16];

	if (!realpath(program, path))
		return;
	for (int i = 0; i < 4; i++) {
		ZS_AUTO_FREE char *text = NULL;
		char *slash = strrchr(path, '/');
		const char *value;
		yyjson_doc *doc;
		size_t len;

		if (!slash || slash == path)
			return;
		*slash = '\0';
		snprintf(package, sizeof package, "%s/package.json", path);
		if (zs_read_input(package, ZS_CONFIG_FILE_BYTES_MAX, &text, &len) < 0)
			continue;
		doc = yyjson_read(text, len, 0);
		value = yyjson_get_str(yyjson_obj_get(yyjson_doc_get_root(doc), "version"));
		snprintf(version, 64, "%s", value ? value : "");
		yyjson_doc_free(doc);
		return;
	}
}

static bool find_program(const char *name, char *const envp[], char version[64])
{
	const char *list = zs_env_value(envp, "PATH");
	char *folder;

	while (list && zs_path_list_next(&list, &folder) > 0) {
		ZS_AUTO_FREE char *path = zs_path_join(folder, name);
		struct stat st;
		bool found = folder[0] == '/' && path && stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
			     access(path, X_OK) == 0;

		free(folder);
		if (!found)
			continue;
		find_version(path, version);
		return true;
	}
	return false;
}

bool zs_agent_is_here(const struct zs_agent *agent, char *const envp[], char version[64])
{
	const struct zs_agent_config *config = &zs_agent_configs[agent->number];
	struct zs_agent_place place;
	struct zs_error error;
	struct stat st;

	version[0] = '\0';
	for (size_t i = 0; config->programs[i]; i++)
		if (find_program(config->programs[i], envp, version))
			return true;
	return zs_agent_place(agent, ZS_SCOPE_USER, envp, &place, &error) == 0 && stat(place.folder, &st) == 0 &&
	       S_ISDIR(st.st_mode);
}

void zs_agent_warn(char *const envp[])
{
	bool any = false;

	for (size_t i = 0; i < ZS_AGENT_COUNT; i++)
		for (enum zs_config_scope scope = 0; scope < ZS_SCOPE_COUNT; scope++) {
			struct zs_agent_state state;

			zs_agent_state(&zs_agents[i], scope, envp, &state);
			/* An empty path means that the agent has no such place, or that there is no HOME. Then the
			 * agent finds no hook either. */
			if (state.state == ZS_HOOK_NONE || !state.note[0] || !state.path[0])
				continue;
			if (!any)
				puts("\nHooks that zs install has written:\n");
			any = true;
			zs_tell(stdout, "warning  %s, %s: %s, %s", zs_agents[i].title, zs_scope_names[scope],
				zs_hook_state_names[state.state], state.note);
		}
}
