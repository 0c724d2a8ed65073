/* overlap_fit.c - parameters of overlapping requests and answers, from measured waves
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/fit/overlap_fit.h"

#include <gsl/gsl_multifit_nlinear.h>
#include <gsl/gsl_randist.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "model/fit/fit_internal.h"
#include "topo/spec.h"

enum {
    P = TAN_OVERLAP_PARAMS,
    ROUNDS = 3,         /* of weights and solution */
    ITERATIONS = 60,    /* per solution */
    RANDOM_STARTS = 24, /* to look for other minima */
};
/* Assumed least error of the model on any cluster, relative to the time. */
#define LEAST_ERROR 3e-4
/* Solutions fit equally well if their sums of squares differ by less: the 95 % quantile of
 * chi-square for one parameter. */
#define ALIKE 3.84
/* Weight of the distance from the start, which keeps parameters there that the waves do not
 * determine. */
#define TIE 1e-3
/* Difference step, in units of a parameter; large, since waves are rounded to picoseconds. */
#define STEP 1e-3

/* A tree as its different subtrees, each of which is evaluated once. */
struct shape {
    const struct tan_tree *tree;
    size_t n;                   /* of these, the whole tree last; children precede parents */
    size_t *end;                /* of the kinds of children of each; owned */
    size_t *of;                 /* the subtree of each kind of child; owned */
    struct tan_children *child; /* kinds in the order asked; owned */
    double *time;               /* space for a time of each; owned */
};

struct fitter {
    const struct tan_overlap_fit_input *input;
    struct tan_solver cells;
    struct shape *shape;
    double unit[P]; /* of the parameters */
    double hop;     /* least time per level of all trees */
    double child;   /* approximate cost of a further child */
    bool free[P];
    size_t n_free;
    bool shared;     /* the NIC, as in struct tan_overlap */
    const double *y; /* medians to fit */
    double *medians, *error;
    double start[P];
    gsl_multifit_nlinear_workspace *space;
    gsl_vector *x;
};

/* Waves */

/* Runs of equal subtrees among the children of a node, from s->end of the subtree before; returns
 * where they end. */
static size_t list_children(const struct shape *s, int32_t node, const size_t *subtree)
{
    const size_t from = s->n == 0 ? 0 : s->end[s->n - 1];
    size_t end = from;
    for (int32_t i = 0; i < tan_tree_fanout(s->tree, node); i++) {
        const size_t of = subtree[tan_tree_children(s->tree, node)[i]];
        if (end == from || s->of[end - 1] != of) {
            s->child[end] = (struct tan_children){.leaves = 1};
            s->of[end++] = of;
        }
        s->child[end - 1].count++;
    }
    return end;
}

/* Whether subtree `i` has the children that are listed after the last one, up to `end`. */
static bool is_listed(const struct shape *s, size_t i, size_t end)
{
    const size_t from = i == 0 ? 0 : s->end[i - 1], last = s->n == 0 ? 0 : s->end[s->n - 1];
    bool same = s->end[i] - from == end - last;
    for (size_t k = 0; k < end - last && same; k++) {
        same = s->of[from + k] == s->of[last + k] &&
               s->child[from + k].count == s->child[last + k].count;
    }
    return same;
}

static uint64_t hash_listed(const struct shape *s, size_t end)
{
    uint64_t hash = 0;
    for (size_t k = s->n == 0 ? 0 : s->end[s->n - 1]; k < end; k++) {
        const uint64_t run[] = {hash, s->of[k], (uint64_t)s->child[k].count};
        hash = tan_hash(run, sizeof run);
    }
    return hash;
}

