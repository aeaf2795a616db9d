#include "judge/options.h"

#include <string.h>
#include <strings.h>

static bool is_arity(char c)
{
	return c == '=' || c == '?' || c == '!' || c == '#' || c == '^';
}

/* Without strcspn() and the like: long rows are read often, and their words are short. */
bool zs_next_option(const char **options, struct zs_option_spec *ret_spec)
{
	const char *start = *options;
	size_t len, name = 0;

	while (*start == ' ')
		start++;
	while (start[name] && start[name] != ' ' &&
		(name == 0 || !is_arity(start[name]) || (name == 1 && start[0] == '-')))
		name++;
	for (len = name; start[len] && start[len] != ' ';)
		len++;
	if (!len)
		return false;
	*ret_spec = (struct zs_option_spec){ .name = start, .len = name };
	if (name < len) {
		ret_spec->arity = start[name];
		ret_spec->meaning = start[name + 1];
	}
	*options = start + len;
	return true;
}

static bool find_flag(const struct zs_row *row, const char *flag, size_t len, struct zs_option_spec *ret_spec)
{
	const char *options = zs_row_options(row);

	while (options && zs_next_option(&options, ret_spec))
		if (ret_spec->len == len && memcmp(ret_spec->name, flag, len) == 0)
			return true;
	return false;
}

bool zs_lists_flag(const struct zs_row *row, const char *flag, size_t len)
{
	struct zs_option_spec spec;

	return find_flag(row, flag, len, &spec);
}

bool zs_has_listed_word(const struct zs_word_list *words, const char *list)
{
	for (uint32_t i = 1; i < words->count; i++)
		if (zs_listed(words->items[i].text, list))
			return true;
	return false;
}

const struct zs_use *zs_next_use(const struct zs_args *args, const struct zs_use *use, const char *flags)
{
	const struct zs_use *end = args->uses.items + args->uses.count;

	for (use = use ? use + 1 : args->uses.items; use < end; use++)
		if (flags ? zs_listed(use->flag, flags) : !use->flag)
			return use;
	return NULL;
}

size_t zs_assignment_split(const char *text)
{
	size_t i = 0;

	if (!zs_is_name_start(text[0]))
		return 0;
	while (zs_is_name(text[i]))
		i++;
	if (text[i] == '=')
		return i;
	return text[i] == '+' && text[i + 1] == '=' ? i + 1 : 0;
}

struct sorter {
	struct zs_arena *arena;
	const struct zs_row *row;
	const char *letters; /* the letters of the operands; "" if there are none */
	const struct zs_word_list *words;
	struct zs_args *args;
	uint32_t at;      /* index of the word that is read */
	const char *slot; /* in rows with an inner command: the letter of the next operand */
	bool flags_ended;
	ZS_LIST(uint32_t) operands;
};

/* Is it a shell whose code the reader reads: bash, sh, dash? */
static bool is_shell(const struct zs_row *row)
{
	return zs_row_speaks(row, "bash");
}

/* May the word become several, or none? An unquoted ${x- } is written as one word. */
static bool splits(const struct zs_raw_word *word)
{
	return word->dynamic && !word->quoted && strcmp(word->dynamic, "expansion") == 0 &&
	       (memchr(word->raw, ' ', word->raw_len) || memchr(word->raw, '\t', word->raw_len));
}

static void use(struct sorter *sorter, enum zs_role role, const char *flag, struct zs_raw_word word, uint32_t at)
{
	if ((sorter->row->traits & ZS_ROW_STRICT) && splits(&word))
		sorter->args->dynamic_flag = true;
	ZS_PUSH(sorter->arena, &sorter->args->uses, (struct zs_use){ role, flag, at, word });
	/* bash --rcfile FILE reads its input after that file */
	if (role == ZS_ROLE_CODE || role == ZS_ROLE_SHELL || role == ZS_ROLE_ALONE ||
		(role == ZS_ROLE_SCRIPT && flag && !is_shell(sorter->row)))
		sorter->args->has_code = true;
}

/* After code, --version is an argument of the code: python -c CODE --version runs CODE. */
static void add_effect(struct sorter *sorter, char effect)
{
	if (effect == ZS_FLAG_INFO && sorter->args->has_code)
		return;
	sorter->args->effects |= zs_effect_bit((enum zs_flag_effect)effect);
	if (effect == ZS_FLAG_CODE_DONE)
		sorter->args->has_code = true;
}

