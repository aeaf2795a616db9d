/* Python code that only looks: it prints, computes, parses, reads files and asks modules for their version.
 *
 * No grammar is read. Every name must be known: of python itself (python_tables.c), of a module that the program
 * imports, or the program's own. One rule about values holds it together: those that a program can put into a variable,
 * pass on or take apart are *plain*, which means that calling them with anything, or any attribute of the table on
 * them, changes nothing. Other things never become a value:
 *
 *  - modules, and attributes of them that no row has, are shown at most: print(x), repr(x), {x} in an f-string;
 *  - open() is called where it stands, with a mode that reads;
 *  - type() gives classes that could be called (type(file.raw)(path, "w") opens for writing), so it is shown;
 *  - functions of the workspace's own modules are called where they stand, by names that are not those of functions
 *    of python that act;
 *  - names with two underscores lead from any value to everything else; a handful about modules pass.
 *
 * A name of the program that hides a builtin keeps both meanings, and each use must be harmless in both: which of them
 * python means depends on scopes and on time, and is not followed here.
 */
#include "code/code_judge.h"

enum binding_kind {
	BINDING_VALUE,  /* a plain value */
	BINDING_MODULE, /* its path is the text from token `value` on, up to the mate of that token */
};

enum { MARK_SHOWS = 1 }; /* of `(`: the call shows what it gets */

static const struct code_syntax syntax = {
	.signs = "... **= //= >>= <<= -> := == != <= >= += -= *= /= %= &= |= ^= << >> ** // + - * / % = < > & | ^ ~ , "
		 ": ; .",
	.first = "",
	.last = "",
	.number_end = "jJ",
	.quotes = "'\"",
	.templates = "",
	.field = "{",
	.refused = "\r",
	.hash_comments = true,
	.newlines = true,
	.python = true,
	.bare_point = true,
	.continued = true,
};

static const char assignments[] = "= += -= *= /= //= %= **= &= |= ^= <<= >>=";

static bool is_dunder(const struct code_text *py, size_t token)
{
	size_t len;
	const char *text = code_name(py, token, &len);

	return len >= 2 && text[0] == '_' && text[1] == '_';
}

static bool is_keyword(const struct code_text *py, size_t token)
{
	return code_kind(py, token) == CODE_NAME && zs_code_in(py, token, zs_python_keywords);
}

static enum code_use builtin(const struct code_text *py, size_t token)
{
	size_t len;
	const char *text = code_name(py, token, &len);

	return zs_code_use(zs_python_builtins, text, len);
}

/* Names that the program gives to something */

static bool python_bind(struct code_text *py, size_t name, enum binding_kind kind, size_t value, size_t member)
{
	enum code_use use = builtin(py, name);

	if (code_kind(py, name) != CODE_NAME || is_keyword(py, name) || is_dunder(py, name) ||
		zs_code_in(py, name, zs_python_denied) || (use && use != USE_PLAIN))
		return zs_code_unknown(py, name, name);
	code_token(py, name)->known = true;
	return zs_code_bind(
		py, (struct code_binding){ (uint16_t)name, (uint16_t)value, (uint16_t)member, (uint8_t)kind });
}

/* The names of the targets of `=`, `for` and `with … as`, or of parameters: lists, parts of collections, defaults. */
static bool bind_list(struct code_text *py, size_t from, size_t to, bool parameters)
{
	for (size_t i = from; i < to; i++) {
		bool name = code_kind(py, i) == CODE_NAME && !is_keyword(py, i);

		if (parameters ? name && (i == from || zs_code_in(py, i - 1, ", * **"))
			       : name && !zs_code_is(py, i + 1, "[")) {
			if (!python_bind(py, i, BINDING_VALUE, 0, 0))
				return false;
		} else if (!parameters && !name && !zs_code_in(py, i, ", ( ) [ ] * =")) {
			return zs_code_unknown(py, i, i);
		}
		/* d[x][y] = …, and a parameter's default */
		while (parameters ? code_opens(py, i) : name && i + 1 < to && zs_code_is(py, i + 1, "["))
			i = code_mate(py, parameters ? i : i + 1);
	}
	return true;
}

