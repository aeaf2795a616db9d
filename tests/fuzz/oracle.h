/* Compares the report about a text with what the text did. */
#ifndef ZS_FUZZ_ORACLE_H
#define ZS_FUZZ_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jail.h"
#include "zs_shellpolicy.h"

#define ZS_ORACLE_KINDS(X)                                                                                             \
	X(AGREES, "agrees")                                                                                            \
	X(RAN, "ran")             /* a marker ran that no command of the report names */                               \
	X(ARGUMENTS, "arguments") /* it ran with other arguments than the report says */                               \
	X(WROTE, "wrote")         /* a file was made */                                                                \
	X(MOVED, "moved")         /* the marker ran in another working directory */                                    \
	X(PARSED, "parsed")       /* bash's parser reads a command that no command of the report is */

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

#define ZS_WORDS_MAX 256 /* words of a command that are compared */

/* oracle_parsed.c: judges an allowed text that bash's parser has read. other: the bash is not 5.2. */
enum oracle_kind zs_oracle_judge_parsed(const struct zs_report *report, const char *text, size_t len,
	const struct jail_result *result, bool other, char *ret_what, size_t what_size);

/* Splits a record of a log into its words. Returns their number, at most ZS_WORDS_MAX. */
size_t zs_oracle_words(const char *record, size_t len, const char **ret_words);
/* Writes a program and its words. */
void zs_oracle_describe(char *what, size_t size, const char *program, const char *const *words, size_t count);

#endif
