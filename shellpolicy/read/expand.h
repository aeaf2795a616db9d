/* Expansion of words, as far as the texts of a vetting determine the values: parameters, variables, arrays and a few
 * substitutions, split into fields as bash does. */
#ifndef ZS_EXPAND_H
#define ZS_EXPAND_H

#include "read/variables.h"

/* Bytes that stand for unknown parts of a value. */
#define ZS_UNKNOWN_TEXT '\1'   /* text that stays in its word */
#define ZS_UNKNOWN_PATH '\2'   /* a folder's path, without blanks */
#define ZS_UNKNOWN_WORDS '\3'  /* text that may be split into several words or none, or matches files */
#define ZS_UNKNOWN_NUMBER '\4' /* digits, perhaps after a minus sign */
#define ZS_UNKNOWN_PLACE '\6'  /* a folder's path that data names; within code it may be more than a path */
#define ZS_UNKNOWNS "\1\2\3\4\6"
#define ZS_FIELD_END '\5' /* stands after each field that a word, or several words, expand to */

#define ZS_MAX_EXPANSIONS 64   /* ways in which one word may expand; more are unknown */
#define ZS_MAX_EXPANDED 4096   /* bytes of one expansion; more are unknown */
#define ZS_MAX_FIELDS 256      /* fields of one expansion; more are unknown */
#define ZS_MAX_EXPAND_STEPS 12 /* depth of variables in values of variables, and of calls in calls */
#define ZS_NAMES_WORK 100000   /* settings, commands and bytes that a vetting looks at */

struct zs_expander {
	struct zs_build *build;
	struct zs_where where;
	uint32_t steps;
	const struct zs_setting *setting; /* the setting whose value is being expanded for `outer`; NULL if none is */
	const struct zs_expander *outer;
};

/* expand.c: expands a word of a command. Each result holds the fields that it may become, with end marks. */
struct zs_strings zs_expand_word(const struct zs_expander *expander, const struct zs_raw_word *word);
/* Expands a word as bash does in an assignment: each result is one string. */
struct zs_strings zs_expand_value(const struct zs_expander *expander, const struct zs_raw_word *word);
/* Expands the words of x=(…); `word` is the whole assignment. */
struct zs_strings zs_expand_array(const struct zs_expander *expander, const struct zs_raw_word *word);
/* Expands the words of a list from index `from` on, one after the other. */
struct zs_strings zs_expand_words(const struct zs_expander *expander, const struct zs_word_list *words, uint32_t from);

/* variables.c: all values that the variable may have. */
struct zs_strings zs_variable_values(const struct zs_expander *expander, const char *name);
struct zs_strings zs_variable_lists(const struct zs_expander *expander, const char *name);
struct zs_strings zs_parameters(const struct zs_expander *expander);
/* Is the variable one that no text sets, and neither bash nor every session sets? Then it is unset, or the user has set
 * it. */
bool zs_is_from_outside(const struct zs_expander *expander, const char *name);
const char *zs_parameter_zero(const struct zs_expander *expander);

/* Adds a string unless it is there already. Beyond the limit the rest is unknown. */
void zs_add_string(const struct zs_expander *expander, struct zs_strings *strings, const char *text);
void zs_add_strings(const struct zs_expander *expander, struct zs_strings *strings, const struct zs_strings *more);
/* Adds the expansion to one field. */
void zs_add_field(const struct zs_expander *expander, struct zs_strings *expansions, const char *text);
/* Adds the first field of each expansion; "" if it has none. */
void zs_add_firsts(const struct zs_expander *expander, struct zs_strings *values, const struct zs_strings *expansions);
struct zs_strings zs_unknown_words(const struct zs_expander *expander);
/* The fields of an expansion. */
struct zs_strings zs_split_fields(struct zs_arena *arena, const char *expansion);
/* Field `which` of an expansion, counted from 0; "" if it has no such field. */
const char *zs_field(struct zs_arena *arena, const char *expansion, uint32_t which);
/* The text after the first `count` fields. */
const char *zs_behind_fields(const char *expansion, uint32_t count);
/* May one of the first `count` fields stand for several words, or for none? Then the index of a later word is not
 * known. */
bool zs_may_be_several(const char *expansion, uint32_t count);
/* Counts work. False: the limit is reached, and the rest is unknown. */
bool zs_expand_work(struct zs_build *build, uint64_t work);

/* printed.c: the output of echo or printf, which is the first word; NULL: it is not modelled. */
const char *zs_printed(struct zs_arena *arena, const struct zs_strings *words);
/* The output of printf. Word `from` is the format. */
const char *zs_formatted(struct zs_arena *arena, const struct zs_strings *words, uint32_t from);

/* transform.c: the value of "${x^^}", "${x#pattern}", "${x/pattern/text}" and "${x:1:2}" (man bash, Parameter
 * Expansion). `op` is the text after the name. NULL: the form is not modelled. */
const char *zs_transformed(struct zs_arena *arena, const char *value, const char *op, size_t len);

#endif
