/* The go command and the tools around it. */
#include "rows/rows_table.h"

#define BUILD_OPTIONS                                                                                                  \
	"-o=w -C=C -p=d -tags=d -ldflags=d -gcflags=d -asmflags=d -gccgoflags=d -mod=d -modfile=d "                    \
	"-overlay=d -pkgdir=w -pgo=d -toolexec=y -buildmode=d -buildvcs=d -compiler=d "                                \
	"-installsuffix=d -covermode=d -coverpkg=d -vettool=y -f=d -fix!w"

// clang-format off
ZS_TABLE(go) = {
	{ .names = "go", .options = "-C=C", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "go", .names = "test",
		.options = "-o=w -C=C -p=d -tags=d -ldflags=d -gcflags=d -asmflags=d -gccgoflags=d -mod=d -modfile=d "
			"-overlay=d -pkgdir=w -pgo=d -toolexec=y -exec=y -buildmode=d -buildvcs=d -compiler=d "
			"-installsuffix=d -run=d -bench=d -benchtime=d -count=d -cpu=d -timeout=d -parallel=d "
			"-coverpkg=d -covermode=d -coverprofile=w -cpuprofile=w -memprofile=w -memprofilerate=d "
			"-blockprofile=w -blockprofilerate=d -mutexprofile=w -mutexprofilefraction=d -trace=w "
			"-outputdir=w -test.gocoverdir=w -fuzz=d -fuzztime=d -fuzzminimizetime=d -skip=d -list=d "
			"-shuffle=d -vet=d -c!w", .operands = "d*", .traits = ZS_ROW_BUILDS | ZS_ROW_LONG_DASH },
	{ .of = "go", .names = "build",
		.options = "-n!h " BUILD_OPTIONS, .operands = "d*", .traits = ZS_ROW_BUILDS | ZS_ROW_LONG_DASH,
		.grammar = ZS_GRAMMAR_COMPILES, .language = "go" },
	{ .of = "go", .names = "vet|list",
		.options = BUILD_OPTIONS, .operands = "d*", .traits = ZS_ROW_BUILDS | ZS_ROW_LONG_DASH },
	/* the flags of go run end at the package; an import path is judged as the tool of that name */
	{ .of = "go", .names = "run",
		.options = "-C=C -p=d -tags=d -ldflags=d -gcflags=d -asmflags=d -mod=d -modfile=d -overlay=d "
			"-pkgdir=w -pgo=d -toolexec=y -exec=y -buildmode=d -buildvcs=d -covermode=d -coverpkg=d",
		.operands = "fd*", .traits = ZS_ROW_BUILDS | ZS_ROW_LONG_DASH | ZS_ROW_NO_PERMUTE },
	{ .of = "go", .names = "version|doc|help", .operands = "d*" },
	{ .of = "go", .names = "env", .options = "-w!w -u!w -json -changed", .operands = "d*",
		.traits = ZS_ROW_LONG_DASH },
	{ .of = "go", .names = "mod|work|telemetry", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "go", .names = "tool", .options = "-n!h -modfile=d", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "go mod", .names = "why|graph|verify|download", .operands = "d*" },
	{ .of = "go mod|go work", .names = "edit", .options = "-json!r -print!r", .operands = "d*",
		.traits = ZS_ROW_LONG_DASH | ZS_ROW_WRITES },
	{ .of = "go mod", .names = "tidy|init|vendor", .options = "-diff!r -o=W", .operands = "d*",
		.traits = ZS_ROW_WRITES | ZS_ROW_LONG_DASH },
	{ .of = "go work", .names = "init|sync|use|vendor", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "go telemetry", .names = "on|off|local", .traits = ZS_ROW_WRITES },
	{ .of = "go", .names = "get|fmt|fix|generate|install|clean|bug", .options = "-n!r -diff!r", .operands = "d*",
		.traits = ZS_ROW_BUILDS | ZS_ROW_WRITES | ZS_ROW_LONG_DASH },
	{ .of = "go tool", .names = "cover", .options = "-html=r -func=r -mode=d -var=d -o=w", .operands = "d*",
		.traits = ZS_ROW_LONG_DASH },
	{ .of = "go tool", .names = "covdata", .options = "-o=w -i=d -pkg=d", .operands = "d*",
		.traits = ZS_ROW_LONG_DASH },
	{ .of = "go tool", .names = "pprof|trace|nm|objdump|addr2line|test2json|buildid|dist|doc|vet",
		.options = "-output=w -w!w", .operands = "d*", .traits = ZS_ROW_LONG_DASH },
	{ .of = "go tool", .names = "compile|asm|link|pack|cgo|fix|preprofile", .options = "-V!h -o=W",
		.operands = "d*", .traits = ZS_ROW_WRITES | ZS_ROW_LONG_DASH },
	{ .names = "gofmt|gofumpt|goimports|golines",
		.options = "-w!i -l -d -s -e -r=d -cpuprofile=w -local=d -lang=d -modpath=d -m=d -t=d "
			"--write-output!i --output=d --ignore-generated", .operands = "r*",
		.traits = ZS_ROW_LONG_DASH },
	{ .names = "goimports-reviser", .options = "-list-diff!r -version!h", .operands = "d*",
		.traits = ZS_ROW_WRITES | ZS_ROW_LONG_DASH },
	{ .names = "gci", .options = "-h!h --help!h -v!h --version!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "gci", .names = "print|diff|list|help", .operands = "d*" },
	{ .of = "gci", .names = "write", .options = "-s=d --section=d --skip-generated -h!h", .operands = "w*" },
	{ .names = "misspell", .options = "-w!i -o=w -error -f=d -i=d -j=d -locale=d -source=d -q -v!h",
		.operands = "r*", .traits = ZS_ROW_LONG_DASH },
	{ .names = "staticcheck|errcheck|revive|gosec|govulncheck|ineffassign|gocyclo|gocognit|unparam|nilaway|"
			"deadcode|unused|unconvert|structcheck|fieldalignment|go-vet|dupl|goconst|gochecknoglobals|"
			"exhaustive",
		.options = "-fix!w -w!w -out=w -o=d -fmt=d -f=d -tags=d -exclude=d -debug.cpuprofile=w "
			"-debug.memprofile=w -debug.trace=w -cpuprofile=w -memprofile=w -stdout -diff!h -help!h",
		.operands = "d*", .traits = ZS_ROW_BUILDS | ZS_ROW_LONG_DASH },
	{ .names = "golangci-lint", .options = "-v --verbose --color=d -h!h --help!h --version!h -c=d --config=d",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "golangci-lint", .names = "run",
		.options = "--fix!w -c=d --config=d -E=d --enable=d -D=d --disable=d --enable-only=d --default=d "
			"-p=d --presets=d --build-tags=d --timeout=d -j=d --concurrency=d --modules-download-mode=d "
			"--issues-exit-code=d --go=d --out-format=O --path-prefix=d --path-mode=d "
			"--max-issues-per-linter=d --max-same-issues=d -n --new --new-from-rev=d --new-from-patch=d "
			"--new-from-merge-base=d --cpu-profile-path=w --mem-profile-path=w --trace-path=w "
			"--output.text.path=O --output.json.path=O --output.tab.path=O --output.html.path=O "
			"--output.checkstyle.path=O --output.code-climate.path=O --output.junit-xml.path=O "
			"--output.teamcity.path=O --output.sarif.path=O -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_BUILDS },
	{ .of = "golangci-lint", .names = "fmt",
		.options = "-d!r --diff!r --diff-colored!r --stdin!r -c=d --config=d -E=d --enable=d -h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "golangci-lint", .names = "linters|formatters|help|version|completion", .operands = "d*" },
	{ .of = "golangci-lint", .names = "config|cache", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "golangci-lint config", .names = "path|verify", .operands = "d*" },
	{ .of = "golangci-lint cache", .names = "status" },
	{ .of = "golangci-lint cache", .names = "clean", .traits = ZS_ROW_WRITES },
	{ .of = "golangci-lint", .names = "migrate|custom", .options = "-h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "gotestsum",
		.options = "--junitfile=w --jsonfile=w --jsonfile-timing-events=w -f=d --format=d "
			"--post-run-command=y --packages=d --rerun-fails?N --watch --raw-command --help!h "
			"--version!h", .operands = "d*", .traits = ZS_ROW_BUILDS | ZS_ROW_NO_PERMUTE },
	{ .names = "mockgen|oapi-codegen|protoc-gen-go",
		.options = "-destination=w -o=w -source=d -package=d -generate=d -config=d -version!h --version!h "
			"-help!h --help!h", .operands = "d*", .traits = ZS_ROW_LONG_DASH },
	{ .names = "stringer|enumer|counterfeiter|gqlgen|mockery|ent",
		.options = "-output=W -o=W -help!h --help!h -version!h --version!h -h!h", .operands = "d*",
		.traits = ZS_ROW_WRITES | ZS_ROW_LONG_DASH },
	{ .names = "sqlc|swag|wire", .options = "-h!h --help!h -v!h --version!h -f=d --file=d", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "sqlc|swag|wire", .names = "vet|diff|compile|verify|version|help|check|show", .operands = "d*" },
	{ .of = "sqlc|swag|wire", .names = "generate|init|push|upload|createdb|fmt|gen", .options = "-h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "dlv", .options = "--log-dest=w --init=f --wd=C --help!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "dlv", .names = "test|debug|exec|attach|connect|core|dap|trace",
		.options = "--output=w --log-dest=w --init=f", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .of = "dlv", .names = "version|help" },
	{ .names = "goreleaser|ko", .options = "--help!h --version!h -h!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "goreleaser|ko", .names = "check|healthcheck|jsonschema|help|version|deps",
		.options = "-o=w --output=w", .operands = "d*" },
	{ .of = "goreleaser|ko",
		.names = "release|init|build|continue|publish|announce|apply|create|delete|resolve|run|login",
		.operands = "d*", .traits = ZS_ROW_WRITES },
};
// clang-format on
ZS_TABLE_COUNT(go);
