#include "agent/install_show.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diff.h"
#include "base/memory_stream.h"
#include "base/message.h"

static void put_lines(FILE *out, const char *text, size_t len)
{
	while (len > 0) {
		const char *newline = memchr(text, '\n', len);
		size_t line = newline ? (size_t)(newline - text) : len;

		zs_put_text(out, text, line);
		fputc('\n', out);
		line += newline != NULL;
		text += line;
		len -= line;
	}
}

int zs_install_show(const struct zs_agent_file *old, const struct zs_agent_change *new, FILE *out, bool escaped)
{
	struct zs_text before = { old->text ? old->text : "", old->len };
	struct zs_text after = { new->text ? new->text : "", new->len };
	char *diff = NULL;
	size_t len;
	FILE *text = zs_memory_stream(&diff, &len);
	int r = text ? zs_diff_hunks(text, before, after) : -ENOMEM;

	if (text && fclose(text) != 0)
		r = -ENOMEM;
	if (r == 0) {
		fputs("--- ", out);
		zs_put_value(out, old->text ? old->real : "/dev/null");
		fputs("\n+++ ", out);
		zs_put_value(out, new->text ? old->real : "/dev/null");
		fputc('\n', out);
		if (escaped)
			put_lines(out, diff, len);
		else
			fwrite(diff, 1, len, out);
	}
	free(diff);
	return r;
}
