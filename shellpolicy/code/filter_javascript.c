/* JavaScript that only looks. As filter_python.c does, it reads no grammar: every name must be known, and what a
 * program can put into a variable, pass on or take apart is *plain*: calling it, and reading its properties, changes
 * nothing. Data has properties of any name here, so it is the names that lead elsewhere which are refused (constructor,
 * prototype, all that begin with _), and methods are called by names of a table. What is not plain:
 *
 *  - modules other than JSON files: shown at most, console.log(require("x").version);
 *  - d[key] where the key is neither a literal nor a number, since it may be "constructor": shown, compared, computed
 *    with, iterated over, or put into a variable that is treated alike, but neither called nor passed on. From plain
 *    values it reaches the language's own functions only, which have no harmful method of the table's names.
 */
#include "code/filter.h"

#include "code/code_tokens.h"
#include "code/javascript_tables.h"

#include <string.h>

enum {
	BINDING_LIMIT = 96,
	PATH_LIMIT = 64,
};

enum binding_kind {
	BINDING_VALUE,
	BINDING_NUMBER,  /* a counter; only when the name has no other binding */
	BINDING_MODULE,  /* `value` is the text of require() */
	BINDING_DYNAMIC, /* what d[key] gave */
};

struct binding {
	uint16_t name, value, member; /* tokens; member: const { member } = require(value) */
	enum binding_kind kind;
};

enum mark {
	MARK_CALL = 1 << 0,   /* of `(`: behind something that is called */
	MARK_SHOWS = 1 << 1,  /* of `(`: the call only looks at what it gets */
	MARK_TAKES = 1 << 2,  /* the same, but for modules */
	MARK_KNOWN = 1 << 3,  /* of names behind a module or global: checked with it */
	MARK_TARGET = 1 << 4, /* of `[`: d[key] = … */
};

struct javascript {
	struct code_text code;
	struct binding bindings[BINDING_LIMIT];
	size_t count;
	size_t first, last; /* what is not known */
};

/* What stands between two tokens, in the bracket that `open` opens, or 0. */
struct place {
	size_t first, last, open;
	bool module; /* it may be one */
};

static const char assignments[] = "= += -= *= /= %= **= <<= >>= >>>= &= |= ^= &&= ||= ?\?= ++ --";
static const char computing[] = "+ - * / % ** < > <= >= == != === !== & | ^ << >> >>> in instanceof";

static bool is(const struct javascript *js, size_t token, const char *text)
{
	return zs_code_is(&js->code, token, text);
}

static bool in(const struct javascript *js, size_t token, const char *list)
{
	return zs_code_in(&js->code, token, list);
}

static enum code_kind kind(const struct javascript *js, size_t token)
{
	return code_kind(&js->code, token);
}

static struct code_token *token_at(struct javascript *js, size_t token)
{
	return &js->code.tokens[token];
}

static const char *text_of(const struct javascript *js, size_t token, size_t *ret_len)
{
	*ret_len = js->code.tokens[token].len;
	return js->code.text + js->code.tokens[token].start;
}

static bool unknown(struct javascript *js, size_t first, size_t last)
{
	js->first = first;
	js->last = last;
	return false;
}

static bool is_point(const struct code_text *code, size_t token)
{
	return zs_code_in(code, token, ". ?.");
}

static bool is_keyword_at(const struct code_text *code, size_t token)
{
	return code_kind(code, token) == CODE_NAME && !is_point(code, token - 1) &&
	       zs_javascript_is_keyword(code->text + code->tokens[token].start, code->tokens[token].len);
}

static bool is_keyword(const struct javascript *js, size_t token)
{
	return is_keyword_at(&js->code, token);
}

/* Can this token be the last of an operand? */
static bool ends_operand(const struct code_text *code, size_t token)
{
	switch (code_kind(code, token)) {
	case CODE_NAME:
		return !is_keyword_at(code, token) || zs_code_in(code, token, "null true false");
	case CODE_NUMBER:
	case CODE_STRING:
	case CODE_REGEX:
	case CODE_TEMPLATE_END:
		return true;
	case CODE_CLOSE:
		return !zs_code_is(code, token, "}");
	case CODE_END:
	case CODE_SIGN:
	case CODE_OPEN:
	case CODE_TEMPLATE:
	case CODE_FIELD:
	case CODE_FIELD_END:
	case CODE_NEWLINE:
		break;
	}
	return false;
}

