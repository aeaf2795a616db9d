#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <yyjson.h>

#include "base/cleanup.h"
#include "base/command.h"
#include "base/input.h"
#include "base/json.h"
#include "base/message.h"
#include "base/own_rules.h"
#include "base/vet_place.h"
#include "vet/report.h"
#include "vet/rows_list.h"

struct fields {
	const char *command, *profile, *shell, *unknown, *workspace;
	bool json, ir, explain, batch, rows, terms;
};

static const char *const unknown_choices[] = { "allow", "block", NULL };

static const struct zs_option option_rows[] = {
	ZS_TEXT('c', "command", "CMD", offsetof(struct fields, command), "vet this text"),
	ZS_CHOICE('p', "profile", zs_profile_choices, offsetof(struct fields, profile), ZS_PROFILE_HELP),
	ZS_CHOICE(0, "shell", zs_shell_choices, offsetof(struct fields, shell), ZS_SHELL_HELP),
	ZS_CHOICE(0, "unknown", unknown_choices, offsetof(struct fields, unknown),
		"commands that zs does not know (default: allow)"),
	ZS_TEXT(0, "workspace", "DIR", offsetof(struct fields, workspace),
		"with guard: the folder that may change (default:\nthe current one)"),
	ZS_FLAG('j', "json", offsetof(struct fields, json), "print the report as a line of JSON"),
	ZS_FLAG(0, "ir", offsetof(struct fields, ir), "the same, with all that was read in the text"),
	ZS_FLAG(0, "explain", offsetof(struct fields, explain), "show which words led to the verdict"),
	ZS_FLAG(0, "batch", offsetof(struct fields, batch), "vet many texts: JSON lines in and out"),
	ZS_FLAG(0, "rows", offsetof(struct fields, rows), "print what is known of these commands, or of all"),
	ZS_FLAG(0, "terms", offsetof(struct fields, terms), "print what the words of --rows mean"),
	{ 0 },
};

static int vet_text(const struct fields *fields, struct zs_vetter *vetter, const struct zs_vet_options *vet_options,
	const char *text, size_t len)
{
	const struct zs_report *report = zs_vet(vetter, text, len, vet_options);

	if (fields->json || fields->ir)
		zs_report_json_line(stdout, report, fields->ir);
	else if (fields->explain)
		zs_explain(stdout, report, text, len);
	else
		zs_report_text(stdout, report, text, len);
	return report->verdict == ZS_ALLOW ? ZS_EXIT_OK : ZS_EXIT_BLOCKED;
}

static int vet_file(const struct fields *fields, struct zs_vetter *vetter, const struct zs_vet_options *vet_options,
	const char *path)
{
	char *text;
	size_t len;
	int r = zs_read_input(path, ZS_MAX_INPUT, &text, &len);

	if (r < 0)
		return zs_fail_errno(ZS_EXIT_BAD_INPUT, "vet", path, r);
	r = vet_text(fields, vetter, vet_options, text, len);
	free(text);
	return r;
}

/* --batch */

enum {
	OUTPUT_BUFFER = 64 * 1024,
	/* A longer line is refused, and skipped up to its newline. */
	BATCH_LINE_MAX = 1024 * 1024,
};

#define NAME(id, name, text) " " name
#define PROFILE_NAMES ZS_PROFILES(NAME)
#define SHELL_NAMES ZS_SHELL_NAMES(NAME)

struct batch {
	struct zs_vetter *vetter;
	const struct zs_vet_options *options;
	bool with_ir;
	unsigned long line; /* how many lines were taken */
	bool any_bad;
};

static void put_id(struct zs_json *json, yyjson_val *id)
{
	zs_json_print(json, "'id':");
	if (yyjson_is_str(id))
		zs_json_bytes(json, yyjson_get_str(id), yyjson_get_len(id));
	else
		zs_json_raw(json, yyjson_is_raw(id) ? yyjson_get_raw(id) : "null"); /* a number, as it was written */
}

/* Answers a line that cannot be parsed, in the same form as every other answer. */
__attribute__((format(printf, 3, 4))) static void answer_bad(
	struct batch *batch, yyjson_val *id, const char *format, ...)
{
	struct zs_json json = { stdout, false };
	char reason[320];
	int len = snprintf(reason, sizeof reason, "line %lu: ", batch->line);
	va_list args;

	va_start(args, format);
	vsnprintf(reason + len, sizeof reason - (size_t)len, format, args);
	va_end(args);
	zs_json_print(&json, "{");
	put_id(&json, id);
	zs_json_print(&json, "'verdict':'block','code':'bad_input','reason':%s,'hint':%s,'risks':[],'span':null}\n",
		reason, "send one object a line: {\"id\":1,\"cmd\":\"ls\"}");
	batch->any_bad = true;
}

