/* Reads one settings file's text strictly, by the table of keys. Pure. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "policy/json_reader.h"
#include "base/path.h"
#include "base/pattern.h"
#include "settings/settings.h"
#include "base/text.h"

struct walk {
	const struct zs_settings_reading *reading;
	enum zs_platform platform; /* the platform of the part that is being read */
	struct zs_settings_file *file;
};

enum { NAME_BYTES = 128, NAMES_MAX = (int)ZS_SETTING_KEY_COUNT + (int)ZS_PLATFORM_COUNT };

static struct walk *walk_of(const struct zs_json_node *node)
{
	return node->reader->own;
}

/* The workspace of a project's file; NULL: the file is the user's. */
static const char *workspace_of(const struct zs_json_node *node)
{
	return walk_of(node)->reading->workspace;
}

static void drop_setting(struct zs_setting *setting)
{
	free(setting->text);
	zs_command_rule_free(setting->rule);
}

/* Takes over the setting's text and rule. */
static int settings_read_add(const struct zs_json_node *node, struct zs_setting setting)
{
	const struct walk *walk = walk_of(node);
	struct zs_settings_file *file = walk->file;
	struct zs_setting *items;

	if (file->count == ZS_SETTINGS_ENTRIES_MAX) {
		char what[64];

		drop_setting(&setting);
		snprintf(what, sizeof what, "is one entry too many; the limit is %d", ZS_SETTINGS_ENTRIES_MAX);
		return zs_json_fail(node, E2BIG, what);
	}
	items = zs_with_room(file->items, file->count, sizeof *items);
	if (!items) {
		drop_setting(&setting);
		return zs_json_fail(node, ENOMEM, "out of memory");
	}
	file->items = items;
	setting.platform = walk->platform;
	setting.line = zs_json_line(node);
	items[file->count++] = setting;
	return 0;
}

/* Values */

static int read_bool(const struct zs_json_node *node, const struct zs_setting_key *key)
{
	bool is = yyjson_get_bool(node->value);

	if (!yyjson_is_bool(node->value))
		return zs_json_fail(node, EINVAL, "is neither true nor false");
	if (workspace_of(node) && ((key->merge == ZS_MERGE_GUARD && !is) || (key->merge == ZS_MERGE_LICENCE && is)))
		return zs_json_fail(node, EINVAL,
			is ? "cannot be true in a project's file; only the user's own can allow it"
			   : "cannot be false in a project's file; only the user's own can turn it off");
	return settings_read_add(node, (struct zs_setting){ .key = key, .form = ZS_FORM_VALUE, .number = is });
}

static int read_name(const struct zs_json_node *node, const struct zs_setting_key *key)
{
	const char *const *names = zs_setting_names(key->type);
	const char *name, *nearest;
	char what[96] = "is none of";
	size_t count = 0;
	int r = zs_json_string(node, &name);

	for (; r == 0 && names[count]; count++)
		if (strcmp(names[count], name) == 0)
			return settings_read_add(
				node, (struct zs_setting){ .key = key, .form = ZS_FORM_VALUE, .number = count });
	if (r < 0)
		return r;
	for (size_t i = 0; i < count; i++)
		snprintf(what + strlen(what), sizeof what - strlen(what), "%s \"%s\"", i ? "," : "", names[i]);
	r = zs_json_fail(node, EINVAL, what);
	nearest = zs_nearest(name, names, count);
	return nearest ? zs_error_hint(node->reader->error, r, "did you mean \"%s\"?", nearest) : r;
}

static int read_limit(const struct zs_json_node *node, const struct zs_setting_key *key)
{
	struct zs_setting setting = { .key = key, .form = ZS_FORM_VALUE };
	struct zs_error inner;
	int r = zs_json_amount(node, &setting.number);

	if (r < 0)
		return r;
	r = zs_policy_set_limit(node->reader->policy, key->limit, setting.number, &inner);
	return r < 0 ? zs_json_judged(node, r, &inner) : settings_read_add(node, setting);
}

