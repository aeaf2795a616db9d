#include "manual.h"

#include <string.h>

#include "base/exit.h"
#include "base/json.h"

static void put_pair(struct zs_json *json, const char *key, const char *text)
{
	zs_json_key(json, key), zs_json_text(json, text);
}

/* The help has each exit code's text in lines; here it is one. */
static void put_exit(struct zs_json *json, int code, const char *text)
{
	char line[256];
	size_t len = 0;

	for (; *text && len + 1 < sizeof line; text++)
		if (*text != '\n' && !(*text == ' ' && len && line[len - 1] == ' '))
			line[len++] = *text;
		else if (len && line[len - 1] != ' ')
			line[len++] = ' ';
	line[len] = '\0';
	zs_json_open(json, '{');
	zs_json_key(json, "code"), zs_json_number(json, code);
	put_pair(json, "text", line);
	zs_json_close(json, '}');
}

static void put_option(struct zs_json *json, const struct zs_option *option)
{
	const char letter[] = { option->letter, '\0' };

	zs_json_open(json, '{');
	put_pair(json, "letter", option->letter ? letter : NULL);
	put_pair(json, "name", option->name);
	zs_json_key(json, "takes_value"), zs_json_bool(json, option->kind != ZS_OPTION_FLAG);
	zs_json_key(json, "repeats"), zs_json_bool(json, option->kind == ZS_OPTION_LIST);
	put_pair(json, "value", option->value);
	zs_json_key(json, "choices"), zs_json_open(json, '[');
	for (const char *const *choice = option->choices; choice && *choice; choice++)
		zs_json_text(json, *choice);
	zs_json_close(json, ']');
	put_pair(json, "text", option->text);
	zs_json_close(json, '}');
}

static void put_groups(struct zs_json *json, const struct zs_option_group *group)
{
	zs_json_open(json, '[');
	for (; group->title; group++) {
		zs_json_open(json, '{');
		put_pair(json, "title", group->title);
		zs_json_key(json, "options"), zs_json_open(json, '[');
		for (const struct zs_option *o = group->options; o->kind != ZS_OPTION_END; o++)
			put_option(json, o);
		zs_json_close(json, ']');
		zs_json_close(json, '}');
	}
	zs_json_close(json, ']');
}

static void put_words(struct zs_json *json, const char *words)
{
	zs_json_open(json, '[');
	while (words && *words) {
		size_t len = strcspn(words, "|");

		zs_json_bytes(json, words, len);
		words += len + (words[len] == '|');
	}
	zs_json_close(json, ']');
}

static void put_subcommand(struct zs_json *json, const struct zs_subcommand *subcommand)
{
	zs_json_open(json, '{');
	put_pair(json, "name", subcommand->name);
	put_pair(json, "description", subcommand->description);
	put_pair(json, "usage", subcommand->usage);
	zs_json_key(json, "words"), put_words(json, subcommand->words);
	zs_json_key(json, "runs_command"), zs_json_bool(json, subcommand->operands_end_options);
	zs_json_key(json, "groups"), put_groups(json, subcommand->groups);
	put_pair(json, "notes", subcommand->notes);
	zs_json_close(json, '}');
}

void zs_manual_json(FILE *out, const struct zs_subcommand *const *subcommands, size_t count)
{
	struct zs_json json = zs_json_begin_line(out);

	put_pair(&json, "version", ZS_VERSION);
	zs_json_key(&json, "exits"), zs_json_open(&json, '[');
#define ROW(code, text) put_exit(&json, code, text);
	ZS_EXITS(ROW)
#undef ROW
	zs_json_close(&json, ']');
	zs_json_key(&json, "commands"), zs_json_open(&json, '[');
	for (size_t i = 0; i < count; i++)
		put_subcommand(&json, subcommands[i]);
	zs_json_close(&json, ']');
	zs_json_end_line(&json);
}
