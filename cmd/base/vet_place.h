/* The folders that a vetting in the profile guard compares paths with. */
#ifndef ZS_CMD_VET_PLACE_H
#define ZS_CMD_VET_PLACE_H

#include "zs_shellpolicy.h"

/* Sets the options' folders: the workspace (NULL: the current folder), the current folder, and HOME. They live until
 * the program ends. A folder that cannot be found stays unset, so paths that name it block. */
void zs_vet_place(const char *workspace, struct zs_vet_options *options);

#endif
