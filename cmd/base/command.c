#include "base/command.h"

#include <stdlib.h>
#include <string.h>

#include "base/message.h"

enum { HELP_COLUMN = 28, OPTIONS_MAX = 64 };

/* A row of a table of options, and its group, which says where the row's field is. */
struct found {
	const struct zs_option *option;
	void *field;
};

/* One command line being read. */
struct parser {
	const struct zs_subcommand *command;
	char *fields;
	char **rest; /* the words that have not been read yet, up to a NULL */
	bool help;
	int exit; /* the exit code if the command line is wrong */
};

/* Finds an option by its name, or by its letter if name is NULL. */
static struct found command_options_find(const struct parser *parser, const char *name, size_t len, char letter)
{
	for (const struct zs_option_group *group = parser->command->groups; group->title; group++)
		for (const struct zs_option *o = group->options; o->kind != ZS_OPTION_END; o++)
			if (name ? strlen(o->name) == len && memcmp(o->name, name, len) == 0 : o->letter == letter)
				return (struct found){ o, parser->fields + group->base + o->field };
	return (struct found){ NULL, NULL };
}

static void join_choices(const struct zs_option *option, const char *separator, char *buffer, size_t size)
{
	buffer[0] = '\0';
	for (const char *const *choice = option->choices; *choice; choice++) {
		size_t used = strlen(buffer);

		snprintf(buffer + used, size - used, "%s%s", used ? separator : "", *choice);
	}
}

static const char *value_name(const struct zs_option *option, char *buffer, size_t size)
{
	if (!option->choices)
		return option->value;
	join_choices(option, "|", buffer, size);
	return buffer;
}

static bool no_such_option(const struct parser *parser, const char *word)
{
	const char *command = parser->command->name, *names[OPTIONS_MAX], *nearest = NULL;
	size_t count = 0;
	char given[128];

	snprintf(given, sizeof given, "%.*s", (int)strcspn(word, "="), word);
	for (const struct zs_option_group *group = parser->command->groups; group->title; group++)
		for (const struct zs_option *o = group->options; o->kind != ZS_OPTION_END && count < OPTIONS_MAX; o++)
			names[count++] = o->name;
	if (strncmp(given, "--", 2) == 0)
		nearest = zs_nearest(given + 2, names, count);
	return nearest ? zs_fail(false, "%s: %s: no such option; did you mean --%s?", command, given, nearest)
		       : zs_fail(false, "%s: %s: no such option; see 'zs %s --help'", command, given, command);
}

static bool is_choice(const struct zs_option *option, const char *value)
{
	if (!option->choices)
		return true;
	for (const char *const *choice = option->choices; *choice; choice++)
		if (strcmp(*choice, value) == 0)
			return true;
	return false;
}

static bool command_options_append(
	struct parser *parser, struct zs_option_list *list, const char *name, const char *value)
{
	const char **items = realloc(list->items, (list->count + 2) * sizeof *items);

	if (!items) {
		parser->exit = ZS_EXIT_CANNOT_ENFORCE;
		return zs_fail(false, "%s: %s: out of memory; free some", parser->command->name, name);
	}
	list->items = items;
	items[list->count++] = value;
	items[list->count] = NULL;
	return true;
}

/* value: NULL for a flag. name: the option as the caller wrote it, for messages. */
static bool store(struct parser *parser, struct found found, const char *name, const char *value)
{
	const char *command = parser->command->name;
	char choices[256];

	if (found.option->kind == ZS_OPTION_FLAG) {
		*(bool *)found.field = true;
		return true;
	}
	if (!is_choice(found.option, value)) {
		join_choices(found.option, ", ", choices, sizeof choices);
		return zs_fail(false, "%s: %s: '%.64s' is not a possible value; choose one of %s", command, name, value,
			choices);
	}
	if (found.option->kind == ZS_OPTION_LIST)
		return command_options_append(parser, found.field, name, value);
	if (*(const char **)found.field)
		return zs_fail(false, "%s: %s: given twice; give it once", command, name);
	*(const char **)found.field = value;
	return true;
}

