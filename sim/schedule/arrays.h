/* arrays.h - growing arrays in huge pages
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_SCHEDULE_ARRAYS_H
#define SIM_SCHEDULE_ARRAYS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Make *array (a pointer to a pointer) hold at least `wanted` elements of `element` bytes; *room is
 * how many it holds. An array grows as the input does, so that a big number in a small input costs
 * nothing. */
int tan_grow_now(void *array, uint32_t *room, uint64_t wanted, size_t element, struct tan_error *e);
static inline int tan_grow(void *array, uint32_t *room, uint64_t wanted, size_t element,
                           struct tan_error *e)
{
    return wanted <= *room ? 0 : tan_grow_now(array, room, wanted, element, e);
}

/* Tell the kernel that this part of the heap is a big array that will be used all over: fewer page
 * faults and TLB misses. Does nothing where it is small or the kernel will not. */
void tan_use_big_pages(void *memory, size_t bytes);

#endif
