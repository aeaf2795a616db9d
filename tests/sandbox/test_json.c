/* The JSON form: it keeps what it says, and each fault is an error with its key and line. */
#include "harness.h"
#include "policy/policy.h"

static char *const home_only[] = { (char *)"HOME=/home/me", NULL };

static int parse(const char *text, size_t len, struct zs_policy **policy, char *line, size_t size)
{
	struct zs_error error = { 0 };
	int r = zs_policy_from_json(text, len, home_only, policy, &error);

	if (r < 0)
		zs_error_format(&error, line, size);
	return r;
}

TEST(json_canonical)
{
	static const char text[] =
		"{ \"env\": { \"set\": { \"CI\": \"1\", \"E\": \"\" }, \"pass\": [\"HOME\", \"LC_*\"] },\n"
		"  \"network\": { \"hosts\": [\"example.org\", \"*.example.net\"] },\n"
		"  \"paths\": [ { \"access\": \"exec\", \"public\": true, \"path\": \"/usr/\" }, { \"path\": "
		"\"~/x\\u00e9\", \"access\": "
		"\"hide\" } ],\n"
		"  \"without\": [\"metadata\", \"hide\", \"hide\"], \"git\": \"allow\", \"tmp\": \"shared\",\n"
		"  \"limits\": { \"processes\": 9223372036854775807, \"wall_seconds\": 30 },\n"
		"  \"unix_sockets\": [\"~/s\", \"/run//x\", \"/run/x\"],\n"
		"  \"workspace\": { \"root\": \"/w\", \"access\": \"overlay\" }, \"version\": 1 }";
	static const char canonical[] =
		"{\"version\":1,\"workspace\":{\"root\":\"/w\",\"access\":\"overlay\"},"
		"\"paths\":[{\"path\":\"/usr\",\"access\":\"exec\",\"public\":true},{\"path\":\"/home/me/"
		"x\xc3\xa9\",\"access\":\"hide\"}],"
		"\"git\":\"allow\",\"tmp\":\"shared\",\"caches\":\"shared\","
		"\"network\":{\"hosts\":[\"example.org\",\"*.example.net\"]},"
		"\"unix_sockets\":[\"/home/me/s\",\"/run/x\"],"
		"\"env\":{\"pass\":[\"HOME\",\"LC_*\"],\"set\":{\"CI\":\"1\",\"E\":\"\"}},"
		"\"limits\":{\"wall_seconds\":30,\"processes\":9223372036854775807},"
		"\"without\":[\"hide\",\"metadata\"]}";
	struct zs_policy *policy, *again;
	char line[512] = "", *printed, *reprinted;
	size_t len;

	CHECK(parse(text, sizeof text - 1, &policy, line, sizeof line) == 0, "%s", line);
	CHECK(zs_policy_to_json(policy, false, &printed, &len, NULL) == 0, "prints");
	CHECK(strcmp(printed, canonical) == 0 && len == strlen(printed), "%s", printed);
	CHECK(parse(printed, len, &again, line, sizeof line) == 0, "%s", line);
	CHECK(zs_policy_to_json(again, true, &reprinted, NULL, NULL) == 0, "prints");
	zs_policy_free(again);
	CHECK(parse(reprinted, strlen(reprinted), &again, line, sizeof line) == 0, "pretty: %s", line);
	free(reprinted);
	zs_policy_to_json(again, false, &reprinted, NULL, NULL);
	CHECK(strcmp(printed, reprinted) == 0, "%s", reprinted);
	free(printed);
	free(reprinted);
	zs_policy_free(policy);
	zs_policy_free(again);
}

TEST(json_least)
{
	AUTO_POLICY *policy = NULL;
	char line[512] = "", *printed;

	CHECK(parse("{\"version\":1}", 13, &policy, line, sizeof line) == 0, "%s", line);
	zs_policy_to_json(policy, false, &printed, NULL, NULL);
	CHECK(strcmp(printed, "{\"version\":1,\"workspace\":null,\"paths\":[],"
			      "\"git\":\"protect\",\"tmp\":\"private\",\"caches\":\"shared\",\"network\":\"none\","
			      "\"unix_sockets\":[],"
			      "\"env\":{\"pass\":[],\"set\":{}},\"limits\":{},\"without\":[]}") == 0,
		"%s", printed);
	free(printed);
}

#define V "{\"version\":1,\n"

