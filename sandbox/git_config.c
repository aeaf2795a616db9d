#include "git_config.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cleanup.h"

enum { CONFIG_BYTES_MAX = 1024 * 1024, SECTION_MAX = 64 };

static char *trim(char *text)
{
	size_t len;

	text += strspn(text, " \t\r");
	len = strlen(text);
	while (len > 0 && strchr(" \t\r", text[len - 1]))
		text[--len] = '\0';
	return text;
}

static void lower(char *text)
{
	for (; *text; text++)
		*text = (char)tolower((unsigned char)*text);
}

/* A comment begins at a "#" or ";" that is not quoted. */
static char *value_of(char *text)
{
	size_t len;

	text = trim(text);
	if (text[0] == '"') {
		text++;
		text[strcspn(text, "\"")] = '\0';
		return text;
	}
	len = strcspn(text, "#;");
	text[len] = '\0';
	return trim(text);
}

/* "[section "subsection"] key = value": the rest of the line after its section's name. */
static char *section_of(char *line, char section[SECTION_MAX])
{
	char *end = strchr(line, ']');

	if (!end)
		return line + strlen(line);
	snprintf(section, SECTION_MAX, "%.*s", (int)strcspn(line + 1, " \t\"]."), line + 1);
	lower(section);
	return trim(end + 1);
}

int zs_git_config_each(char *text, zs_git_config_entry *each, void *arg)
{
	char section[SECTION_MAX] = "";
	char *line;
	int r = 0;

	while (r == 0 && (line = strsep(&text, "\n"))) {
		char *equals;

		line = trim(line);
		if (*line == '[')
			line = section_of(line, section);
		equals = strchr(line, '=');
		if (!equals || *line == '#' || *line == ';')
			continue;
		*equals = '\0';
		lower(line);
		r = each(section, trim(line), value_of(equals + 1), arg);
	}
	return r;
}

int zs_git_config_read(const char *file, char **ret_text)
{
	ZS_AUTO_FD int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st = { 0 };
	char *text;
	ssize_t len;

	if (fd < 0 && errno != ENOENT && errno != ENOTDIR && errno != EACCES && errno != ELOOP)
		return -errno;
	if (fd >= 0 && fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		st.st_size = 0;
	if (st.st_size > CONFIG_BYTES_MAX)
		return -EFBIG;
	text = calloc(1, (size_t)st.st_size + 1);
	if (!text)
		return -ENOMEM;
	len = st.st_size ? read(fd, text, (size_t)st.st_size) : 0;
	if (len < 0) {
		int cause = errno;

		free(text);
		return -cause;
	}
	*ret_text = text;
	return 0;
}
