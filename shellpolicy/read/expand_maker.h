/* The making of the fields that a word expands to, and the parts of expand.c that read a word. Expansions nest, so
 * these files call each other. */
#ifndef ZS_EXPAND_MAKER_H
#define ZS_EXPAND_MAKER_H

#include "read/expand.h"

/* One way in which a word may expand: complete fields, and the field that is being made. */
struct zs_way {
	char *text;
	uint32_t len, room;
	uint32_t field; /* where the field that is being made begins */
	uint32_t count; /* complete fields */
	bool open;      /* the field has begun, though it may be empty */
};

struct zs_maker {
	const struct zs_expander *expander;
	ZS_LIST(struct zs_way) ways;
	bool splits;         /* unquoted expansions are split into fields; else the word is one field */
	bool captured;       /* the values are output of a command */
	struct zs_span span; /* of the word */
	bool listed;         /* "$@" or the like stands in these quotes */
	bool unknown;        /* the expansion is too large, or not modelled */
};

/* expand_maker.c. `splits`: unquoted expansions are split into fields. */
struct zs_maker zs_maker_new(const struct zs_expander *expander, bool splits);
/* Appends a byte in every way. */
void zs_maker_put_all(struct zs_maker *maker, char byte);
/* Appends the value. `quoted`: it is not split, and makes a field even if it is empty. */
void zs_maker_put_value(struct zs_maker *maker, const char *value, bool quoted);
/* Appends one of the values: each way goes on in as many ways. */
void zs_maker_put_values(struct zs_maker *maker, const struct zs_strings *values, bool quoted);
/* Appends "$@" or $@: the first field joins the text before it, the last field the text after it. */
void zs_maker_put_lists(struct zs_maker *maker, const struct zs_strings *lists, bool quoted);
/* Begins a field in every way, so that an empty string makes one. */
void zs_maker_open_all(struct zs_maker *maker);
/* Completes the field of every way. */
void zs_maker_end_fields(struct zs_maker *maker);
/* The expansions that were made; unknown words if one is not known. */
struct zs_strings zs_maker_take(struct zs_maker *maker);
/* The text with `unknown` in place of each of the markers. */
const char *zs_replace_markers(const struct zs_expander *expander, const char *text, const char *markers, char unknown);

/* expand.c: reads a word, or a part of one. `in_quotes`: the part stands in double quotes. */
void zs_expand_text(struct zs_maker *maker, const char *text, size_t len, bool in_quotes);
/* Reads words with blanks between them. Subscripts and comments in an array are not modelled. */
void zs_expand_listed(struct zs_maker *maker, const char *text, size_t len, bool array);

/* substitution.c: the output of $(…), if it holds simple commands with && and || between them. */
struct zs_strings zs_expand_substitution(const struct zs_expander *expander, const char *text, size_t len);

/* parameter.c: reads the text between the braces of ${…}. */
void zs_expand_parameter(struct zs_maker *maker, const char *text, size_t len, bool quoted);

#endif
