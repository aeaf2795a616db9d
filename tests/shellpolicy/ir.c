/* The content of the IR: plain data, on which an engine or a host's own rules can rely. */
#include "vetting.h"

#include <stdio.h>

static const struct zs_ir *ir_of(const char *text)
{
	return &vet(ZS_PROFILE_RELAXED, text)->ir;
}

/* Appends "a|b|…", with <reason> for what is dynamic. */
static void add(char *list, const char *text, const char *dynamic)
{
	char item[256];

	snprintf(item, sizeof item, text ? "%s%s" : "%s<%s>", *list ? "|" : "", text ? text : dynamic);
	strcat(list, item);
}

struct text_row {
	const char *command, *want;
};

#define CHECK_TEXTS(rows, make)                                                                                        \
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {                                                      \
		char have[1024] = "";                                                                                  \
                                                                                                                       \
		make(ir_of(rows[i].command), have);                                                                    \
		CHECK(same(have, rows[i].want), "%s: %s, not %s", rows[i].command, have, rows[i].want);                \
	}

static void keys(const struct zs_ir *ir, char *have)
{
	for (uint32_t i = 0; i < ir->command_count; i++)
		add(have, ir->commands[i].key, "dynamic");
}

TEST(ir_version_and_platform)
{
	CHECK(ir_of("ls")->version == ZS_IR_VERSION, "%u", ir_of("ls")->version);
	CHECK(same(ir_of("ls")->platform, "bash"), "%s", ir_of("ls")->platform);
}

TEST(ir_keys)
{
	static const struct text_row rows[] = {
		{ "ls -l", "ls" },
		{ "/bin/ls", "ls" },
		{ "./a/b.sh x", "b.sh" },
		{ "git", "git" },
		{ "git --version", "git" },
		{ "git log", "git log" },
		{ "git -C x log", "git log" },
		{ "git -c a.b=c --no-pager --git-dir x log -3", "git log" },
		{ "/usr/bin/git -C . push", "git push" },
		{ "git 'log'", "git log" },
		{ "git $x", "git" },
		{ "go test ./...", "go test" },
		{ "go mod tidy", "go mod" },
		{ "/usr/local/go/bin/go vet", "go vet" },
		{ "npm run build", "npm run" },
		{ "cargo +nightly", "cargo +nightly" },
		{ "$x a", "<dynamic>" },
		{ "A=1", "" },
		{ "A=1 ls", "ls" },
		{ "ls | grep a && pwd; date", "ls|grep|pwd|date" },
		{ "echo $(date)", "echo|date" },
		{ "sudo -u root git push", "sudo|git push" },
		{ "env A=1 nice go test", "env|nice|go test" },
		{ "bash -c 'git log; ls'", "bash|git log|ls" },
		{ "find . -exec grep a {} +", "find|grep" },
		{ "[ -f x ] && [[ -d y ]]", "[" },
		{ "export A=1", "export" },
		{ "# nothing", "" },
	};

	CHECK_TEXTS(rows, keys);
}

static void rows_of(const struct zs_ir *ir, char *have)
{
	for (uint32_t i = 0; i < ir->command_count; i++) {
		add(have, ir->commands[i].row, "none");
		CHECK(!ir->commands[i].row || zs_row_named(ir->commands[i].row), "%s", ir->commands[i].row);
	}
}

TEST(ir_rows)
{
	static const struct text_row rows[] = {
		{ "ls -l", "ls" },
		{ "/bin/ls", "ls" },
		{ "frobnicate x", "<none>" },
		{ "$x a", "<none>" },
		{ "A=1", "<none>" },
		{ "git", "git" },
		{ "git --version", "git" },
		{ "git frobnicate", "git" },
		{ "git -C x log", "git log" },
		{ "git stash", "git stash" },
		{ "git stash -q", "git stash" },
		{ "git stash drop", "git stash drop" },
		{ "python3.11 x.py", "python" },
		{ "pip3 install x", "pip3 install" },
		{ "pip3.11 config set a b", "pip3 config set" },
		{ "npx prettier@3 x", "npx|prettier" },
		{ "sudo -u root git push", "sudo|git push" },
		{ "yarn eslint .", "yarn|eslint" },
		{ "bash -c 'git log; ls'", "bash|git log|ls" },
	};

	CHECK_TEXTS(rows, rows_of);
}

