/* Meanings that commands have for bash beyond their words: options that change how text is read, strings that become
 * code, files that are opened again. The rows are blocked or allowed in strict. */
#include "vetting.h"

static const char *const blocked[] = {
	/* clang-format off */
	/* aliases and options that change how later lines are read */
	"shopt -s expand_aliases\nalias q='#'\nq '\npwn #'",
	"set -o posix\nalias q='#'\nq '\npwn #'",
	"BASH_ALIASES[q]='#'; shopt -s expand_aliases\nq '\npwn #'",
	"shopt -s expand_aliases\nalias 'x= '\nx ls",
	"bash -O expand_aliases -c 'alias q=:\nq x'",
	"set -o posix\ntime -v pwn",
	"set -o history -H\necho pwn\n!!:1",
	"set -H", "set -o histexpand\nls", "set -eH", "set -e -o history; eval 'ls'",
	"set -k\nls a=b c", "set -o keyword", "set -ek",
	"set +B\nls {a,b}", "set +o braceexpand", "set -eo pipefail +B",
	"shopt -s compat44\nls", "shopt -so posix", "shopt -u extquote", "shopt -qs compat31; eval ls",
	"shopt -s \"$x\"", "shopt $x", "shopt -$x extglob", "set -o $x", "set -o \"$x\"", "set -$x", "set $x",
	"bash --posix -c 'ls'", "bash -o posix -c 'ls'", "bash -H -c 'ls'", "bash -k -c ls", "bash +B -c 'ls {a,b}'",
	"bash -O compat31 -c 'ls'", "bash +O extquote -c ls", "bash -eo posix -c ls",
	"BASH_COMPAT=4.2; ls", "export POSIXLY_CORRECT=1; ls", "POSIXLY_CORRECT=1 bash -c ls",
	"env POSIXLY_CORRECT=1 bash -c ls", "SHELLOPTS=posix bash -c ls", "export "
	"BASHOPTS=extglob", "BASH_CMDS[ls]=/tmp/pwn; ls",
	"touch pwn\nshopt -s extglob\n!(x)",
	/* flags of shells */
	"bash - < f", "exec -a$x x pwn", "exec -a\"$x\" x pwn", "timeout -k$x 5 ls", "env -u$x ls", "bash -o$x ls",
	/* trap, env -S, history */
	"env -S 'pwn\\_x'", "env -S 'ls ${HOME}'", "env -S 'ls #x'", "env -S 'a\\cb'", "env --split-string='a\\tb'",
	"trap $x",
	"compgen -W \"$x\" y", "compgen -C \"$x\" y",
	"fc -s pwn", "history -s pwn; fc -s", "fc -e - 1", "hash -p /tmp/pwn ls; ls",
	/* files that are opened again */
	"exec {x}<victim; echo hi >/dev/fd/10", "exec 0000000004<victim; echo hi >/dev/fd/4",
	"echo hi 0000000001<victim >/dev/stdout", "echo hi 5<victim 3>&5 >/dev/fd/3",
	"echo hi 5<victim >&5 >/dev/fd/1", "echo hi 5<victim 2>&5 >/dev/stderr",
	"exec 7<victim; echo hi 1<&7 >/dev/stdout", "echo hi <victim >&0 >/dev/stdout",
	"echo hi >&0 >>/dev/stdout", "exec 3<victim; bash -c 'echo >/dev/fd/3'", "cat <victim 3<&0 2>/dev/fd/3",
	/* strings that become code */
	"y='a['; y+='$(pwn)]'; ((y))", "y='a['; y+='$(pwn)]'; echo $((y))", "y='a['; y+='$(pwn)]'; let y",
	"y='a[$'; y+='(pwn)]'; ((y))", "y='a['; y+='`pwn`]'; [[ y -eq 0 ]]", "y='a['; y+='$(pwn)]'; [[ -v $y ]]",
	"y='a['; y+=$'\\x24(pwn)]'; ((y))", "y='a['; y+=$'\\044\\050pwn)]'; ((y))", "y=a[; y+=\\$\\(pwn\\)]; ((y))",
	"y='a['; y+='$(pwn)]'; echo ${x:y}", "y='a['; y+='$(pwn)]'; echo ${x[y]}", "y='a['; y+='$(pwn)]'; echo ${!y}",
	"y='a['; y+='$(pwn)]'; x=(1); unset \"x[y]\"", "y='a['; y+='$(pwn)]'; x=(1); test -v 'x[y]'",
	"y='a['; y+='$(pwn)]'; read 'x[y]' < f", "y='a['; y+='$(pwn)]'; declare 'x[y]'", "y='a['; y+='$(pwn)]'; "
	"[[ -R y ]]", "y='a['; y+='$(pwn)]'; echo ${x:0:y}", "y='a['; y+='$(pwn)]'; echo $((`echo y`))",
	"y='a['; y+='$(pwn)]'; unset \"$y\"", "y='a['; y+='$(pwn)]'; declare -i z=$y", "y='a['; y+='$(pwn)]'; "
	"read \"$y\"",
	"y='a['; y+='$(pwn)]'; printf -v \"$y\" x", "y='a['; y+='$(pwn)]'; x[y]=1", "y='a['; y+='$(pwn)]'; "
	"test -v \"$y\"",
	"printf -v y 'a%s' '[$' '(pwn)]'; ((y))", "y=a$(echo '[')$(echo '$(pwn)]'); ((y))",
	"y=a$(printf '[')$(printf '\\x24(pwn)]'); ((y))", "f() { y=$1$2; ((y)); }; f 'a[' '$(pwn)]'",
	"set -- 'a[' '$(pwn)]'; y=$1$2; ((y))", "bash -c 'y=$1$2; ((y))' _ 'a[' '$(pwn)]'",
	"y='a['; y+='$(pwn)]'; eval '((y))'", "env y='$(pwn)]' bash -c 'y=a[$y; ((y))'",
	"echo 'a[''$(pwn)]' | while read y; do ((y)); done", "e=; [[ \"$e\"'a[$(pwn)]' -eq 0 ]]",
	"y='$(pwn)'; x='a[${y@P}]'; ((x))",
	"declare -a 'x=($(pwn))'", "declare -a x='($(pwn))'", "declare -ga x='(`pwn`)'", "declare 'x=($(pwn))'",
	"y='($(pwn))'; declare -a x=$y", "y='($(pwn))'; declare -A x=\"$y\"", "y='($(pwn))'; declare -a x; "
	"declare x=$y",
	"PS4='$'; PS4+='(pwn)'; set -x; :", "PS4='$(pwn)'; set -x; :",
	"declare -n r=PS4; r='$(pwn)'; set -x; :", "local -n r=$1; r='$(pwn)'", "typeset -n r; r=PS4; "
	"r='$(pwn)'; set -x",
	"v=PS4; declare \"$v=\\$(pwn)\"; set -x; :", "v=S4; declare \"P$v=\\$(pwn)\"; set -x; :", "export \"$v=x\"",
	/* text for sh, which may be dash */
	"sh -c 'echo a &>/dev/null pwn'", "sh -c '[[ a || pwn ]]'", "dash -c '((pwn))'", "sh -c '[[ a < b ]]'",
	"sh -c 'echo $'\"'\"'\\'\"'\"'; pwn #'\"'\"", "ash -c 'ls |& cat'", "sh -c 'cat <<< x'", "sh -c 'cat "
	"<(ls)'", "sh -c 'ls {a,b}'",
	"sh -c 'ls {1..3}'", "sh -c 'ls {1..1}'", "sh -c '{{ls},{pwd}}'", "sh -c 'env {A=1}x,ls} y'", "sh -c '{ls,}'",
	"sh -c 'f() [[ a || pwn ]]'", "sh -c 'echo ${x:-$'\"'\"'a'\"'\"'}'", "sh -c 'function f { ls; }'",
	"sh -c 'if coproc ls; then ls; fi'", "sh -c 'time -v ls'",
	"sh -c 'time x=1 ls'", "sh -c 'x=(a b)'", "sh -c 'x+=a'", "sh -c 'a[1]=2'", "sh -c 'echo $[1+1]'",
	"sh -c 'case x in x) ls;;& esac'", "sh -c 'case x in x) ls;& y) ls;; esac'", "sh -c 'ls >(cat)'",
	"find . -exec sh -c 'ls {1..3}' \\;", "ls | xargs sh -c 'ls &> /dev/null'",
	"watch 'ls |& cat'", "busybox sh -c '((pwn))'", "sh -c 'eval \"((pwn))\"'", "env sh -c 'ls && ((x))'",
	"sh -c 'echo \"$(ls |& cat)\"'", "sh -c 'echo \"`ls |& cat`\"'", "sh -c 'echo \"$(case x in x) ls |& "
	"cat;; esac)\"'", "sh -c '&\\\n>/dev/null pwn'", "sh -c \"alias q='#'\nq\"", "sh -c 'echo $\"x\"'",
	"read -r \"$v\" <<< x; PS4='$(pwn)'",
	/* clang-format on */
};

