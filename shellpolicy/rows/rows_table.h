/* The tables of rows as rows_*.c write them. Only index/make.c is compiled with them, when zs is built; zs itself has
 * the packed rows (struct zs_row). rows.h explains the fields. */
#ifndef ZS_ROWS_TABLE_H
#define ZS_ROWS_TABLE_H

#include "rows/rows.h"

struct zs_table_row {
	const char *of; /* NULL for commands */
	const char *names;
	const char *options;
	const char *operands;
	uint32_t traits;
	enum zs_row_grammar grammar; /* reads the whole command, after its flags are sorted */
	const char *language;
	const char *hint;
};

#define X(id)                                                                                                          \
	extern const struct zs_table_row zs_rows_##id[];                                                               \
	extern const size_t zs_rows_##id##_count;
ZS_ROW_TABLES(X)
#undef X

/* ZS_TABLE(git) = { { "git", … }, … }; begins a table, and ZS_TABLE_COUNT(git); stands after it. */
#define ZS_TABLE(id) const struct zs_table_row zs_rows_##id[]
#define ZS_TABLE_COUNT(id) const size_t zs_rows_##id##_count = sizeof zs_rows_##id / sizeof *zs_rows_##id

#endif
