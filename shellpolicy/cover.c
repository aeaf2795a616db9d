/* No byte is passed over: what stands between nodes must be blank, and what a leaf holds must be text.
 * The parser hides substitutions in both (shared/parser-facts.md, R-COV, R-GAP and R-COMMENT). */
#include "lower.h"

#include <string.h>

/* What may stand between the children of a node. */
enum gap { GAP_ANY, GAP_LINE, GAP_EMPTY, GAP_TEXT };

static enum gap gap_of(enum zs_kind parent)
{
	static const uint8_t gaps[ZS_KIND_COUNT] = {
		[ZS_KIND_COMMAND] = GAP_LINE,
		[ZS_KIND_DECLARATION] = GAP_LINE,
		[ZS_KIND_UNSET] = GAP_LINE,
		[ZS_KIND_FILE_REDIRECT] = GAP_LINE,
		[ZS_KIND_HERESTRING_REDIRECT] = GAP_LINE,
		[ZS_KIND_ASSIGNMENTS] = GAP_LINE,
		[ZS_KIND_COMMAND_NAME] = GAP_EMPTY,
		[ZS_KIND_CONCATENATION] = GAP_EMPTY,
		[ZS_KIND_SIMPLE_EXPANSION] = GAP_EMPTY,
		[ZS_KIND_ASSIGNMENT] = GAP_EMPTY,
		[ZS_KIND_TRANSLATED_STRING] = GAP_EMPTY,
		[ZS_KIND_STRING] = GAP_TEXT,
		[ZS_KIND_HEREDOC_BODY] = GAP_TEXT,
		[ZS_KIND_EXPANSION] = GAP_TEXT,
	};

	return (enum gap)gaps[parent];
}

/* An unescaped start of an expansion. */
static const char *find_expansion(const char *text, uint32_t start, uint32_t end, uint32_t len)
{
	for (uint32_t i = start; i < end; i++) {
		char c = text[i], next = i + 1 < len ? text[i + 1] : '\0';

		if (c == '\\' && next != '\n')
			i++;
		else if (c == '`')
			return "a backquote that the parser does not see";
		else if (c == '$' && (next == '(' || next == '{' || next == '[' || next == '\\'))
			return "an expansion that the parser does not see";
		else if ((c == '<' || c == '>') &&
			 (next == '(' || (next == '\\' && i + 2 < len && text[i + 2] == '\n')))
			return "a process substitution that the parser does not see";
	}
	return NULL;
}

static const char *check_blank(const char *text, uint32_t start, uint32_t end, bool newlines)
{
	for (uint32_t i = start; i < end; i++) {
		if (zs_is_blank(text[i]) || (newlines && text[i] == '\n'))
			continue;
		/* A continued line: only behind a blank, where it can neither join words nor start one. */
		if (text[i] == '\\' && i + 1 < end && text[i + 1] == '\n' && i > 0 && zs_is_blank(text[i - 1]) &&
			(i < 2 || text[i - 2] != '\\')) {
			i++;
			continue;
		}
		return text[i] == '\n' ? "a newline within a command" : "text between words that no rule accounts for";
	}
	return NULL;
}

const char *zs_check_gap(const struct zs_source *source, enum zs_kind parent, uint32_t start, uint32_t end)
{
	if (start == end)
		return NULL;
	switch (gap_of(parent)) {
	case GAP_EMPTY:
		return "a blank inside of a word";
	case GAP_TEXT:
		if (parent == ZS_KIND_EXPANSION && memchr(source->text + start, '\\', end - start))
			return "a line continuation within ${…}";
		return find_expansion(source->text, start, end, source->len);
	case GAP_LINE:
		return check_blank(source->text, start, end, false);
	case GAP_ANY:
		break;
	}
	return check_blank(source->text, start, end, true);
}

/* # starts a comment only where a word could start. */
static const char *check_comment(const struct zs_source *source, uint32_t start)
{
	const char *text = source->text;

	if (start == 0)
		return NULL;
	if (!strchr(" \t\n;&|(", text[start - 1]))
		return "a # that is no comment to bash";
	if (zs_is_blank(text[start - 1]) && start > 1 && text[start - 2] == '\\')
		return "a # behind an escaped blank";
	return NULL;
}

