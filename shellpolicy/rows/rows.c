#include "rows/rows.h"

#include "rows/rows_index.h"
#include "zs_shellpolicy.h"

#include <string.h>

#define NAME_MAX_LOWER 64 /* no command has a longer name */

const struct zs_row *zs_row_at(size_t i)
{
	return i < zs_packed_row_count ? &zs_packed_rows[i] : NULL;
}

static const struct zs_row *find_exact(const char *of, size_t of_len, const char *name, size_t name_len)
{
	uint32_t bucket = zs_row_bucket(of, of_len, name, name_len);

	for (size_t i = zs_row_firsts[bucket]; i < zs_row_firsts[bucket + 1]; i++) {
		const struct zs_row_slot *slot = &zs_row_slots[i];
		const struct zs_row *row = &zs_packed_rows[slot->row];

		if (slot->of_len == of_len && slot->name_len == name_len &&
			(of_len == 0 || memcmp(zs_row_of(row) + slot->of, of, of_len) == 0) &&
			memcmp(zs_row_names(row) + slot->name, name, name_len) == 0)
			return row;
	}
	return NULL;
}

/* RM runs rm on a file system that ignores case. */
static const struct zs_row *find_lower(const char *name, size_t len)
{
	char lower[NAME_MAX_LOWER];

	if (len > sizeof lower)
		return NULL;
	for (size_t i = 0; i < len; i++)
		lower[i] = name[i] >= 'A' && name[i] <= 'Z' ? (char)(name[i] - 'A' + 'a') : name[i];
	return find_exact("", 0, lower, len);
}

/* describe-vpc-peering-connections is looked for as "describe-vpc-*", then as "describe-*". */
static const struct zs_row *find_pattern(const char *of, const char *name, size_t len)
{
	char pattern[NAME_MAX_LOWER];
	const struct zs_row *row = NULL;

	if (len + 1 > sizeof pattern)
		return NULL;
	memcpy(pattern, name, len);
	for (; len && !row; len--) {
		if (pattern[len - 1] != '-')
			continue;
		pattern[len] = '*';
		row = find_exact(of, strlen(of), pattern, len + 1);
	}
	return row;
}

const struct zs_row *zs_row_find(const char *of, const char *name)
{
	size_t len = strlen(name), of_len = strlen(of);
	const struct zs_row *row = find_exact(of, of_len, name, len);

	if (!row && !of_len)
		row = find_lower(name, len);
	if (!row)
		row = find_pattern(of, name, len);
	if (!row && of_len && len)
		row = find_exact(of, of_len, "*", 1);
	if (row || of_len)
		return row;
	if (memchr(name + 1, '@', len ? len - 1 : 0)) /* npx prettier@3 */
		len = 1 + strcspn(name + 1, "@");
	else
		while (len > 0 && strchr("0123456789.-", name[len - 1]))
			len--;
	return len ? find_exact(of, of_len, name, len) : NULL;
}

bool zs_row_speaks(const struct zs_row *row, const char *language)
{
	const char *own = zs_row_language(row);

	return own && strcmp(own, language) == 0;
}

const char *zs_row_name(const struct zs_row *row, const char *name, size_t *ret_len)
{
	const char *names = zs_row_names(row), *item = names;

	for (size_t len; *item; item += len + (item[len] == '|')) {
		len = strcspn(item, "|");
		*ret_len = len;
		if (strlen(name) == len && memcmp(item, name, len) == 0)
			return item;
	}
	*ret_len = strcspn(names, "|");
	return names;
}
