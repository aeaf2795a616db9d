/* Internationalised names. Pure but for its allocations. */
#ifndef ZS_SANDBOX_NET_IDN_H
#define ZS_SANDBOX_NET_IDN_H

#include "net/host_name.h"

#define ZS_IDN_PREFIX "xn--"

/* The ASCII form of a name in UTF-8, of at most ZS_HOST_INPUT_MAX bytes, and NUL, by UTS #46, non-transitional. What
 * comes out may still have any ASCII character in it: "℀" stands for "a/c". -EINVAL: it is no UTF-8, has a character
 * that no name has, or is too long. -ENOMEM. */
int zs_idn_to_ascii(const char *name, size_t len, char ret_ascii[ZS_HOST_NAME_MAX + 1]);

/* Is a lower-case label that starts with ZS_IDN_PREFIX what its own Unicode form is written as? -EINVAL: it stands for
 * ASCII, for what is not in NFC, in upper case or not permitted, or for nothing. -ENOMEM. 1: it is, and is written from
 * right to left; -EILSEQ: in part, and mixes directions (bidi.h). */
int zs_idn_check_label(const char *label, size_t len);

#endif
