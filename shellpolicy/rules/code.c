/* Code of databases and interpreters. It is searched, and not read as a program: only the plain forms are found. */
#include "rules/guard.h"

#include <string.h>
#include <strings.h>

static const char *mongo_destroys(struct zs_guard *guard, const char *code)
{
	static const char *const calls[] = { "dropdatabase(", ".drop(", "deletemany({})", ".remove({})", "dropuser(",
		"dropalluser", "deletemany()", "updatemany({},", ".update({},", ".remove()", "dropcollection(",
		"dropindexes(", "drop_database(", "drop_collection(", "delete_many({})", "update_many({}," };
	char *plain = zs_arena_alloc(guard->places.arena, strlen(code) + 1), *end = plain;

	for (; *code; code++)
		if (*code != ' ' && *code != '\t' && *code != '\n')
			*end++ = *code >= 'A' && *code <= 'Z' ? (char)(*code - 'A' + 'a') : *code;
	*end = '\0';
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		if (strstr(plain, calls[i]))
			return calls[i];
	return NULL;
}

/* Names of functions that delete, in the languages of -c and -e. */
static const char deleters[][28] = { "rmtree", "os.remove", "os.unlink", "os.rmdir", ".unlink(", "removedirs", "rmSync",
	"unlinkSync", "rmdirSync", "fs.rm", "fs.unlink", "rm_rf", "rm_r", "File.delete", "remove_tree", "unlink",
	"rmdir", "remove_dir", "FileUtils.rm", "shutil.move", "os.rename", "renameSync", "truncate", "emptyDirSync",
	"removeSync", ".rm(", ".rmdir(", "Deno.remove", "rimraf", "array_map(" };
/* Names of functions that run a command. */
static const char runners[][28] = { "os.system", "subprocess", "popen", "exec", "spawn", "system", "`", "qx",
	"child_process", "shell_exec", "passthru", "getline", "| \"", "Deno.Command", "Bun.$" };
/* Names of places outside. */
static const char homes[][28] = { "expanduser", "Path.home", "homedir(", "Dir.home", "env.HOME", "environ['HOME']",
	"environ[\"HOME\"]", "ENV['HOME']", "getenv('HOME')", "getenv(\"HOME\")", "$ENV{HOME}" };

/* Names of functions that send, and of functions that read files. */
static const char posters[][28] = { "requests.post", "requests.put", "requests.patch", "httpx.", "aiohttp", "urlopen",
	"http.client", "socket.", "smtplib", "ftplib", "paramiko", "fetch(", "axios.post", "axios.put", "http.request",
	"https.request", "http\").request", "https\").request", "http').request", "https').request", "net.connect",
	"Net::HTTP", "LWP", "curl_exec", "HTTP::Tiny" };
static const char loaders[][28] = { ".read_text(", ".read_bytes(", "readFile", "createReadStream", "File.read",
	"IO.read", "file_get_contents('/", "file_get_contents('.", "dict(os.environ", "str(os.environ",
	"JSON.stringify(process.env)", "?'+os.environ", "?\"+os.environ", "?{os.environ", "?'+process.env",
	"?\"+process.env", "?${process.env" };

/* Names of functions that send SQL, and of what takes code from elsewhere and runs code. */
static const char queries[][28] = { "execute(", "executescript(", ".query(", "->query(", "->exec(", ".raw(", ".exec(",
	"->do(", "queryRaw", "executeRaw", "text(", ".query!(", "->statement(", "DB::" };
/* Functions of libraries over a database that delete all rows of a table. */
static const char emptiers[][28] = { ".all().delete()", ".delete_all", ".destroy_all", "::truncate(", "->truncate(",
	".truncate()", "indices.delete(", "drop_all(", "objects.all().delete", "FLUSHALL", "flushall(", "flushdb(" };
static const char fetchers[][28] = { "urlopen(", "requests.get(", "httpx.get(", "fetch(", "http.get(", "https.get(",
	"axios.get(", "URI.open(", "Net::HTTP.get", "LWP::Simple", "file_get_contents('http",
	"file_get_contents(\"http" };
static const char evaluators[][28] = { "exec(", "eval(", "eval ", "Function(", "instance_eval", "vm.run", "compile(" };
/* Libraries of clouds, and names of their functions that delete. */
static const char clouds[][28] = { "boto3", "aws-sdk", "google.cloud", "@google-cloud", "azure.", "@azure/",
	"digitalocean", "kubernetes", "docker.from_env", "stripe", "octokit", "PyGithub", "huggingface_hub" };
