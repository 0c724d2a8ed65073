/* recovery_model.h - predicted recoveries: deadlines, and level costs of healed trees
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BENCH_RESULTS_RECOVERY_MODEL_H
#define TAN_BENCH_RESULTS_RECOVERY_MODEL_H

#include <stdbool.h>

#include "bench/results/results.h"
#include "model/wave/wave.h"

/* Processes of a cell's tree, some of which have failed. */
struct damage {
    bool *dead;                  /* by node; owned */
    int32_t *parents;            /* of the tree as healed (topo/heal.h); owned */
    const struct recovery *last; /* borrowed; NULL: none */
};

/* The damage of the first `n` recoveries of the result; zero before. -1 if memory is short, here
 * and below. The caller closes it in any case. */
int tan_damage_open(struct damage *d, const struct results *r, const struct result *result, int n);
void tan_damage_close(struct damage *d);
/* Add the first `n` processes that the recovery found silent, and heal. Every part of the cell's
 * measurements begins without damage. */
int tan_damage_add(struct damage *d, const struct results *r, const struct result *result,
                   const struct recovery *recovery, int n);

/* Seconds of each step of the recovery, summed by kind: `seconds` has STEPS entries. A step in
 * which processes were found silent takes until the last of them is given up, --detect for each
 * level from its parent down, and a message from the root to that parent and back; any other one
 * is a wave on the tree as healed by then. Messages of STEP_TREE have no payload: they cost less
 * than others if the machine file has a p2p block (tan_predict_knows_size). NaN where the model has
 * no prediction. `d`: the damage before; changed to that after. */
int tan_recovery_predict(const struct results *r, const struct result *result,
                         const struct tan_model *model, const struct recovery *recovery,
                         struct damage *d, double *seconds);
/* Seconds that each of recovery->n_silent processes had to answer: --detect for each level from its
 * parent down to the lowest process below it. `d`: as above. */
int tan_recovery_deadlines(const struct results *r, const struct result *result,
                           const struct recovery *recovery, struct damage *d, double *seconds);
/* Half a round trip on the tree as healed; NaN if there is no prediction, or no tree left. */
double tan_damage_wave(const struct results *r, const struct result *result,
                       const struct tan_model *model, const struct damage *d);
/* That tree, whose nodes are numbered anew; NULL if only the root is left. `numbers`: as for
 * tan_heal_tree. */
struct tan_tree *tan_damage_tree(const struct result *result, const struct damage *d,
                                 int32_t *numbers);

#endif
