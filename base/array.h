/* array.h - growing arrays, and the memory that is left for them
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BASE_ARRAY_H
#define TAN_BASE_ARRAY_H

#include <stddef.h>

/* Both run in amortised O(1) and return -1 when memory is short, with the list unchanged. A list is
 * NULL before its first item; its owner frees it. */

/* Make room for `wanted` items in `list`, whose capacity is `room` (a size_t, 0 at first). */
#define TAN_RESERVE(list, room, wanted)                                                            \
    tan_array_reserve(&(list), &(room), (size_t)(wanted), sizeof *(list))
/* Make room for one more item in `list`, which has `n`. The capacity is derived from n instead of
 * stored, so every item must be added through this macro; items may be dropped from the end. For a
 * list that is emptied and refilled use TAN_RESERVE: this macro would shrink it at the first
 * item. */
#define TAN_ONE_MORE(list, n) tan_array_one_more(&(list), (size_t)(n), sizeof *(list))

int tan_array_enlarge(void *list, size_t *room, size_t wanted, size_t size);

static inline int tan_array_reserve(void *list, size_t *room, size_t wanted, size_t size)
{
    return wanted <= *room ? 0 : tan_array_enlarge(list, room, wanted, size);
}

int tan_array_one_more(void *list, size_t n, size_t size);

/* Bytes that are free or reclaimable on this machine; 0 if unknown. */
double tan_memory_available(void);

#endif