TEST(json_errors_name_key_and_line)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "", "is empty" },
		{ " ", "line 1" },
		{ "[]", "line 1: is not an object" },
		{ "null", "is not an object" },
		{ "{\n\"version\":1,\n\"paths\":[", "line 3" },
		{ "{\"version\":1} x", "line 1" },
		{ "{}", "version: is missing" },
		{ "{\"version\":2}", "version: is not 1" },
		{ "{\"version\":\"1\"}", "version: is not 1" },
		{ "{\"version\":1.0}", "version: is not 1" },
		{ "{\"version\":1,\"version\":1}", "version: duplicate key" },
		{ V "\"path\":[]}", "line 2: path: unknown key" },
		{ V "\"Paths\":[]}", "line 2: Paths: unknown key" },
		{ V "\"paths\":[],\n\"paths\":[]}", "line 3: paths: duplicate key" },
		{ V "\"paths\":{}}", "line 2: paths: is not an array" },
		{ V "\"paths\":[\n\"/usr\"]}", "line 3: paths[0]: is not an object" },
		{ V "\"paths\":[\n{\"path\":\"/a\"}]}", "line 3: paths[0].access: is missing" },
		{ V "\"paths\":[\n{\"access\":\"read\"}]}", "line 3: paths[0]: must have one of \"path\"" },
		{ V "\"paths\":[\n{\"path\":\"/a\",\"pattern\":\"*\",\"access\":\"hide\"}]}",
			"line 3: paths[0]: must have one of \"path\"" },
		{ V "\"paths\":[\n{\"pattern\":\"*\",\"access\":\"read\"}]}", "only protect and hide take one" },
		{ V "\"paths\":[\n{\"pattern\":\"../*\",\"access\":\"hide\"}]}", "has a '..' component" },
		{ V "\"paths\":[\n{\"path\":1,\"access\":\"read\"}]}", "line 3: paths[0].path: is not a string" },
		{ V "\"paths\":[\n{\"path\":\"/a\",\"access\":\"all\"}]}",
			"line 3: paths[0].access: is not an access" },
		{ V "\"paths\":[\n{\"path\":\"/a\",\"access\":\"read\",\"x\":1}]}", "line 3: paths[0].x: unknown key" },
		{ V "\"paths\":[\n{\"path\":\"/a\",\"access\":\"read\",\"public\":1}]}",
			"line 3: paths[0].public: is neither true nor false" },
		{ V "\"paths\":[\n{\"path\":\"/a\",\"access\":\"write\",\"public\":true}]}",
			"line 3: paths[0]: is public; only access read" },
		{ V "\"paths\":[\n{\"path\":\"/a\",\"access\":\"write\",\"approved\":[1,2,3]}]}",
			"line 3: paths[0].approved: is not an array of four numbers" },
		{ V "\"paths\":[\n{\"path\":\"/a\",\"access\":\"write\",\"approved\":[1,2,3,-4]}]}",
			"line 3: paths[0].approved: is not an array of four numbers" },
		{ V "\"paths\":[\n{\"path\":\"/a/\",\"access\":\"write\",\"approved\":[1,2,3,4]}]}",
			"line 3: paths[0]: is approved, but its path is not canonical" },
		{ V "\"paths\":[{\"path\":\"/a\",\"access\":\"read\"},\n{\"path\":\"a\",\"access\":\"read\"}]}",
			"line 3: paths[1]: a: is not absolute" },
		{ V "\"paths\":[{\"path\":\"/a/../b\",\"access\":\"read\"}]}", "has a '..' component" },
		{ V "\"paths\":[{\"path\":\"/a\\u0000b\",\"access\":\"read\"}]}", "paths[0].path: holds a NUL" },
		{ V "\"paths\":[{\"path\":\"/a\xff\",\"access\":\"read\"}]}", "line 2" },
		{ V "\"paths\":[{\"path\":\"/a\\ud800\",\"access\":\"read\"}]}", "line 2" },
		{ V "\"paths\":[[[[[[[[[[[[]]]]]]]]]]]]}", "paths[0]: is not an object" },
		{ V "\"workspace\":\"/w\"}", "workspace: is not an object" },
		{ V "\"workspace\":{\"root\":\"/w\"}}", "workspace.access: is missing" },
		{ V "\"workspace\":{\"root\":\"w\",\"access\":\"write\"}}", "w: is not absolute" },
		{ V "\"workspace\":{\"root\":\"/w\",\"access\":\"exec\"}}", "is not an access to the workspace" },
		{ V "\"network\":\"hosts\"}", "line 2: network: is not a network" },
		{ V "\"network\":true}", "network: is not a string" },
		{ V "\"network\":{}}", "network.hosts: is missing" },
		{ V "\"network\":{\"hosts\":\"x\"}}", "network.hosts: is not an array" },
		{ V "\"network\":{\"hosts\":[\"a..b\"]}}",
			"network.hosts[0]: a..b: has an empty label; write NAME, *.NAME or an IP address" },
		{ V "\"network\":{\"hosts\":[\"*\"]}}", "*: has a character that no host name has" },
		{ V "\"network\":{\"hosts\":[\"a*.b\"]}}", "a*.b: has a character that no host name has" },
		{ V "\"network\":{\"hosts\":[\"a/b\"]}}", "a/b: has a character that no host name has" },
		{ V "\"env\":[]}", "env: is not an object" },
		{ V "\"env\":{\"pass\":[\n1]}}", "env.pass[0]: is not a string" },
		{ V "\"env\":{\"pass\":[\n\"A B\"]}}", "line 3: env.pass[0]: A B: is not a variable's name" },
		{ V "\"env\":{\"pass\":[\"*\"]}}", "is not a variable's name" },
		{ V "\"env\":{\"pass\":[\"LD_PRELOAD\"]}}", "it never passes" },
		{ V "\"env\":{\"set\":{\n\"BASH_ENV\":\"x\"}}}",
			"line 3: env.set.BASH_ENV: BASH_ENV=x: this variable" },
		{ V "\"env\":{\"set\":{\"A\":1}}}", "env.set.A: is not a string" },
		{ V "\"env\":{\"set\":{\"A\":\"1\",\n\"A\":\"2\"}}}", "line 3: env.set.A: duplicate key" },
		{ V "\"env\":{\"set\":{\"A=B\":\"1\"}}}", "is not a variable's name" },
		{ V "\"env\":{\"set\":{\"A\":\"\\u0000\"}}}", "env.set.A: holds a NUL" },
		{ V "\"tmp\":\"mine\"}", "line 2: tmp: is neither \"private\" nor \"shared\"" },
		{ V "\"tmp\":true}", "tmp: is not a string" },
		{ V "\"caches\":\"mine\"}",
			"line 2: caches: is none of \"private\", \"auto\", \"tasks\" and \"shared\"" },
		{ V "\"tmp\":\"shared\",\n\"tmp\":\"private\"}", "line 3: tmp: duplicate key" },
		{ V "\"git\":\"deny\"}", "git: is neither \"protect\" nor \"allow\"" },
		{ V "\"path_lists\":[]}", "path_lists: is not an object" },
		{ V "\"path_lists\":{\"reads\":[]}}", "path_lists.reads: unknown key" },
		{ V "\"path_lists\":{\"read\":\"/a\"}}", "path_lists.read: is neither an array nor null" },
		{ V "\"path_lists\":{\"read\":[1]}}", "path_lists.read[0]: is not a string" },
		{ V "\"path_lists\":{\"more_write\":[\"a\"]}}", "path_lists: a: is not absolute" },
		{ V "\"git\":[]}", "git: is not a string" },
		{ V "\"git\":\"allow\",\n\"git\":\"allow\"}", "line 3: git: duplicate key" },
		{ V "\"unix_sockets\":\"/run/x\"}", "unix_sockets: is not an array" },
		{ V "\"unix_sockets\":[\n7]}", "unix_sockets[0]: is not a string" },
		{ V "\"unix_sockets\":[\"/a\",\n\"run/x\"]}", "line 3: unix_sockets[1]: run/x: is not absolute" },
		{ V "\"unix_sockets\":[\"/a/../b\"]}", "has a '..' component" },
		{ V "\"unix_sockets\":[],\"unix_sockets\":[]}", "unix_sockets: duplicate key" },
		{ V "\"limits\":[]}", "limits: is not an object" },
		{ V "\"limits\":{\n\"wall\":1}}", "line 3: limits.wall: unknown key" },
		{ V "\"limits\":{\"wall_seconds\":0}}", "limits.wall_seconds: is not a whole number above 0" },
		{ V "\"limits\":{\"cpu_seconds\":0}}", "limits.cpu_seconds: is not a whole number above 0" },
		{ V "\"limits\":{\"memory_bytes\":0}}", "limits.memory_bytes: is not a whole number above 0" },
		{ V "\"limits\":{\"processes\":0}}", "limits.processes: is not a whole number above 0" },
		{ V "\"limits\":{\"open_files\":0}}", "limits.open_files: is not a whole number above 0" },
		{ V "\"limits\":{\"file_bytes\":0}}", "limits.file_bytes: is not a whole number above 0" },
		{ V "\"limits\":{\"processes\":-1}}", "limits.processes: is not a whole number above 0" },
		{ V "\"limits\":{\"processes\":1.5}}", "limits.processes: is not a whole number above 0" },
		{ V "\"limits\":{\"processes\":1.0}}", "limits.processes: is not a whole number above 0" },
		{ V "\"limits\":{\"processes\":1e3}}", "limits.processes: is not a whole number above 0" },
		{ V "\"limits\":{\"processes\":\"1\"}}", "limits.processes: is not a whole number above 0" },
		{ V "\"limits\":{\"processes\":null}}", "limits.processes: is not a whole number above 0" },
		{ V "\"limits\":{\"processes\":18446744073709551616}}",
			"limits.processes: is not a whole number above 0" },
		{ V "\"limits\":{\"processes\":9223372036854775808}}", "processes: is more than 9223372036854775807" },
		{ V "\"limits\":{\"wall_seconds\":1000000001}}", "wall_seconds: is more than 1000000000" },
		{ V "\"limits\":{\"processes\":1,\n\"processes\":1}}", "line 3: limits.processes: duplicate key" },
		{ V "\"without\":\"hide\"}", "without: is not an array" },
		{ V "\"without\":[1]}", "without[0]: is not a string" },
		{ V "\"without\":[\"hide\",\n\"Hide\"]}", "line 3: without[1]: Hide: is not a promise; promises are "
							  "protect, hide, private-tmp, loopback," },
		{ V "\"without\":[],\"without\":[]}", "without: duplicate key" },
		{ "\xef\xbb\xbf{\"version\":1}", "line 1" },
		{ "{\"version\":1,}", "line 1" },
		{ "{\"version\":1 /* */}", "line 1" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		AUTO_POLICY *policy = NULL;
		char line[1024] = "accepted";
		int r = parse(rows[i].text, strlen(rows[i].text), &policy, line, sizeof line);

		CHECK(r < 0 && !policy && strstr(line, rows[i].want), "%s\n\twanted %s\n\tgot    %s", rows[i].text,
			rows[i].want, line);
	}
	CHECK(parse("{\"version\":1}\0", 14, NULL, (char[512]){ 0 }, 512) < 0, "a raw NUL");
}

