/* The build runs this program on the machine that builds. It writes the tables of rows again as C without pointers,
 * together with their index. So zs has nothing to relocate when it starts, and need not make the index. If anything
 * does not fit, the build fails. */
#include "rows/rows_index.h"
#include "rows/rows_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST UINT16_MAX     /* rows, texts and names: slots and zs_row_firsts count in 16 bits */
#define TEXT_MAX UINT32_MAX /* bytes of texts: struct zs_row counts in 32 bits */

static const struct {
	const struct zs_table_row *rows;
	const size_t *count;
} tables[] = {
#define X(name) { zs_rows_##name, &zs_rows_##name##_count },
	ZS_ROW_TABLES(X)
#undef X
};

/* A string of the rows. It is written once, even if many rows have it. */
struct text {
	const char *text;
	uint32_t place; /* offset in zs_row_texts */
	uint32_t next;  /* the next text of its bucket: index + 1 */
};

struct entry {
	uint32_t bucket;
	struct zs_row_slot slot;
};

static struct text texts[MOST];
static uint32_t text_buckets[ZS_ROW_BUCKETS];
static size_t text_count, text_size = 1; /* the byte at 0 stands for NULL */

static struct zs_row rows[MOST];
static size_t row_count;

static struct entry entries[MOST];
static size_t count;

static void fail(const struct zs_table_row *row, const char *what)
{
	fprintf(stderr, "rows: '%s' of '%s': %s\n", row->names, row->of ? row->of : "", what);
	exit(1);
}

static uint32_t add_text(const struct zs_table_row *row, const char *text)
{
	uint32_t *bucket;
	size_t size;

	if (!text)
		return 0;
	size = strlen(text) + 1;
	bucket = &text_buckets[zs_row_bucket("", 0, text, size)];
	for (uint32_t i = *bucket; i; i = texts[i - 1].next)
		if (strcmp(texts[i - 1].text, text) == 0)
			return texts[i - 1].place;
	if (text_count == MOST || size > TEXT_MAX - text_size)
		fail(row, "more text than struct zs_row counts");
	texts[text_count++] = (struct text){ text, (uint32_t)text_size, *bucket };
	*bucket = (uint32_t)text_count;
	text_size += size;
	return texts[text_count - 1].place;
}

static void add_row(size_t table, const struct zs_table_row *row)
{
	if (row_count == MOST)
		fail(row, "more rows than struct zs_row_slot counts");
	if (table > UINT8_MAX || row->grammar > UINT8_MAX)
		fail(row, "its table or grammar is too large for struct zs_row");
	rows[row_count++] = (struct zs_row){
		.of = add_text(row, row->of),
		.names = add_text(row, row->names),
		.options = add_text(row, row->options),
		.operands = add_text(row, row->operands),
		.language = add_text(row, row->language),
		.hint = add_text(row, row->hint),
		.traits = row->traits,
		.grammar = (uint8_t)row->grammar,
		.table = (uint8_t)table,
	};
}

/* Adds a name of the newest row. */
static void add_name(const struct zs_table_row *row, size_t of, size_t of_len, size_t name, size_t name_len)
{
	const char *family = row->of ? row->of + of : "";

	if (of > UINT16_MAX || name > UINT16_MAX || of_len > UINT8_MAX || name_len > UINT8_MAX)
		fail(row, "too large for struct zs_row_slot");
	if (count == MOST)
		fail(row, "more names than uint16_t counts");
	entries[count++] = (struct entry){
		.bucket = zs_row_bucket(family, of_len, row->names + name, name_len),
		.slot = { (uint16_t)(row_count - 1), (uint16_t)of, (uint16_t)name, (uint8_t)of_len, (uint8_t)name_len },
	};
}

static void add_names(const struct zs_table_row *row, size_t of, size_t of_len)
{
	for (size_t at = 0; row->names[at];) {
		size_t len = strcspn(row->names + at, "|");

		add_name(row, of, of_len, at, len);
		at += len + (row->names[at + len] == '|');
	}
}

static void add_families(const struct zs_table_row *row)
{
	const char *of = row->of;
	size_t at = 0;

	do {
		size_t len = of ? strcspn(of + at, "|") : 0;

		add_names(row, at, len);
		at += len + (of && of[at + len] == '|');
	} while (of && of[at]);
}

/* Orders by bucket, and within a bucket as in the tables, so that the same rows make the same file everywhere. */
static int compare(const void *one, const void *other)
{
	const struct entry *a = one, *b = other;
	const struct zs_row_slot *x = &a->slot, *y = &b->slot;

	if (a->bucket != b->bucket)
		return a->bucket < b->bucket ? -1 : 1;
	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	if (x->of != y->of)
		return x->of < y->of ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

/* Writes a C string literal. Bytes with a meaning in a literal are octal, and '?' too, because of trigraphs. */
static void write_text(FILE *out, const char *text)
{
	fprintf(out, "\t\"");
	for (; *text; text++)
		if (*text < ' ' || *text > '~' || strchr("\"\\?", *text))
			fprintf(out, "\\%03o", (unsigned)(unsigned char)*text);
		else
			fputc(*text, out);
	fprintf(out, "\\0\"\n");
}

static void write_texts(FILE *out)
{
	fprintf(out, "const char zs_row_texts[] =\n\t\"\\0\"\n");
	for (size_t i = 0; i < text_count; i++)
		write_text(out, texts[i].text);
	fprintf(out, "\t;\n");
}

static void write_rows(FILE *out)
{
	fprintf(out, "const struct zs_row zs_packed_rows[] = {\n");
	for (size_t i = 0; i < row_count; i++) {
		const struct zs_row *row = &rows[i];

		fprintf(out, "\t{ %u, %u, %u, %u, %u, %u, %u, %u, %u },\n", row->of, row->names, row->options,
			row->operands, row->language, row->hint, row->traits, row->grammar, row->table);
	}
	fprintf(out, "};\n");
	fprintf(out, "const size_t zs_packed_row_count = sizeof zs_packed_rows / sizeof *zs_packed_rows;\n");
}

static void write_slots(FILE *out)
{
	fprintf(out, "const struct zs_row_slot zs_row_slots[] = {\n");
	for (size_t i = 0; i < count; i++) {
		const struct zs_row_slot *slot = &entries[i].slot;

		fprintf(out, "\t{ %u, %u, %u, %u, %u },\n", slot->row, slot->of, slot->name, slot->of_len,
			slot->name_len);
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
		fprintf(stderr, "usage: make-rows FILE.c\n");
		return 1;
	}
	for (size_t table = 0; table < sizeof tables / sizeof *tables; table++)
		for (size_t place = 0; place < *tables[table].count; place++) {
			add_row(table, &tables[table].rows[place]);
			add_families(&tables[table].rows[place]);
		}
	qsort(entries, count, sizeof *entries, compare);
	fprintf(out, "/* Made by shellpolicy/rows/index/make.c. */\n#include \"rows/rows_index.h\"\n\n");
	write_texts(out);
	write_rows(out);
	write_slots(out);
	write_firsts(out);
	if (ferror(out) | fclose(out)) {
		fprintf(stderr, "rows: %s: cannot be written\n", argv[1]);
		return 1;
	}
	return 0;
}
