#include "lowering.h"

#include <string.h>

#define SHOWN_MAX 60 /* bytes of a refused text in messages */

void zs_refuse(struct lowering *low, const char *what, uint32_t one, uint32_t other)
{
	uint32_t start = one < other ? one : other, end = one < other ? other : one;
	uint32_t shown = end - start > SHOWN_MAX ? SHOWN_MAX : end - start;

	zs_find(low->build, ZS_RISK_UNSUPPORTED, -1,
		zs_arena_string(low->build->arena, low->source->text + start, shown), what,
		zs_place_span(low->place, start, end));
}

void zs_refuse_node(struct lowering *low, const char *what, uint32_t index)
{
	zs_refuse(low, what, node_at(low, index)->start, node_at(low, index)->end);
}

bool zs_node_is(const struct lowering *low, uint32_t index, const char *text)
{
	const struct zs_node *node = node_at(low, index);
	size_t len = strlen(text);

	return node->end - node->start == len && memcmp(low->source->text + node->start, text, len) == 0;
}

char *zs_node_text(const struct lowering *low, uint32_t index)
{
	const struct zs_node *node = node_at(low, index);

	return zs_arena_string(low->build->arena, low->source->text + node->start, node->end - node->start);
}

/* Raw commands */

static int32_t new_command(struct lowering *low, uint32_t index)
{
	const struct context *context = &low->contexts[index];
	const struct zs_node *node = node_at(low, index);

	ZS_PUSH(low->build->arena, &low->raw->commands,
		(struct zs_raw_command){
			.span = zs_place_span(low->place, node->start, node->end),
			.nesting = (enum zs_nesting)context->nesting,
			.depth = context->depth,
		});
	return (int32_t)low->raw->commands.count - 1;
}

/* Words of a nested text have the span of the word that holds it. */
static void place_words(struct lowering *low, struct zs_word_list *list, uint32_t from)
{
	for (uint32_t i = from; i < list->count; i++)
		list->items[i].span = zs_place_span(low->place, list->items[i].span.start, list->items[i].span.end);
}

/* Reads the word at `start`, which belongs to node `index`, into `list`; what it holds of expansions is reported
 * once. */
bool zs_read_word(struct lowering *low, uint32_t index, uint32_t start, enum zs_word_context context,
	struct zs_word_list *list, uint32_t *ret_end)
{
	struct zs_source source = *low->source;
	uint32_t before = list->count;
	const char *refused;

	source.len = low->contexts[index].limit;
	refused = zs_word_read(&source, start, context, list, ret_end);

	if (refused == zs_too_many_words)
		zs_find(low->build, ZS_RISK_LIMIT, -1, refused, NULL, zs_place_span(low->place, start, source.len));
	else if (refused)
		zs_refuse(low, refused, start, source.len);
	if (refused)
		return false;
	for (uint32_t i = before; i < list->count; i++) {
		const char *code = zs_check_subscript(list->items[i].prefix, strlen(list->items[i].prefix));

		if (code)
			zs_refuse(low, code, start, *ret_end);
	}
	place_words(low, list, before);
	if (list->count != before + 1) /* braces */
		zs_note(low->build, ZS_RISK_EXPANSION, -1, NULL, zs_place_span(low->place, start, *ret_end));
	else if (list->items[before].dynamic)
		zs_note(low->build, ZS_RISK_EXPANSION, -1, list->items[before].dynamic,
			zs_place_span(low->place, start, *ret_end));
	return true;
}

/* What stands right before < or > may be a descriptor to bash and a word to the parser: 0< f, {fd}> f. */
enum prefix { PREFIX_NONE, PREFIX_DESCRIPTOR, PREFIX_REFUSED };

static enum prefix descriptor_prefix(const struct lowering *low, uint32_t start, uint32_t end)
{
	const char *text = low->source->text;
	enum prefix prefix = PREFIX_DESCRIPTOR;

	if (end >= low->source->len || (text[end] != '<' && text[end] != '>'))
		return PREFIX_NONE;
	if (text[start] == '{' && text[end - 1] == '}')
		return PREFIX_REFUSED;
	for (uint32_t i = start; i < end; i++) {
		if (text[i] == '\\' || text[i] == '\n')
			prefix = PREFIX_REFUSED;
		else if (!zs_is_digit(text[i]))
			return PREFIX_NONE;
	}
	return prefix;
}

