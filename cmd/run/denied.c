#include "run/denied.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "base/memory_stream.h"
#include "base/message.h"
#include "named_session.h"
#include "run/expected.h"
#include "run/receipt.h"

extern char **environ;

const char zs_denied_no_members[] = "\"denials\":null,\"denials_others\":0,\"denials_blind\":true";

/* Writes the members of a record, and the brace that ends it. */
static void put_denial(struct zs_json *json, const struct zs_denial *denial)
{
	zs_json_print(json,
		"'kind':%s,'named':%s,'path':%s,'process':%s,'pid':%d,'errno':%d,"
		"'cause':%s,'exists':%i,'times':%u,'decisive':%i,'option':%s,'value':%s,'risk':%s}",
		zs_denial_kind_name(denial->kind), denial->named, denial->real, denial->process, (int)denial->pid,
		denial->error, zs_denial_cause_text(denial->cause), denial->exists, denial->times, denial->decisive,
		denial->option, denial->value, denial->risk);
}

void zs_denied_print_json(FILE *out, const struct zs_denial *denial)
{
	struct zs_json json = { out, false };

	zs_json_print(&json, "{'event':'denied',");
	put_denial(&json, denial);
	fputc('\n', out);
}

void zs_denied_program(struct zs_denials *denials, const char *name)
{
	const char *list = getenv("PATH");
	char folder[PATH_MAX], path[2 * PATH_MAX];

	if (strchr(name, '/')) {
		bool whole = *name == '/';

		if (whole || getcwd(folder, sizeof folder)) {
			snprintf(path, sizeof path, "%s%s%s", whole ? "" : folder, whole ? "" : "/", name);
			zs_denials_add_program(denials, path);
		}
		return;
	}
	for (; list && *list; list += strcspn(list, ":"), list += *list == ':') {
		snprintf(path, sizeof path, "%.*s/%s", (int)strcspn(list, ":"), list, name);
		if (*path == '/' && access(path, X_OK) == 0) {
			zs_denials_add_program(denials, path);
			return;
		}
	}
}

/* The end of a run. */
struct outcome {
	struct zs_denials *denials; /* NULL: there are none */
	int status;
	bool blind; /* its calls were not looked at */
};

static void print_json(FILE *out, const struct outcome *outcome)
{
	const struct zs_denials *denials = outcome->denials;

	for (size_t i = 0; denials && i < zs_denials_count(denials); i++)
		zs_denied_print_json(out, zs_denials_get(denials, i));
	zs_json_print_line(out, "{'event':'end','status':%d,'others':%zu,'blind':%i}", outcome->status,
		denials ? zs_denials_others(denials) : 0, outcome->blind);
}

static void print_members(FILE *out, const struct outcome *outcome)
{
	const struct zs_denials *denials = outcome->denials;
	size_t count = denials ? zs_denials_count(denials) : 0;
	struct zs_json json = { out, false };

	zs_json_print(&json, "'denials':[");
	for (size_t i = 0; i < count; i++) {
		zs_json_print(&json, "{");
		put_denial(&json, zs_denials_get(denials, i));
	}
	zs_json_print(&json, "],'denials_others':%zu,'denials_blind':%i", denials ? zs_denials_others(denials) : 0,
		outcome->blind);
	fputc('\n', out);
}

/* Prints a record of a model's as a line of JSON, in one write, since the proxy writes into the same pipe. The proxy
 * reports its hosts itself. */
static void report_line(int report, const struct zs_denial *denial)
{
	bool by_proxy = denial->cause == ZS_DENIED_NO_HOST && denial->pid == 0;
	char *line = NULL;
	size_t len = 0;
	FILE *out = by_proxy ? NULL : zs_memory_stream(&line, &len);

	if (out)
		zs_json_print_line(out, "{'event':'denied','kind':%s,'path':%s,'reason':%s,'option':%s,'value':%s}",
			zs_denial_kind_name(denial->kind), denial->real, zs_denial_cause_text(denial->cause),
			denial->option, denial->value);
	/* A server that has gone needs none. */
	if (zs_memory_close(out, &line) && len <= PIPE_BUF && write(report, line, len) < 0)
		len = 0;
	free(line);
}

