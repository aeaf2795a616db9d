/* Writes the keys of settings as a JSON Schema, https://json-schema.org/draft/2020-12. Pure. */
#include <errno.h>
#include <string.h>
#include <yyjson.h>

#include "base/error.h"
#include "settings/settings.h"

/* yyjson's functions accept and return NULL when out of memory: one check at the end is enough. */
struct schema {
	yyjson_mut_doc *doc;
	bool ok;
};

static void put_text(struct schema *schema, yyjson_mut_val *object, const char *key, const char *text)
{
	schema->ok &= yyjson_mut_obj_add_str(schema->doc, object, key, text);
}

static yyjson_mut_val *put_object(struct schema *schema, yyjson_mut_val *object, const char *key)
{
	return yyjson_mut_obj_add_obj(schema->doc, object, key);
}

/* "type": [type, "null"] */
static void put_type(struct schema *schema, yyjson_mut_val *object, const char *type)
{
	yyjson_mut_val *types = yyjson_mut_obj_add_arr(schema->doc, object, "type");

	schema->ok &=
		yyjson_mut_arr_add_str(schema->doc, types, type) && yyjson_mut_arr_add_str(schema->doc, types, "null");
}

static void put_names(struct schema *schema, yyjson_mut_val *object, enum zs_setting_type type)
{
	yyjson_mut_val *names = yyjson_mut_obj_add_arr(schema->doc, object, "enum");

	for (const char *const *name = zs_setting_names(type); *name; name++)
		schema->ok &= yyjson_mut_arr_add_str(schema->doc, names, *name);
	schema->ok &= yyjson_mut_arr_add_null(schema->doc, names);
}

static void put_list(struct schema *schema, yyjson_mut_val *object, const char *pattern)
{
	yyjson_mut_val *items;

	put_type(schema, object, "array");
	items = put_object(schema, object, "items");
	put_text(schema, items, "type", "string");
	put_text(schema, items, "pattern", pattern);
}

static void put_tasks(struct schema *schema, yyjson_mut_val *object)
{
	yyjson_mut_val *names;

	put_type(schema, object, "array");
	names = yyjson_mut_obj_add_arr(schema->doc, put_object(schema, object, "items"), "enum");
	for (enum zs_task task = 0; task < ZS_TASK_COUNT; task++)
		schema->ok &= yyjson_mut_arr_add_str(schema->doc, names, zs_task_name(task));
}

static void put_packs(struct schema *schema, yyjson_mut_val *object)
{
	yyjson_mut_val *names;

	put_type(schema, object, "array");
	names = yyjson_mut_obj_add_arr(schema->doc, put_object(schema, object, "items"), "enum");
	for (size_t i = 0; i < ZS_PACK_COUNT; i++)
		schema->ok &= yyjson_mut_arr_add_str(schema->doc, names, zs_pack_names[i]);
}

static yyjson_mut_val *put_texts(struct schema *schema, yyjson_mut_val *properties, const char *name, int most)
{
	yyjson_mut_val *list = put_object(schema, properties, name), *items;

	put_text(schema, list, "type", "array");
	schema->ok &= yyjson_mut_obj_add_int(schema->doc, list, "maxItems", most);
	items = put_object(schema, list, "items");
	put_text(schema, items, "type", "string");
	return items;
}

/* A pattern, or a list of them. */
static void put_operand(struct schema *schema, yyjson_mut_val *properties)
{
	yyjson_mut_val *operand = put_object(schema, properties, "operand");
	yyjson_mut_val *types = yyjson_mut_obj_add_arr(schema->doc, operand, "type"), *items;

	schema->ok &= yyjson_mut_arr_add_str(schema->doc, types, "string") &&
		      yyjson_mut_arr_add_str(schema->doc, types, "array");
	put_text(schema, operand, "pattern", "^[^ -][^ ]*$");
	schema->ok &= yyjson_mut_obj_add_int(schema->doc, operand, "maxItems", ZS_RULE_FLAGS_MAX);
	items = put_object(schema, operand, "items");
	put_text(schema, items, "type", "string");
	put_text(schema, items, "pattern", "^[^ -][^ ]*$");
}

static void put_rules(struct schema *schema, yyjson_mut_val *object)
{
	static const char *const texts[] = { "match", "command", "why", "instead" };
	yyjson_mut_val *rule, *properties, *text, *either;

	put_type(schema, object, "array");
	rule = put_object(schema, object, "items");
	put_text(schema, rule, "type", "object");
	schema->ok &= yyjson_mut_obj_add_bool(schema->doc, rule, "additionalProperties", false);
	properties = put_object(schema, rule, "properties");
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		text = put_object(schema, properties, texts[i]);
		put_text(schema, text, "type", "string");
		schema->ok &= yyjson_mut_obj_add_int(schema->doc, text, "maxLength", ZS_RULE_TEXT_MAX);
	}
	put_text(schema, put_texts(schema, properties, "flags", ZS_RULE_FLAGS_MAX), "pattern", "^-[^ ]+$");
	put_text(schema, put_texts(schema, properties, "unless", ZS_RULE_FLAGS_MAX), "pattern", "^-[^ ]+$");
	put_operand(schema, properties);
	put_texts(schema, properties, "blocks", ZS_RULE_EXAMPLES_MAX);
	put_texts(schema, properties, "passes", ZS_RULE_EXAMPLES_MAX);
	either = yyjson_mut_obj_add_arr(schema->doc, rule, "oneOf");
	for (size_t i = 0; i < 2; i++) {
		yyjson_mut_val *one = yyjson_mut_arr_add_obj(schema->doc, either);

		schema->ok &= yyjson_mut_arr_add_str(
			schema->doc, yyjson_mut_obj_add_arr(schema->doc, one, "required"), texts[i]);
	}
}

