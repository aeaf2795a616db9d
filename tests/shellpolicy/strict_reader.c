/* The strict reader: how it reads bash's grammar, all constructs that it refuses, and that plain text needs no parser.
 * The differential fuzzer (tests/fuzz) compares the readings with bash itself. */
#include "vetting.h"
#include "read/strict_reader.h"
#include "read/agree.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

/* ---------------------------------------------------------------------------------------------- what is shown */

/* The commands of a text with their words in order, ? for a word that is not static, " | " between commands. */
static const char *shown(const char *text, enum zs_risk *ret_code)
{
	static char buffer[4096];
	const struct zs_report *report = vet(ZS_PROFILE_RELAXED, text);
	size_t len = 0;

	*ret_code = report->verdict == ZS_ALLOW ? ZS_RISK_NONE : report->code;
	buffer[0] = '\0';
	for (uint32_t i = 0; i < report->ir.command_count; i++) {
		const struct zs_command *command = &report->ir.commands[i];

		for (uint32_t j = 0; j < command->argc; j++)
			len += (size_t)snprintf(buffer + len, sizeof buffer - len, "%s%s",
				j   ? " "
				: i ? " | "
				    : "",
				command->argv[j].text ? command->argv[j].text : "?");
	}
	return buffer;
}

struct reading_row {
	const char *text, *shown;
};

static void check_readings(const struct reading_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		enum zs_risk code;
		const char *found = shown(rows[i].text, &code);

		CHECK(code == ZS_RISK_NONE, "%s: %s", rows[i].text, zs_risk_name(code));
		CHECK(strcmp(found, rows[i].shown) == 0, "%s\n  shows '%s',\n  not   '%s'", rows[i].text, found,
			rows[i].shown);
	}
}
#define CHECK_READINGS(rows) check_readings(rows, sizeof rows / sizeof *rows)

