/* File systems whose files the kernel makes up: /proc, /sys and their like. */
#ifndef ZS_SANDBOX_KERNEL_FILES_H
#define ZS_SANDBOX_KERNEL_FILES_H

/* 1: nobody can leave a file of an own name in there, nor a link. 0: it is a file system like others. Or a negative
 * errno. */
int zs_has_kernel_files(int folder);

#endif
