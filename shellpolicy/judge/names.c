#include "judge/names.h"

#include "judge/feed.h"
#include "judge/judge.h"

#include <string.h>

/* Settings */

static void add_setting(struct zs_build *build, const struct zs_setting *setting)
{
	if (!build->guessing)
		ZS_PUSH(build->arena, &build->names->settings, *setting);
}

void zs_name_set(
	struct zs_classify *classify, const char *name, enum zs_setting_kind kind, const struct zs_raw_word *value)
{
	const struct zs_raw_command *command = classify->command;
	size_t len = strlen(name);
	bool prefix = command && command->assignments.count && command->words.count;
	struct zs_setting setting = {
		.name = name,
		.kind = kind,
		.loose = !command || command->loose || prefix || command->nesting == ZS_NEST_WRAPPER,
		.value = value ? *value : (struct zs_raw_word){ .prefix = "" },
		.where = classify->where,
	};

	/* IFS= read -r x sets IFS for this command only */
	if (prefix && strcmp(name, "IFS") == 0 && command->words.items[0].text &&
		strcmp(command->words.items[0].text, "read") == 0)
		return;
	if (len && name[len - 1] == '+') {
		setting.name = zs_arena_string(classify->build->arena, name, len - 1);
		setting.kind = kind == ZS_SET_VALUE ? ZS_SET_APPENDED : kind;
	}
	add_setting(classify->build, &setting);
}

void zs_parameters_set(struct zs_classify *classify, uint32_t from)
{
	struct zs_setting setting = {
		.name = "@",
		.kind = ZS_SET_PARAMETERS,
		.loose = classify->command->loose || classify->command->nesting == ZS_NEST_WRAPPER,
		.words = &classify->command->words,
		.from = from,
		.where = classify->where,
	};

	add_setting(classify->build, &setting);
}

/* Does the loop run its body at least once, as far as the text says? */
static bool has_items(const struct zs_raw_loop *loop)
{
	for (uint32_t i = 0; i < loop->items.count; i++)
		if (loop->items.items[i].text)
			return true;
	return false;
}

void zs_loops_set(struct zs_classify *classify)
{
	const struct zs_raw *raw = classify->raw;

	for (uint32_t i = 0; i < raw->loops.count; i++) {
		const struct zs_raw_loop *loop = &raw->loops.items[i];
		struct zs_setting setting = {
			.name = loop->name,
			.kind = ZS_SET_WORDS,
			.loose = loop->loose || loop->selects || !has_items(loop),
			.since = 2 * loop->body,
			.until = 2 * loop->end,
			.words = loop->parameters ? NULL : &loop->items,
			.where = { classify->where.scope, loop->function, 2 * loop->at },
		};

		add_setting(classify->build, &setting);
	}
	for (uint32_t i = 0; i < raw->defaults.count; i++) {
		const struct zs_raw_default *given = &raw->defaults.items[i];
		struct zs_setting setting = {
			.name = *given->name == '!' ? "*" : given->name,
			.kind = *given->name == '!' ? ZS_SET_UNKNOWN : ZS_SET_VALUE,
			.loose = given->loose,
			.value = given->value,
			.where = { classify->where.scope, given->function, 2 * given->at + 1 },
		};

		add_setting(classify->build, &setting);
	}
}

/* Uses */

void zs_name_used(struct zs_classify *classify, uint32_t at, bool blames)
{
	struct zs_names *names = classify->build->names;
	struct zs_name_use use = {
		.command = classify->command,
		.where = classify->where,
		.text = classify->text,
		.word = at,
		.steps = names->steps + 1,
		.index = blames ? classify->index : -1,
	};

	if (classify->build->guessing)
		return;
	if (use.steps <= ZS_MAX_NAME_STEPS && names->uses.count < ZS_MAX_NAME_USES)
		ZS_PUSH(classify->build->arena, &names->uses, use);
	else if (blames)
		zs_blame(classify, ZS_RISK_DYNAMIC_COMMAND, &classify->command->words.items[at], NULL);
}

/* May the word, or a part of it, become an option? */
static bool may_be_option(const struct zs_raw_word *word)
{
	return !word->text && (!*word->prefix || *word->prefix == '-');
}

