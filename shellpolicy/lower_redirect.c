/* Redirections: what they open, and the words that the tree hangs on them and bash gives to the command. */
#include "lowering.h"

#include <stdlib.h>
#include <string.h>

static const char *const harmless_targets[] = { "/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/full",
	"/dev/zero" };

/* /dev/fd/3, /dev/pts/0: the number, or -1. */
static int numbered_device(const char *path, const char *folder)
{
	size_t len = strlen(folder), digits = strncmp(path, folder, len) == 0 ? strspn(path + len, "0123456789") : 0;

	if (!digits || digits > 6 || path[len + digits])
		return -1;
	return atoi(path + len);
}

bool zs_is_harmless_target(const char *path)
{
	for (size_t i = 0; i < sizeof harmless_targets / sizeof *harmless_targets; i++)
		if (strcmp(path, harmless_targets[i]) == 0)
			return true;
	/* Not 0: what stands at standard input may be a file, which opening it again for writing empties. */
	return numbered_device(path, "/dev/fd/") > 0 || numbered_device(path, "/dev/pts/") >= 0;
}

int zs_descriptor_target(const char *path)
{
	return numbered_device(path, "/dev/fd/");
}

static bool is_digits(const char *text)
{
	return *text && strspn(text, "0123456789") == strlen(text);
}

/* What >&word and <&word make of their word: bash expands it twice (parser-facts.md, D), so only what cannot
 * expand is modelled: a descriptor, "-", or a plain path. */
static bool duplicates(struct lowering *low, const char *op, const struct zs_raw_word *target, uint32_t index)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./-";
	const char *text = target->text;

	if (op[1] != '&' || (op[0] != '>' && op[0] != '<'))
		return false;
	if (!text || !*text || text[strspn(text, plain)]) {
		zs_refuse_node(low, "a computed target of >& or <&", index);
		return true;
	}
	return is_digits(text) || strcmp(text, "-") == 0 || op[0] == '<' ||
	       (text[strlen(text) - 1] == '-' && strspn(text, "0123456789") == strlen(text) - 1);
}

/* The descriptor that a redirection opens. */
static int32_t redirect_descriptor(const struct lowering *low, uint32_t index, const char *op)
{
	uint32_t child = first_child(low, index);

	if (node_at(low, child)->kind == ZS_KIND_FILE_DESCRIPTOR)
		return (int32_t)strtol(zs_node_text(low, child), NULL, 10);
	return op[0] == '<' ? 0 : 1;
}

static void record_redirect(struct lowering *low, uint32_t index, const char *op, const struct zs_raw_word *target)
{
	struct zs_redirect redirect = {
		.op = op,
		.descriptor = redirect_descriptor(low, index, op),
		.target = { target->text, target->dynamic, target->span },
		.span = zs_place_span(low->place, node_at(low, index)->start, node_at(low, index)->end),
	};
	bool to_descriptor = duplicates(low, op, target, index);
	const char *object =
		target->text ? target->text
			     : zs_arena_string(low->build->arena, low->source->text + node_at(low, index)->start,
				       node_at(low, index)->end - node_at(low, index)->start);

	redirect.writes = strchr(op, '>') && !to_descriptor && !(target->text && zs_is_harmless_target(target->text));
	ZS_PUSH(low->build->arena, &low->build->redirects, redirect);
	if (redirect.writes)
		zs_find(low->build, ZS_RISK_REDIRECT, -1, object, op, redirect.span);
	else
		zs_note(low->build, ZS_RISK_REDIRECT, -1, object, redirect.span);
	if (strcmp(op, "<") == 0 && (redirect.descriptor == 1 || redirect.descriptor == 2) &&
		!(target->text && zs_is_harmless_target(target->text)))
		zs_refuse_node(
			low, "a file opened for reading where output goes: /dev/stdout would overwrite it", index);
	if (target->text && (strncmp(target->text, "/dev/tcp/", 9) == 0 || strncmp(target->text, "/dev/udp/", 9) == 0))
		zs_find(low->build, ZS_RISK_NETWORK, -1, target->text, NULL, redirect.span);
}

/* The raw command that a redirection belongs to, or -1: `{ a; } >x y` has none. */
static int32_t redirected_command(const struct lowering *low, uint32_t index)
{
	uint32_t parent = node_at(low, index)->parent, body;

	while (node_at(low, parent)->kind == ZS_KIND_HEREDOC_REDIRECT)
		parent = node_at(low, parent)->parent;
	if (node_at(low, parent)->kind != ZS_KIND_REDIRECTED)
		return low->contexts[parent].command;
	body = first_child(low, parent);
	return node_at(low, body)->field == ZS_FIELD_BODY ? low->contexts[body].command : -1;
}