/* Returns the fault of a path before it is made absolute; NULL: none. */
static const char *problem_of(const char *workspace, const char *path)
{
	bool tilde = path[0] == '~';

	if (strchr(path, '$'))
		return "holds a '$'; variables are not expanded here: write the path itself, or ~/…";
	if (path[0] == '!')
		return "starts with '!'; a list cannot take entries away: leave it out";
	if (zs_is_pattern(path))
		return "holds a '*'; only protect and hide take patterns: name a file or a folder";
	if (tilde && path[1] && path[1] != '/')
		return "is another user's home; write its path";
	if (!workspace && path[0] != '/' && !tilde && path[0])
		return "is relative; in the user's own file a path starts with / or ~";
	return NULL;
}

static int take_pattern(const struct zs_json_node *node, const char *text, char **ret_path)
{
	struct zs_error inner;

	if (strchr(text, '$') || text[0] == '!')
		return zs_json_fail(node, EINVAL, problem_of("", text));
	return zs_json_judged(node, zs_policy_normal_pattern(node->reader->policy, text, ret_path, &inner), &inner);
}

static int take_path(const struct zs_json_node *node, const char *text, enum zs_access access, char **ret_path)
{
	const char *workspace = workspace_of(node), *problem = problem_of(workspace, text);
	bool relative = text[0] && text[0] != '/' && text[0] != '~';
	ZS_AUTO_FREE char *joined = relative && workspace ? zs_path_join(workspace, text) : NULL;
	ZS_AUTO_FREE char *path = NULL;
	int r;

	if (problem)
		return zs_json_fail(node, EINVAL, problem);
	if (relative && !joined)
		return zs_json_fail(node, ENOMEM, "out of memory");
	r = zs_path_normalize(joined ? joined : text, node->reader->policy->home, &path, &problem);
	if (r < 0)
		return zs_json_fail(node, -r, problem);
	if (workspace && access < ZS_ACCESS_READ && !zs_path_lies_in(path, workspace))
		return zs_json_fail(node, EINVAL,
			"lies outside of the workspace; a project's file can only name paths in the workspace");
	if (access < ZS_ACCESS_READ && strcmp(path, "/") == 0)
		return zs_json_fail(node, EINVAL, "is the whole file system; name the folders that you mean");
	*ret_path = ZS_STEAL(path);
	return 0;
}

#define LIST_TASK(id, name, text) ", " name

static int check_pack(const char *text, struct zs_error *error)
{
	const char *nearest;
	enum zs_pack pack;
	int r;

	if (zs_pack_find(text, &pack))
		return 0;
	r = zs_error_say(error, "settings", text, EINVAL, "no such pack; choose from %s", &ZS_PACKS(LIST_TASK)[2]);
	nearest = zs_nearest(text, zs_pack_names, ZS_PACK_COUNT);
	return nearest ? zs_error_hint(error, r, "did you mean \"%s\"?", nearest) : r;
}

static int check_entry(struct zs_policy *policy, enum zs_setting_type type, const char *text, char *const envp[],
	struct zs_error *error)
{
	enum zs_task task;

	if (type == ZS_SETTING_HOSTS)
		return zs_policy_add_hosts(policy, text, envp, error);
	if (type == ZS_SETTING_PACKS)
		return check_pack(text, error);
	if (type == ZS_SETTING_VARIABLES)
		return zs_policy_add_env(policy, text, error);
	return zs_task_from_name(text, &task) == 0 ? 0
						   : zs_error_say(error, "settings", text, EINVAL,
							     "no such task; choose from %s", &ZS_TASKS(LIST_TASK)[2]);
}

