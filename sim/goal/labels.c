/* labels.c - symbol table for the labels of one rank
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/goal/labels.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/map.h"
#include "sim/schedule/arrays.h"
#include "sim/schedule/schedule.h"
#include "sim/schedule/schedule_internal.h"

static int64_t find_name(const struct tan_labels *l, uint64_t hash, const char *name, size_t length)
{
    size_t tries = 0;
    int64_t i;
    do {
        i = tan_map_next(&l->by_hash, hash, &tries);
    } while (i >= 0 && (l->list[i].length != length ||
                        memcmp(l->names + l->list[i].name, name, length) != 0));
    return i;
}

uint32_t tan_labels_find(struct tan_labels *l, const char *name, size_t length, struct tan_error *e)
{
    const uint64_t hash = tan_hash(name, length);
    const int64_t known = find_name(l, hash, name, length);
    const size_t start = l->names_used;
    if (known >= 0) {
        return (uint32_t)known;
    }
    if (tan_grow(&l->list, &l->room, (uint64_t)l->count + 1, sizeof *l->list, e) < 0) {
        return TAN_OP_NONE;
    }
    if (TAN_RESERVE(l->names, l->names_room, start + length) < 0 ||
        tan_map_add(&l->by_hash, hash, l->count) < 0) {
        tan_fail_nomem(e);
        return TAN_OP_NONE;
    }
    memcpy(l->names + start, name, length);
    l->names_used += length;
    l->list[l->count] =
        (struct tan_label){.op = TAN_OP_NONE, .length = (uint32_t)length, .name = start};
    return l->count++;
}

void tan_labels_empty(struct tan_labels *l)
{
    l->count = 0;
    l->names_used = 0;
    tan_map_empty(&l->by_hash);
}

void tan_labels_free(struct tan_labels *l)
{
    free(l->list);
    free(l->names);
    tan_map_clear(&l->by_hash);
    *l = (struct tan_labels){0};
}
