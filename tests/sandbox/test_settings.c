/* The reader of settings: the values that each key takes and refuses, in a user's and in a project's file, and the
 * places of errors. */
#include "check.h"
#include "policy/json_reader.h"
#include "settings/settings.h"

static char *const home_only[] = { (char *)"HOME=/home/me", NULL };

enum { LINE_BYTES = 1024 };

static int parse(const char *text, const char *workspace, enum zs_platform platform, struct zs_settings_file *file,
	char line[LINE_BYTES])
{
	struct zs_error error = { 0 };
	const struct zs_settings_reading reading = {
		.file = "F", .workspace = workspace, .platform = platform, .envp = home_only, .error = &error
	};
	int r = zs_settings_parse(&reading, text, strlen(text), file);

	line[0] = '\0';
	if (r < 0)
		zs_error_format(&error, line, LINE_BYTES);
	return r;
}

/* Describes the settings as text: "hide /home/me/x@3 apply_to 2@4". */
static void describe(const struct zs_settings_file *file, char *text, size_t size)
{
	size_t len = 0;

	text[0] = '\0';
	for (size_t i = 0; i < file->count && len < size; i++) {
		const struct zs_setting *item = &file->items[i];
		char value[LINE_BYTES];

		if (item->form == ZS_FORM_VALUE && item->text)
			snprintf(value, sizeof value, "%s", item->text);
		else if (item->form == ZS_FORM_VALUE)
			snprintf(value, sizeof value, "%llu", (unsigned long long)item->number);
		else
			snprintf(value, sizeof value, "%s", item->form == ZS_FORM_EMPTY ? "[]" : "null");
		len += (size_t)snprintf(text + len, size - len, "%s%s %s@%u", len ? "; " : "",
			item->key->name + strlen("sandbox."), value, item->line);
	}
}

/* One key: `good` is JSON that is read as `read`; `bad` is refused with the message. Every key has a row. */
static const struct {
	const char *key;
	const char *good, *read;
	const char *bad, *said;
} keys[] = {
	{ "enabled", "true", "enabled 1@1", "1", "is neither true nor false" },
	{ "enabled", "false", "enabled 0@1", "[]", "is neither true nor false" },
	{ "apply_to", "\"tool\"", "apply_to 2@1", "\"toll\"",
		"is none of \"neither\", \"terminal\", \"tool\", \"both\"; did you mean \"tool\"?" },
	{ "apply_to", "\"neither\"", "apply_to 0@1", "true", "is not a string" },
	{ "system_paths.executable", "[\"/usr\"]", "system_paths.executable /usr@1", "\"/usr\"", "is not an array" },
	{ "system_paths.read_only", "[\"~\"]", "system_paths.read_only /home/me@1", "[\"usr\"]", "is relative" },
	{ "system_paths.read_write", "[\"/a\", \"/b\"]", "system_paths.read_write /a@1; system_paths.read_write /b@1",
		"[1]", "is not a string" },
	{ "additional_executable_paths", "[\"~/bin/\"]", "additional_executable_paths /home/me/bin@1", "[\"\"]",
		"the path is empty" },
	{ "additional_read_only_paths", "[\"//x/./y\"]", "additional_read_only_paths /x/y@1", "[\"/x/../y\"]",
		"has a '..' component" },
	{ "additional_read_write_paths", "[\"/x\"]", "additional_read_write_paths /x@1", "[\"$HOME/x\"]",
		"variables are not expanded here" },
	{ "allow_network", "true", "allow_network 1@1", "\"true\"", "is neither true nor false" },
	{ "network_hosts", "[\"*.example.org\", \"example.org\"]",
		"network_hosts *.example.org@1; network_hosts example.org@1", "[\"exa mple\"]", "exa mple" },
	{ "network_hosts", "[\"@npm\"]", "network_hosts @npm@1", "[\"@auto\"]", "no such task; choose from npm" },
	{ "for", "[\"npm\", \"sign-ssh\"]", "for npm@1; for sign-ssh@1", "[\"auto\"]",
		"no such task; choose from npm" },
	{ "allow_all_hosts", "false", "allow_all_hosts 0@1", "0", "is neither true nor false" },
	{ "allow_git_access", "true", "allow_git_access 1@1", "{}", "is neither true nor false" },
	{ "write_paths", "[\"/srv/a b\"]", "write_paths /srv/a b@1", "[\"/a\\u0000b\"]", "holds a NUL" },
	{ "allow_fs_write_all", "true", "allow_fs_write_all 1@1", "\"\"", "is neither true nor false" },
	{ "allow_unsandboxed", "true", "allow_unsandboxed 1@1", "2", "is neither true nor false" },
	{ "show_secrets", "true", "show_secrets 1@1", "\"yes\"", "is neither true nor false" },
	{ "allowed_env_vars", "[\"A\", \"B_*\"]", "allowed_env_vars A@1; allowed_env_vars B_*@1", "[\"LD_PRELOAD\"]",
		"it never passes" },
	{ "caches", "\"private\"", "caches 0@1", "\"privat\"", "did you mean \"private\"?" },
	{ "additional_env_vars", "[\"A\"]", "additional_env_vars A@1", "[\"A=1\"]", "is not a variable's name" },
	{ "protect", "[\"~/x\"]", "protect /home/me/x@1", "[\"!/x\"]", "a list cannot take entries away" },
	{ "hide", "[\"/x\"]", "hide /x@1", "[\"../*\"]", "has a '..' component" },
	{ "hide", "[\"**/.env\"]", "hide **/.env@1", "[\"$X/*\"]", "variables are not expanded here" },
	{ "hide", "[\"/x[1]\"]", "hide /x[1]@1", "[\"/\"]", "is the whole file system" },
	{ "limits.wall_seconds", "1", "limits.wall_seconds 1@1", "0", "is not a whole number above 0" },
	{ "limits.wall_seconds", "1000000000", "limits.wall_seconds 1000000000@1", "1000000001", "is more than" },
	{ "limits.cpu_seconds", "7", "limits.cpu_seconds 7@1", "1.5", "is not a whole number above 0" },
	{ "limits.memory_bytes", "9223372036854775807", "limits.memory_bytes 9223372036854775807@1",
		"9223372036854775808", "is more than" },
	{ "limits.processes", "3", "limits.processes 3@1", "-1", "is not a whole number above 0" },
	{ "limits.open_files", "3", "limits.open_files 3@1", "\"3\"", "is not a whole number above 0" },
	{ "limits.file_bytes", "3", "limits.file_bytes 3@1", "true", "is not a whole number above 0" },
	{ "limits.tmp_bytes", "3", "limits.tmp_bytes 3@1", "0", "is not a whole number above 0" },
};

