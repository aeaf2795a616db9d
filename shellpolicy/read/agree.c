/* The second reading: parses a text with tree-sitter and compares the spans of its tree with those of the strict
 * reader. An evasion must fool two unrelated readers in the same way. */
#include "read/agree.h"

#include "read/parse_arena.h"

#include <string.h>
#include <tree_sitter/api.h>

#define TREE_DEPTH 1000  /* depth of nodes; the strict reader has limited the nesting of the text */
#define READ_CHUNK 512   /* bytes that tree-sitter gets at once */
#define RECOVERY_STEPS 5 /* progress reports after an error */

const TSLanguage *tree_sitter_bash(void);

/* The grammar */

static const char *const kind_names[] = {
#define X(id, name) [ZS_KIND_##id] = name,
	ZS_KINDS(X)
#undef X
};

enum zs_kind zs_kind_of(const char *name, bool named)
{
	if (!named && strcmp(name, "|") == 0)
		return ZS_KIND_PIPE;
	if (!named)
		return zs_listed(name, "; & && || |&") ? ZS_KIND_OPERATOR : ZS_KIND_TOKEN;
	for (int kind = ZS_KIND_OTHER + 1; kind < ZS_KIND_TOKEN; kind++)
		if (strcmp(kind_names[kind], name) == 0)
			return (enum zs_kind)kind;
	return ZS_KIND_OTHER;
}

enum zs_field zs_field_of(const char *name)
{
	if (strcmp(name, "value") == 0)
		return ZS_FIELD_VALUE;
	return strcmp(name, "destination") == 0 ? ZS_FIELD_DESTINATION : ZS_FIELD_OTHER;
}

void zs_grammar_init(struct zs_grammar *grammar)
{
	const TSLanguage *language = tree_sitter_bash();
	uint32_t symbols = ts_language_symbol_count(language);
	uint32_t fields = ts_language_field_count(language);

	*grammar = (struct zs_grammar){ 0 };
	for (uint32_t i = 0; i < symbols && i < sizeof grammar->kinds; i++) {
		TSSymbol symbol = (TSSymbol)i;
		TSSymbolType type = ts_language_symbol_type(language, symbol);

		grammar->kinds[i] =
			(uint8_t)zs_kind_of(ts_language_symbol_name(language, symbol), type == TSSymbolTypeRegular);
	}
	for (uint32_t i = 1; i <= fields && i < sizeof grammar->fields; i++)
		grammar->fields[i] = (uint8_t)zs_field_of(ts_language_field_name_for_id(language, (TSFieldId)i));
}

/* Marks */

/* How the nodes below a node are read. A node inherits it from its parent. */
enum mode {
	MODE_SHELL,      /* commands and words */
	MODE_EXPRESSION, /* [[ ]], arithmetic, ${…}, arrays, patterns: only substitutions count */
};

struct node {
	uint8_t kind;  /* enum zs_kind */
	uint8_t field; /* enum zs_field */
	uint8_t mode;  /* enum mode of the nodes below it */
	uint32_t start, end;
};

/* A walk over the tree: a parent comes before its children, and start offsets never fall. */
struct walk {
	struct zs_build *build;
	const struct zs_grammar *grammar;
	const struct zs_pending_text *pending;
	const char *text; /* as the parser got it */
	ZS_LIST(struct node) parents;
	struct zs_marks marks;
	uint32_t word;       /* mark of the newest word + 1; 0: no word that may go on */
	uint32_t word_depth; /* number of parents of the newest word */
	bool error;          /* there is a node that is an error or missing */
};

/* The grammar's "$", "${", "$(" and "`" include the blanks before them if they stand in a string after another
 * expansion: "$a $b". */
static bool takes_blanks(uint8_t kind)
{
	return kind == ZS_KIND_SIMPLE_EXPANSION || kind == ZS_KIND_EXPANSION || kind == ZS_KIND_ARITHMETIC_EXPANSION ||
	       kind == ZS_KIND_COMMAND_SUBSTITUTION || kind >= ZS_KIND_TOKEN;
}

static struct node node_at(const struct walk *walk, const TSTreeCursor *cursor)
{
	TSNode node = ts_tree_cursor_current_node(cursor);
	TSSymbol symbol = ts_node_symbol(node);
	TSFieldId field = ts_tree_cursor_current_field_id(cursor);
	struct node result = {
		.kind = symbol < sizeof walk->grammar->kinds ? walk->grammar->kinds[symbol] : ZS_KIND_OTHER,
		.field = field < sizeof walk->grammar->fields ? walk->grammar->fields[field] : ZS_FIELD_OTHER,
		.start = ts_node_start_byte(node),
		.end = ts_node_end_byte(node),
	};