/* Is a `/` behind the last token a division? */
static enum code_expect expect_behind(const struct code_text *code)
{
	size_t last = code->count - (size_t)1, mate;

	if (code_kind(code, last) == CODE_CLOSE) {
		mate = code->tokens[last].mate;
		if (zs_code_is(code, last, "}") || (zs_code_is(code, last, ")") && is_keyword_at(code, mate - 1)))
			return EXPECT_DOUBTFUL;
		return EXPECT_OPERATOR;
	}
	if (is_keyword_at(code, last) && !ends_operand(code, last))
		return zs_code_in(code, last, "return typeof case in instanceof void delete do else throw")
			       ? EXPECT_OPERAND
			       : EXPECT_DOUBTFUL;
	if (ends_operand(code, last))
		return EXPECT_OPERATOR;
	/* x++ / y, TypeScript's x! / y and f<T>/… */
	if (zs_code_in(code, last, "++ -- . ?. >") || (zs_code_is(code, last, "!") && ends_operand(code, last - 1)))
		return EXPECT_DOUBTFUL;
	return EXPECT_OPERAND;
}

static const struct code_syntax syntax = {
	.signs = ">>>= ... === !== **= <<= >>= >>> &&= ||= ?\?= => == != <= >= && || ?? ?. ++ -- += -= *= /= %= &= |= "
		 "^= << >> "
		 "** + - * / % = < > ! & | ^ ~ ? : , ; .",
	.first = "$",
	.last = "",
	.quotes = "'\"",
	.templates = "`",
	.field = "${",
	.refused = "<!-- -->",
	.slash_comments = true,
	.expect = expect_behind,
};

/* Names that the program gives to something */

static void path_of(struct javascript *js, size_t string, char *ret_path);

/* Is this the name of a global that is not the module of that name which require(value) gives? */
static bool hides_global(struct javascript *js, size_t name, size_t value, size_t member)
{
	size_t len;
	const char *text = text_of(js, name, &len);
	char path[PATH_LIMIT];

	if (!zs_javascript_is_denied(text, len) && !zs_javascript_has_members(text, len))
		return false;
	path_of(js, value, path);
	return member || strlen(path) != len || memcmp(path, text, len) != 0;
}

static bool bind(struct javascript *js, size_t name, enum binding_kind binding, size_t value, size_t member)
{
	size_t len;
	const char *text = text_of(js, name, &len);

	if (kind(js, name) != CODE_NAME || (is_keyword(js, name) && !is(js, name, "of")) ||
		(binding == BINDING_MODULE ? hides_global(js, name, value, member)
					   : zs_javascript_is_denied(text, len)) ||
		zs_javascript_global(text, len) != JAVASCRIPT_UNKNOWN || is(js, name, "require"))
		return unknown(js, name, name);
	for (size_t i = 0; i < js->count; i++)
		if (js->bindings[i].kind == binding && binding != BINDING_MODULE &&
			zs_code_same(&js->code, js->bindings[i].name, name) && binding != BINDING_DYNAMIC)
			return true;
	if (js->count == BINDING_LIMIT)
		return unknown(js, name, name);
	js->bindings[js->count++] = (struct binding){ (uint16_t)name, (uint16_t)value, (uint16_t)member, binding };
	return true;
}

/* Parameters and patterns. Names of defaults are taken for names of the program too: they are not denied ones then. */
static bool bind_names(struct javascript *js, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		if (kind(js, i) == CODE_NAME && !is_keyword(js, i) && !is_point(&js->code, i - 1) &&
			!is(js, i + 1, ":") && !in(js, i, "require") && !in(js, i + 1, "( .") &&
			!bind(js, i, BINDING_VALUE, 0, 0))
			return false;
	return true;
}

/* require("x") and nothing behind it: the token of the text, or 0. */
static size_t required(const struct javascript *js, size_t at)
{
	bool ends;

	if (!is(js, at, "require") || !is(js, at + 1, "(") || kind(js, at + 2) != CODE_STRING || !is(js, at + 3, ")"))
		return 0;
	ends = kind(js, at + 4) == CODE_END || in(js, at + 4, "; ,") ||
	       (js->code.tokens[at + 4].first && kind(js, at + 4) == CODE_NAME);
	return ends ? at + 2 : 0;
}

static bool is_json(const struct javascript *js, size_t string)
{
	size_t len;
	const char *text = zs_code_literal(&js->code, string, &len);

	return text && len > 5 && memcmp(text + len - 5, ".json", 5) == 0;
}

