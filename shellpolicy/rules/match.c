/* Matches a rule's words with those of a command. */
#include "rules/rule.h"

#include <string.h>
#include <strings.h>

#define MOST_RULE_WORDS 31 /* words of a rule's command: a bit for each */

const char *zs_word_value(const struct zs_word *word, uint32_t i)
{
	if (word->text)
		return i == 0 ? word->text : NULL;
	return i < word->value_count ? word->values[i] : NULL;
}

/* Does the text match the first `len` bytes of a pattern? */
static bool matches_one(const char *text, const char *pattern, size_t len)
{
	bool open_start = len && pattern[0] == '*', open_end = len > 1 && pattern[len - 1] == '*';
	size_t fixed = len - open_start - open_end, size = strlen(text);

	if (len == 1 && open_start)
		return true;
	pattern += open_start;
	if (size < fixed || (!open_start && !open_end && size != fixed))
		return false;
	if (!open_start)
		return strncasecmp(text, pattern, fixed) == 0;
	if (!open_end)
		return strncasecmp(text + size - fixed, pattern, fixed) == 0;
	for (size_t at = 0; at + fixed <= size; at++)
		if (strncasecmp(text + at, pattern, fixed) == 0)
			return true;
	return false;
}

static bool matches_any(const char *text, const char *patterns, size_t len, char separator)
{
	for (size_t at = 0, end; at < len; at = end + 1) {
		for (end = at; end < len && patterns[end] != separator;)
			end++;
		if (matches_one(text, patterns + at, end - at))
			return true;
	}
	return false;
}

bool zs_matches(const char *text, const char *patterns)
{
	return matches_any(text, patterns, strlen(patterns), ' ');
}

static bool is_flag(const char *text)
{
	return text && text[0] == '-' && text[1];
}

/* May the word be the value of the word before it? */
static bool may_be_value(const struct zs_command *command, uint32_t i)
{
	const char *before = i > 1 ? zs_word_value(&command->argv[i - 1], 0) : NULL;

	return is_flag(before) && strcmp(before, "--") != 0 && !strchr(before, '=');
}

/* Does the flag take the next word, and not only what is attached to it? */
static bool takes_next(const struct zs_row *row, char letter)
{
	struct zs_row_flag flag;

	for (size_t i = 0; row && zs_row_flag(row, i, &flag); i++)
		if (flag.len == 2 && flag.name[0] == '-' && flag.name[1] == letter)
			return flag.takes == '=';
	return false;
}

bool zs_is_value(const struct zs_command *command, const struct zs_row *row, uint32_t i)
{
	const char *before = i > 1 ? command->argv[i - 1].text : NULL;
	size_t len = before ? strlen(before) : 0;
	struct zs_row_flag flag;

	if (!is_flag(before) || strchr(before, '='))
		return false;
	for (size_t at = 0; row && zs_row_flag(row, at, &flag); at++)
		if (flag.takes == '=' && flag.len == len && strncmp(before, flag.name, len) == 0)
			return true;
	/* -sXDELETE: the first letter that takes a value has the rest, if there is one */
	for (size_t at = 1; before[1] != '-' && at < len; at++)
		if (zs_takes_value(row, before[at]))
			return at + 1 == len && takes_next(row, before[at]);
	return false;
}

static const char *name_of(const struct zs_command *command, size_t *ret_len)
{
	*ret_len = command->key ? strcspn(command->key, " ") : 0;
	return command->key;
}

/* Does one of the texts of the word match, or do all of them? Flags match nothing. */
static bool fits(const struct zs_word *word, const char *patterns, size_t len, bool all)
{
	const char *text;
	uint32_t i;

	for (i = 0; (text = zs_word_value(word, i)) != NULL; i++)
		if ((!is_flag(text) && matches_any(text, patterns, len, '|')) != all)
			return !all;
	return all && i;
}

