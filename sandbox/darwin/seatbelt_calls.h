/* Calls of libSystem that no header of the SDK declares, or that one marks as deprecated.
 *
 * sandbox_init(3) has been deprecated since macOS 10.8 in favour of the App Sandbox, which is of signed applications
 * and cannot be put on a command; what Apple's own sandbox-exec(1) and every browser call is this form of it, which
 * takes the profile as text with parameters. Both are exported by /usr/lib/libSystem.B.dylib, in which dyld finds them
 * or ends the process before main: nothing runs without them. tests/macho.py looks that they are imported from there.
 */
#ifndef ZS_SANDBOX_DARWIN_SEATBELT_CALLS_H
#define ZS_SANDBOX_DARWIN_SEATBELT_CALLS_H

#include <stdint.h>
#include <sys/types.h>

/* Confines the calling process, for good, and all that it starts. parameters: name, value, …, NULL. flags: 0, the
 * profile is text. 0; or else *errorbuf, which may be NULL, says why. */
int sandbox_init_with_parameters(const char *profile, uint64_t flags, const char *const parameters[], char **errorbuf);
void sandbox_free_error(char *errorbuf);

/* 0: the process's sandbox, if it has one, lets it do this; 1: it does not, or there is no such file; else it could not
 * be told. Variadic: on arm64 the path is passed on the stack then. Without an operation, by no filter: 1, the process
 * has a sandbox; 0, it has none. */
int sandbox_check(pid_t pid, const char *operation, int type, ...);
enum { ZS_SANDBOX_FILTER_NONE = 0, ZS_SANDBOX_FILTER_PATH = 1 };
/* A flag of `type`: nobody asked, so the log need not say so. */
extern const int SANDBOX_CHECK_NO_REPORT;

#endif
