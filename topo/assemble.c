/* assemble.c - building a tree from parents in any order
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "topo/assemble.h"

#include <stdlib.h>

int32_t tan_find_cycle(const int32_t *parents, int32_t size, int32_t node)
{
    /* A path without a root repeats a node within `size` steps, and ends in the cycle. */
    for (int32_t steps = 0; steps < size; steps++) {
        node = parents[node];
    }
    return node;
}

struct tan_tree *tan_assemble(const int32_t *parents, const int32_t *sequence, int32_t size,
                              const char *const *names, int32_t *cycle, struct tan_error *e)
{
    const size_t nodes = (size_t)size;
    struct tan_tree *tree = NULL;
    int32_t *first = malloc(nodes * sizeof *first);     /* first child, -1 for none */
    int32_t *next = malloc(nodes * sizeof *next);       /* next sibling, -1 for none */
    int32_t *order = malloc(nodes * sizeof *order);     /* old number by new number */
    int32_t *number = malloc(nodes * sizeof *number);   /* new number by old number */
    int32_t *renamed = malloc(nodes * sizeof *renamed); /* parents, renumbered */
    const char **labels = names == NULL ? NULL : malloc(nodes * sizeof *labels);
    *cycle = -1;
    if (first == NULL || next == NULL || order == NULL || number == NULL || renamed == NULL ||
        (names != NULL && labels == NULL)) {
        tan_fail_nomem(e);
        goto done;
    }
    int32_t used = 0;
    for (int32_t i = 0; i < size; i++) {
        first[i] = -1;
        number[i] = -1;
        if (parents[i] < 0) {
            order[used] = i;
            number[i] = used++;
        }
    }
    /* backwards, since each node becomes the first of its siblings */
    for (int32_t i = size - 2; i >= 0; i--) {
        const int32_t node = sequence[i];
        next[node] = first[parents[node]];
        first[parents[node]] = node;
    }
    for (int32_t i = 0; i < used; i++) {
        for (int32_t child = first[order[i]]; child >= 0; child = next[child]) {
            order[used] = child;
            number[child] = used++;
        }
    }
    if (used < size) {
        int32_t lost = 0;
        while (number[lost] >= 0) {
            lost++;
        }
        *cycle = tan_find_cycle(parents, size, lost);
        goto done;
    }
    for (int32_t i = 0; i < size; i++) {
        renamed[i] = i == 0 ? -1 : number[parents[order[i]]];
        if (names != NULL) {
            labels[i] = names[order[i]];
        }
    }
    tree = tan_tree_create(renamed, size, labels, e);

done:
    free(first);
    free(next);
    free(order);
    free(number);
    free(renamed);
    free(labels);
    return tree;
}
