/* Python code that only looks: it prints, computes, parses, reads files and asks modules for their version.
 *
 * No grammar is read. Every name must be known: of python itself (python_tables.c), of a module that the program
 * imports, or the program's own. What holds together is one rule about values: those that a program can put into a
 * variable, pass on or take apart are *plain*, which means that calling them with anything, or any attribute of the
 * table on them, changes nothing. What is not plain never becomes a value:
 *
 *  - modules, and attributes of them that no row has, are shown at most: print(x), repr(x), {x} in an f-string;
 *  - open() is called where it stands, with a mode that reads;
 *  - type() gives classes that could be called (type(file.raw)(path, "w") opens for writing), so it is compared or
 * shown;
 *  - functions of the workspace's own modules are called where they stand, by names that are not those of functions
 *    of python that act;
 *  - names with two underscores lead from any value to everything else; a handful about modules pass.
 *
 * A name of the program that hides a builtin keeps both meanings, and each use must be harmless in both: which of them
 * python means depends on scopes and on time, and is not followed here.
 */
#include "code/filter.h"

#include "code/code_tokens.h"
#include "code/python_tables.h"

#include <string.h>

enum {
	BINDING_LIMIT = 96,
	PATH_LIMIT = 80,
};

enum binding_kind {
	BINDING_VALUE,  /* a plain value */
	BINDING_MODULE, /* `path`, or an attribute that no row has */
	BINDING_NAME,   /* text that names a module that may be imported */
};

/* What a name of the program may stand for; one name may have several. */
struct binding {
	uint16_t name;   /* a token */
	uint16_t value;  /* of BINDING_MODULE: the token of its dotted path; or 0 */
	uint16_t member; /* from … import member; or 0 */
	enum binding_kind kind;
};

enum mark {
	MARK_NONE,
	MARK_SHOWS = 1 << 0, /* of `(`: the call shows what it gets */
	MARK_FIRST = 1 << 4, /* of `(`: its first argument is shown; another one may come back */
	MARK_ENDS = 1 << 1,  /* of `:`: the head of a statement ends */
	MARK_SKIP = 1 << 2,  /* not a use of a name: a keyword argument, an import, a parameter */
	MARK_KNOWN = 1 << 3, /* of an attribute: it belongs to the module in front of it */
};

struct python {
	struct code_text code;
	struct binding bindings[BINDING_LIMIT];
	size_t count;
	bool paths;         /* there may be values of pathlib */
	size_t first, last; /* what is not known */
};

static const struct code_syntax syntax = {
	.signs = "... **= //= >>= <<= -> := == != <= >= += -= *= /= %= &= |= ^= << >> ** // + - * / % = < > & | ^ ~ , "
		 ": ; .",
	.first = "",
	.last = "",
	.quotes = "'\"",
	.templates = "",
	.field = "{",
	.refused = "",
	.hash_comments = true,
	.newlines = true,
	.python = true,
};

static const char assignments[] = "= += -= *= /= //= %= **= &= |= ^= <<= >>=";

static const char *text_of(const struct python *py, size_t token, size_t *ret_len)
{
	*ret_len = py->code.tokens[token].len;
	return py->code.text + py->code.tokens[token].start;
}

static bool is(const struct python *py, size_t token, const char *text)
{
	return zs_code_is(&py->code, token, text);
}

static enum code_kind kind(const struct python *py, size_t token)
{
	return code_kind(&py->code, token);
}

static struct code_token *token_at(struct python *py, size_t token)
{
	return &py->code.tokens[token];
}

static bool unknown(struct python *py, size_t first, size_t last)
{
	py->first = first;
	py->last = last;
	return false;
}

static bool is_dunder(const struct python *py, size_t token)
{
	size_t len;
	const char *text = text_of(py, token, &len);

	return len >= 2 && text[0] == '_' && text[1] == '_';
}

