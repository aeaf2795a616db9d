/* The index of rows by name. rows/index/make.c makes it when zs is built, and rows.c reads it. */
#ifndef ZS_ROWS_INDEX_H
#define ZS_ROWS_INDEX_H

#include "rows/rows.h"

#define ZS_ROW_BUCKETS 8192

/* A name of a row, in one of its families. */
struct zs_row_slot {
	uint16_t row;      /* index in zs_packed_rows */
	uint16_t of, name; /* offsets into the row's `of` and `names` */
	uint8_t of_len, name_len;
};

/* Slots by bucket: those of bucket b are [zs_row_firsts[b], zs_row_firsts[b + 1]). */
extern const struct zs_row_slot zs_row_slots[];
extern const uint16_t zs_row_firsts[ZS_ROW_BUCKETS + 1];

/* FNV-1a of "OF NAME". */
static inline uint32_t zs_row_bucket(const char *of, size_t of_len, const char *name, size_t name_len)
{
	uint32_t value = 2166136261u;

	for (size_t i = 0; i < of_len; i++)
		value = (value ^ (unsigned char)of[i]) * 16777619u;
	value = (value ^ ' ') * 16777619u;
	for (size_t i = 0; i < name_len; i++)
		value = (value ^ (unsigned char)name[i]) * 16777619u;
	return (value ^ value >> 16) % ZS_ROW_BUCKETS;
}

#endif
