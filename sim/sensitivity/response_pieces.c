/* response_pieces.c - finish time as a function of a cost of messages: lines between samples
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "sim/sensitivity/response_internal.h"

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
    const bool first = tan_response_miss(r->cost, a, b) <= tan_response_miss(r->cost, b, a);
    return (struct tan_response_piece){
        .from = a->added,
        .to = b->added,
        .finish_from = a->finish,
        .finish_to = b->finish,
        .weights = first ? a->weights : b->weights,
        .exact = tan_response_known(r, a, b),
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

int tan_response_join(struct tan_response *r, double limit, struct tan_error *e)
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

double tan_response_at(const struct tan_response *r, double added)
{
    size_t i = 0;
    for (size_t end = r->n_pieces; end - i > 1;) {
        const size_t middle = i + (end - i) / 2;
        if (r->pieces[middle].from <= added) {
            i = middle;
        } else {
            end = middle;
        }
    }
    if (r->n_pieces == 0) {
        return r->start;
    }
    const struct tan_response_piece *piece = &r->pieces[i];
    const double width = piece->to - piece->from;
    return width > 0.0 ? piece->finish_from +
                             (piece->finish_to - piece->finish_from) * (added - piece->from) / width
                       : piece->finish_from;
}
