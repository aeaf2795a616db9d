/* The vetting from its text to its report. This is the only file that sees every stage: read, agree, classify, decide.
 */
#include "zs_shellpolicy.h"

#include "judge/assembled.h"
#include "decide.h"
#include "effects.h"
#include "judge/names.h"
#include "judge/places.h"
#include "read/agree.h"
#include "judge/unknown.h"
#include "read/strict_reader.h"

#include <limits.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

struct zs_vetter {
	struct zs_arena arena;
	struct zs_grammar grammar;
	struct zs_report report;
};

struct zs_vetter *zs_vetter_new(void)
{
	struct zs_vetter *vetter = calloc(1, sizeof *vetter);

	if (!vetter)
		return NULL;
	zs_arena_init(&vetter->arena, ZS_MAX_MEMORY);
	zs_grammar_init(&vetter->grammar);
	return vetter;
}

void zs_vetter_free(struct zs_vetter *vetter)
{
	if (!vetter)
		return;
	zs_arena_free(&vetter->arena);
	free(vetter);
}

/* The report if the arena has reached its limit of memory or work. */
static const struct zs_report no_memory = {
	.code = ZS_RISK_LIMIT,
	.reason = "larger, deeper or slower to read than a limit allows: time or memory",
	.hint = "Split it into several smaller commands.",
	.risks = 1u << ZS_RISK_LIMIT,
	.ir = { .version = ZS_IR_VERSION, .platform = "bash" },
};

/* Reads one text: the given one, or one that is nested in a word. */
static void vet_read_text(struct zs_vetter *vetter, struct zs_build *build, const struct zs_pending_text *pending)
{
	struct zs_reading reading = { 0 };
	uint32_t at = 0, redirects = build->redirects.count;
	bool read;
	enum zs_refusal refused = zs_refused_bytes(pending->text, pending->len, &at);

	if (refused) {
		zs_find_refusal(build, refused, pending, at, at + 1);
		build->findings.items[build->findings.count - 1].object =
			zs_arena_format(build->arena, "\\x%02x", (unsigned char)pending->text[at]);
		return;
	}
	if (pending->shells > ZS_MAX_NESTED_SHELLS || pending->depth > ZS_MAX_DEPTH) {
		zs_find(build, ZS_RISK_LIMIT, -1, pending->depth > ZS_MAX_DEPTH ? "nesting depth" : "nested shells",
			NULL, zs_place_span(&pending->place, 0, pending->len));
		return;
	}
	zs_take_shell(build, pending);
	read = zs_strict_read(build, pending, &reading) &&
	       (reading.plain || zs_agree(build, &vetter->grammar, pending, &reading));
	ZS_PUSH(build->arena, &build->texts,
		(struct zs_text){
			.text = pending->text,
			.len = pending->len,
			.span = zs_place_span(&pending->place, 0, pending->len),
			.agreement = reading.agreement,
			.strict = reading.marks.items,
			.strict_count = reading.marks.count,
			.tree = reading.tree.items,
			.tree_count = reading.tree.count,
		});
	if (read) {
		struct zs_raw *raw = zs_arena_alloc(build->arena, sizeof *raw);

		*raw = reading.raw;
		pending->scope->raw = raw;
		ZS_PUSH(build->arena, &build->names->scopes, pending->scope);
		zs_places_of_redirects(build, pending, redirects);
		zs_classify_text(build, raw, pending);
		for (; redirects < build->redirects.count; redirects++) {
			struct zs_redirect *redirect = &build->redirects.items[redirects];

			if (redirect->command >= 0)
				redirect->command = raw->commands.items[redirect->command].index;
		}
	}
}

/* The N of >&N, <&N or >&N-; -1 if the redirection is another. */
static int duplicated(const struct zs_redirect *redirect)
{
	const char *text = redirect->target.text;

	if (redirect->op[1] != '&' || !text || !zs_is_digit(*text))
		return -1;
	return strlen(text) > 6 ? INT_MAX : atoi(text);
}

/* Does the redirection open a file for reading? Then its path in /dev/fd opens that file again. */
static bool reads_file(const struct zs_redirect *redirect)
{
	return strcmp(redirect->op, "<") == 0 &&
	       !(redirect->target.dynamic && strcmp(redirect->target.dynamic, "process substitution") == 0) &&
	       !(redirect->target.text && zs_is_harmless_target(redirect->target.text));
}

/* May a descriptor that is not standard input stand for a file that was opened for reading? `5<file 3>&5` makes such a
 * descriptor, {x}<file makes one whose number is not known, and 3<&0 may make one. `<file` alone opens only standard
 * input, to which no output goes. */
static bool may_reopen(const struct zs_build *build)
{
	bool reads = false, moves = false;

	for (uint32_t i = 0; i < build->redirects.count; i++) {
		const struct zs_redirect *redirect = &build->redirects.items[i];
		int from = duplicated(redirect);

		if (from == 0 || (reads_file(redirect) && redirect->descriptor != 0))
			return true;
		reads |= reads_file(redirect);
		moves |= from > 2;
	}
	return reads && moves;
}

/* `echo x >/dev/fd/3 3<file` opens the file again, for writing: /dev/fd/N, /dev/stdout and /dev/stderr are only as
 * harmless as the file behind them (man 5 proc, /proc/PID/fd). */
