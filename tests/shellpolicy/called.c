/* Commands to which a tool adds words that the text does not hold, in verify; texts for shells other than bash and sh;
 * and which file a row says is written. */
#include "vetting.h"

#include <stdio.h>

#define WRITE(command) IN_VERIFY(command, WRITE, NULL)
#define OTHER(command) EVERYWHERE(command, UNSUPPORTED, NULL)

TEST(called_with_words_of_the_tool)
{
	static const struct vet_row rows[] = {
		WRITE("rg --pre rm hello src"),
		NEVER("rg --pre cat hello src"),
		WRITE("GIT_EXTERNAL_DIFF=rm git diff"),
		NEVER("GIT_EXTERNAL_DIFF=difft git diff"),
		WRITE("GIT_SSH_COMMAND='rm -f --' git ls-remote README:x"),
		NEVER("GIT_SSH_COMMAND='ssh -i k -o StrictHostKeyChecking=no' git ls-remote x"),
		WRITE("BROWSER=rm python3 -m webbrowser f"),
		NEVER("BROWSER=echo python3 -m webbrowser f"),
		WRITE("svn diff --diff-cmd rm"),
		NEVER("svn diff --diff-cmd meld"),
		NEVER("rsync -n -e ssh a b:"),
		WRITE("rsync -n -e 'rm -f' a b:c"),
		WRITE("fzf --preview 'rm {}'"),
		NEVER("fzf --preview 'cat {}'"),
		WRITE("LESSOPEN='|rm %s' less f"),
		NEVER("LESSOPEN='|lesspipe %s' less f"),
		WRITE("EDITOR=rm git log"),
		NEVER("EDITOR=true git log"),
		NEVER("PAGER='less -FRX' git log"),
		WRITE("git -c core.pager=rm log"),
		NEVER("git -c core.pager='less -R' log"),
		WRITE("CC='rm -f --' make"),
		NEVER("CC=gcc AR=llvm-ar make"),
		NEVER("CC='ccache gcc -m32 -std=c11' make"),
		NEVER("CXX=/usr/bin/clang++-15 LD=ld.lld make"),
		WRITE("CC='ccache rm -f --' make"),
		WRITE("CC='gcc -o x' make"),
		WRITE("AR=rm make"),
		NEVER("SHELL=/bin/bash make"),
		WRITE("SHELL=rm script -c ls /dev/null"),
		NEVER("RUSTC_WRAPPER=sccache cargo build"),
		WRITE("tcpdump -z rm -w -"),
		NEVER("man -P cat ls"),
		/* exceptions: it runs as it stands, or its operand is known */
		NEVER("script -q -c ls /dev/null"),
		NEVER("hyperfine -p 'sync' 'ls'"),
		NEVER("go test -exec sudo ./..."),
		NEVER("meson test --wrap=valgrind"),
		NEVER("sort --compress-program=gzip f"),
		NEVER("PROMPT_COMMAND=ls bash -c ls"),
		NEVER("find . -name x -exec cat {} \\;"),
	};

	CHECK_ROWS(rows);
}

TEST(called_shells_other_than_bash)
{
	static const struct vet_row rows[] = {
		NEVER("zsh -c 'ls -la'"),
		NEVER("zsh -c 'npm test && echo \"$HOME\"'"),
		NEVER("ksh -c 'make test'"),
		NEVER("mksh -c 'for i in 1 2; do ls $i; done'"),
		NEVER("sh -c 'ls -la'"),
		NEVER("dash -c 'ls *.c | wc -l'"),
		NEVER("zsh <<'E'\nls -la\nE"),
		OTHER("zsh -c '=touch x1'"),
		OTHER("zsh -c 'repeat 1 touch x2'"),
		OTHER("zsh -c 'noglob touch x3'"),
		OTHER("zsh -c 'ls *(e:\"touch x4\":)'"),
		OTHER("zsh -c 'zmodload zsh/files; zf_rm x'"),
		OTHER("zsh <<'E'\nnoglob touch x\nE"),
		OTHER("echo '=touch x' | zsh"),
		OTHER("ksh -c 'print a'"),
		OTHER("mksh -c 'echo $[1>x]'"),
		OTHER("env zsh -c 'nocorrect rm x'"),
	};

	CHECK_ROWS(rows);
}

/* Each word on its own: a name that begins with it, or the whole name. */
TEST(called_words_of_ksh)
{
	static const char *const words[] = { "autoload", "functions", "alias", "aliases", "print", "whence", "hist",
		"builtin", "enum", "nameref", "compound" };
	char text[64];

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		snprintf(text, sizeof text, "ksh -c 'ls; echo %s'", words[i]);
		CHECK(vet(ZS_PROFILE_STRICT, text)->code == ZS_RISK_UNSUPPORTED, "%s", text);
		snprintf(text, sizeof text, "ksh -c 'ls; echo x%sx'", words[i]);
		CHECK(vet(ZS_PROFILE_STRICT, text)->verdict == ZS_ALLOW, "%s", text);
	}
}

static bool writes_only(const char *command, const char *path)
{
	const struct zs_ir *ir = &vet(ZS_PROFILE_VERIFY, command)->ir;

	return ir->write_count == 1 && same(ir->writes[0].path.text, path);
}

TEST(called_rows_that_were_wrong)
{
	static const struct vet_row rows[] = {
		WRITE("gawk -i inplace '{ print }' f"),
		NEVER("gawk -i lib.awk '{ print }' f"),
		WRITE("strip f"),
	};

	CHECK_ROWS(rows);
	CHECK(writes_only("awk -i inplace '{ print }' f", "f"), "awk -i inplace");
	CHECK(writes_only("strip -o x f", "x"), "strip -o");
	CHECK(writes_only("objcopy a b", "b") && writes_only("objcopy a", "a"), "objcopy");
	CHECK(!(vet(ZS_PROFILE_VERIFY, "cat < a")->risks & 1u << ZS_RISK_REDIRECT), "cat < a has the risk redirect");
	CHECK(vet(ZS_PROFILE_VERIFY, "ls > /dev/null")->risks & 1u << ZS_RISK_REDIRECT, "ls > /dev/null has not");
}
