/* Here-documents. A line may have several, each with its own delimiter; the bodies begin after the newline token of
 * that line (POSIX XCU 2.7.4). tree-sitter-bash compares only a prefix of the delimiter and skips blanks, so operators
 * and bodies are masked and the strict reader alone reads them. */
#include "read/reader.h"

#include <string.h>

#define DELIMITER_MAX 100

/* Takes a delimiter: bash removes its quotes and expands nothing. */
bool zs_take_delimiter(struct strict_reader *r, bool tabs, struct zs_raw_word *ret_word)
{
	char delimiter[DELIMITER_MAX + 1];
	uint32_t start = r->at, len = 0;
	char quote = 0;
	bool quoted = false;

	for (; r->at < r->len && len <= DELIMITER_MAX; r->at++) {
		char c = peek(r, 0);

		if (!quote && zs_is_metacharacter(c) && !at_process_substitution(r))
			break;
		if (c == '\n' || c == '\t' || (!quote && at_process_substitution(r)) ||
			((c == '$' || c == '`') && quote != '\'') || (c == '\\' && quote == '"') ||
			(c == '\\' && !quote && (peek(r, 1) == '\n' || r->at + 1 == r->len))) {
			zs_refuse(r, ZS_REFUSE_HEREDOC_DELIMITER, start, r->at + 1);
			return false;
		}
		if (c == quote) {
			quote = 0;
		} else if (!quote && (c == '\'' || c == '"')) {
			quote = c;
			quoted = true;
		} else {
			if (c == '\\' && !quote) {
				quoted = true;
				r->at++;
			}
			delimiter[len++] = peek(r, 0);
		}
	}
	if (quote || r->at == start) {
		zs_reject(r);
		return false;
	}
	if (len == 0 || len > DELIMITER_MAX) {
		zs_refuse(r, ZS_REFUSE_HEREDOC_DELIMITER_LENGTH, start, r->at);
		return false;
	}
	ret_word->text = ret_word->prefix = zs_arena_string(r->build->arena, delimiter, len);
	ret_word->span = zs_span_of(r, start, r->at);
	ZS_PUSH(r->build->arena, &r->heredocs,
		(struct heredoc){ ret_word->text, len, quoted, tabs, -1, ++r->heredoc_number, r->at });
	return true;
}

/* Reads a line of the body. In an unquoted body a line that ends in a backslash goes on. Returns the start of the next
 * line. *ret_is: the line is the delimiter. *ret_closes: it begins with the delimiter and closes a substitution, which
 * ends the body too. */
static uint32_t heredoc_read_line(
	const struct strict_reader *r, uint32_t start, const struct heredoc *heredoc, bool *ret_is, bool *ret_closes)
{
	uint32_t matched = 0, at = start;
	bool differs = false;

	*ret_closes = false;
	for (; at < r->len && r->text[at] != '\n'; at++) {
		char c = r->text[at];

		if (c == '\\' && !heredoc->quoted && at + 1 < r->len) {
			differs |= r->text[++at] != '\n';
			continue;
		}
		if (c == '\t' && heredoc->tabs && !matched && !differs)
			continue;
		*ret_closes |= c == ')' && matched == heredoc->len;
		if (!differs && matched < heredoc->len && c == heredoc->delimiter[matched])
			matched++;
		else
			differs = true;
	}
	*ret_is = !differs && matched == heredoc->len;
	return at < r->len ? at + 1 : at;
}

/* Does the text hold read or mapfile, which turn a body into values? */
static bool holds_read(const struct strict_reader *r)
{
	for (uint32_t i = 0; i + 4 <= r->len; i++)
		if (memcmp(r->text + i, "read", 4) == 0 || memcmp(r->text + i, "mapf", 4) == 0)
			return true;
	return false;
}

/* The bytes that the command gets: without the tabs of <<-, and without the escapes of an unquoted body. NULL if they
 * are known only at run time. */
