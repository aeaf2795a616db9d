/* The prediction of each command's effects on files, made of what the judges have found. */
#ifndef ZS_EFFECTS_H
#define ZS_EFFECTS_H

#include "read/build.h"

/* Fills `effects` of each command. Everything else of the IR is complete by then. */
void zs_effects_fill(struct zs_build *build);

#endif
