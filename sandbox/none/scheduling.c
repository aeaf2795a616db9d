#include "base/scheduling.h"

void zs_use_short_slices(void)
{
}
