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
	BINDING_MODULE, /* its path is the text from token `value` on, or not known */
};

enum mark {
	MARK_SHOWS = 1 << 0, /* of `(`: the call shows what it gets */
	MARK_FIRST = 1 << 1, /* of `(`: its first argument is shown; another one may come back */
	MARK_ENDS = 1 << 2,  /* of `:`: the head of a statement ends */
};

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

static bool filter_python_bind(struct code_text *py, size_t name, enum binding_kind kind, size_t value, size_t member)
{
	enum code_use use = builtin(py, name);

	if (code_kind(py, name) != CODE_NAME || is_keyword(py, name) || is_dunder(py, name) ||
		zs_code_in(py, name, zs_python_denied) || (use && use != USE_PLAIN))
		return zs_code_unknown(py, name, name);
	code_token(py, name)->known = true;
	return zs_code_bind(
		py, (struct code_binding){ (uint16_t)name, (uint16_t)value, (uint16_t)member, (uint8_t)kind });
}

/* The targets of `=`, `for` and `with … as`: names, parts of collections, and lists of them. */
static bool bind_targets(struct code_text *py, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		if (code_kind(py, i) == CODE_NAME && !is_keyword(py, i)) {
			if (code_kind(py, i + 1) != CODE_OPEN || !zs_code_is(py, i + 1, "[")) {
				if (!filter_python_bind(py, i, BINDING_VALUE, 0, 0))
					return false;
				continue;
			}
			while (i + 1 < to && code_kind(py, i + 1) == CODE_OPEN) /* d[x][y] = … */
				i = code_token(py, i + 1)->mate;
		} else if (!zs_code_in(py, i, ", ( ) [ ] * =")) {
			return zs_code_unknown(py, i, i);
		}
	}
	return true;
}

/* Behind the last token that is in the same brackets. */
static size_t end_of_brackets(struct code_text *py, size_t from)
{
	size_t i = from;

	while (i < py->count && code_kind(py, i) != CODE_CLOSE && code_kind(py, i) != CODE_FIELD_END &&
		code_kind(py, i) != CODE_TEMPLATE_END)
		i = code_kind(py, i) == CODE_OPEN || code_kind(py, i) == CODE_TEMPLATE || code_kind(py, i) == CODE_FIELD
			    ? (size_t)code_token(py, i)->mate + 1
			    : i + 1;
	return i;
}