/* { a, b: c } = require("x") */
static bool bind_members(struct javascript *js, size_t open, size_t value)
{
	for (size_t member = open + 1, i; member < token_at(js, open)->mate; member = i + 2) {
		i = is(js, member + 1, ":") ? member + 2 : member;
		if (kind(js, member) != CODE_NAME || !bind(js, i, BINDING_MODULE, value, member))
			return unknown(js, member, i);
		token_at(js, member)->mark |= MARK_KNOWN;
		token_at(js, i)->mark |= MARK_KNOWN;
		if (!in(js, i + 1, ", }"))
			return unknown(js, i + 1, i + 1);
	}
	return true;
}

/* Is the value behind `=` a chain with a key that is not known, and all that is assigned? */
static bool is_lookup(struct javascript *js, size_t from)
{
	bool looked = false;
	size_t i = from;

	if (kind(js, i) != CODE_NAME || is_keyword(js, i))
		return false;
	for (i++;; i++) {
		if (is_point(&js->code, i) && kind(js, i + 1) == CODE_NAME) {
			i++;
		} else if (is(js, i, "[")) {
			looked |= kind(js, i + 1) == CODE_NAME || token_at(js, i)->mate != i + 2;
			i = token_at(js, i)->mate;
		} else {
			break;
		}
	}
	return looked &&
	       (kind(js, i) == CODE_END || in(js, i, "; ,") || (token_at(js, i)->first && kind(js, i) == CODE_NAME));
}

static bool bind_assigned(struct javascript *js, size_t name)
{
	size_t value = is(js, name + 1, "=") ? required(js, name + 2) : 0;

	if (value)
		return bind(js, name, is_json(js, value) ? BINDING_VALUE : BINDING_MODULE, value, 0);
	if (is(js, name + 1, "=") && is_lookup(js, name + 2))
		return bind(js, name, BINDING_DYNAMIC, 0, 0);
	if (in(js, name + 1, "++ --") ||
		(in(js, name + 1, "= += -=") && kind(js, name + 2) == CODE_NUMBER && in(js, name + 3, "; , )")))
		return bind(js, name, BINDING_NUMBER, 0, 0);
	return bind(js, name, BINDING_VALUE, 0, 0);
}

static bool bind_declared(struct javascript *js, size_t at)
{
	if (kind(js, at) == CODE_OPEN) {
		size_t close = token_at(js, at)->mate, value = is(js, close + 1, "=") ? required(js, close + 2) : 0;

		if (value && is(js, at, "{") && !is_json(js, value))
			return bind_members(js, at, value);
		return bind_names(js, at + 1, close);
	}
	return is(js, at + 1, "=") ? true : bind(js, at, BINDING_VALUE, 0, 0);
}

/* [a] = …, ({ b: a } = …), (a) = …, for (a of …): what is not declared there. */
static bool bind_pattern(struct javascript *js, size_t open)
{
	size_t after = token_at(js, open)->mate + (size_t)1, before = open - 1;
	bool part = ends_operand(&js->code, before) &&
		    !(is(js, before, ")") && is_keyword(js, token_at(js, before)->mate - (size_t)1));

	if (is(js, open, "(") && is(js, before, "for") && !in(js, open + 1, "const let var")) {
		if (kind(js, open + 1) == CODE_NAME && in(js, open + 2, "of in"))
			return bind(js, open + 1, BINDING_VALUE, 0, 0);
	}
	if ((!in(js, after, assignments) || in(js, after, "++ --")) && !in(js, after, "of in"))
		return true;
	if (is(js, open, "[") && part)
		return true; /* x[y] = … */
	return bind_names(js, open + 1, after - 1);
}

static bool bind_token(struct javascript *js, size_t i)
{
	if (kind(js, i) == CODE_OPEN)
		return bind_pattern(js, i);

	if (is_keyword(js, i)) {
		if (in(js, i, "const let var")) {
			if (!bind_declared(js, i + 1))
				return false;
			/* let a, b: the others look like uses, and are bound where they are assigned */
		}
		if (is(js, i, "function")) {
			size_t open = i + 1 + is(js, i + 1, "*");

			if (kind(js, open) == CODE_NAME && !bind(js, open++, BINDING_VALUE, 0, 0))
				return false;
			return is(js, open, "(") ? bind_names(js, open + 1, token_at(js, open)->mate)
						 : unknown(js, i, open);
		}
		if (is(js, i, "catch") && is(js, i + 1, "("))
			return bind_names(js, i + 2, token_at(js, i + 1)->mate);
		return true;
	}
	if (is(js, i, "=>")) {
		if (is(js, i - 1, ")"))
			return bind_names(js, token_at(js, i - 1)->mate + (size_t)1, i - 1);
		return bind(js, i - 1, BINDING_VALUE, 0, 0);
	}
	if (kind(js, i) == CODE_NAME && !is_point(&js->code, i - 1) &&
		(in(js, i + 1, assignments) || in(js, i - 1, "++ --")))
		return in(js, i - 1, "++ --") && !in(js, i + 1, assignments) && !in(js, i + 1, ". [ (")
			       ? bind(js, i, BINDING_NUMBER, 0, 0)
		       : in(js, i + 1, assignments) ? bind_assigned(js, i)
						    : true;
	return true;
}

