/* zs box: a place that lives on between the commands of a harness. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/command.h"
#include "base/json.h"
#include "base/message.h"
#include "base/sha256.h"
#include "named_session.h"
#include "run/box_copy.h"
#include "run/box_result.h"
#include "run/confine.h"
#include "run/confine_policy.h"
#include "run/denied.h"
#include "run/limit_value.h"
#include "snapshot.h"
#include "zs_box.h"

extern char **environ;

enum {
	OUTPUT_MAX = 10 * 1024 * 1024, /* bytes of each output that --json keeps */
	GET_MAX = 1024 * 1024 * 1024,  /* bytes of a file that get copies */
};

struct fields {
	bool json, token;
	const char *owner, *from, *user, *cwd, *timeout, *max_output, *mode;
	struct zs_option_list variables;
	struct zs_confine_fields confine;
};

static const struct zs_option box_options[] = {
	ZS_TEXT(0, "owner", "PID", offsetof(struct fields, owner),
		"create: end the box with this process (default: the\n"
		"nearest one above zs that is no shell)"),
	ZS_TEXT(0, "from", "NAME", offsetof(struct fields, from), "create: begin with what 'save' has kept as NAME"),
	ZS_FLAG(0, "token", offsetof(struct fields, token),
		"create: print a second line, the owner's token, which\n"
		"'policy ID --net hosts' needs"),
	ZS_TEXT(0, "cwd", "DIR", offsetof(struct fields, cwd), "exec: start CMD in DIR (default: the workspace)"),
	ZS_TEXT(0, "user", "USER", offsetof(struct fields, user),
		"exec: run CMD as USER or USER:GROUP, names or numbers\n"
		"of the box; put and get: copy as that user. It takes a\n"
		"box that was made with --users"),
	ZS_TEXT(0, "timeout", "TIME", offsetof(struct fields, timeout), "exec: kill CMD after this time: 30s, 2m, 1h"),
	ZS_LIST('e', "variable", "NAME=VALUE", offsetof(struct fields, variables), "exec: set this variable"),
	ZS_FLAG('j', "json", offsetof(struct fields, json),
		"exec: print output and end as a line of JSON; put and\n"
		"get: the file's digest; list: the same for each box"),
	ZS_TEXT(0, "max-output", "SIZE", offsetof(struct fields, max_output),
		"exec --json: keep so much of each output (default:\n"
		"10M); get: refuse a larger file (default: 1G)"),
	ZS_TEXT(0, "mode", "OCTAL", offsetof(struct fields, mode),
		"put: the file's mode (default: that of FILE; 644 for -)"),
	{ 0 },
};

static const struct zs_option_group box_groups[] = {
	{ "Options", box_options, 0 },
	{ "create: grants to the commands", zs_confine_options, offsetof(struct fields, confine) },
	{ 0 },
};

/* create */

static int parse_owner(const char *text, pid_t *ret_owner)
{
	char *end;
	long pid;

	if (!text)
		return ZS_EXIT_OK;
	errno = 0;
	pid = strtol(text, &end, 10);
	if (*text < '1' || *text > '9' || *end || errno || pid > INT_MAX)
		return zs_fail(ZS_EXIT_USAGE, "box: --owner: %s: is no process ID", text);
	*ret_owner = (pid_t)pid;
	return ZS_EXIT_OK;
}

static int create_of(const struct fields *fields, struct zs_policy *policy)
{
	char id[ZS_BOX_ID_SIZE], token[ZS_BOX_TOKEN_SIZE];
	struct zs_error error;
	pid_t owner = 0;
	int r = parse_owner(fields->owner, &owner);

	if (r == ZS_EXIT_OK && fields->confine.workspace)
		r = zs_enter("--workspace", fields->confine.workspace);
	if (r == ZS_EXIT_OK && fields->confine.chdir)
		r = zs_enter("--chdir", fields->confine.chdir);
	if (r != ZS_EXIT_OK)
		return r;
	if (zs_box_make(policy, owner, id, fields->token ? token : NULL, &error) < 0)
		return zs_fail_error(ZS_EXIT_CANNOT_ENFORCE, &error);
	if (fields->from && zs_snapshot_restore(id, fields->from, environ, &error) < 0) {
		zs_box_close(id, NULL);
		return zs_fail_error(ZS_EXIT_CANNOT_ENFORCE, &error);
	}
	puts(id);
	if (fields->token)
		puts(token);
	return ZS_EXIT_OK;
}