static int find_shape(struct shape *s, const struct tan_tree *tree)
{
    const size_t size = (size_t)tan_tree_size(tree);
    struct tan_map known = {.used = 0};
    size_t *subtree = calloc(size, sizeof *subtree); /* of each node */
    *s = (struct shape){.tree = tree,
                        .end = calloc(size, sizeof *s->end),
                        .of = calloc(size, sizeof *s->of),
                        .child = calloc(size, sizeof *s->child),
                        .time = calloc(size, sizeof *s->time)};
    int result =
        subtree == NULL || s->end == NULL || s->of == NULL || s->child == NULL || s->time == NULL
            ? -1
            : 0;
    for (int32_t node = (int32_t)size - 1; node >= 0 && result == 0; node--) {
        const size_t end = list_children(s, node, subtree);
        const uint64_t hash = hash_listed(s, end);
        size_t tries = 0;
        int64_t i;
        do {
            i = tan_map_next(&known, hash, &tries);
        } while (i >= 0 && !is_listed(s, (size_t)i, end));
        subtree[node] = i >= 0 ? (size_t)i : s->n;
        if (i < 0) {
            result = tan_map_add(&known, hash, (int64_t)s->n);
            s->end[s->n++] = end;
        }
    }
    tan_map_clear(&known);
    free(subtree);
    return result;
}

static double wave_time(const struct fitter *f, size_t cell, const double value[P])
{
    const enum tan_overlap_way way = f->input->observations[cell].way;
    const struct tan_overlap p = tan_overlap_of(value, f->shared);
    const struct shape *s = &f->shape[cell];
    for (size_t i = 0, from = 0; i < s->n; from = s->end[i++]) {
        for (size_t k = from; k < s->end[i]; k++) {
            s->child[k].below = s->time[s->of[k]];
        }
        s->time[i] = s->end[i] == from ? tan_overlap_leaf(&p, way)
                                       : tan_overlap_node(&p, way, s->child + from,
                                                          (int)(s->end[i] - from), i == s->n - 1);
    }
    return way == TAN_OVERLAP_ROUND ? s->time[s->n - 1] / 2 : s->time[s->n - 1];
}

/* A local solution. Unknowns are in units of f->unit, and their sign is ignored, which keeps
 * parameters >= 0. */

static void values_of(const struct fitter *f, const gsl_vector *x, double value[P])
{
    size_t k = 0;
    for (int p = 0; p < P; p++) {
        value[p] = f->free[p] ? fabs(gsl_vector_get(x, k++)) * f->unit[p] : f->input->given[p];
    }
}

static int set_residuals(const gsl_vector *x, void *fitter, gsl_vector *out)
{
    const struct fitter *f = fitter;
    double value[P];
    values_of(f, x, value);
    for (size_t i = 0; i < f->cells.n_cells; i++) {
        gsl_vector_set(out, i, (wave_time(f, i, value) - f->y[i]) / f->error[i]);
    }
    for (size_t k = 0, p = 0; k < f->n_free; p++) {
        if (f->free[p]) {
            const double off = fabs(gsl_vector_get(x, k)) - f->start[p] / f->unit[p];
            gsl_vector_set(out, f->cells.n_cells + k++, TIE * off);
        }
    }
    return GSL_SUCCESS;
}

static int set_jacobian(const gsl_vector *x, void *fitter, gsl_matrix *out)
{
    const struct fitter *f = fitter;
    gsl_vector *at = gsl_vector_alloc(x->size);
    gsl_vector *base = gsl_vector_alloc(out->size1);
    gsl_vector *moved = gsl_vector_alloc(out->size1);
    const bool room = at != NULL && base != NULL && moved != NULL;
    if (room) {
        set_residuals(x, fitter, base);
    }
    for (size_t k = 0; k < f->n_free && room; k++) {
        gsl_vector_memcpy(at, x);
        const double step = fmax(STEP, 2 * STEP * fabs(gsl_vector_get(x, k)));
        gsl_vector_set(at, k, gsl_vector_get(x, k) + (gsl_vector_get(x, k) < 0 ? -step : step));
        set_residuals(at, fitter, moved);
        gsl_vector_sub(moved, base);
        gsl_vector_scale(moved, gsl_vector_get(x, k) < 0 ? -1 / step : 1 / step);
        gsl_matrix_set_col(out, k, moved);
    }
    gsl_vector_free(at);
    gsl_vector_free(base);
    gsl_vector_free(moved);
    return room ? GSL_SUCCESS : GSL_ENOMEM;
}

