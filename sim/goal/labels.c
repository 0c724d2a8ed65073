/* labels.c - symbol table of the labels of one rank
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/goal/labels.h"

#include <stdlib.h>
#include <string.h>

#include "sim/schedule/arrays.h"
#include "sim/schedule/schedule.h"
#include "sim/schedule/schedule_internal.h"

/* Of a table with open addressing; it counts as empty when its stamp is not the table's. */
struct tan_label_slot {
    uint32_t stamp, hash, label;
};

static uint32_t hash_of(const char *name, size_t length)
{
    uint64_t hash = length;
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)name[i]) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return (uint32_t)hash;
}

/* Twice the slots, with what they hold. */
static int grow_slots(struct tan_labels *l, struct tan_error *e)
{
    const uint64_t wanted = l->n_slots == 0 ? 64 : 2 * (uint64_t)l->n_slots;
    struct tan_label_slot *slots =
        wanted > UINT32_MAX ? NULL : calloc((size_t)wanted, sizeof *slots);
    if (slots == NULL) {
        return tan_fail_nomem(e);
    }
    for (uint32_t i = 0; i < l->n_slots; i++) {
        if (l->slots[i].stamp == l->stamp) {
            uint32_t at = l->slots[i].hash & (uint32_t)(wanted - 1);
            while (slots[at].stamp == l->stamp) {
                at = (at + 1) & (uint32_t)(wanted - 1);
            }
            slots[at] = l->slots[i];
        }
    }
    free(l->slots);
    l->slots = slots;
    l->n_slots = (uint32_t)wanted;
    return 0;
}

static int keep_name(struct tan_labels *l, const char *name, size_t length, struct tan_error *e)
{
    if (l->names_room - l->names_used < length) {
        const size_t wanted = 2 * l->names_room + length + 256;
        char *names = realloc(l->names, wanted);
        if (names == NULL) {
            return tan_fail_nomem(e);
        }
        l->names = names;
        l->names_room = wanted;
    }
    memcpy(l->names + l->names_used, name, length);
    l->names_used += length;
    return 0;
}

uint32_t tan_labels_find(struct tan_labels *l, const char *name, size_t length, struct tan_error *e)
{
    if (l->stamp == 0) {
        l->stamp = 1;
    }
    if (l->count >= l->n_slots / 2 && grow_slots(l, e) < 0) {
        return TAN_OP_NONE;
    }
    const uint32_t hash = hash_of(name, length);
    uint32_t at = hash & (l->n_slots - 1);
    for (; l->slots[at].stamp == l->stamp; at = (at + 1) & (l->n_slots - 1)) {
        const struct tan_label *label = &l->list[l->slots[at].label];
        if (l->slots[at].hash == hash && label->length == length &&
            memcmp(l->names + label->name, name, length) == 0) {
            return l->slots[at].label;
        }
    }
    const size_t start = l->names_used;
    if (tan_grow(&l->list, &l->room, (uint64_t)l->count + 1, sizeof *l->list, e) < 0 ||
        keep_name(l, name, length, e) < 0) {
        return TAN_OP_NONE;
    }
    l->list[l->count] =
        (struct tan_label){.op = TAN_OP_NONE, .length = (uint32_t)length, .name = start};
    l->slots[at] = (struct tan_label_slot){l->stamp, hash, l->count};
    return l->count++;
}

void tan_labels_empty(struct tan_labels *l)
{
    l->count = 0;
    l->names_used = 0;
    if (++l->stamp == 0 && l->slots != NULL) { /* after 2^32 ranks old stamps would count again */
        memset(l->slots, 0, l->n_slots * sizeof *l->slots);
    }
}

void tan_labels_free(struct tan_labels *l)
{
    free(l->list);
    free(l->names);
    free(l->slots);
    *l = (struct tan_labels){0};
}