/* a.b.c as one stretch of the program; its last token. */
static bool read_path(struct code_text *py, size_t first, size_t *ret_last)
{
	size_t last = first, len;

	if (code_kind(py, first) != CODE_NAME || is_keyword(py, first))
		return zs_code_unknown(py, first, first);
	while (zs_code_is(py, last + 1, ".") && code_kind(py, last + 2) == CODE_NAME)
		last += 2;
	len = code_token(py, last)->start + code_token(py, last)->len - code_token(py, first)->start;
	for (size_t i = first + 1; i <= last; i++)
		if (code_token(py, i)->spaced)
			return zs_code_unknown(py, first, last);
	if (len >= CODE_PATH || zs_python_import_acts(py->text + code_token(py, first)->start, len))
		return zs_code_unknown(py, first, last);
	*ret_last = last;
	return true;
}

/* a.b as c, d behind import; c as d, e behind from a.b import, where the path ends at the mate of `path`. */
static bool bind_imported(struct code_text *py, size_t from, size_t to, size_t path)
{
	for (size_t i = from; i < to; i++) {
		size_t first = i, last = i, value = path ? path : i, member = path ? i : 0;

		if (path ? code_kind(py, i) != CODE_NAME : !read_path(py, i, &last))
			return zs_code_unknown(py, i, last);
		i = last + 1;
		if (zs_code_is(py, i, "as")) {
			first = i + 1;
			i += 2;
		}
		if (!path) /* without `as` the name is that of the first part */
			code_token(py, value)->mate = (uint16_t)(first == value ? value : last);
		/* __version__ without `as` needs no binding */
		if (!(path && first == member && zs_code_in(py, member, "__version__ __file__ __author__")) &&
			!python_bind(py, first, BINDING_MODULE, value, member))
			return false;
		if (i < to && !zs_code_is(py, i, ","))
			return zs_code_unknown(py, i, i);
	}
	return true;
}

static bool bind_import(struct code_text *py, size_t from, size_t to)
{
	size_t last, path = from + 1;

	for (size_t i = from; i < to; i++)
		code_token(py, i)->known = true;
	if (zs_code_is(py, from, "import"))
		return bind_imported(py, path, to, 0);
	if (!read_path(py, path, &last))
		return false;
	code_token(py, path)->mate = (uint16_t)last;
	from = last + 2;
	if (!zs_code_is(py, last + 1, "import"))
		return zs_code_unknown(py, last + 1, last + 1);
	if (zs_code_is(py, from, "(") && code_mate(py, from) + 1 != to)
		return zs_code_unknown(py, from, from);
	if (zs_code_is(py, from, "("))
		to = code_mate(py, from++);
	return bind_imported(py, from, to, path);
}

static bool bind_statements(struct code_text *py)
{
	size_t start = 1, lambdas = 0;

	for (size_t i = 1; i < py->count; i = code_opens(py, i) ? code_mate(py, i) + 1 : i + 1) {
		bool head = zs_code_is(py, i, ":");

		if (i == start && zs_code_in(py, i, "import from")) {
			while (i < py->count && code_kind(py, i) != CODE_NEWLINE && !zs_code_is(py, i, ";"))
				i++;
			if (!bind_import(py, start, i))
				return false;
		}
		if (i == start && zs_code_is(py, i, "def") &&
			!(zs_code_is(py, i + 2, "(") && python_bind(py, i + 1, BINDING_VALUE, 0, 0) &&
				bind_list(py, i + 3, code_mate(py, i + 2), true)))
			return zs_code_unknown(py, i, i + 1);
		lambdas += zs_code_is(py, i, "lambda");
		if (code_kind(py, i) == CODE_NEWLINE || zs_code_is(py, i, ";") || (head && !lambdas)) {
			start = i + 1;
			lambdas = 0;
		} else if (head) {
			lambdas--;
		} else if (!lambdas && zs_code_in(py, i, assignments) && !bind_list(py, start, i, false)) {
			return false;
		}
	}
	return true;
}

