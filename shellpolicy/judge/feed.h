/* The text that a command reads from its standard input, if the command line holds it: a here-document, a here-string,
 * or the output of echo, printf or cat in a pipe. */
#ifndef ZS_FEED_H
#define ZS_FEED_H

#include "judge/classify.h"
#include "read/expand.h"

/* Finds the text. False: the input is not known. The text's `text` is NULL if a part of it is known only at run time.
 */
bool zs_fed_text(struct zs_classify *classify, struct zs_raw_word *ret_text);

/* Are all words of the command known, including its name? */
bool zs_is_static(const struct zs_raw_command *command);

/* The texts of the command's words; none if one of them is not known. */
struct zs_strings zs_static_words(struct zs_arena *arena, const struct zs_raw_command *command);

/* Why a text means more as an interpreter's input than after -c; NULL if it does not. The first line may name an
 * encoding or a program, and a BEGIN block may read the lines after it. */
const char *zs_fed_otherwise(const char *language, const char *text);

/* The code of a PHP page: the text after <?php. NULL if the page holds more than that. */
const char *zs_fed_page(const char *text);

/* Does the text have lines after the first? A shell reads them later. */
enum zs_shell_input zs_lines_of(const char *text, size_t len);

/* May a command that shares the shell's input take some of it? A shell reads its input one command at a time, so input
 * that a command takes is lost for the shell. */
bool zs_may_take_input(const struct zs_classify *classify);
/* Does the command give the shell itself another input, as exec <FILE does? */
bool zs_changes_input(const struct zs_classify *classify);

#endif
