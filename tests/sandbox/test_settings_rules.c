/* The rules about commands in settings: the forms that are read, the ones that are refused, and the limits. */
#include "check.h"
#include "settings/settings.h"

enum { TEXT_BYTES = 64 * 1024 };

static char *const home_only[] = { (char *)"HOME=/home/me", NULL };

static int read_rules(const char *workspace, const char *rules, struct zs_settings_file *file, char line[1024])
{
	static char text[TEXT_BYTES];
	struct zs_error error = { 0 };
	const struct zs_settings_reading reading = {
		.file = "F", .workspace = workspace, .platform = ZS_PLATFORM_LINUX, .envp = home_only, .error = &error
	};
	int r;

	snprintf(text, sizeof text, "{\"commands\":{\"deny\":[\n%s]}}", rules);
	r = zs_settings_parse(&reading, text, strlen(text), file);
	line[0] = '\0';
	if (r < 0)
		zs_error_format(&error, line, 1024);
	return r;
}

TEST(settings_rules_are_read)
{
	struct zs_settings_file file;
	char line[1024];
	const struct zs_command_rule *rule;

	CHECK(read_rules(NULL,
		      "{\"command\":\"git|hg "
		      "push\",\"flags\":[\"-f\",\"--to=x*\"],\"unless\":[\"-n\"],\"operand\":\"a*\","
		      "\"why\":\"w\",\"instead\":\"i\",\"blocks\":[\"a\\nb\",\"c\"],\"passes\":[\"d\"]},\n"
		      "{\"match\":\"rm -rf *\"}",
		      &file, line) == 0,
		"%s", line);
	CHECK(file.count == 2 && file.items[1].line == 3, "%zu", file.count);
	rule = file.items[0].rule;
	CHECK(strcmp(rule->command, "git|hg push") == 0 && strcmp(rule->flags, "-f --to=x*") == 0, "%s", rule->flags);
	CHECK(strcmp(rule->unless, "-n") == 0 && strcmp(rule->operand, "a*") == 0, "%s", rule->operand);
	CHECK(strcmp(rule->why, "w") == 0 && strcmp(rule->instead, "i") == 0, "%s", rule->why);
	CHECK(strcmp(rule->blocks[1], "c") == 0 && !rule->blocks[2] && !rule->passes[1], "%s", rule->blocks[0]);
	CHECK(!rule->match && strcmp(file.items[1].rule->match, "rm -rf *") == 0, "%s", file.items[1].rule->match);
	zs_settings_file_free(&file);
}

TEST(settings_rules_are_refused)
{
	static const struct {
		const char *rule, *said;
	} rows[] = {
		{ "\"git push\"", "F: line 2: commands.deny[0]: is not an object" },
		{ "{}", "F: line 1: commands.deny[0]: has no match and no command; write one of the two" },
		{ "{\"mach\":\"x\"}", "F: line 2: commands.deny[0].mach: unknown key; did you mean \"match\"?" },
		{ "{\"match\":\"x\",\"match\":\"y\"}", "duplicate key" },
		{ "{\"match\":\"x\",\"command\":\"x\"}", "has both match and command" },
		{ "{\"match\":\"x\",\"flags\":[\"-f\"]}", "has a match with flags" },
		{ "{\"match\":\"\"}", "commands.deny[0].match: is empty; write what it is to match" },
		{ "{\"match\":\"*\"}", "names no command; begin with the command's name" },
		{ "{\"match\":\"* push\"}", "names no command" },
		{ "{\"match\":\"-f\"}", "names no command" },
		{ "{\"match\":\"a  b\"}", "has a blank too many" },
		{ "{\"match\":\"a \"}", "has a blank too many" },
		{ "{\"match\":\"a | b\"}", "holds '|', which is no part of a word" },
		{ "{\"match\":\"a; b\"}", "holds ';'" },
		{ "{\"match\":\"a 'b'\"}", "holds '''" },
		{ "{\"match\":\"a $x\"}", "holds '$'" },
		{ "{\"match\":\"a b*c\"}", "has a * within a word" },
		{ "{\"match\":\"a\\tb\"}", "holds a control character" },
		{ "{\"command\":\"a -f\"}", "holds a flag; write it in \"flags\"" },
		{ "{\"command\":\"a|\"}", "has an empty alternative" },
		{ "{\"command\":\"a||b\"}", "has an empty alternative" },
		{ "{\"command\":\"*\"}", "names no command" },
		{ "{\"command\":3}", "is not a string" },
		{ "{\"command\":\"a\",\"flags\":\"-f\"}", "commands.deny[0].flags: is not an array" },
		{ "{\"command\":\"a\",\"flags\":[]}", "is empty; name a flag" },
		{ "{\"command\":\"a\",\"flags\":[\"f\"]}", "commands.deny[0].flags[0]: is no flag" },
		{ "{\"command\":\"a\",\"flags\":[\"--\"]}", "is no flag" },
		{ "{\"command\":\"a\",\"flags\":[\"-a -b\"]}", "is no flag" },
		{ "{\"command\":\"a\",\"flags\":[\"--f*\"]}", "has a * in a flag's name" },
		{ "{\"command\":\"a\",\"operand\":\"a b\"}", "holds a blank; write * for it" },
		{ "{\"command\":\"a\",\"operand\":\"-f\"}", "is a flag" },
		{ "{\"command\":\"a\",\"operand\":\"a*b\"}", "has a * within a word" },
		{ "{\"command\":\"a\",\"why\":\"a\\nb\"}", "holds a control character" },
		{ "{\"command\":\"a\",\"blocks\":[\"\"]}", "commands.deny[0].blocks[0]: is empty" },
	};
	struct zs_settings_file file;
	char line[1024];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (read_rules(NULL, rows[i].rule, &file, line) == 0) {
			CHECK(false, "%s was read", rows[i].rule);
			zs_settings_file_free(&file);
			continue;
		}
		CHECK(strstr(line, rows[i].said), "%s: %s", rows[i].rule, line);
	}
}

