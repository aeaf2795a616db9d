#include "decide.h"

#include <string.h>

/* The profiles that block on a risk, by their letters. */
static const char *const blocking[ZS_RISK_COUNT] = {
#define X(id, name, profiles, text) [ZS_RISK_##id] = profiles,
	ZS_RISKS(X)
#undef X
};

static bool blocks(enum zs_risk code, const struct zs_vet_options *options)
{
	static const char letters[ZS_PROFILE_COUNT] = {
		[ZS_PROFILE_STRICT] = 'S', [ZS_PROFILE_RELAXED] = 'R', [ZS_PROFILE_VERIFY] = 'V'
	};

	if (code >= ZS_RISK_COUNT || options->profile >= ZS_PROFILE_COUNT)
		return true;
	if (code == ZS_RISK_UNKNOWN_COMMAND && options->block_unknown)
		return true;
	return strchr(blocking[code], letters[options->profile]) != NULL;
}

/* An unknown command without an operand is only noted; with block_unknown it counts. */
static bool counts(const struct zs_finding *finding, const struct zs_vet_options *options)
{
	return !finding->informational || (finding->code == ZS_RISK_UNKNOWN_COMMAND && options->block_unknown);
}

void zs_decide_ir(struct zs_arena *arena, const struct zs_ir *ir, const struct zs_vet_options *options,
	struct zs_report *ret_report)
{
	const struct zs_finding *decided = NULL;
	enum zs_risk code = ZS_RISK_NONE;

	*ret_report = (struct zs_report){ .ir = *ir };
	if (ir->version != ZS_IR_VERSION)
		code = ZS_RISK_VERSION;
	for (uint32_t i = 0; i < ir->finding_count && code != ZS_RISK_VERSION; i++) {
		const struct zs_finding *finding = &ir->findings[i];

		if (finding->code < ZS_RISK_COUNT)
			ret_report->risks |= 1u << finding->code;
		/* A lower code has priority; among findings of one code the first counts. */
		if (counts(finding, options) && blocks(finding->code, options) && finding->code < code) {
			code = finding->code;
			decided = finding;
		}
	}
	if (code != ZS_RISK_NONE)
		ret_report->risks |= 1u << code;
	ret_report->verdict = code == ZS_RISK_NONE ? ZS_ALLOW : ZS_BLOCK;
	ret_report->code = code;
	ret_report->decided = decided;
	ret_report->span = decided ? decided->span : (struct zs_span){ 0, 0 };
	ret_report->reason = code == ZS_RISK_NONE ? "" : zs_explain_reason(arena, ir, code, decided);
	ret_report->hint = code == ZS_RISK_NONE ? "" : zs_explain_hint(code, decided);
}
