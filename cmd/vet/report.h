/* A report of the shell policy, for programs and for people. */
#ifndef ZS_CMD_REPORT_H
#define ZS_CMD_REPORT_H

#include "base/json.h"
#include "zs_shellpolicy.h"

/* Writes the members of the report's object without its braces, so that the caller can add more. */
void zs_report_json(struct zs_json *json, const struct zs_report *report, bool with_ir);

/* Writes the report as a line. */
void zs_report_json_line(FILE *out, const struct zs_report *report, bool with_ir);

/* Writes the verdict on a line. For a blocked text it adds the place, underlined, and the hint. */
void zs_report_text(FILE *out, const struct zs_report *report, const char *text, size_t len);
/* The first line of that text, and its last. */
void zs_report_verdict(FILE *out, const struct zs_report *report);
void zs_report_hint(FILE *out, const struct zs_report *report);

/* Explains a verdict: prints the text with carets under the part that decided, all findings and both readings, and the
 * row of the command that decided. `text` is the vetted text. */
void zs_explain(FILE *out, const struct zs_report *report, const char *text, size_t len);

/* Writes a command's effects as an object. */
void zs_report_effects(struct zs_json *json, const struct zs_effects *effects);

#endif
