/* gdb's commands: looking at a program, and running it as it is, is plain; calls, files and other code are not. */
#include "code/filter.h"

#include "code/code_tokens.h"
#include "code/filter_text.h"

#include <stdbool.h>
#include <string.h>

static const char plain[] =
	"advance b backtrace break bt c catch cont continue d delete detach disas disassemble display do down echo f "
	"fin finish frame handle help i inf info k kill l list n next nexti ni p print printf ptype q quit r run "
	"rwatch s sharedlibrary show si start step stepi t tb tbreak thread u undisplay until up watch whatis where x";
static const char settings[] =
	"auto-solib-add breakpoint can-use-hw-watchpoints confirm debuginfod disable-randomization disassembly-flavor "
	"follow-fork-mode height language listsize max-value-size pagination print scheduler-locking style verbose "
	"width";

static size_t word_length(const char *text, size_t len)
{
	size_t i = 0;

	while (i < len && (is_word(text[i]) || text[i] == '-'))
		i++;
	return i;
}

static size_t filter_gdb_skip_blanks(const char *text, size_t len)
{
	size_t i = 0;

	while (i < len && (text[i] == ' ' || text[i] == '\t'))
		i++;
	return i;
}

/* A name in front of "(": the program, or gdb's $_shell, is called. sizeof is no call. */
static bool calls(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		size_t end = i, start;

		if (text[i] != '(')
			continue;
		while (end && (text[end - 1] == ' ' || text[end - 1] == '\t'))
			end--;
		for (start = end; start && is_word(text[start - 1]);)
			start--;
		if (end > start && !(end - start == 6 && memcmp(text + start, "sizeof", 6) == 0))
			return true;
		if (end && strchr(")]'\">", text[end - 1]))
			return true; /* (*f)(x), f<int>(x) */
	}
	return false;
}

static bool is_plain(const char *text, size_t len)
{
	size_t word = word_length(text, len), rest = word + filter_gdb_skip_blanks(text + word, len - word);

	if (word == 3 && memcmp(text, "set", 3) == 0)
		return zs_code_listed(text + rest, word_length(text + rest, len - rest), settings);
	if (!zs_code_listed(text, word, plain))
		return false;
	/* The shell reads run's arguments; thread, frame and the like run the command behind "apply" and "function". */
	if (memchr("rs", text[0], 2) && zs_code_listed(text, word, "r run start"))
		return rest == len;
	for (const char *at = text + rest; at < text + len; at++)
		if (word == 6 && memcmp(text, "thread", 6) == 0 && len - (size_t)(at - text) > 5 &&
			memcmp(at, "apply", 5) == 0)
			for (at += 5; at < text + len; at++)
				if (is_letter(*at) && (at[-1] == ' ' || at[-1] == '\t') &&
					!(word_length(at, (size_t)(text + len - at)) == 3 && memcmp(at, "all", 3) == 0))
					return is_plain(at, (size_t)(text + len - at));
	return true;
}

struct zs_filter zs_filter_gdb(const char *program, size_t len)
{
	size_t start = filter_gdb_skip_blanks(program, len);

	if (memchr(program, '\n', len) || calls(program, len) ||
		(start < len && !is_plain(program + start, len - start)))
		return (struct zs_filter){ .effect = ZS_FILTER_UNKNOWN, .at = start };
	return (struct zs_filter){ .effect = ZS_FILTER_PLAIN };
}
