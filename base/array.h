/* array.h - growing arrays
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BASE_ARRAY_H
#define TAN_BASE_ARRAY_H

#include <stddef.h>

/* Both are O(1) on average and return -1 when memory is short, with the list as it was. A list is
 * NULL before its first item; its owner frees it. */

/* Make room for `wanted` items in `list`, which has room for `room` (a size_t, 0 at first). */
#define TAN_RESERVE(list, room, wanted)                                                            \
    tan_array_reserve(&(list), &(room), (size_t)(wanted), sizeof *(list))
/* Make room for one more item in `list`, which has `n`. Its room is not recorded but follows from
 * n, so every item has to be added by this; some may be dropped from the end. A list that is filled
 * again and again had better keep a record: this one shrinks with its first item. */
#define TAN_ONE_MORE(list, n) tan_array_one_more(&(list), (size_t)(n), sizeof *(list))

int tan_array_enlarge(void *list, size_t *room, size_t wanted, size_t size);

static inline int tan_array_reserve(void *list, size_t *room, size_t wanted, size_t size)
{
    return wanted <= *room ? 0 : tan_array_enlarge(list, room, wanted, size);
}

int tan_array_one_more(void *list, size_t n, size_t size);

#endif
