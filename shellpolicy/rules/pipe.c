/* The pipes of an IR, found by the places of commands and operators. Commands of a nested text all stand at the place
 * of the word that holds the text, in their order. */
#include "rules/rule.h"

#include <string.h>

static bool is_pipe(const struct zs_operator *operator)
{
	return operator->text[0] == '|' && operator->text[1] != '|';
}

static bool same_span(struct zs_span a, struct zs_span b)
{
	return a.start == b.start && a.end == b.end;
}

/* Is the command in a text that stands in a word? */
static bool is_nested(const struct zs_ir *ir, uint32_t index)
{
	for (uint32_t i = 0; i < ir->payload_count; i++)
		if (same_span(ir->payloads[i].code.span, ir->commands[index].span))
			return true;
	return false;
}

/* The first command of a nested text's pipe, if all that joins its commands may be a pipe. */
static bool pipe_in_word(const struct zs_ir *ir, uint32_t index, uint32_t *ret_from)
{
	bool piped = false;

	for (uint32_t i = 0; i < ir->operator_count; i++)
		piped |= same_span(ir->operators[i].span, ir->commands[index].span) && is_pipe(&ir->operators[i]);
	for (*ret_from = index; *ret_from && same_span(ir->commands[*ret_from - 1].span, ir->commands[index].span);)
		--*ret_from;
	return piped && *ret_from < index;
}

bool zs_pipe_before(const struct zs_ir *ir, uint32_t index, uint32_t *ret_from)
{
	uint32_t start = ir->commands[index].span.start, from = 0, last = 0;
	bool piped = false;

	if (is_nested(ir, index))
		return pipe_in_word(ir, index, ret_from);
	/* operators in order: the last one before the command is its pipe; the one before the pipeline ends another */
	for (uint32_t i = 0; i < ir->operator_count; i++) {
		const struct zs_operator *operator = &ir->operators[i];

		if (operator->span.end > start)
			continue;
		if (!is_pipe(operator) && operator->span.end > from)
			from = operator->span.end;
		if (operator->span.end > last) {
			last = operator->span.end;
			piped = is_pipe(operator);
		}
	}
	for (*ret_from = index; *ret_from && ir->commands[*ret_from - 1].span.start >= from;)
		--*ret_from;
	return piped && *ret_from < index;
}

/* Does a redirection give an input to the command: a file, or with `texts` also a here-document? */
static bool has_redirect(const struct zs_ir *ir, uint32_t index, bool texts)
{
	for (uint32_t i = 0; i < ir->redirect_count; i++) {
		const struct zs_redirect *redirect = &ir->redirects[i];
		uint32_t of = 0;

		if ((texts ? *redirect->op != '<' : strcmp(redirect->op, "<") != 0) ||
			(redirect->target.text && strncmp(redirect->target.text, "/dev/", 5) == 0))
			continue;
		if (is_nested(ir, index)) {
			if (same_span(redirect->span, ir->commands[index].span))
				return true;
			continue;
		}
		for (uint32_t j = 0; j < ir->command_count; j++)
			if (ir->commands[j].span.start <= redirect->span.start &&
				ir->commands[j].span.start >= ir->commands[of].span.start)
				of = j;
		if (of == index)
			return true;
	}
	return false;
}

/* Commands that print their own words, or less than a file. */
static const char plain_printers[] = "echo printf jq date uname whoami hostname id pwd true yes seq curl wget";

bool zs_is_fed(const struct zs_ir *ir, uint32_t index)
{
	uint32_t from;

	if (has_redirect(ir, index, false))
		return true;
	if (!zs_pipe_before(ir, index, &from))
		return false;
	for (; from < index; from++)
		if (ir->commands[from].key && *ir->commands[from].key &&
			ir->commands[from].nesting != ZS_NEST_WRAPPER &&
			!zs_listed(ir->commands[from].key, plain_printers))
			return true;
	return false;
}

bool zs_has_input(const struct zs_ir *ir, uint32_t index)
{
	uint32_t from;

	return has_redirect(ir, index, true) || zs_pipe_before(ir, index, &from);
}
