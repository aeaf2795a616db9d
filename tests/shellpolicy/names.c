/* Commands whose name is an expansion: strict blocks the command, or judges the names that the text can give it. */
#include "vetting.h"

#include "judge/names.h"

#include <stdio.h>
#include <stdlib.h>

/* Found by fuzzing: a quote without an end in a substitution kept the vetter busy for ever. */
TEST(names_of_unfinished_texts)
{
	static const char *const rows[] = { "e,`pwn$'`", "echo:-a`p\"n`b}", "a`tr\"ue`", "`'`", "`\"` x",
		"$(echo \"a) ls", "x=(`'`); \"${x[@]}\"" };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		CHECK(vet(ZS_PROFILE_STRICT, rows[i])->verdict == ZS_BLOCK, "%s", rows[i]);
}

TEST(names_blocked)
{
	static const struct {
		const char *command;
		enum zs_risk code;
	} rows[] = {
		/* clang-format off */
		{ "cd${IFS}docs", ZS_RISK_CD },
		{ "c$@d src", ZS_RISK_CD },
		{ "set -- cd src; \"$@\"", ZS_RISK_CD },
		{ "x=(cd src); \"${x[@]}\"", ZS_RISK_CD },
		{ "f() { \"$@\"; }; f cd src", ZS_RISK_CD },
		{ "printf -v c cd; $c src", ZS_RISK_CD },
		{ "read -r c <<< cd; $c src", ZS_RISK_CD },
		{ "compgen -F cd x", ZS_RISK_CD },
		{ "shopt -s autocd; src", ZS_RISK_CD },
		{ "find . -exec $(cat f) \\;", ZS_RISK_DYNAMIC_COMMAND },
		{ "for c in $(cat f); do $c; done", ZS_RISK_DYNAMIC_COMMAND },
		{ "env $(cat f)", ZS_RISK_DYNAMIC_COMMAND },
		{ "python3 -c \"$(cat f)\"", ZS_RISK_EVAL },
		{ "node -e \"$(cat f)\"", ZS_RISK_EVAL },
		{ "x=\"-C src\"; env $x ls", ZS_RISK_CD },
		{ "c=ls; c=cd; $c src", ZS_RISK_CD },
		{ "`echo cd` src", ZS_RISK_CD },
		{ "$(printf cd) src", ZS_RISK_CD },
		{ "$(printf c && printf d) src", ZS_RISK_CD },
		{ "x=$(echo -n c && echo d); $x src", ZS_RISK_CD },
		{ "x=$(false || printf 'c%s' d && true); $x src", ZS_RISK_CD },
		{ "$(which cd) src", ZS_RISK_CD },
		{ "bash -c '\"$@\"' _ cd src", ZS_RISK_CD },
		{ "bash -c '$0 src' cd", ZS_RISK_CD },
		{ "a=c; b=d; $a$b src", ZS_RISK_CD },
		{ "x=cd; y=$x; $y src", ZS_RISK_CD },
		{ "false && c=ls; $c cd src", ZS_RISK_CD },
		{ "eval 'c=cd'; $c src", ZS_RISK_CD },
		{ "c=ls; eval c=cd; $c src", ZS_RISK_CD },
		{ "f() { $1 src; }; f cd", ZS_RISK_CD },
		{ "f() { shift; \"$@\"; }; f x cd src", ZS_RISK_CD },
		/* $(cat f) may be two words: then cd is the command */
		{ "f() { shift; shift; \"$@\"; }; f $(cat f) cd true src", ZS_RISK_DYNAMIC_COMMAND },
		{ "x=(ls cd src); \"${x[@]:1}\"", ZS_RISK_CD },
		{ "$FOO cd src", ZS_RISK_DYNAMIC_COMMAND },
		{ "${FOO:-cd} src", ZS_RISK_CD },
		{ "\"$@\" cd src", ZS_RISK_CD },
		{ "$SHELL -c \"cd src\"", ZS_RISK_DYNAMIC_COMMAND },
		{ ": cd; $_ src", ZS_RISK_DYNAMIC_COMMAND },
		{ "IFS=,; c=cd,src; $c", ZS_RISK_CD },
		{ "for c in cd; do $c src; done", ZS_RISK_CD },
		{ "c=c; c+=d; $c src", ZS_RISK_CD },
		{ "/bin/b?sh -c 'cd src'", ZS_RISK_DYNAMIC_COMMAND },
		{ "command $(cat f)", ZS_RISK_DYNAMIC_COMMAND },
		{ "$(cat f)", ZS_RISK_DYNAMIC_COMMAND },
		{ "\"$(cat f)\" x", ZS_RISK_DYNAMIC_COMMAND },
		{ "declare -n r=c; r=cd; $c src", ZS_RISK_DYNAMIC_COMMAND },
		{ "$x", ZS_RISK_DYNAMIC_COMMAND },
		{ "export c=cd; bash -c '$c src'", ZS_RISK_CD },
		{ "xargs $c", ZS_RISK_DYNAMIC_COMMAND },
		{ "timeout 5 $c src", ZS_RISK_DYNAMIC_COMMAND },
		{ "t=\"5 bash\"; timeout $t -c 'cd src'", ZS_RISK_UNSUPPORTED },
		{ "${!x} src", ZS_RISK_DYNAMIC_COMMAND },
		{ "${x@Q}", ZS_RISK_DYNAMIC_COMMAND },
		{ "${x#a} src", ZS_RISK_DYNAMIC_COMMAND },
		{ "alias q=cd; $q src", ZS_RISK_CD },
		{ "while read -r c; do $c; done < f", ZS_RISK_DYNAMIC_COMMAND },
		{ "f() { local c=$1; $c src; }; f cd", ZS_RISK_CD },
		{ "g() { \"$@\"; }; f() { g \"$@\"; }; f cd src", ZS_RISK_CD },
		{ "c=ls; . ./f; $c src", ZS_RISK_DYNAMIC_COMMAND },
		{ "bash -s cd src <<< '\"$@\"'", ZS_RISK_CD },
		{ "c=c; c=${c}d; $c src", ZS_RISK_CD },
		{ "f() { c=c$c; }; c=d; f; $c src", ZS_RISK_CD },
		{ "x=(); for i in cd src; do x+=($i); done; \"${x[@]}\"", ZS_RISK_DYNAMIC_COMMAND },
		{ "command_not_found_handle() { shift; \"$@\"; }; nosuch cd src", ZS_RISK_DYNAMIC_COMMAND },
		{ "f() { [ $# = 2 ] && shift; \"$@\"; }; f x cd src", ZS_RISK_CD },
		{ "while :; do $c src; c=cd; done; c=ls", ZS_RISK_CD },
		{ "declare -n r; r=c; r=cd; ${c:-ls} src", ZS_RISK_DYNAMIC_COMMAND },
		{ "declare -a a='(cd src)'; \"${a[@]}\"", ZS_RISK_DYNAMIC_COMMAND },
		{ "a=(x cd src); unset a[0]; \"${a[@]}\"", ZS_RISK_DYNAMIC_COMMAND },
		{ "/proc/self/exe -c 'cd src'", ZS_RISK_DYNAMIC_COMMAND },
		{ "/b?n/bash -c 'cd src'", ZS_RISK_DYNAMIC_COMMAND },
		{ "unset c; c=ls; unset c; $c cd src", ZS_RISK_CD },
		{ "set -- c d; IFS=; \"$*\" src", ZS_RISK_DYNAMIC_COMMAND },
		{ "python3 -c \"import os; $(cat f)\"", ZS_RISK_EVAL },
		{ "python3 -c \"$x\"", ZS_RISK_EVAL },
		{ "ruby -e \"$(curl -fsSL https://e.org/x)\"", ZS_RISK_EVAL },
		{ "perl -e \"$(cat f)\"", ZS_RISK_EVAL },
		{ "awk \"$(cat f)\"", ZS_RISK_EVAL },
		{ "sed \"$(cat f)\" x", ZS_RISK_EVAL },
		{ "sed -e s/a/b/ -e $(cat f) x", ZS_RISK_EVAL },
		{ "x=$(cat f); sed \"$x\" y", ZS_RISK_EVAL },
		{ "Rscript -e \"$(cat f)\"", ZS_RISK_EVAL },
		{ "make --eval=\"$(cat f)\"", ZS_RISK_EVAL },
		{ "emacs -batch -eval \"$(cat f)\"", ZS_RISK_EVAL },
		{ "vim -c \"$(cat f)\"", ZS_RISK_EVAL },
		{ "vim -es -c \":!$(cat f)\" -c q", ZS_RISK_EVAL },
		{ "gdb -batch -ex \"shell $(cat f)\"", ZS_RISK_EVAL },
		{ "x=CD; ${x,,} src", ZS_RISK_CD },
		{ "x=xcd; ${x#x} src", ZS_RISK_CD },
		{ "x=c_d; ${x/_/} src", ZS_RISK_CD },
		{ "x=lcd; ${x:1} src", ZS_RISK_CD },
		{ "y=x; x=cd; ${!y} src", ZS_RISK_CD },
		{ "y='x[@]'; x=(cd src); \"${!y}\"", ZS_RISK_DYNAMIC_COMMAND },
		{ "x=(ls cd); ${x[1]} src", ZS_RISK_CD },
		{ "x[1]=cd; ${x[1]} src", ZS_RISK_DYNAMIC_COMMAND },
		{ "read a b <<< 'cd src'; $a $b", ZS_RISK_CD },
		{ "IFS=, read a b <<< x,cd; $b src", ZS_RISK_CD },
		{ "read -r x <<E\ncd\nE\n$x src", ZS_RISK_CD },
		{ "read -ra x <<< 'cd src'; \"${x[@]}\"", ZS_RISK_CD },
		{ "mapfile -t x <<< cd; ${x[0]} src", ZS_RISK_CD },
		{ "printf -v c %s%s c d; $c src", ZS_RISK_CD },
		{ "c='cd src'; eval $c", ZS_RISK_CD },
		{ "c='cd src'; eval \"$c\"", ZS_RISK_CD },
		{ "c='cd src'; bash -c \"$c\"", ZS_RISK_CD },
		{ "c='cd src'; trap \"$c\" EXIT", ZS_RISK_CD },
		{ "c=cd; eval $c src", ZS_RISK_CD },
		{ "f() { eval \"$@\"; }; f cd src", ZS_RISK_CD },
		{ "c='eval \"$d\"'; d='cd src'; eval \"$c\"", ZS_RISK_CD },
		{ "c='eval \"$c\"'; eval \"$c\"", ZS_RISK_LIMIT },
		{ "eval $x", ZS_RISK_EVAL },
		{ "eval \"ls $(cat f)\"", ZS_RISK_EVAL },
		{ "bash -c \"ls $x\"", ZS_RISK_EVAL },
		{ "bash -c \"\\$$#\" _ cd", ZS_RISK_EVAL },
		{ "bash -c \"$? cd\"", ZS_RISK_EVAL },
		{ "trap 'ls'${x- $#}", ZS_RISK_EVAL },
		{ "bash -c \"ls $(dirname \"$x\")\"", ZS_RISK_EVAL },
		{ "d=$(mktemp -d 'x;cd${IFS}src;XXX'); bash -c \"ls $d\"", ZS_RISK_EVAL },
		{ "d=$(realpath 'x;cd${IFS}src'); eval \"ls $d\"", ZS_RISK_EVAL },
		{ "eval \"$HOME$x\"", ZS_RISK_EVAL },
		{ "x=$( [ -f y ] && echo ls || echo cd ); $x src", ZS_RISK_CD },
		{ "x=$(cat f && echo ls); $x src", ZS_RISK_DYNAMIC_COMMAND },
		{ "x=$(false || echo cd); $x src", ZS_RISK_CD },
		{ "BASH_ENV=<(cat f) bash -c :", ZS_RISK_OPAQUE_INTERPRETER },
		{ "ENV=/dev/fd/3 sh -i -c :", ZS_RISK_OPAQUE_INTERPRETER },
		{ "env 'BASH_FUNC_f%%=() { cd src; }' bash -c f", ZS_RISK_UNSUPPORTED },
		{ "x='a[`cat f`]'; ((x))", ZS_RISK_UNSUPPORTED },
		{ "x='\\e[31m`cat f`'; y=${x#??}; ((y))", ZS_RISK_UNSUPPORTED },
		/* clang-format on */
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct zs_report *report = vet(ZS_PROFILE_STRICT, rows[i].command);

		CHECK(report->verdict == ZS_BLOCK && report->code == rows[i].code, "%s: %s", rows[i].command,
			zs_risk_name(report->code));
	}
}

