#include "read/reader.h"

#include "read/parse.h"

#include <string.h>

#define FOUND_MAX 40   /* the same, for a syntax error */
#define FRAMES_MAX 600 /* more than ZS_MAX_DEPTH levels need */

struct zs_span zs_span_of(const struct witness *w, uint32_t start, uint32_t end)
{
	return zs_place_span(&w->place, start, end);
}

void zs_note_at(struct witness *w, enum zs_risk risk, const char *object, uint32_t start, uint32_t end)
{
	zs_note(w->build, risk, -1, object, zs_span_of(w, start, end));
}

void zs_refuse(struct witness *w, enum zs_refusal what, uint32_t one, uint32_t other)
{
	uint32_t start = one < other ? one : other, end = one < other ? other : one;

	if (!w->failed)
		zs_find_refusal(w->build, what, w->pending, start, end < w->len ? end : w->len);
	w->failed = true;
}

void zs_reject(struct witness *w)
{
	struct zs_parse_error error = { .byte = w->at, .line = 1, .column = 1 };
	uint32_t shown = w->len - w->at > FOUND_MAX ? FOUND_MAX : w->len - w->at;

	if (w->failed)
		return;
	for (uint32_t i = 0; i < w->at; i++) {
		error.column++;
		if (w->text[i] == '\n') {
			error.line++;
			error.column = 1;
		}
	}
	error.found = zs_arena_string(w->build->arena, w->text + w->at, shown);
	ZS_PUSH(w->build->arena, &w->build->errors, error);
	zs_find(w->build, ZS_RISK_SYNTAX_ERROR, -1, error.found, NULL, zs_span_of(w, w->at, w->len));
	w->failed = true;
}

static void limit(struct witness *w, const char *which)
{
	if (!w->failed)
		zs_find(w->build, ZS_RISK_LIMIT, -1, which, NULL, zs_span_of(w, 0, w->len));
	w->failed = true;
}

struct frame *zs_open(struct witness *w, enum frame_kind kind)
{
	struct frame frame = { .kind = (uint8_t)kind, .start = w->at, .command = -1, .producer = -1 };

	if (w->frames.count) {
		frame.nesting = top(w)->nesting;
		frame.depth = top(w)->depth;
		frame.command = kind == FRAME_LIST ? -1 : top(w)->command;
		frame.function = top(w)->function;
		frame.loose = top(w)->loose || (top(w)->kind == FRAME_LIST && top(w)->follows) ||
			      kind == FRAME_SUBSTITUTION || kind > FRAME_GROUP;
		frame.body = top(w)->body && kind != FRAME_LIST;
		frame.from_pipe = top(w)->from_pipe || (top(w)->kind == FRAME_LIST && top(w)->piped);
	}
	if (w->frames.count == FRAMES_MAX)
		limit(w, "nesting depth");
	else
		ZS_PUSH(w->build->arena, &w->frames, frame);
	return top(w);
}

void zs_close(struct witness *w)
{
	switch (top(w)->kind) {
	case FRAME_LIST:
	case FRAME_BRACED:
	case FRAME_ARITHMETIC:
	case FRAME_ARRAY:
		w->level--;
		break;
	default:
		break;
	}
	w->frames.count--;
}

bool zs_deeper(struct witness *w)
{
	if (++w->level > ZS_MAX_DEPTH)
		limit(w, "nesting depth");
	return !w->failed;
}

struct frame *zs_open_list(struct witness *w, unsigned closers)
{
	struct frame *frame = zs_open(w, FRAME_LIST);

	frame->closers = (uint16_t)closers;
	frame->saved = w->raw->commands.count;
	zs_deeper(w);
	return frame;
}

void zs_mask(struct witness *w, uint32_t start, uint32_t end, char with)
{
	struct zs_reading *reading = w->reading;

	reading->plain = false;
	if (w->in_bodies)
		return;
	if (!reading->masked)
		reading->masked = zs_arena_string(w->build->arena, w->pending->text, w->pending->len);
	memset(reading->masked + start, with, end - start);
}

uint32_t zs_start_mark(struct witness *w, enum zs_mark_kind kind, uint32_t start)
{
	if (w->in_bodies)
		return 0;
	ZS_PUSH(w->build->arena, &w->reading->marks, (struct zs_mark){ start, start, kind });
	return w->reading->marks.count;
}

void zs_end_mark(struct witness *w, uint32_t mark, uint32_t end)
{
	if (mark)
		w->reading->marks.items[mark - 1].end = end;
}