TEST(report_says_which_finding_decided)
{
	const struct zs_report *report = vet(ZS_PROFILE_VERIFY, "ls && git stash drop");

	CHECK(report->decided && report->decided->code == report->code, "code %d", (int)report->code);
	CHECK(same(report->ir.commands[report->decided->command].row, "git stash drop"), "row");
	CHECK(report->decided->span.start == report->span.start, "span");
	CHECK(!vet(ZS_PROFILE_VERIFY, "ls")->decided, "allowed");
	CHECK(vet(ZS_PROFILE_STRICT, "echo '")->decided->command == -1, "a syntax error has no command");
}

static void flags(const struct zs_ir *ir, char *have)
{
	for (uint32_t i = 0; i < ir->commands[0].flag_count; i++)
		add(have, ir->commands[0].flags[i], "dynamic");
}

TEST(ir_flags)
{
	static const struct text_row rows[] = {
		{ "ls", "" },
		{ "ls -l -a", "-l|-a" },
		{ "ls -la", "-la" },
		{ "ls --color=auto", "--color" },
		{ "ls --color", "--color" },
		{ "ls --x=a=b", "--x" },
		{ "ls --color=$x", "--color" },
		{ "git log -20", "-*" },
		{ "head -5 x -n 3", "-*|-n" },
		{ "ls '-l' \"--all\"", "-l|--all" },
		{ "ls -- -l", "" },
		{ "ls -l -- -a --b=c", "-l" },
		{ "ls - a", "" },
		{ "ls a -l", "-l" },
		{ "ls {-a,-b}", "-a|-b" },
	};

	CHECK_TEXTS(rows, flags);
}

static void words(const struct zs_command *command, char *have)
{
	for (uint32_t i = 0; i < command->argc; i++)
		add(have, command->argv[i].text, command->argv[i].dynamic);
}

static void first_argv(const struct zs_ir *ir, char *have)
{
	words(&ir->commands[0], have);
}

TEST(ir_argv)
{
	static const struct text_row rows[] = {
		{ "a b  c", "a|b|c" },
		{ "a 'b c' \"d e\" f\\ g", "a|b c|d e|f g" },
		{ "a $'b\\tc'", "a|b\tc" },
		{ "a ''", "a|" },
		{ "a 2>/dev/null b", "a|b" },
		{ ">/dev/null a b", "a|b" },
		{ "A=1 a b", "a|b" },
		{ "a x{1..3}y", "a|x1y|x2y|x3y" },
		{ "a {b,c}{d,e}", "a|bd|be|cd|ce" },
		{ "a b=c", "a|b=c" },
		{ "a \\\n b", "a|b" },
		{ "a # b", "a" },
		{ "a $x", "a|<variable>" },
		{ "a \"$x\"", "a|<variable>" },
		{ "a ${x}", "a|<expansion>" },
		{ "a ${x:-y}", "a|<expansion>" },
		{ "a b$x'c'", "a|<variable>" },
		{ "a $(b)", "a|<substitution>" },
		{ "a `b`", "a|<substitution>" },
		{ "a $((1+1))", "a|<arithmetic>" },
		{ "a <(b)", "a|<process substitution>" },
		{ "a *.c", "a|<glob>" },
		{ "a [ab]", "a|<glob>" },
		{ "a '*.c'", "a|*.c" },
		{ "a ~/b", "a|<tilde>" },
		{ "a '~/b'", "a|~/b" },
		{ "a $\"b\"", "a|<locale>" },
		{ "$x a", "<variable>|a" },
		{ "[ -f x ]", "[|-f|x|]" },
	};

	CHECK_TEXTS(rows, first_argv);
}

static void inner_argv(const struct zs_ir *ir, char *have)
{
	words(&ir->commands[ir->command_count - 1], have);
}

