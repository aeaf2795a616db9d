/* Grants one program: the file, and the files that starting it opens, found by ELF headers and "#!" lines. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/elf.h"
#include "base/error.h"
#include "base/library_path.h"
#include "base/path.h"
#include "policy/policy.h"

static const char step[] = "exec";

/* The files to look at, each once. */
struct walk {
	struct zs_policy *policy;
	struct zs_error *error;
	struct zs_library_path libraries;
	char *files[ZS_EXEC_FILES_MAX];
	size_t count;
};

/* Takes over `file`. A loader only reads libraries, but a file that the kernel itself starts must be executable. */
static int add_file(struct walk *walk, char *file, enum zs_access access)
{
	int r = zs_policy_add_path(walk->policy, file, access, walk->error);

	for (size_t i = 0; r == 0 && i < walk->count; i++) {
		if (strcmp(walk->files[i], file) == 0) {
			free(file);
			return 0;
		}
	}
	if (r == 0 && walk->count == ZS_EXEC_FILES_MAX)
		r = zs_error_say(
			walk->error, step, walk->files[0], E2BIG, "needs more than %d files", ZS_EXEC_FILES_MAX);
	if (r < 0) {
		free(file);
		return r;
	}
	walk->files[walk->count++] = file;
	return 0;
}

static int add_copy(struct walk *walk, const char *file, enum zs_access access)
{
	char *copy = strdup(file);

	return copy ? add_file(walk, copy, access) : zs_error_errno(walk->error, step, file, ENOMEM);
}

/* A program that is linked with musl has the same file as C library and as loader. */
static bool is_musl_itself(const struct zs_elf *elf, const char *name)
{
	return elf->interpreter && strstr(elf->interpreter, "/ld-musl-") && strcmp(name, "libc.so") == 0;
}

/* Reads once where the loader looks for libraries. */
static int know_libraries(struct walk *walk)
{
	int r = walk->libraries.count ? 0 : zs_library_path_read(&walk->libraries);

	return r < 0 ? zs_error_errno(walk->error, step, "/etc/ld.so.conf", -r) : 0;
}

static int add_needed(struct walk *walk, const struct zs_elf *elf, const char *file)
{
	/* $ORIGIN is the real folder of a program, but for a library the folder where it was found. */
	ZS_AUTO_FREE char *real = elf->interpreter ? realpath(file, NULL) : NULL;
	const char *origin = real ? real : file;
	int r = 0;

	if (elf->interpreter)
		r = add_copy(walk, elf->interpreter, ZS_ACCESS_EXEC);
	if (r == 0 && elf->needed_count > 0)
		r = know_libraries(walk);
	for (size_t i = 0; r == 0 && i < elf->needed_count; i++) {
		char *library;

		if (is_musl_itself(elf, elf->needed[i]))
			continue;
		r = zs_library_find(&walk->libraries, elf, origin, elf->needed[i], &library);
		if (r < 0)
			return zs_error_say(
				walk->error, step, file, -r, "its library %s was not found", elf->needed[i]);
		r = add_file(walk, library, ZS_ACCESS_EXEC); /* read, and mapped to be executed */
	}
	return r;
}

/* "#!/usr/bin/env NAME" looks for NAME in the PATH of the command, which is not known yet. These are the folders that
 * it surely has. */
static int add_env_program(struct walk *walk, const char *script, const char *name)
{
	static const char *const folders[] = { "/usr/local/bin", "/usr/bin", "/bin" };

	for (size_t i = 0; i < ZS_COUNT(folders); i++) {
		ZS_AUTO_FREE char *file = zs_path_join(folders[i], name);

		if (file && access(file, X_OK) == 0)
			return add_copy(walk, file, ZS_ACCESS_EXEC);
	}
	zs_error_say(walk->error, step, script, ENOENT, "its interpreter %s is not in /usr/local/bin, /usr/bin or /bin",
		name);
	return zs_error_hint(walk->error, -ENOENT, "grant that program itself");
}

/* man 2 execve, "Interpreter scripts": at most 255 bytes, one argument. */
static int add_script(struct walk *walk, const char *file, char *line)
{
	char *interpreter, *rest;

	line[strcspn(line, "\n")] = '\0';
	interpreter = line + 2 + strspn(line + 2, " \t");
	rest = interpreter + strcspn(interpreter, " \t");
	if (*rest)
		*rest++ = '\0';
	rest += strspn(rest, " \t");
	if (interpreter[0] != '/')
		return zs_error_say(walk->error, step, file, ENOEXEC, "its interpreter is not an absolute path");
	/* env -S NAME ARGS, or env NAME */
	if (strcmp(interpreter, "/usr/bin/env") == 0) {
		int r;

		if (strncmp(rest, "-S", 2) == 0)
			rest += 2 + strspn(rest + 2, " \t");
		rest[strcspn(rest, " \t")] = '\0';
		r = *rest && *rest != '-' && !strchr(rest, '=') ? add_env_program(walk, file, rest) : 0;
		if (r < 0)
			return r;
	}
	return add_copy(walk, interpreter, ZS_ACCESS_EXEC);
}

static int policy_exec_visit(struct walk *walk, const char *file)
{
	ZS_AUTO_FD int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char start[256] = "";
	struct zs_elf elf;
	struct stat st;
	int r;

	if (fd < 0 || fstat(fd, &st) < 0)
		return zs_error_errno(walk->error, step, file, errno);
	if (!S_ISREG(st.st_mode))
		return zs_error_say(walk->error, step, file, EACCES, "is not a regular file");
	if (pread(fd, start, sizeof start - 1, 0) < 0)
		return zs_error_errno(walk->error, step, file, errno);
	if (strncmp(start, "#!", 2) == 0)
		return add_script(walk, file, start);
	r = zs_elf_read(fd, &elf);
	if (r < 0)
		return zs_error_say(walk->error, step, file, -r, "is neither a sound ELF file nor a script with '#!'");
	r = add_needed(walk, &elf, file);
	zs_elf_free(&elf);
	return r;
}

int zs_policy_add_exec(struct zs_policy *policy, const char *binary, struct zs_error *error)
{
	struct walk walk = { .policy = policy, .error = error };
	size_t before = policy->grant_count;
	const char *problem;
	char *file;
	int r = zs_path_normalize(binary, policy->home, &file, &problem);

	if (r < 0)
		return zs_error_say(error, step, binary, -r, "%s", problem);
	r = add_file(&walk, file, ZS_ACCESS_EXEC);
	for (size_t i = 0; r == 0 && i < walk.count; i++)
		r = policy_exec_visit(&walk, walk.files[i]);
	/* The loader reads the list of library folders. Without that list it looks only in its own folders. A program
	 * without libraries has no loader, and another root has a list of its own. */
	if (r == 0 && walk.count > 1 && !policy->root)
		r = zs_policy_add_path(policy, "/etc/ld.so.cache", ZS_ACCESS_READ, error);
	if (r < 0)
		zs_policy_cut_grants(policy, before);
	for (size_t i = 0; i < walk.count; i++)
		free(walk.files[i]);
	zs_library_path_free(&walk.libraries);
	return r;
}
