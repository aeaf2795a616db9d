/* A command without a row may do anything, so its operands count as changed, unless its name or its words say that it
 * only looks (otfinfo F, frob list). The reason names the word that announces a write, if there is one (tomlq -i,
 * mkdocs new), or the command among its words that writes (gosu user rm x). */
#include "judge/unknown.h"

#include "judge/judge.h"
#include "judge/options.h"

#include <string.h>
#include <strings.h>

static const char announced[] = "zs does not know this command, and this word announces that it changes files";
static const char unknown_hint[] =
	"Use a command that 'zs vet --rows NAME' prints. A program of the workspace that you "
	"run by its path may write: its changes are thrown away.";
static const char announced_hint[] =
	"If the command only reads, leave this word out, or print to standard output. A program of the workspace that "
	"you run by its path may write: its changes are thrown away.";

/* Words */

/* Is the text a word of the list, in letters of any case? NULL is none. */
static bool is_one_of(const char *text, const char *list)
{
	return text && zs_listed_any_case(text, strlen(text), list);
}

/* Subcommands that announce a write. */
static const char verbs[] =
	"add annotate append apply autofix bootstrap bump checkout clean clone commit compress convert copy cp create "
	"decompress decrypt del delete deploy disable download drop edit enable encrypt erase extract fetch fix fmt "
	"generate gen import inplace insert install keygen link lock merge migrate mkdir modify move mv new pack patch "
	"prepare prepend prune publish pull purge push put rebase record refactor regenerate register release remove "
	"rename replace "
	"reset restore revert rewrite rm save scaffold set setup strip sync tag touch transform trust unarchive "
	"uncommit uninstall unlink unlock unpack unset untar unzip update upgrade upsert vacuum wipe write init "
	"initialize initialise";

/* Verbs that are nouns too. They count only as the first operand, and only if an operand is a file. */
static const char noun_verbs[] =
	"archive backup bundle compile dedupe export format index join make minify optimise optimize rec resize sign "
	"snapshot split stage transcode";

/* First words after which a verb is only data: x help init, x search install. */
static const char asks[] =
	"cat check compare describe df diff du exists explain find get grep health help history info inspect lint list "
	"log ls man ping print ps query read search show stat status test tree validate verify version view which who "
	"whoami why";

/* Options that announce a write. */
static const char writing_options[] =
	"--add --append --apply --autocorrect --auto-correct --autofix --auto-fix --convert --convert-to --create "
	"--delete --drop --edit --fix --fix-all --in-place --in_place --init --inplace --insert --install --modify "
	"--move --overwrite --print-to-pdf --purge --remove --rename --replace --rewrite --save --screenshot --strip "
	"--uninstall --unlink --update --update-snapshot --update-snapshots --upgrade --write --write-changes --wipe "
	"-inplace -in-place -write -fix -overwrite -save";

/* Options whose value is the file that is written. */
static const char output_options[] =
	"-o -out -output -outfile -outdir -output-file -output-dir -dest --dest --dest-dir --destination --export "
	"--log-file --logfile --out --out-dir --out-file --out-path --out-prefix --out_dir --out_file --outdir "
	"--outfile --outfolder --outname --outpath --output --output-dir --output-directory --output-file "
	"--output-folder --output-path --output-prefix --output_dir --output_file --output_path --outputdir "
	"--outputfile --report-file --save-as --save-to --to-file --write-to";

/* Values of output options that name no file: formats and streams. */
static const char formats[] =
	"- /dev/null /dev/stdout /dev/stderr stdout stderr ascii brief checkstyle codeclimate color colored columns "
	"compact csv custom-columns default detailed dot emacs full github gitlab go-template gnu grep hex html human "
	"id ids ini json json-compact json-lines json-pretty json-stream json5 jsonl jsonlines jsonp jsonpath junit "
	"line lines list long markdown md minimal name names ndjson none null oneline parseable plain pretty "
	"prettyjson props quiet raw rdjson sarif short simple stylish summary table tap template text toml tree tsv "
	"txt unix value verbose vim wide xml yaml yml";

static bool unknown_is_number(const char *text)
{
	return *text && strspn(text, "0123456789.,:-") == strlen(text);
}

/* Is the value of an output option a format? jsonpath={.x} is one. An unknown value may be a file. */
static bool is_format(const struct zs_raw_word *value, size_t from)
{
	const char *text = value->prefix + from;
	size_t len = strcspn(text, "=");

	if (!value->text && !text[len])
		return false;
	return zs_listed_any_case(text, len, formats) || (value->text && unknown_is_number(text));
}

