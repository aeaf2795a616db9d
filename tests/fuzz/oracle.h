/* Compares the report about a text with what the text did. */
#ifndef ZS_FUZZ_ORACLE_H
#define ZS_FUZZ_ORACLE_H

#include <stdbool.h>

#include "jail.h"
#include "zs_shellpolicy.h"

#define ZS_ORACLE_KINDS(X)                                                                                             \
	X(AGREES, "agrees")                                                                                            \
	X(RAN, "ran")             /* a marker ran that no command of the report names */                               \
	X(ARGUMENTS, "arguments") /* it ran with other arguments than the report says */                               \
	X(WROTE, "wrote")         /* a file was made */                                                                \
	X(MOVED, "moved")         /* the marker ran in another working directory */

enum oracle_kind {
#define X(id, name) ZS_ORACLE_##id,
	ZS_ORACLE_KINDS(X)
#undef X
		ZS_ORACLE_KIND_COUNT
};

const char *zs_oracle_name(enum oracle_kind kind);
/* Does the report say that it does not know what runs? Then it hides nothing. */
bool zs_oracle_is_open(const struct zs_report *report);
/* Does the text hold a marker that no command of the report names? */
bool zs_oracle_is_worthwhile(const struct zs_report *report, const char *text, size_t len);
/* Judges an allowed text that was run. `ret_what` gets the program's words, or the file's name. */
enum oracle_kind zs_oracle_judge(
	const struct zs_report *report, const struct jail_result *result, char *ret_what, size_t what_size);

#endif