/* The sum of squared residuals, without the terms weighted by TIE. */
static double squares_of(const struct fitter *f, const double value[P])
{
    double sum = 0;
    for (size_t i = 0; i < f->cells.n_cells; i++) {
        const double off = (wave_time(f, i, value) - f->y[i]) / f->error[i];
        sum += off * off;
    }
    return sum;
}

struct solution {
    double value[P];
    double squares;
};

static struct solution solve_from(struct fitter *f, const double start[P])
{
    struct solution s;
    gsl_multifit_nlinear_fdf fdf = {.f = set_residuals,
                                    .df = set_jacobian,
                                    .n = f->cells.n_cells + f->n_free,
                                    .p = f->n_free,
                                    .params = f};
    int info;
    for (size_t k = 0, p = 0; k < f->n_free; p++) {
        f->start[p] = start[p];
        if (f->free[p]) {
            gsl_vector_set(f->x, k++, start[p] / f->unit[p]);
        }
    }
    if (f->n_free > 0) {
        gsl_multifit_nlinear_init(f->x, &fdf, f->space);
        gsl_multifit_nlinear_driver(ITERATIONS, 1e-8, 1e-8, 0, NULL, NULL, &info, f->space);
        values_of(f, gsl_multifit_nlinear_position(f->space), s.value);
    } else {
        values_of(f, f->x, s.value);
    }
    s.squares = squares_of(f, s.value);
    return s;
}

/* Starts */

static void start_at(const struct fitter *f, double o_s, double o_r, double g, double growth,
                     double C, double start[P])
{
    start[TAN_OVERLAP_O_S] = o_s * f->child;
    start[TAN_OVERLAP_O_R] = o_r * f->child;
    start[TAN_OVERLAP_G] = g * f->child;
    start[TAN_OVERLAP_L] = fmax(f->hop - (o_s + o_r) * f->child, f->hop / 10);
    start[TAN_OVERLAP_GROWTH] = growth * f->unit[TAN_OVERLAP_GROWTH];
    start[TAN_OVERLAP_C] = C * f->unit[TAN_OVERLAP_C];
}

static void start_at_random(const struct fitter *f, double start[P])
{
    gsl_rng *rng = f->cells.rng;
    const double o_s = gsl_ran_flat(rng, 0, 1.1), o_r = gsl_ran_flat(rng, 0, 1.1);
    const double g = gsl_ran_flat(rng, 0, 1.1), C = gsl_ran_flat(rng, 0, 0.3);
    start_at(f, o_s, o_r, g, gsl_ran_flat(rng, 0, 0.3), C, start);
}

/* Parts of a child's cost. That is o_s + o_r if all answers wait for the last request, the larger
 * of the two if answers arrive one by one, or else the NIC's gap, which a shared NIC takes for each
 * direction. Receiving more often costs more, so of each pair the start with the larger o_r comes
 * first. */
enum { STARTS = 8 };
static const struct {
    double o_s, o_r, g;
} starts[][STARTS] = {
    {{0.4, 0.6, 0.2},
     {0.6, 0.4, 0.2},
     {0.2, 0.8, 0.1},
     {0.8, 0.2, 0.1},
     {0.5, 1.0, 0.25},
     {1.0, 0.5, 0.2},
     {0.1, 0.1, 1.0},
     {0.4, 0.5, 1.0}},
    {{0, 0, 0.5},
     {0.1, 0.05, 0.5},
     {0.05, 0.1, 0.5},
     {0.2, 0.1, 0.5},
     {0.1, 0.2, 0.5},
     {0.1, 0.1, 0.8},
     {0.3, 0.1, 0.4},
     {0.1, 0.3, 0.4}},
};

static double distance_from_near(const struct fitter *f, const double value[P])
{
    double sum = 0;
    for (int p = 0; p < P && f->input->near != NULL; p++) {
        const double off = (value[p] - f->input->near[p]) / f->unit[p];
        sum += isnan(off) ? 0 : off * off;
    }
    return sum;
}

