/* Words to fields. An unknown part is a byte of its own (expand.h), so that what stands around it still counts. */
#include "expand.h"

#include <string.h>

/* One way in which the word may expand: fields that are complete, and the one that is being made. */
struct way {
	const char **items;
	char *text;
	uint32_t count, len, room;
	bool open; /* a field has begun, though it may be empty */
};

struct maker {
	const struct zs_expander *expander;
	ZS_LIST(struct way) ways;
	bool splits;  /* unquoted expansions become fields; else the word is one */
	bool listed;  /* "$@" or the like stands between the quotes */
	bool unknown; /* too many, too long, or not modelled */
};

/* Making */

static struct maker make(const struct zs_expander *expander, bool splits)
{
	struct maker maker = { .expander = expander, .splits = splits };

	ZS_PUSH(expander->build->arena, &maker.ways, (struct way){ 0 });
	return maker;
}

static void put(struct maker *maker, struct way *way, char byte)
{
	if (way->len >= ZS_MAX_EXPANDED || !zs_expand_work(maker->expander->build, 1)) {
		maker->unknown = true;
		return;
	}
	if (way->len == way->room) {
		char *text = zs_arena_alloc(maker->expander->build->arena, 2 * way->room + 32);

		if (way->len)
			memcpy(text, way->text, way->len);
		way->text = text;
		way->room = 2 * way->room + 32;
	}
	way->text[way->len++] = byte;
	way->open = true;
}

static void put_all(struct maker *maker, char byte)
{
	for (uint32_t i = 0; i < maker->ways.count && !maker->unknown; i++)
		put(maker, &maker->ways.items[i], byte);
}

static void open_all(struct maker *maker)
{
	for (uint32_t i = 0; i < maker->ways.count; i++)
		maker->ways.items[i].open = true;
}

/* The field that is being made is complete. */
static void end_field(struct maker *maker, struct way *way)
{
	struct zs_arena *arena = maker->expander->build->arena;
	const char **items;

	if (!way->open)
		return;
	if (way->count == ZS_MAX_FIELDS) {
		maker->unknown = true;
		return;
	}
	if (way->count % 16 == 0) { /* they are shared by the ways that were made of one */
		items = zs_arena_alloc(arena, (way->count + 16) * sizeof *items);
		for (uint32_t i = 0; i < way->count; i++)
			items[i] = way->items[i];
		way->items = items;
	}
	way->items[way->count++] = way->len ? zs_arena_string(arena, way->text, way->len) : "";
	way->len = 0;
	way->open = false;
}

static struct way copy_of(struct maker *maker, const struct way *way)
{
	struct zs_arena *arena = maker->expander->build->arena;
	struct way copy = *way;

	copy.items = zs_arena_alloc(arena, (way->count / 16 + 1) * 16 * sizeof *copy.items);
	for (uint32_t i = 0; i < way->count; i++)
		copy.items[i] = way->items[i];
	copy.text = way->len ? zs_arena_string(arena, way->text, way->len) : NULL;
	copy.room = way->len;
	return copy;
}

/* Each way becomes `count` ways; the ones of one value stand together. Returns how many there were. */
static uint32_t multiply(struct maker *maker, uint32_t count)
{
	uint32_t before = maker->ways.count;

	if (count == 0)
		maker->ways.count = 0; /* nothing ever comes here */
	if ((uint64_t)before * count > ZS_MAX_EXPANSIONS ||
		!zs_expand_work(maker->expander->build, (uint64_t)before * count)) {
		maker->unknown = true;
		return 0;
	}
	for (uint32_t i = 1; i < count; i++)
		for (uint32_t j = 0; j < before; j++) {
			struct way copy = copy_of(maker, &maker->ways.items[j]);

			ZS_PUSH(maker->expander->build->arena, &maker->ways, copy);
		}
	return before;
}

/* Splitting (man bash, Word Splitting) */

static void split(struct maker *maker, struct way *way, const char *value, const char *separators)
{
	bool delimited = !way->open;

	for (; *value && !maker->unknown; value++) {
		if (strchr(separators, *value)) {
			bool blank = zs_is_blank(*value) || *value == '\n';

			if (!blank && delimited && !way->open)
				way->open = true; /* an empty field between two commas */
			end_field(maker, way);
			delimited = !blank;
		} else if (strchr("*?[", *value) || *value == ZS_UNKNOWN_TEXT) {
			put(maker, way, ZS_UNKNOWN_WORDS);
		} else {
			put(maker, way, *value);
		}
	}
}

