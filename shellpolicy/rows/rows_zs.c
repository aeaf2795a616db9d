/* zs itself. The commands that it runs are vetted, and no command may change what zs lets commands do. A test compares
 * these rows with the program's options. */
#include "rows/rows_table.h"

#define CONFINE_OPTIONS                                                                                                \
	"--workspace=C --chdir=C --root=d --root-user --users --git-base=d --policy=r --no-settings --ro=d --rw=d "    \
	"--exec=d --no-default=d --protect=d --hide=d --secrets=d --git=d "                                            \
	"--tmp=d --caches=d --socket=d --net=d --for=d --host=d --env=d --setenv=e --limit=d --without=d "             \
	"--print-policy "
#define ASK_OPTIONS                                                                                                    \
	"--ask --want-host=d --want-write=d --want-git --want-all-hosts --want-all-writes --want-unsandboxed "         \
	"--ask-for=d "
#define CHANGE_OPTIONS "--verify --diff --patch --apply --agree=d --report=w "
#define BOX_OPTIONS                                                                                                    \
	"--owner=d --from=d --token --cwd=d --user=d --timeout=d -e=e --variable=e -j --json --max-output=d "          \
	"--mode=d " CONFINE_OPTIONS HELP_OPTIONS
#define HELP_OPTIONS "-h!h --help!h"
#define OWNER "Leave zs as it is: only the person who runs you may change its settings. Ask that person."

// clang-format off
ZS_TABLE(zs) = {
	/* the options by which zs starts itself */
	{ .names = "zs", .options = "-h!h --help!h --version!h --unpack-layer!g --named-session-server!g",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "zs", .names = "run",
		.options = "-j --json -l!l --login!l --session=d --idle=d --denials?W --denials-to-model "
			"--print-sandbox " CONFINE_OPTIONS ASK_OPTIONS CHANGE_OPTIONS HELP_OPTIONS, .operands = "X",
		.traits = ZS_ROW_STRICT | ZS_ROW_PASSES_INPUT },
	{ .of = "zs", .names = "bash",
		.options = "-c=y --command=y -p=d --profile=d -j --json --denials?W --denials-to-model " CONFINE_OPTIONS
			ASK_OPTIONS CHANGE_OPTIONS HELP_OPTIONS, .operands = "d*",
		.traits = ZS_ROW_STRICT | ZS_ROW_NO_PERMUTE },
	{ .of = "zs", .names = "why", .options = "-j --json -a --all " CONFINE_OPTIONS HELP_OPTIONS, .operands = "X",
		.traits = ZS_ROW_STRICT | ZS_ROW_PASSES_INPUT },
	/* It asks a person, writes that person's settings, and tells what exists outside. */
	{ .of = "zs", .names = "learn", .options = "-y --yes -o=w --out=w -j --json " CONFINE_OPTIONS HELP_OPTIONS,
		.operands = "X", .traits = ZS_ROW_STRICT | ZS_ROW_PASSES_INPUT | ZS_ROW_GUARD, .hint = OWNER },
	{ .of = "zs", .names = "box", .options = BOX_OPTIONS, .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_STRICT },
	{ .of = "zs box", .names = "exec", .options = BOX_OPTIONS, .operands = "dX",
		.traits = ZS_ROW_STRICT | ZS_ROW_PASSES_INPUT },
	{ .of = "zs box", .names = "put", .options = BOX_OPTIONS, .operands = "drd",
		.traits = ZS_ROW_STRICT | ZS_ROW_WRITES },
	{ .of = "zs box", .names = "get", .options = BOX_OPTIONS, .operands = "ddw", .traits = ZS_ROW_STRICT },
	{ .of = "zs box", .names = "create|policy|close", .options = BOX_OPTIONS, .operands = "d",
		.traits = ZS_ROW_STRICT | ZS_ROW_WRITES },
	{ .of = "zs box", .names = "save", .options = BOX_OPTIONS, .operands = "dd",
		.traits = ZS_ROW_STRICT | ZS_ROW_WRITES },
	{ .of = "zs box", .names = "list", .options = BOX_OPTIONS, .traits = ZS_ROW_STRICT },
	/* Ends processes that zs run --session has started, and no others. */
	{ .of = "zs", .names = "end", .options = "--list -j --json --workspace=d " HELP_OPTIONS,
		.operands = "d" },
	{ .of = "zs", .names = "shim", .options = "--denials=d " HELP_OPTIONS, .operands = "X",
		.traits = ZS_ROW_STRICT | ZS_ROW_PASSES_INPUT },
	{ .of = "zs", .names = "vet",
		.options = "-c=d --command=d -p=d --profile=d --shell=d --unknown=d --workspace=d -j --json --ir "
			"--explain --batch --rows --terms " HELP_OPTIONS, .operands = "r*" },
	{ .of = "zs", .names = "hook",
		.options = "-p=d --profile=d --shell=d --confine --no-denials-to-model " CONFINE_OPTIONS
			CHANGE_OPTIONS HELP_OPTIONS,
		.operands = "d" },
	/* The requests to zs mcp hold commands; it vets them by its --profile. */
	{ .of = "zs", .names = "mcp",
		.options = "-p=d --profile=d --wall=d --max-output=d --agree=d --no-denials-to-model " CONFINE_OPTIONS
			HELP_OPTIONS,
		.traits = ZS_ROW_STDIN_CODE },
	{ .of = "zs", .names = "doctor", .options = "-j --json --apparmor --require=d " HELP_OPTIONS },
	{ .of = "zs", .names = "help", .options = "--json", .operands = "d" },
	{ .of = "zs", .names = "approvals", .options = HELP_OPTIONS, .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_LISTS },
	{ .of = "zs approvals", .names = "list", .options = HELP_OPTIONS },
	{ .of = "zs approvals", .names = "revoke", .options = HELP_OPTIONS, .operands = "d*", .traits = ZS_ROW_GUARD,
		.hint = OWNER },
	{ .of = "zs", .names = "trust", .options = "--hash=d --list!r --revoke!g -j --json " HELP_OPTIONS,
		.operands = "d",
		.traits = ZS_ROW_GUARD, .hint = OWNER },
	{ .of = "zs", .names = "policy", .options = "-j --json " CONFINE_OPTIONS HELP_OPTIONS, .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "zs policy", .names = "show|check|diff|test|schema",
		.options = "-j --json " CONFINE_OPTIONS HELP_OPTIONS, .operands = "r*" },
	{ .of = "zs", .names = "install",
		.options = "--user --project -y --yes --dry-run!r --profile=d --confine --no-confine --list -j "
			   "--json --mcp " CONFINE_OPTIONS HELP_OPTIONS,
		.operands = "d*", .traits = ZS_ROW_GUARD | ZS_ROW_LISTS, .hint = OWNER },
	{ .of = "zs", .names = "uninstall", .options = "--user --project -y --yes --dry-run!r --mcp " HELP_OPTIONS,
		.operands = "d*", .traits = ZS_ROW_GUARD, .hint = OWNER },
	{ .of = "zs|zs approvals|zs box|zs policy", .names = "*", .traits = ZS_ROW_GUARD, .hint = OWNER },
	/* The argv[0] by which a host starts itself as the shim; the further words are the command (zs_shim.h). */
	{ .names = "zs-sandbox-shim", .operands = "X", .traits = ZS_ROW_STRICT | ZS_ROW_PASSES_INPUT },
};
// clang-format on
ZS_TABLE_COUNT(zs);
