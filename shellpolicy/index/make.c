/* Run by build.zig on the machine that builds: writes the C source of the index over the tables of rows, so that no
 * start of zs has to make it. Whatever does not fit into a slot ends the build. */
#include "rows_index.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST UINT16_MAX /* names: zs_row_firsts counts them in 16 bits */

#define X(name)                                                                                                        \
	extern const struct zs_row zs_rows_##name[];                                                                   \
	extern const size_t zs_rows_##name##_count;
ZS_ROW_TABLES(X)
#undef X

static const struct {
	const struct zs_row *rows;
	const size_t *count;
} tables[] = {
#define X(name) { zs_rows_##name, &zs_rows_##name##_count },
	ZS_ROW_TABLES(X)
#undef X
};

/* The rows point to these; nobody calls them here. */
#define X(name, text)                                                                                                  \
	void zs_grammar_##name(struct zs_classify *classify)                                                           \
	{                                                                                                              \
		(void)classify;                                                                                        \
	}
ZS_GRAMMARS(X)
#undef X

struct entry {
	uint32_t bucket;
	struct zs_row_slot slot;
};

static struct entry entries[MOST];
static size_t count;

static void fail(const struct zs_row *row, const char *what)
{
	fprintf(stderr, "index of rows: '%s' of '%s': %s\n", row->names, row->of ? row->of : "", what);
	exit(1);
}

static void add(size_t table, size_t place, size_t of, size_t of_len, size_t name, size_t name_len)
{
	const struct zs_row *row = &tables[table].rows[place];
	const char *family = row->of ? row->of + of : "";

	if (table > UINT8_MAX || place > UINT16_MAX || of > UINT16_MAX || name > UINT16_MAX || of_len > UINT8_MAX ||
		name_len > UINT8_MAX)
		fail(row, "too large for struct zs_row_slot");
	if (count == MOST)
		fail(row, "more names than uint16_t counts");
	entries[count++] = (struct entry){
		.bucket = zs_row_bucket(family, of_len, row->names + name, name_len),
		.slot = { (uint16_t)place, (uint16_t)of, (uint16_t)name, (uint8_t)table, (uint8_t)of_len,
			(uint8_t)name_len },
	};
}

static void add_names(size_t table, size_t place, size_t of, size_t of_len)
{
	const char *names = tables[table].rows[place].names;

	for (size_t at = 0; names[at];) {
		size_t len = strcspn(names + at, "|");

		add(table, place, of, of_len, at, len);
		at += len + (names[at + len] == '|');
	}
}

static void add_row(size_t table, size_t place)
{
	const char *of = tables[table].rows[place].of;
	size_t at = 0;

	do {
		size_t len = of ? strcspn(of + at, "|") : 0;

		add_names(table, place, at, len);
		at += len + (of && of[at + len] == '|');
	} while (of && of[at]);
}

/* By bucket; within one, as in the tables: the same rows make the same file everywhere. */
static int compare(const void *one, const void *other)
{
	const struct entry *a = one, *b = other;
	const struct zs_row_slot *x = &a->slot, *y = &b->slot;

	if (a->bucket != b->bucket)
		return a->bucket < b->bucket ? -1 : 1;
	if (x->table != y->table)
		return x->table < y->table ? -1 : 1;
	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	if (x->of != y->of)
		return x->of < y->of ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

static void write_slots(FILE *out)
{
	fprintf(out, "const struct zs_row_slot zs_row_slots[] = {\n");
	for (size_t i = 0; i < count; i++) {
		const struct zs_row_slot *slot = &entries[i].slot;

		fprintf(out, "\t{ %u, %u, %u, %u, %u, %u },\n", slot->row, slot->of, slot->name, slot->table,
			slot->of_len, slot->name_len);
	}
	fprintf(out, "};\n");
}

static void write_firsts(FILE *out)
{
	size_t at = 0;

	fprintf(out, "const uint16_t zs_row_firsts[ZS_ROW_BUCKETS + 1] = {\n");
	for (uint32_t bucket = 0; bucket <= ZS_ROW_BUCKETS; bucket++) {
		while (at < count && entries[at].bucket < bucket)
			at++;
		fprintf(out, "\t%zu,\n", at);
	}
	fprintf(out, "};\n");
}

int main(int argc, char **argv)
{
	FILE *out = argc == 2 ? fopen(argv[1], "w") : NULL;

	if (!out) {
		fprintf(stderr, "usage: make-row-index FILE.c\n");
		return 1;
	}
	for (size_t table = 0; table < sizeof tables / sizeof *tables; table++)
		for (size_t place = 0; place < *tables[table].count; place++)
			add_row(table, place);
	qsort(entries, count, sizeof *entries, compare);
	fprintf(out, "/* Made by shellpolicy/index/make.c. */\n#include \"rows_index.h\"\n\n");
	write_slots(out);
	fprintf(out, "\n");
	write_firsts(out);
	if (ferror(out) | fclose(out)) {
		fprintf(stderr, "index of rows: %s: cannot be written\n", argv[1]);
		return 1;
	}
	return 0;
}
