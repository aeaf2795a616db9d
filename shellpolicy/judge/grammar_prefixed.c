/* Words of java and msbuild that hold both a flag and its value: -Xlog:gc:file=x, -XX:OnError=CMD, /p:OutDir=x. */
#include "judge/judge.h"

#include <string.h>

enum meaning { IS_FILE, IS_SETTINGS, IS_AGENT, IS_COMMAND, IS_LOG };

struct prefix {
	const char *texts;
	enum meaning meaning;
};

/* From man 1 java. The -XX options are those of HotSpot that name a file or run something. */
static const struct prefix java_prefixes[] = {
	{ "-Xlog:*", IS_LOG },
	{ "-Xloggc:* -XX:HeapDumpPath=* -XX:ErrorFile=* -XX:LogFile=* -XX:DumpLoadedClassList=* "
	  "-XX:ArchiveClassesAtExit=*",
		IS_FILE },
	{ "-XX:StartFlightRecording*", IS_SETTINGS },
	{ "-XX:OnError=* -XX:OnOutOfMemoryError=*", IS_COMMAND },
	{ "-javaagent:* -agentlib:* -agentpath:*", IS_AGENT },
};

/* -Xlog:[WHAT][:[OUTPUT][:[DECORATORS][:OPTIONS]]]. An output without "file=" is a file too. Quotes may hold a colon.
 */
static void judge_log(struct zs_classify *classify, const struct zs_raw_word *word, const char *value)
{
	struct zs_raw_word file = *word;
	const char *output;

	if (word->dynamic && strcmp(word->dynamic, "glob") == 0) { /* gc* stays as it is if no file matches */
		file.text = zs_arena_string(classify->build->arena, word->raw, word->raw_len);
		value = file.text + (value - word->prefix);
		word = &file;
	}
	output = value + strcspn(value, ":");
	output += *output == ':';
	if (strncmp(output, "file=", 5) == 0)
		output += 5;
	zs_write_part(classify, word, output, strcspn(output, ":"));
}

static void judge_prefixed(
	struct zs_classify *classify, const struct zs_raw_word *word, const char *value, enum meaning meaning)
{
	struct zs_raw_word part;

	if (meaning == IS_AGENT) /* LIBRARY=SETTINGS */
		value += strcspn(value, "=");
	if (*value && (meaning == IS_AGENT || (meaning == IS_SETTINGS && strchr("=:", *value))))
		value++;
	part = zs_word_from(word, (size_t)(value - word->prefix));
	switch (meaning) {
	case IS_FILE:
		zs_write(classify, &part, ZS_EFFECT_OVERWRITE);
		break;
	case IS_SETTINGS:
	case IS_AGENT:
		zs_check_setting(classify, NULL, &part);
		break;
	case IS_COMMAND:
		zs_nested_shell(classify, &part);
		break;
	case IS_LOG:
		judge_log(classify, word, value);
		break;
	}
}

/* java -jar ktlint-1.2.jar -F: the archive stands for the tool if a row has the tool's name. */
static void find_known_jar(struct zs_classify *classify, uint32_t at)
{
	const struct zs_raw_word *jar = &classify->command->words.items[at];
	const char *name = jar->text ? zs_base_name(jar->text) : "";
	size_t len = strcspn(name, ".");

	if (!strstr(name, ".jar"))
		return;
	for (size_t i = 1; i < len; i++) /* the name ends before the version: google-java-format-1.17.0-all-deps */
		if (name[i - 1] == '-' && name[i] >= '0' && name[i] <= '9')
			len = i - 1;
	name = zs_arena_string(classify->build->arena, name, len);
	if (!zs_row_find("", name))
		return;
	classify->inner = zs_inner_command(classify, at, classify->command->words.count);
	classify->inner->words.items[0].text = classify->inner->words.items[0].prefix = name;
}

void zs_grammar_java(struct zs_classify *classify)
{
	const struct zs_word_list *words = &classify->command->words;

	for (uint32_t i = 1; i < words->count && words->items[i].prefix[0] == '-'; i++) {
		const struct zs_raw_word *word = &words->items[i];

		for (size_t j = 0; j < sizeof java_prefixes / sizeof *java_prefixes; j++) {
			const char *prefix = zs_listed_word(word->prefix, strlen(word->prefix), java_prefixes[j].texts);

			if (prefix)
				judge_prefixed(
					classify, word, word->prefix + strcspn(prefix, "*"), java_prefixes[j].meaning);
		}
		if (zs_word_is(word, "-jar") && i + 1 < words->count)
			find_known_jar(classify, i + 1);
	}
}

/* Switches of msbuild begin with - or /, have short names, and have their value after a colon (msbuild -help). */
static const struct prefix msbuild_prefixes[] = {
	{ "p property flp flp1 flp2 fileloggerparameters l logger", IS_SETTINGS },
	{ "bl binarylogger pp preprocess ts targets getresultoutputfile orc outputresultscache", IS_FILE },
};

void zs_grammar_msbuild(struct zs_classify *classify)
{
	const struct zs_word_list *words = &classify->command->words;

	for (uint32_t i = 1; i < words->count; i++) {
		const struct zs_raw_word *word = &words->items[i];
		size_t dashes = strspn(word->prefix, "-/");
		const char *name = word->prefix + dashes;
		size_t len = strcspn(name, ":");

		for (size_t j = 0; j < sizeof msbuild_prefixes / sizeof *msbuild_prefixes; j++)
			if ((dashes == 1 || dashes == 2) && name[len] &&
				zs_listed_any_case(name, len, msbuild_prefixes[j].texts))
				judge_prefixed(classify, word, name + len + 1, msbuild_prefixes[j].meaning);
	}
}
