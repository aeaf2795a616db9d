/* One change of an agent's file, as zs install shows it and asks for it. */
#ifndef ZS_CMD_INSTALL_CHANGE_H
#define ZS_CMD_INSTALL_CHANGE_H

#include <limits.h>

#include "agent/agent_form.h"
#include "agent/agent_place.h"

/* Shows the change of a file and asks a person, unless yes or dry_run is set. Returns an exit code. */
int zs_install_agree(const struct zs_agent_file *file, const struct zs_agent_change *new, bool yes, bool dry_run);

/* Finds the path of this zs, as a configuration can contain it. Returns an exit code; the error is on stderr. */
int zs_install_self(char zs[PATH_MAX]);

/* Warns if others may replace this zs, or if the change is root's and the caller is not root. */
void zs_install_warn(const char *zs);

/* Does the text look the same in a shell, JSON, TOML and JavaScript? */
bool zs_install_is_plain(const char *text);

#endif
