/* find: paths, then an expression of tests and actions (man 1 find). */
#include "judge/classify.h"
#include "code/code_tokens.h"

#include <string.h>

enum find_kind {
	FIND_TEST0,  /* no argument */
	FIND_TEST1,  /* one argument */
	FIND_PRINT,  /* one argument: a file that is written */
	FIND_PRINTF, /* a file that is written, and a format */
	FIND_DELETE,
	FIND_EXEC, /* a command, up to ";" or "+" */
};

static const struct {
	enum find_kind kind;
	const char *names;
} primaries[] = {
	{ FIND_TEST0, "-H -L -P -E -X -d -s -x -O0 -O1 -O2 -O3 ( ) ! , -a -and -o -or -not -daystart -depth -empty "
		      "-executable -false -follow -help --help -version --version -ignore_readdir_race -ls -mount "
		      "-nogroup -noignore_readdir_race -noleaf -nouser -nowarn -print -print0 -prune -quit "
		      "-readable -true -warn -writable -xdev" },
	{ FIND_TEST1,
		"-D -files0-from -amin -anewer -atime -cmin -cnewer -context -ctime -fstype -gid -group -ilname -iname "
		"-inum -ipath -iregex -iwholename -links -lname -maxdepth -mindepth -mmin -mtime -name -newer "
		"-path -perm -printf -regex -regextype -samefile -size -type -uid -used -user -wholename "
		"-xtype" },
	{ FIND_PRINT, "-fls -fprint -fprint0" },
	{ FIND_PRINTF, "-fprintf" },
	{ FIND_DELETE, "-delete" },
	{ FIND_EXEC, "-exec -execdir -ok -okdir" },
};

/* -newerXY REFERENCE exists for each pair of letters. */
static bool find_primary(const char *name, enum find_kind *ret_kind)
{
	for (size_t i = 0; i < sizeof primaries / sizeof *primaries; i++) {
		if (zs_code_listed(name, strlen(name), primaries[i].names)) {
			*ret_kind = primaries[i].kind;
			return true;
		}
	}
	*ret_kind = FIND_TEST1;
	return strncmp(name, "-newer", 6) == 0 && strlen(name) == 8;
}

/* The end of -exec's command: the index of ";" or "+", or the number of words. */
static uint32_t exec_end(const struct zs_word_list *words, uint32_t from)
{
	for (uint32_t i = from; i < words->count; i++) {
		const char *text = words->items[i].text;

		if (text && strcmp(text, ";") == 0)
			return i;
		if (text && strcmp(text, "+") == 0 && i > from && words->items[i - 1].text &&
			strcmp(words->items[i - 1].text, "{}") == 0)
			return i;
	}
	return words->count;
}

/* Does find look only below the working directory? Then a program that it finds belongs to the workspace. */
static bool finds_below(const struct zs_word_list *words)
{
	for (uint32_t i = 1; i < words->count && words->items[i].prefix[0] != '-'; i++)
		if (!words->items[i].text || words->items[i].text[0] == '/' || strstr(words->items[i].text, ".."))
			return false;
	return true;
}

static void take_exec(struct zs_classify *classify, uint32_t from, uint32_t to)
{
	struct zs_raw_command *inner = zs_inner_command(classify, from, to);

	if (!inner)
		return;
	if (zs_word_is(&inner->words.items[0], "{}") && finds_below(&classify->command->words))
		inner->words.items[0].prefix = "./";
	zs_replace_words(inner, "{}", "found file");
	ZS_PUSH(classify->build->arena, &classify->more_inner, inner);
}

static uint32_t take_primary(struct zs_classify *classify, uint32_t at, enum find_kind kind)
{
	const struct zs_word_list *words = &classify->command->words;
	const struct zs_raw_word *argument = at + 1 < words->count ? &words->items[at + 1] : NULL;
	uint32_t end;

	switch (kind) {
	case FIND_TEST0:
		return at + 1;
	case FIND_TEST1:
		return at + 2;
	case FIND_PRINT:
	case FIND_PRINTF:
		if (argument)
			zs_write(classify, argument, ZS_EFFECT_OVERWRITE);
		return at + (kind == FIND_PRINT ? 2 : 3);
	case FIND_DELETE:
		zs_blame(classify, ZS_RISK_WRITE, &words->items[at], "it deletes what it finds");
		return at + 1;
	case FIND_EXEC:
		end = exec_end(words, at + 1);
		take_exec(classify, at + 1, end);
		return end + 1;
	}
	return at + 1;
}

void zs_grammar_find(struct zs_classify *classify)
{
	const struct zs_word_list *words = &classify->command->words;
	uint32_t at = 1;
	bool expression = false;

	classify->done = true;
	while (at < words->count) {
		const struct zs_raw_word *word = &words->items[at];
		enum find_kind kind;

		if (word->text && find_primary(word->text, &kind)) {
			expression |= !strchr("HLPDO", word->text[1]) || strlen(word->text) > 3;
			at = take_primary(classify, at, kind);
		} else if (word->text && word->text[0] == '-' && word->text[1]) {
			zs_blame(classify, ZS_RISK_DYNAMIC_ARGUMENT, word, "not a known test or action of find");
			at++;
		} else {
			/* The word is a path. But an unquoted $x among the tests may expand to -delete. */
			bool alone = words->count == 2 || !word->raw; /* find $x, or the word that xargs appends */

			bool list = !word->text && word->raw && memchr(word->raw, '@', word->raw_len);

			if (!word->text && (expression || at > 1 || alone) && (!word->quoted || list) && !*word->prefix)
				zs_blame(classify, ZS_RISK_DYNAMIC_ARGUMENT, word, "it may be an action of find");
			at++;
		}
	}
}
