/* arrays.h - growing arrays in huge pages
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_SCHEDULE_ARRAYS_H
#define TAN_SIM_SCHEDULE_ARRAYS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Make *array (a pointer to a pointer) hold at least `wanted` elements of `element` bytes; *room is
 * its capacity. Arrays grow with the input, so that a large number in a small input costs
 * nothing. -1 with the array unchanged if memory is short or `wanted` exceeds 2^32 - 1. */
int tan_grow_now(void *array, uint32_t *room, uint64_t wanted, size_t element, struct tan_error *e);
static inline int tan_grow(void *array, uint32_t *room, uint64_t wanted, size_t element,
                           struct tan_error *e)
{
    return wanted <= *room ? 0 : tan_grow_now(array, room, wanted, element, e);
}

/* Advise the kernel to back a large, densely used array with huge pages, which saves page faults
 * and TLB misses. No effect on small arrays or if not supported. */
void tan_use_big_pages(void *memory, size_t bytes);

#endif