TEST(names_allowed)
{
	static const char *const commands[] = {
		/* clang-format off */
		"PYTHON=python3; $PYTHON -m pytest",
		"for t in a b; do ./run.sh $t; done",
		"CMD=\"make -j4\"; $CMD test",
		"${CC:-gcc} -c x.c",
		"\"$@\"",
		"time ls",
		"! ls",
		"$(which python3) -m pytest",
		"\"$HOME/bin/x\" a",
		"$HOME/bin/x a",
		"./build/$x a",
		"for t in tests/*.sh; do \"$t\"; done",
		"f() { \"$@\"; }; f make test",
		"run() { echo \"+ $*\"; \"$@\"; }; run npm test",
		"PY=$(command -v python3 || command -v python); $PY -m pytest",
		"\"$(dirname \"$0\")/x.sh\" a",
		": ${P:=python3}; $P -m x",
		"$(go env GOPATH)/bin/golangci-lint run",
		"set -- a b; echo $1",
		"while IFS= read -r l; do echo \"$l\"; done < f",
		"cmds=(\"make test\" \"make lint\"); for c in \"${cmds[@]}\"; do $c; done",
		"x=\"$(cat f)\"; echo \"$x\"",
		"sed -n \"$(cat f)p\" x",
		"sed -e \"s/a/$(cat f)/\" x",
		"sqlite3 db \"$(cat f)\"",
		"gdb -batch -ex \"print $(cat f)\" x",
		"if [ -x venv/bin/python ]; then PY=venv/bin/python; else PY=python3; fi; $PY -m pytest",
		"[ -f x ] && S=sudo; $S ls",
		"node -e \"console.log('$x')\"",
		"python3 -c \"print('$(cat VERSION)')\"",
		"CODE='print(1)'; python3 -c \"$CODE\"",
		"python3 \"$script\"",
		"git $sub",
		"PYTHON=${PYTHON:-python3}; $PYTHON -m pytest",
		". ./env.sh; PY=python3; $PY -m pytest",
		"cmd=(npm test); [ -n \"$CI\" ] && cmd+=(-- --ci); \"${cmd[@]}\"",
		"f() { local c=$1; shift; $c \"$@\"; }; f python3 -m pytest",
		"f() { shift; shift; \"$@\"; }; f a b npm test",
		/* nothing is left to shift */
		"f() { shift; \"$@\"; }; f",
		"shift; \"$@\"",
		"retry() { local n=$1; shift; for i in $(seq $n); do \"$@\" && return; done; }; retry 3 npm ci",
		"IFS=$'\\n\\t'; make=make; $make test",
		"$PWD/gradlew test",
		"~/gradlew test",
		"find tests -name '*_test' -exec {} \\;",
		"x=LS; ${x,,} src",
		"v=python3.11; ${v%.*} -V",
		"t=lint.sh; ./${t/lint/test}",
		"y=PY; PY=python3; ${!y} -V",
		"x=(python3 -m pytest); ${x[0]} -V",
		"read -r c _ <<< 'ls src'; $c",
		"mapfile -t c <<'E'\nls\n-l\nE\n\"${c[@]}\"",
		"printf -v c '%s %s' npm test; $c",
		"cmd=ls; eval $cmd",
		"cmd='npm test'; bash -c \"$cmd\"",
		"t=$(mktemp -d); trap \"rm -rf $t\" EXIT",
		"trap \"kill $!\" EXIT",
		"t=$(mktemp); trap \"rm -f '$t'\" EXIT",
		"d=$(git rev-parse --show-toplevel); bash -c \"ls $d\"",
		"bash -c \"test -d $HOME/.cache && kill -0 $$\"",
		"bash -c \". $HOME/.cargo/env && cargo test\"",
		". $HOME/.cargo/env; cargo test",
		"P=$( [ -f yarn.lock ] && echo yarn || echo npm ); $P test",
		"P=$(command -v gmake >/dev/null 2>&1 && echo gmake || echo make); $P -j2",
		"x=$(printf '%s-%s' pre commit); $x run", "x=$(printf -- go); $x vet ./...",
		"bash -c 'c=cd; echo $c'; c=ls; $c src",
		"bash -s <<'E'\nset -e\nnpm run lint\nE",
		"printf '\\e[31m`%s`\\e[0m\\n' x",
		"perl -pe \"s/$a/$b/\" f",
		"awk \"/$a/ { print \\$$n }\" f",
		/* clang-format on */
	};

	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
		const struct zs_report *report = vet(ZS_PROFILE_STRICT, commands[i]);

		CHECK(report->verdict == ZS_ALLOW, "%s: %s", commands[i], report->reason);
	}
}

