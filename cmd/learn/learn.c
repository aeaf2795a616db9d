/* zs learn: finds the smallest settings with which a command passes, and writes them when it is told yes. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/command.h"
#include "base/diff.h"
#include "base/json.h"
#include "base/memory_stream.h"
#include "base/message.h"
#include "base/path.h"
#include "base/person.h"
#include "learn/learn_search.h"
#include "learn/learn_settings.h"
#include "settings/settings_places.h"

extern char **environ;

struct fields {
	bool json, yes;
	const char *out;
	struct zs_confine_fields confine;
};

enum { PATIENCE_SECONDS = 3600 };

static const struct zs_option options[] = {
	ZS_FLAG('y', "yes", offsetof(struct fields, yes), "write the settings without a question"),
	ZS_TEXT('o', "out", "FILE", offsetof(struct fields, out),
		"write them to FILE, which does not exist yet, and\nnot into your settings"),
	ZS_FLAG('j', "json", offsetof(struct fields, json), "print lines of JSON"),
	{ 0 },
};

static const struct zs_option_group groups[] = { { "Options", options, 0 },
	{ "Grants to the command, before it learns", zs_confine_options, offsetof(struct fields, confine) }, { 0 } };

static int check(const struct fields *fields, const struct zs_operands *operands)
{
	const char *wrong = NULL;

	if (operands->count == 0)
		wrong = "no command; write it after the options: zs learn [OPTIONS] -- CMD";
	else if (fields->confine.print_policy)
		wrong = "--print-policy: does not go with zs learn; write zs run --print-policy";
	else if (fields->confine.policy || fields->confine.no_settings)
		wrong = "--policy, --no-settings: zs learn adds to the settings, which these leave out";
	else if (fields->out && !*fields->out)
		wrong = "--out: the path is empty; name a file";
	else if (fields->out && access(fields->out, F_OK) == 0)
		wrong = "--out: the file exists; name one that does not";
	return wrong ? zs_fail(ZS_EXIT_USAGE, "learn: %s", wrong) : ZS_EXIT_OK;
}

/* The findings */

static void print_json(const struct zs_learn *learn)
{
	for (size_t i = 0; i < learn->count && learn->end == ZS_LEARN_PASSES; i++)
		zs_json_print_line(stdout, "{'event':'entry','option':%s,'value':%s,'key':%s}",
			learn->entries[i].option, learn->entries[i].value, learn->entries[i].key);
	for (size_t i = 0; i < learn->refused_count; i++)
		zs_json_print_line(stdout, "{'event':'refused','kind':%s,'what':%s,'reason':%s,'grant':%s}",
			learn->refused[i].kind, learn->refused[i].what, learn->refused[i].reason,
			learn->refused[i].grant);
}

static void print_text(const struct zs_learn *learn)
{
	bool any = false;

	for (size_t i = 0; i < learn->refused_count; i++) {
		const struct zs_learn_refused *row = &learn->refused[i];

		if (i == 0)
			printf("Refused, not proposed:\n");
		zs_tell(stdout, "  %s %s: %s%s%s", row->kind, row->what, row->reason, row->grant ? "; " : "",
			row->grant ? row->grant : "");
	}
	if (learn->others)
		printf("  and %u more\n", learn->others);
	for (size_t i = 0; i < learn->count && learn->end == ZS_LEARN_PASSES; i++) {
		if (learn->entries[i].key)
			continue;
		if (!any)
			printf("Needed, but no setting grants it; add it to each zs run:\n");
		any = true;
		zs_tell(stdout, "  %s %s", learn->entries[i].option, learn->entries[i].value);
	}
}