/* Constructs that bind names anywhere: for x in, lambda x:, x :=, with … as x. */
static bool python_bind_token(struct code_text *py, size_t i)
{
	bool lambda = zs_code_is(py, i, "lambda");
	const char *stop = lambda ? ":" : "in";
	size_t end = i;

	if (i == 1 && !bind_statements(py))
		return false;
	if (code_token(py, i)->known || (code_kind(py, i) != CODE_NAME && code_kind(py, i) != CODE_SIGN))
		return true;
	if (zs_code_is(py, i, ":="))
		return python_bind(py, i - 1, BINDING_VALUE, 0, 0);
	if (zs_code_is(py, i, "as"))
		return zs_code_in(py, i + 2, ". [ (") ? zs_code_unknown(py, i + 1, i + 2)
						      : python_bind(py, i + 1, BINDING_VALUE, 0, 0);
	if (!lambda && !zs_code_is(py, i, "for"))
		return true;
	while (end < py->count && !code_closes(py, end) && !zs_code_is(py, end, stop))
		end = code_opens(py, end) ? code_mate(py, end) + 1 : end + 1;
	return zs_code_is(py, end, stop) ? bind_list(py, i + 1, end, lambda) : zs_code_unknown(py, i, i);
}

/* Uses */

/* Can nothing be done with it but looking at it? */
static bool is_shown(struct code_text *py, struct code_place place)
{
	size_t before = place.first - 1, after = place.last + 1;
	bool shows = place.open && code_token(py, place.open)->mark == MARK_SHOWS;

	if (zs_code_is(py, after, "is") || code_kind(py, after) == CODE_FIELD_END)
		return zs_code_is(py, after, "is") || code_kind(py, before) == CODE_FIELD;
	/* print (x).y of python 2 does not call print */
	if (zs_code_in(py, after, ", )") && shows)
		return zs_code_in(py, before, "( , *") &&
		       !(zs_code_is(py, place.open - (size_t)1, "print") &&
			       zs_code_in(py, code_mate(py, place.open) + 1, ". [ ("));
	/* a statement that only names it, or asserts it */
	return (code_kind(py, before) == CODE_END || code_kind(py, before) == CODE_NEWLINE ||
		       zs_code_in(py, before, "; assert")) &&
	       (code_kind(py, after) == CODE_END || code_kind(py, after) == CODE_NEWLINE || zs_code_is(py, after, ";"));
}

static bool is_read_mode(const struct code_text *py, size_t token)
{
	size_t len;
	const char *text = zs_code_literal(py, token, &len);

	return text && zs_code_listed(text, len, "r rt tr rb br r:gz r:bz2 r:xz r:* r| r|* r|gz");
}

/* open(file, "r", encoding="utf-8"): `place` is that of the mode among the arguments, from 0. */
static bool opens_to_read(struct code_text *py, size_t open, size_t place)
{
	size_t argument = 0, end = code_mate(py, open);

	if (!zs_code_is(py, open, "("))
		return false;
	for (size_t i = open + 1; i < end; argument++) {
		size_t to = zs_code_find(py, i, end, ",");
		bool named = code_kind(py, i) == CODE_NAME && zs_code_is(py, i + 1, "=");

		if (named && zs_code_is(py, i, "mode")) {
			if (to != i + 3 || !is_read_mode(py, i + 2))
				return zs_code_unknown(py, i, to - 1);
		} else if (named ? !zs_code_in(py, i, "encoding errors newline file name")
				 : argument > place || (argument == place && (to != i + 1 || !is_read_mode(py, i)))) {
			return zs_code_unknown(py, open - 1, end);
		}
		if (zs_code_in(py, i, "* **"))
			return zs_code_unknown(py, i, to - 1);
		i = to + 1;
	}
	return true;
}

/* type(x) is shown, or its name is. */
static bool is_type_shown(struct code_text *py, struct code_place place)
{
	size_t open = place.last + 1;

	if (!zs_code_is(py, open, "("))
		return false;
	place.last = code_mate(py, open);
	if (zs_code_find(py, open + 1, place.last, ",") != place.last)
		return false;
	if (zs_code_is(py, place.last + 1, "."))
		return zs_code_in(py, place.last + 2, "__name__ __qualname__ __module__");
	return is_shown(py, place);
}

/* A use that is not plain by itself. */
static bool check_use(struct code_text *py, enum code_use use, struct code_place place)
{
	size_t open = place.last + 1;
	bool called = zs_code_is(py, open, "("), known = called;

	if (use == USE_PLAIN)
		return true;
	if (use == USE_SHOWS)
		known = true;
	else if (use == USE_OPENS && called)
		known = opens_to_read(py, open, 1);
	else if (use == USE_TYPE)
		known = is_type_shown(py, place);
	if (!known)
		return zs_code_unknown(py, place.first, called ? code_mate(py, open) : place.last);
	if (called)
		code_token(py, open)->mark = MARK_SHOWS;
	return true;
}

