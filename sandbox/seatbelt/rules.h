/* The parts of a profile, in the order in which they are written: of two rules that match, the later counts. */
#ifndef ZS_SANDBOX_SEATBELT_RULES_H
#define ZS_SANDBOX_SEATBELT_RULES_H

#include "seatbelt/writer.h"

/* The beginning: nothing is allowed. */
void zs_seatbelt_put_denials(struct zs_seatbelt_writer *writer);
/* That, and what every program needs. home: a place, or NULL. */
void zs_seatbelt_put_base(struct zs_seatbelt_writer *writer, const char *home);

/* One entry of a policy, at the place where Seatbelt knows it. */
struct zs_seatbelt_tree {
	char *place;
	enum zs_access access;
	bool public;
};

struct zs_seatbelt_trees {
	struct zs_seatbelt_tree *items; /* sorted: a tree before what lies in it, and what grants before what takes */
	size_t count;
};

int zs_seatbelt_trees_new(
	const struct zs_seatbelt_request *request, struct zs_seatbelt_trees *ret_trees, struct zs_error *error);
void zs_seatbelt_trees_free(struct zs_seatbelt_trees *trees);

/* The links that lead to what is granted, which programs name and read. */
void zs_seatbelt_put_links(struct zs_seatbelt_writer *writer, const struct zs_policy *policy);
/* The grants of the trees, and the protected or hidden places in them. */
void zs_seatbelt_put_trees(struct zs_seatbelt_writer *writer, const struct zs_seatbelt_trees *trees);
/* The harmless ones of /dev, and no others. */
void zs_seatbelt_put_devices(struct zs_seatbelt_writer *writer);
/* The places that must not be moved, since rules know files by their places. */
void zs_seatbelt_put_fixed(struct zs_seatbelt_writer *writer, const struct zs_seatbelt_trees *trees);
/* Network and unix sockets. */
int zs_seatbelt_put_network(
	struct zs_seatbelt_writer *writer, const struct zs_seatbelt_request *request, struct zs_error *error);

/* A regular expression for all that a file system may take for one path: that of a folder which is there, and so has
 * one spelling, and behind it the rest, which may have many. with_content: and what lies in it. free() it. NULL: no
 * memory.
 */
char *zs_seatbelt_regex(const char *base, const char *rest, bool with_content);

#endif
