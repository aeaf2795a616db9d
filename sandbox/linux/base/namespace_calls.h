/* Makes namespaces for this process: for the stages, and for the checks of features. */
#ifndef ZS_SANDBOX_LINUX_NAMESPACE_CALLS_H
#define ZS_SANDBOX_LINUX_NAMESPACE_CALLS_H

#include <stdint.h>
#include <sys/types.h>

/* Calls unshare(2), then maps uid and gid to themselves in the new user namespace. 0 or a negative errno; *ret_object
 * names the system call or file that failed. */
int zs_namespaces_enter(int flags, uid_t uid, gid_t gid, const char **ret_object);

/* The same, but they are 0 in the new user namespace. */
int zs_namespaces_enter_as_root(int flags, uid_t uid, gid_t gid, const char **ret_object);

/* Sets the interface lo up in this process's network. 0 or a negative errno. */
int zs_loopback_up(void);

/* The identity of a socket's network namespace; of this process's for -1. Not from /proc/self/ns, since the command's
 * mounts may have no /proc. 0 or a negative errno. */
int zs_network_of(int socket, uint64_t *ret_cookie);

#endif
