#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vet/batch.h"
#include "base/command.h"
#include "base/input.h"
#include "base/message.h"
#include "vet/report.h"
#include "vet/rows_list.h"

struct fields {
	const char *command, *profile, *unknown;
	bool json, ir, explain, batch, rows, terms;
};

static const char *const unknown_choices[] = { "allow", "block", NULL };

static const struct zs_option options[] = {
	ZS_TEXT('c', "command", "CMD", offsetof(struct fields, command), "vet this text"),
	ZS_CHOICE('p', "profile", zs_profile_choices, offsetof(struct fields, profile), ZS_PROFILE_HELP),
	ZS_CHOICE(0, "unknown", unknown_choices, offsetof(struct fields, unknown),
		"commands that no row describes (default: allow)"),
	ZS_FLAG('j', "json", offsetof(struct fields, json), "print the report as a line of JSON"),
	ZS_FLAG(0, "ir", offsetof(struct fields, ir), "the same with all that was read in the text"),
	ZS_FLAG(0, "explain", offsetof(struct fields, explain), "show where the verdict comes from"),
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

/* Prints the table that texts are vetted by, instead of vetting one. */
static int print_table(const struct fields *fields, const struct zs_operands *operands)
{
	const char *name = fields->rows ? "--rows" : "--terms";

	if (fields->command || fields->batch || fields->ir || fields->explain || fields->profile || fields->unknown ||
		(fields->rows && fields->terms) || (fields->terms && operands->count))
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
		.block_unknown = fields->unknown && strcmp(fields->unknown, "block") == 0,
	};
	int sources = operands->count + (fields->command != NULL) + fields->batch, r;
	struct zs_vetter *vetter;

	if (fields->rows || fields->terms)
		return print_table(fields, operands);
	if (sources != 1)
		return zs_fail(ZS_EXIT_USAGE, "vet: %s; write one of -c CMD, FILE, - or --batch",
			sources ? "more than one text to vet" : "nothing to vet");
	if (fields->explain && (fields->json || fields->ir || fields->batch))
		return zs_fail(ZS_EXIT_USAGE, "vet: --explain: is for people; programs read --ir");
	vetter = zs_vetter_new(); /* NULL blocks everything */
	if (fields->batch)
		r = zs_batch(vetter, STDIN_FILENO, &vet_options, fields->ir);
	else if (fields->command)
		r = vet_text(fields, vetter, &vet_options, fields->command, strlen(fields->command));
	else
		r = vet_file(fields, vetter, &vet_options, operands->items[0]);
	zs_vetter_free(vetter);
	return r;
}

static const char notes[] =
	ZS_PROFILE_NOTES "\n"
			 "\n"
			 "Exits with 0 when the text is allowed, 2 when it is blocked.\n"
			 "\n"
			 "A line to --batch is {\"id\":1,\"cmd\":\"ls\",\"profile\":\"strict\"}; id may be a string\n"
			 "or a number, profile may be left out. Each is answered, in order, by a line with\n"
			 "id, verdict, code, reason, hint, risks and span (bytes of cmd). The exit code is\n"
			 "65 when a line could not be understood, else 0.\n"
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
	.groups = ZS_ONE_GROUP(options),
	.notes = notes,
	.fields_size = sizeof(struct fields),
	.main = vet_main,
};
