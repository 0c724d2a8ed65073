/* test_further_runs.c - which runs would narrow a fit's intervals most
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_randist.h>

#include "model/fit/further_runs.h"
#include "model/fit/tree_fit.h"
#include "topo/spec.h"

enum { TERMS = TAN_TREE_TERMS, MOST = 96 };

/* L + 2a, b, C and c of a known machine, in seconds. */
static const double truth[TERMS] = {[TAN_TREE_HOP] = 200e-6,
                                    [TAN_TREE_CHILD] = 3e-6,
                                    [TAN_TREE_WAVE] = 20e-6,
                                    [TAN_TREE_GROWTH] = 0.1e-6};
static const bool wanted[TAN_MAX_COLUMNS] = {[TAN_TREE_HOP] = true,
                                             [TAN_TREE_CHILD] = true,
                                             [TAN_TREE_WAVE] = true,
                                             [TAN_TREE_GROWTH] = true};

/* Trees, with times or as candidates. */
struct trees {
    struct tan_tree_paths paths[MOST];
    double times[MOST];
    struct tan_path_cell cell[MOST];
    size_t n;
};

static double time_of(const struct tan_tree_paths *paths, const double value[TERMS])
{
    double longest = 0;
    for (size_t i = 0; i < paths->n; i++) {
        double time = 0;
        for (int j = 0; j < TERMS; j++) {
            time += paths->row[i * TERMS + (size_t)j] * value[j];
        }
        longest = fmax(longest, time);
    }
    return longest;
}

static void add_tree(struct trees *t, const char *spec, double factor)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *tree = tan_spec_build(spec, &e);
    assert_no_error(e);
    assert_int_equal(tan_tree_paths_find(tree, 0, &t->paths[t->n], &e), 0);
    t->times[t->n] = factor * time_of(&t->paths[t->n], truth);
    t->cell[t->n] =
        (struct tan_path_cell){t->paths[t->n].row, t->paths[t->n].n, &t->times[t->n], 1};
    t->n++;
    tan_tree_destroy(tree);
}

static void add_trees(struct trees *t, const char *const *specs, gsl_rng *rng, double noise)
{
    for (; *specs != NULL; specs++) {
        add_tree(t, *specs, 1 + gsl_ran_gaussian(rng, noise));
    }
}

static void clear_trees(struct trees *t)
{
    for (size_t i = 0; i < t->n; i++) {
        tan_tree_paths_clear(&t->paths[i]);
    }
    t->n = 0;
}

static void fit_trees(const struct trees *t, int bootstrap, struct tan_path_fit *out)
{
    struct tan_error e = TAN_ERROR_INIT;
    const struct tan_path_input input = {t->cell, t->n, TERMS, bootstrap, 1};
    assert_int_equal(tan_path_fit(&input, out, &e), 0);
    assert_no_error(e);
}

static const char *const measured[] = {"kary:2:64",  "kary:3:64",  "kary:4:64",  "kary:8:64",
                                       "kary:4:700", "kary:6:700", "kary:3:700", "kary:8:256",
                                       "binary:100", "chain:5",    NULL};
static const char *const candidates[] = {
    "chain:1",     "chain:2",     "chain:10",    "chain:30",     "nto1:2",    "nto1:8",
    "nto1:32",     "nto1:128",    "nto1:700",    "kary:2:700",   "kary:5:64", "kary:16:64",
    "kary:16:256", "kary:32:700", "kary:64:700", "kary:100:700", NULL};

/* The sum of the wanted coefficients' relative variances, from the information of a fit. */
static double variance_of(const struct tan_path_fit *fit, const double unit[TERMS])
{
    size_t column[TERMS] = {0};
    size_t n = 0;
    double m[TERMS * TERMS];
    double sum = 0;
    for (size_t j = 0; j < TERMS; j++) {
        if (wanted[j]) {
            column[n++] = j;
        }
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            m[i * n + j] =
                fit->information[column[i] * TERMS + column[j]] * unit[column[i]] * unit[column[j]];
        }
    }
    gsl_matrix_view view = gsl_matrix_view_array(m, n, n);
    gsl_linalg_cholesky_decomp1(&view.matrix);
    gsl_linalg_cholesky_invert(&view.matrix);
    for (size_t i = 0; i < n; i++) {
        sum += m[i * n + i];
    }
    return sum;
}

/* The value with which a coefficient would be half of some candidate's time; or its own. */
static void find_units(const struct tan_path_fit *fit, const struct trees *t, double unit[TERMS])
{
    for (int j = 0; j < TERMS; j++) {
        unit[j] = wanted[j] ? INFINITY : 0;
        for (size_t i = 0; i < t->n && wanted[j]; i++) {
            const double *longest = tan_path_longest(fit, t->paths[i].row, t->paths[i].n);
            if (longest[j] > 0) {
                unit[j] = fmin(unit[j], time_of(&t->paths[i], fit->value) / longest[j] / 2);
            }
        }
        unit[j] = fmax(unit[j], fit->value[j]);
    }
}

