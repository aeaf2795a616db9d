/* zs vet --explain */
#include <stdbool.h>
#include <string.h>

#include "base/message.h"
#include "vet/report.h"
#include "vet/rows_list.h"

enum {
	WIDTH = 100,        /* columns of a piece of the text */
	PIECES_MAX = 100,   /* of the text; a longer text is cut */
	LINES_BEFORE = 20,  /* how many lines before the place are shown */
	WORD_MAX = 60,      /* columns of a word of a command */
	OBJECT_MAX = 80,    /* columns of a finding's object */
	SPAN_TEXT_MAX = 24, /* "65536-65536" */
	STATE_WIDTH = 7,    /* "decided" */
};

/* The text */

/* The text that is drawn. A long line is drawn in pieces. */
struct drawing {
	FILE *out;
	const char *text;
	size_t len;
	struct zs_span span; /* the span that carets underline */
	bool marked, colour;
	int gutter; /* columns of a line number */
};

/* Finds the underlined part of a piece; false: it has none. An empty span, and one of a single newline, is underlined
 * at its start. */
static bool find_mark(
	const struct drawing *drawing, size_t from, size_t to, bool line_ends, size_t *ret_start, size_t *ret_end)
{
	size_t first = drawing->span.start < drawing->len ? drawing->span.start : drawing->len;
	size_t start = first > from ? first : from, end = drawing->span.end < to ? drawing->span.end : to;

	if (start > first) /* in the later lines of a span, the indentation is not underlined */
		start += start < end ? strspn(drawing->text + start, " \t") : 0;
	if (start >= end) {
		if (first < from || first > to || (first == to && !line_ends))
			return false;
		start = end = first;
	}
	*ret_start = start;
	*ret_end = end;
	return drawing->marked;
}

static void put_carets(const struct drawing *drawing, size_t before, size_t carets)
{
	fprintf(drawing->out, "  %*s | %*s%s", drawing->gutter, "", (int)before, "",
		drawing->colour ? "\033[1;31m" : "");
	do
		fputc('^', drawing->out);
	while (carets-- > 1);
	fputs(drawing->colour ? "\033[0m\n" : "\n", drawing->out);
}

/* number: that of the line if it starts here; 0: the line goes on. */
static void put_piece(const struct drawing *drawing, unsigned number, size_t from, size_t to, bool line_ends)
{
	size_t start = to, end = to, before, carets;
	bool marked = find_mark(drawing, from, to, line_ends, &start, &end);

	if (number)
		fprintf(drawing->out, "  %*u |%s", drawing->gutter, number, from < to ? " " : "");
	else
		fprintf(drawing->out, "  %*s | ", drawing->gutter, "");
	before = zs_put_text(drawing->out, drawing->text + from, start - from);
	carets = zs_put_text(drawing->out, drawing->text + start, end - start);
	zs_put_text(drawing->out, drawing->text + end, to - end);
	fputc('\n', drawing->out);
	if (marked)
		put_carets(drawing, before, carets);
}

/* Returns how many pieces it took. */
static unsigned explain_put_line(const struct drawing *drawing, unsigned number, size_t from, size_t to)
{
	unsigned pieces = 0;

	do {
		size_t step = zs_fit_text(drawing->text + from, to - from, WIDTH);

		put_piece(drawing, pieces++ ? 0 : number, from, from + step, from + step == to);
		from += step;
	} while (from < to && pieces < PIECES_MAX);
	return pieces;
}

static unsigned count_lines(const char *text, size_t len)
{
	unsigned count = 1;

	for (size_t i = 0; i < len; i++)
		count += text[i] == '\n';
	return count;
}

static void draw(FILE *out, const struct zs_report *report, const char *text, size_t len)
{
	struct drawing drawing = { out, text, len, report->span, report->verdict != ZS_ALLOW, zs_wants_colour(out), 0 };
	unsigned lines = count_lines(text, len), marked, pieces = 0;
	size_t from = 0;

	marked = count_lines(text, report->span.start < len ? report->span.start : len);
	drawing.gutter = snprintf(NULL, 0, "%u", lines);
	for (unsigned number = 1; number <= lines; number++) {
		const char *newline = memchr(text + from, '\n', len - from);
		size_t to = newline ? (size_t)(newline - text) : len;
		bool is_rest = number > 1 && from == len; /* after the last newline */

		if (number + LINES_BEFORE == marked)
			fputs("  ...\n", out);
		if (number + LINES_BEFORE > marked && (!is_rest || (drawing.marked && marked == number)))
			pieces += explain_put_line(&drawing, number, from, to);
		if (pieces >= PIECES_MAX) {
			fputs("  ...\n", out);
			return;
		}
		from = to + (newline != NULL);
	}
}

static int span_text(char text[SPAN_TEXT_MAX], struct zs_span span)
{
	return snprintf(text, SPAN_TEXT_MAX, "%u-%u", (unsigned)span.start, (unsigned)span.end);
}

