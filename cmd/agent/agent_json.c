/* Our hook as an entry of an array in JSON. */
#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>
#include <yyjson.h>

#include "agent/agent_form.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/json.h"
#include "base/json_edit.h"
#include "base/memory_stream.h"

static const char step[] = "install";

/* Outermost object, hooks, event. */
enum { LEVELS_MAX = ZS_CONFIG_KEYS_MAX + 1, HOOKS_MAX = 8 };

/* The containers that lead to our array, as far as they exist. */
struct way {
	struct zs_json_source source;
	const char *const *keys;
	size_t levels;                           /* how many of the containers exist */
	size_t open[LEVELS_MAX];                 /* the offset of each */
	struct zs_json_item members[LEVELS_MAX]; /* the member that holds each; unused for the outermost */
};

struct entry {
	struct zs_json_item item, inner; /* the item of the array; the handler in the item's own "hooks" */
	size_t inner_open, inner_count;  /* 0: the item has no "hooks" */
	struct zs_hook_call command;
	yyjson_val *value, *handler; /* the same, as values of the document */
};

/* A parsed file, with our entries in their order. */
struct reading {
	struct way way;
	yyjson_doc *doc;
	struct entry entries[HOOKS_MAX];
	size_t count;
};

static void end_reading(struct reading *reading)
{
	yyjson_doc_free(reading->doc);
}

#define AUTO_READING __attribute__((cleanup(end_reading))) struct reading

static const struct zs_agent_config *config_of(const struct zs_agent_text *text)
{
	return &zs_agent_configs[text->agent->number];
}

static size_t count_keys(const struct zs_agent_config *config)
{
	size_t count = 0;

	while (config->keys[count])
		count++;
	return count;
}

static int find_way(const struct zs_agent_text *text, struct way *way, yyjson_doc **ret_doc, struct zs_error *error)
{
	const struct zs_agent_config *config = config_of(text);
	struct zs_json_span root;
	const char *problem;
	size_t at, keys = count_keys(config);
	int r;

	*way = (struct way){ .source = { text->text, text->len }, .keys = config->keys };
	r = zs_json_read(&way->source, config->comments, ret_doc, &at, &problem);
	if (r == -ENOMEM)
		return zs_error_errno(error, step, text->path, ENOMEM);
	if (r < 0)
		return zs_agent_text_fail(text, at, problem, "mend the file by hand; nothing was changed", error);
	root = zs_json_root(&way->source);
	if (text->text[root.begin] != '{')
		return zs_agent_text_fail(
			text, root.begin, "is not an object", "the file must be { … }; nothing was changed", error);
	way->open[way->levels++] = root.begin;
	for (size_t i = 0; i < keys; i++) {
		struct zs_json_item member;
		size_t count = zs_json_find(&way->source, way->open[i], config->keys[i], &member);
		char what[64];

		if (count == 0)
			break;
		snprintf(what, sizeof what, "\"%s\" is there twice", config->keys[i]);
		if (count > 1)
			return zs_agent_text_fail(text, member.name.begin, what,
				"remove one of them by hand; nothing was changed", error);
		snprintf(what, sizeof what, "\"%s\" is not an %s", config->keys[i], i + 1 == keys ? "array" : "object");
		if (text->text[member.value.begin] != (i + 1 == keys ? '[' : '{'))
			return zs_agent_text_fail(
				text, member.value.begin, what, "mend the file by hand; nothing was changed", error);
		way->members[way->levels] = member;
		way->open[way->levels++] = member.value.begin;
	}
	return 0;
}

static bool agent_json_is_whole(const struct zs_agent_text *text, const struct way *way)
{
	return way->levels == count_keys(config_of(text)) + 1;
}

/* Ours among the entries */

static bool agent_json_is_ours(yyjson_val *handler, const struct zs_agent *agent, struct zs_hook_call *ret_command)
{
	static const char *const names[] = { "command", "bash" };

	for (size_t i = 0; i < ZS_COUNT(names); i++) {
		yyjson_val *text = yyjson_obj_get(handler, names[i]);

		if (yyjson_is_str(text) &&
			zs_hook_call_read(yyjson_get_str(text), yyjson_get_len(text), agent, ret_command))
			return true;
	}
	return false;
}

