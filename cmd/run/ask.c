#include "run/ask.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "run/confine_policy.h"
#include "exec_command.h"
#include "run/limit_value.h"
#include "base/message.h"
#include "base/person.h"
#include "base/shell_quote.h"
#include "settings/settings_places.h"

extern char **environ;

#define FIELD(name) offsetof(struct zs_ask_fields, name)

enum {
	PATIENCE_SECONDS = 120,
	TRIES = 3,             /* how often a question is asked until the answer is valid */
	COMMAND_COLUMNS = 400, /* how much of a word of the command is shown */
	COMMAND_WORDS = 12,
};

const struct zs_option zs_ask_options[] = {
	ZS_FLAG(0, "ask", FIELD(ask),
		"ask for the grants named below; grant without a\n"
		"question those approved for this session"),
	ZS_LIST(0, "want-host", "NAME", FIELD(hosts), "connect to NAME, *.NAME or NAME:PORT"),
	ZS_LIST(0, "want-write", "PATH", FIELD(writes), "write PATH, and below"),
	ZS_FLAG(0, "want-git", FIELD(git), "write git's metadata, as commits do"),
	ZS_FLAG(0, "want-all-hosts", FIELD(all_hosts), "connect to any host"),
	ZS_FLAG(0, "want-all-writes", FIELD(all_writes), "write all that you can write"),
	ZS_FLAG(0, "want-unsandboxed", FIELD(unsandboxed), "run without any sandbox"),
	ZS_TEXT(0, "ask-for", "TIME", FIELD(patience), "the longest wait for each answer (default: 2m)"),
	{ 0 },
};

bool zs_check_ask(const struct zs_ask_fields *fields)
{
	bool wants = fields->git || fields->all_hosts || fields->all_writes || fields->unsandboxed ||
		     fields->hosts.count || fields->writes.count;

	if (fields->ask || (!wants && !fields->patience))
		return true;
	return zs_fail(false, "%s: needs --ask; add --ask", wants ? "--want-*" : "--ask-for");
}

/* Asking the person at the controlling terminal */

struct asking {
	uint64_t seconds;    /* the time for each answer */
	char settings[4096]; /* the user's file, which keeps answers for always; "": settings do not count */
	bool denied;         /* set once stderr has a message for each denial */
};

static void ask_put_command(FILE *out, const struct zs_request *request)
{
	fputs("\nzs: a command asks for more than its policy grants:\n ", out);
	for (size_t i = 0; request->argv && request->argv[i]; i++) {
		size_t len = strlen(request->argv[i]), fits = zs_fit_text(request->argv[i], len, COMMAND_COLUMNS);

		if (i == COMMAND_WORDS) {
			fputs(" …", out);
			break;
		}
		fputc(' ', out);
		zs_put_quoted(out, request->argv[i], fits);
		if (fits < len)
			fputs("…", out);
	}
	if (request->folder) {
		fputs("\n  in ", out);
		zs_put_quoted(out, request->folder, strlen(request->folder));
	}
	fputc('\n', out);
}

static void put_need(FILE *out, const struct zs_need *need)
{
	fprintf(out, "\n%s", zs_need_text(need->kind));
	if (need->granted) {
		fputs(":\n  asked for  ", out);
		zs_put_quoted(out, need->wanted, strlen(need->wanted));
		fputs(need->missing ? "\n             is not there; to make it, the nearest folder:\n  this is    "
				    : "\n  this is    ",
			out);
		zs_put_quoted(out, need->granted, strlen(need->granted));
		if (need->kind == ZS_NEED_WRITE)
			fputs(need->folder ? ", and all below it" : ", this one file", out);
	}
	if (need->broad)
		fprintf(out, "\n  this is BROAD: %s", need->broad);
	fputc('\n', out);
}

/* Prints how to approve an item beforehand. */
static void ask_tell(const struct asking *asking, const struct zs_need *need, const char *why)
{
	const char *option = zs_need_option(need->kind), *value = need->granted ? need->granted : "";
	char by_option[ZS_SHELL_WORD_BYTES + 32] = "", by_setting[sizeof asking->settings + 64] = "";
	char word[ZS_SHELL_WORD_BYTES];

	if (option)
		snprintf(by_option, sizeof by_option, "%s%s%s", option, *value ? " " : "",
			*value ? zs_shell_word(value, word) : "");
	if (*asking->settings)
		snprintf(by_setting, sizeof by_setting, "\"%s\" of \"sandbox\" in %s", zs_need_setting(need->kind),
			asking->settings);
	zs_complain("ask: %s%s%s: denied: %s; to grant it: %s%s%s", zs_need_name(need->kind), *value ? ": " : "", value,
		why, by_option, *by_option && *by_setting ? ", or " : "",
		*by_option || *by_setting ? by_setting : "answer yes at a terminal");
}

