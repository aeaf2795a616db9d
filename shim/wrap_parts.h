/* The parts that zs_wrap() and zs_tracker_wrap() put together. */
#ifndef ZS_SHIM_WRAP_PARTS_H
#define ZS_SHIM_WRAP_PARTS_H

#include "zs_shim.h"

/* A variable of our own; value: NULL where it is not set. */
struct zs_wrap_own {
	const char *name, *value;
};

enum { ZS_WRAP_OWN = 3 };

struct zs_wrap_parts {
	const char *marker;
	const char *path; /* the word behind the marker; NULL: none */
	char *const *argv;
	char *const *envp;                     /* NULL: empty */
	bool (*is_dropped)(const char *entry); /* of envp */
	const char *executable;                /* NULL: this program */
	struct zs_wrap_own own[ZS_WRAP_OWN];
};

/* Copies everything. */
int zs_wrap_parts(const struct zs_wrap_parts *parts, struct zs_wrapped *ret_wrapped, struct zs_error *error);

#endif