static const char *const allowed[] = {
	/* clang-format off */
	"shopt -s extglob\nls !(x)", "shopt -s extglob nullglob; ls *.c", "shopt -s globstar\nls "
	"**/*.c", "shopt extglob",
	"shopt -s expand_aliases", "alias ll='ls -l'", "shopt", "shopt -p", "shopt -u nullglob", "shopt -q login_shell",
	"set -euo pipefail", "set -e", "set -x; ls", "set +x", "set -o pipefail", "set -eo pipefail; ls", "set --",
	"set -- a b; echo $1", "set -- \"$@\"", "set -f; ls", "set", "set -o", "set +e; ls; set -e", "set a b "
	"c", "set -o history", "shopt -s compat31", "set $(ls)",
	"bash -O extglob -c 'ls !(x)'", "bash -eo pipefail -c 'ls | wc -l'", "bash -o pipefail -c 'ls'", "bash "
	"-euxo pipefail -c ls",
	"POSIXLY_CORRECT=1 df", "bash -c -- ls", "bash -c - ls", "bash +e -c ls", "bash -oe pipefail x.sh",
	"xargs -P4 ls", "timeout -k 5 10 ls", "nice -n 5 ls",
	"trap 'rm -f x' EXIT", "trap - EXIT", "trap -- - INT", "trap -p", "trap -l", "trap '' INT", "trap \"\" "
	"INT TERM", "trap EXIT",
	"env -S 'ls -l' a", "env -S 'FOO=1 ls' 'a b; c'", "env FOO='a b' ls", "compgen -c", "compgen -W 'a b' "
	"x", "history", "fc -l",
	"hash -r", "hash ls",
	"echo hi >/dev/stderr", "echo hi >&2", "ls 2>&1", "cat < file", "cat < file >/dev/stdout", "cat <file "
	"2>/dev/stderr",
	"while read -r l; do echo \"$l\" >/dev/stderr; done < f", "exec 3>&1; echo x >&3; echo y >/dev/stderr",
	"diff <(ls a) <(ls b) >/dev/stderr", "while read -r l <&3; do echo \"$l\"; done 3< f",
	"n=$(wc -l < f); echo $((n+1))", "i=0; while ((i<3)); do i=$((i+1)); done", "x=$1; (( x > 2 ))",
	"for i in 1 2; do echo $((i*2)); done", "read -r n; ((n>1))", "n=$(awk '{print $(NF-1)}' f); echo $((n+1))",
	"re='^[0-9]+$'; [[ $n =~ $re ]] && echo $((n+1))", "RED='\\033[0;31m'; ((i++)); echo -e \"${RED}x\"",
	"RED=$'\\e[31m'; echo $((1+2))", "echo \"use \\`ls\\`\"; echo ${a[0]}", "n=5; printf '%s\\n' $((n*2))",
	"a=(1 2 3); echo ${#a[@]}; for ((i=0;i<3;i++)); do echo ${a[i]}; done", "echo 'costs $(5)'; ((i++))",
	"s=abc; echo ${s:1:2}", "declare -i n=5; n+=1; echo $n", "[[ $n -gt 3 ]] && echo big", "declare -a "
	"a=(1 2); echo ${a[1]}",
	"declare -A m=([a]=1); echo ${m[a]}", "declare -a a; a=(x y); echo ${a[@]}", "local x=$1", "export FOO=bar",
	"export FOO=\"$(cat f)\"", "declare -p FOO", "declare -n r=arr; echo \"${r[0]}\"", "f() { local -n "
	"ref=$1; ref=5; }; f x; echo $x",
	"export $(grep -v '^#' .env | xargs)", "PS4='+ ${BASH_SOURCE}:${LINENO}: '; set -x; ls", "PS1='\\u@\\h "
	"\\$ '; ls",
	"y='a['; y+='$(pwn)]'; echo x[y] ${x:1:2} $((1 + 2)); cat <<'E'\n((y))\nE",
	"sh -c 'cat <<\"E\"\n{a,b} $[1] <(x)\nfunction f\nE'", "sh -c 'x={a,b}; echo \"$x\" {} {}.bak'",
	"sh -c 'echo $((1+2))'", "sh -c '[ a = b ] && ls || cat'", "sh -c 'ls 2>&1 | grep x > /dev/null'", "sh "
	"-c '[[ -f x ]]'",
	"sh -c '[[ -f x ]] && ls'", "find . -name x -exec sh -c 'ls \"$1\"' _ {} \\;", "dash -c 'x=$(case a in "
	"a) ls;; esac)'",
	"sh -c 'for f in *.c; do wc -l \"$f\"; done'", "sh -c 'case x in (a|b) ls;; esac'", "sh -c 'time "
	"ls'", "sh -c 'x=1; ls'",
	"watch -n 1 'ls -l | wc -l'", "sh -c 'command -v ls >/dev/null 2>&1'", "sh -c 'f() { ls; }; f'", "sh "
	"-c '(ls; (cat))'",
	"sh -c \"echo 'a && [[ (( b'\"", "sh -c 'awk \"{print \\$1,\\$2}\" f'", "bash -c '[[ a || b ]] && ls "
	"&>/dev/null'",
	"sh -c 'echo ${x:-1} ${#x} # |& comment'", "sh -c 'echo \"$(ls | wc -l)\"'", "sh -c 'echo a[1] function time'",
	"unset x", "unset \"$x\"", "[ -v x ] && echo set", "printf -v y '%03d' 5; echo $((y + 1))",
	/* clang-format on */
};