/* Whether the gap has no effect, since no overhead is smaller. */
static bool is_simple(const struct solution *s)
{
    return s->value[TAN_OVERLAP_G] <= fmin(s->value[TAN_OVERLAP_O_S], s->value[TAN_OVERLAP_O_R]);
}

/* Of the solutions that fit equally well: those whose gap has no effect, if any; of these the
 * nearest to `near`, or else the best fit. */
static struct solution best_of(const struct fitter *f, const struct solution *all, size_t n)
{
    const struct solution *best = all;
    double least = INFINITY;
    for (size_t i = 0; i < n; i++) {
        least = fmin(least, all[i].squares);
    }
    for (size_t i = 1; i < n; i++) {
        const struct solution *s = &all[i];
        const double nearer = distance_from_near(f, best->value) - distance_from_near(f, s->value);
        const int simpler = is_simple(s) - is_simple(best);
        const bool better = simpler != 0  ? simpler > 0
                            : nearer != 0 ? nearer > 0
                                          : s->squares < best->squares;
        if (s->squares < least + ALIKE && (best->squares >= least + ALIKE || better)) {
            best = s;
        }
    }
    return *best;
}

static size_t solve_all(struct fitter *f, int random_starts, struct solution *all)
{
    double start[P];
    size_t n = 0;
    for (int i = 0; i < STARTS; i += f->input->few ? 2 : 1) {
        start_at(f, starts[f->shared][i].o_s, starts[f->shared][i].o_r, starts[f->shared][i].g,
                 0.01, 0.05, start);
        all[n++] = solve_from(f, start);
    }
    for (int p = 0; p < P && f->input->near != NULL; p++) {
        start[p] = isnan(f->input->near[p]) ? start[p] : f->input->near[p];
    }
    if (f->input->near != NULL) {
        all[n++] = solve_from(f, start);
    }
    for (int i = 0; i < random_starts; i++) {
        start_at_random(f, start);
        all[n++] = solve_from(f, start);
    }
    return n;
}

/* Weights */

/* Set the cells' errors from the scatter of their waves and that of the medians in excess of it,
 * which the method of moments estimates from the residuals. *scatter is the latter, relative. */
static void weigh_cells(struct fitter *f, const double value[P], double *scatter)
{
    const struct tan_solver *s = &f->cells;
    double seen = 0, within = 0;
    for (size_t i = 0; i < s->n_cells; i++) {
        const double time = fmax(wave_time(f, i, value), s->cell[i].median / 10);
        const double off = (wave_time(f, i, value) - s->cell[i].median) / pow(time, s->power);
        seen += off * off;
        within += s->variance / (double)s->cell[i].n;
    }
    const double n = (double)s->n_cells, rest = n - (double)f->n_free;
    const double tau2 = rest > 0 ? fmax(seen / rest - within / n, 0) : 0;
    *scatter = 0;
    for (size_t i = 0; i < s->n_cells; i++) {
        const double time = fmax(wave_time(f, i, value), s->cell[i].median / 10);
        const double variance = s->variance / (double)s->cell[i].n + tau2;
        f->error[i] = fmax(pow(time, s->power) * sqrt(variance), LEAST_ERROR * time);
        *scatter += tau2 * pow(time, 2 * s->power - 2) / n;
    }
    *scatter = sqrt(*scatter);
}

/* Identifiability and intervals */

static bool is_alike(const struct solution *s, const struct solution *best)
{
    return s->squares < best->squares + ALIKE;
}

/* A parameter is identified if all solutions that fit agree on it closely. */
static void judge_params(const struct fitter *f, const struct solution *all, size_t n,
                         const struct solution *best, struct tan_overlap_fit *out)
{
    const double *b = best->value;
    for (int p = 0; p < P; p++) {
        double low = b[p], high = b[p];
        for (size_t i = 0; i < n; i++) {
            if (is_alike(&all[i], best)) {
                low = fmin(low, all[i].value[p]);
                high = fmax(high, all[i].value[p]);
            }
        }
        out->identifiable[p] = high - low <= fmax(0.1 * b[p], 0.01 * f->unit[p]);
    }
    const double apart = b[TAN_OVERLAP_O_S] - b[TAN_OVERLAP_O_R];
    for (size_t i = 0; i < n && fabs(apart) > 0.02 * f->child; i++) {
        const double other = all[i].value[TAN_OVERLAP_O_S] - all[i].value[TAN_OVERLAP_O_R];
        out->exchangeable |=
            is_alike(&all[i], best) && other * apart < 0 && fabs(other) > 0.02 * f->child;
    }
}

