#include "read/word.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool brace_is_plain(const struct zs_units *word, uint32_t i, char byte)
{
	return word->items[i].kind == ZS_UNIT_PLAIN && word->items[i].byte == byte;
}

/* Finds the brace that closes the one at `open`, as bash does: the first closing brace of the same level after a comma
 * or "..". A closing brace before both is a plain character: {a}b,c} makes a}b and c. Each result, together with
 * the text after the braces, is expanded again: {{a},},} makes {a},} and ,}. Returns 0 if there is none. */
static uint32_t find_close(struct zs_arena *arena, const struct zs_units *word, uint32_t open)
{
	uint32_t level = 0;
	bool separated = false;

	zs_arena_spend(arena, word->count - open); /* this runs for every brace of every word that is made */
	for (uint32_t i = open + 1; i < word->count && !word->items[i].edge; i++) {
		if (brace_is_plain(word, i, '{'))
			level++;
		else if (brace_is_plain(word, i, '}') && level > 0)
			level--;
		else if (brace_is_plain(word, i, '}') && separated)
			return i;
		else if (level == 0 && brace_is_plain(word, i, ','))
			separated = true;
		else if (level == 0 && i + 2 < word->count && brace_is_plain(word, i, '.') &&
			 brace_is_plain(word, i + 1, '.') && !brace_is_plain(word, i + 2, '}'))
			separated = true;
	}
	return 0;
}

static uint32_t count_braces(const struct zs_units *word)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < word->count; i++)
		count += brace_is_plain(word, i, '{');
	return count;
}

static void brace_append(struct zs_units *out, const struct zs_units *in, uint32_t from, uint32_t to)
{
	if (to > from)
		memcpy(out->items + out->count, in->items + from, (to - from) * sizeof *in->items);
	out->count += to - from;
}

/* Pushes the word with units [from, to) of `middle` in place of the braces at open and close. */
static void push_alternative(struct zs_arena *arena, struct zs_units_list *list, const struct zs_units *word,
	uint32_t open, uint32_t close, const struct zs_units *middle, uint32_t from, uint32_t to)
{
	struct zs_units made = { .capacity = open + (to - from) + (word->count - close - 1) };

	zs_arena_spend(arena, made.capacity);
	made.items = zs_arena_take(arena, made.capacity * sizeof *made.items);
	brace_append(&made, word, 0, open);
	brace_append(&made, middle, from, to);
	brace_append(&made, word, close + 1, word->count);
	if (open < made.count)
		made.items[open].edge = true;
	if (open + (to - from) < made.count)
		made.items[open + (to - from)].edge = true;
	ZS_PUSH(arena, list, made);
}

/* {a,b,c}. {..{a,b}} is a list with one item: a comma at any level makes braces a list. */
static void expand_list(
	struct zs_arena *arena, const struct zs_units *word, uint32_t open, uint32_t close, struct zs_units_list *list)
{
	uint32_t depth = 0, from = open + 1;

	for (uint32_t i = open + 1; i <= close; i++) {
		bool comma = depth == 0 && brace_is_plain(word, i, ',');

		if (brace_is_plain(word, i, '{'))
			depth++;
		else if (brace_is_plain(word, i, '}') && depth > 0)
			depth--;
		if (comma || i == close) {
			push_alternative(arena, list, word, open, close, word, from, i);
			from = i + 1;
		}
	}
}

struct sequence {
	long first, last, step;
	bool letters;
	int width; /* digits of zero-padded numbers */
};

