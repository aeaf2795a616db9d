/* The second reading: compares the spans of tree-sitter's tree with those of the strict reader. An evasion must fool
 * two unrelated readers in the same way. */
#include "read/parse.h"
#include "read/strict_reader.h"

#include <string.h>

/* How the nodes below a node are read. A node inherits it from its parent. */
enum mode {
	MODE_SHELL,      /* commands and words */
	MODE_EXPRESSION, /* [[ ]], arithmetic, ${…}, arrays, patterns: only substitutions count */
};

struct comparison {
	struct zs_build *build;
	const struct zs_pending_text *pending;
	struct zs_tree tree;
	uint8_t *modes; /* enum mode, by node */
	struct zs_marks marks;
	uint32_t word_parent; /* index of the parent of the newest word */
	uint32_t word;        /* mark of the newest word + 1; 0: no word that may go on */
};

static const struct zs_node *parent_of(const struct comparison *comparison, const struct zs_node *node)
{
	return &comparison->tree.nodes[node->parent];
}

static bool is_redirect(uint8_t kind)
{
	return kind == ZS_KIND_FILE_REDIRECT || kind == ZS_KIND_HERESTRING_REDIRECT || kind == ZS_KIND_HEREDOC_REDIRECT;
}

/* Is this node a word of the shell, or a part of one? */
static bool is_word_part(const struct comparison *comparison, const struct zs_node *node)
{
	const struct zs_node *parent = parent_of(comparison, node);

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

static bool is_operator(const struct comparison *comparison, const struct zs_node *node)
{
	uint8_t parent = parent_of(comparison, node)->kind;

	if (node->kind == ZS_KIND_PIPE) /* in case it separates patterns */
		return parent != ZS_KIND_CASE_ITEM;
	return node->kind == ZS_KIND_OPERATOR && parent != ZS_KIND_FOR;
}

static enum mode mode_of(const struct comparison *comparison, uint32_t index)
{
	const struct zs_node *node = &comparison->tree.nodes[index];
	const struct zs_node *parent = parent_of(comparison, node);
	enum mode inherited = (enum mode)comparison->modes[node->parent];

	switch (node->kind) {
	case ZS_KIND_COMMAND_SUBSTITUTION:
	case ZS_KIND_PROCESS_SUBSTITUTION:
	case ZS_KIND_DO_GROUP: /* the body of for ((…)) */
		return MODE_SHELL;
	case ZS_KIND_COMPOUND:
		return comparison->pending->text[node->start] == '{' ? MODE_SHELL : MODE_EXPRESSION;
	case ZS_KIND_EXPANSION:
	case ZS_KIND_ARITHMETIC_EXPANSION:
	case ZS_KIND_SUBSCRIPT:
	case ZS_KIND_ARRAY:
	case ZS_KIND_C_FOR:
	case ZS_KIND_TEST_COMMAND:
		return MODE_EXPRESSION;
	default:
		return parent->kind == ZS_KIND_CASE_ITEM && node->field == ZS_FIELD_VALUE ? MODE_EXPRESSION : inherited;
	}
}

static void mark(struct comparison *comparison, enum zs_mark_kind kind, const struct zs_node *node)
{
	ZS_PUSH(comparison->build->arena, &comparison->marks, (struct zs_mark){ node->start, node->end, kind });
}

/* Marks a word. Two neighbours without a byte between them are one word to bash. */
static void mark_word(struct comparison *comparison, const struct zs_node *node)
{
	if (comparison->word && comparison->word_parent == node->parent &&
		comparison->marks.items[comparison->word - 1].end == node->start) {
		comparison->marks.items[comparison->word - 1].end = node->end;
		return;
	}
	mark(comparison, ZS_MARK_WORD, node);
	comparison->word = comparison->marks.count;
	comparison->word_parent = node->parent;
}

static void mark_tree(struct comparison *comparison)
{
	for (uint32_t i = 0; i < comparison->tree.count; i++) {
		const struct zs_node *node = &comparison->tree.nodes[i];
		bool shell = comparison->modes[node->parent] == MODE_SHELL;

		comparison->modes[i] = (uint8_t)(i ? mode_of(comparison, i) : MODE_SHELL);
		if (shell && is_word_part(comparison, node))
			mark_word(comparison, node);
		else if (shell && is_operator(comparison, node))
			mark(comparison, ZS_MARK_OPERATOR, node);
		if (node->kind == ZS_KIND_COMMAND_SUBSTITUTION || node->kind == ZS_KIND_PROCESS_SUBSTITUTION)
			mark(comparison, ZS_MARK_SUBSTITUTION, node);
	}
}

static bool differ(struct comparison *comparison, uint32_t start, uint32_t end)
{
	zs_find_refusal(comparison->build, ZS_REFUSE_DIFFER, comparison->pending, start, end);
	return false;
}

static bool agree_compare(struct comparison *comparison, const struct zs_marks *strict)
{
	const struct zs_marks *tree = &comparison->marks;

	for (uint32_t i = 0; i < strict->count || i < tree->count; i++) {
		const struct zs_mark *ours = i < strict->count ? &strict->items[i] : &tree->items[i];
		const struct zs_mark *theirs = i < tree->count ? &tree->items[i] : ours;

		if (i < strict->count && i < tree->count && ours->start == theirs->start && ours->end == theirs->end &&
			ours->kind == theirs->kind)
			continue;
		return differ(comparison, ours->start < theirs->start ? ours->start : theirs->start,
			ours->start < theirs->start ? ours->end : theirs->end);
	}
	return true;
}

bool zs_agree(struct zs_build *build, const struct zs_grammar *grammar, const struct zs_pending_text *pending,
	struct zs_reading *reading)
{
	const char *text = reading->masked ? reading->masked : pending->text;
	struct zs_parse_result parsed = zs_parse(grammar, build->arena, text, pending->len, &build->budget);
	struct comparison comparison = { .build = build, .pending = pending, .tree = parsed.tree };

	if (parsed.status == ZS_PARSE_LIMIT) {
		reading->agreement = ZS_STOPPED;
		zs_find(build, ZS_RISK_LIMIT, -1, parsed.limit, NULL, zs_place_span(&pending->place, 0, pending->len));
		return false;
	}
	if (parsed.status == ZS_PARSE_ERROR) {
		reading->agreement = ZS_CARRIED;
		return true;
	}
	comparison.modes = zs_arena_alloc(build->arena, parsed.tree.count);
	mark_tree(&comparison);
	reading->tree = comparison.marks;
	reading->agreement = agree_compare(&comparison, &reading->marks) ? ZS_AGREED : ZS_DIFFERS;
	return reading->agreement == ZS_AGREED;
}
