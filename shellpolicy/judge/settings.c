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

void zs_write_part(struct zs_classify *classify, const struct zs_raw_word *word, const char *from, size_t len)
{
	struct zs_raw_word file = *word;

	file.prefix = zs_arena_string(classify->build->arena, from, len);
	file.text = word->text || from[len] ? file.prefix : NULL;
	if (!file.text || (len && !zs_listed(file.text, "stdout stderr")))
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
		zs_write_part(classify, setting, item, strlen(item));
		return;
	}
	for (;; item++) {
		size_t len = strcspn(item, SEPARATORS), key = strcspn(item, "=:");

		if (pending) /* the key was an item of its own: -Wl,-Map,x */
			zs_write_part(classify, setting, item, len);
		else if (key < len && is_writing_key(item, key))
			zs_write_part(classify, setting, item + key + 1, len - key - 1);
		pending = !pending && key >= len && item[0] == '-' && is_writing_key(item, len) && item[len] ? item
													     : NULL;
		item += len;
		if (!*item)
			break;
	}
}
