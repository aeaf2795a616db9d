/* zs policy: prints the effective policy; checks and compares files of policies and settings. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/command.h"
#include "base/input.h"
#include "base/json.h"
#include "base/message.h"
#include "admin/policy_test.h"
#include "run/confine_policy.h"

extern char **environ;

struct fields {
	bool json;
	struct zs_confine_fields confine;
};

static const struct zs_option options[] = {
	ZS_FLAG('j', "json", offsetof(struct fields, json), "print show and diff as JSON"),
	{ 0 },
};

static const struct zs_option_group groups[] = {
	{ "Options", options, 0 },
	{ "For show: what the command may reach, as with 'zs run'", zs_confine_options,
		offsetof(struct fields, confine) },
	{ 0 },
};

/* show: the effective policy, with the source of every entry */

#define SOURCE_NAME(id, name) name,
static const char *const source_names[] = { ZS_SOURCES(SOURCE_NAME) };

enum { FIELD_COLUMNS = 22, VALUE_COLUMNS = 48 };

static void put_policy_column(const char *text, size_t columns)
{
	size_t wide = zs_put_value(stdout, text);

	printf("%*s", wide < columns ? (int)(columns - wide) + 2 : 2, "");
}

/* Does the entry concern a path that does not exist? Such an entry grants and hides nothing. A missing path that is
 * protected stays missing. A pattern may match nothing. */
static bool is_missing(const char *field, const char *value)
{
	static const char *const fields[] = { "root", "root.root_user", "root.users", "git_base", "exec", "read",
		"layer", "write", "hide", "public.exec", "public.read" };
	struct stat st;

	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
		if (strcmp(field, fields[i]) == 0 && value[0] == '/' && !strchr(value, '*'))
			return stat(value, &st) < 0 && (errno == ENOENT || errno == ENOTDIR);
	return false;
}

/* The preset names a hundred places; those that are missing are left out. */
static void print_entry(const char *field, const char *value, struct zs_source source, void *arg)
{
	bool missing = is_missing(field, value);

	(void)arg;
	if (missing && source.kind == ZS_SOURCE_PRESET)
		return;
	put_policy_column(field, FIELD_COLUMNS);
	put_policy_column(value, VALUE_COLUMNS);
	fputs(source_names[source.kind], stdout);
	if (source.line)
		printf(":%u", source.line);
	if (source.task)
		printf(", for %s", source.task);
	puts(missing ? ", missing" : "");
}

static const char *const applies[] = { "neither", "terminal", "tool", "both" };

static const char *apply_to(const struct zs_settings *settings)
{
	return applies[zs_settings_confine_terminal(settings) + 2 * zs_settings_confine_tool(settings)];
}

/* Prints the settings for hosts, and the project's entries that do not count. */
static void print_settings(const struct zs_settings *settings, const struct zs_widening *widenings, size_t count)
{
	const char *user = zs_settings_user_file(settings), *project = zs_settings_project_file(settings);

	printf("\nhosts confine: %s; unconfined without a question: %s\n", apply_to(settings),
		zs_settings_allow_unsandboxed(settings) ? "yes" : "no");
	if (user)
		fputs("user: ", stdout), zs_put_value(stdout, user), putchar('\n');
	if (project)
		fputs("project: ", stdout), zs_put_value(stdout, project), putchar('\n');
	if (count > 0)
		puts("\nLeft out, since the project's file is not trusted ('zs trust' asks):");
	for (size_t i = 0; i < count; i++)
		if (!widenings[i].granted)
			print_entry(widenings[i].key, widenings[i].value,
				(struct zs_source){ ZS_SOURCE_PROJECT, widenings[i].line, NULL }, NULL);
}

/* Rules about commands */

#define LIST_NAME(id, name) name,
static const char *const list_names[] = { ZS_COMMAND_LISTS(LIST_NAME) };

static const char *rule_words(const struct zs_command_rule *rule)
{
	return rule->match ? rule->match : rule->command;
}