/* Texts that bash runs, and that tree-sitter-bash rejects or misreads. */
TEST(strict_carries)
{
	static const struct reading_row rows[] = {
		{ "for i do a; done", "a" },
		{ "f() for x in y; do a; done", "a" },
		{ "x=1 2>&1 a", "a" },
		{ "a <>b", "a" },
		{ "exec 3<>b", "exec" },
		{ "{fd}>&1 a b", "a b" },
		{ "cat <<A; b\nx\nA\nc", "cat | b | c" },
		{ "cat <<A <<B c\n1\nA\n2\nB\nd", "cat c | d" },
		{ "a <<A 2>&1 | b\nx\nA\nc", "a | b | c" },
		{ "cat <<-\tA\n\tx\n\tA\nb", "cat | b" },
		{ "cat <<'A B'\n$(x)\nA B\nb", "cat | b" },
		{ "cat <<E\"O\"F\n$(x)\nEOF\nb", "cat | b" },
		{ "cat <<\\EOF\n$(x)\nEOF\nb", "cat | b" },
		{ "cat <<EOF\n$(a) `b` ${x:-$(c)} \\$(d) '$(e)'\nEOF\nf", "cat | f | a | c | e | b" },
		{ "cat <<EOF\na \\\nEOF\nEOF\nb", "cat | b" },
		{ "cat <<EOF\n\\\\\nEOF\nb", "cat | b" },
		{ "cat <<EOF\nx", "cat" },
		{ "x=$(cat <<A\n1\nA\n)\nb", " | cat | b" },
		{ "(cat <<A)\nx\nA\nb", "cat | b" },
		{ "((a) )", "a" },
		{ "((a; b) | c)", "a | b | c" },
		{ "for f in x; do (a; b) done", "a | b" },
		{ "{ if a; then b; fi }", "a | b" },
		{ "{ (a) }", "a" },
		{ "if a; then { b; } fi", "a | b" },
		{ "[ x = ~ ]", "[ x = ? ]" },
		{ "[ a \\> b ]", "[ a > b ]" },
		{ "[ a = b -o \\( c = d -a -n e \\) ]", "[ a = b -o ( c = d -a -n e ) ]" },
		{ "[ a|b ]", "[ a | b ]" },
		{ "[ a&b ]", "[ a | b ]" },
		{ "./[abc] x", "? x" },
		{ "a b:$% c", "a b:$% c" },
		{ "$ a", "$ a" },
		{ "a \\", "a \\" },
		{ "a \\ b", "a  b" },
		{ "a \\ #b; c", "a  #b | c" },
		{ "a b\\\n#c; d", "a b#c | d" },
		{ "a\\\nb c\\\n d", "ab c d" },
		{ "echo `a` `b`", "echo ? ? | a | b" },
		{ "echo `a \\`b\\``", "echo ? | a ? | b" },
		{ "./p`a`q", "? | a" },
		{ "./\"`a \"b\"`\"", "? | a b" },
		{ "[[ $f == *.@(x|y) ]] && a", "a" },
		{ "[[ $f =~ ^(a|b)+$ ]] && c", "c" },
		{ "[[ ( -f x || ! -d y ) && z ]] && a", "a" },
		{ "[[ a < b && $(c) > d ]]", "c" },
		{ "! if a; then b; fi", "a | b" },
		{ "! { a; }", "a" },
		{ "! ! a", "a" },
		{ "time { a; }", "a" },
		{ "time -p -- a b", "a b" },
		{ "time (a | b)", "a | b" },
		{ "a | time b", "a | time b | b" },
		{ "coproc { a; }", "a" },
		{ "coproc N { a; }", "a" },
		{ "coproc a b", "a b" },
		{ "coproc a time b", "a time b" },
		{ "coproc x=1 [[ a && b ]]", "[[ a | b ]]" },
		{ "cat <<-EOF\nx\n\\\n\tEOF\na\nEOF\n", "cat | a | EOF" },
		{ "export x={1,2}", "export x=1 x=2" },
		{ "a $'\\x{00000000000000000070}wn'", "a pwn" },
		{ "select x in a; do b; done <<<1", "b" },
		{ "case x in a) b ;& c) d ;;& *) e; esac", "b | d | e" },
		{ "case x in (a|b) c;; esac", "c" },
		{ "case x in esac", "" },
		{ "case x\nin\na) b\nesac", "b" },
		{ "x=$(case y in z) a;; esac)", " | a" },
		{ "for ((i = 0; i < $(a); i++)); do b; done", "a | b" },
		{ "for ((;;)) { a; }", "a" },
		{ "for x\nin a b\ndo c\ndone", "c" },
		{ "function f { a; }; b", "a | b" },
		{ "function f() (a)", "a" },
		{ "f ( )\n{ a; } >&2", "a" },
		{ "a[b c]=d e", "e" },
		{ "x+=(a $(b) [2]=c) d", "d | b" },
		{ "declare -a x=(a $(b)) y", "declare -a y | b" },
		{ "x=a{b,c} d{e,f}", "de df" },
		{ "a >&2 b", "a b" },
		{ "a 2>&1 b 3<&- c", "a b c" },
		{ ">&2 a", "a" },
		{ "1>&2 a", "a" },
		{ "a -1>&2", "a -1" },
		{ "a \"${n:$i:1}\" ${1//&/\\&amp;} ${x:-`b`}", "a ? ? ? | b" },
		{ "a ${x:-\"$(b)\"} \"${y:-$(c)}\"", "a ? ? | b | c" },
		{ "a $((1 + $(b))) $[2]", "a ? ? | b" },
		{ "a <(b) >(c)", "a ? ? | b | c" },
		{ "a x<(b)y", "a ? | b" },
		{ "a $'\\x62\\'\\0c' $'d'", "a b' d" },
		{ "if a\nthen b\nelif c\nthen d\nelse e\nfi", "a | b | c | d | e" },
		{ "while a; do b; done <f | c", "a | b | c" },
		{ "until a\ndo\nb\ndone", "a | b" },
		{ "a #b\nc", "a | c" },
		{ "(a)#b", "a" },
		{ "ls !(a|b) *.@(c)", "ls ? ?" },
	};

	CHECK_READINGS(rows);
}

/* ------------------------------------------------------------------------------------------ what is refused */

