/* overlap_fit.c - parameters of overlapping requests and answers, from measured waves
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <gsl/gsl_multifit_nlinear.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "model/fit/fit_internal.h"
#include "model/wave/overlap.h"

/* Nonlinear least squares (Levenberg-Marquardt) over the medians, weighted by inverse variances
 * estimated as in fit.h. Kinks in the wave time cause several minima, so it runs from several fixed
 * and random starts. Among the solutions that fit within noise it prefers those whose g is hidden
 * by the overheads, else the best fit. Messages leave the NIC one by one, unless a gap above the
 * overheads that they share fits better than by noise. Parameters on which all these solutions
 * agree are identified. Chains determine L + o_s + o_r and C; N-to-1 trees determine the larger
 * overhead, or the gap, if answers arrive one by one, and o_s + o_r if all requests leave before
 * the first answer. g shows only if it exceeds an overhead. Intervals come from resampled medians,
 * each fitted from its own start, so that parameters the waves do not determine cover their whole
 * range. */
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

/* Of known parameters those that are given; TAN's g, too, is shared by all distances. */
static bool is_known(int p)
{
    return tan_param_shared[p] && p != TAN_OVERLAP_G;
}

/* A tree as its different subtrees, each of which is evaluated once. */
struct shape {
    const struct tan_tree *tree;
    size_t n;                   /* of these, the whole tree last; children precede parents */
    size_t *end;                /* of the kinds of children of each; owned */
    size_t *of;                 /* the subtree of each kind of child; owned */
    struct tan_children *child; /* kinds in the order asked; owned */
    double *time;               /* space for a time of each; owned */
};

struct solution {
    double value[P];
    double squares;
};

struct fitter {
    const struct tan_fit_input *input;
    struct tan_solver cells;
    struct shape *shape;
    double unit[P]; /* of the parameters */
    double hop;     /* least time per level of all trees */
    double child;   /* approximate cost of a further child */
    bool free[P];
    size_t n_free;
    bool shared;     /* the NIC, as in struct tan_overlap */
    const double *y; /* medians to fit */
    double *medians, *error, *drawn;
    double start[P];
    struct solution best;
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
    const struct tan_overlap p = tan_overlap_of(value, f->shared);
    const struct shape *s = &f->shape[cell];
    for (size_t i = 0, from = 0; i < s->n; from = s->end[i++]) {
        for (size_t k = from; k < s->end[i]; k++) {
            s->child[k].below = s->time[s->of[k]];
        }
        s->time[i] = s->end[i] == from ? tan_overlap_leaf(&p, TAN_OVERLAP_ROUND)
                                       : tan_overlap_node(&p, TAN_OVERLAP_ROUND, s->child + from,
                                                          (int)(s->end[i] - from), i == s->n - 1);
    }
    return s->time[s->n - 1] / 2;
}

/* A local solution. Unknowns are in units of f->unit, and their sign is ignored, which keeps
 * parameters >= 0. */

