#include <string.h>

#include "command.h"
#include "exit.h"
#include "json.h"
#include "message.h"
#include "zs_sandbox.h"

struct fields {
	bool json;
};

static const struct zs_option options[] = {
	{ ZS_OPTION_FLAG, 'j', "json", NULL, offsetof(struct fields, json), "print a line of JSON", NULL },
	{ 0 },
};

static const struct zs_option_group groups[] = {
	{ "Options", options, 0 },
	{ 0 },
};

/* Can the default policy be enforced? It is asked for a workspace that every machine has, so that the answer is about
 * the machine and not about this directory or this HOME. */
static bool probe_default_policy(struct zs_error *error)
{
	char *const empty[] = { NULL };
	struct zs_sandbox *sandbox;
	struct zs_policy *policy;
	int r = zs_policy_default("/tmp", empty, &policy, error);

	if (r < 0)
		return false;
	r = zs_sandbox_new(policy, &sandbox, error);
	zs_policy_free(policy);
	if (r < 0)
		return false;
	zs_sandbox_free(sandbox);
	return true;
}

static void put_labelled(const char *label, const char *text)
{
	if (*text == '\0')
		return;
	printf("    %-10s ", label);
	zs_put_text(stdout, text, strlen(text));
	putchar('\n');
}

static void print_text(const struct zs_feature *features, bool enforceable, const struct zs_error *error)
{
	char line[2048];

	for (int i = 0; i < ZS_FEATURE_COUNT; i++) {
		printf("%-8s %s\n", features[i].present ? "present" : "missing", features[i].name);
		put_labelled("needed by:", features[i].needed_by);
		put_labelled(features[i].present ? "found:" : "because:", features[i].detail);
		put_labelled("to fix:", features[i].fix);
	}
	if (enforceable) {
		puts("\nThe default policy can be enforced on this machine.");
		return;
	}
	zs_error_format(error, line, sizeof line);
	printf("\nThe default policy cannot be enforced on this machine:\n%s\n", line);
}

static void put_feature(struct zs_json *json, const struct zs_feature *feature)
{
	zs_json_open(json, '{');
	zs_json_key(json, "name"), zs_json_text(json, feature->name);
	zs_json_key(json, "present"), zs_json_bool(json, feature->present);
	zs_json_key(json, "needed_by"), zs_json_text(json, feature->needed_by);
	zs_json_key(json, "detail"), zs_json_text(json, feature->detail);
	zs_json_key(json, "fix"), zs_json_text(json, feature->fix);
	zs_json_close(json, '}');
}

static void print_json(const struct zs_feature *features, bool enforceable, const struct zs_error *error)
{
	struct zs_json json = { stdout, false };
	char reason[2048];

	zs_error_format(error, reason, sizeof reason);
	zs_json_open(&json, '{');
	zs_json_key(&json, "version"), zs_json_text(&json, ZS_VERSION);
	zs_json_key(&json, "enforceable"), zs_json_bool(&json, enforceable);
	zs_json_key(&json, "reason");
	zs_json_text(&json, enforceable ? NULL : reason);
	zs_json_key(&json, "features"), zs_json_open(&json, '[');
	for (int i = 0; i < ZS_FEATURE_COUNT; i++)
		put_feature(&json, &features[i]);
	zs_json_close(&json, ']');
	zs_json_close(&json, '}');
	putchar('\n');
}

static int doctor_main(const void *storage, const struct zs_operands *operands)
{
	const struct fields *fields = storage;
	struct zs_feature features[ZS_FEATURE_COUNT];
	struct zs_error error = { 0 };
	bool enforceable;

	if (operands->count > 0) {
		zs_complain("doctor: %s: takes no operand; see 'zs doctor --help'", operands->items[0]);
		return ZS_EXIT_USAGE;
	}
	enforceable = probe_default_policy(&error);
	zs_features_probe(features);
	(fields->json ? print_json : print_text)(features, enforceable, &error);
	return enforceable ? ZS_EXIT_OK : ZS_EXIT_CANNOT_ENFORCE;
}

const struct zs_subcommand zs_doctor_subcommand = {
	.name = "doctor",
	.description = "Show what this machine can enforce, and how to get what is missing",
	.usage = "[OPTIONS]",
	.groups = groups,
	.notes = "Exits with 0 when the default policy can be enforced, else 125.",
	.fields_size = sizeof(struct fields),
	.main = doctor_main,
};
