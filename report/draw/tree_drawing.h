/* tree_drawing.h - drawings of trees, as SVG elements
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_REPORT_DRAW_TREE_DRAWING_H
#define TAN_REPORT_DRAW_TREE_DRAWING_H

#include <stdbool.h>
#include <stdint.h>

/* Processes up to which every one of them is drawn, and levels of larger trees. */
enum { TAN_DRAWN_NODES = 150, TAN_DRAWN_LEVELS = 64 };

struct tan_drawing {
    const char *name; /* of ids: letters, digits and '-' */
    const char *title, *caption;
};

/* A band for each level, root first, as wide as the logarithm of its processes. malloc'd; NULL
 * where memory is short. */
char *tan_draw_bands(const struct tan_drawing *d, const int64_t *processes, int levels);
/* What is known of the processes of a tree: entries for each; NULL: not known. */
struct tan_tree_marks {
    const bool *critical; /* on the path that a wave waits for: drawn bold */
    const int32_t *host;  /* hosts in colours and, beside them, with their numbers */
};
/* Every process: parents[i] < n, -1 for the one root, in any order. `marks` may be NULL. NULL also
 * where these are no tree. */
char *tan_draw_nodes(const struct tan_drawing *d, const int32_t *parents, int32_t n,
                     const struct tan_tree_marks *marks);
/* Processes by level, root first, at most `most` levels; returns the number of levels, -1 where the
 * parents are no tree. `processes` has room for `most`. */
int tan_levels_of(const int32_t *parents, int32_t n, int64_t *processes, int most);

#endif
