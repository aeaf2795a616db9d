#include "read/reader.h"

#include <string.h>

#define FOUND_MAX 40   /* bytes of the text that a syntax error shows */
#define FRAMES_MAX 600 /* enough for ZS_MAX_DEPTH levels */

const struct zs_refusal_text zs_refusal_texts[] = { [ZS_REFUSE_NOTHING] = { NULL, NULL },
#define X(id, what, hint) [ZS_REFUSE_##id] = { what, hint },
	ZS_REFUSALS(X)
#undef X
};

struct zs_span zs_span_of(const struct strict_reader *r, uint32_t start, uint32_t end)
{
	return zs_place_span(&r->place, start, end);
}

void zs_note_at(struct strict_reader *r, enum zs_risk risk, const char *object, uint32_t start, uint32_t end)
{
	zs_note(r->build, risk, -1, object, zs_span_of(r, start, end));
}

void zs_refuse(struct strict_reader *r, enum zs_refusal what, uint32_t one, uint32_t other)
{
	uint32_t start = one < other ? one : other, end = one < other ? other : one;

	if (!r->failed)
		zs_find_refusal(r->build, what, r->pending, start, end < r->len ? end : r->len);
	r->failed = true;
}

void zs_reject(struct strict_reader *r)
{
	struct zs_parse_error error = { .byte = r->at, .line = 1, .column = 1 };
	uint32_t shown = r->len - r->at > FOUND_MAX ? FOUND_MAX : r->len - r->at;

	if (r->failed)
		return;
	for (uint32_t i = 0; i < r->at; i++) {
		error.column++;
		if (r->text[i] == '\n') {
			error.line++;
			error.column = 1;
		}
	}
	error.found = zs_arena_string(r->build->arena, r->text + r->at, shown);
	ZS_PUSH(r->build->arena, &r->build->errors, error);
	zs_find(r->build, ZS_RISK_SYNTAX_ERROR, -1, error.found, NULL, zs_span_of(r, r->at, r->len));
	r->failed = true;
}

static void limit(struct strict_reader *r, const char *which)
{
	if (!r->failed)
		zs_find(r->build, ZS_RISK_LIMIT, -1, which, NULL, zs_span_of(r, 0, r->len));
	r->failed = true;
}

struct frame *zs_open(struct strict_reader *r, enum frame_kind kind)
{
	struct frame frame = { .kind = (uint8_t)kind, .start = r->at, .command = -1, .producer = -1 };

	if (r->frames.count) {
		frame.nesting = top(r)->nesting;
		frame.depth = top(r)->depth;
		frame.command = kind == FRAME_LIST ? -1 : top(r)->command;
		frame.function = top(r)->function;
		frame.loose = top(r)->loose || (top(r)->kind == FRAME_LIST && top(r)->follows) ||
			      kind == FRAME_SUBSTITUTION || kind > FRAME_GROUP;
		frame.body = top(r)->body && kind != FRAME_LIST;
		frame.from_pipe = top(r)->from_pipe || (top(r)->kind == FRAME_LIST && top(r)->piped);
		frame.descriptors = top(r)->kind == FRAME_LIST && top(r)->piped;
	}
	if (r->frames.count == FRAMES_MAX)
		limit(r, "nesting depth");
	else
		ZS_PUSH(r->build->arena, &r->frames, frame);
	return top(r);
}

void zs_close(struct strict_reader *r)
{
	uint8_t kind = top(r)->kind;

	r->level -= kind == FRAME_LIST || kind == FRAME_BRACED || kind == FRAME_ARITHMETIC || kind == FRAME_ARRAY;
	if (kind == FRAME_COMMAND || kind >= FRAME_GROUP)
		r->closed = top(r)->descriptors;
	r->frames.count--;
}

bool zs_deeper(struct strict_reader *r)
{
	if (++r->level > ZS_MAX_DEPTH)
		limit(r, "nesting depth");
	return !r->failed;
}

struct frame *zs_open_list(struct strict_reader *r, unsigned closers)
{
	struct frame *frame = zs_open(r, FRAME_LIST);

	frame->closers = (uint16_t)closers;
	frame->saved = r->raw->commands.count;
	zs_deeper(r);
	return frame;
}

void zs_mask(struct strict_reader *r, uint32_t start, uint32_t end, char with)
{
	struct zs_reading *reading = r->reading;

	reading->plain = false;
	if (r->in_bodies)
		return;
	if (!reading->masked)
		reading->masked = zs_arena_string(r->build->arena, r->pending->text, r->pending->len);
	memset(reading->masked + start, with, end - start);
}

uint32_t zs_start_mark(struct strict_reader *r, enum zs_mark_kind kind, uint32_t start)
{
	if (r->in_bodies)
		return 0;
	ZS_PUSH(r->build->arena, &r->reading->marks, (struct zs_mark){ start, start, kind });
	return r->reading->marks.count;
}

void zs_end_mark(struct strict_reader *r, uint32_t mark, uint32_t end)
{
	if (mark)
		r->reading->marks.items[mark - 1].end = end;
}

void zs_note_escaped_data(struct strict_reader *r, uint32_t start, uint32_t end)
{
	for (uint32_t i = start; i + 1 < end; i++) {
		if (r->text[i] == '\\' && (r->text[i + 1] == '$' || r->text[i + 1] == '`')) {
			zs_note_data(r, start, end);
			return;
		}
	}
}

void zs_note_data(struct strict_reader *r, uint32_t start, uint32_t end)
{
	struct zs_raw_word word = {
		.raw = r->text + start,
		.raw_len = end - start,
		.span = zs_span_of(r, start, end),
	};

	word.text = word.prefix = zs_arena_string(r->build->arena, word.raw, word.raw_len);
	ZS_PUSH(r->build->arena, &r->raw->data, word);
}