static void unknown_flag(struct sorter *sorter, const struct zs_raw_word *word)
{
	if ((sorter->row->traits & ZS_ROW_STRICT) && !sorter->args->unknown_flag)
		sorter->args->unknown_flag = zs_arena_string(sorter->arena, word->raw, word->raw_len);
}

/* Does the row list a flag with an effect, or with a value that is more than data or a file that is read? */
static bool lists_more_than_data(const struct zs_row *row)
{
	const char *options = zs_row_options(row);
	struct zs_option_spec spec;

	while (options && zs_next_option(&options, &spec))
		if (spec.arity && !strchr("drhN", spec.meaning))
			return true;
	return false;
}

/* -$x may be any flag. With letters before $x it is most likely a value that the row does not list. "Most likely"
 * is not enough if a flag can turn words into code or commands. */
static void dynamic_flag(struct sorter *sorter, const struct zs_raw_word *word)
{
	bool matters = sorter->row->traits & (ZS_ROW_STRICT | ZS_ROW_STDIN_CODE);

	if (word->dynamic &&
		(matters || (strspn(word->prefix, "-") == strlen(word->prefix) && lists_more_than_data(sorter->row))))
		sorter->args->dynamic_flag = true;
}

/* Takes a flag without its optional value. xargs -i means -I{}. */
static void take_none(struct sorter *sorter, const struct zs_option_spec *spec, const char *flag)
{
	struct zs_raw_word braces = sorter->words->items[sorter->at];

	braces.text = braces.prefix = "{}";
	if (spec->meaning == ZS_ROLE_REPLACE)
		use(sorter, ZS_ROLE_REPLACE, flag, braces, sorter->at);
	else if (!strchr("WO", spec->meaning))
		add_effect(sorter, spec->meaning);
}

/* Takes a value that stands in the next word. */
static void take_next(struct sorter *sorter, const struct zs_option_spec *spec, const char *flag)
{
	if (sorter->at + 1 >= sorter->words->count)
		return;
	sorter->at++;
	if (spec->meaning == ZS_ROLE_COMMAND) { /* python -m MODULE ARGS */
		sorter->args->rest = sorter->at;
		sorter->args->rest_role = ZS_ROLE_COMMAND;
		return;
	}
	use(sorter, (enum zs_role)spec->meaning, flag, sorter->words->items[sorter->at], sorter->at);
}

static void take_attached(
	struct sorter *sorter, const struct zs_option_spec *spec, const char *flag, struct zs_raw_word value)
{
	if (spec->meaning == ZS_ROLE_COMMAND && spec->arity == '=') {
		sorter->args->rest = sorter->at;
		sorter->args->rest_role = ZS_ROLE_COMMAND;
		sorter->args->head = value;
	} else if (spec->arity == '=' || (spec->arity == '?' && strchr("RWO", spec->meaning))) {
		use(sorter, (enum zs_role)spec->meaning, flag, value, sorter->at);
	} else if (spec->arity) { /* a flag without an arity has no value, so the attached text means nothing: --quiet=x
				   */
		add_effect(sorter, spec->meaning);
	}
}

/* Finds the option that a long flag names. The flag may be abbreviated; an exact name is preferred. */
static bool find_long(const struct sorter *sorter, const char *name, size_t len, struct zs_option_spec *ret_spec)
{
	const char *options = zs_row_options(sorter->row);
	bool long_dash = sorter->row->traits & ZS_ROW_LONG_DASH, found = false;
	bool abbreviated = !long_dash || (sorter->row->traits & ZS_ROW_ABBREVIATED);
	struct zs_option_spec spec;

	while (options && zs_next_option(&options, &spec)) {
		size_t skip = long_dash ? strspn(spec.name, "-") : 0, skipped = long_dash ? strspn(name, "-") : 0;
		size_t have = spec.len - skip, want = len - skipped;

		if (!long_dash && spec.len < 3)
			continue;
		if (want > have || memcmp(spec.name + skip, name + skipped, want) != 0)
			continue;
		if (want == have) {
			*ret_spec = spec;
			return true;
		}
		/* no abbreviation counts as a flag that makes the command harmless */
		if (abbreviated && !found && want > (long_dash ? 0 : 2) && (long_dash || spec.name[1] == '-') &&
			!(spec.arity == '!' && strchr("hr", spec.meaning))) {
			*ret_spec = spec;
			found = true;
		}
	}
	return found;
}

