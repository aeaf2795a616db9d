/* Rules that deny or ask: a command matches if it may be meant. */
#include "rules/own.h"

#include <string.h>

/* The words of a rule: those of `command`, or those of `match` that are no flags. */
struct words {
	const char *items[32];
	size_t lens[32];
	uint32_t count;
	bool open; /* further words may follow */
};

static struct words words_of(const struct zs_own_rule *rule)
{
	const char *text = rule->match ? rule->match : rule->command;
	struct words words = { .open = !rule->match };
	size_t len;

	for (; *text && words.count < 31; text += len + (text[len] == ' ')) {
		len = strcspn(text, " ");
		if (rule->match && len == 1 && *text == '*' && !text[1])
			words.open = true;
		else if (len && (rule->command || *text != '-')) {
			words.items[words.count] = text;
			words.lens[words.count++] = len;
		}
	}
	return words;
}

static bool may_be(const char *value, const char *words, size_t len)
{
	for (size_t at = 0, end; at < len; at = end + 1) {
		for (end = at; end < len && words[end] != '|';)
			end++;
		if (zs_own_may_text(value, words + at, end - at))
			return true;
	}
	return false;
}

/* Names */

/* The rule's name is a path: deploy/run.sh. */
static bool may_be_at(const struct zs_own *own, const char *name, const char *path, size_t len)
{
	const char *pattern = strchr("/~.", *path) ? zs_arena_string(own->places.arena, path, len)
						   : zs_arena_format(own->places.arena, "./%.*s", (int)len, path);

	return strchr(name, '/') && zs_own_may_operand(own, name, pattern, strlen(pattern));
}

static bool may_be_name(const struct zs_own *own, const char *names, size_t len)
{
	const struct zs_command *command = own->command;
	const char *text = command->argc ? command->argv[0].text : NULL;
	const char *slash = text ? strrchr(text, '/') : NULL;
	const char *known[] = { command->key, command->row, slash ? slash + 1 : text };

	for (size_t i = 0; i < 3; i++)
		if (known[i] &&
			may_be(zs_arena_string(own->places.arena, known[i], strcspn(known[i], " ")), names, len))
			return true;
	for (size_t at = 0, end; text && at < len; at = end + 1) {
		for (end = at; end < len && names[end] != '|';)
			end++;
		if (memchr(names + at, '/', end - at) && may_be_at(own, text, names + at, end - at))
			return true;
	}
	return false;
}

/* The words behind the name */

/* git x, where x is no subcommand that zs knows: it may be an alias for any other. */
static bool may_be_alias(const struct zs_own *own)
{
	const struct zs_term *trait;

	if (!own->row || strchr(own->command->row, ' ') || !own->command->key || !strchr(own->command->key, ' '))
		return false;
	for (size_t i = 0; (trait = zs_row_trait(own->row, i)) != NULL; i++)
		if (strcmp(trait->name, "aliases") == 0)
			return true;
	return false;
}

static bool may_be_skipped(const char *value)
{
	return *value == '+' || zs_own_is_flag(value) || (*value && strchr(ZS_OWN_UNKNOWN, *value));
}

/* Bit k of `reached`: the first k words of the rule have been found before this word. */
static uint32_t step(const struct words *words, const struct zs_word *word, uint32_t reached, bool skipped)
{
	uint32_t next = skipped ? reached : 0;
	const char *value;

	for (uint32_t j = 0; (value = zs_own_value(word, j)) != NULL; j++) {
		if (may_be_skipped(value))
			next |= reached;
		for (uint32_t k = 1; k < words->count; k++)
			if (reached & 1u << k && !zs_own_is_flag(value) &&
				may_be(value, words->items[k], words->lens[k]))
				next |= 1u << (k + 1);
	}
	return next;
}