/* python3 $f: the word may turn out to be a flag, and the next word to be code. */
TEST(names_of_scripts)
{
	static const char *const blocked[] = { "python3 $x --all", "bash $x", "bash \"$x\" y", "f='-c cd'; bash $f",
		"f=+n; bash $f", "f=$(cat g); bash $f", "f=/dev/stdin; python3 $f", "x=..; python3 $x/dev/stdin",
		"x=/d; python3 $x?v/stdin", "f=; bash $f", "[ -f a ] && f=a.py; python3 $f", "bash $HOME/$x",
		"for f in $(ls); do python3 $f; done", "for f in *.py; do python3 $f; done",
		"for f in a.py -c; do python3 $f 'import os'; done", "for f in t/*.py; do :; done; python3 $f x",
		"python3 $(for f in a.py; do :; done; echo -c) x", "f() { bash $1 x; }; f -c",
		"for f in $(python3 $f x) t/*.py; do :; done", "for f in t/*; do unset f; python3 $f; done",
		"f=a.py; . ./env; python3 $f x", "f=a.py; cmd='f=-c'; eval \"$cmd\"; python3 $f 'import os'",
		"f=a.py; read f; python3 $f", "g() { f=-c; }; f=a.py; g; python3 $f x" };
	static const char *const allowed[] = { "bash $HOME/bin/x.sh a", "f=scripts/x.sh; bash $f",
		"f=tools/x.py; python3 $f --all \"$x\"", "x=a.sh; bash \"$x\" y",
		"for f in tests/*.py; do python3 $f; done", "for f in ./*.py; do python3 $f || exit 1; done",
		"for t in $(ls tests); do python3 tests/$t; done", "f() { bash $1; }; f scripts/x.sh",
		"for f in a.js b.js; do node $f; done", "if [ -f a ]; then for f in t/*.rb; do ruby $f; done; fi" };

	for (size_t i = 0; i < sizeof blocked / sizeof *blocked; i++)
		CHECK(vet(ZS_PROFILE_STRICT, blocked[i])->code == ZS_RISK_EVAL, "%s", blocked[i]);
	for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
		const struct zs_report *report = vet(ZS_PROFILE_STRICT, allowed[i]);

		CHECK(report->verdict == ZS_ALLOW, "%s: %s", allowed[i], report->reason);
		CHECK(vet(ZS_PROFILE_VERIFY, allowed[i])->code == ZS_RISK_DYNAMIC_ARGUMENT, "%s", allowed[i]);
	}
}

