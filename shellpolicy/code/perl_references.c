/* Subscripts and @{…}: only what must be a reference may be dereferenced, since a string would name a variable. */
#include "code/perl_reader.h"

#include <string.h>

/* Containers that perl itself fills with strings. */
static const char *const filled_by_perl[] = { "F", "_", "ENV", "+", "-" };

static struct perl_container *find_container(struct perl_reader *r, const struct perl_access *access)
{
	struct perl_container *container;

	for (size_t i = 0; i < r->container_count; i++) {
		container = &r->containers[i];
		if (container->kind == access->kind && container->name_len == access->name_len &&
			!memcmp(r->text + container->name, r->text + access->name, access->name_len))
			return container;
	}
	if (r->container_count == CONTAINER_LIMIT) {
		r->overflow = true;
		return NULL;
	}
	container = &r->containers[r->container_count++];
	*container = (struct perl_container){ access->name, access->name_len, access->kind, 0, DEPTH_LIMIT + 1, 0 };
	if (is_listed(r, access->name, access->name_len, filled_by_perl, COUNT(filled_by_perl)))
		container->shallowest_store = 1;
	return container;
}

/* When a program stores into %h only as $h{a}{b}, then every $h{a} is a reference that perl made. So all stores into a
 * container must be at one level, the deepest that is reached; anything that is not surely no store counts as one. */
static void record_access(struct perl_reader *r, const struct perl_access *access)
{
	struct perl_container *container = find_container(r, access);

	if (!container)
		return;
	if (!access->reads && access->level < container->shallowest_store)
		container->shallowest_store = access->level;
	if (!r->strict && access->level > container->deepest) {
		container->deepest = access->level;
		container->at = access->start;
	}
}

bool zs_perl_check_containers(struct perl_reader *r)
{
	for (size_t i = 0; i < r->container_count; i++) {
		const struct perl_container *container = &r->containers[i];
		if (container->deepest > 1 && (r->overflow || container->shallowest_store < container->deepest))
			return unknown_at(r, container->at);
	}
	return true;
}

/* $x->[0] is harmless when it is only copied from. */
static bool is_copied(struct perl_reader *r, const struct perl_access *access, enum perl_last next)
{
	if (access->before == LAST_ALIASES || next == LAST_ALIASES || next == LAST_ASSIGNS)
		return false;
	if (next == LAST_COPIES || access->before == LAST_COPIES || access->before == LAST_ASSIGNS)
		return true;
	return access->before == LAST_BLOCK && is_one_of(peek(r), "},");
}

bool zs_perl_finish_access(struct perl_reader *r)
{
	struct perl_access *access = &r->access;
	const struct perl_operator *operator;
	enum perl_last next;

	if (!zs_perl_skip_space(r))
		return false;
	after(r, EXPECT_OPERATOR, LAST_VARIABLE);
	if (peek(r) == '[' || peek(r) == '{' || starts(r, r->pos, "->"))
		return true;
	operator = zs_perl_find_operator(r, r->pos);
	next = operator ? operator->last : LAST_OTHER;
	if (access->fixed && (next == LAST_ASSIGNS || (next == LAST_ALIASES && !starts(r, r->pos, "=~"))))
		return unknown(r);
	if (top(r)->kind == SCOPE_DEREF && access->start == top(r)->first && peek(r) == '}') {
		top(r)->has_access = true;
		top(r)->access = *access;
		return true;
	}
	if (access->is_scalar && access->level && !r->strict && !is_copied(r, access, next))
		return unknown_at(r, access->start);
	if (access->level && !access->is_scalar)
		record_access(r, access);
	return true;
}

bool zs_perl_close_deref(struct perl_reader *r, const struct perl_scope *scope)
{
	struct perl_access inner = scope->access;
	bool known = scope->has_access && inner.level && !inner.is_scalar;

	if (!r->strict && !known)
		return unknown_at(r, scope->first);
	if (!zs_perl_skip_space(r))
		return false;
	if (!known) {
		after(r, EXPECT_OPERATOR, LAST_VARIABLE);
		r->access = (struct perl_access){ .start = scope->first, .is_scalar = true };
		return true;
	}
	r->access = inner;
	r->access.reads = scope->reads;
	r->access.start = scope->first;
	if (starts(r, r->pos, "->"))
		return unknown(r);
	if (peek(r) != '[' && peek(r) != '{')
		r->access.level++;
	return zs_perl_finish_access(r);
}

bool zs_perl_read_subscript(struct perl_reader *r, bool arrow)
{
	struct perl_access access = r->access;
	bool key;

	if (r->last != LAST_VARIABLE) {
		if (arrow ? !r->strict : r->last != LAST_CLOSE_PAREN)
			return unknown(r);
		access = (struct perl_access){ .start = r->pos, .is_scalar = true };
	}
	if (arrow) {
		r->pos += 2;
		if (!zs_perl_skip_space(r))
			return false;
		if (peek(r) != '[' && peek(r) != '{')
			return unknown(r);
		access.is_scalar |= !access.level;
	}
	key = peek(r) == '{';
	if (!access.level++)
		access.kind = key ? '{' : '[';
	if (r->last == LAST_CLOSE_PAREN)
		access.level = 0; /* a slice of a list: no reference */
	r->pos++;
	if (key) {
		size_t at = skip_blanks(r, r->pos), end;
		if (peek_at(r, at) == '-')
			at++;
		end = skip_word(r, at);
		if (is_letter(peek_at(r, at)) && peek_at(r, skip_blanks(r, end)) == '}') {
			r->pos = skip_blanks(r, end) + 1;
			r->access = access;
			return zs_perl_finish_access(r);
		}
	}
	after(r, EXPECT_TERM, LAST_OTHER);
	if (!zs_perl_open_scope(r, key ? SCOPE_KEY : SCOPE_INDEX))
		return false;
	top(r)->access = access;
	return true;
}
