/* zs within a command line: what it runs is judged, and what it lets commands do no command changes. */
#include "vetting.h"

struct row {
	const char *command;
	const char *blocks; /* letters of the profiles that refuse it */
	enum zs_risk code;
};

#define PASSES(command) { command, "", ZS_RISK_NONE }
#define GUARD(command) { command, "SRV", ZS_RISK_GUARD }
#define WRITE(command) { command, "V", ZS_RISK_WRITE }

TEST(own_subcommands)
{
	static const struct row rows[] = {
		GUARD("zs uninstall claude --yes"),
		GUARD("zs install claude"),
		GUARD("zs install claude --list"),
		GUARD("zs trust --hash X ."),
		GUARD("zs trust"),
		GUARD("zs trust --revoke"),
		GUARD("zs trust --list --revoke"),
		GUARD("zs approvals revoke host x"),
		GUARD("zs policy set x"),
		GUARD("zs frobnicate"),
		GUARD("zs $x"),
		GUARD("x=trust; zs \"$x\""),
		GUARD("zs approvals $x"),
		GUARD("./zig-out/bin/zs trust"),
		GUARD("env zs trust"),
		GUARD("sudo -n zs install claude"),
		GUARD("bash -c 'zs trust'"),
		GUARD("echo 'zs trust' | sh"),
		GUARD("xargs zs install"),
		GUARD("zs run -- zs trust"),
		GUARD("zs bash -c 'zs trust'"),
		GUARD("z=zs; $z uninstall x"),
		GUARD("exec -a zs-sandbox-shim zs rm x"),
		GUARD("zs-sandbox-shim zs trust"),
		GUARD("zs shim zs trust"),
		WRITE("zs run -- rm -rf src"),
		WRITE("zs run rm x"),
		WRITE("zs run --rw / --net full -- rm x"),
		WRITE("zs run --verify -- rm x"),
		WRITE("zs bash --profile relaxed -c 'rm -rf src'"),
		WRITE("zs bash -crm\\ x"),
		WRITE("zs shim rm x"),
		WRITE("zs-sandbox-shim rm x"),
		WRITE("zs run --report=f -- ls"),
		{ "zs run -- python3 - <<'E'\nopen('x', 'w')\nE", "V", ZS_RISK_INLINE_CODE },
		{ "zs run --setenv LD_PRELOAD=./x.so -- ls", "V", ZS_RISK_ENVIRONMENT },
		{ "zs bash -c 'cd src'", "SV", ZS_RISK_CD },
		{ "zs shim bash -c 'cd src'", "SV", ZS_RISK_CD },
		{ "zs-sandbox-shim bash -c 'cd src'", "SV", ZS_RISK_CD },
		{ "zs run --workspace src -- ls", "SV", ZS_RISK_CD },
		{ "zs bash -c \"$x\"", "SRV", ZS_RISK_EVAL },
		{ "zs run --nosuch -- rm x", "SRV", ZS_RISK_UNSUPPORTED },
		{ "zs run --login", "SRV", ZS_RISK_OPAQUE_INTERPRETER },
		{ "zs mcp", "SRV", ZS_RISK_OPAQUE_INTERPRETER },
		{ "echo '{}' | zs mcp --profile relaxed", "SRV", ZS_RISK_OPAQUE_INTERPRETER },
		PASSES("zs run -- ls"),
		PASSES("zs run --rw / -- ls --help"),
		PASSES("zs bash -c 'ls'"),
		PASSES("zs vet -c 'rm x'"),
		PASSES("zs vet -p verify f.sh"),
		PASSES("zs hook claude < event.json"),
		PASSES("zs doctor --json"),
		PASSES("zs help trust"),
		PASSES("zs --version"),
		PASSES("zs approvals"),
		PASSES("zs approvals list"),
		PASSES("zs policy show"),
		PASSES("zs policy check a.json"),
		PASSES("zs trust --list"),
		PASSES("zs install --list"),
		PASSES("zs install claude --dry-run"),
		PASSES("zs uninstall claude --dry-run"),
		PASSES("zs trust --help"),
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		for (int profile = 0; profile < ZS_PROFILE_COUNT; profile++) {
			const struct zs_report *report = vet((enum zs_profile)profile, rows[i].command);
			bool blocked = strchr(rows[i].blocks, profile_letters[profile]) != NULL;
			enum zs_risk code = blocked ? rows[i].code : ZS_RISK_NONE;

			CHECK(report->code == code, "%s in %s: %s (%s), not %s", rows[i].command,
				zs_profile_name((enum zs_profile)profile), zs_risk_name(report->code), report->reason,
				zs_risk_name(code));
			CHECK(!blocked || code != ZS_RISK_GUARD || strstr(report->hint, "the person who runs you"),
				"%s: %s", rows[i].command, report->hint);
		}
	}
}
