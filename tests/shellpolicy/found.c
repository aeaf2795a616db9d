/* The finds of a red team: commands that passed and should not have, and harmless ones that did not pass. */
#include "vetting.h"

enum where { BOTH, VERIFY_ONLY };

static const struct found {
	const char *command;
	enum where where;
} blocked[] = {
	/* clang-format off */
	{ "[[ a =~ \"$\\\n(pwn)\" ]]", BOTH },
	{ "mapfile -$()Cpwn -c1", BOTH },
	{ "mapfile ``-Cpwn -c1", BOTH },
	{ "compgen -``Cpwn", BOTH },
	{ "mapfile \"``\"-Cpwn -c1", BOTH },
	{ "hash ${x--p/bin/p}wn x;x", BOTH },
	{ "shopt -s expand_aliases\nalias $()x=pwn\nx", BOTH },
	{ "time a['$(pwn)']=1", BOTH },
	{ "x[[]=a pwn]=a pwn", BOTH },
	{ "x=(a)'x' pwn", BOTH },
	{ "a=(x#c\n)1 pwn", BOTH },
	{ "x=(a)==    pwn", BOTH },
	{ "read 'a['x'$(pwn)]' <<<?", BOTH },
	{ "bash $x-c pwn", BOTH },
	{ "bash \"$@\"", BOTH },
	{ "bash -rcfile c", BOTH },
	{ "let 'x[${HOME/<(pwn)}]'", BOTH },
	{ "eval -${x-- pwn}", BOTH },
	{ "trap 'pwn'${x- $#}", BOTH },
	{ "PS4='$\\](pwn)'; set -x; :", BOTH },
	{ "PS4='\\044(pwn)'; set -x; :", BOTH },
	{ "compgen \"${x--C}\" pwn", BOTH },
	{ "exec -${x}a x pwn", BOTH },
	{ "exec -ax${x- }pwn", BOTH },
	{ "echo pwn | bash $x-\"\"", BOTH },
	{ "x=-; bash \"$x\" <<< pwn", BOTH },
	{ "bash \"$x\"-c pwn", BOTH },
	{ "bash -\"$x\"c pwn", BOTH },
	{ "x='$(pwn)'; echo ${x@\\\nP}", BOTH },
	{ "echo \"${v%{a,b}'}\"; pwn; echo \"'}\"", BOTH },
	{ "echo \"${x:-\"$\\(pwn)\"}\"", BOTH },
	{ "echo \"${x:-'$\"(pwn)'}\"", BOTH }, /* fuzzing: bash runs pwn */
	{ "env - touch x", VERIFY_ONLY },
	{ "env - rm a", VERIFY_ONLY },
	{ "psql -h H -c 'drop table x'", VERIFY_ONLY },
	{ "mysql -h H -e 'drop table x'", VERIFY_ONLY },
	{ "lua -v -e 'os.execute(\"x\")'", VERIFY_ONLY },
	{ "bash //dev/stdin", BOTH },
	{ "bash /dev/./stdin", BOTH },
	{ "bash /proc/thread-self/fd/0", BOTH },
	{ "bash /proc/$$/fd/0", BOTH },
	{ "bash ../../dev/stdin", BOTH },
	{ "deno run -", BOTH },
	{ "c=cd; $c x", BOTH },
	{ "${c:-cd} x", BOTH },
	{ "git branch -v NAME", VERIFY_ONLY },
	{ "read -r BASH_ENV <<< f", VERIFY_ONLY },
	{ "printf -v PATH x", VERIFY_ONLY },
	{ "for BASH_ENV in x; do ls; done", VERIFY_ONLY },
	{ ": ${BASH_ENV:=f}", VERIFY_ONLY },
	{ "x='. -delete'; find $x", VERIFY_ONLY },
	{ "ls | xargs uniq", VERIFY_ONLY },
	{ "mapfile -C touch -c 1 q < a", VERIFY_ONLY },
	{ "python3 -mvenv x", VERIFY_ONLY },
	{ "python3 -Bmzipfile -e a b", VERIFY_ONLY },
	{ "npm_config_script_shell=./e npm test", VERIFY_ONLY },
	{ "perl -ne print 'touch x|'", VERIFY_ONLY },
	{ "gawk -W source='BEGIN{system(\"x\")}'", VERIFY_ONLY },
	{ "node --import='data:text/javascript,1'", VERIFY_ONLY },
	{ "gcc -ox a.c", VERIFY_ONLY },
	{ "npx prettier@3 --write .", VERIFY_ONLY },
	{ "yarn prettier --write .", VERIFY_ONLY },
	{ "yarn rimraf x", VERIFY_ONLY },
	{ "ncu -u", VERIFY_ONLY },
	{ "npm run format", VERIFY_ONLY },
	{ "npm run lint:fix", VERIFY_ONLY },
	{ "cargo fmt", VERIFY_ONLY },
	{ "go mod tidy", VERIFY_ONLY },
	{ "NODE_OPTIONS='--require ./x.js' npm test", VERIFY_ONLY },
	{ "sqlite3 db 'PRAGMA user_version=3'", VERIFY_ONLY },
	{ "terraform apply", VERIFY_ONLY },
	{ "terraform fmt", VERIFY_ONLY },
	{ "cmake --build . --target install", VERIFY_ONLY },
	{ "base64 -d a -o b", VERIFY_ONLY },
	{ "sed -n \"$((n))w x\" f", VERIFY_ONLY },
	{ "sed -n \"$((n))$x\" f", VERIFY_ONLY },
	{ "gh pr create -t x", VERIFY_ONLY },
	{ "mix format", VERIFY_ONLY },
	{ "clang-tidy -fix a.c", VERIFY_ONLY },
	{ "zstd -c a -o x", VERIFY_ONLY },
	{ "tree -o x", VERIFY_ONLY },
	{ "indent a.c", VERIFY_ONLY },
	{ "xxd a b", VERIFY_ONLY },
	{ "helm install x y", VERIFY_ONLY },
	{ "choom -n 5 -- rm x", VERIFY_ONLY },
	{ "eatmydata rm x", VERIFY_ONLY },
	/* clang-format on */
};

