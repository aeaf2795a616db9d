#include "code/code_judge.h"

#include <stdio.h>

bool zs_code_unknown(struct code_text *code, size_t first, size_t last)
{
	code->first = first;
	code->last = last;
	return false;
}

bool zs_code_acts(struct code_text *code, enum zs_filter_effect effect, size_t token)
{
	code->found.effect = effect;
	return zs_code_unknown(code, token, token);
}

const char *zs_code_entry(const char *table, const char *name, size_t len)
{
	while (table && *table) {
		size_t own = strlen(table);
		const char *text = table + own + 1;

		if (own == len && memcmp(table, name, len) == 0)
			return text;
		table = text + strlen(text) + 1;
	}
	return NULL;
}

enum code_use zs_code_use(const char *list, const char *name, size_t len)
{
	while (*list) {
		size_t word = strcspn(list, " ~!^");

		if (word == len && memcmp(list, name, word) == 0)
			return list[word] ? (enum code_use)list[word] : USE_PLAIN;
		if ((word == 2 && list[1] == '*' && name[0] >= 'A' && name[0] <= 'Z') ||
			(list[0] == '*' && len >= word && memcmp(list + 1, name + len - word + 1, word - 1) == 0))
			return USE_PLAIN;
		list += strcspn(list, " ");
		list += strspn(list, " ");
	}
	return USE_UNKNOWN;
}

static enum code_use use_of(const struct code_text *code, size_t token)
{
	size_t len;
	const char *text = code_name(code, token, &len);

	return zs_code_use(code->language->globals, text, len);
}

static bool is_global_module(const struct code_text *code, size_t token)
{
	size_t len;
	const char *text = code_name(code, token, &len);

	return code->language->global_members && len < CODE_PATH && zs_code_entry(code->language->members, text, len);
}

/* Names of the program */

bool zs_code_same(const struct code_text *code, size_t a, size_t b)
{
	const struct code_token *x = &code->tokens[a], *y = &code->tokens[b];

	return x->len == y->len && memcmp(code->text + x->start, code->text + y->start, x->len) == 0;
}

bool zs_code_bind(struct code_text *code, struct code_binding binding)
{
	size_t name = binding.name, len;
	const char *text = code_name(code, name, &len);
	enum code_use use = use_of(code, name);
	char path[CODE_PATH] = "";

	if (code_kind(code, name) != CODE_NAME || zs_code_is_keyword(code, name) || (use && use != USE_PLAIN) ||
		zs_code_in(code, name, code->language->denied) || code_starts(code, code->tokens[name].start, "__"))
		return zs_code_unknown(code, name, name);
	/* the name of a global module may be bound only to that module */
	if (is_global_module(code, name)) {
		if (binding.value)
			code->language->path(code, binding.value, path);
		if (binding.member || strlen(path) != len || memcmp(path, text, len) != 0)
			return zs_code_unknown(code, name, name);
	}
	for (size_t i = 0; i < code->bound; i++) {
		const struct code_binding *other = &code->bindings[i];

		if (other->value == binding.value && other->member == binding.member &&
			zs_code_same(code, other->name, name))
			return true;
	}
	if (code->bound == CODE_BINDINGS)
		return zs_code_unknown(code, name, name);
	code->bindings[code->bound++] = binding;
	return true;
}

bool zs_code_bind_names(struct code_text *code, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		if (code_kind(code, i) == CODE_NAME && !zs_code_is_keyword(code, i) &&
			!zs_code_in(code, i - 1, code->language->points) && !zs_code_in(code, i + 1, "( .") &&
			!zs_code_bind(code, (struct code_binding){ .name = (uint16_t)i }))
			return false;
	return true;
}

bool zs_code_is_bound(const struct code_text *code, size_t token, bool module)
{
	for (size_t i = 0; i < code->bound; i++)
		if (zs_code_same(code, code->bindings[i].name, token) && (code->bindings[i].value > 0) == module)
			return true;
	return false;
}

/* Uses */

