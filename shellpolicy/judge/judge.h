/* A command against its row. classify.c decides which row that is. */
#ifndef ZS_JUDGE_H
#define ZS_JUDGE_H

#include "judge/classify.h"

/* Sorts the words by the row, and judges all of them; sets classify->inner. */
void zs_judge_row(struct zs_classify *classify);
/* The parts of it that global flags of a command with subcommands need: git -C x -c y=z log. */
void zs_judge_use(struct zs_classify *classify, const struct zs_use *use);
void zs_judge_traits(struct zs_classify *classify);
/* An interpreter without code or script on its command line runs what it is fed. */
void zs_judge_input(struct zs_classify *classify);
/* The standard input of a program, as code in its language. False: what stands there is not known. */
bool zs_judge_fed(struct zs_classify *classify);
/* Code in the language of the row. */
void zs_judge_code(struct zs_classify *classify, const struct zs_raw_word *code);

/* Findings about the command as a whole. */
void zs_blame_command(struct zs_classify *classify, enum zs_risk code, const char *detail);
void zs_note_command(struct zs_classify *classify, enum zs_risk code);

const char *zs_base_name(const char *path);
/* Does it stand for a descriptor, and not for a file? */
bool zs_is_stream(const char *path);
/* NAME=, NAME+=, NAME[…]= as the name of a command: bash takes it for an assignment, the parser does not. */
bool zs_is_assignment_like(const struct zs_raw_word *word);

#endif