static bool is_keyword(const struct python *py, size_t token)
{
	size_t len;
	const char *text = text_of(py, token, &len);

	return kind(py, token) == CODE_NAME && zs_python_is_keyword(text, len);
}

static enum python_use builtin(const struct python *py, size_t token)
{
	size_t len;
	const char *text = text_of(py, token, &len);

	return zs_python_builtin(text, len);
}

/* Names that the program gives to something */

static bool bind(struct python *py, size_t name, enum binding_kind binding, size_t value, size_t member)
{
	size_t len;
	const char *text = text_of(py, name, &len);
	enum python_use use = builtin(py, name);

	if (kind(py, name) != CODE_NAME || is_keyword(py, name) || is_dunder(py, name) ||
		zs_python_is_denied(text, len) || (use != PYTHON_UNKNOWN && use != PYTHON_PLAIN))
		return unknown(py, name, name);
	token_at(py, name)->mark |= MARK_SKIP;
	for (size_t i = 0; i < py->count; i++)
		if (py->bindings[i].kind == binding && binding == BINDING_VALUE &&
			zs_code_same(&py->code, py->bindings[i].name, name))
			return true;
	if (py->count == BINDING_LIMIT)
		return unknown(py, name, name);
	if (binding == BINDING_MODULE && value) { /* its functions may give paths */
		text = text_of(py, value, &len);
		py->paths |= zs_python_is_own_module(text, len);
	}
	py->bindings[py->count++] = (struct binding){ (uint16_t)name, (uint16_t)value, (uint16_t)member, binding };
	return true;
}

/* What `=`, `for` and `with … as` give a value to: names, parts of collections, and lists of them. */
static bool bind_targets(struct python *py, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		if (kind(py, i) == CODE_NAME && !is_keyword(py, i)) {
			if (kind(py, i + 1) != CODE_OPEN || !is(py, i + 1, "[")) {
				if (!bind(py, i, BINDING_VALUE, 0, 0))
					return false;
				continue;
			}
			while (i + 1 < to && kind(py, i + 1) == CODE_OPEN) /* d[x][y] = … */
				i = token_at(py, i + 1)->mate;
		} else if (!zs_code_in(&py->code, i, ", ( ) [ ] * =")) {
			return unknown(py, i, i);
		}
	}
	return true;
}

/* Behind the last token that is in the same brackets. */
static size_t end_of_brackets(struct python *py, size_t from)
{
	size_t i = from;

	while (i < py->code.count && kind(py, i) != CODE_CLOSE && kind(py, i) != CODE_FIELD_END &&
		kind(py, i) != CODE_TEMPLATE_END)
		i = kind(py, i) == CODE_OPEN || kind(py, i) == CODE_TEMPLATE || kind(py, i) == CODE_FIELD
			    ? (size_t)token_at(py, i)->mate + 1
			    : i + 1;
	return i;
}

static bool bind_parameters(struct python *py, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		if (kind(py, i) == CODE_NAME && !is_keyword(py, i) &&
			(i == from || zs_code_in(&py->code, i - 1, ", * **")) && !bind(py, i, BINDING_VALUE, 0, 0))
			return false;
		if (kind(py, i) == CODE_OPEN || kind(py, i) == CODE_TEMPLATE)
			i = token_at(py, i)->mate;
	}
	return true;
}

/* a.b.c as one stretch of the program; its last token. */
static bool read_path(struct python *py, size_t first, size_t *ret_last)
{
	size_t last = first, len;

	if (kind(py, first) != CODE_NAME || is_keyword(py, first))
		return unknown(py, first, first);
	while (is(py, last + 1, ".") && kind(py, last + 2) == CODE_NAME)
		last += 2;
	len = token_at(py, last)->start + token_at(py, last)->len - token_at(py, first)->start;
	for (size_t i = first + 1; i <= last; i++)
		if (token_at(py, i)->spaced)
			return unknown(py, first, last);
	if (len >= PATH_LIMIT || zs_python_import_acts(py->code.text + token_at(py, first)->start, len))
		return unknown(py, first, last);
	*ret_last = last;
	return true;
}

