/* csv.c - CSV: a tree as a table with one line per process
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>

#include "base/csv.h"
#include "design/targets/target.h"

static const struct tan_knob knobs[] = {
    {
        .name = "tree",
        .help = "any tree: the parent of each process, -1 for the root",
        .directions = TAN_UP | TAN_DOWN,
    },
    {.name = NULL},
};

static int write_csv(const struct tan_answer *answer, FILE *to, struct tan_error *e)
{
    if (answer->parents == NULL) {
        return tan_fail_infeasible(e, "CSV needs a tree");
    }
    fputs(answer->host != NULL ? "process,parent,host\n" : "process,parent\n", to);
    for (int32_t i = 0; i < answer->processes; i++) {
        fprintf(to, "%" PRId32 ",%" PRId32, i, answer->parents[i]);
        if (answer->host != NULL) {
            fputc(',', to);
            tan_csv_write_field(answer->host[i] != NULL ? answer->host[i] : "", to);
        }
        fputc('\n', to);
    }
    return 0;
}

extern const struct tan_target tan_target_csv;
const struct tan_target tan_target_csv = {
    .name = "csv",
    .title = "CSV",
    .help = "a table of processes and their parents",
    .population = TAN_LEAVES_APART,
    .member = "leaves",
    .tree_file = true,
    .knobs = knobs,
    .write = write_csv,
    .comment = NULL,
    .read_back = "It is the tree itself: every program that reads tables reads it.",
};
