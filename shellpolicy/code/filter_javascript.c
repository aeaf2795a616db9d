/* JavaScript that only looks. As filter_python.c does, it reads no grammar: every name must be known, and what a
 * program can put into a variable, pass on or take apart is *plain*: calling it, and reading its properties, changes
 * nothing. Data has properties of any name here, so it is the names that lead elsewhere which are refused (constructor,
 * prototype, all that begin with _), and methods are called by names of a table. These are not plain:
 *
 *  - modules other than JSON files: shown at most, console.log(require("x").version);
 *  - d[key] where the key is no literal, since it may be "constructor": of a variable, and shown, compared or computed
 *    with, but neither called, passed on, put into a variable nor taken apart.
 */
#include "code/code_judge.h"

enum binding_kind {
	BINDING_VALUE,
	BINDING_MODULE, /* `value` is the text of require(); `member`: const { member } = require(value) */
};

enum mark {
	MARK_CALL = 1 << 0,  /* of `(`: behind something that is called */
	MARK_SHOWS = 1 << 1, /* of `(`: the call only looks at what it gets */
	MARK_TAKES = 1 << 2, /* the same, but for modules */
};

static const char assignments[] = "= += -= *= /= %= **= <<= >>= >>>= &= |= ^= &&= ||= ?\?= ++ --";
static const char computing[] = "+ - * / % ** < > <= >= == != === !== & | ^ << >> >>> in instanceof";

static bool is_point(const struct code_text *code, size_t token)
{
	return zs_code_in(code, token, ". ?.");
}

static bool is_keyword(const struct code_text *code, size_t token)
{
	return code_kind(code, token) == CODE_NAME && !is_point(code, token - 1) &&
	       zs_code_in(code, token, zs_javascript_keywords);
}

/* Can this token be the last of an operand? */
static bool javascript_ends_operand(const struct code_text *code, size_t token)
{
	if (code_kind(code, token) == CODE_NAME)
		return !is_keyword(code, token) || zs_code_in(code, token, "null true false");
	if (code_kind(code, token) == CODE_CLOSE)
		return !zs_code_is(code, token, "}");
	return code_is_literal(code, token);
}

/* Is a `/` behind the last token a division? */
static enum code_expect expect_behind(const struct code_text *code)
{
	size_t last = code->count - (size_t)1, mate;

	if (code_kind(code, last) == CODE_CLOSE) {
		mate = code->tokens[last].mate;
		if (zs_code_is(code, last, "}") || (zs_code_is(code, last, ")") && is_keyword(code, mate - 1)))
			return EXPECT_DOUBTFUL;
		return EXPECT_OPERATOR;
	}
	if (is_keyword(code, last) && !javascript_ends_operand(code, last))
		return zs_code_in(code, last, "return typeof case in instanceof void delete do else throw")
			       ? EXPECT_OPERAND
			       : EXPECT_DOUBTFUL;
	if (javascript_ends_operand(code, last))
		return EXPECT_OPERATOR;
	/* x++ / y, TypeScript's x! / y and f<T>/… */
	if (zs_code_in(code, last, "++ -- . ?. >") ||
		(zs_code_is(code, last, "!") && javascript_ends_operand(code, last - 1)))
		return EXPECT_DOUBTFUL;
	return EXPECT_OPERAND;
}

static const struct code_syntax syntax = {
	.signs = ">>>= ... === !== **= <<= >>= >>> &&= ||= ?\?= => == != <= >= && || ?? ?. ++ -- += -= *= /= %= &= |= "
		 "^= << >> "
		 "** + - * / % = < > ! & | ^ ~ ? : , ; .",
	.first = "$",
	.last = "",
	.number_end = "n",
	.quotes = "'\"",
	.templates = "`",
	.field = "${",
	.refused = "\r <!-- --> \xe2\x80\xa8 \xe2\x80\xa9",
	.slash_comments = true,
	.expect = expect_behind,
};