/* The values that IFS may have. A text that says nothing of it has the default. */
static struct zs_strings separators(const struct zs_expander *expander)
{
	const struct zs_names *names = expander->build->names;
	struct zs_strings all = { 0 };

	zs_add_string(expander, &all, " \t\n");
	for (uint32_t i = 0; i < names->settings.count; i++) {
		const struct zs_setting *setting = &names->settings.items[i];

		if (setting->kind == ZS_SET_SOURCED ||
			(strcmp(setting->name, "IFS") != 0 && strcmp(setting->name, "*") != 0))
			continue;
		zs_add_string(expander, &all,
			setting->kind == ZS_SET_VALUE && setting->value.text ? setting->value.text
			: setting->kind == ZS_SET_UNSET                      ? " \t\n"
									     : "\3");
	}
	return all;
}

static bool is_known(const struct zs_strings *strings)
{
	for (uint32_t i = 0; i < strings->list.count; i++)
		if (strpbrk(strings->list.items[i], ZS_UNKNOWNS))
			return false;
	return true;
}

/* The value is one of these. */
static void put_values(struct maker *maker, const struct zs_strings *values, bool quoted)
{
	struct zs_strings ifs = { 0 };
	uint32_t before, kinds = 1;

	if (!quoted && maker->splits) {
		ifs = separators(maker->expander);
		kinds = ifs.list.count;
		maker->unknown |= !is_known(&ifs);
	}
	before = multiply(maker, values->list.count * kinds);
	for (uint32_t i = 0; i < values->list.count * kinds && !maker->unknown; i++) {
		const char *value = values->list.items[i / kinds];

		for (uint32_t j = 0; j < before && !maker->unknown; j++) {
			struct way *way = &maker->ways.items[i * before + j];

			if (!quoted && maker->splits) {
				split(maker, way, value, ifs.list.items[i % kinds]);
				continue;
			}
			way->open |= quoted;
			for (; *value && !maker->unknown; value++)
				put(maker, way,
					quoted && *value == ZS_UNKNOWN_WORDS && maker->splits ? ZS_UNKNOWN_TEXT
											      : *value);
			value = values->list.items[i / kinds];
		}
	}
}

/* "$@" and $@: the first joins what is in front, the last what follows. */
static void put_lists(struct maker *maker, const struct zs_expansions *lists, bool quoted)
{
	uint32_t before = multiply(maker, lists->list.count);
	struct zs_strings ifs = { 0 };

	maker->listed = true;

	if (!quoted && maker->splits) {
		ifs = separators(maker->expander);
		maker->unknown |= !is_known(&ifs) || ifs.list.count != 1;
	}
	for (uint32_t i = 0; i < lists->list.count && !maker->unknown; i++) {
		const struct zs_fields *fields = &lists->list.items[i];

		for (uint32_t j = 0; j < before && !maker->unknown; j++) {
			struct way *way = &maker->ways.items[i * before + j];

			for (uint32_t k = 0; k < fields->count && !maker->unknown; k++) {
				const char *text = fields->items[k];

				if (k && maker->splits)
					end_field(maker, way);
				else if (k)
					put(maker, way, ' ');
				if (!quoted && maker->splits) {
					split(maker, way, text, ifs.list.items[0]);
					continue;
				}
				way->open = true;
				for (; *text && !maker->unknown; text++)
					put(maker, way, *text);
			}
		}
	}
}

static void put_value(struct maker *maker, const char *value, bool quoted)
{
	struct zs_strings values = { 0 };

	zs_add_string(maker->expander, &values, value);
	put_values(maker, &values, quoted);
}

static struct zs_expansions taken(struct maker *maker)
{
	struct zs_expansions expansions = { 0 };

	for (uint32_t i = 0; i < maker->ways.count && !maker->unknown; i++) {
		struct way *way = &maker->ways.items[i];

		end_field(maker, way);
		zs_add_fields(maker->expander, &expansions, (struct zs_fields){ way->items, way->count });
	}
	return maker->unknown ? zs_unknown_words(maker->expander) : expansions;
}