/* import a.b as c, d */
static bool bind_import(struct python *py, size_t from, size_t to)
{
	for (size_t i = from + 1; i < to; i++) {
		size_t last;

		if (!read_path(py, i, &last))
			return false;
		if (is(py, last + 1, "as")) {
			if (!bind(py, last + 2, BINDING_MODULE, i, 0))
				return false;
			token_at(py, i)->mate = (uint16_t)last;
			last += 2;
		} else if (!bind(py, i, BINDING_MODULE, i, 0)) {
			return false;
		} else {
			token_at(py, i)->mate = (uint16_t)i;
		}
		if (last + 1 != to && !is(py, last + 1, ","))
			return unknown(py, last + 1, last + 1);
		i = last + 1;
	}
	return true;
}

/* from a.b import c as d, e; also in parentheses */
static bool bind_from(struct python *py, size_t from, size_t to)
{
	size_t last, i;

	if (!read_path(py, from + 1, &last))
		return false;
	token_at(py, from + 1)->mate = (uint16_t)last;
	if (!is(py, last + 1, "import"))
		return unknown(py, last + 1, last + 1);
	i = last + 2;
	if (is(py, i, "(")) {
		to = token_at(py, i)->mate;
		i++;
	}
	for (; i < to; i++) {
		size_t member = i;

		if (kind(py, i) != CODE_NAME || is_dunder(py, i)) {
			if (kind(py, i) != CODE_NAME || !zs_code_in(&py->code, i, "__version__ __file__ __author__"))
				return unknown(py, i, i);
			if (!is(py, i + 1, "as")) {
				/* the one name with underscores that may be the program's own: it needs no binding */
				if (i + 1 < to && !is(py, i + 1, ","))
					return unknown(py, i + 1, i + 1);
				i++;
				continue;
			}
		}
		if (is(py, i + 1, "as"))
			i += 2;
		if (!bind(py, i, BINDING_MODULE, from + 1, member))
			return false;
		if (i + 1 < to && !is(py, i + 1, ","))
			return unknown(py, i + 1, i + 1);
		i++;
	}
	return true;
}

/* Is this text the name of a module that may be imported? */
static bool names_module(const struct python *py, size_t token)
{
	size_t len;
	const char *text = zs_code_literal(&py->code, token, &len);

	if (!text || !len || len >= PATH_LIMIT || !is_letter((unsigned char)text[0]))
		return false;
	for (size_t i = 0; i < len; i++)
		if (!is_word((unsigned char)text[i]) && text[i] != '.')
			return false;
	return !zs_python_import_acts(text, len);
}

/* `["json", "yaml"]` or ("json", "yaml"), of nothing but names of modules. */
static bool lists_modules(struct python *py, size_t open)
{
	if (kind(py, open) != CODE_OPEN || is(py, open, "{"))
		return false;
	for (size_t i = open + 1; i < token_at(py, open)->mate; i += 2)
		if (!names_module(py, i) || (i + 1 != token_at(py, open)->mate && !is(py, i + 1, ",")))
			return false;
	return true;
}

/* Does what begins here import a module? Its last token. */
static bool is_import_call(struct python *py, size_t from, size_t *ret_open)
{
	size_t open = is(py, from, "__import__")                           ? from + 1
		      : is(py, from, "importlib") && is(py, from + 1, ".") ? from + 3
		      : is(py, from, "import_module")                      ? from + 1
									   : 0;

	if (!open || !is(py, open, "(") || !zs_code_in(&py->code, open - 1, "__import__ import_module"))
		return false;
	*ret_open = open;
	return true;
}

