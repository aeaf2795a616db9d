/* The shape of "ir" is public: a key may be added, and changing one raises ZS_IR_VERSION. */
#include "vet/report.h"

void zs_span_json(struct zs_json *json, struct zs_span span)
{
	zs_json_open(json, '{');
	zs_json_key(json, "start"), zs_json_number(json, span.start);
	zs_json_key(json, "end"), zs_json_number(json, span.end);
	zs_json_close(json, '}');
}

static void put_span(struct zs_json *json, struct zs_span span)
{
	zs_json_key(json, "span");
	zs_span_json(json, span);
}

/* The word under its key, and beside it why it is null, if it is. */
static void put_word(struct zs_json *json, const char *key, const struct zs_word *word)
{
	zs_json_key(json, key), zs_json_text(json, word->text);
	zs_json_key(json, "dynamic"), zs_json_text(json, word->text ? NULL : word->dynamic);
}

static void put_command(struct zs_json *json, const struct zs_command *command)
{
	zs_json_key(json, "key"), zs_json_text(json, command->key);
	put_span(json, command->span);
	zs_json_key(json, "nesting"), zs_json_text(json, zs_nesting_name(command->nesting));
	zs_json_key(json, "depth"), zs_json_number(json, command->depth);
	zs_json_key(json, "argv"), zs_json_open(json, '[');
	for (uint32_t i = 0; i < command->argc; i++)
		zs_json_text(json, command->argv[i].text);
	zs_json_close(json, ']');
	/* One entry for each null in argv, in their order. */
	zs_json_key(json, "dynamic"), zs_json_open(json, '[');
	for (uint32_t i = 0; i < command->argc; i++)
		if (!command->argv[i].text)
			zs_json_text(json, command->argv[i].dynamic ? command->argv[i].dynamic : "");
	zs_json_close(json, ']');
	zs_json_key(json, "flags"), zs_json_open(json, '[');
	for (uint32_t i = 0; i < command->flag_count; i++)
		zs_json_text(json, command->flags[i]);
	zs_json_close(json, ']');
	zs_json_key(json, "row"), zs_json_text(json, command->row);
}

static void put_operator(struct zs_json *json, const struct zs_operator *operator)
{
	zs_json_key(json, "text"), zs_json_text(json, operator->text);
	put_span(json, operator->span);
}

static void put_redirect(struct zs_json *json, const struct zs_redirect *redirect)
{
	zs_json_key(json, "op"), zs_json_text(json, redirect->op);
	put_word(json, "target", &redirect->target);
	zs_json_key(json, "writes"), zs_json_bool(json, redirect->writes);
	put_span(json, redirect->span);
}

static void put_write(struct zs_json *json, const struct zs_write *write)
{
	put_word(json, "path", &write->path);
	zs_json_key(json, "effect"), zs_json_text(json, zs_effect_name(write->effect));
	zs_json_key(json, "command"), zs_json_number(json, write->command);
}

static void put_payload(struct zs_json *json, const struct zs_payload *payload)
{
	zs_json_key(json, "interpreter"), zs_json_text(json, payload->interpreter);
	put_word(json, "code", &payload->code);
	zs_json_key(json, "command"), zs_json_number(json, payload->command);
}

static void put_finding(struct zs_json *json, const struct zs_finding *finding)
{
	zs_json_key(json, "code"), zs_json_text(json, zs_risk_name(finding->code));
	zs_json_key(json, "informational"), zs_json_bool(json, finding->informational);
	zs_json_key(json, "command");
	if (finding->command < 0)
		zs_json_raw(json, "null");
	else
		zs_json_number(json, finding->command);
	zs_json_key(json, "object"), zs_json_text(json, finding->object);
	zs_json_key(json, "detail"), zs_json_text(json, finding->detail);
	put_span(json, finding->span);
}

static void put_error(struct zs_json *json, const struct zs_parse_error *error)
{
	zs_json_key(json, "byte"), zs_json_number(json, error->byte);
	zs_json_key(json, "line"), zs_json_number(json, error->line);
	zs_json_key(json, "column"), zs_json_number(json, error->column);
	zs_json_key(json, "found"), zs_json_text(json, error->found);
}

/* put_X for each element of ir->X_count Xs, as an array of objects. */
#define PUT_ALL(json, ir, x)                                                                                           \
	do {                                                                                                           \
		zs_json_key(json, #x "s"), zs_json_open(json, '[');                                                    \
		for (uint32_t i_ = 0; i_ < (ir)->x##_count; i_++) {                                                    \
			zs_json_open(json, '{');                                                                       \
			put_##x(json, &(ir)->x##s[i_]);                                                                \
			zs_json_close(json, '}');                                                                      \
		}                                                                                                      \
		zs_json_close(json, ']');                                                                              \
	} while (0)

void zs_ir_json(struct zs_json *json, const struct zs_ir *ir)
{
	zs_json_open(json, '{');
	zs_json_key(json, "version"), zs_json_number(json, ir->version);
	zs_json_key(json, "platform"), zs_json_text(json, ir->platform);
	PUT_ALL(json, ir, command);
	PUT_ALL(json, ir, operator);
	PUT_ALL(json, ir, redirect);
	PUT_ALL(json, ir, write);
	PUT_ALL(json, ir, payload);
	PUT_ALL(json, ir, finding);
	PUT_ALL(json, ir, error);
	zs_json_close(json, '}');
}
