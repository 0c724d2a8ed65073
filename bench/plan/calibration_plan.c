/* calibration_plan.c - trees measured to identify the parameters
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/plan/calibration_plan.h"

#include <inttypes.h>

/* Two fanouts per octave: enough points to distinguish a parabola from a line at any scale. */
static int64_t next_fanout(int64_t x)
{
    return x < 4 ? x + 1 : (x & (x - 1)) == 0 ? x * 3 / 2 : x / 3 * 4;
}

static int add(struct plan *plan, const char *shape, int64_t size, struct tan_error *e)
{
    char spec[32];

    snprintf(spec, sizeof spec, "%s:%" PRId64, shape, size);
    return tan_plan_add(plan, spec, e);
}

int tan_calibration_plan(struct plan *plan, int64_t max_leaves, int64_t max_ranks,
                         struct tan_error *e)
{
    int64_t most = max_ranks - 1;
    int64_t tallest = most < MAX_CHAIN_HEIGHT ? most : MAX_CHAIN_HEIGHT;
    int64_t widest = most < max_leaves ? most : max_leaves;

    if (most < 4 || max_leaves < 4) {
        return tan_fail_usage(e,
                              "calibrate needs chains and N-to-1 trees of at least 4 sizes: 5 "
                              "ranks, not %" PRId64,
                              max_ranks);
    }
    if (tan_plan_add(plan, "pingpong", e)) {
        return -1;
    }
    plan->cells[plan->n_cells - 1].waves = LATENCY_SAMPLES;
    for (int64_t h = 1; h <= tallest; h++) {
        if (add(plan, "chain", h, e)) {
            return -1;
        }
    }
    for (int64_t h = next_fanout(MAX_CHAIN_HEIGHT); tallest == MAX_CHAIN_HEIGHT && h <= widest;
         h = next_fanout(h)) {
        if (add(plan, "chain", h, e)) { /* over several cores, for tan-host */
            return -1;
        }
    }
    for (int64_t x = 2; x < widest; x = next_fanout(x)) {
        if (add(plan, "nto1", x, e)) {
            return -1;
        }
    }
    return add(plan, "nto1", widest, e);
}

int64_t tan_calibration_default_leaves(int cores)
{
    const int64_t leaves = 32 * (int64_t)cores;

    return leaves < DEFAULT_MAX_FANOUT ? leaves : DEFAULT_MAX_FANOUT;
}