TEST(json_cut_anywhere_is_refused)
{
	static const char text[] =
		"{\"version\":1,\"workspace\":{\"root\":\"/w\",\"access\":\"read\"},\"network\":\"none\","
		"\"env\":{\"pass\":[\"A\"],\"set\":{\"B\":\"c\"}}}";

	for (size_t len = 0; len < sizeof text - 1; len++) {
		AUTO_POLICY *policy = NULL;
		char line[512];

		CHECK(parse(text, len, &policy, line, sizeof line) < 0, "cut at %zu", len);
	}
}

/* Limits: the last that fits, and the first that does not. */

static struct zs_policy *empty(void)
{
	struct zs_policy *policy = NULL;

	zs_policy_new(home_only, &policy);
	return policy;
}

static int add_read(struct zs_policy *policy, const char *path, struct zs_error *error)
{
	return zs_policy_add_path(policy, path, ZS_ACCESS_READ, error);
}

/* The most items of each kind are allowed, and a repetition does not count. */
TEST(limits_of_lists)
{
	static const struct {
		int (*add)(struct zs_policy *, const char *, struct zs_error *);
		const char *before, *after, *again;
		int most;
	} rows[] = {
		{ add_read, "/", "", "/1", ZS_POLICY_PATHS_MAX },
		{ zs_policy_add_env, "V", "", "V1", ZS_POLICY_ENV_MAX },
		{ zs_policy_set_env, "V", "=1", "V1=2", ZS_POLICY_ENV_MAX },
		{ zs_policy_add_host, "h", ".example", "H1.example.", ZS_POLICY_HOSTS_MAX },
		{ zs_policy_add_socket, "/run/", "", "/run/./1", ZS_POLICY_SOCKETS_MAX },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		AUTO_POLICY *policy = empty();
		char text[32];

		for (int j = 0; j <= rows[i].most; j++) {
			int r;

			snprintf(text, sizeof text, "%s%d%s", rows[i].before, j, rows[i].after);
			r = rows[i].add(policy, text, NULL);
			CHECK(r == (j < rows[i].most ? 0 : -E2BIG), "%s: %d", text, r);
		}
		CHECK(rows[i].add(policy, rows[i].again, NULL) == 0, "%s again", rows[i].again);
	}
}

