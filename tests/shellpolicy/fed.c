/* Code that an interpreter reads from its standard input is judged if the text holds it, in a here-document, a
 * here-string, or the output of echo, printf and cat in a pipe. If it is not known, it is refused. */
#include "vetting.h"

#define OPAQUE(command) EVERYWHERE(command, OPAQUE_INTERPRETER, NULL)
#define CODE(command) IN_VERIFY(command, INLINE_CODE, NULL)
#define WRITE(command) IN_VERIFY(command, WRITE, NULL)

TEST(fed_is_judged_as_code)
{
	static const struct vet_row rows[] = {
		NEVER("python3 <<'E'\nprint(1)\nE"),
		NEVER("python3 - arg <<'E'\nimport sys\nprint(sys.argv)\nE"),
		NEVER("python3 - <<'E' 2>&1 | tail -3\nprint(1)\nE"),
		NEVER("python3 - <<'E' 2>/dev/null\nprint(1)\nE"),
		NEVER("python3 /dev/stdin <<'E'\nprint(1)\nE"),
		NEVER("python3 <<< 'print(1)'"),
		NEVER("x=$(python3 - <<'E'\nprint(1)\nE\n); echo $x"),
		NEVER("for i in 1 2; do python3 - <<'E'\nprint(1)\nE\ndone"),
		NEVER("python3 - <<-'E'\n\tprint(1)\n\tE"),
		NEVER("python3 <<'E'\n# -*- coding: utf-8 -*-\n# decoding is plain\nprint(1)\nE"),
		NEVER("python3 <<'E'\nimport re\nprint(open('f', encoding=\"latin-1\").read())\nE"),
		NEVER("PYTHONPATH=. python3 - <<'E'\nprint(1)\nE"),
		NEVER("node <<'E'\nconsole.log(1)\nE"),
		NEVER("node - a <<'E'\nconsole.log(1)\nE"),
		NEVER("perl <<'E'\nprint 1;\nE"),
		NEVER("perl - a <<'E'\nprint 1;\nE"),
		NEVER("ruby - <<'E'\nputs 1\nE"),
		NEVER("php <<'E'\n<?php\necho 1;\nE"),
		NEVER("awk -f - x <<'E'\n{ print $1 }\nE"),
		NEVER("sed -n -f - x <<'E'\ns/a/b/p\nE"),
		NEVER("sqlite3 a.db <<'E'\n.mode csv\nselect 1;\nE"),
		NEVER("psql -d x <<'E'\nselect a::int from t;\nE"),
		CODE("python3 <<'E'\nopen('x', 'w')\nE"),
		CODE("python3 - <<'E'\nimport os\nos.remove('x')\nE"),
		CODE("python3 <<< 'open(\"x\", \"w\")'"),
		CODE("python3 /dev/stdin <<'E'\nopen('x', 'w')\nE"),
		CODE("node <<'E'\nrequire('fs').writeFileSync('x', '')\nE"),
		CODE("node -r ./a.js <<'E'\nrequire('fs').writeFileSync('x', '')\nE"),
		CODE("perl <<'E'\nsystem('rm x');\nE"),
		CODE("ruby - <<'E'\nFile.delete('x')\nE"),
		CODE("php <<'E'\n<?php unlink('x');\nE"),
		CODE("php <<'E'\n<?php echo 1; ?><?php unlink('x');\nE"),
		CODE("lua - <<'E'\nos.remove('x')\nE"),
		CODE("sqlite3 a.db <<'E'\nselect 1;\n.shell rm x\nE"),
		CODE("sqlite3 a.db <<'E'\ndelete from t;\nE"),
		CODE("sbcl --load f.lisp <<'E'\n(delete-file \"x\")\nE"),
		CODE("awk -f - <<'E'\nBEGIN { system(\"rm x\") }\nE"),
		WRITE("awk -f - f <<'E'\n{ print > \"x\" }\nE"),
		WRITE("sed -n -f - f <<'E'\nw x\nE"),
		WRITE("perl -pi - f <<'E'\ns/a/b/;\nE"),
	};

	CHECK_ROWS(rows);
}