bool zs_code_is_shown(const struct code_text *code, struct code_place place)
{
	size_t before = place.first - 1, after = place.last + 1;
	bool ends = code_kind(code, after) == CODE_END || code_kind(code, after) == CODE_NEWLINE ||
		    zs_code_is(code, after, ";");

	/* f<T>(x) and x!(y) are calls in TypeScript, which deno and bun read */
	if (zs_code_in(code, after, ". ?. [ ( ! <") || code_kind(code, after) == CODE_TEMPLATE)
		return false;
	if (code_kind(code, before) == CODE_FIELD && code_kind(code, after) == CODE_FIELD_END)
		return true;
	if (zs_code_in(code, before, "( , *") && zs_code_in(code, after, ", )") &&
		code->tokens[place.open].mark == MARK_SHOWS)
		return true;
	if (zs_code_in(code, before, code->language->looked) || zs_code_in(code, after, code->language->looks))
		return true;
	if (zs_code_is(code, before, "(") && zs_code_is(code, after, ")") && before > 0 &&
		zs_code_in(code, before - 1, code->language->heads))
		return true; /* if (x) */
	/* a statement that only names the value, or asserts it */
	return ends && (code_kind(code, before) == CODE_END || code_kind(code, before) == CODE_NEWLINE ||
			       zs_code_in(code, before, "; { } assert"));
}

/* Python's map(class, …) only calls the class. */
static bool is_mapped(const struct code_text *code, struct code_place place)
{
	return code->language->python && zs_code_is(code, place.first - 1, "(") && place.first > 2 &&
	       zs_code_is(code, place.first - 2, "map") && zs_code_is(code, place.last + 1, ",") &&
	       !zs_code_in(code, place.first - 3, code->language->points) &&
	       !zs_code_is_bound(code, place.first - 2, false);
}

static bool check_use(struct code_text *code, enum code_use use, struct code_place place)
{
	size_t open = place.last + 1;
	bool called = zs_code_is(code, open, "("), known = true;

	if (zs_code_in(code, open, code->language->assigns) || zs_code_in(code, place.first - 1, "++ --"))
		return zs_code_unknown(code, place.first, open);
	/* print (x).y is no call in python 2 */
	if (use == USE_SHOWS && called &&
		!(zs_code_is(code, place.last, "print") && zs_code_in(code, code_mate(code, open) + 1, ". [ (")))
		code->tokens[open].mark = MARK_SHOWS;
	/* [console.log] = [f] would replace the function; f(console.log) only passes it on */
	else if (use == USE_SHOWS && !called && code->language->assigns)
		known = code_kind(code, open) == CODE_END ||
			(zs_code_in(code, place.first - 1, "( ,") && zs_code_in(code, open, ", )") &&
				zs_code_is(code, place.open, "(") &&
				zs_code_ends_operand(code, place.open - (size_t)1));
	else if (use == USE_OPENS)
		known = called && code->language->reads(code, open);
	else if (use == USE_NEW)
		known = called || zs_code_in(code, place.first - 1, "new instanceof") || is_mapped(code, place) ||
			zs_code_is_shown(code, place);
	return known || zs_code_unknown(code, place.first, called ? code_mate(code, open) : place.last);
}

static bool has_name_behind(const struct code_text *code, size_t token)
{
	return zs_code_in(code, token + 1, code->language->points) && code_kind(code, token + 2) == CODE_NAME;
}

static bool leads_away(const struct code_text *code, const char *name, size_t len)
{
	return code->language->leads_away && code->language->leads_away(name, len);
}

bool zs_code_follow(struct code_text *code, char *path, size_t member, struct code_place place, size_t *ret_last)
{
	const struct code_language *language = code->language;

	while (member || has_name_behind(code, place.last)) {
		const char *list = zs_code_entry(language->members, path, strlen(path)), *name;
		enum code_use use = USE_UNKNOWN;
		size_t len, used;

		place.last += member ? 0 : 2;
		name = code_name(code, member ? member : place.last, &len);
		*ret_last = place.last;
		member = 0;
		if (list && !leads_away(code, name, len))
			use = zs_code_use(list, name, len);
		if (!use && zs_code_listed(name, len, language->about))
			return true;
		if (leads_away(code, name, len))
			return zs_code_unknown(code, place.first, place.last);
		used = strlen(path);
		/* nothing is known about a path that gets too long */
		if (!used ||
			snprintf(path + used, CODE_PATH - used, ".%.*s", (int)len, name) >= (int)(CODE_PATH - used))
			path[0] = '\0';
		/* sys.stdout is a value, and sys.stdout.write has a row of its own */
		if (use && !(has_name_behind(code, place.last) && zs_code_entry(language->members, path, strlen(path))))
			return check_use(code, use, place);
	}
	*ret_last = place.last;
	return language->check_rest(code, path, place) || zs_code_unknown(code, place.first, place.last);
}

