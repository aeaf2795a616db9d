/* From the tokens of a program to what it does.
 *
 * A language is a table: its syntax, its names, and the use of each. First the names that the program introduces are
 * bound. Then each token is checked: a name must be bound, or stand in a table, where a sign says how it may be used.
 * The first token that is not known decides.
 *
 * One rule holds for all values that a program can put into a variable, pass on or take apart: they are *plain*. A call
 * of a plain value, with any arguments, changes nothing, and neither does a call of a member that the table names.
 * Modules never become a value: at most they are shown.
 */
#ifndef ZS_CODE_JUDGE_H
#define ZS_CODE_JUDGE_H

#include "code/code_tokens.h"

enum { CODE_PATH = 80 }; /* bytes of a module's path, NUL included; longer paths are not known */

/* The use of a name: the sign after it in its list, "join~ sep ZipFile!". `*` stands for all names, `*Error` for names
 * with this ending, `A*` for names of classes. Zero: the name is not known. */
enum code_use {
	USE_UNKNOWN,
	USE_PLAIN = ' ', /* a value; calling it with any values changes nothing */
	USE_SHOWS = '~', /* the same, and it only looks at its arguments, which may be modules */
	USE_OPENS = '!', /* opens or reads a file: it may only be called, and only to read */
	USE_NEW = '^',   /* a class: it may only stand after new or instanceof, be called, or be shown */
};

enum { MARK_SHOWS = 1 }; /* mark of a `(`: the call only looks at its arguments */

/* The text of a name in a table, which is a sequence of ZS_CODE_ENTRY(name, text). The table is one string, since
 * pointers would be relocated at each start of a position-independent program. NULL: the table does not have the name.
 */
const char *zs_code_entry(const char *table, const char *name, size_t len);
#define ZS_CODE_ENTRY(name, text) name "\0" text "\0"

enum code_use zs_code_use(const char *list, const char *name, size_t len);

/* Reads a program, binds its names, and checks its tokens. The result is PLAIN, the effect of the program, or the text
 * that is not known. */
struct zs_filter zs_code_judge(const char *text, size_t len, const struct code_language *language);

/* Record the reason why the program is not PLAIN: tokens that are not known, or a token that acts. Both return false.
 */
bool zs_code_unknown(struct code_text *code, size_t first, size_t last);
bool zs_code_acts(struct code_text *code, enum zs_filter_effect effect, size_t token);

/* False: the program may not use this name, or it has more names than fit. */
bool zs_code_bind(struct code_text *code, struct code_binding binding);
/* Binds the names of parameters and patterns. Names in default values are bound too. */
bool zs_code_bind_names(struct code_text *code, size_t from, size_t to);
/* Have the two tokens the same text? */
bool zs_code_same(const struct code_text *code, size_t a, size_t b);
bool zs_code_is_bound(const struct code_text *code, size_t token, bool module);

/* Is the value at this place only looked at: printed, compared, tested? */
bool zs_code_is_shown(const struct code_text *code, struct code_place place);
/* Checks a name that follows no point: a name of the program, in each of its meanings, or a name of the language. */
bool zs_code_check_name(struct code_text *code, struct code_place place, size_t *ret_last);
/* Follows the members named after a module. `path` is the module's path; "" if nothing is known about it. `member` is
 * the token of a name that belongs to the path already, or 0. The buffer `path` has CODE_PATH bytes. */
bool zs_code_follow(struct code_text *code, char *path, size_t member, struct code_place place, size_t *ret_last);

#endif
