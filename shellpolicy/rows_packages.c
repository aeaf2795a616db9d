/* Package managers and containers. Installing dependencies is part of a build; changing manifests is a write. */
#include "rows.h"

#include "classify.h"

// clang-format off
ZS_TABLE(packages) = {
	{ .names = "npm",
		.options = "--script-shell=c --node-options=k --git=c --viewer=c -s --silent -q --quiet -d -dd "
			"-ddd --prefix=d -C=d -w=d --workspace=d --workspaces --if-present --loglevel=d "
			"--userconfig=d --registry=d --cache=d -v!h --version!h -h!h --help!h -l", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS, .language = "javascript" },
	{ .of = "npm",
		.names = "install|i|ci|clean-install|ic|tst|it|cit|install-test|install-ci-test|start|stop|"
			"restart|ls|list|la|ll|view|info|show|v|outdated|search|s|se|find|help|doctor|explain|why|"
			"fund|docs|home|bugs|repo|ping|root|prefix|bin|query|diff|completion|whoami|access|sbom|"
			"get|rebuild|rb|help-search",
		.options = "-w=d --workspace=d --prefix=d -s --silent --if-present --script-shell=c "
			"--node-options=k --git=c --viewer=c", .operands = "d*", .language = "javascript" },
	{ .of = "npm", .names = "test|t",
		.options = "-w=d --workspace=d --prefix=d -s --silent --if-present --script-shell=c "
			"--node-options=k --git=c --viewer=c", .operands = "d*", .grammar = zs_grammar_script_args,
		.language = "javascript" },
	{ .of = "npm", .names = "run|run-script",
		.options = "-w=d --workspace=d --prefix=d -s --silent --if-present --script-shell=c "
			"--node-options=k --git=c --viewer=c", .operands = "dd*", .grammar = zs_grammar_script_args,
		.language = "javascript" },
	{ .of = "npm", .names = "audit",
		.options = "-w=d --workspace=d --prefix=d -s --silent --if-present --script-shell=c "
			"--node-options=k --git=c --viewer=c", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS,
		.language = "javascript" },
	{ .of = "npm audit", .names = "fix", .options = "--dry-run!r", .traits = ZS_ROW_WRITES },
	{ .of = "npm audit", .names = "signatures" },
	{ .of = "npm", .names = "version", .operands = "d*", .traits = ZS_ROW_WRITES | ZS_ROW_LISTS },
	{ .of = "npm",
		.names = "publish|unpublish|deprecate|init|create|set|link|unlink|ln|uninstall|un|remove|rm|r|"
			"update|up|upgrade|udpate|dedupe|ddp|shrinkwrap|prune|pack|adduser|login|logout|token|"
			"team|org|owner|dist-tag|profile|hook|cache|star|unstar|edit|explore",
		.options = "--dry-run!r -h!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "npm", .names = "config|c|pkg", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "npm config", .names = "get|list|ls" },
	{ .of = "npm c", .names = "get|list" },
	{ .of = "npm config", .names = "set|delete|edit|fix", .traits = ZS_ROW_WRITES },
	{ .of = "npm c", .names = "set|delete", .traits = ZS_ROW_WRITES },
	{ .of = "npm pkg", .names = "get" },
	{ .of = "npm pkg", .names = "set|delete|fix", .traits = ZS_ROW_WRITES },
	{ .names = "yarn|pnpm|bun",
		.options = "-v!h --version!h -h!h --help!h --cwd=C -C=d --dir=d --filter=d -F=d -r --recursive -w "
			"--silent -s --prefix=d", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_RUNS },
	{ .of = "yarn|pnpm|bun",
		.names = "install|i|ci|test|t|start|stop|list|ls|why|info|audit|outdated|build|lint|check|help|"
			"bin|root|run|workspace|workspaces|dedupe-check|licenses|node|typecheck|format-check|tsc|"
			"jest|eslint", .operands = "d*", .grammar = zs_grammar_script_args },
	{ .of = "yarn|pnpm|bun",
		.names = "add|remove|rm|uninstall|un|upgrade|up|update|init|create|link|unlink|version|publish|"
			"set|config|pack|dedupe|import|patch|prune|rebuild|store|self-update|completion|format",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "bun", .names = "x", .options = "--bun -y -p=d", .operands = "X", .traits = ZS_ROW_STRICT },
	{ .names = "pip|pip3|pipx",
		.options = "-q -v --quiet --verbose --no-input --isolated --python=d --log=w --proxy=d "
			"--cache-dir=d --disable-pip-version-check -V!h --help!h --version!h -h!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "pip|pip3",
		.names = "install|list|show|freeze|check|index|search|help|debug|inspect|hash|cache|completion",
		.options = "-t=w --target=w --report=w --log=w -r=r -c=d -e=d --prefix=d --root=d --src=d "
			"--index-url=d -i=d --extra-index-url=d --find-links=d -f=d", .operands = "d*" },
	{ .of = "pip|pip3", .names = "download|wheel|uninstall|lock", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "pip|pip3", .names = "config", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "pip config|pip3 config", .names = "list|get|debug" },
	{ .of = "pip config|pip3 config", .names = "set|unset|edit", .traits = ZS_ROW_WRITES },
	{ .of = "pipx", .names = "list|environment" },
	{ .of = "pipx", .names = "install|uninstall|upgrade|inject|ensurepath", .traits = ZS_ROW_WRITES },
	{ .names = "uv",
		.options = "-q -v --quiet --verbose --offline --directory=C --project=d -V!h --help!h --version!h "
			"-h!h --no-cache --cache-dir=d --python=d -p=d", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "uv", .names = "sync|tree|help|pip|python|tool|cache", .operands = "d*" },
	{ .of = "uv", .names = "add|remove|init|lock|version|publish|venv|export|build|self",
		.options = "--check!r --dry-run!r", .traits = ZS_ROW_WRITES },
	{ .names = "poetry|pipenv|pdm|conda|mamba|micromamba|rye",
		.options = "-q -v -n -C=C --directory=C -V!h --help!h --version!h -h!h --no-interaction --no-ansi",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "poetry|pipenv|pdm|conda|mamba|micromamba|rye",
		.names = "install|show|check|list|info|env|search|sync|graph|verify|test|lint|about",
		.operands = "d*" },
	{ .of = "poetry|pipenv|pdm|conda|mamba|micromamba|rye",
		.names = "add|remove|init|new|update|lock|build|publish|version|config|uninstall|create|export|"
			"self|cache|upgrade|fix", .options = "--check!r --dry-run!r", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "bundle|bundler", .options = "-v!h --help!h --version!h -h!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "bundle|bundler",
		.names = "install|check|list|show|info|outdated|audit|viz|platform|doctor|help|version",
		.options = "--path=w --binstubs?w", .operands = "d*" },
	{ .of = "bundle|bundler",
		.names = "add|remove|update|init|lock|config|clean|package|cache|binstubs|gem|pristine|open",
		.traits = ZS_ROW_WRITES },
	{ .names = "gem", .options = "-v!h --version!h --help!h -h!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "gem",
		.names = "list|search|info|env|environment|which|contents|dependency|specification|outdated|"
			"install|help|check|stale" },
	{ .of = "gem",
		.names = "build|push|uninstall|update|cleanup|unpack|fetch|yank|owner|pristine|generate_index",
		.traits = ZS_ROW_WRITES },
	{ .names = "composer",
		.options = "-q -v -n -d=C --working-dir=C -V!h --help!h --version!h -h!h --no-interaction --ansi "
			"--no-ansi", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "composer",
		.names = "install|i|show|info|validate|check-platform-reqs|outdated|audit|diagnose|why|depends|"
			"why-not|prohibits|licenses|search|run|run-script|test|fund|suggests|status|exec|help|"
			"list|about|home", .operands = "d*" },
	{ .of = "composer",
		.names = "require|remove|update|u|init|create-project|config|dump-autoload|dumpautoload|"
			"self-update|archive|clear-cache|global|bump|normalize|reinstall", .options = "--dry-run!r",
		.traits = ZS_ROW_WRITES },
	{ .names = "dotnet", .options = "--version!h --info!h --help!h -h!h --list-sdks!h --list-runtimes!h -d",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "dotnet", .names = "build|test|run|restore|list|help|vstest|exec|watch|msbuild",
		.options = "-o=w --output=w --results-directory=w -r=d --logger=d -l=d -c=d --configuration=d "
			"-f=d --framework=d --filter=d -p=d -v=d", .operands = "d*" },
	{ .of = "dotnet", .names = "format", .options = "--verify-no-changes!r --report=w", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .of = "dotnet",
		.names = "add|remove|new|publish|pack|clean|sln|nuget|tool|workload|ef|dev-certs|user-secrets|store",
		.traits = ZS_ROW_WRITES },
};
// clang-format on
ZS_TABLE_COUNT(packages);
