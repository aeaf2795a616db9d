/* Reads the rules about commands, strictly. Pure. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "policy/json_reader.h"
#include "settings/settings.h"

static void free_list(char **list)
{
	for (size_t i = 0; list && list[i]; i++)
		free(list[i]);
	free(list);
}

void zs_command_rule_free(struct zs_command_rule *rule)
{
	if (!rule)
		return;
	free(rule->match);
	free(rule->command);
	free(rule->flags);
	free(rule->unless);
	free(rule->operand);
	free(rule->why);
	free(rule->instead);
	free_list(rule->blocks);
	free_list(rule->passes);
	free(rule);
}

static int rule_fail(const struct zs_json_node *node, const char *what, const char *hint)
{
	int r = zs_json_fail(node, EINVAL, what);

	return zs_error_hint(node->reader->error, r, "%s", hint);
}

static int fail_limit(const struct zs_json_node *node, int limit, const char *of)
{
	char what[64];

	snprintf(what, sizeof what, "is more than %d %s", limit, of);
	return rule_fail(node, what, "make it shorter, or write several rules");
}

/* Texts */

/* Reads a text that is not empty and has no controls. Newlines are for examples alone. */
static int read_text(const struct zs_json_node *node, size_t most, bool lines, const char **ret_text)
{
	int r = zs_json_string(node, ret_text);

	if (r < 0)
		return r;
	if (!**ret_text)
		return rule_fail(node, "is empty", "write what it is to match, or leave it out");
	if (strlen(*ret_text) > most)
		return fail_limit(node, (int)most, "bytes");
	for (const char *at = *ret_text; *at; at++)
		if (((unsigned char)*at < ' ' && !(lines && (*at == '\n' || *at == '\t'))) || *at == 0x7f)
			return rule_fail(node, "holds a control character", "leave it out");
	return 0;
}

static int keep(const struct zs_json_node *node, const char *text, char **ret_copy)
{
	*ret_copy = strdup(text);
	return *ret_copy ? 0 : zs_json_fail(node, ENOMEM, "out of memory");
}

static char **text_at(const struct zs_json_node *node, void *rule)
{
	return (char **)((char *)rule + node->field->offset);
}

static int read_note(const struct zs_json_node *node, void *rule)
{
	const char *text;
	int r = read_text(node, ZS_RULE_TEXT_MAX, false, &text);

	return r < 0 ? r : keep(node, text, text_at(node, rule));
}

/* Words */

/* A star stands at the start or the end of a word, or of one of its alternatives. */
static int check_stars(const struct zs_json_node *node, const char *text, const char *ends)
{
	for (const char *star = strchr(text, '*'); star; star = strchr(star + 1, '*'))
		if (star > text && !strchr(ends, star[-1]) && star[1] && !strchr(ends, star[1]))
			return rule_fail(node, "has a * within a word", "put it at the start or the end of the word");
	return 0;
}

static int check_bytes(const struct zs_json_node *node, const char *text, const char *bytes)
{
	size_t at = strcspn(text, bytes);
	char what[64];

	if (!text[at])
		return 0;
	snprintf(what, sizeof what, "holds '%c', which is no part of a word", text[at]);
	return rule_fail(node, what, "write the words as the command gets them, without quotes; only * is a pattern");
}

static int check_words(const struct zs_json_node *node, const char *text, bool flags)
{
	int count = 1;

	if (text[0] == ' ' || text[strlen(text) - 1] == ' ' || strstr(text, "  "))
		return rule_fail(node, "has a blank too many", "write one blank between two words");
	for (const char *blank = strchr(text, ' '); blank; blank = strchr(blank + 1, ' '))
		count++;
	if (count > ZS_RULE_WORDS_MAX)
		return fail_limit(node, ZS_RULE_WORDS_MAX, "words");
	if (text[0] == '-' || (text[0] == '*' && (!text[1] || text[1] == ' ')) || text[0] == '|')
		return rule_fail(node, "names no command", "begin with the command's name");
	if (!flags && strstr(text, " -"))
		return rule_fail(node, "holds a flag", "write it in \"flags\"");
	return check_stars(node, text, " |");
}

static int read_match(const struct zs_json_node *node, void *rule)
{
	const char *text;
	int r = read_text(node, ZS_RULE_TEXT_MAX, false, &text);

	if (r == 0)
		r = check_bytes(node, text, "|;&<>()$`\"'\\{}?[]#!");
	if (r == 0)
		r = check_words(node, text, true);
	return r < 0 ? r : keep(node, text, text_at(node, rule));
}

static int read_command(const struct zs_json_node *node, void *rule)
{
	const char *text;
	int r = read_text(node, ZS_RULE_TEXT_MAX, false, &text);

	if (r == 0)
		r = check_bytes(node, text, ";&<>()$`\"'\\{}?[]#!");
	if (r == 0 && (strstr(text, "||") || strstr(text, "| ") || strstr(text, " |") || text[strlen(text) - 1] == '|'))
		r = rule_fail(node, "has an empty alternative", "write a word on both sides of |");
	if (r == 0)
		r = check_words(node, text, false);
	return r < 0 ? r : keep(node, text, text_at(node, rule));
}

static int join(const struct zs_json_node *node, char **list, const char *text)
{
	size_t size = (*list ? strlen(*list) + 1 : 0) + strlen(text) + 1;
	char *joined = malloc(size);

	if (!joined)
		return zs_json_fail(node, ENOMEM, "out of memory");
	snprintf(joined, size, "%s%s%s", *list ? *list : "", *list ? " " : "", text);
	free(*list);
	*list = joined;
	return 0;
}

static size_t entries_of(const char *list)
{
	size_t count = list != NULL;

	for (; list && *list; list++)
		count += *list == ' ';
	return count;
}