/* all: each text that a word may have must match. */
static bool has_words(const char *words, const struct zs_command *command, bool all, uint32_t *ret_rest)
{
	const char *parts[MOST_RULE_WORDS];
	size_t lens[MOST_RULE_WORDS], len, name_len;
	uint32_t count = 0, reached;
	const char *name = name_of(command, &name_len);
	const struct zs_row *row;
	char first[64];

	for (const char *word = words; *word && count < MOST_RULE_WORDS; word += len + (word[len] == ' ')) {
		len = strcspn(word, " ");
		parts[count] = word;
		lens[count++] = len;
	}
	if (!name_len || name_len >= sizeof first)
		return false;
	memcpy(first, name, name_len);
	first[name_len] = '\0';
	*ret_rest = 1;
	if (!matches_any(first, parts[0], lens[0], '|'))
		return false;
	/* Bit k: the first k words of the rule have been found. Several places are possible, since a word behind a flag
	 * may be its value. */
	row = command->row ? zs_row_named(command->row) : NULL;
	reached = 1u << 1;
	for (uint32_t i = 1; i < command->argc && count > 1; i++) {
		const char *text = zs_word_value(&command->argv[i], 0);
		uint32_t next = 0;

		for (uint32_t k = 1; k < count; k++) {
			if (!(reached & 1u << k))
				continue;
			if (lens[k] == 2 && parts[k][1] == '*' && parts[k][0] == '*') { /* no word, or one more */
				reached |= 1u << (k + 1);
				next |= 1u << k;
				continue;
			}
			if (!zs_is_value(command, row, i) && fits(&command->argv[i], parts[k], lens[k], all))
				next |= 1u << (k + 1);
			if (is_flag(text) || (text && *text == '+') || may_be_value(command, i))
				next |= 1u << k;
		}
		reached = next;
		if (reached & 1u << count) {
			*ret_rest = i + 1;
			return true;
		}
	}
	return count == 1;
}

bool zs_rule_command(const char *words, const struct zs_command *command, uint32_t *ret_rest)
{
	return has_words(words, command, false, ret_rest);
}

/* Flags */

bool zs_takes_value(const struct zs_row *row, char letter)
{
	struct zs_row_flag flag;

	for (size_t i = 0; row && zs_row_flag(row, i, &flag); i++)
		if (flag.len == 2 && flag.name[0] == '-' && flag.name[1] == letter)
			return flag.takes == '=' || flag.takes == '?';
	return false;
}

bool zs_finds_flag(const char *text, const char *flag, size_t len, const struct zs_row *row, const char **ret_value)
{
	size_t name = strcspn(text, "=");

	*ret_value = NULL;
	if (len > 2 && flag[1] == '-') { /* long flags may be abbreviated, as getopt_long(3) allows */
		if (text[1] != '-' || name < 4 || name > len || strncmp(text, flag, name) != 0 ||
			(name < len && flag[len - 1] == '!'))
			return false;
		*ret_value = text[name] ? text + name + 1 : NULL;
		return true;
	}
	if (len != 2) { /* -destroy */
		if (name != len || strncmp(text, flag, len) != 0)
			return false;
		*ret_value = text[name] ? text + name + 1 : NULL;
		return true;
	}
	if (text[1] == '-' || (text[name] && name > 2)) /* -chdir=x is one flag */
		return false;
	for (size_t at = 1; text[at] && text[at] != '='; at++) {
		if (text[at] == flag[1]) {
			*ret_value = text[at + 1] ? text + at + 1 : NULL;
			return true;
		}
		if (zs_takes_value(row, text[at]))
			return false;
	}
	return false;
}