/* Names that the program gives to something */

static void path_of(struct code_text *js, size_t string, char *ret_path);

static bool has_members(const char *path, size_t len)
{
	return zs_code_entry(zs_javascript_members, path, len) != NULL;
}

/* Is this the name of a global that is not the module of that name which require(value) gives? */
static bool hides_global(struct code_text *js, size_t name, size_t value, size_t member)
{
	size_t len;
	const char *text = code_name(js, name, &len);
	char path[CODE_PATH];

	if (!zs_code_in(js, name, zs_javascript_denied) && !has_members(text, len))
		return false;
	path_of(js, value, path);
	return member || strlen(path) != len || memcmp(path, text, len) != 0;
}

static bool javascript_bind(struct code_text *js, size_t name, enum binding_kind kind, size_t value, size_t member)
{
	size_t len;
	const char *text = code_name(js, name, &len);

	if (code_kind(js, name) != CODE_NAME || (is_keyword(js, name) && !zs_code_is(js, name, "of")) ||
		(kind == BINDING_MODULE ? hides_global(js, name, value, member)
					: zs_code_in(js, name, zs_javascript_denied)) ||
		zs_code_use(zs_javascript_globals, text, len) || zs_code_is(js, name, "require"))
		return zs_code_unknown(js, name, name);
	return zs_code_bind(
		js, (struct code_binding){ (uint16_t)name, (uint16_t)value, (uint16_t)member, (uint8_t)kind });
}

/* Parameters and patterns. Names of defaults are taken for names of the program too: they are not denied ones then. */
static bool bind_names(struct code_text *js, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		if (code_kind(js, i) == CODE_NAME && !is_keyword(js, i) && !is_point(js, i - 1) &&
			!zs_code_is(js, i + 1, ":") && !zs_code_in(js, i, "require") && !zs_code_in(js, i + 1, "( .") &&
			!javascript_bind(js, i, BINDING_VALUE, 0, 0))
			return false;
	return true;
}

/* require("x") and nothing behind it: the token of the text, or 0. */
static size_t required(const struct code_text *js, size_t at)
{
	bool ends;

	if (!zs_code_is(js, at, "require") || !zs_code_is(js, at + 1, "(") || code_kind(js, at + 2) != CODE_STRING ||
		!zs_code_is(js, at + 3, ")"))
		return 0;
	ends = code_kind(js, at + 4) == CODE_END || zs_code_in(js, at + 4, "; ,") ||
	       (js->tokens[at + 4].first && code_kind(js, at + 4) == CODE_NAME);
	return ends ? at + 2 : 0;
}

static bool is_json(const struct code_text *js, size_t string)
{
	size_t len;
	const char *text = zs_code_literal(js, string, &len);

	return text && len > 5 && memcmp(text + len - 5, ".json", 5) == 0;
}

/* { a, b: c } = require("x") */
static bool bind_members(struct code_text *js, size_t open, size_t value)
{
	for (size_t member = open + 1, i; member < code_mate(js, open); member = i + 2) {
		i = zs_code_is(js, member + 1, ":") ? member + 2 : member;
		if (code_kind(js, member) != CODE_NAME || !javascript_bind(js, i, BINDING_MODULE, value, member))
			return zs_code_unknown(js, member, i);
		code_token(js, member)->known = true;
		code_token(js, i)->known = true;
		if (!zs_code_in(js, i + 1, ", }"))
			return zs_code_unknown(js, i + 1, i + 1);
	}
	return true;
}