static const char *repeated(const char *before, const char *part, unsigned times, const char *behind)
{
	static char text[ZS_MAX_INPUT];
	size_t len = (size_t)snprintf(text, sizeof text, "%s", before);

	for (unsigned i = 0; i < times && len < sizeof text; i++)
		len += (size_t)snprintf(text + len, sizeof text - len, "%s", part);
	CHECK(len + strlen(behind) < sizeof text, "%zu bytes", len);
	snprintf(text + len, sizeof text - len, "%s", behind);
	return text;
}

/* Checks that a name beyond a limit is not known. */
static void check_limit(const char *what, const char *within, bool allowed)
{
	const struct zs_report *report = vet(ZS_PROFILE_STRICT, within);

	CHECK(allowed ? report->verdict == ZS_ALLOW : report->code == ZS_RISK_DYNAMIC_COMMAND, "%s: %s", what,
		report->reason);
}

/* for c in w1 w2 …; do $c; done */
static const char *loop(unsigned words)
{
	static char text[2048];
	size_t len = (size_t)snprintf(text, sizeof text, "for c in");

	for (unsigned i = 0; i < words; i++)
		len += (size_t)snprintf(text + len, sizeof text - len, " w%u", i);
	snprintf(text + len, sizeof text - len, "; do $c; done");
	return text;
}