void zs_options_used(struct zs_classify *classify)
{
	struct zs_names *names = classify->build->names;
	const struct zs_word_list *words = &classify->command->words;
	uint32_t at = 1;

	while (at < words->count && !may_be_option(&words->items[at]))
		at++;
	if (at >= words->count || classify->build->guessing || names->spelled)
		return;
	if (names->options.count == ZS_MAX_OPTION_USES) {
		zs_blame(classify, ZS_RISK_DYNAMIC_ARGUMENT, &words->items[at],
			"it may be an option, and there are too many of them");
		return;
	}
	ZS_PUSH(classify->build->arena, &names->options,
		(struct zs_name_use){
			.command = classify->command,
			.where = classify->where,
			.text = classify->text,
			.word = at,
			.steps = names->steps,
			.index = classify->index,
		});
}

void zs_code_used(struct zs_classify *classify, const struct zs_raw_word *code, enum zs_code_kind kind)
{
	struct zs_code_use use = { *code, classify->where, classify->index, kind, zs_row_language(classify->row) };

	if (!classify->build->guessing)
		ZS_PUSH(classify->build->arena, &classify->build->names->codes, use);
}

bool zs_shell_used(struct zs_classify *classify, struct zs_shell_use *use)
{
	struct zs_names *names = classify->build->names;

	if (classify->build->guessing || names->shells.count == ZS_MAX_NAME_USES)
		return false;
	use->where = classify->where;
	use->index = classify->index;
	ZS_PUSH(classify->build->arena, &names->shells, *use);
	return true;
}

/* May a path whose first `known` bytes are known lie below one of the folders? /b may: /b?n is /bin. */
static bool may_lie_below(const char *path, size_t known, const char *folders)
{
	for (size_t len; *folders; folders += len, folders += strspn(folders, " ")) {
		len = strcspn(folders, " ");
		if (strncmp(path, folders, known < len ? known : len) == 0)
			return true;
	}
	return false;
}

/* Folders in which the system keeps its programs, interpreters among them. */
static bool is_of_system(const char *path)
{
	return strstr(path, "..") || strncmp(path, "//", 2) == 0 ||
	       may_lie_below(path, strlen(path), "/bin /sbin /usr /opt /nix /snap /lib /proc /dev");
}

enum known {
	NAME_KNOWN,   /* all of the name is known, or its last part */
	NAME_PROGRAM, /* the name is a program of the workspace: no builtin, and no interpreter of the system */
	NAME_UNKNOWN,
};

static enum known how_known(struct zs_arena *arena, const char *name)
{
	size_t known = strcspn(name, ZS_UNKNOWNS);
	const char *last = strrchr(name, '/');

	if (!name[known])
		return NAME_KNOWN;
	if (last && last[1] && !strpbrk(last, ZS_UNKNOWNS) && !strchr(name, ZS_UNKNOWN_WORDS))
		return NAME_KNOWN;
	if (memchr(name, '/', known) && !is_of_system(zs_arena_string(arena, name, known)))
		return NAME_PROGRAM;
	return NAME_UNKNOWN;
}

/* Makes a word of a field, to put it into a command. */
static struct zs_raw_word word_of(struct zs_arena *arena, const char *field, const struct zs_raw_word *from)
{
	size_t known = strcspn(field, ZS_UNKNOWNS);
	struct zs_raw_word word = *from;

	word.part = word.quoted = true;
	word.shape = NULL;
	word.text = word.prefix = field;
	word.dynamic = NULL;
	if (!field[known])
		return word;
	word.text = NULL;
	word.dynamic = "variable";
	word.quoted = !strchr(field, ZS_UNKNOWN_WORDS);
	word.prefix = zs_arena_string(arena, field, known);
	return word;
}

/* The same for a command's name. In PATH/program a row needs only the program's name. */
static struct zs_raw_word program_of(struct zs_arena *arena, const char *field, const struct zs_raw_word *from)
{
	struct zs_raw_word word = word_of(arena, field, from);

	if (!word.text) {
		word.dynamic = "folder";
		word.prefix = zs_arena_format(arena, "…%s", strrchr(field, '/'));
	}
	return word;
}

/* Was this expansion judged before? If not, it is noted. */
static bool was_judged(struct zs_arena *arena, struct zs_strings *judged, const char *text)
{
	for (uint32_t i = 0; i < judged->count; i++)
		if (strcmp(judged->items[i], text) == 0)
			return true;
	ZS_PUSH(arena, judged, text);
	return false;
}

