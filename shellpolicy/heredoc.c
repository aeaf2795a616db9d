/* Here-documents, found a second time: tree-sitter-bash compares a prefix of the delimiter, skips blanks that
 * matter and loses its state on long ones (shared/parser-facts.md, class E). Only plain forms are modelled. */
#include "lower.h"

#include <string.h>

#define DELIMITER_MAX 100

/* How the operator line continues: up to its newline, which must be the one that starts the body. */
static const char *check_rest_of_line(const struct zs_source *source, uint32_t start, uint32_t *ret_newline)
{
	char quote = 0;

	for (uint32_t i = start; i < source->len; i++) {
		char c = source->text[i];

		if (c == '\n') {
			*ret_newline = i;
			return quote ? "a quoted newline behind a here-document" : NULL;
		}
		if (c == '\\' || c == '`' || c == '#' || (!quote && c == '('))
			return "a here-document followed by what may move its body";
		if (!quote && c == '<' && i + 1 < source->len && source->text[i + 1] == '<' &&
			!(i + 2 < source->len && source->text[i + 2] == '<'))
			return "two here-documents on a line";
		if (!quote && c == '<' && i + 2 < source->len && source->text[i + 1] == '<')
			i += 2;
		else if (quote ? c == quote : (c == '\'' || c == '"'))
			quote = quote ? 0 : c;
	}
	return "a here-document without a body";
}

struct delimiter {
	const char *text;
	uint32_t len;
	bool quoted;
};

static const char *read_delimiter(const struct zs_source *source, const struct zs_node *start, struct delimiter *ret)
{
	const char *text = source->text + start->start;
	uint32_t len = start->end - start->start;

	ret->quoted = len >= 2 && (text[0] == '\'' || text[0] == '"') && text[len - 1] == text[0];
	if (ret->quoted) {
		text++;
		len -= 2;
	}
	if (len == 0 || len > DELIMITER_MAX)
		return "a here-document's delimiter of an odd length";
	for (uint32_t i = 0; i < len; i++)
		if (!zs_is_name(text[i]) && text[i] != '-' && text[i] != '.')
			return "a here-document's delimiter that is not a plain word";
	if (start->end < source->len && !zs_is_metacharacter(source->text[start->end]))
		return "a here-document's delimiter that goes on";
	ret->text = text;
	ret->len = len;
	return NULL;
}

/* The line that is the delimiter and nothing else; its start after tabs, for <<-. */
static const char *find_end(const struct zs_source *source, uint32_t body, const struct delimiter *delimiter, bool tabs,
	uint32_t *ret_start)
{
	for (uint32_t line = body; line < source->len;) {
		const char *newline = memchr(source->text + line, '\n', source->len - line);
		uint32_t end = newline ? (uint32_t)(newline - source->text) : source->len;
		uint32_t start = line;

		while (tabs && start < end && source->text[start] == '\t')
			start++;
		if (end - start == delimiter->len &&
			memcmp(source->text + start, delimiter->text, delimiter->len) == 0) {
			*ret_start = start;
			return NULL;
		}
		if (!delimiter->quoted && end > line && source->text[end - 1] == '\\')
			return "a continued line in a here-document";
		line = end + 1;
	}
	return "a here-document that does not end";
}

static const struct zs_node *child_of_kind(struct zs_tree tree, uint32_t parent, enum zs_kind kind)
{
	for (uint32_t i = parent + 1; i < tree.nodes[parent].after; i = tree.nodes[i].after)
		if (tree.nodes[i].kind == kind)
			return &tree.nodes[i];
	return NULL;
}

const char *zs_check_heredoc(const struct zs_source *source, uint32_t index)
{
	const struct zs_node *node = &source->tree.nodes[index];
	const struct zs_node *start = child_of_kind(source->tree, index, ZS_KIND_HEREDOC_START);
	const struct zs_node *body = child_of_kind(source->tree, index, ZS_KIND_HEREDOC_BODY);
	const struct zs_node *end = child_of_kind(source->tree, index, ZS_KIND_HEREDOC_END);
	struct delimiter delimiter;
	const char *refused;
	uint32_t newline = 0, end_start = 0;
	bool tabs;

	if (!start || !end)
		return "a here-document without an end";
	refused = read_delimiter(source, start, &delimiter);
	if (!refused)
		refused = check_rest_of_line(source, start->end, &newline);
	tabs = node->start + 2 < source->len && memchr(source->text + node->start, '-', start->start - node->start);
	if (!refused)
		refused = find_end(source, newline + 1, &delimiter, tabs, &end_start);
	if (refused)
		return refused;
	if (end->end != end_start + delimiter.len || end->start < newline || (body && body->start <= newline) ||
		(body && body->end > end_start))
		return "a here-document that the parser ends elsewhere";
	return NULL;
}
