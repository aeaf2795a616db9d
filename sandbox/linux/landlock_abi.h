/* Which Landlock this kernel has. (Not landlock.h: with -Isandbox that would be <linux/landlock.h>.) */
#ifndef ZS_SANDBOX_LINUX_LANDLOCK_ABI_H
#define ZS_SANDBOX_LINUX_LANDLOCK_ABI_H

/* The kernel's ABI, at least 1, or a negative errno: -ENOSYS not built in, -EOPNOTSUPP not switched on. */
int zs_landlock_abi(void);

#endif
