/* Judges a command by its row: words in roles, flags with effects, traits, and the inner command. */
#include "judge/judge.h"

#include "judge/assembled.h"
#include "judge/feed.h"
#include "code/filter.h"
#include "judge/names.h"
#include "judge/places.h"
#include "judge/unknown.h"

#include <string.h>
#include <strings.h>

const char *zs_word_shown(struct zs_arena *arena, const struct zs_raw_word *word)
{
	if (word->text)
		return word->text;
	return word->raw ? zs_arena_string(arena, word->raw, word->raw_len) : "input";
}

struct zs_raw_word zs_unknown_word(struct zs_span span, const char *why)
{
	return (struct zs_raw_word){ .dynamic = why, .prefix = "", .span = span };
}

/* Adds a finding with the row's hint. */
static struct zs_finding *blame(
	struct zs_classify *classify, enum zs_risk code, const char *object, const char *detail, struct zs_span span)
{
	struct zs_finding *finding = zs_find(classify->build, code, classify->index, object, detail, span);

	finding->hint = classify->row ? zs_row_hint(classify->row) : NULL;
	return finding;
}

struct zs_finding *zs_blame(
	struct zs_classify *classify, enum zs_risk code, const struct zs_raw_word *word, const char *detail)
{
	return blame(classify, code, zs_word_shown(classify->build->arena, word), detail, word->span);
}

struct zs_finding *zs_blame_command(struct zs_classify *classify, enum zs_risk code, const char *detail)
{
	const char *key = classify->build->commands.items[classify->index].key;

	return blame(classify, code, key, detail, classify->command->span);
}

void zs_note_command(struct zs_classify *classify, enum zs_risk code)
{
	const char *key = classify->build->commands.items[classify->index].key;

	zs_note(classify->build, code, classify->index, key, classify->command->span);
}

static void add_write(struct zs_classify *classify, const struct zs_raw_word *word, enum zs_effect effect, bool beside)
{
	struct zs_write write = {
		.path = { .text = word->text, .dynamic = word->dynamic, .span = word->span },
		.effect = effect,
		.command = (uint32_t)classify->index,
		.beside = beside || classify->beside,
	};
	bool harmless = word->text && ((zs_is_harmless_target(word->text) && zs_descriptor_target(word->text) < 3) ||
					      strcmp(word->text, "-") == 0);

	if (harmless && effect != ZS_EFFECT_DELETE && effect != ZS_EFFECT_MOVE)
		return;
	ZS_PUSH(classify->build->arena, &classify->build->writes, write);
	zs_place_of_write(classify, word);
	zs_blame(classify, effect == ZS_EFFECT_METADATA ? ZS_RISK_METADATA : ZS_RISK_WRITE, word, NULL);
}

void zs_write(struct zs_classify *classify, const struct zs_raw_word *word, enum zs_effect effect)
{
	add_write(classify, word, effect, false);
}

void zs_runs_code(struct zs_classify *classify)
{
	classify->build->commands.items[classify->index].effects.prediction = ZS_PREDICTS_RUNS;
}

/* Nested code */

/* The shell that reads the command's code. eval and trap run it in the same shell. Commands of pagers and the like are
 * read as bash. */
static enum zs_shell shell_of(const struct zs_classify *classify)
{
	const struct zs_row *row = classify->row;
	enum zs_shell shell = ZS_SHELL_BASH;

	if (row && (row->traits & ZS_ROW_POSIX) && zs_row_speaks(row, "bash"))
		zs_shell_parse(zs_base_name(classify->command->words.items[0].prefix), &shell);
	if (shell != ZS_SHELL_BASH)
		return shell;
	if (row && (row->traits & ZS_ROW_POSIX))
		return row->traits & ZS_ROW_OTHER_SHELL ? ZS_SHELL_KSH : ZS_SHELL_SH;
	return row && zs_row_speaks(row, "bash") ? ZS_SHELL_BASH : classify->text->shell;
}

/* Makes the scope of code. In bash -c CODE NAME WORD… the words are parameters of a new shell; code of eval and trap
 * shares the parameters. */
static struct zs_scope *scope_of(struct zs_classify *classify, const struct zs_raw_word *code)
{
	struct zs_scope *scope = zs_scope_within(classify->build->arena, classify->where);
	const struct zs_word_list *words = &classify->command->words;

	if (!classify->row || !zs_row_speaks(classify->row, "bash"))
		return scope;
	scope->shell = true;
	scope->given = classify->command;
	scope->from = words->count > 1 ? UINT32_MAX : words->count; /* some words may be parameters: bash -s WORD… */
	for (uint32_t i = 0; i < words->count; i++)
		if (words->items[i].span.start == code->span.start && words->items[i].text == code->text)
			scope->from = i + 1;
	return scope;
}

static struct zs_pending_text nested_text(
	struct zs_classify *classify, const struct zs_raw_word *code, enum zs_shell_input input)
{
	struct zs_payload payload = { "bash", { .text = code->text, .dynamic = code->dynamic, .span = code->span },
		(uint32_t)classify->index };

