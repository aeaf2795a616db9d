/* Build tools, formatters and interpreters of the other languages: Swift, Elixir, Haskell, Zig, Dart, R, Lua, …. */
#include "rows/rows_table.h"

// clang-format off
ZS_TABLE(languages) = {
	/* Swift */
	{ .names = "swift", .options = "-e=k -I=d -L=d -D=d -h!h -help!h --help!h --version!h -version!h",
		.operands = "fd*", .traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_STDIN_CODE, .language = "swift" },
	{ .of = "swift", .names = "build|test|run|help|sdk",
		.options = "--xunit-output=w --package-path=d --scratch-path=d --build-path=d -c=d --configuration=d "
			"--product=d --target=d --filter=d --skip=d --triple=d -Xswiftc=d -Xcc=d -Xlinker=d "
			"--enable-code-coverage --attachments-path=w -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_BUILDS },
	{ .of = "swift", .names = "package",
		.options = "--package-path=d --scratch-path=d --build-path=d --allow-writing-to-package-directory!w "
			"--allow-writing-to-directory=w -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "swift package",
		.names = "describe|dump-package|show-dependencies|resolve|diagnose-api-breaking-changes|"
			"dump-symbol-graph|completion-tool|show-executables|show-traits",
		.options = "-o=w --output-path=w --type=d --format=d", .operands = "d*" },
	{ .of = "swift package",
		.names = "init|update|clean|reset|purge-cache|edit|unedit|add-dependency|add-product|add-target|"
			"add-target-dependency|add-setting|archive-source|tools-version|config|learn|migrate",
		.options = "--dry-run!r -n!r -h!h --help!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "swift", .names = "format",
		.options = "-i!i --in-place!i -m=d --mode=d -r --recursive -p -s --configuration=d "
			"--assume-filename=d -h!h --help!h", .operands = "r*", .grammar = ZS_GRAMMAR_VERB },
	{ .of = "swift format", .names = "lint|dump-configuration", .operands = "d*" },
	{ .names = "swift-format",
		.options = "-i!i --in-place!i -m=d --mode=d -r --recursive -p -s --configuration=d "
			"--assume-filename=d -h!h --help!h --version!h -v!h", .operands = "r*",
		.grammar = ZS_GRAMMAR_MODE },
	{ .names = "swiftc",
		.options = "-o=w -emit-module-path=w -module-cache-path=d -output-file-map=d -I=d -L=d -D=d -l=d "
			"-sdk=d -target=d -module-name=d -serialize-diagnostics-path=w -emit-objc-header-path=w "
			"-emit-dependencies-path=w -index-store-path=w -version!h --version!h -help!h --help!h -h!h",
		.operands = "d*", .traits = ZS_ROW_LONG_DASH, .grammar = ZS_GRAMMAR_COMPILES,
		.language = "swift" },
	{ .names = "swiftlint",
		.options = "--fix!w --autocorrect!w --format --output=w --write-baseline=w --baseline=d --config=d "
			"--path=d --reporter=d --strict --quiet --compiler-log-path=d --cache-path=w --only-rule=d "
			"-h!h --help!h --version!h", .operands = "d*", .grammar = ZS_GRAMMAR_VERB },
	{ .of = "swiftlint", .names = "autocorrect|generate-docs", .traits = ZS_ROW_WRITES },
	{ .names = "swiftformat",
		.options = "--lint!r --dryrun!r --dry-run!r --rules!h --options!h --ruleinfo!h --inferoptions!h "
			"--output=W --report=w --cache=d --config=d --swiftversion=d -h!h --help!h --version!h",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "xcodebuild",
		.options = "-project=d -workspace=d -scheme=d -target=d -configuration=d -destination=d -sdk=d "
			"-arch=d -derivedDataPath=d -resultBundlePath=w -archivePath=w -exportPath=w "
			"-resultStreamPath=w -xcconfig=d -exportOptionsPlist=d -toolchain=d "
			"-parallel-testing-worker-count=d -testPlan=d -only-testing:=d -skip-testing:=d "
			"-enableCodeCoverage=d -localizationPath=w -exportLocalizations!w -importLocalizations!w "
			"-exportArchive!w -exportNotarizedApp!w -create-xcframework!w -output=w "
			"-clonedSourcePackagesDirPath=d -list!h -showBuildSettings!h -showdestinations!h -showsdks!h "
			"-showTestPlans!h -checkFirstLaunchStatus!h -version!h -help!h -usage!h -license!w "
			"-runFirstLaunch!w -downloadPlatform=w -downloadAllPlatforms!w", .operands = "d*",
		.traits = ZS_ROW_BUILDS | ZS_ROW_LONG_DASH, .grammar = ZS_GRAMMAR_VERB },
	{ .of = "xcodebuild", .names = "install|archive|installsrc", .traits = ZS_ROW_WRITES },
	{ .names = "xcrun|xcbeautify|xcpretty|mint",
		.options = "-o=w --output=w --report-path=w --junit-report-filename=w -r=d --report=d --sdk=d "
			"--toolchain=d --find!h -f!h -h!h --help!h --version!h", .operands = "d*" },
	{ .names = "carthage|tuist|xcodegen|sourcery|swiftgen|mockolo|periphery|cocoapods|marathon",
		.options = "--help!h --version!h -h!h", .operands = "d*", .grammar = ZS_GRAMMAR_VERB },
	{ .of = "carthage|tuist|xcodegen|sourcery|swiftgen|mockolo",
		.names = "update|bootstrap|checkout|archive|generate|edit|scaffold|init|clean|install|sync|migrate|"
			"dump|clear-baseline", .traits = ZS_ROW_WRITES },
	/* Elixir, Erlang, Gleam */
	{ .names = "mix", .options = "-h!h --help!h -v!h --version!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "mix",
		.names = "test|compile|credo|dialyzer|help|run|xref|sobelow|local|app.tree|deps.tree|deps.audit|"
			"deps.compile|deps.loadpaths|hex.outdated|hex.audit|hex.info|hex.search|hex.docs|hex.diff|"
			"hex.package|phx.routes|phx.server|ecto.migrations|ecto.show|coveralls|coveralls.detail|"
			"test.coverage|test.watch|espec|doctor|docs|boundary|gettext.check|loadconfig|loadpaths|"
			"loadtask|profile.cprof|profile.eprof|profile.fprof|profile.tprof|format.check|deps|deps.get|"
			"hex|iex",
		.options = "-e=d --exclude=d --include=d --only=d --cover --seed=d --formatter=d --export-coverage=d "
			"-o=w --output=w --list-unused -h!h", .operands = "d*", .traits = ZS_ROW_BUILDS },
	/* mix deps.get is like npm install, so it passes */
	{ .of = "mix", .names = "format",
		.options = "--check-formatted!r --check-equivalent --dry-run!r --stdin-filename=d --dot-formatter=d "
			"-h!h --help!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "mix", .names = "eval", .operands = "k", .language = "elixir", .traits = ZS_ROW_BUILDS },
	{ .of = "mix", .names = "do", .operands = "d*", .grammar = ZS_GRAMMAR_TASKS },
	{ .of = "mix", .names = "cmd", .options = "--app=d --cd=C", .operands = "X", .traits = ZS_ROW_STRICT },
	{ .of = "mix",
		.names = "new|deps.update|deps.unlock|deps.clean|ecto.create|ecto.drop|ecto.migrate|ecto.rollback|"
			"ecto.dump|ecto.load|ecto.reset|ecto.setup|ecto.gen.migration|ecto.gen.repo|setup|phx.new|"
			"phx.gen|phx.gen.auth|phx.gen.cert|phx.gen.channel|phx.gen.context|phx.gen.embedded|"
			"phx.gen.html|phx.gen.json|phx.gen.live|phx.gen.notifier|phx.gen.presence|phx.gen.release|"
			"phx.gen.schema|phx.gen.socket|phx.digest|phx.digest.clean|release|release.init|"
			"archive.install|archive.build|archive.uninstall|escript.build|escript.install|"
			"escript.uninstall|local.hex|local.rebar|local.public_keys|local.phx|hex.build|hex.publish|"
			"hex.retire|hex.owner|hex.user|hex.organization|hex.repo|hex.config|hex.registry|"
			"gettext.extract|gettext.merge|assets.build|assets.deploy|assets.setup|tailwind.install|"
			"esbuild.install|clean|igniter.install|credo.gen.config|coveralls.html|coveralls.json|"
			"coveralls.xml|coveralls.lcov|coveralls.post|coveralls.github",
		.options = "--check-unused!r --dry-run!r -h!h --help!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "elixir|iex",
		.options = "-e=k --eval=k --rpc-eval=k -r=f -pr=f -pa=d -pz=d -S=X --name=d --sname=d --cookie=d "
			"--erl=d --logger-otp-reports=d --dot-iex=f --remsh=d --pipe-to=w -h!h --help!h -v!h "
			"--version!h", .operands = "fd*", .traits = ZS_ROW_NO_PERMUTE | ZS_ROW_STDIN_CODE,
		.language = "elixir" },
	{ .names = "elixirc|erlc", .options = "-o=w -pa=d -I=d -D=d -b=d -h!h --help!h -v!h --version!h",
		.operands = "d*" },
	{ .names = "erl",
		.options = "-eval=k -run=d -s=d -pa=d -pz=d -name=d -sname=d -setcookie=d -config=d -boot=d -noshell "
			"-noinput -version!h", .operands = "d*", .traits = ZS_ROW_LONG_DASH | ZS_ROW_STDIN_CODE,
		.language = "erlang" },
	{ .names = "escript", .operands = "fd*", .traits = ZS_ROW_NO_PERMUTE, .language = "erlang" },
	{ .names = "rebar3|rebar", .options = "-h!h --help!h -v!h --version!h", .operands = "d*",
		.grammar = ZS_GRAMMAR_VERB, .traits = ZS_ROW_BUILDS },
	{ .of = "rebar3|rebar", .names = "fmt|format|new|release|tar|upgrade|unlock|clean|update|install|hex|local",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "gleam", .options = "-h!h --help!h -V!h --version!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "gleam", .names = "build|check|test|run|deps|docs|help|hex|lsp|shell", .operands = "d*",
		.traits = ZS_ROW_BUILDS },
	{ .of = "gleam", .names = "format", .options = "--check!r --stdin!r -h!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .of = "gleam", .names = "add|remove|new|publish|clean|export|fix|update", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	/* Haskell, PureScript, Elm */
	{ .names = "stack",
		.options = "--stack-yaml=d --resolver=d --snapshot=d --work-dir=d -j=d -v -h!h --help!h --version!h "
			"--numeric-version!h", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "stack",
		.names = "build|test|bench|haddock|ghci|repl|path|ls|list|list-dependencies|query|dot|ide|run|runghc|"
			"runhaskell|ghc|hoogle|update",
		.options = "--copy-bins!w --local-bin-path=w --haddock --test-arguments=d --ta=d --ba=d --flag=d "
			"--ghc-options=d -h!h --help!h", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .of = "stack", .names = "exec", .options = "--package=d --stack-yaml=d --cwd=C -h!h", .operands = "X",
		.traits = ZS_ROW_STRICT },
	{ .of = "stack", .names = "eval", .operands = "k", .language = "haskell" },
	{ .of = "stack", .names = "install|new|init|setup|unpack|sdist|upload|upgrade|clean|purge|config|hpc|docker",
		.options = "-h!h --help!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "cabal",
		.options = "--config-file=d --store-dir=d -h!h --help!h -V!h --version!h --numeric-version!h",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "cabal",
		.names = "build|v2-build|new-build|test|v2-test|new-test|bench|check|run|repl|list|info|outdated|"
			"haddock|path|list-bin|target|update|help|gen-bounds|status",
		.options = "-w=d --with-compiler=d --builddir=d --test-show-details=d --test-options=d --flags=d "
			"-f=d --ghc-options=d --enable-coverage -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_BUILDS },
	{ .of = "cabal", .names = "exec|v2-exec", .options = "-v -h!h", .operands = "X", .traits = ZS_ROW_STRICT },
	{ .of = "cabal",
		.names = "install|v2-install|freeze|init|get|unpack|sdist|v2-sdist|upload|report|clean|v2-clean|"
			"configure|v2-configure|format|user-config|fetch|haddock-project|fix",
		.options = "--dry-run!r -h!h --help!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "runghc|runhaskell|ghci|hugs",
		.options = "-e=k -f=d --ghc-arg=d -ghci-script=f -i=d -X=d -package=d --version!h "
			"--numeric-version!h -h!h --help!h -?!h", .operands = "fd*",
		.traits = ZS_ROW_NO_PERMUTE | ZS_ROW_STDIN_CODE, .language = "haskell" },
	{ .names = "ghcid",
		.options = "-c=y --command=y -T=d --test=d -o=w --outputfile=w -r?N --run?N -h!h -?!h --help!h -V!h "
			"--version!h", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .names = "ghc",
		.options = "-e=k -o=w -odir=w -hidir=w -outputdir=w -stubdir=w -dumpdir=w -main-is=d -package=d -i=d "
			"-x=d -O -O0 -O1 -O2 -c -D=d -I=d -optc=d -optl=d -optP=d -ghci-script=f --make --run "
			"-version!h --version!h --numeric-version!h --info!h -help!h --help!h -V!h -?!h",
		.operands = "d*", .traits = ZS_ROW_LONG_DASH | ZS_ROW_GLUED, .grammar = ZS_GRAMMAR_COMPILES,
		.language = "haskell" },
	{ .names = "hlint",
		.options = "--refactor --refactor-options=d -r?w --report?w --default!h -h=d --hint=d -i=d "
			"--ignore=d -X=d -j?N --help!h -V!h --version!h -?!h", .operands = "d*" },
	{ .names = "ormolu|fourmolu",
		.options = "-i!i -m=d --mode=d -c -q --stdin-input-file=d -o=d -h!h --help!h -v!h --version!h "
			"--print-defaults!h", .operands = "r*", .grammar = ZS_GRAMMAR_MODE },
	{ .names = "hindent", .options = "--validate!h -X=d --style=d --line-length=d -h!h --help!h --version!h",
		.operands = "w*" },
	{ .names = "brittany|stylish-haskell|floskell",
		.options = "-i!i --inplace!i --in-place!i --write-mode=d -c=d --config=d --config-file=d -r -v "
			"--validate!h --defaults!h -h!h --help!h --version!h", .operands = "r*",
		.grammar = ZS_GRAMMAR_MODE },
	{ .names = "cabal-fmt|cabal-gild",
		.options = "-i!i --inplace!i -c!h --check!h -m=d --mode=d -I=d -O=w --io=w --output=w -h!h --help!h "
			"--version!h", .operands = "r*" },
	{ .names = "weeder|hpc|hpack|hspec-discover|haddock|implicit-hie|hoogle|spago|pulp|purs|purs-tidy|elm-test|"
			"elm-review|elm-analyse",
		.options = "-o=w --output=w --output-dir=w --odir=w --destdir=w --fix!w --fix-all!w "
			"--fix-all-without-prompt!w -f!w --force!w --report=d --config=d -h!h --help!h -v!h "
			"--version!h", .operands = "d*", .grammar = ZS_GRAMMAR_VERB },
	{ .of = "spago|pulp|purs-tidy|elm-test|elm-review|hpc|hoogle",
		.names = "install|init|format-in-place|new|publish|upgrade|uninstall|markup|sum|combine|overlay|"
			"draft|suppress|new-package|new-rule", .traits = ZS_ROW_WRITES },
	{ .names = "elm", .options = "--version!h --help!h", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "elm", .names = "make", .options = "--output=w --docs=w --report=d --debug --optimize",
		.operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .of = "elm", .names = "repl|reactor|diff", .operands = "d*" },
	{ .of = "elm", .names = "init|install|bump|publish|uninstall", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "elm-format",
		.options = "--validate!h --stdin!h --output=w --yes --elm-version=d --help!h --version!h -h!h",
		.operands = "w*" },
	/* OCaml, F#, Reason */
	{ .names = "dune", .options = "--root=d -p=d --profile=d -j=d --display=d -h!h --help!h --version!h",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "dune",
		.names = "build|b|test|runtest|describe|show|utop|top|ocaml|help|installed-libraries|rules|coq|"
			"printenv|ocaml-merlin|pkg|tools|diagnostics",
		.options = "--auto-promote!w --root=d --profile=d -p=d -j=d --display=d -w --watch --build-dir=d "
			"--trace-file=w --dump-memo-graph=w --store-orig-source-dir -f --force -n -h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .of = "dune", .names = "fmt|format", .options = "--preview!r -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .of = "dune", .names = "exec",
		.options = "--root=d --profile=d -w --watch --no-build -p=d -j=d --display=d --help!h",
		.operands = "X", .traits = ZS_ROW_STRICT },
	{ .of = "dune",
		.names = "promote|promotion|install|uninstall|init|clean|cache|upgrade|format-dune-file|subst|"
			"release|ocaml-index", .options = "-h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "opam", .options = "-y -q -v -h!h --help!h --version!h --switch=d --root=d", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "opam", .names = "list|show|info|search|env|lint|tree|depends|help", .operands = "d*" },
	{ .of = "opam", .names = "exec", .options = "--switch=d -v -q", .operands = "X", .traits = ZS_ROW_STRICT },
	{ .of = "opam",
		.names = "init|install|remove|uninstall|update|upgrade|reinstall|switch|pin|unpin|repository|remote|"
			"config|var|option|clean|lock|export|import|source|publish|plugin",
		.options = "--dry-run!r --show!r --show-actions!r -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "ocamlformat",
		.options = "-i!i --inplace!i --check!h -o=w --output=w --impl --intf --name=d "
			"--enable-outside-detected-project --root=d -h!h --help!h --version!h", .operands = "r*" },
	{ .names = "ocaml|utop|ocamlrun",
		.options = "-e=k -I=d -init=f -w=d -open=d -noinit -stdin!s -version!h -vnum!h --version!h -help!h "
			"--help!h", .operands = "fd*", .traits = ZS_ROW_NO_PERMUTE | ZS_ROW_STDIN_CODE,
		.language = "ocaml" },
	{ .names = "ocamlc|ocamlopt|ocamlc.opt|ocamlopt.opt",
		.options = "-o=w -I=d -w=d -package=d -i!h -version!h -vnum!h -config!h -where!h --version!h "
			"-help!h --help!h", .operands = "d*", .traits = ZS_ROW_LONG_DASH,
		.grammar = ZS_GRAMMAR_COMPILES, .language = "ocaml" },
	{ .names = "ocamlfind|ocamlbuild|ocamldep|refmt|rescript|bsb",
		.options = "-o=w -I=d -w=d -package=d --in-place!w -in-place!w -build-dir=w -all!w -version!h "
			"--version!h -help!h --help!h", .operands = "d*", .traits = ZS_ROW_LONG_DASH },
	/* Zig, D, Nim, Crystal, V, Odin */
	{ .names = "zig", .options = "-h!h --help!h", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "zig",
		.names = "build|test|run|cc|c++|env|version|targets|zen|std|libc|help|ast-check|ar|build-exe|"
			"build-lib|build-obj|rc|objcopy|ranlib|lib|dlltool|reduce",
		.options = "-femit-bin=w -femit-asm=w -femit-llvm-ir=w -femit-llvm-bc=w -femit-h=w -femit-docs=w "
			"-femit-implib=w -o=w -p=w --prefix=w --prefix-lib-dir=w --prefix-exe-dir=w "
			"--prefix-include-dir=w --cache-dir=d --global-cache-dir=d --summary=d -target=d -mcpu=d "
			"-O=d --name=d -D=d -I=d -L=d --test-filter=d --build-file=d -j=d --fetch --search-prefix=d "
			"-MF=w -h!h --help!h", .operands = "d*", .traits = ZS_ROW_BUILDS | ZS_ROW_LONG_DASH },
	{ .of = "zig", .names = "fmt",
		.options = "--check!r --stdin!r --ast-check --color=d --exclude=d -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .of = "zig", .names = "init|init-exe|init-lib|fetch", .options = "-h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .of = "zig", .names = "translate-c", .operands = "d*" },
	{ .names = "nim",
		.options = "-o:=w --out:=w --outdir:=w --nimcache:=w --eval:=k -e:=k -d:=d --define:=d -p:=d "
			"--path:=d -r --run -h!h --help!h --fullhelp!h -v!h --version!h", .operands = "d*",
		.traits = ZS_ROW_BUILDS | ZS_ROW_LONG_DASH | ZS_ROW_GLUED, .language = "nim" },
	{ .names = "nimble", .options = "-y -h!h --help!h -v!h --version!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "nimble", .names = "build|c|cc|js|test|check|list|search|dump|tasks|path|deps|shell|run|refresh",
		.operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .of = "nimble", .names = "install|uninstall|init|develop|publish|upgrade|lock|sync|setup|clean|add|remove",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "nimpretty",
		.options = "--out:=w --outDir:=w --check!h --indent:=d --maxLineLen:=d --help!h --version!h",
		.operands = "w*" },
	{ .names = "crystal", .options = "-h!h --help!h -v!h --version!h", .operands = "fd*",
		.traits = ZS_ROW_SUBCOMMANDS, .language = "crystal" },
	{ .of = "crystal", .names = "run|build|spec|env|play|help|version|i",
		.options = "-o=w -D=d --define=d --emit=d --junit_output=w --release --error-trace -h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .of = "crystal", .names = "tool", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "crystal tool", .names = "format", .options = "--check!r -h!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .of = "crystal tool",
		.names = "context|dependencies|expand|flags|hierarchy|implementations|types|unreachable|"
			"macro_code_coverage", .operands = "d*" },
	{ .of = "crystal", .names = "eval", .operands = "k", .language = "crystal" },
	{ .of = "crystal", .names = "init|docs|clear_cache", .options = "-h!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "shards", .options = "-h!h --help!h --version!h", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "shards", .names = "build|check|install|list|version|run|outdated", .operands = "d*",
		.traits = ZS_ROW_BUILDS },
	{ .of = "shards", .names = "init|update|lock|prune", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "dub", .options = "-h!h --help!h --version!h", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "dub", .names = "build|test|run|describe|list|search|lint|fetch", .operands = "d*",
		.traits = ZS_ROW_BUILDS },
	{ .of = "dub",
		.names = "init|add|remove|upgrade|clean|add-path|remove-path|add-local|remove-local|convert|generate|"
			"clean-caches", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "rdmd", .options = "--eval=k --loop=k -of=w -I=d --main --dry-run!h --help!h --man!h",
		.operands = "fd*", .traits = ZS_ROW_BUILDS | ZS_ROW_NO_PERMUTE | ZS_ROW_STDIN_CODE, .language = "d" },
	{ .names = "dfmt", .options = "-i!i --inplace!i --help!h -h!h --version!h", .operands = "r*" },
	{ .names = "v", .options = "-o=w -e=k -h!h --help!h --version!h -cc=d -d=d -b=d", .operands = "fd*",
		.traits = ZS_ROW_SUBCOMMANDS, .language = "v" },
	{ .of = "v", .names = "run|build|test|check|vet|doc|version|help|env|doctor|list|search|show|outdated|repl",
		.options = "-o=w -W", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .of = "v", .names = "fmt", .options = "-w!i -c!h -verify!h -diff -l --help!h", .operands = "r*",
		.traits = ZS_ROW_LONG_DASH },
	{ .of = "v", .names = "init|new|install|remove|update|upgrade|self|up|symlink|translate|bug",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "odin", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "odin", .names = "build|run|check|test|doc|version|report|root|help",
		.options = "-out:=w -export-timings:=d -export-timings-file:=w -export-dependencies-file:=w",
		.operands = "d*", .traits = ZS_ROW_BUILDS | ZS_ROW_LONG_DASH | ZS_ROW_GLUED },
	/* Dart, Flutter */
	{ .names = "dart", .options = "-h!h --help!h --version!h -v", .operands = "fd*", .traits = ZS_ROW_SUBCOMMANDS,
		.language = "dart" },
	{ .of = "dart", .names = "analyze|test|info|devtools|run|language-server|help|tooling-daemon",
		.options = "-o=w --coverage=w --coverage-path=w --file-reporter=O -n=d --name=d -N=d --plain-name=d "
			"-t=d --tags=d -x=d -r=d --reporter=d -P=d -p=d --platform=d -j=d --fatal-infos --packages=d "
			"-h!h --help!h", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .of = "dart", .names = "doc", .options = "-o=w --output=w --dry-run --validate-links -h!h",
		.operands = "d*" },
	{ .of = "dart", .names = "compile", .options = "-o=w --output=w -h!h --help!h", .operands = "d*" },
	{ .of = "dart", .names = "build", .options = "-o=w --output=w -h!h", .operands = "d*" },
	{ .of = "dart", .names = "format",
		.options = "-o=d --output=d --set-exit-if-changed --show=d --summary=d -l=d --line-length=d "
			"--page-width=d --language-version=d --fix!w -n!r --dry-run!r -h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_WRITES, .grammar = ZS_GRAMMAR_CHECK_FLAG },
	{ .of = "dart", .names = "fix", .options = "-n!r --dry-run!r --apply!w --code=d -h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "dart", .names = "pub", .options = "-C=d --directory=d -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "dart pub|flutter pub", .names = "get|deps|outdated|run|help", .operands = "d*" },
	{ .of = "dart pub|flutter pub",
		.names = "add|remove|upgrade|downgrade|publish|global|login|logout|cache|unpack|bump|token",
		.options = "--dry-run!r -n!r -h!h --help!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "dart", .names = "create|install|uninstall", .options = "-h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "fvm", .options = "-h!h --help!h --version!h -v", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_RUNS },
	{ .names = "flutter",
		.options = "-h!h --help!h --version!h -v --verbose -d=d --device-id=d --suppress-analytics",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "flutter",
		.names = "analyze|test|build|run|devices|doctor|emulators|logs|drive|attach|symbolize|assemble|"
			"bash-completion|daemon|help|debug-adapter",
		.options = "--write=w --update-goldens!w --coverage --coverage-path=w --machine --file-reporter=O "
			"--name=d --plain-name=d -t=d --tags=d -x=d -r=d --reporter=d -j=d --target=d --flavor=d "
			"--dart-define=d --output=w -o=w --debug-symbols=d -i=d --input=d --suggestions -h!h "
			"--help!h", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .of = "flutter", .names = "pub", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "flutter",
		.names = "create|clean|config|upgrade|downgrade|channel|precache|install|gen-l10n|screenshot|"
			"widget-preview|format|make-host-app-editable|custom-devices",
		.options = "--list!r -h!h --help!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "fvm", .names = "list|releases|doctor|api", .operands = "d*" },
	{ .of = "fvm", .names = "use|install|remove|global|destroy|fork", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "melos", .options = "-h!h --help!h --version!h", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "melos", .names = "list|analyze|test|exec|run", .operands = "d*", .grammar = ZS_GRAMMAR_SCRIPT_ARGS },
	{ .of = "melos", .names = "bootstrap|bs|clean|format|init|publish|version",
		.options = "--set-exit-if-changed -h!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "dartfmt",
		.options = "-w!i --overwrite!i -n!h --dry-run!h --set-exit-if-changed --fix -h!h --help!h "
			"--version!h", .operands = "r*" },
	/* R, Julia */
	{ .names = "R",
		.options = "-e=k -f=f --file=f -g=d --gui=d --encoding=d --args -d=d --debugger=d -h!h --help!h "
			"--version!h", .operands = "d*", .traits = ZS_ROW_STDIN_CODE | ZS_ROW_SUBCOMMANDS,
		.language = "r" },
	{ .of = "R", .names = "CMD", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "R CMD", .names = "check|BATCH|config|Rdiff|Rd2txt|Rdconv|LINK|COMPILE|SHLIB|texi2dvi|Rd2pdf",
		.options = "-o=w --output=w -d=w --no-manual --as-cran --no-build-vignettes --timings",
		.operands = "d*" },
	{ .of = "R CMD", .names = "build|INSTALL|REMOVE|javareconf|Stangle|Sweave|Rprof", .options = "-h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "Rscript|littler", .options = "-e=k --vanilla --default-packages=d --verbose --help!h --version!h",
		.operands = "fd*", .traits = ZS_ROW_NO_PERMUTE | ZS_ROW_STDIN_CODE, .language = "r" },
	{ .names = "julia",
		.options = "-e=k --eval=k -E=k --print=k -L=f --load=f -p=d --procs=d -t=d --threads=d -J=d "
			"--sysimage=d -H=d --home=d --project?N -C=d --cpu-target=d -O?N --output-o=w --output-ji=w "
			"--output-bc=w --output-asm=w --code-coverage?N --track-allocation?N --heap-size-hint=d "
			"--trace-compile=w -h!h --help!h -v!h --version!h -i -q", .operands = "fd*",
		.traits = ZS_ROW_NO_PERMUTE | ZS_ROW_STDIN_CODE, .language = "julia" },
	/* Lua, Perl tools, Tcl */
	{ .names = "luac|luac5.4", .options = "-o=W -l -p!r -s -v!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "luacheck",
		.options = "--formatter=d --config=d --std=d --globals=d --read-globals=d --ignore=d -o=w "
			"--output=w --only=d "
			"--exclude-files=d --cache?N -j=d -h!h --help!h -v!h --version!h", .operands = "d*" },
	{ .names = "luarocks|lux|lx", .options = "--tree=d --local --lua-version=d -h!h --help!h --version!h",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "luarocks|lux|lx", .names = "list|search|show|which|path|lint|doc|test|help|check",
		.operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .of = "luarocks|lux|lx",
		.names = "install|remove|build|make|pack|unpack|upload|init|purge|new_version|write_rockspec|"
			"download|config|admin|add|update|fmt|sync", .options = "-h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "busted",
		.options = "-o=d --output=d -Xoutput=d -t=d --tags=d -p=d --pattern=d -m=d --lpath=d -e=k --filter=d "
			"-r=d --run=d -f=d --config-file=d -C=C --directory=C --coverage -h!h --help!h --version!h",
		.operands = "d*", .language = "lua", .traits = ZS_ROW_BUILDS },
	{ .names = "stylua",
		.options = "-c!r --check!r --verify -f=d --config-path=d -g=d --glob=d --stdin-filepath=d "
			"--output-format=d -V!h --version!h -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "selene|moonc|tl|fennel-ls|fnlfmt",
		.options = "-o=w -t=w --output=w --fix!w -p -h!h --help!h -v!h --version!h", .operands = "d*" },
	{ .names = "prove|yath",
		.options = "-e=d --exec=d -I=d -j=d --jobs=d -P=d -M=d --archive=w -a=w --state=w --formatter=d "
			"--source=d --rules=d -l -b -r -v -q -s -h!h --help!h -V!h --version!h", .operands = "d*",
		.traits = ZS_ROW_BUILDS },
	{ .names = "perltidy",
		.options = "-b!i --backup-and-modify-in-place!i -o=W --outfile=W -opath=w -se -st!r "
			"--standard-output!r -pro=d --profile=d -h!h --help!h -v!h --version!h", .operands = "r*",
		.traits = ZS_ROW_WRITES | ZS_ROW_LISTS },
	{ .names = "perlcritic",
		.options = "--profile=d --severity=d --theme=d --include=d --exclude=d --single-policy=d --verbose=d "
			"--list!h --doc=d -h!h --help!h -H!h -V!h --version!h", .operands = "d*" },
	{ .names = "cpan|cpanm|cpm|carton|minil|dzil|milla",
		.options = "--installdeps --notest -n -q -v -l=w --local-lib=w -L=w --info -h!h --help!h -V!h "
			"--version!h", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "cpan|cpanm|cpm|carton|minil|dzil|milla",
		.names = "test|list|tree|check|version|show-deps|authordeps|listdeps|run", .operands = "d*" },
	{ .of = "cpm|carton|minil|dzil|milla",
		.names = "install|update|bundle|init|new|build|release|clean|dist|regenerate|migrate|fatpack",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	/* Fortran, Ada, Pascal, COBOL, Solidity, HDL, proof assistants */
	{ .names = "fpm|alr|vyper|solc|ghdl|verilator|yosys|lean|lake|agda|idris2|smlnj|sml|futhark|koka|ucm|haxe|vala|"
			"gnatpp",
		.options = "-o=w --output=w --output-dir=w --outdir=w -o:=w -Mdir=w --Mdir=w --c-file=w -D=d -I=d "
			"-i!w --in-place!w -h!h --help!h -V!h --version!h -version!h", .operands = "d*",
		.grammar = ZS_GRAMMAR_VERB },
	/* Compilers that write beside or below their sources; we ran iverilog, fpc and valac to see where. */
	{ .names = "gnatmake|gprbuild|fpc|cobc|coqc|mlton|valac",
		.options = "-o=W --output=W -o:=W -FE=w -FU=w -fsyntax-only!r -i!h -h!h --help!h -V!h --version!h",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "iverilog", .options = "-o=W -t=d -D=d -I=d -s=d -c=r -f=r -g=d -W=d -y=d -Y=d -M=w -m=d -h!h -V!h",
		.operands = "d*", .traits = ZS_ROW_WRITES, .grammar = ZS_GRAMMAR_LOOKS },
	{ .of = "fpm|alr|lake", .names = "init|new|install|publish|update|with|clean|add", .traits = ZS_ROW_WRITES },
	{ .names = "slither|mythril|myth|solhint",
		.options = "--json=w --sarif=w --fix!w -o=w -f=d --formatter=d --config-file=d -h!h --help!h "
			"--version!h", .operands = "d*" },
	{ .names = "forge|cast|hardhat|truffle|anchor|brownie|ape|scarb|snforge|aptos|sui|near",
		.options = "-o=w --out=w --output=w --fix!w --report=d --snap=w -h!h --help!h -V!h --version!h "
			"--check!r --diff?r", .operands = "d*", .grammar = ZS_GRAMMAR_VERB },
	{ .of = "forge|hardhat|truffle|anchor|scarb",
		.names = "fmt|init|install|remove|update|create|snapshot|bind|clean|deploy|publish|upgrade|generate|"
			"add|new|keys", .traits = ZS_ROW_WRITES },
};
// clang-format on
ZS_TABLE_COUNT(languages);