static bool bind_for(struct python *py, size_t at)
{
	size_t to = zs_code_find(&py->code, at + 1, py->code.count, "in"), after;

	if (to == py->code.count)
		return unknown(py, at, at);
	/* for m in ["json", "yaml"]: __import__(m) */
	after = kind(py, to + 1) == CODE_OPEN ? token_at(py, to + 1)->mate + (size_t)1 : 0;
	if (to == at + 2 && after && lists_modules(py, to + 1) && zs_code_in(&py->code, after, ": ] )"))
		return bind(py, at + 1, BINDING_NAME, 0, 0);
	return bind_targets(py, at + 1, to);
}

static bool bind_assignment(struct python *py, size_t from, size_t end)
{
	size_t to = zs_code_find(&py->code, from, end, "lambda"), last = to,
	       open; /* `=` gives parameters their defaults there */

	for (size_t i = zs_code_find(&py->code, from, to, assignments); i < to;
		i = zs_code_find(&py->code, i + 1, to, assignments))
		last = i;
	if (last == to)
		return true;
	to = end;
	if (last == from + 1 && is_import_call(py, last + 1, &open) && token_at(py, open)->mate + (size_t)1 == to)
		return bind(py, from, BINDING_MODULE, 0, 0);
	return bind_targets(py, from, last);
}

/* Where the statement ends that begins at `from`: at a newline, a semicolon, or the colon of its head. */
static size_t end_of_statement(struct python *py, size_t from)
{
	size_t lambdas = 0;

	for (size_t i = from; i < py->code.count; i++) {
		if (kind(py, i) == CODE_NEWLINE || is(py, i, ";"))
			return i;
		if (is(py, i, "lambda"))
			lambdas++;
		if (is(py, i, ":") && kind(py, i) == CODE_SIGN && lambdas-- == 0) {
			token_at(py, i)->mark |= MARK_ENDS;
			return i;
		}
		if (kind(py, i) == CODE_OPEN || kind(py, i) == CODE_TEMPLATE)
			i = token_at(py, i)->mate;
	}
	return py->code.count;
}

static bool bind_definition(struct python *py, size_t from)
{
	if (!is(py, from + 2, "(") || !bind(py, from + 1, BINDING_VALUE, 0, 0))
		return unknown(py, from, from + 1);
	return bind_parameters(py, from + 3, token_at(py, from + 2)->mate);
}

static void skip_tokens(struct python *py, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		token_at(py, i)->mark |= MARK_SKIP;
}

static bool bind_statement(struct python *py, size_t from, size_t to)
{
	if (is(py, from, "import") || is(py, from, "from")) {
		skip_tokens(py, from, to);
		return is(py, from, "import") ? bind_import(py, from, to) : bind_from(py, from, to);
	}
	if (is(py, from, "def"))
		return bind_definition(py, from);
	return bind_assignment(py, from, to);
}

/* What gives names within expressions. */
static bool bind_within(struct python *py, size_t i)
{
	if (kind(py, i) != CODE_NAME && kind(py, i) != CODE_SIGN)
		return true;
	if (is(py, i, "for"))
		return bind_for(py, i);
	if (is(py, i, "lambda"))
		return bind_parameters(py, i + 1, zs_code_find(&py->code, i + 1, end_of_brackets(py, i), ":"));
	if (is(py, i, ":="))
		return bind(py, i - 1, BINDING_VALUE, 0, 0);
	if (is(py, i, "as") && !(token_at(py, i)->mark & MARK_SKIP)) {
		if (zs_code_in(&py->code, i + 2, ". [ ("))
			return unknown(py, i + 1, i + 2);
		return bind(py, i + 1, BINDING_VALUE, 0, 0);
	}
	return true;
}

static bool bind_all(struct python *py)
{
	for (size_t i = 1; i < py->code.count; i++) {
		size_t to = end_of_statement(py, i);

		if (to > i && !bind_statement(py, i, to))
			return false;
		i = to;
	}
	for (size_t i = 1; i < py->code.count; i++)
		if (!bind_within(py, i))
			return false;
	return true;
}

/* Uses */