/* Why nothing is proposed. */
static int tell_end(const struct zs_learn *learn)
{
	switch (learn->end) {
	case ZS_LEARN_OWN_FAILURE:
		return zs_fail(ZS_EXIT_NO,
			"learn: the command fails with status %d for a reason of its own, and zs has refused it "
			"nothing; nothing is proposed",
			learn->status);
	case ZS_LEARN_STILL_FAILS:
		return zs_fail(ZS_EXIT_NO,
			"learn: the command still fails with status %d, and nothing new is refused that can be "
			"proposed; nothing is proposed; see 'zs why'",
			learn->status);
	case ZS_LEARN_BOUND:
		return zs_fail(ZS_EXIT_NO,
			"learn: each of %d runs was refused something new; nothing is proposed; grant more to begin "
			"with, as in zs learn --ro DIR",
			ZS_LEARN_RUNS_MAX);
	case ZS_LEARN_PASSES:
		break;
	}
	return ZS_EXIT_OK;
}

/* The settings */

static int show_change(FILE *out, const char *path, const char *old, const char *new)
{
	ZS_AUTO_FREE char *diff = NULL;
	size_t len;
	FILE *text = zs_memory_stream(&diff, &len);
	int r = text ? zs_diff_hunks(text, (struct zs_diff_text){ old, strlen(old) },
			       (struct zs_diff_text){ new, strlen(new) })
		     : -ENOMEM;

	if (!zs_memory_close(text, &diff) || r < 0)
		return zs_fail_errno(ZS_EXIT_NO_OUTPUT, "learn", path, ENOMEM);
	fputs("--- ", out);
	zs_put_value(out, *old ? path : "/dev/null");
	fputs("\n+++ ", out);
	zs_put_value(out, path);
	fputc('\n', out);
	zs_put_lines(out, diff, len);
	return ZS_EXIT_OK;
}

static int find_user_file(char **ret_path)
{
	ZS_AUTO_FREE char *folder = NULL;

	if (zs_settings_folder(&zs_settings_places.config, environ, &folder) < 0)
		return zs_fail(ZS_EXIT_BAD_INPUT, "learn: HOME is not set, so the settings have no folder");
	*ret_path = zs_path_join(folder, "settings.json");
	return *ret_path ? ZS_EXIT_OK : zs_fail_errno(ZS_EXIT_CANNOT_ENFORCE, "learn", "", ENOMEM);
}

/* Asks the person at the terminal, unless --yes was given. */
static int agree(const struct fields *fields, const char *path, const char *old, const char *new)
{
	struct zs_person person;
	const char *why;
	bool yes;
	int r;

	if (fields->yes || !isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
		r = fields->json ? ZS_EXIT_OK : show_change(stdout, path, old, new);
		if (r != ZS_EXIT_OK || fields->yes)
			return r;
		return zs_fail(ZS_EXIT_NO, "learn: there is no terminal to ask at; look at the change, and add --yes");
	}
	why = zs_person_meet(&person, PATIENCE_SECONDS);
	if (why)
		return zs_fail(ZS_EXIT_NO, "learn: %s", why);
	yes = show_change(person.out, path, old, new) == ZS_EXIT_OK &&
	      zs_person_agrees(&person, "Make this change? [y/N] ");
	zs_person_leave(&person);
	return yes ? ZS_EXIT_OK : zs_fail(ZS_EXIT_NO, "learn: nothing was changed");
}

/* Options that no setting replaces stay, so that only the settings are tried. */
static int try_again(struct zs_learn *learn, const char *path, bool *ret_passes)
{
	size_t kept = 0;
	int r;

	for (size_t i = 0; i < learn->count; i++) {
		learn->entries[i].out = learn->entries[i].key != NULL;
		kept += !learn->entries[i].out;
	}
	r = zs_learn_try(learn, kept > 0, ret_passes);
	if (r != ZS_EXIT_OK)
		return r;
	zs_complain("learn: %s: written; the command %s under these settings", path, *ret_passes ? "passes" : "fails");
	return *ret_passes ? ZS_EXIT_OK : ZS_EXIT_NO;
}

