#include "code/perl_reader.h"

/* `#!` makes perl run that interpreter; `=word` at the start of a line is documentation. */
bool zs_perl_skip_space(struct perl_reader *r)
{
	for (;;) {
		r->pos = skip_white(r, r->pos);
		if (peek(r) == '=' && is_letter(peek_at(r, r->pos + 1)) && (!r->pos || r->text[r->pos - 1] == '\n'))
			return unknown(r);
		if (peek(r) != '#')
			return true;
		if (peek_at(r, r->pos + 1) == '!')
			return unknown(r);
		while (peek(r) != END && peek(r) != '\n')
			r->pos++;
	}
}

bool zs_perl_open_scope(struct perl_reader *r, enum perl_scope_kind kind)
{
	if (r->depth == DEPTH_LIMIT)
		return unknown(r);
	r->scopes[r->depth++] = (struct perl_scope){ .kind = kind, .first = r->pos };
	return true;
}
