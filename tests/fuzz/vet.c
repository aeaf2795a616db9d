/* Vets any bytes in every profile: nothing may crash, and the answers must agree with each other. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "zs_shellpolicy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fail(const char *what, const uint8_t *data, size_t size)
{
	fprintf(stderr, "fuzz: %s\ninput (%zu bytes):\n", what, size);
	fwrite(data, 1, size, stderr);
	fputc('\n', stderr);
	abort();
}

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
	char *text = malloc(size ? size : 1);

	if (!text)
		return 0;
	memcpy(text, data, size);

	if (!vetter)
		vetter = zs_vetter_new();
	for (int profile = 0; profile < ZS_PROFILE_COUNT; profile++) {
		struct zs_vet_options options = {
			.profile = (enum zs_profile)profile, .workspace = "/srv/tally", .home = "/home/ada"
		};
		const struct zs_report *report = zs_vet(vetter, text, size, &options);
		const char *wrong = check(report, size);

		if (wrong)
			fail(wrong, data, size);
		allowed[profile] = report->verdict == ZS_ALLOW;
	}
	if ((allowed[ZS_PROFILE_VERIFY] && !allowed[ZS_PROFILE_STRICT]) ||
		(allowed[ZS_PROFILE_STRICT] && !allowed[ZS_PROFILE_RELAXED]))
		fail("a stricter profile allows more", data, size);
	free(text);
	return 0;
}
