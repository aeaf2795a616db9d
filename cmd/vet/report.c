#include "vet/report.h"

#include <string.h>

#include "base/message.h"

/* How many bytes of a long line are shown before the place, and in all. */
enum { SHOWN_BEFORE = 40, SHOWN = 100 };

/* The shape of "ir" is public: a key may be added, and changing one raises ZS_IR_VERSION. */

#define SPAN "'span':{'start':%u,'end':%u}"
#define SPAN_OF(item) (item)->span.start, (item)->span.end

/* A word; and beside it, if it is null, the reason. */
#define WORD(key) "'" key "':%s,'dynamic':%s"
#define WORD_OF(word) (word).text, (word).text ? NULL : (word).dynamic

void zs_report_effects(struct zs_json *json, const struct zs_effects *effects)
{
	zs_json_print(json, "{'prediction':%s,'places':[", zs_prediction_name(effects->prediction));
	for (uint32_t i = 0; i < effects->place_count; i++) {
		const struct zs_effect_place *place = &effects->places[i];

		zs_json_print(json, "{" WORD("path") ",'pattern':%s,'effect':%s}", WORD_OF(place->path), place->pattern,
			zs_effect_name(place->effect));
	}
	zs_json_print(json, "],'caches':%i}", effects->caches);
}

static void put_command(struct zs_json *json, const struct zs_command *command)
{
	zs_json_print(json, "'key':%s," SPAN ",'nesting':%s,'depth':%u,'argv':[", command->key, SPAN_OF(command),
		zs_nesting_name(command->nesting), command->depth);
	for (uint32_t i = 0; i < command->argc; i++)
		zs_json_text(json, command->argv[i].text);
	/* One entry for each null in argv, in the same order. */
	zs_json_print(json, "],'dynamic':[");
	for (uint32_t i = 0; i < command->argc; i++)
		if (!command->argv[i].text)
			zs_json_text(json, command->argv[i].dynamic ? command->argv[i].dynamic : "");
	zs_json_print(json, "],'flags':[");
	for (uint32_t i = 0; i < command->flag_count; i++)
		zs_json_text(json, command->flags[i]);
	zs_json_print(json, "],'row':%s,'effects':", command->row);
	zs_report_effects(json, &command->effects);
}

/* The index of a command; null: none. */
static void put_index(struct zs_json *json, int32_t command)
{
	if (command < 0)
		zs_json_print(json, "'command':null");
	else
		zs_json_print(json, "'command':%d", command);
}

static void put_operator(struct zs_json *json, const struct zs_operator *operator)
{
	zs_json_print(json, "'text':%s," SPAN, operator->text, SPAN_OF(operator));
}

static void put_redirect(struct zs_json *json, const struct zs_redirect *redirect)
{
	zs_json_print(json, "'op':%s," WORD("target") ",'writes':%i,", redirect->op, WORD_OF(redirect->target),
		redirect->writes);
	put_index(json, redirect->command);
	zs_json_print(json, SPAN, SPAN_OF(redirect));
}

static void put_write(struct zs_json *json, const struct zs_write *write)
{
	zs_json_print(json, WORD("path") ",'effect':%s,'command':%u,'beside':%i", WORD_OF(write->path),
		zs_effect_name(write->effect), write->command, write->beside);
}

static void put_payload(struct zs_json *json, const struct zs_payload *payload)
{
	zs_json_print(json, "'interpreter':%s," WORD("code") ",'command':%u", payload->interpreter,
		WORD_OF(payload->code), payload->command);
}

static void put_finding(struct zs_json *json, const struct zs_finding *finding)
{
	zs_json_print(json, "'code':%s,'informational':%i", zs_risk_name(finding->code), finding->informational);
	put_index(json, finding->command);
	zs_json_print(json, "'object':%s,'detail':%s," SPAN, finding->object, finding->detail, SPAN_OF(finding));
}

static void put_error(struct zs_json *json, const struct zs_parse_error *error)
{
	zs_json_print(json, "'byte':%u,'line':%u,'column':%u,'found':%s", error->byte, error->line, error->column,
		error->found);
}