static bool bind_all(struct javascript *js)
{
	for (size_t i = 1; i < js->code.count; i++)
		if (!bind_token(js, i))
			return false;
	return true;
}

/* Uses */

static bool ends_statement(const struct javascript *js, size_t after)
{
	return kind(js, after) == CODE_END || is(js, after, ";");
}

/* Behind `place` stands || or ?? and a literal: the place with it. */
static void take_default(struct javascript *js, struct place *place)
{
	size_t at = place->last + 1;

	if (!in(js, at, "|| ??"))
		return;
	at++;
	if (kind(js, at) == CODE_NUMBER || kind(js, at) == CODE_STRING)
		place->last = at;
	else if (in(js, at, "[ {") && token_at(js, at)->mate == at + 1)
		place->last = at + 1;
}

/* Does an operand that ends in front of this token go on with it? TypeScript, which deno and bun read, calls f<T>(x)
 * and x!(y) too. */
static bool goes_on(const struct javascript *js, size_t after)
{
	return in(js, after, ". ?. [ ( ! <") || kind(js, after) == CODE_TEMPLATE;
}

/* Can nothing be done with it but looking at it? */
static bool is_shown(struct javascript *js, struct place place)
{
	for (;;) {
		size_t before, after;

		take_default(js, &place);
		before = place.first - 1;
		after = place.last + 1;
		if (is(js, before, "(") && is(js, after, ")")) {
			if (in(js, before - 1, "if while switch") && is_keyword(js, before - 1))
				return true;
			if (!(token_at(js, before)->mark & MARK_CALL) && !is_keyword(js, before - 1)) {
				place.first--;
				place.last++;
				if (goes_on(js, place.last + 1) || is(js, place.last + 1, "=>"))
					return false;
				/* the bracket around is not the one that was given */
				place.open = 0;
				continue;
			}
		}
		if (kind(js, before) == CODE_FIELD && kind(js, after) == CODE_FIELD_END)
			return true;
		if (place.open && in(js, before, "( ,") && in(js, after, ", )") &&
			(token_at(js, place.open)->mark & (place.module ? MARK_SHOWS : MARK_SHOWS | MARK_TAKES)))
			return true;
		if (in(js, before, "typeof !") || in(js, after, computing) || in(js, after, "? &&"))
			return true;
		if (in(js, before, computing) && !is(js, after, "=>"))
			return true;
		if (!place.module && in(js, before, "of ..."))
			return !is(js, before, "of") || is(js, after, ")");
		return (kind(js, before) == CODE_END || in(js, before, "; { }")) && ends_statement(js, after);
	}
}

/* Follows .name, [key] and calls behind a value of which nothing is known. */
static bool check_dynamic(struct javascript *js, struct place place)
{
	for (;;) {
		size_t at = place.last + 1, len;
		const char *text;

		if (is(js, at, "?.") && is(js, at + 1, "["))
			at++;
		if (is_point(&js->code, at) && kind(js, at + 1) == CODE_NAME) {
			text = text_of(js, at + 1, &len);
			if (!zs_javascript_is_property(text, len))
				return unknown(js, at, at + 1);
			if (is(js, at + 2, "("))
				return (!place.module && zs_javascript_is_method(text, len)) ||
				       unknown(js, place.first, at + 1);
			place.last = at + 1;
		} else if (is(js, at, "[") && !place.module) {
			place.last = token_at(js, at)->mate;
		} else {
			break;
		}
	}
	if (goes_on(js, place.last + 1))
		return unknown(js, place.first, place.last);
	return is_shown(js, place) || unknown(js, place.first, place.last);
}