bool zs_code_check_name(struct code_text *code, struct code_place place, size_t *ret_last)
{
	size_t at = place.first, len, last = at;
	const char *text = code_name(code, at, &len);
	enum code_use use = use_of(code, at);
	bool bound = zs_code_is_bound(code, at, false);
	char path[CODE_PATH] = "";

	*ret_last = bound || use ? at : SIZE_MAX;
	for (size_t i = 0; i < code->bound; i++) {
		const struct code_binding *binding = &code->bindings[i];

		if (!binding->value || !zs_code_same(code, binding->name, at))
			continue;
		code->language->path(code, binding->value, path);
		if (!zs_code_follow(code, path, binding->member, place, &last))
			return false;
		bound = true;
		if (last < *ret_last) /* tokens that only one meaning has covered are checked again */
			*ret_last = last;
	}
	if (bound)
		return true;
	*ret_last = at;
	if (!is_global_module(code, at) || (use && !zs_code_in(code, at + 1, code->language->points)))
		return use ? check_use(code, use, place) : zs_code_unknown(code, at, at);
	snprintf(path, sizeof path, "%.*s", (int)len, text);
	return zs_code_follow(code, path, 0, place, ret_last);
}

static bool bind_tokens(struct code_text *code)
{
	for (size_t i = 1; code->language->bind && i < code->count; i++)
		if (!code->language->bind(code, i))
			return false;
	return true;
}

static bool check_tokens(struct code_text *code)
{
	const char *points = code->language->points;
	uint16_t opened[CODE_DEPTH + 1] = { 0 };
	size_t depth = 0;

	for (size_t i = 1; i < code->count; i++) {
		size_t last = i;

		/* the default, unless the check below says more */
		zs_code_unknown(code, i - zs_code_in(code, i - 1, ". ?. &."), i);
		if (code_closes(code, i))
			depth--;
		if (zs_code_in(code, i, points) && code_kind(code, i + 1) != CODE_NAME &&
			!(zs_code_is(code, i, "?.") && zs_code_is(code, i + 1, "[")))
			return zs_code_unknown(code, i, i + 1);
		if (!(code_kind(code, i) == CODE_NAME && code->tokens[i].known) &&
			!code->language->check(code, (struct code_place){ i, i, opened[depth] }, &last))
			return false;
		if (code_opens(code, i))
			opened[++depth] = (uint16_t)i;
		for (size_t behind = i + 1; behind <= last; behind++)
			code->tokens[behind].known = true;
	}
	return true;
}

struct zs_filter zs_code_judge(const char *text, size_t len, const struct code_language *language)
{
	struct code_text code;
	size_t start, end;

	code.bound = 0;
	code.first = code.last = 0;
	code.found = (struct zs_filter){ .effect = ZS_FILTER_UNKNOWN };
	code.language = language;
	if (!zs_code_read(&code, text, len)) {
		start = end = code.pos < len ? code.pos : len;
		while (end < len && end - start < 16 && text[end] != '\n')
			end++;
	} else if (!bind_tokens(&code) || !check_tokens(&code)) {
		start = code.tokens[code.first].start;
		end = code.tokens[code.last].start + code.tokens[code.last].len;
	} else {
		return (struct zs_filter){ .effect = ZS_FILTER_PLAIN };
	}
	code.found.at = start;
	if (code.found.effect == ZS_FILTER_UNKNOWN && end > start) {
		code.found.object = text + start;
		code.found.object_len = end - start;
	}
	return code.found;
}
