/* validate.c - accuracy of the models on held-out trees
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/results/results.h"

#include <gsl/gsl_rng.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "base/text.h"
#include "base/units.h"
#include "model/stats/stats.h"
#include "tanbench/plan/calibration_plan.h"
#include "topo/spec.h"

/* Shapes that are not fitted, except that tan-overlap is fitted to a binomial tree. */
static const char *const named[] = {
    "binary:", "binomial:", "twolevel:", "kary:4:", "kary:8:", "knomial:3:"};
static const char random_prefix[] = "random:";
/* Fitted shapes, which show whether the machine still behaves as it did when calibrated. */
static const char *const references[] = {"chain:", "nto1:"};

/* Failed draws after which a range is assumed to contain no random trees. */
enum { MAX_DRAWS = 10000 };

/* Whether it is a tree of that size, and of another shape than those that are fitted. */
static bool is_unseen(const char *spec, const struct validation *v)
{
    struct tan_error ignored = TAN_ERROR_INIT;
    struct tan_tree *tree = tan_spec_build(spec, &ignored);
    const bool unseen = tree != NULL && tan_tree_size(tree) >= v->least_ranks &&
                        tan_tree_size(tree) <= v->ranks && tan_tree_height(tree) > 1 &&
                        tan_tree_max_fanout(tree) > 1;
    tan_tree_destroy(tree);
    return unseen;
}

static int add_random(struct plan *plan, const struct validation *v, gsl_rng *rng,
                      struct tan_error *e)
{
    for (int i = 0; i < MAX_DRAWS; i++) {
        unsigned long leaves = 1 + gsl_rng_uniform_int(rng, (unsigned long)v->ranks - 1);
        const struct tan_text spec =
            tan_printed("%s%lu:%lu", random_prefix, leaves, gsl_rng_uniform_int(rng, 1000000));
        if (is_unseen(spec.text, v)) {
            return tan_plan_add(plan, spec.text, e);
        }
    }
    return tan_fail_usage(e,
                          "--processes: %d random trees were drawn, none with %" PRId64
                          " to %" PRId64 " processes that is neither a chain nor N-to-1",
                          MAX_DRAWS, v->least_ranks, v->ranks);
}

static int add_shape(struct plan *plan, const char *shape, int64_t size, struct tan_error *e)
{
    return tan_plan_add(plan, tan_printed("%s%" PRId64, shape, size).text, e);
}

int tan_validate_plan(struct plan *plan, const struct validation *v, struct tan_error *e)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int result = 0;
    if (rng == NULL) {
        return tan_fail_nomem(e);
    }
    gsl_rng_set(rng, plan->settings.seed);
    for (int64_t i = 0; i < v->shapes && result == 0; i++) {
        result = add_random(plan, v, rng, e);
    }
    gsl_rng_free(rng);
    for (size_t i = 0; i < sizeof references / sizeof *references && result == 0; i++) {
        result = add_shape(plan, references[i], v->least_ranks - 1, e);
        if (result == 0 && v->ranks > v->least_ranks) {
            result = add_shape(plan, references[i], v->ranks - 1, e);
        }
    }
    for (size_t i = 0; i < sizeof named / sizeof *named && result == 0; i++) {
        int64_t leaves = v->ranks - 1;
        while (leaves > 1 && !is_unseen(tan_printed("%s%" PRId64, named[i], leaves).text, v)) {
            leaves--;
        }
        if (leaves > 1) {
            result = add_shape(plan, named[i], leaves, e);
        }
    }
    return result;
}

enum tree_class { RANDOM, NAMED, REFERENCE };

static enum tree_class class_of(const struct result *result)
{
    if (tan_calibration_role(result->cell) == TAN_FITS_ALL) {
        return REFERENCE;
    }
    return strncmp(result->cell->spec, random_prefix, sizeof random_prefix - 1) != 0 ? NAMED
                                                                                     : RANDOM;
}

/* Accuracy of a model over the `*trees` trees of one class that it predicts; false if there are
 * none. */
static bool find_accuracy(const struct results *r, const struct tan_model *model,
                          enum tree_class class, size_t *trees, struct tan_accuracy *a)
{
    struct tan_error ignored = TAN_ERROR_INIT;
    double *predicted = calloc(2 * (size_t)r->n + 1, sizeof *predicted); /* then the measured */
    size_t n = 0;
    for (int i = 0; predicted != NULL && i < r->n; i++) {
        const struct result *result = &r->list[i];
        const bool counts = result->tree != NULL && class_of(result) == class;
        const double seconds = counts ? tan_predict_wave(r, result, model) : NAN;
        if (isfinite(seconds)) {
            predicted[(size_t)r->n + n] = half(result->round_trip.median);
            predicted[n++] = seconds;
        }
    }
    const bool found = n > 0 && tan_accuracy(predicted, predicted + r->n, n, a, &ignored) == 0;
    *trees = n;
    free(predicted);
    return found;
}