static bool has_binding(const struct javascript *js, size_t at, enum binding_kind binding)
{
	for (size_t i = 0; i < js->count; i++)
		if (js->bindings[i].kind == binding && zs_code_same(&js->code, js->bindings[i].name, at))
			return true;
	return false;
}

static bool is_bound(const struct javascript *js, size_t at)
{
	for (size_t i = 0; i < js->count; i++)
		if (zs_code_same(&js->code, js->bindings[i].name, at))
			return true;
	return false;
}

/* readFileSync(path, "utf8") or with { encoding: "utf8" } */
static bool reads_only(struct javascript *js, size_t open)
{
	size_t end = token_at(js, open)->mate, comma = zs_code_find(&js->code, open + 1, end, ",");

	for (size_t i = open + 1; i < end; i++)
		if (is(js, i, "...") && (i == open + 1 || i >= comma))
			return false;
	if (comma == end)
		return true;
	if (kind(js, comma + 1) == CODE_STRING)
		return comma + 2 == end;
	return is(js, comma + 1, "{") && is(js, comma + 2, "encoding") && is(js, comma + 3, ":") &&
	       kind(js, comma + 4) == CODE_STRING && is(js, comma + 5, "}") && comma + 6 == end;
}

/* JSON.stringify(x), or with null: a function in its place would get what x holds. */
static bool has_no_replacer(struct javascript *js, size_t open)
{
	size_t end = token_at(js, open)->mate, comma = zs_code_find(&js->code, open + 1, end, ",");

	return comma == end || is(js, comma + 1, "null");
}

static bool check_use(struct javascript *js, enum javascript_use use, struct place place)
{
	size_t open = place.last + 1;
	bool called = is(js, open, "(");

	if (in(js, open, assignments) || in(js, place.first - 1, "++ --"))
		return in(js, place.last, "exitCode") || unknown(js, place.first, open);
	switch (use) {
	case JAVASCRIPT_PLAIN:
		return true;
	case JAVASCRIPT_SHOWS:
	case JAVASCRIPT_TAKES:
		if (called && !is_bound(js, place.first) &&
			(!is(js, place.last, "stringify") || has_no_replacer(js, open)))
			token_at(js, open)->mark |= use == JAVASCRIPT_SHOWS ? MARK_SHOWS : MARK_TAKES;
		return called || kind(js, open) == CODE_END ||
		       (place.open && (token_at(js, place.open)->mark & MARK_CALL) && in(js, place.first - 1, "( ,") &&
			       in(js, open, ", )")) ||
		       unknown(js, place.first, place.last);
	case JAVASCRIPT_READS:
		return (called && reads_only(js, open)) || unknown(js, place.first, place.last);
	case JAVASCRIPT_NEW:
		return called || in(js, place.first - 1, "new instanceof") || unknown(js, place.first, place.last);
	case JAVASCRIPT_UNKNOWN:
		break;
	}
	return unknown(js, place.first, place.last);
}

/* What stands behind a module or global of this path, which is "" when nothing is known about it. */
static bool check_members(struct javascript *js, char *path, struct place place, size_t *ret_last)
{
	size_t len = strlen(path);

	while (is_point(&js->code, place.last + 1) && kind(js, place.last + 2) == CODE_NAME) {
		size_t name_len;
		const char *name = text_of(js, place.last + 2, &name_len);
		enum javascript_use use = zs_javascript_member(path, len, name, name_len);

		place.last += 2;
		*ret_last = place.last;
		if (!zs_javascript_is_property(name, name_len))
			return unknown(js, place.first, place.last);
		if (len && len + 1 + name_len < PATH_LIMIT) {
			path[len++] = '.';
			memcpy(path + len, name, name_len);
			len += name_len;
		} else {
			len = 0;
		}
		path[len] = '\0';
		if (use != JAVASCRIPT_UNKNOWN &&
			!(is_point(&js->code, place.last + 1) && zs_javascript_has_members(path, len)))
			return check_use(js, use, place);
	}
	*ret_last = place.last;
	place.module = true;
	return check_dynamic(js, place);
}

/* "node:fs/promises" is fs.promises. */
static void path_of(struct javascript *js, size_t string, char *ret_path)
{
	size_t len = 0;
	const char *text = zs_code_literal(&js->code, string, &len);

	ret_path[0] = '\0';
	if (text && len > 5 && memcmp(text, "node:", 5) == 0) {
		text += 5;
		len -= 5;
	}
	if (!text || len >= PATH_LIMIT || memchr(text, '.', len))
		return;
	memcpy(ret_path, text, len);
	ret_path[len] = '\0';
	if (strcmp(ret_path, "fs/promises") == 0 || strcmp(ret_path, "path/posix") == 0)
		ret_path[strcspn(ret_path, "/")] = '.';
}