/* A child that stands where a word stands. Neighbours without a byte between them are one word to bash: our
 * reading takes them together, and the tree must end where it ends. */
void zs_lower_word(struct lowering *low, uint32_t index, enum zs_word_context word_context, struct zs_word_list *list)
{
	const struct zs_node *node = node_at(low, index);
	struct context *parent = &low->contexts[node->parent];
	uint32_t end = 0;

	low->contexts[index].mode = MODE_WORD;
	if (node->start < parent->word_end) {
		parent->tree_end = node->end;
		return;
	}
	if (parent->tree_end != parent->word_end)
		zs_refuse(low, "a word that bash ends elsewhere", parent->tree_end, parent->word_end);
	if (!zs_read_word(low, node->parent, node->start, word_context, list, &end)) {
		end = node->end;
	} else {
		enum prefix prefix = descriptor_prefix(low, node->start, end);

		if (prefix == PREFIX_REFUSED || (prefix == PREFIX_DESCRIPTOR && list->count < 2))
			zs_refuse(low, "a number or {name} that bash takes for a descriptor", node->start, end);
		else if (prefix == PREFIX_DESCRIPTOR)
			list->count--;
	}
	parent->word_end = end;
	parent->tree_end = node->end;
}

static void check_last_words(struct lowering *low)
{
	for (uint32_t i = 0; i < low->source->tree.count; i++) {
		const struct context *context = &low->contexts[i];

		if (context->tree_end != context->word_end)
			zs_refuse(low, "a word that bash ends elsewhere", context->tree_end, context->word_end);
	}
}

/* Assignments */

/* The name of NAME=, NAME+= or NAME[…]=. */
static const char *assignment_name(const struct lowering *low, uint32_t index)
{
	uint32_t name = first_child(low, index);

	while (name && node_at(low, name)->kind == ZS_KIND_SUBSCRIPT)
		name = first_child(low, name);
	return name && node_at(low, name)->kind == ZS_KIND_VARIABLE_NAME ? zs_node_text(low, name) : "";
}

/* NAME[…]=: bash ends a subscript at the bracket that matches, whatever blanks stand in it. */
static void check_subscript_end(struct lowering *low, uint32_t name)
{
	const struct zs_node *node = node_at(low, name);
	const char *text = low->source->text;
	uint32_t depth = 0;

	for (uint32_t i = node->start; i < low->source->len; i++) {
		if (text[i] == '[')
			depth++;
		else if (text[i] == ']' && depth > 0 && --depth == 0 && i + 1 == node->end)
			return;
		else if (text[i] == ']' && depth == 0)
			break;
	}
	zs_refuse_node(low, "a subscript that bash ends elsewhere", name);
}

static void lower_assignment(struct lowering *low, uint32_t index)
{
	const struct zs_node *node = node_at(low, index);
	struct context *context = &low->contexts[index];
	struct zs_raw_assignment assignment = {
		.name = assignment_name(low, index),
		.value = { .text = "", .prefix = "", .span = zs_place_span(low->place, node->start, node->end) },
		.span = zs_place_span(low->place, node->start, node->end),
	};
	struct zs_word_list value = { 0 };
	uint32_t end = node->end, value_start = 0;

	if (node_at(low, first_child(low, index))->kind == ZS_KIND_SUBSCRIPT)
		check_subscript_end(low, first_child(low, index));
	for (uint32_t child = first_child(low, index); child; child = next_child(low, child)) {
		if (node_at(low, child)->field != ZS_FIELD_VALUE)
			continue;
		value_start = node_at(low, child)->start;
		if (node_at(low, child)->kind == ZS_KIND_ARRAY) {
			assignment.value =
				(struct zs_raw_word){ .dynamic = "array", .prefix = "", .span = assignment.span };
			continue;
		}
		if (!zs_read_word(low, index, value_start, ZS_WORD_ASSIGNMENT, &value, &end))
			return;
		assignment.value = value.items[0];
	}
	if (end != node->end)
		zs_refuse(low, "a value that bash ends elsewhere", node->start, end > node->end ? end : node->end);
	if (end < low->source->len && end < context->limit && !zs_is_metacharacter(low->source->text[end]))
		zs_refuse(low, "a value that goes on where the parser ends it", node->start, end);
	if (context->command < 0)
		context->command = new_command(low, index);
	ZS_PUSH(low->build->arena, &low->raw->commands.items[context->command].assignments, assignment);
	context->mode = MODE_WORD;
}