/* {"sandbox":{"a":{"b":VALUE}}} */
static void wrap(const char *key, const char *value, char *text, size_t size)
{
	size_t group = strcspn(key, ".");

	if (key[group])
		snprintf(text, size, "{\"sandbox\":{\"%.*s\":{\"%s\":%s}}}", (int)group, key, key + group + 1, value);
	else
		snprintf(text, size, "{\"sandbox\":{\"%s\":%s}}", key, value);
}

static void check_good(const char *key, const char *value, const char *read)
{
	char text[LINE_BYTES], line[LINE_BYTES], found[LINE_BYTES];
	struct zs_settings_file file;

	wrap(key, value, text, sizeof text);
	if (parse(text, NULL, ZS_PLATFORM_LINUX, &file, line) < 0) {
		CHECK(false, "%s: %s", text, line);
		return;
	}
	describe(&file, found, sizeof found);
	CHECK(strcmp(found, read) == 0, "%s: %s", text, found);
	zs_settings_file_free(&file);
}

TEST(settings_each_key)
{
	bool seen[ZS_SETTING_KEY_COUNT] = { false };
	char text[LINE_BYTES], line[LINE_BYTES], null[LINE_BYTES];
	struct zs_settings_file file;

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		for (size_t id = 0; id < ZS_SETTING_KEY_COUNT; id++)
			seen[id] |= strncmp(zs_setting_keys[id].name, "sandbox.", strlen("sandbox.")) == 0 &&
				    strcmp(zs_setting_keys[id].name + strlen("sandbox."), keys[i].key) == 0;
		if (keys[i].read)
			check_good(keys[i].key, keys[i].good, keys[i].read);
		snprintf(null, sizeof null, "%s null@1", keys[i].key);
		check_good(keys[i].key, "null", null);
		wrap(keys[i].key, keys[i].bad, text, sizeof text);
		CHECK(parse(text, NULL, ZS_PLATFORM_LINUX, &file, line) < 0, "%s was read", text);
		CHECK(strstr(line, keys[i].said) && strstr(line, "F: line 1: sandbox.") && strstr(line, keys[i].key),
			"%s: %s", text, line);
	}
	for (size_t id = 0; id < ZS_SETTING_KEY_COUNT; id++)
		CHECK(seen[id] || zs_setting_keys[id].type == ZS_SETTING_RULES ||
				zs_setting_keys[id].type == ZS_SETTING_PACKS,
			"%s has no row", zs_setting_keys[id].name); /* rules and packs: test_settings_rules.c */
}