void zs_note_evaluated(struct witness *w, uint32_t start, uint32_t end)
{
	ZS_PUSH(w->build->arena, &w->raw->evaluated, zs_arena_string(w->build->arena, w->text + start, end - start));
}

void zs_note_escaped_data(struct witness *w, uint32_t start, uint32_t end)
{
	for (uint32_t i = start; i + 1 < end; i++) {
		if (w->text[i] == '\\' && (w->text[i + 1] == '$' || w->text[i + 1] == '`')) {
			zs_note_data(w, start, end);
			return;
		}
	}
}

void zs_note_data(struct witness *w, uint32_t start, uint32_t end)
{
	struct zs_raw_word word = {
		.raw = w->text + start,
		.raw_len = end - start,
		.span = zs_span_of(w, start, end),
	};

	word.text = word.prefix = zs_arena_string(w->build->arena, word.raw, word.raw_len);
	ZS_PUSH(w->build->arena, &w->raw->data, word);
}

void zs_skip_blanks(struct witness *w)
{
	for (;;) {
		if (zs_is_blank(peek(w, 0))) {
			w->at++;
		} else if (at_continuation(w, 0)) {
			zs_mask(w, w->at, w->at + 2, ' ');
			w->at += 2;
		} else {
			break;
		}
	}
	if (peek(w, 0) == '#') { /* a token would start here */
		w->reading->plain = false;
		while (!at_end(w) && peek(w, 0) != '\n')
			w->at++;
	}
}

void zs_skip_newlines(struct witness *w)
{
	zs_skip_blanks(w);
	while (peek(w, 0) == '\n' && !w->failed) {
		zs_take_newline(w);
		zs_skip_blanks(w);
	}
}

struct frame *zs_substitution(struct witness *w)
{
	for (uint32_t i = w->frames.count; i > 0; i--)
		if (w->frames.items[i - 1].kind == FRAME_SUBSTITUTION)
			return &w->frames.items[i - 1];
	return NULL;
}

void zs_take_newline(struct witness *w)
{
	struct frame *substitution;

	w->at++;
	if (!w->heredocs.count)
		return;
	substitution = zs_substitution(w);
	if (substitution && substitution->saved > 0) {
		/* Bodies that wait outside of it would begin inside of it, to us; bash puts them behind it. */
		zs_refuse(w, ZS_REFUSE_HEREDOC_NEWLINE, w->at - 1, w->at);
		return;
	}
	if (substitution)
		substitution->any = true;
	zs_take_bodies(w);
}

static void step(struct witness *w)
{
	switch ((enum frame_kind)top(w)->kind) {
	case FRAME_LIST:
		zs_step_list(w);
		break;
	case FRAME_COMMAND:
		zs_step_command(w);
		break;
	case FRAME_REDIRECT: /* its word is on top of it until it is complete */
		zs_reject(w);
		break;
	case FRAME_WORD:
		zs_step_word(w);
		break;
	case FRAME_SUBSTITUTION:
		zs_step_substitution(w);
		break;
	case FRAME_BRACED:
		zs_step_braced(w);
		break;
	case FRAME_ARITHMETIC:
		zs_step_arithmetic(w);
		break;
	case FRAME_ARRAY:
		zs_step_array(w);
		break;
	case FRAME_BODY:
		zs_step_body(w);
		break;
	case FRAME_GROUP:
	case FRAME_IF:
	case FRAME_WHILE:
	case FRAME_FOR:
	case FRAME_CASE:
	case FRAME_FUNCTION:
	case FRAME_TEST:
		zs_step_compound(w);
		break;
	}
}

static void run(struct witness *w)
{
	while (w->frames.count && !w->failed)
		step(w);
}

bool zs_witness_read(struct zs_build *build, const struct zs_pending_text *pending, struct zs_reading *ret_reading)
{
	struct witness w = {
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
	frame = zs_open_list(&w, CLOSE_END | CLOSE_EMPTY);
	frame->nesting = (uint8_t)pending->nesting;
	frame->depth = (uint16_t)pending->depth;
	run(&w);
	w.in_bodies = true;
	for (uint32_t i = 0; i < w.bodies.count && !w.failed; i++) {
		struct body body = w.bodies.items[i];

		zs_open_body(&w, &body);
		run(&w);
	}
	if (!w.failed)
		ret_reading->agreement = ZS_PLAIN;
	return !w.failed;
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
