#include "judge/assembled.h"
#include "judge/feed.h"
#include "judge/judge.h"
#include "judge/names.h"
#include "judge/places.h"
#include "judge/unknown.h"

#include <string.h>

#define WRAPPERS_MAX 16 /* commands that wrap each other, as in env nice timeout … */

/* Names */

/* The name of a program; NULL if it is known only at run time. A leading tilde does not change the name. A file of a
 * package stands for the package's tool: node_modules/prettier/bin/prettier.cjs. */
static const char *program_name(const struct zs_build *build, const struct zs_raw_word *name)
{
	bool path = name->text && strchr(name->text, '/');
	const char *package = path ? zs_package_of(build->arena, name->text) : NULL;

	if (package && !zs_row_find("", zs_base_name(name->text)))
		return package;
	if (name->text)
		return zs_base_name(name->text);
	return (strcmp(name->dynamic, "tilde") == 0 || strcmp(name->dynamic, "folder") == 0) &&
			       strchr(name->prefix, '/')
		       ? zs_base_name(name->prefix)
		       : NULL;
}

/* The subcommand's word: the first operand after the row's own flags. NULL if there is none. */
static const struct zs_raw_word *find_sub(struct zs_classify *classify)
{
	struct zs_args args;

	zs_args_read(classify->build->arena, classify->row, "X", &classify->command->words, &args);
	return args.rest ? &classify->command->words.items[args.rest] : NULL;
}

/* Drops the words before the subcommand, so that its row sees the subcommand as the command's name. The global
 * flags have been judged by then. */
static void enter_sub(struct zs_classify *classify, const struct zs_raw_word *sub)
{
	struct zs_raw_command *command = zs_arena_alloc(classify->build->arena, sizeof *command);
	const struct zs_word_list *words = &classify->command->words;

	*command = *classify->command;
	command->words = (struct zs_word_list){ 0 };
	for (const struct zs_raw_word *word = sub; word < words->items + words->count; word++)
		ZS_PUSH(classify->build->arena, &command->words, *word);
	classify->command = command;
}

static const char *first_name(struct zs_classify *classify)
{
	const char *names = zs_row_names(classify->row);

	return zs_arena_string(classify->build->arena, names, strcspn(names, "|"));
}

/* The name under which rows list the subcommands of a subcommand. */
static const char *family_member(struct zs_classify *classify, const char *name)
{
	if (strcmp(zs_row_names(classify->row), "*") == 0)
		return "*";
	return classify->row->traits & ZS_ROW_FAMILY ? first_name(classify) : name;
}

/* The name by which the row lists the command: pip for /usr/bin/pip3.11. */
static const char *family_name(struct zs_classify *classify)
{
	const char *name = program_name(classify->build, &classify->command->words.items[0]);
	size_t len = strlen(name);

	if (classify->row->traits & ZS_ROW_FAMILY)
		return first_name(classify);
	if (zs_row_find("", name) != classify->row)
		return name;
	while (len > 1 && !strstr(zs_row_names(classify->row), name) && strchr("0123456789.-", name[len - 1]))
		name = zs_arena_string(classify->build->arena, name, --len);
	return name;
}

/* Judges the words of an unknown command that may be a command: the unknown command may be a wrapper. */
static void guess(struct zs_classify *classify)
{
	struct zs_build *build = classify->build;
	const char *wrapper = build->commands.items[classify->index].key;
	uint32_t guesses = 0;

	for (uint32_t at = 0; (at = zs_next_guess(classify, at));) {
		struct zs_raw_command *inner = zs_inner_command(classify, at, classify->command->words.count);
		uint32_t findings = build->findings.count;
		struct zs_guess guess;

		if (++guesses > ZS_MAX_GUESSES) {
			zs_blame(classify, ZS_RISK_WRITE, &classify->command->words.items[at],
				"zs does not know this command, and too many of its words may be commands that it "
				"runs");
			return;
		}
		zs_guess_begin(build, wrapper, &guess);
		zs_classify_command(build, classify->text, classify->where, inner);
		zs_guess_end(build, &guess);
		if (build->findings.count > findings)
			return;
	}
	zs_guess_texts(classify, wrapper);
}

