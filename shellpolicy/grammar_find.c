/* find: paths, then an expression whose words are tests and actions (man 1 find). */
#include "classify.h"

#include <string.h>

enum find_kind {
	FIND_TEST0, /* no argument */
	FIND_TEST1, /* one argument */
	FIND_TEST2,
	FIND_PRINT,  /* one argument: a file that is written */
	FIND_PRINTF, /* a file that is written, and a format */
	FIND_DELETE,
	FIND_EXEC,   /* a command, up to ";" or "+" */
	FIND_FILES0, /* -files0-from */
};

static const struct {
	const char *name;
	enum find_kind kind;
} primaries[] = {
	{ "-H", FIND_TEST0 },
	{ "-L", FIND_TEST0 },
	{ "-P", FIND_TEST0 },
	{ "-D", FIND_TEST1 },
	{ "-E", FIND_TEST0 },
	{ "-X", FIND_TEST0 },
	{ "-d", FIND_TEST0 },
	{ "-s", FIND_TEST0 },
	{ "-x", FIND_TEST0 },
	{ "-O0", FIND_TEST0 },
	{ "-O1", FIND_TEST0 },
	{ "-O2", FIND_TEST0 },
	{ "-O3", FIND_TEST0 },
	{ "(", FIND_TEST0 },
	{ ")", FIND_TEST0 },
	{ "!", FIND_TEST0 },
	{ ",", FIND_TEST0 },
	{ "-a", FIND_TEST0 },
	{ "-and", FIND_TEST0 },
	{ "-o", FIND_TEST0 },
	{ "-or", FIND_TEST0 },
	{ "-not", FIND_TEST0 },
	{ "-amin", FIND_TEST1 },
	{ "-anewer", FIND_TEST1 },
	{ "-atime", FIND_TEST1 },
	{ "-cmin", FIND_TEST1 },
	{ "-cnewer", FIND_TEST1 },
	{ "-context", FIND_TEST1 },
	{ "-ctime", FIND_TEST1 },
	{ "-daystart", FIND_TEST0 },
	{ "-delete", FIND_DELETE },
	{ "-depth", FIND_TEST0 },
	{ "-empty", FIND_TEST0 },
	{ "-exec", FIND_EXEC },
	{ "-execdir", FIND_EXEC },
	{ "-executable", FIND_TEST0 },
	{ "-false", FIND_TEST0 },
	{ "-files0-from", FIND_FILES0 },
	{ "-fls", FIND_PRINT },
	{ "-follow", FIND_TEST0 },
	{ "-fprint", FIND_PRINT },
	{ "-fprint0", FIND_PRINT },
	{ "-fprintf", FIND_PRINTF },
	{ "-fstype", FIND_TEST1 },
	{ "-gid", FIND_TEST1 },
	{ "-group", FIND_TEST1 },
	{ "-help", FIND_TEST0 },
	{ "--help", FIND_TEST0 },
	{ "-version", FIND_TEST0 },
	{ "--version", FIND_TEST0 },
	{ "-ignore_readdir_race", FIND_TEST0 },
	{ "-ilname", FIND_TEST1 },
	{ "-iname", FIND_TEST1 },
	{ "-inum", FIND_TEST1 },
	{ "-ipath", FIND_TEST1 },
	{ "-iregex", FIND_TEST1 },
	{ "-iwholename", FIND_TEST1 },
	{ "-links", FIND_TEST1 },
	{ "-lname", FIND_TEST1 },
	{ "-ls", FIND_TEST0 },
	{ "-maxdepth", FIND_TEST1 },
	{ "-mindepth", FIND_TEST1 },
	{ "-mmin", FIND_TEST1 },
	{ "-mount", FIND_TEST0 },
	{ "-mtime", FIND_TEST1 },
	{ "-name", FIND_TEST1 },
	{ "-newer", FIND_TEST1 },
	{ "-nogroup", FIND_TEST0 },
	{ "-noignore_readdir_race", FIND_TEST0 },
	{ "-noleaf", FIND_TEST0 },
	{ "-nouser", FIND_TEST0 },
	{ "-nowarn", FIND_TEST0 },
	{ "-ok", FIND_EXEC },
	{ "-okdir", FIND_EXEC },
	{ "-path", FIND_TEST1 },
	{ "-perm", FIND_TEST1 },
	{ "-print", FIND_TEST0 },
	{ "-print0", FIND_TEST0 },
	{ "-printf", FIND_TEST1 },
	{ "-prune", FIND_TEST0 },
	{ "-quit", FIND_TEST0 },
	{ "-readable", FIND_TEST0 },
	{ "-regex", FIND_TEST1 },
	{ "-regextype", FIND_TEST1 },
	{ "-samefile", FIND_TEST1 },
	{ "-size", FIND_TEST1 },
	{ "-true", FIND_TEST0 },
	{ "-type", FIND_TEST1 },
	{ "-uid", FIND_TEST1 },
	{ "-used", FIND_TEST1 },
	{ "-user", FIND_TEST1 },
	{ "-warn", FIND_TEST0 },
	{ "-wholename", FIND_TEST1 },
	{ "-writable", FIND_TEST0 },
	{ "-xdev", FIND_TEST0 },
	{ "-xtype", FIND_TEST1 },
};

/* -newerXY REFERENCE has a name for each pair of letters. */
static bool find_primary(const char *name, enum find_kind *ret_kind)
{
	for (size_t i = 0; i < sizeof primaries / sizeof *primaries; i++) {
		if (strcmp(primaries[i].name, name) == 0) {
			*ret_kind = primaries[i].kind;
			return true;
		}
	}
	*ret_kind = FIND_TEST1;
	return strncmp(name, "-newer", 6) == 0 && strlen(name) == 8;
}

/* Behind the command of -exec: index of ";" or "+", or count. */
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

static void take_exec(struct zs_classify *classify, uint32_t from, uint32_t to)
{
	struct zs_raw_command *inner = zs_inner_command(classify, from, to);

	if (!inner)
		return;
	for (uint32_t i = 0; i < inner->words.count; i++) {
		struct zs_raw_word *word = &inner->words.items[i];

		if (word->text && strstr(word->text, "{}")) {
			word->text = NULL;
			word->dynamic = "found file";
		}
	}
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
	case FIND_FILES0:
		return at + 2;
	case FIND_TEST2:
		return at + 3;
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
			zs_blame(classify, ZS_RISK_DYNAMIC_COMMAND, word, "not a known test or action of find");
			at++;
		} else {
			/* A path; but an unquoted $x among the tests may be -delete. */
			bool alone = words->count == 2 || !word->raw; /* find $x; what xargs appends */

			if (!word->text && (expression || at > 1 || alone) && !word->quoted && !*word->prefix)
				zs_blame(classify, ZS_RISK_DYNAMIC_COMMAND, word, "it may be an action of find");
			at++;
		}
	}
}
