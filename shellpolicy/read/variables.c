#include "read/expand.h"

#include <string.h>

struct zs_scope *zs_scope_within(struct zs_arena *arena, struct zs_where where)
{
	struct zs_scope *scope = zs_arena_alloc(arena, sizeof *scope);

	scope->outer = where;
	return scope;
}

bool zs_raw_defines(const struct zs_raw *raw, const char *name)
{
	for (uint32_t i = 0; i < raw->functions.count; i++)
		if (strcmp(raw->functions.items[i], name) == 0)
			return true;
	return false;
}

bool zs_defines(const struct zs_build *build, const char *name)
{
	for (uint32_t i = 0; i < build->names->scopes.count; i++)
		if (zs_raw_defines(build->names->scopes.items[i]->raw, name))
			return true;
	return false;
}

bool zs_expand_work(struct zs_build *build, uint64_t work)
{
	build->names->work += work;
	return build->names->work <= ZS_NAMES_WORK;
}

void zs_add_string(const struct zs_expander *expander, struct zs_strings *strings, const char *text)
{
	for (uint32_t i = 0; i < strings->count; i++)
		if (strcmp(strings->items[i], text) == 0)
			return;
	if (strings->count < ZS_MAX_EXPANSIONS)
		ZS_PUSH(expander->build->arena, strings, text);
	else if (strings->count == ZS_MAX_EXPANSIONS)
		ZS_PUSH(expander->build->arena, strings, "\3");
}

void zs_add_strings(const struct zs_expander *expander, struct zs_strings *strings, const struct zs_strings *more)
{
	for (uint32_t i = 0; i < more->count; i++)
		zs_add_string(expander, strings, more->items[i]);
}

void zs_add_field(const struct zs_expander *expander, struct zs_strings *expansions, const char *text)
{
	zs_add_string(expander, expansions, zs_arena_format(expander->build->arena, "%s%c", text, ZS_FIELD_END));
}

const char *zs_behind_fields(const char *expansion, uint32_t count)
{
	for (; count && *expansion; count--) {
		expansion += strcspn(expansion, "\5");
		expansion += *expansion == ZS_FIELD_END;
	}
	return expansion;
}

struct zs_strings zs_split_fields(struct zs_arena *arena, const char *expansion)
{
	struct zs_strings fields = { 0 };

	for (; *expansion; expansion = zs_behind_fields(expansion, 1))
		ZS_PUSH(arena, &fields, zs_field(arena, expansion, 0));
	return fields;
}

bool zs_may_be_several(const char *expansion, uint32_t count)
{
	return memchr(expansion, ZS_UNKNOWN_WORDS, (size_t)(zs_behind_fields(expansion, count) - expansion));
}

const char *zs_field(struct zs_arena *arena, const char *expansion, uint32_t which)
{
	expansion = zs_behind_fields(expansion, which);
	return zs_arena_string(arena, expansion, strcspn(expansion, "\5"));
}

void zs_add_firsts(const struct zs_expander *expander, struct zs_strings *values, const struct zs_strings *expansions)
{
	for (uint32_t i = 0; i < expansions->count; i++)
		zs_add_string(expander, values, zs_field(expander->build->arena, expansions->items[i], 0));
}

struct zs_strings zs_unknown_words(const struct zs_expander *expander)
{
	struct zs_strings expansions = { 0 };

	zs_add_string(expander, &expansions, "\3\5");
	return expansions;
}

/* Variables */

/* Variables that bash sets by itself, or changes while it runs. */
static bool is_of_shell(const char *name)
{
	return zs_listed(name,
		"_ REPLY OPTARG OPTIND RANDOM SRANDOM SECONDS LINENO FUNCNAME PIPESTATUS DIRSTACK GROUPS HISTCMD "
		"MAPFILE COPROC PPID UID EUID BASH* EPOCH* COMP_* READLINE_*");
}

/* Variables that are set in every session (environ(7)). */
static bool is_of_session(const char *name)
{
	return zs_listed(name,
		       "SHELL HOME PWD OLDPWD PATH USER LOGNAME HOSTNAME TERM LANG EDITOR VISUAL PAGER SHLVL HOSTTYPE "
		       "OSTYPE MACHTYPE IFS PS4") ||
	       is_of_shell(name);
}