/* Has the command one of the flags, with a value that matches `value` and not `other`? */
static bool has_flag(const struct zs_command *command, const char *flags, const char *value, const char *other)
{
	const struct zs_row *row = command->row ? zs_row_named(command->row) : NULL;

	for (uint32_t i = 1; i < command->argc; i++) {
		const char *text, *attached;

		if (command->argv[i].text && strcmp(command->argv[i].text, "--") == 0)
			return false;
		for (uint32_t j = 0; (text = zs_word_value(&command->argv[i], j)) != NULL; j++) {
			size_t len;

			if (!is_flag(text))
				continue;
			for (const char *flag = flags; *flag; flag += len + (flag[len] == ' ')) {
				len = strcspn(flag, " ");
				if (!zs_finds_flag(text, flag, len, row, &attached))
					continue;
				if (!attached && value && i + 1 < command->argc)
					attached = zs_word_value(&command->argv[i + 1], 0);
				if ((value && !(attached && zs_matches(attached, value))) ||
					(other && attached && zs_matches(attached, other)))
					continue;
				return true;
			}
		}
	}
	return false;
}

bool zs_has_flag(const struct zs_command *command, const char *flags)
{
	return has_flag(command, flags, NULL, NULL);
}

/* Operands */

static bool word_matches(const struct zs_word *word, const char *patterns)
{
	const char *text;

	for (uint32_t i = 0; (text = zs_word_value(word, i)) != NULL; i++)
		if (zs_matches(text, patterns))
			return true;
	return false;
}

static bool operands_match(const struct zs_rule *rule, const struct zs_command *command, uint32_t rest)
{
	const struct zs_row *row = command->row ? zs_row_named(command->row) : NULL;
	const struct zs_word *last = NULL;
	bool ended = false, found = !*rule->operand, any = *rule->operand && strchr("?!", *rule->operand);
	bool unknown = *rule->operand == '$';

	for (uint32_t i = rest; i < command->argc; i++) {
		const struct zs_word *word = &command->argv[i];
		bool dashes = !ended && word->text && strcmp(word->text, "--") == 0;

		ended |= dashes;
		if (dashes || (!ended && (is_flag(zs_word_value(word, 0)) || zs_is_value(command, row, i))))
			continue;
		if (any)
			return *rule->operand == '?';
		/* the last operand is not an exception where a pattern of its own is wanted */
		if (*rule->except && *rule->operand && !found && word_matches(word, rule->except))
			return false;
		if (*rule->except && !*rule->operand && last && word_matches(last, rule->except))
			return false;
		found |= unknown ? !word->text : *rule->operand && word_matches(word, rule->operand);
		last = word;
	}
	if (any)
		return *rule->operand == '!';
	if (*rule->except && !*rule->operand && !*rule->last && last && word_matches(last, rule->except))
		return false;
	return found && (!*rule->last || (last && word_matches(last, rule->last)));
}

static bool has_behind_dashes(const struct zs_command *command)
{
	for (uint32_t i = 1; i + 1 < command->argc; i++)
		if (command->argv[i].text && strcmp(command->argv[i].text, "--") == 0)
			return true;
	return false;
}

bool zs_is_local(const struct zs_command *command)
{
	static const char hosts[] = "localhost localhost:* localhost/* 127.* 0.0.0.0* [::1]* http://localhost "
				    "http://localhost:* http://localhost/* https://localhost:* https://localhost/* "
				    "http://127.* https://127.* http://0.0.0.0* http://[::1]* "
				    "http://host.docker.internal* ws://localhost:* :*";
	bool local = false;

	for (uint32_t i = 1; i < command->argc; i++) {
		const char *text = zs_word_value(&command->argv[i], 0);

		if (text && zs_matches(text, hosts))
			local = true;
		else if (text && zs_matches(text, "http://* https://* ftp://*"))
			return false;
	}
	return local;
}

/* Is one of the words SQL that destroys? A single word is none. */
static bool has_sql(const struct zs_command *command)
{
	for (uint32_t i = 1; i < command->argc; i++) {
		const char *text = zs_word_value(&command->argv[i], 0), *from = text;

		if (text && *text == '-' && strchr(text, '='))
			from = strchr(text, '=') + 1;
		if (text && strchr(from, ' ') && zs_sql_destroys(from))
			return true;
	}
	return false;
}