/* Takes the next word as the value of an option that was written without one. */
static bool store_next(struct parser *parser, struct found found, const char *name)
{
	char names[128];

	if (found.option->kind == ZS_OPTION_FLAG || found.option->kind == ZS_OPTION_MAYBE)
		return store(parser, found, name, found.option->kind == ZS_OPTION_FLAG ? NULL : "");
	if (!*parser->rest)
		return zs_fail(false, "%s: %s: its value is missing; write %s %s", parser->command->name, name, name,
			value_name(found.option, names, sizeof names));
	return store(parser, found, name, *parser->rest++);
}

static bool parse_long(struct parser *parser, const char *word)
{
	size_t len = strcspn(word + 2, "=");
	struct found found = command_options_find(parser, word + 2, len, 0);
	char name[64];

	if (strcmp(word, "--help") == 0) {
		parser->help = true;
		return true;
	}
	if (!found.option)
		return no_such_option(parser, word);
	snprintf(name, sizeof name, "--%s", found.option->name);
	if (word[2 + len] != '=')
		return store_next(parser, found, name);
	if (found.option->kind == ZS_OPTION_FLAG)
		return zs_fail(false, "%s: %s: takes no value; write %s alone", parser->command->name, name, name);
	return store(parser, found, name, word + 2 + len + 1);
}

/* "-j", "-c" "CMD", "-cCMD", "-jc" "CMD" */
static bool parse_letters(struct parser *parser, const char *word)
{
	for (const char *letter = word + 1; *letter; letter++) {
		const char name[] = { '-', *letter, '\0' };
		struct found found = command_options_find(parser, NULL, 0, *letter);

		if (*letter == 'h') {
			parser->help = true;
			return true;
		}
		if (!found.option)
			return no_such_option(parser, letter == word + 1 ? word : name);
		if (found.option->kind != ZS_OPTION_FLAG && letter[1])
			return store(parser, found, name, letter + 1);
		if (!store_next(parser, found, name))
			return false;
		if (found.option->kind != ZS_OPTION_FLAG)
			return true;
	}
	return true;
}

/* Operands move to the front of argv, over words that were read already. */
static bool parse_words(struct parser *parser, struct zs_operands *operands)
{
	while (*parser->rest && !parser->help) {
		char *word = *parser->rest++;

		if (strcmp(word, "--") == 0)
			break;
		if (word[0] != '-' || word[1] == '\0') {
			operands->items[operands->count++] = word;
			if (parser->command->operands_end_options && operands->count > parser->command->own_operands)
				break;
		} else if (!(word[1] == '-' ? parse_long : parse_letters)(parser, word)) {
			return false;
		}
	}
	while (*parser->rest)
		operands->items[operands->count++] = *parser->rest++;
	operands->items[operands->count] = NULL;
	return true;
}

bool zs_options_parse(const struct zs_subcommand *command, int argc, char **argv, void *fields,
	struct zs_operands *ret_operands, int *ret_exit)
{
	struct parser parser = {
		.command = command, .fields = fields, .rest = argv + (argc > 0), .exit = ZS_EXIT_USAGE
	};
	struct zs_operands operands = { argv, 0 };

	*ret_exit = parse_words(&parser, &operands) ? ZS_EXIT_OK : parser.exit;
	if (*ret_exit == ZS_EXIT_OK && parser.help)
		zs_options_help(command, stdout);
	if (*ret_exit != ZS_EXIT_OK || parser.help)
		return false;
	*ret_operands = operands;
	return true;
}

void zs_options_free(const struct zs_subcommand *command, void *fields)
{
	for (const struct zs_option_group *group = command->groups; group->title; group++)
		for (const struct zs_option *o = group->options; o->kind != ZS_OPTION_END; o++)
			if (o->kind == ZS_OPTION_LIST)
				free(((struct zs_option_list *)((char *)fields + group->base + o->field))->items);
}

