/* How the text of a program in another language becomes a verdict. The verdict says what the program does besides
 * looking, or besides filtering its input to its output. zs_code_judge() in code_judge.c takes these steps:
 *
 *   text ─▶ tokens                code_tokens.c: strings, names, numbers, signs, brackets with their mates
 *        ─▶ names bound           language.bind(): the names that `x = …`, import, for and the like introduce
 *        ─▶ each token checked    language.check(): a name is the program's own, or stands in a list of the language,
 *                                 where a sign says how it may be used (enum code_use in code_judge.h)
 *        ─▶ verdict               PLAIN, or the first token that acts or that is not known
 *
 * A language is a file filter_NAME.c: lists of names, a struct code_language, and the functions in that struct.
 * Perl also reads tokens of its own. sed, SQL and gdb have no such tokens: sed goes by letters, SQL and gdb by words.
 * This room knows no shell.
 */
#ifndef ZS_FILTER_H
#define ZS_FILTER_H

#include <stddef.h>

/* Zero, the effect of a program that was not understood, blocks. */
enum zs_filter_effect {
	ZS_FILTER_UNKNOWN,  /* not understood: `at` is the place, and `object` the text that is not known, if set */
	ZS_FILTER_PLAIN,    /* reads and prints, nothing else */
	ZS_FILTER_WRITES,   /* writes a file: `object` names it, or is NULL if the name is computed */
	ZS_FILTER_EXECUTES, /* runs a command */
};

struct zs_filter {
	enum zs_filter_effect effect;
	size_t at;          /* offset in the program of the byte that decided */
	const char *object; /* points into the program */
	size_t object_len;
};

/* The first effect that is not plain counts. Writing to /dev/null, /dev/stdout, /dev/stderr, /dev/fd/1 and /dev/fd/2 is
 * plain; other descriptors are not: `sed -n 'w /dev/fd/0' <file` and `mawk '{print > "/dev/fd/3"}' 3<file` empty the
 * file. The effects of options (sed -i, gawk -l, perl -i -M -F) are the caller's business. Pure: no allocation, no
 * recursion, at most 2,048 tokens and 40 kB of stack. A program may hold NUL-free bytes of any kind. */
struct zs_filter zs_filter_sed(const char *program, size_t len);
struct zs_filter zs_filter_awk(const char *program, size_t len);
struct zs_filter zs_filter_perl(const char *program, size_t len);
struct zs_filter zs_filter_sql(const char *program, size_t len);
struct zs_filter zs_filter_gdb(const char *program, size_t len);
/* These return only UNKNOWN and PLAIN. With UNKNOWN, `object` is the text that is not known. */
struct zs_filter zs_filter_python(const char *program, size_t len);
struct zs_filter zs_filter_javascript(const char *program, size_t len);
struct zs_filter zs_filter_ruby(const char *program, size_t len);
struct zs_filter zs_filter_php(const char *program, size_t len);
struct zs_filter zs_filter_lua(const char *program, size_t len);

#endif
