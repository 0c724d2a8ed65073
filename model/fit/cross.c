/* cross.c - the model that answers use, chosen by trees that its fit left out
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/fit/fit.h"
#include "model/wave/wave.h"

enum { FOLDS = 5 };

/* The fits to the trees outside of a fold. */
struct fold {
    struct tan_observation *others; /* with the fold's trees as checks */
    struct tan_fit tan, overlap;
};

static int fit_others(const struct tan_fit_input *all, size_t left_out, struct fold *f,
                      struct tan_error *e)
{
    struct tan_fit_input input = *all;
    input.observations = f->others;
    for (size_t i = 0, k = 0; i < input.n_observations; i++) {
        f->others[i] = all->observations[i];
        if (f->others[i].role != TAN_CHECKS && k++ % FOLDS == left_out) {
            f->others[i].role = TAN_CHECKS;
        }
    }
    tan_fit_clear(&f->tan);
    tan_fit_clear(&f->overlap);
    if (tan_fit(&input, &f->tan, e) < 0) {
        return -1;
    }
    input.method = TAN_METHOD_OVERLAP;
    input.quick = true;
    return isnan(all->observations[0].error[TAN_CHECK_OVERLAP]) ? 0
                                                                : tan_fit(&input, &f->overlap, e);
}

/* Whether all leaves are equally deep, below more than one level. */
static bool has_even_levels(const struct tan_tree *tree)
{
    const int32_t size = tan_tree_size(tree);
    int32_t *depth = calloc((size_t)size, sizeof *depth);
    bool even = depth != NULL && tan_tree_height(tree) > 1;
    if (even) {
        tan_tree_depths(tree, depth);
    }
    for (int32_t node = 0; node < size && even; node++) {
        even = tan_tree_fanout(tree, node) > 0 || depth[node] == tan_tree_height(tree);
    }
    free(depth);
    return even;
}

/* Predictions of trees that the fits left out. */
struct tally {
    double weight;
    double own[TAN_CHECK_MODELS]; /* number of trees that the model is fitted to */
    bool unbuilt;                 /* sizes of trees are not known */
};

static void count_tree(const struct tan_observation *t, const double error[TAN_CHECK_MODELS],
                       struct tally *tally, struct tan_checks *out)
{
    const bool built = t->tree != NULL;
    const bool tells = (built ? tan_tree_max_fanout(t->tree) : t->paths.max_fanout) > 1;
    const double weight = !tells ? 0 : built && has_even_levels(t->tree) ? 2 : 1;
    tally->weight += weight;
    out->trees += tells;
    tally->unbuilt |= tells && !built;
    if (tells && built && tan_tree_size(t->tree) > out->processes) {
        out->processes = tan_tree_size(t->tree);
    }
    for (int m = 0; m < TAN_CHECK_MODELS; m++) {
        const bool fitted =
            t->role == TAN_FITS_ALL || (t->role == TAN_FITS_OVERLAP && m == TAN_CHECK_OVERLAP);
        out->error[m] += weight > 0 ? weight * fabs(error[m]) : 0;
        out->own_error[m] += fitted ? fabs(t->error[m]) : 0;
        tally->own[m] += fitted;
    }
}

static void set_check(const struct tan_observation *t, struct tan_check *check)
{
    snprintf(check->topo, sizeof check->topo, "%s", t->name);
    check->wave = t->median;
    memcpy(check->error, t->error, sizeof check->error);
}

/* `any`: TAN is fitted to the paths of trees, whose waves may be of several kinds and sizes. */
static void predict(const struct tan_observation *t, const struct fold *f, bool any,
                    double error[TAN_CHECK_MODELS])
{
    for (int m = 0; m < TAN_CHECK_MODELS; m++) {
        struct tan_error ignored = TAN_ERROR_INIT;
        const struct tan_model *model = tan_model_find(tan_check_models[m], &ignored);
        const struct tan_fit *fit = m == TAN_CHECK_OVERLAP ? &f->overlap : &f->tan;
        error[m] = isnan(t->error[m]) ? NAN
                   : any && m == TAN_CHECK_TAN
                       ? tan_tree_paths_time(&t->paths, fit->terms.value) / t->median - 1
                       : tan_wave_time(model, &fit->params, t->tree) / t->median - 1;
    }
}

int tan_cross_validate(const struct tan_fit_input *input, struct tan_checks *out,
                       struct tan_error *e)
{
    const struct tan_observation *trees = input->observations;
    const size_t n = input->n_observations;
    struct tally tally = {.weight = 0};
    struct fold f = {.others = calloc(n + 1, sizeof *f.others)};
    int result = f.others == NULL ? tan_fail_nomem(e) : 0;
    size_t fitted = 0;
    *out = (struct tan_checks){.n = 0};
    for (size_t i = 0; i < n; i++) {
        fitted += trees[i].role != TAN_CHECKS;
        if (trees[i].role == TAN_CHECKS) {
            count_tree(&trees[i], trees[i].error, &tally, out);
            if (out->n < TAN_MAX_CHECKS) {
                set_check(&trees[i], &out->row[out->n++]);
            }
        } else if (trees[i].role == TAN_FITS_OVERLAP) {
            set_check(&trees[i], &out->uneven);
        }
    }
    const size_t folds = fitted < 2 ? 0 : fitted < FOLDS ? fitted : FOLDS;
    for (size_t fold = 0; fold < folds && result == 0; fold++) {
        result = fit_others(input, fold, &f, e);
        for (size_t i = 0; i < n && result == 0; i++) {
            if (trees[i].role != TAN_CHECKS && f.others[i].role == TAN_CHECKS) {
                double error[TAN_CHECK_MODELS];
                predict(&trees[i], &f, input->any, error);
                count_tree(&trees[i], error, &tally, out);
            }
        }
    }
    for (int m = 0; m < TAN_CHECK_MODELS; m++) {
        out->error[m] /= tally.weight;
        out->own_error[m] /= tally.own[m];
    }
    out->processes = tally.unbuilt ? 0 : out->processes;
    tan_checks_choose(out);
    tan_fit_clear(&f.tan);
    tan_fit_clear(&f.overlap);
    free(f.others);
    return result;
}
