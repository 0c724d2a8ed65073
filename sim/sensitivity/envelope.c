/* envelope.c - the fastest of several schedules, by a cost of messages
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/sensitivity/envelope.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"

struct lines {
    const struct tan_response *r;
    size_t n;
    double equal; /* times closer than that are equal, picoseconds */
    double step;
    struct tan_envelope *out;
};

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* All ends of pieces up to `to`, ascending; between two of them every function is a line. */
static double *ends_of_pieces(const struct lines *m, double to, size_t *n_ends)
{
    size_t n = 2;
    for (size_t i = 0; i < m->n; i++) {
        n += m->r[i].n_pieces;
    }
    double *ends = malloc(n * sizeof *ends);
    *n_ends = 0;
    if (ends == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < m->n; i++) {
        for (size_t k = 0; k < m->r[i].n_pieces; k++) {
            if (m->r[i].pieces[k].from < to) {
                ends[(*n_ends)++] = m->r[i].pieces[k].from;
            }
        }
    }
    ends[(*n_ends)++] = to;
    qsort(ends, *n_ends, sizeof *ends, by_value);
    return ends;
}

static bool is_equal(const struct lines *m, size_t i, size_t best, double at)
{
    return tan_response_at(&m->r[i], at) <= tan_response_at(&m->r[best], at) + m->equal;
}

/* Schedules as fast as the best at both ends of a range in which all are lines. */
static uint32_t ties_with(const struct lines *m, size_t best, double from, double to)
{
    uint32_t ties = 0;
    for (size_t i = 0; i < m->n; i++) {
        const bool equal = is_equal(m, i, best, from) && is_equal(m, i, best, to);
        ties |= equal ? UINT32_C(1) << i : 0;
    }
    return ties;
}

/* Append a range in which all are lines, or continue the last part. */
static int append(struct lines *m, size_t best, double from, double to, struct tan_error *e)
{
    struct tan_envelope *out = m->out;
    struct tan_envelope_part *last = out->n_parts > 0 ? &out->parts[out->n_parts - 1] : NULL;
    const uint32_t ties = ties_with(m, best, from, to);
    if (last != NULL && (ties >> last->best & 1) != 0) {
        best = last->best;
    }
    if (last != NULL && (to - from <= m->step || (last->best == best && last->ties == ties))) {
        last->to = to;
        return 0;
    }
    if (last != NULL && last->to - last->from <= m->step) {
        *last =
            (struct tan_envelope_part){.from = last->from, .to = to, .best = best, .ties = ties};
        return 0;
    }
    if (TAN_ONE_MORE(out->parts, out->n_parts) < 0) {
        return tan_fail_nomem(e);
    }
    out->parts[out->n_parts++] =
        (struct tan_envelope_part){.from = from, .to = to, .best = best, .ties = ties};
    return 0;
}

/* Between `from` and `to` all are lines: times at both ends. */
struct span {
    double from, to;
    double left[TAN_RIVALS], right[TAN_RIVALS];
};

static double slope_in(const struct span *s, size_t i)
{
    return (s->right[i] - s->left[i]) / (s->to - s->from);
}

/* Which is the fastest right of `at`. */
static size_t fastest_after(const struct span *s, size_t n, double at)
{
    const double equal = 1e-6; /* picoseconds, of rounding */
    size_t best = 0;
    for (size_t i = 1; i < n; i++) {
        const double ahead =
            s->left[best] - s->left[i] + (slope_in(s, best) - slope_in(s, i)) * (at - s->from);
        best = ahead > equal || (ahead > -equal && slope_in(s, i) < slope_in(s, best)) ? i : best;
    }
    return best;
}

/* Where the first other line falls below that of `best`, right of `at`; the end if none does. */
static double next_crossing(const struct span *s, size_t n, size_t best, double at)
{
    double first = s->to;
    for (size_t i = 0; i < n; i++) {
        const double slope = slope_in(s, best) - slope_in(s, i);
        const double x = s->from + (s->left[i] - s->left[best]) / slope;
        first = slope > 0.0 && x > at && x < first ? x : first;
    }
    return first;
}

