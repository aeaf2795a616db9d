/* Strings, patterns and their like: where each ends, and what follows it. */
#include "code/perl_reader.h"

static int closing(int open)
{
	return open == '(' ? ')' : open == '[' ? ']' : open == '{' ? '}' : open == '<' ? '>' : open;
}

/* Up to the delimiter that closes `open`. */
static bool read_part(struct perl_reader *r, int open, struct perl_part *ret_part)
{
	int close = closing(open);
	size_t at = r->pos, nested = 0;
	bool escapes = false;

	for (;; r->pos++) {
		int c = peek(r);

		if (c == '\\') {
			c = peek_at(r, ++r->pos);
			escapes |= c == open || c == close;
			if (c == END)
				return unknown(r);
		} else if (c == END) {
			return unknown_at(r, at);
		} else if (c == close && !nested) {
			break;
		} else if (c == close) {
			nested--;
		} else if (c == open) {
			nested++;
		}
	}
	*ret_part = (struct perl_part){ at, r->pos, open, escapes };
	r->pos++;
	return true;
}

/* Letters right after a closing delimiter; every one must be of `set`. */
static bool read_flags(struct perl_reader *r, const char *set, size_t *ret_evals)
{
	*ret_evals = 0;
	for (; is_word(peek(r)); r->pos++) {
		if (!is_one_of(peek(r), set))
			return unknown(r);
		*ret_evals += peek(r) == 'e';
	}
	return true;
}

/* The delimiter after q, s, tr …: `#` only without a space, which would make it a comment. */
static bool read_opening(struct perl_reader *r, int *ret_open)
{
	size_t at = skip_white(r, r->pos);
	int c = peek_at(r, at);

	if (!is_one_of(c, "/|,!;:~%+-.?\"'#@^({[<") || (c == '#' && at > r->pos))
		return unknown(r);
	r->pos = at + 1;
	*ret_open = c;
	return true;
}

/* The second part of s and tr: brackets may have space between them. */
static bool read_second_part(struct perl_reader *r, const struct perl_part *first, struct perl_part *ret_part)
{
	int open = first->open;

	if (closing(open) != open) {
		r->pos = skip_white(r, r->pos);
		open = peek(r);
		if (!is_one_of(open, "({[</"))
			return unknown(r);
		r->pos++;
	}
	return read_part(r, open, ret_part);
}

/* Goes on with the replacement, and afterwards with what follows the flags. */
static bool enter_code(struct perl_reader *r, const struct perl_part *part)
{
	if (part->escapes || r->nesting == NEST_LIMIT)
		return unknown_at(r, part->at);
	r->frames[r->nesting++] = (struct perl_frame){ r->len, r->pos, r->depth };
	r->len = part->end;
	r->pos = part->at;
	after(r, EXPECT_STATEMENT, LAST_OTHER);
	return zs_perl_open_scope(r, SCOPE_CODE);
}

bool zs_perl_leave_code(struct perl_reader *r)
{
	const struct perl_frame *frame = &r->frames[--r->nesting];

	if (r->depth != frame->depth + 1)
		return unknown(r);
	r->depth = frame->depth;
	r->len = frame->len;
	r->pos = frame->resume;
	r->doubtful = false;
	after(r, EXPECT_OPERATOR, LAST_VALUE);
	return true;
}

bool zs_perl_read_match(struct perl_reader *r, int open)
{
	struct perl_part part;
	size_t evals;

	after(r, EXPECT_OPERATOR, LAST_VALUE);
	return read_part(r, open, &part) && zs_perl_check_interpolation(r, &part, true) &&
	       read_flags(r, "msixpodualngc", &evals);
}

bool zs_perl_read_string(struct perl_reader *r, int open, bool interpolates)
{
	struct perl_part part;

	after(r, EXPECT_OPERATOR, LAST_VALUE);
	return read_part(r, open, &part) && (!interpolates || zs_perl_check_interpolation(r, &part, false));
}

static bool read_subst(struct perl_reader *r, int open)
{
	struct perl_part pattern, replacement;
	size_t evals;

	after(r, EXPECT_OPERATOR, LAST_VALUE);
	if (!read_part(r, open, &pattern) || !read_second_part(r, &pattern, &replacement))
		return false;
	if (!zs_perl_check_interpolation(r, &pattern, true) || !read_flags(r, "msixpodualngcer", &evals))
		return false;
	if (evals > 1)
		return unknown(r);
	return evals ? enter_code(r, &replacement) : zs_perl_check_interpolation(r, &replacement, false);
}

static bool read_translate(struct perl_reader *r, int open)
{
	struct perl_part from, to;
	size_t evals;

	after(r, EXPECT_OPERATOR, LAST_VALUE);
	return read_part(r, open, &from) && read_second_part(r, &from, &to) && read_flags(r, "cdsr", &evals);
}

bool zs_perl_is_quote_word(const struct perl_word *word)
{
	return word->kind == WORD_RAW || word->kind == WORD_STRING || word->kind == WORD_MATCH ||
	       word->kind == WORD_SUBST || word->kind == WORD_TRANSLATE;
}

bool zs_perl_read_quote_word(struct perl_reader *r, enum perl_word_kind kind)
{
	int open;

	if (!read_opening(r, &open))
		return false;
	if (kind == WORD_STRING && open == '\'')
		return unknown(r); /* qq'$x' interpolates, what m'$x' and s'$x'$y' do not (toke.c: KEY_qq) */
	if (kind == WORD_MATCH)
		return zs_perl_read_match(r, open);
	if (kind == WORD_SUBST)
		return read_subst(r, open);
	if (kind == WORD_TRANSLATE)
		return read_translate(r, open);
	return zs_perl_read_string(r, open, kind == WORD_STRING);
}