/* Judges a command or a subcommand without a row. A program of the workspace may write: verify runs it in an overlay
 * that is thrown away. */
static void judge_unknown(struct zs_classify *classify, bool sub)
{
	zs_note_command(classify, ZS_RISK_UNKNOWN_COMMAND);
	if (classify->build->guessing || (!sub && zs_is_workspace_program(classify->command->words.items[0].prefix)))
		return;
	zs_judge_announced(classify, sub);
	guess(classify);
}

/* zs $x: $x may be a subcommand that changes what zs allows. */
static bool unknown_subcommand_guards(const struct zs_classify *classify)
{
	const struct zs_row *row = zs_row_find(classify->family, "?");

	return row && (row->traits & ZS_ROW_GUARD);
}

static void judge_sub(struct zs_classify *classify)
{
	const struct zs_raw_word *sub = find_sub(classify);
	const struct zs_row *base = classify->row;
	const char *family = classify->family;
	struct zs_args *args = &classify->args;

	zs_args_read(classify->build->arena, base, "X", &classify->command->words, args);
	for (uint32_t i = 0; i < args->uses.count; i++)
		zs_judge_use(classify, &args->uses.items[i]);
	if (zs_has_effect(args, ZS_FLAG_INFO))
		return;
	if (zs_has_effect(args, ZS_FLAG_WRITES))
		zs_blame_command(classify, ZS_RISK_WRITE, NULL);
	if (zs_has_effect(args, ZS_FLAG_DEVICE))
		zs_blame_command(classify, ZS_RISK_DEVICE, NULL);
	if (!sub) { /* git stash alone */
		zs_judge_traits(classify);
		zs_judge_input(classify);
		return;
	}
	if (!sub->text) {
		zs_blame(classify, unknown_subcommand_guards(classify) ? ZS_RISK_GUARD : ZS_RISK_DYNAMIC_ARGUMENT, sub,
			"the subcommand is known only at run time");
		return;
	}
	if ((base->traits & ZS_ROW_TOOLCHAIN) && sub->text[0] == '+') { /* cargo +nightly fmt is cargo fmt */
		enter_sub(classify, sub);
		classify->again = true;
		return;
	}
	classify->row = zs_row_find(family, sub->text);
	enter_sub(classify, sub);
	if (classify->row)
		classify->build->commands.items[classify->index].row =
			zs_arena_format(classify->build->arena, "%s %s", family, sub->text);
	if (classify->row && (classify->row->traits & ZS_ROW_SUBCOMMANDS)) {
		classify->family =
			zs_arena_format(classify->build->arena, "%s %s", family, family_member(classify, sub->text));
		classify->again = true;
	} else if (classify->row) {
		zs_judge_row(classify);
	} else if (base->traits & ZS_ROW_RUNS) {
		zs_check_task(classify, sub);
		classify->inner = zs_inner_command(classify, 0, classify->command->words.count);
		if (classify->inner)
			classify->inner->own = true;
	} else {
		if (base->traits & ZS_ROW_ALIASES)
			zs_blame(classify, ZS_RISK_REPO_STATE, sub,
				"not a known subcommand; it may be an alias for anything");
		judge_unknown(classify, true);
	}
}

/* Emission */

static const char *normalised_flag(struct zs_arena *arena, const struct zs_raw_word *word)
{
	const char *text = word->prefix;

	if (text[0] != '-' || !text[1] || strcmp(text, "--") == 0)
		return NULL;
	if (strspn(text + 1, "0123456789") == strlen(text + 1))
		return "-*";
	return text[1] == '-' ? zs_arena_string(arena, text, strcspn(text, "=")) : text;
}

static const char *command_key(struct zs_classify *classify)
{
	const struct zs_raw_word *name = &classify->command->words.items[0], *sub;

	if (!program_name(classify->build, name))
		return NULL;
	sub = classify->row && (classify->row->traits & ZS_ROW_SUBCOMMANDS) ? find_sub(classify) : NULL;
	if (!sub || !sub->text)
		return program_name(classify->build, name);
	return zs_arena_format(classify->build->arena, "%s %s", program_name(classify->build, name), sub->text);
}

