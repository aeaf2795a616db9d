/* The real table of processes for process_scan.h. It does not use the context. */
#ifndef ZS_SANDBOX_DARWIN_PROCESS_TABLE_H
#define ZS_SANDBOX_DARWIN_PROCESS_TABLE_H

#include "enforce/process_scan.h"

/* Reads one of the kernel's lists, which may grow meanwhile. fill: writes as many bytes of the list as fit, and returns
 * how many; without a buffer, returns the size of the list. free() *ret_items. */
typedef int zs_kernel_fill(void *buffer, int bytes);
int zs_kernel_list(zs_kernel_fill *fill, size_t size, void **ret_items, size_t *ret_count);

int zs_processes_list(void *context, pid_t **ret_pids, size_t *ret_count);
int zs_processes_look(void *context, pid_t pid, struct zs_process *ret_process);
int zs_processes_kill(void *context, pid_t pid);
void zs_processes_wait(void *context);

#endif