static const char removers[][28] = { ".delete(", ".delete_", "delete_object", ".terminate", "terminate_", ".destroy(",
	".remove(", ".purge", "DeleteCommand", "deleteBucket", "Terminate", ".begin_delete(" };

/* Does the code open a file to read it? open(path) without a mode that writes. */
static bool opens_file(const char *code)
{
	for (const char *at = code; (at = strstr(at, "open(")) != NULL; at += 5) {
		size_t len = strcspn(at, ")");
		bool other = at > code && strchr("abcdefghijklmnopqrstuvwxyz", at[-1]); /* urlopen( */
		bool writes = false;

		for (size_t i = 0; i + 1 < len; i++)
			writes |= strchr("'\"", at[i]) && strchr("wax", at[i + 1]) && i > 5 && at[i - 1] != '(';
		if (!other && !writes)
			return true;
	}
	return false;
}

/* width: of each name in the array of names. */
static bool has_any(const char *text, const char *names, size_t width, size_t size)
{
	for (const char *name = names; name < names + size; name += width)
		if (strstr(text, name))
			return true;
	return false;
}
#define HAS_ANY(text, names) has_any(text, *(names), sizeof *(names), sizeof(names))

static void judge_shell_in_code(struct zs_guard *guard, const struct zs_payload *payload, const char *text);

/* A path of the home in a string: perl's glob() and ruby's expand_path() expand "~". */
static const char *in_home(struct zs_guard *guard, const char *text)
{
	const char *home = guard->places.home;
	size_t len = strlen(home), rest = strlen(text + 1) + 1;
	char *path = zs_arena_alloc(guard->places.arena, len + rest);

	memcpy(path, home, len);
	memcpy(path + len, text + 1, rest);
	return path;
}

/* Judges each string of the code: a path, where the code deletes; a command, where the code runs one. */
static void judge_strings(struct zs_guard *guard, const struct zs_payload *payload, bool deletes, bool runs)
{
	const char *code = payload->code.text;
	struct zs_deed deed = { .effect = ZS_EFFECT_DELETE,
		.deep = true,
		.command = (int32_t)payload->command,
		.span = payload->code.span };

	const char *list = NULL, *last = NULL; /* the strings of a list so far, and the end of the last one */

	for (const char *at = code; *at; at++) {
		const char *end = strchr("'\"`", *at) ? strchr(at + 1, *at) : NULL;
		const char *text;
		struct zs_word word = { 0 };

		if (!end)
			continue;
		text = zs_arena_string(guard->places.arena, at + 1, (size_t)(end - at - 1));
		if (last && strspn(last, ", \t\n") == (size_t)(at - last))
			list = zs_arena_format(guard->places.arena, "%s %s", list, text);
		else
			list = text;
		at = end;
		last = end + 1;
		if (runs) {
			judge_shell_in_code(guard, payload, text);
			if (list != text) /* ['rm', '-rf', x] */
				judge_shell_in_code(guard, payload, list);
		}
		if (*text == '~' && (!text[1] || text[1] == '/'))
			text = in_home(guard, text);
		word.text = text;
		if (deletes && (*text == '/' || strncmp(text, "..", 2) == 0 || strcmp(text, ".") == 0))
			zs_guard_word(guard, &deed, &word, &guard->folders[payload->command]);
	}
}

/* The SQL that destroys in a string of the code; NULL: there is none. */
static const char *sql_in_strings(struct zs_guard *guard, const char *code)
{
	for (const char *at = code, *end; *at; at++) {
		const char *text, *what;

		if (!strchr("'\"`", *at) || (end = strchr(at + 1, *at)) == NULL)
			continue;
		text = zs_arena_string(guard->places.arena, at + 1, (size_t)(end - at - 1));
		what = strchr(text, ' ') ? zs_sql_destroys(text) : NULL;
		if (what)
			return what;
		at = end;
	}
	return NULL;
}

