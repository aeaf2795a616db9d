/* Locks that several processes of a run set: the command, its proxy and the watch. zs doctor's probes use them as well.
 * Each returns 0 or a negative errno. */
#ifndef ZS_SANDBOX_LINUX_LOCKS_H
#define ZS_SANDBOX_LINUX_LOCKS_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int zs_no_new_privs_set(void);

/* Drops every capability but these, bits 1 << CAP_…. */
int zs_capabilities_keep(uint32_t bits);
/* Drops all capabilities and every way to regain one. sure: this process is in a user namespace of its own and has them
 * all. *ret_object: the step that failed. */
int zs_capabilities_end(bool sure, const char **ret_object);

struct zs_run;

/* Does the init look at the command's calls before they are made? */
bool zs_observes(const struct zs_run *run);

int zs_seccomp_install(struct sock_filter *code, size_t count);

/* Installs a filter whose notifications another process answers. Returns its listener, or a negative errno. */
int zs_seccomp_listen(const struct sock_filter *code, size_t count);

/* The programs for a run of a session with denials, into code[ZS_SECCOMP_FILTER_MAX]: the filter that refuses, and the
 * observer's. Each returns its length in instructions, or a negative errno. */
int zs_seccomp_refusing(const struct zs_run *run, struct sock_filter *code);
int zs_seccomp_observing(const struct zs_run *run, struct sock_filter *code);

/* Confines the signals of this process and its children to its Landlock domain, which is these processes; may be called
 * again in a child. The two calls below do the same in two steps: the first returns a ruleset's descriptor, which
 * several processes may use. */
int zs_landlock_scope_signals(void);
int zs_landlock_signal_ruleset(void);
int zs_landlock_restrict(int ruleset);

#endif