/* Variables that hold a folder's path. No text has put blanks into it. */
static bool names_folder(const char *name)
{
	return zs_listed(name,
		"HOME PWD VIRTUAL_ENV CONDA_PREFIX JAVA_HOME GOPATH GOROOT GOBIN CARGO_HOME NVM_DIR PYENV_ROOT "
		"ANDROID_HOME ANDROID_SDK_ROOT GITHUB_WORKSPACE CI_PROJECT_DIR M2_HOME MAVEN_HOME GRADLE_HOME "
		"PNPM_HOME BUN_INSTALL DENO_INSTALL");
}

/* The place that a variable of every session names; NULL: not known. */
static const char *place_of_variable(const char *name)
{
	static const char *const places[][2] = { { "HOME", "\016" }, { "PWD", "." }, { "TMPDIR", "/tmp" },
		{ "CI_PROJECT_DIR", "\017" }, { "GITHUB_WORKSPACE", "\017" } };

	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		if (strcmp(places[i][0], name) == 0)
			return places[i][1];
	return NULL;
}

/* Does a setting count in this scope? A shell of its own keeps its variables: the text around it does not see them. */
static bool is_seen_from(const struct zs_setting *setting, const struct zs_scope *scope)
{
	const struct zs_scope *shell = setting->where.scope;

	while (shell && !shell->shell)
		shell = shell->outer.scope;
	while (shell && scope && scope != shell)
		scope = scope->outer.scope;
	return !shell || scope == shell;
}

static bool sets(const struct zs_expander *expander, const struct zs_setting *setting, const char *name)
{
	return (strcmp(setting->name, name) == 0 || (strcmp(setting->name, "*") == 0 && strcmp(name, "@") != 0)) &&
	       is_seen_from(setting, expander->where.scope);
}

static struct zs_expander within(
	const struct zs_expander *expander, struct zs_where where, const struct zs_setting *setting)
{
	return (struct zs_expander){ expander->build, where, expander->steps + 1, setting, expander };
}

/* Is this the setting whose value is being expanded? In x=${x:-y} the inner x does not have the outer value yet. */
static bool is_being_set(const struct zs_expander *expander, const struct zs_setting *setting)
{
	for (; expander; expander = expander->outer)
		if (expander->setting == setting)
			return true;
	return false;
}

/* Has the setting certainly happened when the word is expanded? */
static bool is_certain(const struct zs_expander *expander, const struct zs_setting *setting)
{
	const struct zs_where *set = &setting->where, *use = &expander->where;

	bool in_body = setting->since < use->at && use->at < setting->until;

	return (in_body || (!setting->loose && set->at < use->at)) && set->scope == use->scope &&
	       (!set->function || (use->function && strcmp(set->function, use->function) == 0));
}

static const char *joined(const struct zs_expander *expander, const char *left, const char *right)
{
	if (strlen(left) + strlen(right) > ZS_MAX_EXPANDED)
		return "\3";
	return zs_arena_format(expander->build->arena, "%s%s", left, right);
}

/* x+=VALUE: appends to each value that the variable may have. If the assignment may run again, the result is unknown.
 */
static void variables_append(const struct zs_expander *expander, const struct zs_setting *setting,
	struct zs_strings *values, const struct zs_strings *tails)
{
	uint32_t count = values->count;

	if (setting->loose || setting->where.function || setting->where.scope != expander->where.scope) {
		zs_add_string(expander, values, "\3");
		return;
	}
	for (uint32_t i = 0; i < tails->count; i++) {
		zs_add_string(expander, values, tails->items[i]);
		for (uint32_t j = 0; j < count; j++)
			zs_add_string(expander, values, joined(expander, values->items[j], tails->items[i]));
	}
}

static struct zs_strings words_of(const struct zs_expander *inner, const struct zs_setting *setting)
{
	return setting->words ? zs_expand_words(inner, setting->words, setting->from) : zs_parameters(inner);
}

static bool splits_by_default(const struct zs_expander *expander)
{
	const struct zs_names *names = expander->build->names;

	for (uint32_t i = 0; i < names->settings.count; i++)
		if (sets(expander, &names->settings.items[i], "IFS"))
			return false;
	return true;
}