/* Every candidate is added to the waves with the time that the fit predicts, and all are fitted
 * again: the first choice is the one that leaves the least variance. */
static void the_first_is_the_best_of_all(void **state)
{
    (void)state;
    const int trials = thorough() ? 100 : 20;
    int compared = 0;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int trial = 0; trial < trials; trial++) {
        struct trees waves = {.n = 0};
        struct trees others = {.n = 0};
        struct tan_path_fit fit;
        struct tan_further_runs out;
        double unit[TERMS];
        double variance[MOST];
        double least = INFINITY;
        add_trees(&waves, measured, rng, 0.03);
        for (int i = 0; candidates[i] != NULL; i++) {
            if (gsl_rng_uniform_int(rng, 3) == 0) {
                add_tree(&others, candidates[i], 1);
            }
        }
        fit_trees(&waves, 0, &fit);
        find_units(&fit, &others, unit);
        for (size_t i = 0; i < others.n; i++) {
            struct trees more = waves;
            struct tan_path_fit again;
            const double time = time_of(&others.paths[i], fit.value);
            more.cell[more.n++] =
                (struct tan_path_cell){others.paths[i].row, others.paths[i].n, &time, 1};
            fit_trees(&more, 0, &again);
            variance[i] = variance_of(&again, unit);
            least = fmin(least, variance[i]);
            tan_path_fit_clear(&again);
        }
        at_row("trial %d", trial);
        tan_further_runs(&fit, wanted, others.cell, others.n, &out);
        if (out.n > 0) { /* these candidates leave something uncertain */
            /* Weights of the waves are by predictions, which differ a little from fit to fit. */
            assert_close(variance[out.run[0]] / least, 1, 0.01);
            compared++;
        }
        tan_path_fit_clear(&fit);
        clear_trees(&waves);
        clear_trees(&others);
    }
    assert_in_range(compared, trials / 2, trials);
    gsl_rng_free(rng);
}

/* A coefficient measured twice has the interval t(1) s / sqrt(2), with the scatter s; with one more
 * time t(2) s / sqrt(3). */
static void halves_by_hand(void **state)
{
    (void)state;
    static const double term = 1;
    static const double times[] = {0.8, 1.2};
    static const bool only[TAN_MAX_COLUMNS] = {true};
    struct tan_path_cell cells[2];
    struct tan_path_fit fit;
    struct tan_further_runs out;
    struct tan_error e = TAN_ERROR_INIT;
    for (int i = 0; i < 2; i++) {
        cells[i] = (struct tan_path_cell){&term, 1, &times[i], 1};
    }
    const struct tan_path_input input = {cells, 2, 1, 0, 1};
    assert_int_equal(tan_path_fit(&input, &fit, &e), 0);
    tan_further_runs(&fit, only, cells, 2, &out);
    assert_true(out.uncertain[0]);
    assert_int_equal(out.n, 2); /* there are no more */
    for (int runs = 0; runs <= 2; runs++) {
        const double t = gsl_cdf_tdist_Qinv(0.025, 1 + runs);
        assert_close(out.half[runs][0], t * fit.scatter / sqrt(2 + runs), 1e-4);
    }
    tan_path_fit_clear(&fit);
}

/* Of two wanted coefficients and a third the cells determine the first and the third. The run that
 * determines the second tells nothing of the others, nor of the scatter. */
static void a_run_for_what_is_missing(void **state)
{
    (void)state;
    static const double paths[][3] = {{1, 0, 0}, {1, 0, 0}, {1, 0, 1}, {1, 0, 1}};
    static const double times[] = {1, 1.1, 2, 2.1};
    static const double run[] = {1, 1, 0};
    static const bool first_two[TAN_MAX_COLUMNS] = {true, true};
    const struct tan_path_cell candidate = {.path = run, .n_paths = 1};
    struct tan_path_cell cells[4];
    struct tan_path_fit fit;
    struct tan_further_runs out;
    struct tan_error e = TAN_ERROR_INIT;
    for (int i = 0; i < 4; i++) {
        cells[i] = (struct tan_path_cell){paths[i], 1, &times[i], 1};
    }
    const struct tan_path_input input = {cells, 4, 3, 0, 1};
    assert_int_equal(tan_path_fit(&input, &fit, &e), 0);
    assert_int_equal(fit.freedom, 2);
    tan_further_runs(&fit, first_two, &candidate, 1, &out);
    assert_int_equal(out.n, 1);
    assert_true(isnan(out.half[0][1]) && out.half[1][1] > 0);
    assert_close(out.half[1][0] / out.half[0][0], 1, 1e-3);
    tan_path_fit_clear(&fit);
}