static void tell_all(
	struct asking *asking, const struct zs_question *question, const enum zs_answer *answers, const char *why)
{
	for (size_t i = 0; i < question->count; i++)
		if (answers[i] == ZS_ANSWER_DENY)
			ask_tell(asking, &question->needs[i], why);
	asking->denied = true;
}

/* The answers that are possible: whether one can last for the session, or always. */
struct offer {
	bool session, always;
};

/* Accepts the first letter or the whole word. */
static bool parse_answer(const char *line, struct offer offer, enum zs_answer *ret_answer)
{
	for (enum zs_answer answer = ZS_ANSWER_DENY; answer < ZS_ANSWER_COUNT; answer++) {
		const char *name = zs_answer_name(answer);
		const char letter[] = { name[0], '\0' };

		if ((strcasecmp(line, letter) != 0 && strcasecmp(line, name) != 0) ||
			(answer == ZS_ANSWER_SESSION && !offer.session) ||
			(answer == ZS_ANSWER_ALWAYS && !offer.always))
			continue;
		*ret_answer = answer;
		return true;
	}
	*ret_answer = ZS_ANSWER_DENY;
	return *line == '\0';
}

static enum zs_answer ask_one(const struct zs_person *person, const struct zs_need *need, struct offer offer)
{
	enum zs_answer answer = ZS_ANSWER_DENY;
	char question[64], line[ZS_ANSWER_BYTES];

	snprintf(question, sizeof question, "[d]eny, [o]nce%s%s? ", offer.session ? ", for this [s]ession" : "",
		offer.always ? ", [a]lways" : "");
	put_need(person->out, need);
	for (int i = 0; i < TRIES && zs_person_ask(person, question, line); i++)
		if (parse_answer(line, offer, &answer))
			return answer;
	return ZS_ANSWER_DENY;
}

/* A zs_approval_ask; data is a struct asking. Anything but a clear yes is a no: another word, the end of the input, ^C,
 * no answer in time, a process in the background, or no terminal. */
static int ask_terminal(const struct zs_question *question, enum zs_answer *answers, void *data, struct zs_error *error)
{
	struct asking *asking = data;
	struct zs_person person;
	const char *why = zs_person_meet(&person, asking->seconds);
	const struct offer offer = { question->session, *asking->settings };
	bool denied = false;

	(void)error;
	if (why) {
		tell_all(asking, question, answers, why);
		return 0;
	}
	ask_put_command(person.out, question->request);
	for (size_t i = 0; i < question->count && !denied; i++) {
		answers[i] = ask_one(&person, &question->needs[i], offer);
		denied = answers[i] == ZS_ANSWER_DENY;
	}
	zs_person_leave(&person);
	if (denied)
		tell_all(asking, question, answers, "not approved");
	return 0;
}

/* The request */

static void free_list(char **list)
{
	for (size_t i = 0; list && list[i]; i++)
		free(list[i]);
	free(list);
}

/* Copies the paths as absolute ones, up to a NULL; free_list() it. Returns an exit code. */
static int copy_paths(const struct zs_option_list *list, char ***ret_paths)
{
	char **paths = calloc(list->count + 1, sizeof *paths);
	int r = paths ? ZS_EXIT_OK : ZS_EXIT_CANNOT_ENFORCE;

	if (!paths)
		zs_complain_errno("ask", "", ENOMEM);
	for (size_t i = 0; r == ZS_EXIT_OK && i < list->count; i++)
		r = zs_absolute_option("--want-write", list->items[i], &paths[i]);
	if (r == ZS_EXIT_OK)
		*ret_paths = paths;
	else
		free_list(paths);
	return r;
}

/* After a denial, the message is already on stderr. */
static int ask_refuse(const struct zs_error *error, const struct asking *asking)
{
	if (asking->denied)
		return ZS_EXIT_BLOCKED;
	return zs_fail_error(error->cause == EACCES || error->cause == EPERM ? ZS_EXIT_BLOCKED : ZS_EXIT_USAGE, error);
}