/* Where a value stands: between `first` and `last`, in the bracket that `open` opens, or 0. */
struct place {
	size_t first, last, open;
};

/* Can nothing be done with it but looking at it? */
static bool is_shown(struct python *py, const struct place *place)
{
	size_t before = place->first - 1, after = place->last + 1;
	bool ends = zs_code_in(&py->code, after, ", )");

	if (is(py, after, "is") || kind(py, after) == CODE_FIELD_END)
		return is(py, after, "is") || kind(py, before) == CODE_FIELD;
	if (ends && place->open && (token_at(py, place->open)->mark & MARK_FIRST))
		return is(py, before, "(");
	/* print (x).y of python 2 does not call print */
	if (ends && place->open && (token_at(py, place->open)->mark & MARK_SHOWS))
		return zs_code_in(&py->code, before, "( , *") &&
		       !(is(py, place->open - (size_t)1, "print") &&
			       zs_code_in(&py->code, token_at(py, place->open)->mate + (size_t)1, ". [ ("));
	/* a statement that only names it, or asserts it */
	if (kind(py, before) == CODE_END || kind(py, before) == CODE_NEWLINE || is(py, before, ";") ||
		is(py, before, "assert") || (token_at(py, before)->mark & MARK_ENDS))
		return kind(py, after) == CODE_END || kind(py, after) == CODE_NEWLINE || is(py, after, ";");
	return false;
}

static bool is_read_mode(const struct python *py, size_t token)
{
	size_t len;
	const char *text = zs_code_literal(&py->code, token, &len);

	return text && zs_code_listed(text, len, "r rt tr rb br r:gz r:bz2 r:xz r:* r| r|* r|gz");
}

/* open(file, "r", encoding="utf-8"): `place` is that of the mode among the arguments, from 0. */
static bool opens_to_read(struct python *py, size_t open, size_t place)
{
	size_t argument = 0, end = token_at(py, open)->mate;

	if (!is(py, open, "("))
		return false;
	for (size_t i = open + 1; i < end; argument++) {
		size_t to = zs_code_find(&py->code, i, end, ",");
		bool named = kind(py, i) == CODE_NAME && is(py, i + 1, "=");

		if (named && is(py, i, "mode")) {
			if (to != i + 3 || !is_read_mode(py, i + 2))
				return unknown(py, i, to - 1);
		} else if (named ? !zs_code_in(&py->code, i, "encoding errors newline file name")
				 : argument > place || (argument == place && (to != i + 1 || !is_read_mode(py, i)))) {
			return unknown(py, open - 1, end);
		}
		if (zs_code_in(&py->code, i, "* **"))
			return unknown(py, i, to - 1);
		i = to + 1;
	}
	return true;
}

/* Of getattr(x, "name", …): is the name literal, and of those that tell about x? */
static bool gets_about(struct python *py, size_t open)
{
	size_t comma = zs_code_find(&py->code, open + 1, token_at(py, open)->mate, ","), len;
	const char *text;

	if (!is(py, open, "(") || !is(py, comma, ",") || !zs_code_in(&py->code, comma + 2, ", )"))
		return false;
	text = zs_code_literal(&py->code, comma + 1, &len);
	return text && zs_python_is_about(text, len);
}

/* type(x) is compared or shown, or its name is. */
static bool is_type_shown(struct python *py, size_t first, size_t open, size_t enclosing)
{
	size_t close = token_at(py, open)->mate;
	struct place place = { first, close, enclosing };

	if (!is(py, open, "(") || zs_code_find(&py->code, open + 1, close, ",") != close)
		return false;
	if (is(py, close + 1, "."))
		return zs_code_in(&py->code, close + 2, "__name__ __qualname__ __module__");
	return zs_code_in(&py->code, close + 1, "== != is") || zs_code_in(&py->code, first - 1, "== != is") ||
	       is_shown(py, &place);
}

