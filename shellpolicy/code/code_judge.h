/* From the tokens of a program to what it does.
 *
 * A reader binds the names that the program gives to things, then looks at each token: a name must be one of the
 * program, or of a table of the language, where a sign says how it may be used. The first token that is not known
 * settles the program.
 */
#ifndef ZS_CODE_JUDGE_H
#define ZS_CODE_JUDGE_H

#include "code/code_tokens.h"

enum { CODE_PATH = 80 }; /* of a module, with its end: longer ones are not known */

/* The place between two tokens, in the bracket that `open` opens, or 0. */
struct code_place {
	size_t first, last, open;
	bool module; /* it may be one */
};

/* Binds the names that the construct at this token gives (NULL: nothing does). */
typedef bool code_bind(struct code_text *code, size_t token);
/* Looks at one token, which `place` is. *ret_last is `place.last`, or a later token: names up to it are known then.
 * When it returns false, the token is not known, or what zs_code_unknown() was told. */
typedef bool code_check(struct code_text *code, struct code_place place, size_t *ret_last);

/* Reads a program, binds its names, and checks its tokens. PLAIN, what it does, or what is not known. */
struct zs_filter zs_code_judge(
	const char *text, size_t len, const struct code_syntax *syntax, code_bind *bind, code_check *check);

/* Each returns false: tokens that are not known; a token that acts. */
bool zs_code_unknown(struct code_text *code, size_t first, size_t last);
bool zs_code_acts(struct code_text *code, enum zs_filter_effect effect, size_t token);

/* Names of the program */

/* False when the program has more names than fit. The same name and kind is noted once, but for values of its own. */
bool zs_code_bind(struct code_text *code, struct code_binding binding);
bool zs_code_is_bound(const struct code_text *code, size_t token);
/* Lets `check` look at each thing that a name may stand for. *ret_last is the earliest of theirs: what only one of its
 * meanings accounts for must pass in the others. False when one is not known. */
bool zs_code_check_bindings(struct code_text *code, struct code_place place,
	bool (*check)(
		struct code_text *code, const struct code_binding *binding, struct code_place place, size_t *ret_last),
	size_t *ret_last);

/* Names of the language */

/* The use of a name: the sign behind it in its table. Zero is not known. */
enum code_use {
	USE_UNKNOWN,
	USE_PLAIN = ' ', /* a value; calling it with any values changes nothing */
	USE_SHOWS = '?', /* the same, and it does no more than look at what it gets, a module too */
	USE_TAKES = '~', /* the same, but for modules */
	USE_OPENS = '!', /* opens or reads a file: only called, and only to read */
	USE_NEW = '^',   /* a class: only behind new and instanceof, or called */
	USE_TYPE = '=',  /* python's type(): its value is shown */
};

/* What a name of a list is for, "join? sep ZipFile!". `*` stands for all names, `A*` for those of classes. */
enum code_use zs_code_use(const char *list, const char *name, size_t len);

struct code_names {
	const char *members; /* ZS_CODE_ENTRY(path of a module, list of its names) */
	const char *about;   /* names that tell about any module */
	/* A name that leads from any value to everything else. */
	bool (*leads_away)(const char *name, size_t len);
	bool (*check_use)(struct code_text *code, enum code_use use, struct code_place place);
	/* A module, or what no row of it has. */
	bool (*check_rest)(struct code_text *code, const char *path, struct code_place place);
};

/* Follows the points behind a module of this path, "" when nothing is known about it. `member` is the token of a name
 * that belongs to the path already, or 0. `path` has CODE_PATH bytes. */
bool zs_code_follow(struct code_text *code, const struct code_names *names, char *path, size_t member,
	struct code_place place, size_t *ret_last);

/* Each of these is one list or table; python_tables.c and javascript_tables.c. */
extern const char zs_python_builtins[], zs_python_denied[], zs_python_keywords[], zs_python_modules[],
	zs_python_attributes[], zs_python_about[];
extern const char zs_javascript_globals[], zs_javascript_denied[], zs_javascript_keywords[], zs_javascript_members[],
	zs_javascript_methods[], zs_javascript_denied_properties[];

/* Does this module do something when it is imported? */
bool zs_python_import_acts(const char *path, size_t len);
/* Is the dotted path that of a function of a module of the workspace, as far as its name tells: neither python's nor a
 * known package, and no name of python's own that acts (src.app.os.remove, src.app.open)? */
bool zs_python_is_own_function(const char *path, size_t len);

#endif