/* Finds a flag after one dash that has its value attached: gcc -ofile. */
static bool find_glued(const struct sorter *sorter, const char *name, struct zs_option_spec *ret_spec)
{
	const char *options = zs_row_options(sorter->row);

	if (!(sorter->row->traits & ZS_ROW_GLUED))
		return false;
	while (zs_next_option(&options, ret_spec))
		if (ret_spec->arity == '=' && (ret_spec->name[1] != '-' || ret_spec->name[ret_spec->len - 1] == ':') &&
			strlen(name) > ret_spec->len && memcmp(ret_spec->name, name, ret_spec->len) == 0)
			return true;
	return false;
}

/* Does the value switch off a flag that would make the command harmless? --check=false, --dry-run=none. */
static bool is_switched_off(const struct zs_option_spec *spec, const struct zs_raw_word *word, size_t value)
{
	const char *text = word->text ? word->text + value : "";

	if (!strchr("hr", spec->meaning) || !strchr("!?", spec->arity))
		return false;
	return !*text || zs_listed_any_case(text, strlen(text), "0 f false n never no none off");
}

static void read_long(struct sorter *sorter, const struct zs_raw_word *word)
{
	size_t len = strcspn(word->prefix, "=");
	bool attached = word->prefix[len] == '=';
	struct zs_option_spec spec;
	const char *flag;

	if (!find_long(sorter, word->prefix, len, &spec) && find_glued(sorter, word->prefix, &spec)) {
		take_attached(sorter, &spec, zs_arena_string(sorter->arena, spec.name, spec.len),
			zs_word_from(word, spec.len));
		return;
	}
	if (!find_long(sorter, word->prefix, len, &spec)) {
		if (!attached) { /* with --x=v attached, the next word is no value */
			unknown_flag(sorter, word);
			dynamic_flag(sorter, word);
		}
		return;
	}
	if (attached && is_switched_off(&spec, word, len + 1))
		return;
	flag = zs_arena_string(sorter->arena, spec.name, spec.len);
	if (spec.arity == '!')
		add_effect(sorter, spec.meaning);
	else if (spec.arity == '?' && !attached)
		take_none(sorter, &spec, flag);
	else if (attached)
		take_attached(sorter, &spec, flag, zs_word_from(word, len + 1));
	else if (spec.arity == '=')
		take_next(sorter, &spec, flag);
}

static bool ends_in(const struct zs_raw_word *word, const char *text)
{
	size_t len = strlen(text);

	return word->raw && word->raw_len >= len && memcmp(word->raw + word->raw_len - len, text, len) == 0;
}

/* Notes that a value may be empty. If a command or code follows, an empty value would move it. */
static void empty_value(struct sorter *sorter, const struct zs_raw_word *word)
{
	bool moves = (sorter->row->traits & (ZS_ROW_STRICT | ZS_ROW_STDIN_CODE)) || strpbrk(sorter->letters, "XS");

	if (moves && !sorter->args->unknown_flag)
		sorter->args->unknown_flag = zs_arena_string(sorter->arena, word->raw, word->raw_len);
}

/* Reads a bundle of short flags: -xzf FILE. */
static void read_short(struct sorter *sorter, const struct zs_raw_word *word)
{
	for (size_t i = 1; word->prefix[i]; i++) {
		struct zs_option_spec spec;
		char flag[3] = { word->prefix[0], word->prefix[i], '\0' };

		if (!find_flag(sorter->row, (char[]){ '-', word->prefix[i] }, 2, &spec)) {
			unknown_flag(sorter, word);
			continue;
		}
		if (spec.arity == '!') {
			add_effect(sorter, spec.meaning);
		} else if (spec.arity == '^') {
			take_next(sorter, &spec, zs_arena_string(sorter->arena, flag, 2));
		} else if (spec.arity == '#') {
			i += strspn(word->prefix + i + 1, "0123456789xX");
		} else if (spec.arity == '=' || spec.arity == '?') {
			bool attached = word->prefix[i + 1] || word->dynamic;

			const char *name = zs_arena_string(sorter->arena, flag, 2);

			/* exec -a$x: if $x is empty, the flag takes the next word. $(nproc) is never empty. */
			if (spec.arity == '=' && !word->prefix[i + 1] && word->dynamic && !ends_in(word, "$(nproc)"))
				empty_value(sorter, word);

			if (spec.arity == '=' && !attached)
				take_next(sorter, &spec, name);
			else if (!attached)
				take_none(sorter, &spec, name);
			else
				take_attached(sorter, &spec, name, zs_word_from(word, i + 1));
			return;
		}
	}
	dynamic_flag(sorter, word);
}

static bool is_flag(const struct sorter *sorter, const struct zs_raw_word *word)
{
	if (word->prefix[0] == '+' && (sorter->row->traits & ZS_ROW_STDIN_CODE))
		return word->prefix[1] != '\0' || is_shell(sorter->row); /* bash +e, bash + -c */
	return word->prefix[0] == '-' && (word->prefix[1] != '\0' || word->dynamic);
}

