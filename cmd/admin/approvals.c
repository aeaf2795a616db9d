#include <string.h>

#include "base/command.h"
#include "run/confine_policy.h"
#include "base/message.h"
#include "zs_approval.h"

extern char **environ;

struct fields {
	bool none;
};

static const struct zs_option options[] = { { 0 } };

static void approvals_put(const char *before, enum zs_need_kind kind, const char *value)
{
	zs_tell(stdout, "%s%s%s%s", before, zs_need_name(kind), value ? " " : "", value ? value : "");
}

static int list_session(void)
{
	struct zs_approvals *approvals;
	struct zs_error error;
	int r = zs_approvals_new(NULL, environ, &approvals, &error);

	if (r < 0)
		return zs_fail_error(ZS_EXIT_BAD_INPUT, &error);
	r = zs_approvals_load(approvals, &error);
	for (size_t i = 0; r == 0 && i < zs_approvals_count(approvals); i++) {
		struct zs_approval approval = zs_approvals_at(approvals, i);

		approvals_put("", approval.kind, approval.value);
	}
	zs_approvals_free(approvals);
	return r < 0 ? zs_fail_error(ZS_EXIT_BAD_INPUT, &error) : ZS_EXIT_OK;
}

/* A search in the approvals for always. */
struct always {
	const char *file;
	enum zs_need_kind kind; /* kind and value to look for */
	const char *value;
	unsigned line; /* the line that holds them; 0: none */
	bool any;
};

static void list_one(enum zs_need_kind kind, const char *value, unsigned line, void *arg)
{
	struct always *always = arg;

	char where[32];

	if (!always->any) {
		putchar('\n');
		zs_tell(stdout, "Always, by %s:", always->file);
	}
	always->any = true;
	snprintf(where, sizeof where, "  line %-4u  ", line);
	approvals_put(where, kind, value);
}

static void find_one(enum zs_need_kind kind, const char *value, unsigned line, void *arg)
{
	struct always *always = arg;

	if (kind == always->kind && (!value || strcmp(value, always->value) == 0))
		always->line = line;
}

/* Loads the user's own settings, which do not depend on the working directory. */
static int load_settings(struct zs_settings **ret_settings)
{
	struct zs_error error;

	return zs_settings_load_user("/", environ, ret_settings, &error) < 0 ? zs_fail_error(ZS_EXIT_BAD_INPUT, &error)
									     : ZS_EXIT_OK;
}

static int list_always(void)
{
	struct zs_settings *settings;
	int r = load_settings(&settings);

	if (r != ZS_EXIT_OK)
		return r;
	zs_approvals_each_always(settings, list_one, &(struct always){ .file = zs_settings_user_file(settings) });
	zs_settings_free(settings);
	return ZS_EXIT_OK;
}

static int approvals_list(void)
{
	int session = list_session(), always = list_always();

	return session != ZS_EXIT_OK ? session : always;
}

/* Reports that the session has no such approval. If the settings hold it for always, names the line, which the user has
 * to remove. */
static int tell_unknown(enum zs_need_kind kind, const char *value)
{
	const char *name = zs_need_name(kind), *blank = value ? " " : "", *text = value ? value : "";
	struct always always = { .kind = kind, .value = value };
	struct zs_settings *settings;
	int r = load_settings(&settings);

	if (r != ZS_EXIT_OK)
		return r;
	zs_approvals_each_always(settings, find_one, &always);
	if (always.line)
		zs_complain("approvals: revoke: %s%s%s: is granted always, by %s, line %u; remove that line", name,
			blank, text, zs_settings_user_file(settings), always.line);
	else
		zs_complain("approvals: revoke: %s%s%s: was approved neither for this session nor for always", name,
			blank, text);
	zs_settings_free(settings);
	return ZS_EXIT_NO;
}

static int take_back(const char *name, const char *value)
{
	enum zs_need_kind kind = 0;
	struct zs_error error;
	bool known;

	while (kind < ZS_NEED_COUNT && strcmp(zs_need_name(kind), name) != 0)
		kind++;
	if (kind == ZS_NEED_COUNT || (kind <= ZS_NEED_WRITE) != !!value)
		return zs_fail(ZS_EXIT_USAGE,
			"approvals: revoke: no such kind of approval; write KIND [VALUE] as 'zs approvals list' "
			"prints it");
	if (zs_approvals_revoke(environ, kind, value, &known, &error) < 0)
		return zs_fail_error(ZS_EXIT_BAD_INPUT, &error);
	return known ? ZS_EXIT_OK : tell_unknown(kind, value);
}

static int approvals_main(const void *storage, const struct zs_operands *operands)
{
	const char *verb = operands->count ? operands->items[0] : "list";

	(void)storage;
	if (strcmp(verb, "list") == 0 && operands->count <= 1)
		return approvals_list();
	if (strcmp(verb, "revoke") == 0 && (operands->count == 2 || operands->count == 3))
		return take_back(operands->items[1], operands->items[2]);
	return zs_fail(ZS_EXIT_USAGE, "approvals: write zs approvals list, or zs approvals revoke KIND [VALUE]");
}

const struct zs_subcommand zs_approvals_subcommand = {
	.name = "approvals",
	.description = "List and revoke approvals that you gave to zs run --ask",
	.usage = "[list]\nrevoke KIND [VALUE]",
	.words = "list|revoke",
	.groups = ZS_ONE_GROUP(options),
	.notes = "An approval for always is an entry of your settings: remove it there.\n"
		 "The session is that of the terminal, or the one that ZS_SESSION names.",
	.fields_size = sizeof(struct fields),
	.main = approvals_main,
};