static void names_blame(struct zs_build *build, struct zs_name_use *use, enum zs_risk code, const char *detail)
{
	const struct zs_raw_word *word = &use->command->words.items[use->word];

	if (use->index < 0 || use->blamed)
		return;
	use->blamed = code == ZS_RISK_DYNAMIC_COMMAND;
	zs_find(build, code, use->index, zs_word_shown(build->arena, word), detail, word->span);
}

/* Pushes the words of a "$@" after the name, if the texts allow only one expansion of it. */
static void push_known(struct zs_build *build, const struct zs_name_use *use, const struct zs_raw_word *word,
	struct zs_word_list *words)
{
	struct zs_expander expander = { .build = build, .where = use->where };
	struct zs_strings ways = { 0 };
	struct zs_strings fields = { 0 };
	bool known = !word->text && word->raw && memchr(word->raw, '@', word->raw_len);

	if (known)
		ways = zs_expand_word(&expander, word);
	known &= ways.count == 1 && !strpbrk(ways.items[0], ZS_UNKNOWNS);
	if (!known)
		ZS_PUSH(build->arena, words, *word);
	else
		fields = zs_split_fields(build->arena, ways.items[0]);
	for (uint32_t i = 0; i < fields.count; i++)
		ZS_PUSH(build->arena, words, word_of(build->arena, fields.items[i], word));
}

/* The command without its words and assignments. */
static struct zs_raw_command *empty_copy(struct zs_build *build, const struct zs_raw_command *from)
{
	struct zs_raw_command *command = zs_arena_alloc(build->arena, sizeof *command);

	*command = *from;
	command->nesting = ZS_NEST_WRAPPER;
	command->depth++;
	command->words = (struct zs_word_list){ 0 };
	command->assignments.items = NULL;
	command->assignments.count = command->assignments.capacity = 0;
	return command;
}

/* Makes the command in which the fields replace the word. */
static struct zs_raw_command *replaced(
	struct zs_build *build, const struct zs_name_use *use, const struct zs_strings *fields)
{
	const struct zs_word_list *words = &use->command->words;
	struct zs_raw_command *command = empty_copy(build, use->command);

	for (uint32_t i = 0; i < use->word; i++)
		ZS_PUSH(build->arena, &command->words, words->items[i]);
	for (uint32_t i = 0; i < fields->count; i++)
		ZS_PUSH(build->arena, &command->words,
			use->word + i == 0 ? program_of(build->arena, fields->items[i], &words->items[use->word])
					   : word_of(build->arena, fields->items[i], &words->items[use->word]));
	for (uint32_t i = use->word + 1; i < words->count; i++)
		push_known(build, use, &words->items[i], &command->words);
	return command->words.count ? command : NULL;
}

static bool judge_way(struct zs_build *build, uint32_t index, const char *way)
{
	struct zs_name_use *use = &build->names->uses.items[index];
	struct zs_strings fields = zs_split_fields(build->arena, way);
	enum known known = fields.count ? how_known(build->arena, fields.items[0]) : NAME_KNOWN;
	struct zs_raw_command *command;

	/* before an inner command an unknown word may be a flag or an assignment */
	if (use->word && fields.count && strpbrk(fields.items[0], ZS_UNKNOWNS))
		known = known == NAME_KNOWN && fields.items[0][0] != '-' ? NAME_KNOWN : known;
	if (known != NAME_KNOWN) {
		names_blame(build, use, known == NAME_UNKNOWN ? ZS_RISK_DYNAMIC_COMMAND : ZS_RISK_DYNAMIC_ARGUMENT,
			known == NAME_UNKNOWN ? NULL : "which program of this folder is known only at run time");
		return false;
	}
	command = replaced(build, use, &fields);
	if (!command)
		return false;
	build->names->steps = use->steps;
	zs_classify_command(build, use->text, use->where, command);
	build->names->steps = 0;
	return true;
}