/* Words that the tree hangs on a redirection and bash gives to the command: `cmd 2>x arg`. */
static void give_words(struct lowering *low, uint32_t index, const struct zs_word_list *words, uint32_t from)
{
	int32_t command = redirected_command(low, index);

	if (from >= words->count)
		return;
	if (command < 0) {
		zs_refuse_node(low, "words behind a redirection that belong to no command", index);
		return;
	}
	for (uint32_t i = from; i < words->count; i++)
		ZS_PUSH(low->build->arena, &low->raw->commands.items[command].words, words->items[i]);
}

/* The parser drops some words that stand before a redirection (`cat - <<EOF`). They are read here, and belong to
 * the command. */
void zs_lower_dropped_words(struct lowering *low, uint32_t index, uint32_t start)
{
	const struct zs_node *node = node_at(low, index);
	int32_t command = redirected_command(low, index);
	uint32_t at = start;

	if (!zs_check_gap(low->source, ZS_KIND_COMMAND, start, node->start))
		return;
	while (at < node->start) {
		if (zs_is_blank(low->source->text[at])) {
			at++;
		} else if (command < 0 || at == start || zs_is_metacharacter(low->source->text[at])) {
			zs_refuse(low, "text before a redirection that no rule accounts for", start, node->start);
			return;
		} else if (!zs_read_word(low, node->parent, at, ZS_WORD_COMMAND,
				   &low->raw->commands.items[command].words, &at)) {
			return;
		}
	}
	if (at != node->start || !zs_is_blank(low->source->text[at - 1]))
		zs_refuse(low, "a word that bash ends elsewhere", start, at);
}

/* The operator of a redirection and, checked, its descriptor. */
static const char *redirect_operator(struct lowering *low, uint32_t index)
{
	uint32_t child = first_child(low, index);

	if (node_at(low, child)->kind == ZS_KIND_FILE_DESCRIPTOR) {
		const char *descriptor = zs_node_text(low, child);

		if (!is_digits(descriptor) || node_at(low, child)->end != node_at(low, next_child(low, child))->start ||
			(node_at(low, child)->start > 0 &&
				!zs_is_metacharacter(low->source->text[node_at(low, child)->start - 1])))
			zs_refuse_node(low, "a descriptor that bash takes for a word", index);
		child = next_child(low, child);
	}
	return zs_node_text(low, child);
}

void zs_lower_file_redirect(struct lowering *low, uint32_t index)
{
	const char *op = redirect_operator(low, index);
	struct zs_word_list words = { 0 };
	uint32_t first = 0;

	for (uint32_t child = first_child(low, index); child; child = next_child(low, child)) {
		if (node_at(low, child)->field != ZS_FIELD_DESTINATION)
			continue;
		zs_lower_word(low, child, ZS_WORD_COMMAND, &words);
		first = first ? first : words.count;
	}
	if (strcmp(op, ">&-") == 0 || strcmp(op, "<&-") == 0) {
		if (words.count)
			zs_refuse_node(low, "a word behind >&- or <&-", index);
		return;
	}
	if (first != 1) {
		zs_refuse_node(low, "a redirection without one target", index);
		return;
	}
	if (op[1] == '&' && words.items[0].text && words.items[0].text[0] == '-' && words.items[0].text[1])
		zs_refuse_node(low, "a word that bash reads as - and more", index);
	record_redirect(low, index, op, &words.items[0]);
	give_words(low, index, &words, 1);
}

void zs_lower_herestring(struct lowering *low, uint32_t index)
{
	struct zs_word_list words = { 0 };

	redirect_operator(low, index);
	for (uint32_t child = first_child(low, index); child; child = next_child(low, child))
		if (node_at(low, child)->kind != ZS_KIND_FILE_DESCRIPTOR && !zs_node_is(low, child, "<<<"))
			zs_lower_word(low, child, ZS_WORD_COMMAND, &words);
	if (words.count != 1)
		zs_refuse_node(low, "a here-string without one word", index);
	else
		record_redirect(low, index, "<<<", &words.items[0]);
}

void zs_lower_heredoc(struct lowering *low, uint32_t index)
{
	const char *refused = zs_check_heredoc(low->source, index);
	struct zs_word_list words = { 0 };
	struct zs_raw_word delimiter = { .text = "", .prefix = "" };
	bool quoted = false;

	if (refused)
		zs_refuse_node(low, refused, index);
	redirect_operator(low, index);
	for (uint32_t child = first_child(low, index); child; child = next_child(low, child)) {
		if (node_at(low, child)->field == ZS_FIELD_ARGUMENT) {
			zs_lower_word(low, child, ZS_WORD_COMMAND, &words);
		} else if (node_at(low, child)->kind == ZS_KIND_HEREDOC_START) {
			char first = low->source->text[node_at(low, child)->start];

			quoted = first == '\'' || first == '"';
			delimiter.text = zs_node_text(low, child);
		} else if (node_at(low, child)->kind == ZS_KIND_HEREDOC_BODY && quoted) {
			low->contexts[child].mode = MODE_LITERAL;
		}
	}
	record_redirect(low, index, "<<", &delimiter);
	give_words(low, index, &words, 0);
}
