/* Compilers, build tools, test runners, linters and formatters. Running them is fine; naming an output or fixing in
 * place is a write. */
#include "rows.h"

#include "classify.h"

// clang-format off
ZS_TABLE(builders) = {
	{ .names = "make|gmake|bmake|nmake|remake",
		.options = "-f=f --file=f --makefile=f -C=d --directory=d -I=d --include-dir=d -j?N --jobs?N -l?N "
			"--load-average?N -o=d --old-file=d --assume-old=d -W=d --what-if=d --new-file=d "
			"--assume-new=d -O?N --output-sync?N --eval=k -E=k -t!w --touch!w -v!h --help!h "
			"--version!h", .operands = "d*", .grammar = zs_grammar_make, .language = "make" },
	{ .names = "ninja|samu", .options = "-f=f -C=d -j=d -k=d -l=d -t=d -d=d -w=d --version!h -h!h",
		.operands = "d*" },
	{ .names = "cmake",
		.options = "-E=d -S=d -B=d -G=d -D=d -U=d -C=f -P=f -A=d -T=d --build --install!w --open=d "
			"--workflow --preset=d --graphviz=w --system-information!h --trace-redirect=w -h!h -V!h "
			"--help!h --version!h -L -LA -N -t=d --target=d -j?N --parallel?N --config=d --verbose "
			"--toolchain=d --log-level=d --prefix=d", .operands = "d*", .grammar = zs_grammar_cmake },
	{ .names = "ctest",
		.options = "-T=d --output-log=w -O=w --output-junit=w --test-dir=d -R=d -E=d -L=d -j?N -C=d -N "
			"--timeout=d -h!h -V --help!h --version!h", .operands = "d*" },
	{ .names = "cpack", .traits = ZS_ROW_WRITES },
	{ .names = "meson", .options = "-v!h --help!h --version!h", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "meson", .names = "setup|compile|test|introspect|configure|devenv|help" },
	{ .of = "meson", .names = "install|init|dist|rewrite|wrap|subprojects|format|fmt", .traits = ZS_ROW_WRITES },
	{ .names = "gcc|g++|cc|c++|clang|clang++|cpp|gfortran|icc|tcc-cc|x86_64-linux-gnu-gcc|"
			"aarch64-linux-gnu-gcc|gdc|ldc2|dmd|nvcc|emcc|em++|mpicc|mpicxx",
		.options = "-o=w -Os -MF=w -MT=d -MQ=d -MJ=w -D=d -U=d -I=d -L=d -l=d -x=d -include=d -imacros=d "
			"-isystem=d -iquote=d -idirafter=d -Xlinker=d -Xpreprocessor=d -Xassembler=d -Xclang=d "
			"-arch=d -target=d --target=d --sysroot=d -isysroot=d -framework=d -T=d -u=d -e=d -z=d "
			"-wrapper=k -B=d -specs=f -fplugin=f -dumpversion!h -dumpmachine!h -print-file-name=d "
			"-aux-info=w -dumpdir=d -dumpbase=d -save-temps!w -ftime-trace!w -v --version!h --help!h",
		.operands = "d*", .traits = ZS_ROW_LONG_DASH | ZS_ROW_GLUED, .language = "gcc" },
	{ .names = "ld|ld.lld|ld.gold|mold|lld|as|nasm|yasm|gas|flex|bison|yacc|lex|swig|protoc|re2c|gperf|thrift|"
			"flatc|capnp|windres",
		.options = "-o=w --output=w -Map=w -l=d -d --defines?w -v!h -V!h --help!h --version!h "
			"--header-file=w --cpp_out=w --python_out=w --go_out=w --java_out=w --js_out=w "
			"--ruby_out=w --descriptor_set_out=w", .operands = "d*" },
	{ .names = "rustc",
		.options = "-o=w --out-dir=w --emit=d -C=d --crate-type=d --crate-name=d --edition=d --cfg=d -L=d "
			"-l=d --target=d --print=d -V!h -vV!h --explain=d -A=d -W=d -D=d --help!h --version!h",
		.operands = "d*" },
	{ .names = "go", .options = "-C=C", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "go", .names = "build|test|vet|run|list|bench",
		.options = "-o=w -C=d -p=d -tags=d -ldflags=d -gcflags=d -asmflags=d -gccgoflags=d -mod=d "
			"-modfile=d -overlay=d -pkgdir=w -toolexec=c -exec=c -buildmode=d -compiler=d "
			"-installsuffix=d -run=d -bench=d -benchtime=d -count=d -cpu=d -timeout=d -parallel=d "
			"-coverpkg=d -covermode=d -coverprofile=w -cpuprofile=w -memprofile=w -blockprofile=w "
			"-mutexprofile=w -trace=w -outputdir=w -fuzz=d -fuzztime=d -skip=d -list=d -shuffle=d "
			"-vet=d -vettool=c -f=d", .operands = "d*", .traits = ZS_ROW_LONG_DASH },
	{ .of = "go", .names = "version|doc|help" },
	{ .of = "go", .names = "env", .options = "-w!w -u!w -json -changed", .operands = "d*",
		.traits = ZS_ROW_LONG_DASH },
	{ .of = "go", .names = "mod|work", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "go mod", .names = "why|graph|verify|download" },
	{ .of = "go mod|go work", .names = "edit", .options = "-json!r -print!r", .operands = "d*",
		.traits = ZS_ROW_LONG_DASH | ZS_ROW_WRITES },
	{ .of = "go mod", .names = "tidy|init|vendor", .options = "-diff!r", .traits = ZS_ROW_WRITES },
	{ .of = "go work", .names = "init|sync|use|vendor", .traits = ZS_ROW_WRITES },
	{ .of = "go", .names = "get|fmt|fix|generate|install|clean|telemetry|bug", .options = "-n!r",
		.traits = ZS_ROW_WRITES },
	{ .of = "go", .names = "tool", .options = "-n!h", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "go tool", .names = "cover", .options = "-html=r -func=r -mode=d -var=d -o=w", .operands = "d*",
		.traits = ZS_ROW_LONG_DASH },
	{ .of = "go tool", .names = "pprof|trace|nm|objdump|addr2line|test2json|buildid|dist|doc",
		.options = "-output=w -w!w", .operands = "d*", .traits = ZS_ROW_LONG_DASH },
	{ .of = "go tool", .names = "compile|asm|link|pack|cgo|fix", .options = "-V!h", .operands = "d*",
		.traits = ZS_ROW_WRITES | ZS_ROW_LONG_DASH },
	{ .names = "gofmt|gofumpt|goimports|golines|gci", .options = "-w!w -l -d -s -e -r=d -cpuprofile=w -local=d",
		.operands = "r*", .traits = ZS_ROW_LONG_DASH },
	{ .names = "golangci-lint|staticcheck|errcheck|revive|gosec|govulncheck|ineffassign|misspell|gocyclo|dlv|"
			"gotestsum", .options = "--fix!w -w!w -fix!w --jsonfile=w --junitfile=w -out=w --out=w",
		.operands = "d*" },
	{ .names = "cargo",
		.options = "-q --quiet -v --verbose -V!h --version!h --list!h --help!h -h!h --color=d --config=d "
			"-Z=d --offline --locked --frozen -C=C", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "cargo",
		.names = "build|b|check|c|test|t|run|r|bench|clippy|doc|d|tree|metadata|nextest|audit|deny|"
			"outdated|search|info|locate-project|pkgid|read-manifest|verify-project|version|help|"
			"fetch|llvm-cov|tarpaulin|expand|miri|geiger|udeps|machete|hack|msrv|semver-checks|"
			"rustdoc|asm|bloat|report|rustc",
		.options = "-p=d --package=d --exclude=d --bin=d --example=d --test=d --bench=d --features=d -F=d "
			"--target=d --target-dir=d --manifest-path=d --profile=d -j=d --jobs=d --message-format=d "
			"--color=d --config=d -Z=d -h!h --help!h --fix!w --timings?N", .operands = "d*" },
	{ .of = "cargo", .names = "fmt", .options = "--check!r -h!h --help!h --all -p=d", .operands = "d*",
		.traits = ZS_ROW_WRITES, .grammar = zs_grammar_check_flag },
	{ .of = "cargo",
		.names = "add|remove|rm|init|new|update|fix|install|uninstall|publish|package|vendor|yank|login|"
			"logout|owner|generate-lockfile|clean|edit|upgrade|set-version|sort|generate|release",
		.options = "-h!h --help!h --dry-run!r", .traits = ZS_ROW_WRITES },
	{ .names = "rustfmt",
		.options = "--check!r --print-config!w --emit=d -h!h -V!h --help!h --version!h --edition=d "
			"--config=d --config-path=d", .operands = "w*" },
	{ .names = "rustup", .options = "-V!h --help!h --version!h -v -q", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "rustup", .names = "show|which|doc|check|help" },
	{ .of = "rustup", .names = "run", .operands = "dX" },
	{ .of = "rustup", .names = "update|install|default|toolchain|target|component|override|self|set|uninstall",
		.traits = ZS_ROW_WRITES },
	{ .names = "eslint|oxlint|standard|xo|stylelint|jshint|tslint|semistandard",
		.options = "--fix!w --fix-type=d -o=w --output-file=w --cache!N --init!w --ext=d -c=d --config=d "
			"--rule=d --parser=d --plugin=d --env=d --global=d -f=d --format=d --max-warnings=d "
			"--rulesdir=d --ignore-path=d --ignore-pattern=d --cache-location=w --cache-file=w "
			"--help!h --version!h", .operands = "d*" },
	{ .names = "prettier|dprint",
		.options = "-w!w --write!w --config=d --parser=d --log-level=d --loglevel=d --ignore-path=d "
			"--plugin=d --tab-width=d --print-width=d --cache-location=w --help!h --version!h",
		.operands = "d*" },
	{ .names = "biome|rome", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "biome|rome", .names = "check|lint|format|ci|explain|version|rage|search",
		.options = "--write!w --apply!w --apply-unsafe!w --fix!w --unsafe", .operands = "d*" },
	{ .of = "biome|rome", .names = "init|migrate|start|stop", .traits = ZS_ROW_WRITES },
	{ .names = "tsc|vue-tsc",
		.options = "--outDir=w --outFile=w --declarationDir=w --tsBuildInfoFile=w --generateTrace=w "
			"--generateCpuProfile=w --init!w -p=d --project=d --noEmit -b --build -w --watch -v!h "
			"--help!h --version!h", .operands = "d*", .traits = ZS_ROW_LONG_DASH },
	{ .names = "esbuild|swc|rollup|webpack|vite|parcel|tsup|babel|terser|uglifyjs|sass|lessc|postcss|"
			"tailwindcss|browserify|microbundle|svgo|html-minifier|cleancss",
		.options = "--outfile=w --outdir=w -o=w --out-file=w --out-dir=w -d=w --output=w --dest=w "
			"--file=w -i!N --metafile=w --allow-overwrite --help!h --version!h -h!h -v!h",
		.operands = "d*" },
	{ .names = "jest|vitest|mocha|ava|tap|jasmine|karma|cypress|playwright|wtr|uvu|lab|qunit|web-ext|lighthouse",
		.options = "-u!w --updateSnapshot!w --update-snapshots!w --update!w --outputFile=w --init!w "
			"--output=w -o=w --reporter-options=d --coverageDirectory=w --report-dir=w --reporter=d "
			"-t=d --testNamePattern=d --config=d -c=d --rootDir=d --coverage --help!h --version!h",
		.operands = "d*" },
	{ .names = "pytest|py.test|pytest-3",
		.options = "--junitxml=w --junit-xml=w --resultlog=w --result-log=w --report-log=w --html=w "
			"--json-report-file=w --cov-report=d --basetemp=w --debug?w --log-file=w "
			"--snapshot-update!w --force-regen!w --inline-snapshot=d -k=d -m=d -p=d -c=d -o=d "
			"--rootdir=d --confcutdir=d --ignore=d --ignore-glob=d --deselect=d --maxfail=d --tb=d "
			"-n=d --cov?N --durations=d --timeout=d -W=d -r=d --pastebin=d -V!h -h!h --help!h "
			"--version!h", .operands = "d*" },
	{ .names = "coverage", .options = "--version!h --help!h", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "coverage", .names = "report|help|debug" },
	{ .of = "coverage", .names = "run",
		.options = "-m=X --rcfile=d --source=d --include=d --omit=d -p --parallel-mode -a --append "
			"--branch --data-file=w --timid --concurrency=d --context=d", .operands = "fd*",
		.traits = ZS_ROW_NO_PERMUTE },
	{ .of = "coverage", .names = "html|xml|json|lcov|annotate|erase|combine", .traits = ZS_ROW_WRITES },
	{ .names = "tox|nox", .options = "-e=d --result-json=w --devenv=w -v --help!h --version!h", .operands = "d*" },
	{ .names = "black|isort|pyupgrade|add-trailing-comma|reorder-python-imports|unify|ssort|blue|darker|usort|"
			"pyink",
		.options = "--check!h --diff!h --check-only!h -c!h --version!h --help!h -h!h -l=d --line-length=d "
			"--config=d --target-version=d -t=d --profile=d -d!h --quiet -q -p=d --style=d "
			"--exclude=d --include=d --stdin-filename=d -", .operands = "w*" },
	{ .names = "autopep8",
		.options = "-i!i --in-place!i -d!h --diff!h --max-line-length=d --select=d --ignore=d -h!h "
			"--help!h --version!h --exclude=d", .operands = "r*" },
	{ .names = "yapf",
		.options = "-i!i --in-place!i -d!h --diff!h -q -r -p --style=d --exclude=d -e=d -l=d --lines=d "
			"-h!h --help!h --version!h -v!h", .operands = "r*" },
	{ .names = "autoflake|docformatter",
		.options = "-i!i --in-place!i -c!h --check!h --check-diff!h --imports=d --exclude=d -h!h --help!h "
			"--version!h", .operands = "r*" },
	{ .names = "ruff", .options = "-V!h -v -q -n --help!h --version!h -h!h --config=d", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "ruff", .names = "check|rule|config|linter|version|analyze|help",
		.options = "--fix!w --fix-only!w --add-noqa!w -o=w --output-file=w --diff --cache-dir=w "
			"--select=d --ignore=d --config=d -h!h", .operands = "d*" },
	{ .of = "ruff", .names = "format", .options = "--check!r --diff!r --config=d --line-length=d",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "ruff", .names = "clean", .traits = ZS_ROW_WRITES },
	{ .names = "2to3|lib2to3|modernize|futurize",
		.options = "-w!w --write!w -o=w --output-dir=w -f=d -x=d -l!h --list-fixes!h", .operands = "d*" },
	{ .names = "flake8|pylint|mypy|pyright|pycodestyle|pydocstyle|bandit|vulture|pyflakes|radon|xenon|pytype|"
			"pyre|basedpyright|ty|dmypy|codespell|yamllint|ansible-lint|shellcheck|hadolint|"
			"actionlint|markdownlint|markdownlint-cli2|jsonlint|cppcheck|cpplint|clang-tidy|"
			"checkbashisms|commitlint|proselint|vale|write-good|cspell|alex|sqlfluff|sqlfmt|"
			"standardrb|reek|brakeman|erb_lint|phpstan|psalm|phpcs|phan|phpmd|detekt|checkstyle|"
			"spotbugs|pmd|swiftlint|luacheck|credo|hlint|ormolu|fourmolu|tflint|buf|semgrep|trivy|"
			"grype|snyk|checkov|tfsec|knip|depcheck|madge|ncu|npm-check-updates|publint|attw|"
			"size-limit|taplo|zizmor",
		.options = "--fix!w --fix-dry-run --fix-only!w --write!w -w!w --in-place!w --inplace!w --output=w "
			"--output-file=w -o=w --report-file=w --out=w --apply!w --autofix!w --unsafe-fixes "
			"--generate-todo!w --auto-gen-config!w --auto-correct!w --autocorrect!w -a!w --format=d "
			"-f=d --config=d -c=d --junit-xml=w --xml-report=w --html-report=w --txt-report=w "
			"--cobertura-xml-report=w --linecount-report=w --any-exprs-report=w "
			"--lineprecision-report=w --write-changes!w -fix!w -fix-errors!w --fix-errors!w "
			"-fix-notes!w --alter!w --fix-unsafely!w -u!w --upgrade!w --generate-baseline?w "
			"--set-baseline?w --export-fixes=w --xml -h!h --help!h --version!h", .operands = "d*" },
	{ .names = "djlint", .options = "--reformat!w --check --lint --help!h --version!h", .operands = "d*" },
	{ .names = "rubocop",
		.options = "-a!w -A!w --auto-correct!w --autocorrect!w --auto-correct-all!w --autocorrect-all!w "
			"-x!w --fix-layout!w --auto-gen-config!w --regenerate-todo!w -o=w --out=w -f=d --format=d "
			"-c=d --config=d --only=d --except=d -h!h -v!h -V!h --help!h --version!h", .operands = "d*" },
	{ .names = "php-cs-fixer", .options = "--help!h --version!h", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .names = "phpcbf|pre-commit", .options = "--help!h --version!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "ktlint", .options = "-F!w --format!w --version!h -v!h --help!h -h!h --reporter=d",
		.operands = "d*" },
	{ .names = "google-java-format",
		.options = "-i!i --replace!i -r!i -a!i --aosp -n!h --dry-run!h --version!h --help!h",
		.operands = "r*" },
	{ .names = "swiftformat", .options = "--lint!r --version!h --help!h --dryrun!r", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "stylua", .options = "-c!r --check!r --version!h -V!h --help!h -h!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "shfmt", .options = "-w!w --write!w -l -d -i=d --indent=d -ln=d -p -s --version!h -version!h",
		.operands = "r*", .traits = ZS_ROW_LONG_DASH },
	{ .names = "nixfmt|nixpkgs-fmt", .options = "-c!r --check!r --version!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .of = "php-cs-fixer", .names = "check|list|describe|list-files" },
	{ .of = "php-cs-fixer", .names = "fix", .options = "--dry-run!r", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "clang-format|cmake-format|gersemi|dartfmt|terraform-fmt|jsonnetfmt|bean-format|latexindent|"
			"npm-groovy-lint",
		.options = "-i!i --in-place!i --inplace!i -n!h --dry-run!h --check!h -w!i --style=d -style=d "
			"--assume-filename=d -assume-filename=d --lines=d --offset=d --length=d -h!h -o=w "
			"--help!h --version!h", .operands = "r*" },
	{ .names = "git-clang-format", .options = "--diff!h -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "mdformat", .options = "--check!h --version!h --help!h -h!h", .operands = "w*" },
	{ .names = "javac|kotlinc|scalac|groovyc",
		.options = "-d=w -s=w -h=w -cp=d -classpath=d --class-path=d -sourcepath=d --source-path=d "
			"-source=d -target=d --release=d -processor=d -processorpath=d -encoding=d -version!h "
			"--version!h -help!h --help!h -Xlint?N", .operands = "d*",
		.traits = ZS_ROW_LONG_DASH | ZS_ROW_WRITES },
	{ .names = "javap|jdeps|jps|jstack|jinfo|jmap|jstat|jcmd|jdeprscan", .options = "-version!h",
		.operands = "d*" },
	{ .names = "jar", .operands = "d*", .grammar = zs_grammar_tar },
	{ .names = "javadoc|jlink|jpackage|keytool|native-image|serialver|rmic",
		.options = "-version!h --version!h -list!r", .traits = ZS_ROW_WRITES },
	{ .names = "mvn|mvnw|mvnd",
		.options = "-f=d --file=d -P=d -pl=d -D=d -s=d -gs=d -l=w --log-file=w -T=d -t=d -v!h --version!h "
			"-h!h --help!h", .operands = "d*" },
	{ .names = "gradle|gradlew|sbt|mill|bazel|bazelisk|buck|buck2|pants|please|lein|ant|rake|rspec|cucumber|"
			"minitest|rebar3|stack|cabal|dune|opam|xcodebuild|pod|fastlane|flutter|msbuild|nuget|"
			"just|task|mage|"
			"invoke|doit|scons|waf|premake5|xmake|build2|nimble|shards|phpunit|pest|behat|codecept|"
			"artisan|celery|gunicorn|uvicorn|flask|django-admin|manage.py|flit|twine|build|"
			"sphinx-build|mkdocs|jekyll|hugo|typedoc|jsdoc|doxygen|jupyter|nbconvert|papermill|locust|"
			"k6|newman|http-server|serve|live-server|pm2|forever|wait-on|turbo|nx|lerna|rush|"
			"changeset|semantic-release|storybook|ng|vue|next|nuxt|astro|gatsby|expo|react-native|"
			"svelte-kit|remix", .options = "-h!h --help!h --version!h", .operands = "d*" },
	{ .names = "astyle|indent|fantomas|scalafmt|elm-format|tex-fmt|uncrustify|cljfmt|zprint",
		.options = "--check!h --test!h --validate!h --dry-run!h --version!h --help!h -st!h -v -q -c=d "
			"--style=d", .operands = "w*" },
	{ .names = "mix|dart|zig|alembic|rails", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS,
		.options = "-chdir=C --version!h -version!h -help!h --help!h -h!h -v!h" },
	{ .of = "mix", .names = "test|compile|deps|credo|dialyzer|help|hex|run|xref|sobelow|local" },
	{ .of = "mix|dart|zig", .names = "format|fmt",
		.options = "--check-formatted!r --check!r --set-exit-if-changed -o=d --output=d --dry-run!r",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "mix", .names = "new|deps.get|deps.update|ecto.migrate|phx.new|release|archive.install",
		.traits = ZS_ROW_WRITES },
	{ .of = "dart", .names = "analyze|test|run|info|doc|pub|devtools|compile", .options = "-o=w --output=w" },
	{ .of = "dart", .names = "fix", .options = "--dry-run!r -n!r --apply", .traits = ZS_ROW_WRITES },
	{ .of = "dart", .names = "create", .traits = ZS_ROW_WRITES },
	{ .of = "zig", .names = "build|test|run|cc|c++|env|version|targets|zen|std|libc|help|ast-check|ar|build-exe",
		.options = "-femit-bin=w -o=w", .operands = "d*", .traits = ZS_ROW_LONG_DASH },
	{ .of = "zig", .names = "init|fetch|translate-c", .traits = ZS_ROW_WRITES },
	{ .of = "alembic", .names = "current|history|heads|branches|show|check|list_templates" },
	{ .of = "alembic", .names = "revision|upgrade|downgrade|stamp|init|merge|edit|ensure_version",
		.traits = ZS_ROW_WRITES },
	{ .of = "rails", .names = "test|test:all|routes|about|notes|stats|version|middleware|spec" },
	{ .of = "rails", .names = "runner|r", .operands = "k", .language = "ruby" },
	{ .of = "rails", .names = "console|c|dbconsole", .traits = ZS_ROW_STDIN_CODE },
	{ .of = "rails",
		.names = "generate|g|destroy|d|new|db:migrate|db:create|db:drop|db:seed|db:setup|db:reset|"
			"db:rollback|credentials:edit|assets:precompile", .traits = ZS_ROW_WRITES },
};
// clang-format on
ZS_TABLE_COUNT(builders);