static bool follow(struct zs_build *build, uint32_t index)
{
	struct zs_names *names = build->names;
	struct zs_expander expander = { .build = build, .where = names->uses.items[index].where };
	struct zs_name_use *use = &names->uses.items[index];
	uint32_t said = names->settings.count + names->calls.count + names->scopes.count;
	struct zs_strings ways;
	bool more = false;

	if (use->said == said)
		return false;
	use->said = said;
	ways = zs_expand_word(&expander, &use->command->words.items[use->word]);

	for (uint32_t i = 0; i < ways.count; i++)
		if (!was_judged(build->arena, &names->uses.items[index].judged, ways.items[i]))
			more |= judge_way(build, index, ways.items[i]);
	return more;
}

/* Options */

/* Puts the words into `command`, each with its expansion number `way` if that adds a known byte. The result tells
 * which became options; "" if none did. */
static const char *spell(struct zs_build *build, const struct zs_name_use *use, const struct zs_strings *ways,
	uint32_t way, struct zs_raw_command *command)
{
	const char *options = "";

	for (uint32_t i = 0; i < use->command->words.count; i++) {
		const struct zs_raw_word *word = &use->command->words.items[i];
		const char *expansion = ways[i].count ? ways[i].items[way % ways[i].count] : NULL;
		struct zs_strings fields = { 0 };
		bool option = false;

		if (!expansion || strchr(ZS_UNKNOWNS, *expansion) ||
			(*word->prefix && strpbrk(expansion, ZS_UNKNOWNS))) {
			ZS_PUSH(build->arena, &command->words, *word);
			continue;
		}
		fields = zs_split_fields(build->arena, expansion);
		for (uint32_t j = 0; j < fields.count; j++) {
			option |= *fields.items[j] == '-';
			ZS_PUSH(build->arena, &command->words, word_of(build->arena, fields.items[j], word));
		}
		if (option)
			options = zs_arena_format(build->arena, "%s %u %s", options, i, expansion);
	}
	return options;
}

/* Expands a word. The work does not count for names. */
static struct zs_strings expand_option(struct zs_build *build, const struct zs_name_use *use, uint32_t at)
{
	struct zs_names *names = build->names;
	struct zs_expander expander = { .build = build, .where = use->where };
	uint64_t work = names->work;
	struct zs_strings ways;

	names->work = names->option_work;
	ways = zs_expand_word(&expander, &use->command->words.items[at]);
	names->option_work = names->work;
	names->work = work;
	return ways;
}

/* Judges the command with the options that the texts give to it: each value of each word once. */
static void follow_options(struct zs_build *build, uint32_t index)
{
	struct zs_names *names = build->names;
	struct zs_name_use use = names->options.items[index];
	uint32_t said = names->settings.count + names->calls.count + names->scopes.count, most = 0;
	const struct zs_raw_word *first = &use.command->words.items[use.word];
	struct zs_strings *ways;

	if (use.said == said)
		return;
	names->options.items[index].said = said;
	ways = zs_arena_alloc(build->arena, use.command->words.count * sizeof *ways);
	for (uint32_t i = 0; i < use.command->words.count; i++) {
		ways[i] = i && may_be_option(&use.command->words.items[i]) ? expand_option(build, &use, i)
									   : (struct zs_strings){ 0 };
		most = ways[i].count > most ? ways[i].count : most;
	}
	if (names->option_work > ZS_NAMES_WORK && !use.blamed) {
		names->options.items[index].blamed = true;
		zs_find(build, ZS_RISK_DYNAMIC_ARGUMENT, use.index, zs_word_shown(build->arena, first),
			"it may be an option, and it takes too long to find out", first->span);
	}
	for (uint32_t way = 0; way < most; way++) {
		struct zs_raw_command *command = empty_copy(build, use.command);
		const char *options = spell(build, &use, ways, way, command);

		if (!*options || was_judged(build->arena, &names->options.items[index].judged, options))
			continue;
		names->spelled = true;
		names->steps = use.steps;
		zs_classify_command(build, use.text, use.where, command);
		names->steps = 0;
		names->spelled = false;
	}
}

/* Code */

/* May a statement begin in an unknown part? An unknown part between other text is data: print('$x'). */
static bool begins_statement(const char *code)
{
	for (const char *at = code; (at = strpbrk(at, ZS_UNKNOWNS)); at++) {
		const char *before = at;

		while (before > code && zs_is_blank(before[-1]))
			before--;
		if (before == code || strchr("\n;{}", before[-1]))
			return true;
	}
	return false;
}