/* The snapshot's root directory is the box's. */
static int take_snapshot(const struct fields *fields, struct zs_confine_fields *confine, char **ret_root)
{
	struct zs_error error;

	if (!fields->from)
		return ZS_EXIT_OK;
	if (confine->root)
		return zs_fail(ZS_EXIT_USAGE, "box: --from: does not go with --root; the snapshot has the box's root");
	if (zs_snapshot_root(fields->from, environ, ret_root, &error) < 0)
		return zs_fail_error(ZS_EXIT_CANNOT_ENFORCE, &error);
	confine->root = *ret_root;
	return ZS_EXIT_OK;
}

static int box_create(const struct fields *fields, char *const words[])
{
	struct zs_confine_fields confine = fields->confine;
	ZS_AUTO_FREE char *root = NULL;
	struct zs_confinement made;
	int r = take_snapshot(fields, &confine, &root);

	(void)words;
	if (r == ZS_EXIT_OK)
		r = zs_make_policy(&confine, false, false, &made);
	if (r != ZS_EXIT_OK)
		return r;
	zs_tell_untrusted(&made);
	zs_tell_tasks(&made);
	zs_tell_left_out(&made);
	r = fields->confine.print_policy ? zs_print_policy(made.policy) : create_of(fields, made.policy);
	zs_confinement_free(&made);
	return r;
}

/* exec */

/* Without --users all processes of a box have the user who has made it, or are root in another root directory. */
static int check_only_user(const char *user, bool is_root)
{
	const struct passwd *entry = getpwnam(user);
	uid_t own = is_root ? 0 : geteuid();
	char *end;
	unsigned long number = strtoul(user, &end, 10);

	if ((entry && entry->pw_uid == own) || (*user >= '0' && *user <= '9' && !*end && number == own))
		return ZS_EXIT_OK;
	return zs_fail(ZS_EXIT_CANNOT_ENFORCE,
		"box: --user: %s: the box has no user but its own, %u; make it with --root DIR --users", user,
		(unsigned)own);
}

/* The box itself looks for the user. *ret_user: NULL: the command has the box's only user. */
static int choose_user(const char *id, const char *user, const char **ret_user)
{
	bool is_root, has_users;
	struct zs_error error;

	if (zs_box_is_root(id, &is_root, &has_users, &error) < 0)
		return zs_fail_error(ZS_EXIT_CANNOT_ENFORCE, &error);
	*ret_user = has_users ? user : NULL;
	return has_users ? ZS_EXIT_OK : check_only_user(user, is_root);
}

static int check_variables(const struct zs_option_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (!strchr(list->items[i], '=') || list->items[i][0] == '=')
			return zs_fail(ZS_EXIT_USAGE, "box: -e: %s: write NAME=VALUE", list->items[i]);
	return ZS_EXIT_OK;
}

/* Starts the collector, which prints into a file without a name. NULL: nothing is known of what is refused. */
static FILE *collect(const char *id, char *const argv[], int *ret_channel, char ret_digest[ZS_SHA256_HEX + 1])
{
	FILE *file = tmpfile();
	struct zs_policy *policy;
	struct zs_error error;
	char to[16];

	if (!file || zs_box_policy(id, &policy, &error) < 0)
		return file;
	zs_box_digest(policy, ret_digest);
	snprintf(to, sizeof to, "fd:%d", fileno(file));
	zs_denied_start(&(struct zs_denied_options){ .to = to, .usual = true, .report = -1, .member = true }, policy,
		argv, ret_channel);
	zs_policy_free(policy);
	return file;
}

