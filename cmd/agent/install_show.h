/* The change of an agent's configuration, before it is made. */
#ifndef ZS_CMD_INSTALL_SHOW_H
#define ZS_CMD_INSTALL_SHOW_H

#include <stdbool.h>
#include <stdio.h>

#include "agent/agent_place.h"
#include "agent/agent_text.h"

/* A unified diff. escaped: for a terminal, which must not obey what stands in the file; else as patch(1) takes it.
 * -ENOMEM. */
int zs_install_show(const struct zs_agent_file *old, const struct zs_agent_change *new, FILE *out, bool escaped);

#endif
