/* Judges a command by its row. classify.c finds the row. */
#ifndef ZS_JUDGE_H
#define ZS_JUDGE_H

#include "judge/classify.h"

/* Gives the words their roles and judges each of them; sets classify->inner. */
void zs_judge_row(struct zs_classify *classify);
/* The parts of zs_judge_row() that judge global flags before a subcommand: git -C x -c y=z log. */
void zs_judge_use(struct zs_classify *classify, const struct zs_use *use);
void zs_judge_traits(struct zs_classify *classify);
/* Judges an interpreter without code or script on its command line, which runs its standard input. */
void zs_judge_input(struct zs_classify *classify);
/* Judges the standard input as code in the row's language. False: the input is not known. */
bool zs_judge_fed(struct zs_classify *classify);
/* Judges a word as code in the row's language. */
void zs_judge_code(struct zs_classify *classify, const struct zs_raw_word *code);

/* Adds a finding about the command as a whole. */
struct zs_finding *zs_blame_command(struct zs_classify *classify, enum zs_risk code, const char *detail);
void zs_note_command(struct zs_classify *classify, enum zs_risk code);

const char *zs_base_name(const char *path);
/* Does the path stand for a descriptor instead of a file? */
bool zs_is_stream(const char *path);
/* Is the command's name NAME=, NAME+= or NAME[…]=? bash takes it for an assignment, the parser does not. */
bool zs_is_assignment_like(const struct zs_raw_word *word);

/* shells.c */

/* Finds a command that the text's shell understands otherwise. */
void zs_check_shell_command(struct zs_classify *classify, const char *name);
/* The same for the variable that gets a value. */
void zs_check_shell_variable(struct zs_classify *classify, const char *name, size_t len, struct zs_span span);

#endif