static int read_entry(const struct zs_json_node *node, void *arg)
{
	const struct zs_setting_key *key = arg;
	struct zs_setting setting = { .key = key, .form = ZS_FORM_VALUE };
	struct zs_policy *policy = node->reader->policy;
	struct zs_error inner;
	const char *text;
	int r = zs_json_string(node, &text);

	if (r == 0 && key->merge == ZS_MERGE_TAKE && zs_is_pattern(text))
		r = take_pattern(node, text, &setting.text);
	else if (r == 0 && key->type == ZS_SETTING_PATHS)
		r = take_path(node, text, key->access, &setting.text);
	else if (r == 0)
		r = zs_json_judged(
			node, check_entry(policy, key->type, text, walk_of(node)->reading->envp, &inner), &inner);
	if (r == 0 && !setting.text && !(setting.text = strdup(text)))
		r = zs_json_fail(node, ENOMEM, "out of memory");
	return r < 0 ? r : settings_read_add(node, setting);
}

static int read_rule(const struct zs_json_node *node, void *arg)
{
	struct zs_setting setting = { .key = arg, .form = ZS_FORM_VALUE };
	int r = zs_command_rule_read(node, &setting.rule, &setting.text);

	return r < 0 ? r : settings_read_add(node, setting);
}

static int read_list(const struct zs_json_node *node, const struct zs_setting_key *key)
{
	if (yyjson_is_arr(node->value) && yyjson_arr_size(node->value) == 0)
		return settings_read_add(node, (struct zs_setting){ .key = key, .form = ZS_FORM_EMPTY });
	return zs_json_array(node, key->type == ZS_SETTING_RULES ? read_rule : read_entry, (void *)key);
}

static int read_value(const struct zs_json_node *node, const struct zs_setting_key *key)
{
	static int (*const readers[])(const struct zs_json_node *, const struct zs_setting_key *) = {
		[ZS_SETTING_BOOL] = read_bool,
		[ZS_SETTING_SHELLS] = read_name,
		[ZS_SETTING_CACHES] = read_name,
		[ZS_SETTING_PATHS] = read_list,
		[ZS_SETTING_HOSTS] = read_list,
		[ZS_SETTING_TASKS] = read_list,
		[ZS_SETTING_VARIABLES] = read_list,
		[ZS_SETTING_PACKS] = read_list,
		[ZS_SETTING_RULES] = read_list,
		[ZS_SETTING_LIMIT] = read_limit,
	};

	if (yyjson_is_null(node->value))
		return settings_read_add(node, (struct zs_setting){ .key = key });
	return readers[key->type](node, key);
}

/* Objects */

/* The names that one object may contain: parts of keys, up to the next "."; and systems. */
struct level {
	const char *prefix; /* the keys' common prefix: "sandbox.limits." */
	char names[NAMES_MAX][NAME_BYTES];
	const struct zs_setting_key *keys[NAMES_MAX]; /* the key, or the first of a group; NULL: the name is no key */
	bool seen[NAMES_MAX];
	size_t count;
};

static size_t find_name(const struct level *level, const char *name)
{
	size_t i = 0;

	while (i < level->count && strcmp(level->names[i], name) != 0)
		i++;
	return i;
}

static void add_name(struct level *level, const char *name, const struct zs_setting_key *key)
{
	char *part = level->names[level->count];

	snprintf(part, NAME_BYTES, "%.*s", (int)strcspn(name, "."), name);
	level->keys[level->count] = key;
	if (find_name(level, part) == level->count)
		level->count++;
}

static void list_names(struct level *level, const char *prefix, bool with_platforms)
{
	size_t len = strlen(prefix);

	*level = (struct level){ .prefix = prefix };
	for (size_t i = 0; i < ZS_SETTING_KEY_COUNT; i++)
		if (strncmp(zs_setting_keys[i].name, prefix, len) == 0)
			add_name(level, zs_setting_keys[i].name + len, &zs_setting_keys[i]);
	for (size_t i = ZS_PLATFORM_ANY + 1; with_platforms && i < ZS_PLATFORM_COUNT; i++)
		add_name(level, zs_platform_names[i], NULL);
	if (!*prefix)
		add_name(level, "$schema", NULL);
}

