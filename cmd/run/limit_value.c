#include "run/limit_value.h"

#include <stdio.h>
#include <string.h>

#include "base/message.h"

struct unit {
	const char *letters;
	uint64_t factors[3];
	const char *cure;
};

static const struct unit SECONDS = { "smh", { 1, 60, 3600 }, "write a number and s, m or h" };
static const struct unit BYTES = { "KMG", { 1024, 1 << 20, 1 << 30 }, "write a number and K, M or G" };
static const struct unit COUNT = { "", { 0 }, "write a number" };

#define WORD(id, name, word, unit, text) [ZS_LIMIT_##id] = word,
#define UNIT(id, name, word, unit, text) [ZS_LIMIT_##id] = &unit,
static const char *const words[] = { ZS_LIMITS(WORD) };
static const struct unit *const units[] = { ZS_LIMITS(UNIT) };

/* Returns ZS_LIMIT_COUNT if there is no such limit, with a message on stderr. */
static enum zs_limit find_limit(const char *item, size_t len)
{
	enum zs_limit limit = 0;
	char given[32];
	const char *nearest;

	while (limit < ZS_LIMIT_COUNT && (strlen(words[limit]) != len || memcmp(words[limit], item, len) != 0))
		limit++;
	if (limit < ZS_LIMIT_COUNT)
		return limit;
	snprintf(given, sizeof given, "%.*s", (int)len, item);
	nearest = zs_nearest(given, words, ZS_LIMIT_COUNT);
	if (nearest)
		zs_complain("--limit: %s: no such limit; did you mean %s?", given, nearest);
	else
		zs_complain("--limit: %s: no such limit; choose one of wall, cpu, memory, processes, files, file-size, "
			    "tmp",
			given);
	return limit;
}

/* A number without a letter means seconds or bytes. */
static bool parse_value(const char *text, const struct unit *unit, uint64_t *ret_value)
{
	uint64_t value = 0;
	const char *letter;

	if (*text < '0' || *text > '9')
		return false;
	for (; *text >= '0' && *text <= '9'; text++)
		if (__builtin_mul_overflow(value, 10, &value) ||
			__builtin_add_overflow(value, (uint64_t)(*text - '0'), &value))
			return false;
	*ret_value = value;
	if (!*text)
		return true;
	letter = strchr(unit->letters, *text);
	return letter && !text[1] && !__builtin_mul_overflow(value, unit->factors[letter - unit->letters], ret_value);
}

static int set_limit(const char *item, struct zs_policy *policy, bool seen[ZS_LIMIT_COUNT])
{
	size_t len = strcspn(item, "=");
	enum zs_limit limit = find_limit(item, len);
	struct zs_error error;
	uint64_t value;

	if (limit == ZS_LIMIT_COUNT)
		return ZS_EXIT_USAGE;
	if (item[len] != '=' || !parse_value(item + len + 1, units[limit], &value))
		return zs_fail(
			ZS_EXIT_USAGE, "--limit: %s: is not %s=VALUE; %s", item, words[limit], units[limit]->cure);
	if (seen[limit])
		return zs_fail(ZS_EXIT_USAGE, "--limit: %s: given twice; give it once", words[limit]);
	seen[limit] = true;
	return zs_policy_set_limit(policy, limit, value, &error) < 0 ? zs_fail_error(ZS_EXIT_USAGE, &error)
								     : ZS_EXIT_OK;
}

int zs_set_limits(const struct zs_option_list *list, struct zs_policy *policy)
{
	bool seen[ZS_LIMIT_COUNT] = { false };
	int r = ZS_EXIT_OK;

	for (size_t i = 0; r == ZS_EXIT_OK && i < list->count; i++)
		r = set_limit(list->items[i], policy, seen);
	return r;
}

bool zs_parse_seconds(const char *text, uint64_t *ret_seconds)
{
	uint64_t seconds;

	if (!parse_value(text, &SECONDS, &seconds) || seconds == 0 || seconds > ZS_POLICY_SECONDS_MAX)
		return false;
	*ret_seconds = seconds;
	return true;
}

bool zs_parse_bytes(const char *text, uint64_t *ret_bytes)
{
	return parse_value(text, &BYTES, ret_bytes);
}