/* Is it -i, -w, -ti, -iw or -i.bak, that is, one or two letters of which one is i or w? -it asks for a terminal. */
static bool is_in_place_bundle(const char *text)
{
	size_t len = strlen(text + 1);

	if (strncmp(text, "-i.", 3) == 0)
		return true;
	return len >= 1 && len <= 2 && strpbrk(text + 1, "iw") && strcmp(text, "-it") != 0 && text[len] != '-';
}

/* Does an operand look like a file's name? -i and -w also stand for an interface, an interval or a width. */
static bool looks_like_file(const struct zs_raw_word *word)
{
	static const char plain[] =
		"makefile gnumakefile dockerfile containerfile jenkinsfile justfile procfile rakefile gemfile "
		"vagrantfile brewfile caddyfile pipfile podfile readme license changelog sconstruct build configure";
	const char *text = word->prefix;

	if (text[0] == '-')
		return false;
	if (word->text && is_one_of(text, plain))
		return true;
	return !word->text || (strpbrk(text, "./") && !unknown_is_number(text)) || (text[0] >= 'A' && text[0] <= 'Z');
}

/* Announcements */

struct words {
	const struct zs_raw_word *items;
	uint32_t count, at;
	bool looks; /* the program's name says that it only reads */
};

static const struct zs_raw_word *next_word(const struct words *words)
{
	return words->at + 1 < words->count ? &words->items[words->at + 1] : NULL;
}

static bool has_file(const struct words *words)
{
	for (uint32_t i = 0; i < words->count; i++)
		if (looks_like_file(&words->items[i]))
			return true;
	return false;
}

/* Does an option say that nothing is written: x --help, x init -h, x --dry-run? */
static bool only_tells(const struct words *words)
{
	static const char options[] = "--help --help-all --version --usage --dry-run --dryrun --dry_run -help -version";
	const char *last = words->count ? words->items[words->count - 1].text : NULL;

	for (uint32_t i = 0; i < words->count; i++) {
		const char *text = words->items[i].text;

		if (text && strcmp(text, "--") == 0)
			return false;
		if (is_one_of(text, options))
			return true;
	}
	return last && strcmp(last, "-h") == 0;
}

/* Is it an option such as --html-out FILE or --report-output=FILE? --no-output is none, and neither is --time-out 5s.
 */
static bool is_named_output(const char *option, size_t len)
{
	return option[0] == '-' && option[1] == '-' && len > 2 &&
	       zs_listed_ending(option + 2, len - 2, "-out -outfile -output") &&
	       !zs_listed_any_case(
		       option + 2, strcspn(option + 2, "-"), "capture fan full hide live log no print raw show time");
}

/* Does an option announce a write? */
static bool option_announces(const struct words *words)
{
	const struct zs_raw_word *word = &words->items[words->at], *next = next_word(words);
	size_t len = strcspn(word->prefix, "=");
	bool attached = word->prefix[len] == '=';

	if (zs_listed_any_case(word->prefix, len, writing_options))
		return !(attached && word->text && is_one_of(word->text + len + 1, "0 false n never no none off"));
	if (zs_listed_any_case(word->prefix, len, output_options) || is_named_output(word->prefix, len)) {
		if (attached)
			return !is_format(word, len + 1);
		return next && !(next->text && next->text[0] == '-' && next->text[1]) && !is_format(next, 0);
	}
	/* --export-html FILE, --write-config */
	if (zs_listed(word->prefix, "--export-* --write-* --save-* --dump-to-*"))
		return attached ? !is_format(word, len + 1) : next && looks_like_file(next);
	/* an attached value: -ofile, -Ofile */
	if (strchr("oO", word->prefix[1]) && word->prefix[1] && strpbrk(word->prefix, "./"))
		return true;
	if (words->looks || !word->text || !is_in_place_bundle(word->text))
		return false;
	return has_file(words) && !(next && next->text && unknown_is_number(next->text));
}

/* Does an option say that the command only checks: x fmt --check, xfmt -d FILE? */
static bool only_looks(const struct words *words)
{
	static const char looks[] =
		"-c -d -l -n --check --diff --list --lint --stdout --test --validate --verify -check -diff -";

	for (uint32_t i = 0; i < words->count; i++)
		if (is_one_of(words->items[i].text, looks))
			return true;
	return false;
}