static void put_value(struct schema *schema, yyjson_mut_val *object, const struct zs_setting_key *key)
{
	switch (key->type) {
	case ZS_SETTING_BOOL:
		put_type(schema, object, "boolean");
		return;
	case ZS_SETTING_SHELLS:
	case ZS_SETTING_CACHES:
		put_names(schema, object, key->type);
		return;
	case ZS_SETTING_PATHS:
		put_list(schema, object,
			key->merge == ZS_MERGE_TAKE ? "^(~(/[^$]*)?|[^~!$][^$]*)$" : "^(~(/[^$*]*)?|[^~!$*][^$*]*)$");
		return;
	case ZS_SETTING_HOSTS:
		put_list(schema, object, "^(@[a-z-]+|(\\*\\.)?[^\\s/~!$%@*=]+)$");
		return;
	case ZS_SETTING_TASKS:
		put_tasks(schema, object);
		return;
	case ZS_SETTING_VARIABLES:
		put_list(schema, object, "^[A-Za-z_][0-9A-Za-z_]*\\*?$");
		return;
	case ZS_SETTING_PACKS:
		put_packs(schema, object);
		return;
	case ZS_SETTING_RULES:
		put_rules(schema, object);
		return;
	case ZS_SETTING_LIMIT:
		put_type(schema, object, "integer");
		schema->ok &= yyjson_mut_obj_add_int(schema->doc, object, "minimum", 1);
		return;
	}
}

static yyjson_mut_val *put_group(struct schema *schema, yyjson_mut_val *properties, const char *name, size_t len)
{
	yyjson_mut_val *group = yyjson_mut_obj(schema->doc), *key = yyjson_mut_strncpy(schema->doc, name, len);

	schema->ok &= yyjson_mut_obj_add(properties, key, group);
	return group;
}

static yyjson_mut_val *properties_of(struct schema *schema, yyjson_mut_val *group)
{
	yyjson_mut_val *properties = yyjson_mut_obj_get(group, "properties");

	if (properties)
		return properties;
	put_type(schema, group, "object");
	schema->ok &= yyjson_mut_obj_add_bool(schema->doc, group, "additionalProperties", false);
	return put_object(schema, group, "properties");
}

static const char sandbox_prefix[] = "sandbox.";

/* Writes the keys below "sandbox.", or all others, into an object. Some are in groups. */
static void put_keys(struct schema *schema, yyjson_mut_val *object, bool sandbox)
{
	for (size_t i = 0; i < ZS_SETTING_KEY_COUNT; i++) {
		const struct zs_setting_key *key = &zs_setting_keys[i];
		bool below = strncmp(key->name, sandbox_prefix, strlen(sandbox_prefix)) == 0;
		const char *name = key->name + (below ? strlen(sandbox_prefix) : 0);
		yyjson_mut_val *properties = properties_of(schema, object), *value;

		if (below != sandbox)
			continue;
		for (size_t len; name[len = strcspn(name, ".")]; name += len + 1) {
			yyjson_mut_val *group = yyjson_mut_obj_getn(properties, name, len);

			properties = properties_of(schema, group ? group : put_group(schema, properties, name, len));
		}
		value = put_object(schema, properties, name);
		put_text(schema, value, "description", key->text);
		put_value(schema, value, key);
		put_text(schema, value, "x-project", zs_merge_texts[key->merge]);
	}
}

static void put_platforms(struct schema *schema, yyjson_mut_val *root, yyjson_mut_val *sandbox)
{
	yyjson_mut_val *defs = put_object(schema, root, "$defs"), *system = put_object(schema, defs, "system");

	put_keys(schema, system, true);
	for (size_t i = ZS_PLATFORM_ANY + 1; i < ZS_PLATFORM_COUNT; i++) {
		yyjson_mut_val *value = put_object(schema, properties_of(schema, sandbox), zs_platform_names[i]);

		put_text(schema, value, "description", "the same keys; a key here replaces it on this system");
		put_text(schema, value, "$ref", "#/$defs/system");
	}
}

static void put_root(struct schema *schema)
{
	yyjson_mut_val *root = yyjson_mut_obj(schema->doc), *properties, *value, *sandbox;

	yyjson_mut_doc_set_root(schema->doc, root);
	put_text(schema, root, "$schema", "https://json-schema.org/draft/2020-12/schema");
	put_text(schema, root, "title", "settings.json of zs");
	put_text(schema, root, "type", "object");
	schema->ok &= yyjson_mut_obj_add_bool(schema->doc, root, "additionalProperties", false);
	properties = put_object(schema, root, "properties");
	value = put_object(schema, properties, "$schema");
	put_text(schema, value, "type", "string");
	sandbox = put_object(schema, properties, "sandbox");
	put_keys(schema, sandbox, true);
	put_keys(schema, root, false);
	put_platforms(schema, root, sandbox);
}

int zs_settings_schema(char **ret_text, struct zs_error *error)
{
	struct schema schema = { .doc = yyjson_mut_doc_new(NULL), .ok = true };
	char *text = NULL;

	if (schema.doc)
		put_root(&schema);
	if (schema.doc && schema.ok)
		text = yyjson_mut_write(schema.doc, YYJSON_WRITE_PRETTY_TWO_SPACES | YYJSON_WRITE_NEWLINE_AT_END, NULL);
	yyjson_mut_doc_free(schema.doc);
	if (!text)
		return zs_error_errno(error, "settings", NULL, ENOMEM);
	*ret_text = text;
	return 0;
}
