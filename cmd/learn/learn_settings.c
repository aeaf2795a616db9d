#include "learn/learn_settings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/input.h"
#include "base/message.h"
#include "base/path.h"
#include "zs_settings.h"

extern char **environ;

size_t zs_learn_settable(const struct zs_learn *learn)
{
	size_t count = 0;

	for (size_t i = 0; i < learn->count; i++)
		count += learn->entries[i].key != NULL;
	return count;
}

char *zs_learn_value(const struct zs_learn_entry *entry)
{
	const char *home = getenv("HOME");
	size_t len = home ? strlen(home) : 0;
	char *value;

	if (len > 1 && *home == '/' && home[len - 1] != '/' && zs_path_lies_in(entry->value, home))
		return asprintf(&value, "~%s", entry->value + len) < 0 ? NULL : value;
	return strdup(entry->value);
}

static int append_all(const struct zs_learn *learn, char *const envp[])
{
	struct zs_error error;

	for (size_t i = 0; i < learn->count; i++) {
		const struct zs_learn_entry *entry = &learn->entries[i];
		ZS_AUTO_FREE char *value = zs_learn_value(entry);

		if (!entry->key)
			continue;
		if (!value)
			return zs_fail_errno(ZS_EXIT_CANNOT_ENFORCE, "learn", "", ENOMEM);
		if (zs_settings_append(envp, entry->key, strcmp(entry->option, "--git") == 0 ? NULL : value, &error) <
			0)
			return zs_fail_error(ZS_EXIT_BAD_INPUT, &error);
	}
	return ZS_EXIT_OK;
}

int zs_learn_write(const struct zs_learn *learn)
{
	return append_all(learn, environ);
}

/* The environment with another folder of settings; free() the array. */
static char **with_folder(char *variable)
{
	size_t count = 0, kept = 0;
	char **envp;

	while (environ[count])
		count++;
	envp = calloc(count + 2, sizeof *envp);
	for (size_t i = 0; i < count && envp; i++)
		if (strncmp(environ[i], "XDG_CONFIG_HOME=", sizeof "XDG_CONFIG_HOME=" - 1) != 0)
			envp[kept++] = environ[i];
	if (envp)
		envp[kept] = variable;
	return envp;
}

static int read_text(const char *path, char **ret_text)
{
	size_t len;
	int r = zs_read_input(path, ZS_SETTINGS_BYTES_MAX, ret_text, &len);

	if (r == -ENOENT)
		*ret_text = strdup("");
	else if (r < 0)
		return zs_fail_errno(ZS_EXIT_BAD_INPUT, "learn", path, r);
	else if (len > ZS_SETTINGS_BYTES_MAX)
		return zs_fail_errno(ZS_EXIT_BAD_INPUT, "learn", path, EFBIG);
	return *ret_text ? ZS_EXIT_OK : zs_fail_errno(ZS_EXIT_CANNOT_ENFORCE, "learn", "", ENOMEM);
}

/* The code that writes the real file makes the proposal, from a copy in a folder of its own. */
static int propose_in(const struct zs_learn *learn, const char *folder, const char *old, char **ret_new)
{
	ZS_AUTO_FREE char *inner = zs_path_join(folder, "zs");
	ZS_AUTO_FREE char *file = inner ? zs_path_join(inner, "settings.json") : NULL;
	ZS_AUTO_FREE char *variable = NULL;
	ZS_AUTO_FREE char **envp = NULL;
	int r = ZS_EXIT_OK;

	if (file && asprintf(&variable, "XDG_CONFIG_HOME=%s", folder) >= 0)
		envp = with_folder(variable);
	if (!envp || mkdir(inner, 0700) < 0)
		return zs_fail_errno(ZS_EXIT_CANNOT_ENFORCE, "learn", folder, errno);
	if (*old)
		r = zs_learn_write_new(file, old);
	if (r == ZS_EXIT_OK)
		r = append_all(learn, envp);
	if (r == ZS_EXIT_OK)
		r = read_text(file, ret_new);
	unlink(file);
	rmdir(inner);
	return r;
}

int zs_learn_settings(const struct zs_learn *learn, const char *path, bool empty, char **ret_old, char **ret_new)
{
	char folder[] = "/tmp/zs-learn-XXXXXX";
	char *old = NULL;
	int r;

	if (empty)
		old = strdup("");
	r = empty ? ZS_EXIT_OK : read_text(path, &old);
	if (r == ZS_EXIT_OK && !mkdtemp(folder))
		r = zs_fail_errno(ZS_EXIT_CANNOT_ENFORCE, "learn", folder, errno);
	else if (r == ZS_EXIT_OK) {
		r = propose_in(learn, folder, old, ret_new);
		rmdir(folder);
	}
	if (r != ZS_EXIT_OK) {
		free(old);
		return r;
	}
	*ret_old = old;
	return ZS_EXIT_OK;
}

int zs_learn_write_new(const char *path, const char *text)
{
	ZS_AUTO_FD int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	size_t len = strlen(text);

	if (fd < 0)
		return zs_fail_errno(ZS_EXIT_NO_OUTPUT, "learn", path, errno);
	for (size_t done = 0; done < len;) {
		ssize_t n = write(fd, text + done, len - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return zs_fail_errno(ZS_EXIT_NO_OUTPUT, "learn", path, errno);
		done += (size_t)n;
	}
	return ZS_EXIT_OK;
}
