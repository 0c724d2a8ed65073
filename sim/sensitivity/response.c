/* response.c - finish time as a function of a cost: where to simulate, and lines between samples
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/sensitivity/response.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"

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

/* By how much T at `b` misses the line of `a`. */
static double miss_of(enum tan_cost cost, const struct tan_sample *a, const struct tan_sample *b)
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

/* Whether T is known between two samples: nothing lies between them, or a line. */
static bool is_known(const struct tan_response *r, const struct tan_sample *a,
                     const struct tan_sample *b)
{
    const enum tan_cost cost = r->cost;
    const double miss = fmin(miss_of(cost, a, b), miss_of(cost, b, a));
    return b->added - a->added <= tan_costs[cost].step ||
           ((r->fixed || a->order == b->order) && miss <= rounding(cost, a, b));
}

static double slope_of(const struct tan_response *r, const struct tan_response_piece *piece)
{
    const struct tan_sample sample = {.weights = piece->weights};
    return tan_sample_slope(&sample, r->cost);
}

static bool is_narrow(const struct tan_response *r, const struct tan_response_piece *piece)
{
    return piece->to - piece->from <= tan_costs[r->cost].step;
}

static struct tan_response_piece piece_between(const struct tan_response *r,
                                               const struct tan_sample *a,
                                               const struct tan_sample *b)
{
    const bool first = miss_of(r->cost, a, b) <= miss_of(r->cost, b, a);
    return (struct tan_response_piece){
        .from = a->added,
        .to = b->added,
        .finish_from = a->finish,
        .finish_to = b->finish,
        .weights = first ? a->weights : b->weights,
        .exact = is_known(r, a, b),
    };
}

/* Whether the piece is the line of its weights, which one between neighbouring samples need not
 * be. */
static bool is_straight(const struct tan_response *r, const struct tan_response_piece *piece)
{
    const double rounding = r->cost == TAN_COST_G ? (double)piece->weights.sizes + 1.0 : 0.0;
    const double end = piece->finish_from + slope_of(r, piece) * (piece->to - piece->from);
    return piece->exact && fabs(end - piece->finish_to) <= rounding;
}

/* Whether `next` continues the line of `piece`. */
static bool continues(const struct tan_response *r, const struct tan_response_piece *piece,
                      const struct tan_response_piece *next)
{
    const double slope = slope_of(r, piece), other = slope_of(r, next);
    return is_straight(r, piece) && is_straight(r, next) && slope >= other && slope <= other;
}

/* Between two samples that have nothing between them the lines on both sides may meet. */
static bool join_sides(const struct tan_response *r, struct tan_response_piece *left,
                       const struct tan_response_piece *narrow, struct tan_response_piece *right)
{
    const double slope = slope_of(r, left), other = slope_of(r, right);
    const double width = narrow->to - narrow->from;
    const double at = (narrow->finish_to - other * width - narrow->finish_from) / (slope - other);
    if (!(at >= 0.0 && at <= width) || !is_straight(r, left) || !is_straight(r, right)) {
        return false;
    }
    left->to = right->from = narrow->from + at;
    left->finish_to = right->finish_from = narrow->finish_from + slope * at;
    return true;
}

/* Mark the jumps, and drop the other pieces that are not longer than a step. */
static void drop_narrow(struct tan_response *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n_pieces; i++) {
        struct tan_response_piece *piece = &r->pieces[i];
        const bool inner = n > 0 && i + 1 < r->n_pieces && is_narrow(r, piece);
        if (inner && !r->pieces[n - 1].jump && join_sides(r, &r->pieces[n - 1], piece, piece + 1)) {
            continue;
        }
        const double grows = piece->finish_to - piece->finish_from;
        piece->jump = inner && (grows < 0.0 || grows > fmax(slope_of(r, &r->pieces[n - 1]),
                                                            slope_of(r, piece + 1)) *
                                                           (piece->to - piece->from));
        r->pieces[n++] = *piece;
    }
    r->n_pieces = n;
}

/* End the last piece where T reaches the limit. */
static void cut_end(struct tan_response *r, double limit)
{
    struct tan_response_piece *last = &r->pieces[r->n_pieces - 1];
    if (last->exact && last->finish_to > limit && last->finish_from < limit) {
        last->to = last->from + (last->to - last->from) * (limit - last->finish_from) /
                                    (last->finish_to - last->finish_from);
        last->finish_to = limit;
    }
}

static void find_tolerance(const struct tan_response *r, struct tan_tolerance *t)
{
    const double level = r->start * (1.0 + t->share);
    for (size_t i = 0; i < r->n_pieces && isnan(t->added); i++) {
        const struct tan_response_piece *piece = &r->pieces[i];
        if (piece->finish_to >= level && piece->finish_to > piece->finish_from) {
            const double part =
                (level - piece->finish_from) / (piece->finish_to - piece->finish_from);
            t->added = piece->from + part * (piece->to - piece->from);
            t->least = piece->exact ? t->added : piece->from;
            t->most = piece->exact ? t->added : piece->to;
        }
    }
}

static void judge(struct tan_response *r)
{
    double exact = 0.0;
    for (size_t i = 0; i < r->n_pieces; i++) {
        const struct tan_response_piece *piece = &r->pieces[i];
        exact += piece->exact ? piece->to - piece->from : 0.0;
        r->off = piece->exact ? r->off : fmax(r->off, piece->finish_to - piece->finish_from);
        r->falls |= piece->finish_to < piece->finish_from;
    }
    r->exact = r->to > 0.0 ? fmin(1.0, exact / r->to) : 1.0;
    for (size_t i = 0; r->cost == TAN_COST_G && i < r->n_samples; i++) {
        r->rounded = fmax(r->rounded, 2.0 * (double)r->samples[i].weights.sizes + 1.0);
    }
}

