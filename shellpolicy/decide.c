#include "decide.h"

#include "rules/own.h"
#include "rules/rule.h"

#include <string.h>

_Static_assert(ZS_RISK_COUNT <= 32, "the codes of a report are bits of 32");

/* The profiles that block on a risk, by their letters. */
static const char *const blocking[ZS_RISK_COUNT] = {
#define X(id, name, profiles, text) [ZS_RISK_##id] = profiles,
	ZS_RISKS(X)
#undef X
};

static bool blocks(enum zs_risk code, const struct zs_vet_options *options)
{
	static const char letters[ZS_PROFILE_COUNT] = { [ZS_PROFILE_STRICT] = 'S',
		[ZS_PROFILE_RELAXED] = 'R',
		[ZS_PROFILE_VERIFY] = 'V',
		[ZS_PROFILE_GUARD] = 'G' };

	if (code >= ZS_RISK_COUNT || options->profile >= ZS_PROFILE_COUNT)
		return true;
	if (code == ZS_RISK_UNKNOWN_COMMAND && options->block_unknown)
		return true;
	return strchr(blocking[code], letters[options->profile]) != NULL;
}

/* An unknown command without an operand is only noted; with block_unknown it counts. So does privilege in guard. */
static bool counts(const struct zs_finding *finding, const struct zs_vet_options *options)
{
	return !finding->informational || (finding->code == ZS_RISK_UNKNOWN_COMMAND && options->block_unknown) ||
	       (finding->code == ZS_RISK_PRIVILEGE && options->profile == ZS_PROFILE_GUARD);
}

/* Has a rule of the caller's allowed the finding? It speaks of one command, and of nothing beside it. */
static bool is_lifted(const struct zs_finding *finding, const struct zs_ir *ir, const bool *lifted)
{
	return lifted && finding->command >= 0 && (uint32_t)finding->command < ir->command_count &&
	       lifted[finding->command] && strchr(blocking[finding->code], '+');
}

/* Adds the findings of the caller's rules. Returns which commands they allow; NULL: there are no rules. */
static const bool *add_rulings(struct zs_arena *arena, struct zs_report *report, const struct zs_vet_options *options)
{
	struct zs_findings findings = { 0 };
	const bool *lifted;

	if (!options->rule_count)
		return NULL;
	report->rulings = zs_own_rulings(arena, &report->ir, options, &lifted);
	for (uint32_t i = 0; i < report->ir.finding_count; i++)
		ZS_PUSH(arena, &findings, report->ir.findings[i]);
	for (uint32_t i = 0; i < report->ir.command_count; i++)
		if (report->rulings[i] && report->rulings[i]->ruling != ZS_RULING_ALLOW)
			ZS_PUSH(arena, &findings, zs_own_finding(arena, &report->ir, i, report->rulings[i]));
	report->ir.findings = findings.items;
	report->ir.finding_count = findings.count;
	return lifted;
}

void zs_decide_ir(struct zs_arena *arena, const struct zs_ir *ir, const struct zs_vet_options *options,
	struct zs_report *ret_report)
{
	const struct zs_finding *decided = NULL;
	enum zs_risk code = ZS_RISK_NONE;
	const bool *lifted = NULL;

	*ret_report = (struct zs_report){ .ir = *ir };
	if (ir->version != ZS_IR_VERSION) {
		code = ZS_RISK_VERSION;
	} else if (options->profile == ZS_PROFILE_GUARD) {
		struct zs_findings findings = zs_guard_findings(arena, ir, options);

		ret_report->ir.findings = findings.items;
		ret_report->ir.finding_count = findings.count;
	}
	if (code != ZS_RISK_VERSION)
		lifted = add_rulings(arena, ret_report, options);
	ir = &ret_report->ir;
	for (uint32_t i = 0; i < ir->finding_count && code != ZS_RISK_VERSION; i++) {
		const struct zs_finding *finding = &ir->findings[i];

		if (finding->code < ZS_RISK_COUNT)
			ret_report->risks |= 1u << finding->code;
		/* A lower code has priority; among findings of one code the first counts. */
		if (counts(finding, options) && blocks(finding->code, options) && finding->code < code &&
			!is_lifted(finding, ir, lifted)) {
			code = finding->code;
			decided = finding;
		}
	}
	if (code != ZS_RISK_NONE)
		ret_report->risks |= 1u << code;
	ret_report->verdict = code == ZS_RISK_NONE ? ZS_ALLOW : code == ZS_RISK_ASKED ? ZS_ASK : ZS_BLOCK;
	ret_report->code = code;
	ret_report->decided = decided;
	ret_report->span = decided ? decided->span : (struct zs_span){ 0, 0 };
	ret_report->reason = code == ZS_RISK_NONE ? "" : zs_explain_reason(arena, ir, code, decided);
	ret_report->hint = code == ZS_RISK_NONE ? "" : zs_explain_hint(code, decided);
}
