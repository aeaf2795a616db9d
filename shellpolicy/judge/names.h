/* Commands whose name is an expansion, or that have an expansion before the inner command's name. They are judged as
 * every command that the texts may turn them into. */
#ifndef ZS_NAMES_H
#define ZS_NAMES_H

#include "judge/classify.h"
#include "read/expand.h"

#define ZS_MAX_NAME_STEPS 8     /* depth of expansions: each may make a command whose name is an expansion again */
#define ZS_MAX_NAME_USES 1000   /* commands with such names; further ones are blocked */
#define ZS_MAX_OPTION_USES 4000 /* commands with words that may become options; verify blocks further ones */

/* Notes that word `at` must be expanded. `blames`: the command is blocked if the word stays unknown. */
void zs_name_used(struct zs_classify *classify, uint32_t at, bool blames);
/* Notes a command with words that may become options: o=-o; sort $o f. */
void zs_options_used(struct zs_classify *classify);
/* Notes dynamic code for the command's interpreter. */
void zs_code_used(struct zs_classify *classify, const struct zs_raw_word *code, enum zs_code_kind kind);
/* Notes dynamic code for a shell. False: there are too many of them. */
bool zs_shell_used(struct zs_classify *classify, struct zs_shell_use *use);
/* Expands all that was noted, after all texts have been read. True: new texts or names may have come up, so call it
 * again after reading them. */
bool zs_names_follow(struct zs_build *build);

/* Notes that the command sets a variable. NAME ends in + for NAME+=. */
void zs_name_set(
	struct zs_classify *classify, const char *name, enum zs_setting_kind kind, const struct zs_raw_word *value);
/* filling.c: the word whose value read or printf -v gives to the variable, or the list that mapfile -t or read -a
 * makes, as a word NAME=(…); NULL if it is not known. */
const struct zs_raw_word *zs_filling(
	struct zs_arena *arena, const struct zs_raw_command *command, const char *name, enum zs_setting_kind *ret_kind);
void zs_parameters_set(struct zs_classify *classify, uint32_t from);
/* Notes the settings of for NAME in … and ${NAME:=…}. */
void zs_loops_set(struct zs_classify *classify);

#endif