void zs_skip_blanks(struct strict_reader *r)
{
	for (;;) {
		if (zs_is_blank(peek(r, 0))) {
			r->at++;
		} else if (at_continuation(r, 0)) {
			zs_mask(r, r->at, r->at + 2, ' ');
			r->at += 2;
		} else {
			break;
		}
	}
	if (peek(r, 0) == '#') { /* a comment, since a token would start here */
		r->reading->plain = false;
		while (!at_end(r) && peek(r, 0) != '\n')
			r->at++;
	}
}

void zs_skip_newlines(struct strict_reader *r)
{
	zs_skip_blanks(r);
	while (peek(r, 0) == '\n' && !r->failed) {
		zs_take_newline(r);
		zs_skip_blanks(r);
	}
}

struct frame *zs_substitution(struct strict_reader *r)
{
	for (uint32_t i = r->frames.count; i > 0; i--)
		if (r->frames.items[i - 1].kind == FRAME_SUBSTITUTION)
			return &r->frames.items[i - 1];
	return NULL;
}

/* Does the line with the here-documents that wait go on on another line before `end`? Behind a compound command bash
 * 5.1 takes their bodies from there. */
static bool is_continued(const struct strict_reader *r, uint32_t end)
{
	uint32_t start = r->heredocs.count ? r->heredocs.items[0].end : end;

	return start < end && memchr(r->text + start, '\n', end - start);
}

void zs_take_newline(struct strict_reader *r)
{
	struct frame *substitution;

	r->at++;
	if (!r->heredocs.count)
		return;
	substitution = zs_substitution(r);
	if (substitution && substitution->saved > 0) {
		/* this reader would take their bodies from inside the substitution; bash takes them from after it */
		zs_refuse(r, ZS_REFUSE_HEREDOC_NEWLINE, r->at - 1, r->at);
		return;
	}
	if (substitution)
		substitution->any = true;
	if (is_continued(r, r->at - 1)) {
		zs_refuse(r, ZS_REFUSE_HEREDOC_LINE, r->heredocs.items[0].end, r->at);
		return;
	}
	zs_take_bodies(r);
}

static void run(struct strict_reader *r)
{
	static void (*const steps[])(struct strict_reader *r) = {
		[FRAME_LIST] = zs_step_list,
		[FRAME_COMMAND] = zs_step_command,
		[FRAME_REDIRECT] = zs_reject, /* the word of its target is on top until it is complete */
		[FRAME_WORD] = zs_step_word,
		[FRAME_SUBSTITUTION] = zs_step_substitution,
		[FRAME_BRACED] = zs_step_braced,
		[FRAME_ARITHMETIC] = zs_step_arithmetic,
		[FRAME_ARRAY] = zs_step_array,
		[FRAME_BODY] = zs_step_body,
		[FRAME_GROUP] = zs_step_compound,
		[FRAME_IF] = zs_step_compound,
		[FRAME_WHILE] = zs_step_compound,
		[FRAME_FOR] = zs_step_compound,
		[FRAME_CASE] = zs_step_compound,
		[FRAME_FUNCTION] = zs_step_compound,
		[FRAME_TEST] = zs_step_compound,
	};

	while (r->frames.count && !r->failed)
		steps[top(r)->kind](r);
}

bool zs_strict_read(struct zs_build *build, const struct zs_pending_text *pending, struct zs_reading *ret_reading)
{
	struct strict_reader r = {
		.build = build,
		.place = pending->place,
		.pending = pending,
		.reading = ret_reading,
		.raw = &ret_reading->raw,
		.text = pending->text,
		.len = pending->len,
	};
	struct frame *frame;

	*ret_reading = (struct zs_reading){ .plain = true };
	frame = zs_open_list(&r, CLOSE_END | CLOSE_EMPTY);
	frame->nesting = (uint8_t)pending->nesting;
	frame->depth = (uint16_t)pending->depth;
	run(&r);
	if (is_continued(&r, r.at))
		zs_refuse(&r, ZS_REFUSE_HEREDOC_LINE, r.heredocs.items[0].end, r.at);
	r.in_bodies = true;
	for (uint32_t i = 0; i < r.bodies.count && !r.failed; i++) {
		struct body body = r.bodies.items[i];

		zs_open_body(&r, &body);
		run(&r);
	}
	if (!r.failed)
		ret_reading->agreement = ZS_PLAIN;
	return !r.failed;
}

/* The length of the UTF-8 sequence at text, 0 when it is broken (RFC 3629). */
static size_t utf8_length(const unsigned char *text, size_t left)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 }; /* the first character of each length */
	uint32_t character;
	size_t len = 0;

	if (text[0] < 0x80)
		return 1;
	while (text[0] & (0x80 >> len))
		len++;
	if (len == 1 || len > 4 || len > left)
		return 0;
	character = text[0] & (0x7fu >> len);
	for (size_t i = 1; i < len; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		character = character << 6 | (text[i] & 0x3fu);
	}
	if (character < least[len] || character > 0x10ffff || (character >= 0xd800 && character < 0xe000))
		return 0;
	return len;
}

enum zs_refusal zs_refused_bytes(const char *text, size_t len, uint32_t *ret_at)
{
	const unsigned char *bytes = (const unsigned char *)text;

	for (size_t i = 0; i < len;) {
		size_t used = utf8_length(bytes + i, len - i);

		*ret_at = (uint32_t)i;
		if ((bytes[i] < 0x20 && bytes[i] != '\t' && bytes[i] != '\n') || bytes[i] == 0x7f)
			return ZS_REFUSE_CONTROL;
		if (!used)
			return ZS_REFUSE_UTF8;
		i += used;
	}
	return ZS_REFUSE_NOTHING;
}