TEST(settings_empty_lists)
{
	for (size_t id = 0; id < ZS_SETTING_KEY_COUNT; id++) {
		const char *key = zs_setting_keys[id].name + strlen("sandbox.");
		char read[LINE_BYTES];

		if (zs_setting_keys[id].type < ZS_SETTING_PATHS || zs_setting_keys[id].type > ZS_SETTING_VARIABLES)
			continue;
		snprintf(read, sizeof read, "%s []@1", key);
		check_good(key, "[]", read);
	}
}

TEST(settings_limits_are_those_of_policies)
{
	for (enum zs_limit limit = 0; limit < ZS_LIMIT_COUNT; limit++) {
		const struct zs_setting_key *key = &zs_setting_keys[(int)ZS_SETTING_KEY_WALL + (int)limit];

		CHECK(strcmp(strrchr(key->name, '.') + 1, zs_limit_name(limit)) == 0, "%s", key->name);
		CHECK(key->limit == limit && key->type == ZS_SETTING_LIMIT, "%s", key->name);
	}
}

static const struct {
	const char *text, *said;
} wrong[] = {
	{ "", "zs: settings: F: is empty" },
	{ "{", "F: line 1: " },
	{ "[]", "F: line 1: is not an object" },
	{ "{}{}", "F: line 1: " },
	{ "{\"sandbox\":{}, }", "F: line 1: " },
	{ "{\n\"sandbox\":\n[]}", "F: line 2: sandbox: is not an object" },
	{ "{\n\"sandbx\":{}}", "F: line 2: sandbx: unknown key; did you mean \"sandbox\"?" },
	{ "{\"sandbox\":{\n\n\"hides\":[]}}", "F: line 3: sandbox.hides: unknown key; did you mean \"hide\"?" },
	{ "{\"sandbox\":{\"linx\":{}}}", "sandbox.linx: unknown key; did you mean \"linux\"?" },
	{ "{\"sandbox\":{\"linux\":{\"macos\":{}}}}", "sandbox.linux.macos: unknown key" },
	{ "{\"sandbox\":{\"linux\":{\"$schema\":\"\"}}}", "sandbox.linux.$schema: unknown key" },
	{ "{\"hide\":[]}", "hide: unknown key; did you mean \"sandbox.hide\"?" },
	{ "{\"limits\":{}}", "limits: unknown key; did you mean \"sandbox.limits\"?" },
	{ "{\"sandbox\":{\"limits\":{\"wall\":1}}}", "wall: unknown key; did you mean \"wall_seconds\"?" },
	{ "{\"sandbox\":{\"wall_seconds\":1}}", "did you mean \"sandbox.limits.wall_seconds\"?" },
	{ "{\"sandbox\":{\"\":1}}", "unknown key" },
	{ "{\"sandbox\":{\"hi\\u0000de\":1}}", "holds a NUL" },
	{ "{\"sandbox\":{\"hide\":[],\n\"hide\":[]}}", "line 2: sandbox.hide: duplicate key" },
	{ "{\"sandbox\":{\"limits\":{},\n\"limits\":{}}}", "line 2: sandbox.limits: duplicate key" },
	{ "{\"sandbox\":{\"linux\":{},\n\"linux\":{}}}", "line 2: sandbox.linux: duplicate key" },
	{ "{\"sandbox\":{},\n\"sandbox\":{}}", "line 2: sandbox: duplicate key" },
	{ "{\"$schema\":\"\",\n\"$schema\":\"\"}", "line 2: $schema: duplicate key" },
	{ "{\"$schema\":1}", "$schema: is not a string" },
	{ "{\"sandbox\":{\"limits\":3}}", "sandbox.limits: is not an object" },
	{ "{\"sandbox\":{\"linux\":true}}", "sandbox.linux: is not an object" },
	{ "{\"sandbox\":{\"hide\":[\n\"/a\",\n\"~bob/x\"]}}", "line 3: sandbox.hide[1]: is another user's home" },
	{ "{\"sandbox\":{\"macos\":{\"hide\":[\"x\"]}}}", "sandbox.macos.hide[0]: is relative" },
};

