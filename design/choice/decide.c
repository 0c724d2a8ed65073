/* decide.c - the measurement that best tells two trees apart
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/choice/decide.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A tree that calibrations measure. */
struct candidate {
    const char *shape;
    int64_t size;
};

/* A chain has `size` levels with one child each, an N-to-1 tree one level with `size` children. */
static double wave_of(const struct candidate *c, const struct tan_params *params)
{
    const bool chain = strcmp(c->shape, "chain") == 0;
    const int64_t fanout = chain ? 1 : c->size;
    const double level = tan_level_cost(&tan_models[TAN_MODEL_TAN], params, fanout, 1, fanout - 1);
    return params->value[TAN_C0] + (chain ? (double)c->size * level : level);
}

/* Share of the variance of the difference a - b that measuring the candidate would explain. */
static double explained_share(const struct tan_problem *p, const struct tan_plan *a,
                              const struct tan_plan *b, const struct candidate *c)
{
    const double precision = 0.02; /* of the measurement, relative */
    const int n = p->params->n_draws;
    double mean[2] = {0.0, 0.0};
    double square[2] = {0.0, 0.0};
    double product = 0.0;
    for (int i = 0; i < n; i++) {
        const struct tan_params moved = tan_params_drawn(p->params, i);
        const double x = wave_of(c, &moved);
        const double y = tan_plan_wave(a, p->model, &moved) - tan_plan_wave(b, p->model, &moved);
        /* Welford's algorithm */
        const double dx = x - mean[0];
        const double dy = y - mean[1];
        mean[0] += dx / (i + 1);
        mean[1] += dy / (i + 1);
        square[0] += dx * (x - mean[0]);
        square[1] += dy * (y - mean[1]);
        product += dx * (y - mean[1]);
    }
    const double noise = precision * mean[0];
    const double whole = (square[0] + n * noise * noise) * square[1];
    return whole > 0.0 ? product * product / whole : 0.0;
}

void tan_decide(const struct tan_problem *problem, const struct tan_plan *a,
                const struct tan_plan *b, char spec[TAN_DECIDE_SPEC])
{
    const double least = 0.1;   /* explained share, below which a measurement is useless */
    const double nearly = 0.95; /* times the best share is as good, if the tree is smaller */
    enum { SIZES = 9, MOST_FANOUT = 256, MOST_HEIGHT = 32 };
    const int64_t widest = a->max_fanout > b->max_fanout ? a->max_fanout : b->max_fanout;
    double best = least;
    spec[0] = '\0';
    for (int i = 0; i < SIZES; i++) {
        const int64_t size = (int64_t)1 << i;
        const struct candidate candidates[] = {{"chain", size}, {"nto1", size}};
        for (size_t k = 0; k < sizeof candidates / sizeof candidates[0]; k++) {
            const bool chain = k == 0;
            if (size > (chain ? MOST_HEIGHT : MOST_FANOUT) || (!chain && size > widest)) {
                continue;
            }
            const double share = explained_share(problem, a, b, &candidates[k]);
            if (share > best / nearly || (spec[0] == '\0' && share > least)) {
                best = share;
                snprintf(spec, TAN_DECIDE_SPEC, "%s:%" PRId64, candidates[k].shape, size);
            }
        }
    }
}