/* Reading: the bytes of a word, which the witness has read before */

static size_t skip_quoted(const char *text, size_t len, size_t at);

/* Behind a ${ $( or ( that opens at `at`, whose closing byte is `close`; 0: it does not end. */
static size_t skip_nested(const char *text, size_t len, size_t at, char close)
{
	while (at < len && text[at] != close) {
		if (text[at] == '\\')
			at += 2;
		else if (strchr("'\"`", text[at]))
			at = skip_quoted(text, len, at);
		else if (text[at] == '(' || (text[at] == '{' && text[at - 1] == '$'))
			at = skip_nested(text, len, at + 1, text[at] == '(' ? ')' : '}');
		else
			at++;
		if (!at)
			return 0;
	}
	return at < len ? at + 1 : 0;
}

static size_t skip_quoted(const char *text, size_t len, size_t at)
{
	char quote = text[at];
	bool ansi = at && quote == '\'' && text[at - 1] == '$';

	for (at++; at < len && text[at] != quote;) {
		if (text[at] == '\\' && (quote != '\'' || ansi))
			at += 2;
		else if (quote == '"' && text[at] == '`')
			at = skip_quoted(text, len, at);
		else if (quote == '"' && text[at] == '$' && at + 1 < len &&
			 (text[at + 1] == '(' || text[at + 1] == '{'))
			at = skip_nested(text, len, at + 2, text[at + 1] == '(' ? ')' : '}');
		else
			at++;
		if (!at)
			return 0;
	}
	return at < len ? at + 1 : 0;
}

static void read_text(struct maker *maker, const char *text, size_t len, bool in_quotes);

/* Programs that print the path of a folder. */
static bool prints_folder(const struct zs_fields *words)
{
	static const char *const printers[][3] = { { "pwd" }, { "dirname" }, { "realpath" }, { "readlink", "-f" },
		{ "git", "rev-parse", "--show-toplevel" }, { "npm", "bin" }, { "npm", "root" }, { "npm", "prefix" },
		{ "yarn", "bin" }, { "pnpm", "bin" }, { "go", "env", "GOPATH" }, { "go", "env", "GOROOT" },
		{ "go", "env", "GOBIN" }, { "brew", "--prefix" }, { "mktemp", "-d" } };

	for (uint32_t i = 0; i < words->count; i++)
		if (strpbrk(words->items[i], " \t\n"))
			return false;
	for (size_t i = 0; i < sizeof printers / sizeof *printers; i++) {
		uint32_t at = 0;

		while (at < 3 && printers[i][at] && at < words->count && strcmp(words->items[at], printers[i][at]) == 0)
			at++;
		if (at == 3 || !printers[i][at])
			return true;
	}
	return false;
}

/* echo WORD…, printf FORMAT: what they print when no escape or option of theirs has a say. */
static const char *printed(const struct zs_expander *expander, const struct zs_fields *words)
{
	bool format = strcmp(words->items[0], "printf") == 0;
	uint32_t from = 1;
	const char *text = "";

	if (format && words->count > 2 && strcmp(words->items[1], "--") == 0)
		from++;
	if (format && from < words->count &&
		(strcmp(words->items[from], "%s") == 0 || strcmp(words->items[from], "%s\\n") == 0))
		from++, format = false;
	if (format && words->count != from + 1)
		return NULL;
	for (uint32_t i = from; i < words->count; i++) {
		if (strpbrk(words->items[i], format ? "\\%" : "\\") || words->items[i][0] == '-')
			return NULL;
		if (i > from && strcmp(words->items[0], "printf") == 0) /* each of them gets the format */
			return NULL;
		text = zs_arena_format(expander->build->arena, "%s%s%s", text, i > from ? " " : "", words->items[i]);
	}
	return strlen(text) > ZS_MAX_EXPANDED ? NULL : text;
}

/* which NAME, command -v NAME: where the program is, or nothing. */
static const char *located(const struct zs_fields *words)
{
	const char *name = words->items[0];
	uint32_t at = 1;

	if (strcmp(name, "command") == 0 || strcmp(name, "type") == 0) {
		if (words->count != 3 || strcmp(words->items[1], name[0] == 'c' ? "-v" : "-P") != 0)
			return NULL;
		at = 2;
	} else if (strcmp(name, "which") != 0 || words->count != 2) {
		return NULL;
	}
	return words->items[at][0] == '-' || strpbrk(words->items[at], ZS_UNKNOWNS " \t\n") ? NULL : words->items[at];
}

