/* The names of everything that a report can say. zs_shellpolicy.h declares most functions. */
#ifndef ZS_TERMS_H
#define ZS_TERMS_H

#include "zs_shellpolicy.h"

/* The profiles that block on this risk, by their letters: S, R, V. */
const char *zs_risk_profiles(enum zs_risk risk);

#endif