static int write_out(const struct fields *fields, const struct zs_learn *learn)
{
	ZS_AUTO_FREE char *old = NULL;
	ZS_AUTO_FREE char *new = NULL;
	int r = zs_learn_settings(learn, NULL, true, &old, &new);

	if (r == ZS_EXIT_OK)
		r = zs_learn_write_new(fields->out, new);
	if (r == ZS_EXIT_OK && !fields->json)
		r = show_change(stdout, fields->out, "", new);
	return r;
}

static int propose(const struct fields *fields, struct zs_learn *learn, bool *ret_written, bool *ret_passes)
{
	ZS_AUTO_FREE char *path = NULL;
	ZS_AUTO_FREE char *old = NULL;
	ZS_AUTO_FREE char *new = NULL;
	int r = ZS_EXIT_OK;

	*ret_passes = true;
	if (zs_learn_settable(learn) == 0) {
		zs_complain("learn: the command passes, and no settings are needed");
		return ZS_EXIT_OK;
	}
	if (fields->out) {
		r = write_out(fields, learn);
		*ret_written = r == ZS_EXIT_OK;
		return r;
	}
	r = find_user_file(&path);
	if (r == ZS_EXIT_OK)
		r = zs_learn_settings(learn, path, false, &old, &new);
	if (r == ZS_EXIT_OK)
		r = agree(fields, path, old, new);
	if (r == ZS_EXIT_OK)
		r = zs_learn_write(learn);
	*ret_written = r == ZS_EXIT_OK;
	return r == ZS_EXIT_OK ? try_again(learn, path, ret_passes) : r;
}

static int learn_main(const void *storage, const struct zs_operands *operands)
{
	static struct zs_learn learn;
	const struct fields *fields = storage;
	const char *workspace = fields->confine.workspace ? fields->confine.workspace : ".";
	bool written = false, good = false;
	char real[PATH_MAX];
	int r = check(fields, operands);

	if (r != ZS_EXIT_OK)
		return r;
	if (!realpath(workspace, real))
		return zs_fail_errno(ZS_EXIT_CANNOT_ENFORCE, "learn", workspace, errno);
	learn.fields = &fields->confine;
	learn.argv = operands->items;
	snprintf(learn.workspace, sizeof learn.workspace, "%s", real);
	r = zs_learn_search(&learn);
	if (r == ZS_EXIT_OK && fields->json)
		print_json(&learn);
	else if (r == ZS_EXIT_OK)
		print_text(&learn);
	fflush(stdout);
	if (r == ZS_EXIT_OK)
		r = learn.end == ZS_LEARN_PASSES ? propose(fields, &learn, &written, &good) : tell_end(&learn);
	if (fields->json)
		zs_json_print_line(stdout, "{'event':'end','passes':%i,'written':%i,'runs':%u,'status':%d}", good,
			written, learn.runs, learn.status);
	zs_learn_free(&learn);
	return r;
}

const struct zs_subcommand zs_learn_subcommand = {
	.name = "learn",
	.description = "Find the settings that a command needs, and write them if told so",
	.usage = "[OPTIONS] [--] CMD [ARGS...]",
	.groups = groups,
	.operands_end_options = true,
	.notes = "The command runs confined, again and again, each time with what it was refused\n"
		 "before, until it passes; then grants that it does not need are taken back. Its\n"
		 "output is thrown away, and so are its changes to the workspace. But what it\n"
		 "changes in a folder that was granted, or through a host that was granted,\n"
		 "stays changed: do not learn from a command that publishes or deletes.\n"
		 "\n"
		 "Secrets, the home folder as a whole, and folders of the system are not\n"
		 "proposed; they are listed. The settings are written after a yes at the\n"
		 "terminal, or with --yes. A FILE of --out is a settings file: as\n"
		 ".zs/settings.json of a project it counts once you have trusted it (zs trust).\n"
		 "\n"
		 "Exit codes: 0 the command passes, and its settings are written or it needs\n"
		 "none; 1 it does not pass, or nobody said yes, and nothing was written; or it\n"
		 "does not pass under the written settings.",
	.fields_size = sizeof(struct fields),
	.main = learn_main,
};
