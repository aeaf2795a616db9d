/* .NET: the dotnet command, msbuild, NuGet and tools. */
#include "rows/rows_table.h"

// clang-format off
ZS_TABLE(dotnet) = {
	{ .names = "dotnet",
		.options = "--version!h --info!h --help!h -h!h --list-sdks!h --list-runtimes!h -d --diagnostics "
			"--roll-forward=d --fx-version=d --additionalprobingpath=d --depsfile=d --runtimeconfig=d",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "dotnet", .names = "build|test|run|restore|list|help|vstest|exec|watch|msbuild|build-server|sdk",
		.options = "-o=w --output=w --artifacts-path=w --results-directory=w -ResultsDirectory=w --diag=w "
			"--report-trx-filename=w --coverage-output=w --packages=w -bl?N -binaryLogger?N -r=d "
			"--runtime=d --logger=O -l=O --collect=d -c=d --configuration=d -f=d --framework=d "
			"--filter=d -p=O --property=O --project=d -s=d --settings=d -a=d --arch=d --os=d -v=d "
			"--verbosity=d --environment=d -e=d --launch-profile=d --source=d --configfile=d "
			"--getProperty=d --getItem=d --getTargetResult=d --getResultOutputFile=w --help!h -h!h -?!h",
		.operands = "d*", .traits = ZS_ROW_BUILDS | ZS_ROW_LONG_DASH, .grammar = ZS_GRAMMAR_MSBUILD },
	{ .of = "dotnet", .names = "pack|publish", .options = "-o=W --output=W -c=d -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES | ZS_ROW_LONG_DASH, .grammar = ZS_GRAMMAR_MSBUILD },
	{ .of = "dotnet", .names = "format",
		.options = "--verify-no-changes!r --report=W --binarylog=w --severity=d --include=d --exclude=d "
			"--diagnostics=d -v=d --verbosity=d -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .of = "dotnet",
		.names = "add|remove|new|clean|migrate|store|dev-certs|user-secrets|project|reference|template",
		.options = "--dry-run!r --list!r -l!r --check!r -c!r -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .of = "dotnet", .names = "sln|solution|nuget|tool|workload|package|ef", .options = "-h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "dotnet sln|dotnet solution|dotnet nuget|dotnet tool|dotnet workload|dotnet package",
		.names = "list|search|verify|why|run|history|show", .operands = "d*" },
	{ .of = "dotnet tool|dotnet workload", .names = "restore", .operands = "d*" },
	{ .of = "dotnet sln|dotnet solution|dotnet nuget|dotnet tool|dotnet workload|dotnet package",
		.names = "add|remove|migrate|delete|push|disable|enable|update|sign|trust|locals|install|uninstall|"
			"repair|clean|elevate|download|config", .options = "--list!r -l!r -h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "dotnet ef", .names = "database|dbcontext|migrations", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "dotnet ef database|dotnet ef dbcontext|dotnet ef migrations",
		.names = "list|info|has-pending-model-changes", .operands = "d*" },
	{ .of = "dotnet ef dbcontext|dotnet ef migrations", .names = "script", .options = "-o=w --output=w",
		.operands = "d*" },
	{ .of = "dotnet ef database|dotnet ef dbcontext|dotnet ef migrations",
		.names = "update|drop|scaffold|optimize|add|remove|bundle", .options = "--dry-run!r -h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "dotnet", .names = "csharpier",
		.options = "--check!r --write-stdout!r --skip-write!r -h!h --help!h --version!h", .operands = "d*",
		.traits = ZS_ROW_WRITES, .grammar = ZS_GRAMMAR_VERB },
	{ .of = "dotnet csharpier", .names = "check", .operands = "d*" },
	{ .of = "dotnet", .names = "script", .operands = "f*", .traits = ZS_ROW_NO_PERMUTE, .language = "csharp" },
	{ .names = "dotnet-ef", .options = "--version!h -h!h --help!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "dotnet", .names = "fsi", .options = "--exec --use=f --load=f --quiet --help!h", .operands = "fd*",
		.traits = ZS_ROW_BUILDS | ZS_ROW_STDIN_CODE, .language = "fsharp" },
	{ .names = "fsi|dotnet-script|csharprepl",
		.options = "-e=k --eval=k --use=f --load=f -h!h --help!h -?!h --version!h", .operands = "fd*",
		.traits = ZS_ROW_STDIN_CODE | ZS_ROW_NO_PERMUTE, .language = "csharp" },
	{ .names = "msbuild|xbuild", .options = "-help!h -h!h -?!h -version!h -ver!h", .operands = "d*",
		.traits = ZS_ROW_BUILDS | ZS_ROW_LONG_DASH, .grammar = ZS_GRAMMAR_MSBUILD },
	{ .names = "csc|mcs|vbc|fsc",
		.options = "-out:=w -o:=w --out:=w -doc:=w -pdb:=w -refout:=w -help!h --help!h -version!h "
			"--version!h", .operands = "d*", .traits = ZS_ROW_BUILDS | ZS_ROW_LONG_DASH | ZS_ROW_GLUED },
	{ .names = "nuget", .options = "-help!h -h!h --version!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_LONG_DASH },
	{ .of = "nuget", .names = "restore|list|search|help|install|verify",
		.options = "-OutputDirectory=w -PackagesDirectory=w", .operands = "d*" },
	{ .of = "nuget", .names = "pack|push|add|update|delete|config|setapikey|sources|spec|init|locals|sign|mirror",
		.options = "-help!h -list!r", .operands = "d*", .traits = ZS_ROW_WRITES | ZS_ROW_LONG_DASH },
	{ .names = "csharpier|dotnet-csharpier",
		.options = "--check!r --write-stdout!r --skip-write!r -h!h --help!h --version!h", .operands = "d*",
		.traits = ZS_ROW_WRITES, .grammar = ZS_GRAMMAR_VERB },
	{ .of = "csharpier|dotnet-csharpier", .names = "check", .operands = "d*" },
	{ .names = "fantomas", .options = "--check!h --help!h --version!h -v!h -r --recurse --out=w",
		.operands = "w*" },
	{ .names = "jb|inspectcode|cleanupcode",
		.options = "-o=w --output=w --profile=d --settings=d -f=d --format=d --severity=d --help!h "
			"--version!h", .operands = "d*", .grammar = ZS_GRAMMAR_VERB },
	{ .of = "jb", .names = "cleanupcode", .traits = ZS_ROW_WRITES },
	{ .names = "stryker|dotnet-stryker|reportgenerator|coverlet|dotnet-coverage|dotnet-trace|dotnet-dump|"
			"dotnet-counters|dotnet-gcdump|docfx|ilspycmd|nbgv|gitversion",
		.options = "-O=w --output=w -o=w -targetdir:=w --log-file=w -h!h --help!h --version!h",
		.operands = "d*" },
	{ .names = "paket", .options = "--help!h --version!h", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "paket", .names = "restore|show-installed-packages|find-packages|find-package-versions|find-refs|why",
		.operands = "d*" },
	{ .of = "paket",
		.names = "init|install|update|add|remove|convert-from-nuget|simplify|pack|push|auto-restore|"
			"clear-cache|config|generate-load-scripts", .operands = "d*", .traits = ZS_ROW_WRITES },
};
// clang-format on
ZS_TABLE_COUNT(dotnet);
