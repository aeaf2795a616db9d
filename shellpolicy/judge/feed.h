/* The text that a command reads from its standard input, where the command line holds it: a here-document, a
 * here-string, or what echo, printf and cat put into a pipe. */
#ifndef ZS_FEED_H
#define ZS_FEED_H

#include "judge/classify.h"

/* False: nothing is known of the input. True: *ret_text is the text; its `text` is NULL where a part of it is known
 * only at run time. */
bool zs_fed_text(struct zs_classify *classify, struct zs_raw_word *ret_text);

/* The output of printf, whose format is word `format`, and whose words are all static; NULL: not modelled. */
const char *zs_formatted(struct zs_arena *arena, const struct zs_raw_command *command, uint32_t format);

/* A text that a program of this language reads from its input may mean more than the same text behind -c: the first
 * line names an encoding or a program, a BEGIN block reads the lines behind it. NULL: it does not. */
const char *zs_fed_otherwise(const char *language, const char *text);

/* PHP reads its input as a page: the code is what stands behind <?php. NULL: that is not all of it. */
const char *zs_fed_page(const char *text);

/* Does a shell have more lines to read behind the first one? */
enum zs_shell_input zs_lines_of(const char *text);

/* A shell reads its input a command at a time, so what a command takes of it is gone for the shell. May this one, which
 * has no input of its own, take some? */
bool zs_may_take_input(const struct zs_classify *classify);
/* exec <FILE: is the shell's own input another one from now on? */
bool zs_changes_input(const struct zs_classify *classify);

#endif