/* Of fractions. */
enum { DECIMALS = 6 };

static void set_models(struct tan_json_writer *w, json_t *models, const struct results *r,
                       enum tree_class class)
{
    for (int m = 0; m < TAN_MODELS; m++) {
        struct tan_accuracy a;
        size_t trees;
        if (!find_accuracy(r, &tan_models[m], class, &trees, &a)) {
            continue;
        }
        json_t *o = tan_json_set_object(w, models, tan_models[m].name);
        tan_json_set_int(w, o, "trees", (json_int_t)trees);
        tan_json_set_fixed(w, o, "mean_abs_error", a.mean_abs_error, DECIMALS);
        tan_json_set_fixed(w, o, "median_abs_error", a.median_abs_error, DECIMALS);
        tan_json_set_fixed(w, o, "worst_abs_error", a.worst_abs_error, DECIMALS);
        tan_json_set_fixed(w, o, "mean_error", a.mean_error, DECIMALS);
        tan_json_set_fixed(w, o, "regret", a.regret, DECIMALS);
        tan_json_set_fixed(w, o, "kendall_tau", a.kendall_tau, DECIMALS);
    }
}

void tan_validate_set_json(struct tan_json_writer *w, json_t *document, const struct results *r)
{
    set_models(w, tan_json_set_object(w, document, "models"), r, RANDOM);
    set_models(w, tan_json_set_object(w, document, "named"), r, NAMED);
    set_models(w, tan_json_set_object(w, document, "reference_models"), r, REFERENCE);
}

/* An error is never 0. */
static struct tan_text error_text(double error)
{
    return error < 0.00005 ? tan_printed("below 0.005 %%") : tan_share_text(error);
}

void tan_validate_print_best(const void *results, FILE *to)
{
    struct tan_accuracy best = {.mean_abs_error = INFINITY};
    struct tan_accuracy a;
    const char *model = NULL;
    size_t trees = 0;
    for (enum tree_class class = RANDOM; class <= NAMED && model == NULL; class ++) {
        for (int m = 0; m < TAN_MODELS; m++) {
            size_t n;
            if (find_accuracy(results, &tan_models[m], class, &n, &a) &&
                a.mean_abs_error < best.mean_abs_error) {
                best = a;
                trees = n;
                model = tan_models[m].name;
            }
        }
    }
    if (model == NULL) {
        return;
    }
    fprintf(
        to,
        "On %zu trees that no fit has seen, %s errs least: %s on average, %s at worst; the tree "
        "that it predicts to be the fastest ",
        trees, model, error_text(best.mean_abs_error).text, error_text(best.worst_abs_error).text);
    if (best.regret < 0.0005) {
        fprintf(to, "is the fastest.\n");
    } else {
        fprintf(to, "is %s slower than the fastest.\n", tan_share_text(best.regret).text);
    }
}

static void print_models(const struct results *r, struct tan_table *table)
{
    static const char *const names[] = {
        [RANDOM] = "random", [NAMED] = "named", [REFERENCE] = "reference"};
    for (enum tree_class class = RANDOM; class <= REFERENCE; class ++) {
        for (int m = 0; m < TAN_MODELS; m++) {
            struct tan_accuracy a;
            size_t trees;
            char regret[32];
            if (!find_accuracy(r, &tan_models[m], class, &trees, &a)) {
                continue;
            }
            tan_table_cell(table, "%s", tan_models[m].name);
            tan_table_cell(table, "%s", names[class]);
            tan_table_cell(table, "%zu", trees);
            tan_table_abs_error(table, a.mean_abs_error);
            tan_table_abs_error(table, a.median_abs_error);
            tan_table_abs_error(table, a.worst_abs_error);
            tan_table_error(table, a.mean_error);
            tan_table_cell(table, isnan(a.kendall_tau) ? "-" : "%.2f", a.kendall_tau);
            if (a.regret < 1.0) {
                tan_table_abs_error(table, a.regret);
            } else {
                tan_table_cell(table, "%s", tan_format_slower(a.regret, regret, sizeof regret));
            }
        }
    }
}

void tan_validate_print(const struct results *r, FILE *to)
{
    static const char *const headings[] = {"<model", "<trees", "n",   "mean |error|", "median",
                                           "worst",  "bias",   "tau", "regret"};
    struct tan_table *table = tan_table_create(headings, (int)(sizeof headings / sizeof *headings));
    print_models(r, table);
    fputc('\n', to);
    tan_text_wrap_printed(to, tan_validate_print_best, r);
    fprintf(to, "\nTrees that no fit has seen but the binomial one, and chains and N-to-1 trees as "
                "references:\n\n");
    tan_table_print(table, to);
    tan_text_say(to,
                 "\nReferences have the shapes that the fit was made from: where its model misses "
                 "them, the machine is no longer as the fit describes it, or they are larger than "
                 "the fitted trees.");
}
