/* tree_fit.c - parameters with intervals, from measured waves of any trees
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/fit/tree_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/stats/stats.h"

enum { TERMS = TAN_TREE_TERMS };

/* The parameter that is a term's coefficient, L + 2a as TAN_A; TAN_PARAMS: none. */
static const enum tan_param param_of[TERMS] = {
    [TAN_TREE_HOP] = TAN_A,        [TAN_TREE_CHILD] = TAN_B,       [TAN_TREE_BYTE] = TAN_PARAMS,
    [TAN_TREE_WAVE] = TAN_C0,      [TAN_TREE_GROWTH] = TAN_C2,     [TAN_TREE_DATA] = TAN_PARAMS,
    [TAN_TREE_LOCAL] = TAN_PARAMS, [TAN_TREE_GATHER] = TAN_PARAMS,
};
/* Phrases for doubts: "these trees do not determine ...". */
static const char *const meaning[TERMS] = {
    [TAN_TREE_HOP] = "the cost of a level (L + 2a)",
    [TAN_TREE_CHILD] = "that of a further child (b)",
    [TAN_TREE_BYTE] = "the bandwidth",
    [TAN_TREE_WAVE] = "what a wave costs once (C)",
    [TAN_TREE_GROWTH] = "how the cost of a child grows with their number (c)",
    [TAN_TREE_DATA] = "what data cost once",
    [TAN_TREE_LOCAL] = "what a process does with a byte",
    [TAN_TREE_GATHER] = "what a byte costs on its way up",
};

/* Sums along a path. */
struct sums {
    double levels, children, squares;
    double gathered; /* over the parents: the share of all processes whose data they receive */
};

/* Which part of a wave goes over a tree, and what it carries. */
enum way { BOTH_WAYS, ONE_WAY_DOWN, HALF, GATHERED_UP };

static void set_row(const struct sums *sums, double bytes, enum way way, double row[TERMS])
{
    const double part = way <= ONE_WAY_DOWN ? 1 : 0.5;
    memset(row, 0, TERMS * sizeof *row);
    row[TAN_TREE_HOP] = part * sums->levels;
    row[TAN_TREE_CHILD] = part * (sums->children - sums->levels);
    row[TAN_TREE_WAVE] = part;
    row[TAN_TREE_GROWTH] = part * (sums->squares - sums->levels);
    if (way == GATHERED_UP) {
        row[TAN_TREE_DATA] = part;
        row[TAN_TREE_LOCAL] = part * bytes;
        row[TAN_TREE_GATHER] = part * bytes * sums->gathered;
    } else {
        row[TAN_TREE_BYTE] = part * bytes * sums->children;
    }
}

/* Whether path `a` takes at least as long as `b`, whatever the parameters. */
static bool covers(const double a[TERMS], const double b[TERMS])
{
    bool all = true;
    for (int j = 0; j < TERMS; j++) {
        all = all && a[j] >= b[j];
    }
    return all;
}

/* Add a path unless another covers it, and remove those that it covers. */
static int add_path(struct tan_tree_paths *paths, const double row[TERMS], struct tan_error *e)
{
    size_t kept = 0;
    for (size_t i = 0; i < paths->n; i++) {
        if (covers(paths->row + i * TERMS, row)) {
            return 0;
        }
    }
    for (size_t i = 0; i < paths->n; i++) {
        if (!covers(row, paths->row + i * TERMS)) {
            memmove(paths->row + kept++ * TERMS, paths->row + i * TERMS, TERMS * sizeof *row);
        }
    }
    paths->n = kept;
    double(*rows)[TERMS] = (double(*)[TERMS])paths->row;
    if (TAN_ONE_MORE(rows, paths->n) < 0) {
        return tan_fail_nomem(e);
    }
    paths->row = (double *)rows;
    memcpy(paths->row + paths->n++ * TERMS, row, TERMS * sizeof *row);
    return 0;
}

