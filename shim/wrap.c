/* Rewrites a command so that executing it starts the shim. */
#include "wrapped.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "policy/environment.h"
#include "base/error.h"
#include "self.h"

static const char step[] = "wrap";

/* One block holds everything that a wrapped command points to: the two arrays, and then the bytes. */
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

static void push_own(struct block *block, const struct zs_wrap_own *own)
{
	size_t len = strlen(own->name);

	*block->next_pointer++ = block->next_byte;
	memcpy(block->next_byte, own->name, len);
	block->next_byte[len] = '=';
	block->next_byte += len + 1;
	copy(block, own->value);
}

static void measure(char *const list[], size_t *count, size_t *bytes)
{
	for (; *list; list++) {
		++*count;
		*bytes += strlen(*list) + 1;
	}
}

static void fill(struct block *block, const struct zs_wrap_parts *parts, struct zs_wrapped *wrapped)
{
	wrapped->argv = block->next_pointer;
	push(block, parts->marker);
	if (parts->path)
		push(block, parts->path);
	for (char *const *word = parts->argv; *word; word++)
		push(block, *word);
	*block->next_pointer++ = NULL;
	wrapped->envp = block->next_pointer;
	for (char *const *entry = parts->envp; entry && *entry; entry++)
		if (!parts->is_dropped(*entry))
			push(block, *entry);
	for (size_t i = 0; i < ZS_WRAP_OWN; i++)
		if (parts->own[i].value)
			push_own(block, &parts->own[i]);
	*block->next_pointer++ = NULL;
}

int zs_wrap_parts(const struct zs_wrap_parts *parts, struct zs_wrapped *ret_wrapped, struct zs_error *error)
{
	size_t count = 4 + ZS_WRAP_OWN; /* the marker, the path, our variables and two NULLs */
	size_t bytes = strlen(parts->marker) + 1 + (parts->path ? strlen(parts->path) + 1 : 0);
	struct zs_wrapped wrapped = { 0 };
	struct block block;
	char self[PATH_MAX];
	const char *path;
	int r;

	if (!parts->argv[0])
		return zs_error_say(error, step, "", EINVAL, "no command");
	r = parts->executable ? 0 : zs_self_path(self, sizeof self);
	if (r < 0)
		return zs_error_errno(error, step, "this program's path", -r);
	path = parts->executable ? parts->executable : self;
	measure(parts->argv, &count, &bytes);
	if (parts->envp)
		measure(parts->envp, &count, &bytes);
	for (size_t i = 0; i < ZS_WRAP_OWN; i++)
		bytes += parts->own[i].value ? strlen(parts->own[i].name) + strlen(parts->own[i].value) + 2 : 0;
	bytes += strlen(path) + 1;
	wrapped.storage = malloc(count * sizeof(char *) + bytes);
	if (!wrapped.storage)
		return zs_error_errno(error, step, "", ENOMEM);
	block.next_pointer = wrapped.storage;
	block.next_byte = (char *)(block.next_pointer + count);
	wrapped.path = copy(&block, path);
	fill(&block, parts, &wrapped);
	*ret_wrapped = wrapped;
	return 0;
}

/* Drops variables that make a program load code, such as LD_PRELOAD: the shim's loader would obey them before the shim
 * is confined. The command would not get them either. Variables of zs that the caller's environment holds are dropped
 * too. */
static bool is_dropped(const char *entry)
{
	return zs_env_is_loader(entry, strcspn(entry, "="));
}

/* Writes a descriptor's number as text; NULL: there is no descriptor. */
static int name_descriptor(const char *name, int fd, char text[16], const char **ret_value, struct zs_error *error)
{
	snprintf(text, 16, "%d", fd);
	*ret_value = fd ? text : NULL;
	if (fd != 0 && fd <= STDERR_FILENO)
		return zs_error_say(error, step, name, EINVAL, "%d is no descriptor that can be kept", fd);
	return 0;
}

int zs_wrap_with(const struct zs_sandbox *sandbox, char *const argv[], char *const envp[],
	const struct zs_spawn_options *options, struct zs_wrapped *ret_wrapped, struct zs_error *error)
{
	char overlay[16], report[16], denials[16];
	struct zs_wrap_parts parts = {
		.marker = ZS_SHIM_ARGV0,
		.argv = argv,
		.envp = envp,
		.is_dropped = is_dropped,
		.executable = options ? options->executable : NULL,
		.own = { { ZS_SHIM_POLICY, zs_sandbox_json(sandbox) }, { ZS_SHIM_OVERLAY, NULL },
			{ ZS_SHIM_REPORT, NULL }, { ZS_SHIM_DENIALS, NULL } },
	};
	int r = name_descriptor("overlay", options ? options->overlay : 0, overlay, &parts.own[1].value, error);

	if (!parts.executable && !zs_shim_is_entered())
		return zs_error_hint(error,
			zs_error_say(error, step, "", EPERM, "this program has not called zs_exec_shim()"),
			"call it first in main, link zs_shim_constructor.o, or name another program as executable");
	if (r == 0)
		r = name_descriptor("report", options ? options->report : 0, report, &parts.own[2].value, error);
	if (r == 0)
		r = name_descriptor("denials", options ? options->denials : 0, denials, &parts.own[3].value, error);
	return r < 0 ? r : zs_wrap_parts(&parts, ret_wrapped, error);
}

int zs_wrap(const struct zs_sandbox *sandbox, char *const argv[], char *const envp[], struct zs_wrapped *ret_wrapped,
	struct zs_error *error)
{
	return zs_wrap_with(sandbox, argv, envp, NULL, ret_wrapped, error);
}

void zs_wrapped_free(struct zs_wrapped *wrapped)
{
	if (!wrapped)
		return;
	free(wrapped->storage);
	*wrapped = (struct zs_wrapped){ 0 };
}