static int append_span(struct lines *m, double from, double to, struct tan_error *e)
{
    struct span s = {.from = from, .to = to};
    for (size_t i = 0; i < m->n; i++) {
        s.left[i] = tan_response_at(&m->r[i], from);
        s.right[i] = tan_response_at(&m->r[i], to);
    }
    /* each crossing is to a line that falls further, of which there are less than n */
    for (size_t k = 0; k < m->n && from < to; k++) {
        const size_t best = fastest_after(&s, m->n, from);
        const double end = k + 1 < m->n ? next_crossing(&s, m->n, best, from) : to;
        if (append(m, best, from, end, e) < 0) {
            return -1;
        }
        from = end;
    }
    return 0;
}

static bool is_exact_at(const struct tan_response *r, double at)
{
    for (size_t i = 0; i < r->n_pieces; i++) {
        const struct tan_response_piece *piece = &r->pieces[i];
        if (piece->from < at && at < piece->to) {
            return piece->exact;
        }
    }
    return true;
}

/* Set what follows from the range and from which is the best. */
static void complete_part(const struct lines *m, struct tan_envelope_part *part)
{
    const double middle = part->from + (part->to - part->from) / 2.0;
    const double finish = tan_response_at(&m->r[part->best], middle);
    double least = INFINITY;
    part->finish_from = tan_response_at(&m->r[part->best], part->from);
    part->finish_to = tan_response_at(&m->r[part->best], part->to);
    part->next = part->best;
    for (size_t i = 0; i < m->n; i++) {
        const double other = tan_response_at(&m->r[i], middle);
        if ((part->ties >> i & 1) == 0 && other < least) {
            least = other;
            part->next = i;
        }
    }
    part->slower = isfinite(least) && finish > 0.0 ? fmax(least / finish - 1.0, 0.0) : 0.0;
}

int tan_envelope_find(const struct tan_response *r, size_t n, struct tan_envelope *out,
                      struct tan_error *e)
{
    struct lines m = {.r = r, .n = n, .equal = 0.5, .step = tan_costs[r[0].cost].step, .out = out};
    double to = r[0].to;
    size_t n_ends;
    int result = 0;
    *out = (struct tan_envelope){.n_parts = 0};
    for (size_t i = 0; i < n; i++) {
        to = fmin(to, r[i].to);
        m.equal = fmax(m.equal, r[i].rounded);
    }
    double *ends = ends_of_pieces(&m, to, &n_ends);
    if (ends == NULL) {
        return tan_fail_nomem(e);
    }
    for (size_t i = 0; i + 1 < n_ends && result == 0; i++) {
        result = ends[i] < ends[i + 1] ? append_span(&m, ends[i], ends[i + 1], e) : 0;
    }
    free(ends);
    for (size_t i = 0; i < out->n_parts && result == 0; i++) {
        struct tan_envelope_part *part = &out->parts[i];
        complete_part(&m, part);
        part->about = i + 1 < out->n_parts && !(is_exact_at(&r[part->best], part->to) &&
                                                is_exact_at(&r[part[1].best], part->to));
    }
    if (result < 0) {
        tan_envelope_clear(out);
    }
    return result;
}

void tan_envelope_clear(struct tan_envelope *envelope)
{
    free(envelope->parts);
    *envelope = (struct tan_envelope){.n_parts = 0};
}

const struct tan_envelope_part *tan_envelope_at(const struct tan_envelope *envelope, double added)
{
    size_t i = 0;
    for (size_t end = envelope->n_parts; end - i > 1;) {
        const size_t middle = i + (end - i) / 2;
        if (envelope->parts[middle].from <= added) {
            i = middle;
        } else {
            end = middle;
        }
    }
    return &envelope->parts[i];
}
