#include "base/memory_stream.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct memory {
	char **ret_text, *text;
	size_t *ret_len, len, size;
	bool failed;
};

static bool memory_stream_make_room(struct memory *memory, size_t more)
{
	size_t size = memory->size ? memory->size : 256;
	char *text;

	if (more > SIZE_MAX / 4 - memory->len)
		return false;
	while (size - memory->len <= more) /* leaves room for a NUL */
		size *= 2;
	if (size == memory->size)
		return true;
	text = realloc(memory->text, size);
	if (!text)
		return false;
	memory->text = text;
	memory->size = size;
	return true;
}

static bool memory_stream_append(struct memory *memory, const char *bytes, size_t len)
{
	memory->failed = memory->failed || !memory_stream_make_room(memory, len);
	if (memory->failed) {
		errno = ENOMEM;
		return false;
	}
	memcpy(memory->text + memory->len, bytes, len);
	memory->len += len;
	memory->text[memory->len] = '\0';
	return true;
}

static int close_memory(void *cookie)
{
	struct memory *memory = cookie;
	bool ok = memory_stream_append(memory, "", 0);

	*memory->ret_text = memory->text;
	*memory->ret_len = memory->len;
	free(memory);
	return ok ? 0 : EOF;
}

#ifdef __APPLE__
static int write_memory(void *cookie, const char *bytes, int len)
{
	return memory_stream_append(cookie, bytes, (size_t)len) ? len : -1;
}

static FILE *open_cookie(struct memory *memory)
{
	return funopen(memory, NULL, write_memory, NULL, close_memory);
}
#else
static ssize_t write_memory(void *cookie, const char *bytes, size_t len)
{
	return memory_stream_append(cookie, bytes, len) ? (ssize_t)len : -1;
}

static FILE *open_cookie(struct memory *memory)
{
	return fopencookie(memory, "w", (cookie_io_functions_t){ .write = write_memory, .close = close_memory });
}
#endif

FILE *zs_memory_stream(char **text, size_t *len)
{
	struct memory *memory = malloc(sizeof *memory);
	FILE *stream;

	*text = NULL;
	*len = 0;
	if (!memory)
		return NULL;
	*memory = (struct memory){ .ret_text = text, .ret_len = len };
	stream = open_cookie(memory);
	if (!stream)
		free(memory);
	return stream;
}

char *zs_memory_close(FILE *stream, char **text)
{
	if (!stream)
		return NULL;
	if (fclose(stream) != 0) {
		free(*text);
		*text = NULL;
	}
	return *text;
}