TEST(settings_wrong)
{
	char line[LINE_BYTES];
	struct zs_settings_file file;

	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		CHECK(parse(wrong[i].text, NULL, ZS_PLATFORM_LINUX, &file, line) < 0, "%s was read", wrong[i].text);
		CHECK(strstr(line, wrong[i].said), "%s: %s", wrong[i].text, line);
	}
}

static const struct {
	const char *key, *value;
	const char *said; /* the message; NULL: it is read as `read` */
	const char *read;
} projects[] = {
	{ "enabled", "false", "cannot be false in a project's file", NULL },
	{ "enabled", "true", NULL, "enabled 1@1" },
	{ "allow_unsandboxed", "true", "cannot be true in a project's file", NULL },
	{ "allow_unsandboxed", "false", NULL, "allow_unsandboxed 0@1" },
	{ "show_secrets", "true", "cannot be true in a project's file", NULL },
	{ "show_secrets", "false", NULL, "show_secrets 0@1" },
	{ "hide", "[\"a/b\", \"./c\"]", NULL, "hide /w/a/b@1; hide /w/c@1" },
	{ "hide", "[\"/w/a\"]", NULL, "hide /w/a@1" },
	{ "hide", "[\"~/.bashrc\"]", "lies outside of the workspace", NULL },
	{ "protect", "[\"/w2\"]", "lies outside of the workspace", NULL },
	{ "protect", "[\"../x\"]", "has a '..' component", NULL },
	{ "protect", "[\"a/../../x\"]", "has a '..' component", NULL },
	{ "protect", "[\"!.git\"]", "a list cannot take entries away", NULL },
	{ "protect", "[\"\"]", "the path is empty", NULL },
	{ "write_paths", "[\"~/x\", \"y\"]", NULL, "write_paths /home/me/x@1; write_paths /w/y@1" },
	{ "write_paths", "[\"~bob\"]", "is another user's home", NULL },
	{ "write_paths", "[\"$X\"]", "variables are not expanded here", NULL },
};

TEST(settings_of_a_project)
{
	char text[LINE_BYTES], line[LINE_BYTES], found[LINE_BYTES];
	struct zs_settings_file file;

	for (size_t i = 0; i < sizeof projects / sizeof *projects; i++) {
		int r;

		wrap(projects[i].key, projects[i].value, text, sizeof text);
		r = parse(text, "/w", ZS_PLATFORM_LINUX, &file, line);
		CHECK((r < 0) == (projects[i].said != NULL), "%s: %s", text, line);
		if (r < 0) {
			CHECK(projects[i].said && strstr(line, projects[i].said), "%s: %s", text, line);
			continue;
		}
		describe(&file, found, sizeof found);
		CHECK(projects[i].read && strcmp(found, projects[i].read) == 0, "%s: %s", text, found);
		zs_settings_file_free(&file);
	}
}

TEST(settings_of_one_system)
{
	static const char text[] = "{\"sandbox\":{\"hide\":[\"/a\"],\"allow_network\":true,\"protect\":[\"/p\"],\n"
				   "\"linux\":{\"hide\":[\"/l\"],\"allow_network\":null,\"protect\":[]},\n"
				   "\"macos\":{\"hide\":[\"/m\"],\"write_paths\":[\"/w\"]}}}";
	static const char *const read[] = {
		[ZS_PLATFORM_LINUX] = "hide /l@2; allow_network null@2; protect []@2",
		[ZS_PLATFORM_MACOS] = "allow_network 1@1; protect /p@1; hide /m@3; write_paths /w@3",
	};
	char line[LINE_BYTES], found[LINE_BYTES];
	struct zs_settings_file file;

	for (enum zs_platform platform = ZS_PLATFORM_LINUX; platform < ZS_PLATFORM_COUNT; platform++) {
		if (parse(text, NULL, platform, &file, line) < 0) {
			CHECK(false, "%s", line);
			continue;
		}
		describe(&file, found, sizeof found);
		CHECK(strcmp(found, read[platform]) == 0, "%d: %s", (int)platform, found);
		if (platform == ZS_PLATFORM_LINUX)
			CHECK(!zs_settings_find(&file, ZS_SETTING_KEY_ALLOW_NETWORK), "null is a value");
		zs_settings_file_free(&file);
	}
}