/* The value as text; "" if it is no string, or holds NUL. */
static const char *plain(yyjson_val *value)
{
	const char *text = yyjson_get_str(value);

	return text && strlen(text) == yyjson_get_len(value) ? text : "";
}

static void batch_answer(struct batch *batch, yyjson_val *object)
{
	struct zs_vet_options options = *batch->options;
	struct zs_json json = { stdout, false };
	yyjson_val *id = NULL, *cmd = NULL, *profile = NULL, *shell = NULL,
		   *cwd = NULL; /* other keys are ignored: the sender may use them */
	const struct zs_member members[] = { { "id", &id }, { "cmd", &cmd }, { "profile", &profile },
		{ "shell", &shell }, { "cwd", &cwd } };
	const char *twice = zs_members_take(object, members, ZS_COUNT(members));
	const struct zs_report *report;

	if (!yyjson_is_obj(object)) {
		answer_bad(batch, NULL, "is not an object");
	} else if (twice) {
		answer_bad(batch, id, "'%s' is there twice", twice);
	} else if (!yyjson_is_str(id) && !yyjson_is_raw(id)) {
		answer_bad(batch, NULL, id ? "'id' is neither a string nor a number" : "'id' is missing");
	} else if (!yyjson_is_str(cmd)) {
		answer_bad(batch, id, cmd ? "'cmd' is not a string" : "'cmd' is missing");
	} else if (profile && !zs_profile_parse(plain(profile), &options.profile)) {
		answer_bad(batch, id, "'profile' is not one of" PROFILE_NAMES);
	} else if (shell && !zs_shell_parse(plain(shell), &options.shell)) {
		answer_bad(batch, id, "'shell' is not one of" SHELL_NAMES);
	} else if (cwd && *plain(cwd) != '/') {
		answer_bad(batch, id, "'cwd' is not an absolute path");
	} else {
		ZS_AUTO_FREE char *folder = cwd ? realpath(plain(cwd), NULL) : NULL;

		if (cwd && options.workspace == options.folder)
			options.workspace = folder; /* --workspace has named no other */
		if (cwd)
			options.folder = folder; /* one that is not there holds no absolute path */
		report = zs_vet(batch->vetter, yyjson_get_str(cmd), yyjson_get_len(cmd), &options);
		zs_json_print(&json, "{");
		put_id(&json, id);
		zs_report_json(&json, report, batch->with_ir);
		zs_json_print(&json, "}\n");
	}
}

static void answer_line(struct batch *batch, enum zs_line kind, char *line, size_t len)
{
	yyjson_read_err error;
	yyjson_doc *doc;

	batch->line++;
	if (kind == ZS_LINE_TOO_LONG) {
		answer_bad(batch, NULL, "is longer than %d bytes", BATCH_LINE_MAX);
		return;
	}
	doc = yyjson_read_opts(line, len, YYJSON_READ_NUMBER_AS_RAW, NULL, &error);
	if (doc)
		batch_answer(batch, yyjson_doc_get_root(doc));
	else
		answer_bad(batch, NULL, "is not JSON: %s, at byte %zu", error.msg, error.pos);
	yyjson_doc_free(doc);
}

static int answer_all(struct batch *batch, struct zs_lines *lines)
{
	enum zs_line kind;

	do {
		size_t len = 0;
		char *line = NULL;
		int r;

		while ((kind = zs_lines_next(lines, &line, &len)) != ZS_LINE_NONE)
			answer_line(batch, kind, line, len);
		if (fflush(stdout) != 0)
			return ZS_EXIT_NO_OUTPUT; /* main() reports it */
		r = lines->at_end ? 0 : zs_lines_fill(lines);
		if (r < 0)
			return zs_fail_errno(ZS_EXIT_BAD_INPUT, "vet", "standard input", r);
	} while (!lines->at_end || lines->start < lines->end);
	return batch->any_bad ? ZS_EXIT_BAD_INPUT : ZS_EXIT_OK;
}

/* Answers each line of standard input, a JSON object, with a line of JSON, in the same order. It flushes the output
 * whenever no complete line is left, so that a client on a pipe can wait for its answer. */