/* put_X for each element of ir->X_count Xs, as an array of objects. */
#define PUT_ALL(json, ir, x)                                                                                           \
	do {                                                                                                           \
		zs_json_print(json, "'" #x "s':[");                                                                    \
		for (uint32_t i_ = 0; i_ < (ir)->x##_count; i_++) {                                                    \
			zs_json_print(json, "{");                                                                      \
			put_##x(json, &(ir)->x##s[i_]);                                                                \
			zs_json_print(json, "}");                                                                      \
		}                                                                                                      \
		zs_json_print(json, "]");                                                                              \
	} while (0)

static void put_ir(struct zs_json *json, const struct zs_ir *ir)
{
	zs_json_print(json, "{'version':%u,'platform':%s", ir->version, ir->platform);
	PUT_ALL(json, ir, command);
	PUT_ALL(json, ir, operator);
	PUT_ALL(json, ir, redirect);
	PUT_ALL(json, ir, write);
	PUT_ALL(json, ir, payload);
	PUT_ALL(json, ir, finding);
	PUT_ALL(json, ir, error);
	zs_json_print(json, "}");
}

static const char *verdict_name(const struct zs_report *report)
{
	return report->verdict == ZS_ALLOW ? "allow" : report->verdict == ZS_ASK ? "ask" : "block";
}

void zs_report_json(struct zs_json *json, const struct zs_report *report, bool with_ir)
{
	bool allowed = report->verdict == ZS_ALLOW;

	zs_json_print(json, "'verdict':%s,'code':%s,'reason':%s,'hint':%s,'risks':[", verdict_name(report),
		allowed ? NULL : zs_risk_name(report->code), report->reason, report->hint);
	for (unsigned code = 0; code < ZS_RISK_COUNT; code++)
		if (report->risks & 1u << code)
			zs_json_text(json, zs_risk_name((enum zs_risk)code));
	if (allowed)
		zs_json_print(json, "],'span':null");
	else
		zs_json_print(json, "],'span':{'start':%u,'end':%u}", report->span.start, report->span.end);
	if (with_ir) {
		zs_json_print(json, "'ir':");
		put_ir(json, &report->ir);
	}
}

void zs_report_json_line(FILE *out, const struct zs_report *report, bool with_ir)
{
	struct zs_json json = { out, false };

	zs_json_print(&json, "{");
	zs_report_json(&json, report, with_ir);
	zs_json_print(&json, "}\n");
}

static size_t line_start(const char *text, size_t at)
{
	while (at > 0 && text[at - 1] != '\n')
		at--;
	return at;
}

static size_t line_end(const char *text, size_t len, size_t at)
{
	const char *newline = memchr(text + at, '\n', len - at);

	return newline ? (size_t)(newline - text) : len;
}

/* Moves back to the start of a UTF-8 sequence. */
static size_t back_to_character(const char *text, size_t at, size_t least)
{
	while (at > least && ((unsigned char)text[at] & 0xc0) == 0x80)
		at--;
	return at;
}

/* Prints the line of text in which the span starts, with carets under the span. A long line is cut around it. */
static void put_place(FILE *out, const char *text, size_t len, struct zs_span span)
{
	static const char cut[] = "...";
	size_t at = span.start < len ? span.start : len;
	size_t first = line_start(text, at), last = line_end(text, len, at);
	size_t start = first, end = last, marked, columns, carets;

	if (first == last)
		return;
	if (last - first > SHOWN && at - first > SHOWN_BEFORE)
		start = back_to_character(text, at - SHOWN_BEFORE, first);
	if (last - start > SHOWN)
		end = back_to_character(text, start + SHOWN, at);
	marked = span.end < end ? span.end : end;
	if (marked < at)
		marked = at;
	fprintf(out, "  %s", start > first ? cut : "");
	columns = (start > first ? strlen(cut) : 0) + zs_put_text(out, text + start, at - start);
	carets = zs_put_text(out, text + at, marked - at);
	zs_put_text(out, text + marked, end - marked);
	fprintf(out, "%s\n  %*s", end < last ? cut : "", (int)columns, "");
	do
		fputc('^', out);
	while (carets-- > 1);
	fputc('\n', out);
}

static void report_put_line(FILE *out, const char *label, const char *text)
{
	fputs(label, out);
	zs_put_text(out, text, strlen(text));
	fputc('\n', out);
}

void zs_report_verdict(FILE *out, const struct zs_report *report)
{
	bool allowed = report->verdict == ZS_ALLOW, colour = zs_wants_colour(out);

	if (colour)
		fprintf(out, "\033[1;%dm%s\033[0m", allowed ? 32 : 31, verdict_name(report));
	else
		fputs(verdict_name(report), out);
	if (allowed) {
		fputc('\n', out);
		return;
	}
	fprintf(out, " %s: ", zs_risk_name(report->code));
	report_put_line(out, "", report->reason);
}

void zs_report_hint(FILE *out, const struct zs_report *report)
{
	if (*report->hint)
		report_put_line(out, "hint: ", report->hint);
}

void zs_report_text(FILE *out, const struct zs_report *report, const char *text, size_t len)
{
	zs_report_verdict(out, report);
	if (report->verdict != ZS_ALLOW)
		put_place(out, text, len, report->span);
	zs_report_hint(out, report);
}