	while (takes_blanks(result.kind) && result.start < result.end &&
		(zs_is_blank(walk->text[result.start]) || walk->text[result.start] == '\n'))
		result.start++;
	return result;
}

static bool is_redirect(uint8_t kind)
{
	return kind == ZS_KIND_FILE_REDIRECT || kind == ZS_KIND_HERESTRING_REDIRECT || kind == ZS_KIND_HEREDOC_REDIRECT;
}

/* Is this node a word of the shell, or a part of one? */
static bool is_word_part(const struct node *node, const struct node *parent)
{
	switch (parent->kind) {
	case ZS_KIND_COMMAND:
	case ZS_KIND_DECLARATION:
	case ZS_KIND_UNSET:
		return !is_redirect(node->kind) && node->kind != ZS_KIND_COMMENT;
	case ZS_KIND_FILE_REDIRECT:
		return node->field == ZS_FIELD_DESTINATION;
	case ZS_KIND_HERESTRING_REDIRECT:
		return node->kind != ZS_KIND_FILE_DESCRIPTOR && node->kind != ZS_KIND_TOKEN;
	case ZS_KIND_FOR:
	case ZS_KIND_CASE:
		return node->field == ZS_FIELD_VALUE;
	default:
		return node->kind == ZS_KIND_ASSIGNMENT;
	}
}

static bool is_operator(const struct node *node, const struct node *parent)
{
	if (node->kind == ZS_KIND_PIPE) /* it may separate patterns */
		return parent->kind != ZS_KIND_CASE_ITEM;
	return node->kind == ZS_KIND_OPERATOR && parent->kind != ZS_KIND_FOR;
}

static bool is_substitution(const struct node *node)
{
	return node->kind == ZS_KIND_COMMAND_SUBSTITUTION || node->kind == ZS_KIND_PROCESS_SUBSTITUTION;
}

static uint8_t mode_of(const struct walk *walk, const struct node *node, const struct node *parent)
{
	switch (node->kind) {
	case ZS_KIND_COMMAND_SUBSTITUTION:
	case ZS_KIND_PROCESS_SUBSTITUTION:
	case ZS_KIND_DO_GROUP: /* the body of for ((…)) */
		return MODE_SHELL;
	case ZS_KIND_COMPOUND:
		return walk->pending->text[node->start] == '{' ? MODE_SHELL : MODE_EXPRESSION;
	case ZS_KIND_EXPANSION:
	case ZS_KIND_ARITHMETIC_EXPANSION:
	case ZS_KIND_SUBSCRIPT:
	case ZS_KIND_ARRAY:
	case ZS_KIND_C_FOR:
	case ZS_KIND_TEST_COMMAND:
		return MODE_EXPRESSION;
	default:
		return parent->kind == ZS_KIND_CASE_ITEM && node->field == ZS_FIELD_VALUE ? MODE_EXPRESSION
											  : parent->mode;
	}
}

static void mark(struct walk *walk, enum zs_mark_kind kind, const struct node *node)
{
	ZS_PUSH(walk->build->arena, &walk->marks, (struct zs_mark){ node->start, node->end, kind });
}

/* Marks a word. Two neighbours without a byte between them are one word to bash. */
static void mark_word(struct walk *walk, const struct node *node)
{
	struct zs_mark *newest = walk->word ? &walk->marks.items[walk->word - 1] : NULL;

	if (newest && walk->word_depth == walk->parents.count && newest->end == node->start) {
		newest->end = node->end;
		return;
	}
	mark(walk, ZS_MARK_WORD, node);
	walk->word = walk->marks.count;
	walk->word_depth = walk->parents.count;
}

static void mark_node(struct walk *walk, struct node *node)
{
	static const struct node none = { .kind = ZS_KIND_OTHER, .mode = MODE_SHELL };
	const struct node *parent = walk->parents.count ? &walk->parents.items[walk->parents.count - 1] : &none;

	node->mode = mode_of(walk, node, parent);
	if (parent->mode == MODE_SHELL && is_word_part(node, parent))
		mark_word(walk, node);
	else if (parent->mode == MODE_SHELL && is_operator(node, parent))
		mark(walk, ZS_MARK_OPERATOR, node);
	if (is_substitution(node))
		mark(walk, ZS_MARK_SUBSTITUTION, node);
}

/* Marks all nodes up to an error. Returns the limit that was reached, or NULL. The cursor has its own stack, in the
 * arena, so this does not recurse. */
