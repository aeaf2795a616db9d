/* Texts for other shells: what each reads otherwise than bash is refused, and what it reads alike is not. The files in
 * testdata/dialects hold more texts, which tests/e2e/test_dialects.py runs in the shells. */
#include "vetting.h"

static const struct zs_report *vet_for(enum zs_shell shell, const char *text)
{
	static struct zs_vetter *vetter;
	struct zs_vet_options options = { .profile = ZS_PROFILE_RELAXED, .shell = shell };

	if (!vetter)
		vetter = zs_vetter_new();
	return zs_vet(vetter, text, strlen(text), &options);
}

struct dialect_row {
	enum zs_shell shell;
	const char *text;
	const char *construct; /* NULL: it passes */
};

static void check_dialect(const struct dialect_row *row)
{
	const struct zs_report *report = vet_for(row->shell, row->text);
	const char *shell = zs_shell_name(row->shell);

	if (!row->construct) {
		CHECK(report->verdict == ZS_ALLOW, "%s: %s: %s", shell, row->text, report->reason);
		return;
	}
	CHECK(report->code == ZS_RISK_UNSUPPORTED && has_object(&report->ir, report->code, row->construct),
		"%s: %s: %s, not '%s'", shell, row->text, report->reason, row->construct);
	CHECK(strstr(report->reason, shell) && *report->hint, "%s: %s", row->text, report->reason);
	CHECK(vet_for(ZS_SHELL_ANY, row->text)->code == ZS_RISK_UNSUPPORTED, "any: %s", row->text);
}