static int find_paths(const struct tan_tree *tree, double bytes, enum way way,
                      struct tan_tree_paths *out, struct tan_error *e)
{
    const int32_t n = tan_tree_size(tree);
    struct sums *to = calloc((size_t)n, sizeof *to); /* of the path to each node */
    int32_t *size = calloc((size_t)n, sizeof *size);
    int result = to == NULL || size == NULL ? tan_fail_nomem(e) : 0;
    *out = (struct tan_tree_paths){.max_fanout = tan_tree_max_fanout(tree),
                                   .height = tan_tree_height(tree)};
    if (result == 0) {
        tan_tree_subtree_sizes(tree, size);
    }
    for (int32_t node = 0; node < n && result == 0; node++) {
        const int32_t *child = tan_tree_children(tree, node);
        const double x = tan_tree_fanout(tree, node);
        for (int32_t i = 0; i < tan_tree_fanout(tree, node); i++) {
            const double before = way == ONE_WAY_DOWN ? i : x - 1; /* children served first */
            to[child[i]] = (struct sums){to[node].levels + 1, to[node].children + before + 1,
                                         to[node].squares + before * (x + 1) + 1,
                                         to[node].gathered + (double)(size[node] - 1) / n};
        }
        if (tan_tree_fanout(tree, node) == 0) {
            double row[TERMS];
            set_row(&to[node], bytes, way, row);
            result = add_path(out, row, e);
        }
    }
    free(to);
    free(size);
    if (result < 0) {
        tan_tree_paths_clear(out);
    }
    return result;
}

int tan_tree_paths_find(const struct tan_tree *tree, double bytes, struct tan_tree_paths *out,
                        struct tan_error *e)
{
    return find_paths(tree, bytes, BOTH_WAYS, out, e);
}

int tan_tree_paths_down(const struct tan_tree *tree, double bytes, struct tan_tree_paths *out,
                        struct tan_error *e)
{
    return find_paths(tree, bytes, ONE_WAY_DOWN, out, e);
}

/* The sums of each of `up` with each of `down`. */
static int join_paths(const struct tan_tree_paths *up, const struct tan_tree_paths *down,
                      struct tan_tree_paths *out, struct tan_error *e)
{
    int result = 0;
    *out = (struct tan_tree_paths){
        .max_fanout = up->max_fanout > down->max_fanout ? up->max_fanout : down->max_fanout,
        .height = up->height > down->height ? up->height : down->height};
    for (size_t i = 0; i < up->n * down->n && result == 0; i++) {
        double row[TERMS];
        for (size_t j = 0; j < TERMS; j++) {
            row[j] = up->row[i / down->n * TERMS + j] + down->row[i % down->n * TERMS + j];
        }
        result = add_path(out, row, e);
    }
    return result;
}

int tan_tree_paths_two(const struct tan_tree *up, const struct tan_tree *down, double bytes,
                       bool gathered, struct tan_tree_paths *out, struct tan_error *e)
{
    struct tan_tree_paths way[2] = {{.n = 0}, {.n = 0}};
    *out = (struct tan_tree_paths){.n = 0};
    const int result = find_paths(up, bytes, gathered ? GATHERED_UP : HALF, &way[0], e) == 0 &&
                               find_paths(down, bytes, HALF, &way[1], e) == 0
                           ? join_paths(&way[0], &way[1], out, e)
                           : -1;
    tan_tree_paths_clear(&way[0]);
    tan_tree_paths_clear(&way[1]);
    if (result < 0) {
        tan_tree_paths_clear(out);
    }
    return result;
}

int tan_tree_paths_of(enum tan_experiment experiment, int64_t size, double bytes,
                      struct tan_tree_paths *out, struct tan_error *e)
{
    const double n = (double)size;
    const struct sums sums =
        experiment == TAN_CHAIN ? (struct sums){n, n, n, 0} : (struct sums){1, n, n * n, 0};
    double row[TERMS];
    *out = (struct tan_tree_paths){.max_fanout = experiment == TAN_CHAIN ? 1 : size,
                                   .height = experiment == TAN_CHAIN ? size : 1};
    set_row(&sums, bytes, BOTH_WAYS, row);
    return add_path(out, row, e);
}

void tan_tree_paths_clear(struct tan_tree_paths *paths)
{
    free(paths->row);
    *paths = (struct tan_tree_paths){.n = 0};
}

/* Split the hop, L + 2a, into L as given, but at most the whole hop, and a. */
static void split_hop(const struct tan_tree_fit_input *input, double hop, double value[TAN_PARAMS])
{
    value[TAN_L] = isnan(input->L) ? 0 : fmin(input->L, hop);
    value[TAN_A] = (hop - value[TAN_L]) / 2;
}

