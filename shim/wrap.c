/* Rewrites a command so that executing it starts the shim. */
#include "zs_shim.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "environment.h"
#include "error.h"
#include "self.h"

static const char step[] = "wrap";
static const char variable[] = ZS_SHIM_POLICY "=";

/* Everything that a wrapped command points at lies in one block: first the two arrays, then the bytes. */
struct block {
	char **next_pointer;
	char *next_byte;
};

static const char *copy(struct block *block, const char *text)
{
	size_t size = strlen(text) + 1;
	char *at = memcpy(block->next_byte, text, size);

	block->next_byte += size;
	return at;
}

static void push(struct block *block, const char *text)
{
	*block->next_pointer++ = (char *)copy(block, text);
}

/* The shim is this program, not confined yet, and its loader would obey LD_PRELOAD before main: what makes programs
 * load code must not get there. The command would not have received it either. ZS_SANDBOX_POLICY is one of these. */
static bool is_dropped(const char *entry)
{
	return zs_env_is_loader(entry, strcspn(entry, "="));
}

static void measure(char *const list[], size_t *count, size_t *bytes)
{
	for (; *list; list++) {
		++*count;
		*bytes += strlen(*list) + 1;
	}
}

static void fill(
	struct block *block, char *const argv[], char *const envp[], const char *json, struct zs_wrapped *wrapped)
{
	wrapped->argv = block->next_pointer;
	push(block, ZS_SHIM_ARGV0);
	for (; *argv; argv++)
		push(block, *argv);
	*block->next_pointer++ = NULL;
	wrapped->envp = block->next_pointer;
	for (; *envp; envp++)
		if (!is_dropped(*envp))
			push(block, *envp);
	*block->next_pointer++ = block->next_byte;
	*block->next_pointer++ = NULL;
	memcpy(block->next_byte, variable, sizeof variable - 1);
	block->next_byte += sizeof variable - 1;
	copy(block, json);
}

int zs_wrap(const struct zs_sandbox *sandbox, char *const argv[], char *const envp[], struct zs_wrapped *ret_wrapped,
	struct zs_error *error)
{
	char *const none[] = { NULL };
	const char *json = zs_sandbox_json(sandbox);
	size_t count = 4; /* the marker, our variable and two NULLs */
	size_t bytes = sizeof ZS_SHIM_ARGV0 + sizeof variable + strlen(json);
	struct zs_wrapped wrapped = { 0 };
	struct block block;
	char self[PATH_MAX];
	int r;

	if (!envp)
		envp = none;
	if (!argv[0])
		return zs_error_say(error, step, "", EINVAL, "no command");
	r = zs_self_path(self, sizeof self);
	if (r < 0)
		return zs_error_errno(error, step, "this program's path", -r);
	measure(argv, &count, &bytes);
	measure(envp, &count, &bytes);
	bytes += strlen(self) + 1;
	wrapped.storage = malloc(count * sizeof(char *) + bytes);
	if (!wrapped.storage)
		return zs_error_errno(error, step, "", ENOMEM);
	block.next_pointer = wrapped.storage;
	block.next_byte = (char *)(block.next_pointer + count);
	wrapped.path = copy(&block, self);
	fill(&block, argv, envp, json, &wrapped);
	*ret_wrapped = wrapped;
	return 0;
}

void zs_wrapped_free(struct zs_wrapped *wrapped)
{
	if (!wrapped)
		return;
	free(wrapped->storage);
	*wrapped = (struct zs_wrapped){ 0 };
}