TEST(fed_through_pipes_and_wrappers)
{
	static const struct vet_row rows[] = {
		NEVER("echo 'print(1)' | python3"),
		NEVER("echo -n 'print(1)' | python3 -"),
		NEVER("printf '%s\\n' 'print(1)' 'print(2)' | python3 -"),
		NEVER("printf 'print(1)\\n' | python3"),
		NEVER("cat <<'E' | python3 - a | head -1\nprint(1)\nE"),
		NEVER("cat - <<< 'print(1)' | python3"),
		NEVER("echo 'print(1)' | python3 &"),
		NEVER("echo 'select 1' | sqlite3 a.db"),
		NEVER("sudo -u x python3 - <<'E'\nprint(1)\nE"),
		NEVER("timeout 5 env A=b nice python3 - <<'E'\nprint(1)\nE"),
		NEVER("command python3 <<'E'\nprint(1)\nE"),
		NEVER("uv run python - <<'E'\nprint(1)\nE"),
		CODE("echo \"open('x','w')\" | python3"),
		CODE("printf '%s(%s)' open \"'x','w'\" | python3"),
		CODE("printf '%s\\n' 'import os' 'os.remove(\"x\")' | python3"),
		CODE("cat <<'E' | python3\nopen('x', 'w')\nE"),
		CODE("timeout 5 env A=b python3 - <<'E'\nopen('x', 'w')\nE"),
		WRITE("printf '%s\\n' 'rm x' | sudo bash -s"),
		OPAQUE("echo 'print(1)' | sed s/1/2/ | python3"),
		OPAQUE("echo 'print(1)' | tee f | python3"),
		OPAQUE("echo 'print(1)' |& python3"),
		OPAQUE("echo 'print(1)' >&2 | python3"),
		OPAQUE("echo -e 'print(1)' | python3"),
		OPAQUE("echo 'print(\"\\n\")' | python3"),
		OPAQUE("printf '%b' 'print(1)' | python3"),
		OPAQUE("printf '\\160rint(1)' | python3"),
		OPAQUE("echo \"print($x)\" | python3"),
		OPAQUE("./echo 'print(1)' | python3"),
		OPAQUE("cat -n <<'E' | python3\nprint(1)\nE"),
		OPAQUE("cat <<'E' f | python3\nprint(1)\nE"),
		OPAQUE("(echo 'print(1)') | python3"),
		OPAQUE("echo 'print(1)' | { python3; }"),
		OPAQUE("cat f | python3 <<< 'print(1)' < g"),
		OPAQUE("echo() { printf 'import os'; }; echo 'print(1)' | python3"),
		OPAQUE("eval 'echo() { printf x; }'; echo 'print(1)' | python3"),
		OPAQUE("function cat { printf x; }; cat <<'E' | python3\nprint(1)\nE"),
		OPAQUE("sudo -S python3 - <<'E'\nprint(1)\nE"),
		OPAQUE("find . -exec python3 - \\; <<'E'\nprint(1)\nE"),
	};

	CHECK_ROWS(rows);
}

TEST(fed_by_the_last_redirection)
{
	static const struct vet_row rows[] = {
		NEVER("python3 - < f <<'E'\nprint(1)\nE"),
		NEVER("python3 - <<'A' <<'B'\nopen('x', 'w')\nA\nprint(1)\nB"),
		NEVER("cat f | python3 - <<'E'\nprint(1)\nE"),
		NEVER("python3 <<'A' 3<<'B'\nprint(1)\nA\nopen('x', 'w')\nB"),
		CODE("python3 - <<'A' <<'B'\nprint(1)\nA\nopen('x', 'w')\nB"),
		CODE("<<'A' python3 <<'B'\nprint(1)\nA\nopen('x', 'w')\nB"),
		OPAQUE("python3 - <<'E' < f\nprint(1)\nE"),
		OPAQUE("python3 - <<'E' <&3\nprint(1)\nE"),
		OPAQUE("python3 3<<'E'\nprint(1)\nE"),
		OPAQUE("python3 /dev/fd/3 3<<'E'\nprint(1)\nE"),
		OPAQUE("exec <<'E'\nprint(1)\nE\npython3"),
		OPAQUE("<<'E'\nprint(1)\nE\npython3"),
		OPAQUE("{ python3; } <<'E'\nprint(1)\nE"),
		OPAQUE("f() { python3; }; f <<'E'\nprint(1)\nE"),
		OPAQUE("bash -c python3 <<'E'\nprint(1)\nE"),
		/* input that the interpreter does not run is data */
		NEVER("python3 script.py <<'E'\nopen('x', 'w')\nE"),
		NEVER("python3 -c 'print(1)' <<'E'\nopen('x', 'w')\nE"),
		NEVER("python3 -m json.tool <<'E'\n{\"a\": 1}\nE"),
		NEVER("sed s/a/b/ <<'E'\nw x\nE"),
	};

	CHECK_ROWS(rows);
}

