/* answer.h - answer for one target: setting, tree, configuration
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_TARGETS_ANSWER_H
#define TAN_DESIGN_TARGETS_ANSWER_H

#include "design/targets/export.h"

struct tan_target_answer {
    struct tan_target_problem problem; /* borrows what it points to */
    bool given;                        /* the setting or the tree was: not the best one */
    bool exported;                     /* the tree was */
    struct tan_export export[2];       /* of each way, where `exported` */
    struct tan_target_way way[2];      /* up, or both; then down, where that has its own setting */
    int n_ways;
    /* The tree that the target builds for each way, in its own numbering, -1 for the root; NULL
     * where it has more than TAN_TARGET_LISTED processes. Owned. */
    int32_t *parents[2];
    int32_t processes[2];
    int64_t flat_until;            /* the largest N for which all directly below the root is best */
    struct tan_interval flat_ci95; /* low > high: not known */
    char *configuration;           /* complete, with comments; owned */
};

/* Largest tree that is built to be listed. */
enum { TAN_TARGET_LISTED = 1 << 20 };

/* What to answer about; NULL: nothing given. Borrowed. */
struct tan_target_wish {
    const struct tan_setting *setting; /* this one in place of the best */
    const struct tan_tree *tree;       /* the setting that builds this tree, or the nearest */
    const char *const *hosts;          /* names of n_hosts hosts: of the processes in the target's
                                          order, without a root that is apart */
    size_t n_hosts;
};

/* Fails where hosts are too few or where the target cannot take their names. */
int tan_target_answer(const struct tan_target_problem *problem, const struct tan_target_wish *wish,
                      struct tan_target_answer *out, struct tan_error *e);
void tan_target_answer_clear(struct tan_target_answer *answer);

/* Fail unless N counts for the target what it says: `leaves` and `members`, of which one is 0. */
int tan_target_check_count(const struct tan_target *target, int64_t leaves, int64_t members,
                           const struct tan_model *model, const struct tan_params *params,
                           struct tan_error *e);

#endif
