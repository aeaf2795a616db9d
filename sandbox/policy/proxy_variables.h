/* Variables that tell programs of the proxy's proxy. Pure. */
#ifndef ZS_SANDBOX_PROXY_VARIABLES_H
#define ZS_SANDBOX_PROXY_VARIABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* On the run's own 127.0.0.1; where it has none, the port is another. Below 1024, where no command can listen: it is in
 * nobody's way. */
#define ZS_PROXY_PORT 808

/* "NAME=value" each, up to a NULL: what curl, git, wget, python, npm, pip, cargo, apt and Go's own clients read.
 * Programs that read none of them, the JVM and node among them, are served by name and port: JDK_JAVA_OPTIONS would be
 * a variable that loads code, and JAVA_TOOL_OPTIONS prints a line for each start. */
extern const char *const zs_proxy_variables[];

/* Puts another port into those of `env`, an environment that zs_env_filter() made; it owns the new strings. 0, or
 * -ENOMEM, and some have the old one. */
int zs_proxy_variables_move(char **env, uint16_t port);

/* Does a variable of this name tell of some proxy? One of the caller's leads nowhere inside. len: of the name. */
bool zs_is_proxy_variable(const char *name, size_t len);

#endif