static void values_of(const struct fitter *f, const gsl_vector *x, double value[P])
{
    size_t k = 0;
    for (int p = 0; p < P; p++) {
        value[p] =
            f->free[p] ? fabs(gsl_vector_get(x, k++)) * f->unit[p] : f->input->known->value[p];
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
    gsl_multifit_nlinear_init(f->x, &fdf, f->space);
    gsl_multifit_nlinear_driver(ITERATIONS, 1e-8, 1e-8, 0, NULL, NULL, &info, f->space);
    values_of(f, gsl_multifit_nlinear_position(f->space), s.value);
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

/* Whether the gap has no effect, since no overhead is smaller. */
static bool is_simple(const struct solution *s)
{
    return s->value[TAN_OVERLAP_G] <= fmin(s->value[TAN_OVERLAP_O_S], s->value[TAN_OVERLAP_O_R]);
}

/* Of the solutions that fit equally well, the best one of those whose gap has no effect, if any. */
static struct solution best_of(const struct solution *all, size_t n)
{
    const struct solution *best = all;
    double least = INFINITY;
    for (size_t i = 0; i < n; i++) {
        least = fmin(least, all[i].squares);
    }
    for (size_t i = 1; i < n; i++) {
        const struct solution *s = &all[i];
        const int simpler = is_simple(s) - is_simple(best);
        const bool better = simpler != 0 ? simpler > 0 : s->squares < best->squares;
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
    for (int i = 0; i < STARTS; i += f->input->quick && f->input->any ? 2 : 1) {
        start_at(f, starts[f->shared][i].o_s, starts[f->shared][i].o_r, starts[f->shared][i].g,
                 0.01, 0.05, start);
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
                         struct tan_fit *out)
{
    const struct solution *best = &f->best;
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
static void repeat_fit(void *fitter, double *value, double params[TAN_PARAMS])
{
    struct fitter *f = fitter;
    const struct tan_solver *s = &f->cells;
    double start[P];
    tan_cells_resample(s, f->drawn);
    for (size_t i = 0; i < s->n_cells; i++) {
        const double within =
            s->variance / (double)s->cell[i].n * pow(s->cell[i].median, 2 * s->power);
        const double beyond = f->error[i] * f->error[i] - within;
        f->drawn[i] += sqrt(fmax(beyond, 0)) * gsl_ran_ugaussian(s->rng);
    }
    f->y = f->drawn;
    const struct solution usual = solve_from(f, f->best.value);
    start_at_random(f, start);
    const struct solution other = solve_from(f, start);
    const struct solution *drawn = other.squares < usual.squares + ALIKE ? &other : &usual;
    memcpy(value, drawn->value, sizeof drawn->value);
    if (params != NULL) {
        memcpy(params, drawn->value, sizeof drawn->value);
    }
}

/* Of parameters that are known from elsewhere, the uncertainty is known, too. */
static void copy_known(const struct tan_fit_input *input, struct tan_params *out)
{
    for (int p = 0; p < P && input->known != NULL; p++) {
        if (is_known(p)) {
            out->ci95[p] = input->known->ci95[p];
            for (int i = 0; i < out->n_draws; i++) {
                out->draws[i * P + p] = tan_params_drawn(input->known, i).value[p];
            }
        }
    }
}

static int find_intervals(struct fitter *f, struct tan_fit *out, struct tan_error *e)
{
    struct tan_repeat repeat = {.fit = f, .draw = repeat_fit, .columns = P, .value = f->best.value};
    for (int p = 0; p < P; p++) {
        repeat.wanted[p] = f->free[p];
        repeat.least[p] = LEAST_ERROR * fmax(f->best.value[p], f->unit[p]);
    }
    return tan_bootstrap(&repeat, f->input->bootstrap, &out->params, out->params.ci95, e);
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

static int fitter_start(struct fitter *f, struct tan_error *e)
{
    struct tan_solver *s = &f->cells;
    if (s->rng == NULL) {
        return tan_fail_nomem(e);
    }
    gsl_rng_set(s->rng, (unsigned long)f->input->seed);
    if (tan_cells_create(s, e) < 0 || tan_cells_pool(s, e) < 0) {
        return -1;
    }
    const size_t n = s->n_cells;
    f->shape = calloc(n, sizeof *f->shape);
    f->medians = calloc(3 * n, sizeof *f->medians);
    if (f->shape == NULL || f->medians == NULL) {
        return tan_fail_nomem(e);
    }
    f->y = f->medians;
    f->error = f->medians + n;
    f->drawn = f->error + n;
    for (size_t i = 0; i < n; i++) {
        f->medians[i] = s->cell[i].median;
        f->error[i] = 0.01 * f->medians[i];
        if (find_shape(&f->shape[i], s->cell[i].seen->tree) < 0) {
            return tan_fail_nomem(e);
        }
    }
    find_units(f);
    for (int p = 0; p < P; p++) {
        f->free[p] = f->input->known == NULL || !is_known(p);
        f->n_free += f->free[p];
    }
    const gsl_multifit_nlinear_parameters how = gsl_multifit_nlinear_default_parameters();
    f->space =
        gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &how, n + f->n_free, f->n_free);
    f->x = gsl_vector_calloc(f->n_free);
    return f->space == NULL || f->x == NULL ? tan_fail_nomem(e) : 0;
}

static void fitter_end(struct fitter *f)
{
    for (size_t i = 0; i < f->cells.n_cells && f->shape != NULL; i++) {
        free(f->shape[i].end);
        free(f->shape[i].of);
        free(f->shape[i].child);
        free(f->shape[i].time);
    }
    free(f->shape);
    free(f->medians);
    tan_solver_clear(&f->cells);
    gsl_multifit_nlinear_free(f->space);
    gsl_vector_free(f->x);
}

/* The best solution, with the weights that follow from it. */
static struct solution settle(struct fitter *f, struct solution *all, double *scatter)
{
    struct solution best;
    for (int i = 0; i < ROUNDS; i++) {
        best = best_of(all, solve_all(f, 0, all));
        weigh_cells(f, best.value, scatter);
    }
    return best;
}

/* Settle with messages that leave the NIC one by one and, where that leaves room for a better fit,
 * with a NIC that they share; with known parameters their kind of NIC is known, too. */
static void choose_nic(struct fitter *f, struct solution *all, double *scatter)
{
    f->shared = f->input->known != NULL && f->input->known->nic_shared;
    const double squares = settle(f, all, scatter).squares;
    if (f->input->known == NULL && squares > ALIKE) {
        f->shared = true;
        const struct solution best = best_of(all, solve_all(f, 0, all));
        f->shared = best.squares + ALIKE < squares && !is_simple(&best);
        if (f->shared) {
            settle(f, all, scatter);
        }
    }
}

static int find_values(struct fitter *f, struct tan_fit *out, struct tan_error *e)
{
    struct solution all[STARTS + RANDOM_STARTS];
    choose_nic(f, all, &out->scatter[0]);
    const size_t n = solve_all(f, f->input->quick ? 0 : RANDOM_STARTS, all);
    f->best = best_of(all, n);
    memcpy(out->params.value, f->best.value, sizeof f->best.value);
    out->params.nic_shared = f->shared;
    judge_params(f, all, n, out);
    if (isnan(f->best.squares)) { /* wave times are NaN when memory is short */
        return tan_fail_nomem(e);
    }
    return find_intervals(f, out, e);
}

int tan_fit_overlap(const struct tan_fit_input *input, struct tan_fit *out, struct tan_error *e)
{
    struct fitter f = {.input = input,
                       .cells = {.input = input, .rng = gsl_rng_alloc(gsl_rng_mt19937)}};
    const int result = fitter_start(&f, e) == 0 ? find_values(&f, out, e) : -1;
    for (size_t i = 0; i < f.cells.n_cells; i++) {
        const struct tan_observation *seen = f.cells.cell[i].seen;
        out->params.n += (int64_t)seen->n;
        out->params.max_fanout = GSL_MAX(out->params.max_fanout, tan_tree_max_fanout(seen->tree));
        out->params.max_height = GSL_MAX(out->params.max_height, tan_tree_height(seen->tree));
    }
    copy_known(input, &out->params);
    fitter_end(&f);
    return result;
}