/* Prints one line for the rules of a pack. Returns their number. */
static size_t print_pack(const struct zs_command_rule *rules, size_t count)
{
	size_t size = 0;
	char words[128];

	while (size < count && rules[size].pack == rules->pack)
		size++;
	snprintf(words, sizeof words, "%s: %zu rules", rules->pack, size);
	put_policy_column("pack", FIELD_COLUMNS);
	put_policy_column(words, VALUE_COLUMNS);
	puts(source_names[rules->source]);
	return size;
}

static void print_rules(const struct zs_command_rule *rules, size_t count)
{
	if (count > 0)
		puts("\nRules about commands:");
	for (size_t i = 0; i < count; i++) {
		const struct zs_command_rule *rule = &rules[i];

		if (rule->pack) {
			i += print_pack(rules + i, count - i) - 1;
			continue;
		}
		char words[4 * ZS_RULE_TEXT_MAX + ZS_RULE_FLAGS_MAX * (ZS_RULE_TEXT_MAX + 1)];

		snprintf(words, sizeof words, "%s%s%s%s%s", rule_words(rule), rule->flags ? " " : "",
			rule->flags ? rule->flags : "", rule->operand ? " " : "", rule->operand ? rule->operand : "");
		put_policy_column(list_names[rule->list], FIELD_COLUMNS);
		put_policy_column(words, VALUE_COLUMNS);
		printf("%s:%u%s\n", source_names[rule->source], rule->line,
			rule->counts ? "" : ", left out: only the user's own file can allow");
	}
}

static void put_rules(struct zs_json *json, const struct zs_command_rule *rules, size_t count)
{
	zs_json_print(json, "'commands':[");
	for (size_t i = 0; i < count; i++)
		zs_json_print(json,
			"{'list':%s,'match':%s,'command':%s,'flags':%s,'unless':%s,'operand':%s,'why':%s,"
			"'instead':%s,'source':%s,'pack':%s,'line':%u,'counts':%i}",
			list_names[rules[i].list], rules[i].match, rules[i].command, rules[i].flags, rules[i].unless,
			rules[i].operand, rules[i].why, rules[i].instead, source_names[rules[i].source], rules[i].pack,
			rules[i].line, rules[i].counts);
	zs_json_print(json, "]");
}

static const char *managed_file(const struct zs_confinement *made)
{
	return zs_settings_managed_file(made->machine ? made->machine : made->settings);
}

static void put_entry(const char *field, const char *value, struct zs_source source, void *arg)
{
	zs_json_print(arg, "{'field':%s,'value':%s,'source':%s,'missing':%i", field, value, source_names[source.kind],
		is_missing(field, value));
	if (source.line)
		zs_json_print(arg, ",'line':%u", source.line);
	else
		zs_json_print(arg, ",'line':null");
	zs_json_print(arg, ",'for':%s}", source.task);
}

static void put_settings(
	struct zs_json *json, const struct zs_settings *settings, const struct zs_widening *widenings, size_t count)
{
	zs_json_print(json, "'user':%s,'project':%s,'apply_to':%s,'allow_unsandboxed':%i,'untrusted':[",
		settings ? zs_settings_user_file(settings) : NULL, settings ? zs_settings_project_file(settings) : NULL,
		settings ? apply_to(settings) : "both", settings && zs_settings_allow_unsandboxed(settings));
	for (size_t i = 0; i < count; i++)
		if (!widenings[i].granted)
			zs_json_print(json, "{'key':%s,'value':%s,'line':%u}", widenings[i].key, widenings[i].value,
				widenings[i].line);
	zs_json_print(json, "]");
}

