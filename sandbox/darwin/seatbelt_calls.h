/* Functions of libSystem that no header of the SDK declares, or that a header marks as deprecated.
 *
 * sandbox_init(3) has been deprecated since macOS 10.8 in favour of the App Sandbox, which is for signed applications
 * and cannot be applied to a command. Apple's own sandbox-exec(1) and every browser call the form of it that takes the
 * profile as text with parameters. /usr/lib/libSystem.B.dylib exports both functions. If dyld does not find them there,
 * it ends the process before main, so nothing runs without them. tests/macho.py checks that they are imported from
 * there. */
#ifndef ZS_SANDBOX_DARWIN_SEATBELT_CALLS_H
#define ZS_SANDBOX_DARWIN_SEATBELT_CALLS_H

#include <stdint.h>
#include <sys/types.h>

/* Confines the calling process, and all processes that it starts, for good. parameters: name, value, …, NULL. flags 0:
 * the profile is text. Returns 0; otherwise *errorbuf, which may be NULL, says why it failed. */
int sandbox_init_with_parameters(const char *profile, uint64_t flags, const char *const parameters[], char **errorbuf);
void sandbox_free_error(char *errorbuf);

/* 0: the process has no sandbox, or its sandbox lets it do this; 1: the sandbox does not, or there is no such file; any
 * other value: that is not known. The function is variadic: arm64 passes the path on the stack then. Without an
 * operation and a filter: 1, the process has a sandbox; 0, it has none. */
int sandbox_check(pid_t pid, const char *operation, int type, ...);
enum { ZS_SANDBOX_FILTER_NONE = 0, ZS_SANDBOX_FILTER_PATH = 1 };
/* A flag of `type`: keeps the question out of the log. */
extern const int SANDBOX_CHECK_NO_REPORT;

#endif