/* Is the first or the last part of the name a verb: drop-table, db:migrate, table-drop? */
static bool is_verb(const char *text)
{
	size_t len = strlen(text), first = strcspn(text, "-_:"), last = len;

	if (strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_:") != len)
		return false;
	while (last && !strchr("-_:", text[last - 1]))
		last--;
	return zs_listed_any_case(text, first, verbs) ||
	       (!zs_listed_any_case(text, first, asks) && zs_listed_any_case(text + last, len - last, verbs));
}

/* Is it a setting in front of a verb: task rc.confirmation=no add x? */
static bool is_setting(const struct zs_raw_word *word)
{
	size_t len = strcspn(word->prefix, "=");

	return word->prefix[len] && zs_is_name_start(word->prefix[0]) && !strpbrk(word->prefix, "/ ");
}

/* Finds a verb among the first two operands. A word after an option may be its value, so it does not count. */
static const struct zs_raw_word *find_verb(const struct words *words)
{
	uint32_t operands = 0;

	for (uint32_t i = 0; i < words->count && operands < 2; i++) {
		const struct zs_raw_word *word = &words->items[i];
		bool may_be_value = i > 0 && words->items[i - 1].prefix[0] == '-';
		const char *text = word->text ? word->text : "";

		if (word->prefix[0] == '-' || is_setting(word))
			continue;
		if (!may_be_value && operands == 0 && is_one_of(text, noun_verbs) && has_file(words))
			return only_looks(words) ? NULL : word;
		if (may_be_value ? is_one_of(text, verbs) : is_verb(text))
			return strcmp(text, "fmt") == 0 && only_looks(words) ? NULL : word;
		if (operands == 0 && is_one_of(text, asks))
			return NULL;
		operands += !may_be_value;
	}
	return NULL;
}

static const char *program_of(const struct zs_classify *classify)
{
	return zs_base_name(classify->command->words.items[0].prefix);
}

/* Is the first of several parts of a program's name a verb: create-app, install_deps? */
static bool is_named_after_verb(const char *name)
{
	size_t first = strcspn(name, "-_");

	return name[first] && zs_listed_any_case(name, first, verbs);
}

/* Does the program's name say that it only reads: otfinfo, mkvinfo, x-stats? Then -i and -w announce no write. */
static bool is_named_for_looking(const char *name)
{
	return zs_listed_ending(name, strlen(name),
		"cat check cmp count diff dump grep header hint info lint linter list lookup probe query scan show "
		"stat "
		"stats sum test tests view viewer");
}

/* Do the first operands say that the command asks about a thing: frob list x, frob user list, frob user group ls x? */
static bool asks_about(const struct words *words, uint32_t i)
{
	static const char after_nouns[] = "describe df get health info list ls show stat stats status tree";

	if (is_one_of(words->items[i].text, asks))
		return true;
	for (uint32_t nouns = 0; nouns < 3 && i < words->count && words->items[i].text; nouns++, i++) {
		const char *text = words->items[i].text;

		if (nouns && is_one_of(text, after_nouns))
			return true;
		if (!*text || text[strspn(text, "abcdefghijklmnopqrstuvwxyz-_")])
			return false;
	}
	return false;
}

/* The first operand that an unknown command may change, or NULL. Numbers and formats (-o json) name no file. */
static const struct zs_raw_word *find_operand(const struct words *words)
{
	static const char only_shows[] = "--check --diff --lint --list --stdout --validate --verify";
	const struct zs_raw_word *first = NULL;

	for (uint32_t i = 0; i < words->count; i++) {
		const struct zs_raw_word *word = &words->items[i];

		if (is_one_of(word->text, only_shows))
			return NULL;
		if (first || word->prefix[0] == '-' || (word->text && unknown_is_number(word->text)))
			continue;
		if (i > 0 && is_one_of(words->items[i - 1].text, output_options) && is_format(word, 0))
			continue;
		if (asks_about(words, i))
			return NULL;
		first = word;
	}
	return first;
}

static void unknown_blame(struct zs_classify *classify, const struct zs_raw_word *word)
{
	zs_blame(classify, ZS_RISK_WRITE, word, announced)->hint = announced_hint;
}

void zs_judge_announced(struct zs_classify *classify, bool sub)
{
	const struct zs_word_list *list = &classify->command->words;
	struct words words = { .items = list->items + 1 - sub, .count = list->count - 1 + sub };
	const struct zs_raw_word *verb;

	words.looks = !sub && is_named_for_looking(program_of(classify));
	if (only_tells(&words))
		return;
	for (; words.at < words.count; words.at++) {
		if (words.items[words.at].prefix[0] != '-' || !option_announces(&words))
			continue;
		unknown_blame(classify, &words.items[words.at]);
		return;
	}
	if (classify->command->own)
		return;
	verb = !sub && is_named_after_verb(program_of(classify)) ? &list->items[0] : find_verb(&words);
	if (verb)
		unknown_blame(classify, verb);
	else if (!sub && !classify->row && !words.looks && find_operand(&words))
		zs_blame(classify, ZS_RISK_UNKNOWN_COMMAND, find_operand(&words),
			"zs does not know this command, so it may change its operands")
			->hint = unknown_hint;
}

/* Rows of tools */

bool zs_is_tool(const struct zs_row *row)
{
	enum table {
#define X(name) TABLE_##name,
		ZS_ROW_TABLES(X)
#undef X
	};
	static const enum table tables[] = { TABLE_builders, TABLE_linters, TABLE_go, TABLE_rust, TABLE_javascript,
		TABLE_python, TABLE_jvm, TABLE_ruby, TABLE_php, TABLE_dotnet, TABLE_languages, TABLE_tools,
		TABLE_converters };

	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		if (row->table == (uint8_t)tables[i])
			return true;
	return false;
}

/* Are all words of the row's commands its own? */
static bool keeps_words(const struct zs_row *row)
{
	const char *operands = zs_row_operands(row);

	return !zs_row_language(row) && row->grammar != ZS_GRAMMAR_SCRIPT_ARGS &&
	       !(operands && strpbrk(operands, "fXSkcy"));
}

void zs_judge_unlisted(struct zs_classify *classify)
{
	static const char announcing[] =
		"--autocorrect --auto-correct --autofix --auto-fix --fix --fix-all --in-place --in_place --inplace "
		"--overwrite --rewrite --write --write-changes";
	const struct zs_word_list *list = &classify->command->words;
	struct words words = { .items = list->items, .count = list->count };

	if (!zs_is_tool(classify->row) || !keeps_words(classify->row) ||
		zs_has_effect(&classify->args, ZS_FLAG_READ_ONLY))
		return;
	for (words.at = 1; words.at < words.count; words.at++) {
		const char *text = words.items[words.at].prefix;
		size_t len = strcspn(text, "=");
		bool known = zs_listed_any_case(text, len, announcing) ||
			     (strncmp(text, "--", 2) == 0 && zs_listed_any_case(text, len, output_options));

		if (strcmp(text, "--") == 0)
			return;
		if (known && !zs_lists_flag(classify->row, text, len) && option_announces(&words))
			unknown_blame(classify, &words.items[words.at]);
	}
}

/* Paths */

bool zs_is_workspace_program(const char *path)
{
	static const char *const installed[] = { "node_modules/", "venv/bin/", "vendor/bin/", ".local/bin/",
		".cargo/bin/", "go/bin/" };

	for (size_t i = 0; i < sizeof installed / sizeof *installed; i++)
		if (strstr(path, installed[i]))
			return false;
	return strchr(path, '/') && !zs_listed(path, "/bin/* /sbin/* /usr/* /opt/* /snap/*");
}

const char *zs_package_of(struct zs_arena *arena, const char *path)
{
	static const char folder[] = "node_modules/";
	const char *package = NULL, *at = path;

	while ((at = strstr(at, folder)))
		package = at += sizeof folder - 1;
	if (!package || strncmp(package, ".bin/", 5) == 0)
		return NULL;
	if (*package == '@')
		package += strcspn(package, "/");
	package += *package == '/';
	return *package ? zs_arena_string(arena, package, strcspn(package, "/")) : NULL;
}

/* Guesses */

void zs_guess_begin(struct zs_build *build, const char *wrapper, struct zs_guess *ret_guess)
{
	*ret_guess = (struct zs_guess){
		.commands = build->commands.count,
		.operators = build->operators.count,
		.redirects = build->redirects.count,
		.writes = build->writes.count,
		.payloads = build->payloads.count,
		.findings = build->findings.count,
		.errors = build->errors.count,
		.texts = build->texts.count,
		.pending = build->pending.count,
		.assembly = build->assembly,
		.wrapper = wrapper,
		.outer = build->guessing,
	};
	build->guessing = true;
}

/* Is the finding kept after a guess? These findings block in verify only. */
static bool stays(const struct zs_finding *finding)
{
	static const enum zs_risk codes[] = { ZS_RISK_WRITE, ZS_RISK_REPO_STATE, ZS_RISK_METADATA, ZS_RISK_DEVICE,
		ZS_RISK_REDIRECT, ZS_RISK_INLINE_CODE };

	for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
		if (finding->code == codes[i])
			return !finding->informational;
	return false;
}

void zs_guess_end(struct zs_build *build, const struct zs_guess *guess)
{
	uint32_t kept = guess->findings;

	for (uint32_t i = guess->findings; i < build->findings.count; i++) {
		struct zs_finding finding = build->findings.items[i];

		if (!stays(&finding))
			continue;
		if (finding.code == ZS_RISK_REDIRECT)
			finding.code = ZS_RISK_WRITE;
		finding.detail = zs_arena_format(build->arena, "zs does not know '%s', which may run this: %s",
			guess->wrapper, zs_risk_text(finding.code));
		build->findings.items[kept++] = finding;
	}
	for (uint32_t i = guess->pending; i < build->pending.count; i++)
		build->pending.items[i].wrapper = guess->wrapper;
	build->findings.count = kept;
	build->errors.count = guess->errors;
	build->texts.count = guess->texts;
	build->operators.count = guess->operators;
	build->redirects.count = build->redirect_words.count = guess->redirects;
	build->assembly = guess->assembly;
	build->guessing = guess->outer;
	if (kept > guess->findings)
		return;
	build->commands.count = guess->commands;
	build->writes.count = guess->writes;
	build->payloads.count = guess->payloads;
}

/* Is the row's name mostly a noun when it is a word of another command: port, code, route, hostname? Such a row writes
 * without naming a file. */
static bool is_noun(const struct zs_row *row)
{
	const char *operands = zs_row_operands(row);

	return (row->traits & (ZS_ROW_WRITES | ZS_ROW_DEVICE) || (operands && strchr(operands, 'D'))) &&
	       (!operands || strspn(operands, "dD*") == strlen(operands));
}

/* The row of a word that may be a command's name. The name must match exactly, in lower case. */
static const struct zs_row *row_of(const char *text)
{
	const char *name = zs_base_name(text);
	size_t len;
	const struct zs_row *row;

	if (strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-_.") != strlen(name) || zs_is_workspace_program(text))
		return NULL;
	if (strcmp(name, "import") == 0) /* import is a word of many languages */
		return NULL;
	row = zs_row_find("", name);
	if (!row || (!zs_row_language(row) && (zs_row_name(row, name, &len), len != strlen(name))))
		return NULL;
	return row;
}

uint32_t zs_next_guess(const struct zs_classify *classify, uint32_t at)
{
	const struct zs_word_list *words = &classify->command->words;

	while (++at < words->count) {
		const char *text = words->items[at].text, *before = words->items[at - 1].prefix;
		const struct zs_row *row = text && text[0] && text[0] != '-' ? row_of(text) : NULL;

		if (row && (strcmp(before, "--") == 0 ||
				   !(is_noun(row) || (before[0] == '-' && (row->traits & ZS_ROW_SUBCOMMANDS)))))
			return at;
	}
	return 0;
}

/* Does a text begin with a command that has a row? */
static bool looks_like_code(struct zs_classify *classify, const char *text)
{
	struct zs_arena *arena = classify->build->arena;
	const char *start = text + strspn(text, " \t\n({!");
	size_t len = strcspn(start, " \t\n;|&<>");

	return len && row_of(zs_arena_string(arena, start, len)) != NULL;
}

void zs_guess_texts(struct zs_classify *classify, const char *wrapper)
{
	static const char takes[] = "-c --command --cmd -e --exec --execute --run -x";
	const struct zs_word_list *words = &classify->command->words;
	struct zs_build *build = classify->build;

	for (uint32_t i = 1; i < words->count; i++) {
		struct zs_raw_word word = words->items[i];
		const char *option = words->items[i - 1].text;
		size_t value = word.prefix[0] == '-' ? strcspn(word.prefix, "=") : 0;

		if (!word.text)
			continue;
		value += word.text[value] == '=';
		if (!strpbrk(word.text + value, " \t\n;|&<>"))
			continue;
		if (!looks_like_code(classify, word.text + value) && !(i > 1 && is_one_of(option, takes)))
			continue;
		ZS_PUSH(build->arena, &build->pending,
			(struct zs_pending_text){
				.text = word.text + value,
				.len = (uint32_t)strlen(word.text + value),
				.place = { true, 0, word.span },
				.nesting = ZS_NEST_SHELL,
				.shells = classify->shells + 1,
				.depth = classify->command->depth + 1,
				.wrapper = wrapper,
				.scope = zs_scope_within(build->arena, classify->where),
			});
	}
}