static bool javascript_bind_token(struct code_text *js, size_t i)
{
	size_t name = i + 1, value;

	if (zs_code_is(js, i, "=>"))
		return zs_code_is(js, i - 1, ")") ? bind_names(js, code_mate(js, i - 1) + 1, i - 1)
						  : javascript_bind(js, i - 1, BINDING_VALUE, 0, 0);
	if (code_kind(js, i) != CODE_NAME || is_point(js, i - 1))
		return true;
	if (zs_code_in(js, i, "const let var") && code_kind(js, name) == CODE_OPEN) {
		value = zs_code_is(js, code_mate(js, name) + 1, "=") ? required(js, code_mate(js, name) + 2) : 0;
		return value && zs_code_is(js, name, "{") && !is_json(js, value)
			       ? bind_members(js, name, value)
			       : bind_names(js, name + 1, code_mate(js, name));
	}
	/* let a, b: the others look like uses, and are bound where they are assigned */
	if (zs_code_in(js, i, "const let var"))
		return zs_code_is(js, name + 1, "=") || javascript_bind(js, name, BINDING_VALUE, 0, 0);
	if (zs_code_is(js, i, "function")) {
		name += zs_code_is(js, name, "*");
		if (code_kind(js, name) == CODE_NAME && !javascript_bind(js, name++, BINDING_VALUE, 0, 0))
			return false;
		return zs_code_is(js, name, "(") ? bind_names(js, name + 1, code_mate(js, name))
						 : zs_code_unknown(js, i, name);
	}
	if (zs_code_is(js, i, "catch") && zs_code_is(js, name, "("))
		return bind_names(js, name + 1, code_mate(js, name));
	if (is_keyword(js, i) || !zs_code_in(js, name, assignments))
		return true;
	value = zs_code_is(js, name, "=") ? required(js, name + 1) : 0;
	return value && !is_json(js, value) ? javascript_bind(js, i, BINDING_MODULE, value, 0)
					    : javascript_bind(js, i, BINDING_VALUE, 0, 0);
}

/* Uses */

/* Does an operand that ends in front of this token go on with it? TypeScript, which deno and bun read, calls f<T>(x)
 * and x!(y) too. */
static bool goes_on(const struct code_text *js, size_t after)
{
	return zs_code_in(js, after, ". ?. [ ( ! <") || code_kind(js, after) == CODE_TEMPLATE;
}

/* Can nothing be done with it but looking at it? */
static bool is_shown(const struct code_text *js, struct code_place place)
{
	size_t before = place.first - 1, after = place.last + 1;
	uint8_t mark = place.open ? js->tokens[place.open].mark : 0;

	if (code_kind(js, before) == CODE_FIELD && code_kind(js, after) == CODE_FIELD_END)
		return true;
	if (zs_code_in(js, before, "( ,") && zs_code_in(js, after, ", )") &&
		(mark & (place.module ? MARK_SHOWS : MARK_SHOWS | MARK_TAKES)))
		return true;
	if (zs_code_is(js, before, "(") && zs_code_is(js, after, ")"))
		return zs_code_in(js, before - 1, "if while switch") && is_keyword(js, before - 1);
	if (zs_code_in(js, before, "typeof !") || zs_code_in(js, after, computing) || zs_code_in(js, after, "? &&") ||
		(zs_code_in(js, before, computing) && !zs_code_is(js, after, "=>")))
		return true;
	return (code_kind(js, before) == CODE_END || zs_code_in(js, before, "; { }")) &&
	       (code_kind(js, after) == CODE_END || zs_code_is(js, after, ";"));
}

static bool leads_away(const char *name, size_t len)
{
	return !len || name[0] == '_' || zs_code_listed(name, len, zs_javascript_denied_properties);
}

static bool has_binding(const struct code_text *js, size_t at, enum binding_kind kind)
{
	for (size_t i = 0; i < js->bound; i++)
		if (js->bindings[i].kind == kind && zs_code_same(js, js->bindings[i].name, at))
			return true;
	return false;
}

/* Is it a variable of the program that is never a module? A value that is given to a part of it stays there. */
static bool is_own(const struct code_text *js, size_t at)
{
	return code_kind(js, at) == CODE_NAME && has_binding(js, at, BINDING_VALUE) &&
	       !has_binding(js, at, BINDING_MODULE);
}

