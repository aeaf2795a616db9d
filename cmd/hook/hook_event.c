#include "hook/hook_event.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

#include "base/cleanup.h"
#include "base/json_text.h"
#include "base/shell_quote.h"

/* Keys of the tool's input: for a command, and for the folder to run it in. is_alike() compares the names, so each one
 * stands here in one spelling. */
static const char *const command_keys[] = { "command", "commands", "cmd", "CommandLine", "command_line" };
static const char *const folder_keys[] = { "cwd", "dir", "workdir", "dir_path", "directory", "working_dir",
	"working_directory", "current_dir", "current_directory" };

/* Keys for the program that would run the command, and for variables that would be set for it. The command's text shows
 * neither. */
static const char *const shell_keys[] = { "shell", "shell_path", "interpreter", "executable" };
static const char *const environment_keys[] = { "env", "envs", "env_vars", "environment", "environment_variables" };
static const char *const shells[] = { "bash", "sh", "zsh", "dash", "/bin/bash", "/bin/sh", "/bin/zsh", "/bin/dash",
	"/usr/bin/bash", "/usr/bin/sh", "/usr/bin/zsh", "/usr/bin/dash", "/usr/local/bin/bash",
	"/opt/homebrew/bin/bash" };

/* A text and its document. yyjson parses buffer in place, so a string has the same offset in buffer as in text. */
struct json {
	struct zs_json_source source;
	char *buffer;
	yyjson_val *root;
};

/* Sets the reason why the event is not understood. Its value is false. */
#define FAIL(event, ...) (snprintf((event)->why, sizeof(event)->why, __VA_ARGS__), false)

static bool no_memory(struct zs_hook_event *event)
{
	return FAIL(event, "out of memory");
}

/* ---- JSON */

static int compare_keys(const void *one, const void *other)
{
	yyjson_val *a = *(yyjson_val *const *)one, *b = *(yyjson_val *const *)other;
	size_t a_len = yyjson_get_len(a), b_len = yyjson_get_len(b);

	if (a_len != b_len)
		return a_len < b_len ? -1 : 1;
	return memcmp(yyjson_get_str(a), yyjson_get_str(b), a_len);
}

/* Refuses a key that occurs twice: it is unknown which value the agent would take. */
static bool check_keys(struct zs_hook_event *event, yyjson_val *object)
{
	size_t count = yyjson_obj_size(object), i = 0;
	ZS_AUTO_FREE yyjson_val **keys = calloc(count ? count : 1, sizeof *keys);
	yyjson_obj_iter iterator = yyjson_obj_iter_with(object);
	yyjson_val *key;

	if (!keys)
		return no_memory(event);
	while (i < count && (key = yyjson_obj_iter_next(&iterator)) != NULL)
		keys[i++] = key;
	qsort(keys, i, sizeof *keys, compare_keys);
	for (size_t j = 1; j < i; j++)
		if (compare_keys(&keys[j - 1], &keys[j]) == 0)
			return FAIL(event, "the event has the key '%.64s' twice", yyjson_get_str(keys[j]));
	return true;
}

static bool check_value(struct zs_hook_event *event, yyjson_val *value, unsigned depth)
{
	size_t index, max;
	yyjson_val *key, *inner;

	if (depth > ZS_HOOK_DEPTH_MAX)
		return FAIL(event, "the event is nested deeper than %d", ZS_HOOK_DEPTH_MAX);
	if (yyjson_is_obj(value)) {
		if (!check_keys(event, value))
			return false;
		yyjson_obj_foreach(
			value, index, max, key, inner) if (!check_value(event, inner, depth + 1)) return false;
	} else if (yyjson_is_arr(value)) {
		yyjson_arr_foreach(value, index, max, inner) if (!check_value(event, inner, depth + 1)) return false;
	}
	return true;
}

static bool hook_event_parse(
	struct zs_hook_event *event, const char *what, const char *text, size_t len, struct json *ret_json)
{
	char *buffer = calloc(1, len + YYJSON_PADDING_SIZE);
	yyjson_read_err problem;
	yyjson_doc *document;

	if (!buffer)
		return no_memory(event);
	event->owned[event->owned_count++] = buffer;
	memcpy(buffer, text, len);
	document = yyjson_read_opts(buffer, len, YYJSON_READ_INSITU, NULL, &problem);
	if (!document)
		return FAIL(event, "%s is not JSON: %s, at byte %zu", what, problem.msg, problem.pos);
	event->documents[event->document_count++] = document;
	*ret_json = (struct json){ { text, len }, buffer, yyjson_doc_get_root(document) };
	if (!yyjson_is_obj(ret_json->root))
		return FAIL(event, "%s is not a JSON object", what);
	return check_value(event, ret_json->root, 0);
}

