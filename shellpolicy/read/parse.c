#include "read/parse.h"

#include "base/listed.h"
#include "read/parse_arena.h"
#include "zs_shellpolicy.h"

#include <string.h>
#include <tree_sitter/api.h>

#define TREE_DEPTH 1000  /* depth of nodes; the strict reader has limited the nesting of the text */
#define READ_CHUNK 512   /* bytes that tree-sitter gets at once */
#define RECOVERY_STEPS 5 /* progress reports after an error */

const TSLanguage *tree_sitter_bash(void);

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

/* Work is counted, not timed, so that a text always has the same answer. tree-sitter is slow in two ways, and both call
 * back: parse actions call out_of_steps(), reading again calls read_source(). */
struct source {
	const char *text;
	uint32_t len;
	struct zs_budget *budget;
	struct zs_arena *arena;
	uint32_t error_steps; /* progress reports since the error */
	uint32_t error_at;    /* offset of the error */
};

static const char *read_source(void *payload, uint32_t byte, TSPoint point, uint32_t *ret_len)
{
	struct source *source = payload;
	uint32_t left = byte < source->len ? source->len - byte : 0;

	(void)point;
	if (source->budget->reads == 0)
		zs_arena_give_up(source->arena);
	source->budget->reads--;
	*ret_len = left < READ_CHUNK ? left : READ_CHUNK;
	return left ? source->text + byte : "";
}

/* has_error: each reading that is left contains an error, so the answer is known. The parser gets a few steps to say
 * where; its recovery is superlinear. */
static bool out_of_steps(TSParseState *state)
{
	struct source *source = state->payload;

	if (state->has_error && source->error_steps++ == 0)
		source->error_at = state->current_byte_offset;
	if (source->error_steps > RECOVERY_STEPS || source->budget->steps == 0)
		return true;
	source->budget->steps--;
	return false;
}

struct walk {
	ZS_LIST(struct zs_node) nodes;
	uint32_t parents[TREE_DEPTH]; /* indices of the open nodes */
	uint32_t depth;
	uint32_t last[TREE_DEPTH]; /* the newest child of each open node, or 0 */
};

/* The grammar's "$", "${", "$(" and "`" include the blanks in front of them if they stand in a string behind another
 * expansion: "$a $b". */
static bool takes_blanks(enum zs_kind kind)
{
	return kind == ZS_KIND_SIMPLE_EXPANSION || kind == ZS_KIND_EXPANSION || kind == ZS_KIND_ARITHMETIC_EXPANSION ||
	       kind == ZS_KIND_COMMAND_SUBSTITUTION || kind >= ZS_KIND_TOKEN;
}

static uint32_t parse_skip_blanks(const char *text, uint32_t start, uint32_t end)
{
	while (start < end && (text[start] == ' ' || text[start] == '\t' || text[start] == '\n'))
		start++;
	return start;
}

static struct zs_node node_of(
	const struct zs_grammar *grammar, const char *text, const TSTreeCursor *cursor, TSNode node)
{
	TSSymbol symbol = ts_node_symbol(node);
	TSFieldId field = ts_tree_cursor_current_field_id(cursor);
	bool error = ts_node_is_error(node) || ts_node_is_missing(node);
	struct zs_node result = {
		.kind = symbol < sizeof grammar->kinds ? grammar->kinds[symbol] : 0,
		.field = field < sizeof grammar->fields ? grammar->fields[field] : 0,
		.leaf = ts_node_child_count(node) == 0,
		.start = ts_node_start_byte(node),
		.end = ts_node_end_byte(node),
	};

	if (error)
		result.kind = ZS_KIND_ERROR;
	if (takes_blanks((enum zs_kind)result.kind))
		result.start = parse_skip_blanks(text, result.start, result.end);
	return result;
}

/* Returns the limit that was reached, or NULL. The cursor has its own stack, in the arena, so this does not recurse. */
static const char *flatten(const struct zs_grammar *grammar, const struct source *source, TSTree *tree,
	struct walk *walk, const struct zs_node **ret_bad)
{
	uint32_t *budget = &source->budget->nodes;
	TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree));

	for (;;) {
		struct zs_node node = node_of(grammar, source->text, &cursor, ts_tree_cursor_current_node(&cursor));
		uint32_t index = walk->nodes.count;

		if (*budget == 0)
			return "syntax nodes";
		--*budget;
		if (walk->depth) {
			uint32_t *last = &walk->last[walk->depth - 1];

			node.parent = walk->parents[walk->depth - 1];
			if (*last)
				walk->nodes.items[*last].next = index;
			*last = index;
		}
		node.after = index + 1;
		ZS_PUSH(source->arena, &walk->nodes, node);
		if (node.kind == ZS_KIND_ERROR && !*ret_bad)
			*ret_bad = &walk->nodes.items[index];
		if (node.kind == ZS_KIND_ERROR)
			return NULL;
		if (ts_tree_cursor_goto_first_child(&cursor)) {
			if (walk->depth == TREE_DEPTH)
				return "nesting depth";
			walk->parents[walk->depth] = index;
			walk->last[walk->depth++] = 0;
			continue;
		}
		while (!ts_tree_cursor_goto_next_sibling(&cursor)) {
			if (!ts_tree_cursor_goto_parent(&cursor))
				return NULL;
			walk->nodes.items[walk->parents[--walk->depth]].after = walk->nodes.count;
		}
	}
}

struct zs_parse_result zs_parse(const struct zs_grammar *grammar, struct zs_arena *arena, const char *text, size_t len,
	struct zs_budget *budget)
{
	struct source source = { .text = text, .len = (uint32_t)len, .budget = budget, .arena = arena };
	struct walk *walk = zs_arena_take(arena, sizeof *walk);
	const struct zs_node *bad = NULL;
	struct zs_parse_result result = { .status = ZS_PARSE_LIMIT };
	TSParser *parser;
	TSTree *tree;

	memset(&walk->nodes, 0, sizeof walk->nodes);
	walk->depth = 0;
	zs_parse_arena_use(arena);
	parser = ts_parser_new();
	ts_parser_set_language(parser, tree_sitter_bash());
	tree = ts_parser_parse_with_options(parser, NULL,
		(TSInput){ .payload = &source, .read = read_source, .encoding = TSInputEncodingUTF8 },
		(TSParseOptions){ .payload = &source, .progress_callback = out_of_steps });
	result.limit = tree ? flatten(grammar, &source, tree, walk, &bad) : "parse steps";
	if (source.error_steps > 0 && !tree) {
		result.status = ZS_PARSE_ERROR;
		result.bad_start = source.error_at < len ? source.error_at : 0;
		result.bad_end = (uint32_t)len;
	} else if (bad) {
		result.status = ZS_PARSE_ERROR;
		result.bad_start = bad->start;
		result.bad_end = bad->end;
	} else if (!result.limit) {
		result.status = ZS_PARSE_OK;
		result.tree = (struct zs_tree){ walk->nodes.items, walk->nodes.count };
	}
	zs_parse_arena_use(NULL); /* parser and tree lie in the arena: there is nothing to free */
	return result;
}
