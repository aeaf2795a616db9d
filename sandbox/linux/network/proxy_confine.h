/* The proxy's own walls: it reads what hostile commands and servers send. */
#ifndef ZS_SANDBOX_LINUX_PROXY_CONFINE_H
#define ZS_SANDBOX_LINUX_PROXY_CONFINE_H

#include <stddef.h>

/* Leaves it these descriptors, and /dev/null as standard ones. */
int zs_proxy_close_others(int socket, int report);

/* No file, no program, no process, no signal, no capability; of sockets those of TCP and UDP. *ret_object says what
 * failed. */
int zs_proxy_confine(const char **ret_object);

#endif