	ZS_PUSH(classify->build->arena, &classify->build->payloads, payload);
	return (struct zs_pending_text){
		.text = code->text,
		.len = code->text ? (uint32_t)strlen(code->text) : 0,
		.place = { true, 0, code->span },
		.nesting = ZS_NEST_SHELL,
		.shells = classify->shells + 1,
		.shell = shell_of(classify),
		.input = input,
		.depth = classify->command->depth + 1,
		.scope = scope_of(classify, code),
	};
}

/* Commands of a nested shell share the input of the command that starts the shell. */
static enum zs_shell_input input_of(const struct zs_classify *classify)
{
	enum zs_feed_kind feed = classify->command ? classify->command->feed.kind : ZS_FEED_INHERITED;

	return feed == ZS_FEED_INHERITED || feed == ZS_FEED_UNKNOWN ? classify->text->input : ZS_INPUT_APART;
}

static void nested_shell(
	struct zs_classify *classify, const struct zs_raw_word *code, enum zs_shell_input input, bool fed)
{
	struct zs_pending_text text = nested_text(classify, code, input);

	text.fed = fed;
	if (code->text)
		ZS_PUSH(classify->build->arena, &classify->build->pending, text);
	else
		zs_blame(classify, ZS_RISK_EVAL, code, "the code is known only at run time");
}

void zs_nested_shell(struct zs_classify *classify, const struct zs_raw_word *code)
{
	nested_shell(classify, code, input_of(classify), false);
}

/* Notes dynamic code: the words from `from` on, or, if `words` is NULL, the one word. */
static void expanded_shell(
	struct zs_classify *classify, const struct zs_raw_word *code, const struct zs_word_list *words, uint32_t from)
{
	struct zs_shell_use use = { .code = *code, .words = words, .from = from };

	use.text = nested_text(classify, code, input_of(classify));
	if (!zs_shell_used(classify, &use))
		zs_blame(classify, ZS_RISK_EVAL, code, "the code is known only at run time");
}

/* In bash -c $x the further fields of $x are parameters (zs_shell_used()). */
void zs_whole_shell(struct zs_classify *classify, const struct zs_raw_word *code)
{
	if (code->text)
		zs_nested_shell(classify, code);
	else
		expanded_shell(classify, code, NULL, 0);
}

/* fzf --preview 'cat {}': puts an unknown word for each placeholder. */
static const char *fill_placeholders(struct zs_arena *arena, const char *text)
{
	for (const char *at; (at = strstr(text, "{}")) != NULL;)
		text = zs_arena_format(arena, "%.*s\"$item\"%s", (int)(at - text), text, at + 2);
	return text;
}

void zs_called_shell(struct zs_classify *classify, const struct zs_raw_word *code)
{
	struct zs_arena *arena = classify->build->arena;
	struct zs_raw_word called = *code;

	if (code->text && *code->text) /* two words, since a command may read one operand and write a second */
		called.text = called.prefix =
			zs_arena_format(arena, "%s \"$name\" \"$other\"", fill_placeholders(arena, code->text));
	zs_nested_shell(classify, &called);
}

/* Makes a quoted word of a body: bash expands a body like a string in double quotes, except that quotes in it are
 * plain. False: the body is not modelled. */
static bool quote_body(struct zs_arena *arena, struct zs_raw_word *body)
{
	const char *raw = zs_arena_string(arena, body->raw, body->raw_len);
	bool quotes = strchr(raw, '"') != NULL, nests = strchr(raw, '`') || strstr(raw, "$(");
	char *text = zs_arena_alloc(arena, 2 * (size_t)body->raw_len + 3), *end = text;

	/* <<- removes leading tabs, and this may be such a body */
	if ((quotes && nests) || strstr(raw, "\\\"") || *raw == '\t' || strstr(raw, "\n\t") ||
		(body->raw_len && raw[body->raw_len - 1] == '\\'))
		return false;
	*end++ = '"';
	for (; *raw; raw++) {
		if (*raw == '"')
			*end++ = '\\';
		*end++ = *raw;
	}
	*end++ = '"';
	body->raw = text;
	body->raw_len = (uint32_t)(end - text);
	return true;
}

/* Notes code on standard input that holds expansions: the texts may determine their values. */
static bool use_fed(struct zs_classify *classify, struct zs_raw_word *code)
{
	const struct zs_feed *feed = &classify->command->feed;
	bool shell = zs_row_speaks(classify->row, "bash");
	struct zs_shell_use use = { .fed = true };

	if (feed->kind != ZS_FEED_TEXT || !code->raw || (feed->heredoc && !quote_body(classify->build->arena, code)))
		return false;
	use.code = *code;
	if (shell) {
		use.text = nested_text(classify, code, ZS_INPUT_LINES);
		return zs_shell_used(classify, &use);
	}
	if (!(classify->row->traits & ZS_ROW_WHOLE_INPUT) || zs_row_speaks(classify->row, "php"))
		return false;
	zs_code_used(classify, code, ZS_CODE_INPUT);
	zs_blame(classify, ZS_RISK_INLINE_CODE, code, "the program is known only at run time");
	return true;
}