TEST(strict_refuses)
{
	static const struct {
		enum zs_refusal refusal;
		const char *text;
	} rows[] = {
		{ ZS_REFUSE_PROMPT, "a ${x@P}" },
		{ ZS_REFUSE_DOLLAR, "a \"${x:-$'b'}\"\"${y:-\"$'\"}\"" },
		{ ZS_REFUSE_BRACED_END, "a ${x:-{b}" },
		{ ZS_REFUSE_BRACED_END, "a ${x:-<(b)}" },
		{ ZS_REFUSE_BRACED_QUOTES, "a \"${x:-'$(b)'}\"" },
		{ ZS_REFUSE_BRACED_PARAMETER, "a ${+x}" },
		{ ZS_REFUSE_BRACED_OPERATOR, "a ${x|y}" },
		{ ZS_REFUSE_ARITHMETIC_DOLLAR, "a $((1 + $))" },
		{ ZS_REFUSE_ARITHMETIC_QUOTES, "a $(( '$(b)' ))" },
		{ ZS_REFUSE_ARITHMETIC_QUOTES, "((x='`b`'))" },
		{ ZS_REFUSE_NO_ARITHMETIC, "a $((b) )" },
		{ ZS_REFUSE_PARENTHESES, "(('$(a)' $(#(\n)))&(())" },
		{ ZS_REFUSE_QUOTED_EXPANSION, "((\"$(a)\"))" },
		{ ZS_REFUSE_PATTERN_END, "[[ a =~ (x${y:-)}) ]]" },
		{ ZS_REFUSE_ARITHMETIC_END, "(( $(a ${x%)))} ) ))" },
		{ ZS_REFUSE_PATTERN_CONTENT, "[[ a == @(b\nc) ]]" },
		{ ZS_REFUSE_SUBSCRIPT_CODE, "read 'a[$(b)]'" },
		{ ZS_REFUSE_SUBSCRIPT_CODE, "[[ -v \"$x\"'[$(b)]' ]]" },
		{ ZS_REFUSE_SUBSCRIPT, "a[b c] d" },
		{ ZS_REFUSE_SUBSCRIPT_END, "x=$(y[);(a ]=)" },
		{ ZS_REFUSE_ARRAY_GOES_ON, "x=(a)#; b" },
		{ ZS_REFUSE_COMPUTED_DUPLICATE, "a >&'$(b)'" },
		{ ZS_REFUSE_INPUT_AS_OUTPUT, "a 1<b" },
		{ ZS_REFUSE_BEHIND_CLOSE, "a >& -b" },
		{ ZS_REFUSE_TARGETS, "a <{b,c}" },
		{ ZS_REFUSE_DESCRIPTOR, "{x[1]}>a b" },
		{ ZS_REFUSE_DESCRIPTOR, "2\\\n>a b" },
		{ ZS_REFUSE_HEREDOC_END, "x=$(cat <<A\nb\n)" },
		{ ZS_REFUSE_HEREDOC_END, "x=$(cat <<A\nA)\nb\nA\n)" },
		{ ZS_REFUSE_HEREDOC_BODY, "x=$(cat <<A)\nb\nA\n" },
		{ ZS_REFUSE_HEREDOC_DELIMITER, "cat <<$x\na\n$x\n" },
		{ ZS_REFUSE_HEREDOC_DELIMITER_LENGTH, "cat <<''\na\n\n" },
		{ ZS_REFUSE_HEREDOC_NEWLINE, "cat <<A $(b\nc)\nd\nA\n" },
		{ ZS_REFUSE_HEREDOC_NEWLINE, "cat <<A | x=(a\nb)\nA\n" },
		{ ZS_REFUSE_HEREDOC_LINE, "cat <<E | { a; } | b\\\nc\nE\n" },
		{ ZS_REFUSE_HEREDOC_LINE, "{ cat <<E; }; b\\\nc" },
		{ ZS_REFUSE_COPROC_ARRAY, "coproc { x=(});}|p\\\nw" },
		{ ZS_REFUSE_COPROC_ARRAY, "coproc \\\n( \\\nx=(if) )" },
		{ ZS_REFUSE_COPROC_ARRAY, "coproc x=(a)" },
		{ ZS_REFUSE_COPROC_INSIDE, "echo \"$(coproc a b)\"" },
		{ ZS_REFUSE_COPROC_INSIDE, "x[${x-$(coproc c)}]=" },
		{ ZS_REFUSE_HEREDOC_LINE, "cat <<E; { a; }; b 'c\nd'\nE\n" },
		{ ZS_REFUSE_RESERVED, "x=$(</dev/null ! a)" },
		{ ZS_REFUSE_BACKQUOTES, "\"`a \\\"b\\\"`\"" },
		{ ZS_REFUSE_CONTINUED_DOLLAR, "a \"$\\\n(b)\"" },
		{ ZS_REFUSE_CONTINUED_NAME, "a $b\\\nc" },
		{ ZS_REFUSE_CONTINUED_OPERATOR, "a &\\\n& b" },
		{ ZS_REFUSE_CONTINUED_ASSIGNMENT, "a\\\n=1 b" },
		{ ZS_REFUSE_CONTINUED_ASSIGNMENT, "a\\\n[]= b" },
		{ ZS_REFUSE_SUBSCRIPT_CODE, "let a['$(b)']" },
		{ ZS_REFUSE_SUBSCRIPT_CODE, "let 'a['$()'`b`]'" },
		{ ZS_REFUSE_CONTINUED_OPERATOR, "cat <<\\\n\\\n-EOF\nx\nEOF\na\n-EOF\n" },
		{ ZS_REFUSE_CONTINUED_OPERATOR, "(\\\n( x , '$(a)' ))" },
		{ ZS_REFUSE_CONTINUED_OPERATOR, "a $(\\\n( : '$(b)' ))" },
		{ ZS_REFUSE_DESCRIPTOR, "{x}\\\n>/dev/null a" },
		{ ZS_REFUSE_CONTINUED_NAME, "a $b\\\n\\\nc" },
		{ ZS_REFUSE_PATTERN_COMMAND, "shopt -s extglob\n!(x)" },
		{ ZS_REFUSE_PATTERN_COMMAND, "shopt -s extglob\na@() [[ b ]]" },
		{ ZS_REFUSE_ARITHMETIC_QUOTES, "((: $$'\\' '$(a)' ))" },
		{ ZS_REFUSE_PARENTHESES, "a <((b #)\n) )" },
		{ ZS_REFUSE_DOUBLE_PARENTHESIS, "((cat <<E\na\nE\n) )\n" },
		{ ZS_REFUSE_DOUBLE_PARENTHESIS, "cat <<E & ((a\nb\nE\n) )" },
		{ ZS_REFUSE_DOUBLE_PARENTHESIS, "((a #\\\n) )" },
		{ ZS_REFUSE_CONTINUED_OPERATOR, "time -\\\np a" },
		{ ZS_REFUSE_COPROC, "coproc time a" },
		{ ZS_REFUSE_COPROC, "if a; then coproc x else b; fi" },
		{ ZS_REFUSE_SUBSCRIPT, "x=1 >/dev/null a[;b ]=1" },
		{ ZS_REFUSE_HEREDOC_DELIMITER, "cat <<a<(b)\nx\na<(b)\nc\na\n" },
		{ ZS_REFUSE_HEREDOC_DELIMITER, "cat <<-'\tEOF'\nx\n\tEOF\na\n" },
		{ ZS_REFUSE_HEREDOC_BODY, "cat <<E\n$(cat <<'XY'\nX\\\nY\na\nXY\n)\nE\n" },
		{ ZS_REFUSE_BRACED_QUOTES, "a \"${x:-$'\\x24(b)'}\"" },
		{ ZS_REFUSE_RESERVED, "a \"$(case x in (esac) b;; esac)\"" },
		{ ZS_REFUSE_HEREDOC_COMPOUND, "a $(if :<<'E'\nE\nthen b; fi & )" },
		{ ZS_REFUSE_RESERVED, "a <<E\n$(time case n in n)esac #$(b\n)\nE\n" },
		{ ZS_REFUSE_RESERVED, "a $({d}</dev/null time ! b)" },
		{ ZS_REFUSE_RESERVED, "a $(time <&- -p b)" },
		{ ZS_REFUSE_HEREDOC_LIST, "a $(b <<'E'\nE\nc;d)" },
		{ ZS_REFUSE_HEREDOC_LIST, "a <(b <<E\nE\nwhile c; d; do e; done)" },
		{ ZS_REFUSE_COPROC, "coproc a x[<]" },
		{ ZS_REFUSE_ARITHMETIC_END, "a $((b #(\n)))" },
		{ ZS_REFUSE_ARITHMETIC_END, "a $(($(case x in x)esac)b))" },
		{ ZS_REFUSE_DESCRIPTOR, "a 99999999999>/dev/null x" },
		{ ZS_REFUSE_DOLLAR, "a {=$,}b" },
		{ ZS_REFUSE_LONE_BACKSLASH, "a\nb\\" },
		{ ZS_REFUSE_BACKQUOTES, "a \"${x-\"`\\ b`\"}\"" },
		{ ZS_REFUSE_CONTROL_ESCAPE, "a $'\\ca'" },
		{ ZS_REFUSE_DIFFER, "i\\\nf a; then b; fi" },
		{ ZS_REFUSE_CONTINUED_OPERATOR, "time -p\\\n a" },
		{ ZS_REFUSE_CONTINUED_NAME, "coproc N\\\n { a; }" },
		{ ZS_REFUSE_CONTROL, "a\rb" },
		{ ZS_REFUSE_UTF8, "a \xff" },
	};

	uint64_t reached = 0;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct zs_report *report = vet(ZS_PROFILE_RELAXED, rows[i].text);

		reached |= UINT64_C(1) << rows[i].refusal;
		CHECK(report->code == ZS_RISK_UNSUPPORTED &&
				strstr(report->reason, zs_refusal_texts[rows[i].refusal].what),
			"%s: %s, not '%s'", rows[i].text, report->reason, zs_refusal_texts[rows[i].refusal].what);
		CHECK(strcmp(report->hint, zs_refusal_texts[rows[i].refusal].hint) == 0, "%s: hint '%s'", rows[i].text,
			report->hint);
	}
