/* The parts of a profile, in the order in which they are written. If two rules match, the later one counts. */
#ifndef ZS_SANDBOX_SEATBELT_RULES_H
#define ZS_SANDBOX_SEATBELT_RULES_H

#include "seatbelt/writer.h"

/* The beginning: nothing is allowed. */
void zs_seatbelt_put_denials(struct zs_seatbelt_writer *writer);
/* The same, and the rules that every program needs. home: a place, or NULL. */
void zs_seatbelt_put_base(struct zs_seatbelt_writer *writer, const char *home);

/* One entry of a policy, at its real place. */
struct zs_seatbelt_tree {
	char *place;
	enum zs_access access;
	bool public;
};

struct zs_seatbelt_trees {
	struct zs_seatbelt_tree *items; /* sorted: a tree before the trees in it; grants before protect and hide */
	size_t count;
};

int zs_seatbelt_trees_new(
	const struct zs_seatbelt_request *request, struct zs_seatbelt_trees *ret_trees, struct zs_error *error);
void zs_seatbelt_trees_free(struct zs_seatbelt_trees *trees);

/* The links that lead to granted places, so that programs can use their names. */
void zs_seatbelt_put_links(struct zs_seatbelt_writer *writer, const struct zs_policy *policy);
/* The grants of the trees, and the protected or hidden places in them. */
void zs_seatbelt_put_trees(struct zs_seatbelt_writer *writer, const struct zs_seatbelt_trees *trees);
/* The harmless devices of /dev, and no others. */
void zs_seatbelt_put_devices(struct zs_seatbelt_writer *writer);
/* The places that must not be moved, since rules know files by their places. */
void zs_seatbelt_put_fixed(struct zs_seatbelt_writer *writer, const struct zs_seatbelt_trees *trees);
/* The network and Unix sockets. */
int zs_seatbelt_put_network(
	struct zs_seatbelt_writer *writer, const struct zs_seatbelt_request *request, struct zs_error *error);

/* Makes a regular expression for all spellings that a file system may accept for one path. base: a folder that exists,
 * and so has one spelling; rest: the path after it, which may have many. with_content: also match everything below the
 * path. free() it. NULL: out of memory. */
char *zs_seatbelt_regex(const char *base, const char *rest, bool with_content);

#endif