TEST(fed_with_expansions)
{
	static const struct vet_row rows[] = {
		NEVER("python3 <<E\nprint(1)\nE"),
		NEVER("python3 <<E\nprint('\\$x', '\\`')\nE"),
		CODE("python3 <<E\nopen('\\$x', 'w')\nE"),
		CODE("python3 <<E\nop\\\nen('x', 'w')\nE"),
		OPAQUE("python3 <<E\nprint($x)\nE"),
		OPAQUE("python3 <<E\nprint(`ls`)\nE"),
		OPAQUE("bash <<E\nls $x\nE"),
		OPAQUE("bash <<< \"$x\""),
		OPAQUE("x=$(cat f); python3 <<E\nprint($x)\nE"),
		OPAQUE("x=1; [ -f a ] && x=$(cat f); bash <<E\necho $x\nE"),
		OPAQUE("x=\"coding: utf-7\"; python3 <<E\n# $x\nE"),
		OPAQUE("x=1; python3 <<-E\n\tprint($x)\n\tE"),
		OPAQUE("python3 <<E\nprint(\"$(echo \"y\")\")\nE"),
		OPAQUE("x='echo a\nread y\necho b'; bash <<< \"$x\""),
		OPAQUE("x=1; bash <<E\necho $x\\"),
		OPAQUE("x=1; php <<E\n<?php echo $x;\nE"),
		OPAQUE("python3 <<-E\n\tpri\\\n\tnt(1)\nE"),
		OPAQUE("python3 <<< \"print($x)\""),
	};

	CHECK_ROWS(rows);
	CHECK(strstr(vet(ZS_PROFILE_STRICT, "python3 <<E\nprint($x)\nE")->hint, "<<'EOF'"),
		"no hint to quote the delimiter");
}

/* Variables in a body, or in a here-string, whose values stand in the text. */
TEST(fed_with_known_values)
{
	static const struct vet_row rows[] = {
		NEVER("x=1; bash <<E\necho \"$x\" 'a'\nE"),
		NEVER("cmd='ls src'; bash <<< \"$cmd\""),
		NEVER("x=1; bash <<E\necho \"${x}\" \"${x:-y}\"\nE"),
		NEVER("bash <<E\nls $HOME $$\nE"),
		NEVER("f() { bash <<< \"$1\"; }; f 'ls src'"),
		CODE("python3 <<E\nprint('$')\nE"),
		CODE("n=5; python3 - <<E\nprint(\"$n\")\nE"),
		CODE("q='select 1'; psql -d x <<E\n$q;\nE"),
		WRITE("cmd='rm x'; bash <<< \"$cmd\""),
		UNLESS_RELAXED("x=cd; bash <<E\n$x src\nE", CD, NULL),
		UNLESS_RELAXED("cmd='cd src'; bash <<< \"$cmd\"", CD, NULL),
		UNLESS_RELAXED("x='1; cd src'; bash <<E\necho $x\nE", CD, NULL),
		UNLESS_RELAXED("x='1\ncd src'; bash <<E\necho $x\nE", CD, NULL),
		UNLESS_RELAXED("x='\"; cd src; \"'; bash <<E\necho \"$x\"\nE", CD, NULL),
		UNLESS_RELAXED("cmd=ls; cmd='echo a > b'; bash <<< $cmd", REDIRECT, NULL),
	};

	CHECK_ROWS(rows);
}