/* readFileSync(path, "utf8") or with { encoding: "utf8" } */
static bool reads_only(struct code_text *js, size_t open)
{
	size_t end = code_mate(js, open), comma = zs_code_find(js, open + 1, end, ",");

	for (size_t i = open + 1; i < end; i++)
		if (zs_code_is(js, i, "...") && (i == open + 1 || i >= comma))
			return false;
	if (comma == end)
		return true;
	if (code_kind(js, comma + 1) == CODE_STRING)
		return comma + 2 == end;
	return zs_code_is(js, comma + 1, "{") && zs_code_is(js, comma + 2, "encoding") &&
	       zs_code_is(js, comma + 3, ":") && code_kind(js, comma + 4) == CODE_STRING &&
	       zs_code_is(js, comma + 5, "}") && comma + 6 == end;
}

/* JSON.stringify(x), or with null: a function in its place would get what x holds. */
static bool has_no_replacer(struct code_text *js, size_t open)
{
	size_t end = code_mate(js, open), comma = zs_code_find(js, open + 1, end, ",");

	return comma == end || zs_code_is(js, comma + 1, "null");
}

static bool check_use(struct code_text *js, enum code_use use, struct code_place place)
{
	size_t open = place.last + 1;
	bool called = zs_code_is(js, open, "("), known = use == USE_PLAIN;

	if (zs_code_in(js, open, assignments) || zs_code_in(js, place.first - 1, "++ --"))
		return zs_code_is(js, place.last, "exitCode") || zs_code_unknown(js, place.first, open);
	if (use == USE_SHOWS || use == USE_TAKES) {
		if (called && !zs_code_is_bound(js, place.first) &&
			(!zs_code_is(js, place.last, "stringify") || has_no_replacer(js, open)))
			code_token(js, open)->mark |= use == USE_SHOWS ? MARK_SHOWS : MARK_TAKES;
		known = called || code_kind(js, open) == CODE_END ||
			(place.open && (code_token(js, place.open)->mark & MARK_CALL) &&
				zs_code_in(js, place.first - 1, "( ,") && zs_code_in(js, open, ", )"));
	} else if (use == USE_OPENS) {
		known = called && reads_only(js, open);
	} else if (use == USE_NEW) {
		known = called || zs_code_in(js, place.first - 1, "new instanceof");
	}
	return known || zs_code_unknown(js, place.first, place.last);
}

static bool check_rest(struct code_text *js, const char *path, struct code_place place)
{
	(void)path;
	place.module = true;
	return (!goes_on(js, place.last + 1) && is_shown(js, place)) || zs_code_unknown(js, place.first, place.last);
}

static const struct code_names names = { zs_javascript_members, "", leads_away, check_use, check_rest };

/* "node:fs/promises" is fs.promises. */
static void path_of(struct code_text *js, size_t string, char *ret_path)
{
	size_t len = 0;
	const char *text = zs_code_literal(js, string, &len);

	ret_path[0] = '\0';
	if (text && len > 5 && memcmp(text, "node:", 5) == 0) {
		text += 5;
		len -= 5;
	}
	if (!text || len >= CODE_PATH || memchr(text, '.', len))
		return;
	memcpy(ret_path, text, len);
	ret_path[len] = '\0';
	if (zs_code_listed(text, len, "fs/promises path/posix"))
		ret_path[strcspn(ret_path, "/")] = '.';
}

