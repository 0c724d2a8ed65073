/* heal.c - a tree after the failure of a process
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "topo/heal.h"

#include <string.h>

void tan_heal(const struct tan_tree *tree, int32_t failed, int32_t *parents)
{
    for (int32_t node = 0; node < tan_tree_size(tree); node++) {
        const int32_t parent = tan_tree_parent(tree, node);
        parents[node] = failed > 0 && parent == failed ? tan_tree_parent(tree, failed) : parent;
    }
    /* a leaf takes those with it that had no other one */
    for (int32_t node = failed; node > 0; node = tan_tree_parent(tree, node)) {
        parents[node] = TAN_HEAL_OUT;
        if (tan_tree_fanout(tree, failed) > 0 ||
            tan_tree_fanout(tree, tan_tree_parent(tree, node)) > 1) {
            break;
        }
    }
}

void tan_heal_heights(const int32_t *parents, int32_t size, int32_t *heights)
{
    memset(heights, 0, (size_t)size * sizeof *heights);
    for (int32_t node = size - 1; node > 0; node--) {
        const int32_t parent = parents[node];
        if (parent >= 0 && heights[parent] <= heights[node]) {
            heights[parent] = heights[node] + 1;
        }
    }
}