/* Fit one resampling, from the best solution and from a random start. The latter's solution is used
 * if it fits about as well, so that parameters that the waves do not determine vary. */
static struct solution repeat_fit(struct fitter *f, const struct solution *best, double *y)
{
    const struct tan_solver *s = &f->cells;
    double start[P];
    tan_cells_resample(s, y);
    for (size_t i = 0; i < s->n_cells; i++) {
        const double within =
            s->variance / (double)s->cell[i].n * pow(s->cell[i].median, 2 * s->power);
        const double beyond = f->error[i] * f->error[i] - within;
        y[i] += sqrt(fmax(beyond, 0)) * gsl_ran_ugaussian(s->rng);
    }
    f->y = y;
    const struct solution usual = solve_from(f, best->value);
    start_at_random(f, start);
    const struct solution other = solve_from(f, start);
    return other.squares < usual.squares + ALIKE ? other : usual;
}

static int find_intervals(struct fitter *f, const struct solution *best,
                          struct tan_overlap_fit *out, struct tan_error *e)
{
    const size_t n = (size_t)f->input->bootstrap;
    double least[P];
    double *y = calloc(f->cells.n_cells, sizeof *y);
    double *values = calloc(n * P, sizeof *values);
    out->draws = calloc(n * P, sizeof *out->draws);
    int result = y == NULL || values == NULL || out->draws == NULL ? tan_fail_nomem(e) : 0;
    for (size_t i = 0; i < n && result == 0; i++) {
        const struct solution drawn = repeat_fit(f, best, y);
        for (size_t p = 0; p < P; p++) {
            out->draws[i * P + p] = values[p * n + i] = drawn.value[p];
        }
    }
    f->y = f->medians;
    for (int p = 0; p < P; p++) {
        least[p] = LEAST_ERROR * fmax(best->value[p], f->unit[p]);
    }
    if (result == 0) {
        out->n_draws = (int)n;
        result =
            tan_simultaneous_intervals(values, P, n, f->free, best->value, least, out->ci95, e);
    }
    free(y);
    free(values);
    return result;
}

/* Group the waves as tan_fit does: trees of fanout 1 count as chains, all others as N-to-1 trees,
 * since the cells of an experiment are assumed to scatter alike. */
static int make_cells(struct fitter *f, struct tan_error *e)
{
    const size_t n = f->input->n_observations;
    struct tan_fit_input input = {.n_observations = n, .method = TAN_METHOD_JOINT};
    struct tan_observation *seen = calloc(n, sizeof *seen);
    int result = seen == NULL ? tan_fail_nomem(e) : 0;
    for (size_t i = 0; i < n && result == 0; i++) {
        const struct tan_overlap_observation *o = &f->input->observations[i];
        const int32_t fanout = tan_tree_max_fanout(o->tree);
        seen[i] = (struct tan_observation){fanout == 1 ? TAN_CHAIN : TAN_NTO1,
                                           fanout == 1 ? tan_tree_height(o->tree) : fanout,
                                           o->waves, o->n};
    }
    input.observations = seen;
    f->cells.input = &input;
    result = result == 0 && tan_cells_create(&f->cells, e) == 0 ? tan_cells_pool(&f->cells, e) : -1;
    f->cells.input = NULL;
    free(seen);
    return result;
}

/* Scale parameters by the least time per level, and the cost of a further child in the tree with
 * the largest fanout. */
