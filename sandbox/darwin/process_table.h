/* The table of processes of process_scan.h that is real. The context is not looked at. */
#ifndef ZS_SANDBOX_DARWIN_PROCESS_TABLE_H
#define ZS_SANDBOX_DARWIN_PROCESS_TABLE_H

#include "enforce/process_scan.h"

/* One of the kernel's lists, which may grow while it is asked for. fill: writes as many bytes of it as there are, or
 * room for, and returns how many; without a buffer, how many there are. free() *ret_items. */
typedef int zs_kernel_fill(void *buffer, int bytes);
int zs_kernel_list(zs_kernel_fill *fill, size_t size, void **ret_items, size_t *ret_count);

int zs_processes_list(void *context, pid_t **ret_pids, size_t *ret_count);
int zs_processes_look(void *context, pid_t pid, struct zs_process *ret_process);
int zs_processes_kill(void *context, pid_t pid);
void zs_processes_wait(void *context);

#endif