TEST(limit_of_a_path)
{
	static char path[ZS_POLICY_PATH_BYTES_MAX + 2];
	struct zs_policy *policy = empty();

	memset(path, 'a', sizeof path - 1);
	path[0] = '/';
	CHECK(zs_policy_add_path(policy, path, ZS_ACCESS_READ, NULL) == -ENAMETOOLONG, "too long");
	path[ZS_POLICY_PATH_BYTES_MAX] = '\0';
	CHECK(zs_policy_add_path(policy, path, ZS_ACCESS_READ, NULL) == 0, "just right");
	zs_policy_free(policy);
}

TEST(limit_of_variables_bytes)
{
	static char assignment[ZS_POLICY_ENV_BYTES_MAX + 1];
	struct zs_policy *policy = empty();

	memset(assignment, 'a', sizeof assignment - 1);
	assignment[1] = '=';
	CHECK(zs_policy_set_env(policy, assignment, NULL) == -E2BIG, "with its NUL it is one too many");
	assignment[sizeof assignment - 2] = '\0';
	CHECK(zs_policy_set_env(policy, assignment, NULL) == 0, "just right");
	CHECK(zs_policy_add_env(policy, "B", NULL) == -E2BIG, "together they count");
	for (int i = 0; i < 3; i++)
		CHECK(zs_policy_set_env(policy, assignment, NULL) == 0, "replaced by itself");
	CHECK(policy->env_bytes == ZS_POLICY_ENV_BYTES_MAX, "%zu bytes", policy->env_bytes);
	CHECK(zs_policy_set_env(policy, "a=1", NULL) == 0 && policy->env_bytes == 4, "%zu bytes", policy->env_bytes);
	CHECK(zs_policy_add_env(policy, "B", NULL) == 0, "there is room again");
	zs_policy_free(policy);
}

