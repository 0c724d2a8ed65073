/* goal.c - GOAL: one wave up a tree as a schedule for simulators
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/goal/goal.h"

#include "design/targets/answer_tree.h"
#include "sim/schedule/tree_wave.h"

static const struct tan_knob knobs[] = {
    {
        .name = "schedule",
        .help = "any tree: the messages of one reduction over it",
        .directions = TAN_UP | TAN_DOWN,
    },
    {.name = NULL},
};

enum { BYTES = 8 }; /* per message */

static int write_goal(const struct tan_answer *answer, FILE *to, struct tan_error *e)
{
    struct tan_tree *tree = tan_answer_tree(answer, e);
    struct tan_schedule *schedule =
        tree == NULL ? NULL : tan_wave_schedule(tree, TAN_SWEEP_UP, 1, BYTES, e);
    const int result = schedule == NULL ? -1 : 0;
    if (schedule != NULL) {
        fprintf(
            to,
            "// One reduction of %d bytes: leaves send, the others wait for all their children "
            "and\n"
            "// send on; rank 0 is the root. tan-sim run FILE simulates it, and LogGOPSim what\n"
            "// its txt2bin makes of it.\n",
            BYTES);
        tan_goal_write_text(schedule, to);
    }
    tan_schedule_destroy(schedule);
    tan_tree_destroy(tree);
    return result;
}

extern const struct tan_target tan_target_goal;
const struct tan_target tan_target_goal = {
    .name = "goal",
    .title = "GOAL (LogGOPSim)",
    .help = "a schedule of one wave up: any tree",
    .population = TAN_LEAVES_APART,
    .member = "leaves",
    .tree_file = true,
    .knobs = knobs,
    .write = write_goal,
    .comment = "//",
    .read_back = "tan-sim run FILE simulates the schedule, and LogGOPSim the binary that txt2bin "
                 "makes of it.",
};
