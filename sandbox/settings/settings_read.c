/* One settings file's text, read strictly by the table of keys. Pure. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "policy/json_reader.h"
#include "base/path.h"
#include "settings/settings.h"
#include "base/text.h"

struct walk {
	struct zs_json_reader json; /* its policy judges hosts, variables and limits */
	const char *workspace;
	enum zs_platform platform; /* of the part that is being read */
	struct zs_settings_file *file;
};

enum { NAME_BYTES = 128, NAMES_MAX = (int)ZS_SETTING_KEY_COUNT + (int)ZS_PLATFORM_COUNT };

static int settings_read_refuse(struct walk *walk, const struct zs_json_place *place, const char *what)
{
	return zs_json_fail(&walk->json, place, EINVAL, what);
}

/* Takes text. */
static int settings_read_add(struct walk *walk, const struct zs_json_place *place, struct zs_setting setting)
{
	struct zs_settings_file *file = walk->file;
	struct zs_setting *items;

	if (file->count == ZS_SETTINGS_ENTRIES_MAX) {
		char what[64];

		free(setting.text);
		snprintf(what, sizeof what, "is one entry too many: %d at most", ZS_SETTINGS_ENTRIES_MAX);
		return zs_json_fail(&walk->json, place, E2BIG, what);
	}
	items = realloc(file->items, (file->count + 1) * sizeof *items);
	if (!items) {
		free(setting.text);
		return zs_json_fail(&walk->json, place, ENOMEM, "out of memory");
	}
	file->items = items;
	setting.platform = walk->platform;
	setting.line = zs_json_line(&walk->json, place->at);
	items[file->count++] = setting;
	return 0;
}

/* Values */

static int read_bool(
	struct walk *walk, const struct zs_json_place *place, yyjson_val *value, const struct zs_setting_key *key)
{
	bool is;

	if (!yyjson_is_bool(value))
		return settings_read_refuse(walk, place, "is neither true nor false");
	is = yyjson_get_bool(value);
	if (walk->workspace && ((key->merge == ZS_MERGE_GUARD && !is) || (key->merge == ZS_MERGE_LICENCE && is)))
		return settings_read_refuse(walk, place,
			is ? "cannot be true in a project's file; only the user's own can allow it"
			   : "cannot be false in a project's file; only the user's own can turn it off");
	return settings_read_add(walk, place, (struct zs_setting){ .key = key, .form = ZS_FORM_VALUE, .number = is });
}

static int read_shells(
	struct walk *walk, const struct zs_json_place *place, yyjson_val *value, const struct zs_setting_key *key)
{
	const char *name, *nearest;
	size_t count = 0;
	int r = zs_json_string(&walk->json, place, value, &name);

	for (; r == 0 && zs_shell_names[count]; count++)
		if (strcmp(zs_shell_names[count], name) == 0)
			return settings_read_add(
				walk, place, (struct zs_setting){ .key = key, .form = ZS_FORM_VALUE, .number = count });
	if (r < 0)
		return r;
	r = settings_read_refuse(walk, place, "is none of \"terminal\", \"tool\", \"both\", \"neither\"");
	nearest = zs_nearest(name, zs_shell_names, count);
	return nearest ? zs_error_hint(walk->json.error, r, "did you mean \"%s\"?", nearest) : r;
}

static int read_limit(
	struct walk *walk, const struct zs_json_place *place, yyjson_val *value, const struct zs_setting_key *key)
{
	struct zs_error inner;

	if (!yyjson_is_uint(value) || yyjson_get_uint(value) == 0)
		return settings_read_refuse(
			walk, place, "is not a whole number above 0; without a limit, leave it out");
	if (zs_policy_set_limit(walk->json.policy, key->limit, yyjson_get_uint(value), &inner) < 0)
		return zs_json_refused(&walk->json, place, &inner);
	return settings_read_add(walk, place,
		(struct zs_setting){ .key = key, .form = ZS_FORM_VALUE, .number = yyjson_get_uint(value) });
}

/* The fault of a path before it is made absolute; NULL: none. */
static const char *problem_of(const struct walk *walk, const char *path)
{
	bool tilde = path[0] == '~';

	if (strchr(path, '$'))
		return "holds a '$'; variables are not expanded here: write the path itself, or ~/…";
	if (path[0] == '!')
		return "starts with '!'; nothing can be taken out of a list: leave it out";
	if (strchr(path, '*'))
		return "holds a '*'; patterns are not expanded here: name a file or a folder";
	if (tilde && path[1] && path[1] != '/')
		return "is another user's home; write its path";
	if (!walk->workspace && path[0] != '/' && !tilde && path[0])
		return "is relative; in the user's own file a path starts with / or ~";
	return NULL;
}