static void find_units(struct fitter *f)
{
    int32_t widest = 1;
    f->hop = INFINITY;
    for (size_t i = 0; i < f->cells.n_cells; i++) {
        f->hop = fmin(f->hop, f->medians[i] / tan_tree_height(f->shape[i].tree));
    }
    f->child = f->hop / 2;
    for (size_t i = 0; i < f->cells.n_cells; i++) {
        const struct tan_tree *tree = f->shape[i].tree;
        const int32_t fanout = tan_tree_max_fanout(tree);
        const double beyond = f->medians[i] - tan_tree_height(tree) * f->hop;
        if (fanout > widest) {
            widest = fanout;
            f->child = fmin(fmax(2 * beyond / (fanout - 1), f->hop / 1000), f->hop);
        }
    }
    for (int p = 0; p < P; p++) {
        f->unit[p] = p == TAN_OVERLAP_L || p == TAN_OVERLAP_C ? f->hop : f->child;
    }
    f->unit[TAN_OVERLAP_C] /= 2;
    f->unit[TAN_OVERLAP_GROWTH] /= widest;
}

static int fitter_start(struct fitter *f, const struct tan_overlap_fit_input *input,
                        struct tan_error *e)
{
    const size_t n = input->n_observations;
    *f = (struct fitter){.input = input, .cells.rng = gsl_rng_alloc(gsl_rng_mt19937)};
    if (n == 0) {
        return tan_fail(e, "there is nothing to fit: no waves");
    }
    f->shape = calloc(n, sizeof *f->shape);
    f->medians = calloc(2 * n, sizeof *f->medians);
    if (f->cells.rng == NULL || f->shape == NULL || f->medians == NULL) {
        return tan_fail_nomem(e);
    }
    gsl_rng_set(f->cells.rng, (unsigned long)input->seed);
    f->y = f->medians;
    f->error = f->medians + n;
    if (make_cells(f, e) < 0) {
        return -1;
    }
    for (size_t i = 0; i < n; i++) {
        f->medians[i] = f->cells.cell[i].median;
        f->error[i] = 0.01 * f->medians[i];
        if (find_shape(&f->shape[i], input->observations[i].tree) < 0) {
            return tan_fail_nomem(e);
        }
    }
    find_units(f);
    for (int p = 0; p < P; p++) {
        f->free[p] = input->given == NULL || isnan(input->given[p]);
        f->n_free += f->free[p];
    }
    const gsl_multifit_nlinear_parameters how = gsl_multifit_nlinear_default_parameters();
    const size_t unknowns = f->n_free > 0 ? f->n_free : 1;
    f->space = gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &how, n + unknowns, unknowns);
    f->x = gsl_vector_calloc(unknowns);
    return f->space == NULL || f->x == NULL ? tan_fail_nomem(e) : 0;
}

static void fitter_end(struct fitter *f)
{
    for (size_t i = 0; i < f->input->n_observations && f->shape != NULL; i++) {
        free(f->shape[i].end);
        free(f->shape[i].of);
        free(f->shape[i].child);
        free(f->shape[i].time);
    }
    free(f->shape);
    free(f->medians);
    tan_cells_clear(&f->cells);
    gsl_rng_free(f->cells.rng);
    gsl_multifit_nlinear_free(f->space);
    gsl_vector_free(f->x);
}

/* The best solution, with the weights that follow from it. */
static struct solution settle(struct fitter *f, struct solution *all, double *scatter)
{
    struct solution best;
    for (int i = 0; i < ROUNDS; i++) {
        best = best_of(f, all, solve_all(f, 0, all));
        weigh_cells(f, best.value, scatter);
    }
    return best;
}

/* Settle with messages that leave the NIC one by one and, where that leaves room for a better fit,
 * with a NIC that they share. */
static void choose_nic(struct fitter *f, struct solution *all, double *scatter)
{
    f->shared = f->input->nic == TAN_NIC_SHARED;
    const double squares = settle(f, all, scatter).squares;
    if (f->input->nic == TAN_NIC_FOUND && squares > ALIKE) {
        f->shared = true;
        const struct solution best = best_of(f, all, solve_all(f, 0, all));
        f->shared = best.squares + ALIKE < squares && !is_simple(&best);
        if (f->shared) {
            settle(f, all, scatter);
        }
    }
}

