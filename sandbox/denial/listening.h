/* Does a program of this machine listen at an address? The kernel's own tables tell (man 5 proc_pid_net). A connection
 * would tell as well, but it can start a service, and a confined command has chosen the address. */
#ifndef ZS_SANDBOX_LISTENING_H
#define ZS_SANDBOX_LISTENING_H

#include <stdbool.h>
#include <sys/socket.h>

/* address: of AF_INET or AF_INET6, with its whole size. */
bool zs_listens_inet(const struct sockaddr *address);

/* path: real, or an abstract name behind "@". A datagram socket that is bound counts. */
bool zs_listens_unix(const char *path);

#endif