/* Does the shell find the program in PATH, or does its path name a folder of the system? python -m app is none. */
static bool is_installed(const struct zs_ir *ir, uint32_t index)
{
	const struct zs_command *command = &ir->commands[index];
	const char *name = command->argc ? zs_word_value(&command->argv[0], 0) : NULL;

	for (uint32_t i = index; i-- > 0;)
		if (ir->commands[i].depth < command->depth) {
			if (ir->commands[i].key && zs_matches(ir->commands[i].key, "python*"))
				return false;
			break;
		}
	return name && (!strchr(name, '/') ||
			       zs_matches(name, "/usr/* /bin/* /sbin/* /opt/* /snap/* /nix/* /home/linuxbrew/*"));
}

static bool sets_remote_before(const struct zs_ir *ir, uint32_t index)
{
	uint32_t rest;

	for (uint32_t i = 0; i < index; i++)
		if (zs_rule_command("git remote add|set-url", &ir->commands[i], &rest))
			return true;
	return false;
}

/* Does a flag or an earlier setting name a container server of another machine? */
static bool is_elsewhere(const struct zs_ir *ir, const struct zs_command *command)
{
	for (uint32_t i = 0; i < ir->finding_count; i++)
		if (ir->findings[i].code == ZS_RISK_REMOTE_CHANGE && ir->findings[i].informational) /* places.c */
			return true;
	return has_flag(command, "-H --host --url", "ssh:* tcp:*", NULL) ||
	       has_flag(command, "--context --connection", "*", ZS_LOCAL_SERVERS);
}

static bool when_matches(enum zs_rule_when when, const struct zs_ir *ir, uint32_t index)
{
	const struct zs_command *command = &ir->commands[index];

	switch (when) {
	case ZS_WHEN_ALWAYS:
		return true;
	case ZS_WHEN_FED:
		return zs_is_fed(ir, index);
	case ZS_WHEN_REMOTE:
		return !zs_is_local(command);
	case ZS_WHEN_FED_REMOTE:
		return !zs_is_local(command) && zs_is_fed(ir, index);
	case ZS_WHEN_INPUT:
		return zs_has_input(ir, index);
	case ZS_WHEN_SQL:
		return has_sql(command);
	case ZS_WHEN_INSTALLED:
		return is_installed(ir, index);
	case ZS_WHEN_NEW_REMOTE:
		return sets_remote_before(ir, index);
	case ZS_WHEN_ELSEWHERE:
		return is_elsewhere(ir, command);
	}
	return true;
}

bool zs_rule_matches(const struct zs_rule *rule, const struct zs_ir *ir, uint32_t index)
{
	const struct zs_command *command = &ir->commands[index];
	uint32_t rest;

	if (!has_words(rule->command, command, rule->code == ZS_RISK_NONE, &rest))
		return false;
	if (*rule->flags &&
		!has_flag(command, rule->flags, *rule->value ? rule->value : NULL, *rule->other ? rule->other : NULL))
		return false;
	if (*rule->also && !zs_has_flag(command, rule->also))
		return false;
	if (*rule->unless && has_flag(command, rule->unless, NULL, "none false no 0"))
		return false;
	if ((*rule->operand || *rule->except || *rule->last) && !operands_match(rule, command, rest))
		return false;
	if (rule->dashes && !has_behind_dashes(command))
		return false;
	return when_matches(rule->when, ir, index);
}

const struct zs_rule *zs_guard_rule(size_t i)
{
	if (i < zs_guard_rule_count)
		return &zs_guard_rules[i];
	return i - zs_guard_rule_count < zs_tool_rule_count ? &zs_tool_rules[i - zs_guard_rule_count] : NULL;
}

const struct zs_rule *zs_first_rule(const struct zs_ir *ir, uint32_t index)
{
	const struct zs_rule *rule;

	for (size_t i = 0; (rule = zs_guard_rule(i)) != NULL && !zs_rule_matches(rule, ir, index);)
		i++;
	return rule;
}