static bool bind_parameters(struct code_text *py, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		if (code_kind(py, i) == CODE_NAME && !is_keyword(py, i) &&
			(i == from || zs_code_in(py, i - 1, ", * **")) &&
			!filter_python_bind(py, i, BINDING_VALUE, 0, 0))
			return false;
		if (code_kind(py, i) == CODE_OPEN || code_kind(py, i) == CODE_TEMPLATE)
			i = code_token(py, i)->mate;
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

/* import a.b as c, d */
static bool bind_import(struct code_text *py, size_t from, size_t to)
{
	for (size_t i = from + 1; i < to; i++) {
		size_t last;

		if (!read_path(py, i, &last))
			return false;
		if (zs_code_is(py, last + 1, "as")) {
			if (!filter_python_bind(py, last + 2, BINDING_MODULE, i, 0))
				return false;
			code_token(py, i)->mate = (uint16_t)last;
			last += 2;
		} else if (!filter_python_bind(py, i, BINDING_MODULE, i, 0)) {
			return false;
		} else {
			code_token(py, i)->mate = (uint16_t)i;
		}
		if (last + 1 != to && !zs_code_is(py, last + 1, ","))
			return zs_code_unknown(py, last + 1, last + 1);
		i = last + 1;
	}
	return true;
}

/* from a.b import c as d, e; also in parentheses */
static bool bind_from(struct code_text *py, size_t from, size_t to)
{
	size_t last, i;

	if (!read_path(py, from + 1, &last))
		return false;
	code_token(py, from + 1)->mate = (uint16_t)last;
	if (!zs_code_is(py, last + 1, "import"))
		return zs_code_unknown(py, last + 1, last + 1);
	i = last + 2;
	if (zs_code_is(py, i, "(")) {
		to = code_token(py, i)->mate;
		i++;
	}
	for (; i < to; i++) {
		size_t member = i;

		if (code_kind(py, i) != CODE_NAME || is_dunder(py, i)) {
			if (code_kind(py, i) != CODE_NAME || !zs_code_in(py, i, "__version__ __file__ __author__"))
				return zs_code_unknown(py, i, i);
			if (!zs_code_is(py, i + 1, "as")) {
				/* the one name with underscores that may be the program's own: it needs no binding */
				if (i + 1 < to && !zs_code_is(py, i + 1, ","))
					return zs_code_unknown(py, i + 1, i + 1);
				i++;
				continue;
			}
		}
		if (zs_code_is(py, i + 1, "as"))
			i += 2;
		if (!filter_python_bind(py, i, BINDING_MODULE, from + 1, member))
			return false;
		if (i + 1 < to && !zs_code_is(py, i + 1, ","))
			return zs_code_unknown(py, i + 1, i + 1);
		i++;
	}
	return true;
}

/* Is this text the name of a module that may be imported? */
static bool names_module(const struct code_text *py, size_t token)
{
	size_t len;
	const char *text = zs_code_literal(py, token, &len);

	if (!text || !len || len >= CODE_PATH || !is_letter((unsigned char)text[0]))
		return false;
	for (size_t i = 0; i < len; i++)
		if (!is_word((unsigned char)text[i]) && text[i] != '.')
			return false;
	return !zs_python_import_acts(text, len);
}

/* Does what begins here import a module by a text? Where its parenthesis opens. */
static bool is_import_call(struct code_text *py, size_t from, size_t *ret_open)
{
	size_t name = zs_code_is(py, from, "importlib") && zs_code_is(py, from + 1, ".") ? from + 2 : from;

	*ret_open = name + 1;
	return zs_code_in(py, name, "__import__ import_module") && zs_code_is(py, name + 1, "(");
}

static bool bind_for(struct code_text *py, size_t at)
{
	size_t to = zs_code_find(py, at + 1, py->count, "in");

	if (to == py->count)
		return zs_code_unknown(py, at, at);
	return bind_targets(py, at + 1, to);
}

static bool bind_assignment(struct code_text *py, size_t from, size_t end)
{
	size_t to = zs_code_find(py, from, end, "lambda"), last = to,
	       open; /* `=` gives parameters their defaults there */

	for (size_t i = zs_code_find(py, from, to, assignments); i < to; i = zs_code_find(py, i + 1, to, assignments))
		last = i;
	if (last == to)
		return true;
	to = end;
	if (last == from + 1 && is_import_call(py, last + 1, &open) && code_token(py, open)->mate + (size_t)1 == to)
		return filter_python_bind(py, from, BINDING_MODULE, 0, 0);
	return bind_targets(py, from, last);
}

/* Where the statement ends that begins at `from`: at a newline, a semicolon, or the colon of its head. */
static size_t end_of_statement(struct code_text *py, size_t from)
{
	size_t lambdas = 0;

	for (size_t i = from; i < py->count; i++) {
		if (code_kind(py, i) == CODE_NEWLINE || zs_code_is(py, i, ";"))
			return i;
		if (zs_code_is(py, i, "lambda"))
			lambdas++;
		if (zs_code_is(py, i, ":") && code_kind(py, i) == CODE_SIGN && lambdas-- == 0) {
			code_token(py, i)->mark |= MARK_ENDS;
			return i;
		}
		if (code_kind(py, i) == CODE_OPEN || code_kind(py, i) == CODE_TEMPLATE)
			i = code_token(py, i)->mate;
	}
	return py->count;
}

static bool bind_definition(struct code_text *py, size_t from)
{
	if (!zs_code_is(py, from + 2, "(") || !filter_python_bind(py, from + 1, BINDING_VALUE, 0, 0))
		return zs_code_unknown(py, from, from + 1);
	return bind_parameters(py, from + 3, code_token(py, from + 2)->mate);
}

static void skip_tokens(struct code_text *py, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		code_token(py, i)->known = true;
}

static bool bind_statement(struct code_text *py, size_t from, size_t to)
{
	if (zs_code_is(py, from, "import") || zs_code_is(py, from, "from")) {
		skip_tokens(py, from, to);
		return zs_code_is(py, from, "import") ? bind_import(py, from, to) : bind_from(py, from, to);
	}
	if (zs_code_is(py, from, "def"))
		return bind_definition(py, from);
	return bind_assignment(py, from, to);
}

/* The constructs that give names within expressions. */
static bool bind_within(struct code_text *py, size_t i)
{
	if (code_kind(py, i) != CODE_NAME && code_kind(py, i) != CODE_SIGN)
		return true;
	if (zs_code_is(py, i, "for"))
		return bind_for(py, i);
	if (zs_code_is(py, i, "lambda"))
		return bind_parameters(py, i + 1, zs_code_find(py, i + 1, end_of_brackets(py, i), ":"));
	if (zs_code_is(py, i, ":="))
		return filter_python_bind(py, i - 1, BINDING_VALUE, 0, 0);
	if (zs_code_is(py, i, "as") && !code_token(py, i)->known) {
		if (zs_code_in(py, i + 2, ". [ ("))
			return zs_code_unknown(py, i + 1, i + 2);
		return filter_python_bind(py, i + 1, BINDING_VALUE, 0, 0);
	}
	return true;
}

static bool filter_python_bind_all(struct code_text *py)
{
	for (size_t i = 1; i < py->count; i++) {
		size_t to = end_of_statement(py, i);

		if (to > i && !bind_statement(py, i, to))
			return false;
		i = to;
	}
	for (size_t i = 1; i < py->count; i++)
		if (!bind_within(py, i))
			return false;
	return true;
}

/* Uses */

/* Can nothing be done with it but looking at it? */
static bool is_shown(struct code_text *py, struct code_place place)
{
	size_t before = place.first - 1, after = place.last + 1;
	bool ends = zs_code_in(py, after, ", )");

	if (zs_code_is(py, after, "is") || code_kind(py, after) == CODE_FIELD_END)
		return zs_code_is(py, after, "is") || code_kind(py, before) == CODE_FIELD;
	if (ends && place.open && (code_token(py, place.open)->mark & MARK_FIRST))
		return zs_code_is(py, before, "(");
	/* print (x).y of python 2 does not call print */
	if (ends && place.open && (code_token(py, place.open)->mark & MARK_SHOWS))
		return zs_code_in(py, before, "( , *") &&
		       !(zs_code_is(py, place.open - (size_t)1, "print") &&
			       zs_code_in(py, code_token(py, place.open)->mate + (size_t)1, ". [ ("));
	/* a statement that only names it, or asserts it */
	if (code_kind(py, before) == CODE_END || code_kind(py, before) == CODE_NEWLINE || zs_code_is(py, before, ";") ||
		zs_code_is(py, before, "assert") || (code_token(py, before)->mark & MARK_ENDS))
		return code_kind(py, after) == CODE_END || code_kind(py, after) == CODE_NEWLINE ||
		       zs_code_is(py, after, ";");
	return false;
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
	size_t argument = 0, end = code_token(py, open)->mate;

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

/* Of getattr(x, "name", …): is the name literal, and of those that tell about x? */
static bool gets_about(struct code_text *py, size_t open)
{
	size_t comma = zs_code_find(py, open + 1, code_token(py, open)->mate, ","), len;
	const char *text;

	if (!zs_code_is(py, open, "(") || !zs_code_is(py, comma, ",") || !zs_code_in(py, comma + 2, ", )"))
		return false;
	text = zs_code_literal(py, comma + 1, &len);
	return text && zs_code_listed(text, len, zs_python_about);
}

/* type(x) is shown, or its name is. */
static bool is_type_shown(struct code_text *py, struct code_place place)
{
	size_t open = place.last + 1;

	if (!zs_code_is(py, open, "("))
		return false;
	place.last = code_token(py, open)->mate;
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
	else if (use == USE_GETATTR)
		known = gets_about(py, open);
	if (!known)
		return zs_code_unknown(py, place.first, called ? code_token(py, open)->mate : place.last);
	if (called)
		code_token(py, open)->mark |= use == USE_GETATTR ? MARK_FIRST : MARK_SHOWS;
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
	size_t last = code_token(py, binding->value)->mate, start = code_token(py, binding->value)->start;

	*ret_last = place.last;
	if (binding->kind != BINDING_MODULE)
		return true;
	if (binding->value)
		memcpy(path, py->text + start, code_token(py, last)->start + code_token(py, last)->len - start);
	return zs_code_follow(py, &names, path, binding->member, place, ret_last);
}

/* __import__("json") */
static bool check_import_call(struct code_text *py, struct code_place place, size_t open, size_t *ret_last)
{
	char path[CODE_PATH] = "";
	size_t first = place.first;

	place.last = *ret_last = code_token(py, open)->mate;
	if (place.last != open + 2 || !names_module(py, open + 1))
		return zs_code_unknown(py, first, open);
	for (size_t i = 0; i < py->bound; i++) /* m = __import__("json") */
		if (py->bindings[i].kind == BINDING_MODULE && !py->bindings[i].value && first > 2 &&
			py->bindings[i].name == first - 2)
			return true;
	return zs_code_follow(py, &names, path, 0, place, ret_last);
}

/* A variable of this name is a builtin in python 2, until it gets its value: it is not called nor passed on. */
static bool is_wary(const struct code_text *py, size_t at)
{
	return zs_code_in(py, at, "file input");
}

static bool filter_python_check_name(struct code_text *py, struct code_place place, size_t *ret_last)
{
	size_t at = place.first, open;
	enum code_use use = builtin(py, at);
	bool bound = zs_code_is_bound(py, at);

	if (is_keyword(py, at))
		return true;
	if (zs_code_is(py, at + 1, "=") && place.open && zs_code_is(py, place.open, "(") &&
		zs_code_in(py, at - 1, "( ,"))
		return !is_dunder(py, at) || zs_code_unknown(py, at, at);
	if (is_import_call(py, at, &open))
		return check_import_call(py, place, open, ret_last);
	if (zs_code_in(py, at, "__version__ __file__ __author__"))
		use = USE_PLAIN; /* of the module that the program was told to import it from, or nothing */
	if (!zs_code_check_bindings(py, place, check_binding, ret_last))
		return false;
	if (use)
		*ret_last = at;
	if (bound && is_wary(py, at) && !zs_code_in(py, at + 1, ". [ == != in") && !is_shown(py, place))
		return zs_code_unknown(py, at, at);
	if (use)
		return check_use(py, use, place);
	return bound || zs_code_unknown(py, at, at);
}

/* "{} {0} {name:>5}".format(…): a field that only names its argument. */
static bool is_plain_format(const struct code_text *py, size_t token)
{
	const char *text = py->text + py->tokens[token].start, *end = text + py->tokens[token].len;

	while (text < end) {
		if (*text++ != '{')
			continue;
		if (text < end && *text == '{') {
			text++;
			continue;
		}
		while (text < end && is_word((unsigned char)*text))
			text++;
		if (text < end && *text == ':')
			while (text < end && *text != '}' && *text != '{')
				text++;
		if (text >= end || *text++ != '}')
			return false;
	}
	return true;
}

/* Two arguments without names: pathlib's replace() takes one. */
static bool has_two_arguments(struct code_text *py, size_t open)
{
	size_t end = code_token(py, open)->mate, comma = zs_code_find(py, open + 1, end, ",");

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
	if (zs_code_is(py, at, "format")) {
		for (size_t i = at - 2; code_kind(py, i) == CODE_STRING; i--)
			if (!is_plain_format(py, i))
				return zs_code_unknown(py, i, at);
		return code_kind(py, at - 2) == CODE_STRING || zs_code_unknown(py, at - 1, at);
	}
	if (zs_code_is(py, at, "open"))
		return opens_to_read(py, at + 1, 0) || zs_code_unknown(py, at - 1, at);
	if (zs_code_is(py, at, "replace") && !has_two_arguments(py, at + 1))
		return zs_code_unknown(py, at - 1, at);
	if (zs_code_is(py, at, "copy") && !(zs_code_is(py, at + 1, "(") && zs_code_is(py, at + 2, ")")))
		return zs_code_unknown(py, at - 1, at);
	return zs_code_in(py, at, zs_python_attributes) || zs_code_unknown(py, at - 1, at);
}

static bool filter_python_check_token(struct code_text *py, struct code_place place, size_t *ret_last)
{
	size_t at = place.first;

	if (zs_code_is(py, at, ".") && code_kind(py, at + 1) != CODE_NAME)
		return zs_code_unknown(py, at, at + 1);
	if (code_kind(py, at) != CODE_NAME)
		return true;
	return zs_code_is(py, at - 1, ".") ? check_attribute(py, at) : filter_python_check_name(py, place, ret_last);
}

struct zs_filter zs_filter_python(const char *program, size_t len)
{
	return zs_code_judge(program, len, &syntax, filter_python_bind_all, filter_python_check_token);
}