/* Finds the rule's words. *ret_rest: the first word that may be an operand behind them. */
static bool may_have_words(const struct zs_own *own, const struct words *words, uint32_t *ret_rest)
{
	const struct zs_command *command = own->command;
	uint32_t reached = 1u << 1, before = 0, all = 1u << words->count;

	*ret_rest = 1;
	if (!words->count || !may_be_name(own, words->items[0], words->lens[0]))
		return false;
	if (words->count > 1 && may_be_alias(own))
		return true;
	for (uint32_t i = 1; i < command->argc && !(reached & all); i++) {
		const struct zs_word *word = &command->argv[i];
		const char *last = zs_own_value(&command->argv[i - 1], 0);
		bool open = zs_own_is_open(word), value = i > 1 && zs_own_is_value(own, i);
		bool skipped =
			value || (i > 1 && zs_own_is_flag(last) && strcmp(last, "--") != 0 && !strchr(last, '='));

		*ret_rest = i + !open;
		if (!open) {
			reached = value ? reached : step(words, word, reached, skipped);
			continue;
		}
		for (before = 0; before != reached;) {
			before = reached;
			reached |= step(words, word, reached, true);
		}
	}
	return reached & all;
}

/* Flags */

/* A flag of which a part is not known. */
static bool may_be_flag_in_part(const char *value, const char *flag, size_t len)
{
	size_t known = strcspn(value, ZS_OWN_UNKNOWN), size = strlen(value), tail = 0;
	bool pattern = strchr(value, ZS_PLACE_PATTERN), one = len == 2;

	if (strchr(value, ZS_OWN_WORDS))
		return true;
	if (known ? *value != '-' : *value == ZS_PLACE_HOME || *value == ZS_PLACE_ROOT)
		return false;
	while (!strchr(ZS_OWN_UNKNOWN, value[size - tail - 1]))
		tail++;
	if (one) /* letters in a bundle; *.c is none */
		return !(known > 1 && value[1] == '-') && !(pattern && tail && strpbrk(value + size - tail, "./_=:,"));
	if (pattern && tail && (tail > len || memcmp(value + size - tail, flag + len - tail, tail) != 0))
		return false;
	if (memchr(value, '=', known))
		return zs_own_long_flag(value, flag, len, true);
	/* -f$x may be the long flag -force, too */
	for (size_t i = strspn(value, "-"), j = strspn(flag, "-"); i < known && j < len; i++, j++)
		if (value[i] != flag[j])
			return false;
	return true;
}

static bool may_be_flag(const struct zs_own *own, const char *value, const char *flag, size_t len)
{
	const char *attached;

	if (value[strcspn(value, ZS_OWN_UNKNOWN)])
		return may_be_flag_in_part(value, flag, len);
	if (!zs_own_is_flag(value))
		return false;
	return len == 2 ? zs_finds_flag(value, flag, len, own->row, &attached)
			: zs_own_long_flag(value, flag, len, true);
}

/* The value of the flag in word `i`: attached, or the next word. */
static bool may_have_value(const struct zs_own *own, uint32_t i, const char *value, const char *pattern, size_t len)
{
	const char *equals = strchr(value, '='), *next;

	if (value[strcspn(value, ZS_OWN_UNKNOWN)])
		return true;
	if (equals)
		return zs_own_may_text(equals + 1, pattern, len);
	if (value[1] != '-' && value[2] && zs_own_may_text(value + 2, pattern, len))
		return true;
	for (uint32_t j = 0; i + 1 < own->command->argc && (next = zs_own_value(&own->command->argv[i + 1], j)); j++)
		if (zs_own_may_text(next, pattern, len))
			return true;
	return false;
}

/* flag: "-f", "--force" or "--method=DELETE" */
static bool may_have_flag(const struct zs_own *own, const char *flag, size_t len)
{
	const struct zs_command *command = own->command;
	const char *equals = memchr(flag, '=', len), *value;
	size_t name = equals ? (size_t)(equals - flag) : len;

	for (uint32_t i = 1; i < command->argc; i++) {
		if (!zs_own_is_open(&command->argv[i]) && zs_own_is_value(own, i))
			continue;
		for (uint32_t j = 0; (value = zs_own_value(&command->argv[i], j)) != NULL; j++)
			if (may_be_flag(own, value, flag, name) &&
				(!equals || may_have_value(own, i, value, equals + 1, len - name - 1)))
				return true;
	}
	return false;
}

/* -rf: the two letters, together or apart; or a long flag with one dash. */
static bool may_have_letters(const struct zs_own *own, const char *flag, size_t len)
{
	for (size_t i = 1; i < len; i++) {
		const char letter[] = { '-', flag[i], '\0' };

		if (flag[i] == '-' || flag[i] == '=' || !may_have_flag(own, letter, 2))
			return false;
	}
	return true;
}