static int ask(const struct zs_request *request, struct asking *asking, struct zs_approvals *approvals)
{
	struct zs_error error, save_error;
	int r = zs_approvals_ask(approvals, request, ask_terminal, asking, &error);
	int saved = zs_approvals_save(approvals, &save_error);

	if (r < 0)
		r = ask_refuse(&error, asking);
	return saved < 0 ? zs_fail_error(ZS_EXIT_BAD_INPUT, &save_error) : r;
}

/* Loads earlier approvals. The setting allow_unsandboxed is not part of a policy, so it is added here. */
static int remember(const struct zs_settings *settings, struct zs_approvals *approvals)
{
	struct zs_error error;

	if (settings && zs_settings_allow_unsandboxed(settings) &&
		zs_approvals_add(approvals, ZS_NEED_UNSANDBOXED, NULL, ZS_ANSWER_ALWAYS, &error) < 0)
		return zs_fail_error(ZS_EXIT_CANNOT_ENFORCE, &error);
	return zs_approvals_load(approvals, &error) < 0 ? zs_fail_error(ZS_EXIT_BAD_INPUT, &error) : ZS_EXIT_OK;
}

static int widen(const struct zs_approvals *approvals, struct zs_policy *policy)
{
	struct zs_error error;

	if (zs_approvals_apply(approvals, policy, &error) < 0 || zs_settings_protect(policy, environ, &error) < 0 ||
		zs_approvals_protect(policy, environ, &error) < 0)
		return zs_fail_error(ZS_EXIT_CANNOT_ENFORCE, &error);
	return ZS_EXIT_OK;
}

static int ask_fill(const struct zs_ask_fields *fields, bool settings, struct asking *asking)
{
	char *folder;

	*asking = (struct asking){ .seconds = PATIENCE_SECONDS };
	if (settings && zs_settings_folder(&zs_settings_places.config, environ, &folder) == 0) {
		snprintf(asking->settings, sizeof asking->settings, "%s/settings.json", folder);
		free(folder);
	}
	if (!fields->patience || zs_parse_seconds(fields->patience, &asking->seconds))
		return ZS_EXIT_OK;
	return zs_fail(ZS_EXIT_USAGE, "--ask-for: %s: is not a time; write a number and s, m or h", fields->patience);
}

static int ask_for(
	const struct zs_ask_fields *fields, bool settings, char *const argv[], struct zs_approvals *approvals)
{
	char folder[PATH_MAX], **writes = NULL;
	struct asking asking;
	int r = ask_fill(fields, settings, &asking);

	if (r == ZS_EXIT_OK)
		r = copy_paths(&fields->writes, &writes);
	if (r == ZS_EXIT_OK) {
		const struct zs_request request = { .hosts = fields->hosts.items,
			.write_paths = (const char *const *)writes,
			.git = fields->git,
			.all_hosts = fields->all_hosts,
			.all_writes = fields->all_writes,
			.unsandboxed = fields->unsandboxed,
			.argv = argv,
			.folder = getcwd(folder, sizeof folder) };

		r = ask(&request, &asking, approvals);
	}
	free_list(writes);
	return r;
}

int zs_ask(const struct zs_ask_fields *fields, const struct zs_settings *settings, struct zs_policy *policy,
	char *const argv[], struct zs_approvals **ret_approvals)
{
	struct zs_approvals *approvals;
	struct zs_error error;
	int r;

	if (zs_approvals_new(policy, environ, &approvals, &error) < 0)
		return zs_fail_error(ZS_EXIT_CANNOT_ENFORCE, &error);
	r = remember(settings, approvals);
	if (r == ZS_EXIT_OK)
		r = ask_for(fields, settings, argv, approvals);
	if (r == ZS_EXIT_OK)
		r = widen(approvals, policy);
	if (r == ZS_EXIT_OK)
		*ret_approvals = approvals;
	else
		zs_approvals_free(approvals);
	return r;
}

int zs_run_unsandboxed(char *const argv[])
{
	int cause = -zs_exec_command(argv, environ);

	zs_complain_errno("exec", argv[0], cause);
	return cause == ENOENT || cause == ENOTDIR ? ZS_EXIT_NOT_FOUND : ZS_EXIT_CANNOT_EXECUTE;
}