/* Adds the output of one plain command to the values. */
static void take_output(const struct zs_expander *expander, const char *text, size_t len, struct zs_strings *values)
{
	struct maker maker = make(expander, true);
	struct zs_expansions words;
	const struct zs_fields *fields;
	const char *output = "\1";

	maker.unknown = expander->steps > ZS_MAX_EXPAND_STEPS;
	for (size_t at = 0, end; at < len && !maker.unknown; at = end) {
		for (; at < len && zs_is_blank(text[at]); at++)
			;
		for (end = at; end < len && !zs_is_blank(text[end]);) {
			end = strchr("'\"", text[end]) ? skip_quoted(text, len, end) : end + 1;
			if (!end)
				break;
		}
		maker.unknown |= !end || end > len;
		if (maker.unknown)
			break;
		read_text(&maker, text + at, end - at, false);
		for (uint32_t i = 0; i < maker.ways.count; i++)
			end_field(&maker, &maker.ways.items[i]);
	}
	words = taken(&maker);
	for (uint32_t i = 0; i < words.list.count; i++) {
		fields = &words.list.items[i];
		output = "\1";
		if (!fields->count) {
			output = "";
		} else if (zs_defines(expander->build, fields->items[0])) {
			output = "\1";
		} else if (located(fields)) {
			zs_add_string(expander, values, "");
			output = located(fields);
		} else if (strcmp(fields->items[0], "echo") == 0 || strcmp(fields->items[0], "printf") == 0) {
			output = printed(expander, fields);
		} else if (strcmp(fields->items[0], "true") == 0 || strcmp(fields->items[0], ":") == 0) {
			output = "";
		} else if (prints_folder(fields)) {
			output = "\2";
		}
		zs_add_string(expander, values, output ? output : "\1");
	}
}

/* What $(…) prints: a plain command, or `one || other`, with or without 2>/dev/null. */
static struct zs_strings captured(const struct zs_expander *expander, const char *text, size_t len)
{
	static const char *const silent[] = { "2>/dev/null", "2> /dev/null", "2>&1" };
	struct zs_strings values = { 0 };
	struct zs_expander inner = *expander;
	char *plain = zs_arena_string(expander->build->arena, text, len), *at, *bar;

	inner.steps++;
	for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
		while ((at = strstr(plain, silent[i])) && at > plain && zs_is_blank(at[-1]))
			memset(at, ' ', strlen(silent[i]));
	for (at = plain; at; at = bar ? bar + 2 : NULL) {
		bar = strstr(at, "||");
		len = bar ? (size_t)(bar - at) : strlen(at);
		if (memchr(at, '\n', len) || strcspn(at, ";&|<>()#{}!`\\") < len) {
			zs_add_string(expander, &values, "\1");
			return values;
		}
		take_output(&inner, at, len, &values);
	}
	return values;
}

