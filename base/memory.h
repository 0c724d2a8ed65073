/* memory.h - memory of this machine
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BASE_MEMORY_H
#define TAN_BASE_MEMORY_H

/* Bytes that are free or reclaimable; 0 if unknown. */
double tan_memory_available(void);

#endif
