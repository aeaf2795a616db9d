/* Commands whose name, or a word in front of it, is an expansion: they are judged as what the texts make of it. */
#ifndef ZS_NAMES_H
#define ZS_NAMES_H

#include "judge/classify.h"
#include "read/expand.h"

#define ZS_MAX_NAME_STEPS 8   /* a name that makes a command whose name is dynamic too */
#define ZS_MAX_NAME_USES 1000 /* commands with such names: more are not known */

void zs_names_init(struct zs_build *build);
/* The command's word `at` is to be expanded. `blames`: the command is blocked when its name is not known then. */
void zs_name_used(struct zs_classify *classify, uint32_t at, bool blames);
/* Code for an interpreter that is not static. `fed`: its language, where it is all of the input; else NULL. */
void zs_code_used(struct zs_classify *classify, const struct zs_raw_word *code, const char *fed);
/* A script's path that is not static. */
void zs_script_used(struct zs_classify *classify, const struct zs_raw_word *script);
/* The same for a shell. False: there are too many of them. */
bool zs_shell_used(struct zs_classify *classify, struct zs_shell_use *use);
/* When all texts have been read. True: more may have come up, so that texts and names are to be looked at again. */
bool zs_names_follow(struct zs_build *build);

/* The variables that the command sets. NAME may end in +, for NAME+=. */
void zs_name_set(
	struct zs_classify *classify, const char *name, enum zs_setting_kind kind, const struct zs_raw_word *value);
/* filling.c: the word whose value read or printf -v gives to the variable; NULL: that is not known. */
const struct zs_raw_word *zs_filling(struct zs_arena *arena, const struct zs_raw_command *command, const char *name);
/* mapfile -t, read -a: the same as a word NAME=(…). */
const struct zs_raw_word *zs_list_filling(
	struct zs_arena *arena, const struct zs_raw_command *command, const char *name);
void zs_parameters_set(struct zs_classify *classify, uint32_t from);
/* for NAME in …, ${NAME:=…} */
void zs_loops_set(struct zs_classify *classify);

#endif
