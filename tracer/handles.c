/* handles.c - numbers for requests and communicators, whose handles an MPI uses again
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tracer/handles.h"

#include <stdbool.h>
#include <stdlib.h>

/* Open addressing; removal moves what follows closer, so that no slot is lost. */
struct handle {
    uintptr_t handle;
    int64_t number;
    bool taken;
};

static uint32_t home(const struct handles *h, uintptr_t handle)
{
    const uint64_t mixed = (uint64_t)handle * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(mixed >> 32) & (h->room - 1);
}

/* The slot of a handle, or the free one where it belongs. */
static uint32_t slot_of(const struct handles *h, uintptr_t handle)
{
    uint32_t i = home(h, handle);
    while (h->slot[i].taken && h->slot[i].handle != handle) {
        i = (i + 1) & (h->room - 1);
    }
    return i;
}

int64_t handles_find(const struct handles *h, uintptr_t handle)
{
    if (h->room == 0) {
        return -1;
    }
    const struct handle *found = &h->slot[slot_of(h, handle)];
    return found->taken ? found->number : -1;
}

static bool grow(struct handles *h)
{
    struct handles more = {.room = h->room == 0 ? 64 : 2 * h->room, .used = h->used};
    more.slot = calloc(more.room, sizeof *more.slot);
    if (more.slot == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < h->room; i++) {
        if (h->slot[i].taken) {
            more.slot[slot_of(&more, h->slot[i].handle)] = h->slot[i];
        }
    }
    free(h->slot);
    more.next = h->next;
    *h = more;
    return true;
}

int64_t handles_add(struct handles *h, uintptr_t handle)
{
    if (2 * (h->used + 1) > h->room && !grow(h)) {
        return -1;
    }
    struct handle *at = &h->slot[slot_of(h, handle)];
    h->used += !at->taken;
    *at = (struct handle){handle, h->next++, true};
    return at->number;
}

void handles_remove(struct handles *h, uintptr_t handle)
{
    uint32_t hole = h->room == 0 ? 0 : slot_of(h, handle);
    if (h->room == 0 || !h->slot[hole].taken) {
        return;
    }
    h->used--;
    for (uint32_t i = (hole + 1) & (h->room - 1); h->slot[i].taken; i = (i + 1) & (h->room - 1)) {
        const uint32_t distance = (i - home(h, h->slot[i].handle)) & (h->room - 1);
        if (distance >= ((i - hole) & (h->room - 1))) {
            h->slot[hole] = h->slot[i];
            hole = i;
        }
    }
    h->slot[hole].taken = false;
}
