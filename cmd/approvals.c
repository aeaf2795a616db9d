#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "exit.h"
#include "message.h"
#include "zs_approval.h"

extern char **environ;

struct fields {
	bool none;
};

static const struct zs_option options[] = { { 0 } };

static const struct zs_option_group groups[] = {
	{ "Options", options, 0 },
	{ 0 },
};

static int refuse(const struct zs_error *error)
{
	zs_complain_error(error);
	return ZS_EXIT_BAD_INPUT;
}

static int list(void)
{
	struct zs_approvals *approvals;
	struct zs_error error;
	int r = zs_approvals_new(NULL, environ, &approvals, &error);

	if (r < 0)
		return refuse(&error);
	r = zs_approvals_load(approvals, &error);
	for (size_t i = 0; r == 0 && i < zs_approvals_count(approvals); i++) {
		struct zs_approval approval = zs_approvals_at(approvals, i);

		printf("%s", zs_need_name(approval.kind));
		if (approval.value) {
			putchar(' ');
			zs_put_text(stdout, approval.value, strlen(approval.value));
		}
		putchar('\n');
	}
	zs_approvals_free(approvals);
	return r < 0 ? refuse(&error) : ZS_EXIT_OK;
}

static int take_back(const char *name, const char *value)
{
	enum zs_need_kind kind = 0;
	struct zs_error error;
	bool known;

	while (kind < ZS_NEED_COUNT && strcmp(zs_need_name(kind), name) != 0)
		kind++;
	if (kind == ZS_NEED_COUNT || (kind <= ZS_NEED_WRITE) != !!value) {
		zs_complain("approvals: revoke: name one as 'zs approvals list' does");
		return ZS_EXIT_USAGE;
	}
	if (zs_approvals_revoke(environ, kind, value, &known, &error) < 0)
		return refuse(&error);
	if (known)
		return ZS_EXIT_OK;
	zs_complain(
		"approvals: revoke: %s%s%s: was not approved for this session; what is for always is in settings.json",
		name, value ? " " : "", value ? value : "");
	return ZS_EXIT_NO;
}

static int approvals_main(const void *storage, const struct zs_operands *operands)
{
	const char *verb = operands->count ? operands->items[0] : "list";

	(void)storage;
	if (strcmp(verb, "list") == 0 && operands->count <= 1)
		return list();
	if (strcmp(verb, "revoke") == 0 && (operands->count == 2 || operands->count == 3))
		return take_back(operands->items[1], operands->items[2]);
	zs_complain("approvals: write zs approvals list, or zs approvals revoke KIND [VALUE]");
	return ZS_EXIT_USAGE;
}

const struct zs_subcommand zs_approvals_subcommand = {
	.name = "approvals",
	.description = "What was approved for this session by zs run --ask",
	.usage = "[list]\nrevoke KIND [VALUE]",
	.groups = groups,
	.notes = "What was approved for always is in your settings: see 'zs policy show'.\n"
		 "A session is that of the terminal, or the one that ZS_SESSION names.",
	.fields_size = sizeof(struct fields),
	.main = approvals_main,
};
