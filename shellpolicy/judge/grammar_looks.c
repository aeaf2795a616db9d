/* Commands that write, or run code or commands, in most of their forms. This file lists the forms that do not. */
#include "judge/judge.h"

#include <string.h>

/* Is the word an operand of a form? It is neither a flag nor the stream of another program ("|x" of sox). Its start
 * must be known. */
static bool is_file(const struct zs_raw_word *word)
{
	if (!word->text && !*word->prefix)
		return word->dynamic &&
		       (strcmp(word->dynamic, "glob") == 0 || strcmp(word->dynamic, "found file") == 0);
	return !strchr("-|", word->prefix[0]);
}

static bool grammar_looks_fits(const char *form, const struct zs_word_list *words)
{
	uint32_t at = 1;

	for (; *form && *form != '|'; form += strspn(form, " ")) {
		size_t len = strcspn(form, " |");
		bool file = form[0] == 'F', more = file && len == 2;

		if (at == words->count)
			return false;
		if (file ? !is_file(&words->items[at])
			 : !words->items[at].text || strlen(words->items[at].text) != len ||
					memcmp(words->items[at].text, form, len) != 0)
			return false;
		for (at++; more && at < words->count && is_file(&words->items[at]);)
			at++;
		form += len;
	}
	return at == words->count;
}

/* convert IN … info:, compare A B null:, magick IN png:-: the picture goes to standard output or nowhere. -write,
 * scripts and some prefixes (msl:, ephemeral:) would write other files. */
static bool prints_picture(const struct zs_word_list *words)
{
	static const char nowhere[] =
		"null: info: info:- txt: txt:- json: json:- - png:- jpg:- gif:- ppm:- pgm:- pnm:- rgb:- rgba:- gray:- "
		"histogram:info:- histogram:info: sixel:- webp:- bmp:- svg:-";
	const char *name = zs_base_name(words->items[0].prefix);

	if (words->count < 3 || !zs_listed(name, "convert magick compare montage composite") ||
		!zs_listed(words->items[words->count - 1].text, nowhere))
		return false;
	for (uint32_t i = 1; i < words->count; i++) {
		const char *text = words->items[i].prefix;

		if (!*text || strncmp(text + 1, "write", 5) == 0 || strncmp(text + 1, "script", 6) == 0 ||
			*text == '@' || strcmp(text, "mogrify") == 0 || strncmp(text, "-dist", 5) == 0 ||
			strstr(text, ".msl") || (strchr(text, ':') && i + 1 < words->count))
			return false;
	}
	return true;
}

/* tesseract IN stdout prints the text. */
static bool prints_text(const struct zs_classify *classify)
{
	const struct zs_use *first = zs_next_use(&classify->args, NULL, NULL);
	const struct zs_use *second = first ? zs_next_use(&classify->args, first, NULL) : NULL;

	return strcmp(zs_base_name(classify->command->words.items[0].prefix), "tesseract") == 0 && second &&
	       second->word.text && (strcmp(second->word.text, "stdout") == 0 || zs_is_stream(second->word.text));
}

/* Forms that only look. */
static const struct {
	const char *tools, *forms; /* forms: '|' separates them; F stands for an operand, F* for one or more operands */
} forms[] = {
	{ "sox", "--i F*|--i -r F*|--i -c F*|--i -d F*|--i -D F*|--i -s F*|--i -b F*|--i -t F*|--info F*|F* -n stat|"
		 "F* -n stats" },
	{ "gs", "-q -dNODISPLAY -dBATCH -c quit|-q -dNODISPLAY -c quit|-dNODISPLAY -dBATCH -c quit|"
		"-dNODISPLAY -c quit|-dBATCH -dNODISPLAY -c quit|-q -c quit|-c quit" },
	{ "iverilog", /* -t null only compiles */
		"-t null F*|-tnull F*|-Wall -t null F*|-Wall -tnull F*|-g2012 -t null F*|-g2012 -tnull F*|"
		"-g2012 -Wall -t null F*|-g2012 -Wall -tnull F*" },
	{ "tabix", "F F*|-h F F*" }, /* regions of a file that has an index */
	{ "ncks", "-m F|-M F|F" },
	{ "zip", "-T F|-q -T F|-T -q F" },
	{ "pax", "-w F*" }, /* the archive goes to standard output */
	{ "pngquant", "-" },
	{ "inkscape", "--query-all F" },
	{ "nyc c8", "report|check-coverage" },
	{ "gifsicle", "--info F*|-I F*" },
	{ "gm", "identify F*|identify -verbose F*" },
	{ "magick", "identify F*|identify -verbose F*|F info:|F info:-" },
	{ "jhead", "F*|-c F*|-v F*" },
	{ "convert", "F txt:-|F info:-|F info:|F json:-" },
	{ "pdftk", "F dump_data|F dump_data_utf8|F dump_data_fields" },
	{ "ffmpeg", "-i F -f null -|-v error -i F -f null -|-hide_banner -i F -f null -|-hide_banner -i F|-i F" },
	{ "xdelta3", "printhdr F|printhdrs F|printdelta F" },
};