static int wider(int width, int have)
{
	return have > width ? have : width;
}

static void put_bytes_shortened(FILE *out, const char *text, size_t len, size_t columns)
{
	size_t fits = zs_fit_text(text, len, columns);

	zs_put_text(out, text, fits);
	if (fits < len)
		fputs("...", out);
}

static void put_shortened(FILE *out, const char *text, size_t columns)
{
	put_bytes_shortened(out, text, strlen(text), columns);
}

/* The readings */

#define MARK_COLUMNS 60 /* columns of a mark's text */

static bool same_mark(const struct zs_mark *a, const struct zs_mark *b)
{
	return a->start == b->start && a->end == b->end && a->kind == b->kind;
}

/* Does `a` come before `b`? A mark comes before those that it contains. */
static bool is_before(const struct zs_mark *a, const struct zs_mark *b)
{
	return a->start != b->start ? a->start < b->start : a->end > b->end;
}

static void put_mark(FILE *out, const struct zs_text *text, const struct zs_mark *strict, const struct zs_mark *tree)
{
	const struct zs_mark *mark = strict ? strict : tree;
	char span[SPAN_TEXT_MAX];

	span_text(span, (struct zs_span){ mark->start, mark->end });
	fprintf(out, "  %-11s  %-12s  %-*s", span, strict ? zs_mark_name(strict->kind) : "-",
		mark->start < mark->end ? 14 : 0, tree ? zs_mark_name(tree->kind) : "-");
	put_bytes_shortened(out, text->text + mark->start, mark->end - mark->start, MARK_COLUMNS);
	fputc('\n', out);
}

/* Prints both readings side by side, if both were made. */
static void explain_marks(FILE *out, const struct zs_text *text)
{
	bool both = text->agreement == ZS_AGREED || text->agreement == ZS_DIFFERS;
	uint32_t i = 0, j = 0;

	if (!text->strict_count && !text->tree_count)
		return;
	fprintf(out, "  %-11s  %-12s  %-12s  %s\n", "bytes", "strict", "tree", "text");
	while (i < text->strict_count || (both && j < text->tree_count)) {
		const struct zs_mark *strict = i < text->strict_count ? &text->strict[i] : NULL;
		const struct zs_mark *tree = both && j < text->tree_count ? &text->tree[j] : NULL;

		if (strict && tree && !same_mark(strict, tree)) {
			if (is_before(tree, strict))
				strict = NULL;
			else
				tree = NULL;
		}
		put_mark(out, text, strict, tree);
		i += strict != NULL;
		j += tree != NULL;
	}
}

static void explain_readings(FILE *out, const struct zs_report *report)
{
	for (uint32_t i = 0; i < report->text_count; i++) {
		const struct zs_text *text = &report->texts[i];

		if (i)
			fprintf(out, "\nReadings of the code in bytes %u-%u: ", text->span.start, text->span.end);
		else
			fputs("\nReadings: ", out);
		fprintf(out, "%s.\n", zs_agreement_text(text->agreement));
		explain_marks(out, text);
	}
}

/* Findings */

static void put_finding(
	FILE *out, const struct zs_report *report, const struct zs_finding *finding, int span_width, int code_width)
{
	const char *object = finding->object ? finding->object : "", *detail = finding->detail ? finding->detail : "";
	const char *state = finding->informational ? "noted" : "-";
	char span[SPAN_TEXT_MAX];

	if (finding == report->decided)
		state = "decided";
	span_text(span, finding->span);
	fprintf(out, "  %-*s  %-*s  %s", span_width, span, code_width, zs_risk_name(finding->code), state);
	if (*object || *detail)
		fprintf(out, "%*s  ", STATE_WIDTH - (int)strlen(state), "");
	put_shortened(out, object, OBJECT_MAX);
	fputs(*object && *detail ? ": " : "", out);
	put_shortened(out, detail, OBJECT_MAX);
	fputc('\n', out);
}

static void explain_findings(FILE *out, const struct zs_report *report)
{
	const struct zs_ir *ir = &report->ir;
	int span_width = (int)strlen("bytes"), code_width = (int)strlen("code");
	char span[SPAN_TEXT_MAX];

	if (!ir->finding_count)
		return;
	for (uint32_t i = 0; i < ir->finding_count; i++) {
		span_width = wider(span_width, span_text(span, ir->findings[i].span));
		code_width = wider(code_width, (int)strlen(zs_risk_name(ir->findings[i].code)));
	}
	fprintf(out, "\nFindings:\n  %-*s  %-*s  %-*s  about\n", span_width, "bytes", code_width, "code", STATE_WIDTH,
		"state");
	for (uint32_t i = 0; i < ir->finding_count; i++)
		put_finding(out, report, &ir->findings[i], span_width, code_width);
}

/* Readings */

static bool explain_is_plain(const char *text)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=./:,@%^";

	return *text && !text[strspn(text, plain)];
}

