/* Interpreters and shells: a script file runs as any program does; code on the command line or on standard input is
 * another matter. */
#include "rows.h"

#include "classify.h"

// clang-format off
ZS_TABLE(interpreters) = {
	{ .names = "bash|sh|dash|zsh|ksh|ash|mksh|rbash|yash|busybox-sh|posh|oksh",
		.options = "-c!c -s!s -i -l --login -e -u -x -v -n -r -p -f -a -b -h -k -m -t -B -C -E -H -P -T "
			"-o=d -O=d --norc --noprofile --posix --restricted --verbose --rcfile=f --init-file=f "
			"--dump-strings!h --dump-po-strings!h -D!h --help!h --version!h", .operands = "fd*",
		.traits = ZS_ROW_NO_PERMUTE | ZS_ROW_STDIN_CODE, .language = "bash" },
	{ .names = "pwsh|powershell",
		.options = "-c=k -Command=k -command=k -EncodedCommand=k -File=f -file=f -f=f -NoProfile "
			"-NonInteractive -NoLogo -Version!h -version!h --version!h -Help!h -help!h",
		.operands = "fd*", .traits = ZS_ROW_LONG_DASH | ZS_ROW_NO_PERMUTE | ZS_ROW_STDIN_CODE,
		.language = "powershell" },
	{ .names = "fish|tcsh|csh|nu|elvish|xonsh|rc|es",
		.options = "-c=k -Command=k --commands=k -n --no-execute --help!h --version!h -v!h",
		.operands = "fd*", .traits = ZS_ROW_NO_PERMUTE | ZS_ROW_STDIN_CODE, .language = "shell" },
	{ .names = "python|python3|pypy3",
		.options = "-c=k -m=X -W=d -X=d -Q=d -B -b -d -E -I -i!s -O -OO -P -q -R -s -S -u -v -x -V!h -VV!h "
			"-h!h --help!h --version!h", .operands = "fd*",
		.traits = ZS_ROW_NO_PERMUTE | ZS_ROW_STDIN_CODE, .language = "python" },
	{ .names = "python2|pypy", /* input() evaluates there */
		.options = "-c=k -m=X -W=d -X=d -Q=d -B -b -d -E -I -i!s -O -OO -P -q -R -s -S -u -v -x -V!h -VV!h "
			"-h!h --help!h --version!h", .operands = "fd*",
		.traits = ZS_ROW_NO_PERMUTE | ZS_ROW_STDIN_CODE, .language = "python 2" },
	{ .names = "ipython|ptpython|bpython|irb|pry|jshell|scala|sbcl|clisp|ghci|utop|iex|erl|R|gnuplot|maxima|"
			"octave|octave-cli|gp|swipl|guile|racket|csi|gosh|chez|scheme|gforth|julia|clojure|clj|bb|"
			"elixir|kotlin|groovy|coffee|ts-node|tsx|swift|hy|raku|perl6|rakudo|mongosh|mongo|redis|"
			"duckdb|cqlsh|sqlplus|osascript|janet|fennel|picolisp|expect|wish|tclsh|jimsh|lua5.4|"
			"texlua|node-repl|qjs|d8|js|rhino|deno-repl|ghc|runghc|runhaskell|ocaml|Rscript|nim|"
			"crystal|tcc|rdmd",
		.options = "-e=k --eval=k -E=k -c=k -f=f --file=f --expression=k --execute=k --command=k -v!h "
			"-V!h -h!h --help!h --version!h", .operands = "fd*",
		.traits = ZS_ROW_STDIN_CODE | ZS_ROW_NO_PERMUTE, .language = "code" },
	{ .names = "node|nodejs|bun-node",
		.options = "-e=k --eval=k -p=k --print=k -pe=k -c --check -i!s --interactive!s "
			"-r=f --require=f --import=f "
			"--loader=f --experimental-loader=f -C=d --conditions=d --env-file=d --input-type=d "
			"--test --test-name-pattern=d --test-reporter=d --test-reporter-destination=w --test-only "
			"--test-timeout=d --test-concurrency=d --test-coverage-include=d "
			"--test-coverage-exclude=d --test-shard=d --watch --max-old-space-size=d --stack-size=d "
			"--diagnostic-dir=w --cpu-prof!w --heap-prof!w --prof!w --redirect-warnings=w "
			"--report-on-signal --trace-event-file-pattern=w --heapsnapshot-signal=d --title=d "
			"--run=d -v!h --v8-options!h -h!h --help!h --version!h", .operands = "fd*",
		.traits = ZS_ROW_NO_PERMUTE | ZS_ROW_STDIN_CODE, .language = "javascript" },
	{ .names = "perl",
		.options = "-e=k -E=k -n -p -i?i -0# -l# -a -F=P -c -C?N -d!s -D?N -I=d -M=p -m=p -s -S -t -T -u "
			"-U -v!h -V?h -w -W -X -x?N -f -h!h -?!h --help!h --version!h", .operands = "fr*",
		.traits = ZS_ROW_NO_PERMUTE | ZS_ROW_STDIN_CODE, .language = "perl" },
	{ .names = "ruby",
		.options = "-e=k -n -p -i?i -0# -l -a -F=d -c -C=C -d -E=d -I=d -K=d -r=d -s -S -T?N -v!v -w -W?N "
			"-x?N -h!h --copyright!h --help!h --version!h", .operands = "fr*",
		.traits = ZS_ROW_NO_PERMUTE | ZS_ROW_STDIN_CODE, .language = "ruby" },
	{ .names = "php",
		.options = "-r=k -B=k -R=k -E=k -F=f -f=f -a -c=d -d=d -e -H -i!h -l -m!h -n -q -s -S=d -t=d -v!h "
			"-w -z=d --run=k --process-code=k --process-begin=k --process-end=k --ini!h --rf=d --rc=d "
			"--re=d --ri=d --help!h --version!h", .operands = "fd*",
		.traits = ZS_ROW_NO_PERMUTE | ZS_ROW_STDIN_CODE, .language = "php" },
	{ .names = "deno", .options = "-V!h --version!h -h!h --help!h -q", .operands = "d*",
		.traits = ZS_ROW_SUBCOMMANDS | ZS_ROW_STDIN_CODE },
	{ .of = "deno", .names = "test|lint|check|info|doc|types|bench|task|coverage",
		.options = "--fix!w --coverage?w --junit-path=w", .operands = "d*" },
	{ .of = "deno", .names = "fmt", .options = "--check!r", .traits = ZS_ROW_WRITES },
	{ .of = "deno", .names = "eval", .options = "-p --print --ext=d -c=d --config=d --cert=d --env-file=d",
		.operands = "k*", .language = "javascript" },
	{ .of = "deno", .names = "repl", .options = "--eval=k --eval-file=f", .operands = "d*",
		.traits = ZS_ROW_STDIN_CODE, .language = "code" },
	{ .of = "deno", .names = "compile|bundle|install|add|remove|init|upgrade|cache|publish|vendor",
		.traits = ZS_ROW_WRITES },
	{ .names = "java",
		.options = "-cp=d -classpath=d --class-path=d -jar -version!h --version!h -help!h --help!h",
		.operands = "d*", .traits = ZS_ROW_LONG_DASH },
	{ .names = "gdb|lldb",
		.options = "-ex=k -eval-command=k -iex=k -x=f -command=f -batch -nx -n -q -quiet -p=d -pid=d "
			"-args --args -c=d -core=d -s=d -symbols=d -d=d -directory=d -cd=C -tty=d -o=k -O=k "
			"--one-line=k -version!h --version!h -help!h --help!h", .operands = "d*",
		.traits = ZS_ROW_LONG_DASH | ZS_ROW_STDIN_CODE, .language = "gdb" },
	{ .names = "tarfile|zipfile", .options = "-l!h --list!h -t!h --test!h -h!h --help!h", .operands = "d*",
		.traits = ZS_ROW_WRITES },
	{ .names = "venv|virtualenv|ensurepip|compileall|idlelib", .options = "-h!h --help!h",
		.traits = ZS_ROW_WRITES },
	{ .names = "json.tool", .options = "-h!h --help!h --indent=d", .operands = "rw" },
	{ .names = "trace",
		.options = "-h!h --help!h -C=w --coverdir=w -f=w --file=w -c!w --count!w -t --trace -l -r "
			"--report -T -g -s -m -R --ignore-module=d --ignore-dir=d", .operands = "fd*",
		.traits = ZS_ROW_NO_PERMUTE },
	{ .names = "cProfile|profile|pstats", .options = "-o=w --outfile=w -m=X -s=d", .operands = "fd*",
		.traits = ZS_ROW_NO_PERMUTE },
	{ .names = "timeit", /* lines of one program, each an operand */
		.options = "-n=d --number=d -r=d --repeat=d -s=k --setup=k -u=d --unit=d -p --process -v "
			"--verbose -h!h --help!h", .operands = "k*", .language = "code" },
	{ .names = "pdb|code.interact|asyncio", .options = "-m=X -c=k -h!h", .operands = "fd*",
		.traits = ZS_ROW_STDIN_CODE, .language = "code" },
	{ .names = "pydoc|pydoc3", .options = "-w!w -k -n=d -p=d -b", .operands = "d*" },
	{ .names = "psql",
		.options = "-c=k --command=k -f=f --file=f -h=d --host=d -v=d --set=d --variable=d -U=d "
			"--username=d -p=d --port=d -d=d --dbname=d -o=w --output=w -L=w --log-file=w -P=d "
			"--pset=d -F=d -R=d -T=d -l!h --list!h -V!h --version!h -?!h --help!h -A -t -x -X -q -w "
			"-W -1 -a -b -e -E -n -s -S -H -z -0", .operands = "dd", .traits = ZS_ROW_STDIN_CODE,
		.language = "sql" },
	{ .names = "mysql|mariadb",
		.options = "-e=k --execute=k -h=d --host=d -u=d --user=d -P=d --port=d -D=d --database=d -S=d "
			"--socket=d -p?N --password?N --tee=w --defaults-file=f --pager?w -V!h --version!h -?!h "
			"--help!h -v -B -N -s -t -r -H -X -E", .operands = "d", .traits = ZS_ROW_STDIN_CODE,
		.language = "sql" },
	{ .names = "lua|luajit", .options = "-e=k -l=p -i -v!v -E -W -b!w -j=d -O?N", .operands = "fd*",
		.traits = ZS_ROW_STDIN_CODE | ZS_ROW_NO_PERMUTE, .language = "lua" },
	{ .names = "zipapp", .options = "-o=w --output=w -p=d --python=d -m=d --main=d -c --info!h -h!h --help!h",
		.operands = "r", .traits = ZS_ROW_WRITES },
	{ .names = "dc|m4",
		.options = "-e=k --expression=k -f=f --file=f -V!h --version!h -h!h --help!h -D=d -I=d -P -s -o=w "
			"--debugfile=w", .operands = "f*", .traits = ZS_ROW_STDIN_CODE, .language = "macro" },
	{ .of = "deno", .names = "run", .options = "-A -q -c=d --config=d --watch --import-map=d --lock=d -r",
		.operands = "fd*", .traits = ZS_ROW_NO_PERMUTE, .language = "javascript" },
};
// clang-format on
ZS_TABLE_COUNT(interpreters);