/* Tests */

/* [ … ] is a command to bash and an expression to the parser, which finds comparisons where bash finds pipes
 * and redirections (parser-facts.md, A). Its bytes are read again as words. */
static void lower_bracket(struct lowering *low, uint32_t index)
{
	const struct zs_node *node = node_at(low, index);
	struct zs_word_list *words;
	uint32_t at = node->start;

	low->contexts[index].command = new_command(low, index);
	words = &low->raw->commands.items[low->contexts[index].command].words;
	while (at < node->end) {
		const char c = low->source->text[at];

		if (zs_is_blank(c)) {
			at++;
		} else if (c == '\\' && at + 1 < node->end && low->source->text[at + 1] == '\n') {
			at += 2;
		} else if (zs_is_metacharacter(c) && !((c == '<' || c == '>') && low->source->text[at + 1] == '(')) {
			zs_refuse(low, "an operator within [ ]", at, node->end);
			return;
		} else if (!zs_read_word(low, index, at, ZS_WORD_COMMAND, words, &at)) {
			return;
		}
	}
	if (at != node->end || words->count < 2 || strcmp(words->items[0].prefix, "[") != 0 ||
		!words->items[words->count - 1].text || strcmp(words->items[words->count - 1].text, "]") != 0)
		zs_refuse_node(low, "a [ that bash does not end here", index);
}

/* [[ and ]] are words of their own. */
static void check_double_bracket(struct lowering *low, uint32_t index)
{
	const struct zs_node *node = node_at(low, index);

	if (node->end - node->start < 5 || !strchr(" \t\n", low->source->text[node->start + 2]) ||
		!strchr(" \t\n", low->source->text[node->end - 3]))
		zs_refuse_node(low, "a [[ that is not followed by a blank", index);
}

/* Substitutions */

/* Backquoted text is modelled when it needs no second unquoting: within it a backslash quotes $, `, \ and, in
 * double quotes, ", before the text is read (man bash, Command Substitution). */
static void lower_backquotes(struct lowering *low, uint32_t index)
{
	const struct zs_node *node = node_at(low, index);
	const char *text = low->source->text;

	if (text[node->start] != '`' || node->end - node->start < 2 || text[node->end - 1] != '`') {
		zs_refuse_node(low, "a backquote that the parser misreads", index);
		return;
	}
	for (uint32_t i = node->start + 1; i < node->end - 1; i++) {
		bool escape = text[i] == '\\' && strchr("$`\\\"\n", text[i + 1]);
		bool comment = text[i] == '#' && strchr("` \t\n;&|(", text[i - 1]);

		if (text[i] == '`' || escape || comment)
			zs_refuse_node(
				low, "backquotes with escapes, comments or backquotes in them: write $(…)", index);
	}
	low->contexts[index].limit = node->end - 1;
}

/* The walk */

static void set_nesting(struct context *context, enum zs_nesting nesting)
{
	context->mode = MODE_SHELL;
	context->nesting = (uint8_t)nesting;
	context->depth++;
	context->command = -1;
}

static void note(struct lowering *low, enum zs_risk risk, uint32_t index)
{
	const struct zs_node *node = node_at(low, index);

	zs_note(low->build, risk, -1, NULL, zs_place_span(low->place, node->start, node->end));
}

static bool is_redirect(uint8_t kind)
{
	return kind == ZS_KIND_FILE_REDIRECT || kind == ZS_KIND_HERESTRING_REDIRECT || kind == ZS_KIND_HEREDOC_REDIRECT;
}

/* The child of a command: part of it as a word, unless it is a redirection or an assignment in front. */
static void lower_command_child(struct lowering *low, uint32_t index)
{
	const struct zs_node *node = node_at(low, index);
	const struct context *parent = &low->contexts[node->parent];
	struct zs_word_list *words = &low->raw->commands.items[parent->command].words;
	bool assignment = node->kind == ZS_KIND_ASSIGNMENT;

	if (node->kind == ZS_KIND_COMMENT || (assignment && words->count == 0))
		return;
	if (node->kind == ZS_KIND_REGEX)
		zs_refuse_node(low, "a pattern as the word of a command", index);
	else if (!is_redirect(node->kind))
		zs_lower_word(low, index, assignment ? ZS_WORD_ASSIGNMENT : ZS_WORD_COMMAND, words);
	else if (node->start < parent->word_end)
		zs_refuse_node(low, "a redirection within a word", index);
}

