/* least_tree.h - the best of all trees for N leaves or N members
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_SYSTEMS_LEAST_TREE_H
#define TAN_DESIGN_SYSTEMS_LEAST_TREE_H

#include "design/search/plan.h"
#include "design/systems/target.h"
#include "model/stats/stats.h"

enum { TAN_LEAST_LEVELS = 64 };

/* The tree with the least wave time, by the fanouts on its critical path. */
struct tan_least_tree {
    int height;                       /* 0: a single process */
    int64_t fanout[TAN_LEAST_LEVELS]; /* truncated for longer chains */
    double wave;                      /* half round trip, seconds */
};

/* The best of all rooted trees. If x children share `size` as evenly as possible, the fullest is as
 * small as it can be, and a larger one is never cheaper, so
 *     T(n) = the least of level(x) + T(ceil(m / x)),  m = n - 1 for members, n for leaves,
 * ties going to fewer levels. `size`: as in struct tan_shape, up to TAN_PLAN_MAX_LEAVES. Dynamic
 * programming over the sizes that occur. -1 when memory is short. */
int tan_least_tree(enum tan_population population, int64_t size, const struct tan_model *model,
                   const struct tan_params *params, struct tan_least_tree *out);

/* The largest N (leaves or members; root_apart as in struct tan_target) up to which no tree beats a
 * flat one; at most TAN_FLAT_MOST. By bisection, assuming that a tree that pays for N also pays for
 * more. `ci95`: its interval over the draws; low > high if there are none. */
enum { TAN_FLAT_MOST = 1 << 16 };
int64_t tan_flat_until(enum tan_population population, bool root_apart,
                       const struct tan_model *model, const struct tan_params *params,
                       struct tan_interval *ci95);

#endif