static void check_reopened(struct zs_build *build)
{
	bool may = may_reopen(build);

	for (uint32_t i = 0; may && i < build->redirects.count; i++) {
		struct zs_redirect *out = &build->redirects.items[i];
		const char *target = strchr(out->op, '>') && out->target.text ? out->target.text : "";

		if (zs_descriptor_target(target) < 0 && strcmp(target, "/dev/stdout") != 0 &&
			strcmp(target, "/dev/stderr") != 0)
			continue;
		out->writes = true;
		zs_find(build, ZS_RISK_REDIRECT, -1, target, "it may write to a file that is open for reading",
			out->span);
	}
}

/* The output of echo is known only if no text defines a function of that name. */
static void check_printers(struct zs_build *build)
{
	for (uint32_t i = 0; i < build->printers.count; i++) {
		const struct zs_printer *printer = &build->printers.items[i];

		if (zs_defines(build, printer->name))
			zs_find(build, ZS_RISK_OPAQUE_INTERPRETER, printer->command, printer->name,
				"a function of that name may print other code", printer->span);
	}
}

static struct zs_ir vet_finish(const struct zs_build *build)
{
	return (struct zs_ir){
		.version = ZS_IR_VERSION,
		.platform = "bash",
		.commands = build->commands.items,
		.command_count = build->commands.count,
		.operators = build->operators.items,
		.operator_count = build->operators.count,
		.redirects = build->redirects.items,
		.redirect_count = build->redirects.count,
		.writes = build->writes.items,
		.write_count = build->writes.count,
		.payloads = build->payloads.items,
		.payload_count = build->payloads.count,
		.findings = build->findings.items,
		.finding_count = build->findings.count,
		.errors = build->errors.items,
		.error_count = build->errors.count,
	};
}

/* Reads the given text and all texts nested in it. The expansion of names may bring up new texts, and these may set
 * variables on which names depend. */
static void vet_read_all(
	struct zs_vetter *vetter, struct zs_build *build, const char *text, uint32_t len, enum zs_shell shell)
{
	struct zs_pending_text whole = {
		.text = text, .len = len, .shell = shell < ZS_SHELL_COUNT ? shell : ZS_SHELL_ANY
	};
	uint32_t next = 0;

	build->names = zs_arena_alloc(build->arena, sizeof *build->names);
	whole.scope = zs_scope_within(build->arena, (struct zs_where){ 0 });
	ZS_PUSH(build->arena, &build->pending, whole);
	do {
		for (; next < build->pending.count; next++) {
			struct zs_pending_text *pending = zs_arena_alloc(build->arena, sizeof *pending);
			struct zs_guess guess;

			*pending = build->pending.items[next];
			if (pending->wrapper)
				zs_guess_begin(build, pending->wrapper, &guess);
			vet_read_text(vetter, build, pending);
			if (pending->wrapper)
				zs_guess_end(build, &guess);
		}
	} while (zs_names_follow(build) || next < build->pending.count);
}

static void vet(struct zs_vetter *vetter, const char *text, size_t len, const struct zs_vet_options *options)
{
	struct zs_build build = {
		.arena = &vetter->arena,
		.wants_places = options->profile == ZS_PROFILE_GUARD || options->rule_count,
		.budget = { .nodes = ZS_MAX_NODES, .steps = ZS_MAX_PARSE_STEPS, .reads = ZS_MAX_PARSE_READS },
	};
	struct zs_ir ir;

	if (len > ZS_MAX_INPUT) {
		zs_find(&build, ZS_RISK_LIMIT, -1, "input bytes", NULL, (struct zs_span){ 0, ZS_MAX_INPUT });
	} else {
		vet_read_all(vetter, &build, text, (uint32_t)len, options->shell);
		check_reopened(&build);
		check_printers(&build);
		zs_check_assembled(&build);
		zs_places_fill(&build);
		zs_effects_fill(&build);
	}
	ir = vet_finish(&build);
	zs_decide_ir(&vetter->arena, &ir, options, &vetter->report);
	vetter->report.texts = build.texts.items;
	vetter->report.text_count = build.texts.count;
}

/* Vets the text, or, if `ir` is not NULL, decides over the IR. An arena that reaches a limit jumps back to here. */
static const struct zs_report *vet_or_decide(struct zs_vetter *vetter, const char *text, size_t len,
	const struct zs_ir *ir, const struct zs_vet_options *options)
{
	jmp_buf exhausted;

	if (!vetter)
		return &no_memory;
	vetter->arena.exhausted = &exhausted;
	if (setjmp(exhausted))
		vetter->report = no_memory;
	else if (ir)
		zs_decide_ir(&vetter->arena, ir, options, &vetter->report);
	else
		vet(vetter, text, len, options);
	vetter->arena.exhausted = NULL;
	return &vetter->report;
}

const struct zs_report *zs_vet(
	struct zs_vetter *vetter, const char *text, size_t len, const struct zs_vet_options *options)
{
	if (vetter)
		zs_arena_reset(&vetter->arena);
	return vet_or_decide(vetter, text, len, NULL, options);
}

const struct zs_report *zs_decide(
	struct zs_vetter *vetter, const struct zs_ir *ir, const struct zs_vet_options *options)
{
	return vet_or_decide(vetter, NULL, 0, ir, options);
}
