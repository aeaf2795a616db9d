#include "hook_confine.h"

#include <stdlib.h>
#include <string.h>

#include "cleanup.h"
#include "json.h"
#include "shell_quote.h"

/* --norc and --: as zs bash does it, for its reasons. */
static const char *const shell_words[] = { "--", "bash", "--norc", "-c", "--" };

bool zs_hook_prefix_add(struct zs_hook_prefix *prefix, const char *word)
{
	const char **words = realloc(prefix->words, (prefix->count + 1) * sizeof *words);

	if (!words)
		return false;
	prefix->words = words;
	words[prefix->count++] = word;
	return true;
}

bool zs_hook_prefix_done(struct zs_hook_prefix *prefix)
{
	size_t len;
	FILE *out = open_memstream(&prefix->text, &len);

	if (!out)
		return false;
	for (size_t i = 0; i < prefix->count + ZS_COUNT(shell_words); i++) {
		const char *word = i < prefix->count ? prefix->words[i] : shell_words[i - prefix->count];

		zs_put_shell_quoted(out, word, strlen(word));
		fputc(' ', out);
	}
	return fclose(out) == 0;
}

void zs_hook_prefix_free(struct zs_hook_prefix *prefix)
{
	free(prefix->words);
	free(prefix->text);
}

char *zs_hook_unwrap(const struct zs_hook_prefix *prefix, const struct zs_hook_command *command)
{
	size_t len = strlen(prefix->text);
	char *inner;

	if (command->words || strncmp(command->text, prefix->text, len) != 0)
		return NULL;
	inner = malloc(command->len + 1);
	if (inner && zs_shell_unquote(command->text + len, inner))
		return inner;
	free(inner);
	return NULL;
}

/* As one string that a shell reads. */
static void put_text(FILE *out, const struct zs_hook_prefix *prefix, const struct zs_hook_command *command)
{
	struct zs_json json = { out, false };
	char *wrapped = NULL;
	size_t len = 0;
	FILE *text = open_memstream(&wrapped, &len);

	if (!text)
		return; /* nothing is no JSON, and so no answer */
	fputs(prefix->text, text);
	zs_put_shell_quoted(text, command->text, command->len);
	if (fclose(text) == 0)
		zs_json_bytes(&json, wrapped, len);
	free(wrapped);
}

/* As words, which nobody reads: those of zs, then its own. */
static void put_words(FILE *out, const struct zs_hook_event *event, const struct zs_hook_prefix *prefix,
	const struct zs_hook_command *command)
{
	struct zs_json json = { out, false };

	zs_json_open(&json, '[');
	for (size_t i = 0; i < prefix->count; i++)
		zs_json_text(&json, prefix->words[i]);
	zs_json_text(&json, "--");
	fputc(',', out);
	fwrite(event->input_text + command->start + 1, 1, command->end - command->start - 1, out);
}

void zs_hook_put_confined(
	FILE *out, const struct zs_hook_event *event, const struct zs_hook_prefix *prefix, const bool *is_wrapped)
{
	size_t at = event->input_start;

	for (size_t i = 0; i < event->command_count; i++) {
		const struct zs_hook_command *command = &event->commands[i];

		if (is_wrapped[i])
			continue;
		fwrite(event->input_text + at, 1, command->start - at, out);
		if (command->words)
			put_words(out, event, prefix, command);
		else
			put_text(out, prefix, command);
		at = command->end;
	}
	fwrite(event->input_text + at, 1, event->input_end - at, out);
}
