/* ${…}: variables, parameters and lists, with their operators. */
#include "read/expand_maker.h"

#include <string.h>

#define MOST_DIGITS 4 /* digits of a subscript */

/* Appends ${x^^} and its like for each known value. */
static void put_transformed(
	struct zs_maker *maker, const struct zs_strings *given, const char *op, size_t len, bool quoted)
{
	const struct zs_expander *expander = maker->expander;
	struct zs_strings values = { 0 };

	for (uint32_t i = 0; i < given->count; i++) {
		const char *value = given->items[i];

		if (!zs_expand_work(expander->build, strlen(value) * (len + 1)))
			value = NULL;
		value = value && !strpbrk(value, ZS_UNKNOWNS) ? zs_transformed(expander->build->arena, value, op, len)
							      : NULL;
		zs_add_string(expander, &values, value ? value : "\1");
	}
	zs_maker_put_values(maker, &values, quoted);
}

/* Appends ${!x}: the values of the variables that x may name. */
static void put_indirect(struct zs_maker *maker, const char *name, bool quoted)
{
	const struct zs_expander *expander = maker->expander;
	struct zs_strings names = zs_variable_values(expander, name), values = { 0 };
	struct zs_expander inner = *expander;

	inner.steps++;
	for (uint32_t i = 0; i < names.count; i++) {
		const char *named = names.items[i];
		struct zs_strings given = { 0 };
		size_t len = 0;

		while (zs_is_name(named[len]))
			len++;
		if (!zs_is_name_start(*named) || named[len]) {
			zs_maker_put_value(maker, "\1", quoted);
			return;
		}
		given = zs_variable_values(&inner, named);
		for (uint32_t j = 0; j < given.count; j++)
			zs_add_string(expander, &values, given.items[j]);
	}
	zs_maker_put_values(maker, &values, quoted);
}

/* The value of digits; it stops counting at 100000. */
static uint32_t number_of(const char *digits)
{
	uint32_t number = 0;

	for (; zs_is_digit(*digits) && number < 100000; digits++)
		number = number * 10 + (uint32_t)(*digits - '0');
	return number;
}

/* ${x[N]}, $N: element N of each list, counted from 0. */
static struct zs_strings elements(const struct zs_expander *expander, const struct zs_strings *lists, uint32_t which)
{
	struct zs_strings values = { 0 };

	for (uint32_t i = 0; i < lists->count; i++)
		zs_add_string(expander, &values,
			zs_may_be_several(lists->items[i], which + 1)
				? "\3"
				: zs_field(expander->build->arena, lists->items[i], which));
	return values;
}

/* ${x[@]:N}: the lists without their first N elements. */
static struct zs_strings sliced(const struct zs_expander *expander, const struct zs_strings *lists, uint32_t skip)
{
	struct zs_strings rest = { 0 };

	for (uint32_t i = 0; i < lists->count; i++) {
		if (zs_may_be_several(lists->items[i], skip))
			return zs_unknown_words(expander);
		zs_add_string(expander, &rest, zs_behind_fields(lists->items[i], skip));
	}
	return rest;
}

/* Appends ${x[@]} or ${@:2}. `op` is the text after the list. */
static void put_list(struct zs_maker *maker, const char *name, const char *op, size_t len, bool quoted)
{
	const struct zs_expander *expander = maker->expander;
	bool parameters = *name == '@' || *name == '*';
	struct zs_strings lists = parameters ? zs_parameters(expander) : zs_variable_lists(expander, name);
	uint32_t skip;

	if (len) {
		if (*op != ':' || len < 2 || len > MOST_DIGITS || strspn(op + 1, "0123456789") < len - 1) {
			zs_maker_put_value(maker, "\3", quoted);
			return;
		}
		skip = number_of(op + 1);
		if (skip && parameters) /* parameters count from 1 */
			skip--;
		lists = sliced(expander, &lists, skip);
	}
	zs_maker_put_lists(maker, &lists, quoted);
}