TEST(ir_inner_argv)
{
	static const struct text_row rows[] = {
		{ "sudo -u root rm x", "rm|x" },
		{ "xargs rm", "rm|<input>|<input>" }, /* the command may read one and write the other */
		{ "xargs -I{} mv {} d", "mv|<replaced>|d" },
		{ "find . -exec grep a {} +", "grep|a|<found file>" },
		{ "bash -c 'rm \"a b\"'", "rm|a b" },
		{ "timeout -s KILL 5 rm x", "rm|x" },
		{ "eval rm 'a  b'", "rm|a|b" },
	};

	CHECK_TEXTS(rows, inner_argv);
}

static void places(const struct zs_ir *ir, char *have)
{
	for (uint32_t i = 0; i < ir->command_count; i++) {
		char place[64];

		snprintf(place, sizeof place, "%s %s %u", ir->commands[i].key, zs_nesting_name(ir->commands[i].nesting),
			ir->commands[i].depth);
		add(have, place, NULL);
	}
}

TEST(ir_nesting_and_depth)
{
	static const struct text_row rows[] = {
		{ "a", "a top 0" },
		{ "a; b | c", "a top 0|b top 0|c top 0" },
		{ "{ a; }", "a top 0" },
		{ "if a; then b; fi", "a top 0|b top 0" },
		{ "(a)", "a subshell 1" },
		{ "( (a) )", "a subshell 2" },
		{ "$(a)", "(null) top 0|a substitution 1" },
		{ "a `b`", "a top 0|b substitution 1" },
		{ "a <(b)", "a top 0|b substitution 1" },
		{ "a $(b $(c))", "a top 0|b substitution 1|c substitution 2" },
		{ "(a $(b))", "a subshell 1|b substitution 2" },
		{ "f() { a; }", "a function 1" },
		{ "sudo a", "sudo top 0|a wrapper 1" },
		{ "sudo env a", "sudo top 0|env wrapper 1|a wrapper 2" },
		{ "bash -c a", "bash top 0|a shell 1" },
		{ "(bash -c 'a $(b)')", "bash subshell 1|a shell 2|b substitution 3" },
		{ "sudo bash -c a", "sudo top 0|bash wrapper 1|a shell 2" },
		{ "bash -c 'bash -c a'", "bash top 0|bash shell 1|a shell 2" },
	};

	CHECK_TEXTS(rows, places);
}

/* Spans, shown as the bytes that they cover. */
static void add_span(char *list, const char *text, struct zs_span span)
{
	char shown[256];

	snprintf(shown, sizeof shown, "%.*s", (int)(span.end - span.start), text + span.start);
	add(list, shown, NULL);
}

