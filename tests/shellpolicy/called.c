/* Commands to which a tool adds words that the text does not hold, in verify; texts for shells other than bash and sh;
 * and which file a row says is written. */
#include "vetting.h"

#include <stdio.h>

struct row {
	const char *command;
	enum zs_risk code; /* in verify; ZS_RISK_NONE: it passes */
};

static void check(const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct zs_report *report = vet(ZS_PROFILE_VERIFY, rows[i].command);

		CHECK(report->code == rows[i].code, "%s: %s (%s), not %s", rows[i].command, zs_risk_name(report->code),
			report->reason, zs_risk_name(rows[i].code));
	}
}

#define PASSES(command) { command, ZS_RISK_NONE }
#define WRITE(command) { command, ZS_RISK_WRITE }
#define OTHER(command) { command, ZS_RISK_UNSUPPORTED }

TEST(called_with_words_of_the_tool)
{
	static const struct row rows[] = {
		WRITE("rg --pre rm hello src"),
		PASSES("rg --pre cat hello src"),
		WRITE("GIT_EXTERNAL_DIFF=rm git diff"),
		PASSES("GIT_EXTERNAL_DIFF=difft git diff"),
		WRITE("GIT_SSH_COMMAND='rm -f --' git ls-remote README:x"),
		PASSES("GIT_SSH_COMMAND='ssh -i k -o StrictHostKeyChecking=no' git ls-remote x"),
		WRITE("BROWSER=rm python3 -m webbrowser f"),
		PASSES("BROWSER=echo python3 -m webbrowser f"),
		WRITE("svn diff --diff-cmd rm"),
		PASSES("svn diff --diff-cmd meld"),
		PASSES("rsync -n -e ssh a b:"),
		WRITE("rsync -n -e 'rm -f' a b:c"),
		WRITE("fzf --preview 'rm {}'"),
		PASSES("fzf --preview 'cat {}'"),
		WRITE("LESSOPEN='|rm %s' less f"),
		PASSES("LESSOPEN='|lesspipe %s' less f"),
		WRITE("EDITOR=rm git log"),
		PASSES("EDITOR=true git log"),
		PASSES("PAGER='less -FRX' git log"),
		WRITE("git -c core.pager=rm log"),
		PASSES("git -c core.pager='less -R' log"),
		WRITE("CC='rm -f --' make"),
		PASSES("CC=gcc AR=llvm-ar make"),
		PASSES("CC='ccache gcc -m32 -std=c11' make"),
		PASSES("CXX=/usr/bin/clang++-15 LD=ld.lld make"),
		WRITE("CC='ccache rm -f --' make"),
		WRITE("CC='gcc -o x' make"),
		WRITE("AR=rm make"),
		PASSES("SHELL=/bin/bash make"),
		WRITE("SHELL=rm script -c ls /dev/null"),
		PASSES("RUSTC_WRAPPER=sccache cargo build"),
		WRITE("tcpdump -z rm -w -"),
		PASSES("man -P cat ls"),
		/* exceptions: it runs as it stands, or its operand is known */
		PASSES("script -q -c ls /dev/null"),
		PASSES("hyperfine -p 'sync' 'ls'"),
		PASSES("go test -exec sudo ./..."),
		PASSES("meson test --wrap=valgrind"),
		PASSES("sort --compress-program=gzip f"),
		PASSES("PROMPT_COMMAND=ls bash -c ls"),
		PASSES("find . -name x -exec cat {} \\;"),
	};

	check(rows, sizeof rows / sizeof *rows);
}

TEST(called_shells_other_than_bash)
{
	static const struct row rows[] = {
		PASSES("zsh -c 'ls -la'"),
		PASSES("zsh -c 'npm test && echo \"$HOME\"'"),
		PASSES("ksh -c 'make test'"),
		PASSES("mksh -c 'for i in 1 2; do ls $i; done'"),
		PASSES("sh -c 'ls -la'"),
		PASSES("dash -c 'ls *.c | wc -l'"),
		PASSES("zsh <<'E'\nls -la\nE"),
		WRITE("zsh -c 'rm x'"),
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

	check(rows, sizeof rows / sizeof *rows);
}

/* Each by itself: a name that begins so, or the whole name. */
TEST(called_words_of_zsh_and_ksh)
{
	static const char *const words[] = { "repeat", "noglob", "nocorrect", "foreach", "always", "zmodload", "zf_rm",
		"zargs", "zmv", "zcp", "zln", "zcompile", "zsystem", "sysopen", "syswrite", "sysread", "zsocket",
		"ztcp", "zpty", "zle", "zed", "sched", "setopt", "unsetopt", "emulate", "autoload", "functions",
		"alias", "aliases", "bindkey", "compctl", "vared", "print", "whence", "hist", "builtin", "enum", "fned",
		"zsh_x", "ZDOTDIR", "nameref", "compound" };
	char text[64];

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		snprintf(text, sizeof text, "zsh -c 'ls; echo %s'", words[i]);
		CHECK(vet(ZS_PROFILE_STRICT, text)->code == ZS_RISK_UNSUPPORTED, "%s", text);
		snprintf(text, sizeof text, "zsh -c 'ls; echo x%sx'", words[i]);
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
	static const struct row rows[] = {
		WRITE("gawk -i inplace '{ print }' f"),
		PASSES("gawk -i lib.awk '{ print }' f"),
		WRITE("strip f"),
	};

	check(rows, sizeof rows / sizeof *rows);
	CHECK(writes_only("awk -i inplace '{ print }' f", "f"), "awk -i inplace");
	CHECK(writes_only("strip -o x f", "x"), "strip -o");
	CHECK(writes_only("objcopy a b", "b") && writes_only("objcopy a", "a"), "objcopy");
	CHECK(!(vet(ZS_PROFILE_VERIFY, "cat < a")->risks & 1u << ZS_RISK_REDIRECT), "cat < a has the risk redirect");
	CHECK(vet(ZS_PROFILE_VERIFY, "ls > /dev/null")->risks & 1u << ZS_RISK_REDIRECT, "ls > /dev/null has not");
}
