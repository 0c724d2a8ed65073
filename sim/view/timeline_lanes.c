/* timeline_lanes.c - where everything stands in a picture of a simulation
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/view/timeline_lanes.h"

#include <inttypes.h>
#include <stdlib.h>

#include "sim/view/spans.h"

enum { MANY_LANES = 24 }; /* from here on lanes are lower */

/* Which ranks */

/* Ranks that are drawn, and how many operations they have. */
struct selection {
    uint32_t ranks[TAN_SVG_RANKS];
    uint32_t n;
    uint64_t ops;
};

static bool selected(const struct selection *sel, uint32_t rank)
{
    for (uint32_t i = 0; i < sel->n; i++) {
        if (sel->ranks[i] == rank) {
            return true;
        }
    }
    return false;
}

/* Add a rank; false: its operations are too many. */
static bool add_rank(struct selection *sel, const struct tan_schedule *s, uint32_t rank)
{
    if (sel->ops + s->rank_ops[rank] > TAN_SVG_OPS) {
        return false;
    }
    sel->ops += s->rank_ops[rank];
    sel->ranks[sel->n++] = rank;
    return true;
}

static int too_many_ops(const struct tan_schedule *s, uint32_t rank, struct tan_error *e)
{
    return tan_fail(e,
                    "a picture shows at most %d operations, too few for rank %" PRIu32
                    " with its %" PRIu32
                    ": name fewer or other ranks, or write a Chrome trace, which has no limit",
                    (int)TAN_SVG_OPS, rank, s->rank_ops[rank]);
}

static int by_number(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static int select_ranks(const struct tan_timeline *t, struct selection *sel, struct tan_error *e)
{
    const struct tan_schedule *s = t->schedule;
    *sel = (struct selection){.n = 0};
    if (t->ranks != NULL) {
        if (t->n_ranks == 0 || t->n_ranks > TAN_SVG_RANKS) {
            return tan_fail_usage(e, "a picture shows 1 to %d ranks, not %" PRIu32,
                                  (int)TAN_SVG_RANKS, t->n_ranks);
        }
        for (uint32_t i = 0; i < t->n_ranks; i++) {
            if (!add_rank(sel, s, t->ranks[i])) {
                return too_many_ops(s, t->ranks[i], e);
            }
        }
        return 0;
    }
    /* The path comes first: a picture without it would mislead. */
    const size_t steps = t->critical == NULL ? 0 : t->critical->n_steps;
    for (size_t i = steps; i > 0 && sel->n < TAN_SVG_RANKS; i--) {
        const uint32_t rank = tan_schedule_op_rank(s, t->critical->steps[i - 1].op);
        if (!selected(sel, rank) && !add_rank(sel, s, rank)) {
            return too_many_ops(s, rank, e);
        }
    }
    for (uint32_t rank = 0; rank < s->ranks && sel->n < TAN_SVG_RANKS; rank++) {
        if (!selected(sel, rank) && !add_rank(sel, s, rank) && sel->n == 0) {
            return too_many_ops(s, rank, e);
        }
    }
    qsort(sel->ranks, sel->n, sizeof *sel->ranks, by_number);
    return 0;
}

/* Where things are */

/* CPUs one below the other, under them the NICs: what goes out, what comes in. */
static int lay_out(const struct tan_timeline *t, struct tan_lanes *lanes, struct tan_lane *lane,
                   int top)
{
    const struct tan_schedule *s = t->schedule;
    const int padding = lanes->n < MANY_LANES ? 6 : 3;
    bool cpus[TAN_LANE_NUMBERS] = {[0] = true}, nics[TAN_LANE_NUMBERS] = {[0] = true};
    for (uint32_t i = 0; i < s->rank_ops[lane->rank]; i++) {
        const uint32_t op = s->first_op[lane->rank] + i;
        const struct tan_op_spec spec = tan_schedule_spec(s, op);
        struct tan_span spans[TAN_SPANS];
        const int n = tan_op_spans(s, t->params, t->simulation->history, op, spans);
        for (int k = 0; k < n; k++) {
            if (spans[k].where == TAN_SPAN_CPU && spans[k].to > lanes->span) {
                lanes->span = spans[k].to;
            }
        }
        cpus[spec.cpu] = true;
        nics[spec.nic] |= spec.kind != TAN_OP_CALC;
    }
    lane->top = top;
    top += padding;
    for (int i = 0; i < TAN_LANE_NUMBERS; i++) {
        if (cpus[i]) {
            lane->cpu_top[i] = top;
            lane->n_cpus++;
            top += lanes->bar + 2;
        }
    }
    for (int i = 0; i < TAN_LANE_NUMBERS; i++) {
        if (nics[i]) {
            lane->nic_top[i] = top;
            top += 2 * TAN_SVG_NIC + 1;
        }
    }
    lane->height = top + padding - lane->top;
    return lane->top + lane->height;
}

int tan_lanes_make(const struct tan_timeline *t, struct tan_lanes *out, struct tan_error *e)
{
    struct selection sel;
    *out = (struct tan_lanes){.span = t->simulation->finish, .bottom = TAN_SVG_TOP};
    if (select_ranks(t, &sel, e) != 0) {
        return -1;
    }
    if ((out->lanes = calloc(sel.n, sizeof *out->lanes)) == NULL) {
        return tan_fail_nomem(e);
    }
    out->n = sel.n;
    out->bar = sel.n < MANY_LANES ? 14 : 9;
    for (uint32_t i = 0; i < sel.n; i++) {
        out->lanes[i].rank = sel.ranks[i];
        out->bottom = lay_out(t, out, &out->lanes[i], out->bottom);
    }
    out->span += out->span == 0;
    return 0;
}

void tan_lanes_clear(struct tan_lanes *lanes)
{
    free(lanes->lanes);
    *lanes = (struct tan_lanes){0};
}

const struct tan_lane *tan_lanes_find(const struct tan_lanes *lanes, uint32_t rank)
{
    for (uint32_t i = 0; i < lanes->n; i++) {
        if (lanes->lanes[i].rank == rank) {
            return &lanes->lanes[i];
        }
    }
    return NULL;
}

double tan_lanes_x(const struct tan_lanes *lanes, uint64_t ps)
{
    const uint64_t time = ps < lanes->span ? ps : lanes->span;
    return TAN_SVG_LEFT +
           (TAN_SVG_WIDTH - TAN_SVG_LEFT - TAN_SVG_RIGHT) * ((double)time / (double)lanes->span);
}