/* The words [from, to), joined by blanks, are bash code. */
static void nested_words(struct zs_classify *classify, uint32_t from, uint32_t to)
{
	const struct zs_word_list *words = &classify->command->words;
	struct zs_raw_word joined;
	size_t len = 0;
	char *text, *end;

	if (from >= to)
		return;
	joined = words->items[from];
	joined.span.end = words->items[to - 1].span.end;
	for (uint32_t i = from; i < to; i++) {
		if (!words->items[i].text && to == words->count) {
			expanded_shell(classify, &words->items[i], words, from);
			return;
		}
		if (!words->items[i].text) {
			zs_nested_shell(classify, &words->items[i]);
			return;
		}
		len += strlen(words->items[i].text) + 1;
	}
	text = end = zs_arena_alloc(classify->build->arena, len);
	for (uint32_t i = from; i < to; i++) {
		len = strlen(words->items[i].text);
		memcpy(end, words->items[i].text, len);
		end += len;
		*end++ = i + 1 < to ? ' ' : '\0';
	}
	joined.text = joined.prefix = text;
	zs_nested_shell(classify, &joined);
}

struct zs_raw_command *zs_inner_command(struct zs_classify *classify, uint32_t from, uint32_t to)
{
	struct zs_arena *arena = classify->build->arena;
	struct zs_raw_command *inner = zs_arena_alloc(arena, sizeof *inner);

	if (from >= to)
		return NULL;
	*inner = (struct zs_raw_command){
		.span = { classify->command->words.items[from].span.start,
			classify->command->words.items[to - 1].span.end },
		.nesting = ZS_NEST_WRAPPER,
		.depth = classify->command->depth + 1,
	};
	for (uint32_t i = from; i < to; i++)
		ZS_PUSH(arena, &inner->words, classify->command->words.items[i]);
	return inner;
}

const char *zs_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* Code in other languages */

struct filter_language {
	const char *name;
	struct zs_filter (*read)(const char *program, size_t len);
	const char *hint; /* which constructs pass, for a language whose text is judged as a program; NULL if it is
			     judged as a filter */
};

static const struct filter_language filter_languages[] = {
	{ "sed", zs_filter_sed, NULL },
	{ "awk", zs_filter_awk, NULL },
	{ "perl", zs_filter_perl, NULL },
	{ "sql", zs_filter_sql, NULL },
	{ "python", zs_filter_python,
		"Use only what reads: print, open(path), json, re, sys, os.path, pathlib, a module's __version__; or "
		"run a script of the repository." },
	{ "javascript", zs_filter_javascript,
		"Use only what reads: console.log, JSON, fs.readFileSync(path, 'utf8'), path, process.version, "
		"require('./package.json'); or run a script of the repository." },
	{ "ruby", zs_filter_ruby,
		"Use only what reads: puts, File.read(path), JSON.parse(text), ENV, RUBY_VERSION; or run a script of "
		"the "
		"repository." },
	{ "php", zs_filter_php,
		"Use only what reads: echo, json_decode(), file_get_contents('path'), PHP_VERSION; or run a script of "
		"the "
		"repository." },
	{ "lua", zs_filter_lua, "Use only what computes and prints: print, string, table, math; or run a script." },
	{ "gdb", zs_filter_gdb, NULL },
};

/* The language's reader; NULL: all code in the language is refused. */
static const struct filter_language *find_language(const char *name)
{
	for (size_t i = 0; i < sizeof filter_languages / sizeof *filter_languages; i++)
		if (strcmp(name, filter_languages[i].name) == 0)
			return &filter_languages[i];
	return NULL;
}

/* Adds findings about what a filter's program does besides filtering. */
static void judge_filter(struct zs_classify *classify, const struct zs_raw_word *code, const struct zs_filter *filter)
{
	struct zs_arena *arena = classify->build->arena;
	struct zs_raw_word object = *code;

	object.text = object.prefix =
		filter->object ? zs_arena_string(arena, filter->object, filter->object_len) : NULL;
	switch (filter->effect) {
	case ZS_FILTER_PLAIN:
		break;
	case ZS_FILTER_WRITES:
		zs_write(classify, &object, ZS_EFFECT_OVERWRITE);
		break;
	case ZS_FILTER_EXECUTES:
		zs_blame(classify, ZS_RISK_INLINE_CODE, code, "the program runs commands");
		break;
	case ZS_FILTER_UNKNOWN:
		zs_blame(classify, ZS_RISK_INLINE_CODE, code, "the program does more than filter text");
		break;
	}
}

/* Adds a finding; if the program only reads, the finding never blocks. */
static void judge_program(struct zs_classify *classify, const struct zs_raw_word *code, const struct zs_filter *filter,
	const struct filter_language *language)
{
	struct zs_build *build = classify->build;
	const char *detail;

	if (filter->effect == ZS_FILTER_PLAIN && !zs_has_effect(&classify->args, ZS_FLAG_IN_PLACE)) {
		zs_note_command(classify, ZS_RISK_INLINE_CODE);
		return;
	}
	detail = filter->object
			 ? zs_arena_format(build->arena, "%s code with '%.*s', which is not known to only read",
				   language->name, (int)(filter->object_len < 60 ? filter->object_len : 60),
				   filter->object)
			 : zs_arena_format(build->arena, "%s code that is not known to only read", language->name);
	zs_blame(classify, ZS_RISK_INLINE_CODE, code, detail)->hint = language->hint;
}

static const struct zs_use *use_in_role(const struct zs_args *args, enum zs_role role)
{
	for (uint32_t i = 0; i < args->uses.count; i++)
		if (args->uses.items[i].role == role)
			return &args->uses.items[i];
	return NULL;
}

