/* gdb's commands. Commands that look at a program, or run it as it is, are plain. Calls, files and other code are not.
 */
#include "code/code_tokens.h"

static const char plain[] =
	"advance b backtrace break bt c catch cont continue d delete detach disas disassemble display do down echo f "
	"fin finish frame handle help i inf info k kill l list n next nexti ni p print printf ptype q quit r run "
	"rwatch s sharedlibrary show si start step stepi t tb tbreak thread u undisplay until up watch whatis where x";
static const char settings[] =
	"auto-solib-add breakpoint can-use-hw-watchpoints confirm debuginfod disable-randomization disassembly-flavor "
	"follow-fork-mode height language listsize max-value-size pagination print scheduler-locking style verbose "
	"width";

/* The length of the first word of *text. *text moves past the blanks before it. */
static size_t word_length(const char **text, const char *end)
{
	const char *at;

	while (*text < end && is_one_of(**text, " \t"))
		++*text;
	for (at = *text; at < end && (is_word(*at) || *at == '-');)
		at++;
	return (size_t)(at - *text);
}

/* Is there a name before a "("? Then a function of the program, or gdb's $_shell, is called. sizeof is no call. */
static bool calls(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		size_t end = i, start;

		while (text[i] == '(' && end && is_one_of(text[end - 1], " \t"))
			end--;
		for (start = end; start && is_word(text[start - 1]);)
			start--;
		/* (*f)(x), f<int>(x) */
		if (text[i] == '(' && end &&
			(end == start ? is_one_of(text[end - 1], ")]'\">")
				      : !zs_code_listed(text + start, end - start, "sizeof")))
			return true;
	}
	return false;
}

static bool is_plain(const char *text, const char *end)
{
	size_t len = word_length(&text, end);
	const char *rest = text + len, *word = rest;
	size_t next = word_length(&word, end);

	if (zs_code_listed(text, len, "set"))
		return zs_code_listed(word, next, settings);
	if (!zs_code_listed(text, len, plain))
		return false;
	/* A shell reads run's arguments. thread and frame run the command after "apply", which may be abbreviated. */
	if (zs_code_listed(text, len, "r run start"))
		return word == end;
	if (!zs_code_listed(text, len, "thread t frame f") || word == end || (is_digit(*word) && word + next == end))
		return true;
	rest = word + next;
	len = word_length(&rest, end);
	return zs_code_listed(word, next, "apply") && zs_code_listed(rest, len, "all") && is_plain(rest + len, end);
}

struct zs_filter zs_filter_gdb(const char *program, size_t len)
{
	bool known = !memchr(program, '\n', len) && !calls(program, len);
	const char *start = program;

	word_length(&start, program + len);
	if (!known || (start < program + len && !is_plain(start, program + len)))
		return (struct zs_filter){ .effect = ZS_FILTER_UNKNOWN, .at = (size_t)(start - program) };
	return (struct zs_filter){ .effect = ZS_FILTER_PLAIN };
}