static void take_setting(
	const struct zs_expander *expander, const struct zs_setting *setting, struct zs_strings *values)
{
	struct zs_expander inner = within(expander, setting->where, setting);
	struct zs_strings strings = { 0 };
	struct zs_strings lists = { 0 };

	switch (setting->kind) {
	case ZS_SET_VALUE:
	case ZS_SET_FILLED:
		strings = zs_expand_value(&inner, &setting->value);
		for (uint32_t i = 0; i < strings.count; i++)
			zs_add_string(expander, values,
				setting->kind == ZS_SET_VALUE || splits_by_default(expander) ? strings.items[i] : "\3");
		break;
	case ZS_SET_APPENDED:
		strings = zs_expand_value(&inner, &setting->value);
		variables_append(expander, setting, values, &strings);
		break;
	case ZS_SET_ARRAY: /* $x is ${x[0]} */
		lists = zs_expand_array(&inner, &setting->value);
		zs_add_firsts(expander, values, &lists);
		break;
	case ZS_SET_WORDS:
		lists = words_of(&inner, setting);
		for (uint32_t i = 0; i < lists.count; i++)
			for (const char *word = lists.items[i]; *word; word = zs_behind_fields(word, 1))
				zs_add_string(expander, values, zs_field(expander->build->arena, word, 0));
		break;
	case ZS_SET_PARAMETERS:
		break;
	case ZS_SET_UNKNOWN:
	case ZS_SET_SOURCED:
	case ZS_SET_UNSET:
		zs_add_string(expander, values, setting->kind == ZS_SET_UNSET ? "" : "\3");
		break;
	}
}

/* . FILE; x=y; $x: the later assignment replaces the value that the file has set. */
static bool is_replaced(const struct zs_expander *expander, const struct zs_setting *setting, const char *name)
{
	const struct zs_names *names = expander->build->names;

	if (setting->kind != ZS_SET_SOURCED || !is_certain(expander, setting))
		return false;
	for (uint32_t i = 0; i < names->settings.count; i++) {
		const struct zs_setting *later = &names->settings.items[i];

		if (strcmp(later->name, name) == 0 && is_certain(expander, later) &&
			later->where.at > setting->where.at &&
			(later->kind == ZS_SET_VALUE || later->kind == ZS_SET_ARRAY))
			return true;
	}
	return false;
}

bool zs_is_from_outside(const struct zs_expander *expander, const char *name)
{
	const struct zs_names *names = expander->build->names;

	for (uint32_t i = 0; i < names->settings.count; i++)
		if (sets(expander, &names->settings.items[i], name) &&
			!is_being_set(expander, &names->settings.items[i]))
			return false;
	return !is_of_session(name);
}

struct zs_strings zs_variable_values(const struct zs_expander *expander, const char *name)
{
	struct zs_names *names = expander->build->names;
	struct zs_strings values = { 0 };
	bool certain = false, set = false;

	if (expander->steps > ZS_MAX_EXPAND_STEPS || !zs_expand_work(expander->build, names->settings.count) ||
		is_of_shell(name)) {
		zs_add_string(expander, &values, "\3");
		return values;
	}
	for (uint32_t i = 0; i < names->settings.count; i++) {
		const struct zs_setting *setting = &names->settings.items[i];

		if (!sets(expander, setting, name) || is_replaced(expander, setting, name))
			continue;
		if (is_being_set(expander, setting)) {
			if (setting->loose || setting->where.function) /* an earlier round may have set it */
				zs_add_string(expander, &values, "\3");
			continue;
		}
		take_setting(expander, setting, &values);
		set |= strcmp(setting->name, "*") != 0;
		certain |= is_certain(expander, setting) && setting->kind != ZS_SET_UNSET;
	}
	if (!set && names->places && place_of_variable(name))
		zs_add_string(expander, &values, place_of_variable(name));
	else if (!set && strcmp(name, "IFS") == 0)
		zs_add_string(expander, &values, " \t\n");
	else if (!set && names_folder(name))
		zs_add_string(expander, &values, "\2");
	else if (!set || (!certain && is_of_session(name)))
		zs_add_string(expander, &values, "\3");
	else if (!certain)
		zs_add_string(expander, &values, "");
	return values;
}

