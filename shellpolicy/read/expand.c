/* Expands words to fields. An unknown part is a byte of its own (expand.h), so the known text around it still counts.
 */
#include "read/expand.h"

#include <string.h>

/* One way in which a word may expand: complete fields, and the field that is being made. */
struct way {
	char *text;
	uint32_t len, room;
	uint32_t field; /* where the field that is being made begins */
	uint32_t count; /* complete fields */
	bool open;      /* the field has begun, though it may be empty */
};

struct maker {
	const struct zs_expander *expander;
	ZS_LIST(struct way) ways;
	bool splits;         /* unquoted expansions are split into fields; else the word is one field */
	bool captured;       /* the values are output of a command */
	struct zs_span span; /* of the word */
	bool listed;         /* "$@" or the like stands in these quotes */
	bool unknown;        /* the expansion is too large, or not modelled */
};

/* Making */

static struct maker expand_make(const struct zs_expander *expander, bool splits)
{
	struct maker maker = { .expander = expander, .splits = splits };

	ZS_PUSH(expander->build->arena, &maker.ways, (struct way){ 0 });
	return maker;
}

static void append(struct maker *maker, struct way *way, char byte)
{
	if (way->len == way->room) {
		char *text = zs_arena_alloc(maker->expander->build->arena, 2 * way->room + 32);

		if (way->len)
			memcpy(text, way->text, way->len);
		way->text = text;
		way->room = 2 * way->room + 32;
	}
	way->text[way->len++] = byte;
}

static void expand_put(struct maker *maker, struct way *way, char byte)
{
	maker->unknown |= way->len - way->field >= ZS_MAX_EXPANDED || !zs_expand_work(maker->expander->build, 1);
	if (maker->unknown)
		return;
	append(maker, way, byte);
	way->open = true;
}

static void put_all(struct maker *maker, char byte)
{
	for (uint32_t i = 0; i < maker->ways.count && !maker->unknown; i++)
		expand_put(maker, &maker->ways.items[i], byte);
}

static void open_all(struct maker *maker)
{
	for (uint32_t i = 0; i < maker->ways.count; i++)
		maker->ways.items[i].open = true;
}

/* Completes the field that is being made. */
static void end_field(struct maker *maker, struct way *way)
{
	maker->unknown |= way->open && way->count == ZS_MAX_FIELDS;
	if (!way->open || maker->unknown)
		return;
	append(maker, way, ZS_FIELD_END);
	way->field = way->len;
	way->count++;
	way->open = false;
}

static void end_fields(struct maker *maker)
{
	for (uint32_t i = 0; i < maker->ways.count; i++)
		end_field(maker, &maker->ways.items[i]);
}

/* Copies the ways, so that each becomes `count` ways; copies for one value stand together. Returns the number of ways
 * before. */
static uint32_t multiply(struct maker *maker, uint32_t count)
{
	uint32_t before = maker->ways.count;

	if (count == 0)
		maker->ways.count = 0; /* no value: the shell does not reach this word */
	if ((uint64_t)before * count > ZS_MAX_EXPANSIONS ||
		!zs_expand_work(maker->expander->build, (uint64_t)before * count)) {
		maker->unknown = true;
		return 0;
	}
	for (uint32_t i = 1; i < count; i++)
		for (uint32_t j = 0; j < before; j++) {
			struct way copy = maker->ways.items[j];

			copy.text = zs_arena_string(maker->expander->build->arena, copy.text, copy.len);
			copy.room = copy.len;
			ZS_PUSH(maker->expander->build->arena, &maker->ways, copy);
		}
	return before;
}

/* Splitting (man bash, Word Splitting) */

/* Finds a value that bash splits, and the text's shell keeps whole. It is found once. */
static void check_unsplit(const struct maker *maker, const char *value, const char *separators)
{
	struct zs_build *build = maker->expander->build;

	if (build->unsplit == ZS_SHELL_BASH || maker->captured || !value[strcspn(value, separators)])
		return;
	zs_find_otherwise(build, build->unsplit, -1, value, maker->span);
	build->unsplit = ZS_SHELL_BASH;
}