/* Appends ${x:-word} and its like. `op` is the operator without its colon, and the word. */
static void put_default(struct zs_maker *maker, const char *name, const struct zs_strings *given, const char *op,
	size_t len, bool colon, bool quoted)
{
	const struct zs_expander *expander = maker->expander;
	struct zs_strings values = { 0 };
	struct zs_strings lists;
	struct zs_maker word;
	bool empty = false;

	for (uint32_t i = 0; i < given->count; i++) {
		const char *value = given->items[i];

		empty |= !*value;
		/* A variable that no text sets gets the default, unless every session sets it. */
		if (*value && *op != '+' &&
			!(strcmp(value, "\3") == 0 && given->count == 1 && !zs_is_digit(*name) &&
				zs_is_from_outside(expander, name)))
			zs_add_string(expander, &values, value);
	}
	if (!colon && empty && *op != '+')
		zs_add_string(expander, &values, "");
	if (*op == '?') {
		if (values.count)
			zs_maker_put_values(maker, &values, quoted);
		else
			zs_maker_put_value(maker, "\3", quoted);
		return;
	}
	word = zs_maker_new(expander, false);
	zs_expand_text(&word, op + 1, len - 1, quoted);
	lists = zs_maker_take(&word);
	if (*op == '+')
		zs_add_string(expander, &values, "");
	zs_add_firsts(expander, &values, &lists);
	zs_maker_put_values(maker, &values, quoted);
}

/* The values of NAME or NAME[N] in ${…}. *end is after the name, and is moved after the subscript. */
static struct zs_strings scalar(
	const struct zs_expander *expander, const char *name, const char *text, size_t len, size_t *end)
{
	struct zs_strings lists;
	struct zs_strings values;
	size_t digits = *end < len && text[*end] == '[' ? strspn(text + *end + 1, "0123456789") : 0;
	uint32_t which;

	if (digits && digits < MOST_DIGITS && *end + digits + 2 <= len && text[*end + 1 + digits] == ']' &&
		(text[*end + 1] != '0' || digits == 1) && !zs_is_digit(*name)) {
		lists = zs_variable_lists(expander, name);
		values = elements(expander, &lists, number_of(text + *end + 1));
		*end += digits + 2;
		return values;
	}
	if (!zs_is_digit(*name))
		return zs_variable_values(expander, name);
	which = number_of(name);
	values = (struct zs_strings){ 0 };
	if (!which) {
		zs_add_string(expander, &values, zs_parameter_zero(expander));
		return values;
	}
	lists = zs_parameters(expander);
	return elements(expander, &lists, which - 1);
}

void zs_expand_parameter(struct zs_maker *maker, const char *text, size_t len, bool quoted)
{
	const struct zs_expander *expander = maker->expander;
	size_t end = len && strchr("@*", text[0]) ? 1 : 0;
	bool indirect = len > 1 && text[0] == '!' && zs_is_name_start(text[1]), list, star, colon;
	struct zs_strings given;
	const char *name;

	for (end += indirect; end < len && zs_is_name(text[end]);)
		end++;
	name = zs_arena_string(expander->build->arena, text + indirect, end - indirect);
	list = *name == '@' || *name == '*';
	star = *name == '*';
	if (!list && end + 2 < len && text[end] == '[' && strchr("@*", text[end + 1]) && text[end + 2] == ']') {
		list = true;
		star = text[end + 1] == '*';
		end += 3;
	}
	/* the first byte of IFS joins ${x[*]} */
	if (!*name || (star && (quoted || !maker->splits)) || (indirect && end < len)) {
		zs_maker_put_value(maker, "\1", quoted);
		return;
	}
	if (indirect || list) {
		if (indirect)
			put_indirect(maker, name, quoted);
		else
			put_list(maker, name, text + end, len - end, quoted);
		return;
	}
	given = scalar(expander, name, text, len, &end);
	if (end == len) {
		zs_maker_put_values(maker, &given, quoted);
		return;
	}
	colon = text[end] == ':';
	if (end + colon < len && strchr("-=?+", text[end + colon]))
		put_default(maker, name, &given, text + end + colon, len - end - colon, colon, quoted);
	else
		put_transformed(maker, &given, text + end, len - end, quoted);
}