static bool is_array_assignment(const struct lowering *low, uint32_t index)
{
	if (node_at(low, index)->kind != ZS_KIND_ASSIGNMENT)
		return false;
	for (uint32_t child = first_child(low, index); child; child = next_child(low, child))
		if (node_at(low, child)->kind == ZS_KIND_ARRAY)
			return true;
	return false;
}

/* What a node's parent makes of it: a word, a pattern, part of a command. */
static void lower_in_parent(struct lowering *low, uint32_t index)
{
	const struct zs_node *node = node_at(low, index);
	struct context *context = &low->contexts[index];
	enum zs_kind parent = (enum zs_kind)node_at(low, node->parent)->kind;
	bool value = node->field == ZS_FIELD_VALUE;
	struct zs_word_list discarded = { 0 };

	if (parent == ZS_KIND_REDIRECTED) {
		if (low->contexts[node->parent].seen)
			zs_lower_dropped_words(low, index, low->contexts[node->parent].seen);
		low->contexts[node->parent].seen = node->end;
	}
	if (context->mode != MODE_SHELL)
		return;
	if (parent == ZS_KIND_COMMAND)
		lower_command_child(low, index);
	else if ((parent == ZS_KIND_DECLARATION || parent == ZS_KIND_UNSET) && !is_array_assignment(low, index))
		lower_command_child(low, index);
	else if (parent == ZS_KIND_FOR && value)
		zs_lower_word(low, index, ZS_WORD_COMMAND, &discarded);
	else if (parent == ZS_KIND_CASE && value)
		zs_lower_word(low, index, ZS_WORD_ASSIGNMENT, &discarded);
	else if (parent == ZS_KIND_CASE_ITEM && value)
		context->mode = MODE_TEST;
}