static bool check_require(struct code_text *js, struct code_place place, size_t *ret_last)
{
	char path[CODE_PATH] = "require";
	size_t open = place.first + 1;

	if (!zs_code_is(js, open, "("))
		return zs_code_follow(js, &names, path, 0, place, ret_last);
	if (code_kind(js, open + 1) != CODE_STRING || !zs_code_is(js, open + 2, ")"))
		return zs_code_unknown(js, place.first, open + 1);
	if (is_json(js, open + 1))
		return true; /* data */
	place.last = *ret_last = open + 2;
	for (size_t i = 0; i < js->bound; i++)
		if (js->bindings[i].kind == BINDING_MODULE && js->bindings[i].value == open + 1)
			return true;
	path_of(js, open + 1, path);
	return zs_code_follow(js, &names, path, 0, place, ret_last);
}

static bool check_binding(
	struct code_text *js, const struct code_binding *binding, struct code_place place, size_t *ret_last)
{
	char path[CODE_PATH];

	*ret_last = place.first;
	if (binding->kind == BINDING_VALUE || (zs_code_is(js, place.first + 1, "=") && required(js, place.first + 2)))
		return true;
	path_of(js, binding->value, path);
	return zs_code_follow(js, &names, path, binding->member, place, ret_last);
}

/* Judges a global of this name when the program has none of its own. */
static bool check_global(struct code_text *js, struct code_place place, size_t *ret_last)
{
	size_t len;
	const char *text = code_name(js, place.first, &len);
	enum code_use use = zs_code_use(zs_javascript_globals, text, len);
	char path[CODE_PATH];

	*ret_last = place.first;
	if (zs_code_is(js, place.first, "require"))
		return check_require(js, place, ret_last);
	if (len < CODE_PATH && has_members(text, len) && (!use || is_point(js, place.last + 1))) {
		memcpy(path, text, len);
		path[len] = '\0';
		return zs_code_follow(js, &names, path, 0, place, ret_last);
	}
	return use ? check_use(js, use, place) : zs_code_unknown(js, place.first, place.first);
}

static bool javascript_check_name(struct code_text *js, struct code_place place, size_t *ret_last)
{
	size_t at = place.first, len, last;
	const char *text = code_name(js, at, &len);

	if (zs_code_is(js, at - 1, "new") && (zs_code_is_bound(js, at) || !zs_code_is(js, at, "Intl")) &&
		zs_code_use(zs_javascript_globals, text, len) != USE_NEW)
		return false;
	if (!zs_code_is_bound(js, at))
		return check_global(js, place, ret_last);
	if (!zs_code_check_bindings(js, place, check_binding, ret_last))
		return false;
	/* fs is a global of node -e, and the same module as require("fs") */
	if (!has_members(text, len) || zs_code_is(js, at + 1, "=") || has_binding(js, at, BINDING_MODULE))
		return true;
	*ret_last = at;
	return check_global(js, place, &last);
}

/* A name or text that is a property: in d.name, d["name"], { name: … }. */
static bool check_property(struct code_text *js, size_t at, const char *text, size_t len)
{
	size_t root = at - 1;

	if (leads_away(text, len))
		return false;
	if (zs_code_in(js, at + 1, assignments)) {
		/* only of the program's own values: x.y.z = … */
		while (is_point(js, root) && code_kind(js, root - 1) == CODE_NAME)
			root -= 2;
		if (is_point(js, root) || !is_own(js, root + 1))
			return zs_code_unknown(js, root + 1, at);
	}
	return true;
}

static bool check_attribute(struct code_text *js, size_t at)
{
	size_t len;
	const char *text = code_name(js, at, &len);

	if (!check_property(js, at, text, len))
		return false;
	if (zs_code_is(js, at + 1, "(") || (zs_code_is(js, at + 1, "?.") && zs_code_is(js, at + 2, "(")))
		return zs_code_listed(text, len, zs_javascript_methods);
	return true;
}

