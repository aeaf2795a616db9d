#include "vet/report.h"

#include <string.h>

#include "base/message.h"

/* The bytes of a long line that are shown before the place, and in all. */
enum { SHOWN_BEFORE = 40, SHOWN = 100 };

void zs_report_json(struct zs_json *json, const struct zs_report *report, bool with_ir)
{
	bool allowed = report->verdict == ZS_ALLOW;

	zs_json_key(json, "verdict"), zs_json_text(json, allowed ? "allow" : "block");
	zs_json_key(json, "code"), zs_json_text(json, allowed ? NULL : zs_risk_name(report->code));
	zs_json_key(json, "reason"), zs_json_text(json, report->reason);
	zs_json_key(json, "hint"), zs_json_text(json, report->hint);
	zs_json_key(json, "risks"), zs_json_open(json, '[');
	for (unsigned code = 0; code < ZS_RISK_COUNT; code++)
		if (report->risks & 1u << code)
			zs_json_text(json, zs_risk_name((enum zs_risk)code));
	zs_json_close(json, ']');
	zs_json_key(json, "span");
	if (allowed)
		zs_json_raw(json, "null");
	else
		zs_span_json(json, report->span);
	if (with_ir) {
		zs_json_key(json, "ir");
		zs_ir_json(json, &report->ir);
	}
}

void zs_report_json_line(FILE *out, const struct zs_report *report, bool with_ir)
{
	struct zs_json json = zs_json_begin_line(out);

	zs_report_json(&json, report, with_ir);
	zs_json_end_line(&json);
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

/* Not into the middle of a UTF-8 sequence. */
static size_t back_to_character(const char *text, size_t at, size_t least)
{
	while (at > least && ((unsigned char)text[at] & 0xc0) == 0x80)
		at--;
	return at;
}

/* The line of text where the span starts, and carets under it; a long line is cut around the span. */
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
		fputs(allowed ? "\033[1;32mallow\033[0m" : "\033[1;31mblock\033[0m", out);
	else
		fputs(allowed ? "allow" : "block", out);
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