/* May the code be run like code after a flag? Its unknown parts must be numbers or plain folders. */
static bool is_fed_code(const char *language, const char *code)
{
	return !strpbrk(code, "\1\3\6") && !zs_fed_otherwise(language, code);
}

static void blame_code(struct zs_build *build, int32_t index, const struct zs_raw_word *code, bool fed)
{
	if (fed)
		zs_find(build, ZS_RISK_OPAQUE_INTERPRETER, index, build->commands.items[index].key,
			"it runs code that is known only at run time", code->span)
			->hint = "Quote the delimiter (<<'EOF'), so that the shell puts nothing into the code.";
	else
		zs_find(build, ZS_RISK_EVAL, index, zs_word_shown(build->arena, code),
			"the code is known only at run time", code->span);
}

/* Is it a script's path, and neither a flag nor a stream? $HOME/f, x=a.py; $x, for x in t/[*].py. More words may
 * follow. */
static bool is_script(const char *path)
{
	size_t known = strcspn(path, ZS_UNKNOWNS);

	if (*path == ZS_UNKNOWN_PATH)
		return path[1] == '/' && !strpbrk(path + 1, ZS_UNKNOWNS);
	return known && !may_lie_below(path, known, "/dev/ /proc/") && !strchr("-+", *path) && !strstr(path, "..") &&
	       (path[known] || !zs_is_stream(path));
}

static bool are_scripts(struct zs_build *build, const struct zs_code_use *use)
{
	struct zs_expander expander = { .build = build, .where = use->where };
	struct zs_strings ways = zs_expand_word(&expander, &use->code);
	bool all = ways.count > 0;

	for (uint32_t i = 0; i < ways.count; i++)
		all &= is_script(zs_field(build->arena, ways.items[i], 0));
	return all;
}

/* Does the code of gdb or vim start a shell that runs an unknown command? */
static bool starts_shell(const char *language, const char *code)
{
	static const char shell[] = "shell ";

	if (!zs_listed(language, "gdb vim"))
		return false;
	code += strspn(code, ": ");
	if (*code == '!')
		code++;
	else if (strncmp(code, shell, strlen(shell)) == 0)
		code += strlen(shell);
	return *code && strchr(ZS_UNKNOWNS, *code);
}

/* Is this value of the code code of which too much is unknown? */
static bool is_unknown(const struct zs_code_use *use, const char *value)
{
	switch (use->kind) {
	case ZS_CODE_PROGRAM:
		return begins_statement(value) || starts_shell(use->language, value);
	case ZS_CODE_FILTER:
		return (*value == ZS_UNKNOWN_TEXT || *value == ZS_UNKNOWN_WORDS) && !value[1];
	case ZS_CODE_INPUT:
		return !is_fed_code(use->language, value);
	case ZS_CODE_SCRIPT:
		break; /* are_scripts() */
	}
	return false;
}

static void judge_codes(struct zs_build *build)
{
	struct zs_names *names = build->names;

	for (uint32_t i = 0; i < names->codes.count; i++) {
		const struct zs_code_use *use = &names->codes.items[i];
		struct zs_expander expander = { .build = build, .where = use->where };
		struct zs_strings values = zs_expand_value(&expander, &use->code);
		bool unknown = false;

		for (uint32_t j = 0; j < values.count; j++)
			unknown |= is_unknown(use, values.items[j]);
		if (use->kind == ZS_CODE_SCRIPT && !are_scripts(build, use))
			zs_find(build, ZS_RISK_EVAL, use->index, zs_word_shown(build->arena, &use->code),
				"the script is known only at run time", use->code.span);
		else if (unknown)
			blame_code(build, use->index, &use->code, use->kind == ZS_CODE_INPUT);
	}
	names->codes.count = 0;
}

/* The text that stands for an unknown part of code: a number, or a folder; NULL: none does. With `places`, the variable
 * of a folder names that folder, and GOPATH one that is not known. */
static const char *stand_in(char unknown, bool places)
{
	switch (unknown) {
	case ZS_UNKNOWN_NUMBER:
		return "1";
	case ZS_UNKNOWN_PATH:
		return places ? "$GOPATH" : "$PWD";
	case ZS_PLACE_HOME:
		return "$HOME";
	case ZS_PLACE_ROOT:
		return "$CI_PROJECT_DIR";
	default:
		return NULL;
	}
}