static int find_values(struct fitter *f, struct tan_overlap_fit *out, struct tan_error *e)
{
    struct solution all[STARTS + 1 + RANDOM_STARTS];
    struct solution best;
    choose_nic(f, all, &out->scatter);
    const size_t n = solve_all(f, f->input->quick ? 0 : RANDOM_STARTS, all);
    best = best_of(f, all, n);
    for (int p = 0; p < P; p++) {
        out->value[p] = best.value[p];
    }
    out->shared = f->shared;
    judge_params(f, all, n, &best, out);
    if (isnan(best.squares)) { /* wave times are NaN when memory is short */
        return tan_fail_nomem(e);
    }
    return f->input->bootstrap > 0 ? find_intervals(f, &best, out, e) : 0;
}

static int64_t larger_of(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

int tan_overlap_fit(const struct tan_overlap_fit_input *input, struct tan_overlap_fit *out,
                    struct tan_error *e)
{
    struct fitter f;
    *out = (struct tan_overlap_fit){.scatter = 0};
    for (int p = 0; p < P; p++) {
        out->ci95[p] = TAN_INTERVAL_UNKNOWN;
    }
    for (size_t i = 0; i < input->n_observations; i++) {
        const struct tan_overlap_observation *o = &input->observations[i];
        out->n += (int64_t)o->n;
        out->max_fanout = larger_of(out->max_fanout, tan_tree_max_fanout(o->tree));
        out->max_height = larger_of(out->max_height, tan_tree_height(o->tree));
    }
    const int result = fitter_start(&f, input, e) == 0 ? find_values(&f, out, e) : -1;
    fitter_end(&f);
    if (result < 0) {
        tan_overlap_fit_clear(out);
    }
    return result;
}

void tan_overlap_fit_tell(const struct tan_overlap_fit *fit, struct tan_doubts *doubts)
{
    if (!fit->exchangeable) {
        return;
    }
    char name[64];
    struct tan_error e = TAN_ERROR_INIT;
    snprintf(name, sizeof name, "binomial:%" PRId64, fit->max_fanout);
    struct tan_tree *tree = tan_spec_build(name, &e);
    if (tree == NULL) {
        doubts->incomplete = true;
        return;
    }
    double other[P];
    memcpy(other, fit->value, sizeof other);
    other[TAN_OVERLAP_O_S] = fit->value[TAN_OVERLAP_O_R];
    other[TAN_OVERLAP_O_R] = fit->value[TAN_OVERLAP_O_S];
    const struct tan_overlap costs[] = {tan_overlap_of(fit->value, fit->shared),
                                        tan_overlap_of(other, fit->shared)};
    const double change = tan_overlap_time(&costs[1], TAN_OVERLAP_ROUND, NULL, tree) /
                              tan_overlap_time(&costs[0], TAN_OVERLAP_ROUND, NULL, tree) -
                          1;
    tan_tree_destroy(tree);
    tan_doubts_add(
        doubts, TAN_NOTE, "exchangeable", fabs(change), TAN_TOUCHES_ALL,
        "o_s and o_r could be exchanged, which would change the waves of %s by %+.0f %%: "
        "waves of a binomial tree, with little noise, tell them apart",
        name, change * 100);
}

struct tan_params tan_overlap_fit_params(const struct tan_overlap_fit *fit, int64_t bytes)
{
    struct tan_params params = {.method = TAN_METHOD_OVERLAP,
                                .r2 = NAN,
                                .bytes = bytes,
                                .n = fit->n,
                                .max_fanout = fit->max_fanout,
                                .max_height = fit->max_height,
                                .nic_shared = fit->shared,
                                .draws = fit->draws,
                                .n_draws = fit->n_draws};
    for (int p = 0; p < P; p++) {
        params.value[p] = fit->value[p];
        params.ci95[p] = fit->ci95[p];
    }
    return params;
}

void tan_overlap_fit_clear(struct tan_overlap_fit *fit)
{
    free(fit->draws);
    *fit = (struct tan_overlap_fit){.scatter = 0};
}
