/* response.c - finish time as a function of a cost of messages: where to simulate
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/sensitivity/response.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "sim/sensitivity/fixed_order.h"
#include "sim/sensitivity/response_internal.h"

/* Simulations at a time; the same on every machine, since they decide on the next ones. */
enum { BATCH = 4 };

/* The interval from a sample to the next one. */
struct interval {
    double doubt; /* picoseconds, rough; 0: T is known */
    double next;  /* where to simulate in it */
    bool chosen;  /* for the next simulations */
};

struct search {
    const struct tan_schedule *s;
    const struct tan_sim_params *p;
    enum tan_cost cost;
    double step;
    struct tan_response *r;
    struct interval *intervals; /* per sample; the last one is unused */
    double limit;               /* T of no interest above */
    size_t left;                /* simulations */
    bool varies;                /* samples have different orders */
};

double tan_response_miss(enum tan_cost cost, const struct tan_sample *a, const struct tan_sample *b)
{
    return fabs(a->finish + tan_sample_slope(a, cost) * (b->added - a->added) - b->finish);
}

/* Of G, each end may be rounded by half a picosecond for each message. */
static double rounding(enum tan_cost cost, const struct tan_sample *a, const struct tan_sample *b)
{
    const uint64_t sizes =
        a->weights.sizes > b->weights.sizes ? a->weights.sizes : b->weights.sizes;
    return cost == TAN_COST_G ? (double)sizes + 1.0 : 0.0;
}

bool tan_response_known(const struct tan_response *r, const struct tan_sample *a,
                        const struct tan_sample *b)
{
    const enum tan_cost cost = r->cost;
    const double miss = fmin(tan_response_miss(cost, a, b), tan_response_miss(cost, b, a));
    return b->added - a->added <= tan_costs[cost].step ||
           ((r->fixed || a->order == b->order) && miss <= rounding(cost, a, b));
}

static double whole_steps(const struct search *m, double value)
{
    return floor(value / m->step) * m->step;
}

/* Where the lines of both ends meet, or the middle. */
static double next_in(const struct search *m, const struct tan_sample *a,
                      const struct tan_sample *b)
{
    const double width = b->added - a->added;
    const double slope_a = tan_sample_slope(a, m->cost), slope_b = tan_sample_slope(b, m->cost);
    const double at = (b->finish - slope_b * width - a->finish) / (slope_a - slope_b);
    /* if the order differs, each step is to shorten the interval by a part */
    const double margin = a->order == b->order ? 0.0 : width / 4.0;
    const double ahead = at > margin && at < width - margin ? at : width / 2.0;
    return a->added + fmin(fmax(whole_steps(m, ahead), m->step), width - m->step);
}

static void examine(struct search *m, size_t i)
{
    const struct tan_sample *a = &m->r->samples[i], *b = a + 1;
    struct interval *in = &m->intervals[i];
    const double miss = fmax(tan_response_miss(m->cost, a, b), tan_response_miss(m->cost, b, a));
    in->next = next_in(m, a, b);
    in->doubt = 0.0;
    if (!tan_response_known(m->r, a, b)) {
        /* a part of the growth, since a line can be a coincidence */
        in->doubt = fmax(fmax(miss, fabs(b->finish - a->finish) / 64.0), 1e-3);
    }
    m->varies |= a->order != b->order;
}

static int insert_sample(struct search *m, const struct tan_sample *sample, struct tan_error *e)
{
    struct tan_response *r = m->r;
    if (TAN_ONE_MORE(r->samples, r->n_samples) < 0 ||
        TAN_ONE_MORE(m->intervals, r->n_samples) < 0) {
        return tan_fail_nomem(e);
    }
    size_t i = r->n_samples;
    for (; i > 0 && r->samples[i - 1].added > sample->added; i--) {
        r->samples[i] = r->samples[i - 1];
        m->intervals[i] = m->intervals[i - 1];
    }
    r->samples[i] = *sample;
    m->intervals[i] = (struct interval){.doubt = 0.0};
    r->n_samples++;
    for (size_t k = i > 0 ? i - 1 : 0; k <= i && k + 1 < r->n_samples; k++) {
        examine(m, k);
    }
    return 0;
}

/* Simulate with each of `n` values, at most BATCH, and insert the samples. */
static int add_samples(struct search *m, const double *added, size_t n, struct tan_error *e)
{
    struct tan_sample samples[BATCH];
    for (size_t i = 0; i < n; i++) {
        samples[i] = (struct tan_sample){.added = added[i]};
    }
    int result = tan_samples_take(m->s, m->p, m->cost, samples, n, e);
    for (size_t i = 0; i < n && result == 0; i++) {
        result = insert_sample(m, &samples[i], e);
    }
    m->left -= n < m->left ? n : m->left;
    m->r->simulations += n;
    return result;
}

/* The most doubtful interval, else the widest of those that are too wide to be sure that the order
 * does not change and change back in them. -1: none. */