static size_t at_string(const struct json *json, yyjson_val *string)
{
	return (size_t)(yyjson_get_str(string) - json->buffer) - 1;
}

/* Returns the offset at which the value of a key starts. */
static size_t at_value(const struct json *json, yyjson_val *key)
{
	size_t colon = zs_json_skip(&json->source, zs_json_skip_string(&json->source, at_string(json, key)));

	return zs_json_skip(&json->source, colon + 1);
}

static yyjson_val *hook_event_find_key(yyjson_val *object, const char *name, size_t len)
{
	yyjson_obj_iter iterator = yyjson_obj_iter_with(object);
	yyjson_val *key;

	while ((key = yyjson_obj_iter_next(&iterator)) != NULL)
		if (yyjson_equals_strn(key, name, len))
			return key;
	return NULL;
}

/* Returns the key at "a.b"; NULL: there is none. */
static yyjson_val *hook_event_find(yyjson_val *object, const char *path)
{
	yyjson_val *key = NULL;

	for (size_t len; *path; path += len + (path[len] == '.')) {
		len = strcspn(path, ".");
		key = hook_event_find_key(key ? yyjson_obj_iter_get_val(key) : object, path, len);
		if (!key)
			return NULL;
	}
	return key;
}

/* Returns the value at the path; NULL: there is none, or path is NULL. */
static yyjson_val *hook_event_value(yyjson_val *object, const char *path)
{
	yyjson_val *key = path ? hook_event_find(object, path) : NULL;

	return key ? yyjson_obj_iter_get_val(key) : NULL;
}

/* Might an agent take the key for this name? An agent in Go ignores the case of keys, and takes the last of two
 * (encoding/json, Unmarshal). One that reads protobuf's JSON takes dir_path as well as dirPath. */
static bool is_alike(const char *key, const char *name)
{
	for (;; key++, name++) {
		key += strspn(key, "_-");
		name += strspn(name, "_-");
		if (tolower((unsigned char)*key) != tolower((unsigned char)*name))
			return false;
		if (!*key)
			return true;
	}
}

static bool is_alike_any(const char *key, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (is_alike(key, names[i]))
			return true;
	return false;
}

/* ---- strings */

/* Returns the string; NULL: the value is no string, or holds a NUL. */
static const char *plain(yyjson_val *value)
{
	const char *text = yyjson_get_str(value);

	return text && strlen(text) == yyjson_get_len(value) ? text : NULL;
}

/* Takes a string or an array of strings. An empty string and null name no folder. */
static bool take_folders(
	struct zs_hook_event *event, const char *name, yyjson_val *value, const char **folders, size_t *count)
{
	size_t index, max = yyjson_is_arr(value) ? yyjson_arr_size(value) : !yyjson_is_null(value);

	for (index = 0; index < max; index++) {
		yyjson_val *one = yyjson_is_arr(value) ? yyjson_arr_get(value, index) : value;
		const char *folder = plain(one);

		if (!folder)
			return FAIL(event, "'%.64s' is not the path of a folder: not a string", name);
		if (*count == ZS_HOOK_FOLDERS_MAX)
			return FAIL(event, "'%.64s' has more than %d folders", name, ZS_HOOK_FOLDERS_MAX);
		if (*folder)
			folders[(*count)++] = folder;
	}
	return true;
}

/* ---- the parts of an event */

/* Does the event have this shape? An agent that calls zs by its own wrapper may leave out the names of event and tool;
 * then the place of the input identifies the shape. The name of another event excludes it. */
static bool is_shape(const struct zs_hook_shape *shape, yyjson_val *root)
{
	yyjson_val *name = hook_event_value(root, shape->event_key);

	if (name && !yyjson_equals_str(name, shape->event_name))
		return false;
	return !*shape->input || hook_event_find(root, shape->input);
}

/* Finds the only shape of the agent that fits; two are an error. */
static bool find_shape(struct zs_hook_event *event, const struct zs_agent *agent, yyjson_val *root)
{
	size_t found = 0;

	for (size_t i = 0; i < zs_hook_shape_count; i++)
		if (zs_hook_shapes[i].agent == agent->number && is_shape(&zs_hook_shapes[i], root) && found++ == 0)
			event->shape = &zs_hook_shapes[i];
	if (found == 1)
		return true;
	event->shape = NULL;
	return found ? FAIL(event, "the event matches two of %s's formats", agent->title)
		     : FAIL(event, "the event matches none of the formats that %s sends before it runs a tool",
			       agent->title);
}