static int policy_show_print(const struct zs_confinement *made, bool json)
{
	const struct zs_widening *widenings = NULL;
	const struct zs_error *problem = NULL;
	struct zs_settings *settings = made->settings ? made->settings : made->machine;
	const struct zs_command_rule *rules = NULL;
	struct zs_json out = { stdout, false };
	struct zs_error error;
	size_t count = 0, open = 0, rule_count = 0;

	if (settings && zs_settings_commands(settings, &rules, &rule_count, &error) < 0)
		return zs_fail_error(ZS_EXIT_CANNOT_ENFORCE, &error);
	if (made->settings && zs_settings_widenings(made->settings, &widenings, &count, &open, &error) < 0)
		return zs_fail_error(ZS_EXIT_BAD_INPUT, &error);
	if (made->settings && zs_settings_trusted(made->settings, &problem))
		open = 0;
	if (problem)
		zs_complain_error(problem);
	count = open ? count : 0;
	if (!json) {
		zs_policy_each(made->policy, made->sources, print_entry, NULL);
		if (made->settings)
			print_settings(made->settings, widenings, count);
		if (managed_file(made))
			fputs("managed: ", stdout), zs_put_value(stdout, managed_file(made)), putchar('\n');
		print_rules(rules, rule_count);
		zs_tell_left_out(made);
		return ZS_EXIT_OK;
	}
	zs_json_print(&out, "{'entries':[");
	zs_policy_each(made->policy, made->sources, put_entry, &out);
	zs_json_print(&out, "],'managed':%s,", managed_file(made));
	put_rules(&out, rules, rule_count);
	put_settings(&out, made->settings, widenings, count);
	zs_json_print(&out, "}\n");
	return ZS_EXIT_OK;
}

static int policy_command_show(const struct fields *fields, char *const operands[])
{
	struct zs_confinement made;
	int r;

	if (fields->confine.print_policy) /* as in 'zs run': nothing runs */
		return zs_confine(&fields->confine, false, false, operands);
	r = zs_make_policy(&fields->confine, false, true, &made);
	if (r != ZS_EXIT_OK)
		return r;
	r = policy_show_print(&made, fields->json);
	zs_confinement_free(&made);
	return r;
}

/* check */

/* Returns the workspace that a project's settings file belongs to; free() it. NULL: the file is a user's. */
static char *workspace_of(const char *path)
{
	static const char end[] = "/.zs/settings.json";
	const size_t end_len = sizeof end - 1;
	ZS_AUTO_FREE char *absolute = NULL;
	size_t len = zs_absolute_path(path, &absolute) < 0 ? 0 : strlen(absolute);

	if (len < end_len || strcmp(absolute + len - end_len, end) != 0)
		return NULL;
	absolute[len - end_len] = '\0';
	return realpath(*absolute ? absolute : "/", NULL);
}

static void policy_tell(const struct zs_error *error, void *arg)
{
	(void)arg;
	zs_complain_error(error);
}

static int check_text(const char *path, const char *text, size_t len)
{
	bool policy = zs_is_policy_json(path, text, len);
	ZS_AUTO_FREE char *workspace = policy ? NULL : workspace_of(path);
	int r = policy ? zs_policy_check_json(path, text, len, environ, policy_tell, NULL)
		       : zs_settings_check(path, workspace, text, len, environ, policy_tell, NULL);

	if (r == 0) {
		zs_put_value(stdout, path);
		if (policy)
			puts(": a policy, valid");
		else
			puts(workspace ? ": a project's settings, valid" : ": settings, valid");
	}
	return r < 0 ? ZS_EXIT_BAD_INPUT : ZS_EXIT_OK;
}

static int policy_command_check(const struct fields *fields, char *const operands[])
{
	int worst = ZS_EXIT_OK;

	(void)fields;
	for (; *operands; operands++) {
		ZS_AUTO_FREE char *text = NULL;
		size_t len;
		int r = zs_read_input(*operands, ZS_POLICY_BYTES_MAX, &text, &len);

		r = r < 0 ? zs_fail_errno(ZS_EXIT_BAD_INPUT, "policy", *operands, r) : check_text(*operands, text, len);
		worst = worst == ZS_EXIT_OK ? r : worst;
	}
	return worst;
}

/* diff */

static int effective(const char *folder, struct zs_policy **ret_policy)
{
	struct zs_confine_fields fields = { .workspace = folder };
	struct zs_confinement made;
	int r = zs_make_policy(&fields, false, false, &made);

	if (r != ZS_EXIT_OK)
		return r;
	*ret_policy = ZS_STEAL(made.policy);
	zs_confinement_free(&made);
	return ZS_EXIT_OK;
}

static int from_settings(const char *cwd, const char *path, struct zs_policy **ret_policy)
{
	struct zs_settings *settings;
	struct zs_error error;
	int r = zs_settings_of_file(cwd, path, environ, &settings, &error);

	if (r == 0) {
		r = zs_settings_policy(settings, ZS_WORKSPACE_WRITE, NULL, ret_policy, NULL, &error);
		zs_settings_free(settings);
	}
	return r < 0 ? zs_fail_error(ZS_EXIT_BAD_INPUT, &error) : ZS_EXIT_OK;
}

