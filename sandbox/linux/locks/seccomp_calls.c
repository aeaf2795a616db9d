#include "linux/locks/seccomp_calls.h"

#define CALL_ROW(name, x86_64, aarch64, rule) { #name, { x86_64, aarch64 }, ZS_SECCOMP_##rule },
const struct zs_seccomp_call zs_seccomp_calls[ZS_SECCOMP_CALL_COUNT] = { ZS_SECCOMP_CALLS(CALL_ROW) };

#define FITS(call, x86_64, aarch64, rule) _Static_assert(sizeof #call <= sizeof zs_seccomp_calls[0].name, #call);
ZS_SECCOMP_CALLS(FITS)
