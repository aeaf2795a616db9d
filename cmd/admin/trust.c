/* zs trust: a person reads what a project's settings ask for, and accepts or refuses exactly these bytes. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/command.h"
#include "run/confine_policy.h"
#include "base/input.h"
#include "base/json.h"
#include "base/message.h"
#include "base/shell_quote.h"
#include "base/person.h"
#include "zs_settings.h"

extern char **environ;

struct fields {
	const char *hash;
	bool list, revoke, json;
};

enum { PATIENCE_SECONDS = 3600 }; /* a long file takes time to read */

static const struct zs_option options[] = {
	ZS_TEXT(0, "hash", "SHA256", offsetof(struct fields, hash),
		"trust the file with this SHA-256 without a\nquestion; 'zs trust' prints the SHA-256"),
	ZS_FLAG(0, "list", offsetof(struct fields, list), "list what is trusted"),
	ZS_FLAG(0, "revoke", offsetof(struct fields, revoke), "trust DIR no longer"),
	ZS_FLAG('j', "json", offsetof(struct fields, json), "print --list as lines of JSON"),
	{ 0 },
};

/* --list */

/* Are the project's settings still the bytes that were trusted? */
static const char *state_of(const char *root, const char *sha256)
{
	struct zs_settings *settings;
	const char *now, *state;

	if (zs_settings_load(root, environ, &settings, NULL) < 0)
		return "unreadable";
	now = zs_settings_project_hash(settings);
	state = now && strcmp(now, sha256) == 0 ? "trusted" : "changed";
	if (!now)
		state = "gone";
	zs_settings_free(settings);
	return state;
}

static void list_one(const char *root, const char *sha256, void *arg)
{
	const bool *json = arg;

	if (*json)
		zs_json_print_line(
			stdout, "{'workspace':%s,'sha256':%s,'state':%s}", root, sha256, state_of(root, sha256));
	else
		zs_tell(stdout, "%-10s  %s  %s", state_of(root, sha256), sha256, root);
}

static int trust_list(bool json)
{
	struct zs_error error;
	int r = zs_trust_list(environ, list_one, &json, &error);

	return r < 0 ? zs_fail_error(ZS_EXIT_BAD_INPUT, &error) : ZS_EXIT_OK;
}

/* --revoke: the folder may have been removed since */
static int revoke_trust(const char *folder)
{
	ZS_AUTO_FREE char *path = NULL;
	char real[PATH_MAX];
	struct zs_error error;
	bool known;
	int r = zs_absolute_path(folder, &path);

	if (r < 0)
		return zs_fail_errno(ZS_EXIT_USAGE, "trust", folder, r);
	if (zs_trust_revoke(realpath(path, real) ? real : path, environ, &known, &error) < 0)
		return zs_fail_error(ZS_EXIT_BAD_INPUT, &error);
	return known ? ZS_EXIT_OK : zs_fail(ZS_EXIT_NO, "trust: %s: was not trusted", path);
}

/* Trusting */

/* The entries of a project's file that ask for more. */
struct list {
	const struct zs_widening *items;
	size_t count;
};

static void show_one(FILE *out, const struct zs_widening *widening)
{
	fprintf(out, "  line %-4u  %-40s  ", widening->line, widening->key);
	if (strcmp(widening->value, "true") == 0)
		fputs(widening->value, out);
	else
		zs_put_quoted(out, widening->value, strlen(widening->value));
	fputs(widening->granted ? "  (granted already)\n" : "\n", out);
	if (widening->leads_to) {
		fprintf(out, "%-53s  which is ", "");
		zs_put_quoted(out, widening->leads_to, strlen(widening->leads_to));
		fputc('\n', out);
	}
}

static void trust_show(FILE *out, const struct zs_settings *settings, const struct list *list)
{
	zs_tell(out, "%s asks for more than your own settings grant:", zs_settings_project_file(settings));
	fputc('\n', out);
	for (size_t i = 0; i < list->count; i++)
		show_one(out, &list->items[i]);
	fprintf(out, "\nSHA-256 %s\n", zs_settings_project_hash(settings));
}

/* The question gives the number of entries: the first ones of a long list have scrolled away. */
static bool trust_ask(const struct zs_settings *settings, const struct list *list)
{
	char question[96];
	struct zs_person person;
	const char *why = zs_person_meet(&person, PATIENCE_SECONDS);
	bool yes;

	if (why)
		return zs_fail(false, "trust: %s", why);
	trust_show(person.out, settings, list);
	snprintf(question, sizeof question, "Trust %s%zu %s, in this folder, until the file changes? [y/N] ",
		list->count == 1 ? "this " : "all ", list->count, list->count == 1 ? "entry" : "entries");
	yes = zs_person_agrees(&person, question);
	zs_person_leave(&person);
	return yes;
}