/* As input, the same text means something else than after -c. */
TEST(fed_is_read_otherwise)
{
	static const struct vet_row rows[] = {
		OPAQUE("python3 -i <<'E'\nprint(1)\nE"),
		OPAQUE("python3 -x <<'E'\n'''\nprint(1)\n'''\nE"),
		OPAQUE("python3 <<'E'\n# coding: utf-7\nprint(1)\nE"),
		OPAQUE("python3 <<'E'\n \t# coding: utf-7\nprint(1)\nE"),
		OPAQUE("printf '\\r\\n# coding: utf-7\\r\\nprint(1)' | python3"),
		OPAQUE("python3 <<'E'\n\n#vim: set fileencoding=utf-16 :\nprint(1)\nE"),
		OPAQUE("ipython <<'E'\nprint(1)\nE"),
		OPAQUE("node -i <<'E'\nconsole.log(1)\nE"),
		OPAQUE("perl <<'E'\n#!/bin/touch x\nE"),
		OPAQUE("perl -x <<'E'\nprint 1;\nE"),
		OPAQUE("perl <<'E'\nBEGIN { $x = <STDIN> }\nprint '\n';\nE"),
		OPAQUE("ruby <<'E'\n#!ruby -i\nputs 1\nE"),
		OPAQUE("php -a <<'E'\n<?php echo 1;\nE"),
		CODE("php <<'E'\necho 1;\nE"),
		OPAQUE("sqlite3 a.db <<'E'\nselect 1\ngo\n.shell touch x\nE"),
		OPAQUE("sqlite3 a.db <<'E'\nselect 1\n /\n.shell touch x\nE"),
		OPAQUE("psql <<'E'\nselect :x;\nE"),
		OPAQUE("psql -S <<'E'\nselect 1\nE"),
	};

	CHECK_ROWS(rows);
}

/* A shell reads its input line by line, and its commands read the same input. */
TEST(fed_shells)
{
	static const struct vet_row rows[] = {
		NEVER("bash <<'E'\nls -la\necho hi\ngit status\nE"),
		NEVER("sh -s a <<'E'\nls\nE"),
		NEVER("bash -s -- a b <<< 'ls'"),
		NEVER("bash <<'E'\ngrep x f\nhead -3 f\ncat f | wc -l\ntimeout 3 ls\nE"),
		NEVER("bash <<'E'\ngit branch | while read -r b; do echo \"$b\"; done\nE"),
		NEVER("bash <<< 'cat'"),
		WRITE("bash <<'E'\nrm x\nE"),
		WRITE("bash <<'E'\nbash <<'F'\nrm x\nF\nE"),
		UNLESS_RELAXED("bash <<'E'\ncd src\nE", CD, NULL),
		UNLESS_RELAXED("bash <<'E'\necho a > x\nE", REDIRECT, NULL),
		EVERYWHERE("sh <<'E'\necho <(ls)\nE", UNSUPPORTED, NULL),
		OPAQUE("bash -i <<'E'\nls\nE"),
		OPAQUE("bash <<'E'\nread x\necho '\ntouch y\necho '\nE"),
		OPAQUE("bash <<'E'\nhead -c 5\necho touch y\nE"),
		OPAQUE("bash <<'E'\neval 'read x'\nls\nE"),
		OPAQUE("bash <<'E'\nbash -c 'read x'\nls\nE"),
		OPAQUE("bash <<'E'\ntimeout 5 cat\nls\nE"),
		OPAQUE("bash <<'E'\ncat -\nls\nE"),
		OPAQUE("bash <<'E'\ncat /dev/stdin\nls\nE"),
		OPAQUE("bash <<'E'\n{ head -1; } <&0\nls\nE"),
		OPAQUE("bash <<'E'\nexec 3<&0\nhead -1 <&3\nls\nE"),
		OPAQUE("bash <<'E'\ngit log --stdin\nls\nE"),
		OPAQUE("bash <<'E'\nunknown-program\nls\nE"),
		OPAQUE("bash <<< 'exec <f'"),
		OPAQUE("bash <<< 'command exec <f'"),
		OPAQUE("bash <<'E'\npython3\nE"),
		OPAQUE("bash /dev/stdin <<'E'\nls\nE"),
	};

	CHECK_ROWS(rows);
}