/* A use that is not plain by itself; the name ends at `last`. */
static bool check_use(struct python *py, enum python_use use, size_t first, size_t last, size_t enclosing)
{
	struct place place = { first, last, enclosing };
	size_t open = last + 1;

	switch (use) {
	case PYTHON_PLAIN:
		return true;
	case PYTHON_SHOWS:
		if (is(py, open, "("))
			token_at(py, open)->mark |= MARK_SHOWS;
		return true;
	case PYTHON_OPENS:
		if (!is(py, open, "("))
			return unknown(py, first, last);
		token_at(py, open)->mark |= MARK_SHOWS;
		return opens_to_read(py, open, 1);
	case PYTHON_TYPE:
		if (!is_type_shown(py, first, open, enclosing))
			return unknown(py, first, last);
		token_at(py, open)->mark |= MARK_SHOWS;
		return true;
	case PYTHON_GETATTR:
		if (!gets_about(py, open))
			return unknown(py, first, last);
		token_at(py, open)->mark |= MARK_FIRST;
		return true;
	case PYTHON_STREAM:
		if (is(py, first - 1, "in") && (zs_code_in(&py->code, open, ": ) ] ;") ||
						       kind(py, open) == CODE_NEWLINE || kind(py, open) == CODE_END))
			return true;
		return unknown(py, first, last);
	case PYTHON_IMPORTS:
	case PYTHON_UNKNOWN:
		break;
	}
	return is_shown(py, &place) || unknown(py, first, last);
}

/* The attributes behind a module whose name ends at `last`. `path` is its dotted path, "" when it is not known, and has
 * room for PATH_LIMIT bytes. */
static bool check_module(struct python *py, char *path, struct place place, size_t *ret_last)
{
	size_t len = strlen(path);

	while (is(py, place.last + 1, ".") && kind(py, place.last + 2) == CODE_NAME) {
		size_t name_len;
		const char *name = text_of(py, place.last + 2, &name_len);
		enum python_use use = zs_python_of_module(path, len, name, name_len);

		place.last += 2;
		*ret_last = place.last;
		if (use == PYTHON_UNKNOWN && zs_python_is_about(name, name_len))
			return true;
		if (is_dunder(py, place.last))
			return unknown(py, place.first, place.last);
		if (len && len + 1 + name_len < PATH_LIMIT) {
			path[len++] = '.';
			memcpy(path + len, name, name_len);
			len += name_len;
		} else {
			len = 0;
		}
		path[len] = '\0';
		/* sys.stdout is a value, and sys.stdout.write has a row of its own */
		if (use != PYTHON_UNKNOWN && !(is(py, place.last + 1, ".") && zs_python_has_module(path, len)))
			return check_use(py, use, place.first, place.last, place.open);
	}
	*ret_last = place.last;
	/* Calling a function of the workspace is running the workspace's code, as a script is. It gives a plain value.
	 */
	if (is(py, place.last + 1, "(") && zs_python_is_own_function(path, len))
		return true;
	return is_shown(py, &place) || unknown(py, place.first, place.last);
}

static bool check_binding(struct python *py, const struct binding *binding, size_t at, size_t open, size_t *ret_last)
{
	struct place place = { at, at, open };
	char path[PATH_LIMIT] = "";
	size_t start, len, name_len;
	const char *name;
	enum python_use use;

	*ret_last = at;
	if (binding->kind != BINDING_MODULE)
		return true;
	if (!binding->value)
		return check_module(py, path, place, ret_last);
	start = token_at(py, binding->value)->start;
	len = token_at(py, token_at(py, binding->value)->mate)->start +
	      token_at(py, token_at(py, binding->value)->mate)->len - start;
	memcpy(path, py->code.text + start, len);
	if (!binding->member)
		return check_module(py, path, place, ret_last);
	name = text_of(py, binding->member, &name_len);
	if (zs_python_is_about(name, name_len))
		return true;
	use = zs_python_of_module(path, len, name, name_len);
	if (len + 1 + name_len < PATH_LIMIT) {
		path[len] = '.';
		memcpy(path + len + 1, name, name_len);
		path[len + 1 + name_len] = '\0';
	} else {
		path[0] = '\0';
	}
	if (use == PYTHON_UNKNOWN || (is(py, at + 1, ".") && zs_python_has_module(path, strlen(path))))
		return check_module(py, path, place, ret_last);
	return check_use(py, use, at, at, open);
}