/* Reads what the collector has printed: the whole of it ends with a newline. free() the result. */
static char *read_members(FILE *file)
{
	char *text = NULL;
	struct stat st;
	ssize_t len = -1;

	if (file && fstat(fileno(file), &st) == 0)
		text = malloc((size_t)st.st_size + 1);
	if (text)
		len = pread(fileno(file), text, (size_t)st.st_size, 0);
	if (file)
		fclose(file);
	if (len > 0 && text[len - 1] == '\n') {
		text[len - 1] = '\0';
		return text;
	}
	free(text);
	return strdup(zs_denied_no_members);
}

static int exec_in(const struct fields *fields, const char *id, struct zs_box_command *command)
{
	char digest[ZS_SHA256_HEX + 1] = "";
	FILE *members = fields->json ? collect(id, command->argv, &command->denials, digest) : NULL;
	struct zs_box_result result = { 0 };
	struct zs_error error;
	char text[1024];
	int r = zs_box_exec(id, command, &result, &error);
	const char *failure = r < 0 ? "not-run" : result.end == ZS_BOX_LOST ? "lost" : NULL;

	if (failure && fields->json)
		zs_error_format(&error, text, sizeof text);
	else if (failure)
		zs_complain_error(&error);
	if (fields->json) {
		ZS_AUTO_FREE char *denials = read_members(members);

		zs_box_print_result(&(struct zs_box_shown_result){ .result = &result,
			.captures = command->captures,
			.ran = r == 0,
			.failure = failure,
			.message = failure ? text : NULL,
			.policy = r == 0 && *digest ? digest : NULL,
			.denials = denials ? denials : zs_denied_no_members });
	}
	if (failure)
		return r < 0 ? ZS_EXIT_CANNOT_ENFORCE : ZS_EXIT_UNPROTECTED;
	if (result.end == ZS_BOX_TIMED_OUT && !fields->json)
		zs_complain("box: --timeout %s is over; the command was killed", fields->timeout);
	return result.end == ZS_BOX_TIMED_OUT ? ZS_EXIT_TIMED_OUT : result.status;
}

static int parse_max(const struct fields *fields, uint64_t fallback, uint64_t *ret_most)
{
	*ret_most = fallback;
	if (!fields->max_output || (zs_parse_bytes(fields->max_output, ret_most) && *ret_most <= SIZE_MAX / 2))
		return ZS_EXIT_OK;
	return zs_fail(ZS_EXIT_USAGE, "box: --max-output: %s: is no size; write 64K, 10M or 1G", fields->max_output);
}

static int box_exec(const struct fields *fields, char *const words[])
{
	struct zs_box_capture captures[ZS_BOX_OUTPUTS] = { 0 };
	struct zs_box_command command = { .argv = words + 1,
		.envp = fields->variables.count ? (char **)(uintptr_t)fields->variables.items : NULL,
		.cwd = fields->cwd,
		.captures = fields->json ? captures : NULL,
		.signals = true };
	uint64_t seconds = 0, most;
	int r = check_variables(&fields->variables);

	if (r == ZS_EXIT_OK && fields->user)
		r = choose_user(words[0], fields->user, &command.user);
	if (r != ZS_EXIT_OK)
		return r;
	if (fields->timeout && !zs_parse_seconds(fields->timeout, &seconds))
		return zs_fail(
			ZS_EXIT_USAGE, "box: --timeout: %s: is no time; write a number and s, m or h", fields->timeout);
	if (fields->max_output && !fields->json)
		return zs_fail(ZS_EXIT_USAGE, "box: --max-output: goes with --json");
	r = parse_max(fields, OUTPUT_MAX, &most);
	if (r != ZS_EXIT_OK)
		return r;
	command.milliseconds = (int64_t)seconds * 1000;
	for (size_t i = 0; i < ZS_BOX_OUTPUTS; i++)
		captures[i].max = (size_t)most;
	r = exec_in(fields, words[0], &command);
	for (size_t i = 0; i < ZS_BOX_OUTPUTS; i++)
		free(captures[i].bytes);
	return r;
}

