/* graphml.c - GraphML: a tree for graph tools
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/targets/answer_tree.h"
#include "topo/graph.h"

static const struct tan_knob knobs[] = {
    {.name = "tree", .help = "any tree, as a graph", .directions = TAN_UP | TAN_DOWN},
    {.name = NULL},
};

static int write_graphml(const struct tan_answer *answer, FILE *to, struct tan_error *e)
{
    return tan_answer_write(answer, tan_graph_formats, "graphml", to, e);
}

extern const struct tan_target tan_target_graphml;
const struct tan_target tan_target_graphml = {
    .name = "graphml",
    .title = "GraphML",
    .help = "a graph for igraph, Gephi, yEd, NetworkX",
    .population = TAN_LEAVES_APART,
    .member = "leaves",
    .tree_file = true,
    .knobs = knobs,
    .write = write_graphml,
    .comment = NULL,
    .read_back = "igraph, Gephi, yEd and NetworkX read it.",
};