/* Appends the pattern to the others, behind a blank. */
static int read_pattern(const struct zs_json_node *node, void *patterns)
{
	const char *text;
	int r = read_text(node, ZS_RULE_TEXT_MAX, false, &text);

	if (r == 0 && strchr(text, ' '))
		return rule_fail(node, "holds a blank", "write * for it");
	if (r == 0 && text[0] == '-')
		return rule_fail(node, "is a flag", "write it in \"flags\"");
	if (r == 0)
		r = check_stars(node, text, "");
	if (r == 0 && entries_of(*(char **)patterns) >= ZS_RULE_FLAGS_MAX)
		return fail_limit(node, ZS_RULE_FLAGS_MAX, "patterns");
	return r < 0 ? r : join(node, patterns, text);
}

/* A pattern, or a list of them. */
static int read_operand(const struct zs_json_node *node, void *rule)
{
	char **patterns = text_at(node, rule);
	int r = yyjson_is_arr(node->value) ? zs_json_array(node, read_pattern, patterns) : read_pattern(node, patterns);

	return r == 0 && !*patterns ? rule_fail(node, "is empty", "name a pattern, or leave it out") : r;
}

/* Lists */

/* Appends the flag to the others, behind a blank. */
static int read_flag(const struct zs_json_node *node, void *arg)
{
	char **flags = arg;
	const char *text;
	int r = read_text(node, ZS_RULE_TEXT_MAX, false, &text);

	if (r < 0)
		return r;
	if (text[0] != '-' || !text[1] || strcmp(text, "--") == 0 || strchr(text, ' '))
		return rule_fail(node, "is no flag", "write one flag an entry, with its dashes: \"--force\", \"-f\"");
	if (strchr(text, '*') && !(strchr(text, '=') && strchr(text, '=') < strchr(text, '*')))
		return rule_fail(node, "has a * in a flag's name", "only a value may have one: \"--to=prod*\"");
	if (entries_of(*flags) >= ZS_RULE_FLAGS_MAX)
		return fail_limit(node, ZS_RULE_FLAGS_MAX, "flags");
	return join(node, flags, text);
}

static int read_flags(const struct zs_json_node *node, void *rule)
{
	char **flags = text_at(node, rule);
	int r = zs_json_array(node, read_flag, flags);

	return r == 0 && !*flags ? rule_fail(node, "is empty", "name a flag, or leave it out") : r;
}

static int read_example(const struct zs_json_node *node, void *arg)
{
	char ***list = arg, **longer;
	size_t count = 0;
	const char *text;
	int r = read_text(node, ZS_RULE_EXAMPLE_MAX, true, &text);

	if (r < 0)
		return r;
	while (*list && (*list)[count])
		count++;
	if (count == ZS_RULE_EXAMPLES_MAX)
		return fail_limit(node, ZS_RULE_EXAMPLES_MAX, "examples");
	longer = realloc(*list, (count + 2) * sizeof *longer);
	if (!longer)
		return zs_json_fail(node, ENOMEM, "out of memory");
	*list = longer;
	longer[count + 1] = NULL;
	return keep(node, text, &longer[count]);
}

static int read_examples(const struct zs_json_node *node, void *rule)
{
	return zs_json_array(node, read_example, (char *)rule + node->field->offset);
}

/* Rules */

#define FIELD(name, read) { #name, read, .offset = offsetof(struct zs_command_rule, name) }

static int check_rule(const struct zs_json_node *node, const struct zs_command_rule *rule)
{
	if (!rule->match == !rule->command)
		return rule_fail(node, rule->match ? "has both match and command" : "has no match and no command",
			"write one of the two: {\"match\": \"git push *\"} or {\"command\": \"git push\"}");
	if (rule->match && (rule->flags || rule->unless || rule->operand))
		return rule_fail(node, "has a match with flags, unless or operand",
			"write \"command\" in place of \"match\", with the words alone");
	return 0;
}

/* As messages show it: "git push --force|-f origin/" and a star. */
static char *shown(const struct zs_command_rule *rule)
{
	const char *name = rule->match ? rule->match : rule->command;
	const char *flags = rule->flags ? rule->flags : "", *operand = rule->operand ? rule->operand : "";
	size_t size = strlen(name) + strlen(flags) + strlen(operand) + 3;
	char *text = malloc(size);

	if (!text)
		return NULL;
	snprintf(text, size, "%s%s%s%s%s", name, *flags ? " " : "", flags, *operand ? " " : "", operand);
	for (char *at = text + strlen(name) + 1; *flags && at < text + strlen(name) + 1 + strlen(flags); at++)
		*at = *at == ' ' ? '|' : *at;
	return text;
}

int zs_command_rule_read(const struct zs_json_node *node, struct zs_command_rule **ret_rule, char **ret_shown)
{
	static const struct zs_json_field fields[] = {
		FIELD(match, read_match),
		FIELD(command, read_command),
		FIELD(flags, read_flags),
		FIELD(unless, read_flags),
		FIELD(operand, read_operand),
		FIELD(why, read_note),
		FIELD(instead, read_note),
		FIELD(blocks, read_examples),
		FIELD(passes, read_examples),
	};
	struct zs_command_rule *rule = calloc(1, sizeof *rule);
	int r = rule ? zs_json_object(node, fields, sizeof fields / sizeof *fields, rule)
		     : zs_json_fail(node, ENOMEM, "out of memory");

	if (r == 0)
		r = check_rule(node, rule);
	if (r == 0 && !(*ret_shown = shown(rule)))
		r = zs_json_fail(node, ENOMEM, "out of memory");
	if (r < 0)
		zs_command_rule_free(rule);
	else
		*ret_rule = rule;
	return r;
}
