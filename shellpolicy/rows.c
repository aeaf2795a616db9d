#include "rows.h"

#include "zs_shellpolicy.h"

#include <string.h>

#define NAME_MAX_LOWER 64 /* longer names are no command's */

struct table {
	const struct zs_row *rows;
	const size_t *count;
};

#define X(name)                                                                                                        \
	extern const struct zs_row zs_rows_##name[];                                                                   \
	extern const size_t zs_rows_##name##_count;
ZS_ROW_TABLES(X)
#undef X

static const struct table tables[] = {
#define X(name) { zs_rows_##name, &zs_rows_##name##_count },
	ZS_ROW_TABLES(X)
#undef X
};

/* FNV-1a. */
static uint32_t hash(const char *of, size_t of_len, const char *name, size_t name_len)
{
	uint32_t value = 2166136261u;

	for (size_t i = 0; i < of_len; i++)
		value = (value ^ (unsigned char)of[i]) * 16777619u;
	value = (value ^ ' ') * 16777619u;
	for (size_t i = 0; i < name_len; i++)
		value = (value ^ (unsigned char)name[i]) * 16777619u;
	return value;
}

/* The row at a place in all tables, counted from 1; NULL for 0. */
static const struct zs_row *row_at(size_t place)
{
	for (size_t i = 0; place && i < sizeof tables / sizeof *tables; i++) {
		if (place <= *tables[i].count)
			return &tables[i].rows[place - 1];
		place -= *tables[i].count;
	}
	return NULL;
}

const struct zs_row *zs_row_at(size_t i)
{
	return row_at(i + 1);
}

static bool is_slot(const struct zs_row_slot *slot, const char *of, size_t of_len, const char *name, size_t name_len)
{
	const struct zs_row *row;

	if (slot->of_len != of_len || slot->name_len != name_len)
		return false;
	row = row_at(slot->row);
	return (of_len == 0 || memcmp(row->of + slot->of, of, of_len) == 0) &&
	       memcmp(row->names + slot->name, name, name_len) == 0;
}

/* The slot of a name: its own, or the empty one where it would stand. */
static uint32_t find_slot(
	const struct zs_row_index *index, const char *of, size_t of_len, const char *name, size_t name_len)
{
	uint32_t at = hash(of, of_len, name, name_len) % ZS_ROW_SLOTS;

	while (index->slots[at].row && !is_slot(&index->slots[at], of, of_len, name, name_len))
		at = (at + 1) % ZS_ROW_SLOTS;
	return at;
}

static void add_names(struct zs_row_index *index, size_t place, const char *of, size_t of_len)
{
	const struct zs_row *row = row_at(place);

	for (const char *name = row->names; *name;) {
		size_t len = strcspn(name, "|");
		uint32_t at = find_slot(index, of, of_len, name, len);

		index->slots[at] = (struct zs_row_slot){
			.row = (uint16_t)place,
			.of = (uint16_t)(row->of ? of - row->of : 0),
			.of_len = (uint8_t)of_len,
			.name = (uint16_t)(name - row->names),
			.name_len = (uint8_t)len,
		};
		index->count++;
		name += len + (name[len] == '|');
	}
}

void zs_row_index_init(struct zs_row_index *index)
{
	const struct zs_row *row;

	memset(index, 0, sizeof *index);
	for (size_t place = 1; (row = row_at(place)) != NULL; place++) {
		const char *of = row->of ? row->of : "";

		do {
			size_t len = strcspn(of, "|");

			add_names(index, place, of, len);
			of += len + (of[len] == '|');
		} while (*of);
	}
}

/* RM is rm where file names have no case. */
static const struct zs_row *find_lower(const struct zs_row_index *index, const char *name, size_t len)
{
	char lower[NAME_MAX_LOWER];

	if (len > sizeof lower)
		return NULL;
	for (size_t i = 0; i < len; i++)
		lower[i] = name[i] >= 'A' && name[i] <= 'Z' ? (char)(name[i] - 'A' + 'a') : name[i];
	return row_at(index->slots[find_slot(index, "", 0, lower, len)].row);
}

/* describe-vpc-peering-connections by "describe-vpc-*", "describe-*", "*": the most exact first. */
static const struct zs_row *find_pattern(const struct zs_row_index *index, const char *of, const char *name, size_t len)
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
		row = row_at(index->slots[find_slot(index, of, strlen(of), pattern, len + 1)].row);
	}
	return row;
}

const struct zs_row *zs_row_find(const struct zs_row_index *index, const char *of, const char *name)
{
	size_t len = strlen(name), of_len = strlen(of);
	const struct zs_row *row = row_at(index->slots[find_slot(index, of, of_len, name, len)].row);

	if (!row && !of_len)
		row = find_lower(index, name, len);
	if (!row)
		row = find_pattern(index, of, name, len);
	if (!row && of_len && len)
		row = row_at(index->slots[find_slot(index, of, of_len, "*", 1)].row);
	if (row || of_len)
		return row;
	if (memchr(name + 1, '@', len ? len - 1 : 0)) /* npx prettier@3 */
		len = 1 + strcspn(name + 1, "@");
	else
		while (len > 0 && strchr("0123456789.-", name[len - 1]))
			len--;
	return len ? row_at(index->slots[find_slot(index, of, of_len, name, len)].row) : NULL;
}

const char *zs_row_name(const struct zs_row *row, const char *name, size_t *ret_len)
{
	const char *item = row->names;

	for (size_t len; *item; item += len + (item[len] == '|')) {
		len = strcspn(item, "|");
		*ret_len = len;
		if (strlen(name) == len && memcmp(item, name, len) == 0)
			return item;
	}
	*ret_len = strcspn(row->names, "|");
	return row->names;
}