static int from_file(const char *cwd, const char *path, struct zs_policy **ret_policy)
{
	ZS_AUTO_FREE char *text = NULL;
	struct zs_error error;
	size_t len;
	int r = zs_read_input(path, ZS_POLICY_BYTES_MAX, &text, &len);

	if (r < 0)
		return zs_fail_errno(ZS_EXIT_BAD_INPUT, "policy", path, r);
	if (!zs_is_policy_json(path, text, len))
		return from_settings(cwd, path, ret_policy);
	r = zs_policy_from_json(text, len, environ, ret_policy, &error);
	return r < 0 ? zs_fail_error(ZS_EXIT_BAD_INPUT, &error) : ZS_EXIT_OK;
}

/* "preset", "verify", a folder, or a file */
static int read_side(const char *name, struct zs_policy **ret_policy)
{
	ZS_AUTO_FREE char *cwd = NULL;
	struct zs_error error;
	struct stat st;
	int r = zs_absolute_path(".", &cwd);

	if (r < 0)
		return zs_fail_errno(ZS_EXIT_BAD_INPUT, "policy", ".", r);
	if (strcmp(name, "preset") == 0 || strcmp(name, "verify") == 0) {
		r = (*name == 'p' ? zs_policy_default : zs_policy_verify)(cwd, environ, ret_policy, &error);
		return r < 0 ? zs_fail_error(ZS_EXIT_USAGE, &error) : ZS_EXIT_OK;
	}
	if (stat(name, &st) == 0 && S_ISDIR(st.st_mode))
		return effective(name, ret_policy);
	return from_file(cwd, name, ret_policy);
}

/* The lines of one side, sorted. */
struct lines {
	char **items;
	size_t count;
	bool failed;
};

static void add_line(const char *field, const char *value, struct zs_source source, void *arg)
{
	struct lines *lines = arg;
	char **items = realloc(lines->items, (lines->count + 1) * sizeof *items);
	size_t size = strlen(field) + strlen(value) + 2;
	char *line = malloc(size);

	(void)source;
	if (items)
		lines->items = items;
	if (!items || !line) {
		free(line);
		lines->failed = true;
		return;
	}
	snprintf(line, size, "%s %s", field, value);
	items[lines->count++] = line;
}

static int policy_compare(const void *one, const void *other)
{
	return strcmp(*(char *const *)one, *(char *const *)other);
}

static void lines_free(struct lines *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		free(lines->items[i]);
	free(lines->items);
}

static int read_lines(const char *name, struct lines *lines)
{
	struct zs_policy *policy;
	int r = read_side(name, &policy);

	if (r != ZS_EXIT_OK)
		return r;
	zs_policy_each(policy, NULL, add_line, lines);
	zs_policy_free(policy);
	if (lines->failed)
		return zs_fail_errno(ZS_EXIT_CANNOT_ENFORCE, "policy", "", ENOMEM);
	if (lines->count)
		qsort(lines->items, lines->count, sizeof *lines->items, policy_compare);
	return ZS_EXIT_OK;
}

static void policy_put_line(char sign, const char *line, bool json)
{
	int field = (int)strcspn(line, " ");

	if (json) {
		zs_json_print_line(stdout, "{'change':%s,'field':%.*s,'value':%s}", sign == '+' ? "gained" : "lost",
			field, line, line + field + 1);
	} else {
		printf("%c %.*s ", sign, field, line);
		zs_put_value(stdout, line + field + 1);
		putchar('\n');
	}
}

static int print_difference(const struct lines *from, const struct lines *to, bool json)
{
	size_t i = 0, j = 0;
	bool differ = false;

	while (i < from->count || j < to->count) {
		int order = i == from->count ? 1 : -1;

		if (i < from->count && j < to->count)
			order = strcmp(from->items[i], to->items[j]);
		differ |= order != 0;
		if (order < 0)
			policy_put_line('-', from->items[i], json);
		else if (order > 0)
			policy_put_line('+', to->items[j], json);
		i += order <= 0;
		j += order >= 0;
	}
	return differ ? ZS_EXIT_NO : ZS_EXIT_OK;
}

