/* Linters, scanners and formatters of shell, Markdown, TOML, protobuf, C and much else. */
#include "rows/rows_table.h"

// clang-format off
ZS_TABLE(linters) = {
	{ .names = "shellcheck",
		.options = "-f=d --format=d -s=d --shell=d -e=d --exclude=d -i=d --include=d -o=d --enable=d -P=d "
			"--source-path=d -S=d --severity=d -W=d --wiki-link-count=d -x -a --check-sourced "
			"--external-sources -C?N --color?N --rcfile=d --norc --list-optional!h --help!h -V!h "
			"--version!h", .operands = "d*" },
	{ .names = "shfmt",
		.options = "-w!i --write!i -l --list -d --diff -i=d --indent=d -ln=d --language-dialect=d -p --posix "
			"-s --simplify -mn --minify -bn -ci -sr -kp -fn -f --find -tojson -to-json -filename=d "
			"--filename=d --apply-ignore -version!h --version!h -h!h --help!h", .operands = "r*",
		.traits = ZS_ROW_LONG_DASH },
	{ .names = "bashate|checkbashisms|bats|shellspec|shunit2|roundup|shellharden",
		.options = "--replace!w -o=w --output=w --report-formatter=d --gather-test-outputs-in=w --tempdir=d "
			"-r --reportdir=w --init!w --check!r -h!h --help!h -v!h --version!h", .operands = "d*",
		.grammar = ZS_GRAMMAR_VERB, .traits = ZS_ROW_BUILDS },
	{ .names = "hadolint",
		.options = "-f=d --format=d -c=d --config=d --ignore=d --trusted-registry=d --failure-threshold=d "
			"-t=d --require-label=d -h!h --help!h -v!h --version!h", .operands = "d*" },
	{ .names = "actionlint|zizmor|pinact|ratchet",
		.options = "--fix?w -fix!w -format=d -ignore=d -config-file=d -shellcheck=d -pyflakes=d "
			"-init-config!w --format=d -o=d --config=d --min-severity=d --persona=d -version!h "
			"--version!h -help!h --help!h -h!h", .operands = "d*", .grammar = ZS_GRAMMAR_VERB },
	{ .of = "pinact|ratchet", .names = "pin|update|upgrade|unpin|run|init", .traits = ZS_ROW_WRITES },
	{ .names = "markdownlint",
		.options = "-f!w --fix!w -o=w --output=w -c=d --config=d --configPointer=d -i=d --ignore=d -p=d "
			"--ignore-path=d -r=d --rules=d --enable=d --disable=d -d --dot -j --json -q --quiet -s "
			"--stdin -h!h --help!h -V!h --version!h", .operands = "d*" },
	{ .names = "markdownlint-cli2",
		.options = "--fix!w --config=d --configPointer=d --no-globs --format -h!h --help!h",
		.operands = "d*" },
	{ .names = "mdl|textlint|proselint|vale|write-good|alex|cspell|commitlint|lychee|markdown-link-check|"
			"linkchecker|htmltest|muffet|rumdl|languagetool|doc8|rstcheck|docstrfmt|markdown-toc",
		.options = "-o?w --output=w --output-file=w --fix!w -i!w --in-place!w --init!w --file-output=w -F=d "
			"-f=d --format=d --formatter=d --config=d -c=d --rulesdir=d --rule=d --preset=d --dry-run!r "
			"--check!r -h!h --help!h -v!h -V!h --version!h", .operands = "d*",
		.grammar = ZS_GRAMMAR_VERB },
	{ .names = "doctoc", .options = "-s!r --stdout!r -d!r --dryrun!r --maxlevel=d -m=d --title=d -h!h --help!h",
		.operands = "w*", .traits = ZS_ROW_WRITES },
	{ .of = "vale|rumdl|cspell", .names = "sync|fmt|init", .traits = ZS_ROW_WRITES },
	{ .names = "taplo", .options = "--colors=d --verbose --log-spans -h!h --help!h -V!h --version!h",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "taplo", .names = "fmt|format",
		.options = "--check!r --diff -c=d --config=d -o=d --option=d --cache-path=d --stdin-filepath=d -h!h "
			"--help!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "taplo", .names = "lint|check|validate|lsp|config|cfg|get|toml-test|completions|help",
		.operands = "d*" },
	{ .names = "tombi", .options = "-h!h --help!h -V!h --version!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "tombi", .names = "format", .options = "--check!r --diff!r -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .of = "tombi", .names = "lint|lsp|completion|help", .operands = "d*" },
	{ .names = "nixfmt|nixpkgs-fmt|alejandra|statix|nixf|treefmt|nufmt",
		.options = "-c!r --check!r --fail-on-change --ci!r -o=d -f --version!h -h!h --help!h -V!h",
		.operands = "d*", .traits = ZS_ROW_WRITES, .grammar = ZS_GRAMMAR_VERB },
	{ .names = "deadnix", .options = "-e!w --edit!w -f -q -l -L -_ -h!h --help!h --version!h -o=d",
		.operands = "d*" },
	{ .of = "statix", .names = "check|explain|list", .operands = "d*" },
	{ .names = "jsonnetfmt",
		.options = "-i!i --in-place!i --test!h -n=d -o=w --output-file=w -h!h --help!h --version!h",
		.operands = "r*" },
	{ .names = "jsonnet",
		.options = "-o=w --output-file=w -m=w --multi=w -e=k --exec=k -J=d --jpath=d -V=d --ext-str=d -A=d "
			"--tla-str=d -S -y -c -h!h --help!h -v!h --version!h", .operands = "d*",
		.language = "jsonnet" },
	{ .names = "cue", .options = "-h!h --help!h", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "cue", .names = "eval|vet|def|version|help|cmd", .options = "-e=d -d=d -c -t=d -o=w --outfile=w",
		.operands = "d*" },
	{ .of = "cue", .names = "export", .options = "-o=w --outfile=w --out=d -e=d -t=d", .operands = "d*" },
	{ .of = "cue", .names = "fmt", .options = "--check!r -d!r --diff!r", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .of = "cue", .names = "fix|import|trim|mod|get|login|refactor", .options = "--dry-run!r -n!r",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "opa|regal|conftest", .options = "-h!h --help!h --version!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "opa|regal|conftest",
		.names = "eval|test|check|lint|verify|inspect|parse|deps|capabilities|version|bench|run|exec|oracle|"
			"help",
		.options = "-o=d --output-file=w -d=d --data=d -i=d --input=d -f=d --format=d -p=d --policy=d",
		.operands = "d*" },
	{ .of = "opa|conftest", .names = "fmt", .options = "-w!i --write!i -d --diff -l --list --fail --check!h",
		.operands = "r*" },
	{ .of = "opa|regal|conftest", .names = "build|sign|fix|new|pull|push|refactor",
		.options = "--dry-run!r -h!h --help!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "buf", .options = "--debug --log-format=d --timeout=d -h!h --help!h --version!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "buf", .names = "lint|breaking|ls-files|curl|stats|help|lsp|price",
		.options = "--config=d --error-format=d --against=d --against-config=d --path=d --exclude-path=d",
		.operands = "d*" },
	{ .of = "buf", .names = "build|convert|export",
		.options = "-o=w --output=w --to=w --as-file-descriptor-set --config=d --path=d --type=d --from=d "
			"-h!h --help!h", .operands = "d*" },
	{ .of = "buf", .names = "format",
		.options = "-w!w --write!w -o=w --output=w -d --diff --exit-code --config=d --path=d "
			"--error-format=d -h!h --help!h", .operands = "d*" },
	{ .of = "buf", .names = "generate|push", .options = "-o=W --output=W -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .of = "buf", .names = "mod|dep|config|registry|beta|alpha|plugin|policy|completion", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "buf mod|buf dep|buf config|buf registry|buf plugin",
		.names = "graph|ls-lint-rules|ls-breaking-rules|ls-modules|whoami|list|info", .operands = "d*" },
	{ .of = "buf mod|buf dep|buf config|buf registry|buf plugin",
		.names = "init|update|prune|migrate|login|logout|clear-cache|push|create|delete",
		.options = "--diff!r -h!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "protoc|protoc-gen-doc",
		.options = "-o=w --descriptor_set_out=w --dependency_out=w --cpp_out=w --csharp_out=w --java_out=w "
			"--kotlin_out=w --objc_out=w --php_out=w --pyi_out=w --python_out=w --ruby_out=w "
			"--rust_out=w --upb_out=w --go_out=w --go-grpc_out=w --js_out=w --ts_out=w --es_out=w "
			"--dart_out=w --swift_out=w --grpc_out=w --grpc_python_out=w --grpc-java_out=w "
			"--grpc-web_out=w --grpc-gateway_out=w --openapiv2_out=w --openapi_out=w --validate_out=w "
			"--doc_out=w --grpc-swift_out=w --connect-go_out=w --connect-es_out=w --twirp_out=w "
			"--mypy_out=w --scala_out=w --lua_out=w --plugin=d -I=d --proto_path=d --encode=d --decode=d "
			"--version!h -h!h --help!h", .operands = "d*", .traits = ZS_ROW_LONG_DASH },
	{ .names = "clang-apply-replacements|fix_includes.py|clang-include-fixer|clang-doc|clang-move|"
			"clang-change-namespace",
		.options = "-n!r --dry_run!r -h!h -help!h --help!h -version!h --version!h", .operands = "d*",
		.traits = ZS_ROW_WRITES | ZS_ROW_LONG_DASH },
	{ .names = "clang-tidy|clang-tidy-diff.py|run-clang-tidy|include-what-you-use|clang-rename|"
			"clang-include-cleaner|iwyu_tool.py|clazy",
		.options = "--fix!w -fix!w --fix-errors!w --fix-notes!w --fix-mode=d --export-fixes=w --edit!w -i!w "
			"--style=d --format!w -format!w --checks=d -p=d --config=d --config-file=d --header-filter=d "
			"--line-filter=d --extra-arg=d --extra-arg-before=d --quiet --use-color "
			"--warnings-as-errors=d --store-check-profile?W --list-checks!h --dump-config!h "
			"--explain-config!h --verify-config!h -h!h --help!h --version!h", .operands = "d*",
		.traits = ZS_ROW_LONG_DASH },
	{ .names = "clang-format",
		.options = "-i!i -n!h --dry-run!h --Werror --style=d --fallback-style=d --assume-filename=d "
			"--lines=d --offset=d --length=d --cursor=d --files=d --output-replacements-xml!h "
			"--dump-config!h --sort-includes --verbose -h!h --help!h --version!h", .operands = "r*",
		.traits = ZS_ROW_LONG_DASH },
	{ .names = "git-clang-format",
		.options = "--diff!h --diffstat!h --style=d --commit=d --binary=d --extensions=d -h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "cmake-format|gersemi|cmake-lint|cmakelang|neocmakelsp",
		.options = "-i!i --in-place!i --check!h -c -d --diff!h -o=w --outfile-path=w --dump-config!h -l=d "
			"--line-length=d --config=d --config-files=d -h!h --help!h -v!h --version!h",
		.operands = "r*" },
	{ .names = "tex-fmt", .options = "-c!h --check!h -p!h --print!h -s!h --stdin!h -l=d --wraplen=d -t=d "
			"-h!h --help!h "
			"-V!h --version!h", .operands = "w*" },
	{ .names = "latexindent|bibtex-tidy|texlint|chktex|lacheck",
		.options = "-w!w -o=w --outputfile=w --output=w --modify!w -m!w -wd!w --overwrite!w "
			"--overwriteIfDifferent!w -c=d --check!r -l=d -y=d -s -h!h --help!h -v!h --version!h",
		.operands = "d*" },
	{ .names = "astyle|indent|uncrustify|zprint",
		.options = "-st!h --dry-run!h --check!h --stdin=d --stdout!h -c=d -f=d -o=w -l=d --style=d "
			"--options=d -q -v --version!h --help!h -h!h", .operands = "w*" },
	{ .names = "cppcheck",
		.options = "--output-file=w --plist-output=w --checkers-report=w --cppcheck-build-dir=w --dump!w "
			"--clang?N --addon=d --enable=d --disable=d --error-exitcode=d --file-list=d --file-filter=d "
			"-i=d -I=d -D=d -U=d -j=d -l=d --language=d -x=d --library=d --platform=d --project=d "
			"--rule=d --rule-file=d --std=d --suppress=d --suppressions-list=d --template=d --xml "
			"--xml-version=d --includes-file=d --include=d -q -v -h!h --help!h --version!h --errorlist!h "
			"--doc!h", .operands = "d*" },
	{ .names = "cpplint|vera++|oclint|flawfinder|splint|scan-build|codechecker|CodeChecker|pvs-studio-analyzer|"
			"lizard",
		.options = "--output=d -o=w --html=w --report-file=w --out=w --file=w --output_file=w --filter=d "
			"--extensions=d --sarif --include-lang=d --exclude-dir=d -f=d --format=d -h!h --help!h -v!h "
			"-V!h --version!h", .operands = "d*" },
	{ .names = "gitleaks",
		.options = "-r=w --report-path=w -f=d --report-format=d --report-template=d -c=d --config=d -b=d "
			"--baseline-path=d -s=d --source=d --log-opts=d --log-level=d -l=d --exit-code=d -v -h!h "
			"--help!h --version!h", .operands = "d*" },
	{ .names = "osv-scanner",
		.options = "--output=w --output-file=w --format=d -f=d --lockfile=d -L=d --config=d --sbom=d -S=d -r "
			"--recursive -h!h --help!h -v!h --version!h", .operands = "d*", .grammar = ZS_GRAMMAR_VERB },
	{ .names = "trufflehog",
		.options = "--repo=d --org=d --config=d --results=d --json -j --only-verified --since-commit=d "
			"--branch=d -h!h --help!h --version!h", .operands = "d*" },
	{ .names = "nuclei",
		.options = "-o=w -output=w -json-export=w -je=w -jsonl-export=w -jle=w -markdown-export=w -me=w "
			"-sarif-export=w -se=w -store-resp!w -sr!w -u=d -target=d -l=d -list=d -t=d -templates=d "
			"-rl=d -bs=d -c=d -tags=d -severity=d -update!w -up!w -update-templates!w -ut!w -version!h "
			"-h!h -help!h", .operands = "d*", .traits = ZS_ROW_LONG_DASH },
	{ .names = "trivy|snyk|tfsec|terrascan|kics|dependency-check|detect-secrets|horusec|bearer|kube-linter|dive|"
			"prowler|ort|dockle",
		.options = "-o=w --output=w --out=w --output-file=w -f=d --format=d -s=d --severity=d "
			"--json-file-output=w --sarif-file-output=w --html-file-output=w --output-path=w --update!w "
			"--baseline=d --baseline-path=d -c=d --config=d --cache-dir=d --generate-default-config!w -q "
			"--quiet --exit-code=d --skip-dirs=d --ignorefile=d -h!h --help!h -v!h -V!h --version!h",
		.operands = "d*", .grammar = ZS_GRAMMAR_VERB },
	/* -o is a format here, and may name a file too: -o json=sbom.json */
	{ .names = "grype|syft",
		.options = "-o=O --output=O --file=w -c=d --config=d -f=d --fail-on=d -s=d --scope=d -t=d "
			"--template=d -q -v --exclude=d -h!h --help!h --version!h", .operands = "d*" },
	{ .names = "kubeconform|kubeval|kube-score|polaris|pluto|datree|scorecard",
		.options = "-o=d --output=d -output=d --output-format=d --output-file=w -f=d --format=d --filename=d "
			"-d=d -h!h -v!h --help!h --version!h", .operands = "d*" },
	{ .of = "osv-scanner|trivy|snyk", .names = "fix|clean|init", .traits = ZS_ROW_WRITES },
	{ .names = "semgrep|opengrep",
		.options = "-a!w --autofix!w --fix!w -n!h --dryrun!h -o=w --output=w --json-output=w "
			"--sarif-output=w --text-output=w --emacs-output=w --vim-output=w --gitlab-sast-output=w "
			"--gitlab-secrets-output=w --junit-xml-output=w --matching-explanations -c=d -f=d --config=d "
			"-e=d --pattern=d -l=d --lang=d --include=d --exclude=d --severity=d -j=d --jobs=d "
			"--max-memory=d --timeout=d --baseline-commit=d --replacement=d --time --trace -q -v --json "
			"--sarif -h!h --help!h --version!h", .operands = "d*", .grammar = ZS_GRAMMAR_VERB },
	{ .of = "semgrep|opengrep", .names = "login|logout|publish|install-semgrep-pro", .traits = ZS_ROW_WRITES },
	{ .names = "ast-grep|comby|gritql|grit",
		.options = "-U!w --update-all!w -u!w --in-place!w -i!w --interactive!w -r=d --rewrite=d -p=d "
			"--pattern=d -l=d --lang=d -c=d --config=d -o=d --json?N -f=d --dry-run!h -n=d -h!h --help!h "
			"-V!h --version!h", .operands = "d*", .grammar = ZS_GRAMMAR_VERB },
	{ .of = "ast-grep|grit|gritql", .names = "new|apply|init", .traits = ZS_ROW_WRITES },
	{ .names = "tflint",
		.options = "--fix!w --init -f=d --format=d -c=d --config=d --chdir=d --filter=d --var=d --var-file=d "
			"--enable-rule=d --disable-rule=d --only=d --minimum-failure-severity=d --recursive -h!h "
			"--help!h -v!h --version!h", .operands = "d*" },
	{ .names = "terraform-docs",
		.options = "--output-file=w --output-mode=d -c=d --config=d -h!h --help!h -v!h --version!h",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "terraform-docs", .names = "markdown|json|yaml|tfvars|asciidoc|pretty|toml|xml|completion|version",
		.options = "--output-file=w --output-mode=d -c=d --config=d", .operands = "d*" },
	{ .names = "hclfmt", .options = "-w!i -check!h -version!h", .operands = "r*", .traits = ZS_ROW_LONG_DASH },
	{ .names = "vacuum|oasdiff|swagger-codegen|kiota",
		.options = "-o=w --output=w -r -f=d --format=d -h!h --help!h -version!h --version!h",
		.operands = "d*", .grammar = ZS_GRAMMAR_VERB },
	{ .names = "npm-groovy-lint",
		.options = "--fix!w --format!w --output=w -o=w -p=d --path=d -f=d --files=d -i=d --ignorepattern=d "
			"-c=d --config=d -l=d --loglevel=d --failon=d -h!h --help!h --version!h", .operands = "d*" },
	{ .names = "buildifier|gazelle", .options = "-mode=d -lint=d -type=d -path=d -r -d!r -version!h -help!h",
		.operands = "d*", .traits = ZS_ROW_WRITES | ZS_ROW_LONG_DASH, .grammar = ZS_GRAMMAR_MODE },
	{ .names = "buildozer", .options = "-stdout!r --help!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "swagger-codegen|kiota", .names = "generate|init|update|add", .traits = ZS_ROW_WRITES },
};
// clang-format on
ZS_TABLE_COUNT(linters);