TEST(dialects_of_each_shell)
{
	static const struct dialect_row rows[] = {
		{ ZS_SHELL_ZSH, "=run a", "=NAME" },
		{ ZS_SHELL_ZSH, "x=a:=run", "=NAME" },
		{ ZS_SHELL_ZSH, "[ a == b ] && [ a = b ]", NULL },
		{ ZS_SHELL_ZSH, "repeat 2 run", "repeat" },
		{ ZS_SHELL_ZSH, "x=noglob; $x run", "noglob" },
		{ ZS_SHELL_ZSH, "echo repeat noglob", NULL },
		{ ZS_SHELL_ZSH, "run a | cat > f", NULL },
		{ ZS_SHELL_ZSH, "run a > f | cat", "two redirections of one descriptor" },
		{ ZS_SHELL_ZSH, "for i in a; do run; done <f <g", "two redirections of one descriptor" },
		{ ZS_SHELL_ZSH, "run > f 2>&1 < g", NULL },
		{ ZS_SHELL_ZSH, "<file", "a redirection without a command" },
		{ ZS_SHELL_ZSH, "run $(<file)", NULL },
		{ ZS_SHELL_ZSH, "{ run a } always { run b; }", "a brace as a word" },
		{ ZS_SHELL_ZSH, "functions[q]='run'; q", "an array" },
		{ ZS_SHELL_ZSH, "path=x", "path" },
		{ ZS_SHELL_ZSH, "run ${x:h}", "$x:h" },
		{ ZS_SHELL_ZSH, "run ${x:1:2} ${x:-y} ${x%.c}", NULL },
		{ ZS_SHELL_ZSH, "set -euo pipefail", NULL },
		{ ZS_SHELL_ZSH, "set -y", "-y" },
		{ ZS_SHELL_ZSH, "set -o globsubst", "globsubst" },
		{ ZS_SHELL_ZSH, "x='-c print(1)'; python3 $x", "-c print(1)" },
		{ ZS_SHELL_ZSH, "x='-c print(1)'; python3 \"$x\"", NULL },
		{ ZS_SHELL_ZSH, "run *(e:'run b':)", "*( )" },
		{ ZS_SHELL_ZSH, "[[ $x == @(a|b) ]]", NULL },
		{ ZS_SHELL_FISH, "run a && run b > f; run 'c' \"$HOME\" $x", NULL },
		{ ZS_SHELL_FISH, "run 'a\\'; run #'", "a backslash in quotes" },
		{ ZS_SHELL_FISH, "run a >| pwn", ">|" },
		{ ZS_SHELL_FISH, "(run)", "( )" },
		{ ZS_SHELL_FISH, "not run", "not" },
		{ ZS_SHELL_FISH, "x=1", "an assignment without a command" },
		{ ZS_SHELL_FISH, "x=1 run", NULL },
		{ ZS_SHELL_DASH, "x=a run; export y=b; run ${x%b} \"$(run)\" `run`", NULL },
		{ ZS_SHELL_DASH, "run {a,b}", "{a,b}" },
		{ ZS_SHELL_DASH, "run 10>f", "10>" },
		{ ZS_SHELL_ASH, "run 10>f", NULL },
		{ ZS_SHELL_DASH, "x=run :; $x", ":" },
		{ ZS_SHELL_SH, "declare d=build; run \"$d\"", "declare" },
		{ ZS_SHELL_BASH32, "run {a,b} <(run) $'a' ${x/a/b} &>f", NULL },
		{ ZS_SHELL_BASH32, "run &>>f", "&>>" },
		{ ZS_SHELL_BASH32, "declare -A x", "declare" },
		{ ZS_SHELL_BASH32, "declare -a x", NULL },
		{ ZS_SHELL_BASH32, "run \"${x^^}\"", "${x^} or ${x@Q}" },
		{ ZS_SHELL_BASH32, "run $(case x in (a) run;; esac)", NULL },
		{ ZS_SHELL_BASH32, "run $(case x in a) run;; esac)", "$( ) with a single parenthesis" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		check_dialect(&rows[i]);
}

TEST(dialects_follow_the_shell)
{
	static const char *const same[] = { "eval '=run a'", "trap '=run a' EXIT", "run \"$(=run a)\"",
		"run `=run a`" };

	for (size_t i = 0; i < sizeof same / sizeof *same; i++)
		CHECK(vet_for(ZS_SHELL_ZSH, same[i])->code == ZS_RISK_UNSUPPORTED, "%s", same[i]);
	CHECK(vet_for(ZS_SHELL_ZSH, "bash -c 'a=(run b)'")->verdict == ZS_ALLOW, "bash in zsh");
	CHECK(vet_for(ZS_SHELL_BASH, "zsh -c 'a=(run b)'")->code == ZS_RISK_UNSUPPORTED, "zsh in bash");
	CHECK(vet_for(ZS_SHELL_BASH, "dash -c 'a=(run b)'")->code == ZS_RISK_UNSUPPORTED, "dash in bash");
	/* builtins evaluate their operands */
	CHECK(vet_for(ZS_SHELL_ZSH, "x='a['; x=$x'$(run)]'; read -t $x")->code == ZS_RISK_UNSUPPORTED, "evaluated");
	CHECK(vet_for(ZS_SHELL_BASH, "x='a['; x=$x'$(run)]'; read -t $x")->verdict == ZS_ALLOW, "not evaluated");
	CHECK(vet_for(ZS_SHELL_ANY, "run a && run b | run c > f")->verdict == ZS_ALLOW, "any");
	CHECK(vet_for(ZS_SHELL_COUNT, "=run")->verdict == ZS_BLOCK, "out of range");
}

TEST(dialects_have_names)
{
	for (int shell = 0; shell < ZS_SHELL_COUNT; shell++) {
		enum zs_shell parsed = ZS_SHELL_COUNT;

		CHECK(zs_shell_parse(zs_shell_name((enum zs_shell)shell), &parsed) && (int)parsed == shell, "%d",
			shell);
	}
	CHECK(same(zs_shell_name(ZS_SHELL_COUNT), "unknown"), "out of range");
	CHECK(!zs_shell_parse("tcsh", &(enum zs_shell){ ZS_SHELL_BASH }), "tcsh");
}
