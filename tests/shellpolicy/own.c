/* zs as a command: the command that it runs is judged, and no command may change what zs allows. */
#include "vetting.h"

#define GUARD(command) EVERYWHERE(command, GUARD, NULL)
#define WRITE(command) IN_VERIFY(command, WRITE, NULL)

TEST(own_subcommands)
{
	static const struct vet_row rows[] = {
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
		GUARD("zs box exec 0123456789abcdef -- zs trust"),
		GUARD("zs box frobnicate"),
		GUARD("zs box $x"),
		WRITE("zs run -- rm -rf src"),
		WRITE("zs run rm x"),
		WRITE("zs run --rw / --net full -- rm x"),
		WRITE("zs run --verify -- rm x"),
		WRITE("zs bash --profile relaxed -c 'rm -rf src'"),
		WRITE("zs bash -crm\\ x"),
		WRITE("zs shim rm x"),
		WRITE("zs-sandbox-shim rm x"),
		WRITE("zs run --report=f -- ls"),
		WRITE("zs box exec 0123456789abcdef -- rm -rf src"),
		WRITE("zs box exec 0123456789abcdef --cwd src rm x"),
		WRITE("zs box create"),
		WRITE("zs box close 0123456789abcdef"),
		WRITE("zs box policy 0123456789abcdef --net none"),
		WRITE("zs box put 0123456789abcdef f /tmp/f"),
		WRITE("zs box get 0123456789abcdef /tmp/f f"),
		IN_VERIFY("zs run -- python3 - <<'E'\nopen('x', 'w')\nE", INLINE_CODE, NULL),
		IN_VERIFY("zs run --setenv LD_PRELOAD=./x.so -- ls", ENVIRONMENT, NULL),
		UNLESS_RELAXED("zs bash -c 'cd src'", CD, NULL),
		UNLESS_RELAXED("zs shim bash -c 'cd src'", CD, NULL),
		UNLESS_RELAXED("zs-sandbox-shim bash -c 'cd src'", CD, NULL),
		UNLESS_RELAXED("zs run --workspace src -- ls", CD, NULL),
		EVERYWHERE("zs bash -c \"$x\"", EVAL, NULL),
		EVERYWHERE("zs run --nosuch -- rm x", UNSUPPORTED, NULL),
		EVERYWHERE("zs run --login", OPAQUE_INTERPRETER, NULL),
		EVERYWHERE("zs mcp", OPAQUE_INTERPRETER, NULL),
		EVERYWHERE("echo '{}' | zs mcp --profile relaxed", OPAQUE_INTERPRETER, NULL),
		NEVER("zs run -- ls"),
		NEVER("zs box exec 0123456789abcdef --json -- ls"),
		NEVER("zs box list --json"),
		NEVER("zs run --rw / -- ls --help"),
		NEVER("zs bash -c 'ls'"),
		NEVER("zs vet -c 'rm x'"),
		NEVER("zs vet -p verify f.sh"),
		NEVER("zs hook claude < event.json"),
		NEVER("zs doctor --json"),
		NEVER("zs help trust"),
		NEVER("zs --version"),
		NEVER("zs approvals"),
		NEVER("zs approvals list"),
		NEVER("zs policy show"),
		NEVER("zs policy check a.json"),
		NEVER("zs trust --list"),
		NEVER("zs install --list"),
		NEVER("zs install claude --dry-run"),
		NEVER("zs uninstall claude --dry-run"),
		NEVER("zs trust --help"),
	};

	CHECK_ROWS(rows);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct zs_report *report = vet(ZS_PROFILE_STRICT, rows[i].command);

		CHECK(report->code != ZS_RISK_GUARD || strstr(report->hint, "the person who runs you"), "%s: %s",
			rows[i].command, report->hint);
	}
}