/* put, get */

static int box_put(const struct fields *fields, char *const words[])
{
	const char *user = NULL;
	int r = fields->user ? choose_user(words[0], fields->user, &user) : ZS_EXIT_OK;

	return r == ZS_EXIT_OK ? zs_box_copy_in(words, fields->mode, user, fields->json) : r;
}

static int box_get(const struct fields *fields, char *const words[])
{
	const char *user = NULL;
	uint64_t most;
	int r = parse_max(fields, GET_MAX, &most);

	if (r == ZS_EXIT_OK && fields->user)
		r = choose_user(words[0], fields->user, &user);
	return r == ZS_EXIT_OK ? zs_box_copy_out(words, most, user, fields->json) : r;
}

/* save */

static int box_save(const struct fields *fields, char *const words[])
{
	struct zs_error error;
	int r = zs_snapshot_save(words[0], words[1], environ, &error);

	(void)fields;
	if (r == 0)
		return ZS_EXIT_OK;
	return zs_fail_error(r == -EINVAL ? ZS_EXIT_USAGE : ZS_EXIT_CANNOT_ENFORCE, &error);
}

/* list, close */

static void print_json(const struct zs_box_shown *shown, void *arg)
{
	(void)arg;
	zs_json_print_line(stdout, "{'id':%s,'workspace':%s,'seconds':%u,'processes':%d}", shown->id, shown->workspace,
		(unsigned)shown->seconds, shown->processes);
}

static void print_text(const struct zs_box_shown *shown, void *arg)
{
	(void)arg;
	printf("%s\t%s\t%us\t", shown->id, shown->workspace, (unsigned)shown->seconds);
	zs_print_processes(shown->processes);
}

static int box_list(const struct fields *fields, char *const words[])
{
	struct zs_error error;

	(void)words;
	return zs_box_each(fields->json ? print_json : print_text, NULL, &error) < 0
		       ? zs_fail_error(ZS_EXIT_CANNOT_ENFORCE, &error)
		       : ZS_EXIT_OK;
}

/* As one line. The digest in results is that of the text without the newline. */
static int print_policy(const char *id)
{
	ZS_AUTO_FREE char *text = NULL;
	struct zs_policy *policy;
	struct zs_error error;
	size_t len;
	int r = zs_box_policy(id, &policy, &error);

	if (r == 0) {
		r = zs_policy_to_json(policy, false, &text, &len, &error);
		zs_policy_free(policy);
	}
	if (r < 0)
		return zs_fail_error(ZS_EXIT_CANNOT_ENFORCE, &error);
	puts(text);
	return ZS_EXIT_OK;
}

/* The token is the first line of standard input: other processes can read the words of a command line. */
static int give_hosts(const char *id)
{
	char token[2 * ZS_BOX_TOKEN_SIZE] = "";
	struct zs_error error;

	if (fgets(token, sizeof token, stdin))
		token[strcspn(token, "\n")] = '\0';
	if (!*token)
		return zs_fail(ZS_EXIT_USAGE, "box: policy: --net hosts: the token belongs on standard input");
	return zs_box_resume(id, token, &error) < 0 ? zs_fail_error(ZS_EXIT_CANNOT_ENFORCE, &error) : ZS_EXIT_OK;
}

static int box_policy(const struct fields *fields, char *const words[])
{
	const char *network = fields->confine.network;
	struct zs_error error;

	if (!network)
		return print_policy(words[0]);
	if (strcmp(network, "hosts") == 0)
		return give_hosts(words[0]);
	if (strcmp(network, "none") != 0)
		return zs_fail(
			ZS_EXIT_USAGE, "box: policy: --net: write none, or hosts to give back what none has taken");
	return zs_box_cut(words[0], &error) < 0 ? zs_fail_error(ZS_EXIT_CANNOT_ENFORCE, &error) : ZS_EXIT_OK;
}