TEST(ir_spans)
{
	static const struct {
		const char *command, *commands, *words; /* words: of the last command */
	} rows[] = {
		{ "a b", "a b", "a|b" },
		{ "  a 'b c' ", "a 'b c'", "a|'b c'" },
		{ "a; b $x", "a|b $x", "b|$x" },
		{ "a $(b \"c\")", "a $(b \"c\")|b \"c\"", "b|\"c\"" },
		{ "a {b,c}", "a {b,c}", "a|{b,c}|{b,c}" },
		{ "sudo -n rm x", "sudo -n rm x|rm x", "rm|x" },
		/* Nested code has the span of the word that holds it. */
		{ "bash -c 'a b'", "bash -c 'a b'|'a b'", "'a b'|'a b'" },
		{ "bash -c 'bash -c \"a b\"' c", "bash -c 'bash -c \"a b\"' c|'bash -c \"a b\"'|'bash -c \"a b\"'",
			"'bash -c \"a b\"'|'bash -c \"a b\"'" },
		{ "eval a 'b c'", "eval a 'b c'|a 'b c'", "a 'b c'|a 'b c'|a 'b c'" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct zs_ir *ir = ir_of(rows[i].command);
		char commands[512] = "", words[512] = "";

		for (uint32_t j = 0; j < ir->command_count; j++)
			add_span(commands, rows[i].command, ir->commands[j].span);
		for (uint32_t j = 0; ir->command_count && j < ir->commands[ir->command_count - 1].argc; j++)
			add_span(words, rows[i].command, ir->commands[ir->command_count - 1].argv[j].span);
		CHECK(same(commands, rows[i].commands), "%s: %s", rows[i].command, commands);
		CHECK(same(words, rows[i].words), "%s: %s", rows[i].command, words);
	}
}

/* Every span in every IR lies in the text. */
static bool inside(struct zs_span span, size_t len)
{
	return span.start <= span.end && span.end <= len;
}

TEST(ir_spans_stay_inside)
{
	static const char *const commands[] = { "a", "",
		"bash -c 'a very long text; that is longer than all $(that holds it)'", "eval \"a b c d e f g\" > f",
		"bash -c 'echo \"'", "echo '", "cat <<X\na\nX", "x=$(a) b >c 2>&1 | d", "bash -c '[ a | b ]'",
		"find . -exec sh -c 'rm \"$1\" > f' {} \\;", "git -c alias.x='!rm y' x", "env -S 'rm x'",
		"trap 'rm x' EXIT", "bash -c 'ls \x01'", "PAGER='rm x' man a" };

	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
		const struct zs_report *report = vet(ZS_PROFILE_VERIFY, commands[i]);
		const struct zs_ir *ir = &report->ir;
		size_t len = strlen(commands[i]);
		bool all = inside(report->span, len);

		for (uint32_t j = 0; j < ir->command_count; j++) {
			all &= inside(ir->commands[j].span, len);
			for (uint32_t k = 0; k < ir->commands[j].argc; k++)
				all &= inside(ir->commands[j].argv[k].span, len);
		}
		for (uint32_t j = 0; j < ir->operator_count; j++)
			all &= inside(ir->operators[j].span, len);
		for (uint32_t j = 0; j < ir->redirect_count; j++)
			all &= inside(ir->redirects[j].span, len) && inside(ir->redirects[j].target.span, len);
		for (uint32_t j = 0; j < ir->write_count; j++)
			all &= inside(ir->writes[j].path.span, len) && ir->writes[j].command < ir->command_count;
		for (uint32_t j = 0; j < ir->payload_count; j++)
			all &= inside(ir->payloads[j].code.span, len) && ir->payloads[j].command < ir->command_count;
		for (uint32_t j = 0; j < ir->finding_count; j++)
			all &= inside(ir->findings[j].span, len) &&
			       ir->findings[j].command < (int32_t)ir->command_count;
		CHECK(all, "%s", commands[i]);
	}
}

static void operators(const struct zs_ir *ir, char *have)
{
	for (uint32_t i = 0; i < ir->operator_count; i++) {
		strcat(have, i ? " " : "");
		strcat(have, ir->operators[i].text);
	}
}

TEST(ir_operators)
{
	static const struct text_row rows[] = {
		{ "a", "" },
		{ "a && b || c; d & e", "&& || ; &" },
		{ "a | b |& c", "| |&" },
		{ "a \"&& b\" '; c'", "" },
		{ "bash -c 'a && b'", "&&" },
		{ "[[ a && b ]]", "" },
		{ "echo $(a | b)", "|" },
	};

	CHECK_TEXTS(rows, operators);
	/* a newline joins commands too: it is no operator of the IR, but two commands never pass for one */
	CHECK(ir_of("a\nb")->command_count == 2, "%u commands", ir_of("a\nb")->command_count);
	CHECK(vet(ZS_PROFILE_STRICT, "a && b")->risks & (1u << ZS_RISK_OPERATOR), "operator is among the risks");
	CHECK(!(vet(ZS_PROFILE_STRICT, "a b")->risks & (1u << ZS_RISK_OPERATOR)), "and not without one");
}

static void redirects(const struct zs_ir *ir, char *have)
{
	for (uint32_t i = 0; i < ir->redirect_count; i++) {
		const struct zs_redirect *redirect = &ir->redirects[i];
		char item[128], target[64] = "";

		add(target, redirect->target.text, redirect->target.dynamic);
		snprintf(item, sizeof item, "%s %s%s", redirect->op, target, redirect->writes ? " writes" : "");
		add(have, item, NULL);
	}
}