static int vet_batch(struct zs_vetter *vetter, const struct zs_vet_options *options, bool with_ir)
{
	struct batch batch = { .vetter = vetter, .options = options, .with_ir = with_ir };
	struct zs_lines lines = { .fd = STDIN_FILENO, .size = BATCH_LINE_MAX + 1 };
	int exit_code = ZS_EXIT_CANNOT_ENFORCE;

	setvbuf(stdout, NULL, _IOFBF, OUTPUT_BUFFER);
	lines.buffer = malloc(lines.size);
	if (lines.buffer)
		exit_code = answer_all(&batch, &lines);
	else
		zs_complain_errno("vet", "", ENOMEM);
	free(lines.buffer);
	return exit_code;
}

/* Prints the table of commands instead of vetting a text. */
static int print_table(const struct fields *fields, const struct zs_operands *operands)
{
	const char *name = fields->rows ? "--rows" : "--terms";

	if (fields->command || fields->batch || fields->ir || fields->explain || fields->profile || fields->shell ||
		fields->unknown || fields->workspace || (fields->rows && fields->terms) ||
		(fields->terms && operands->count))
		return zs_fail(ZS_EXIT_USAGE, "vet: %s: it stands alone; write zs vet %s", name,
			fields->rows ? "--rows [--json] [NAME...]" : "--terms [--json]");
	if (fields->rows)
		return zs_rows(operands->items, operands->count, fields->json);
	zs_terms(fields->json);
	return ZS_EXIT_OK;
}

static int vet_main(const void *storage, const struct zs_operands *operands)
{
	const struct fields *fields = storage;
	struct zs_vet_options vet_options = {
		.profile = zs_profile_choice(fields->profile),
		.shell = zs_shell_choice(fields->shell),
		.block_unknown = fields->unknown && strcmp(fields->unknown, "block") == 0,
	};
	int sources = operands->count + (fields->command != NULL) + fields->batch, r;
	struct zs_own_rules rules;
	struct zs_vetter *vetter;
	struct zs_error error;

	if (fields->rows || fields->terms)
		return print_table(fields, operands);
	zs_vet_place(fields->workspace, &vet_options);
	if (fields->workspace && !vet_options.workspace)
		return zs_fail_errno(ZS_EXIT_BAD_INPUT, "vet", fields->workspace, -errno);
	if (sources != 1)
		return zs_fail(ZS_EXIT_USAGE, "vet: %s; write one of -c CMD, FILE, - or --batch",
			sources ? "more than one text to vet" : "nothing to vet");
	if (fields->explain && (fields->json || fields->ir || fields->batch))
		return zs_fail(ZS_EXIT_USAGE, "vet: --explain: is for people; programs read --ir");
	if (zs_own_rules_load(vet_options.workspace, false, &rules, &vet_options, &error) < 0) {
		zs_own_rules_free(&rules);
		return zs_fail_error(ZS_EXIT_BAD_INPUT, &error);
	}
	vetter = zs_vetter_new(); /* a NULL vetter blocks everything */
	if (fields->batch)
		r = vet_batch(vetter, &vet_options, fields->ir);
	else if (fields->command)
		r = vet_text(fields, vetter, &vet_options, fields->command, strlen(fields->command));
	else
		r = vet_file(fields, vetter, &vet_options, operands->items[0]);
	zs_vetter_free(vetter);
	zs_own_rules_free(&rules);
	return r;
}

static const char notes[] =
	ZS_PROFILE_NOTES "\n"
			 "\n"
			 "Rules of settings count, too (docs/rules.md).\n"
			 "\n"
			 "Exits with 0 when the text is allowed, 2 when it is blocked, or when a rule\n"
			 "wants a person to agree first.\n"
			 "\n"
			 "A line to --batch is {\"id\":1,\"cmd\":\"ls\",\"profile\":\"strict\",\"shell\":\"zsh\"};\n"
			 "id may be a string or a number, profile and shell may be left out. Each is\n"
			 "answered, in order, by a line with id, verdict, code, reason, hint, risks and\n"
			 "span (bytes of cmd). The exit code is 65 when a line could not be understood,\n"
			 "else 0.\n"
			 "\n"
			 "--rows prints a line a row: names, flags, and what the operands are. A flag\n"
			 "with '=' takes a value, '?' an attached one or none, '#' attached digits, '!'\n"
			 "none; then follows what it means. A flag that is not listed takes no value and\n"
			 "means nothing. Exits with 1 when no row describes a NAME.";

const struct zs_subcommand zs_vet_subcommand = {
	.name = "vet",
	.description = "Say whether a bash text may run; nothing is run",
	.usage = "[OPTIONS] (-c CMD | FILE | -)\n"
		 "--batch [OPTIONS]\n"
		 "--rows [--json] [NAME...]\n"
		 "--terms [--json]",
	.groups = ZS_ONE_GROUP(option_rows),
	.notes = notes,
	.fields_size = sizeof(struct fields),
	.main = vet_main,
};
