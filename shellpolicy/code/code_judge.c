#include "code/code_judge.h"

#include <string.h>

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

bool zs_code_is_bound(const struct code_text *code, size_t token)
{
	for (size_t i = 0; i < code->bound; i++)
		if (zs_code_same(code, code->bindings[i].name, token))
			return true;
	return false;
}

bool zs_code_bind(struct code_text *code, struct code_binding binding)
{
	for (size_t i = 0; i < code->bound; i++) {
		const struct code_binding *other = &code->bindings[i];

		if (other->kind == binding.kind && other->value == binding.value && other->member == binding.member &&
			zs_code_same(code, other->name, binding.name))
			return true;
	}
	if (code->bound == CODE_BINDINGS)
		return zs_code_unknown(code, binding.name, binding.name);
	code->bindings[code->bound++] = binding;
	return true;
}

bool zs_code_check_bindings(struct code_text *code, struct code_place place,
	bool (*check)(
		struct code_text *code, const struct code_binding *binding, struct code_place place, size_t *ret_last),
	size_t *ret_last)
{
	bool first = true;

	*ret_last = place.last;
	for (size_t i = 0; i < code->bound; i++) {
		size_t last;

		if (!zs_code_same(code, code->bindings[i].name, place.first))
			continue;
		if (!check(code, &code->bindings[i], place, &last))
			return false;
		if (first || last < *ret_last)
			*ret_last = last;
		first = false;
	}
	return true;
}

enum code_use zs_code_use(const char *list, const char *name, size_t len)
{
	while (*list) {
		size_t word = strcspn(list, " ?~!^=");

		if (word == len && memcmp(list, name, word) == 0)
			return list[word] ? (enum code_use)list[word] : USE_PLAIN;
		if ((word == 1 && list[0] == '*') || (word == 2 && list[1] == '*' && name[0] >= 'A' && name[0] <= 'Z'))
			return USE_PLAIN;
		list += strcspn(list, " ");
		list += strspn(list, " ");
	}
	return USE_UNKNOWN;
}

/* "" when the path gets too long: then nothing is known about it. */
static void append(char *path, const char *name, size_t name_len)
{
	size_t len = strlen(path);

	if (!len || len + 1 + name_len >= CODE_PATH) {
		path[0] = '\0';
		return;
	}
	path[len] = '.';
	memcpy(path + len + 1, name, name_len);
	path[len + 1 + name_len] = '\0';
}

static bool has_name_behind(const struct code_text *code, size_t token)
{
	return zs_code_in(code, token + 1, ". ?.") && code_kind(code, token + 2) == CODE_NAME;
}

bool zs_code_follow(struct code_text *code, const struct code_names *names, char *path, size_t member,
	struct code_place place, size_t *ret_last)
{
	while (member || has_name_behind(code, place.last)) {
		const char *list = zs_code_entry(names->members, path, strlen(path)), *name;
		enum code_use use = USE_UNKNOWN;
		size_t len;

		place.last += member ? 0 : 2;
		name = code_name(code, member ? member : place.last, &len);
		*ret_last = place.last;
		member = 0;
		if (list && !names->leads_away(name, len))
			use = zs_code_use(list, name, len);
		if (!use && zs_code_listed(name, len, names->about))
			return true;
		if (names->leads_away(name, len))
			return zs_code_unknown(code, place.first, place.last);
		append(path, name, len);
		/* sys.stdout is a value, and sys.stdout.write has a row of its own */
		if (use && !(has_name_behind(code, place.last) && zs_code_entry(names->members, path, strlen(path))))
			return names->check_use(code, use, place);
	}
	*ret_last = place.last;
	return names->check_rest(code, path, place);
}

static bool bind_tokens(struct code_text *code, code_bind *bind)
{
	for (size_t i = 1; bind && i < code->count; i++)
		if (!bind(code, i))
			return false;
	return true;
}

static bool check_tokens(struct code_text *code, code_check *check)
{
	uint16_t opened[CODE_DEPTH + 1] = { 0 };
	size_t depth = 0;

	for (size_t i = 1; i < code->count; i++) {
		size_t last = i;

		/* unless the check says more */
		zs_code_unknown(code, i - zs_code_in(code, i - 1, ". ?. &."), i);
		if (code_closes(code, i))
			depth--;
		if (!(code_kind(code, i) == CODE_NAME && code->tokens[i].known) &&
			!check(code, (struct code_place){ i, i, opened[depth], false }, &last))
			return false;
		if (code_opens(code, i))
			opened[++depth] = (uint16_t)i;
		for (size_t behind = i + 1; behind <= last; behind++)
			code->tokens[behind].known = true;
	}
	return true;
}

struct zs_filter zs_code_judge(
	const char *text, size_t len, const struct code_syntax *syntax, code_bind *bind, code_check *check)
{
	struct code_text code;
	size_t start, end;

	code.bound = 0;
	code.first = code.last = 0;
	code.found = (struct zs_filter){ .effect = ZS_FILTER_UNKNOWN };
	if (!zs_code_read(&code, syntax, text, len)) {
		start = end = code.pos < len ? code.pos : len;
		while (end < len && end - start < 16 && text[end] != '\n')
			end++;
	} else if (!bind_tokens(&code, bind) || !check_tokens(&code, check)) {
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
