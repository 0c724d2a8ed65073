/* labels.c - labels of one rank, and cycles of operations that wait for each other
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/goal/labels.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "sim/schedule/arrays.h"

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

/* Breadth-first search from `start` along what it waits for; via[label]: the statement that led
 * there. sorted[first[label]] .. sorted[first[label + 1] - 1] are the statements of a label.
 * Returns the one that leads back to `start`. */
static uint32_t find_circle(const struct tan_goal_wait *waits, const uint32_t *first,
                            const uint32_t *sorted, uint32_t start, uint32_t *queue, uint32_t *via)
{
    uint32_t done = 0, queued = 0;
    queue[queued++] = start;
    while (done < queued) {
        const uint32_t label = queue[done++];
        for (uint32_t i = first[label]; i < first[label + 1]; i++) {
            const uint32_t on = waits[sorted[i]].on;
            if (on == start) {
                return sorted[i];
            }
            if (via[on] == TAN_OP_NONE) {
                via[on] = sorted[i];
                queue[queued++] = on;
            }
        }
    }
    return TAN_OP_NONE;
}

static struct tan_text describe_wait(const struct tan_labels *labels,
                                     const struct tan_goal_wait *wait)
{
    const struct tan_label *label = &labels->list[wait->label];
    const struct tan_label *on = &labels->list[wait->on];
    const uint32_t longest = 40;
    return tan_printed(
        "%.*s %s %.*s (line %" PRIu32 ")", (int)(label->length < longest ? label->length : longest),
        labels->names + label->name, wait->when == TAN_AFTER_FINISH ? "requires" : "irequires",
        (int)(on->length < longest ? on->length : longest), labels->names + on->name, wait->line);
}

/* Write the cycle from `start` to statement `last`, which leads back to it. `queue` is scratch. */
static void write_circle(const struct tan_labels *labels, const struct tan_goal_wait *waits,
                         uint32_t start, uint32_t last, const uint32_t *via, uint32_t *queue,
                         uint32_t *line, uint32_t *column, char *text, size_t size)
{
    enum { SHOWN = 6 };
    uint32_t length = 0;
    for (uint32_t at = last;; at = via[waits[at].label]) { /* from last to first */
        queue[length++] = at;
        if (waits[at].label == start) {
            break;
        }
    }
    *line = 0;
    *column = 0;
    size_t used = 0;
    for (uint32_t i = 0; i < length; i++) {
        const struct tan_goal_wait *wait = &waits[queue[length - 1 - i]];
        if (wait->line > *line || (wait->line == *line && wait->column > *column)) {
            *line = wait->line;
            *column = wait->column;
        }
        if (length <= SHOWN || i < SHOWN / 2 || i >= length - SHOWN / 2) {
            used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "",
                                     describe_wait(labels, wait).text);
        } else if (i == SHOWN / 2) {
            used += (size_t)snprintf(text + used, size - used, ", and %" PRIu32 " more",
                                     length - SHOWN);
        }
    }
}

int tan_goal_find_cycle(const struct tan_labels *labels, const struct tan_goal_wait *waits,
                        uint32_t n_waits, uint32_t cyclic, uint32_t *line, uint32_t *column,
                        char *text, size_t size, struct tan_error *e)
{
    const size_t n = labels->count;
    uint32_t start = 0;
    while (labels->list[start].op != cyclic) {
        start++;
    }
    uint32_t *first = calloc(n + 2, sizeof *first);
    uint32_t *sorted = malloc(n_waits * sizeof *sorted);
    uint32_t *queue = malloc((n + 1) * sizeof *queue);
    uint32_t *via = malloc(n * sizeof *via);
    int result = -1;
    if (first == NULL || sorted == NULL || queue == NULL || via == NULL) {
        tan_fail_nomem(e);
        goto done;
    }
    memset(via, 0xff, n * sizeof *via); /* TAN_OP_NONE */
    for (uint32_t i = 0; i < n_waits; i++) {
        first[waits[i].label + 2]++;
    }
    for (size_t i = 2; i < n + 2; i++) {
        first[i] += first[i - 1];
    }
    for (uint32_t i = 0; i < n_waits; i++) { /* moves first[label + 1] to the start of label + 1 */
        sorted[first[waits[i].label + 1]++] = i;
    }
    const uint32_t last = find_circle(waits, first, sorted, start, queue, via);
    if (last != TAN_OP_NONE) {
        write_circle(labels, waits, start, last, via, queue, line, column, text, size);
    }
    result = 0;

done:
    free(first);
    free(sorted);
    free(queue);
    free(via);
    return result;
}
