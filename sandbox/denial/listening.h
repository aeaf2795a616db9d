/* Does a program of this machine listen at an address? The kernel's own tables tell (man 5 proc_pid_net). A connection
 * would tell as well, but it can start a service, and a confined command has chosen the address. */
#ifndef ZS_SANDBOX_LISTENING_H
#define ZS_SANDBOX_LISTENING_H

#include <stdbool.h>

#include "net/address.h"

/* proc: the directory of the proc whose view counts; -1: this process's own /proc. */
bool zs_listens_inet(int proc, const struct zs_address *address, uint16_t port);

/* path: real, or an abstract name behind "@". A datagram socket that is bound counts. */
bool zs_listens_unix(const char *path);

#endif