/* Each limit is reached, and one less is read. `each` is written `count` times. */
static void check_limit(const char *start, const char *each, int count, const char *end, const char *said)
{
	static char text[TEXT_BYTES - 64];
	struct zs_settings_file file;
	char line[1024];

	for (int more = 0; more < 2; more++) {
		size_t len = (size_t)snprintf(text, sizeof text, "%s", start);

		for (int i = 0; i < count + more; i++)
			len += (size_t)snprintf(text + len, sizeof text - len, "%s", each);
		snprintf(text + len, sizeof text - len, "%s", end);
		if (read_rules(NULL, text, &file, line) == 0) {
			CHECK(!more, "%s: more than %d were read", said, count);
			zs_settings_file_free(&file);
		} else {
			CHECK(more && strstr(line, said), "%d of %s: %s", count + more, said, line);
		}
	}
}

TEST(settings_rules_have_limits)
{
	check_limit("{\"match\":\"", "x", ZS_RULE_TEXT_MAX, "\"}", "is more than 256 bytes");
	check_limit("{\"match\":\"x", " x", ZS_RULE_WORDS_MAX - 1, "\"}", "is more than 16 words");
	check_limit("{\"command\":\"x", " x", ZS_RULE_WORDS_MAX - 1, "\"}", "is more than 16 words");
	check_limit("{\"match\":\"x\",\"why\":\"", "x", ZS_RULE_TEXT_MAX, "\"}", "is more than 256 bytes");
	check_limit("{\"command\":\"x\",\"flags\":[\"-f\"", ",\"-f\"", ZS_RULE_FLAGS_MAX - 1, "]}",
		"is more than 32 flags");
	check_limit("{\"command\":\"x\",\"blocks\":[\"x\"", ",\"x\"", ZS_RULE_EXAMPLES_MAX - 1, "]}",
		"is more than 64 examples");
	check_limit("{\"command\":\"x\",\"passes\":[\"", "x", ZS_RULE_EXAMPLE_MAX, "\"]}", "is more than 4096 bytes");
	check_limit("{\"match\":\"x\"}", ",{\"match\":\"x\"}", ZS_SETTINGS_ENTRIES_MAX - 1, "",
		"is one entry too many; the limit is 1024");
}

TEST(settings_packs_are_read)
{
	static const struct {
		const char *text, *said; /* NULL: it is read */
	} rows[] = {
		{ "{\"packs\":[\"cloud\",\"git-careful\"]}", NULL },
		{ "{\"packs\":null}", NULL },
		{ "{\"packs\":[\"clouds\"]}", "no such pack" },
		{ "{\"packs\":\"cloud\"}", "packs: " },
		{ "{\"packs\":[1]}", "packs[0]: " },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct zs_error error = { 0 };
		struct zs_settings_reading reading = {
			.file = "F", .platform = ZS_PLATFORM_LINUX, .envp = home_only, .error = &error
		};
		struct zs_settings_file file;
		char line[1024];

		if (zs_settings_parse(&reading, rows[i].text, strlen(rows[i].text), &file) == 0) {
			CHECK(!rows[i].said, "%s was read", rows[i].text);
			CHECK(i > 0 || file.count == 2, "%zu", file.count);
			zs_settings_file_free(&file);
			continue;
		}
		zs_error_format(&error, line, sizeof line);
		CHECK(rows[i].said && strstr(line, rows[i].said), "%s: %s", rows[i].text, line);
	}
}