static bool take_words(struct zs_hook_event *event, yyjson_val *words, struct zs_event_command *command)
{
	size_t index, max, room = 1;
	yyjson_val *word;
	char *at;

	if (yyjson_arr_size(words) == 0)
		return FAIL(event, "the command has no words");
	yyjson_arr_foreach(words, index, max, word)
	{
		if (!plain(word))
			return FAIL(event, "word %zu of the command is not a string", index + 1);
		room += ZS_SHELL_QUOTED_BYTES(yyjson_get_len(word)) + 1;
	}
	at = command->text = malloc(room);
	if (!at)
		return no_memory(event);
	yyjson_arr_foreach(words, index, max, word)
	{
		if (index > 0)
			*at++ = ' ';
		at = zs_shell_quote(plain(word), at);
	}
	command->words = true;
	return true;
}

static bool take_text(struct zs_hook_event *event, yyjson_val *value, struct zs_event_command *command)
{
	const char *text = plain(value);

	if (!text)
		return FAIL(event, "a command is not a string%s",
			yyjson_is_str(value) ? " that bash could be given: NUL" : "");
	command->text = strdup(text);
	return command->text ? true : no_memory(event);
}

static bool take_command(struct zs_hook_event *event, const struct json *json, yyjson_val *value, size_t start)
{
	struct zs_event_command *command = &event->commands[event->command_count];

	if (event->command_count == ZS_HOOK_COMMANDS_MAX)
		return FAIL(event, "more than %d commands in one call", ZS_HOOK_COMMANDS_MAX);
	event->command_count++;
	command->start = start;
	command->end = zs_json_skip_value(&json->source, start);
	return (yyjson_is_arr(value) ? take_words : take_text)(event, value, command);
}

/* Takes the value of a command key. "commands" is a list of texts. Any other array holds the words of one command. */
static bool take_commands(struct zs_hook_event *event, const struct json *json, yyjson_val *key)
{
	yyjson_val *value = yyjson_obj_iter_get_val(key), *one;
	size_t index, max, at = at_value(json, key);

	if (!yyjson_is_arr(value) || !yyjson_equals_str(key, "commands"))
		return take_command(event, json, value, at);
	at = zs_json_skip(&json->source, at + 1);
	yyjson_arr_foreach(value, index, max, one)
	{
		if (!take_command(event, json, one, at))
			return false;
		at = zs_json_skip(&json->source, event->commands[event->command_count - 1].end);
		at = zs_json_skip(&json->source, at + 1); /* a comma, or the end */
	}
	return true;
}

/* Accepts false and null, which mean the usual shell, and true, which means that there is a shell. */
static bool check_shell(struct zs_hook_event *event, const char *name, yyjson_val *value)
{
	if (yyjson_is_bool(value) || yyjson_is_null(value))
		return true;
	for (size_t i = 0; i < ZS_COUNT(shells); i++)
		if (yyjson_equals_str(value, shells[i])) {
			event->shell = shells[i];
			return true;
		}
	return FAIL(event, "'%.64s' names a shell that is not one of the system's; leave it out", name);
}

static bool check_variables(struct zs_hook_event *event, const char *name, yyjson_val *value)
{
	if (yyjson_is_null(value) || (yyjson_is_ctn(value) && unsafe_yyjson_get_len(value) == 0))
		return true;
	return FAIL(event, "the call sets variables ('%.64s'); write them in front of the command", name);
}

/* Checks a key beside the command that may change which command runs, where or how. */
static bool take_key(struct zs_hook_event *event, yyjson_val *command, yyjson_val *key, yyjson_val *value)
{
	const char *name = yyjson_get_str(key);

	/* Go folds two letters that are not ASCII: U+017F to s, and U+212A to k. */
	for (const char *at = name; *at; at++)
		if (*at & 0x80)
			return FAIL(event, "the call of a command has the key '%.64s', which is not ASCII", name);
	/* JavaScript that copies this key gives the copy a prototype, and with it values for keys that are missing. */
	if (strcmp(name, "__proto__") == 0)
		return FAIL(event, "the call of a command has the key '%s'", name);
	if (key != command && is_alike_any(name, command_keys, ZS_COUNT(command_keys)))
		return FAIL(event, "the call has both '%s' and '%.64s'", yyjson_get_str(command), name);
	if (is_alike_any(name, folder_keys, ZS_COUNT(folder_keys)))
		return take_folders(event, name, value, event->folders, &event->folder_count);
	if (is_alike_any(name, shell_keys, ZS_COUNT(shell_keys)))
		return check_shell(event, name, value);
	return !is_alike_any(name, environment_keys, ZS_COUNT(environment_keys)) || check_variables(event, name, value);
}

