/* The one file that knows registers: man 2 ptrace, man 2 syscall "Architecture calling conventions". */
#include "registers.h"

#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>

#if defined(__x86_64__)
int registers_skip_call(pid_t pid)
{
	return (int)ptrace(PTRACE_POKEUSER, pid, offsetof(struct user, regs.orig_rax), -1L);
}

int registers_set_result(pid_t pid, long result)
{
	return (int)ptrace(PTRACE_POKEUSER, pid, offsetof(struct user, regs.rax), result);
}
#elif defined(__aarch64__)
#include <elf.h>

int registers_skip_call(pid_t pid)
{
	int none = -1;
	struct iovec part = { &none, sizeof none };

	return (int)ptrace(PTRACE_SETREGSET, pid, NT_ARM_SYSTEM_CALL, &part);
}

int registers_set_result(pid_t pid, long result)
{
	struct user_regs_struct registers;
	struct iovec whole = { &registers, sizeof registers };

	if (ptrace(PTRACE_GETREGSET, pid, NT_PRSTATUS, &whole) < 0)
		return -1;
	registers.regs[0] = (unsigned long)result;
	return (int)ptrace(PTRACE_SETREGSET, pid, NT_PRSTATUS, &whole);
}
#else
#error "write the two functions for this machine"
#endif