/* Makes a list of `count` paths of `size` bytes each. */
static char *many(size_t count, size_t size)
{
	char *text = malloc(count * (size + 4) + 64), *end = text;

	end += sprintf(end, "{\"sandbox\":{\"hide\":[");
	for (size_t i = 0; i < count; i++)
		end += sprintf(end, "%s\"/%0*zu\"", i ? "," : "", (int)size - 1, i);
	sprintf(end, "]}}");
	return text;
}

TEST(settings_limits_of_a_file)
{
	struct zs_settings_file file;
	char line[LINE_BYTES], *text;

	text = many(ZS_SETTINGS_ENTRIES_MAX, 8);
	CHECK(parse(text, NULL, ZS_PLATFORM_LINUX, &file, line) == 0, "%s", line);
	zs_settings_file_free(&file);
	free(text);
	text = many(ZS_SETTINGS_ENTRIES_MAX + 1, 8);
	CHECK(parse(text, NULL, ZS_PLATFORM_LINUX, &file, line) == -E2BIG && strstr(line, "the limit is 1024"), "%s",
		line);
	free(text);

	text = malloc(ZS_SETTINGS_BYTES_MAX + 2);
	memset(text, ' ', ZS_SETTINGS_BYTES_MAX + 1);
	text[ZS_SETTINGS_BYTES_MAX + 1] = '\0';
	memcpy(text, "{}", 2);
	CHECK(parse(text, NULL, ZS_PLATFORM_LINUX, &file, line) == -E2BIG && strstr(line, "more than 65536 bytes"),
		"%s", line);
	text[ZS_SETTINGS_BYTES_MAX] = '\0';
	CHECK(parse(text, NULL, ZS_PLATFORM_LINUX, &file, line) == 0, "%s", line);
	zs_settings_file_free(&file);
	memset(text, '[', ZS_SETTINGS_BYTES_MAX);
	CHECK(parse(text, NULL, ZS_PLATFORM_LINUX, &file, line) < 0, "deeply nested, and read");
	free(text);
}

struct told {
	unsigned count;
	char all[4 * LINE_BYTES];
};

static void tell(const struct zs_error *error, void *arg)
{
	struct told *told = arg;
	size_t len = strlen(told->all);

	told->count++;
	if (len + LINE_BYTES < sizeof told->all) {
		zs_error_format(error, told->all + len, LINE_BYTES);
		strcat(told->all, "\n");
	}
}

TEST(settings_check_tells_every_error)
{
	static const char text[] = "{\"sandbox\":{\"enabld\":1,\"enabled\":3,\"hide\":[\"x\",1,\"/ok\"],\n"
				   "\"limits\":{\"wall_seconds\":0,\"x\":1},\"linux\":{\"allow_network\":2}},\"z\":1}";
	struct told told = { 0 };

	CHECK(zs_settings_check("F", NULL, text, strlen(text), home_only, tell, &told) < 0, "valid");
	CHECK(told.count == 8, "%u: %s", told.count, told.all);
	CHECK(strstr(told.all, "line 2: sandbox.linux.allow_network: is neither"), "%s", told.all);
	told = (struct told){ 0 };
	CHECK(zs_settings_check("F", NULL, "{}", 2, home_only, tell, &told) == 0 && told.count == 0, "%s", told.all);
	CHECK(zs_settings_check("F", NULL, "{", 1, home_only, tell, &told) < 0 && told.count == 1, "%s", told.all);
}

TEST(settings_check_of_a_policy_tells_every_error)
{
	static const char text[] =
		"{\"version\":2,\"paths\":[{\"path\":\"x\",\"access\":\"read\"},{\"access\":1,\"y\":2},{\"path\":\"/"
		"ok\",\"access\":\"read\"},3],\n\"netwrk\":1,\"env\":{\"pass\":[\"A\",\"=\",1],\"set\":{\"B=\":\"\"}},"
		"\"path_lists\":{\"read\":[1,2]}}";
	struct told told = { 0 };

	CHECK(zs_policy_check_json("F", text, strlen(text), home_only, tell, &told) < 0, "valid");
	/* version; paths[0], [1].access, [1].y, [3]; netwrk; pass[1], [2]; set; read[0], [1] */
	CHECK(told.count == 11, "%u: %s", told.count, told.all);
	CHECK(strstr(told.all, "F: line 2: netwrk: unknown key; did you mean \"network\"?"), "%s", told.all);
	told = (struct told){ 0 };
	CHECK(zs_policy_check_json("F", "{\"version\":1}", 13, home_only, tell, &told) == 0 && told.count == 0, "%s",
		told.all);
}