static bool is_asked(const struct fields *fields)
{
	return !fields->hash && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
}

/* Asks a person at the terminal, or compares the hash of --hash, by which a program names the bytes that a person has
 * read. */
static bool agreed(const struct fields *fields, const struct zs_settings *settings, const struct list *list)
{
	const char *hash = zs_settings_project_hash(settings);
	char word[ZS_SHELL_WORD_BYTES];

	if (is_asked(fields))
		return trust_ask(settings, list) || zs_fail(false, "trust: not trusted");
	if (!fields->hash)
		return zs_fail(false, "trust: there is no terminal to ask at; run: zs trust --hash %s %s", hash,
			zs_shell_word(zs_settings_project_root(settings), word));
	return strcmp(fields->hash, hash) == 0 ||
	       zs_fail(false, "trust: --hash: %s: the file's SHA-256 is %s; read the file again", fields->hash, hash);
}

static int trust_settings(const struct fields *fields, struct zs_settings *settings)
{
	const struct zs_error *problem;
	struct zs_error error;
	struct list list;
	size_t open;
	bool trusted;

	if (!zs_settings_project_file(settings)) {
		puts("There is no .zs/settings.json, so there is nothing to trust.");
		return ZS_EXIT_OK;
	}
	if (zs_settings_widenings(settings, &list.items, &list.count, &open, &error) < 0)
		return zs_fail_error(ZS_EXIT_BAD_INPUT, &error);
	if (open == 0) {
		zs_tell(stdout, "%s asks for nothing beyond your own settings, so there is nothing to trust.",
			zs_settings_project_file(settings));
		return ZS_EXIT_OK;
	}
	trusted = zs_settings_trusted(settings, &problem);
	if (trusted || problem || !is_asked(fields))
		trust_show(stdout, settings, &list);
	if (trusted) {
		puts("It is trusted.");
		return ZS_EXIT_OK;
	}
	if (problem)
		return zs_fail_error(ZS_EXIT_BAD_INPUT, problem);
	if (!agreed(fields, settings, &list))
		return ZS_EXIT_NO;
	if (zs_settings_trust(settings, &error) < 0)
		return zs_fail_error(ZS_EXIT_BAD_INPUT, &error);
	puts("It is trusted now.");
	return ZS_EXIT_OK;
}

static int trust(const struct fields *fields, const char *folder)
{
	ZS_AUTO_FREE char *path = NULL;
	struct zs_settings *settings;
	struct zs_error error;
	int r = zs_absolute_path(folder, &path);

	if (r < 0)
		return zs_fail_errno(ZS_EXIT_USAGE, "trust", folder, r);
	if (zs_settings_load(path, environ, &settings, &error) < 0)
		return zs_fail_error(ZS_EXIT_BAD_INPUT, &error);
	r = trust_settings(fields, settings);
	zs_settings_free(settings);
	return r;
}

static int trust_main(const void *storage, const struct zs_operands *operands)
{
	const struct fields *fields = storage;

	if (operands->count > 1 || (fields->list && operands->count) || fields->list + fields->revoke > 1 ||
		(fields->hash && (fields->list || fields->revoke)) || (fields->json && !fields->list))
		return zs_fail(ZS_EXIT_USAGE, "trust: these words do not go together; write one of zs trust [--hash "
					      "SHA256] [DIR], zs trust --revoke "
					      "[DIR], "
					      "zs trust --list [--json]");
	if (fields->list)
		return trust_list(fields->json);
	return fields->revoke ? revoke_trust(operands->count ? operands->items[0] : ".")
			      : trust(fields, operands->count ? operands->items[0] : ".");
}

const struct zs_subcommand zs_trust_subcommand = {
	.name = "trust",
	.description = "Let a project's settings widen the sandbox",
	.usage = "[--hash SHA256] [DIR]\n--revoke [DIR]\n--list",
	.groups = ZS_ONE_GROUP(options),
	.notes = "An entry of .zs/settings.json that denies more counts at once. One that grants\n"
		 "more counts once you trust the file, and until the file changes. Without a\n"
		 "terminal to ask at, --hash says yes. Exits with 1 when the answer was no.",
	.fields_size = sizeof(struct fields),
	.main = trust_main,
};
