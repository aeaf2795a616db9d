#include "enforce/session_request.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/error.h"

static const char step[] = "session";

static bool session_request_asks_overlay(const struct zs_policy *policy)
{
	return policy->workspace && policy->workspace_access == ZS_WORKSPACE_OVERLAY;
}

static bool asks_processes(const struct zs_policy *policy)
{
	return policy->limits.processes > 0;
}

/* Nobody would remove the folder. */
static bool asks_disk(const struct zs_policy *policy)
{
	return zs_policy_tmp_bytes(policy) > ZS_POLICY_TMP_BYTES;
}

static bool asks_root(const struct zs_policy *policy)
{
	return policy->root;
}

static bool asks_git_base(const struct zs_policy *policy)
{
	return policy->git_base;
}

static const struct {
	const char *field;
	bool (*asked)(const struct zs_policy *policy);
	const char *why;
} unshared[] = {
	{ "workspace: overlay", session_request_asks_overlay, "the runs of a session would share one scratch overlay" },
	{ "root", asks_root, "the runs of a session would share one scratch layer" },
	{ "git_base", asks_git_base, "the runs of a session would share one scratch layer" },
	{ "limits: processes", asks_processes, "the kernel counts all runs of a session together" },
	{ "limits: tmp_bytes", asks_disk, "a session has its /tmp in memory, which takes 2 GiB at most" },
};

int zs_session_check(const struct zs_policy *policy, struct zs_error *error)
{
	for (size_t i = 0; i < ZS_COUNT(unshared); i++) {
		if (!unshared[i].asked(policy))
			continue;
		zs_error_say(error, step, unshared[i].field, EOPNOTSUPP, "%s", unshared[i].why);
		return zs_error_hint(error, -EOPNOTSUPP, "use zs_spawn() for this policy");
	}
	return 0;
}

/* Counts the strings of a list, and adds their bytes to *bytes. */
static uint32_t measure(char *const list[], size_t *bytes)
{
	uint32_t count = 0;

	/* Stops at the limit, so that no sum overflows. */
	for (; list[count] && *bytes <= ZS_SESSION_BYTES_MAX; count++)
		*bytes += strlen(list[count]) + 1;
	return count;
}

static char *append(char *at, const char *text)
{
	return stpcpy(at, text) + 1;
}

int zs_session_pack(const struct zs_session_command *command, struct zs_session_request **ret_request)
{
	size_t bytes = strlen(command->cwd) + 1;
	struct zs_session_request *request;
	struct zs_session_head head = { 0 };
	char *at;

	head.argc = measure(command->argv, &bytes);
	head.envc = measure(command->envp, &bytes);
	if (bytes > ZS_SESSION_BYTES_MAX)
		return -E2BIG;
	head.bytes = (uint32_t)bytes;
	request = malloc(sizeof *request + bytes);
	if (!request)
		return -ENOMEM;
	request->head = head;
	at = append(request->body, command->cwd);
	for (uint32_t i = 0; i < head.argc; i++)
		at = append(at, command->argv[i]);
	for (uint32_t i = 0; i < head.envc; i++)
		at = append(at, command->envp[i]);
	*ret_request = request;
	return 0;
}

static size_t count_texts(const char *body, size_t bytes)
{
	size_t count = 0;

	for (size_t i = 0; i < bytes; i++)
		count += body[i] == '\0';
	return count;
}

int zs_session_unpack(
	const struct zs_session_head *head, const char *body, size_t bytes, struct zs_session_command *ret_command)
{
	size_t count = 1 + (size_t)head->argc + head->envc;
	char **list, **at;

	if (bytes != head->bytes || bytes == 0 || bytes > ZS_SESSION_BYTES_MAX || body[bytes - 1] != '\0' ||
		body[0] != '/' || head->argc == 0 || count_texts(body, bytes) != count)
		return -EBADMSG;
	list = at = malloc((count + 1) * sizeof *list); /* without the first string, cwd, but with two NULLs */
	if (!list)
		return -ENOMEM;
	ret_command->cwd = body;
	for (size_t i = 1; i < count; i++) {
		body += strlen(body) + 1;
		*at++ = (char *)body;
		if (i == head->argc)
			*at++ = NULL;
	}
	*at = NULL;
	ret_command->argv = list;
	ret_command->envp = list + head->argc + 1;
	return 0;
}
