/* Tables of the names and texts that a report can say. */
#include "zs_shellpolicy.h"

#include <string.h>

static const struct {
	const char *name, *text;
} risks[ZS_RISK_COUNT] = {
#define X(id, name, profiles, text) [ZS_RISK_##id] = { name, text },
	ZS_RISKS(X)
#undef X
};

static const char *const profile_names[ZS_PROFILE_COUNT] = {
#define X(id, name, text) [ZS_PROFILE_##id] = name,
	ZS_PROFILES(X)
#undef X
};

static const char *const shell_names[ZS_SHELL_COUNT] = {
#define X(id, name, text) [ZS_SHELL_##id] = name,
	ZS_SHELL_NAMES(X)
#undef X
};

static const char *const effect_names[ZS_EFFECT_COUNT] = {
#define X(id, name) [ZS_EFFECT_##id] = name,
	ZS_EFFECTS(X)
#undef X
};

static const struct {
	const char *name, *text;
} predictions[ZS_PREDICTION_COUNT] = {
#define X(id, name, text) [ZS_PREDICTS_##id] = { name, text },
	ZS_PREDICTIONS(X)
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

const char *zs_prediction_name(enum zs_prediction prediction)
{
	return prediction < ZS_PREDICTION_COUNT ? predictions[prediction].name : "unknown";
}

const char *zs_prediction_text(enum zs_prediction prediction)
{
	return prediction < ZS_PREDICTION_COUNT ? predictions[prediction].text : "";
}

const char *zs_profile_name(enum zs_profile profile)
{
	return profile < ZS_PROFILE_COUNT ? profile_names[profile] : "unknown";
}

const char *zs_shell_name(enum zs_shell shell)
{
	return shell < ZS_SHELL_COUNT ? shell_names[shell] : "unknown";
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

/* The index of the name, or -1. */
static int find_name(const char *name, const char *const *names, int count)
{
	for (int i = 0; i < count; i++)
		if (strcmp(name, names[i]) == 0)
			return i;
	return -1;
}

bool zs_profile_parse(const char *name, enum zs_profile *ret_profile)
{
	int found = find_name(name, profile_names, ZS_PROFILE_COUNT);

	if (found >= 0)
		*ret_profile = (enum zs_profile)found;
	return found >= 0;
}

bool zs_shell_parse(const char *name, enum zs_shell *ret_shell)
{
	int found = find_name(name, shell_names, ZS_SHELL_COUNT);

	if (found >= 0)
		*ret_shell = (enum zs_shell)found;
	return found >= 0;
}