/* Does what is in these brackets end in ".json"? require() reads such a file as data. */
static bool requires_json(struct javascript *js, size_t open)
{
	size_t last = token_at(js, open)->mate - (size_t)1, len;
	const char *text;

	if (kind(js, last) == CODE_STRING)
		return is_json(js, last) &&
		       (last == open + 1 ||
			       (is(js, last - 1, "+") && kind(js, last - 2) == CODE_NAME && last == open + 3));
	if (kind(js, last) != CODE_TEMPLATE_END || token_at(js, last)->mate != open + 1)
		return false;
	text = text_of(js, last, &len);
	return token_at(js, open + 1)->start + 5 < token_at(js, last)->start && memcmp(text - 5, ".json", 5) == 0;
}

static bool check_require(struct javascript *js, struct place place, size_t *ret_last)
{
	char path[PATH_LIMIT] = "require";
	size_t open = place.first + 1;

	if (!is(js, open, "("))
		return check_members(js, path, place, ret_last);
	if (requires_json(js, open))
		return true;
	if (kind(js, open + 1) != CODE_STRING || !is(js, open + 2, ")"))
		return unknown(js, place.first, open + 1);
	place.last = *ret_last = open + 2;
	for (size_t i = 0; i < js->count; i++)
		if (js->bindings[i].kind == BINDING_MODULE && js->bindings[i].value == open + 1)
			return true;
	path_of(js, open + 1, path);
	return check_members(js, path, place, ret_last);
}

static bool check_binding(struct javascript *js, const struct binding *binding, struct place place, size_t *ret_last)
{
	char path[PATH_LIMIT];
	size_t len, name_len;
	const char *name;
	enum javascript_use use;

	*ret_last = place.first;
	switch (binding->kind) {
	case BINDING_VALUE:
	case BINDING_NUMBER:
		return true;
	case BINDING_DYNAMIC:
		return is(js, place.first + 1, "=") || check_dynamic(js, place);
	case BINDING_MODULE:
		break;
	}
	if (is(js, place.first + 1, "=") && required(js, place.first + 2))
		return true;
	path_of(js, binding->value, path);
	if (!binding->member)
		return check_members(js, path, place, ret_last);
	name = text_of(js, binding->member, &name_len);
	len = strlen(path);
	use = zs_javascript_member(path, len, name, name_len);
	if (len && len + 1 + name_len < PATH_LIMIT) {
		path[len] = '.';
		memcpy(path + len + 1, name, name_len);
		path[len + 1 + name_len] = '\0';
	} else {
		path[0] = '\0';
	}
	if (use == JAVASCRIPT_UNKNOWN)
		return check_members(js, path, place, ret_last);
	return check_use(js, use, place);
}

/* What a global of this name is when the program has none of its own. */
static bool check_global(struct javascript *js, struct place place, size_t *ret_last)
{
	size_t len;
	const char *text = text_of(js, place.first, &len);
	enum javascript_use use = zs_javascript_global(text, len);
	char path[PATH_LIMIT];

	*ret_last = place.first;
	if (is(js, place.first, "require"))
		return check_require(js, place, ret_last);
	if (len < PATH_LIMIT && zs_javascript_has_members(text, len) &&
		(use == JAVASCRIPT_UNKNOWN || is_point(&js->code, place.last + 1))) {
		memcpy(path, text, len);
		path[len] = '\0';
		return check_members(js, path, place, ret_last);
	}
	if (use == JAVASCRIPT_UNKNOWN)
		return unknown(js, place.first, place.first);
	return check_use(js, use, place);
}

static bool check_name(struct javascript *js, struct place place, size_t *ret_last)
{
	size_t at = place.first, len;
	const char *text = text_of(js, at, &len);
	bool bound = false;

	*ret_last = at;
	if (is(js, at - 1, "new") && (is_bound(js, at) || !is(js, at, "Intl")) &&
		zs_javascript_global(text, len) != JAVASCRIPT_NEW)
		return unknown(js, at - 1, at);
	for (size_t i = 0; i < js->count; i++) {
		size_t last;

		if (!zs_code_same(&js->code, js->bindings[i].name, at))
			continue;
		if (!check_binding(js, &js->bindings[i], place, &last))
			return false;
		if (!bound || last < *ret_last)
			*ret_last = last;
		bound = true;
	}
	/* fs is a global of node -e, and the same module as require("fs") */
	if (bound &&
		(!zs_javascript_has_members(text, len) || is(js, at + 1, "=") || has_binding(js, at, BINDING_MODULE)))
		return true;
	if (bound) {
		size_t last;

		*ret_last = at;
		return check_global(js, place, &last);
	}
	return check_global(js, place, ret_last);
}