const char *zs_check_subscript(const char *text, size_t len)
{
	bool bracket = false;

	for (size_t i = 1; i < len; i++) {
		if (text[i] == '[' && zs_is_name(text[i - 1]))
			bracket = true;
		else if (bracket && (text[i] == '`' || (text[i] == '$' && i + 1 < len && text[i + 1] == '(')))
			return "quoted code in an array subscript, which arithmetic runs";
	}
	return NULL;
}

const char *zs_check_leaf(const struct zs_source *source, const struct zs_node *leaf, bool quotes_are_plain)
{
	const char *text = source->text, *found;

	if (leaf->kind == ZS_KIND_COMMENT)
		return check_comment(source, leaf->start);
	/* A dollar sign alone is a character, unless a line goes on behind it: "$\\n(c)". */
	if (leaf->kind == ZS_KIND_DOLLAR && leaf->end + 1 < source->len && memcmp(text + leaf->end, "\\\n", 2) == 0)
		return "a line continuation after $";
	if (leaf->kind >= ZS_KIND_SEMICOLON) /* a token: the grammar knows its text */
		return NULL;
	if (leaf->kind != ZS_KIND_RAW_STRING && leaf->kind != ZS_KIND_ANSI_C_STRING)
		return find_expansion(text, leaf->start, leaf->end, source->len);
	if (zs_quote_end(text, source->len, leaf->start) != leaf->end)
		return "a quoted string that the parser ends elsewhere";
	for (uint32_t i = leaf->start; quotes_are_plain && i + 2 < leaf->end; i++)
		if (text[i] == '$' && (text[i + 1] == '"' || text[i + 1] == '\'') && i > leaf->start)
			return "a quoted string within what does not quote"; /* "${x-'$"(c)'}" runs c */
	found = zs_check_subscript(text + leaf->start, leaf->end - leaf->start);
	/* Within "${…}" and arithmetic single quotes do not quote. */
	return found || !quotes_are_plain ? found : find_expansion(text, leaf->start, leaf->end, source->len);
}

/* Whether single quotes quote within ${…} depends on the operator and on what stands around it, and plain braces are
 * not counted (man bash, Parameter Expansion): what could move the end is refused. */
const char *zs_check_braced(const struct zs_source *source, const struct zs_node *leaf)
{
	const char *text = source->text + leaf->start;
	uint32_t len = leaf->end - leaf->start;
	bool quoted = leaf->kind == ZS_KIND_RAW_STRING || leaf->kind == ZS_KIND_ANSI_C_STRING;

	if (leaf->kind == ZS_KIND_DOLLAR && leaf->end < source->len && strchr("\\\"'({[`", source->text[leaf->end]))
		return "a dollar sign that may start an expansion";
	if (leaf->kind == ZS_KIND_STRING_CONTENT)
		return memchr(text, '\\', len) ? "a backslash in quotes within ${…}" : NULL;
	if (leaf->kind >= ZS_KIND_SEMICOLON)
		return NULL;
	for (uint32_t i = 0; i < len; i++) {
		if (text[i] == '\\' && !quoted)
			i++;
		else if (text[i] == '}' || text[i] == '{' || (quoted && text[i] == '"'))
			return "a brace or quote within ${…} that may end it";
	}
	return NULL;
}

/* The length of the UTF-8 sequence at text, 0 when it is broken (RFC 3629). */
static size_t utf8_length(const unsigned char *text, size_t left)
{
	size_t len = text[0] < 0x80   ? 1
		     : text[0] < 0xc2 ? 0
		     : text[0] < 0xe0 ? 2
		     : text[0] < 0xf0 ? 3
		     : text[0] < 0xf5 ? 4
				      : 0;

	if (len == 0 || len > left)
		return 0;
	for (size_t i = 1; i < len; i++)
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	if ((text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] > 0x9f) ||
		(text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] > 0x8f))
		return 0;
	return len;
}

const char *zs_refused_bytes(const char *text, size_t len, uint32_t *ret_at)
{
	const unsigned char *bytes = (const unsigned char *)text;

	for (size_t i = 0; i < len;) {
		size_t used = utf8_length(bytes + i, len - i);

		*ret_at = (uint32_t)i;
		if ((bytes[i] < 0x20 && bytes[i] != '\t' && bytes[i] != '\n') || bytes[i] == 0x7f)
			return "a control character";
		if (!used)
			return "bytes that are not UTF-8";
		i += used;
	}
	return NULL;
}
