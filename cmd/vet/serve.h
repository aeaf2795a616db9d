/* zs vet --serve: the lines of --batch, answered to one client over standard input and output or to many over a socket.
 * Each client has a process of its own, so that none waits for another one, and no text ends the server. */
#ifndef ZS_CMD_SERVE_H
#define ZS_CMD_SERVE_H

#include "zs_shellpolicy.h"

/* At a time; one more is told so, and closed. */
#define ZS_SERVE_CLIENTS_MAX 64

/* socket: a path, or NULL for standard input and output. options and with_ir as for zs_batch(). Serves until its only
 * client ends, or a signal asks it to. Returns an exit code. */
int zs_serve(const char *socket, const struct zs_vet_options *options, bool with_ir);

#endif
