/* For hosts that have threads before main, or whose main is not C: link this object, and the shim is entered from a
 * constructor. It is an object of its own, because the linker takes only those members of an archive that something
 * refers to.
 *
 * In a shared library it does nothing. A library that the program loads by dlopen(3) arrives after main has begun, so
 * the program, started again, would run as itself and not as the shim. */
#include "wrapped.h"
#include "tracker_shim.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __APPLE__
#include <crt_externs.h>
#include <mach-o/loader.h>

/* The header of the image that this object is linked into. */
extern const struct mach_header __dso_handle;

__attribute__((constructor(101))) static void enter_shim(void)
{
	if (__dso_handle.filetype == MH_EXECUTE)
		zs_exec_shim(*_NSGetArgc(), *_NSGetArgv());
}
#else
#include <linux/auxvec.h>
#include <stddef.h>
#include <sys/auxv.h>

/* The header of the file that this object is linked into, which the linker defines. The struct follows <elf.h>, which
 * this build does not take from the system. */
struct elf64_header {
	unsigned char ident[16];
	uint16_t type, machine;
	uint32_t version;
	uint64_t entry, phoff;
};
extern const struct elf64_header __ehdr_start __attribute__((visibility("hidden")));
_Static_assert(sizeof(void *) == 8 && offsetof(struct elf64_header, phoff) == 32, "ELFCLASS64");

/* The kernel tells the program where its own headers are (man 3 getauxval). */
static bool is_in_program(void)
{
	return getauxval(AT_PHDR) == (uintptr_t)&__ehdr_start + __ehdr_start.phoff;
}

static _Noreturn void constructor_refuse(const char *what)
{
	dprintf(STDERR_FILENO, "zs: shim: /proc/self/cmdline: %s\n", what);
	_exit(ZS_EXIT_CANNOT_ENFORCE);
}

/* Reads the whole file and its length. glibc passes constructors the arguments of main, musl does not. */
static char *read_cmdline(size_t *ret_len)
{
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	size_t len = 0, room = 0;
	char *text = NULL;

	if (fd < 0)
		constructor_refuse(strerror(errno));
	for (;;) {
		ssize_t got;

		if (room - len < 2) {
			room = room ? room * 2 : 4096;
			text = realloc(text, room);
			if (!text)
				constructor_refuse("out of memory");
		}
		got = read(fd, text + len, room - len - 1);
		if (got < 0)
			constructor_refuse(strerror(errno));
		if (got == 0)
			break;
		len += (size_t)got;
	}
	close(fd);
	text[len] = '\0';
	*ret_len = len;
	return text;
}

__attribute__((constructor(101))) static void enter_shim(void)
{
	size_t len, argc = 0;
	char *text, **argv;

	if (!is_in_program())
		return;
	/* The C library has set this name already. So an ordinary start of a host costs a few comparisons. */
	if (strcmp(program_invocation_name, ZS_SHIM_ARGV0) != 0 &&
		strcmp(program_invocation_name, ZS_SHIM_SESSION_PARENT) != 0 &&
		strcmp(program_invocation_name, ZS_SHIM_BOX) != 0 &&
		program_invocation_name[0] != '-' && /* a box's server: ZS_NAMED_SERVER */
		strcmp(program_invocation_name, ZS_TRACKER_WATCHDOG) != 0 &&
		strcmp(program_invocation_name, ZS_TRACKER_COMMAND) != 0) {
		zs_exec_shim(0, NULL);
		return;
	}
	text = read_cmdline(&len);
	for (size_t i = 0; i < len; i++)
		argc += text[i] == '\0';
	argv = calloc(argc + 1, sizeof *argv);
	if (!argv)
		constructor_refuse("out of memory");
	for (size_t i = 0; i < argc; i++, text += strlen(text) + 1)
		argv[i] = text;
	zs_exec_shim((int)argc, argv);
}
#endif