static void expand_split(struct maker *maker, struct way *way, const char *value, const char *separators)
{
	bool delimited = !way->open;

	check_unsplit(maker, value, separators);
	for (; *value && !maker->unknown; value++) {
		if (strchr(separators, *value)) {
			bool blank = zs_is_blank(*value) || *value == '\n';

			if (!blank && delimited && !way->open)
				way->open = true; /* there is an empty field between two commas */
			end_field(maker, way);
			delimited = !blank;
		} else if (strchr("*?[", *value) || *value == ZS_UNKNOWN_TEXT ||
			   (*value == ZS_UNKNOWN_NUMBER && strpbrk(separators, "0123456789-"))) {
			expand_put(maker, way, ZS_UNKNOWN_WORDS);
		} else {
			expand_put(maker, way, *value);
		}
	}
}

/* The values that IFS may have. Without a setting it has the default. */
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
		if (setting->kind == ZS_SET_VALUE && setting->value.text)
			zs_add_string(expander, &all, setting->value.text);
		else
			zs_add_string(expander, &all, setting->kind == ZS_SET_UNSET ? " \t\n" : "\3");
	}
	return all;
}

static bool expand_is_known(const struct zs_strings *strings)
{
	for (uint32_t i = 0; i < strings->count; i++)
		if (strpbrk(strings->items[i], ZS_UNKNOWNS))
			return false;
	return true;
}

/* The text with `unknown` in place of each of the markers. */
static const char *without(const struct zs_expander *expander, const char *text, const char *markers, char unknown)
{
	char *copy;

	if (!strpbrk(text, markers))
		return text;
	copy = zs_arena_string(expander->build->arena, text, strlen(text));
	for (char *at = copy; (at = strpbrk(at, markers)); at++)
		*at = unknown;
	return copy;
}

/* Appends a value to one way. `ifs`: the bytes that split it; NULL: it is not split. */
static void put_text(struct maker *maker, struct way *way, const char *text, const char *ifs)
{
	if (ifs)
		expand_split(maker, way, text, ifs);
	for (; !ifs && *text && !maker->unknown; text++)
		expand_put(maker, way, *text);
}

/* Appends one of the values: each way goes on in as many ways. */
static void put_values(struct maker *maker, const struct zs_strings *values, bool quoted)
{
	struct zs_strings ifs = { 0 };
	uint32_t before, kinds = 1;

	if (!quoted && maker->splits) {
		ifs = separators(maker->expander);
		kinds = ifs.count;
		maker->unknown |= !expand_is_known(&ifs);
	}
	before = multiply(maker, values->count * kinds);
	for (uint32_t i = 0; i < values->count * kinds && !maker->unknown; i++) {
		const char *value = values->items[i / kinds];

		if (quoted && maker->splits)
			value = without(maker->expander, value, "\3", ZS_UNKNOWN_TEXT);
		for (uint32_t j = 0; j < before && !maker->unknown; j++) {
			struct way *way = &maker->ways.items[i * before + j];

			way->open |= quoted;
			put_text(maker, way, value, ifs.count ? ifs.items[i % kinds] : NULL);
		}
	}
}

/* Appends "$@" or $@: the first field joins the text before it, the last field the text after it. */
static void put_lists(struct maker *maker, const struct zs_strings *lists, bool quoted)
{
	uint32_t before = multiply(maker, lists->count);
	struct zs_strings ifs = { 0 };

	maker->listed = true;
	if (!quoted && maker->splits) {
		ifs = separators(maker->expander);
		maker->unknown |= !expand_is_known(&ifs) || ifs.count != 1;
	}
	for (uint32_t i = 0; i < lists->count * before && !maker->unknown; i++) {
		struct zs_strings fields = zs_split_fields(maker->expander->build->arena, lists->items[i / before]);
		struct way *way = &maker->ways.items[i];

		for (uint32_t k = 0; k < fields.count && !maker->unknown; k++) {
			if (k && maker->splits)
				end_field(maker, way);
			else if (k)
				expand_put(maker, way, ' ');
			way->open |= !ifs.count;
			put_text(maker, way, fields.items[k], ifs.count ? ifs.items[0] : NULL);
		}
	}
}

static void put_value(struct maker *maker, const char *value, bool quoted)
{
	struct zs_strings values = { 0 };

	zs_add_string(maker->expander, &values, value);
	put_values(maker, &values, quoted);
}

