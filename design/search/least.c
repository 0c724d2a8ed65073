/* least.c - least cost of the levels below a node, at any depth
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/search/least.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { SLACK = 3 }; /* ceil(N / i) that occur only for i > sqrt(N) are <= sqrt(N) + 3 */

struct tan_least {
    int64_t leaves, root, widest;
    double *large; /* for ceil(N / i) leaves, i = 1..root */
    double *small; /* for n leaves, n up to root + SLACK */
};

static double *place_of(const struct tan_least *l, int64_t leaves)
{
    const int64_t i = tan_ceil_div(l->leaves, leaves);
    return i <= l->root ? &l->large[i] : &l->small[leaves];
}

static double least_cost(const struct tan_least *l, const struct tan_problem *p, int64_t leaves)
{
    const int64_t widest = leaves < l->widest ? leaves : l->widest;
    double least = leaves == 1 ? 0.0 : INFINITY;
    for (int64_t fanout = 2; fanout <= widest;) {
        const int64_t below = tan_ceil_div(leaves, fanout);
        const double level =
            tan_level_cost(p->model, p->params, fanout, below, (fanout - 1) * below);
        least = fmin(least, level + *place_of(l, below));
        if (below == 1) {
            break;
        }
        /* the smallest fanout that leaves fewer below a child */
        fanout = tan_ceil_div(leaves, below - 1);
    }
    return least;
}

struct tan_least *tan_least_create(const struct tan_problem *problem, struct tan_error *e)
{
    const int64_t most = INT64_C(1000000000);
    if (problem->leaves > most) {
        tan_fail_infeasible(e,
                            "messages that grow towards the root: trees are searched up to %" PRId64
                            " leaves, not %" PRId64,
                            most, problem->leaves);
        return NULL;
    }
    struct tan_least *l = calloc(1, sizeof *l);
    if (l == NULL) {
        goto fail;
    }
    const int64_t limit = problem->max_fanout;
    l->leaves = problem->leaves;
    l->root = (int64_t)sqrt((double)problem->leaves);
    l->widest = limit > 0 && limit < l->leaves ? limit : l->leaves;
    l->large = calloc((size_t)l->root + 1, sizeof *l->large);
    l->small = calloc((size_t)l->root + 1 + SLACK, sizeof *l->small);
    if (l->large == NULL || l->small == NULL) {
        goto fail;
    }
    for (int64_t n = 1; n <= l->root + SLACK && n <= l->leaves; n++) {
        if (tan_ceil_div(l->leaves, n) > l->root) {
            l->small[n] = least_cost(l, problem, n);
        }
    }
    for (int64_t i = l->root; i >= 1; i--) {
        l->large[i] = least_cost(l, problem, tan_ceil_div(l->leaves, i));
    }
    return l;

fail:
    tan_fail_nomem(e);
    tan_least_destroy(l);
    return NULL;
}

void tan_least_destroy(struct tan_least *l)
{
    if (l != NULL) {
        free(l->large);
        free(l->small);
        free(l);
    }
}

double tan_least(const struct tan_least *l, int64_t leaves)
{
    return *place_of(l, leaves);
}
