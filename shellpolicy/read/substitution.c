/* The output of $(…), for the few commands whose output the text determines. */
#include "read/expand_maker.h"

#include <string.h>

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
	struct zs_maker maker = zs_maker_new(expander, true);
	struct outcomes all = { 0 };
	struct zs_strings words;

	maker.unknown = expander->steps > ZS_MAX_EXPAND_STEPS;
	zs_expand_listed(&maker, text, len, false);
	words = zs_maker_take(&maker);
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
		at = strchr("'\"", text[at]) ? zs_skip_quoted(text, len, at) : at + 1;
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

struct zs_strings zs_expand_substitution(const struct zs_expander *expander, const char *text, size_t len)
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
