/* The profile of the proxy itself, compared with its golden: the proxy can connect, and answer at its port, but do
 * nothing else. */
#include "harness.h"
#include "seatbelt/profile.h"
#include "sbpl.h"

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc23-extensions" /* #embed */
static const char golden[] = {
#embed "../../testdata/seatbelt/proxy.sb" suffix(, )
	0
};
#pragma clang diagnostic pop

static const struct {
	struct sbpl_query query;
	enum sbpl_answer want;
} rows[] = {
	{ { .operation = "network-outbound", .remote = "93.184.216.34:443" }, SBPL_ALLOW },
	{ { .operation = "network-outbound", .remote = "[2606:2800::1]:22" }, SBPL_ALLOW },
	/* A database that the policy names. The proxy judges addresses itself, as on Linux. */
	{ { .operation = "network-outbound", .remote = "127.0.0.1:5432" }, SBPL_ALLOW },
	{ { .operation = "network-outbound", .remote = "192.168.0.1:53", .udp = true }, SBPL_ALLOW },
	{ { .operation = "network-outbound", .remote = "192.168.0.1:5353", .udp = true }, SBPL_DENY },
	{ { .operation = "network-outbound", .path = "/private/var/run/mDNSResponder" }, SBPL_DENY },
	{ { .operation = "network-inbound", .local = "127.0.0.1:4128" }, SBPL_ALLOW },
	{ { .operation = "network-inbound", .local = "[::1]:4128" }, SBPL_ALLOW },
	{ { .operation = "network-inbound", .local = "127.0.0.1:4129" }, SBPL_DENY },
	{ { .operation = "network-inbound", .local = "127.0.0.1:4128", .udp = true }, SBPL_DENY },
	{ { .operation = "network-bind", .local = "127.0.0.1:4128" }, SBPL_DENY },
	{ { .operation = "system-socket", .domain = "AF_UNIX" }, SBPL_DENY },
	{ { .operation = "file-read-data", .path = "/private/etc/passwd" }, SBPL_DENY },
	{ { .operation = "file-read-metadata", .path = "/" }, SBPL_DENY },
	{ { .operation = "file-write-create", .path = "/private/tmp/x" }, SBPL_DENY },
	{ { .operation = "file-map-executable", .path = "/usr/lib/x.dylib" }, SBPL_DENY },
	{ { .operation = "process-exec*", .path = "/bin/sh" }, SBPL_DENY },
	{ { .operation = "process-fork" }, SBPL_DENY },
	{ { .operation = "signal", .same_sandbox = true }, SBPL_DENY },
	{ { .operation = "process-info-pidinfo" }, SBPL_DENY },
	{ { .operation = "mach-lookup", .name = "com.apple.trustd" }, SBPL_DENY },
	{ { .operation = "sysctl-read", .name = "kern.proc.all" }, SBPL_DENY },
	{ { .operation = "iokit-get-properties" }, SBPL_DENY },
	{ { .operation = "nvram-get" }, SBPL_DENY },
};

static size_t wrong_rows(const struct sbpl *sbpl, bool say)
{
	size_t wrong = 0;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		enum sbpl_answer answer = sbpl_ask(sbpl, &rows[i].query);

		wrong += answer != rows[i].want;
		CHECK(answer == rows[i].want || !say, "%zu: %s: %d", i, rows[i].query.operation, answer);
	}
	return wrong;
}

TEST(seatbelt_proxy_connects_and_nothing_else)
{
	char problem[SBPL_PROBLEM_SIZE] = "";
	struct zs_seatbelt_profile profile;
	struct sbpl *sbpl;

	if (zs_seatbelt_proxy_profile_new(4128, &profile, NULL) < 0) {
		CHECK(false, "no profile");
		return;
	}
	if (getenv("ZS_UPDATE_GOLDEN"))
		write_text("testdata/seatbelt/proxy.sb", profile.text);
	else
		CHECK(strcmp(profile.text, golden) == 0, "ZS_UPDATE_GOLDEN=1 accepts:\n%s", profile.text);
	sbpl = sbpl_read(profile.text, profile.parameters, problem);
	CHECK(sbpl, "%s", problem);
	if (sbpl) {
		wrong_rows(sbpl, true);
		/* Each of its rules is needed. */
		for (size_t i = 0; i < sbpl_rules(sbpl); i++) {
			sbpl_leave_out(sbpl, i, true);
			CHECK(wrong_rows(sbpl, false) > 0, "rule %zu is of no use", i);
			sbpl_leave_out(sbpl, i, false);
		}
	}
	sbpl_free(sbpl);
	zs_seatbelt_profile_free(&profile);
}