static bool may_have(const struct zs_own *own, const char *flag, size_t len)
{
	return may_have_flag(own, flag, len) || (len > 2 && flag[1] != '-' && may_have_letters(own, flag, len));
}

bool zs_own_may_flag(const struct zs_own *own, const char *flags)
{
	for (size_t len; *flags; flags += len + (flags[len] == ' ')) {
		len = strcspn(flags, " ");
		if (len && may_have(own, flags, len))
			return true;
	}
	return false;
}

/* The flags of `match`: the command has all of them. */
static bool may_have_all(const struct zs_own *own, const char *match)
{
	for (size_t len; *match; match += len + (match[len] == ' ')) {
		len = strcspn(match, " ");
		if (*match == '-' && len > 1 && !may_have(own, match, len))
			return false;
	}
	return true;
}

/* Is one of the flags there for certain? A flag behind -- is none. */
static bool has_flag(const struct zs_own *own, const char *flags)
{
	const struct zs_command *command = own->command;

	for (uint32_t i = 1; i < command->argc; i++) {
		const char *text = command->argv[i].text;
		const char *attached;
		size_t len;

		if (!text || zs_own_is_value(own, i) || !zs_own_is_flag(text))
			continue;
		if (strcmp(text, "--") == 0)
			return false;
		for (const char *flag = flags; *flag; flag += len + (flag[len] == ' ')) {
			len = strcspn(flag, " ");
			if (len == 2 ? zs_finds_flag(text, flag, len, own->row, &attached) && !text[2]
				     : zs_own_long_flag(text, flag, len, false) && !strchr(text, '='))
				return true;
		}
	}
	return false;
}

/* Operands */

static bool may_have_operand(const struct zs_own *own, const char *patterns, uint32_t rest)
{
	const struct zs_command *command = own->command;
	const char *value;
	bool ended = false;
	size_t len;

	for (uint32_t i = rest; i < command->argc; i++) {
		const struct zs_word *word = &command->argv[i];

		if (!ended && word->text && strcmp(word->text, "--") == 0) {
			ended = true;
			continue;
		}
		if (!ended && ((word->text && zs_own_is_flag(word->text)) ||
				      (!zs_own_is_open(word) && zs_own_is_value(own, i))))
			continue;
		for (uint32_t j = 0; (value = zs_own_value(word, j)) != NULL; j++)
			for (const char *pattern = patterns; *pattern; pattern += len + (pattern[len] == ' ')) {
				len = strcspn(pattern, " ");
				if (len && zs_own_may_operand(own, value, pattern, len))
					return true;
			}
	}
	return false;
}

/* Has the command certainly more than the words and flags of `match`? */
static bool has_more(const struct zs_own *own, const struct words *words, const char *match)
{
	const struct zs_command *command = own->command;
	uint32_t certain = 1;

	for (uint32_t i = 1; i < command->argc; i++) {
		const struct zs_word *word = &command->argv[i];
		bool named = false;
		size_t len;

		if (zs_own_is_open(word))
			continue;
		if (!word->text || !zs_own_is_flag(word->text)) {
			certain += word->text != NULL;
			continue;
		}
		for (const char *flag = match; *flag; flag += len + (flag[len] == ' ')) {
			const char *attached;

			len = strcspn(flag, " ");
			if (*flag != '-' || len < 2)
				continue;
			named |= zs_own_long_flag(word->text, flag, len, true);
			for (size_t at = 1; flag[1] != '-' && at < len; at++)
				named |= zs_finds_flag(
					word->text, (const char[]){ '-', flag[at], '\0' }, 2, own->row, &attached);
		}
		if (!named)
			return true;
	}
	return certain > words->count;
}

bool zs_own_may(const struct zs_own *own, const struct zs_own_rule *rule)
{
	struct words words = words_of(rule);
	uint32_t rest;

	if (!may_have_words(own, &words, &rest))
		return false;
	if (rule->match && (!may_have_all(own, rule->match) || (!words.open && has_more(own, &words, rule->match))))
		return false;
	if (rule->flags && !zs_own_may_flag(own, rule->flags))
		return false;
	if (rule->unless && has_flag(own, rule->unless))
		return false;
	return !rule->operand || may_have_operand(own, rule->operand, rest);
}