/* A name or text that is a property: in d.name, d["name"], { name: … }. */
static bool check_property(struct javascript *js, size_t at, const char *text, size_t len)
{
	size_t root = at - 1;

	if (!zs_javascript_is_property(text, len))
		return unknown(js, at - 1, at);
	if (in(js, at + 1, assignments)) {
		/* only of the program's own values: x.y.z = … */
		while (is_point(&js->code, root) && kind(js, root - 1) == CODE_NAME)
			root -= 2;
		if (is_point(&js->code, root + 1) || !has_binding(js, root + 1, BINDING_VALUE) ||
			has_binding(js, root + 1, BINDING_MODULE))
			return unknown(js, root + 1, at);
	}
	return true;
}

static bool check_attribute(struct javascript *js, size_t at)
{
	size_t len;
	const char *text = text_of(js, at, &len);

	if (!check_property(js, at, text, len))
		return false;
	if (is(js, at + 1, "(") || (is(js, at + 1, "?.") && is(js, at + 2, "(")))
		return zs_javascript_is_method(text, len) || unknown(js, at - 1, at);
	return true;
}

/* Is it a number, whatever its names hold? */
static bool is_number(struct javascript *js, size_t from, size_t to)
{
	size_t i = from;

	if (to > from + 2 && kind(js, to - 1) == CODE_NUMBER && is(js, to - 2, "-") && is(js, to - 3, "length")) {
		for (; i < to - 3; i++)
			if (i % 2 == from % 2 ? kind(js, i) != CODE_NAME : !is(js, i, "."))
				return false;
		return true;
	}
	for (; i < to; i++)
		if (kind(js, i) != CODE_NUMBER && !in(js, i, "+ - * / % ( )") &&
			!(kind(js, i) == CODE_NAME && has_binding(js, i, BINDING_NUMBER) &&
				!has_binding(js, i, BINDING_VALUE) && !has_binding(js, i, BINDING_MODULE) &&
				!has_binding(js, i, BINDING_DYNAMIC)))
			return false;
	return to > from;
}

/* Where the chain begins whose last token is `at`: f(x).y[z] */
static size_t chain_start(struct javascript *js, size_t at)
{
	for (;;) {
		if (kind(js, at) == CODE_CLOSE || kind(js, at) == CODE_TEMPLATE_END) {
			at = token_at(js, at)->mate;
			if (!ends_operand(&js->code, at - 1) && !is(js, at - 1, "?."))
				return at;
			at -= is(js, at - 1, "?.") ? 2 : 1;
		} else if (kind(js, at) == CODE_NAME && is_point(&js->code, at - 1)) {
			at -= 2;
		} else {
			return at;
		}
	}
}

static bool check_subscript(struct javascript *js, size_t open, size_t enclosing)
{
	size_t close = token_at(js, open)->mate, len, last = open - 1;
	const char *text = zs_code_literal(&js->code, open + 1, &len);
	struct place place = { 0, close, enclosing, false };

	if (is(js, last, "?."))
		last--;
	if (is(js, close + 1, "(") || kind(js, close + 1) == CODE_TEMPLATE || is(js, close + 1, "?."))
		if (!is(js, close + 1, "?.") || is(js, close + 2, "("))
			return unknown(js, open, close);
	if (text && close == open + 2) {
		if (!zs_javascript_is_property(text, len))
			return unknown(js, open, close);
	} else if (!is_number(js, open + 1, close)) {
		place.first = chain_start(js, last);
		/* d[key] = …: what is given to a property of the program's own value */
		if (in(js, close + 1, assignments) && !in(js, close + 1, "&&= ||= ?\?="))
			return (kind(js, last) == CODE_NAME && place.first == last &&
				       has_binding(js, last, BINDING_VALUE) &&
				       !has_binding(js, last, BINDING_MODULE)) ||
			       unknown(js, place.first, close);
		/* const v = d[key]: v is bound as such a value */
		if (is(js, place.first - 1, "=") && has_binding(js, place.first - 2, BINDING_DYNAMIC) &&
			is_lookup(js, place.first))
			return true;
		return check_dynamic(js, place);
	}
	if (in(js, close + 1, assignments)) {
		size_t root = chain_start(js, last);

		return (kind(js, root) == CODE_NAME && has_binding(js, root, BINDING_VALUE) &&
			       !has_binding(js, root, BINDING_MODULE)) ||
		       unknown(js, root, close);
	}
	return true;
}