/* What a node is by itself. */
static void lower_node(struct lowering *low, uint32_t index)
{
	const struct zs_node *node = node_at(low, index);
	struct context *context = &low->contexts[index];
	bool shell = context->mode == MODE_SHELL;

	switch ((enum zs_kind)node->kind) {
	case ZS_KIND_PROGRAM:
	case ZS_KIND_LIST:
	case ZS_KIND_PIPELINE:
	case ZS_KIND_NEGATED:
	case ZS_KIND_IF:
	case ZS_KIND_ELIF:
	case ZS_KIND_ELSE:
	case ZS_KIND_WHILE:
	case ZS_KIND_FOR:
	case ZS_KIND_CASE:
	case ZS_KIND_CASE_ITEM:
	case ZS_KIND_REDIRECTED:
		context->command = -1;
		if (!shell)
			zs_refuse_node(low, "a statement inside of a word", index);
		break;
	case ZS_KIND_DO_GROUP: /* the head of for ((…)) is arithmetic, its body is not */
		context->command = -1;
		context->mode = MODE_SHELL;
		break;
	case ZS_KIND_ASSIGNMENTS:
		context->command = new_command(low, index);
		break;
	case ZS_KIND_C_FOR:
		context->mode = MODE_EXPR;
		break;
	case ZS_KIND_SUBSHELL:
		set_nesting(context, ZS_NEST_SUBSHELL);
		note(low, ZS_RISK_SUBSHELL, index);
		break;
	case ZS_KIND_COMPOUND:
		context->command = -1;
		context->mode = zs_node_is(low, first_child(low, index), "{") ? MODE_SHELL : MODE_EXPR;
		break;
	case ZS_KIND_FUNCTION:
		set_nesting(context, ZS_NEST_FUNCTION);
		break;
	case ZS_KIND_COMMAND_SUBSTITUTION:
		if (low->source->text[node->start] != '$')
			lower_backquotes(low, index);
		set_nesting(context, ZS_NEST_SUBSTITUTION);
		note(low, ZS_RISK_SUBSHELL, index);
		break;
	case ZS_KIND_PROCESS_SUBSTITUTION:
		set_nesting(context, ZS_NEST_SUBSTITUTION);
		note(low, ZS_RISK_SUBSHELL, index);
		break;
	case ZS_KIND_COMMAND:
	case ZS_KIND_DECLARATION:
	case ZS_KIND_UNSET:
		context->mode = MODE_SHELL;
		context->command = new_command(low, index);
		break;
	case ZS_KIND_TEST_COMMAND:
		if (node_at(low, first_child(low, index))->kind == ZS_KIND_BRACKET) {
			lower_bracket(low, index);
			context->mode = MODE_BRACKET;
		} else {
			if (node_at(low, first_child(low, index))->kind == ZS_KIND_DOUBLE_BRACKET)
				check_double_bracket(low, index);
			context->mode = MODE_TEST;
		}
		break;
	case ZS_KIND_ASSIGNMENT:
		if (shell)
			lower_assignment(low, index);
		break;
	case ZS_KIND_FILE_REDIRECT:
		zs_lower_file_redirect(low, index);
		break;
	case ZS_KIND_HERESTRING_REDIRECT:
		zs_lower_herestring(low, index);
		break;
	case ZS_KIND_HEREDOC_REDIRECT:
		zs_lower_heredoc(low, index);
		break;
	case ZS_KIND_EXPANSION:
		if (node->end - node->start > 3 && memcmp(low->source->text + node->end - 3, "@P}", 3) == 0)
			zs_refuse_node(low, "a prompt expansion, which runs code", index);
		context->mode = MODE_BRACED;
		break;
	case ZS_KIND_SIMPLE_EXPANSION:
	case ZS_KIND_ARITHMETIC_EXPANSION:
	case ZS_KIND_SUBSCRIPT:
	case ZS_KIND_ARRAY:
		if (context->mode != MODE_BRACED)
			context->mode = MODE_EXPR;
		break;
	case ZS_KIND_REGEX:
	case ZS_KIND_EXTGLOB_PATTERN:
	case ZS_KIND_TEST_OPERATOR:
	case ZS_KIND_UNARY:
	case ZS_KIND_BINARY:
	case ZS_KIND_TERNARY:
	case ZS_KIND_POSTFIX:
	case ZS_KIND_PARENTHESIZED:
		if (shell)
			zs_refuse_node(low, "an expression where bash has a command", index);
		break;
	case ZS_KIND_COMMAND_NAME:
	case ZS_KIND_FILE_DESCRIPTOR:
	case ZS_KIND_HEREDOC_START:
	case ZS_KIND_HEREDOC_BODY:
	case ZS_KIND_HEREDOC_CONTENT:
	case ZS_KIND_HEREDOC_END:
	case ZS_KIND_VARIABLE_NAME:
	case ZS_KIND_SPECIAL_VARIABLE_NAME:
	case ZS_KIND_WORD:
	case ZS_KIND_NUMBER:
	case ZS_KIND_CONCATENATION:
	case ZS_KIND_STRING:
	case ZS_KIND_STRING_CONTENT:
	case ZS_KIND_TRANSLATED_STRING:
	case ZS_KIND_RAW_STRING:
	case ZS_KIND_ANSI_C_STRING:
	case ZS_KIND_BRACE_EXPRESSION:
	case ZS_KIND_COMMENT:
	case ZS_KIND_BRACKET:
	case ZS_KIND_DOUBLE_BRACKET:
	case ZS_KIND_DOLLAR:
	case ZS_KIND_TOKEN:
		break;
	case ZS_KIND_BACKQUOTE:
		if (node_at(low, node->parent)->kind != ZS_KIND_COMMAND_SUBSTITUTION)
			zs_refuse_node(low, "a stray backquote", index);
		break;
	case ZS_KIND_SEMICOLON:
	case ZS_KIND_AMPERSAND:
	case ZS_KIND_AND:
	case ZS_KIND_OR:
	case ZS_KIND_PIPE:
	case ZS_KIND_PIPE_BOTH:
		if (!shell || node_at(low, node->parent)->kind == ZS_KIND_CASE_ITEM)
			break;
		ZS_PUSH(low->build->arena, &low->build->operators,
			(struct zs_operator){
				zs_node_text(low, index), zs_place_span(low->place, node->start, node->end) });
		note(low, ZS_RISK_OPERATOR, index);
		if (node->kind == ZS_KIND_AMPERSAND)
			note(low, ZS_RISK_BACKGROUND, index);
		break;
	case ZS_KIND_UNKNOWN:
	case ZS_KIND_ERROR:
	case ZS_KIND_COUNT:
		zs_refuse_node(low, "a construct that has no rule", index);
		break;
	}
}

