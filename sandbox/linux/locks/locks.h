/* Locks that several processes of a run set: the command, its proxy, the watch; and probes of their features. Each
 * returns 0 or a negative errno. */
#ifndef ZS_SANDBOX_LINUX_LOCKS_H
#define ZS_SANDBOX_LINUX_LOCKS_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int zs_no_new_privs_set(void);

/* Every capability but these goes, bits 1 << CAP_…. */
int zs_capabilities_keep(uint32_t bits);
/* All capabilities go, and every way to one. sure: this process is in a user namespace of its own, and has them. */
int zs_capabilities_end(bool sure, const char **ret_object);

int zs_seccomp_install(struct sock_filter *code, size_t count);

/* From now on, signals reach only what this process starts; also once more in such a process. As one call, and as two:
 * a descriptor of a ruleset, which may be used for several processes. */
int zs_landlock_scope_signals(void);
int zs_landlock_signal_ruleset(void);
int zs_landlock_restrict(int ruleset);

#endif
