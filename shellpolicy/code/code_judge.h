/* From the tokens of a program to what it does.
 *
 * A language is a table: its syntax, its names, and the use of each. The names that the program gives to things are
 * bound first. Then each token is checked: a name must be one of the program, or of a table, where a sign says how it
 * may be used. The first token that is not known settles the program.
 *
 * One rule about values holds it together: those that a program can put into a variable, pass on or take apart are
 * *plain*, which means that calling them with anything, or what belongs to them by a name of the table, changes
 * nothing. Modules never become a value: they are shown at most.
 */
#ifndef ZS_CODE_JUDGE_H
#define ZS_CODE_JUDGE_H

#include "code/code_tokens.h"

enum { CODE_PATH = 80 }; /* of a module, with its end: longer ones are not known */

/* The use of a name: the sign behind it in its list, "join~ sep ZipFile!". `*` stands for all names, `*Error` for those
 * with this end, `A*` for those of classes. Zero is not known. */
enum code_use {
	USE_UNKNOWN,
	USE_PLAIN = ' ', /* a value; calling it with any values changes nothing */
	USE_SHOWS = '~', /* the same, and it does no more than look at what it gets, a module too */
	USE_OPENS = '!', /* opens or reads a file: only called, and only to read */
	USE_NEW = '^',   /* a class: only behind new and instanceof, or called */
};

enum { MARK_SHOWS = 1 }; /* of `(`: the call only looks at what it gets */

/* The text of a name in a table of ZS_CODE_ENTRY(name, text), one after the other: one string, since pointers would be
 * relocated whenever a position-independent program starts. NULL when the name is not there. */
const char *zs_code_entry(const char *table, const char *name, size_t len);
#define ZS_CODE_ENTRY(name, text) name "\0" text "\0"

enum code_use zs_code_use(const char *list, const char *name, size_t len);

/* Reads a program, binds its names, and checks its tokens. PLAIN, what it does, or what is not known. */
struct zs_filter zs_code_judge(const char *text, size_t len, const struct code_language *language);

/* Each returns false: tokens that are not known; a token that acts. */
bool zs_code_unknown(struct code_text *code, size_t first, size_t last);
bool zs_code_acts(struct code_text *code, enum zs_filter_effect effect, size_t token);

/* False when the name cannot be one of the program, or the program has more names than fit. */
bool zs_code_bind(struct code_text *code, struct code_binding binding);
/* Binds the names of parameters and patterns. Names of defaults are taken for names of the program too. */
bool zs_code_bind_names(struct code_text *code, size_t from, size_t to);
bool zs_code_is_bound(const struct code_text *code, size_t token, bool module);

/* Can nothing be done with what stands here but looking at it? */
bool zs_code_is_shown(const struct code_text *code, struct code_place place);
/* A name that stands for itself: of the program, in each of its meanings, or of the language. */
bool zs_code_check_name(struct code_text *code, struct code_place place, size_t *ret_last);
/* Follows the points behind a module of this path, "" when nothing is known about it. `member` is the token of a name
 * that belongs to the path already, or 0. `path` has CODE_PATH bytes. */
bool zs_code_follow(struct code_text *code, char *path, size_t member, struct code_place place, size_t *ret_last);

#endif