/* __import__("json"), or of a name that a loop over such texts gave. */
static bool check_import_call(struct python *py, size_t first, size_t open, size_t enclosing, size_t *ret_last)
{
	size_t argument = open + 1, close = token_at(py, open)->mate;
	struct place place = { first, close, enclosing };
	char path[PATH_LIMIT] = "";
	bool known = names_module(py, argument), other = false;

	for (size_t i = 0; i < py->count; i++)
		if (zs_code_same(&py->code, py->bindings[i].name, argument)) {
			known |= py->bindings[i].kind == BINDING_NAME;
			other |= py->bindings[i].kind != BINDING_NAME;
		}
	if (close != argument + 1 || !known || other)
		return unknown(py, first, open);
	*ret_last = close;
	for (size_t i = 0; i < py->count; i++)
		if (py->bindings[i].kind == BINDING_MODULE && !py->bindings[i].value && first > 2 &&
			py->bindings[i].name == first - 2)
			return true;
	return check_module(py, path, place, ret_last);
}

/* A variable of this name is a builtin in python 2, until it gets its value: it is not called nor passed on. */
static bool is_wary(const struct python *py, size_t at)
{
	return zs_code_in(&py->code, at, "file input");
}

static bool check_name(struct python *py, size_t at, size_t enclosing, size_t *ret_last)
{
	enum python_use use = builtin(py, at);
	struct place place = { at, at, enclosing };
	bool bound = false;
	size_t open;

	*ret_last = at;
	if (is_keyword(py, at))
		return true;
	if (is(py, at + 1, "=") && enclosing && is(py, enclosing, "(") && zs_code_in(&py->code, at - 1, "( ,"))
		return !is_dunder(py, at) || unknown(py, at, at);
	if (is_import_call(py, at, &open))
		return check_import_call(py, at, open, enclosing, ret_last);
	if (zs_code_in(&py->code, at, "__version__ __file__ __author__"))
		use = PYTHON_PLAIN; /* of the module that the program was told to import it from, or nothing */
	for (size_t i = 0; i < py->count; i++) {
		size_t last;

		if (!zs_code_same(&py->code, py->bindings[i].name, at))
			continue;
		if (!check_binding(py, &py->bindings[i], at, enclosing, &last))
			return false;
		if (!bound || last < *ret_last) /* what only one of its meanings accounts for must pass in the other */
			*ret_last = last;
		bound = true;
	}
	if (use != PYTHON_UNKNOWN)
		*ret_last = at;
	if (bound && is_wary(py, at) && !zs_code_in(&py->code, at + 1, ". [ == != in") && !is_shown(py, &place))
		return unknown(py, at, at);
	if (!bound || use != PYTHON_UNKNOWN)
		return use == PYTHON_UNKNOWN ? unknown(py, at, at) : check_use(py, use, at, at, enclosing);
	return true;
}

/* "{} {0} {name:>5}".format(…): a field that only names its argument. */
static bool is_plain_format(const struct python *py, size_t token)
{
	const char *text = py->code.text + py->code.tokens[token].start;
	const char *end = text + py->code.tokens[token].len;

	while (text < end) {
		if (*text++ != '{')
			continue;
		if (text < end && *text == '{') {
			text++;
			continue;
		}
		while (text < end && is_word((unsigned char)*text))
			text++;
		if (text < end && *text == '!')
			text += 2;
		if (text < end && *text == ':')
			while (text < end && *text != '}' && *text != '{')
				text++;
		if (text >= end || *text++ != '}')
			return false;
	}
	return true;
}