/* Rounding may leave an information that has no inverse. */
static void nothing_to_say_without_covariance(void **state)
{
    (void)state;
    static const double path[] = {1, 1};
    static const bool both[TAN_MAX_COLUMNS] = {true, true};
    const struct tan_path_cell candidate = {.path = path, .n_paths = 1};
    const struct tan_path_fit fit = {.columns = 2,
                                     .n_cells = 3,
                                     .value = {1, 1},
                                     .identifiable = {true, true},
                                     .scatter = 1,
                                     .freedom = 1,
                                     .information = {1, 2, 2, 1}};
    struct tan_further_runs out;
    gsl_error_handler_t *before = gsl_set_error_handler_off();
    tan_further_runs(&fit, both, &candidate, 1, &out);
    gsl_set_error_handler(before);
    assert_int_equal(out.n, 0);
    assert_false(out.uncertain[0] || out.uncertain[1]);
}

static void nothing_to_say_of_a_certain_fit(void **state)
{
    (void)state;
    struct trees waves = {.n = 0};
    struct tan_path_fit fit;
    struct tan_further_runs out;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    add_trees(&waves, measured, rng, 0);
    add_trees(&waves, candidates, rng, 0);
    fit_trees(&waves, 100, &fit);
    tan_further_runs(&fit, wanted, waves.cell, waves.n, &out);
    assert_int_equal(out.n, 0);
    for (int j = 0; j < TERMS; j++) {
        assert_false(out.uncertain[j]);
    }
    tan_path_fit_clear(&fit);
    clear_trees(&waves);
    gsl_rng_free(rng);
}

/* Chains tell nothing of children; two flat trees do, and no further chain. */
static void what_is_not_identifiable_comes_first(void **state)
{
    (void)state;
    static const char *const chains[] = {"chain:1", "chain:2",  "chain:4",
                                         "chain:8", "chain:16", NULL};
    struct trees waves = {.n = 0};
    struct trees others = {.n = 0};
    struct tan_path_fit fit;
    struct tan_further_runs out;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    add_trees(&waves, chains, rng, 0.01);
    add_trees(&others, (const char *const[]){"chain:32", "nto1:4", "chain:3", "nto1:32", NULL}, rng,
              0);
    fit_trees(&waves, 100, &fit);
    assert_false(fit.identifiable[TAN_TREE_CHILD]);
    tan_further_runs(&fit, wanted, others.cell, others.n, &out);
    assert_true(out.n >= 2);
    assert_int_equal(out.run[0] + out.run[1], 1 + 3);
    assert_true(isnan(out.half[0][TAN_TREE_CHILD]) && isnan(out.half[0][TAN_TREE_GROWTH]));
    assert_true(out.half[2][TAN_TREE_CHILD] > 0 && out.half[2][TAN_TREE_GROWTH] > 0);
    tan_path_fit_clear(&fit);
    clear_trees(&waves);
    clear_trees(&others);
    gsl_rng_free(rng);
}

/* With the three runs really made, intervals are about as narrow as said. */
static void promises_are_kept(void **state)
{
    (void)state;
    const int trials = thorough() ? 200 : 30;
    double said = 0;
    double found = 0;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int trial = 0; trial < trials; trial++) {
        struct trees waves = {.n = 0};
        struct trees others = {.n = 0};
        struct tan_path_fit fit;
        struct tan_path_fit again;
        struct tan_further_runs out;
        add_trees(&waves, measured, rng, 0.03);
        add_trees(&others, candidates, rng, 0.03);
        fit_trees(&waves, 400, &fit);
        tan_further_runs(&fit, wanted, others.cell, others.n, &out);
        struct trees more = waves;
        for (size_t i = 0; i < out.n; i++) {
            more.cell[more.n++] = others.cell[out.run[i]];
        }
        fit_trees(&more, 400, &again);
        const struct tan_interval ci = again.ci95[TAN_TREE_GROWTH];
        said += out.half[out.n][TAN_TREE_GROWTH] / trials;
        found +=
            fmax(ci.high - again.value[TAN_TREE_GROWTH], again.value[TAN_TREE_GROWTH] - ci.low) /
            trials;
        tan_path_fit_clear(&fit);
        tan_path_fit_clear(&again);
        clear_trees(&waves);
        clear_trees(&others);
    }
    assert_close(said / found, 1, 0.5);
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_is_the_best_of_all),
        cmocka_unit_test(halves_by_hand),
        cmocka_unit_test(a_run_for_what_is_missing),
        cmocka_unit_test(nothing_to_say_without_covariance),
        cmocka_unit_test(nothing_to_say_of_a_certain_fit),
        cmocka_unit_test(what_is_not_identifiable_comes_first),
        cmocka_unit_test(promises_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