/* Calling a function of the workspace is running the workspace's code, as a script is. It gives a plain value. */
static bool check_rest(struct code_text *py, const char *path, struct code_place place)
{
	return (zs_code_is(py, place.last + 1, "(") && zs_python_is_own_function(path, strlen(path))) ||
	       is_shown(py, place) || zs_code_unknown(py, place.first, place.last);
}

static bool leads_away(const char *name, size_t len)
{
	return len && name[0] == '_';
}

static const struct code_names names = { zs_python_modules, zs_python_about, leads_away, check_use, check_rest };

static bool check_binding(
	struct code_text *py, const struct code_binding *binding, struct code_place place, size_t *ret_last)
{
	char path[CODE_PATH] = "";
	size_t last = code_mate(py, binding->value), start = code_token(py, binding->value)->start;

	*ret_last = place.last;
	if (binding->kind != BINDING_MODULE)
		return true;
	memcpy(path, py->text + start, code_token(py, last)->start + code_token(py, last)->len - start);
	return zs_code_follow(py, &names, path, binding->member, place, ret_last);
}

static bool python_check_name(struct code_text *py, struct code_place place, size_t *ret_last)
{
	size_t at = place.first;
	enum code_use use = builtin(py, at);
	bool bound = zs_code_is_bound(py, at);

	if (is_keyword(py, at))
		return true;
	/* f(name=…) */
	if (zs_code_is(py, at + 1, "=") && place.open && zs_code_is(py, place.open, "(") &&
		zs_code_in(py, at - 1, "( ,"))
		return !is_dunder(py, at);
	if (zs_code_in(py, at, "__version__ __file__ __author__"))
		use = USE_PLAIN; /* of the module that the program was told to import it from, or nothing */
	if (!zs_code_check_bindings(py, place, check_binding, ret_last))
		return false;
	if (use)
		*ret_last = at;
	/* a variable of this name is a builtin in python 2, until it gets its value: it is not called nor passed on */
	if (bound && zs_code_in(py, at, "file input") && !zs_code_in(py, at + 1, ". [ == != in") &&
		!is_shown(py, place))
		return false;
	if (use)
		return check_use(py, use, place);
	return bound;
}

/* Two arguments without names: pathlib's replace() takes one. */
static bool has_two_arguments(struct code_text *py, size_t open)
{
	size_t end = code_mate(py, open), comma = zs_code_find(py, open + 1, end, ",");

	if (!zs_code_is(py, open, "(") || comma == end || comma + 1 == end)
		return false;
	for (size_t i = open + 1; i < end; i = zs_code_find(py, i, end, ",") + 1)
		if (zs_code_in(py, i, "* **") || (i <= comma + 1 && zs_code_is(py, i + 1, "=")))
			return false;
	return true;
}

/* The attribute at `at` of what is no module. */
static bool check_attribute(struct code_text *py, size_t at)
{
	if (zs_code_in(py, at, zs_python_about))
		return true;
	if (zs_code_is(py, at, "__class__") && zs_code_is(py, at + 1, ".") &&
		zs_code_in(py, at + 2, "__name__ __qualname__"))
		return true;
	if (zs_code_is(py, at, "open"))
		return opens_to_read(py, at + 1, 0);
	if (zs_code_is(py, at, "replace") && !has_two_arguments(py, at + 1))
		return false;
	if (zs_code_is(py, at, "copy") && !(zs_code_is(py, at + 1, "(") && zs_code_is(py, at + 2, ")")))
		return false;
	return zs_code_in(py, at, zs_python_attributes);
}

static bool python_check_token(struct code_text *py, struct code_place place, size_t *ret_last)
{
	size_t at = place.first;

	if (zs_code_is(py, at, ".") && code_kind(py, at + 1) != CODE_NAME)
		return zs_code_unknown(py, at, at + 1);
	if (code_kind(py, at) != CODE_NAME)
		return true;
	return zs_code_is(py, at - 1, ".") ? check_attribute(py, at) : python_check_name(py, place, ret_last);
}

struct zs_filter zs_filter_python(const char *program, size_t len)
{
	return zs_code_judge(program, len, &syntax, python_bind_token, python_check_token);
}