/* Finds a key of that name in another object, or an object of that name. */
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

/* Refuses a name, and suggests a key of this object with a similar name or beginning ("wall"), or one of another
 * object. */
static int refuse_name(const struct zs_json_node *node, const struct level *level)
{
	const char *names[NAMES_MAX], *nearest;
	char elsewhere[NAME_BYTES];
	int r = zs_json_fail(node, EINVAL, "unknown key");

	for (size_t i = 0; i < level->count; i++)
		names[i] = level->names[i];
	nearest = zs_nearest(node->name, names, level->count);
	for (size_t i = 0; !nearest && *node->name && i < level->count; i++)
		if (strncmp(names[i], node->name, strlen(node->name)) == 0)
			nearest = names[i];
	if (!nearest && find_elsewhere(node->name, elsewhere))
		nearest = elsewhere;
	return nearest ? zs_error_hint(node->reader->error, r, "did you mean \"%s\"?", nearest) : r;
}

static int read_object(const struct zs_json_node *node, const char *prefix);

/* Reads the keys of one system, which replace the general ones of the same name. */
static int read_platform(const struct zs_json_node *node)
{
	struct walk *walk = walk_of(node);
	int r;

	while (strcmp(zs_platform_names[++walk->platform], node->name) != 0)
		;
	r = yyjson_is_null(node->value) ? 0 : read_object(node, "sandbox.");
	walk->platform = ZS_PLATFORM_ANY;
	return r;
}

static int read_key(const struct zs_json_node *node, void *arg)
{
	struct level *level = arg;
	size_t i = find_name(level, node->name);
	const struct zs_setting_key *key = i < level->count ? level->keys[i] : NULL;
	char inner[NAME_BYTES];
	const char *text;

	if (i == level->count)
		return refuse_name(node, level);
	if (level->seen[i])
		return zs_json_fail(node, EINVAL, "duplicate key");
	level->seen[i] = true;
	if (!key)
		return *level->prefix ? read_platform(node) : zs_json_string(node, &text);
	if (strcmp(key->name + strlen(level->prefix), node->name) == 0)
		return read_value(node, key);
	snprintf(inner, sizeof inner, "%s%s.", level->prefix, node->name);
	return yyjson_is_null(node->value) ? 0 : read_object(node, inner);
}

static int read_object(const struct zs_json_node *node, const char *prefix)
{
	struct level level;

	list_names(&level, prefix, walk_of(node)->platform == ZS_PLATFORM_ANY && strcmp(prefix, "sandbox.") == 0);
	return zs_json_pairs(node, read_key, &level);
}

static int read_top(const struct zs_json_node *node, void *walk)
{
	(void)walk;
	return read_object(node, "");
}

/* Takes this system's value of each key, or else the general one. */
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
			drop_setting(&item);
	}
	file->count = kept;
}

int zs_settings_parse(
	const struct zs_settings_reading *reading, const char *text, size_t len, struct zs_settings_file *ret_file)
{
	struct zs_error own;
	struct zs_settings_file file = { .path = strdup(reading->file ? reading->file : "") };
	struct walk walk = { .reading = reading, .file = &file };
	struct zs_json_reader reader = { .step = "settings",
		.file = reading->file,
		.error = reading->error ? reading->error : &own,
		.each = reading->each,
		.each_arg = reading->each_arg,
		.own = &walk };
	int r = file.path ? zs_policy_new(reading->envp, &reader.policy) : -ENOMEM;

	/* This policy checks hosts, variables and limits. */
	if (r == 0) {
		r = zs_json_parse(&reader, text, len, ZS_SETTINGS_BYTES_MAX, read_top);
		zs_policy_free(reader.policy);
	} else {
		zs_error_errno(reader.error, "settings", reading->file, -r);
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
		drop_setting(&file->items[i]);
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
	return zs_json_end_check(r, &error, each, arg);
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
