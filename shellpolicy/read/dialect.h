/* bash's syntax in text for sh. */
#ifndef ZS_DIALECT_H
#define ZS_DIALECT_H

#include <stdint.h>

/* The same of zsh and ksh: more than what dash reads otherwise. */
const char *zs_other_reads_otherwise(const char *text, uint32_t len, uint32_t *ret_at);

/* The first thing in it that dash reads otherwise than bash, where it may run something else; NULL: there is none.
 * *ret_at is where it stands. */
const char *zs_dash_reads_otherwise(const char *text, uint32_t len, uint32_t *ret_at);

#endif
