/* Code that is assembled from several strings. */
#ifndef ZS_ASSEMBLED_H
#define ZS_ASSEMBLED_H

#include "judge/classify.h"

#define ZS_CHANGES_READING "the option changes how bash reads later text"

/* Notes that a variable gets this word as its value, or as a part of it. */
void zs_value_given(struct zs_build *build, const struct zs_raw_word *word);
/* Notes that a command prints this word. `captured`: a substitution makes a value of the output. */
void zs_value_printed(struct zs_build *build, const struct zs_raw_word *word, bool captured);
/* Does the name have a subscript, which bash evaluates as arithmetic? Plain numbers need no evaluation. */
bool zs_has_subscript(const char *name);
/* shells.c: judges flags of bash that change how its text is read. */
void zs_check_shell_flags(struct zs_classify *classify);
/* Judges everything that was noted. Call it when all texts have been read. */
void zs_check_assembled(struct zs_build *build);

#endif