/* Parses one bound of a sequence: a number, or a single letter. */
static bool parse_bound(const char *text, long *ret_value, bool *ret_letter, int *ret_width)
{
	char *end;
	size_t len = strlen(text);

	*ret_letter = false;
	if (len == 1 && ((*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z'))) {
		*ret_letter = true;
		*ret_value = *text;
		return true;
	}
	if (len == 0 || len > 9)
		return false;
	*ret_value = strtol(text, &end, 10);
	if (*end || *text == ' ')
		return false;
	if ((text[0] == '0' && len > 1) || (text[0] == '-' && text[1] == '0' && len > 2))
		*ret_width = (int)len > *ret_width ? (int)len : *ret_width;
	return true;
}

static bool parse_sequence(const char *text, struct sequence *ret)
{
	char copy[40];
	char *second, *third;
	bool letter1, letter2, letter3;
	int ignored = 0;

	if (strlen(text) >= sizeof copy)
		return false;
	strcpy(copy, text);
	second = strstr(copy, "..");
	if (!second)
		return false;
	*second = '\0';
	second += 2;
	third = strstr(second, "..");
	if (third) {
		*third = '\0';
		third += 2;
	}
	*ret = (struct sequence){ 0 };
	if (!parse_bound(copy, &ret->first, &letter1, &ret->width) ||
		!parse_bound(second, &ret->last, &letter2, &ret->width) || letter1 != letter2)
		return false;
	ret->letters = letter1;
	if (third && (!parse_bound(third, &ret->step, &letter3, &ignored) || letter3))
		return false;
	ret->step = labs(ret->step) ? labs(ret->step) : 1;
	return true;
}

/* Expands {1..5}, {a..e} and {01..10..2}. */
static bool expand_sequence(struct zs_arena *arena, const struct zs_units *word, uint32_t open, uint32_t close,
	struct zs_units_list *list, bool *ret_beyond)
{
	struct sequence sequence;
	char text[64];
	uint32_t len = close - open - 1;
	long value;

	if (len >= sizeof text)
		return false;
	for (uint32_t i = 0; i < len; i++) {
		if (word->items[open + 1 + i].kind != ZS_UNIT_PLAIN)
			return false;
		text[i] = word->items[open + 1 + i].byte;
	}
	text[len] = '\0';
	if (!parse_sequence(text, &sequence))
		return false;
	if (labs(sequence.last - sequence.first) / sequence.step >= ZS_MAX_WORDS) {
		*ret_beyond = true;
		return true;
	}
	value = sequence.first;
	for (;;) {
		struct zs_units made = { 0 };
		char number[32];

		if (sequence.letters)
			snprintf(number, sizeof number, "%c", (char)value);
		else
			snprintf(number, sizeof number, "%0*ld", sequence.width, value);
		ZS_PUSH(arena, &made, (struct zs_unit){ .kind = ZS_UNIT_QUOTE });
		for (const char *c = number; *c; c++)
			if (*c != '\\') /* in {Z..a} the backslash quotes the empty text after it */
				ZS_PUSH(arena, &made, (struct zs_unit){ .byte = *c, .kind = ZS_UNIT_QUOTED });
		push_alternative(arena, list, word, open, close, &made, 0, made.count);
		if (sequence.first <= sequence.last ? value + sequence.step > sequence.last
						    : value - sequence.step < sequence.last)
			return true;
		value += sequence.first <= sequence.last ? sequence.step : -sequence.step;
	}
}

static bool has_comma(const struct zs_units *word, uint32_t open, uint32_t close, enum zs_unit_kind kind)
{
	for (uint32_t i = open + 1; i < close; i++)
		if (word->items[i].kind == kind && word->items[i].byte == ',')
			return true;
	return false;
}

/* Expands the leftmost braces that can be expanded. False if there are none. Text that only looks like a sequence stays
 * as it is, with the braces in it. */
static bool expand_one(
	struct zs_arena *arena, const struct zs_units *word, struct zs_units_list *list, bool *ret_beyond)
{
	for (uint32_t open = 0; open < word->count; open++) {
		bool begins = open == 0 || word->items[open].edge;
		bool pair =
			begins && open + 1 < word->count && brace_is_plain(word, open + 1, '}'); /* {} of find -exec */
		uint32_t close = brace_is_plain(word, open, '{') && !pair ? find_close(arena, word, open) : 0;

		if (!close)
			continue;
		if (has_comma(word, open, close, ZS_UNIT_PLAIN)) {
			expand_list(arena, word, open, close, list);
			return true;
		}
		if (has_comma(word, open, close, ZS_UNIT_QUOTED)) /* neither is modelled: {1..2","}, which is a list,
								     and {1..2\,}, which is none */
			*ret_beyond = true;
		if (*ret_beyond || expand_sequence(arena, word, open, close, list, ret_beyond))
			return true;
		open = close;
	}
	return false;
}

bool zs_brace_expand(struct zs_arena *arena, struct zs_units word, struct zs_units_list *list)
{
	struct zs_units_list pending = { 0 };
	uint32_t braces = count_braces(&word);
	bool beyond = false;

	if (braces > ZS_MAX_BRACES) /* the search for each brace's end may look at the whole word */
		return false;
	if (!braces) {
		ZS_PUSH(arena, list, word);
		return true;
	}
	ZS_PUSH(arena, &pending, word);
	while (pending.count) {
		struct zs_units next = pending.items[--pending.count];
		struct zs_units_list made = { 0 };

		if (!expand_one(arena, &next, &made, &beyond)) {
			ZS_PUSH(arena, list, next);
			if (list->count > ZS_MAX_WORDS)
				return false;
			continue;
		}
		if (beyond || pending.count + made.count > ZS_MAX_WORDS)
			return false;
		while (made.count)
			ZS_PUSH(arena, &pending, made.items[--made.count]);
	}
	return true;
}
