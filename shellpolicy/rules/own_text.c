/* Compares values of words with the patterns of the caller's rules. A value may hold bytes for text that is not
 * known. */
#include "rules/own.h"

#include <string.h>
#include <strings.h>

const char *zs_own_value(const struct zs_word *word, uint32_t i)
{
	static const char any[] = { ZS_OWN_WORDS, '\0' };

	return word->text || word->value_count ? zs_word_value(word, i) : i == 0 ? any : NULL;
}

bool zs_own_is_open(const struct zs_word *word)
{
	const char *value = zs_own_value(word, 0);

	return !word->text &&
	       (word->value_count != 1 || strchr(value, ZS_OWN_WORDS) || strchr(value, ZS_PLACE_PATTERN));
}

bool zs_own_is_flag(const char *text)
{
	return text[0] == '-' && text[1];
}

bool zs_own_is_value(const struct zs_own *own, uint32_t i)
{
	return zs_is_value(own->command, i < own->sub ? own->outer : own->row, i);
}

/* A pattern without its stars at the start and the end. */
struct fixed {
	const char *text;
	size_t len;
	bool open_start, open_end;
};

static struct fixed fixed_of(const char *pattern, size_t len)
{
	bool start = len && pattern[0] == '*', end = len > (size_t)start && pattern[len - 1] == '*';

	return (struct fixed){ pattern + start, len - start - end, start, end };
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Zig's musl compares the first byte even if len is 0. */
static bool same(const char *a, const char *b, size_t len)
{
	return len == 0 || strncasecmp(a, b, len) == 0;
}

bool zs_own_may_text(const char *value, const char *pattern, size_t len)
{
	struct fixed fixed = fixed_of(pattern, len);
	size_t size = strlen(value), known = strcspn(value, ZS_OWN_UNKNOWN), tail = 0, common;

	if (known == size) {
		if (size < fixed.len || (!fixed.open_start && !fixed.open_end && size != fixed.len))
			return false;
		if (!fixed.open_start)
			return same(value, fixed.text, fixed.len);
		if (!fixed.open_end)
			return same(value + size - fixed.len, fixed.text, fixed.len);
		for (size_t at = 0; at + fixed.len <= size; at++)
			if (same(value + at, fixed.text, fixed.len))
				return true;
		return false;
	}
	if (strchr(value, ZS_OWN_WORDS))
		return true;
	while (!strchr(ZS_OWN_UNKNOWN, value[size - tail - 1]))
		tail++;
	common = least(known, fixed.len);
	if (!fixed.open_start && (!same(value, fixed.text, common) || (!fixed.open_end && known + tail > fixed.len)))
		return false;
	common = least(tail, fixed.len);
	return fixed.open_end || same(value + size - common, fixed.text + fixed.len - common, common);
}

bool zs_own_must_text(const char *text, const char *pattern, size_t len)
{
	struct fixed fixed = fixed_of(pattern, len);
	size_t size = strlen(text);

	if (size < fixed.len || (!fixed.open_start && !fixed.open_end && size != fixed.len))
		return false;
	if (!fixed.open_start)
		return memcmp(text, fixed.text, fixed.len) == 0;
	if (!fixed.open_end)
		return memcmp(text + size - fixed.len, fixed.text, fixed.len) == 0;
	for (size_t at = 0; at + fixed.len <= size; at++)
		if (memcmp(text + at, fixed.text, fixed.len) == 0)
			return true;
	return false;
}

/* Paths */

static bool is_path_pattern(const char *pattern, size_t len)
{
	return len && (pattern[0] == '/' || (len > 1 && pattern[1] == '/' && strchr("~.", pattern[0])));
}

/* The pattern as an absolute path: ~/ is the home folder, ./ the workspace. */
static const char *whole_pattern(const struct zs_own *own, const char *pattern, size_t len)
{
	const char *folder = pattern[0] == '~' ? own->places.home : own->places.workspace;

	if (pattern[0] == '/')
		return zs_arena_string(own->places.arena, pattern, len);
	return zs_arena_format(
		own->places.arena, "%s%.*s", strcmp(folder, "/") == 0 ? "" : folder, (int)len - 1, pattern + 1);
}

/* Text that is not known may be ../../etc; a pattern of files and a number stay within one name. */
static bool leads_anywhere(const char *value)
{
	return value[strcspn(value, "\1\2\3\6\017")] != '\0';
}

bool zs_own_may_operand(const struct zs_own *own, const char *value, const char *pattern, size_t len)
{
	const char *whole, *path;

	if (!is_path_pattern(pattern, len))
		return zs_own_may_text(value, pattern, len);
	if (leads_anywhere(value))
		return true;
	whole = whole_pattern(own, pattern, len);
	if (*value == ZS_PLACE_HOME)
		value = zs_arena_format(own->places.arena, "%s%s", own->places.home, value + 1);
	if (*value != '/' && (own->folders->unknown || !own->folders->count))
		return true;
	if (*value == '/') {
		path = zs_path_of(&own->places, "", value, false).text;
		return zs_own_may_text(path, whole, strlen(whole));
	}
	for (uint32_t i = 0; i < own->folders->count; i++) {
		path = zs_path_of(&own->places, own->folders->items[i], value, false).text;
		if (zs_own_may_text(path, whole, strlen(whole)))
			return true;
	}
	return false;
}

bool zs_own_must_operand(const struct zs_own *own, const char *text, const char *pattern, size_t len)
{
	const char *whole, *path;

	if (!is_path_pattern(pattern, len))
		return !strstr(text, "..") && zs_own_must_text(text, pattern, len);
	if (*text != '/' && (own->folders->unknown || !own->folders->count))
		return false;
	whole = whole_pattern(own, pattern, len);
	for (uint32_t i = 0; i == 0 || i < own->folders->count; i++) {
		path = zs_path_of(&own->places, *text == '/' ? "" : own->folders->items[i], text, false).text;
		if (!zs_own_must_text(path, whole, strlen(whole)))
			return false;
	}
	return true;
}

/* Flags */

bool zs_own_long_flag(const char *text, const char *flag, size_t len, bool abbreviated)
{
	size_t dashes = strspn(text, "-"), own = strspn(flag, "-"), size;

	if (!dashes || dashes > 2 || own > 2 || len <= own)
		return false;
	text += dashes;
	size = strcspn(text, "=");
	len -= own;
	if (size == 0 || size > len || memcmp(text, flag + own, size) != 0)
		return false;
	return size == len || (abbreviated && dashes == 2);
}
