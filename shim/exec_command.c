/* Becoming the command: execvp(3) with an environment of our choosing, which macOS lacks and musl does with the
 * caller's PATH. */
#include "exec_command.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cleanup.h"
#include "path.h"

static const char default_path[] = "/usr/local/bin:/usr/bin:/bin";

/* A file that is executable but neither ELF nor "#!" is a shell script: POSIX, execlp(). */
static int exec_script(const char *file, char *const argv[], char *const envp[])
{
	size_t count = 0;
	char **script;
	int cause;

	while (argv[count])
		count++;
	script = malloc((count + 2) * sizeof *script);
	if (!script)
		return -ENOMEM;
	script[0] = (char *)"sh";
	script[1] = (char *)file;
	for (size_t i = 1; i <= count; i++)
		script[i + 1] = argv[i];
	execve("/bin/sh", script, envp);
	cause = errno;
	free(script);
	return -cause;
}

static int exec_file(const char *file, char *const argv[], char *const envp[])
{
	execve(file, argv, envp);
	return errno == ENOEXEC ? exec_script(file, argv, envp) : -errno;
}

int zs_exec_command(char *const argv[], char *const envp[])
{
	const char *folder = zs_env_value(envp, "PATH");
	char file[PATH_MAX];
	int result = -ENOENT;

	if (strchr(argv[0], '/'))
		return exec_file(argv[0], argv, envp);
	if (!folder)
		folder = default_path;
	if (!*argv[0])
		return -ENOENT;
	for (;; folder++) {
		size_t len = strcspn(folder, ":");
		int size = snprintf(file, sizeof file, "%.*s%s%s", (int)len, folder, len ? "/" : "./", argv[0]);

		if (size > 0 && (size_t)size < sizeof file) {
			int r = exec_file(file, argv, envp);

			/* A later folder may hold one that can run; if none does, say that this one could not. */
			if (r == -EACCES)
				result = r;
			else if (r != -ENOENT && r != -ENOTDIR)
				return r;
		}
		folder += len;
		if (!*folder)
			return result;
	}
}
