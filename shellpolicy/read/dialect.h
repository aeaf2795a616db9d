/* Constructs that other shells read differently from bash. */
#ifndef ZS_DIALECT_H
#define ZS_DIALECT_H

#include <stdint.h>

/* The same for zsh and ksh: constructs besides those that zs_dash_reads_otherwise() finds. */
const char *zs_other_reads_otherwise(const char *text, uint32_t len, uint32_t *ret_at);

/* The first construct that dash reads differently from bash, in a way that may run something else; *ret_at is its
 * offset. NULL if there is none. */
const char *zs_dash_reads_otherwise(const char *text, uint32_t len, uint32_t *ret_at);

#endif