/* Allowed, and the report shows the command that bash would run. */
static const char *const shown[] = {
	/* clang-format off */
	"bash -oc pipefail pwn", "bash -oec pipefail pwn", "bash + -c pwn", "bash -c - pwn", "sh -c -- "
	"pwn", "bash -Oc extglob pwn",
	"trap -- '-x; pwn' EXIT", "trap -- pwn EXIT", "trap '-x; pwn' EXIT", "env -S 'pwn x'", "env -S 'a=1 pwn' b",
	"env -S 'bash -c' 'a; pwn'", "compgen -W '$(pwn)' x", "compgen -W '`pwn`'", "compgen -C pwn "
	"x", "complete -C pwn x",
	/* clang-format on */
};

TEST(semantics_shown)
{
	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
		const struct zs_report *report = vet(ZS_PROFILE_STRICT, shown[i]);
		bool found = report->verdict == ZS_BLOCK;

		for (uint32_t j = 0; j < report->ir.command_count; j++)
			found |= report->ir.commands[j].argc && same(report->ir.commands[j].argv[0].text, "pwn");
		CHECK(found, "%s", shown[i]);
	}
}

TEST(semantics_blocked)
{
	for (size_t i = 0; i < sizeof blocked / sizeof *blocked; i++)
		CHECK(vet(ZS_PROFILE_STRICT, blocked[i])->verdict == ZS_BLOCK, "%s", blocked[i]);
}

TEST(semantics_allowed)
{
	for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
		const struct zs_report *report = vet(ZS_PROFILE_STRICT, allowed[i]);

		CHECK(report->verdict == ZS_ALLOW, "%s: %s", allowed[i], report->reason);
	}
}