TEST(ir_redirects)
{
	static const struct text_row rows[] = {
		{ "a > f", "> f writes" },
		{ "a >> 'f g'", ">> f g writes" },
		{ "a >| f", ">| f writes" },
		{ "a &> f", "&> f writes" },
		{ "a &>> f", "&>> f writes" },
		{ "a >& f", ">& f writes" },
		{ "a < f", "< f" },
		{ "a <<< f", "<<< f" },
		{ "a 2>&1", ">& 1" },
		{ "a > /dev/null 2>&1", "> /dev/null|>& 1" },
		{ "a > $x", "> <variable> writes" },
		{ "a > f 2> g < h", "> f writes|> g writes|< h" },
		{ "a > *", "> <glob> writes" },
	};

	CHECK_TEXTS(rows, redirects);
}

static void writes(const struct zs_ir *ir, char *have)
{
	for (uint32_t i = 0; i < ir->write_count; i++) {
		const struct zs_write *write = &ir->writes[i];
		char item[128], path[64] = "";

		add(path, write->path.text, write->path.dynamic);
		snprintf(item, sizeof item, "%s %s %s", ir->commands[write->command].key, zs_effect_name(write->effect),
			path);
		add(have, item, NULL);
	}
}

TEST(ir_writes)
{
	static const struct text_row rows[] = {
		{ "ls", "" },
		{ "rm a b", "rm delete a|rm delete b" },
		{ "mv a b c", "mv move a|mv move b|mv overwrite c" },
		{ "cp a b", "cp overwrite b" },
		{ "touch a", "touch create a" },
		{ "mkdir -p a/b", "mkdir create a/b" },
		{ "ln -s a b", "ln link b" },
		{ "chmod 600 a", "chmod metadata a" },
		{ "truncate -s 0 a", "truncate overwrite a" },
		{ "tee -a f", "tee overwrite f" },
		{ "wget -a log u", "wget append log" },
		{ "sed -i s/a/b/ x y", "sed overwrite x|sed overwrite y" },
		{ "dd of=x", "dd overwrite x" },
		{ "rm $x", "rm delete <variable>" },
		{ "sudo rm x", "rm delete x" },
		{ "bash -c 'rm x'", "rm delete x" },
		{ "cp a /dev/null", "" },
	};

	CHECK_TEXTS(rows, writes);
}

static void payloads(const struct zs_ir *ir, char *have)
{
	for (uint32_t i = 0; i < ir->payload_count; i++) {
		char item[128], code[64] = "";

		add(code, ir->payloads[i].code.text, ir->payloads[i].code.dynamic);
		snprintf(item, sizeof item, "%s %s: %s", ir->commands[ir->payloads[i].command].key,
			ir->payloads[i].interpreter, code);
		add(have, item, NULL);
	}
}

TEST(ir_payloads)
{
	static const struct text_row rows[] = {
		{ "bash -c 'a b'", "bash bash: a b" },
		{ "sh -c \"$x\"", "sh bash: <variable>" },
		{ "eval a 'b c'", "eval bash: a b c" },
		{ "bash -c 'eval a'", "bash bash: eval a|eval bash: a" },
		{ "python3 -c 'print(1)'", "python3 python: print(1)" },
		{ "node -e 1", "node javascript: 1" },
		{ "perl -ne print", "perl perl: print" },
		{ "sed -n p", "sed sed: p" },
		{ "awk '{ print }' x", "awk awk: { print }" },
		{ "bash x.sh", "" },
	};

	CHECK_TEXTS(rows, payloads);
}

