/* The policy engine: turns an IR and a profile into a verdict with its words. It reads nothing but the IR. */
#ifndef ZS_DECIDE_H
#define ZS_DECIDE_H

#include "base/arena.h"
#include "zs_shellpolicy.h"

void zs_decide_ir(struct zs_arena *arena, const struct zs_ir *ir, const struct zs_vet_options *options,
	struct zs_report *ret_report);

/* explain.c: the sentence and the advice for the finding that decided; `finding` may be NULL. */
const char *zs_explain_reason(
	struct zs_arena *arena, const struct zs_ir *ir, enum zs_risk code, const struct zs_finding *finding);
const char *zs_explain_hint(enum zs_risk code, const struct zs_finding *finding);

#endif
