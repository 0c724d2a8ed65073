/* usage.h - memory use of this process
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_HOST_USAGE_H
#define TAN_TANBENCH_HOST_USAGE_H

#include <stdint.h>

/* Resident memory in bytes; 0 if unknown. Reads a file. */
int64_t usage_memory(void);

#endif