/* ${x:-word} and its like: the operator, and where the word stands. */
static void read_braced(struct maker *maker, const char *text, size_t len, bool quoted)
{
	const struct zs_expander *expander = maker->expander;
	struct zs_arena *arena = expander->build->arena;
	struct zs_strings values = { 0 }, given;
	struct zs_expansions lists;
	size_t end = 0, from;
	const char *name;
	bool list = false, star, colon, empty = false, unknown = false;
	struct maker word;

	if (len && strchr("@*", text[0]))
		end = 1;
	while (end < len && zs_is_name(text[end]))
		end++;
	name = zs_arena_string(arena, text, end);
	if (end + 2 < len && text[end] == '[' && (text[end + 1] == '@' || text[end + 1] == '*') &&
		text[end + 2] == ']') {
		list = true;
		end += 3;
	}
	list |= *name == '@' || *name == '*';
	star = list && text[end - 1 - (end > 1 && text[end - 1] == ']')] == '*'; /* joined by the first of IFS */
	if (!*name || (end < len && !strchr(":-=?+", text[end])) || (star && (quoted || !maker->splits))) {
		put_value(maker, "\1", quoted);
		return;
	}
	if (list) {
		lists = *name == '@' || *name == '*' ? zs_parameters(expander) : zs_variable_lists(expander, name);
		from = end < len && text[end] == ':' ? end + 1 : len;
		if (end == len) {
			put_lists(maker, &lists, quoted);
		} else if (from < len && strspn(text + from, "0123456789") == len - from && len - from < 4) {
			struct zs_expansions rest = { 0 };
			uint32_t skip = 0;

			for (; from < len; from++)
				skip = skip * 10 + (uint32_t)(text[from] - '0');
			if (skip && (*name == '@' || *name == '*'))
				skip--; /* the parameters count from 1 */
			for (uint32_t i = 0; i < lists.list.count; i++) {
				const struct zs_fields *fields = &lists.list.items[i];
				uint32_t start = skip < fields->count ? skip : fields->count;
				struct zs_fields left = { fields->items + start, fields->count - start };

				for (uint32_t j = 0; j < start; j++)
					unknown |= strchr(fields->items[j], ZS_UNKNOWN_WORDS) != NULL;
				zs_add_fields(expander, &rest, left);
			}
			if (unknown)
				rest = zs_unknown_words(expander);
			put_lists(maker, &rest, quoted);
		} else {
			put_value(maker, "\3", quoted);
		}
		return;
	}
	if (zs_is_digit(*name)) {
		uint32_t which = 0;

		lists = zs_parameters(expander);
		for (const char *digit = name; *digit && which < 1000; digit++)
			which = which * 10 + (uint32_t)(*digit - '0');
		given = (struct zs_strings){ 0 };
		if (!which)
			zs_add_string(expander, &given, zs_parameter_zero(expander));
		for (uint32_t i = 0; which && i < lists.list.count; i++) {
			const struct zs_fields *fields = &lists.list.items[i];
			const char *value = which <= fields->count ? fields->items[which - 1] : "";

			for (uint32_t j = 0; j < fields->count && j < which; j++)
				if (strchr(fields->items[j], ZS_UNKNOWN_WORDS))
					value = "\3";
			zs_add_string(expander, &given, value);
		}
	} else {
		given = zs_variable_values(expander, name);
	}
	if (end == len) {
		put_values(maker, &given, quoted);
		return;
	}
	colon = text[end] == ':';
	from = end + colon;
	if (from >= len || !strchr("-=?+", text[from])) { /* ${x:1:2} */
		put_value(maker, "\1", quoted);
		return;
	}
	for (uint32_t i = 0; i < given.list.count; i++) {
		const char *value = given.list.items[i];

		empty |= !*value;
		/* A variable that the texts never set has the default, unless a session sets it in any case. */
		if (*value && text[from] != '+' &&
			!(strcmp(value, "\3") == 0 && given.list.count == 1 && !zs_is_digit(*name) &&
				zs_is_from_outside(expander, name)))
			zs_add_string(expander, &values, value);
	}
	if (!colon && empty && text[from] != '+')
		zs_add_string(expander, &values, "");
	if (text[from] == '?') {
		if (values.list.count)
			put_values(maker, &values, quoted);
		else
			put_value(maker, "\3", quoted);
		return;
	}
	word = make(expander, false);
	read_text(&word, text + from + 1, len - from - 1, quoted);
	lists = taken(&word);
	if (text[from] == '+')
		zs_add_string(expander, &values, "");
	for (uint32_t i = 0; i < lists.list.count; i++) {
		const struct zs_fields *fields = &lists.list.items[i];

		zs_add_string(expander, &values, fields->count ? fields->items[0] : "");
	}
	put_values(maker, &values, quoted);
}

/* At a $; returns behind what it starts. */
static size_t read_dollar(struct maker *maker, const char *text, size_t len, size_t at, bool quoted)
{
	char next = at + 1 < len ? text[at + 1] : '\0';
	size_t end = at + 2;
	struct zs_strings values;

	if (next == '(' || next == '{') {
		end = skip_nested(text, len, at + 2, next == '(' ? ')' : '}');
		if (!end) {
			maker->unknown = true;
			return len;
		}
		if (next == '{') {
			read_braced(maker, text + at + 2, end - at - 3, quoted);
		} else if (text[at + 2] == '(') {
			put_all(maker, ZS_UNKNOWN_TEXT); /* a number */
		} else {
			values = captured(maker->expander, text + at + 2, end - at - 3);
			put_values(maker, &values, quoted);
		}
		return end;
	}
	if (zs_is_name_start(next))
		while (end < len && zs_is_name(text[end]))
			end++;
	if (zs_is_name(next) || next == '@' || (next == '*' && !quoted)) {
		read_braced(maker, text + at + 1, end - at - 1, quoted);
	} else if (next == '*') { /* joined by the first of IFS */
		put_value(maker, "\1", quoted);
	} else if (next && strchr("#?$!-", next)) {
		put_all(maker, ZS_UNKNOWN_TEXT);
	} else if (next == '[') {
		maker->unknown = true;
	} else {
		put_all(maker, '$');
		return at + 1;
	}
	return end;
}

