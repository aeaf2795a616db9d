/* Code that is put together from strings. */
#ifndef ZS_ASSEMBLED_H
#define ZS_ASSEMBLED_H

#include "judge/classify.h"

#define ZS_CHANGES_READING "an option that changes how later text is read"

/* A text gives a variable this value, or a part of it. */
void zs_value_given(struct zs_build *build, const struct zs_raw_word *word);
/* It prints it: into a substitution, or where something may read it. */
void zs_value_printed(struct zs_build *build, const struct zs_raw_word *word, bool captured);
/* Looks for what reads values as arithmetic or names. */
void zs_find_evaluation(struct zs_build *build, const char *text, size_t len);
/* shell_options.c: flags of bash that change how its text is read. */
void zs_check_shell_flags(struct zs_classify *classify);
/* When all texts have been read. */
void zs_check_assembled(struct zs_build *build);

#endif
