/* Here-documents: several a line, each with its own delimiter; the bodies begin behind the newline token of the line
 * that the operators stand on (POSIX XCU 2.7.4). tree-sitter-bash misreads them (parser-facts.md, E), so operators
 * and bodies are masked and the witness alone reads them. */
#include "read/reader.h"

#include <string.h>

#define DELIMITER_MAX 100

/* Quote removal, and nothing else: a delimiter is not expanded. */
bool zs_take_delimiter(struct witness *w, bool tabs, struct zs_raw_word *ret_word)
{
	char delimiter[DELIMITER_MAX + 1];
	uint32_t start = w->at, len = 0;
	char quote = 0;
	bool quoted = false;

	for (; w->at < w->len && len <= DELIMITER_MAX; w->at++) {
		char c = peek(w, 0);

		if (!quote && zs_is_metacharacter(c) && !at_process_substitution(w))
			break;
		if (c == '\n' || c == '\t' || (!quote && at_process_substitution(w)) ||
			((c == '$' || c == '`') && quote != '\'') || (c == '\\' && quote == '"') ||
			(c == '\\' && !quote && (peek(w, 1) == '\n' || w->at + 1 == w->len))) {
			zs_refuse(w, ZS_REFUSE_HEREDOC_DELIMITER, start, w->at + 1);
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
				w->at++;
			}
			delimiter[len++] = peek(w, 0);
		}
	}
	if (quote || w->at == start) {
		zs_reject(w);
		return false;
	}
	if (len == 0 || len > DELIMITER_MAX) {
		zs_refuse(w, ZS_REFUSE_HEREDOC_DELIMITER_LENGTH, start, w->at);
		return false;
	}
	ret_word->text = ret_word->prefix = zs_arena_string(w->build->arena, delimiter, len);
	ret_word->span = zs_span_of(w, start, w->at);
	ZS_PUSH(w->build->arena, &w->heredocs,
		(struct heredoc){ ret_word->text, len, quoted, tabs, -1, ++w->heredoc_number });
	return true;
}

static bool in_substitution(const struct witness *w)
{
	for (uint32_t i = 0; i < w->frames.count; i++)
		if (w->frames.items[i].kind == FRAME_SUBSTITUTION)
			return true;
	return false;
}

/* A line of the body, from its start; lines that end in a backslash go on in an unquoted one. Returns behind its
 * newline, and whether it is the delimiter, or begins with it and closes a substitution, which ends it too. */
static uint32_t read_line(
	const struct witness *w, uint32_t start, const struct heredoc *heredoc, bool *ret_is, bool *ret_closes)
{
	uint32_t matched = 0, at = start;
	bool differs = false;

	*ret_closes = false;
	for (; at < w->len && w->text[at] != '\n'; at++) {
		char c = w->text[at];

		if (c == '\\' && !heredoc->quoted && at + 1 < w->len) {
			differs |= w->text[++at] != '\n';
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
	return at < w->len ? at + 1 : at;
}

/* A body becomes a value by read, mapfile or a substitution. */
static bool holds_read(const struct witness *w)
{
	for (uint32_t i = 0; i + 4 <= w->len; i++)
		if (memcmp(w->text + i, "read", 4) == 0 || memcmp(w->text + i, "mapf", 4) == 0)
			return true;
	return false;
}

/* The bytes that a command gets of a body: without the tabs of <<-, and without the escapes of an unquoted one. NULL:
 * they are known only at run time. */
static const char *body_text(struct witness *w, const struct heredoc *heredoc, uint32_t start, uint32_t end)
{
	char *text = zs_arena_alloc(w->build->arena, (size_t)(end - start) + 1), *to = text;
	bool line_start = true;

	for (uint32_t at = start; at < end; at++) {
		char c = w->text[at], next = at + 1 < end ? w->text[at + 1] : '\0';

		if (line_start && heredoc->tabs && c == '\t')
			continue;
		line_start = c == '\n';
		if (!heredoc->quoted && (c == '$' || c == '`'))
			return NULL;
		if (!heredoc->quoted && c == '\\' && next && strchr("$`\\\n", next)) {
			if (next == '\n' && heredoc->tabs) /* which tabs go then is bash's secret */
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

/* Gives a body to the command that it feeds, unless a later redirection does. */
static void feed_body(struct witness *w, const struct heredoc *heredoc, uint32_t start, uint32_t end)
{
	bool known = heredoc->command >= 0 && (uint32_t)heredoc->command < w->raw->commands.count;
	struct zs_feed *feed = known ? &w->raw->commands.items[heredoc->command].feed : NULL;

	if (!feed || feed->kind != ZS_FEED_TEXT || feed->heredoc != heredoc->number)
		return;
	feed->text.raw = w->text + start;
	feed->text.raw_len = end - start;
	feed->text.span = zs_span_of(w, start, end);
	feed->text.text = body_text(w, heredoc, start, end);
	feed->text.prefix = feed->text.text ? feed->text.text : "";
	feed->text.dynamic = feed->text.text ? NULL : "expansion";
	feed->text.quoted = heredoc->quoted;
}

static void take_body(struct witness *w, const struct heredoc *heredoc)
{
	bool inside = in_substitution(w), is = false, closes;
	uint32_t start = w->at, line = w->at;

	while (!is && line < w->len) {
		uint32_t next = read_line(w, line, heredoc, &is, &closes);

		if (closes && inside)
			break;
		if (is)
			w->at = next;
		else
			line = next;
	}
	if (!is && (inside || w->len != w->pending->len)) {
		zs_refuse(w, ZS_REFUSE_HEREDOC_END, start, w->len);
		return;
	}
	if (!is) /* the text's end ends it: bash warns */
		w->at = line = w->len;
	feed_body(w, heredoc, start, line);
	if (inside || w->reads) {
		if (heredoc->quoted)
			zs_note_data(w, start, line);
		else
			zs_note_escaped_data(w, start, line);
	}
	if (!heredoc->quoted)
		ZS_PUSH(w->build->arena, &w->bodies,
			(struct body){ start, line, top(w)->nesting, top(w)->depth, top(w)->function });
	zs_mask(w, start, w->at, ' ');
}

void zs_take_bodies(struct witness *w)
{
	w->reads = w->reads || (!w->reads_known && holds_read(w));
	w->reads_known = true;
	for (uint32_t i = 0; i < w->heredocs.count && !w->failed; i++)
		take_body(w, &w->heredocs.items[i]);
	w->heredocs.count = 0;
}

void zs_open_body(struct witness *w, const struct body *body)
{
	struct frame *frame;

	w->at = body->start;
	frame = zs_open(w, FRAME_BODY);
	frame->saved = w->len;
	frame->nesting = body->nesting;
	frame->depth = body->depth;
	frame->function = body->function;
	frame->loose = true;
	frame->body = true;
	w->len = body->end;
	w->heredocs.count = 0;
}

/* As in double quotes, but for the quotes, which are plain. */
void zs_step_body(struct witness *w)
{
	enum zs_dynamic why;

	if (at_end(w)) {
		w->len = top(w)->saved;
		zs_close(w);
	} else if (peek(w, 0) == '\\') {
		w->at += w->at + 1 < w->len && strchr("$`\\\n", peek(w, 1)) ? 2 : 1;
	} else if (peek(w, 0) == '$') {
		zs_take_dollar(w, &why);
	} else if (peek(w, 0) == '`') {
		zs_take_backquotes(w, BACKQUOTES_NESTED);
	} else {
		w->at++;
	}
}
