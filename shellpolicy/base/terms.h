/* The names of everything that a report can say: most are declared in zs_shellpolicy.h. */
#ifndef ZS_TERMS_H
#define ZS_TERMS_H

#include "zs_shellpolicy.h"

/* The profiles that block on this risk, a letter each: S, R, V. */
const char *zs_risk_profiles(enum zs_risk risk);

#endif
