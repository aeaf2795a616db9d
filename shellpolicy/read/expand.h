/* The expansion of a word, as far as the texts of a vetting determine it: parameters, variables, arrays and a few
 * substitutions, split as bash does. */
#ifndef ZS_EXPAND_H
#define ZS_EXPAND_H

#include "read/variables.h"

/* Bytes that stand for what is not known. */
#define ZS_UNKNOWN_TEXT '\1'   /* text that stays in its word */
#define ZS_UNKNOWN_PATH '\2'   /* a folder's path, without blanks */
#define ZS_UNKNOWN_WORDS '\3'  /* text that may be split into words, or names of files */
#define ZS_UNKNOWN_NUMBER '\4' /* digits, maybe behind a minus sign */
#define ZS_UNKNOWN_PLACE '\6'  /* a path that data names: as a part of code it may be more */
#define ZS_UNKNOWNS "\1\2\3\4\6"

#define ZS_MAX_EXPANSIONS 64   /* of one word: more are not known */
#define ZS_MAX_EXPANDED 4096   /* bytes of one expansion */
#define ZS_MAX_FIELDS 256      /* words of one expansion */
#define ZS_MAX_EXPAND_STEPS 12 /* variables in values of variables, calls in calls */
#define ZS_NAMES_WORK 100000   /* settings, commands and bytes that are looked at, in a vetting */

/* Words that one word, or several, may become. */
struct zs_fields {
	const char *const *items;
	uint32_t count;
};

struct zs_expansions {
	ZS_LIST(struct zs_fields) list;
};

struct zs_strings {
	ZS_LIST(const char *) list;
};

struct zs_expander {
	struct zs_build *build;
	struct zs_where where;
	uint32_t steps;
	const struct zs_setting *setting; /* whose value is expanded, for `outer`; NULL: none */
	const struct zs_expander *outer;
};

/* expand.c: a word of a command. */
struct zs_expansions zs_expand_word(const struct zs_expander *expander, const struct zs_raw_word *word);
/* The same as bash does it behind =: one string each. */
struct zs_strings zs_expand_value(const struct zs_expander *expander, const struct zs_raw_word *word);
/* The words of x=(…): `word` shows it as a whole. */
struct zs_expansions zs_expand_array(const struct zs_expander *expander, const struct zs_raw_word *word);
/* Words [from, to) of a list, one behind the other. */
struct zs_expansions zs_expand_words(
	const struct zs_expander *expander, const struct zs_word_list *words, uint32_t from);

/* variables.c: each of these may be the value. */
struct zs_strings zs_variable_values(const struct zs_expander *expander, const char *name);
struct zs_expansions zs_variable_lists(const struct zs_expander *expander, const char *name);
struct zs_expansions zs_parameters(const struct zs_expander *expander);
/* Does no text set it, nor bash, nor a session in any case? Then it is unset, or the user has set it. */
bool zs_is_from_outside(const struct zs_expander *expander, const char *name);
const char *zs_parameter_zero(const struct zs_expander *expander);

void zs_add_string(const struct zs_expander *expander, struct zs_strings *strings, const char *text);
void zs_add_fields(const struct zs_expander *expander, struct zs_expansions *expansions, struct zs_fields fields);
struct zs_expansions zs_unknown_words(const struct zs_expander *expander);
/* May one of the first `count` fields stand for several words, or for none? Then the index of a later word is not
 * known. */
bool zs_may_be_several(const struct zs_fields *fields, uint32_t count);
/* False: too much has been looked at, and the rest is not known. */
bool zs_expand_work(struct zs_build *build, uint64_t work);

/* The value that "${x^^}", "${x#pattern}", "${x/pattern/text}" and "${x:1:2}" make (man bash, Parameter Expansion). op:
 * the text behind the name. NULL: that form is not modelled. transform.c */
const char *zs_transformed(struct zs_arena *arena, const char *value, const char *op, size_t len);

#endif
