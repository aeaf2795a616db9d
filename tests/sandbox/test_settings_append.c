/* Adding to a settings file: the rest of the file keeps its text. */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "base/json_text.h"
#include "zs_settings.h"

static const struct {
	const char *text;
	const char *keys[4];
	const char *value;
	bool append;
	const char *want; /* NULL: -EINVAL */
} rows[] = {
	{ "{}", { "a" }, "1", true, "{\n  \"a\": [1]\n}" },
	{ "{\n}\n", { "a", "b" }, "1", true, "{\n  \"a\": {\n    \"b\": [1]\n  }\n}\n" },
	{ "{\"a\":[]}", { "a" }, "1", true, "{\"a\":[1]}" },
	{ "{\"a\":[ ]}", { "a" }, "1", true, "{\"a\":[1]}" },
	{ "{\"a\":[0]}", { "a" }, "1", true, "{\"a\":[0, 1]}" },
	{ "{\"a\": [ 0 ] }", { "a" }, "1", true, "{\"a\": [ 0, 1 ] }" },
	{ "{\n\t\"a\": [\n\t\t0,\n\t\t2\n\t]\n}\n", { "a" }, "1", true,
		"{\n\t\"a\": [\n\t\t0,\n\t\t2,\n\t\t1\n\t]\n}\n" },
	{ "{\"a\":null,\"z\":2}", { "a" }, "1", true, "{\"a\":[1],\"z\":2}" },
	{ "{\"a\":{\"b\":null}}", { "a", "b" }, "true", false, "{\"a\":{\"b\":true}}" },
	{ "{\"a\":{\"b\":false , \"c\":1}}", { "a", "b" }, "true", false, "{\"a\":{\"b\":true , \"c\":1}}" },
	{ "{\n  \"x\": 1\n}", { "a", "b" }, "true", false, "{\n  \"x\": 1,\n  \"a\": {\n    \"b\": true\n  }\n}" },
	{ "{\n  \"a\": {}\n}", { "a", "b" }, "1", true, "{\n  \"a\": {\n    \"b\": [1]\n  }\n}" },
	{ "{\"x\":\"a\\\"]}\",\"a\":[\"]\\\\\"]}", { "a" }, "1", true, "{\"x\":\"a\\\"]}\",\"a\":[\"]\\\\\", 1]}" },
	{ "{\"x\":{\"a\":[]},\"a\":[[],{}]}", { "a" }, "1", true, "{\"x\":{\"a\":[]},\"a\":[[],{}, 1]}" },
	{ "{\"a\":1}", { "a" }, "1", true, NULL },
	{ "{\"a\":[]}", { "a", "b" }, "1", true, NULL },
	{ "[]", { "a" }, "1", true, NULL },
	{ "", { "a" }, "1", true, NULL },
};

TEST(append_json_insert)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *text = NULL;
		int r = zs_json_insert(
			rows[i].text, strlen(rows[i].text), rows[i].keys, rows[i].value, rows[i].append, &text);

		CHECK(rows[i].want ? r == 0 && strcmp(text, rows[i].want) == 0 : r == -EINVAL, "%s: %d: %s",
			rows[i].text, r, text ? text : "");
		free(text);
	}
}

/* A folder that XDG_CONFIG_HOME names. */
struct place {
	char root[64], folder[96], file[128], variable[96];
	char *envp[3];
};

static void begin(struct place *place)
{
	strcpy(place->root, "/tmp/zs-append-XXXXXX");
	CHECK(mkdtemp(place->root) != NULL, "mkdtemp");
	snprintf(place->folder, sizeof place->folder, "%s/new/zs", place->root);
	snprintf(place->file, sizeof place->file, "%s/settings.json", place->folder);
	snprintf(place->variable, sizeof place->variable, "XDG_CONFIG_HOME=%s/new", place->root);
	place->envp[0] = place->variable;
	place->envp[1] = (char *)"HOME=/home/me";
	place->envp[2] = NULL;
}

