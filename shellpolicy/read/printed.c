/* The output of echo and printf, as far as it is modelled (man bash, SHELL BUILTIN COMMANDS; man 1 printf). */
#include "read/expand.h"

#include <string.h>

#define FORMATTED_MAX 10000 /* times that a format may be used */

/* The output of echo [-n] WORD… Without -e bash prints backslashes as they are; dash's echo, and bash with xpg_echo, do
 * not. */
static const char *echoed(struct zs_arena *arena, const struct zs_strings *words)
{
	const char *text = "";
	bool newline = true, missing = false;
	uint32_t first = 1;

	for (; first < words->count && strcmp(words->items[first], "-n") == 0; first++)
		newline = false;
	for (uint32_t i = first; i < words->count; i++) {
		/* after a word that may be missing, a dash may begin an option too */
		if (strchr(words->items[i], '\\') || (words->items[i][0] == '-' && (i == first || missing)))
			return NULL;
		missing |= strchr(words->items[i], ZS_UNKNOWN_WORDS) != NULL;
		text = zs_arena_format(arena, "%s%s%s", text, i > first ? " " : "", words->items[i]);
	}
	return newline ? zs_arena_format(arena, "%s\n", text) : text;
}

/* Uses the format once; *at is the next argument. NULL if it holds more than %s, %%, \n, \t and \\. */
static const char *format_once(struct zs_arena *arena, const struct zs_strings *words, const char *format, uint32_t *at)
{
	const char *text = "";

	for (; *format; format++) {
		if (*format != '%' && *format != '\\') {
			size_t len = strcspn(format, "%\\");

			text = zs_arena_format(arena, "%s%.*s", text, (int)len, format);
			format += len - 1;
			continue;
		}
		format++;
		if (format[-1] == '%' && *format == 's') {
			text = zs_arena_format(arena, "%s%s", text, *at < words->count ? words->items[*at] : "");
			++*at;
		} else if (format[-1] == '%' && *format == '%') {
			text = zs_arena_format(arena, "%s%%", text);
		} else if (format[-1] == '\\' && *format && strchr("nt\\", *format)) {
			text = zs_arena_format(arena, "%s%c", text, "\n\t\\"[strchr("nt\\", *format) - "nt\\"]);
		} else {
			return NULL;
		}
	}
	return text;
}

/* printf uses the format again while arguments are left. */
const char *zs_formatted(struct zs_arena *arena, const struct zs_strings *words, uint32_t from)
{
	const char *format = from < words->count ? words->items[from] : "-", *text = "", *part;
	bool alike = strcmp(format, "%s") == 0 ||
		     strcmp(format, "%s\\n") == 0; /* the output has the same form for any number of arguments */
	uint32_t at = from + 1, before, rounds = 0;

	if (*format == '-' || (at < words->count && strpbrk(format, ZS_UNKNOWNS)))
		return NULL;
	for (uint32_t i = at; i < words->count && !alike; i++)
		if (strchr(words->items[i], ZS_UNKNOWN_WORDS))
			return NULL;
	do {
		before = at;
		part = format_once(arena, words, format, &at);
		if (!part || ++rounds > FORMATTED_MAX)
			return NULL;
		text = zs_arena_format(arena, "%s%s", text, part);
	} while (at < words->count && at > before);
	return text;
}

const char *zs_printed(struct zs_arena *arena, const struct zs_strings *words)
{
	if (strcmp(words->items[0], "echo") == 0)
		return echoed(arena, words);
	return zs_formatted(arena, words, words->count > 2 && strcmp(words->items[1], "--") == 0 ? 2 : 1);
}