static bool take_input(struct zs_hook_event *event, const struct json *json, yyjson_val *object)
{
	yyjson_val *command = NULL, *key, *value;
	size_t index, max;

	for (size_t i = 0; i < ZS_COUNT(command_keys) && !command; i++)
		command = hook_event_find(object, command_keys[i]);
	if (!command)
		return true;
	yyjson_obj_foreach(object, index, max, key, value) if (!take_key(event, command, key, value)) return false;
	return take_commands(event, json, command);
}

/* Finds the tool's input: an object, or from older Copilots a string of JSON. */
static bool find_input(struct zs_hook_event *event, enum zs_hook_tool tool, struct json *json, yyjson_val **ret_object)
{
	yyjson_val *key = *event->shape->input ? hook_event_find(json->root, event->shape->input) : NULL;
	yyjson_val *value = key ? yyjson_obj_iter_get_val(key) : json->root;

	*ret_object = NULL;
	if (yyjson_is_null(value) && tool == ZS_HOOK_TOOL_OTHER)
		return true;
	if (yyjson_is_str(value)) {
		const char *inner = plain(value);

		if (!inner)
			return FAIL(event, "the tool's input has a NUL byte in it");
		if (!hook_event_parse(event, "the tool's input", inner, strlen(inner), json))
			return false;
		value = json->root;
		key = NULL;
	}
	if (!yyjson_is_obj(value))
		return FAIL(event, "the tool's input is not a JSON object");
	event->input_text = json->source.text;
	event->input_start = key ? at_value(json, key) : zs_json_skip(&json->source, 0);
	event->input_end = zs_json_skip_value(&json->source, event->input_start);
	*ret_object = value;
	return true;
}

static bool take_tool(
	struct zs_hook_event *event, const struct zs_agent *agent, yyjson_val *root, enum zs_hook_tool *tool)
{
	yyjson_val *value = hook_event_value(root, event->shape->tool);
	const char *name = plain(value);

	*tool = ZS_HOOK_TOOL_SHELL;
	if (!value)
		return true;
	if (!name || !*name)
		return FAIL(event, "the event names no tool");
	*tool = zs_hook_tool_named(agent, name);
	return true;
}

static bool take_places(struct zs_hook_event *event, yyjson_val *root)
{
	yyjson_val *cwd = hook_event_value(root, "cwd"), *roots = hook_event_value(root, event->shape->roots);

	if (cwd && !plain(cwd))
		return FAIL(event, "'cwd' is not the path of a folder: not a string");
	event->cwd = cwd && *plain(cwd) ? plain(cwd) : NULL;
	event->transcript = plain(hook_event_value(root, "transcript_path"));
	return !roots || take_folders(event, event->shape->roots, roots, event->roots, &event->root_count);
}

bool zs_hook_read_event(const struct zs_agent *agent, const char *text, size_t len, struct zs_hook_event *event)
{
	enum zs_hook_tool tool;
	struct json json;
	yyjson_val *input;

	memset(event, 0, sizeof *event);
	if (len == 0)
		return FAIL(event, "there is no event on standard input");
	if (len > ZS_HOOK_EVENT_MAX)
		return FAIL(event, "the event has more than %d bytes", ZS_HOOK_EVENT_MAX);
	if (!hook_event_parse(event, "the event", text, len, &json) || !find_shape(event, agent, json.root) ||
		!take_tool(event, agent, json.root, &tool) || !take_places(event, json.root))
		return false;
	if (tool == ZS_HOOK_TOOL_QUIET)
		return true;
	if (!find_input(event, tool, &json, &input) || (input && !take_input(event, &json, input)))
		return false;
	if (tool == ZS_HOOK_TOOL_SHELL && event->command_count == 0)
		return FAIL(event, "the call has no command that zs can read");
	event->runs = event->command_count > 0;
	return true;
}

void zs_hook_event_free(struct zs_hook_event *event)
{
	for (size_t i = 0; i < event->command_count; i++)
		free(event->commands[i].text);
	for (size_t i = 0; i < event->document_count; i++)
		yyjson_doc_free(event->documents[i]);
	for (size_t i = 0; i < event->owned_count; i++)
		free(event->owned[i]);
}
