/* Interpreters and shells. A script file runs as any program does. Code on the command line or on standard input is
 * judged. */
#include "rows/rows_table.h"

// clang-format off
#define SHELL_OPTIONS \
	"-c!c -s!s -i!e -l --login -e -u -x -v -n -r -p -f -a -b -h -k -m -t -B -C -E -H -P -T -o^d -O^d --norc " \
	"--noprofile --posix --restricted --verbose --rcfile=f --init-file=f --dump-strings!h " \
	"--dump-po-strings!h -D!h --help!h --version!h"
/* bash accepts its long options with one dash too. */
#define BASH_OPTIONS \
	SHELL_OPTIONS " -login -norc -noprofile -posix -restricted -verbose -rcfile=f -init-file=f -dump-strings!h " \
	"-dump-po-strings!h -help!h -version!h -debug -debugger --debug --debugger -noediting --noediting " \
	"-pretty-print!h --pretty-print!h"

ZS_TABLE(interpreters) = {
	{ .names = "zsh|ksh|ksh93|mksh|lksh|pdksh|yash|oksh", .options = BASH_OPTIONS, .operands = "fd*",
		.traits = ZS_ROW_NO_PERMUTE | ZS_ROW_STDIN_CODE | ZS_ROW_POSIX | ZS_ROW_OTHER_SHELL,
		.grammar = ZS_GRAMMAR_SHELL, .language = "bash" },
	{ .names = "bash|rbash", .options = BASH_OPTIONS, .operands = "fd*",
		.traits = ZS_ROW_NO_PERMUTE | ZS_ROW_STDIN_CODE, .grammar = ZS_GRAMMAR_SHELL, .language = "bash" },
	{ .names = "sh|dash|ash|busybox-sh|posh", .options = SHELL_OPTIONS, .operands = "fd*",
		.traits = ZS_ROW_NO_PERMUTE | ZS_ROW_STDIN_CODE | ZS_ROW_POSIX,
		.grammar = ZS_GRAMMAR_SHELL, .language = "bash" },
	{ .names = "pwsh|powershell",
		.options = "-c=k -Command=k -command=k -EncodedCommand=k -encodedcommand=k -e=k -ec=k -File=f "
			"-file=f -f=f -NoProfile -NonInteractive -NoLogo -Version!h -version!h --version!h -Help!h "
			"-help!h", .operands = "fd*",
		.traits = ZS_ROW_LONG_DASH | ZS_ROW_ABBREVIATED | ZS_ROW_NO_PERMUTE | ZS_ROW_STDIN_CODE,
		.language = "powershell" },
	{ .names = "fish|tcsh|csh|nu|elvish|xonsh|rc|es",
		.options = "-c=k -Command=k --command=k --commands=k --init-command=k -C=k -n --no-execute "
			"--no-config --help!h --version!h -v!h", .operands = "fd*",
		.traits = ZS_ROW_NO_PERMUTE | ZS_ROW_STDIN_CODE, .language = "shell" },
	{ .names = "python|python3|pypy3",
		.options = "-c=k -m=X -W=d -X=d -Q=d --check-hash-based-pycs=d -B -b -d -E -I -i!s -O -OO -P -q -R -s "
			"-S -u -v -x!e -V!h -VV!h -h!h -?!h --help!h --help-env!h --help-xoptions!h --help-all!h "
			"--version!h", .operands = "fd*", .traits = ZS_ROW_NO_PERMUTE | ZS_ROW_STDIN_CODE | ZS_ROW_OWN |
		ZS_ROW_WHOLE_INPUT,
		.language = "python" },
	{ .names = "python2|pypy", /* in Python 2 input() evaluates its input as code */
		.options = "-c=k -m=X -W=d -X=d -Q=d --check-hash-based-pycs=d -B -b -d -E -I -i!s -O -OO -P -q -R -s "
			"-S -u -v -x!e -V!h -VV!h -h!h -?!h --help!h --help-env!h --help-xoptions!h --help-all!h "
			"--version!h", .operands = "fd*", .traits = ZS_ROW_NO_PERMUTE | ZS_ROW_STDIN_CODE | ZS_ROW_OWN,
		.language = "old-python" },
	{ .names = "ipython|ipython3|ptpython|bpython",
		.options = "-c=k -m=X -i --pdb --matplotlib?N --no-banner --quick -h!h --help!h -V!h --version!h",
		.operands = "fd*", .traits = ZS_ROW_NO_PERMUTE | ZS_ROW_STDIN_CODE | ZS_ROW_OWN, .language = "python" },
	{ .names = "irb|pry",
		.options = "-e=k --exec=k -r=d --require=d -I=d -f -d -w -h!h --help!h -v!h --version!h",
		.operands = "fd*", .traits = ZS_ROW_NO_PERMUTE | ZS_ROW_STDIN_CODE, .language = "ruby" },
	{ .names = "sbcl|clisp|gnuplot|maxima|octave|octave-cli|gp|swipl|guile|racket|csi|gosh|chez|scheme|"
			"chezscheme|gforth|hy|raku|perl6|rakudo|osascript|janet|fennel|picolisp|expect|wish|tclsh|"
			"jimsh|texlua|qjs|d8|js|rhino|tcc|ecl|abcl|mit-scheme|gjs|njs|wolframscript|sage|gap|"
			"Singular|M2",
		.options = "-e=k --eval=k -E=k -x=k -c=d -f=f --file=f --load=u -l=u --script=f -g=k -t=d "
			"--expression=k --execute=k --exec=k --command=k -code=k -v!h -V!h -h!h --help!h --version!h",
		.operands = "fd*", .traits = ZS_ROW_NO_PERMUTE | ZS_ROW_STDIN_CODE, .language = "code" },
	{ .names = "node|nodejs",
		.options = "-e=k --eval=k -p=k --print=k -pe=k -c!k --check!k -i!s --interactive!s -r=u --require=u "
			"--import=u --loader=u --experimental-loader=u -C=d --conditions=d --env-file=d "
			"--env-file-if-exists=d "
			"--experimental-config-file=d --input-type=d --test!k --test-name-pattern=d "
			"--test-skip-pattern=d --test-reporter=d --test-reporter-destination=w --test-only "
			"--test-timeout=d --test-concurrency=d --test-coverage-include=d --test-coverage-exclude=d "
			"--test-coverage-branches=d --test-coverage-functions=d --test-coverage-lines=d "
			"--test-shard=d --test-global-setup=u --test-isolation=d --test-update-snapshots!w "
			"--test-rerun-failures=w --experimental-test-coverage --watch --watch-path=d "
			"--max-old-space-size=d --max-semi-space-size=d --stack-size=d --stack-trace-limit=d "
			"--unhandled-rejections=d --dns-result-order=d --disable-warning=d --diagnostic-dir=w "
			"--report-dir=w --report-directory=w --report-filename=w --cpu-prof!w --cpu-prof-dir=w "
			"--cpu-prof-name=w --cpu-prof-interval=d --heap-prof!w --heap-prof-dir=w --heap-prof-name=w "
			"--heap-prof-interval=d --prof!w --redirect-warnings=w --report-on-signal --report-signal=d "
			"--trace-event-categories=d --trace-event-file-pattern=w --tls-keylog=w --build-snapshot!w "
			"--build-snapshot-config=d --snapshot-blob=d --experimental-sea-config=w --build-sea=w "
			"--heapsnapshot-signal=d --heapsnapshot-near-heap-limit=d --inspect-port=d --debug-port=d "
			"--secure-heap=d --openssl-config=d --icu-data-dir=d --allow-fs-read=d --allow-fs-write=d "
			"--title=d --run=f --prof-process!k -v!h --v8-options!h --completion-bash!h -h!h --help!h "
			"--version!h", .operands = "fd*", .traits = ZS_ROW_NO_PERMUTE | ZS_ROW_STDIN_CODE |
		ZS_ROW_WHOLE_INPUT,
		.language = "javascript" },
	{ .names = "perl",
		.options = "-e=k -E=k -n -p -i?i -0# -l# -a -F=P -c -C?N -d!s -D?N -I=d -M=p -m=p -s -S -t -T -u -U "
			"-v!h -V?h -w -W -X -x?e -f -g -h!h -?!h --help!h --version!h", .operands = "fr*",
		.traits = ZS_ROW_NO_PERMUTE | ZS_ROW_STDIN_CODE | ZS_ROW_WHOLE_INPUT, .language = "perl" },
	{ .names = "ruby|jruby|truffleruby|mruby",
		.options = "-e=k -n -p -i?i -0# -l -a -F=d -c -C=C -d -E=d -I=d -K=d -r=d -s -S -T?N -v!v -w -W?N "
			"-x?e -h!h --copyright!h --help!h --version!h", .operands = "fr*",
		.traits = ZS_ROW_NO_PERMUTE | ZS_ROW_STDIN_CODE | ZS_ROW_WHOLE_INPUT, .language = "ruby" },
	{ .names = "php|php-cgi|hhvm",
		.options = "-r=k -B=k -R=k -E=k -F=f -f=f -a!e -c=d -d=d -e -H -i!h -l -m!h -n -q -s!e -S=f -t=d -v!h "
			"-w!e -z=d --run=k --process-code=k --process-begin=k --process-end=k --process-file=f "
			"--file=f "
			"--define=d --php-ini=d --server=f --docroot=d --syntax-check --ini!h --rf=d --rc=d --re=d "
			"--rz=d --ri=d --rfunction=d --rclass=d --rextension=d --rextinfo=d --help!h -h!h -?!h "
			"--version!h --modules!h --info!h", .operands = "fd*",
		.traits = ZS_ROW_NO_PERMUTE | ZS_ROW_STDIN_CODE | ZS_ROW_WHOLE_INPUT, .language = "php" },
	{ .names = "lldb",
		.options = "-ex=k -eval-command=k -iex=k -x=f -command=f -batch -nx -n -q -quiet -p=d -pid=d -args "
			"--args -c=d -core=d -s=d -symbols=d -d=d -directory=d -cd=C -tty=d -o=k -O=k --one-line=k "
			"-version!h --version!h -help!h --help!h", .operands = "d*",
		.traits = ZS_ROW_LONG_DASH | ZS_ROW_STDIN_CODE, .language = "gdb" },
	/* Modules that python -m runs */
	{ .names = "tarfile|zipfile", .options = "-l!h --list!h -t!h --test!h -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "venv|virtualenv|ensurepip|idlelib", .options = "-h!h --help!h --version!h",
		.operands = "d*", .traits = ZS_ROW_WRITES },
	/* Two tools have this name. npm's json takes keys as operands, and json -I changes files. python -m json takes
	 * files, and writes the second. */
	{ .names = "json", .options = "-I!w --in-place!w -f=r -e=k -c=k -E=k -C=k -a -A -q -j -o=d -d=d -D=d "
			"-h!h --help!h "
			"--version!h --indent=d --json-lines --sort-keys --no-ensure-ascii --compact --tab --no-indent",
		.operands = "d*", .grammar = ZS_GRAMMAR_JSON, .language = "javascript" },
	{ .names = "json.tool",
		.options = "-h!h --help!h --indent=d --json-lines --sort-keys --no-ensure-ascii --compact --tab "
			"--no-indent", .operands = "rw" },
	{ .names = "trace",
		.options = "-h!h --help!h -C=w --coverdir=w -f=w --file=w -c!w --count!w -t --trace -l -r --report "
			"-T -g -s -m -R --ignore-module=d --ignore-dir=d", .operands = "fd*",
		.traits = ZS_ROW_NO_PERMUTE },
	{ .names = "cProfile|profile|pstats", .options = "-o=w --outfile=w -m=X -s=d --sort=d", .operands = "fd*",
		.traits = ZS_ROW_NO_PERMUTE },
	{ .names = "timeit", /* each operand is a line of one program */
		.options = "-n=d --number=d -r=d --repeat=d -s=d --setup=d -u=d --unit=d -p --process -v "
			"--verbose -h!h --help!h", .operands = "d*", .traits = ZS_ROW_NO_PERMUTE,
		.grammar = ZS_GRAMMAR_TIMEIT, .language = "python" },
	{ .names = "pdb|code.interact|asyncio", .options = "-m=X -c=k -h!h", .operands = "fd*",
		.traits = ZS_ROW_STDIN_CODE, .language = "code" },
	{ .names = "pydoc|pydoc3", .options = "-w!w -k -n=d -p=d -b", .operands = "d*" },
	{ .names = "zipapp", .options = "-o=w --output=w -p=d --python=d -m=d --main=d -c --info!h -h!h --help!h",
		.operands = "r", .traits = ZS_ROW_WRITES },
	{ .names = "py-spy|pyinstrument|scalene|memray|line_profiler|kernprof|memory_profiler|austin|viztracer",
		.options = "-o=w --output=w --output_file=w --outfile=w --output-file=w --json --html --pid=d -p=d "
			"-d=d -r=d -f=d --format=d -h!h --help!h -V!h --version!h", .operands = "d*",
		.grammar = ZS_GRAMMAR_VERB },
	{ .of = "py-spy", .names = "record", .traits = ZS_ROW_WRITES },
	{ .names = "lua|luajit|lua5.1|lua5.2|lua5.3|lua5.4", .options = "-e=k -l=p -i -v!v -E -W -b!w -j=d -O?N",
		.operands = "fd*", .traits = ZS_ROW_STDIN_CODE | ZS_ROW_NO_PERMUTE | ZS_ROW_WHOLE_INPUT,
		.language = "lua" },
	{ .names = "dc|m4",
		.options = "-e=k --expression=k -f=f --file=f -V!h --version!h -h!h --help!h -D=d -I=d -P -s -o=w "
			"--debugfile=w -F=w --freeze-state=w", .operands = "f*", .traits = ZS_ROW_STDIN_CODE,
		.language = "macro" },
};
// clang-format on
ZS_TABLE_COUNT(interpreters);
