/* compare.c - comparison of given trees with the best one
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/choice/compare.h"

#include <math.h>

#include "topo/spec.h"

struct question {
    const struct tan_tree *tree;
    const struct tan_plan *fastest; /* to compare with; NULL: the wave time of the tree itself */
    const struct tan_model *model;
};

static double answer_question(const void *context, const struct tan_params *params)
{
    const struct question *q = context;
    const double wave = tan_wave_time(q->model, params, q->tree);
    return q->fastest == NULL ? wave : wave - tan_plan_wave(q->fastest, q->model, params);
}

/* Fewer draws for trees with many nodes, so that all but the largest take seconds at most. */
static struct tan_params with_fewer_draws(const struct tan_params *params, int32_t nodes)
{
    enum { NODES = 100000000, LEAST = 100 };
    struct tan_params fewer = *params;
    const int most = NODES / nodes > LEAST ? NODES / nodes : LEAST;
    fewer.n_draws = fewer.n_draws < most ? fewer.n_draws : most;
    return fewer;
}

int tan_compare(const struct tan_design *d, const char *spec, struct tan_compared *out,
                struct tan_error *e)
{
    const struct tan_problem *p = &d->problem;
    struct tan_tree *tree = tan_spec_build(spec, e);
    if (tree == NULL) {
        return -1;
    }
    const struct tan_params params = with_fewer_draws(p->params, tan_tree_size(tree));
    const struct question wave = {tree, NULL, p->model};
    const struct question difference = {tree, &d->fastest, p->model};
    *out = (struct tan_compared){
        .spec = spec,
        .processes = tan_tree_size(tree),
        .leaves = tan_tree_leaves(tree),
        .height = tan_tree_height(tree),
        .max_fanout = tan_tree_max_fanout(tree),
        .max_below = tan_tree_max_below(tree),
        .wave = answer_question(&wave, &params),
    };
    int result = -1;
    if (isnan(out->wave)) {
        tan_fail_nomem(e);
        goto done;
    }
    out->difference = out->wave - d->fastest.wave;
    out->slower = d->fastest.wave > 0.0 ? out->difference / d->fastest.wave : 0.0;
    if (tan_spread_interval(answer_question, &wave, &params, &out->ci95, e) < 0 ||
        tan_spread_interval(answer_question, &difference, &params, &out->difference_ci95, e) < 0) {
        goto done;
    }
    out->tied = fabs(out->difference) <= TAN_SEARCH_EQUAL * d->fastest.wave ||
                (out->difference_ci95.low <= 0.0 && out->difference_ci95.high >= 0.0);
    result = 0;

done:
    tan_tree_destroy(tree);
    return result;
}