void zs_grammar_looks(struct zs_classify *classify)
{
	const struct zs_word_list *words = &classify->command->words;
	const char *name = zs_base_name(words->items[0].prefix);

	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		const char *form = zs_listed(name, forms[i].tools) ? forms[i].forms : NULL;

		for (; form; form = strchr(form, '|') ? strchr(form, '|') + 1 : NULL)
			classify->done |= grammar_looks_fits(form, words);
	}
	if (prints_picture(words) || prints_text(classify))
		classify->done = true;
}

/* sass IN:OUT … and sass --stdin OUT write OUT. */
void zs_grammar_sass(struct zs_classify *classify)
{
	bool stdin_read = zs_has_listed_word(&classify->command->words, "--stdin");

	for (const struct zs_use *use = NULL; (use = zs_next_use(&classify->args, use, NULL)) != NULL;)
		if (stdin_read || strchr(use->word.prefix, ':'))
			zs_write(classify, &use->word, ZS_EFFECT_OVERWRITE);
}

/* python -m timeit [-s SETUP] LINE...: the lines make one program. The setup stands before them, since it binds
 * names. */
void zs_grammar_timeit(struct zs_classify *classify)
{
	struct zs_arena *arena = classify->build->arena;
	struct zs_raw_word code = { 0 };
	const char *text = "";

	for (int setup = 1; setup >= 0; setup--) {
		for (const struct zs_use *use = NULL;
			(use = zs_next_use(&classify->args, use, setup ? "-s --setup" : NULL)) != NULL;) {
			if (!code.raw || !use->word.text)
				code = use->word;
			text = text && use->word.text ? zs_arena_format(arena, "%s%s\n", text, use->word.text) : NULL;
		}
	}
	if (!code.raw)
		return;
	code.text = text;
	if (text)
		code.prefix = text;
	zs_judge_code(classify, &code);
}

/* parallel OPTION... COMMAND WORD... [::: VALUE...] hands the words to a shell, joined by blanks, with its values
 * quoted. */

static bool is_plain_word(const struct zs_raw_word *word, bool command)
{
	static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./,:@%+-";
	static const char reserved[] = " if then else elif fi do done case esac while until for in select function "
				       "coproc time ";
	const char *text = word->text;

	if (!text || !*text || strcmp(text, "--") == 0)
		return false;
	if (command)
		return !text[strspn(text, safe)] && !strstr(reserved, text);
	for (text += strspn(text, safe); *text; text += strspn(text, safe)) {
		size_t len = *text == '=' ? 1 : strcspn(text, "}") + 1; /* a replacement string, or "=" */

		if (*text != '=' && !zs_listed_bytes(text, len, "{} {.} {/} {//} {/.} {#} {%} {1} {2}"))
			return false;
		text += len;
	}
	return true;
}

/* The index after the command's words; 0 if they are not plain words. */
static uint32_t end_of_parallel(const struct zs_classify *classify)
{
	const struct zs_word_list *words = &classify->command->words;
	uint32_t at = classify->args.rest;

	if (!at || classify->args.unknown_flag || classify->args.dynamic_flag ||
		classify->args.rest_role != ZS_ROLE_COMMAND)
		return 0;
	for (uint32_t i = 1; i < at; i++) /* the parallel of moreutils runs each word after -- */
		if (zs_word_is(&words->items[i], "--"))
			return 0;
	for (; at < words->count && strncmp(words->items[at].prefix, ":::", 3) != 0; at++)
		if (!is_plain_word(&words->items[at], at == classify->args.rest))
			return 0;
	return at > classify->args.rest ? at : 0;
}

/* The words are code for a shell. Without a command, or with {} in its place, each value is code. Values in the text
 * are judged; values that a file or standard input holds are known only at run time. */
static bool is_source(const struct zs_word_list *words, uint32_t at)
{
	return at >= words->count || strncmp(words->items[at].prefix, ":::", 3) == 0;
}

static void judge_parallel_code(struct zs_classify *classify)
{
	const struct zs_word_list *words = &classify->command->words;
	struct zs_raw_word code = zs_unknown_word(classify->command->span, "input");
	uint32_t at = classify->args.rest ? classify->args.rest : words->count;
	bool values = is_source(words, at) || (zs_word_is(&words->items[at], "{}") && is_source(words, at + 1));
	const char *joined = "";

	at += values && !is_source(words, at);
	if (values && at < words->count && zs_word_is(&words->items[at], ":::")) {
		while (!is_source(words, ++at))
			zs_nested_shell(classify, &words->items[at]);
		if (at == words->count)
			return;
	}
	if (!values && words->items[at].prefix[0] != '{') {
		for (; joined && !is_source(words, at); at++) {
			const char *text = words->items[at].text;

			joined = text && !strstr(text, "{=") /* code in perl */
					 ? zs_arena_format(classify->build->arena, "%s%s ", joined, text)
					 : NULL;
		}
		code.text = joined;
	}
	zs_nested_shell(classify, &code);
}

void zs_grammar_parallel(struct zs_classify *classify)
{
	uint32_t end = end_of_parallel(classify);

	classify->done = true;
	if (!end) {
		if (zs_has_effect(&classify->args, ZS_FLAG_INFO) && classify->command->words.count == 2)
			return;
		zs_blame_command(classify, ZS_RISK_WRITE, NULL);
		judge_parallel_code(classify);
		return;
	}
	classify->inner = zs_inner_command(classify, classify->args.rest, end);
	if (!zs_replace_words(classify->inner, "{", "replaced"))
		zs_add_operands(classify, classify->inner);
}