static void set_values(const struct tan_tree_fit_input *input, const double *term,
                       double value[TAN_PARAMS])
{
    for (int j = 0; j < TERMS; j++) {
        if (param_of[j] < TAN_PARAMS) {
            value[param_of[j]] = term[j];
        }
    }
    split_hop(input, term[TAN_TREE_HOP], value);
}

/* The part of the hop's interval that L or a has. */
static struct tan_interval part_of_hop(const struct tan_tree_fit_input *input,
                                       struct tan_interval hop, enum tan_param param)
{
    double low[TAN_PARAMS];
    double high[TAN_PARAMS];
    if (!tan_interval_known(hop)) {
        return hop;
    }
    split_hop(input, hop.low, low);
    split_hop(input, hop.high, high);
    return (struct tan_interval){low[param], high[param]};
}

/* Whether the given L is longer than a hop, so that L becomes the hop. */
static bool exceeds_hop(const struct tan_tree_fit_input *input, const struct tan_path_fit *paths)
{
    return paths->identifiable[TAN_TREE_HOP] && input->L > paths->value[TAN_TREE_HOP];
}

static int set_params(const struct tan_tree_fit_input *input, const struct tan_path_fit *paths,
                      struct tan_fit *fit, struct tan_error *e)
{
    struct tan_params *p = &fit->params;
    set_values(input, paths->value, p->value);
    for (int j = 0; j < TERMS; j++) {
        const enum tan_param param = param_of[j];
        if (param < TAN_PARAMS) {
            fit->identifiable[param] = paths->identifiable[j];
            fit->at_bound[param] = paths->identifiable[j] && paths->value[j] == 0;
            p->unidentified[param] = !paths->identifiable[j] && paths->value[j] == 0;
            p->ci95[param] = paths->ci95[j];
        }
    }
    p->ci95[TAN_A] = part_of_hop(input, paths->ci95[TAN_TREE_HOP], TAN_A);
    if (exceeds_hop(input, paths)) {
        p->ci95[TAN_L] = part_of_hop(input, paths->ci95[TAN_TREE_HOP], TAN_L);
    }
    fit->identifiable[TAN_L] = !isnan(input->L);
    fit->identifiable[TAN_A] = fit->identifiable[TAN_A] && fit->identifiable[TAN_L];
    p->unidentified[TAN_L] = isnan(input->L);
    p->draws =
        paths->n_draws > 0 ? calloc((size_t)paths->n_draws * TAN_PARAMS, sizeof *p->draws) : NULL;
    if (paths->n_draws > 0 && p->draws == NULL) {
        return tan_fail_nomem(e);
    }
    p->n_draws = paths->n_draws;
    for (int i = 0; i < p->n_draws; i++) {
        set_values(input, paths->draws + (size_t)i * TERMS, p->draws + (size_t)i * TAN_PARAMS);
    }
    return 0;
}

static void find_largest(const struct tan_tree_fit_input *input, struct tan_params *params)
{
    for (size_t i = 0; i < input->n_waves; i++) {
        const struct tan_tree_paths *paths = &input->waves[i].paths;
        params->n += (int64_t)input->waves[i].n;
        params->max_height =
            paths->height > params->max_height ? paths->height : params->max_height;
        params->max_fanout =
            paths->max_fanout > params->max_fanout ? paths->max_fanout : params->max_fanout;
    }
}

/* Whether a doubt about the term makes sense: it belongs to a parameter, or to some wave. */
static bool is_relevant(const struct tan_tree_fit_input *input, int term)
{
    bool relevant = param_of[term] < TAN_PARAMS;
    for (size_t i = 0; i < input->n_waves; i++) {
        relevant = relevant || input->waves[i].paths.row[term] > 0;
    }
    return relevant;
}

static void doubt_terms(const struct tan_tree_fit_input *input, const struct tan_path_fit *paths,
                        struct tan_fit *fit)
{
    char list[400] = "";
    unsigned touches = 0;
    for (int j = 0; j < TERMS; j++) {
        if (!paths->identifiable[j] && is_relevant(input, j)) {
            const size_t used = strlen(list);
            snprintf(list + used, sizeof list - used, "%s%s", used > 0 ? ", " : "", meaning[j]);
            touches |= param_of[j] < TAN_PARAMS ? 1u << param_of[j] : TAN_TOUCHES_ALL;
        }
    }
    if (touches != 0) {
        tan_doubts_add(&fit->doubts, TAN_DOUBT, "not-identified", NAN, touches,
                       "these trees do not determine %s", list);
    }
}