static const char *const allowed[] = {
	/* clang-format off */
	"a[i + 1]=3; b[${#b[@]}]=x; c[1]+=4",
	"sed -n \"$((l-5)),$((l+5))p\" f | awk \"NR==$((n+1))\"",
	"npm --silent=x test", /* a value attached to a flag that takes none */
	"echo \"$a $b\"",
	"x=\"$a $b\"; echo \"${x} $(date) `pwd`\"",
	"printf '%s\\n' \"$1\t$2\n$3\"",
	"ruby -v",
	"psql -l",
	"mysql -h H -e 'select 1'",
	"lua -v",
	"git branch -v",
	"while read -r l; do echo \"$l\"; done < f",
	"find \"$d\" -name x",
	"ls | xargs wc -l",
	"python3 -mpytest -q",
	"perl -ne 'print if /x/' file",
	"gcc -O2 -Wall -fsyntax-only a.c",
	"yarn test",
	"yarn eslint src",
	"npm run format:check",
	"npm run test -w packages/a",
	"cargo fmt -- --check",
	"go mod tidy -diff",
	"NODE_OPTIONS=--experimental-vm-modules npx jest",
	"PATH=$HOME/.cargo/bin:$PATH cargo test",
	"sqlite3 db 'PRAGMA table_info(t)'",
	"terraform plan",
	"terraform fmt -check",
	"gh pr view 1",
	"gh run view 1 --log",
	"mix test",
	"mix format --check-formatted",
	"clang-tidy a.c",
	"gzip -dc a",
	"tree -L 2",
	"xxd -ps a",
	"helm lint charts/app",
	"time -p ls",
	"make -j4 test 2>&1 | tail -n 20",
	"[ \"$a\" = \"$b\" ] && echo same",
	"echo \"a: $a, b: $b\"",
	"for f in *.sh; do shellcheck \"$f\"; done",
	/* clang-format on */
};

TEST(found_bypasses_are_blocked)
{
	for (size_t i = 0; i < sizeof blocked / sizeof *blocked; i++) {
		const char *command = blocked[i].command;

		CHECK(vet(ZS_PROFILE_VERIFY, command)->verdict == ZS_BLOCK, "%s in verify", command);
		if (blocked[i].where == BOTH)
			CHECK(vet(ZS_PROFILE_STRICT, command)->verdict == ZS_BLOCK, "%s in strict", command);
	}
}

TEST(found_false_blocks_are_allowed)
{
	for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
		const struct zs_report *report = vet(ZS_PROFILE_VERIFY, allowed[i]);

		CHECK(report->verdict == ZS_ALLOW, "%s: %s", allowed[i], report->reason);
	}
}