#define X(id, what, hint) CHECK(reached >> ZS_REFUSE_##id & 1, "no row is refused as %s", #id);
	ZS_REFUSALS(X)
#undef X
}

/* Texts that bash rejects and the parser accepts. */
TEST(strict_rejects)
{
	static const char *const rows[] = { "true;;a", "a;;", "}; a", "{a;}", "if a; then fi", "a | ! ", "a (b)",
		"a b (c)", "[ (a) ]", "case a in @(a|b)) c;; esac", "; a", "& a", "a && ; b", "a &&", "( )", "{ }",
		"for in", "for 1 in a; do b; done", "f() a", "function f", "a <", "a > ; b", "x=(a", "x=(a;b)", "[[ a",
		"[[ a b ]]", "[[ ]]", "[[ a == ]]", "[[ (a ]]", "'a", "\"a", "a $(b", "`a", "${a", "$((1", "do a",
		"then a", "fi", "done", "esac", "in", "! ", "a | | b", "while a; done", "case a b c) esac", "(a) b",
		"{ a; } b", "eval x=(a)", "if a; then b; fi c", "cat << ", "a &> ", "function", "(a", "{ a", "coproc",
		"for(()) do a; done", "for ((a;b)) do c; done", "for ((a;b;c;d)) do e; done",
		"for ((a;$(b;c))) do d; done", "for ((a;${b:-;})) do c; done", "for ((a;\"b;\")) do c; done" };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct zs_report *report = vet(ZS_PROFILE_RELAXED, rows[i]);

		CHECK(report->code == ZS_RISK_SYNTAX_ERROR, "%s: %s", rows[i], zs_risk_name(report->code));
	}
}

