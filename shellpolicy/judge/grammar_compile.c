/* Compilers, assemblers and linkers: the files that they make if no flag names an output. */
#include "judge/judge.h"

#include <string.h>

/* The files that a compiler makes. */
enum kind {
	ONE,   /* one file; `ending` is its name: a.out */
	FIRST, /* one file, named after the first source: hello of hello.rs */
	LIB,   /* as FIRST, with the prefix lib: libhello.rlib */
	EACH,  /* a file for each source, in the working directory: x.o of src/x.c */
	BESIDE /* a file for each source, beside it: src/A.class of src/A.java */
};

/* The output of the compilers of a language. A row with a `flag` counts if the flag is given. */
struct output {
	const char *language, *flag;
	enum kind kind;
	const char *ending;
};

/* The rows through pdflatex's were measured; the rows after it follow the manuals. */
static const struct output outputs[] = {
	{ "gcc", "-c", EACH, ".o" },
	{ "gcc", "-S", EACH, ".s" },
	{ "gcc", "--analyze", EACH, ".plist" },
	{ "gcc", NULL, ONE, "a.out" },
	{ "rust", "--emit=metadata", LIB, ".rmeta" },
	{ "rust", "--crate-type=lib", LIB, ".rlib" },
	{ "rust", "lib", LIB, ".rlib" },
	{ "rust", NULL, FIRST, "" },
	{ "java", NULL, BESIDE, ".class" },
	{ "typescript", NULL, BESIDE, ".js" },
	{ "go", NULL, FIRST, "" },
	{ "assembler", NULL, ONE, "a.out" },
	{ "nasm", NULL, FIRST, "" },
	{ "tex", NULL, EACH, ".pdf" },
	{ "dvi", NULL, EACH, ".dvi" },
	{ "kotlin", NULL, EACH, ".class" },
	{ "d", "-c", EACH, ".o" },
	{ "d", NULL, FIRST, "" },
	{ "wat", NULL, EACH, ".wasm" },
	{ "shader", "-c", EACH, ".spv" },
	{ "shader", NULL, ONE, "a.spv" },
	{ "swift", NULL, FIRST, "" },
	{ "haskell", NULL, FIRST, "" },
	{ "ocaml", NULL, ONE, "a.out" },
};

/* Flags that name the outputs. The compilers' rows judge these. */
static const char naming[] =
	"-o --output -of -od --out-dir -d --outDir --outdir --outFile --outfile --out -output-directory "
	"--output-directory -outdir";

/* Words with which a compiler makes nothing, or only files that another flag names. */
static const char checking[] =
	"-E -M -MM -fsyntax-only -### -cc1 -show --showme -showme --noEmit --noemit -proc:only -Xprint -Zno-codegen "
	"-Zparse-only -fno-code -typecheck";

/* Words with which a compiler also makes files beside its output, whose names begin like the output's: x.d, x.gcno. */
static const char besides[] =
	"-MD -MMD --coverage -coverage -ftest-coverage -fstack-usage -fcallgraph-info -gsplit-dwarf "
	"-fsave-optimization-record";

static bool makes_nothing(const struct zs_classify *classify)
{
	const struct zs_args *args = &classify->args;

	return zs_has_effect(args, ZS_FLAG_INFO) || args->has_code || !args->operands ||
	       zs_next_use(args, NULL, naming) || zs_has_listed_word(&classify->command->words, checking);
}

/* The first row that fits. Rows with a flag stand before those without. */
static const struct output *find_output(const struct zs_classify *classify)
{
	for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
		if (zs_row_speaks(classify->row, outputs[i].language) &&
			(!outputs[i].flag || zs_has_listed_word(&classify->command->words, outputs[i].flag)))
			return &outputs[i];
	return NULL;
}

/* An operand of go build may be a package. That is the project's build, as by make, and passes. */
static bool is_source(const struct output *output, const struct zs_raw_word *word)
{
	size_t len = strlen(word->prefix);

	return strcmp(output->language, "go") != 0 ||
	       (word->text && len > 3 && strcmp(word->text + len - 3, ".go") == 0);
}

/* The file that is made of a source. If the source is known only at run time, its word stands for the file. */
static struct zs_raw_word made_of(
	struct zs_classify *classify, const struct output *output, const struct zs_raw_word *source)
{
	struct zs_arena *arena = classify->build->arena;
	struct zs_raw_word made = *source;
	const char *name = source->text, *ending;

	if (output->kind == ONE)
		name = "";
	else if (name && strcmp(name, "-") == 0)
		name = "input";
	if (!name)
		return made;
	if (output->kind != BESIDE)
		name = zs_base_name(name);
	ending = strrchr(zs_base_name(name), '.');
	made.text = zs_arena_format(arena, "%s%s%s", output->kind == LIB ? "lib" : "",
		zs_arena_string(arena, name, ending ? (size_t)(ending - name) : strlen(name)), output->ending);
	made.prefix = made.text;
	made.dynamic = NULL;
	return made;
}

static void make_outputs(struct zs_classify *classify)
{
	const struct output *output = find_output(classify);
	const struct zs_args *args = &classify->args;

	if (!output || makes_nothing(classify))
		return;
	for (const struct zs_use *use = NULL; (use = zs_next_use(args, use, NULL)) != NULL;) {
		uint32_t findings = classify->build->findings.count;
		struct zs_raw_word made;

		if (!is_source(output, &use->word))
			continue;
		made = made_of(classify, output, &use->word);
		zs_write(classify, &made, ZS_EFFECT_OVERWRITE);
		if (classify->build->findings.count > findings)
			classify->build->findings.items[findings].detail =
				made.text ? "it makes this file when no flag names another"
					  : "it makes a file that is named after this one";
		if (output->kind != EACH && output->kind != BESIDE)
			return;
	}
}

void zs_grammar_compiles(struct zs_classify *classify)
{
	/* rustc leaves x.….rcgu.o when it cannot link. */
	classify->beside =
		zs_row_speaks(classify->row, "rust") ||
		(zs_row_speaks(classify->row, "gcc") && zs_has_listed_word(&classify->command->words, besides));
	make_outputs(classify);
}