/* The last records: a run fails from these rather than from the first ones. */
static void print_lines(const struct outcome *outcome, const struct zs_denied_options *options)
{
	static char line[3 * PATH_MAX];
	bool blind = outcome->blind && !options->usual;
	size_t all = zs_denials_count(outcome->denials), others = zs_denials_others(outcome->denials);
	size_t room = ZS_DENIED_LINES_MAX - blind, count = 0, left_out = 0;

	for (size_t i = 0; i < all; i++)
		count += !zs_denial_is_spare(zs_denials_get(outcome->denials, i));
	if (blind)
		zs_complain("denials: without namespaces zs sees refused hosts alone; zs why -- CMD shows the rest");
	if (count > room || others)
		room--;
	if (count > room)
		left_out = count - room;
	for (size_t i = 0, seen = 0; i < all; i++) {
		const struct zs_denial *denial = zs_denials_get(outcome->denials, i);

		if (zs_denial_is_spare(denial) || seen++ < left_out)
			continue;
		zs_denial_format(denial, getenv("HOME"), line, sizeof line);
		zs_complain("denied %s", line);
		if (options->report >= 0)
			report_line(options->report, denial);
	}
	if (left_out || others)
		zs_complain(
			"denied %zu more%s", left_out + others, options->model ? "" : "; --denials=FILE lists them");
}

/* Adds the program that zs itself has failed to start. A model must not learn which folder of PATH has it. */
static void add_program(const struct outcome *outcome, const struct zs_denied_options *options, const char *program)
{
	bool failed = outcome->status == ZS_EXIT_CANNOT_EXECUTE || outcome->status == ZS_EXIT_NOT_FOUND;

	if (failed && outcome->denials && zs_denials_count(outcome->denials) == 0 &&
		(!options->model || strchr(program, '/')))
		zs_denied_program(outcome->denials, program);
}

static bool put_word(const char *name, const char *value, void *arg)
{
	FILE *out = arg;

	/* remember() adds it. */
	if (value && strcmp(name, "workspace") == 0)
		return true;
	fprintf(out, "--%s%s%s", name, value ? "=" : "", value ? value : "");
	fputc('\0', out);
	return true;
}

/* Remembers the run for zs why: the folder in which its options were given, and the words of zs. A run that cannot be
 * remembered is no error of the command's. */
static void remember(const struct zs_policy *policy, const struct zs_denied_options *options, char *const argv[])
{
	const struct zs_confine_fields *fields = options->fields;
	const char *workspace = fields ? fields->workspace : NULL;
	char folder[PATH_MAX];
	char *words = NULL;
	size_t len = 0;
	FILE *out = fields && getcwd(folder, sizeof folder) ? zs_memory_stream(&words, &len) : NULL;

	if (!out)
		return;
	fprintf(out, "%s", folder);
	fputc('\0', out);
	zs_options_given(options->table, fields, put_word, out);
	if (workspace && !fields->policy)
		fprintf(out, "--workspace=%s", options->here ? workspace : folder);
	if (workspace && !fields->policy)
		fputc('\0', out);
	if (fields->hides_secrets && !fields->secrets && !fields->policy)
		put_word("secrets", "hide", out);
	if (options->here && !fields->chdir)
		put_word("chdir", folder, out);
	put_word("", NULL, out);
	for (; *argv; argv++) {
		fputs(*argv, out);
		fputc('\0', out);
	}
	if (zs_memory_close(out, &words))
		zs_denials_remember(policy, environ, words, len);
	free(words);
}

/* Compares what was refused with what the rows say of the command. */
static void compare(const struct outcome *outcome, const struct zs_denied_options *options)
{
	size_t others = outcome->denials ? zs_denials_others(outcome->denials) : 0;

	if (outcome->blind)
		zs_complain("agree: without namespaces zs sees no write that it refuses; --diff compares the changes");
	else if (outcome->denials)
		zs_expected_refused(options->expected, outcome->denials, stderr, options->json);
	if (others)
		zs_complain("agree: %zu more refused calls are not compared; --diff compares the changes", others);
}

/* The client of a session copies its command's output. Waits until it has, and is about to end. */
static void await_output(int channel)
{
	enum { OUTPUT_MS = 1000 };
	struct pollfd event = { channel, POLLIN, 0 };

	if (write(channel, "", 1) == 1)
		poll(&event, 1, OUTPUT_MS);
}

