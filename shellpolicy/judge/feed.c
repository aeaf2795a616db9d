#include "judge/feed.h"

#include "judge/judge.h"

#include <string.h>
#include <strings.h>

/* The output of echo, printf and cat */

bool zs_is_static(const struct zs_raw_command *command)
{
	for (uint32_t i = 0; i < command->words.count; i++)
		if (!command->words.items[i].text)
			return false;
	return command->words.count > 0;
}

struct zs_strings zs_static_words(struct zs_arena *arena, const struct zs_raw_command *command)
{
	struct zs_strings words = { 0 };

	for (uint32_t i = 0; zs_is_static(command) && i < command->words.count; i++)
		ZS_PUSH(arena, &words, command->words.items[i].text);
	return words;
}

/* The text that a producer prints. Its name must stand for the program: a path does not, and neither does the name of a
 * function in this text. At the end vet.c looks for functions in other texts. */
static bool printed(struct zs_classify *classify, const struct zs_raw_command *producer, struct zs_raw_word *ret_text)
{
	struct zs_build *build = classify->build;
	const char *name = producer->words.count ? producer->words.items[0].text : NULL, *text;
	struct zs_strings words;

	if (!name || producer->redirected || producer->assignments.count)
		return false;
	if (strcmp(name, "cat") == 0) {
		bool plain =
			producer->words.count == 1 || (producer->words.count == 2 && producer->words.items[1].text &&
							      strcmp(producer->words.items[1].text, "-") == 0);

		if (!plain || producer->feed.kind != ZS_FEED_TEXT)
			return false;
		*ret_text = producer->feed.text;
	} else if (strcmp(name, "echo") == 0 || strcmp(name, "printf") == 0) {
		*ret_text = producer->words.items[producer->words.count - 1];
		ret_text->span = producer->span;
		ret_text->shape = NULL;
		words = zs_static_words(build->arena, producer);
		text = words.count ? zs_printed(build->arena, &words) : NULL;
		ret_text->text = text;
		ret_text->prefix = text ? text : "";
		if (!text && !ret_text->dynamic)
			ret_text->dynamic = "expansion";
	} else {
		return false;
	}
	ZS_PUSH(build->arena, &build->printers,
		((struct zs_printer){ name, classify->index, classify->command->span }));
	return true;
}

bool zs_fed_text(struct zs_classify *classify, struct zs_raw_word *ret_text)
{
	const struct zs_feed *feed = &classify->command->feed;

	if (feed->kind == ZS_FEED_PIPE)
		return printed(classify, &classify->raw->commands.items[feed->producer], ret_text);
	if (feed->kind == ZS_FEED_TEXT)
		*ret_text = feed->text;
	return feed->kind == ZS_FEED_TEXT;
}

/* The meaning of a text on a language's input */

static bool has_line_start(const char *text, const char *start)
{
	size_t len = strlen(start);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, start, len) == 0)
			return true;
	}
	return false;
}

/* Does a line that is a comment name another encoding than UTF-8? */
static bool line_names_encoding(const char *line)
{
	const char *text = line + strspn(line, " \t\f"), *end = text + strcspn(text, "\r\n");

	for (const char *at = text; *text == '#' && (at = strstr(at, "coding")) && at < end; at++) {
		const char *value = at + strlen("coding");

		if (*value != ':' && *value != '=')
			continue;
		value += 1 + strspn(value + 1, " \t");
		if (strncasecmp(value, "utf-8", 5) != 0 && strncasecmp(value, "utf8", 4) != 0)
			return true;
		value += value[3] == '-' ? 5 : 4;
		if (*value && strchr("-_.", *value)) /* such as utf-8-x */
			return true;
	}
	return false;
}

/* In Python a comment that is one of the first two lines may name the encoding of the text (PEP 263). */
static bool names_encoding(const char *text)
{
	/* CR LF counts as two ends of lines here. */
	for (int line = 0; line < 3; line++) {
		if (line_names_encoding(text))
			return true;
		text += strcspn(text, "\r\n");
		text += *text != '\0';
	}
	return false;
}

