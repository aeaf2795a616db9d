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

static void put_shells(struct schema *schema, yyjson_mut_val *object)
{
	yyjson_mut_val *names = yyjson_mut_obj_add_arr(schema->doc, object, "enum");

	for (const char *const *name = zs_shell_names; *name; name++)
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

static void put_value(struct schema *schema, yyjson_mut_val *object, const struct zs_setting_key *key)
{
	switch (key->type) {
	case ZS_SETTING_BOOL:
		put_type(schema, object, "boolean");
		return;
	case ZS_SETTING_SHELLS:
		put_shells(schema, object);
		return;
	case ZS_SETTING_PATHS:
		put_list(schema, object, "^(~(/[^$*]*)?|[^~!$*][^$*]*)$");
		return;
	case ZS_SETTING_HOSTS:
		put_list(schema, object, "^(\\*\\.)?[^\\s/~!$%@*=]+$");
		return;
	case ZS_SETTING_VARIABLES:
		put_list(schema, object, "^[A-Za-z_][0-9A-Za-z_]*\\*?$");
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

/* Writes the keys below "sandbox.", some of which are in groups. */
static void put_keys(struct schema *schema, yyjson_mut_val *sandbox)
{
	for (size_t i = 0; i < ZS_SETTING_KEY_COUNT; i++) {
		const struct zs_setting_key *key = &zs_setting_keys[i];
		const char *name = key->name + strlen("sandbox.");
		yyjson_mut_val *properties = properties_of(schema, sandbox), *value;

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

	put_keys(schema, system);
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
	put_keys(schema, sandbox);
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