static void check_bytes(struct lowering *low, uint32_t index)
{
	const struct zs_node *node = node_at(low, index);
	enum mode mode = (enum mode)low->contexts[index].mode;
	enum zs_kind parent = (enum zs_kind)node_at(low, node->parent)->kind;
	uint32_t at = node->start;
	enum zs_kind kind = (enum zs_kind)node->kind;
	const char *refused = NULL;

	if (kind == ZS_KIND_ASSIGNMENT && parent == ZS_KIND_C_FOR)
		kind = ZS_KIND_C_FOR; /* arithmetic: blanks around its = */
	if (node->kind == ZS_KIND_COMMENT && parent != ZS_KIND_COMMENT &&
		(mode == MODE_EXPR || mode == MODE_BRACED || mode == MODE_WORD || mode == MODE_BRACKET ||
			parent == ZS_KIND_COMMAND))
		zs_refuse_node(low, "a comment inside of a word or expression", index);
	if (mode == MODE_LITERAL)
		return;
	if (node->leaf) {
		refused = zs_check_leaf(low->source, node, mode == MODE_EXPR || mode == MODE_BRACED);
		if (!refused && mode == MODE_BRACED && parent != ZS_KIND_SIMPLE_EXPANSION)
			refused = zs_check_braced(low->source, node);
		if (mode == MODE_TEST && (zs_node_is(low, index, "<") || zs_node_is(low, index, ">")) &&
			low->source->text[node->start + 1] == '(')
			refused = "a process substitution that the parser does not see";
	} else {
		for (uint32_t child = first_child(low, index); child && !refused; child = next_child(low, child)) {
			if (node_at(low, child)->start >= at && kind != ZS_KIND_REDIRECTED)
				refused = zs_check_gap(low->source, kind, at, node_at(low, child)->start);
			at = node_at(low, child)->end;
		}
		if (!refused && at < node->end)
			refused = zs_check_gap(low->source, kind, at, node->end);
	}
	if (refused)
		zs_refuse_node(low, refused, index);
}

/* Does this node name a variable that gets a value outside of an assignment: for x in, ${x:=…}? */
static bool names_assigned(const struct lowering *low, uint32_t index)
{
	const struct zs_node *node = node_at(low, index);
	uint8_t parent = node_at(low, node->parent)->kind;

	if (node->kind != ZS_KIND_VARIABLE_NAME)
		return false;
	if (parent == ZS_KIND_FOR)
		return true;
	return parent == ZS_KIND_EXPANSION && node->next &&
	       (zs_node_is(low, node->next, "=") || zs_node_is(low, node->next, ":="));
}

static void note_names(struct lowering *low, uint32_t index)
{
	const struct zs_node *node = node_at(low, index);

	if (names_assigned(low, index))
		ZS_PUSH(low->build->arena, &low->raw->assigned, zs_node_text(low, index));

	if (node_at(low, node->parent)->kind == ZS_KIND_FUNCTION && node->field == ZS_FIELD_NAME)
		ZS_PUSH(low->build->arena, &low->raw->functions, zs_node_text(low, index));
}

void zs_lower(struct zs_build *build, const struct zs_source *source, const struct zs_place *place, uint32_t depth,
	struct zs_raw *ret_raw)
{
	struct lowering low = { build, source, place, NULL, ret_raw };
	const struct zs_tree *tree = &source->tree;
	const char *refused;

	*ret_raw = (struct zs_raw){ 0 };
	low.contexts = zs_arena_alloc(build->arena, tree->count * sizeof *low.contexts);
	low.contexts[0] = (struct context){ .nesting = (uint8_t)(place->nested ? ZS_NEST_SHELL : ZS_NEST_TOP),
		.depth = (uint16_t)depth,
		.command = -1,
		.limit = source->len };
	refused = zs_check_gap(source, ZS_KIND_PROGRAM, 0, tree->nodes[0].start);
	if (!refused)
		refused = zs_check_gap(source, ZS_KIND_PROGRAM, tree->nodes[0].end, source->len);
	if (refused)
		zs_refuse(&low, refused, 0, source->len);
	for (uint32_t i = 0; i < tree->count; i++) {
		struct context *context = &low.contexts[i];

		if (i > 0) {
			uint8_t mode = context->mode; /* set by the parent, for a quoted here-document */

			*context = low.contexts[tree->nodes[i].parent];
			context->word_end = context->tree_end = context->seen = 0;
			if (mode)
				context->mode = mode;
			note_names(&low, i);
			lower_in_parent(&low, i);
		}
		lower_node(&low, i);
		check_bytes(&low, i);
	}
	check_last_words(&low);
}