/* sqlite3 ends a statement at a line that is "/" or "go", and psql replaces :name by a variable. */
static bool has_client_syntax(const char *text)
{
	for (const char *line = text; line; line = strchr(line, '\n')) {
		const char *end;
		size_t len;

		line += *line == '\n';
		line += strspn(line, " \t");
		end = line + strcspn(line, "\n");
		len = (size_t)(end - line);
		while (len && (line[len - 1] == ' ' || line[len - 1] == '\t'))
			len--;
		if ((len == 1 && *line == '/') || (len == 2 && strncasecmp(line, "go", 2) == 0))
			return true;
	}
	for (const char *colon = strchr(text, ':'); colon; colon = strchr(colon + 1, ':'))
		if (colon[1] && !strchr(": \t\n0123456789", colon[1]) && (colon == text || colon[-1] != ':'))
			return true;
	return false;
}

const char *zs_fed_otherwise(const char *language, const char *text)
{
	bool perl = strcmp(language, "perl") == 0, ruby = strcmp(language, "ruby") == 0;

	if (strcmp(language, "python") == 0 && names_encoding(text))
		return "its first lines name another encoding";
	if ((perl || ruby) && has_line_start(text, "#!"))
		return "its #! line may name options, or another program";
	if (perl && (strstr(text, "BEGIN") || strstr(text, "STDIN") || strstr(text, "<>")))
		return "the code may read the lines after it as data";
	if (strcmp(language, "sql") == 0 && has_client_syntax(text))
		return "it holds lines that the client does not read as SQL";
	return NULL;
}

const char *zs_fed_page(const char *text)
{
	text += strspn(text, " \t\n");
	if (strncasecmp(text, "<?php", 5) != 0 || !text[5] || !strchr(" \t\n", text[5]) || strstr(text, "?>"))
		return NULL;
	return text + 5;
}

enum zs_shell_input zs_lines_of(const char *text, size_t len)
{
	const char *at = memchr(text, '\n', len), *end = text + len;

	while (at && at < end && (zs_is_blank(*at) || *at == '\n'))
		at++;
	return at && at < end ? ZS_INPUT_LINES : ZS_INPUT_LINE;
}

/* The part of a shell's input that a command takes */

bool zs_may_take_input(const struct zs_classify *classify)
{
	const struct zs_args *args = &classify->args;
	enum zs_feed_kind feed = classify->command->feed.kind;
	const char *operands = classify->row ? zs_row_operands(classify->row) : NULL;
	bool reads = operands && strchr(operands, ZS_ROLE_READ), named = false;

	if (feed != ZS_FEED_INHERITED && feed != ZS_FEED_UNKNOWN)
		return false;
	if (!classify->command->words.count)
		return false;
	if (!classify->row || zs_has_effect(args, ZS_FLAG_EATS))
		return true;
	if (classify->row->traits & ZS_ROW_PASSES_INPUT) /* the inner command is judged in its turn */
		return false;
	if (!(classify->row->traits & ZS_ROW_NO_INPUT))
		return true;
	for (uint32_t i = 1; i < classify->command->words.count; i++) {
		const char *text = classify->command->words.items[i].text;

		if (!text || strcmp(text, "-") == 0 || strstr(text, "stdin") || strstr(text, "batch"))
			return true;
	}
	for (uint32_t i = 0; i < args->uses.count; i++) { /* cat FILE and grep WORD FILE read no input */
		const struct zs_use *use = &args->uses.items[i];

		if (use->role != ZS_ROLE_READ)
			continue;
		if (!use->word.text || *use->word.text == '-' || strstr(use->word.text, "dev/") ||
			strstr(use->word.text, "proc/"))
			return true;
		named |= !use->flag;
	}
	return reads && !named;
}

bool zs_changes_input(const struct zs_classify *classify)
{
	return classify->row && (classify->row->traits & ZS_ROW_PASSES_INPUT) && !classify->inner &&
	       classify->command->feed.kind != ZS_FEED_INHERITED;
}