/* The policy holds each host in one form, however it is written. A host that is added twice is held once. */
TEST(hosts_are_canonical)
{
	static const char text[] =
		V "\"network\":{\"hosts\":[\"*.XN--bcher-KVA.Example.:443\",\"*.xn--bcher-kva.example:443\","
		  "\"[::FFFF:10.0.0.1]:22\",\"::1\",\"X.org\",\"x.ORG.\"]}}";
	static const char want[] = "[\"*.xn--bcher-kva.example:443\",\"10.0.0.1:22\",\"[::1]\",\"x.org\"]";
	AUTO_POLICY *policy = NULL;
	struct zs_error error;
	char *json;
	size_t len;

	CHECK(zs_policy_from_json(text, strlen(text), home_only, &policy, &error) == 0, "%s", error.what);
	CHECK(zs_policy_to_json(policy, false, &json, &len, NULL) == 0 && strstr(json, want), "%s", json);
	free(json);
}

TEST(limit_of_json)
{
	static char text[ZS_POLICY_BYTES_MAX + 2];
	struct zs_policy *policy = NULL;
	char line[512], *printed;
	static char path[2048];

	memset(text, ' ', sizeof text - 1);
	memcpy(text, "{\"version\":1}", 13);
	CHECK(parse(text, ZS_POLICY_BYTES_MAX, &policy, line, sizeof line) == 0, "just right");
	zs_policy_free(policy);
	CHECK(parse(text, ZS_POLICY_BYTES_MAX + 1, &policy, line, sizeof line) == -E2BIG, "one more");
	policy = empty();
	memset(path, 'a', sizeof path - 1);
	path[0] = '/';
	for (int i = 0; i < 100; i++) {
		path[1] = (char)('a' + i % 26);
		path[2] = (char)('a' + i / 26);
		zs_policy_add_path(policy, path, ZS_ACCESS_READ, NULL);
	}
	CHECK(zs_policy_to_json(policy, false, &printed, NULL, NULL) == -E2BIG, "too much to hand over");
	zs_policy_free(policy);
}

TEST(empty_words_have_a_name)
{
	static const char *const texts[] = {
		"{\"version\":1,\"paths\":[{\"path\":\"\",\"access\":\"read\"}]}",
		"{\"version\":1,\"network\":{\"hosts\":[\"\"]}}",
		"{\"version\":1,\"env\":{\"pass\":[\"\"]}}",
	};

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		struct zs_policy *policy;
		struct zs_error error = { 0 };
		char line[1024];

		CHECK(zs_policy_from_json(texts[i], strlen(texts[i]), NULL, &policy, &error) == -EINVAL, "%s",
			texts[i]);
		zs_error_format(&error, line, sizeof line);
		CHECK(strstr(line, " is empty") && !strstr(line, ": :") && !strstr(line, ": is empty"), "%s", line);
	}
}