/* The words of both x=(a) and x+=(b); NULL if they are too many. */
static const char *joined_words(const struct zs_expander *expander, const char *head, const char *tail)
{
	const char *words = zs_arena_format(expander->build->arena, "%s%s", head, tail);

	return *zs_behind_fields(words, ZS_MAX_FIELDS) ? NULL : words;
}

/* ${x[@]} */
struct zs_strings zs_variable_lists(const struct zs_expander *expander, const char *name)
{
	struct zs_names *names = expander->build->names;
	struct zs_strings lists = { 0 };
	bool certain = false, appended = false, known;

	if (expander->steps > ZS_MAX_EXPAND_STEPS || !zs_expand_work(expander->build, names->settings.count) ||
		is_of_shell(name))
		return zs_unknown_words(expander);
	for (uint32_t i = 0; i < names->settings.count; i++) {
		const struct zs_setting *setting = &names->settings.items[i];
		struct zs_expander inner = within(expander, setting->where, setting);
		struct zs_strings strings = { 0 };
		struct zs_strings made = { 0 };
		uint32_t count = lists.count;
		const struct zs_raw_word *value = &setting->value;

		if (!sets(expander, setting, name) || is_replaced(expander, setting, name))
			continue;
		if (is_being_set(expander, setting)) {
			if (setting->loose || setting->where.function)
				return zs_unknown_words(expander);
			continue;
		}
		known = certain;
		certain |= is_certain(expander, setting);
		if (setting->kind != ZS_SET_ARRAY) {
			take_setting(expander, setting, &strings);
			for (uint32_t j = 0; j < strings.count; j++)
				zs_add_field(expander, &lists, strings.items[j]);
			continue;
		}
		made = zs_expand_array(&inner, value);
		appended =
			value->raw_len > 1 && memchr(value->raw, '+', (size_t)(strchr(value->raw, '(') - value->raw));
		if (appended && (setting->loose || setting->where.function)) /* it may run any number of times */
			made = zs_unknown_words(expander);
		for (uint32_t j = 0; j < made.count; j++) {
			if (!appended || !known)
				zs_add_string(expander, &lists, made.items[j]);
			for (uint32_t k = 0; appended && k < count; k++) {
				const char *words = joined_words(expander, lists.items[k], made.items[j]);

				if (!words)
					return zs_unknown_words(expander);
				zs_add_string(expander, &lists, words);
			}
		}
	}
	if (!lists.count)
		return zs_unknown_words(expander);
	if (!certain)
		zs_add_string(expander, &lists, "");
	return lists;
}

/* Parameters */

/* The function, or the text of a shell, whose parameters are visible at this place. */
static struct zs_where owner_of(struct zs_where where)
{
	while (!where.function && where.scope && !where.scope->shell && where.scope->outer.scope)
		where = where.scope->outer;
	return where;
}

static bool same_owner(struct zs_where a, struct zs_where b)
{
	a = owner_of(a);
	b = owner_of(b);
	if (a.function || b.function)
		return a.function && b.function && strcmp(a.function, b.function) == 0;
	return a.scope == b.scope;
}

/* Functions that bash calls without a command that names them. */
static bool is_called_back(const char *function)
{
	return strcmp(function, "command_not_found_handle") == 0;
}

static void take_call(const struct zs_expander *expander, const struct zs_raw_command *command, struct zs_where where,
	const char *function, struct zs_strings *lists)
{
	const struct zs_raw_word *name = command->words.count ? &command->words.items[0] : NULL;
	struct zs_expander inner = within(expander, where, NULL);
	struct zs_strings given;

	if (!name || !name->text || strcmp(name->text, function) != 0)
		return;
	given = zs_expand_words(&inner, &command->words, 1);
	zs_add_strings(expander, lists, &given);
}

static void take_calls(const struct zs_expander *expander, const char *function, struct zs_strings *lists)
{
	struct zs_names *names = expander->build->names;

	for (uint32_t i = 0; i < names->scopes.count; i++) {
		const struct zs_scope *scope = names->scopes.items[i];

		for (uint32_t j = 0; j < scope->raw->commands.count; j++) {
			const struct zs_raw_command *command = &scope->raw->commands.items[j];

			take_call(expander, command, (struct zs_where){ scope, command->function, 2 * j + 1 }, function,
				lists);
		}
	}
	for (uint32_t i = 0; i < names->calls.count; i++)
		take_call(expander, names->calls.items[i].command, names->calls.items[i].where, function, lists);
}