/* Set everything in `r` that follows from its samples, of which the range ends in the last one, or
 * where T reaches `limit`. */
static int join_samples(struct tan_response *r, double limit, struct tan_error *e)
{
    r->pieces = calloc(r->n_samples, sizeof *r->pieces);
    if (r->pieces == NULL) {
        return tan_fail_nomem(e);
    }
    for (size_t i = 0; i + 1 < r->n_samples && r->samples[i].finish < limit; i++) {
        const struct tan_response_piece next = piece_between(r, &r->samples[i], &r->samples[i + 1]);
        struct tan_response_piece *last = &r->pieces[r->n_pieces - (r->n_pieces > 0)];
        if (r->n_pieces > 0 && continues(r, last, &next)) {
            last->to = next.to;
            last->finish_to = next.finish_to;
        } else {
            r->pieces[r->n_pieces++] = next;
        }
    }
    if (r->n_pieces == 0) {
        r->exact = 1.0;
        return 0;
    }
    drop_narrow(r);
    cut_end(r, limit);
    r->to = r->pieces[r->n_pieces - 1].to;
    for (int i = 0; i < TAN_TOLERANCES; i++) {
        find_tolerance(r, &r->tolerance[i]);
    }
    judge(r);
    return 0;
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
    const double miss = fmax(miss_of(m->cost, a, b), miss_of(m->cost, b, a));
    in->next = next_in(m, a, b);
    in->doubt = 0.0;
    if (!is_known(m->r, a, b)) {
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
        result = join_samples(out, m.limit, e);
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

/* Whether operations are served after `op` that wait for its start: it has its CPU then, and does
 * not need it again, unlike a receive, which has only been posted, and a send that is held until
 * its message is matched. */
static bool is_served_at_start(const struct tan_op *op, const struct tan_sim_params *p)
{
    return tan_op_kind(op) == TAN_OP_CALC || (tan_op_kind(op) == TAN_OP_SEND && op->amount <= p->S);
}

/* Where the dependents of an operation end that are served after it. */
static uint32_t end_of_later(const struct tan_schedule *s, const struct tan_sim_params *p,
                             uint32_t op)
{
    uint32_t end = s->ops[op + 1].dependents;
    while (end > s->ops[op].dependents && !is_served_at_start(&s->ops[op], p) &&
           (s->dependents[end - 1] & TAN_DEPENDENT_START) != 0) {
        end--;
    }
    return end;
}

/* Add 1 or -1 to the number of operations that each dependent of `op` waits for. Returns how many
 * wait for none then, and one of these. */
static uint32_t count_later(const struct tan_schedule *s, const struct tan_sim_params *p,
                            uint32_t op, uint32_t *waits, uint32_t change, uint32_t *next)
{
    const uint32_t end = end_of_later(s, p, op);
    uint32_t free = 0;
    for (uint32_t i = s->ops[op].dependents; i < end; i++) {
        const uint32_t later = s->dependents[i] & ~TAN_DEPENDENT_START;
        waits[later] += change;
        if (waits[later] == 0) {
            *next = later;
            free++;
        }
    }
    return free;
}

/* Whether at each time only one operation is next. */
static bool is_chain(const struct tan_schedule *s, const struct tan_sim_params *p, uint32_t rank,
                     uint32_t *waits)
{
    const uint32_t from = s->first_op[rank], to = from + s->rank_ops[rank];
    uint32_t next = from, free = 0;
    for (uint32_t op = from; op < to; op++) {
        count_later(s, p, op, waits, 1, &next);
    }
    for (uint32_t op = from; op < to; op++) {
        free += waits[op] == 0;
        next = waits[op] == 0 ? op : next;
    }
    uint32_t left = to - from;
    for (; left > 0 && free == 1; left--) {
        free = count_later(s, p, next, waits, UINT32_MAX, &next);
    }
    return left == 0;
}

/* Whether no message can overtake another one that fits the same receives. `first`: per channel. */
static bool arrive_in_order(const struct tan_schedule *s, const struct tan_sim_params *p,
                            const struct tan_link **first)
{
    for (uint32_t op = 0; op < s->n_ops; op++) {
        const struct tan_op *send = &s->ops[op];
        if (tan_op_kind(send) != TAN_OP_SEND) {
            continue;
        }
        const struct tan_link *link = tan_sim_link(
            p, tan_schedule_op_rank(s, op), tan_schedule_receiver(s, send->channel), send->amount);
        const struct tan_link *before = first[send->channel];
        if (before != NULL && (before->L != link->L || before->o != link->o)) {
            return false;
        }
        first[send->channel] = link;
    }
    return true;
}

int tan_order_is_fixed(const struct tan_schedule *s, const struct tan_sim_params *p, bool *fixed,
                       struct tan_error *e)
{
    *fixed = false;
    if (p->noise != NULL || s->fits.at != NULL || tan_sim_has_control(p)) {
        return 0;
    }
    uint32_t *waits = calloc((size_t)s->n_ops + 1, sizeof *waits);
    const struct tan_link **first = calloc((size_t)s->n_channels + 1, sizeof *first);
    if (waits == NULL || first == NULL) {
        free(waits);
        free(first);
        return tan_fail_nomem(e);
    }
    uint32_t rank = 0;
    while (rank < s->ranks && is_chain(s, p, rank, waits)) {
        rank++;
    }
    *fixed = rank == s->ranks && (p->sizes == NULL || arrive_in_order(s, p, first));
    free(waits);
    free(first);
    return 0;
}