/* The row's own spelling of the command's name. */
static const char *row_name(struct zs_classify *classify)
{
	size_t len;
	const char *name;

	if (!classify->row)
		return NULL;
	name = zs_row_name(classify->row, program_name(classify->build, &classify->command->words.items[0]), &len);
	return zs_arena_string(classify->build->arena, name, len);
}

static void classify_emit(struct zs_classify *classify)
{
	struct zs_build *build = classify->build;
	const struct zs_raw_command *command = classify->command;
	struct zs_word *argv = zs_arena_alloc(build->arena, (command->words.count + 1) * sizeof *argv);
	ZS_LIST(const char *) flags = { 0 };
	bool flags_ended = false;

	for (uint32_t i = 0; i < command->words.count; i++) {
		const struct zs_raw_word *word = &command->words.items[i];
		const char *flag = i > 0 && !flags_ended ? normalised_flag(build->arena, word) : NULL;

		argv[i] = (struct zs_word){ .text = word->text, .dynamic = word->dynamic, .span = word->span };
		flags_ended |= zs_word_is(word, "--");
		if (flag)
			ZS_PUSH(build->arena, &flags, flag);
	}
	classify->index = (int32_t)build->commands.count;
	ZS_PUSH(build->arena, &build->commands,
		(struct zs_command){
			.key = command->words.count ? command_key(classify) : "",
			.argv = argv,
			.argc = command->words.count,
			.flags = flags.items,
			.flag_count = flags.count,
			.span = command->span,
			.nesting = command->nesting,
			.depth = command->depth,
			.row = row_name(classify),
			.recurses = command->function && command->words.count &&
				    zs_word_is(&command->words.items[0], command->function),
		});
}

/* The setting that NAME=VALUE makes, before a command or alone. */
static enum zs_setting_kind kind_of_assignment(const struct zs_raw_assignment *assignment)
{
	if (assignment->op == '[')
		return ZS_SET_UNKNOWN;
	if (assignment->value.dynamic && strcmp(assignment->value.dynamic, "array") == 0)
		return ZS_SET_ARRAY;
	return assignment->op == '+' ? ZS_SET_APPENDED : ZS_SET_VALUE;
}

static void take_assignment(struct zs_classify *classify, const struct zs_raw_assignment *assignment)
{
	zs_check_value(classify, assignment->name, &assignment->value);
	zs_name_set(classify, assignment->name, kind_of_assignment(assignment), &assignment->value);
}

/* In env $x and timeout $t ls the words up to the inner command's name decide which program runs. */
static void follow_words(struct zs_classify *classify)
{
	const struct zs_word_list *words = &classify->command->words;
	uint32_t rest = classify->args.rest;

	if (!classify->inner || !rest || rest >= words->count || classify->args.rest_role != ZS_ROLE_COMMAND ||
		classify->args.head.raw)
		return;
	for (uint32_t i = 1; i < rest; i++) {
		if (words->items[i].text || words->items[i].quoted)
			continue;
		zs_name_used(classify, i, false);
		return;
	}
	if (program_name(classify->build, &words->items[rest]))
		return;
	zs_name_used(classify, rest, true);
	classify->inner = NULL;
}

/* Classifies one command, without the commands that it wraps. */
static void classify_one(struct zs_classify *classify)
{
	const struct zs_raw_command *command = classify->command;
	const struct zs_raw_word *name = command->words.count ? &command->words.items[0] : NULL;
	bool function;

	classify->row = name && program_name(classify->build, name)
				? zs_row_find("", program_name(classify->build, name))
				: NULL;
	classify_emit(classify);
	zs_places_of_command(classify);
	for (uint32_t i = 0; i < command->assignments.count; i++)
		take_assignment(classify, &command->assignments.items[i]);
	if (!name)
		return;
	if (zs_is_assignment_like(name)) {
		zs_blame(classify, ZS_RISK_UNSUPPORTED, name,
			"bash may take this word for an assignment or for a command");
		return;
	}
	if (!program_name(classify->build, name)) {
		zs_name_used(classify, 0, true);
		return;
	}
	zs_check_shell_command(
		classify, strchr(name->prefix, '/') ? name->prefix : program_name(classify->build, name));
	if (name->text && strncmp(name->text, "/proc/", 6) == 0) /* /proc/self/exe is another program */
		zs_blame(classify, ZS_RISK_DYNAMIC_COMMAND, name, "this path stands for another program");
	if (command->nesting == ZS_NEST_WRAPPER)
		ZS_PUSH(classify->build->arena, &classify->build->names->calls,
			(struct zs_call){ command, classify->where });
	zs_options_used(classify);
	function = zs_raw_defines(classify->raw, name->prefix);
	for (uint32_t i = 1; function && i < command->words.count; i++)
		zs_value_given(classify->build, &command->words.items[i]);
	if (!classify->row) {
		if (!function)
			judge_unknown(classify, false);
	} else if (classify->row->traits & ZS_ROW_SUBCOMMANDS) {
		classify->family = family_name(classify);
		do { /* git, then git stash, then git stash list */
			classify->again = false;
			judge_sub(classify);
		} while (classify->again);
	} else {
		zs_judge_row(classify);
		follow_words(classify);
	}
}

