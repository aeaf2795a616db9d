/* Confines the proxy itself, since it parses bytes from hostile commands and servers. */
#ifndef ZS_SANDBOX_LINUX_PROXY_CONFINE_H
#define ZS_SANDBOX_LINUX_PROXY_CONFINE_H

#include <stddef.h>

/* Closes all descriptors but these two, and opens /dev/null as the standard ones. */
int zs_proxy_close_others(int socket, int report);

/* Takes away files, exec, fork, signals, capabilities, and all sockets but TCP and UDP. *ret_object names the step that
 * failed. */
int zs_proxy_confine(const char **ret_object);

#endif