/* lua -l NAME: the library may define functions that the program's text does not show. */
static bool loads_library(const struct zs_classify *classify)
{
	return zs_row_speaks(classify->row, "lua") && use_in_role(&classify->args, ZS_ROLE_MODULE);
}

/* Does the code only compute? Rscript -e '1+1', dc -e '2k 1 3 / p'. The listed letters of dc print and count; its x, !
 * and ? run code. */
static bool is_arithmetic(const char *language, const char *text)
{
	if (strcmp(language, "r") == 0)
		return text[strspn(text, "0123456789 \t\n.+-*/()")] == '\0';
	return strcmp(language, "macro") == 0 && text[strspn(text, "0123456789 \t\n.+-*/%^_pnfkdr")] == '\0';
}

void zs_judge_code(struct zs_classify *classify, const struct zs_raw_word *code)
{
	struct zs_build *build = classify->build;
	const char *language = zs_row_language(classify->row);
	const struct filter_language *known = find_language(language);
	const char *text = code->text || !known || known->hint ? code->text : code->shape;
	struct zs_payload payload = { language, { .text = code->text, .dynamic = code->dynamic, .span = code->span },
		(uint32_t)classify->index };
	struct zs_filter filter;

	ZS_PUSH(build->arena, &build->payloads, payload);
	if (!text && !zs_listed(language, "sql jsonnet fzf"))
		zs_code_used(classify, code, strcmp(language, "sed") == 0 ? ZS_CODE_FILTER : ZS_CODE_PROGRAM);
	if (known && !text) {
		zs_blame(classify, ZS_RISK_INLINE_CODE, code, "the program is known only at run time");
		return;
	}
	if (known && !loads_library(classify)) {
		filter = known->read(text, strlen(text));
		if (known->hint)
			judge_program(classify, code, &filter, known);
		else
			judge_filter(classify, code, &filter);
		return;
	}
	if (code->text && is_arithmetic(language, code->text))
		zs_note_command(classify, ZS_RISK_INLINE_CODE);
	else
		zs_blame(classify, ZS_RISK_INLINE_CODE, code, NULL);
}

/* All spellings count: //dev/./stdin, ../dev/fd/3, /proc/1/fd/0. */
bool zs_is_stream(const char *path)
{
	const char *name = zs_base_name(path);

	if (strcmp(path, "-") == 0 || strncmp(path, "data:", 5) == 0)
		return true;
	if (strstr(path, "dev/") && strcmp(name, "stdin") == 0)
		return true;
	return (strstr(path, "dev/") || strstr(path, "proc/")) && strstr(path, "fd/") &&
	       strspn(name, "0123456789") == strlen(name);
}

static bool is_standard_input(const char *path)
{
	return zs_listed(path, "- /dev/stdin /dev/fd/0 /proc/self/fd/0");
}

/* A path below these folders whose end is not known may be a stream too: /proc/$$/fd/0. */
static bool may_be_stream(const char *prefix)
{
	return strncmp(prefix, "/proc/", 6) == 0 || strncmp(prefix, "/dev/", 5) == 0;
}

/* Is the word "$@" or "${x[@]}", which makes several words or none? */
static bool is_list(const struct zs_raw_word *word)
{
	for (uint32_t i = 1; i < word->raw_len; i++)
		if (word->raw[i] == '@' && strchr("${[", word->raw[i - 1]))
			return true;
	return false;
}

/* May the script's word turn out to be a flag? In bash $x and bash "$x" code, $x may be -c. In code | bash "$x", $x may
 * be a dash, which stands for standard input. */
static bool may_be_flag(const struct zs_classify *classify, const struct zs_use *use)
{
	const struct zs_raw_command *command = classify->command;

	/* . and source have no options that give code, and the word after FILE is data */
	if (strcmp(zs_row_names(classify->row), ".|source") == 0)
		return false;
	return !*use->word.prefix &&
	       (!use->word.quoted || is_list(&use->word) || use->at + 1 < command->words.count || command->fed);
}

bool zs_judge_fed(struct zs_classify *classify)
{
	struct zs_build *build = classify->build;
	const char *language = zs_row_language(classify->row), *otherwise;
	struct zs_raw_word code;
	size_t len;

	if (!language || zs_has_effect(&classify->args, ZS_FLAG_EATS) || !zs_fed_text(classify, &code))
		return false;
	if (!code.text && use_fed(classify, &code))
		return true;
	if (!code.text) {
		struct zs_finding *finding = zs_blame_command(
			classify, ZS_RISK_OPAQUE_INTERPRETER, "it runs code that is known only at run time");

		if (classify->command->feed.kind == ZS_FEED_TEXT && classify->command->feed.heredoc)
			finding->hint = "Quote the delimiter (<<'EOF'), so that the shell puts nothing into the code.";
		return true;
	}
	if (zs_row_speaks(classify->row, "bash")) {
		nested_shell(classify, &code, zs_lines_of(code.text, strlen(code.text)), true);
		return true;
	}
	if (!(classify->row->traits & ZS_ROW_WHOLE_INPUT) && find_language(language))
		return false;
	otherwise = zs_fed_otherwise(language, code.text);
	if (otherwise) {
		zs_blame_command(classify, ZS_RISK_OPAQUE_INTERPRETER, otherwise);
		return true;
	}
	if (strcmp(language, "php") == 0)
		code.text = zs_fed_page(code.text);
	code.shape = NULL;
	if (!code.text) {
		code.text = "?>";
		zs_blame(classify, ZS_RISK_INLINE_CODE, &code, "the text is not only PHP code");
		return true;
	}
	len = strlen(code.text); /* drops the last newline, since messages show the text */
	if (len && code.text[len - 1] == '\n')
		code.text = zs_arena_string(build->arena, code.text, len - 1);
	code.prefix = code.text;
	zs_judge_code(classify, &code);
	return true;
}