/* As in doubts.c, noise explains less than a factor of 2, unless the hop's interval is so wide that
 * it includes L. */
static void doubt_latency(const struct tan_tree_fit_input *input, const struct tan_path_fit *paths,
                          struct tan_fit *fit)
{
    const double most = 2.0;
    const double hop = paths->value[TAN_TREE_HOP];
    const bool possible = input->L <= paths->ci95[TAN_TREE_HOP].high;
    if (exceeds_hop(input, paths) && input->L > most * hop && !possible) {
        tan_doubts_add(&fit->doubts, TAN_DOUBT, "latency", hop / input->L, TAN_TOUCHES_ALL,
                       "the latency, %.1f us, contradicts the trees, where a hop takes %.1f us",
                       1e6 * input->L, 1e6 * hop);
    } else if (exceeds_hop(input, paths)) {
        tan_fit_note(fit,
                     "the latency, %.1f us, is longer than a hop of the trees: L is what a hop "
                     "takes, and a is 0",
                     1e6 * input->L);
    }
}

static void doubt_errors(const struct tan_path_fit *paths, struct tan_fit *fit)
{
    enum { MIN_FREEDOM = 3 };
    if (paths->freedom < MIN_FREEDOM) {
        tan_doubts_add(&fit->doubts, TAN_DOUBT, "few-trees", (double)paths->n_cells,
                       TAN_TOUCHES_ALL, "too few different trees to tell how sure the fit is (%zu)",
                       paths->n_cells);
    } else if (paths->scatter > TAN_CHECKS_MOST) {
        tan_doubts_add(&fit->doubts, TAN_DOUBT, "scatter", paths->scatter, TAN_TOUCHES_ALL,
                       "the trees' medians lie %.0f %% off the fit", 100 * paths->scatter);
    }
}

static void note_fit(const struct tan_tree_fit_input *input, const struct tan_path_fit *paths,
                     struct tan_fit *fit)
{
    if (isnan(input->L)) {
        tan_fit_note(fit, "without a latency, L and a cannot be told apart: L is taken as 0 and a "
                          "holds half of it; predictions of method joint need only L + 2a");
    }
    for (size_t i = 0; i < paths->n_cells; i++) {
        if (paths->aside[i]) {
            fit->aside_notes |= 1u << fit->n_notes;
            tan_fit_note(fit, "%.60s is set aside: the fit to all others is off by %+.1f %% there",
                         input->waves[i].name, 100 * (paths->predicted[i] / paths->median[i] - 1));
        }
    }
}

int tan_tree_fit(const struct tan_tree_fit_input *input, struct tan_fit *fit,
                 struct tan_path_fit *paths, struct tan_error *e)
{
    struct tan_path_cell *cells = calloc(input->n_waves + 1, sizeof *cells);
    *fit = (struct tan_fit){.r2_chain = NAN, .r2_nto1 = NAN};
    *paths = (struct tan_path_fit){.columns = 0};
    if (cells == NULL) {
        return tan_fail_nomem(e);
    }
    for (size_t i = 0; i < input->n_waves; i++) {
        const struct tan_tree_waves *w = &input->waves[i];
        cells[i] = (struct tan_path_cell){w->paths.row, w->paths.n, w->seconds, w->n};
    }
    const struct tan_path_input all = {cells, input->n_waves, TERMS, input->bootstrap, input->seed};
    fit->params.method = TAN_METHOD_JOINT;
    fit->params.bytes = input->bytes;
    fit->params.r2 = NAN;
    for (int p = 0; p < TAN_PARAMS; p++) {
        fit->params.ci95[p] = TAN_INTERVAL_UNKNOWN;
    }
    int result = tan_path_fit(&all, paths, e);
    if (result == 0) {
        result = set_params(input, paths, fit, e);
        find_largest(input, &fit->params);
        doubt_terms(input, paths, fit);
        doubt_errors(paths, fit);
        doubt_latency(input, paths, fit);
        note_fit(input, paths, fit);
    }
    free(cells);
    return result;
}