/* Waits beside the run. file: NULL: for lines on stderr. */
static _Noreturn void be_collector(const struct zs_policy *policy, int channel, FILE *file,
	const struct zs_denied_options *options, char *const argv[])
{
	struct outcome outcome = { .status = ZS_EXIT_CANNOT_ENFORCE };
	struct zs_error error;
	int r;

	if (!zs_stand_by(channel, file ? fileno(file) : options->report))
		_exit(ZS_EXIT_CANNOT_ENFORCE);
	r = (options->model ? zs_denials_collect_for_model : zs_denials_collect)(
		policy, channel, &outcome.denials, &outcome.status, &outcome.blind, &error);
	/* The members say that nothing is known. */
	if (r < 0 && r != -ESRCH && !options->member)
		zs_complain_error(&error);
	if (options->fixed && !file && r == 0)
		await_output(channel);
	add_program(&outcome, options, argv[0]);
	if (file && options->member && r == 0)
		print_members(file, &outcome);
	else if (file && !options->member)
		print_json(file, &outcome);
	else if (r == 0 && outcome.status != 0 && !options->silent)
		print_lines(&outcome, options);
	if (file && fclose(file) != 0)
		zs_complain_errno("denials", "the records", errno);
	if (r == 0 && options->expected)
		compare(&outcome, options);
	if (r == 0 && outcome.status != 0 && zs_denials_count(outcome.denials) > 0)
		remember(policy, options, argv);
	_exit(ZS_EXIT_OK);
}

/* Opens what "fd:N" names. */
static int open_descriptor(const char *number)
{
	char *end;
	long fd = (errno = 0, strtol(number, &end, 10));
	int copy;

	if (*number < '0' || *number > '9' || *end || errno || fd > INT_MAX)
		return zs_fail(-1, "--denials: fd:%s: is no descriptor's number", number);
	copy = fcntl((int)fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	return copy < 0 ? zs_fail_errno(-1, "denials", number, errno) : copy;
}

static int open_file(const struct zs_denied_options *options, struct zs_policy *policy, FILE **ret_file)
{
	const char *to = options->to;
	bool numbered = strncmp(to, "fd:", 3) == 0;
	ZS_AUTO_FD int fd = -1;
	struct zs_error error;
	int r = ZS_EXIT_OK;

	if (options->fixed && !numbered && zs_named_check_file(policy, to, &error) < 0)
		return zs_fail_error(ZS_EXIT_USAGE, &error);
	fd = numbered ? open_descriptor(to + 3) : zs_open_report("denials", to);
	if (fd < 0)
		return ZS_EXIT_USAGE;
	if (!numbered && !options->fixed)
		r = zs_protect_report("denials", to, fd, policy);
	*ret_file = r == ZS_EXIT_OK ? fdopen(fd, "w") : NULL;
	if (r == ZS_EXIT_OK && !*ret_file)
		return zs_fail_errno(ZS_EXIT_CANNOT_ENFORCE, "denials", to, errno);
	fd = r == ZS_EXIT_OK ? -1 : fd;
	return r;
}

static int start(const struct zs_policy *policy, FILE *file, const struct zs_denied_options *options,
	char *const argv[], int *ret_channel)
{
	int ends[2], r = zs_denials_channel(ends);
	pid_t pid;

	if (r == -ENOSYS && options->expected)
		return zs_fail(ZS_EXIT_CANNOT_ENFORCE, "agree: this system has no way to look at a run; add --verify");
	if (r == -ENOSYS && options->usual)
		return ZS_EXIT_OK;
	if (r == -ENOSYS)
		return zs_fail(ZS_EXIT_CANNOT_ENFORCE, "denials: this system has no way to look at a run; use Linux");
	if (r < 0)
		return zs_fail_errno(ZS_EXIT_CANNOT_ENFORCE, "denials", "channel", r);
	fflush(NULL);
	pid = fork();
	if (pid == 0)
		be_collector(policy, ends[0], file, options, argv);
	close(ends[0]);
	if (pid < 0 || fcntl(ends[1], F_SETFD, 0) < 0) {
		close(ends[1]);
		return zs_fail_errno(ZS_EXIT_CANNOT_ENFORCE, "denials", "fork", errno);
	}
	*ret_channel = ends[1];
	return ZS_EXIT_OK;
}

int zs_denied_start(
	const struct zs_denied_options *options, struct zs_policy *policy, char *const argv[], int *ret_channel)
{
	FILE *file = NULL;
	int r = *options->to ? open_file(options, policy, &file) : ZS_EXIT_OK;

	if (r == ZS_EXIT_OK)
		r = start(policy, file, options, argv, ret_channel);
	if (file)
		fclose(file);
	return r;
}