static int diff(const struct fields *fields, char *const operands[])
{
	struct lines from = { 0 }, to = { 0 };
	int r = read_lines(operands[0], &from);

	if (r == ZS_EXIT_OK)
		r = read_lines(operands[1], &to);
	if (r == ZS_EXIT_OK)
		r = print_difference(&from, &to, fields->json);
	lines_free(&from);
	lines_free(&to);
	return r;
}

/* The others */

static int schema(const struct fields *fields, char *const operands[])
{
	struct zs_error error;
	char *text;

	(void)fields;
	(void)operands;
	if (zs_settings_schema(&text, &error) < 0)
		return zs_fail_error(ZS_EXIT_CANNOT_ENFORCE, &error);
	fputs(text, stdout);
	free(text);
	return ZS_EXIT_OK;
}

static int policy_command_test(const struct fields *fields, char *const operands[])
{
	(void)fields;
	return zs_policy_test(operands);
}

static const struct action {
	const char *name;
	int (*run)(const struct fields *fields, char *const operands[]);
	int least, most; /* operands */
	bool options;    /* takes the options of zs run that grant */
	bool json;
	const char *usage;
} actions[] = {
	{ "show", policy_command_show, 0, 0, true, true, "zs policy show [OPTIONS]" },
	{ "check", policy_command_check, 1, 1 << 20, false, false, "zs policy check FILE..." },
	{ "diff", diff, 2, 2, false, true, "zs policy diff A B" },
	{ "test", policy_command_test, 0, 1 << 20, false, false, "zs policy test [FILE...]" },
	{ "schema", schema, 0, 0, false, false, "zs policy schema" },
};

enum { ACTIONS = sizeof actions / sizeof *actions };

static int no_such_action(const char *name)
{
	const char *names[ACTIONS], *nearest;

	for (size_t i = 0; i < ACTIONS; i++)
		names[i] = actions[i].name;
	nearest = zs_nearest(name, names, ACTIONS);
	if (nearest)
		zs_complain("policy: %s: no such action; did you mean 'zs policy %s'?", name, nearest);
	else
		zs_complain("policy: %s: no such action; choose one of show, check, diff, test, schema", name);
	return ZS_EXIT_USAGE;
}

static bool has_options(const struct zs_confine_fields *fields)
{
	static const struct zs_confine_fields none;

	return memcmp(fields, &none, sizeof none) != 0;
}

static int policy_main(const void *storage, const struct zs_operands *operands)
{
	const struct fields *fields = storage;
	const struct action *action = NULL;
	int count = operands->count - 1;

	if (operands->count == 0)
		return zs_fail(ZS_EXIT_USAGE, "policy: no action; choose one of show, check, diff, test, schema");
	for (size_t i = 0; i < ACTIONS; i++)
		if (strcmp(actions[i].name, operands->items[0]) == 0)
			action = &actions[i];
	if (!action)
		return no_such_action(operands->items[0]);
	if (count < action->least || count > action->most || (!action->options && has_options(&fields->confine)) ||
		(!action->json && fields->json))
		return zs_fail(
			ZS_EXIT_USAGE, "policy: %s: wrong operands or options; write %s", action->name, action->usage);
	return action->run(fields, operands->items + 1);
}

const struct zs_subcommand zs_policy_subcommand = {
	.name = "policy",
	.description = "Show, check and compare what a command may reach",
	.usage = "show [OPTIONS]\ncheck FILE...\ndiff A B\ntest [FILE...]\nschema",
	.words = "show|check|diff|test|schema",
	.groups = groups,
	.notes = "show prints what 'zs run' would grant here, and where each entry comes from.\n"
		 "check reads policies and settings, and prints every error. diff compares them by\n"
		 "their files, 'preset', 'verify', or a folder such as '.', where its settings\n"
		 "count, and exits with 1 when they differ. test tries the rules about commands on\n"
		 "the examples beside them, and on those of the files, and exits with 1 when one\n"
		 "differs or a rule has none. schema prints the JSON Schema of settings.json.",
	.fields_size = sizeof(struct fields),
	.main = policy_main,
};