/* $'…' with its quote at `at`. */
static size_t read_ansi_c(struct maker *maker, const char *text, size_t len, size_t at)
{
	struct zs_units units = { 0 };
	size_t end = skip_quoted(text, len, at);

	if (!end) {
		maker->unknown = true;
		return len;
	}
	open_all(maker);
	if (zs_decode_ansi_c(maker->expander->build->arena, text, (uint32_t)at + 1, (uint32_t)end - 1, &units))
		maker->unknown = true;
	for (uint32_t i = 0; i < units.count; i++)
		put_all(maker, units.items[i].kind == ZS_UNIT_DYNAMIC ? ZS_UNKNOWN_TEXT : units.items[i].byte);
	return end;
}

static size_t read_backquotes(struct maker *maker, const char *text, size_t len, size_t at, bool quoted)
{
	size_t end = skip_quoted(text, len, at);
	struct zs_strings values;

	if (!end) {
		maker->unknown = true;
		return len;
	}
	values = captured(maker->expander, text + at + 1, end - at - 2);
	put_values(maker, &values, quoted);
	return end;
}

/* A word, or a part of one. `in_quotes`: it stands between double quotes. */
static void read_text(struct maker *maker, const char *text, size_t len, bool in_quotes)
{
	bool quoted = in_quotes;

	if (!in_quotes && len && text[0] == '~') {
		size_t user = 1;

		while (user < len && (zs_is_name(text[user]) || strchr("+-.", text[user])))
			user++;
		put_all(maker, ZS_UNKNOWN_PATH);
		text += user;
		len -= user;
	}
	for (size_t at = 0; at < len && !maker->unknown;) {
		char c = text[at], next = at + 1 < len ? text[at + 1] : '\0';

		if (c == '\\' && (!quoted || strchr("$`\"\\\n", next))) {
			if (next != '\n')
				put_all(maker, next);
			at += 2;
		} else if (c == '$' && next == '\'' && !quoted) {
			at = read_ansi_c(maker, text, len, at + 1);
		} else if (c == '$' && next == '"' && !quoted) {
			maker->unknown = true;
		} else if (c == '$') {
			at = read_dollar(maker, text, len, at, quoted);
		} else if (c == '`') {
			at = read_backquotes(maker, text, len, at, quoted);
		} else if (c == '\'' && !quoted) {
			size_t end = skip_quoted(text, len, at);

			maker->unknown |= !end;
			open_all(maker);
			for (at++; end && at + 1 < end; at++)
				put_all(maker, text[at]);
			at++;
		} else if (c == '"' && !in_quotes) {
			quoted = !quoted;
			if (quoted)
				maker->listed = false;
			else if (!maker->listed)
				open_all(maker);
			at++;
		} else if ((in_quotes && c == '"') || (!quoted && strchr("(){}<>|;&\n", c))) {
			maker->unknown = true; /* braces, patterns and process substitutions */
		} else if (!quoted && maker->splits && strchr("*?[", c)) {
			put_all(maker, ZS_UNKNOWN_WORDS);
			at++;
		} else {
			put_all(maker, c);
			at++;
		}
	}
}

/* Words */

static const char *without_markers(const struct zs_expander *expander, const char *text)
{
	char *copy;

	if (!strpbrk(text, ZS_UNKNOWNS))
		return text;
	copy = zs_arena_string(expander->build->arena, text, strlen(text));
	for (char *at = copy; (at = strpbrk(at, ZS_UNKNOWNS)); at++)
		*at = ZS_UNKNOWN_WORDS;
	return copy;
}

