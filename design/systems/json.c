/* json.c - JSON: a tree in this project's format, tan-tree/1
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/targets/answer_tree.h"

static const struct tan_knob knobs[] = {
    {.name = "tree", .help = "any tree, as a list of parents", .directions = TAN_UP | TAN_DOWN},
    {.name = NULL},
};

static int write_json(const struct tan_answer *answer, FILE *to, struct tan_error *e)
{
    return tan_answer_write(answer, tan_file_formats, "json", to, e);
}

extern const struct tan_target tan_target_json;
const struct tan_target tan_target_json = {
    .name = "json",
    .title = "JSON",
    .help = "a tree file of the form tan-tree/1",
    .population = TAN_LEAVES_APART,
    .member = "leaves",
    .tree_file = true,
    .knobs = knobs,
    .write = write_json,
    .comment = NULL,
    .read_back = "tan-design predict FILE, tan-sim run --topo FILE and tanbench run FILE read it.",
};
