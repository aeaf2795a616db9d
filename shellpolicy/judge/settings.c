/* Settings of tools in one word: KEY=VALUE or KEY:VALUE, with commas or semicolons between them, as in pytest's
 * --cov-report=html:dir, dotnet's --logger trx;LogFileName=x and -Wl,-Map=x. Some keys name a file that is written. */
#include "judge/classify.h"

#include <string.h>
#include <strings.h>

#define SEPARATORS ",;"

/* The last part of a key counts, in any case and without leading dashes: /p:OutDir=, -DoutputFile=. */
static const char writing_keys[] =
	/* any tool */
	"file filename output out outfile outdir outputfile outputdir outputdirectory outputpath destfile logfile "
	"logfilename logfileprefix reportfile dumpfile "
	/* msbuild, dotnet */
	"packageoutputpath publishdir intermediateoutputpath baseoutputpath baseintermediateoutputpath "
	/* mocha's reporters, pytest-cov, jest-junit */
	"mochafile html xml json lcov annotate markdown markdown-append "
	/* detekt, golangci-lint 1, syft and grype: FORMAT:FILE, FORMAT=FILE */
	"txt sarif csv tab checkstyle code-climate junit-xml github-actions teamcity table template syft-json "
	"cyclonedx cyclonedx-json spdx spdx-json spdx-tag-value "
	/* rustc --emit */
	"asm llvm-bc llvm-ir obj metadata link dep-info mir "
	/* ld, by gcc -Wl,; cpp, by -Wp,; as, by -Wa, */
	"o map dependency-file out-implib md mmd mf a ahl ahls al aln alh adhln adhlns acdhlns acln achlns";

static bool is_writing_key(const char *key, size_t len)
{
	const char *start = key;

	for (size_t i = 0; i < len; i++)
		if (key[i] == '.')
			start = key + i + 1;
	len -= (size_t)(start - key);
	while (len && *start == '-') {
		start++;
		len--;
	}
	return zs_listed_any_case(start, len, writing_keys);
}

/* Adds the write of a setting's value. `whole` is false if the end of the value is known only at run time. */
static void write_value(
	struct zs_classify *classify, const struct zs_raw_word *setting, const char *value, size_t len, bool whole)
{
	struct zs_raw_word file = *setting;

	file.prefix = zs_arena_string(classify->build->arena, value, len);
	file.text = whole ? file.prefix : NULL;
	if (whole && (strcmp(file.text, "stdout") == 0 || strcmp(file.text, "stderr") == 0))
		return;
	if (!whole || len)
		zs_write(classify, &file, ZS_EFFECT_OVERWRITE);
}

/* Does the flag itself name a path? golangci-lint --output.json.path=FILE; stdout is none. */
static bool names_path(const char *flag)
{
	const char *last = flag ? strrchr(flag, '.') : NULL;

	return last && strcmp(last, ".path") == 0;
}

void zs_check_setting(struct zs_classify *classify, const char *flag, const struct zs_raw_word *setting)
{
	const char *item = setting->prefix, *pending = NULL;

	if (names_path(flag)) {
		write_value(classify, setting, item, strlen(item), setting->text != NULL);
		return;
	}
	for (;; item++) {
		size_t len = strcspn(item, SEPARATORS), key = strcspn(item, "=:");
		bool whole = setting->text || item[len];

		if (pending) /* the key was a word of its own: -Wl,-Map,x */
			write_value(classify, setting, item, len, whole);
		else if (key < len && is_writing_key(item, key))
			write_value(classify, setting, item + key + 1, len - key - 1, whole);
		pending = !pending && key >= len && item[0] == '-' && is_writing_key(item, len) && item[len] ? item
													     : NULL;
		item += len;
		if (!*item)
			break;
	}
}