static const char *body_text(struct strict_reader *r, const struct heredoc *heredoc, uint32_t start, uint32_t end)
{
	char *text = zs_arena_alloc(r->build->arena, (size_t)(end - start) + 1), *to = text;
	bool line_start = true;

	for (uint32_t at = start; at < end; at++) {
		char c = r->text[at], next = at + 1 < end ? r->text[at + 1] : '\0';

		if (line_start && heredoc->tabs && c == '\t')
			continue;
		line_start = c == '\n';
		if (!heredoc->quoted && (c == '$' || c == '`'))
			return NULL;
		if (!heredoc->quoted && c == '\\' && next && strchr("$`\\\n", next)) {
			if (next == '\n' && heredoc->tabs) /* which tabs bash removes here is not documented */
				return NULL;
			at++;
			if (next == '\n')
				continue;
			c = next;
		}
		*to++ = c;
	}
	*to = '\0';
	return text;
}

/* Gives the body to the command that it feeds, unless a later redirection replaces it. */
static void feed_body(struct strict_reader *r, const struct heredoc *heredoc, uint32_t start, uint32_t end)
{
	bool known = heredoc->command >= 0 && (uint32_t)heredoc->command < r->raw->commands.count;
	struct zs_feed *feed = known ? &r->raw->commands.items[heredoc->command].feed : NULL;

	if (!feed || feed->kind != ZS_FEED_TEXT || feed->heredoc != heredoc->number)
		return;
	feed->text.raw = r->text + start;
	feed->text.raw_len = end - start;
	feed->text.span = zs_span_of(r, start, end);
	feed->text.text = body_text(r, heredoc, start, end);
	feed->text.prefix = feed->text.text ? feed->text.text : "";
	feed->text.dynamic = feed->text.text ? NULL : "expansion";
	feed->text.quoted = heredoc->quoted;
}

static void take_body(struct strict_reader *r, const struct heredoc *heredoc)
{
	bool inside = zs_substitution(r) != NULL, is = false, closes;
	uint32_t start = r->at, line = r->at;

	while (!is && line < r->len) {
		uint32_t next = heredoc_read_line(r, line, heredoc, &is, &closes);

		if (closes && inside)
			break;
		if (is)
			r->at = next;
		else
			line = next;
	}
	if (!is && (inside || r->len != r->pending->len)) {
		zs_refuse(r, ZS_REFUSE_HEREDOC_END, start, r->len);
		return;
	}
	if (!is) /* the end of the text ends the body; bash warns */
		r->at = line = r->len;
	feed_body(r, heredoc, start, line);
	if (inside || r->reads) {
		if (heredoc->quoted)
			zs_note_data(r, start, line);
		else
			zs_note_escaped_data(r, start, line);
	}
	if (!heredoc->quoted)
		ZS_PUSH(r->build->arena, &r->bodies,
			(struct body){ start, line, top(r)->nesting, top(r)->depth, top(r)->function });
	zs_mask(r, start, r->at, ' ');
}

void zs_take_bodies(struct strict_reader *r)
{
	r->reads = r->reads || (!r->reads_known && holds_read(r));
	r->reads_known = true;
	for (uint32_t i = 0; i < r->heredocs.count && !r->failed; i++)
		take_body(r, &r->heredocs.items[i]);
	r->heredocs.count = 0;
}

void zs_open_body(struct strict_reader *r, const struct body *body)
{
	struct frame *frame;

	r->at = body->start;
	frame = zs_open(r, FRAME_BODY);
	frame->saved = r->len;
	frame->nesting = body->nesting;
	frame->depth = body->depth;
	frame->function = body->function;
	frame->loose = true;
	frame->body = true;
	r->len = body->end;
	r->heredocs.count = 0;
}

/* A body is read like text in double quotes, but double quotes in it are plain. */
void zs_step_body(struct strict_reader *r)
{
	enum zs_dynamic why;

	if (at_end(r)) {
		r->len = top(r)->saved;
		zs_close(r);
	} else if (peek(r, 0) == '\\') {
		r->at += r->at + 1 < r->len && strchr("$`\\\n", peek(r, 1)) ? 2 : 1;
	} else if (peek(r, 0) == '$') {
		zs_take_dollar(r, &why);
	} else if (peek(r, 0) == '`') {
		zs_take_backquotes(r, BACKQUOTES_NESTED);
	} else {
		r->at++;
	}
}
