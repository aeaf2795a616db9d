#include "base/kernel_files.h"

/* devfs is all that macOS has of them, and it is small. */
int zs_has_kernel_files(int folder)
{
	(void)folder;
	return 0;
}
