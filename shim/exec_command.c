/* Becomes the command: execvp(3) with a chosen environment. macOS has no execvpe(3), and musl's takes PATH from the
 * caller. */
#include "exec_command.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/path.h"
#include "zs_shim.h"

static const char default_path[] = "/usr/local/bin:/usr/bin:/bin";

/* A file that is executable but neither ELF nor "#!" is a shell script: POSIX, execlp(). */
static int exec_script(const char *file, char *const argv[], char *const envp[])
{
	char operand[PATH_MAX];
	size_t count = 0, size;
	char **script;
	int cause;

	/* a file such as "-d/script" must not become an option of sh */
	if (snprintf(operand, sizeof operand, "%s%s", file[0] == '-' ? "./" : "", file) >= (int)sizeof operand)
		return -ENAMETOOLONG;
	while (argv[count])
		count++;
	/* mmap(2) and not malloc(3): in a session this memory belongs to another process too, and this one may be
	 * killed while it holds malloc's locks. There each script that is executed leaves a page behind. */
	size = (count + 2) * sizeof *script;
	script = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (script == MAP_FAILED)
		return -errno;
	script[0] = (char *)"sh";
	script[1] = operand;
	for (size_t i = 1; i <= count; i++)
		script[i + 1] = argv[i];
	execve("/bin/sh", script, envp);
	cause = errno;
	munmap(script, size);
	return -cause;
}

/* Refuses a binary program of another machine, whose bytes sh would run as commands. As for bash, a script has no NUL
 * in its first line. */
static int check_text(const char *file)
{
	/* O_NONBLOCK: the file may have become a fifo meanwhile. */
	ZS_AUTO_FD int fd = open(file, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	char start[128];
	ssize_t len = fd < 0 ? -1 : read(fd, start, sizeof start);
	const char *newline;

	if (len < 0)
		return -errno;
	newline = memchr(start, '\n', (size_t)len);
	return memchr(start, '\0', newline ? (size_t)(newline - start) : (size_t)len) ? -ENOEXEC : 0;
}

static int exec_file(const char *file, char *const argv[], char *const envp[])
{
	int r;

	execve(file, argv, envp);
	if (errno != ENOEXEC)
		return -errno;
	r = check_text(file);
	return r < 0 ? r : exec_script(file, argv, envp);
}

static bool is_missing(const char *file)
{
	return access(file, F_OK) < 0 && (errno == ENOENT || errno == ENOTDIR);
}

int zs_exec_command(char *const argv[], char *const envp[])
{
	const char *folder = zs_env_value(envp, "PATH");
	char file[PATH_MAX];
	int result = -ENOENT;

	if (strncmp(argv[0], "-/", 2) == 0)
		return exec_file(argv[0] + 1, argv, envp);
	if (strchr(argv[0], '/'))
		return exec_file(argv[0], argv, envp);
	if (!folder)
		folder = default_path;
	if (!*argv[0])
		return -ENOENT;
	for (;; folder++) {
		size_t len = strcspn(folder, ":");
		int size = snprintf(file, sizeof file, "%.*s%s%s", (int)len, folder, len ? "/" : "./", argv[0]);

		/* Looks first, since with denials each execve(2) is looked at by another process. */
		if (size > 0 && (size_t)size < sizeof file && !is_missing(file)) {
			int r = exec_file(file, argv, envp);

			/* A later folder of PATH may hold a file that can run. If none does, the error is that of this
			 * file. */
			if (r == -EACCES)
				result = r;
			else if (r != -ENOENT && r != -ENOTDIR && r != -ENAMETOOLONG)
				return r;
		}
		folder += len;
		if (!*folder)
			return result;
	}
}

int zs_exec_judge(const char *command, int cause, struct zs_error *error)
{
	zs_error_errno(error, "exec", command, cause);
	if (!*command)
		zs_error_say(error, "exec", "", cause, "the command's name is empty");
	if (cause == EACCES)
		zs_error_hint(error, 0, "if its mode allows it, the policy does not: grant it with access 'exec'");
	return cause == ENOENT || cause == ENOTDIR ? ZS_EXIT_NOT_FOUND : ZS_EXIT_CANNOT_EXECUTE;
}

int zs_exec_become(char *const argv[], char *const envp[], struct zs_error *error)
{
	return zs_exec_judge(argv[0], -zs_exec_command(argv, envp), error);
}
