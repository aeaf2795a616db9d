#include "decide.h"

#include <string.h>

static const struct {
	const char *name, *profiles, *text;
} risks[ZS_RISK_COUNT] = {
#define X(id, name, profiles, text) [ZS_RISK_##id] = { name, profiles, text },
	ZS_RISKS(X)
#undef X
};

static const char *const profile_names[ZS_PROFILE_COUNT] = {
#define X(id, name, text) [ZS_PROFILE_##id] = name,
	ZS_PROFILES(X)
#undef X
};

static const char *const effect_names[ZS_EFFECT_COUNT] = {
#define X(id, name) [ZS_EFFECT_##id] = name,
	ZS_EFFECTS(X)
#undef X
};

static const char *const nesting_names[ZS_NEST_COUNT] = {
#define X(id, name) [ZS_NEST_##id] = name,
	ZS_NESTINGS(X)
#undef X
};

static const char *const mark_names[ZS_MARK_COUNT] = {
#define X(id, name) [ZS_MARK_##id] = name,
	ZS_MARK_KINDS(X)
#undef X
};

static const char *const agreement_texts[ZS_AGREEMENT_COUNT] = {
#define X(id, text) [ZS_##id] = text,
	ZS_AGREEMENTS(X)
#undef X
};

const char *zs_risk_name(enum zs_risk risk)
{
	return risk < ZS_RISK_COUNT ? risks[risk].name : "none";
}

const char *zs_risk_text(enum zs_risk risk)
{
	return risk < ZS_RISK_COUNT ? risks[risk].text : "";
}

const char *zs_profile_name(enum zs_profile profile)
{
	return profile < ZS_PROFILE_COUNT ? profile_names[profile] : "unknown";
}

const char *zs_effect_name(enum zs_effect effect)
{
	return effect < ZS_EFFECT_COUNT ? effect_names[effect] : "unknown";
}

const char *zs_nesting_name(enum zs_nesting nesting)
{
	return nesting < ZS_NEST_COUNT ? nesting_names[nesting] : "unknown";
}

const char *zs_mark_name(enum zs_mark_kind kind)
{
	return kind < ZS_MARK_COUNT ? mark_names[kind] : "unknown";
}

const char *zs_agreement_text(enum zs_agreement agreement)
{
	return agreement < ZS_AGREEMENT_COUNT ? agreement_texts[agreement] : "unknown";
}

bool zs_profile_parse(const char *name, enum zs_profile *ret_profile)
{
	for (int i = 0; i < ZS_PROFILE_COUNT; i++) {
		if (strcmp(name, profile_names[i]) == 0) {
			*ret_profile = (enum zs_profile)i;
			return true;
		}
	}
	return false;
}

static bool blocks(enum zs_risk code, const struct zs_vet_options *options)
{
	static const char letters[ZS_PROFILE_COUNT] = {
		[ZS_PROFILE_STRICT] = 'S', [ZS_PROFILE_RELAXED] = 'R', [ZS_PROFILE_VERIFY] = 'V'
	};

	if (code >= ZS_RISK_COUNT || options->profile >= ZS_PROFILE_COUNT)
		return true;
	if (code == ZS_RISK_UNKNOWN_COMMAND && options->block_unknown)
		return true;
	return strchr(risks[code].profiles, letters[options->profile]) != NULL;
}

/* A command that is unknown is noted as informational; block_unknown makes it count. */
static bool counts(const struct zs_finding *finding)
{
	return !finding->informational || finding->code == ZS_RISK_UNKNOWN_COMMAND;
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
		/* Lower codes have priority; of one code the first finding. */
		if (counts(finding) && blocks(finding->code, options) && finding->code < code) {
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
