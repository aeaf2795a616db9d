/* How wide a terminal draws a character. */
#ifndef ZS_CMD_COLUMNS_H
#define ZS_CMD_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

/* 0, 1 or 2, the same everywhere: wcwidth(3) asks the locale. */
size_t zs_columns(uint32_t point);

#endif