static ptrdiff_t most_doubtful(const struct search *m)
{
    enum { PARTS = 64 };
    const struct tan_sample *samples = m->r->samples;
    const double to = samples[m->r->n_samples - 1].added;
    ptrdiff_t most = -1, widest = -1;
    double doubt = 0.0, width = fmax(m->r->fixed ? to : to / (m->varies ? PARTS : 2), m->step);
    for (size_t i = 0; i + 1 < m->r->n_samples && samples[i].finish < m->limit; i++) {
        const double wide = samples[i + 1].added - samples[i].added;
        if (m->intervals[i].chosen) {
            continue;
        }
        if (m->intervals[i].doubt > doubt) {
            doubt = m->intervals[i].doubt;
            most = (ptrdiff_t)i;
        } else if (wide > width) {
            width = wide;
            widest = (ptrdiff_t)i;
        }
    }
    return most >= 0 ? most : widest;
}

/* Where to simulate next. Returns the number of values. */
static size_t choose_next(struct search *m, double next[BATCH])
{
    ptrdiff_t chosen[BATCH];
    size_t n = 0;
    while (n < BATCH && n < m->left && (chosen[n] = most_doubtful(m)) >= 0) {
        struct interval *in = &m->intervals[chosen[n]];
        const struct tan_sample *a = &m->r->samples[chosen[n]];
        const double middle = a->added + whole_steps(m, (a[1].added - a->added) / 2.0);
        next[n++] = in->doubt > 0.0 ? in->next : middle;
        in->chosen = true;
    }
    for (size_t i = 0; i < n; i++) {
        m->intervals[chosen[i]].chosen = false;
    }
    return n;
}

static int refine(struct search *m, struct tan_error *e)
{
    double next[BATCH];
    size_t n;
    while ((n = choose_next(m, next)) > 0) {
        if (add_samples(m, next, n, e) < 0) {
            return -1;
        }
    }
    return 0;
}

/* Simulate at values that grow until T reaches the limit. */
static int find_end(struct search *m, struct tan_error *e)
{
    enum { FACTOR = 32, PARTS = 100 };
    const struct tan_sample *start = &m->r->samples[0];
    const double slope = tan_sample_slope(start, m->cost);
    const double most = fmin((m->cost == TAN_COST_G ? 1 : PARTS) * start->finish, 1e18);
    double to = slope > 0.0             ? (m->limit - start->finish) / slope
                : m->cost == TAN_COST_G ? 1.0
                                        : start->finish / PARTS;
    for (bool more = true; more && m->left > 0; to *= FACTOR) {
        to = fmax(fmin(ceil(to / m->step) * m->step, most), m->step);
        if (add_samples(m, &to, 1, e) < 0) {
            return -1;
        }
        more = to < most && m->r->samples[m->r->n_samples - 1].finish < m->limit;
    }
    return 0;
}

/* As many as simulate so many operations. */
static size_t adequate(const struct tan_schedule *s)
{
    enum { OPERATIONS = 1 << 23, LEAST = 12, MOST = 2000 };
    return (size_t)fmin(fmax(OPERATIONS / ((double)s->n_ops + 1.0), LEAST), MOST);
}

static int find_samples(struct search *m, double most, const struct tan_simulation *base,
                        struct tan_error *e)
{
    const double ends[] = {0.0, most};
    struct tan_sample first;
    if (base != NULL &&
        (tan_sample_of(m->s, m->p, base, &first, e) < 0 || insert_sample(m, &first, e) < 0)) {
        return -1;
    }
    const size_t begun = base != NULL;
    m->r->simulations = begun;
    m->left -= begun < m->left ? begun : m->left;
    if (add_samples(m, &ends[begun], (m->r->whole ? 2 : 1) - begun, e) < 0) {
        return -1;
    }
    m->r->start = m->r->samples[0].finish;
    if (m->r->whole) {
        return refine(m, e);
    }
    m->limit = m->r->start * (1.0 + m->r->tolerance[TAN_TOLERANCES - 1].share);
    return m->r->start > 0.0 && (find_end(m, e) < 0 || refine(m, e) < 0) ? -1 : 0;
}

int tan_response_find(const struct tan_schedule *s, const struct tan_sim_params *p,
                      const struct tan_simulation *base, const struct tan_cost_range *range,
                      size_t simulations, struct tan_response *out, struct tan_error *e)
{
    static const double shares[TAN_TOLERANCES] = {0.01, 0.02, 0.05};
    *out = (struct tan_response){.cost = range->cost, .whole = isfinite(range->most)};
    for (int i = 0; i < TAN_TOLERANCES; i++) {
        out->tolerance[i] = (struct tan_tolerance){shares[i], NAN, NAN, NAN};
    }
    struct search m = {.s = s,
                       .p = p,
                       .cost = range->cost,
                       .step = tan_costs[range->cost].step,
                       .r = out,
                       .limit = INFINITY,
                       .left = simulations > 0 ? simulations : adequate(s)};
    int result = tan_order_is_fixed(s, p, &out->fixed, e);
    if (result == 0) {
        result = find_samples(&m, range->most, base, e);
    }
    if (result == 0) {
        result = tan_response_join(out, m.limit, e);
    }
    free(m.intervals);
    if (result < 0) {
        tan_response_clear(out);
    }
    return result;
}

void tan_response_clear(struct tan_response *r)
{
    free(r->samples);
    free(r->pieces);
    *r = (struct tan_response){.n_samples = 0};
}