/* Two arguments without names: pathlib's replace() takes one. */
static bool has_two_arguments(struct python *py, size_t open)
{
	size_t end = token_at(py, open)->mate, comma = zs_code_find(&py->code, open + 1, end, ",");

	if (!is(py, open, "(") || comma == end || comma + 1 == end)
		return false;
	for (size_t i = open + 1; i < end; i = zs_code_find(&py->code, i, end, ",") + 1)
		if (zs_code_in(&py->code, i, "* **") || (i <= comma + 1 && is(py, i + 1, "=")))
			return false;
	return true;
}

/* The attribute at `at` of what is no module. */
static bool check_attribute(struct python *py, size_t at)
{
	size_t len;
	const char *name = text_of(py, at, &len);

	if (zs_python_is_about(name, len))
		return true;
	if (is(py, at, "__class__") && is(py, at + 1, ".") && zs_code_in(&py->code, at + 2, "__name__ __qualname__"))
		return true;
	if (is(py, at, "format")) {
		for (size_t i = at - 2; kind(py, i) == CODE_STRING; i--)
			if (!is_plain_format(py, i))
				return unknown(py, i, at);
		return kind(py, at - 2) == CODE_STRING || unknown(py, at - 1, at);
	}
	if (is(py, at, "open"))
		return opens_to_read(py, at + 1, 0) || unknown(py, at - 1, at);
	if (py->paths && is(py, at, "replace") && !has_two_arguments(py, at + 1))
		return unknown(py, at - 1, at);
	if (py->paths && is(py, at, "copy") && !(is(py, at + 1, "(") && is(py, at + 2, ")")))
		return unknown(py, at - 1, at);
	return zs_python_is_attribute(name, len) || unknown(py, at - 1, at);
}

static bool check_token(struct python *py, size_t at, size_t enclosing)
{
	size_t last;

	if (kind(py, at) != CODE_NAME || (token_at(py, at)->mark & (MARK_SKIP | MARK_KNOWN)))
		return true;
	if (is(py, at - 1, "."))
		return check_attribute(py, at);
	if (!check_name(py, at, enclosing, &last))
		return false;
	for (size_t i = at + 1; i <= last; i++)
		token_at(py, i)->mark |= MARK_KNOWN;
	return true;
}

static bool check_all(struct python *py)
{
	uint16_t opened[CODE_DEPTH + 1] = { 0 };
	size_t depth = 0;

	for (size_t i = 1; i < py->code.count; i++) {
		switch (kind(py, i)) {
		case CODE_OPEN:
		case CODE_TEMPLATE:
		case CODE_FIELD:
			opened[++depth] = (uint16_t)i;
			break;
		case CODE_CLOSE:
		case CODE_TEMPLATE_END:
		case CODE_FIELD_END:
			depth--;
			break;
		case CODE_NAME:
			if (!check_token(py, i, opened[depth]))
				return false;
			break;
		case CODE_SIGN:
			if (is(py, i, ".") && kind(py, i + 1) != CODE_NAME)
				return unknown(py, i, i + 1);
			break;
		case CODE_END:
		case CODE_NUMBER:
		case CODE_STRING:
		case CODE_REGEX:
		case CODE_NEWLINE:
			break;
		}
	}
	return true;
}

struct zs_filter zs_filter_python(const char *program, size_t len)
{
	struct python py;

	py.count = py.first = py.last = 0;
	py.paths = false;
	if (!zs_code_read(&py.code, &syntax, program, len))
		return zs_code_unread(&py.code);
	for (size_t i = 1; i < py.code.count; i++)
		py.paths |= zs_code_is(&py.code, i, "pathlib");
	if (!bind_all(&py) || !check_all(&py))
		return zs_code_unknown(&py.code, py.first, py.last);
	return (struct zs_filter){ .effect = ZS_FILTER_PLAIN };
}