/* Is `raw` the word, as it was written? */
static bool shows_itself(const struct zs_raw_word *word)
{
	static const char *const others[] = { "found file", "replaced", "input", "array", "reference" };

	for (size_t i = 0; word->dynamic && i < sizeof others / sizeof *others; i++)
		if (strcmp(others[i], word->dynamic) == 0)
			return false;
	return word->raw && !word->part;
}

struct zs_expansions zs_expand_word(const struct zs_expander *expander, const struct zs_raw_word *word)
{
	struct maker maker;

	if (word->text) {
		const char **items = zs_arena_alloc(expander->build->arena, sizeof *items);
		struct zs_expansions one = { 0 };

		items[0] = without_markers(expander, word->text);
		zs_add_fields(expander, &one, (struct zs_fields){ items, 1 });
		return one;
	}
	maker = make(expander, true);
	if (strcmp(word->dynamic, "found file") == 0 && strcmp(word->prefix, "./") == 0) {
		put_value(&maker, "./\1", true);
		return taken(&maker);
	}
	if (!shows_itself(word) || expander->steps > ZS_MAX_EXPAND_STEPS ||
		!zs_expand_work(expander->build, word->raw_len))
		return zs_unknown_words(expander);
	read_text(&maker, word->raw, word->raw_len, false);
	return taken(&maker);
}

struct zs_strings zs_expand_value(const struct zs_expander *expander, const struct zs_raw_word *word)
{
	struct maker maker;
	struct zs_expansions expansions;
	struct zs_strings values = { 0 };

	if (word->text) {
		zs_add_string(expander, &values, without_markers(expander, word->text));
		return values;
	}
	if (!shows_itself(word) || expander->steps > ZS_MAX_EXPAND_STEPS ||
		!zs_expand_work(expander->build, word->raw_len)) {
		zs_add_string(expander, &values, "\3");
		return values;
	}
	maker = make(expander, false);
	read_text(&maker, word->raw, word->raw_len, false);
	expansions = taken(&maker);
	for (uint32_t i = 0; i < expansions.list.count; i++) {
		const struct zs_fields *fields = &expansions.list.items[i];

		zs_add_string(expander, &values, fields->count ? fields->items[0] : "");
	}
	return values;
}

struct zs_expansions zs_expand_words(
	const struct zs_expander *expander, const struct zs_word_list *words, uint32_t from)
{
	struct maker maker = make(expander, true);

	for (uint32_t i = from; i < words->count && !maker.unknown; i++) {
		struct zs_expansions word = zs_expand_word(expander, &words->items[i]);

		for (uint32_t j = 0; j < maker.ways.count; j++)
			end_field(&maker, &maker.ways.items[j]);
		put_lists(&maker, &word, true);
	}
	return taken(&maker);
}

/* x=( … ): its words are between the parentheses. A subscript or comment in it is not modelled. */
struct zs_expansions zs_expand_array(const struct zs_expander *expander, const struct zs_raw_word *word)
{
	struct maker maker = make(expander, true);
	const char *text = word->raw, *open = text ? memchr(text, '(', word->raw_len) : NULL;
	size_t len = word->raw_len, at = open ? (size_t)(open - text) + 1 : 0, end;

	if (!open || expander->steps > ZS_MAX_EXPAND_STEPS || !zs_expand_work(expander->build, len))
		return zs_unknown_words(expander);
	while (!maker.unknown) {
		while (at < len && (zs_is_blank(text[at]) || text[at] == '\n'))
			at++;
		if (at + 1 >= len)
			break;
		for (end = at; end && end + 1 < len && !zs_is_blank(text[end]) && text[end] != '\n';) {
			if (text[end] == '\\')
				end += 2;
			else if (strchr("'\"`", text[end]))
				end = skip_quoted(text, len, end);
			else if (text[end] == '(' || (text[end] == '{' && text[end - 1] == '$'))
				end = skip_nested(text, len, end + 1, text[end] == '(' ? ')' : '}');
			else
				end++;
		}
		maker.unknown |= !end || end >= len || strchr("[#", text[at]);
		if (maker.unknown)
			break;
		read_text(&maker, text + at, end - at, false);
		for (uint32_t i = 0; i < maker.ways.count; i++)
			end_field(&maker, &maker.ways.items[i]);
		at = end;
	}
	return taken(&maker);
}