/* Code that acts on a database or a cloud, or that runs code of another host. */
static void judge_services(struct zs_guard *guard, const struct zs_payload *payload)
{
	const char *code = payload->code.text, *what = NULL, *does = "it deletes data of the database";

	if (HAS_ANY(code, queries) && !strstr(code, ":memory:"))
		what = sql_in_strings(guard, code);
	if (!what && HAS_ANY(code, emptiers))
		what = "all rows";
	if (!what && (strstr(code, "ongo") || strstr(code, "risma")))
		what = mongo_destroys(guard, code);
	if (!what && HAS_ANY(code, clouds) && HAS_ANY(code, removers)) {
		what = "delete";
		does = "it deletes on another system";
	}
	if (what)
		zs_guard_find(guard, ZS_RISK_REMOTE_CHANGE, (int32_t)payload->command, what, does,
			"Show the person who runs you the code, and let them run it.", payload->code.span);
	if (HAS_ANY(code, fetchers) && HAS_ANY(code, evaluators))
		zs_guard_find(guard, ZS_RISK_OPAQUE_INTERPRETER, (int32_t)payload->command, NULL,
			"it runs code that another host sends", "Fetch it into a file, and read it first.",
			payload->code.span);
}

/* Functions whose first string is a file that they write; those after `open(` write with some modes. */
static const char *const writers[] = { "writeFileSync(", "writeFile(", "appendFileSync(", "appendFile(",
	"file_put_contents(", "File.write(", "IO.write(", "writeTextFileSync(", "writeTextFile(", "Bun.write(", "open(",
	"Path(" };

/* open("/etc/x", "w"), Path("/etc/x").write_text(…) */
static void judge_written(struct zs_guard *guard, const struct zs_payload *payload)
{
	struct zs_deed deed = {
		.effect = ZS_EFFECT_OVERWRITE, .command = (int32_t)payload->command, .span = payload->code.span
	};

	for (size_t i = 0; i < sizeof writers / sizeof *writers; i++)
		for (const char *at = payload->code.text; (at = strstr(at, writers[i])) != NULL;) {
			const char *end, *rest;
			struct zs_word word = { 0 };

			at += strlen(writers[i]);
			end = *at && strchr("'\"`", *at) ? strchr(at + 1, *at) : NULL;
			if (!end)
				continue;
			rest = end + 1 + strspn(end + 1, ", ");
			if ((strcmp(writers[i], "open(") == 0 &&
				    !(rest[0] && strchr("'\"", rest[0]) && rest[1] && strchr("wax", rest[1]))) ||
				(strcmp(writers[i], "Path(") == 0 && strncmp(rest, ").write_", 8) != 0))
				continue;
			word.text = zs_arena_string(guard->places.arena, at + 1, (size_t)(end - at - 1));
			if (*word.text == '/' || strncmp(word.text, "..", 2) == 0)
				zs_guard_word(guard, &deed, &word, &guard->folders[payload->command]);
		}
}

/* The rest of a path that begins with the home folder, as shells and languages write it: ~ $HOME ${HOME} $ENV{HOME}
 * #{Dir.home}; NULL: it does not. */
static const char *behind_home(const char *path)
{
	size_t name = strcspn(path, "/"), home;

	if (*path == '~')
		return path + 1;
	if (!strchr("$#{", *path))
		return NULL;
	for (home = 0; home + 4 <= name; home++)
		if (strncasecmp(path + home, "home", 4) == 0)
			return path + name;
	return NULL;
}

/* Judges words by the rules, and rm by its places. apart: they run in a container, so only what acts elsewhere counts.
 */
static void judge_as_command(struct zs_guard *guard, uint32_t index, const struct zs_word *words, uint32_t count,
	bool apart, struct zs_span span)
{
	struct zs_command command = { .span = span, .argv = words, .argc = count };
	const struct zs_ir ir = { .version = ZS_IR_VERSION, .commands = &command, .command_count = 1 };
	const struct zs_rule *rule;

	if (count < 2 || !words->text)
		return;
	command.key = command.row = words->text;
	rule = zs_first_rule(&ir, 0);
	if (rule && rule->code != ZS_RISK_NONE) {
		if (!apart || rule->code == ZS_RISK_REMOTE_CHANGE)
			zs_guard_find(guard, rule->code, (int32_t)index, command.key, rule->why, rule->instead, span);
		return;
	}
	if (apart)
		return;
	if (zs_listed(command.key, "sudo doas su pkexec"))
		zs_guard_find(guard, ZS_RISK_PRIVILEGE, (int32_t)index, command.key, NULL, NULL, span);
	for (uint32_t i = 1; strcmp(command.key, "rm") == 0 && i < count; i++) {
		struct zs_deed deed = {
			.effect = ZS_EFFECT_DELETE, .deep = true, .command = (int32_t)index, .span = span
		};
		const char *path = words[i].text;
		const char *rest = behind_home(path);
		const char *value = rest ? zs_arena_format(guard->places.arena, "%c%s", ZS_PLACE_HOME, rest) : path;
		struct zs_word word = { .values = &value, .value_count = 1 };

		if (*path != '-')
			zs_guard_word(guard, &deed, &word, &guard->folders[index]);
	}
}

