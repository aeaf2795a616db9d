#include "vet/batch.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

#include "base/cleanup.h"
#include "base/input.h"
#include "base/json.h"
#include "base/message.h"
#include "vet/report.h"

enum { OUTPUT_BUFFER = 64 * 1024 };

#define NAME(id, name, text) " " name
#define PROFILE_NAMES ZS_PROFILES(NAME)

struct batch {
	struct zs_vetter *vetter;
	const struct zs_vet_options *options;
	bool with_ir;
	unsigned long line; /* how many were taken */
	bool any_bad;
};

static void put_id(struct zs_json *json, yyjson_val *id)
{
	zs_json_print(json, "'id':");
	if (yyjson_is_str(id))
		zs_json_bytes(json, yyjson_get_str(id), yyjson_get_len(id));
	else
		zs_json_raw(json, yyjson_is_raw(id) ? yyjson_get_raw(id) : "null"); /* a number, in its own digits */
}

/* The answer to a line that cannot be understood, in the shape of every other answer. */
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

static bool parse_profile(yyjson_val *value, enum zs_profile *ret_profile)
{
	const char *name = yyjson_get_str(value);

	return name && strlen(name) == yyjson_get_len(value) && zs_profile_parse(name, ret_profile);
}

static void batch_answer(struct batch *batch, yyjson_val *object)
{
	struct zs_vet_options options = *batch->options;
	struct zs_json json = { stdout, false };
	yyjson_val *id = NULL, *cmd = NULL, *profile = NULL; /* other keys are for the sender's own use */
	const struct zs_member members[] = { { "id", &id }, { "cmd", &cmd }, { "profile", &profile } };
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
	} else if (profile && !parse_profile(profile, &options.profile)) {
		answer_bad(batch, id, "'profile' is not one of" PROFILE_NAMES);
	} else {
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
		answer_bad(batch, NULL, "is longer than %d bytes", ZS_BATCH_LINE_MAX);
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
			return ZS_EXIT_NO_OUTPUT; /* main() says so */
		r = lines->at_end ? 0 : zs_lines_fill(lines);
		if (r < 0)
			return zs_fail_errno(ZS_EXIT_BAD_INPUT, "vet", "standard input", r);
	} while (!lines->at_end || lines->start < lines->end);
	return batch->any_bad ? ZS_EXIT_BAD_INPUT : ZS_EXIT_OK;
}

int zs_batch(struct zs_vetter *vetter, int fd, const struct zs_vet_options *options, bool with_ir)
{
	struct batch batch = { .vetter = vetter, .options = options, .with_ir = with_ir };
	struct zs_lines lines = { .fd = fd, .size = ZS_BATCH_LINE_MAX + 1 };
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