/* Finds a handler: the entry itself, its "action", or one of its "hooks". */
static yyjson_val *find_handler(
	yyjson_val *entry, const struct zs_agent *agent, struct zs_hook_call *ret_command, size_t *ret_index)
{
	yyjson_val *action = yyjson_obj_get(entry, "action"), *hooks = yyjson_obj_get(entry, "hooks"), *handler;
	size_t max;

	*ret_index = 0;
	if (agent_json_is_ours(entry, agent, ret_command))
		return entry;
	if (agent_json_is_ours(action, agent, ret_command))
		return action;
	yyjson_arr_foreach(
		hooks, *ret_index, max, handler) if (agent_json_is_ours(handler, agent, ret_command)) return handler;
	return NULL;
}

/* Finds the place of the handler with that index in the entry's "hooks", if it has any. */
static void find_inner(const struct way *way, size_t index, struct entry *entry)
{
	struct zs_json_item hooks, item;
	size_t at = 0;

	if (way->source.text[entry->item.value.begin] != '{' ||
		!zs_json_find(&way->source, entry->item.value.begin, "hooks", &hooks) ||
		way->source.text[hooks.value.begin] != '[')
		return;
	entry->inner_open = hooks.value.begin;
	while (zs_json_next(&way->source, entry->inner_open, &at, &item))
		if (entry->inner_count++ == index)
			entry->inner = item;
}

static void find_entries(const struct zs_agent_text *text, struct reading *reading)
{
	const struct way *way = &reading->way;
	yyjson_val *value = yyjson_doc_get_root(reading->doc);
	yyjson_arr_iter values;
	struct zs_json_item item;
	size_t at = 0;

	if (!agent_json_is_whole(text, way))
		return;
	for (size_t i = 0; way->keys[i]; i++)
		value = yyjson_obj_get(value, way->keys[i]);
	/* The source and the document may disagree: a key with escapes leads them to different arrays. */
	values = yyjson_arr_iter_with(value);
	while ((value = yyjson_arr_iter_next(&values)) &&
		zs_json_next(&way->source, way->open[way->levels - 1], &at, &item)) {
		struct entry entry = { .item = item, .value = value };
		size_t index;

		entry.handler = find_handler(value, text->agent, &entry.command, &index);
		if (!entry.handler || reading->count == HOOKS_MAX)
			continue;
		find_inner(way, index, &entry);
		reading->entries[reading->count++] = entry;
	}
}

/* Parses a file. The caller has zeroed *reading. */
static int read_entries(const struct zs_agent_text *text, struct reading *reading, struct zs_error *error)
{
	int r = find_way(text, &reading->way, &reading->doc, error);

	if (r == 0)
		find_entries(text, reading);
	return r;
}

/* Writing */

/* Makes the entry, with the command in it; free() it. */
static char *print_entry(const struct zs_agent *agent, const struct zs_hook_call *command)
{
	const char *entry = zs_agent_configs[agent->number].entry, *dollar = strchr(entry, '$');
	ZS_AUTO_FREE char *line = zs_hook_call_text(command, ZS_HOOK_GUARDED);
	char *text = NULL;
	size_t len;
	FILE *out = line ? zs_memory_stream(&text, &len) : NULL;

	if (!out)
		return NULL;
	fwrite(entry, 1, (size_t)(dollar - entry), out);
	zs_json_text(&(struct zs_json){ out, false }, line);
	fputs(dollar + 1, out);
	return zs_memory_close(out, &text);
}

static void put_deeper(FILE *out, const char *value, size_t levels)
{
	for (; *value; value++) {
		fputc(*value, out);
		for (size_t i = 0; *value == '\n' && i < levels; i++)
			fputc('\t', out);
	}
}

/* Puts the containers from keys[from] on around the entry; free() the result. */
static char *nest(const struct zs_agent_config *config, size_t from, const char *entry)
{
	size_t keys = count_keys(config), levels = keys - from, len;
	char *text = NULL;
	FILE *out = zs_memory_stream(&text, &len);

	if (!out)
		return NULL;
	for (size_t i = from; i < keys; i++) {
		fputs(i + 1 < keys ? "{\n" : "[\n", out);
		for (size_t k = from; k <= i; k++)
			fputc('\t', out);
		if (i + 1 < keys)
			fprintf(out, "\"%s\": ", config->keys[i + 1]);
	}
	put_deeper(out, entry, levels);
	for (size_t i = keys; i-- > from;) {
		fputc('\n', out);
		for (size_t k = from; k < i; k++)
			fputc('\t', out);
		fputs(i + 1 < keys ? "}" : "]", out);
	}
	return zs_memory_close(out, &text);
}

