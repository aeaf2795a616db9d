#include "base/prompt.h"

void zs_be_prompt(void)
{
}