static uint32_t commands_of_all(const struct zs_names *names)
{
	uint32_t count = names->calls.count + 1;

	for (uint32_t i = 0; i < names->scopes.count; i++)
		count += names->scopes.items[i]->raw->commands.count;
	return count;
}

/* The number of words that `shift` certainly removes. *ret_more: more may be gone. */
static uint32_t shifted(const struct zs_expander *expander, struct zs_where owner, bool *ret_more)
{
	struct zs_names *names = expander->build->names;
	uint32_t certain = 0;

	for (uint32_t i = 0; i < names->scopes.count; i++) {
		const struct zs_scope *scope = names->scopes.items[i];

		for (uint32_t j = 0; j < scope->raw->commands.count; j++) {
			const struct zs_raw_command *command = &scope->raw->commands.items[j];
			struct zs_where where = { scope, command->function, 2 * j + 1 };
			const struct zs_raw_word *words = command->words.items;

			if (!command->words.count || !words[0].text || strcmp(words[0].text, "shift") != 0 ||
				!same_owner(where, owner))
				continue;
			if (command->loose || command->words.count > 1 || scope != expander->where.scope)
				*ret_more = true;
			else
				certain += where.at < expander->where.at;
		}
	}
	return certain;
}

static void take_set(
	const struct zs_expander *expander, struct zs_where owner, struct zs_strings *lists, bool *ret_certain)
{
	struct zs_names *names = expander->build->names;

	for (uint32_t i = 0; i < names->settings.count; i++) {
		const struct zs_setting *setting = &names->settings.items[i];
		struct zs_expander inner = within(expander, setting->where, setting);
		struct zs_strings made;

		if (setting->kind != ZS_SET_PARAMETERS || !same_owner(setting->where, owner))
			continue;
		made = zs_expand_words(&inner, setting->words, setting->from);
		zs_add_strings(expander, lists, &made);
		*ret_certain |= is_certain(expander, setting);
	}
}

/* "$@" */
struct zs_strings zs_parameters(const struct zs_expander *expander)
{
	struct zs_where owner = owner_of(expander->where);
	struct zs_strings all = { 0 }, left = { 0 };
	bool more = false, set = false, certain = false;
	uint32_t gone;

	if (expander->steps > ZS_MAX_EXPAND_STEPS ||
		!zs_expand_work(expander->build, commands_of_all(expander->build->names)) ||
		(owner.function && is_called_back(owner.function)) ||
		(!owner.function && owner.scope && owner.scope->given && owner.scope->from == UINT32_MAX))
		return zs_unknown_words(expander);
	take_set(expander, owner, &all, &certain);
	set = all.count > 0;
	if (owner.function) {
		take_calls(expander, owner.function, &all);
	} else if (owner.scope && owner.scope->given) {
		struct zs_expander inner = within(expander, owner.scope->outer, NULL);
		struct zs_strings given = zs_expand_words(&inner, &owner.scope->given->words, owner.scope->from + 1);

		zs_add_strings(expander, &all, &given);
	} else if (!certain) {
		zs_add_string(expander, &all, "");
	}
	gone = shifted(expander, owner, &more);
	for (uint32_t i = 0; i < all.count; i++) {
		const char *rest = "-";

		for (uint32_t skip = set || more ? 0 : gone; *rest && (more || skip <= gone); skip++) {
			if (zs_may_be_several(all.items[i], skip))
				return zs_unknown_words(expander);
			rest = zs_behind_fields(all.items[i], skip);
			zs_add_string(expander, &left, rest);
		}
	}
	return left;
}

const char *zs_parameter_zero(const struct zs_expander *expander)
{
	struct zs_where owner = expander->where;

	while (owner.scope && !owner.scope->shell && owner.scope->outer.scope)
		owner = owner.scope->outer;
	if (owner.scope && owner.scope->given && owner.scope->from < owner.scope->given->words.count &&
		owner.scope->given->words.items[owner.scope->from].text)
		return owner.scope->given->words.items[owner.scope->from].text;
	return "\1";
}
