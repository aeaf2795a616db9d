/* The flat tree to raw commands: what bash would run, word by word. A total function: a node of a kind, or a
 * byte between nodes, that no rule here accounts for is a finding that blocks. */
#ifndef ZS_LOWER_H
#define ZS_LOWER_H

#include "build.h"
#include "word.h"

struct zs_raw_assignment {
	const char *name;
	struct zs_raw_word value; /* dynamic "array" for x=(…) */
	struct zs_span span;
};

struct zs_raw_command {
	struct zs_word_list words;
	ZS_LIST(struct zs_raw_assignment) assignments; /* that stand before the name */
	struct zs_span span;
	enum zs_nesting nesting;
	uint32_t depth;
	bool after_keyword; /* it stands behind time or coproc: reserved words count here */
};

struct zs_raw {
	ZS_LIST(struct zs_raw_command) commands;
	ZS_LIST(const char *) functions; /* names that the text defines */
	ZS_LIST(const char *) assigned;  /* variables that for and ${x:=…} set */
};

/* `depth` is the nesting of the text itself. Structure findings go to build. */
void zs_lower(struct zs_build *build, const struct zs_source *source, const struct zs_place *place, uint32_t depth,
	struct zs_raw *ret_raw);

/* The same for a leaf within ${…}, whose end bash finds by counting quotes and braces. */
const char *zs_check_braced(const struct zs_source *source, const struct zs_node *leaf);

/* The bytes of a text that no reading models, before it is parsed: control characters and broken UTF-8.
 * NULL when there are none; else what, and *ret_at. */
const char *zs_refused_bytes(const char *text, size_t len, uint32_t *ret_at);

/* /dev/null and its like: writing there changes nothing. */
bool zs_is_harmless_target(const char *path);
/* N of /dev/fd/N, or -1. */
int zs_descriptor_target(const char *path);

/* heredoc.c: does the here-document at node `index` end where bash ends it? NULL, or why not. */
const char *zs_check_heredoc(const struct zs_source *source, uint32_t index);

/* cover.c: what the tree's leaves and gaps may hold. NULL, or what they hold. */
const char *zs_check_gap(const struct zs_source *source, enum zs_kind parent, uint32_t start, uint32_t end);
/* Text that unset, read, [[ -v, … would run if it were a variable's name: a[$(…)]. */
const char *zs_check_subscript(const char *text, size_t len);
const char *zs_check_leaf(const struct zs_source *source, const struct zs_node *leaf, bool quotes_are_plain);

#endif
