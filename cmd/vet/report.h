/* A report of the shell policy, for programs and for people. */
#ifndef ZS_CMD_REPORT_H
#define ZS_CMD_REPORT_H

#include "base/json.h"
#include "zs_shellpolicy.h"

/* The members of the report's object, without its braces: the caller may have more to say in it. */
void zs_report_json(struct zs_json *json, const struct zs_report *report, bool with_ir);

/* The report's object as a line. */
void zs_report_json_line(FILE *out, const struct zs_report *report, bool with_ir);

/* The verdict in a line; of a blocked text also the place, underlined, and what to do instead. */
void zs_report_text(FILE *out, const struct zs_report *report, const char *text, size_t len);
/* Its first line, and its last. */
void zs_report_verdict(FILE *out, const struct zs_report *report);
void zs_report_hint(FILE *out, const struct zs_report *report);

/* For people who want to know where it came from: the verdict, the text with carets under what decided, everything that
 * was noticed and read in it, and the row of the command that decided. `text` is what was vetted. */
void zs_explain(FILE *out, const struct zs_report *report, const char *text, size_t len);

#endif