static int take_path(
	struct walk *walk, const struct zs_json_place *place, const char *text, enum zs_access access, char **ret_path)
{
	bool relative = text[0] && text[0] != '/' && text[0] != '~';
	ZS_AUTO_FREE char *joined = relative && walk->workspace ? zs_path_join(walk->workspace, text) : NULL;
	ZS_AUTO_FREE char *path = NULL;
	const char *problem = problem_of(walk, text);
	int r;

	if (problem)
		return settings_read_refuse(walk, place, problem);
	if (relative && !joined)
		return zs_json_fail(&walk->json, place, ENOMEM, "out of memory");
	r = zs_path_normalize(joined ? joined : text, walk->json.policy->home, &path, &problem);
	if (r < 0)
		return zs_json_fail(&walk->json, place, -r, problem);
	if (walk->workspace && access < ZS_ACCESS_READ && !zs_path_lies_in(path, walk->workspace))
		return settings_read_refuse(
			walk, place, "lies outside of the workspace; a project's file can only speak of what is in it");
	if (access < ZS_ACCESS_READ && strcmp(path, "/") == 0)
		return settings_read_refuse(walk, place, "is everything; name what is meant");
	*ret_path = ZS_STEAL(path);
	return 0;
}

static int take_text(struct walk *walk, const struct zs_json_place *place, const char *text,
	const struct zs_setting_key *key, char **ret_text)
{
	struct zs_error inner;

	if (key->type == ZS_SETTING_PATHS)
		return take_path(walk, place, text, key->access, ret_text);
	if ((key->type == ZS_SETTING_HOSTS ? zs_policy_add_host : zs_policy_add_env)(walk->json.policy, text, &inner) <
		0)
		return zs_json_refused(&walk->json, place, &inner);
	*ret_text = strdup(text);
	return *ret_text ? 0 : zs_json_fail(&walk->json, place, ENOMEM, "out of memory");
}

static int read_list(
	struct walk *walk, const struct zs_json_place *place, yyjson_val *value, const struct zs_setting_key *key)
{
	yyjson_arr_iter items = yyjson_arr_iter_with(value);
	yyjson_val *item;
	int result = 0;

	if (!yyjson_is_arr(value))
		return settings_read_refuse(walk, place, "is not an array");
	if (yyjson_arr_size(value) == 0)
		return settings_read_add(walk, place, (struct zs_setting){ .key = key, .form = ZS_FORM_EMPTY });
	for (size_t i = 0; (item = yyjson_arr_iter_next(&items)); i++) {
		struct zs_json_place at = zs_json_element(place, i, item);
		struct zs_setting setting = { .key = key, .form = ZS_FORM_VALUE };
		const char *text;
		int r = zs_json_string(&walk->json, &at, item, &text);

		if (r == 0)
			r = take_text(walk, &at, text, key, &setting.text);
		if (r == 0)
			r = settings_read_add(walk, &at, setting);
		if (!zs_json_goes_on(&walk->json, r, &result) || r == -E2BIG)
			break;
	}
	return result;
}

static int read_value(
	struct walk *walk, const struct zs_json_place *place, yyjson_val *value, const struct zs_setting_key *key)
{
	static int (*const readers[])(
		struct walk *, const struct zs_json_place *, yyjson_val *, const struct zs_setting_key *) = {
		[ZS_SETTING_BOOL] = read_bool,
		[ZS_SETTING_SHELLS] = read_shells,
		[ZS_SETTING_PATHS] = read_list,
		[ZS_SETTING_HOSTS] = read_list,
		[ZS_SETTING_VARIABLES] = read_list,
		[ZS_SETTING_LIMIT] = read_limit,
	};

	if (yyjson_is_null(value))
		return settings_read_add(walk, place, (struct zs_setting){ .key = key });
	return readers[key->type](walk, place, value, key);
}

/* Objects */

/* Finds the part of a key's name that follows the prefix, up to the next "."; its length, or 0: it does not start
 * so. */
static size_t part_after(const char *name, const char *prefix, const char **ret_part)
{
	size_t len = strlen(prefix);

	if (strncmp(name, prefix, len) != 0)
		return 0;
	*ret_part = name + len;
	return strcspn(name + len, ".");
}

/* Which of the keys a name may stand for here: the first with this part, which is the key itself or a group of keys. */
static const struct zs_setting_key *find_key(const char *prefix, const char *name)
{
	for (size_t i = 0; i < ZS_SETTING_KEY_COUNT; i++) {
		const char *part;
		size_t len = part_after(zs_setting_keys[i].name, prefix, &part);

		if (len && strlen(name) == len && strncmp(part, name, len) == 0)
			return &zs_setting_keys[i];
	}
	return NULL;
}

