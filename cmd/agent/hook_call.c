#include "agent/hook_call.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory_stream.h"
#include "base/shell_quote.h"

/* Most agents run the command if a hook is missing, crashes or is killed. A status of 2 with a text is a denial for all
 * of them. The call uses sh, since the agent's own shell may be another one; sh prints no message about a killed
 * child. */
static const char guard[] = " || sh -c 'echo \"zs: no, or no answer from zs; nothing ran\" >&2; exit 2'";

char *zs_hook_call_text(const struct zs_hook_call *command, enum zs_hook_form form)
{
	ZS_AUTO_FREE char *word = malloc(ZS_SHELL_WORD_BYTES);
	char *text = NULL;
	size_t len;
	FILE *out = word ? zs_memory_stream(&text, &len) : NULL;

	if (!out)
		return NULL;
	fprintf(out, "%s hook %s", zs_shell_word(command->zs, word), command->agent->id);
	if (command->profile[0])
		fprintf(out, " --profile %s", command->profile);
	if (command->confine)
		fputs(" --confine", out);
	if (form == ZS_HOOK_GUARDED)
		fputs(guard, out);
	return zs_memory_close(out, &text);
}

/* Reading */

struct reader {
	const char *at, *end;
};

/* Reads a word as a shell does, in the forms that zs_shell_word() and people write. False: there is no word, or it does
 * not fit. */
static bool hook_call_next_word(struct reader *reader, char *word, size_t size)
{
	size_t len = 0;
	char quote = 0;
	bool any = false;

	while (reader->at < reader->end && *reader->at == ' ')
		reader->at++;
	for (; reader->at < reader->end && (quote || *reader->at != ' '); reader->at++) {
		char c = *reader->at;

		any = true;
		if (c == quote) {
			quote = 0;
			continue;
		}
		if (!quote && (c == '\'' || c == '"')) {
			quote = c;
			continue;
		}
		if (c == '\\' && quote != '\'' && reader->at + 1 < reader->end)
			c = *++reader->at;
		if (len + 1 >= size)
			return false;
		word[len++] = c;
	}
	word[len] = '\0';
	return any && !quote;
}

static bool is_zs(const char *path)
{
	const char *slash = strrchr(path, '/');

	return strncmp(slash ? slash + 1 : path, "zs", 2) == 0;
}

bool zs_hook_call_read(const char *text, size_t len, const struct zs_agent *agent, struct zs_hook_call *ret_command)
{
	struct zs_hook_call command = { .agent = agent };
	struct reader reader = { text, text + len };
	char word[64];

	if (!hook_call_next_word(&reader, command.zs, sizeof command.zs) || !is_zs(command.zs) ||
		!hook_call_next_word(&reader, word, sizeof word) || strcmp(word, "hook") != 0 ||
		!hook_call_next_word(&reader, word, sizeof word) || strcmp(word, agent->id) != 0)
		return false;
	for (;;) {
		size_t left = (size_t)(reader.end - reader.at);

		if (left == strlen(guard) && memcmp(reader.at, guard, left) == 0)
			break;
		if (!hook_call_next_word(&reader, word, sizeof word)) {
			command.odd = command.odd || reader.at < reader.end;
			break;
		}
		command.odd = command.odd || word[strcspn(word, ";&|<>()$`#\n")];
		if (strcmp(word, "--confine") == 0)
			command.confine = true;
		else if (strcmp(word, "--profile") == 0)
			hook_call_next_word(&reader, command.profile, sizeof command.profile);
	}
	*ret_command = command;
	return true;
}

bool zs_hook_call_equal(const struct zs_hook_call *a, const struct zs_hook_call *b)
{
	return a->agent == b->agent && strcmp(a->zs, b->zs) == 0 && strcmp(a->profile, b->profile) == 0 &&
	       a->confine == b->confine;
}
