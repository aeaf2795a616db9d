#include "hook/hook_confine.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "base/shell_quote.h"

/* --norc and --: see ZS_BASH_WORDS in cmd/run/confine.h. */
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

static const char *word_at(const struct zs_hook_prefix *prefix, size_t i)
{
	return i < prefix->count ? prefix->words[i] : shell_words[i - prefix->count];
}

bool zs_hook_prefix_done(struct zs_hook_prefix *prefix)
{
	const size_t count = prefix->count + ZS_COUNT(shell_words);
	size_t room = 1;
	char *at;

	for (size_t i = 0; i < count; i++)
		room += ZS_SHELL_QUOTED_BYTES(strlen(word_at(prefix, i))) + 1;
	at = prefix->text = malloc(room);
	if (!at)
		return false;
	for (size_t i = 0; i < count; i++) {
		at = zs_shell_quote(word_at(prefix, i), at);
		at = stpcpy(at, " ");
	}
	return true;
}

void zs_hook_prefix_free(struct zs_hook_prefix *prefix)
{
	free(prefix->words);
	free(prefix->text);
}

char *zs_hook_unwrap(const struct zs_hook_prefix *prefix, const struct zs_event_command *command)
{
	size_t len = strlen(prefix->text);
	char *inner;

	if (command->words || strncmp(command->text, prefix->text, len) != 0)
		return NULL;
	inner = malloc(strlen(command->text) + 1);
	if (inner && zs_shell_unquote(command->text + len, inner))
		return inner;
	free(inner);
	return NULL;
}

/* Writes the wrapped command as one string for a shell. */
static bool hook_confine_put_text(
	FILE *out, const struct zs_hook_prefix *prefix, const struct zs_event_command *command)
{
	struct zs_json json = { out, false };
	size_t len = strlen(prefix->text);
	ZS_AUTO_FREE char *wrapped = malloc(len + ZS_SHELL_QUOTED_BYTES(strlen(command->text)));

	if (!wrapped)
		return false;
	memcpy(wrapped, prefix->text, len);
	zs_shell_quote(command->text, wrapped + len);
	zs_json_text(&json, wrapped);
	return true;
}

/* Writes the wrapped command as an array of words, which no shell reads: the words of zs, then the command's own. */
static bool put_words(FILE *out, const struct zs_hook_event *event, const struct zs_hook_prefix *prefix,
	const struct zs_event_command *command)
{
	struct zs_json json = { out, false };

	zs_json_print(&json, "[");
	for (size_t i = 0; i < prefix->count; i++)
		zs_json_text(&json, prefix->words[i]);
	zs_json_text(&json, "--");
	fputc(',', out);
	fwrite(event->input_text + command->start + 1, 1, command->end - command->start - 1, out);
	return true;
}

bool zs_hook_put_confined(FILE *out, const struct zs_hook_event *event, const struct zs_hook_prefix *prefix)
{
	size_t at = event->input_start;

	for (size_t i = 0; i < event->command_count; i++) {
		const struct zs_event_command *command = &event->commands[i];

		if (command->wrapped)
			continue;
		fwrite(event->input_text + at, 1, command->start - at, out);
		if (!(command->words ? put_words(out, event, prefix, command)
				     : hook_confine_put_text(out, prefix, command)))
			return false;
		at = command->end;
	}
	fwrite(event->input_text + at, 1, event->input_end - at, out);
	return true;
}
