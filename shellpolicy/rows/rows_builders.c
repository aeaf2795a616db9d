/* Compilers, linkers, parser generators, and the build tools of C and of several languages. Running a project's build
 * passes (make, ninja, cmake --build). A compiler that gets files writes: the output that a flag names, or its default
 * output. */
#include "rows/rows_table.h"

#define COMPILER_HINT                                                                                                  \
	"To check a file only, use -fsyntax-only or -o /dev/null; or run the project's own build (make, ninja)."
#define ASSEMBLER_OPTIONS                                                                                              \
	"-o=w --output=w -l=w -L=w -MD=w -MF=w --MD=w -E=d -f=d -D=d -d -I=d -P=d -g -Z=w -h!h -v!h --version!h "      \
	"--help!h"
#define TEX_OPTIONS                                                                                                    \
	"-o=w --output=w --out-file=w --outdir=w -D=w -X=d -output-directory=w --output-directory=w "                  \
	"-interaction=d --interaction=d -jobname=d --jobname=d -f=d --format=d -b=d -s=d -a=d -r=d -h!h --help!h "     \
	"-help!h -v!h -V!h --version!h -version!h"

// clang-format off
ZS_TABLE(builders) = {
	{ .names = "make|gmake|bmake|nmake|remake|mingw32-make",
		.options = "-f=f --file=f --makefile=f -C=d --directory=d -I=d --include-dir=d -j?N --jobs?N -l?N "
			"--load-average?N -o=d --old-file=d --assume-old=d -W=d --what-if=d --new-file=d "
			"--assume-new=d -O?N --output-sync?N --eval=k -E=k -t!w --touch!w -n!r --just-print!r "
			"--dry-run!r --recon!r -q!r --question!r -p -d --debug?N --shuffle?N -v!h --help!h "
			"--version!h", .operands = "d*", .grammar = ZS_GRAMMAR_MAKE, .language = "make",
		.traits = ZS_ROW_BUILDS },
	/* targets with these names install, publish or rewrite; they do not build or test */
	{ .of = "make|gmake|bmake|nmake|remake|mingw32-make|ninja|samu",
		.names = "install|uninstall|install-strip|install-data|install-exec|install-local|deploy|publish|fmt|"
			"format|fix|lint-fix|update-golden|update-snapshots", .traits = ZS_ROW_WRITES },
	{ .names = "ninja|samu",
		.options = "-f=f -C=d -j=d -k=d -l=d -t=d -d=d -w=d -n!r -v --verbose --quiet --version!h -h!h "
			"--help!h", .operands = "d*", .grammar = ZS_GRAMMAR_TASKS, .traits = ZS_ROW_BUILDS },
	{ .names = "cmake",
		.options = "-E=d -S=d -B=d -G=d -D=d -U=d -C=f -P=f -A=d -T=d --build --install!w --install-prefix=d "
			"--prefix=d --component=d --open=d --workflow --preset=d --list-presets?h --fresh "
			"--graphviz=w --profiling-output=w --profiling-format=d --trace-redirect=w --trace-source=d "
			"--trace-format=d --debug-find-pkg=d --debug-find-var=d --system-information=W -L -LA -LH "
			"-LAH -N -t=d --target=d --clean-first -j?N --parallel?N --config=d --verbose --toolchain=d "
			"--log-level=d --find-package -Wno-dev -Wdev -h!h -V!h -H!h -help!h -usage!h -version!h "
			"--help!h --version!h", .operands = "d*", .grammar = ZS_GRAMMAR_CMAKE,
		.traits = ZS_ROW_BUILDS },
	{ .names = "ctest",
		.options = "-O=w --output-log=w --output-junit=w -T=d -M=d -S=f -SP=f -D=d --test-dir=d -R=d -E=d "
			"-L=d -LE=d -FA=d -FS=d -FC=d -I=d -j?N --parallel?N -C=d --build-config=d -N --show-only?N "
			"--timeout=d --stop-time=d --repeat=d --preset=d --resource-spec-file=d --test-load=d -A=d "
			"--add-notes=d --build-and-test --build-generator=d --test-command=d -h!h -V -VV -Q --quiet "
			"--help!h --version!h", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .names = "cpack", .options = "-h!h --help!h --version!h --list-presets?h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "meson", .options = "-v!h -h!h --help!h --version!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	/* meson setup makes the build folder once. cmake -B does the same, but people run it before each build, so it
	 * passes. */
	{ .of = "meson", .names = "setup",
		.options = "--prefix=d --buildtype=d --native-file=d --cross-file=d --backend=d --unity=d "
			"--warnlevel=d "
			"--wrap-mode=d --default-library=d --pkg-config-path=d -D=d -h!h --help!h",
		.operands = "nd*", .traits = ZS_ROW_BUILDS },
	{ .of = "meson", .names = "compile|test|introspect|configure|devenv|help|reprotest|env2mfile",
		.options = "--logbase=d -C=d --wrap=y --wrapper=y -o=w --outfile=w --setup=d --suite=d -t=d -j=d "
			"-D=d --prefix=d --buildtype=d --native-file=d --cross-file=d -h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .of = "meson", .names = "init", .options = "-h!h --help!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "meson", .names = "install|dist|rewrite|wrap|subprojects",
		.options = "-n!r --dry-run!r -h!h --help!h", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "meson", .names = "format|fmt",
		.options = "-i!w --inplace!w -o=w --output=w -q!h --check-only!h -r -c=d --configuration=d -e -h!h "
			"--help!h", .operands = "d*" },
	{ .names = "muon|samurai", .options = "-h!h -v!h", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "muon|samurai", .names = "setup|test|analyze|check|info|options|summary|internal|samu|meson",
		.operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .of = "muon|samurai", .names = "fmt", .options = "-i!w -q!h -c=d", .operands = "d*" },
	{ .of = "muon|samurai", .names = "install|init", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "gcc|g++|cc|c++|clang|clang++|gfortran|icc|icpc|icx|icpx|tcc-cc|x86_64-linux-gnu-gcc|"
			"x86_64-linux-gnu-g++|aarch64-linux-gnu-gcc|aarch64-linux-gnu-g++|arm-linux-gnueabihf-gcc|"
			"arm-none-eabi-gcc|arm-none-eabi-g++|riscv64-linux-gnu-gcc|riscv64-unknown-elf-gcc|"
			"x86_64-w64-mingw32-gcc|x86_64-w64-mingw32-g++|i686-w64-mingw32-gcc|musl-gcc|gccgo|gdc|gm2|"
			"nvcc|hipcc|emcc|em++|mpicc|mpicxx|mpic++|mpif90|flang|clang-cl|c89|c99|pgcc|"
			"pgfortran|nvfortran|nvc|nvc++",
		.options = "-o=w --output=w -Os -Og -Ofast -MF=w -MT=d -MQ=d -MJ=w -MD -MMD -D=d -U=d -I=d -L=d -l=d "
			"-x=d -include=d -imacros=d -isystem=d -iquote=d -idirafter=d -iprefix=d -iwithprefix=d "
			"-Wl,=O -Wp,=O -Wa,=O -Xlinker=d -Xpreprocessor=d -Xassembler=d -Xclang=d -Xcompiler=d "
			"-mllvm=d -arch=d -target=d --target=d --sysroot=d -isysroot=d -framework=d -T=d -u=d -e=d "
			"-z=d -wrapper=k -B=d -specs=f --specs=f -fplugin=f -aux-info=w -dumpdir=d -dumpbase=d "
			"-dumpbase-ext=d -save-temps!w --save-temps!w -ftime-trace?W -fcrash-diagnostics-dir=w "
			"-foptimization-record-file=w -fsave-optimization-record -fopt-info?N -fdump-final-insns?W "
			"-fdump-go-spec?W -fdump-=w -fprofile-generate?W -fprofile-instr-generate?W "
			"-fcs-profile-generate?W -fprofile-dir=w -fprofile-update=d -fprofile-use?N "
			"-fprofile-instr-use?N "
			"-fdiagnostics-add-output=d -fmodules-cache-path=d -fmodule-output?W -fcallgraph-info?N "
			"-fstack-usage -serialize-diagnostics=w --serialize-diagnostics=w -dependency-file=w "
			"-index-store-path=w "
			"-gen-cdb-fragment-path=w -print-file-name=d --print-file-name=d -print-prog-name=d "
			"-dumpversion!h -dumpmachine!h -dumpspecs!h -print-search-dirs!h -v --version!h --help!h "
			"--target-help!h", .operands = "d*", .traits = ZS_ROW_LONG_DASH | ZS_ROW_GLUED,
		.grammar = ZS_GRAMMAR_COMPILES, .language = "gcc", .hint = COMPILER_HINT },
	{ .names = "cpp", .options = "-o=w -MF=w -MT=d -MQ=d -D=d -U=d -I=d -x=d -include=d -imacros=d -isystem=d "
			"-iquote=d -idirafter=d --version!h --help!h", .operands = "rw",
		.traits = ZS_ROW_LONG_DASH | ZS_ROW_GLUED },
	{ .names = "dmd|ldc2",
		.options = "-of=w -od=w -deps?W -Df=w -Dd=w -Hf=w -Hd=w -Xf=w -I=d -J=d -L=d "
			"--version!h --help!h", .operands = "d*", .traits = ZS_ROW_LONG_DASH | ZS_ROW_GLUED,
		.grammar = ZS_GRAMMAR_COMPILES, .language = "d", .hint = COMPILER_HINT },
	{ .names = "gnat|gnatbind|gnatlink", .options = "--version!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "ld|ld.lld|ld.bfd|ld.gold|mold|lld|ld64.lld|wasm-ld|lld-link|sold",
		.options = "-o=w --output=w -Map=w --Map=w -M --print-map --dependency-file=w --out-implib=w "
			"--output-def=w --base-file=w --reproduce=w --repro=w --time-trace-file=w --time-trace=w "
			"--plugin=d -plugin=d -plugin-opt=d -l=d -L=d -T=d --script=d -e=d -u=d -z=d -m=d -R=d -h=d "
			"-soname=d -rpath=d -rpath-link=d -dynamic-linker=d -c=d -O?N -r -s -S -x -X -t -E -v!h -V!h "
			"--version!h --help!h", .operands = "d*", .grammar = ZS_GRAMMAR_COMPILES,
		.language = "assembler" },
	{ .names = "as|gas|x86_64-linux-gnu-as|aarch64-linux-gnu-as|arm-none-eabi-as|llvm-as",
		.options = ASSEMBLER_OPTIONS, .operands = "d*", .grammar = ZS_GRAMMAR_COMPILES,
		.language = "assembler" },
	{ .names = "nasm|yasm|masm|fasm|wasm-as|ptxas", .options = ASSEMBLER_OPTIONS, .operands = "d*",
		.grammar = ZS_GRAMMAR_COMPILES, .language = "nasm" },
	{ .names = "wat2wasm", .options = ASSEMBLER_OPTIONS, .operands = "d*", .grammar = ZS_GRAMMAR_COMPILES,
		.language = "wat" },
	{ .names = "glslc|spirv-as", .options = ASSEMBLER_OPTIONS, .operands = "d*", .grammar = ZS_GRAMMAR_COMPILES,
		.language = "shader" },
	{ .names = "wasm2wat|glslangValidator|spirv-opt|dxc", .options = "-V!w -G!w -H!w " ASSEMBLER_OPTIONS,
		.operands = "d*" },
	{ .names = "lemon|ragel|gengetopt|lrelease|lupdate|asn1c|rpcgen",
		.options = "-o=W --output=W -ts=W -qm=W -x!r -V!h -h!h -help!h --help!h -v!h -version!h --version!h",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "re2c|gperf|tree-sitter|peg|leg|moc|uic|rcc|glib-mkenums|glib-genmarshal|gdbus-codegen|"
			"wayland-scanner|"
			"windres|capnp|capnpc",
		.options = "-o=w --output=w --outfile=w --output-file=w -d -b=d --file-prefix=d --graph?W --xml?W "
			"--html?W --header-file=w --defines=w --output-c++=w --out=w --gen=d -r=d -I=d -D=d "
			"--update!w --header-output=w -v -V!h -h!h --help!h --version!h", .operands = "d*",
		.grammar = ZS_GRAMMAR_VERB },
	{ .of = "tree-sitter", .names = "generate|init|init-config|g", .traits = ZS_ROW_WRITES },
	{ .names = "bazel|bazelisk",
		.options = "--output_base=d --output_user_root=d --bazelrc=d --host_jvm_args=d --max_idle_secs=d "
			"--help!h", .operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "bazel|bazelisk",
		.names = "build|test|run|query|cquery|aquery|info|version|help|analyze-profile|coverage|"
			"canonicalize-flags|print_action|dump|license|config|mobile-install|shutdown",
		.options = "--build_event_json_file=w --build_event_text_file=w --build_event_binary_file=w "
			"--profile=w --explain=w --output_file=w --execution_log_json_file=w "
			"--execution_log_binary_file=w --execution_log_compact_file=w "
			"--experimental_command_profile?N --starlark_cpu_profile=w --memory_profile=w "
			"--symlink_prefix=w --target_pattern_file=d --run_under=y --workspace_status_command=y "
			"--output=d --config=d -c=d --compilation_mode=d --test_filter=d --test_output=d -k "
			"--keep_going -j=d --jobs=d", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .of = "bazel|bazelisk", .names = "clean|fetch|sync|vendor", .operands = "d*", .traits = ZS_ROW_WRITES },
	{ .of = "bazel|bazelisk", .names = "mod", .operands = "d*", .grammar = ZS_GRAMMAR_VERB },
	{ .of = "bazel mod|bazelisk mod", .names = "tidy", .traits = ZS_ROW_WRITES },
	{ .names = "buck|buck2|pants|please|plz", .options = "--isolation-dir=d -h!h --help!h --version!h -V!h",
		.operands = "d*", .traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "buck|buck2|pants|please|plz",
		.names = "build|test|run|query|cquery|uquery|aquery|targets|audit|info|help|log|root|status|ctargets|"
			"lint|check|list|dependencies|dependents|peek|roots|filedeps|count-loc|cover|watch|hash|repl|"
			"package",
		.options = "--out=w -o=w --output-file=w --build-report=w --event-log=w --xml=w "
			"--test-results-file=w --report=d --fix!w", .operands = "d*", .traits = ZS_ROW_BUILDS },
	{ .of = "buck|buck2|pants|please|plz",
		.names = "fmt|fix|format|tailor|generate-lockfiles|update-build-files|export|export-codegen|publish|"
			"clean|init|install|update|generate|tidy", .options = "--check!r -h!h --help!h",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "scons",
		.options = "-f=f --file=f --makefile=f --sconstruct=f -C=d --directory=d -j=d --jobs=d -I=d "
			"--include-dir=d -Y=d --repository=d --srcdir=d --profile=w --taskmastertrace=w "
			"--cache-debug=w --site-dir=d --debug=d --tree=d --warn=d -c --clean --remove -n!r "
			"--no-exec!r --just-print!r --dry-run!r --recon!r -q!r --question!r -i -k -s -u -U -Q -h!h "
			"--help!h -H!h --help-options!h -v!h --version!h", .operands = "d*",
		.grammar = ZS_GRAMMAR_TASKS, .traits = ZS_ROW_BUILDS },
	{ .of = "scons|waf|xmake|premake5|bjam|qbs", .names = "install", .traits = ZS_ROW_WRITES },
	{ .names = "waf|xmake|premake5|bjam|qbs|build2|bpkg|bdep",
		.options = "-o=w --out=w --prefix=d -j=d -C=d -P=d -F=d -f=d -h!h --help!h --version!h",
		.operands = "d*", .grammar = ZS_GRAMMAR_TASKS, .traits = ZS_ROW_BUILDS },
	{ .of = "xmake|premake5|waf|qbs",
		.names = "format|macro|lua|create|uninstall|update|project|service|package|gmake|gmake2|vs2022|"
			"xcode4|codelite|ninja", .traits = ZS_ROW_WRITES },
	{ .names = "qmake|qmake6",
		.options = "-o=w -project!w -spec=d -t=d -r -query!h -v!h -version!h --version!h -h!h -help!h "
			"--help!h", .operands = "d*", .traits = ZS_ROW_BUILDS | ZS_ROW_LONG_DASH },
	{ .names = "autoconf|automake|autoreconf|aclocal|autoheader|libtoolize|autogen.sh|bootstrap|configure|"
			"config.status|gnulib-tool",
		.options = "-o=w --output=w --cache-file=w -C --config-cache --prefix=d --host=d --build=d "
			"--target=d -n -q -v -i -f -h!h --help!h -V!h --version!h", .operands = "d*",
		.traits = ZS_ROW_BUILDS },
	{ .names = "libtool|ccache|sccache|distcc|icecc|gomacc",
		.options = "--mode=d --tag=d --silent --quiet --verbose --debug --no-silent -n --dry-run --finish=d "
			"--config!h --features!h -s!h --show-stats!h -x!h --show-compression!h -p!h --show-config!h "
			"-k=d --get-config=d -z!w --zero-stats!w -c!w --cleanup!w -C!w --clear!w -X=d -o=d "
			"--set-config=d -M=d --max-size=d -F=d --max-files=d --stop-server --start-server "
			"--version!h -V!h --help!h -h!h", .operands = "X", .traits = ZS_ROW_STRICT },
	{ .names = "just",
		.options = "-c=X --command=X -f=d --justfile=d -d=d --working-directory=d --set=d --shell=d "
			"--shell-arg=d --dotenv-path=d --dotenv-filename=d --color=d --alias-style=d "
			"--list-heading=d --list-prefix=d --tempdir=d --timestamp-format=d --chooser=y --cygpath=d "
			"--fmt!w --unstable --check!h --init!w -e!w --edit!w --clear-shell-args --no-deps "
			"--no-dotenv --one --yes -q -u --unsorted -v -x -g -n!r --dry-run!r -l!h --list?h -s!h "
			"--show=d --summary!h --dump!h --evaluate!h --groups!h --variables!h --man!h --completions=d "
			"--changelog!h --usage=d --dump-format=d -h!h --help!h -V!h --version!h", .operands = "d*",
		.grammar = ZS_GRAMMAR_TASKS, .traits = ZS_ROW_BUILDS },
	{ .names = "task|go-task",
		.options = "-d=d --dir=d -t=d --taskfile=d -o=d --output=d -C=d --concurrency=d -I=d --interval=d "
			"--completion=d --sort=d -f --force -p -s -v -w -x -y -i!w --init!w -n!h --dry!h -l!h "
			"--list!h -a!h --list-all!h --status!h --summary!h --json -g --global -h!h --help!h "
			"--version!h", .operands = "d*", .grammar = ZS_GRAMMAR_TASKS, .traits = ZS_ROW_BUILDS },
	/* taskwarrior is also named task; these are its subcommands */
	{ .of = "task|go-task",
		.names = "add|annotate|append|delete|done|duplicate|import|modify|prepend|purge|undo|log",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	{ .names = "mage|redo|tup|earthly|dagger|tusk|mask|runme",
		.options = "-d=d -w=d -t=d -compile=w -init!w -goos=d -goarch=d -ldflags=d -clean!w -f -l!h --list!h "
			"-h!h --help!h -version!h --version!h", .operands = "d*", .grammar = ZS_GRAMMAR_TASKS },
	{ .names = "doxygen", .options = "-g!w -l!w -w!w -e!w -u!w -s -b -d=d -x!h -h!h --help!h -v!h -V!h "
			"--version!h", .operands = "rww" },
	{ .names = "hugo|zola|mdbook|gitbook|cobalt|hexo",
		.options = "-d=w --destination=w --dest-dir=w --output-dir=w -D -b=d --baseURL=d -s=d --source=d "
			"-c=d --contentDir=d -e=d --environment=d -h!h --help!h --version!h", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS },
	{ .of = "hugo|zola|mdbook|gitbook|cobalt|hexo",
		.names = "build|serve|server|s|list|config|env|version|check|test|help|watch|completion|mod",
		.options = "-d=w --destination=w --dest-dir=w -o=d --output-dir=w", .operands = "d*" },
	{ .of = "hugo|zola|mdbook|gitbook|cobalt|hexo",
		.names = "new|init|gen|import|convert|deploy|clean|publish|generate|n|d|install", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "pdflatex|xelatex|lualatex|pslatex|etex|eptex|euptex|ptex|uptex|platex|uplatex|aleph|mllatex|"
			"cslatex|csplain|xmltex|pdfxmltex|texsis|eplain|dvilualatex|dviluatex|luahbtex|latex-dev|"
			"pdflatex-dev|pdftex|xetex|luatex|tectonic|asciidoctor-pdf|asciidoctor-epub3|"
			"a2x|rst2pdf",
		.options = TEX_OPTIONS, .operands = "d*", .traits = ZS_ROW_LONG_DASH | ZS_ROW_ABBREVIATED,
		.grammar = ZS_GRAMMAR_COMPILES, .language = "tex" },
	{ .names = "latex|tex", .options = TEX_OPTIONS, .operands = "d*",
		.traits = ZS_ROW_LONG_DASH | ZS_ROW_ABBREVIATED, .grammar = ZS_GRAMMAR_COMPILES, .language = "dvi" },
	{ .names = "plantuml", .options = "-p!r -pipe!r -checkonly!r -syntax!r -testdot!r -o=w -version!h -help!h -h!h",
		.operands = "d*", .traits = ZS_ROW_LONG_DASH | ZS_ROW_WRITES },
	{ .names = "markdown|typst|d2",
		.options = "-o=w --output=w --out-file=w --output-file=w --outdir=w -outdir=w -output-directory=w "
			"--output-directory=w --extract-media=w --log=w -D=d -O!w -f=d -t=d -T=d -K=d -G=d -N=d -E=d "
			"-s -h!h --help!h -v!h -V!h --version!h --check!r", .operands = "d*",
		.grammar = ZS_GRAMMAR_VERB },
	{ .of = "d2|typst", .names = "fmt|init|update|compile|c|watch|w", .traits = ZS_ROW_WRITES },
	{ .names = "latexmk",
		.options = "-outdir=w -output-directory=w -auxdir=w -o=w -pdf -xelatex -lualatex -pvc -cd -e=k -r=f "
			"-pdflatex=d -jobname=d -h!h -help!h --help!h -v!h -version!h", .operands = "d*",
		.language = "perl" },
	{ .names = "gcov|gcovr|lcov|genhtml|llvm-cov|llvm-profdata|kcov|fastcov|codecov|bcov|coveralls-lcov",
		.options = "-o=w --output=w --output-file=w --output-directory=w --output-dir=w --json=w "
			"--json-summary=w --xml=w --cobertura=w --html=w --html-details=w --html-nested=w --csv=w "
			"--txt=w --lcov=w --markdown=w --sonarqube=w --coveralls=w --clover=w --jacoco=w "
			"--json-pretty -a=d --add-tracefile=d -d=d --directory=d -r=d --root=d -e=d --exclude=d -f=d "
			"--filter=d -z!w --zerocounters!w --delete!w -instr-profile=d -object=d -n -t -h!h --help!h "
			"-v!h -V!h --version!h", .operands = "d*", .grammar = ZS_GRAMMAR_VERB },
	{ .of = "llvm-profdata", .names = "merge", .traits = ZS_ROW_WRITES },
	{ .names = "weasyprint|wkhtmltopdf|wkhtmltoimage",
		.options = "-a=d -e=d -f=d -m=d -s=d -u=d -B=d -L=d -R=d -T=d -O=d -q -v -h!h --help!h -V!h "
			"--version!h --info!h", .operands = "r*w" },
};
// clang-format on
ZS_TABLE_COUNT(builders);