bool zs_options_given(const struct zs_option *options, const void *fields, zs_options_each *each, void *arg)
{
	for (const struct zs_option *o = options; o->kind != ZS_OPTION_END; o++) {
		const void *field = (const char *)fields + o->field;
		const struct zs_option_list *list = field;
		const char *const *text = field;

		if (o->kind == ZS_OPTION_FLAG && *(const bool *)field && !each(o->name, NULL, arg))
			return false;
		if (o->kind == ZS_OPTION_TEXT && *text && !each(o->name, *text, arg))
			return false;
		for (size_t i = 0; o->kind == ZS_OPTION_LIST && i < list->count; i++)
			if (!each(o->name, list->items[i], arg))
				return false;
	}
	return true;
}

bool zs_options_names(const struct zs_option_list *lists, zs_options_name *each, void *arg)
{
	for (size_t i = 0; i < lists->count; i++)
		for (const char *name = lists->items[i];; name++) {
			size_t len = strcspn(name, ",");

			if (!each(name, len, arg))
				return false;
			name += len;
			if (!*name)
				break;
		}
	return true;
}

/* Every line of text after the first starts at `column`. */
static void print_lines(FILE *out, const char *text, int column)
{
	for (;;) {
		int len = (int)strcspn(text, "\n");

		fprintf(out, "%.*s\n", len, text);
		if (text[len] == '\0')
			return;
		text += len + 1;
		fprintf(out, "%*s", column, "");
	}
}

static void print_option(FILE *out, char letter, const char *name, const char *value, bool maybe, const char *text)
{
	char left[96];
	int len = snprintf(left, sizeof left, "  %c%c%c --%s%s%s%s", letter ? '-' : ' ', letter ? letter : ' ',
		letter ? ',' : ' ', name, value ? (maybe ? "[=" : " ") : "", value ? value : "",
		value && maybe ? "]" : "");

	if (len > HELP_COLUMN - 2)
		fprintf(out, "%s\n%*s", left, HELP_COLUMN, "");
	else
		fprintf(out, "%-*s", HELP_COLUMN, left);
	print_lines(out, text, HELP_COLUMN);
}

static void print_usage(FILE *out, const struct zs_subcommand *command)
{
	const char *line = command->usage, *label = "Usage:";

	do {
		int len = (int)strcspn(line, "\n");

		fprintf(out, "%-6s zs %s%s%.*s\n", label, command->name, len ? " " : "", len, line);
		label = "";
		line += len + (line[len] == '\n');
	} while (*line);
}

void zs_options_help(const struct zs_subcommand *command, FILE *out)
{
	char names[128];

	print_usage(out, command);
	fprintf(out, "\n%s.\n", command->description);
	for (const struct zs_option_group *group = command->groups; group->title; group++) {
		fprintf(out, "\n%s:\n", group->title);
		for (const struct zs_option *o = group->options; o->kind != ZS_OPTION_END; o++)
			print_option(out, o->letter, o->name,
				o->kind == ZS_OPTION_FLAG ? NULL : value_name(o, names, sizeof names),
				o->kind == ZS_OPTION_MAYBE, o->text);
		if (group == command->groups)
			print_option(out, 'h', "help", NULL, false, "print this help");
	}
	if (command->notes)
		fprintf(out, "\n%s\n", command->notes);
}

#define CHOICE(id, name, text) name,
const char *const zs_profile_choices[] = { ZS_PROFILES(CHOICE) NULL };
const char *const zs_shell_choices[] = { ZS_SHELL_NAMES(CHOICE) NULL };
#undef CHOICE

enum zs_shell zs_shell_choice(const char *name)
{
	enum zs_shell shell = ZS_SHELL_BASH;

	if (name)
		zs_shell_parse(name, &shell);
	return shell;
}

enum zs_profile zs_profile_choice(const char *name)
{
	enum zs_profile profile = ZS_PROFILE_STRICT;

	if (name)
		zs_profile_parse(name, &profile);
	return profile;
}
