/* --profile, as vet and bash have it. */
#ifndef ZS_CMD_PROFILE_CHOICE_H
#define ZS_CMD_PROFILE_CHOICE_H

#include "zs_shellpolicy.h"

#define ZS_PROFILE_HELP "what to block (default: strict)"

extern const char *const zs_profile_choices[];

/* name: one of the choices, or NULL for the default. */
enum zs_profile zs_profile_choice(const char *name);

/* The blocks of each profile, a line each. */
#define ZS_PROFILE_NOTES "Profiles:" ZS_PROFILES(ZS_PROFILE_NOTE)
#define ZS_PROFILE_NOTE(id, name, text) "\n  " name ": " text

#endif