/* Is it the last command of the input? Then no input is left to take. */
static bool is_last_of_input(const struct zs_classify *classify)
{
	return classify->text->fed && classify->where.at / 2 + 1 == classify->raw->commands.count;
}

/* A shell may read its text line by line from its standard input. There read x takes the next line away from the shell.
 */
static void check_shared_input(struct zs_classify *classify)
{
	if (classify->text->input != ZS_INPUT_APART && zs_changes_input(classify))
		zs_blame_command(classify, ZS_RISK_OPAQUE_INTERPRETER,
			"it changes the standard input from which the shell reads its commands");
	else if (classify->text->input == ZS_INPUT_LINES && !is_last_of_input(classify) && zs_may_take_input(classify))
		zs_blame_command(classify, ZS_RISK_OPAQUE_INTERPRETER,
			"it may read lines of the text that the shell reads from its standard input");
}

static void check_assigned(struct zs_build *build, const struct zs_pending_text *text, const struct zs_raw *raw)
{
	const struct zs_raw_word unknown = zs_unknown_word((struct zs_span){ 0, 0 }, "input");
	struct zs_classify classify = {
		.build = build, .raw = raw, .text = text, .where = { text->scope, NULL, 0 }, .index = -1
	};

	for (uint32_t i = 0; i < raw->loops.count; i++)
		zs_check_value(&classify, raw->loops.items[i].name, &unknown);
	for (uint32_t i = 0; i < raw->defaults.count; i++)
		zs_check_value(&classify, raw->defaults.items[i].name, &unknown);
	zs_loops_set(&classify);
}

void zs_classify_command(struct zs_build *build, const struct zs_pending_text *text, struct zs_where where,
	struct zs_raw_command *command)
{
	ZS_LIST(struct zs_raw_command *) queue = { 0 };
	uint32_t wrappers = 0;

	ZS_PUSH(build->arena, &queue, command);
	for (uint32_t next = 0; next < queue.count; next++) {
		struct zs_classify classify = {
			.build = build,
			.raw = text->scope->raw,
			.text = text,
			.where = where,
			.command = queue.items[next],
			.shells = text->shells,
		};

		if (++wrappers > WRAPPERS_MAX) {
			zs_find(build, ZS_RISK_LIMIT, -1, "wrappers", "too many commands within one",
				queue.items[next]->span);
			break;
		}
		classify_one(&classify);
		check_shared_input(&classify);
		if (classify.inner)
			ZS_PUSH(build->arena, &queue, classify.inner);
		for (uint32_t j = 0; j < classify.more_inner.count; j++)
			ZS_PUSH(build->arena, &queue, classify.more_inner.items[j]);
	}
}

void zs_classify_text(struct zs_build *build, const struct zs_raw *raw, const struct zs_pending_text *text)
{
	check_assigned(build, text, raw);
	for (uint32_t i = 0; i < raw->data.count; i++)
		zs_value_given(build, &raw->data.items[i]);
	build->assembly.later_text |= zs_lines_of(text->text, text->len) == ZS_INPUT_LINES;
	for (uint32_t i = 0; i < raw->commands.count; i++) {
		raw->commands.items[i].index = (int32_t)build->commands.count;
		zs_classify_command(build, text,
			(struct zs_where){ text->scope, raw->commands.items[i].function, 2 * i + 1 },
			&raw->commands.items[i]);
	}
}
