/* The folders that each run gets as its own, empty, and that are removed when the run ends. */
#ifndef ZS_SANDBOX_LINUX_PRIVATE_TMP_H
#define ZS_SANDBOX_LINUX_PRIVATE_TMP_H

#include <stddef.h>

/* Ends in NULL. */
static const char *const zs_private_folders[] = { "/tmp", "/var/tmp", "/dev/shm", NULL };

#endif