static struct zs_strings taken(struct maker *maker)
{
	struct zs_strings expansions = { 0 };

	for (uint32_t i = 0; i < maker->ways.count && !maker->unknown; i++) {
		struct way *way = &maker->ways.items[i];

		end_field(maker, way);
		zs_add_string(maker->expander, &expansions,
			zs_arena_string(maker->expander->build->arena, way->text, way->len));
	}
	return maker->unknown ? zs_unknown_words(maker->expander) : expansions;
}

/* Reading the bytes of a word, which the strict reader has accepted */

static size_t skip_quoted(const char *text, size_t len, size_t at);

/* The end of the ${ $( or ( that opens before `at`; `close` is the closing byte. 0 if it does not end. */
static size_t skip_nested(const char *text, size_t len, size_t at, char close)
{
	while (at < len && text[at] != close)
		if (!(at = zs_skip_part(text, len, at)))
			return 0;
	return at < len ? at + 1 : 0;
}

size_t zs_skip_part(const char *text, size_t len, size_t at)
{
	if (text[at] == '\\')
		return at + 2;
	if (strchr("'\"`", text[at]))
		return skip_quoted(text, len, at);
	if (text[at] == '(' || (text[at] == '{' && at && text[at - 1] == '$'))
		return skip_nested(text, len, at + 1, text[at] == '(' ? ')' : '}');
	return at + 1;
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

static void expand_read_text(struct maker *maker, const char *text, size_t len, bool in_quotes);

/* Reads words with blanks between them. Subscripts and comments in an array are not modelled. */
static void read_words(struct maker *maker, const char *text, size_t len, bool array)
{
	for (size_t at = 0, end = 0; !maker->unknown; at = end) {
		while (at < len && (zs_is_blank(text[at]) || text[at] == '\n'))
			at++;
		if (at >= len)
			break;
		end = at;
		do
			end = zs_skip_part(text, len, end);
		while (end && end < len && !zs_is_blank(text[end]) && text[end] != '\n');
		maker->unknown |= !end || end > len || (array && strchr("[#", text[at]));
		if (maker->unknown)
			break;
		if (end - at == 1 && text[at] == '[')
			put_all(maker, '[');
		else
			expand_read_text(maker, text + at, end - at, false);
		end_fields(maker);
	}
}

/* Does the command print the path of a folder? */
static bool prints_folder(const struct zs_strings *words)
{
	static const char *const printers[][3] = { { "pwd" }, { "dirname" }, { "realpath" }, { "readlink", "-f" },
		{ "git", "rev-parse", "--show-toplevel" }, { "npm", "bin" }, { "npm", "root" }, { "npm", "prefix" },
		{ "yarn", "bin" }, { "pnpm", "bin" }, { "go", "env", "GOPATH" }, { "go", "env", "GOROOT" },
		{ "go", "env", "GOBIN" }, { "brew", "--prefix" }, { "mktemp" } };

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

/* The NAME of which NAME, command -v NAME or type -P NAME, which print its path if they find it. NULL if it is not
 * known. */
static const char *located(const struct zs_strings *words)
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

/* A possible output of a substitution, with the exit status of its last command. */
struct outcome {
	const char *text;
	bool succeeds, fails;
};

struct outcomes {
	struct outcome *items;
	uint32_t count, capacity;
};

static void add_outcome(const struct zs_expander *expander, struct outcomes *all, struct outcome outcome)
{
	for (uint32_t i = 0; i < all->count; i++) {
		struct outcome *have = &all->items[i];

		if (strcmp(have->text, outcome.text) != 0)
			continue;
		have->succeeds |= outcome.succeeds;
		have->fails |= outcome.fails;
		return;
	}
	if (all->count >= ZS_MAX_EXPANSIONS)
		outcome.text = "\3";
	ZS_PUSH(expander->build->arena, all, outcome);
}

/* Adds the output of a simple command whose words are known. */
static void take_command(const struct zs_expander *expander, const struct zs_strings *words, struct outcomes *all)
{
	struct zs_arena *arena = expander->build->arena;
	struct outcome outcome = { "\1", true, true };
	const char *name = words->count ? words->items[0] : "";

	if (!words->count) {
		outcome.text = "";
	} else if (strpbrk(name, ZS_UNKNOWNS) || zs_defines(expander->build, name)) {
		outcome.text = "\1";
	} else if (located(words)) {
		add_outcome(expander, all, (struct outcome){ "", false, true });
		outcome.text = zs_arena_format(arena, "%s\n", located(words));
		outcome.fails = false;
	} else if (strcmp(name, "echo") == 0 || strcmp(name, "printf") == 0) {
		outcome.text = zs_printed(arena, words);
		outcome.fails = !outcome.text;
	} else if (zs_listed(name, "true : [ test false")) { /* they print nothing */
		outcome.text = "";
		outcome.succeeds = strcmp(name, "false") != 0;
		outcome.fails = strcmp(name, "true") != 0 && strcmp(name, ":") != 0;
	} else if (prints_folder(words)) {
		outcome.text = "\2\n";
		for (uint32_t i = 0; i < words->count; i++)
			if (strpbrk(words->items[i], ZS_UNKNOWNS ";&|<>()$`\"'\\*?[]#~{}!"))
				outcome.text = "\6\n";
	}
	if (!outcome.text || strlen(outcome.text) > ZS_MAX_EXPANDED)
		outcome.text = "\1";
	add_outcome(expander, all, outcome);
}

static struct outcomes outcomes_of(const struct zs_expander *expander, const char *text, size_t len)
{
	struct maker maker = expand_make(expander, true);
	struct outcomes all = { 0 };
	struct zs_strings words;

	maker.unknown = expander->steps > ZS_MAX_EXPAND_STEPS;
	read_words(&maker, text, len, false);
	words = taken(&maker);
	for (uint32_t i = 0; i < words.count; i++) {
		struct zs_strings fields = zs_split_fields(expander->build->arena, words.items[i]);

		take_command(expander, &fields, &all);
	}
	return all;
}

/* A && B, A || B: B runs after those outcomes of A that lead to it. */
static struct outcomes joined_outcomes(
	const struct zs_expander *expander, const struct outcomes *left, const struct outcomes *right, char operator)
{
	struct outcomes all = { 0 };

	for (uint32_t i = 0; i < left->count; i++) {
		const struct outcome *before = &left->items[i];
		bool leads = operator == '&' ? before->succeeds : before->fails;

		if (operator == '&' ? before->fails : before->succeeds)
			add_outcome(expander, &all, (struct outcome){ before->text, operator == '|', operator == '&' });
		for (uint32_t j = 0; leads && j < right->count; j++) {
			const struct outcome *after = &right->items[j];

			add_outcome(expander, &all,
				(struct outcome){
					zs_arena_format(expander->build->arena, "%s%s", before->text, after->text),
					after->succeeds, after->fails });
		}
	}
	return all;
}

/* The end of the command that begins at `text`: && or ||, or the end of the text. */
static size_t command_end(const char *text, size_t len)
{
	size_t at = 0;

	while (at < len && !(strchr("&|", text[at]) && at + 1 < len && text[at + 1] == text[at])) {
		at = strchr("'\"", text[at]) ? skip_quoted(text, len, at) : at + 1;
		if (!at)
			return len;
	}
	return at;
}

static bool blank_word(char *text, const char *word)
{
	size_t len = strlen(word);

	if (strncmp(text, word, len) != 0 || (text[len] && !zs_is_blank(text[len]) && !strchr("&|", text[len])))
		return false;
	memset(text, ' ', len);
	return true;
}

/* Blanks out >/dev/null and the like. True: standard output goes there. */
static bool blank_silent(char *text, size_t len)
{
	static const char *const all[] = { "&>/dev/null", "&> /dev/null", ">/dev/null", "> /dev/null" };
	static const char *const errors[] = { "2>/dev/null", "2> /dev/null", "2>&1" };
	bool silent = false;

	for (size_t at = 1; at < len; at++) {
		if (!zs_is_blank(text[at - 1]))
			continue;
		for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
			blank_word(text + at, errors[i]);
		for (size_t i = 0; i < sizeof all / sizeof *all; i++)
			silent |= blank_word(text + at, all[i]);
	}
	return silent;
}

/* The place that a command prints; NULL: not known. */
static const char *place_of_output(const char *text)
{
	static const char root[] = { ZS_PLACE_ROOT, '\0' };

	if (zs_listed(text, "pwd") || strcmp(text, "pwd -P") == 0)
		return ".";
	if (strcmp(text, "git rev-parse --show-toplevel") == 0)
		return root;
	return strcmp(text, "mktemp") == 0 || strcmp(text, "mktemp -d") == 0 ||
			       (strncmp(text, "mktemp -", 8) == 0 && strstr(text, " -t "))
		       ? "/tmp/mktemp"
		       : NULL;
}

/* The output of $(…), if it holds simple commands with && and || between them. */
static struct zs_strings captured(const struct zs_expander *expander, const char *text, size_t len)
{
	struct zs_strings values = { 0 };
	struct zs_expander inner = *expander;
	struct outcomes all = { 0 };
	char *plain = zs_arena_string(expander->build->arena, text, len), operator = '\0';

	if (expander->build->names->places && place_of_output(plain)) {
		zs_add_string(expander, &values, place_of_output(plain));
		return values;
	}
	inner.steps++;
	for (size_t at = 0, end; at < len; at = end + 2) {
		struct outcomes made = { 0 };
		bool silent;

		end = at + command_end(plain + at, len - at);
		silent = blank_silent(plain + at, end - at);
		if (memchr(plain + at, '\n', end - at) || strcspn(plain + at, ";&|<>()#{}!`\\") < end - at) {
			zs_add_string(expander, &values, "\1");
			return values;
		}
		made = outcomes_of(&inner, plain + at, end - at);
		for (uint32_t i = 0; silent && i < made.count; i++)
			made.items[i].text = "";
		all = operator ? joined_outcomes(expander, &all, &made, operator) : made;
		operator = plain[end];
	}
	for (uint32_t i = 0; i < all.count; i++) { /* bash drops the newlines at the end */
		char *output = zs_arena_string(expander->build->arena, all.items[i].text, strlen(all.items[i].text));

		for (size_t end = strlen(output); end && output[end - 1] == '\n';)
			output[--end] = '\0';
		zs_add_string(expander, &values, output);
	}
	if (!all.count)
		zs_add_string(expander, &values, "");
	return values;
}

#define MOST_DIGITS 4 /* digits of a subscript */

/* Appends ${x^^} and its like for each known value. */
static void put_transformed(
	struct maker *maker, const struct zs_strings *given, const char *op, size_t len, bool quoted)
{
	const struct zs_expander *expander = maker->expander;
	struct zs_strings values = { 0 };

	for (uint32_t i = 0; i < given->count; i++) {
		const char *value = given->items[i];

		if (!zs_expand_work(expander->build, strlen(value) * (len + 1)))
			value = NULL;
		value = value && !strpbrk(value, ZS_UNKNOWNS) ? zs_transformed(expander->build->arena, value, op, len)
							      : NULL;
		zs_add_string(expander, &values, value ? value : "\1");
	}
	put_values(maker, &values, quoted);
}

/* Appends ${!x}: the values of the variables that x may name. */
static void put_indirect(struct maker *maker, const char *name, bool quoted)
{
	const struct zs_expander *expander = maker->expander;
	struct zs_strings names = zs_variable_values(expander, name), values = { 0 };
	struct zs_expander inner = *expander;

	inner.steps++;
	for (uint32_t i = 0; i < names.count; i++) {
		const char *named = names.items[i];
		struct zs_strings given = { 0 };
		size_t len = 0;

		while (zs_is_name(named[len]))
			len++;
		if (!zs_is_name_start(*named) || named[len]) {
			put_value(maker, "\1", quoted);
			return;
		}
		given = zs_variable_values(&inner, named);
		for (uint32_t j = 0; j < given.count; j++)
			zs_add_string(expander, &values, given.items[j]);
	}
	put_values(maker, &values, quoted);
}

/* The value of digits; it stops counting at 100000. */
static uint32_t number_of(const char *digits)
{
	uint32_t number = 0;

	for (; zs_is_digit(*digits) && number < 100000; digits++)
		number = number * 10 + (uint32_t)(*digits - '0');
	return number;
}

/* ${x[N]}, $N: element N of each list, counted from 0. */
static struct zs_strings elements(const struct zs_expander *expander, const struct zs_strings *lists, uint32_t which)
{
	struct zs_strings values = { 0 };

	for (uint32_t i = 0; i < lists->count; i++)
		zs_add_string(expander, &values,
			zs_may_be_several(lists->items[i], which + 1)
				? "\3"
				: zs_field(expander->build->arena, lists->items[i], which));
	return values;
}

/* ${x[@]:N}: the lists without their first N elements. */
static struct zs_strings sliced(const struct zs_expander *expander, const struct zs_strings *lists, uint32_t skip)
{
	struct zs_strings rest = { 0 };

	for (uint32_t i = 0; i < lists->count; i++) {
		if (zs_may_be_several(lists->items[i], skip))
			return zs_unknown_words(expander);
		zs_add_string(expander, &rest, zs_behind_fields(lists->items[i], skip));
	}
	return rest;
}

/* Appends ${x[@]} or ${@:2}. `op` is the text after the list. */
static void put_list(struct maker *maker, const char *name, const char *op, size_t len, bool quoted)
{
	const struct zs_expander *expander = maker->expander;
	bool parameters = *name == '@' || *name == '*';
	struct zs_strings lists = parameters ? zs_parameters(expander) : zs_variable_lists(expander, name);
	uint32_t skip;

	if (len) {
		if (*op != ':' || len < 2 || len > MOST_DIGITS || strspn(op + 1, "0123456789") < len - 1) {
			put_value(maker, "\3", quoted);
			return;
		}
		skip = number_of(op + 1);
		if (skip && parameters) /* parameters count from 1 */
			skip--;
		lists = sliced(expander, &lists, skip);
	}
	put_lists(maker, &lists, quoted);
}

/* Appends ${x:-word} and its like. `op` is the operator without its colon, and the word. */
static void put_default(struct maker *maker, const char *name, const struct zs_strings *given, const char *op,
	size_t len, bool colon, bool quoted)
{
	const struct zs_expander *expander = maker->expander;
	struct zs_strings values = { 0 };
	struct zs_strings lists;
	struct maker word;
	bool empty = false;

	for (uint32_t i = 0; i < given->count; i++) {
		const char *value = given->items[i];

		empty |= !*value;
		/* A variable that no text sets gets the default, unless every session sets it. */
		if (*value && *op != '+' &&
			!(strcmp(value, "\3") == 0 && given->count == 1 && !zs_is_digit(*name) &&
				zs_is_from_outside(expander, name)))
			zs_add_string(expander, &values, value);
	}
	if (!colon && empty && *op != '+')
		zs_add_string(expander, &values, "");
	if (*op == '?') {
		if (values.count)
			put_values(maker, &values, quoted);
		else
			put_value(maker, "\3", quoted);
		return;
	}
	word = expand_make(expander, false);
	expand_read_text(&word, op + 1, len - 1, quoted);
	lists = taken(&word);
	if (*op == '+')
		zs_add_string(expander, &values, "");
	zs_add_firsts(expander, &values, &lists);
	put_values(maker, &values, quoted);
}

/* The values of NAME or NAME[N] in ${…}. *end is after the name, and is moved after the subscript. */
static struct zs_strings scalar(
	const struct zs_expander *expander, const char *name, const char *text, size_t len, size_t *end)
{
	struct zs_strings lists;
	struct zs_strings values;
	size_t digits = *end < len && text[*end] == '[' ? strspn(text + *end + 1, "0123456789") : 0;
	uint32_t which;

	if (digits && digits < MOST_DIGITS && *end + digits + 2 <= len && text[*end + 1 + digits] == ']' &&
		(text[*end + 1] != '0' || digits == 1) && !zs_is_digit(*name)) {
		lists = zs_variable_lists(expander, name);
		values = elements(expander, &lists, number_of(text + *end + 1));
		*end += digits + 2;
		return values;
	}
	if (!zs_is_digit(*name))
		return zs_variable_values(expander, name);
	which = number_of(name);
	values = (struct zs_strings){ 0 };
	if (!which) {
		zs_add_string(expander, &values, zs_parameter_zero(expander));
		return values;
	}
	lists = zs_parameters(expander);
	return elements(expander, &lists, which - 1);
}

/* Reads the text between the braces of ${…}. */
static void read_braced(struct maker *maker, const char *text, size_t len, bool quoted)
{
	const struct zs_expander *expander = maker->expander;
	size_t end = len && strchr("@*", text[0]) ? 1 : 0;
	bool indirect = len > 1 && text[0] == '!' && zs_is_name_start(text[1]), list, star, colon;
	struct zs_strings given;
	const char *name;

	for (end += indirect; end < len && zs_is_name(text[end]);)
		end++;
	name = zs_arena_string(expander->build->arena, text + indirect, end - indirect);
	list = *name == '@' || *name == '*';
	star = *name == '*';
	if (!list && end + 2 < len && text[end] == '[' && strchr("@*", text[end + 1]) && text[end + 2] == ']') {
		list = true;
		star = text[end + 1] == '*';
		end += 3;
	}
	/* the first byte of IFS joins ${x[*]} */
	if (!*name || (star && (quoted || !maker->splits)) || (indirect && end < len)) {
		put_value(maker, "\1", quoted);
		return;
	}
	if (indirect || list) {
		if (indirect)
			put_indirect(maker, name, quoted);
		else
			put_list(maker, name, text + end, len - end, quoted);
		return;
	}
	given = scalar(expander, name, text, len, &end);
	if (end == len) {
		put_values(maker, &given, quoted);
		return;
	}
	colon = text[end] == ':';
	if (end + colon < len && strchr("-=?+", text[end + colon]))
		put_default(maker, name, &given, text + end + colon, len - end - colon, colon, quoted);
	else
		put_transformed(maker, &given, text + end, len - end, quoted);
}

static void put_captured(struct maker *maker, const char *text, size_t len, bool quoted)
{
	struct zs_strings values = captured(maker->expander, text, len);

	maker->captured = true; /* every shell splits it */
	put_values(maker, &values, quoted);
	maker->captured = false;
}

/* The end of a part of the text; if it does not end, the rest is unknown. */
static size_t known_end(struct maker *maker, size_t end, size_t len)
{
	maker->unknown |= !end;
	return end ? end : len;
}

/* Reads the expansion at $; returns its end. */
static size_t read_dollar(struct maker *maker, const char *text, size_t len, size_t at, bool quoted)
{
	char next = at + 1 < len ? text[at + 1] : '\0';
	size_t end = at + 2;

	if (next == '(' || next == '{') {
		end = known_end(maker, skip_nested(text, len, at + 2, next == '(' ? ')' : '}'), len);
		if (maker->unknown)
			return end;
		if (next == '{')
			read_braced(maker, text + at + 2, end - at - 3, quoted);
		else if (text[at + 2] == '(')
			put_value(maker, "\4", quoted);
		else
			put_captured(maker, text + at + 2, end - at - 3, quoted);
		return end;
	}
	if (zs_is_name_start(next))
		while (end < len && zs_is_name(text[end]))
			end++;
	if (zs_is_name(next) || next == '@' || (next == '*' && !quoted)) {
		read_braced(maker, text + at + 1, end - at - 1, quoted);
	} else if (next == '*') { /* the first byte of IFS joins $* */
		put_value(maker, "\1", quoted);
	} else if (next == '-') {
		put_all(maker, ZS_UNKNOWN_TEXT);
	} else if (next && strchr("#?$!", next)) { /* $! is empty before the first background command */
		put_value(maker, "\4", quoted);
	} else if (next == '[') {
		maker->unknown = true;
	} else {
		put_all(maker, '$');
		return at + 1;
	}
	return end;
}

/* Reads $'…' whose quote is at `at`; returns its end. */
static size_t read_ansi_c(struct maker *maker, const char *text, size_t len, size_t at)
{
	struct zs_units units = { 0 };
	size_t end = known_end(maker, skip_quoted(text, len, at), len);

	open_all(maker);
	if (zs_decode_ansi_c(maker->expander->build->arena, text, (uint32_t)at + 1, (uint32_t)end - 1, &units))
		maker->unknown = true;
	for (uint32_t i = 0; i < units.count; i++)
		put_all(maker, units.items[i].kind == ZS_UNIT_DYNAMIC || units.items[i].byte == ZS_FIELD_END
				       ? ZS_UNKNOWN_TEXT
				       : units.items[i].byte);
	return end;
}

/* Reads a word, or a part of one. `in_quotes`: the part stands in double quotes. */
static void expand_read_text(struct maker *maker, const char *text, size_t len, bool in_quotes)
{
	bool quoted = in_quotes;

	if (!in_quotes && len && text[0] == '~') {
		size_t user = 1;

		while (user < len && (zs_is_name(text[user]) || strchr("+-.", text[user])))
			user++;
		if (maker->expander->build->names->places && user == 1) { /* ~+ and ~ada are other folders */
			struct zs_strings home = zs_variable_values(maker->expander, "HOME");

			put_values(maker, &home, true);
		} else {
			put_all(maker, ZS_UNKNOWN_PATH);
		}
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
			size_t end = known_end(maker, skip_quoted(text, len, at), len);

			if (!maker->unknown)
				put_captured(maker, text + at + 1, end - at - 2, quoted);
			at = end;
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
			put_all(maker, maker->expander->build->names->places ? ZS_PLACE_PATTERN : ZS_UNKNOWN_WORDS);
			at++;
		} else {
			put_all(maker, c);
			at++;
		}
	}
}

/* Words */

/* Is `raw` the word as it was written? */
static bool shows_itself(const struct zs_raw_word *word)
{
	static const char *const others[] = { "found file", "replaced", "input", "array", "reference" };

	for (size_t i = 0; word->dynamic && i < sizeof others / sizeof *others; i++)
		if (strcmp(others[i], word->dynamic) == 0)
			return false;
	return word->raw && !word->part;
}

static struct zs_strings expand(const struct zs_expander *expander, const struct zs_raw_word *word, bool splits)
{
	struct maker maker;
	struct zs_strings one = { 0 };
	bool below =
		splits && !word->text && strcmp(word->dynamic, "found file") == 0 && strcmp(word->prefix, "./") == 0;

	if (word->text) {
		zs_add_field(expander, &one, without(expander, word->text, ZS_UNKNOWNS "\5", ZS_UNKNOWN_WORDS));
		return one;
	}
	if (!below && (!shows_itself(word) || expander->steps > ZS_MAX_EXPAND_STEPS ||
			      !zs_expand_work(expander->build, word->raw_len)))
		return zs_unknown_words(expander);
	maker = expand_make(expander, splits);
	maker.span = word->span;
	if (below)
		put_value(&maker, "./\1", true);
	else
		expand_read_text(&maker, word->raw, word->raw_len, false);
	return taken(&maker);
}

struct zs_strings zs_expand_word(const struct zs_expander *expander, const struct zs_raw_word *word)
{
	return expand(expander, word, true);
}

struct zs_strings zs_expand_value(const struct zs_expander *expander, const struct zs_raw_word *word)
{
	struct zs_strings expansions;
	struct zs_strings values = { 0 };

	if (word->text) { /* most values are static; this saves memory */
		zs_add_string(expander, &values, without(expander, word->text, ZS_UNKNOWNS "\5", ZS_UNKNOWN_WORDS));
		return values;
	}
	expansions = expand(expander, word, false);
	zs_add_firsts(expander, &values, &expansions);
	return values;
}

struct zs_strings zs_expand_words(const struct zs_expander *expander, const struct zs_word_list *words, uint32_t from)
{
	struct maker maker = expand_make(expander, true);

	for (uint32_t i = from; i < words->count && !maker.unknown; i++) {
		struct zs_strings word = zs_expand_word(expander, &words->items[i]);

		end_fields(&maker);
		put_lists(&maker, &word, true);
	}
	return taken(&maker);
}

/* Expands the words between the parentheses of x=( … ). */
struct zs_strings zs_expand_array(const struct zs_expander *expander, const struct zs_raw_word *word)
{
	struct maker maker = expand_make(expander, true);
	const char *text = word->raw, *open = text ? memchr(text, '(', word->raw_len) : NULL;
	size_t len = word->raw_len, at = open ? (size_t)(open - text) + 1 : 0;

	if (!open || expander->steps > ZS_MAX_EXPAND_STEPS || !zs_expand_work(expander->build, len))
		return zs_unknown_words(expander);
	if (at < len)
		read_words(&maker, text + at, len - at - 1, true);
	return taken(&maker);
}
