/* dot.c - Graphviz: a tree as a drawing
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/targets/answer_tree.h"
#include "topo/graph.h"

static const struct tan_knob knobs[] = {
    {.name = "tree", .help = "any tree, as a graph", .directions = TAN_UP | TAN_DOWN},
    {.name = NULL},
};

static int write_dot(const struct tan_answer *answer, FILE *to, struct tan_error *e)
{
    fputs("// Graphviz: dot -Tsvg FILE >tree.svg\n", to);
    return tan_answer_write(answer, tan_graph_formats, "dot", to, e);
}

extern const struct tan_target tan_target_dot;
const struct tan_target tan_target_dot = {
    .name = "dot",
    .title = "Graphviz",
    .help = "a graph for dot",
    .population = TAN_LEAVES_APART,
    .member = "leaves",
    .tree_file = true,
    .knobs = knobs,
    .write = write_dot,
    .comment = "//",
    .read_back = "dot -Tsvg FILE draws it.",
};