/* ------------------------------------------------------------------------------------------- plain and agreed */

/* Both readings of a text that needs only one. The parser may reject it (it does not know r+s for a word), but not read
 * it differently. */
static bool agrees_when_plain(struct zs_arena *arena, const struct zs_grammar *grammar, const char *text)
{
	struct zs_pending_text pending = { .text = text, .len = (uint32_t)strlen(text) };
	struct zs_build build = { .arena = arena, .budget = { 100000, 100000, 100000 } };
	struct zs_reading reading;
	jmp_buf exhausted;
	bool agrees;

	zs_arena_reset(arena);
	arena->exhausted = &exhausted;
	if (setjmp(exhausted))
		return false;
	agrees = !zs_strict_read(&build, &pending, &reading) || !reading.plain ||
		 zs_agree(&build, grammar, &pending, &reading);
	arena->exhausted = NULL;
	return agrees;
}

/* Every sequence of three pieces of plain text, with and without blanks. */
TEST(strict_plain_text_needs_no_parser)
{
	static const char *const pieces[] = { "a", "-b=c", "'d $(e)'", "\"f $g\"", "$h", "i=j", "k+=l", "|", "&&", ";",
		"&", ">m", "2>&1", "<n", "\n", "\"\"", "1", "%", "if", "p@q,r+s:t", "declare", "$1", "[", "{", "=" };
	const size_t count = sizeof pieces / sizeof *pieces;
	static struct zs_grammar grammar;
	struct zs_arena arena;
	char text[128];
	uint32_t wrong = 0;

	zs_arena_init(&arena, ZS_MAX_MEMORY);
	zs_grammar_init(&grammar);
	for (size_t i = 0; i < 2 * count * count * count; i++) {
		const char *blank = i % 2 ? " " : "";
		size_t rest = i / 2;

		snprintf(text, sizeof text, "%s%s%s%s%s%s", pieces[rest % count], blank, pieces[rest / count % count],
			i % 3 ? " " : "", pieces[rest / count / count], i % 5 ? "" : " x");
		if (!agrees_when_plain(&arena, &grammar, text) && ++wrong <= 20)
			CHECK(false, "plain, and read differently: %s", text);
	}
	zs_arena_free(&arena);
}