/* Makes the text of a new file; free() it. */
static char *print_file(const struct zs_agent *agent, const struct zs_hook_call *command)
{
	const struct zs_agent_config *config = &zs_agent_configs[agent->number];
	ZS_AUTO_FREE char *entry = print_entry(agent, command);
	ZS_AUTO_FREE char *value = entry ? nest(config, 0, entry) : NULL;
	char *text = NULL;
	size_t len;
	FILE *out = value ? zs_memory_stream(&text, &len) : NULL;

	if (!out)
		return NULL;
	fprintf(out, "{\n  \"%s\": ", config->keys[0]);
	for (const char *at = value; *at; at++) {
		fputs(*at == '\t' ? "  " : (char[]){ *at, '\0' }, out);
		if (*at == '\n')
			fputs("  ", out);
	}
	if (config->rest)
		fprintf(out, ",\n  %s", config->rest);
	fputs("\n}\n", out);
	return zs_memory_close(out, &text);
}

/* Taking out */

static int take_out(const struct way *way, const struct entry *entry, char **ret_text)
{
	size_t level = way->levels - 1;
	struct zs_json_item item = entry->item;

	/* Removes only our handler if somebody has added others to the group. */
	if (entry->inner_count > 1)
		return zs_json_take_out(&way->source, entry->inner_open, &entry->inner, ret_text);
	while (level > 0 && zs_json_was_made(&way->source, way->open[level]))
		item = way->members[level--];
	return zs_json_take_out(&way->source, way->open[level], &item, ret_text);
}

/* Is the entry exactly as we would write it? */
static bool agent_json_is_same(const struct entry *entry, const char *wanted)
{
	yyjson_doc *doc = yyjson_read(wanted, strlen(wanted), 0);
	bool same = doc && yyjson_equals(yyjson_doc_get_root(doc), entry->value);

	yyjson_doc_free(doc);
	return same;
}

/* NULL: out of memory. */
static char *agent_json_add(const struct zs_agent_text *text, const struct way *way, const char *entry)
{
	size_t last = way->levels - 1;
	char *fresh = NULL;

	if (agent_json_is_whole(text, way)) {
		zs_json_add(&way->source, way->open[last], NULL, entry, &fresh);
	} else {
		ZS_AUTO_FREE char *value = nest(config_of(text), last, entry);

		if (value)
			zs_json_add(&way->source, way->open[last], way->keys[last], value, &fresh);
	}
	return fresh;
}

static int agent_json_put(const struct zs_agent_text *old, const struct zs_hook_call *command,
	struct zs_agent_change *ret_new, struct zs_error *error)
{
	ZS_AUTO_FREE char *wanted = print_entry(old->agent, command);
	AUTO_READING reading = { .count = 0 };
	char *text = NULL;
	int r = old->text ? read_entries(old, &reading, error) : 0;

	if (r < 0)
		return r;
	if (wanted && !old->text)
		text = print_file(old->agent, command);
	else if (wanted && reading.count == 0)
		text = agent_json_add(old, &reading.way, wanted);
	else if (wanted && agent_json_is_same(&reading.entries[0], wanted))
		text = strdup(old->text);
	else if (wanted)
		zs_json_put(&reading.way.source, reading.entries[0].item.value, wanted, &text);
	if (!text)
		return zs_error_errno(error, step, old->path, ENOMEM);
	*ret_new = (struct zs_agent_change){ text, strlen(text) };
	return 0;
}

static int agent_json_take_out(const struct zs_agent_text *old, struct zs_agent_change *ret_new, struct zs_error *error)
{
	AUTO_READING reading = { .count = 0 };
	ZS_AUTO_FREE char *made = NULL;
	int r = read_entries(old, &reading, error);

	*ret_new = (struct zs_agent_change){ NULL, 0 };
	if (r < 0)
		return r;
	made = print_file(old->agent, &reading.entries[0].command);
	if (made && strlen(made) == old->len && memcmp(made, old->text, old->len) == 0)
		return 0;
	/* Begins with the last entry: in an unchanged file that is the one that was added last. */
	r = take_out(&reading.way, &reading.entries[reading.count - 1], &ret_new->text);
	if (r < 0)
		return zs_error_errno(error, step, old->path, -r);
	ret_new->len = strlen(ret_new->text);
	return 0;
}

