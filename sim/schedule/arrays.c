/* arrays.c - growing arrays in huge pages
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/schedule/arrays.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

int tan_grow_now(void *array, uint32_t *room, uint64_t wanted, size_t element, struct tan_error *e)
{
    uint64_t more = *room + *room / 2 + 64;
    if (more < wanted) {
        more = wanted;
    }
    if (more > UINT32_MAX) {
        more = UINT32_MAX;
    }
    void *old;
    memcpy(&old, array, sizeof old);
    void *new = more < wanted ? NULL : realloc(old, (size_t)more * element);
    if (new == NULL) {
        return tan_fail_nomem(e);
    }
    tan_use_big_pages(new, (size_t)more * element);
    memcpy(array, &new, sizeof new);
    *room = (uint32_t)more;
    return 0;
}

void tan_use_big_pages(void *memory, size_t bytes)
{
    const uintptr_t big = (uintptr_t)2 << 20;
    const uintptr_t from = ((uintptr_t)memory + big - 1) & ~(big - 1);
    const uintptr_t to = ((uintptr_t)memory + bytes) & ~(big - 1);
    if (to > from) {
        madvise((char *)memory + (from - (uintptr_t)memory), to - from, MADV_HUGEPAGE);
    }
}