/* v0=ls; v1=$v0; … $vN */
static const char *chain(unsigned links)
{
	static char text[2048];
	size_t len = (size_t)snprintf(text, sizeof text, "v0=ls;");

	for (unsigned i = 0; i < links; i++)
		len += (size_t)snprintf(text + len, sizeof text - len, "v%u=$v%u;", i + 1, i);
	snprintf(text + len, sizeof text - len, "$v%u", links);
	return text;
}

/* A word that becomes an option is judged as that option. */
#define WRITE(command) IN_VERIFY(command, WRITE, NULL)

TEST(names_of_options)
{
	static const struct vet_row rows[] = {
		/* clang-format off */
		WRITE("o=-o; sort $o x"),
		WRITE("o=-o; sort \"$o\" x"),
		WRITE("o='-o x'; sort $o"),
		WRITE("a=(-o x); sort \"${a[@]}\""),
		WRITE("a=(-n); a+=(-o x); sort \"${a[@]}\" y"),
		WRITE("o=-o; sort -n \"$o\"x"),
		WRITE("o=-o; sort $o$x y"),
		WRITE("o=--output=x; git show $o"),
		WRITE("o=-; sort ${o}o x"),
		WRITE("f() { sort \"$@\"; }; f -o x"),
		WRITE("f() { sort $1 x; }; f -o; f y"),
		WRITE("set -- -o x; sort \"$@\""),
		WRITE("for o in -r -o; do sort $o x; done"),
		WRITE("read o <<< -o; sort $o x"),
		WRITE("printf -v o %s -o; sort $o x"),
		WRITE("o=-r; [ -t 1 ] && o=-o; sort $o x"),
		WRITE("c=sort; o=-o; $c $o x"),
		WRITE("timeout 5 sort $o x; o=-o; timeout 5 sort $o x"),
		WRITE("eval 'o=-o'; sort $o x"),
		WRITE("o=-o; bash -c \"sort $o x\""),
		NEVER("o=-o; sort x"),
		NEVER("o=-r; sort $o x"),
		NEVER("sort $o x"),
		NEVER("f() { grep -rn \"$@\" src; }; f -i foo"),
		NEVER("O='--stat -p'; git log $O"),
		NEVER("ARGS='-q -x'; pytest $ARGS tests"),
		NEVER("for f in *.c; do sort $f; done"),
		/* clang-format on */
	};

	CHECK_ROWS(rows);
}