static int box_close(const struct fields *fields, char *const words[])
{
	struct zs_error error;

	(void)fields;
	if (zs_box_close(words[0], &error) < 0)
		return zs_fail_error(error.cause == ENOENT ? ZS_EXIT_NO : ZS_EXIT_CANNOT_ENFORCE, &error);
	return ZS_EXIT_OK;
}

/* The words after the verb: at least `least`, and at most `most`. */
struct verb {
	const char *name;
	int (*main)(const struct fields *fields, char *const words[]);
	int least, most;
	const char *options; /* with a blank around each; NULL: the grants, --owner, --from and --token */
};

static const struct verb verbs[] = {
	{ "create", box_create, 0, 0, NULL },
	{ "exec", box_exec, 2, INT_MAX, " cwd user timeout variable json max-output " },
	{ "put", box_put, 3, 3, " mode user json " },
	{ "get", box_get, 3, 3, " max-output user json " },
	{ "save", box_save, 2, 2, " " },
	{ "list", box_list, 0, 0, " json " },
	{ "policy", box_policy, 1, 1, " net " },
	{ "close", box_close, 1, 1, " " },
};

static bool goes_with(const char *name, const char *value, void *arg)
{
	const struct verb *verb = arg;
	char word[64];

	(void)value;
	snprintf(word, sizeof word, " %s ", name);
	if (strstr(verb->options ? verb->options : " owner from token ", word))
		return true;
	return zs_fail(false, "box: --%s: does not go with %s; see 'zs box --help'", name, verb->name);
}

static int box_main(const void *storage, const struct zs_operands *operands)
{
	const struct fields *fields = storage;
	const struct verb *verb = NULL;

	for (size_t i = 0; i < sizeof verbs / sizeof *verbs && operands->count; i++)
		if (strcmp(operands->items[0], verbs[i].name) == 0)
			verb = &verbs[i];
	if (!verb)
		return zs_fail(ZS_EXIT_USAGE, "box: write zs box create, exec, put, get, save, list, policy or close");
	if (operands->count - 1 < verb->least || operands->count - 1 > verb->most)
		return zs_fail(
			ZS_EXIT_USAGE, "box: %s: it has too few or too many words; see 'zs box --help'", verb->name);
	if (!zs_options_given(box_options, fields, goes_with, (void *)(uintptr_t)verb) ||
		(verb->options &&
			!zs_options_given(zs_confine_options, &fields->confine, goes_with, (void *)(uintptr_t)verb)))
		return ZS_EXIT_USAGE;
	return verb->main(fields, operands->items + 1);
}

const struct zs_subcommand zs_box_subcommand = {
	.name = "box",
	.description = "Make a place that lives on between commands",
	.usage = "create [OPTIONS]\n"
		 "exec ID [OPTIONS] [--] CMD [ARGS...]\n"
		 "put [--mode OCTAL] [--user USER] [--json] ID FILE PATH\n"
		 "get [--max-output SIZE] [--user USER] [--json] ID PATH FILE\n"
		 "save ID NAME\n"
		 "list [--json]\n"
		 "policy ID [--net none|hosts]\n"
		 "close ID",
	.groups = box_groups,
	.words = "create|exec|put|get|save|list|policy|close",
	.operands_end_options = true,
	.own_operands = 2,
	.notes = "create prints the ID. The commands of a box share /tmp, the network and their\n"
		 "processes, until close, the end of the owner or a limit ends them all. FILE is\n"
		 "outside, or - for standard input or output; PATH is inside. policy prints the\n"
		 "box's policy; --net none ends all connections that leave the box, for good, or\n"
		 "until --net hosts gets the token on standard input.\n"
		 "\n"
		 "The exit code of exec is the command's own. 124: --timeout is over. 122: the box\n"
		 "ended before the command did. 125: nothing ran. --json tells them from a command\n"
		 "that ends with the same code: 'failure' is not null, and 'status' is. put and get\n"
		 "end with 1 when the box's files do not allow it.",
	.fields_size = sizeof(struct fields),
	.main = box_main,
};