/* Judges a file that is run as a script. If a row knows the file's name, the row's command runs: node .bin/eslint
 * --fix. */
static void judge_script(struct zs_classify *classify, const struct zs_use *use)
{
	const struct zs_raw_word *script = &use->word;
	const char *text = script->text, *dynamic = script->dynamic;
	const char *name = zs_row_names(classify->row);

	if (strcmp(name, ".|source") == 0) /* the file may set any variable */
		zs_name_set(classify, "*", ZS_SET_SOURCED, NULL);

	if (text && zs_is_stream(text)) {
		if (is_standard_input(text) && !zs_row_speaks(classify->row, "bash") && zs_judge_fed(classify))
			return;
		zs_blame(classify, ZS_RISK_OPAQUE_INTERPRETER, script, "it runs code from a stream");
	} else if (text) {
		if (!use->flag && (zs_row_find("", zs_base_name(text)) || zs_package_of(classify->build->arena, text)))
			classify->inner = zs_inner_command(classify, use->at, classify->command->words.count);
		else
			zs_runs_code(classify);
	} else if (strcmp(dynamic, "process substitution") == 0 || may_be_stream(script->prefix)) {
		zs_blame(classify, ZS_RISK_OPAQUE_INTERPRETER, script, "it runs code from a stream");
	} else if (strcmp(dynamic, "glob") != 0 && strcmp(dynamic, "tilde") != 0 &&
		   strcmp(dynamic, "found file") != 0) {
		if (may_be_flag(classify, use))
			zs_code_used(classify, script, ZS_CODE_SCRIPT);
		zs_blame(classify, ZS_RISK_DYNAMIC_ARGUMENT, script, "the script is known only at run time");
	}
}

/* Roles */

static bool ssh_option_runs(const struct zs_raw_word *word)
{
	const char *option = word->prefix + strspn(word->prefix, " \t");

	return !word->text || zs_listed_any_case(option, strlen(option),
				      "proxycommand* localcommand* knownhostscommand* permitlocalcommand* "
				      "proxyusefdpass* match* include*");
}

/* perl -n opens its operands as open(FH, NAME) does: ">x" writes x, and "x|" runs x (perldoc perlop, the null
 * filehandle). */
static bool is_magic_open(const struct zs_raw_word *word)
{
	size_t len = strlen(word->prefix);
	const char *start = word->prefix + strspn(word->prefix, " \t\n");

	return *start == '>' || *start == '|' || (*start == '+' && strpbrk(start, "<>")) ||
	       (word->text && len && strchr("| \t\n", word->prefix[len - 1]) && strchr(start, '|'));
}

/* Notes the variable that read, printf -v, mapfile or getopts sets. Some forms show its value. */
static void fill_variable(struct zs_classify *classify, const char *name, const struct zs_raw_word *unknown)
{
	struct zs_arena *arena = classify->build->arena;
	enum zs_setting_kind kind;
	const struct zs_raw_word *value = zs_filling(arena, classify->command, name, &kind);

	zs_check_value(classify, name, unknown);
	classify->build->assembly.evaluates |= zs_has_subscript(name);
	if (!value || strchr(name, '['))
		kind = ZS_SET_UNKNOWN;
	zs_name_set(classify, zs_arena_string(arena, name, strcspn(name, "[")), kind, value);
}

/* Does a flag name the file that is written, so that the operands are not? */
static bool has_output(const struct zs_args *args)
{
	for (uint32_t i = 0; i < args->uses.count; i++)
		if (args->uses.items[i].flag && args->uses.items[i].role == ZS_ROLE_OUTPUT)
			return true;
	return false;
}

/* sed -i.bak, perl -pi.bak, sed --in-place=.bak: a copy beside the file keeps what it was. */
static bool keeps_backup(const struct zs_classify *classify)
{
	const struct zs_word_list *words = &classify->command->words;

	for (uint32_t i = 1; i < words->count; i++) {
		const char *text = words->items[i].prefix, *in_place = *text == '-' ? strchr(text, 'i') : NULL;

		if (strncmp(text, "--", 2) == 0 ? strncmp(text, "--in-place=", 11) == 0 : in_place && in_place[1])
			return true;
	}
	return false;
}

static void judge_read(struct zs_classify *classify, const struct zs_use *use)
{
	if (zs_row_speaks(classify->row, "perl") && is_magic_open(&use->word))
		zs_blame(classify, ZS_RISK_INLINE_CODE, &use->word, "perl runs or writes a file with such a name");
	else if (zs_has_effect(&classify->args, ZS_FLAG_IN_PLACE) && !use->flag)
		add_write(classify, &use->word, ZS_EFFECT_OVERWRITE, keeps_backup(classify));
	else if (zs_has_effect(&classify->args, ZS_FLAG_DELETES) && !use->flag)
		zs_write(classify, &use->word, ZS_EFFECT_DELETE);
}