/* It is not read as bash, so only the plain forms are found. */
static void judge_text(struct zs_guard *guard, uint32_t index, const char *text, bool apart, struct zs_span span)
{
	struct zs_arena *arena = guard->places.arena;
	ZS_LIST(struct zs_word) words = { 0 };

	for (const char *word = text + strspn(text, " \t\n"); *word; word += strspn(word, " \t\n")) {
		size_t len = strcspn(word, " \t\n");

		ZS_PUSH(arena, &words, (struct zs_word){ .text = zs_arena_string(arena, word, len), .span = span });
		word += len;
	}
	judge_as_command(guard, index, words.items, words.count, apart, span);
}

void zs_guard_text(struct zs_guard *guard, uint32_t index, const char *text, struct zs_span span)
{
	judge_text(guard, index, text, false, span);
}

static void judge_shell_in_code(struct zs_guard *guard, const struct zs_payload *payload, const char *text)
{
	judge_text(guard, payload->command, text, false, payload->code.span);
}

/* Lines of psql, mysql and sqlite3 that run a command: \! rm x, system rm x, .shell rm x */
static void judge_shell_in_sql(struct zs_guard *guard, const struct zs_payload *payload, const char *code)
{
	static const char *const starts[] = { "\\!", "system ", ".shell ", ".system " };

	for (const char *line = code; line; line = strchr(line, '\n')) {
		line += strspn(line, " \t\n;");
		for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
			if (strncmp(line, starts[i], strlen(starts[i])) == 0)
				judge_shell_in_code(guard, payload,
					zs_arena_string(guard->places.arena, line + strlen(starts[i]),
						strcspn(line + strlen(starts[i]), "\n")));
	}
}

/* amazon/aws-cli:2.1 holds aws: the tool that an image is named after. */
static const char *tool_of_image(struct zs_guard *guard, const char *image)
{
	const char *name = strrchr(image, '/') ? strrchr(image, '/') + 1 : image;
	size_t len = strcspn(name, ":@");

	if (len > 4 && strncmp(name + len - 4, "-cli", 4) == 0)
		len -= 4;
	return zs_arena_string(guard->places.arena, name, len);
}

/* docker run FLAG… IMAGE WORD…: the words are a command, or those of the program that the image starts. */
void zs_guard_image(struct zs_guard *guard, uint32_t index)
{
	static const char plain[] =
		"--rm -i -t -it -ti -d -itd -dit --init --interactive --tty --detach --read-only -q "
		"--quiet --privileged -T --no-deps --build --no-healthcheck";
	const struct zs_command *command = &guard->ir->commands[index];
	struct zs_word *words;
	uint32_t at;

	if (!zs_rule_command("docker|podman|nerdctl run|create", command, &at) &&
		!zs_rule_command("docker|podman|nerdctl container|compose run|create", command, &at) &&
		!zs_rule_command("docker-compose|podman-compose run", command, &at))
		return;
	for (; at < command->argc; at++) {
		const char *text = command->argv[at].text, *before = command->argv[at - 1].text;

		if (text && *text != '-' &&
			(!before || *before != '-' || strchr(before, '=') || zs_listed(before, plain)))
			break;
	}
	if (at + 1 >= command->argc)
		return;
	words = zs_arena_alloc(guard->places.arena, (command->argc - at) * sizeof *words);
	memcpy(words, command->argv + at, (command->argc - at) * sizeof *words);
	judge_as_command(guard, index, words + 1, command->argc - at - 1, true, command->span);
	words->text = tool_of_image(guard, words->text);
	judge_as_command(guard, index, words, command->argc - at, true, command->span);
	for (uint32_t i = at + 1; i + 2 < command->argc; i++) /* sh -c 'aws s3 rm …' */
		if (zs_listed(command->argv[i].text, "sh bash ash /bin/sh /bin/bash") &&
			zs_listed(command->argv[i + 1].text, "-c -lc -ec") && command->argv[i + 2].text)
			judge_text(guard, index, command->argv[i + 2].text, true, command->span);
}