/* Looking */

static bool is_names(const char *text)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_- ,|";

	return text[strspn(text, allowed)] == '\0';
}

static bool has_name(const char *names, const char *name)
{
	for (names += strspn(names, " ,|"); *names; names += strspn(names, " ,|")) {
		size_t len = strcspn(names, " ,|");

		if (len == strlen(name) && memcmp(names, name, len) == 0)
			return true;
		names += len;
	}
	return false;
}

/* Does the entry's matcher match the agent's shell? A matcher is a regular expression, which includes names with bars
 * between them. Without a matcher an entry matches everything. */
static bool covers(yyjson_val *entry, const struct zs_agent *agent)
{
	yyjson_val *matcher = yyjson_obj_get(entry, "matcher");
	const char *text = yyjson_get_str(matcher);
	regex_t regex;
	bool match;

	if (!agent->shell || !matcher || yyjson_is_null(matcher) || (text && (!*text || strcmp(text, "*") == 0)))
		return true;
	/* Claude Code compares whole names if the matcher holds nothing but names (its hooks reference, "matcher"). A
	 * regular expression may match a part of a name. */
	if (text && agent->number == ZS_AGENT_CLAUDE && is_names(text))
		return has_name(text, agent->shell);
	if (!text || regcomp(&regex, text, REG_EXTENDED | REG_NOSUB) != 0)
		return false;
	match = regexec(&regex, agent->shell, 0, NULL, 0) == 0;
	regfree(&regex);
	return match;
}

static bool is_off(const struct zs_agent_config *config, yyjson_doc *doc)
{
	yyjson_val *value = yyjson_doc_get_root(doc);

	for (size_t i = 0; config->off[i]; i++)
		value = yyjson_obj_get(value, config->off[i]);
	return config->off[0] && yyjson_is_bool(value) && yyjson_get_bool(value) == config->off_value;
}

/* Is the handler a command that the agent waits for on every call? By Claude Code's hooks reference, a handler of
 * another type asks a model or a server, an asynchronous one is not waited for, and an "if" excludes calls. */
static bool is_obeyed(yyjson_val *handler)
{
	yyjson_val *type = yyjson_obj_get(handler, "type");

	return (!type || yyjson_equals_str(type, "command")) && !yyjson_is_true(yyjson_obj_get(handler, "async")) &&
	       !yyjson_is_true(yyjson_obj_get(handler, "asyncRewake")) && !yyjson_obj_get(handler, "if");
}

/* Is the entry switched on, and for the right event? Kiro's entries have a switch, and name their event. */
static bool is_enabled(yyjson_val *entry, yyjson_val *handler)
{
	yyjson_val *enabled = yyjson_obj_get(entry, "enabled"), *trigger = yyjson_obj_get(entry, "trigger");

	return !yyjson_is_false(enabled) && (!trigger || yyjson_equals_str(trigger, "PreToolUse")) &&
	       is_obeyed(handler);
}

static int agent_json_look(const struct zs_agent_text *text, struct zs_agent_hook *ret_hook, struct zs_error *error)
{
	ZS_AUTO_FREE char *wanted = NULL;
	AUTO_READING reading = { .count = 0 };
	const struct entry *entry = &reading.entries[0];
	int r = read_entries(text, &reading, error);

	if (r < 0)
		return r;
	*ret_hook = (struct zs_agent_hook){ .found = reading.count > 0,
		.alone = reading.count == 1 && entry->inner_count < 2 };
	if (!ret_hook->found)
		return 0;
	wanted = print_entry(text->agent, &entry->command);
	ret_hook->covers = covers(entry->value, text->agent);
	ret_hook->enabled = is_enabled(entry->value, entry->handler) && !is_off(config_of(text), reading.doc);
	ret_hook->intact = wanted && agent_json_is_same(entry, wanted);
	ret_hook->command = entry->command;
	return 0;
}

bool zs_agent_text_turns_off(const struct zs_agent_text *text)
{
	AUTO_READING reading = { .count = 0 };

	return text->text && config_of(text)->form == ZS_CONFIG_JSON && read_entries(text, &reading, NULL) == 0 &&
	       is_off(config_of(text), reading.doc);
}

const struct zs_agent_form zs_agent_form_json = { agent_json_look, agent_json_put, agent_json_take_out };