static bool check_subscript(struct code_text *js, size_t open, size_t enclosing)
{
	size_t close = code_mate(js, open), last = open - 1 - zs_code_is(js, open - 1, "?."), len;
	const char *text = zs_code_literal(js, open + 1, &len);
	bool literal = close == open + 2 && (text || code_kind(js, open + 1) == CODE_NUMBER);
	bool own = is_own(js, last) && !is_point(js, last - 1), known = literal || own;

	if (zs_code_in(js, close + 1, assignments))
		known = own && (literal || !zs_code_in(js, close + 1, "&&= ||= ?\?="));
	else if (!literal)
		known = own && !goes_on(js, close + 1) &&
			is_shown(js, (struct code_place){ last, close, enclosing, false });
	else if (zs_code_is(js, close + 1, "(") || code_kind(js, close + 1) == CODE_TEMPLATE ||
		 (zs_code_is(js, close + 1, "?.") && zs_code_is(js, close + 2, "(")))
		known = false;
	return (known && (!literal || !text || !leads_away(text, len))) || zs_code_unknown(js, open, close);
}

static bool check_open(struct code_text *js, size_t at, size_t enclosing)
{
	bool behind = javascript_ends_operand(js, at - 1) || zs_code_is(js, at - 1, "?.");

	if (zs_code_is(js, at, "(") && behind && !zs_code_is(js, at - 1, "async"))
		code_token(js, at)->mark |= MARK_CALL;
	if (zs_code_is(js, at, "("))
		return !zs_code_is(js, at - 1, "?.");
	if (!zs_code_is(js, at, "["))
		return true;
	if (behind)
		return check_subscript(js, at, enclosing);
	/* { [key]: value } */
	return !(zs_code_in(js, at - 1, "{ ,") && zs_code_is(js, code_mate(js, at) + 1, ":"));
}

static bool javascript_check_sign(struct code_text *js, size_t at)
{
	if (is_point(js, at) && code_kind(js, at + 1) != CODE_NAME &&
		!(zs_code_is(js, at, "?.") && zs_code_in(js, at + 1, "[ (")))
		return zs_code_unknown(js, at, at + 1);
	/* where an operand begins, JSX would */
	if (zs_code_is(js, at, "<") && !javascript_ends_operand(js, at - 1))
		return zs_code_unknown(js, at, at + 1);
	return true;
}

static bool check_word(struct code_text *js, struct code_place place, size_t *ret_last)
{
	size_t at = place.first, len;
	const char *text = code_name(js, at, &len);

	if (is_point(js, at - 1))
		return check_attribute(js, at);
	if (zs_code_is(js, at + 1, ":") && zs_code_in(js, at - 1, "{ ,"))
		return check_property(js, at, text, len);
	if (len > 1 && leads_away(text, len) && !zs_code_in(js, at, "__dirname __filename"))
		return false;
	if (is_keyword(js, at) && !(zs_code_is(js, at, "of") && zs_code_is_bound(js, at)))
		return !zs_code_is(js, at, "new") || code_kind(js, at + 1) == CODE_NAME ||
		       zs_code_unknown(js, at, at + 1);
	return javascript_check_name(js, place, ret_last);
}

static bool javascript_check_token(struct code_text *js, struct code_place place, size_t *ret_last)
{
	size_t at = place.first, len = 0;
	enum code_kind kind = code_kind(js, at);
	const char *text;

	if (kind == CODE_OPEN)
		return check_open(js, at, place.open);
	if (kind == CODE_NAME)
		return check_word(js, place, ret_last);
	if (kind == CODE_SIGN)
		return javascript_check_sign(js, at);
	if (kind == CODE_TEMPLATE && (javascript_ends_operand(js, at - 1) || zs_code_is(js, at - 1, "?.")))
		return false; /* a tag is called */
	if (kind == CODE_STRING && zs_code_is(js, at + 1, ":") && zs_code_in(js, at - 1, "{ ,")) {
		text = zs_code_literal(js, at, &len);
		return (text && (!leads_away(text, len) || !len));
	}
	return true;
}

struct zs_filter zs_filter_javascript(const char *program, size_t len)
{
	return zs_code_judge(program, len, &syntax, javascript_bind_token, javascript_check_token);
}