static bool has_platforms(const struct walk *walk, const char *prefix)
{
	return walk->platform == ZS_PLATFORM_ANY && strcmp(prefix, "sandbox.") == 0;
}

/* The key of that name that stands elsewhere, or the object. */
static bool find_elsewhere(const char *name, char buffer[NAME_BYTES])
{
	size_t len = strlen(name);

	for (size_t i = 0; i < ZS_SETTING_KEY_COUNT; i++)
		for (const char *dot = strchr(zs_setting_keys[i].name, '.'); dot; dot = strchr(dot + 1, '.'))
			if (strncmp(dot + 1, name, len) == 0 && strchr(".", dot[1 + len])) {
				snprintf(buffer, NAME_BYTES, "%.*s", (int)(dot + 1 + len - zs_setting_keys[i].name),
					zs_setting_keys[i].name);
				return true;
			}
	return false;
}

/* A slip of a key that stands here, its beginning ("wall"), or what stands elsewhere. */
static bool meant(const struct walk *walk, const char *prefix, const char *name, char buffer[NAME_BYTES])
{
	char parts[NAMES_MAX][NAME_BYTES];
	const char *names[NAMES_MAX], *nearest;
	size_t count = 0;

	for (size_t i = 0; i < ZS_SETTING_KEY_COUNT; i++) {
		const char *part;
		size_t len = part_after(zs_setting_keys[i].name, prefix, &part);

		if (len) {
			snprintf(parts[count], NAME_BYTES, "%.*s", (int)len, part);
			names[count] = parts[count];
			count++;
		}
	}
	for (size_t i = ZS_PLATFORM_ANY + 1; has_platforms(walk, prefix) && i < ZS_PLATFORM_COUNT; i++)
		names[count++] = zs_platform_names[i];
	nearest = zs_nearest(name, names, count);
	for (size_t i = 0; !nearest && *name && i < count; i++)
		if (strncmp(names[i], name, strlen(name)) == 0)
			nearest = names[i];
	if (!nearest)
		return find_elsewhere(name, buffer);
	snprintf(buffer, NAME_BYTES, "%s", nearest);
	return true;
}

static int settings_read_unknown(struct walk *walk, const struct zs_json_place *place, const char *prefix)
{
	char buffer[NAME_BYTES];
	int r = settings_read_refuse(walk, place, "unknown key");

	if (meant(walk, prefix, place->name, buffer))
		return zs_error_hint(walk->json.error, r, "did you mean \"%s\"?", buffer);
	return r;
}

static int read_object(struct walk *walk, const struct zs_json_place *place, yyjson_val *value, const char *prefix);

/* The keys of one system, which replace those of the same name. */
static int read_platform(
	struct walk *walk, const struct zs_json_place *place, yyjson_val *value, enum zs_platform platform)
{
	int r;

	walk->platform = platform;
	r = yyjson_is_null(value) ? 0 : read_object(walk, place, value, "sandbox.");
	walk->platform = ZS_PLATFORM_ANY;
	return r;
}

static int read_key(struct walk *walk, const struct zs_json_place *place, yyjson_val *value, const char *prefix,
	bool seen[NAMES_MAX + 1])
{
	const struct zs_setting_key *key = find_key(prefix, place->name);
	size_t prefix_len = strlen(prefix), index = key ? (size_t)(key - zs_setting_keys) : NAMES_MAX;
	enum zs_platform platform = ZS_PLATFORM_ANY;
	char inner[NAME_BYTES];
	const char *text;

	for (size_t i = ZS_PLATFORM_ANY + 1; has_platforms(walk, prefix) && i < ZS_PLATFORM_COUNT; i++)
		if (strcmp(place->name, zs_platform_names[i]) == 0) {
			platform = (enum zs_platform)i;
			index = ZS_SETTING_KEY_COUNT + i;
		}
	if (index == NAMES_MAX && (*prefix || strcmp(place->name, "$schema") != 0))
		return settings_read_unknown(walk, place, prefix);
	if (seen[index])
		return settings_read_refuse(walk, place, "duplicate key");
	seen[index] = true;
	if (platform != ZS_PLATFORM_ANY)
		return read_platform(walk, place, value, platform);
	if (!key)
		return zs_json_string(&walk->json, place, value, &text);
	if (strcmp(key->name + prefix_len, place->name) == 0)
		return read_value(walk, place, value, key);
	snprintf(inner, sizeof inner, "%s%s.", prefix, place->name);
	return yyjson_is_null(value) ? 0 : read_object(walk, place, value, inner);
}