/* Judges an operand NAME=VALUE. */
static void judge_assign(struct zs_classify *classify, const struct zs_raw_word *word)
{
	size_t split = strcspn(word->prefix, "=");
	struct zs_raw_word value;

	if (!word->prefix[split])
		return;
	value = zs_word_from(word, split + 1);
	zs_check_assignment(classify, zs_arena_string(classify->build->arena, word->prefix, split), &value);
}

/* Judges the name of a variable that the command sets from its input. */
static void judge_variable(struct zs_classify *classify, const struct zs_raw_word *word)
{
	const struct zs_raw_word input = zs_unknown_word(word->span, "input");

	if (word->text) {
		fill_variable(classify, word->text, &input);
		return;
	}
	classify->build->assembly.evaluates = true;
	zs_name_set(classify, "*", ZS_SET_UNKNOWN, NULL);
	zs_blame(classify, ZS_RISK_ENVIRONMENT, word, "which variable it sets is known only at run time");
}

static bool sets_parameter(const struct zs_raw_word *word)
{
	return !word->text || strchr(word->text, '=');
}

static bool is_more_than_a_module(const struct zs_raw_word *word)
{
	const char *text = word->text;

	return !text || text[strcspn(text, " \t\n;()$'\"{}`<>&|")] || strncmp(text, "re=", 3) == 0;
}

static bool may_hold_code(const struct zs_raw_word *word)
{
	return !word->text || strstr(word->text, "(?") || strpbrk(word->text, "$@`");
}

/* Judges a word whose role is a write, or a risk by itself. False: its role is neither. */
static bool judge_plain(struct zs_classify *classify, const struct zs_use *use)
{
	static const struct {
		enum zs_role role;
		enum zs_risk risk;
		enum zs_effect effect;                        /* of ZS_RISK_WRITE */
		bool (*when)(const struct zs_raw_word *word); /* NULL: always */
		const char *detail;
	} roles[] = {
		{ ZS_ROLE_WRITE, ZS_RISK_WRITE, ZS_EFFECT_OVERWRITE, NULL, NULL },
		{ ZS_ROLE_OUTPUT, ZS_RISK_WRITE, ZS_EFFECT_OVERWRITE, NULL, NULL },
		{ ZS_ROLE_TARGET, ZS_RISK_WRITE, ZS_EFFECT_OVERWRITE, NULL, NULL },
		{ ZS_ROLE_CREATE, ZS_RISK_WRITE, ZS_EFFECT_CREATE, NULL, NULL },
		{ ZS_ROLE_APPEND, ZS_RISK_WRITE, ZS_EFFECT_APPEND, NULL, NULL },
		{ ZS_ROLE_DELETE, ZS_RISK_WRITE, ZS_EFFECT_DELETE, NULL, NULL },
		{ ZS_ROLE_MOVE, ZS_RISK_WRITE, ZS_EFFECT_MOVE, NULL, NULL },
		{ ZS_ROLE_METADATA, ZS_RISK_WRITE, ZS_EFFECT_METADATA, NULL, NULL },
		{ ZS_ROLE_LINK, ZS_RISK_WRITE, ZS_EFFECT_LINK, NULL, NULL },
		{ ZS_ROLE_BESIDE, ZS_RISK_WRITE, ZS_EFFECT_OVERWRITE, NULL, NULL },
		{ ZS_ROLE_CHDIR, ZS_RISK_CD, 0, NULL, NULL },
		{ ZS_ROLE_PARAMETER, ZS_RISK_DEVICE, 0, sets_parameter, "it changes the system" },
		{ ZS_ROLE_DEVICE, ZS_RISK_DEVICE, 0, NULL, "it changes the system" },
		{ ZS_ROLE_LOADS, ZS_RISK_ENVIRONMENT, 0, NULL, "the program would load code from this place" },
		{ ZS_ROLE_MODULE, ZS_RISK_INLINE_CODE, 0, is_more_than_a_module,
			"the word holds more than the name of a module" },
		{ ZS_ROLE_PATTERN, ZS_RISK_INLINE_CODE, 0, may_hold_code, "the pattern may hold code" },
		{ ZS_ROLE_SSH_OPTION, ZS_RISK_INLINE_CODE, 0, ssh_option_runs,
			"the option runs a command on this machine" },
	};

	for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
		if (roles[i].role != use->role)
			continue;
		/* strip -o OUT FILE only reads the operand */
		if ((use->role == ZS_ROLE_WRITE || use->role == ZS_ROLE_BESIDE) && !use->flag &&
			has_output(&classify->args))
			return true;
		if (roles[i].risk == ZS_RISK_WRITE)
			add_write(classify, &use->word, roles[i].effect, use->role == ZS_ROLE_BESIDE);
		else if (!roles[i].when || roles[i].when(&use->word))
			zs_blame(classify, roles[i].risk, &use->word, roles[i].detail);
		return true;
	}
	return false;
}

