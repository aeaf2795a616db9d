/* Vets any bytes in every profile: nothing may crash, and the answers must agree with each other. */
#include <stdlib.h>

#include "target.h"
#include "zs_shellpolicy.h"

const struct target zs_target = { 0 };

/* Checks the properties that every report has. */
static const char *check(const struct zs_report *report, size_t size)
{
	const struct zs_ir *ir = &report->ir;

	if (report->span.start > report->span.end || report->span.end > size)
		return "a span outside of the text";
	if (report->verdict == ZS_ALLOW)
		return report->code == ZS_RISK_NONE && !*report->reason ? NULL : "allowed, with a code";
	if (report->code >= ZS_RISK_NONE || !*report->reason || !(report->risks & 1u << report->code))
		return "blocked, without saying why";
	for (uint32_t i = 0; i < ir->command_count; i++)
		if (ir->commands[i].span.start > ir->commands[i].span.end || ir->commands[i].span.end > size)
			return "a command outside of the text";
	for (uint32_t i = 0; i < ir->finding_count; i++)
		if (ir->findings[i].span.end > size || ir->findings[i].command >= (int32_t)ir->command_count)
			return "a finding outside of the text";
	return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct zs_vetter *vetter;
	bool allowed[ZS_PROFILE_COUNT];
	/* exactly the text's size, for ASan: the text need not end in NUL */
	char *text = zs_target_copy(data, size);

	zs_target_input = (struct zs_target_input){ data, size };
	if (!vetter)
		vetter = zs_vetter_new();
	for (int profile = 0; profile < ZS_PROFILE_COUNT; profile++) {
		struct zs_vet_options options = {
			.profile = (enum zs_profile)profile, .workspace = "/srv/tally", .home = "/home/ada"
		};
		const struct zs_report *report = zs_vet(vetter, text, size, &options);
		const char *wrong = check(report, size);

		zs_target_check(!wrong, wrong);
		allowed[profile] = report->verdict == ZS_ALLOW;
	}
	zs_target_check((allowed[ZS_PROFILE_STRICT] || !allowed[ZS_PROFILE_VERIFY]) &&
				(allowed[ZS_PROFILE_RELAXED] || !allowed[ZS_PROFILE_STRICT]),
		"a stricter profile allows more");
	free(text);
	return 0;
}
