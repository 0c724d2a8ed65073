/* tree_drawing.h - drawings of trees as SVG elements
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_PAGE_TREE_DRAWING_H
#define TAN_PAGE_TREE_DRAWING_H

#include <stdbool.h>
#include <stdint.h>

/* Largest number of processes that are drawn one by one, and of levels of larger trees. */
enum { TAN_DRAWN_NODES = 150, TAN_DRAWN_LEVELS = 64 };

struct tan_drawing {
    const char *name; /* for ids: letters, digits and '-' */
    const char *title, *caption;
};

/* One band for each level, the root first, as wide as the logarithm of processes[level], which is
 * at least 1. An SVG element, malloc'd; NULL if memory is short. */
char *tan_draw_bands(const struct tan_drawing *d, const int64_t *processes, int levels);
/* Properties of a tree's processes, one entry each; NULL: unknown. */
struct tan_tree_marks {
    const bool *critical; /* on the critical path of a wave: drawn bold */
    const int32_t *host;  /* shown by colour and number */
};
/* The same for n > 0 processes with their parents, -1 for the root, in any order. NULL also if
 * these are not a tree. */
char *tan_draw_nodes(const struct tan_drawing *d, const int32_t *parents, int32_t n,
                     const struct tan_tree_marks *marks);
/* Number of processes at each level, the root's first, in processes[most], which is zero beyond the
 * tree's levels. Returns the number of levels; -1 if the n > 0 parents are not a tree, if it has
 * more levels, or if memory is short. */
int tan_levels_of(const int32_t *parents, int32_t n, int64_t *processes, int most);

#endif