/* Prints a word as the command gets it, in quotes if it would not be one word otherwise. */
static void put_word(FILE *out, const struct zs_word *word)
{
	if (!word->text) {
		fprintf(out, " <%s>", word->dynamic ? word->dynamic : "dynamic");
		return;
	}
	fputs(explain_is_plain(word->text) ? " " : " '", out);
	put_shortened(out, word->text, WORD_MAX);
	fputs(explain_is_plain(word->text) ? "" : "'", out);
}

static void explain_put_command(FILE *out, const struct zs_command *command, int span_width, int row_width)
{
	char span[SPAN_TEXT_MAX];

	span_text(span, command->span);
	fprintf(out, "  %-*s  %-12s  %-*s ", span_width, span, zs_nesting_name(command->nesting), row_width,
		command->row ? command->row : "-");
	for (uint32_t i = 0; i < command->argc; i++)
		put_word(out, &command->argv[i]);
	fputs(command->argc ? "\n" : " (only assignments or redirections)\n", out);
}

static void explain_commands(FILE *out, const struct zs_ir *ir)
{
	int span_width = (int)strlen("bytes"), row_width = (int)strlen("row");
	char span[SPAN_TEXT_MAX];

	if (!ir->command_count)
		return;
	for (uint32_t i = 0; i < ir->command_count; i++) {
		span_width = wider(span_width, span_text(span, ir->commands[i].span));
		if (ir->commands[i].row)
			row_width = wider(row_width, (int)strlen(ir->commands[i].row));
	}
	fprintf(out, "\nCommands:\n  %-*s  %-12s  %-*s  words\n", span_width, "bytes", "where", row_width, "row");
	for (uint32_t i = 0; i < ir->command_count; i++)
		explain_put_command(out, &ir->commands[i], span_width, row_width);
}

/* Effects */

static void put_effect_place(FILE *out, const struct zs_effect_place *place, bool first)
{
	fputs(first ? "" : ",", out);
	put_word(out, &place->path);
	if (place->pattern) {
		fputs("/", out);
		put_shortened(out, place->pattern, WORD_MAX);
	}
	fprintf(out, " (%s)", zs_effect_name(place->effect));
}

/* Prints what the commands do to files, as their rows say. */
static void explain_effects(FILE *out, const struct zs_ir *ir)
{
	int span_width = (int)strlen("bytes"), name_width = (int)strlen("effects");
	char span[SPAN_TEXT_MAX];

	if (!ir->command_count)
		return;
	for (uint32_t i = 0; i < ir->command_count; i++)
		span_width = wider(span_width, span_text(span, ir->commands[i].span));
	fprintf(out, "\nEffects:\n  %-*s  %-*s  on\n", span_width, "bytes", name_width, "effects");
	for (uint32_t i = 0; i < ir->command_count; i++) {
		const struct zs_effects *effects = &ir->commands[i].effects;

		span_text(span, ir->commands[i].span);
		fprintf(out, "  %-*s  %-*s ", span_width, span, name_width, zs_prediction_name(effects->prediction));
		for (uint32_t j = 0; j < effects->place_count; j++)
			put_effect_place(out, &effects->places[j], j == 0);
		if (!effects->place_count)
			fprintf(out, " (%s%s)", zs_prediction_text(effects->prediction),
				effects->caches && effects->prediction == ZS_PREDICTS_READS ? " but caches" : "");
		fputc('\n', out);
	}
}

/* The row that decided */

/* Returns the command of a finding. NULL: the shell itself acts, by a redirection or an assignment in front. */
static const struct zs_command *command_of(const struct zs_ir *ir, const struct zs_finding *finding)
{
	const struct zs_command *command;

	if (finding->command < 0 || (uint32_t)finding->command >= ir->command_count)
		return NULL;
	command = &ir->commands[finding->command];
	return command->argc && finding->span.end > command->argv[0].span.start ? command : NULL;
}

static void explain_row(FILE *out, const struct zs_report *report)
{
	const struct zs_command *command = report->decided ? command_of(&report->ir, report->decided) : NULL;
	const struct zs_row *row = command && command->row ? zs_row_named(command->row) : NULL;

	if (!report->decided)
		return;
	fputs("\nRow of the command that decided:\n  ", out);
	if (row)
		zs_row_line(out, row);
	else
		fputs(command ? "none describes it\n" : "none: it is about the shell's own syntax\n", out);
}

void zs_explain(FILE *out, const struct zs_report *report, const char *text, size_t len)
{
	zs_report_verdict(out, report);
	fputc('\n', out);
	draw(out, report, text, len);
	if (*report->hint)
		fputc('\n', out);
	zs_report_hint(out, report);
	explain_readings(out, report);
	explain_findings(out, report);
	explain_commands(out, &report->ir);
	explain_effects(out, &report->ir);
	explain_row(out, report);
}