static void read_flag(struct sorter *sorter, const struct zs_raw_word *word)
{
	size_t len = strcspn(word->prefix, "=");

	/* A row may list a whole word after one dash, as ld -Map and xxd -cols. Then it is no bundle of letters. */
	if (word->prefix[1] == '-' || (sorter->row->traits & ZS_ROW_LONG_DASH) ||
		(len > 2 && zs_lists_flag(sorter->row, word->prefix, len)))
		read_long(sorter, word);
	else
		read_short(sorter, word);
}

/* Reads an operand of a row with an inner command. True: the inner command starts here. */
static bool inner_operand(struct sorter *sorter, const struct zs_raw_word *word)
{
	while (sorter->slot[0] == ZS_ROLE_ASSIGN && sorter->slot[1] == '*') {
		if (zs_assignment_split(word->prefix) ||
			(strchr(word->prefix, '=') && word->prefix[0] != '=' && sorter->letters[0] == 'e')) {
			use(sorter, ZS_ROLE_ASSIGN, NULL, *word, sorter->at);
			return false;
		}
		sorter->slot += 2;
	}
	if (*sorter->slot == ZS_ROLE_COMMAND || *sorter->slot == ZS_ROLE_SHELL_REST) {
		sorter->args->rest = sorter->at;
		sorter->args->rest_role = (enum zs_role) * sorter->slot;
		return true;
	}
	if (*sorter->slot)
		use(sorter, (enum zs_role) * sorter->slot++, NULL, *word, sorter->at);
	sorter->args->operands++;
	return false;
}

/* Gives the operands the letters of the row: fixed letters, then a starred letter, then fixed letters. */
static void assign_operands(struct sorter *sorter)
{
	const char *letters = sorter->letters;
	const char *star;
	uint32_t front, behind, count = sorter->operands.count, at = 0;
	bool code_operand = zs_has_effect(sorter->args, ZS_FLAG_CODE_OPERAND);

	if ((*letters == ZS_ROLE_CODE || *letters == ZS_ROLE_SCRIPT) && sorter->args->has_code && !code_operand)
		letters++;
	star = strchr(letters, '*');
	front = star ? (uint32_t)(star - letters) - 1 : (uint32_t)strlen(letters);
	behind = star ? (uint32_t)strlen(star + 1) : 0;
	for (; at < count; at++) {
		char letter = ZS_ROLE_DATA;

		if (star && count > front && at + behind >= count && at >= front)
			letter = star[1 + behind - (count - at)];
		else if (at < front)
			letter = letters[at];
		else if (star)
			letter = star[-1];
		if (at == 0 && code_operand)
			letter = ZS_ROLE_SHELL;
		use(sorter, (enum zs_role)letter, NULL, sorter->words->items[sorter->operands.items[at]],
			sorter->operands.items[at]);
	}
	sorter->args->operands = count;
}

void zs_args_read(struct zs_arena *arena, const struct zs_row *row, const char *operands,
	const struct zs_word_list *words, struct zs_args *ret_args)
{
	struct sorter sorter = {
		.arena = arena, .row = row, .letters = operands ? operands : "", .words = words, .args = ret_args
	};
	bool inner = strpbrk(sorter.letters, "XS") != NULL;

	sorter.slot = sorter.letters;
	*ret_args = (struct zs_args){ 0 };
	for (sorter.at = 1; sorter.at < words->count && !ret_args->rest; sorter.at++) {
		const struct zs_raw_word *word = &words->items[sorter.at];

		if (!sorter.flags_ended && zs_word_is(word, "-") && zs_lists_flag(row, "-", 1)) {
			continue; /* env - means env -i */
		} else if (!sorter.flags_ended && zs_word_is(word, "-") && is_shell(row)) {
			sorter.flags_ended = true; /* bash - means bash -- */
		} else if (!sorter.flags_ended && zs_word_is(word, "--")) {
			sorter.flags_ended = true;
		} else if (!sorter.flags_ended && is_flag(&sorter, word)) {
			read_flag(&sorter, word);
		} else if (inner) {
			if (inner_operand(&sorter, word))
				break;
		} else {
			ZS_PUSH(arena, &sorter.operands, sorter.at);
			sorter.flags_ended |= (row->traits & ZS_ROW_NO_PERMUTE) != 0;
		}
	}
	if (!inner)
		assign_operands(&sorter);
}