static const char *mark_tree(struct walk *walk, const TSTree *tree)
{
	uint32_t *budget = &walk->build->budget.nodes;
	TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree));

	for (;;) {
		TSNode current = ts_tree_cursor_current_node(&cursor);
		struct node node = node_at(walk, &cursor);

		if (*budget == 0)
			return "syntax nodes";
		--*budget;
		walk->error = ts_node_is_error(current) || ts_node_is_missing(current);
		if (walk->error)
			return NULL;
		mark_node(walk, &node);
		if (ts_tree_cursor_goto_first_child(&cursor)) {
			if (walk->parents.count == TREE_DEPTH)
				return "nesting depth";
			ZS_PUSH(walk->build->arena, &walk->parents, node);
			continue;
		}
		while (!ts_tree_cursor_goto_next_sibling(&cursor)) {
			if (!ts_tree_cursor_goto_parent(&cursor))
				return NULL;
			if (walk->word_depth == walk->parents.count)
				walk->word = 0;
			walk->parents.count--;
		}
	}
}

/* Parsing */

/* The limit counts work and not time, so a text always has the same answer. tree-sitter is slow in two ways, and calls
 * us in both: parse actions call out_of_steps(), and reading again calls read_source(). */
struct source {
	const char *text;
	uint32_t len;
	struct zs_build *build;
	uint32_t error_steps; /* progress reports since the error */
};

static const char *read_source(void *payload, uint32_t byte, TSPoint point, uint32_t *ret_len)
{
	struct source *source = payload;
	uint32_t left = byte < source->len ? source->len - byte : 0;

	(void)point;
	if (source->build->budget.reads == 0)
		zs_arena_give_up(source->build->arena);
	source->build->budget.reads--;
	*ret_len = left < READ_CHUNK ? left : READ_CHUNK;
	return left ? source->text + byte : "";
}

/* has_error: all parses that are left contain an error, so the answer is known. The parser gets a few more steps to end
 * by itself, since its recovery from errors is superlinear. */
static bool out_of_steps(TSParseState *state)
{
	struct source *source = state->payload;

	source->error_steps += state->has_error;
	if (source->error_steps > RECOVERY_STEPS || source->build->budget.steps == 0)
		return true;
	source->build->budget.steps--;
	return false;
}

/* The tree; NULL if the parser was stopped. */
static TSTree *parse(struct source *source)
{
	TSParser *parser = ts_parser_new();

	ts_parser_set_language(parser, tree_sitter_bash());
	return ts_parser_parse_with_options(parser, NULL,
		(TSInput){ .payload = source, .read = read_source, .encoding = TSInputEncodingUTF8 },
		(TSParseOptions){ .payload = source, .progress_callback = out_of_steps });
}

/* The outcome for the marks of both readings; a finding says where they differ. */
static enum zs_agreement compare(
	struct zs_build *build, const struct zs_pending_text *pending, const struct zs_reading *reading)
{
	const struct zs_marks *strict = &reading->marks, *tree = &reading->tree;

	for (uint32_t i = 0; i < strict->count || i < tree->count; i++) {
		const struct zs_mark *ours = i < strict->count ? &strict->items[i] : &tree->items[i];
		const struct zs_mark *theirs = i < tree->count ? &tree->items[i] : ours;
		const struct zs_mark *first = ours->start < theirs->start ? ours : theirs;

		if (i < strict->count && i < tree->count && ours->start == theirs->start && ours->end == theirs->end &&
			ours->kind == theirs->kind)
			continue;
		zs_find_refusal(build, ZS_REFUSE_DIFFER, pending, first->start, first->end);
		return ZS_DIFFERS;
	}
	return ZS_AGREED;
}

bool zs_agree(struct zs_build *build, const struct zs_grammar *grammar, const struct zs_pending_text *pending,
	struct zs_reading *reading)
{
	const char *text = reading->masked ? reading->masked : pending->text, *limit;
	struct source source = { .text = text, .len = pending->len, .build = build };
	struct walk walk = { .build = build, .grammar = grammar, .pending = pending, .text = text };
	TSTree *tree;

	zs_parse_arena_use(build->arena);
	tree = parse(&source);
	limit = tree ? mark_tree(&walk, tree) : "parse steps";
	zs_parse_arena_use(NULL); /* parser and tree lie in the arena: there is nothing to free */
	if (walk.error || (!tree && source.error_steps)) {
		reading->agreement = ZS_CARRIED;
		return true;
	}
	if (limit) {
		reading->agreement = ZS_STOPPED;
		zs_find(build, ZS_RISK_LIMIT, -1, limit, NULL, zs_place_span(&pending->place, 0, pending->len));
		return false;
	}
	reading->tree = walk.marks;
	reading->agreement = compare(build, pending, reading);
	return reading->agreement == ZS_AGREED;
}