static void end(struct place *place)
{
	char command[128];

	snprintf(command, sizeof command, "rm -rf %s", place->root);
	CHECK(system(command) == 0, "%s", command);
}

static void put(const struct place *place, const char *text)
{
	FILE *file = fopen(place->file, "w");

	CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0, "%s", place->file);
}

static void check_file(const struct place *place, const char *want)
{
	char text[4096] = "";
	FILE *file = fopen(place->file, "r");
	size_t len = file ? fread(text, 1, sizeof text - 1, file) : 0;

	text[len] = '\0';
	CHECK(file && strcmp(text, want) == 0, "%s", text);
	if (file)
		fclose(file);
}

static int add(const struct place *place, const char *key, const char *entry, char line[512])
{
	struct zs_error error = { 0 };
	int r = zs_settings_append(place->envp, key, entry, &error);

	line[0] = '\0';
	if (r < 0)
		zs_error_format(&error, line, 512);
	return r;
}

TEST(append_makes_file_and_keys)
{
	struct place place;
	struct stat st;
	char line[512];

	begin(&place);
	CHECK(add(&place, "sandbox.write_paths", "/srv/\"a\"", line) == 0, "%s", line);
	check_file(&place, "{\n  \"sandbox\": {\n    \"write_paths\": [\"/srv/\\\"a\\\"\"]\n  }\n}\n");
	CHECK(stat(place.file, &st) == 0 && (st.st_mode & 0777) == 0600, "%o", (unsigned)st.st_mode);
	CHECK(stat(place.folder, &st) == 0 && (st.st_mode & 0777) == 0700, "%o", (unsigned)st.st_mode);
	CHECK(add(&place, "sandbox.allow_all_hosts", NULL, line) == 0, "%s", line);
	CHECK(add(&place, "sandbox.write_paths", "~/b", line) == 0, "%s", line);
	CHECK(add(&place, "sandbox.write_paths", "/home/me/b/", line) == 0, "the same again: %s", line);
	CHECK(add(&place, "sandbox.allow_all_hosts", NULL, line) == 0, "the same again: %s", line);
	check_file(&place, "{\n  \"sandbox\": {\n    \"write_paths\": [\"/srv/\\\"a\\\"\", \"~/b\"],\n"
			   "    \"allow_all_hosts\": true\n  }\n}\n");
	end(&place);
}