TEST(names_limits_of_options)
{
	char *many = strdup(repeated("", "o=-r;", 5000, ""));

	CHECK(vet(ZS_PROFILE_VERIFY, repeated("o=;", "cat $o;", ZS_MAX_OPTION_USES, ""))->verdict == ZS_ALLOW,
		"options");
	CHECK(vet(ZS_PROFILE_VERIFY, repeated("o=;", "cat $o;", ZS_MAX_OPTION_USES + 1, ""))->code ==
			ZS_RISK_DYNAMIC_ARGUMENT,
		"more options");
	CHECK(vet(ZS_PROFILE_VERIFY, repeated(many, "cat $o;", 10, ""))->verdict == ZS_ALLOW, "work");
	CHECK(vet(ZS_PROFILE_VERIFY, repeated(many, "cat $o;", ZS_NAMES_WORK / 5000 + 1, ""))->code ==
			ZS_RISK_DYNAMIC_ARGUMENT,
		"more work");
	free(many);
}

TEST(names_limits)
{
	char *many;

	check_limit("expansions", loop(ZS_MAX_EXPANSIONS), true);
	check_limit("more expansions", loop(ZS_MAX_EXPANSIONS + 1), false);
	check_limit("bytes", repeated("c=", "a", ZS_MAX_EXPANDED, "; $c"), true);
	check_limit("more bytes", repeated("c=", "a", ZS_MAX_EXPANDED + 1, "; $c"), false);
	check_limit("fields", repeated("c='", "a ", ZS_MAX_FIELDS, "'; $c"), true);
	check_limit("more fields", repeated("c='", "a ", ZS_MAX_FIELDS + 1, "'; $c"), false);
	check_limit("steps", chain(ZS_MAX_EXPAND_STEPS), true);
	check_limit("more steps", chain(ZS_MAX_EXPAND_STEPS + 1), false);
	check_limit("names in front", repeated("e=; ", "$e ", ZS_MAX_NAME_STEPS, "ls"), true);
	check_limit("more names in front", repeated("e=; ", "$e ", ZS_MAX_NAME_STEPS + 1, "ls"), false);
	check_limit("names", repeated("c=ls; ", "$c;", ZS_MAX_NAME_USES, ""), true);
	check_limit("more names", repeated("c=ls; ", "$c;", ZS_MAX_NAME_USES + 1, ""), false);
	check_limit("work", repeated("", "c=ls;", 5000, "$c;$c;$c"), true);
	many = strdup(repeated("", "c=ls;", 5000, ""));
	check_limit("more work", repeated(many, "$c;", ZS_NAMES_WORK / 5000 + 1, ""), false);
	free(many);
}
