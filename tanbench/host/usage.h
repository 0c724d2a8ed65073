/* usage.h - what this process has used
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_HOST_USAGE_H
#define TANBENCH_HOST_USAGE_H

#include <stdint.h>

/* Seconds of cores, all threads. A system call. */
double usage_cpu(void);
/* Bytes of memory that it has; 0 when the system does not tell. Reads a file. */
int64_t usage_memory(void);

#endif
