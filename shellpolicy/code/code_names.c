#include "code/code_names.h"

#include <string.h>

enum code_use zs_code_use(const char *list, const char *name, size_t len)
{
	while (*list) {
		size_t word = strcspn(list, " ?~!^=&");

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
