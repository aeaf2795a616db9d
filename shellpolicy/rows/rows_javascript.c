/* Package managers, runners, bundlers, linters and formatters of JavaScript. */
#include "rows/rows_table.h"

#define TSC_OPTIONS                                                                                                    \
	"--outDir=w --outdir=w --outFile=w --outfile=w --out=w --declarationDir=w "                                    \
	"--declarationdir=w --tsBuildInfoFile=w --tsbuildinfofile=w --generateTrace=w "                                \
	"--generateCpuProfile=w --pprofDir=w --init!w -p=d --project=d --noEmit -b --build -w "                        \
	"--watch --clean!w --dry!h -t=d --target=d -m=d --module=d --lib=d --rootDir=d --baseUrl=d "                   \
	"-v!h --version!h --all!h -h!h --help!h -?!h --showConfig!h --output=d --threshold=d "                         \
	"--tsconfig=d --workspace=d"

// clang-format off
ZS_TABLE(javascript) = {
	{ .names = "npm",
		.options = "--script-shell=y --node-options=k --git=y --viewer=c -s --silent -q --quiet -d -dd -ddd "
			"--prefix=d -C=d -w=d --workspace=d --workspaces --if-present --loglevel=d --userconfig=d "
			"--registry=d --cache=d -v!h --version!h -h!h --help!h -l", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS, .language = "node-options" },
	{ .of = "npm",
		.names = "install|i|ci|clean-install|ic|tst|it|cit|install-test|install-ci-test|start|stop|restart|"
			"ls|list|la|ll|view|info|show|v|outdated|search|s|se|find|help|doctor|explain|why|fund|docs|"
			"home|bugs|repo|ping|root|prefix|bin|query|diff|completion|whoami|access|sbom|get|rebuild|rb|"
			"help-search",
		.options = "-w=d --workspace=d --prefix=d -s --silent --if-present --script-shell=y --node-options=k "
			"--git=y --viewer=c", .operands = "d*", .language = "node-options", .traits = ZS_ROW_BUILDS },
	{ .of = "npm", .names = "test|t",
		.options = "-w=d --workspace=d --prefix=d -s --silent --if-present --script-shell=y --node-options=k "
			"--git=y --viewer=c", .operands = "d*", .grammar = ZS_GRAMMAR_SCRIPT_ARGS,
		.language = "node-options", .traits = ZS_ROW_BUILDS },
	{ .of = "npm", .names = "run|run-script|rum|urn",
		.options = "-w=d --workspace=d --prefix=d -s --silent --if-present --script-shell=y --node-options=k "
			"--git=y --viewer=c", .operands = "dd*", .grammar = ZS_GRAMMAR_SCRIPT_ARGS,
		.language = "node-options", .traits = ZS_ROW_BUILDS },
	{ .of = "npm", .names = "audit",
		.options = "-w=d --workspace=d --prefix=d -s --silent --if-present --script-shell=y --node-options=k "
			"--git=y --viewer=c --omit=d --audit-level=d", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS,
		.language = "node-options" },
	{ .of = "npm audit", .names = "fix", .options = "--dry-run!r", .traits = ZS_ROW_WRITES },
	{ .of = "npm audit", .names = "signatures" },
	{ .of = "npm", .names = "version", .options = "--json", .operands = "d*",
		.traits = ZS_ROW_WRITES | ZS_ROW_LISTS },
	{ .of = "npm",
		.names = "publish|unpublish|deprecate|undeprecate|init|create|innit|set|link|unlink|ln|uninstall|un|"
			"remove|rm|r|update|up|upgrade|udpate|dedupe|ddp|shrinkwrap|prune|pack|adduser|login|logout|"
			"trust|star|unstar|edit|explore|install-scripts", .options = "--dry-run!r -h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "npm", .names = "config|c|pkg|cache|token|team|org|owner|dist-tag|profile|hook|stars|author",
		.options = "--json --global -g --registry=d", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "npm config|npm c", .names = "get|list|ls", .operands = "d*" },
	{ .of = "npm config|npm c", .names = "set|delete|edit|fix", .traits = ZS_ROW_WRITES },
	{ .of = "npm pkg", .names = "get", .operands = "d*" },
	{ .of = "npm pkg", .names = "set|delete|fix", .traits = ZS_ROW_WRITES },
	{ .of = "npm cache", .names = "verify|ls", .operands = "d*" },
	{ .of = "npm cache", .names = "add|clean|rm", .traits = ZS_ROW_WRITES },
	{ .of = "npm token|npm team|npm org|npm owner|npm dist-tag|npm profile|npm hook", .names = "ls|list|get",
		.operands = "d*" },
	{ .of = "npm token|npm team|npm org|npm owner|npm dist-tag|npm profile|npm hook",
		.names = "add|rm|set|create|destroy|revoke|update|enable-2fa|disable-2fa", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "yarn",
		.options = "-v!h --version!h -h!h --help!h --cwd=d -s --silent --verbose --json --use-yarnrc=d "
			"--modules-folder=d --cache-folder=d --prefix=d -C=d", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_RUNS },
	{ .of = "yarn",
		.names = "install|list|why|info|audit|outdated|help|bin|licenses|versions|search|owner|login|logout|"
			"check|generate-lock-entry", .options = "--fix!w --cwd=d", .operands = "d*",
		.traits = ZS_ROW_BUILDS },
	{ .of = "yarn", .names = "test|start|stop|build|lint|run|typecheck|ci|format|fmt|fix", .operands = "d*",
		.grammar = ZS_GRAMMAR_SCRIPT_ARGS, .traits = ZS_ROW_BUILDS },
	{ .of = "yarn", .names = "workspace", .operands = "dX", .grammar = ZS_GRAMMAR_SAME_TOOL },
	{ .of = "yarn", .names = "workspaces", .options = "--json", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "yarn workspaces", .names = "list|info|focus", .operands = "d*" },
	{ .of = "yarn workspaces", .names = "run", .operands = "d*", .grammar = ZS_GRAMMAR_SCRIPT_ARGS,
		.traits = ZS_ROW_BUILDS },
	{ .of = "yarn workspaces", .names = "foreach",
		.options = "-A --all -R --recursive -W --worktree -p --parallel -i --interlaced -t --topological "
			"--topological-dev -v --verbose -m --no-private -j=d --jobs=d --from=d --include=d "
			"--exclude=d --since?N -n --dry-run --no-verify", .operands = "X", .traits = ZS_ROW_STRICT,
		.grammar = ZS_GRAMMAR_SAME_TOOL },
	{ .of = "yarn", .names = "dedupe|constraints", .options = "-c!r --check!r --fix!w --json", .operands = "d*" },
	{ .of = "yarn", .names = "version|patch-commit|sdks",
		.options = "--patch!w --minor!w --major!w --prepatch!w --preminor!w --premajor!w --prerelease!w "
			"--new-version!w -d --deferred -i!w --interactive!w --json", .operands = "d*",
		.traits = ZS_ROW_WRITES, .grammar = ZS_GRAMMAR_VERB },
	{ .of = "yarn version", .names = "check" },
	{ .of = "yarn", .names = "config|cache|plugin|npm|set|global|policies|tag|team",
		.options = "--json -d --deferred -i --interactive", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "yarn config|yarn cache|yarn plugin|yarn npm|yarn global|yarn tag|yarn team",
		.names = "get|list|dir|runtime|info|audit|whoami|ls|bin|check", .operands = "d*" },
	{ .of = "yarn config|yarn cache|yarn plugin|yarn npm|yarn set|yarn global|yarn policies|yarn tag|yarn team",
		.names = "set|unset|delete|clean|import|import-from|remove|publish|login|logout|add|upgrade|version|"
			"resolution|set-version|apply|patch|minor|major|prerelease|create|rm", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .of = "yarn", .names = "pack", .options = "-n!r --dry-run!r -o=W --out=W --filename=W",
		.traits = ZS_ROW_WRITES },
	{ .of = "yarn",
		.names = "add|remove|upgrade|upgrade-interactive|up|init|create|link|unlink|publish|import|patch|"
			"unplug|rebuild|autoclean|self-update|prune|stage|completion", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "pnpm",
		.options = "-v!h --version!h -h!h --help!h -C=d --dir=d --filter=d -F=d --filter-prod=d -r "
			"--recursive -w --workspace-root -s --silent --prefix=d --loglevel=d --reporter=d --color",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_RUNS },
	{ .of = "pnpm",
		.names = "install|i|ci|it|install-test|list|ls|ll|la|outdated|why|licenses|root|bin|fetch|doctor|"
			"cat-file|cat-index|find-hash|ignored-builds|help|search|view|info|show|whoami|ping|rebuild|"
			"rb|server|completion|sbom|peers", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .of = "pnpm",
		.names = "test|t|tst|run|run-script|start|stop|restart|build|lint|check|typecheck|format|fmt|fix",
		.operands = "d*", .grammar = ZS_GRAMMAR_SCRIPT_ARGS, .traits = ZS_ROW_BUILDS },
	{ .of = "pnpm", .names = "recursive|multi|m", .operands = "X", .grammar = ZS_GRAMMAR_SAME_TOOL },
	{ .of = "pnpm", .names = "dedupe", .options = "--check!r", .traits = ZS_ROW_WRITES },
	{ .of = "pnpm", .names = "audit", .options = "--fix!w --audit-level=d --json", .operands = "d*" },
	{ .of = "pnpm", .names = "config|c|store|env|cache|catalog", .options = "--json -g --global --location=d",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "pnpm config|pnpm c|pnpm store|pnpm env|pnpm cache",
		.names = "get|list|ls|path|status|view|list-registries", .operands = "d*" },
	{ .of = "pnpm config|pnpm c|pnpm store|pnpm env|pnpm cache", .names = "set|delete|rm|add|prune|use|remove",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "pnpm", .names = "pack", .options = "--dry-run!r --out=W --pack-destination=W",
		.traits = ZS_ROW_WRITES },
	{ .of = "pnpm",
		.names = "add|update|up|upgrade|remove|rm|uninstall|un|link|ln|unlink|dislink|import|prune|patch|"
			"patch-commit|patch-remove|create|publish|setup|init|deploy|approve-builds|self-update|"
			"version|unpublish|deprecate|login|logout|adduser", .options = "--dry-run!r",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "bun",
		.options = "-e=k --eval=k -p=k --print=k -r=f --preload=f --require=f --import=f -c=d --config=d "
			"--cwd=d --env-file=d --filter=d -F=d --port=d --define=d -d=d --loader=d -l=d "
			"--conditions=d --tsconfig-override=d --cpu-prof!w --cpu-prof-dir=w --cpu-prof-name=w "
			"--heap-prof!w --heap-prof-dir=w --title=d -v!h --version!h --revision!h -h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_RUNS, .language = "javascript" },
	{ .of = "bun|deno", .names = "-", .traits = ZS_ROW_STDIN_CODE, .language = "javascript" },
	{ .of = "bun", .names = "install|i|ci|audit|outdated|why|info|help|completions|discord|feedback",
		.operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .of = "bun", .names = "test",
		.options = "-t=d --test-name-pattern=d --timeout=d -u!w --update-snapshots!w --coverage "
			"--coverage-reporter=d --coverage-dir=w --reporter=d --reporter-outfile=w --bail?N "
			"--rerun-each=d --preload=f -r=f --only --todo --concurrent --seed=d --shard=d",
		.operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .of = "bun", .names = "run|start|lint|check|typecheck|format|fmt|fix",
		.options = "-r=f --preload=f --cwd=d --env-file=d -F=d --filter=d --silent -b --bun --hot --watch "
			"--shell=d", .operands = "fd*", .traits = ZS_ROW_BUILDS | ZS_ROW_NO_PERMUTE,
		.grammar = ZS_GRAMMAR_SCRIPT_ARGS, .language = "javascript" },
	{ .of = "bun", .names = "build",
		.options = "--outdir=w --outfile=w --metafile=w --metafile-md=w --target=d --format=d --external=d "
			"-e=d --define=d -d=d --loader=d --entry-naming=d --chunk-naming=d --asset-naming=d --root=d "
			"--minify --splitting --watch --compile --sourcemap?N --public-path=d --packages=d "
			"--conditions=d --env=d --banner=d --footer=d", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .of = "bun", .names = "exec", .operands = "c" },
	{ .of = "bun", .names = "repl", .options = "-e=k --eval=k -p=k --print=k", .traits = ZS_ROW_STDIN_CODE,
		.language = "javascript" },
	{ .of = "bun", .names = "x", .options = "--bun -y -p=d", .operands = "X", .traits = ZS_ROW_STRICT },
	{ .of = "bun", .names = "pm", .options = "--json -g", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "bun pm",
		.names = "ls|list|bin|hash|hash-string|hash-print|untrusted|default-trusted|view|whoami|why",
		.operands = "d*" },
	{ .of = "bun pm", .names = "pack", .options = "--dry-run!r --destination=W --filename=W",
		.traits = ZS_ROW_WRITES },
	{ .of = "bun pm", .names = "trust|migrate|version", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "bun pm", .names = "pkg|cache", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "bun pm pkg", .names = "get", .operands = "d*" },
	{ .of = "bun pm pkg", .names = "set|delete|fix", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "bun pm cache", .names = "rm", .traits = ZS_ROW_WRITES },
	{ .of = "bun",
		.names = "add|a|remove|rm|uninstall|update|link|unlink|publish|patch|patch-commit|init|create|c|"
			"upgrade", .options = "--dry-run!r -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "deno", .options = "-V!h --version!h -h!h --help!h -q --quiet -L=d --log-level=d",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_STDIN_CODE },
	{ .of = "deno", .names = "check|info|types|bench|lsp|serve|help|completions|audit|jupyter|why",
		.options = "--junit-path=w -c=d --config=d --install!w", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .of = "deno", .names = "lint", .options = "--fix!w --rules -c=d --config=d --ignore=d --json --compact",
		.operands = "d*" },
	{ .of = "deno", .names = "doc", .options = "--html --output=w --name=d --lint --filter=d --json",
		.operands = "d*" },
	{ .of = "deno", .names = "test",
		.options = "--coverage?W --coverage-raw-data-only --junit-path=w --reporter=d --filter=d -c=d "
			"--config=d --shuffle?N --trace-leaks -A --allow-all --ignore=d", .operands = "d*",
		.grammar = ZS_GRAMMAR_SCRIPT_ARGS, .traits = ZS_ROW_BUILDS },
	{ .of = "deno", .names = "coverage",
		.options = "--output=w --html --lcov --detailed --include=d --exclude=d --ignore=d",
		.operands = "d*" },
	{ .of = "deno", .names = "fmt", .options = "--check!r -c=d --config=d --ignore=d --ext=d", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .of = "deno", .names = "eval", .options = "--ext=d -p --print -c=d --config=d --cert=d --env-file=d",
		.operands = "k*", .language = "javascript" },
	{ .of = "deno", .names = "repl", .options = "--eval=k --eval-file=f", .operands = "d*",
		.traits = ZS_ROW_STDIN_CODE, .language = "code" },
	{ .of = "deno", .names = "run",
		.options = "-A -q -c=d --config=d --watch --import-map=d --lock=d -r -L=d --log-level=d --env-file=d "
			"--cert=d --location=d --seed=d --preload=f --import=f", .operands = "fd*",
		.traits = ZS_ROW_BUILDS | ZS_ROW_NO_PERMUTE, .language = "javascript" },
	{ .of = "deno", .names = "task", .options = "--cwd=d -c=d --config=d --filter=d -f=d --eval=y -r --recursive",
		.operands = "d*", .grammar = ZS_GRAMMAR_SCRIPT_ARGS, .traits = ZS_ROW_BUILDS },
	{ .of = "deno", .names = "install|i|cache|outdated|approve-scripts",
		.options = "-g!w --global!w -u!w --update!w --entrypoint=d -c=d", .operands = "d*" },
	{ .of = "deno",
		.names = "compile|bundle|uninstall|add|remove|rm|init|upgrade|publish|vendor|clean|update|jsr|deploy|"
			"create", .options = "--dry-run!r -o=W --output=W -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .of = "deno", .names = "x", .options = "-A --allow-all -y --yes -q --quiet", .operands = "X",
		.traits = ZS_ROW_STRICT },
	{ .names = "tsx|ts-node|ts-node-esm|swc-node|esno|jiti",
		.options = "-e=k --eval=k -p=k --print=k -pe=k -r=f --require=f --import=f --loader=f -P=d "
			"--project=d --tsconfig=d -T --transpile-only --transpileOnly --files --esm -C=d "
			"--conditions=d --env-file=d --no-cache --swc -i --interactive -v!h -vv!h --version!h -h!h "
			"--help!h --showConfig!h --show-config!h --cwd=d", .operands = "fd*",
		.traits = ZS_ROW_NO_PERMUTE | ZS_ROW_STDIN_CODE, .language = "javascript" },
	{ .names = "coffee",
		.options = "-e=k --eval=k -p --print -s!s --stdio!s -r=f --require=f -c!w --compile!w -o=w --output=w "
			"-m!w -w -b -n -t -l -h!h --help!h -v!h --version!h", .operands = "fd*",
		.traits = ZS_ROW_NO_PERMUTE | ZS_ROW_STDIN_CODE, .language = "coffeescript" },
	{ .names = "babel-node",
		.options = "-e=k --eval=k -p=k --print=k -r=f --require=f -x=d --presets=d -c!w -o=w -h!h --help!h "
			"-v!h -V!h --version!h", .operands = "fd*", .traits = ZS_ROW_NO_PERMUTE | ZS_ROW_STDIN_CODE,
		.language = "javascript" },
	{ .names = "eslint|oxlint|standard|xo|semistandard|ts-standard|tslint|jshint|eslint_d",
		.options = "--fix!w --fix-suggestions!w --fix-dangerously!w --fix-dry-run --fix-type=d -o=w "
			"--output-file=w --out=w --cache --cache-location=w --cache-file=w --cache-strategy=d "
			"--init!w --suppress-all!w --suppress-rule=d --suppressions-location=d "
			"--prune-suppressions!w --ext=d -c=d --config=d --rule=d --parser=d --parser-options=d "
			"--plugin=d --env=d --global=d -f=d --format=d --max-warnings=d --rulesdir=d "
			"--resolve-plugins-relative-to=d --ignore-path=d --ignore-pattern=d --stdin-filename=d "
			"--flag=d --tsconfig=d -D=d --deny=d -A=d --allow=d -W=d --warn=d -t=d -p=d --print-config=d "
			"--env-info!h --report-unused-disable-directives --concurrency=d -h!h --help!h -v!h "
			"--version!h", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .names = "stylelint",
		.options = "--fix?w -o=w --output-file=w --cache --cache-location=w --cache-strategy=d -c=d "
			"--config=d --config-basedir=d --custom-formatter=d --custom-syntax=d -f=d --formatter=d "
			"--max-warnings=d --mw=d -i=d --ignore-path=d --ip=d --ignore-pattern=d --print-config!h "
			"--stdin-filename=d -h!h --help!h -v!h --version!h", .operands = "d*",
		.traits = ZS_ROW_BUILDS },
	{ .names = "prettier|prettierd",
		.options = "-w!w --write!w -c --check -l --list-different --config=d --config-precedence=d "
			"--parser=d --log-level=d --loglevel=d --ignore-path=d --plugin=d --tab-width=d "
			"--print-width=d --prose-wrap=d --trailing-comma=d --stdin-filepath=d --find-config-path=d "
			"--file-info=d --cache --cache-location=w --cache-strategy=d -h!h --help!h -v!h --version!h "
			"--support-info!h", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .names = "dprint",
		.options = "-c=d --config=d --plugins=d -L=d --log-level=d -h!h --help!h -V!h --version!h",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "dprint",
		.names = "check|output-file-paths|output-resolved-config|output-format-times|help|license|lsp",
		.operands = "d*" },
	{ .of = "dprint", .names = "fmt|init|config|upgrade|clear-cache|completions",
		.options = "--diff --stdin=d -h!h --help!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "biome|rome", .options = "--colors=d --config-path=d -h!h --help!h -V!h --version!h",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "biome|rome", .names = "check|lint|format|ci|explain|version|rage|search|lsp-proxy",
		.options = "--write!w --apply!w --apply-unsafe!w --fix!w --unsafe --suppress!w --reporter-file=w "
			"--reporter=d --config-path=d --since=d --only=d --skip=d --stdin-file-path=d -h!h --help!h",
		.operands = "d*" },
	{ .of = "biome|rome", .names = "init|migrate|start|stop|clean|upgrade", .options = "-h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	/* tsc ignores the case of its flags */
	{ .names = "tsc|tsgo",
		.options = TSC_OPTIONS, .operands = "d*", .traits = ZS_ROW_LONG_DASH,
		.grammar = ZS_GRAMMAR_COMPILES, .language = "typescript" },
	{ .names = "vue-tsc|svelte-check|attw", .options = TSC_OPTIONS, .operands = "d*",
		.traits = ZS_ROW_BUILDS | ZS_ROW_LONG_DASH },
	{ .names = "esbuild",
		.options = "--outfile=w --outdir=w --metafile=w --mangle-cache=w -h!h --help!h --version!h",
		.operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .names = "rollup",
		.options = "-o=w --file=w --output.file=w -d=w --dir=w --output.dir=w -i=d --input=d -c?N --config?N "
			"-f=d --format=d -n=d --name=d -p=d --plugin=d -e=d --external=d -g=d --globals=d "
			"--watch.onBundleEnd=y --watch.onBundleStart=y --watch.onEnd=y --watch.onError=y "
			"--watch.onStart=y -h!h --help!h -v!h --version!h", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .names = "vite",
		.options = "--outDir=w --assetsDir=d --ssr?N --emptyOutDir -c=d --config=d --base=d -m=d --mode=d "
			"--target=d --port=d --host?N -l=d --logLevel=d --profile?N -h!h --help!h -v!h --version!h",
		.operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .names = "webpack|rspack|webpack-cli",
		.options = "-o=w --output-path=w --output=w -j?W --json?W -c=d --config=d --config-name=d -m=d "
			"--merge --mode=d -e=d --entry=d -t=d --target=d -d=d --devtool=d --env=d --node-env=d "
			"--config-node-env=d --stats?N --name=d --extends=d -h!h --help!h -v!h --version!h",
		.operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .names = "parcel",
		.options = "--dist-dir=w --cache-dir=d --public-url=d --target=d --log-level=d --config=d -p=d "
			"--port=d --reporter=d --detailed-report?N -h!h --help!h -V!h --version!h",
		.operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .names = "swc|babel",
		.options = "-o=w --out-file=w -d=w --out-dir=w -f=d --filename=d --config-file=d --presets=d "
			"--plugins=d --only=d --ignore=d -x=d --extensions=d -C=d --config=d -s?N --source-maps?N "
			"--delete-dir-on-start!w -h!h --help!h -V!h --version!h", .operands = "d*",
		.traits = ZS_ROW_BUILDS },
	{ .names = "tsup|microbundle|bunchee|unbuild|tsdown|pkgroll",
		.options = "-d=w --out-dir=w -o=w --output=w --dist=w --onSuccess=y --entry=d -f=d --format=d "
			"--target=d --tsconfig=d -c=d --config=d --watch?N --dts?N -h!h --help!h -v!h --version!h",
		.operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .names = "sass|sassc|node-sass|lessc",
		.options = "-s=d --style=d -I=d --load-path=d --include-path=d -t=d -p=d --precision=d -o=w --output=w "
			"--importer=d --functions=d --source-map?W --watch -w -h!h --help!h --version!h -v!h",
		.operands = "rwd*", .grammar = ZS_GRAMMAR_SASS },
	{ .names = "terser|uglifyjs|browserify|html-minifier|html-minifier-terser|"
			"csso|ejs|nunjucks|mmdc|pug-cli|purgecss|lightningcss|marked|"
			"ncc",
		.options = "--outfile=w -o=w --output=w --out=w --out-file=w --output-file=w --output-dir=w "
			"--out-dir=w --dir=w -d=d -r=d --replace!w -i=d --input=d -c=d --config=d -p=d -m=d "
			"--compress --mangle --help!h --version!h -h!h -v!h -V!h", .operands = "d*" },
	{ .names = "cleancss", .options = "-o=w --output=w -b!w --batch!w --batch-suffix=d -O=d -f=d --format=d "
			"--with-rebase --source-map -d -h!h --help!h -v!h --version!h", .operands = "r*" },
	{ .names = "tailwindcss|tailwind", .options = "-o=w --output=w -i=r --input=r -c=d --config=d "
			"--content=d -m -w "
			"--watch --minify --cwd=d -h!h --help!h --version!h", .operands = "d*",
		.grammar = ZS_GRAMMAR_VERB, .traits = ZS_ROW_BUILDS },
	{ .of = "tailwindcss|tailwind", .names = "init", .traits = ZS_ROW_WRITES },
	{ .names = "postcss", .options = "-o=w --output=w -d=w --dir=w -r!w --replace!w -b=d --base=d -c=d --config=d "
			"--ext=d -u=d --use=d --parser=d --stringifier=d --syntax=d -m --map --no-map -w --watch "
			"--verbose --poll --env=d -h!h --help!h --version!h", .operands = "r*",
		.traits = ZS_ROW_BUILDS },
	{ .names = "json5", .options = "-c!w --convert!w -o=w --out-file=w -s=d --space=d -v --validate -V!h "
			"--version!h -h!h --help!h", .operands = "r*" },
	{ .names = "jsonlint", .options = "-i!w --in-place!w -w!w --write!w -o=w --output=w -c -q --quiet -s "
			"--sort-keys -t=d --indent=d -V=d --validate=d -e=d --environment=d -v!h --version!h -h!h "
			"--help!h", .operands = "r*" },
	{ .names = "remark", .options = "-o?w --output?w -i=d --ignore-path=d -r=d --rc-path=d -s=d --setting=d -u=d "
			"--use=d -e=d --ext=d -f -q -S -t --tree -T -w!w --watch!w --report=d --file-path=d "
			"--inspect!h -h!h --help!h -v!h --version!h", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .names = "handlebars", .options = "-f=w --output=w --map=w -e=d --extension=d -k=d --known=d -n=d "
			"--namespace=d -r=d --root=d -c=d --commonjs=d -h=d --help!h --version!h", .operands = "d*" },
	/* these write beside their source, unless they get -p or read standard input */
	{ .names = "stylus", .options = "-p!r --print!r -o=W --out=W -I=d -u=d -U -w -h!h --help!h -V!h --version!h",
		.operands = "r*", .traits = ZS_ROW_WRITES | ZS_ROW_LISTS },
	{ .names = "pug|jade", .options = "-o=W --out=W -O=d --obj=d -p=d --path=d -E=d -P -D -H -w -h!h "
			"--help!h -V!h --version!h", .operands = "r*", .traits = ZS_ROW_WRITES | ZS_ROW_LISTS },
	{ .names = "lsc", .options = "-c!w --compile!w -o=w --output=w -e=k --eval=k -p --print -m -b -k -w -v!h "
			"--version!h -h!h --help!h", .operands = "fd*",
		.traits = ZS_ROW_NO_PERMUTE | ZS_ROW_STDIN_CODE, .language = "livescript" },
	{ .names = "svgr", .options = "-d=w --out-dir=w --ext=d --template=d --config-file=d -h!h --help!h",
		.operands = "r*" },
	{ .names = "svg-sprite", .options = "-D=d --dest=d -l=d -p=d -h!h --help!h --version!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "license|license-generator|gitignore|update-browserslist-db|touch-cli|nexe|create-gitignore|"
			"all-contributors|npm-init|gitignore.io",
		.options = "-l!r --list!r -h!h --help!h -v!h -V!h --version!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "jest",
		.options = "-u!w --updateSnapshot!w --update-snapshot!w --ci --init!w --outputFile=w "
			"--coverageDirectory=w --coverage --collectCoverage --cacheDirectory=w --clearCache -o "
			"--onlyChanged -c=d --config=d -t=d --testNamePattern=d --testPathPattern=d "
			"--testPathPatterns=d --rootDir=d --roots=d --reporters=d --coverageReporters=d "
			"--collectCoverageFrom=d --maxWorkers=d -w=d --env=d --testEnvironment=d --shard=d --seed=d "
			"--testTimeout=d --setupFiles=d --projects=d --selectProjects=d --json -h!h --help!h "
			"--version!h", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .names = "vitest",
		.options = "-u!w --update?w --outputFile=w --outputFile.json=w --outputFile.junit=w "
			"--outputFile.html=w --outputFile.blob=w --outputJson=w --json=w --compare=d --coverage "
			"--coverage.reportsDirectory=w --attachmentsDir=w -c=d --config=d -r=d --root=d -t=d "
			"--testNamePattern=d --dir=d --reporter=d --environment=d --pool=d --mode=d --project=d "
			"--shard=d --exclude=d --testTimeout=d --bail=d --retry=d --maxWorkers=d --run -h!h --help!h "
			"-v!h --version!h", .operands = "d*", .grammar = ZS_GRAMMAR_VERB, .traits = ZS_ROW_BUILDS },
	{ .of = "vitest", .names = "init", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "mocha|_mocha",
		.options = "-R=d --reporter=d -O=O --reporter-option=O --reporter-options=O -g=d --grep=d -f=d "
			"--fgrep=d -u=d --ui=d -t=d --timeout=d --timeouts=d -s=d --slow=d -r=f --require=f "
			"--config=d --package=d --spec=d --file=d --extension=d --ignore=d --exclude=d -j=d --jobs=d "
			"--retries=d -n=d --node-option=d -h!h --help!h -V!h --version!h --list-reporters!h "
			"--list-interfaces!h", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .names = "ava",
		.options = "-u!w --update-snapshots!w -m=d --match=d -c=d --concurrency=d -T=d --timeout=d "
			"--config=d --node-arguments=d --help!h --version!h", .operands = "d*",
		.traits = ZS_ROW_BUILDS },
	{ .names = "tap",
		.options = "-S!w --snapshot!w -f=w --reporter-file=w -s=w --save=w -o=w --output-file=w -d=w "
			"--output-dir=w -F!w --save-fixture!w -R=d --reporter=d -r=d --reporter-arg=d -t=d "
			"--timeout=d -j=d --jobs=d -g=d --grep=d --coverage-report=d --before=f --after=f "
			"--include=d --exclude=d --test-arg=d --node-arg=d -h!h --help!h -v!h --version!h -V!h "
			"--versions!h", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .names = "jasmine|karma|wtr|web-test-runner|uvu|lab|qunit|tape|web-ext|artillery|autocannon|testcafe|wdio|"
			"codeceptjs|nightwatch",
		.options = "-o=w --output=w --output-path=w --outputFile=w --output-folder=w --report-dir=w "
			"--update-snapshots!w --init!w --reporter=d --config=d --filter=d --grep=d --coverage -h!h "
			"--help!h -v!h --version!h", .operands = "d*", .traits = ZS_ROW_BUILDS | ZS_ROW_OPEN },
	{ .names = "cypress", .options = "-h!h --help!h -v!h --version!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "cypress", .names = "run|open|verify|version|info|cache|install|help",
		.options = "-b=d --browser=d -c=d --config=d -C=d --config-file=d -e=d --env=d -P=d --project=d -s=d "
			"--spec=d -r=d --reporter=d -o=O --reporter-options=O -p=d --port=d -t=d --tag=d -k=d "
			"--key=d", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .names = "playwright", .options = "-h!h --help!h -V!h --version!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "playwright",
		.names = "test|list|show-report|show-trace|install|install-deps|merge-reports|help|test-server",
		.options = "-u!w --update-snapshots?w --output=w -c=d --config=d -g=d --grep=d --project=d "
			"--reporter=d --shard=d -j=d --workers=d --timeout=d --retries=d --repeat-each=d --ui "
			"--trace=d --max-failures=d --tsconfig=d", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .of = "playwright", .names = "codegen|screenshot|pdf|cr|ff|wk|open|init-agents|uninstall|clear-cache",
		.options = "-h!h --help!h -o=W --output=W", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "knip",
		.options = "-f!w --fix!w --fix-type=d -F!w --format!w --allow-remove-files --output-file=w -c=d "
			"--config=d -t=d --tsConfig=d -W=d --workspace=d -D=d --directory=d --include=d --exclude=d "
			"--reporter=d --files -h!h --help!h -V!h --version!h", .operands = "d*",
		.traits = ZS_ROW_BUILDS },
	{ .names = "depcheck|madge|publint|size-limit|license-checker|license-checker-rseidelsohn|npm-check|"
			"dependency-cruiser|depcruise|ls-lint|secretlint|type-coverage|syncpack-lint|es-check|"
			"bundlesize|api-extractor|jscpd|webhint|hint|pa11y|html-validate|htmlhint|ajv|"
			"spectral|redocly|swagger-cli|swagger-parser|graphql-inspector|npmPkgJsonLint",
		.options = "--output=w -o=w --output-to=w --output-file=w --out=w -i=d --image=w --update!w -u!w "
			"--fix!w --in-place!w --local!w --save-index!w --files=w --json --csv -f=d --format=d "
			"--config=d -c=d "
			"-h!h --help!h -v!h -V!h --version!h", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .names = "ncu|npm-check-updates",
		.options = "-u!w --upgrade!w -i!w --interactive!w -d!w --doctor!w --cacheFile=w -f=d --filter=d -x=d "
			"--reject=d -t=d --target=d --packageFile=d --cwd=d --dep=d --cache --format=d -h!h --help!h "
			"-v!h -V!h --version!h", .operands = "d*" },
	{ .names = "syncpack", .options = "-h!h --help!h -V!h --version!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "syncpack", .names = "list|lint|list-mismatches|lint-semver-ranges|prompt|json", .operands = "d*" },
	{ .of = "syncpack", .names = "fix|format|update|fix-mismatches|set-semver-ranges",
		.options = "--dry-run!r --check!r -h!h --help!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "sort-package-json", .options = "--check!r -c!r -h!h --help!h -v!h --version!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "lint-staged|husky|np|release-it|semantic-release|standard-version|changelogen|degit|plop|hygen|"
			"yo|create-react-app|create-vite|create-next-app|patch-package|"
			"graphql-codegen|barrelsby|"
			"jscodeshift|codemod|ts-migrate",
		.options = "--dry-run!r --dry!r -d!r --check!r -h!h --help!h -v!h -V!h --version!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "openapi-generator|openapi-generator-cli", .options = "-h!h --help!h --version!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "openapi-generator|openapi-generator-cli",
		.names = "validate|list|help|version|config-help|completion|version-manager",
		.options = "-h!h --help!h", .operands = "d*" },
	{ .of = "openapi-generator|openapi-generator-cli", .names = "*",
		.options = "--dry-run!r -h!h --help!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "json2ts", .options = "-o=w --output=w -i=r --input=r --cwd=d -h!h --help!h", .operands = "rw" },
	{ .names = "quicktype|openapi-typescript|swagger-typescript-api",
		.options = "-o=w --output=w -out=w --out=w -i=r --input=r -l=d --lang=d -s=d --src=r -t=d "
			"--top-level=d "
			"--src-lang=d --config=d -c=d --graphql-introspect=w -h!h --help!h -v!h --version!h",
		.operands = "r*" },
	{ .names = "changeset", .options = "-h!h --help!h -v!h --version!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "changeset", .names = "status", .options = "--output=w -o=w --since=d --verbose", .operands = "d*" },
	{ .of = "changeset", .names = "add|version|publish|init|pre|tag", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "documentation", .options = "-o=w --output=w -f=d --format=d -h!h --help!h --version!h",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "documentation", .names = "build|lint|serve|help", .options = "-o=w --output=w -f=d --format=d -c=d "
			"--config=d -t=d --theme=d --project-name=d", .operands = "d*" },
	{ .of = "documentation", .names = "readme", .options = "-d!r --diff-only!r -q -s=d --section=d "
			"--readme-file=d", .operands = "d*", .traits = ZS_ROW_WRITES },
	/* both write into default folders (docs, out) */
	{ .names = "typedoc|jsdoc",
		.options = "-X!r --explain!r --showConfig!r --out=w --json=w --html=w -d=w --destination=w -o=w "
			"--output=w -t=d --template=d -c=d "
			"--configure=d --options=d --tsconfig=d --entryPoints=d --emit=d -h!h --help!h -v!h "
			"--version!h", .operands = "d*", .traits = ZS_ROW_BUILDS | ZS_ROW_WRITES },
	{ .names = "npm-run-all|run-s|run-p|npm-run-all2|wireit", .options = "-h!h --help!h -v!h --version!h",
		.operands = "d*", .grammar = ZS_GRAMMAR_TASKS, .traits = ZS_ROW_BUILDS },
	/* nx TARGET PROJECT, nx run PROJECT:TARGET */
	{ .names = "nx",
		.options = "--file=w --output=d --fix!w -t=d --target=d --targets=d -p=d --projects=d --exclude=d "
			"-c=d --configuration=d --parallel?N --base=d --head=d --graph?W --outputPath=w "
			"--outputFile=w --updateSnapshot!w -u!w --files=d --runner=d --dry-run!h --dryRun!h -d!h "
			"--check!h -h!h --help!h --version!h", .operands = "d*", .grammar = ZS_GRAMMAR_VERB,
		.traits = ZS_ROW_BUILDS },
	{ .of = "nx",
		.names = "format:write|format|generate|g|init|migrate|reset|repair|import|add|connect|new|release|"
			"sync|fix-ci|view-logs", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "turbo",
		.options = "--profile?W --anon-profile?W --graph?W --filter=d -F=d --summarize --dry-run?r --dry?r "
			"--concurrency=d --cache-dir=d --cwd=d --output-logs=d --log-order=d --out-dir=w --ui=d -h!h "
			"--help!h --version!h", .operands = "d*", .grammar = ZS_GRAMMAR_VERB, .traits = ZS_ROW_BUILDS },
	{ .of = "turbo", .names = "prune|gen|generate", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "lerna|rush|rushx", .options = "-h!h --help!h -v!h --version!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "lerna|rush|rushx",
		.names = "run|ls|list|ll|la|changed|diff|info|exec|build|rebuild|check|test|install|bootstrap",
		.operands = "d*", .grammar = ZS_GRAMMAR_SCRIPT_ARGS, .traits = ZS_ROW_BUILDS },
	{ .of = "lerna|rush|rushx",
		.names = "version|publish|add|create|init|import|link|clean|repair|update|change|purge|unlink|deploy|"
			"init-autoinstaller", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "ng", .options = "-h!h --help!h --version!h", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "ng",
		.names = "build|b|test|t|lint|serve|s|dev|e2e|e|version|v|run|extract-i18n|help|doc|analytics|cache|"
			"config|completion",
		.options = "--output-path=w --fix!w --out-file=w --watch --browsers=d -c=d --configuration=d "
			"--project=d -h!h --help!h", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .of = "ng", .names = "generate|g|add|new|n|update|deploy|mcp", .options = "--dry-run!r -d!r -h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "next|nuxt|nuxi|astro|gatsby|svelte-kit|remix|vue|vue-cli-service|storybook|sb|react-scripts|expo|"
			"react-native|docusaurus|vuepress|vitepress|eleventy|quasar|ionic|sanity|medusa|strapi|nest|"
			"electron-builder|electron-forge|craco|umi|ice|taro|uni",
		.options = "-h!h --help!h -v!h --version!h", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "next|nuxt|nuxi|astro|gatsby|svelte-kit|remix|vue|vue-cli-service|storybook|sb|react-scripts|expo|"
			"react-native|docusaurus|vuepress|vitepress|eleventy|quasar|ionic|nest|craco|umi|taro",
		.names = "build|dev|start|preview|serve|test|lint|check|typecheck|info|doctor|analyze|help|version|"
			"telemetry|inspect|develop",
		.options = "--fix!w --output-dir=w --outDir=w --out-dir=w -o=w --output=w --output-file=w "
			"--outfile=w --dest=w -u!w --updateSnapshot!w --coverage -p=d --port=d -h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .of = "next|nuxt|nuxi|astro|gatsby|svelte-kit|remix|vue|vue-cli-service|storybook|sb|react-scripts|expo|"
			"react-native|docusaurus|vuepress|vitepress|quasar|ionic|sanity|medusa|strapi|nest|"
			"electron-builder|electron-forge|ice|uni|eleventy",
		.names = "add|init|create|new|generate|g|eject|upgrade|migrate|prebuild|install|publish|deploy|"
			"module|codemod|sync|clean|cleanup|automigrate|extract|write-translations|swizzle",
		.options = "--dry-run!r -h!h --help!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "prisma|drizzle-kit|typeorm|sequelize|sequelize-cli|knex|mikro-orm|db-migrate",
		.options = "-h!h --help!h -v!h --version!h", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "prisma|drizzle-kit|typeorm|sequelize|sequelize-cli|knex|mikro-orm|db-migrate",
		.names = "validate|version|debug|studio|check|status|migrate:list|migrate:status|list|"
			"migrate:currentVersion|help", .operands = "d*" },
	{ .of = "drizzle-kit|typeorm|sequelize|sequelize-cli|knex|mikro-orm|db-migrate",
		.names = "format|generate|init|push|pull|introspect|drop|up|down|create|seed|entity:create|"
			"subscriber:create|db:migrate:undo:all|db:seed:undo|db:seed:undo:all|seed:generate|"
			"migration:create|migration:generate|migration:run|migration:revert|schema:sync|schema:drop|"
			"db:migrate|db:migrate:undo|db:seed|db:seed:all|db:create|db:drop|migrate:make|"
			"migrate:latest|migrate:up|migrate:down|migrate:rollback|seed:run|seed:make|model:generate",
		.options = "-h!h --help!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "prisma", .names = "format|generate|init", .options = "--check!r -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .of = "prisma", .names = "db|migrate", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "prisma migrate", .names = "status|diff", .options = "-o=w --output=w", .operands = "d*" },
	{ .of = "prisma db|prisma migrate", .names = "push|pull|execute|seed|dev|deploy|reset|resolve",
		.options = "-h!h --help!h --print!r", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "http-server|serve|live-server|forever|wait-on|newman|json-server|http-proxy|localtunnel",
		.options = "--export-environment=w --export-globals=w --reporter-json-export=w "
			"--reporter-junit-export=w --reporter-html-export=w -h!h --help!h --version!h",
		.operands = "d*" },
	/* svgo writes over its input */
	{ .names = "svgo",
		.options = "-o=W --output=W -i=w --input=w -f=w --folder=w -s=d --string=d --config=d "
			"--show-plugins!h -h!h --help!h -v!h --version!h", .operands = "w*" },
	{ .names = "lighthouse",
		.options = "--output-path=w --output=d --save-assets!w --view -A -G --config-path=d --preset=d "
			"--list-all-audits!h -h!h --help!h --version!h", .operands = "d*" },
};
// clang-format on
ZS_TABLE_COUNT(javascript);
