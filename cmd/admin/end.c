/* zs end: ends a named session, or lists all. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/command.h"
#include "base/exit.h"
#include "base/json.h"
#include "base/message.h"
#include "named_session.h"

struct fields {
	bool list, json;
	const char *workspace;
};

static const struct zs_option options[] = {
	ZS_FLAG(0, "list", offsetof(struct fields, list), "list the sessions of all workspaces; end none"),
	ZS_FLAG('j', "json", offsetof(struct fields, json), "list them as lines of JSON"),
	ZS_TEXT(0, "workspace", "DIR", offsetof(struct fields, workspace),
		"the session's workspace (default: this folder)"),
	{ 0 },
};

static void print_json(const struct zs_named_shown *shown, void *arg)
{
	(void)arg;
	zs_json_print_line(stdout, "{'name':%s,'workspace':%s,'seconds':%u,'processes':%d}", shown->name,
		shown->workspace, (unsigned)shown->seconds, shown->processes);
}

static void print_text(const struct zs_named_shown *shown, void *arg)
{
	(void)arg;
	printf("%s\t%s\t%u:%02u:%02u\t", shown->name, shown->workspace, (unsigned)(shown->seconds / 3600),
		(unsigned)(shown->seconds / 60 % 60), (unsigned)(shown->seconds % 60));
	zs_print_processes(shown->processes);
}

static int end_main(const void *storage, const struct zs_operands *operands)
{
	const struct fields *fields = storage;
	ZS_AUTO_FREE char *workspace = NULL;
	struct zs_error error;

	if (fields->list && operands->count == 0)
		return zs_named_each(fields->json ? print_json : print_text, NULL, &error) < 0
			       ? zs_fail_error(ZS_EXIT_CANNOT_ENFORCE, &error)
			       : ZS_EXIT_OK;
	if (fields->list || fields->json || operands->count != 1)
		return zs_fail(ZS_EXIT_USAGE, "end: write zs end NAME, or zs end --list");
	workspace = realpath(fields->workspace ? fields->workspace : ".", NULL);
	if (!workspace)
		return zs_fail_errno(ZS_EXIT_USAGE, "--workspace", fields->workspace ? fields->workspace : ".", errno);
	if (zs_named_end(workspace, operands->items[0], &error) < 0)
		return zs_fail_error(error.cause == EINVAL ? ZS_EXIT_USAGE : ZS_EXIT_NO, &error);
	return ZS_EXIT_OK;
}

const struct zs_subcommand zs_end_subcommand = {
	.name = "end",
	.description = "End a session of zs run --session, or list them",
	.usage = "NAME [--workspace DIR]\n--list [--json]",
	.groups = ZS_ONE_GROUP(options),
	.notes = "Ends every process of the session. A session also ends with the agent or the\n"
		 "terminal that started it, and when nobody has used it for long.",
	.fields_size = sizeof(struct fields),
	.main = end_main,
};