static int read_object(struct walk *walk, const struct zs_json_place *place, yyjson_val *value, const char *prefix)
{
	bool seen[NAMES_MAX + 1] = { false };
	yyjson_obj_iter keys = yyjson_obj_iter_with(value);
	yyjson_val *key;
	int result = 0;

	if (!yyjson_is_obj(value))
		return settings_read_refuse(walk, place, "is not an object");
	while ((key = yyjson_obj_iter_next(&keys))) {
		struct zs_json_place at = zs_json_inside(place, yyjson_get_str(key), yyjson_get_str(key));
		const char *name;
		int r = zs_json_string(&walk->json, &at, key, &name);

		if (r == 0)
			r = read_key(walk, &at, yyjson_obj_iter_get_val(key), prefix, seen);
		if (!zs_json_goes_on(&walk->json, r, &result))
			break;
	}
	return result;
}

/* Takes this system's value of each key, else the one for every system. */
static void choose_platform(struct zs_settings_file *file, enum zs_platform platform)
{
	bool has[ZS_SETTING_KEY_COUNT] = { false };
	size_t kept = 0;

	for (size_t i = 0; i < file->count; i++)
		if (file->items[i].platform == platform)
			has[file->items[i].key - zs_setting_keys] = true;
	for (size_t i = 0; i < file->count; i++) {
		struct zs_setting item = file->items[i];

		if (item.platform == (has[item.key - zs_setting_keys] ? platform : ZS_PLATFORM_ANY))
			file->items[kept++] = item;
		else
			free(item.text);
	}
	file->count = kept;
}

static int settings_read_read_text(struct walk *walk, const char *text, size_t len)
{
	struct zs_json_place top = { 0 };
	yyjson_doc *doc = NULL;
	int result = 0, r = zs_json_parse(&walk->json, text, len, ZS_SETTINGS_BYTES_MAX, &doc);

	top.at = walk->json.buffer;
	if (r == 0)
		r = read_object(walk, &top, yyjson_doc_get_root(doc), "");
	zs_json_goes_on(&walk->json, r, &result);
	yyjson_doc_free(doc);
	free((char *)walk->json.buffer);
	return result;
}

int zs_settings_parse(
	const struct zs_settings_reading *reading, const char *text, size_t len, struct zs_settings_file *ret_file)
{
	struct zs_error own;
	struct zs_settings_file file = { 0 };
	struct walk walk = {
		.json = { .step = "settings",
			.file = reading->file,
			.envp = reading->envp,
			.error = reading->error ? reading->error : &own,
			.each = reading->each,
			.each_arg = reading->each_arg },
		.workspace = reading->workspace,
		.file = &file,
	};
	int r = zs_policy_new(reading->envp, &walk.json.policy);

	if (r < 0)
		return zs_error_errno(walk.json.error, "settings", reading->file, -r);
	r = settings_read_read_text(&walk, text, len);
	zs_policy_free(walk.json.policy);
	if (r == 0) {
		file.path = strdup(reading->file ? reading->file : "");
		r = file.path ? 0 : zs_error_errno(walk.json.error, "settings", reading->file, ENOMEM);
	}
	if (r < 0) {
		zs_settings_file_free(&file);
		return r;
	}
	zs_sha256(text, len, file.sha256);
	choose_platform(&file, reading->platform);
	*ret_file = file;
	return 0;
}

void zs_settings_file_free(struct zs_settings_file *file)
{
	for (size_t i = 0; i < file->count; i++)
		free(file->items[i].text);
	free(file->items);
	free(file->path);
	*file = (struct zs_settings_file){ 0 };
}

const struct zs_setting *zs_settings_find(const struct zs_settings_file *file, enum zs_setting_id id)
{
	for (size_t i = 0; i < file->count; i++)
		if (file->items[i].key == &zs_setting_keys[id] && file->items[i].form != ZS_FORM_NONE)
			return &file->items[i];
	return NULL;
}

int zs_settings_check(const char *file, const char *workspace, const char *text, size_t len, char *const envp[],
	zs_each_error *each, void *arg)
{
	struct zs_error error;
	const struct zs_settings_reading reading = {
		.file = file, .workspace = workspace, .envp = envp, .each = each, .each_arg = arg, .error = &error
	};
	struct zs_settings_file read;
	int r = zs_settings_parse(&reading, text, len, &read);

	if (r == 0)
		zs_settings_file_free(&read);
	else if (r != ZS_JSON_TOLD)
		each(&error, arg); /* out of memory */
	return r == ZS_JSON_TOLD ? -EINVAL : r;
}

bool zs_is_policy_json(const char *file, const char *text, size_t len)
{
	yyjson_doc *doc = yyjson_read(text, len, YYJSON_READ_NOFLAG);
	size_t name_len = strlen(file), end_len = strlen("settings.json");
	bool is = doc ? yyjson_obj_get(yyjson_doc_get_root(doc), "version") != NULL
		      : name_len < end_len || strcmp(file + name_len - end_len, "settings.json") != 0;

	yyjson_doc_free(doc);
	return is;
}