void zs_judge_use(struct zs_classify *classify, const struct zs_use *use)
{
	const struct zs_raw_word *word = &use->word;

	if (judge_plain(classify, use))
		return;
	switch ((int)use->role) {
	case ZS_ROLE_READ:
		judge_read(classify, use);
		break;
	case ZS_ROLE_SCRIPT:
	case ZS_ROLE_PRELOAD:
		judge_script(classify, use);
		break;
	case ZS_ROLE_CODE:
		zs_judge_code(classify, word);
		break;
	case ZS_ROLE_SHELL:
	case ZS_ROLE_ALONE:
		if (use->flag && use->role == ZS_ROLE_SHELL)
			zs_called_shell(classify, word);
		else
			zs_whole_shell(classify, word);
		break;
	case ZS_ROLE_ASSIGN:
		judge_assign(classify, word);
		break;
	case ZS_ROLE_VARIABLE:
		judge_variable(classify, word);
		break;
	case ZS_ROLE_CONFIG:
		zs_check_git_config(classify, word);
		break;
	case ZS_ROLE_SETTING:
		zs_check_setting(classify, use->flag, word);
		break;
	default: /* DATA, and roles that the inner command's words have */
		break;
	}
}

/* Adds the findings of the row's traits, about the command as a whole. */
void zs_judge_traits(struct zs_classify *classify)
{
	static const struct {
		uint32_t trait;
		enum zs_risk risk;
		enum zs_flag_effect effect; /* a flag with this effect stands for the trait */
		bool noted;                 /* the risk never blocks by itself */
	} rules[] = {
		{ ZS_ROW_CD, ZS_RISK_CD, ZS_FLAG_NONE, false },
		{ ZS_ROW_WRITES, ZS_RISK_WRITE, ZS_FLAG_WRITES, false },
		{ ZS_ROW_REPO, ZS_RISK_REPO_STATE, ZS_FLAG_REPO, false },
		{ ZS_ROW_DEVICE, ZS_RISK_DEVICE, ZS_FLAG_DEVICE, false },
		{ ZS_ROW_ENVIRONMENT, ZS_RISK_ENVIRONMENT, ZS_FLAG_NONE, false },
		{ ZS_ROW_NETWORK, ZS_RISK_NETWORK, ZS_FLAG_NONE, true },
		{ ZS_ROW_PRIVILEGE, ZS_RISK_PRIVILEGE, ZS_FLAG_NONE, true },
		{ ZS_ROW_GUARD, ZS_RISK_GUARD, ZS_FLAG_GUARD, false },
	};
	const struct zs_args *args = &classify->args;
	uint32_t traits = classify->row->traits;

	if (traits & ZS_ROW_BUILDS)
		zs_runs_code(classify);
	if (traits & ZS_ROW_DOT_GIT && !zs_has_effect(args, ZS_FLAG_WORK_TREE))
		classify->build->commands.items[classify->index].effects.dot_git = true;
	if (zs_has_effect(args, ZS_FLAG_READ_ONLY) || ((traits & ZS_ROW_LISTS) && args->operands == 0))
		traits &= ~(uint32_t)(ZS_ROW_REPO | ZS_ROW_WRITES | ZS_ROW_DEVICE | ZS_ROW_ENVIRONMENT | ZS_ROW_GUARD);
	if (use_in_role(args, ZS_ROLE_OUTPUT))
		traits &= ~(uint32_t)ZS_ROW_WRITES;
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
		/* a flag that reads does not undo a flag that writes: crontab -l -r */
		bool by_flag = rules[i].effect != ZS_FLAG_NONE && zs_has_effect(args, rules[i].effect);

		if (!(traits & rules[i].trait) && !by_flag)
			continue;
		if (rules[i].noted)
			zs_note_command(classify, rules[i].risk);
		else
			zs_blame_command(classify, rules[i].risk, NULL);
	}
}

void zs_judge_input(struct zs_classify *classify)
{
	const struct zs_args *args = &classify->args;
	bool fed = (classify->row->traits & ZS_ROW_STDIN_CODE) && !args->has_code && !args->rest;

	for (uint32_t i = 0; i < args->uses.count; i++)
		if (!args->uses.items[i].flag &&
			(args->uses.items[i].role == ZS_ROLE_SCRIPT || args->uses.items[i].role == ZS_ROLE_SHELL))
			fed = false;
	if (zs_has_effect(args, ZS_FLAG_SHELL) && !args->rest)
		fed = true;
	if (zs_row_speaks(classify->row, "bash") ? fed || zs_has_effect(args, ZS_FLAG_STDIN)
						 : fed && !zs_has_effect(args, ZS_FLAG_STDIN))
		if (zs_judge_fed(classify))
			return;
	if (fed || zs_has_effect(args, ZS_FLAG_STDIN))
		zs_blame_command(classify, ZS_RISK_OPAQUE_INTERPRETER, "it runs code from its standard input");
}

void zs_add_operands(struct zs_classify *classify, struct zs_raw_command *inner)
{
	for (int i = 0; i < 2; i++)
		ZS_PUSH(classify->build->arena, &inner->words, zs_unknown_word(classify->command->span, "input"));
}