TEST(ir_parse_errors)
{
	static const struct {
		const char *text;
		uint32_t byte, line, column;
		const char *found;
	} rows[] = {
		{ "ls )", 3, 1, 4, ")" },
		{ "ls\nls )", 6, 2, 4, ")" },
		{ "ls\n\n  pwd )", 10, 3, 7, ")" },
		{ "ls ;; pwd )", 3, 1, 4, ";; pwd )" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct zs_report *report = vet(ZS_PROFILE_RELAXED, rows[i].text);
		const struct zs_parse_error *error = report->ir.errors;

		CHECK(report->code == ZS_RISK_SYNTAX_ERROR, "%s: %s", rows[i].text, zs_risk_name(report->code));
		CHECK(report->ir.error_count == 1, "%s: %u errors", rows[i].text, report->ir.error_count);
		if (report->ir.error_count != 1)
			continue;
		CHECK(error->byte == rows[i].byte && error->line == rows[i].line && error->column == rows[i].column,
			"%s: byte %u, line %u, column %u", rows[i].text, error->byte, error->line, error->column);
		CHECK(same(error->found, rows[i].found), "%s: found '%s'", rows[i].text, error->found);
	}
	CHECK(vet(ZS_PROFILE_RELAXED, "ls")->ir.error_count == 0, "none where there is none");
}

/* A long erroneous text is shown shortened. */
TEST(ir_parse_error_is_short)
{
	char text[400] = "if ";
	const struct zs_report *report;

	memset(text + 3, 'a', sizeof text - 4);
	text[sizeof text - 1] = '\0';
	report = vet(ZS_PROFILE_STRICT, text);
	CHECK(report->code == ZS_RISK_SYNTAX_ERROR, "%s", zs_risk_name(report->code));
	CHECK(report->ir.error_count == 1 && strlen(report->ir.errors[0].found) <= 40, "%zu bytes",
		strlen(report->ir.errors[0].found));
}

TEST(ir_other_versions_block)
{
	struct zs_vetter *vetter = zs_vetter_new();

	for (int profile = 0; profile < ZS_PROFILE_COUNT; profile++) {
		struct zs_vet_options options = { .profile = (enum zs_profile)profile };

		for (uint32_t version = 0; version < 4; version++) {
			struct zs_ir ir = *ir_of("ls");
			const struct zs_report *report;

			ir.version = version;
			report = zs_decide(vetter, &ir, &options);
			if (version == ZS_IR_VERSION) {
				CHECK(report->verdict == ZS_ALLOW, "%s", report->reason);
				continue;
			}
			CHECK(report->verdict == ZS_BLOCK && report->code == ZS_RISK_VERSION, "version %u: %s", version,
				zs_risk_name(report->code));
			CHECK(strstr(report->reason, "version") && *report->hint, "%s", report->reason);
			CHECK(report->risks == 1u << ZS_RISK_VERSION, "%x", report->risks);
		}
	}
	zs_vetter_free(vetter);
}

/* An IR that a caller kept gets the same verdict as when it was made. */
TEST(ir_decides_as_vetted)
{
	static const char *const commands[] = { "ls", "rm x", "cd x", "ls > f", "eval $x", "cat f | sh", "echo '",
		"[ a | b ]" };
	struct zs_vetter *vetter = zs_vetter_new();

	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
		for (int profile = 0; profile < ZS_PROFILE_COUNT; profile++) {
			struct zs_vet_options options = { .profile = (enum zs_profile)profile };
			const struct zs_report *first = vet((enum zs_profile)profile, commands[i]);
			const struct zs_report *again = zs_decide(vetter, &first->ir, &options);

			CHECK(first->verdict == again->verdict && first->code == again->code &&
					first->risks == again->risks && same(first->reason, again->reason) &&
					same(first->hint, again->hint),
				"%s: %s, then %s", commands[i], first->reason, again->reason);
		}
	}
	zs_vetter_free(vetter);
}

/* The same text has the same answer, also from a vetter that has read others before. */
TEST(ir_is_deterministic)
{
	static const char *const commands[] = { "ls $(a) > f", "x=`a <<b", "echo ${", "bash -c 'rm {a,b}'" };

	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
		char first[256];
		uint32_t findings;

		snprintf(first, sizeof first, "%s", vet(ZS_PROFILE_VERIFY, commands[i])->reason);
		findings = ir_of(commands[i])->finding_count;
		for (size_t j = 0; j < sizeof commands / sizeof *commands; j++)
			vet(ZS_PROFILE_VERIFY, commands[j]);
		CHECK(same(first, vet(ZS_PROFILE_VERIFY, commands[i])->reason), "%s", commands[i]);
		CHECK(findings == ir_of(commands[i])->finding_count, "%s", commands[i]);
	}
}
