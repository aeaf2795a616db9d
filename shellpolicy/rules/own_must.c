/* Rules that allow: a command matches only if it is certainly meant. */
#include "rules/own.h"

#include <string.h>

/* Is the text one of the alternatives of a rule's word? */
static bool is_one_of(const char *text, const char *words, size_t len)
{
	for (size_t at = 0, end; text && at < len; at = end + 1) {
		for (end = at; end < len && words[end] != '|';)
			end++;
		if (zs_own_must_text(text, words + at, end - at))
			return true;
	}
	return false;
}

/* The rule's words stand at the start of the command, one after the other. */
static bool begins_with(const struct zs_command *command, const char *text, bool exact, uint32_t *ret_rest)
{
	uint32_t i = 0;

	for (size_t len; *text; text += len + (text[len] == ' ')) {
		len = strcspn(text, " ");
		if (exact && i && len == 1 && *text == '*' && !text[1]) {
			*ret_rest = i;
			return true;
		}
		if (i == command->argc || !is_one_of(command->argv[i].text, text, len))
			return false;
		i++;
	}
	*ret_rest = i;
	return i && (!exact || i == command->argc);
}

/* Is each letter of the bundle, or the whole flag, in the list? */
static bool is_listed(const struct zs_own *own, const char *text, const char *flags)
{
	bool letters = text[1] != '-', all = letters;
	size_t len;

	for (const char *flag = flags; *flag; flag += len + (flag[len] == ' ')) {
		const char *equals = memchr(flag, '=', len = strcspn(flag, " "));

		if (equals ? strlen(text) >= (size_t)(equals - flag) && zs_own_must_text(text, flag, len)
			   : zs_own_long_flag(text, flag, len, false) && strspn(text, "-") == strspn(flag, "-"))
			return true;
	}
	for (size_t at = 1; letters && text[at] && text[at] != '=' && all; at++) {
		bool found = false;

		for (const char *flag = flags; *flag; flag += len + (flag[len] == ' ')) {
			len = strcspn(flag, " ");
			for (size_t i = 1; flag[1] != '-' && i < len; i++)
				found |= flag[i] == text[at];
		}
		all &= found;
		if (zs_takes_value(own->row, text[at]))
			break;
	}
	return all;
}

static bool has_only(const struct zs_own *own, const char *flags, uint32_t rest)
{
	for (uint32_t i = rest; i < own->command->argc; i++) {
		const char *text = own->command->argv[i].text;

		if (!text)
			return false;
		if (zs_own_is_flag(text) && strcmp(text, "--") != 0 && !is_listed(own, text, flags))
			return false;
	}
	return true;
}

/* The text of a word, if it is known: ~/x is, too. */
static const char *known_text(const struct zs_own *own, const struct zs_word *word)
{
	const char *value = zs_own_value(word, 0);

	if (word->text || word->value_count != 1 || strcmp(word->dynamic, "tilde") != 0 || *value != ZS_PLACE_HOME ||
		value[1 + strcspn(value + 1, ZS_OWN_UNKNOWN)])
		return word->text;
	return zs_arena_format(own->places.arena, "%s%s", own->places.home, value + 1);
}

static bool operands_match(const struct zs_own *own, const char *patterns, uint32_t rest)
{
	const struct zs_command *command = own->command;
	bool ended = false, any = false;

	for (uint32_t i = rest; i < command->argc; i++) {
		const char *text = known_text(own, &command->argv[i]);
		bool matches = false;
		size_t len;

		if (!text)
			return false;
		if (!ended && (zs_own_is_flag(text) || zs_own_is_value(own, i))) {
			ended = strcmp(text, "--") == 0;
			continue;
		}
		for (const char *pattern = patterns; *pattern; pattern += len + (pattern[len] == ' ')) {
			len = strcspn(pattern, " ");
			matches |= len && zs_own_must_operand(own, text, pattern, len);
		}
		if (!matches)
			return false;
		any = true;
	}
	return any;
}

bool zs_own_must(const struct zs_own *own, const struct zs_own_rule *rule)
{
	uint32_t rest;

	if (!begins_with(own->command, rule->match ? rule->match : rule->command, rule->match, &rest))
		return false;
	if (rule->flags && !has_only(own, rule->flags, rest))
		return false;
	if (rule->unless && zs_own_may_flag(own, rule->unless))
		return false;
	return !rule->operand || operands_match(own, rule->operand, rest);
}