bool zs_replace_words(struct zs_raw_command *inner, const char *placeholder, const char *why)
{
	bool replaced = false;

	for (uint32_t i = 0; i < inner->words.count; i++) {
		struct zs_raw_word *word = &inner->words.items[i];

		if (!word->text || !strstr(word->text, placeholder))
			continue;
		word->dynamic = why;
		word->text = NULL;
		replaced = true;
	}
	return replaced;
}

bool zs_is_assignment_like(const struct zs_raw_word *word)
{
	const char *text = word->raw;
	uint32_t i = 0, len = word->raw_len;

	if (!text || !len || !zs_is_name_start(text[0]))
		return false;
	while (i < len && zs_is_name(text[i]))
		i++;
	return i < len && (text[i] == '[' || text[i] == '=' || (text[i] == '+' && i + 1 < len && text[i + 1] == '='));
}

/* Drops the first --: npm exec TOOL -- -w FILE runs TOOL -w FILE. */
static void drop_dashes(struct zs_word_list *words)
{
	uint32_t at = 0;

	while (at < words->count && !zs_word_is(&words->items[at], "--"))
		at++;
	if (at == words->count)
		return;
	words->count--;
	memmove(&words->items[at], &words->items[at + 1], (words->count - at) * sizeof *words->items);
}

static void find_inner(struct zs_classify *classify)
{
	struct zs_word_list *words = &classify->command->words;
	const struct zs_args *args = &classify->args;
	const char *placeholder = NULL;

	if (args->rest && args->rest_role == ZS_ROLE_SHELL_REST) {
		nested_words(classify, args->rest, words->count);
		return;
	}
	if (!args->rest || args->unknown_flag)
		return;
	classify->inner = zs_inner_command(classify, args->rest, words->count);
	if (classify->inner)
		classify->inner->own = (classify->row->traits & ZS_ROW_OWN) || classify->command->own;
	if (classify->inner && (classify->row->traits & ZS_ROW_DASHES))
		drop_dashes(&classify->inner->words);
	if (classify->inner && args->head.raw)
		classify->inner->words.items[0] = args->head;
	for (uint32_t i = 0; i < args->uses.count; i++)
		if (args->uses.items[i].role == ZS_ROLE_REPLACE)
			placeholder = args->uses.items[i].word.text ? args->uses.items[i].word.text : "";
	if (classify->inner && (classify->row->traits & ZS_ROW_PASSES_INPUT) && !zs_has_effect(args, ZS_FLAG_EATS))
		classify->inner->feed = classify->command->feed;
	if (!(classify->row->traits & ZS_ROW_APPENDS) || !classify->inner)
		return;
	if (placeholder)
		zs_replace_words(classify->inner, *placeholder ? placeholder : "{}", "replaced");
	else
		zs_add_operands(classify, classify->inner);
}

/* Judges flags that name an output. They count even if the command otherwise only reports: zstd -c a -o x, rsync -n
 * --log-file=x. */
static void judge_named_outputs(struct zs_classify *classify)
{
	for (uint32_t i = 0; i < classify->args.uses.count; i++) {
		const struct zs_use *use = &classify->args.uses.items[i];

		if (use->flag &&
			(use->role == ZS_ROLE_WRITE || use->role == ZS_ROLE_OUTPUT || use->role == ZS_ROLE_SETTING ||
				use->role == ZS_ROLE_SHELL || use->role == ZS_ROLE_ALONE || use->role == ZS_ROLE_LOADS))
			zs_judge_use(classify, use);
	}
}

static void read_by_grammar(struct zs_classify *classify)
{
	switch ((enum zs_row_grammar)classify->row->grammar) {
	case ZS_GRAMMAR_NONE:
		return;
#define X(id, name, text)                                                                                              \
	case ZS_GRAMMAR_##id:                                                                                          \
		zs_grammar_##name(classify);                                                                           \
		return;
		ZS_GRAMMARS(X)
#undef X
	}
}

void zs_judge_row(struct zs_classify *classify)
{
	const struct zs_row *row = classify->row;
	struct zs_args *args = &classify->args;

	zs_args_read(classify->build->arena, row, zs_row_operands(row), &classify->command->words, args);
	read_by_grammar(classify);
	if (classify->done)
		return;
	if (zs_has_effect(args, ZS_FLAG_INFO)) {
		judge_named_outputs(classify);
		return;
	}
	if (zs_has_effect(args, ZS_FLAG_VERSION) && classify->command->words.count == 2)
		return;
	if (args->unknown_flag) {
		struct zs_raw_word flag = { .text = args->unknown_flag, .prefix = "", .span = classify->command->span };

		zs_blame(classify, ZS_RISK_UNSUPPORTED, &flag,
			"an unknown flag: the inner command may begin at another word");
	}
	if (args->dynamic_flag)
		zs_blame_command(classify,
			classify->row->traits & (ZS_ROW_STDIN_CODE | ZS_ROW_STRICT) ? ZS_RISK_EVAL
										    : ZS_RISK_DYNAMIC_ARGUMENT,
			"a flag is known only at run time");
	for (uint32_t i = 0; i < args->uses.count; i++)
		zs_judge_use(classify, &args->uses.items[i]);
	zs_judge_traits(classify);
	zs_judge_input(classify);
	find_inner(classify);
	if (row->traits & ZS_ROW_OPEN)
		zs_judge_announced(classify, false);
	else
		zs_judge_unlisted(classify);
}