TEST(append_keeps_the_rest)
{
	static const char before[] =
		"{ \"$schema\" : \"x\",\n\n   \"sandbox\":{\"hide\":[\"/z\" , \"/a\"],   \"network_hosts\": [\n"
		"      \"b.example\"\n   ], \"allow_network\":null }}";
	static const char after[] =
		"{ \"$schema\" : \"x\",\n\n   \"sandbox\":{\"hide\":[\"/z\" , \"/a\"],   \"network_hosts\": [\n"
		"      \"b.example\",\n      \"a.example\"\n   ], \"allow_network\":true }}";
	struct place place;
	struct stat st;
	char line[512], target[128];

	begin(&place);
	CHECK(add(&place, "sandbox.write_paths", "/x", line) == 0, "%s", line);
	put(&place, before);
	chmod(place.file, 0640);
	CHECK(add(&place, "sandbox.network_hosts", "a.example", line) == 0, "%s", line);
	CHECK(add(&place, "sandbox.allow_network", NULL, line) == 0, "%s", line);
	check_file(&place, after);
	CHECK(stat(place.file, &st) == 0 && (st.st_mode & 0777) == 0640, "%o", (unsigned)st.st_mode);
	/* A user who keeps the settings in another place has a link to them. */
	snprintf(target, sizeof target, "%s/kept.json", place.root);
	CHECK(rename(place.file, target) == 0 && symlink(target, place.file) == 0, "link");
	CHECK(add(&place, "sandbox.protect", "/p", line) == 0, "%s", line);
	CHECK(lstat(place.file, &st) == 0 && S_ISLNK(st.st_mode), "the link is gone");
	CHECK(lstat(target, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > (off_t)sizeof after, "not in the target");
	end(&place);
}

TEST(append_where_this_system_has_its_own)
{
	struct place place;
	char line[512];

	begin(&place);
	CHECK(add(&place, "sandbox.write_paths", "/x", line) == 0, "%s", line);
	put(&place, "{\"sandbox\":{\"write_paths\":[\"/x\"],\"linux\":{\"write_paths\":[]},\"macos\":{\"write_paths\":["
		    "]}}}");
	CHECK(add(&place, "sandbox.write_paths", "/y", line) == 0, "%s", line);
#ifdef __linux__
	check_file(&place, "{\"sandbox\":{\"write_paths\":[\"/x\"],\"linux\":{\"write_paths\":[\"/y\"]},\"macos\":{"
			   "\"write_paths\":[]}}}");
#endif
	end(&place);
}

TEST(append_refuses_what_would_not_be_read)
{
	static const struct {
		const char *key, *entry, *said;
	} bad[] = {
		{ "sandbox.write_pahts", "/x", "unknown key" },
		{ "sandbox.write_paths", "relative", "is relative" },
		{ "sandbox.write_paths", "/a/../b", "has a '..' component" },
		{ "sandbox.write_paths", NULL, "is not true or false" },
		{ "sandbox.write_paths", "/\xff", "is not UTF-8" },
		{ "sandbox.network_hosts", "a b", "a b" },
		{ "sandbox.allow_network", "true", "is not a list" },
		{ "sandbox.apply_to", "tool", "is not a list" },
		{ "sandbox.limits.wall_seconds", NULL, "is not true or false" },
	};
	static const char *const spoilt[] = { "", "{", "[]", "{\"sandbox\":{\"write_paths\":3}}",
		"{\"s\\u0061ndbox\":{\"hide\":[1]}}", "{\"sandbox\":{}}}" };
	static const char escaped[] = "{\"s\\u0061ndbox\":{\"hide\":[]}}";
	struct place place;
	char line[512];

	begin(&place);
	CHECK(add(&place, "sandbox.write_paths", "/x", line) == 0, "%s", line);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		put(&place, "{}");
		CHECK(add(&place, bad[i].key, bad[i].entry, line) < 0 && strstr(line, bad[i].said), "%s: %s",
			bad[i].key, line);
		check_file(&place, "{}");
	}
	for (size_t i = 0; i < sizeof spoilt / sizeof *spoilt; i++) {
		put(&place, spoilt[i]);
		CHECK(add(&place, "sandbox.write_paths", "/y", line) < 0, "%s", spoilt[i]);
		check_file(&place, spoilt[i]);
	}
	/* A key that is escaped differently is still found to be there twice. */
	put(&place, escaped);
	CHECK(add(&place, "sandbox.write_paths", "/y", line) < 0 && strstr(line, "duplicate key"), "%s", line);
	check_file(&place, escaped);
	end(&place);
}

/* Each process reads, changes and replaces the file under a lock. */
TEST(append_many_at_once)
{
	enum { MANY = 16 };
	struct place place;
	struct zs_settings *settings = NULL;
	char line[512], want[32];
	int status = 0, failed = 0;

	begin(&place);
	for (int i = 0; i < MANY; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			snprintf(want, sizeof want, "/many/%d", i);
			_exit(zs_settings_append(place.envp, "sandbox.write_paths", want, NULL) < 0);
		}
		CHECK(pid > 0, "fork");
	}
	for (int i = 0; i < MANY; i++)
		failed += wait(&status) < 0 || status != 0;
	CHECK(failed == 0, "%d failed", failed);
	CHECK(add(&place, "sandbox.hide", "/h", line) == 0, "%s", line);
	CHECK(zs_settings_load("/usr", place.envp, &settings, NULL) == 0, "load");
	zs_settings_free(settings);
	for (int i = 0; i < MANY; i++) {
		char command[192];

		snprintf(command, sizeof command, "grep -q '\"/many/%d\"' %s", i, place.file);
		CHECK(system(command) == 0, "%d is lost", i);
	}
	end(&place);
}
