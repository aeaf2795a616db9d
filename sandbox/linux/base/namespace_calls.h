/* Namespaces of this process's own: for a stage, and for the probe of its feature. */
#ifndef ZS_SANDBOX_LINUX_NAMESPACE_CALLS_H
#define ZS_SANDBOX_LINUX_NAMESPACE_CALLS_H

#include <sys/types.h>

/* unshare(2), then identity maps. 0 or a negative errno; *ret_object names the system call or file that failed. */
int zs_namespaces_enter(int flags, uid_t uid, gid_t gid, const char **ret_object);

/* Raises lo in the network that this process has made. 0 or a negative errno. */
int zs_loopback_up(void);

#endif
