/* The common parts of the tests of shellpolicy: one vetter, and answers in words. */
#ifndef ZS_TESTS_VETTING_H
#define ZS_TESTS_VETTING_H

#include "check.h"
#include "zs_shellpolicy.h"

static const char profile_letters[ZS_PROFILE_COUNT + 1] = "SRVG";

/* The report lives until the next call. */
static inline const struct zs_report *vet(enum zs_profile profile, const char *text)
{
	static struct zs_vetter *vetter;
	struct zs_vet_options options = { .profile = profile };

	if (!vetter)
		vetter = zs_vetter_new();
	return zs_vet(vetter, text, strlen(text), &options);
}

static inline bool same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* A command and the answer to it in every profile: `blocks` are the letters of those that refuse it (S strict, R
 * relaxed, V verify), always with the same code, since the codes that fewer profiles block come later in priority. The
 * rows do not speak of guard, which blocks for reasons of its own (guard.c), but blocks all that the others cannot
 * read.
 */
struct vet_row {
	const char *command;
	const char *blocks;
	enum zs_risk code;
	const char *object; /* object of a finding with that code; NULL: any */
};

#define EVERYWHERE(command, code, object) { command, "SRV", ZS_RISK_##code, object }
#define UNLESS_RELAXED(command, code, object) { command, "SV", ZS_RISK_##code, object }
#define IN_VERIFY(command, code, object) { command, "V", ZS_RISK_##code, object }
#define NEVER(command) { command, "", ZS_RISK_NONE, NULL }
#define CHECK_ROWS(rows) check_vet_rows(rows, sizeof rows / sizeof *rows)

static inline bool has_object(const struct zs_ir *ir, enum zs_risk code, const char *object)
{
	for (uint32_t i = 0; i < ir->finding_count; i++) {
		const struct zs_finding *finding = &ir->findings[i];

		if (finding->code == code && !finding->informational && same(finding->object, object))
			return true;
	}
	return false;
}

static inline void check_vet_rows(const struct vet_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct vet_row *row = &rows[i];

		CHECK(!strchr(row->blocks, 'R') || vet(ZS_PROFILE_GUARD, row->command)->verdict == ZS_BLOCK,
			"%s in guard", row->command);
		for (int profile = 0; profile < ZS_PROFILE_GUARD; profile++) {
			const struct zs_report *report = vet((enum zs_profile)profile, row->command);
			bool blocked = strchr(row->blocks, profile_letters[profile]) != NULL;
			const char *where = zs_profile_name((enum zs_profile)profile);

			CHECK((report->verdict == ZS_BLOCK) == blocked, "%s in %s: %s %s", row->command, where,
				zs_risk_name(report->code), report->reason);
			if (!blocked || report->verdict != ZS_BLOCK)
				continue;
			CHECK(report->code == row->code, "%s in %s: %s, not %s", row->command, where,
				zs_risk_name(report->code), zs_risk_name(row->code));
			CHECK(*report->reason && *report->hint, "%s in %s has no reason or hint", row->command, where);
			CHECK(!row->object || has_object(&report->ir, row->code, row->object), "%s: %s, not '%s'",
				row->command, report->reason, row->object);
		}
	}
}

#endif
