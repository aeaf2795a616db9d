#include "vet/batch.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

#include "base/exit.h"
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

/* The question of a line; the values belong to its document. Other keys are for the sender's own use. */
struct request {
	yyjson_val *id, *cmd, *profile;
};

static void put_id(struct zs_json *json, yyjson_val *id)
{
	zs_json_key(json, "id");
	if (yyjson_is_str(id))
		zs_json_bytes(json, yyjson_get_str(id), yyjson_get_len(id));
	else if (yyjson_is_raw(id)) /* a number, in its own digits */
		zs_json_raw(json, yyjson_get_raw(id));
	else
		zs_json_raw(json, "null");
}

/* In the shape of every other answer. */
static void batch_refuse(struct batch *batch, yyjson_val *id, const char *code, const char *what, const char *hint)
{
	struct zs_json json = zs_json_begin_line(stdout);
	char reason[320];

	snprintf(reason, sizeof reason, "line %lu: %s", batch->line, what);
	put_id(&json, id);
	zs_json_key(&json, "verdict"), zs_json_text(&json, "block");
	zs_json_key(&json, "code"), zs_json_text(&json, code);
	zs_json_key(&json, "reason"), zs_json_text(&json, reason);
	zs_json_key(&json, "hint"), zs_json_text(&json, hint);
	zs_json_key(&json, "risks"), zs_json_raw(&json, "[]");
	zs_json_key(&json, "span"), zs_json_raw(&json, "null");
	zs_json_end_line(&json);
}

/* The answer to a line that cannot be understood. */
static void answer_bad(struct batch *batch, yyjson_val *id, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void answer_bad(struct batch *batch, yyjson_val *id, const char *format, ...)
{
	char what[256];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof what, format, args);
	va_end(args);
	batch_refuse(batch, id, "bad_input", what, "send one object a line: {\"id\":1,\"cmd\":\"ls\"}");
	batch->any_bad = true;
}

/* NULL, or the key that the object has twice. */
static const char *take_members(yyjson_val *object, struct request *request)
{
	const struct zs_member members[] = { { "id", &request->id }, { "cmd", &request->cmd },
		{ "profile", &request->profile } };

	return zs_members_take(object, members, sizeof members / sizeof *members);
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
	struct request request = { NULL, NULL, NULL };
	const char *twice = take_members(object, &request);
	const struct zs_report *report;

	if (!yyjson_is_obj(object)) {
		answer_bad(batch, NULL, "is not an object");
	} else if (twice) {
		answer_bad(batch, request.id, "'%s' is there twice", twice);
	} else if (!yyjson_is_str(request.id) && !yyjson_is_raw(request.id)) {
		answer_bad(batch, NULL, request.id ? "'id' is neither a string nor a number" : "'id' is missing");
	} else if (!yyjson_is_str(request.cmd)) {
		answer_bad(batch, request.id, request.cmd ? "'cmd' is not a string" : "'cmd' is missing");
	} else if (request.profile && !parse_profile(request.profile, &options.profile)) {
		answer_bad(batch, request.id, "'profile' is not one of" PROFILE_NAMES);
	} else {
		report = zs_vet(batch->vetter, yyjson_get_str(request.cmd), yyjson_get_len(request.cmd), &options);
		zs_json_open(&json, '{');
		put_id(&json, request.id);
		zs_report_json(&json, report, batch->with_ir);
		zs_json_close(&json, '}');
		fputc('\n', stdout);
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
		if (r < 0) {
			zs_complain_errno("vet", "standard input", r);
			return ZS_EXIT_BAD_INPUT;
		}
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