/* sqlite3 test.db: a database of tests, or in a temporary folder. Another one may hold data that no commit holds. */
static bool is_scratch_database(struct zs_guard *guard, uint32_t index)
{
	const struct zs_command *command = &guard->ir->commands[index];

	if (!zs_listed(command->key, "sqlite3 sqlite duckdb") || guard->apart[index])
		return false;
	for (uint32_t i = 1; i < command->argc; i++) {
		const char *text = zs_word_value(&command->argv[i], 0);
		struct zs_worst worst;

		if (text && *text == '-')
			continue;
		worst = zs_guard_worst(guard, &command->argv[i], &guard->folders[index]);
		return worst.path.standing == ZS_PLACE_TEMPORARY ||
		       (worst.path.standing == ZS_PLACE_INSIDE && zs_matches(text ? text : "", "*test* :memory:"));
	}
	return false;
}

void zs_guard_exec_flags(struct zs_guard *guard, uint32_t index)
{
	const struct zs_command *command = &guard->ir->commands[index];

	if (!zs_listed(command->key, "git*") || !zs_rule_command("git rebase", command, &(uint32_t){ 0 }))
		return;
	for (uint32_t i = 1; i < command->argc; i++) {
		const char *text = command->argv[i].text;
		struct zs_payload payload = { .interpreter = "bash", .command = index };

		if (text && zs_matches(text, "--exec=*"))
			text = strchr(text, '=') + 1;
		else if (zs_listed(text, "-x --exec") && i + 1 < command->argc)
			text = command->argv[i + 1].text;
		else
			continue;
		payload.code = (struct zs_word){ .text = text, .span = command->argv[i].span };
		if (text)
			judge_shell_in_code(guard, &payload, text);
	}
}

/* mysql -e "DROP TABLE $t": the words that are known tell enough. */
static const char *dynamic_code(struct zs_guard *guard, const struct zs_payload *payload)
{
	const struct zs_command *command = &guard->ir->commands[payload->command];

	for (uint32_t i = 1; i < command->argc; i++) {
		const struct zs_word *word = &command->argv[i];

		if (word->raw && word->span.start == payload->code.span.start)
			return word->raw + strspn(word->raw, "\"'");
	}
	return NULL;
}

void zs_guard_payload(struct zs_guard *guard, const struct zs_payload *payload)
{
	const char *code = payload->code.text, *what;
	const char *key = guard->ir->commands[payload->command].key;

	if (!code && strcmp(payload->interpreter, "sql") == 0)
		code = dynamic_code(guard, payload);
	if (!code)
		return;
	zs_arena_spend(guard->places.arena, 64 * strlen(code));
	if (strcmp(payload->interpreter, "sql") == 0) {
		judge_shell_in_sql(guard, payload, code);
		what = is_scratch_database(guard, payload->command) ? NULL : zs_sql_destroys(code);
		if (what)
			zs_guard_find(guard, ZS_RISK_REMOTE_CHANGE, (int32_t)payload->command, what,
				"it deletes data of the database",
				"Read with SELECT, or give DELETE and UPDATE a WHERE; let the person who runs you do "
				"the rest.",
				payload->code.span);
	} else if (zs_listed(key, "mongosh mongo")) {
		what = mongo_destroys(guard, code);
		if (what)
			zs_guard_find(guard, ZS_RISK_REMOTE_CHANGE, (int32_t)payload->command, what,
				"it deletes data of the database", "Read with zs_guard_find().", payload->code.span);
	} else if (zs_listed(payload->interpreter, "shell")) {
		judge_shell_in_code(guard, payload, code);
	} else if (zs_listed(payload->interpreter, "vim gdb ed")) {
		what = strchr(code, '!');
		judge_shell_in_code(guard, payload, what ? what + 1 : strncmp(code, "shell ", 6) == 0 ? code + 6 : "");
	} else if (zs_listed(payload->interpreter, "python javascript perl ruby php lua awk")) {
		bool deletes = HAS_ANY(code, deleters), runs = HAS_ANY(code, runners);

		if (HAS_ANY(code, posters) && (HAS_ANY(code, loaders) || opens_file(code)) &&
			!strstr(code, "localhost") && !strstr(code, "127.0.0.1"))
			zs_guard_find(guard, ZS_RISK_SENDS_OUT, (int32_t)payload->command, NULL,
				"its code sends a file to another host", NULL, payload->code.span);
		if (deletes && HAS_ANY(code, homes))
			zs_guard_find(guard, ZS_RISK_DESTROYS, (int32_t)payload->command, NULL,
				"its code deletes in the home folder", "Stay in the workspace or in /tmp.",
				payload->code.span);
		judge_services(guard, payload);
		if (!guard->apart[payload->command])
			judge_written(guard, payload);
		if (deletes || runs)
			judge_strings(guard, payload, deletes, runs);
	}
}