/* The code as a text, with stand-ins for unknown numbers and folders. NULL if other parts are unknown, or if the text
 * before them may belong to them. */
static const char *shell_text(struct zs_arena *arena, const char *code, bool places)
{
	static const char plain[] = " \t\n/=:,.\"'-+@";
	static const char of_places[] = { ZS_PLACE_HOME, ZS_PLACE_ROOT, ZS_PLACE_PATTERN, '\0' };
	const char *unknowns = places ? zs_arena_format(arena, "%s%s", ZS_UNKNOWNS, of_places) : ZS_UNKNOWNS;
	const char *text = "", *at;

	while (*(at = code + strcspn(code, unknowns))) {
		bool first = at == code && !*text;
		const char *by = stand_in(*at, places);

		if (!by || (first && *at == ZS_UNKNOWN_NUMBER) || (!first && (at == code || !strchr(plain, at[-1]))))
			return NULL;
		text = zs_arena_format(arena, "%s%.*s%s", text, (int)(at - code), code, by);
		code = at + 1;
	}
	return zs_arena_format(arena, "%s%s", text, code);
}

static struct zs_strings codes_of(struct zs_build *build, const struct zs_shell_use *use)
{
	struct zs_expander expander = { .build = build, .where = use->where };
	struct zs_strings codes = { 0 };
	struct zs_strings ways;

	if (use->fed) /* none of its words is split into fields */
		return zs_expand_value(&expander, &use->code);
	if (!use->words) {
		ways = zs_expand_word(&expander, &use->code);
		for (uint32_t i = 0; i < ways.count; i++)
			zs_add_string(&expander, &codes,
				*ways.items[i] && !*zs_behind_fields(ways.items[i], 1)
					? zs_field(build->arena, ways.items[i], 0)
					: "\3");
		return codes;
	}
	ways = zs_expand_words(&expander, use->words, use->from);
	for (uint32_t i = 0; i < ways.count; i++) {
		size_t len = strlen(ways.items[i]);
		char *code = zs_arena_string(build->arena, ways.items[i], len);

		for (char *end = code; (end = strchr(end, ZS_FIELD_END));)
			*end = end[1] ? ' ' : '\0';
		zs_add_string(&expander, &codes, len > ZS_MAX_EXPANDED ? "\3" : code);
	}
	return codes;
}

/* Reads the texts that the code may expand to, as if they stood there. */
static void follow_shell(struct zs_build *build, uint32_t index)
{
	struct zs_names *names = build->names;
	struct zs_shell_use *use = &names->shells.items[index];
	uint32_t said = names->settings.count + names->calls.count + names->scopes.count;
	struct zs_strings codes;

	if (use->said == said)
		return;
	use->said = said;
	names->places = build->wants_places;
	codes = codes_of(build, use);
	names->places = false;
	for (uint32_t i = 0; i < codes.count; i++) {
		const char *text = shell_text(build->arena, codes.items[i], build->wants_places);
		struct zs_pending_text pending = use->text;

		if (!text && !use->blamed)
			blame_code(build, use->index, &use->code, use->fed);
		use->blamed |= !text;
		if (!text || was_judged(build->arena, &use->judged, text))
			continue;
		pending.text = text;
		pending.len = (uint32_t)strlen(text);
		pending.fed = use->fed;
		pending.input = use->fed ? zs_lines_of(text, pending.len) : pending.input;
		pending.scope = zs_arena_alloc(build->arena, sizeof *pending.scope);
		*pending.scope = *use->text.scope;
		ZS_PUSH(build->arena, &build->pending, pending);
	}
}

bool zs_names_follow(struct zs_build *build)
{
	uint32_t texts = build->pending.count;
	bool more = false;

	for (uint32_t i = 0; i < build->names->shells.count; i++)
		follow_shell(build, i);

	for (uint32_t i = 0; i < build->names->uses.count; i++)
		more |= follow(build, i);
	for (uint32_t i = 0; i < build->names->options.count; i++)
		follow_options(build, i);
	if (!more && build->pending.count == texts) /* while texts are still coming up, one of them may set variables */
		judge_codes(build);
	return more;
}