static bool check_open(struct javascript *js, size_t at, size_t enclosing)
{
	bool behind = ends_operand(&js->code, at - 1) || is(js, at - 1, "?.");

	if (is(js, at, "(") && behind && !is(js, at - 1, "async"))
		token_at(js, at)->mark |= MARK_CALL;
	if (is(js, at, "("))
		return !is(js, at - 1, "?.") || unknown(js, at - 1, at);
	if (!is(js, at, "["))
		return true;
	if (behind)
		return check_subscript(js, at, enclosing);
	/* { [key]: value } */
	return !(in(js, at - 1, "{ ,") && is(js, token_at(js, at)->mate + (size_t)1, ":")) || unknown(js, at, at);
}

static bool check_sign(struct javascript *js, size_t at)
{
	if (is_point(&js->code, at) && kind(js, at + 1) != CODE_NAME && !(is(js, at, "?.") && in(js, at + 1, "[ (")))
		return unknown(js, at, at + 1);
	/* where an operand begins, JSX would */
	if (is(js, at, "<") && !ends_operand(&js->code, at - 1))
		return unknown(js, at, at + 1);
	return true;
}

static bool check_token(struct javascript *js, size_t at, size_t enclosing)
{
	size_t len, last;
	const char *text = text_of(js, at, &len);

	if (token_at(js, at)->mark & MARK_KNOWN)
		return true;
	if (is_point(&js->code, at - 1))
		return check_attribute(js, at);
	if (is(js, at + 1, ":") && in(js, at - 1, "{ ,"))
		return check_property(js, at, text, len);
	if (len > 1 && !zs_javascript_is_property(text, len) && !in(js, at, "__dirname __filename"))
		return unknown(js, at, at);
	if (is_keyword(js, at) && !(is(js, at, "of") && is_bound(js, at)))
		return !is(js, at, "new") || kind(js, at + 1) == CODE_NAME || unknown(js, at, at + 1);
	if (!check_name(js, (struct place){ at, at, enclosing, false }, &last))
		return false;
	for (size_t i = at + 1; i <= last; i++)
		token_at(js, i)->mark |= MARK_KNOWN;
	return true;
}

static bool check_all(struct javascript *js)
{
	uint16_t opened[CODE_DEPTH + 1] = { 0 };
	size_t depth = 0, len;
	const char *text;

	for (size_t i = 1; i < js->code.count; i++) {
		switch (kind(js, i)) {
		case CODE_OPEN:
			if (!check_open(js, i, opened[depth]))
				return false;
			opened[++depth] = (uint16_t)i;
			break;
		case CODE_TEMPLATE:
			if (ends_operand(&js->code, i - 1) || is(js, i - 1, "?."))
				return unknown(js, i - 1, i); /* a tag is called */
			opened[++depth] = (uint16_t)i;
			break;
		case CODE_FIELD:
			opened[++depth] = (uint16_t)i;
			break;
		case CODE_CLOSE:
		case CODE_TEMPLATE_END:
		case CODE_FIELD_END:
			depth--;
			break;
		case CODE_NAME:
			if (!check_token(js, i, opened[depth]))
				return false;
			break;
		case CODE_STRING:
			if (!is(js, i + 1, ":") || !in(js, i - 1, "{ ,"))
				break;
			text = zs_code_literal(&js->code, i, &len);
			if (!text || (!zs_javascript_is_property(text, len) && len))
				return unknown(js, i, i);
			break;
		case CODE_SIGN:
			if (!check_sign(js, i))
				return false;
			break;
		case CODE_END:
		case CODE_NUMBER:
		case CODE_REGEX:
		case CODE_NEWLINE:
			break;
		}
	}
	return true;
}

struct zs_filter zs_filter_javascript(const char *program, size_t len)
{
	struct javascript js;

	js.count = js.first = js.last = 0;
	if (!zs_code_read(&js.code, &syntax, program, len))
		return zs_code_unread(&js.code);
	if (!bind_all(&js) || !check_all(&js))
		return zs_code_unknown(&js.code, js.first, js.last);
	return (struct zs_filter){ .effect = ZS_FILTER_PLAIN };
}
