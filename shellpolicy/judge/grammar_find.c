/* find: paths, then an expression of tests and actions (man 1 find). */
#include "judge/classify.h"

#include <string.h>

/* Tests and actions, by the number of words that they take. */
static const struct primary {
	uint32_t words; /* number of words, its name included */
	enum { FIND_TESTS, FIND_WRITES, FIND_DELETES, FIND_RUNS } act;
	const char *names;
} primaries[] = {
	{ 1, FIND_TESTS,
		"-H -L -P -E -X -d -s -x -O0 -O1 -O2 -O3 ( ) ! , -a -and -o -or -not -daystart -depth -empty "
		"-executable -false -follow -help --help -version --version -ignore_readdir_race -ls -mount "
		"-nogroup -noignore_readdir_race -noleaf -nouser -nowarn -print -print0 -prune -quit "
		"-readable -true -warn -writable -xdev" },
	{ 2, FIND_TESTS,
		"-D -files0-from -amin -anewer -atime -cmin -cnewer -context -ctime -fstype -gid -group -ilname -iname "
		"-inum -ipath -iregex -iwholename -links -lname -maxdepth -mindepth -mmin -mtime -name -newer "
		"-path -perm -printf -regex -regextype -samefile -size -type -uid -used -user -wholename "
		"-xtype -newer*" },
	{ 2, FIND_WRITES, "-fls -fprint -fprint0" }, { 3, FIND_WRITES, "-fprintf" }, { 1, FIND_DELETES, "-delete" },
	{ 1, FIND_RUNS, "-exec -execdir -ok -okdir" }, /* a command, up to ";" or "+" */
};

static const struct primary *find_primary(const char *name)
{
	if (strncmp(name, "-newer", 6) == 0 && name[6] && strlen(name) != 8) /* -newerXY: each pair of letters */
		return NULL;
	for (size_t i = 0; i < sizeof primaries / sizeof *primaries; i++)
		if (zs_listed(name, primaries[i].names))
			return &primaries[i];
	return NULL;
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

/* Judges the primary at `at`; returns the index after it. */
static uint32_t take_primary(struct zs_classify *classify, uint32_t at, const struct primary *primary)
{
	const struct zs_word_list *words = &classify->command->words;
	uint32_t end = at + primary->words;

	if (primary->act == FIND_WRITES && at + 1 < words->count)
		zs_write(classify, &words->items[at + 1], ZS_EFFECT_OVERWRITE);
	if (primary->act == FIND_DELETES)
		zs_blame(classify, ZS_RISK_WRITE, &words->items[at], "it deletes the files that it finds");
	if (primary->act == FIND_RUNS) {
		end = exec_end(words, at + 1) + 1;
		take_exec(classify, at + 1, end - 1);
	}
	return end;
}

void zs_grammar_find(struct zs_classify *classify)
{
	const struct zs_word_list *words = &classify->command->words;
	uint32_t at = 1;
	bool expression = false;

	classify->done = true;
	while (at < words->count) {
		const struct zs_raw_word *word = &words->items[at];
		const struct primary *primary = word->text ? find_primary(word->text) : NULL;

		if (primary) {
			expression |= !strchr("HLPDO", word->text[1]) || strlen(word->text) > 3;
			at = take_primary(classify, at, primary);
		} else if (word->text && word->text[0] == '-' && word->text[1]) {
			zs_blame(classify, ZS_RISK_DYNAMIC_ARGUMENT, word, "not a known test or action of find");
			at++;
		} else {
			/* the word is a path; but an unquoted $x among the tests may expand to -delete */
			bool alone = words->count == 2 || !word->raw; /* find $x, or the word that xargs appends */

			bool list = !word->text && word->raw && memchr(word->raw, '@', word->raw_len);

			if (!word->text && (expression || at > 1 || alone) && (!word->quoted || list) && !*word->prefix)
				zs_blame(classify, ZS_RISK_DYNAMIC_ARGUMENT, word, "it may be an action of find");
			at++;
		}
	}
}
