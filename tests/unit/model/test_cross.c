/* test_cross.c - the model chosen by trees that fits left out
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include "model/fit/fit.h"
#include "model/wave/wave.h"
#include "topo/spec.h"

enum { MOST = 40 };

/* Measured trees, a wave each. */
struct seen {
    struct tan_observation row[MOST];
    struct tan_tree *tree[MOST];
    double wave[MOST];
    size_t n;
};

static struct tan_observation *add(struct seen *s, const char *spec, enum tan_fit_role role)
{
    struct tan_error e = TAN_ERROR_INIT;
    s->tree[s->n] = tan_spec_build(spec, &e);
    assert_no_error(e);
    const bool chain = strncmp(spec, "chain:", 6) == 0;
    s->row[s->n] = (struct tan_observation){.experiment = chain ? TAN_CHAIN : TAN_NTO1,
                                            .size = chain ? tan_tree_height(s->tree[s->n])
                                                          : tan_tree_max_fanout(s->tree[s->n]),
                                            .waves = &s->wave[s->n],
                                            .n = 1,
                                            .role = role,
                                            .name = spec,
                                            .tree = s->tree[s->n]};
    return &s->row[s->n++];
}

static void clear(struct seen *s)
{
    for (size_t i = 0; i < s->n; i++) {
        tan_tree_destroy(s->tree[i]);
    }
}

static struct tan_checks judged_by(const struct seen *s, enum tan_method method)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_checks checks;
    const struct tan_fit_input input = {.observations = s->row,
                                        .n_observations = s->n,
                                        .L = NAN,
                                        .method = method,
                                        .bytes = 1024,
                                        .seed = 1};
    assert_int_equal(tan_cross_validate(&input, &checks, &e), 0);
    assert_no_error(e);
    return checks;
}

static struct tan_checks judged(const struct seen *s)
{
    return judged_by(s, TAN_METHOD_JOINT);
}

/* Check trees alone, with given errors of TAN and tan-overlap. */
static struct tan_observation *add_check(struct seen *s, const char *spec, double tan,
                                         double overlap)
{
    struct tan_observation *row = add(s, spec, TAN_CHECKS);
    row->median = 1;
    row->error[TAN_CHECK_TAN] = tan;
    row->error[TAN_CHECK_LOGP] = 0.8;
    row->error[TAN_CHECK_OVERLAP] = overlap;
    return row;
}

/* Trees of several even levels count twice, chains not at all. */
TEST(even_levels_count_twice)
{
    struct seen s = {.n = 0};
    add_check(&s, "levels:10x10", 0, -0.19);
    add_check(&s, "levels:4x4x4:50", 0, -0.23);
    add_check(&s, "knomial:3:81", 0.59, 0.09);
    add_check(&s, "chain:20", 0.9, 0);
    struct tan_checks checks = judged(&s);
    assert_int_equal(checks.n, 4);
    assert_int_equal(checks.trees, 3);
    assert_string_equal(checks.row[1].topo, "levels:4x4x4:50");
    assert_close(checks.error[TAN_CHECK_TAN], 0.59 / 5, 1e-12);
    assert_close(checks.error[TAN_CHECK_OVERLAP], (2 * 0.19 + 2 * 0.23 + 0.09) / 5, 1e-12);
    assert_int_equal(tan_checks_best(&checks), TAN_CHECK_TAN);
    add_check(&s, "nto1:20", -0.4, 0);
    add_check(&s, "random:64:1", -0.3, NAN); /* not predicted: tan-overlap is out */
    checks = judged(&s);
    assert_close(checks.error[TAN_CHECK_TAN], (0.59 + 0.7) / 7, 1e-12);
    assert_true(isnan(checks.error[TAN_CHECK_OVERLAP]));
    assert_close(tan_checks_may_err(&checks, "tan"), 0.9, 1e-12); /* the chain, too */
    checks.row[0].error[TAN_CHECK_TAN] = NAN;
    assert_true(isnan(tan_checks_may_err(&checks, "tan")));
    assert_int_equal(tan_checks_best(&checks), TAN_CHECK_TAN);
    s.n--;
    checks = judged(&s);
    assert_int_equal(tan_checks_best(&checks), TAN_CHECK_OVERLAP);
    s.n++;
    clear(&s);
}

/* Fits of any trees: those left out are predicted by the others, exactly unless some of them
 * deviate; how far TAN errs is then not known of single trees. */
TEST(any_trees)
{
    static const char *const specs[] = {"kary:2:64", "kary:3:64",  "kary:8:64",    "kary:64:64",
                                        "kary:2:90", "kary:16:90", "levels:8x4x2", "chain:5",
                                        "nto1:40",   "kary:5:200", "kary:9:200",   "kary:31:200"};
    enum { SPECS = sizeof specs / sizeof *specs };
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_params truth = {.method = TAN_METHOD_JOINT,
                               .value = {[TAN_A] = 5e-6, [TAN_B] = 1e-6, [TAN_C2] = 1e-9}};
    struct seen s = {.n = 0};
    for (size_t i = 0; i < SPECS; i++) {
        struct tan_observation *row = add(&s, specs[i], TAN_FITS_ALL);
        assert_int_equal(tan_tree_paths_find(row->tree, 0, false, &row->paths, &e), 0);
        row->median = s.wave[i] = tan_wave_time(&tan_models[TAN_MODEL_TAN], &truth, row->tree);
        row->error[TAN_CHECK_LOGP] = row->error[TAN_CHECK_OVERLAP] = NAN;
    }
    struct tan_fit_input input = {.observations = s.row,
                                  .n_observations = s.n,
                                  .any = true,
                                  .L = NAN,
                                  .method = TAN_METHOD_JOINT,
                                  .seed = 1};
    struct tan_checks checks;
    assert_int_equal(tan_cross_validate(&input, &checks, &e), 0);
    assert_int_equal(checks.n, 0);
    assert_int_equal(checks.trees, SPECS - 1);        /* but the chain */
    assert_int_equal(checks.processes, 1 + 50 + 200); /* kary:5:200 */
    assert_int_equal(tan_checks_best(&checks), TAN_CHECK_TAN);
    assert_true(checks.error[TAN_CHECK_TAN] < 1e-9);
    for (size_t i = 0; i < SPECS; i++) {
        s.row[i].median = s.wave[i] *= i % 2 > 0 ? 1.1 : 1 / 1.1;
    }
    assert_int_equal(tan_cross_validate(&input, &checks, &e), 0);
    assert_true(0.05 < checks.error[TAN_CHECK_TAN] && checks.error[TAN_CHECK_TAN] < 0.3);
    assert_close(tan_checks_may_err(&checks, "tan"), checks.error[TAN_CHECK_TAN], 1e-12);
    assert_true(isnan(tan_checks_may_err(&checks, "logp")));
    for (size_t i = 0; i < SPECS; i++) {
        tan_tree_paths_clear(&s.row[i].paths);
    }
    clear(&s);
}

TEST(nothing_to_judge_by)
{
    struct seen s = {.n = 0};
    struct tan_checks checks = judged(&s);
    assert_int_equal(tan_checks_best(&checks), -1);
    add_check(&s, "chain:20", 0.9, 0);
    checks = judged(&s);
    assert_int_equal(tan_checks_best(&checks), -1);
    assert_int_equal(checks.n, 1);
    clear(&s);
}

/* An error is beyond the limit if it reads so. */
TEST(error_close_to_limit)
{
    static const struct {
        double error;
        const char *text; /* NULL: not doubted */
    } rows[] = {{0.050499, NULL},
                {-0.050499, NULL},
                {0.050501, "+5.1 %"},
                {-0.050501, "-5.1 %"},
                {0.06, "+6.0 %"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct seen s = {.n = 0};
        struct tan_doubts doubts = {.n = 0};
        at_row("%g", rows[i].error);
        add_check(&s, "levels:10x10", 0.3, rows[i].error);
        struct tan_checks checks = judged(&s);
        tan_checks_doubt(&checks, 0, false, &doubts);
        assert_int_equal(doubts.n, rows[i].text != NULL);
        if (doubts.n > 0) {
            assert_non_null(strstr(doubts.row[0].text, rows[i].text));
        }
        tan_doubts_clear(&doubts);
        /* on its own waves, too */
        checks.n = 0;
        checks.own_error[TAN_CHECK_OVERLAP] = fabs(rows[i].error);
        tan_checks_doubt(&checks, 0, false, &doubts);
        assert_int_equal(doubts.n, rows[i].text != NULL);
        if (doubts.n > 0) {
            assert_non_null(
                strstr(doubts.row[0].text, tan_printed("%s off the waves", rows[i].text + 1).text));
        }
        tan_doubts_clear(&doubts);
        clear(&s);
    }
}

/* Chains, N-to-1 trees and a binomial tree with waves by one of the models. */
static void add_fitted(struct seen *s, const struct tan_model *model,
                       const struct tan_params *truth)
{
    static const char *const specs[] = {"chain:1", "chain:2", "chain:4", "chain:8", "chain:16",
                                        "nto1:2",  "nto1:4",  "nto1:8",  "nto1:12", "nto1:16",
                                        "nto1:24", "nto1:32", "nto1:48", "nto1:64", "binomial:16"};
    enum { N = sizeof specs / sizeof *specs };
    for (size_t i = 0; i < N; i++) {
        struct tan_observation *row = add(s, specs[i], i + 1 < N ? TAN_FITS_ALL : TAN_FITS_OVERLAP);
        s->wave[i] = row->median = tan_wave_time(model, truth, row->tree);
        row->error[TAN_CHECK_TAN] = 0.02;
        row->error[TAN_CHECK_OVERLAP] = i + 1 < N ? -0.01 : -0.16;
    }
}

/* The fitted trees alone choose the model that made the waves; LogP never is it. */
TEST(fitted_trees_choose)
{
    const struct tan_params overlap = {.method = TAN_METHOD_OVERLAP,
                                       .value = {4e-6, 1.8e-6, 1.5e-6}};
    const struct tan_params tan = {.method = TAN_METHOD_JOINT,
                                   .value = {4e-6, 1e-6, 1e-6, 0.05e-6}};
    struct seen s = {.n = 0};
    add_fitted(&s, &tan_models[TAN_MODEL_OVERLAP], &overlap);
    struct tan_checks checks = judged(&s);
    assert_int_equal(checks.n, 0);
    assert_int_equal(checks.trees, 10); /* not the chains */
    assert_int_equal(tan_checks_best(&checks), TAN_CHECK_OVERLAP);
    assert_true(checks.error[TAN_CHECK_OVERLAP] < 0.01);
    assert_in_range(1e6 * checks.error[TAN_CHECK_TAN], 10000, 300000);
    assert_true(checks.error[TAN_CHECK_LOGP] > checks.error[TAN_CHECK_TAN]);
    /* how far fits are off their own trees is that of the fits to all */
    assert_close(checks.own_error[TAN_CHECK_TAN], 0.02, 1e-12);
    assert_close(checks.own_error[TAN_CHECK_OVERLAP], (14 * 0.01 + 0.16) / 15, 1e-12);
    clear(&s);

    s = (struct seen){.n = 0};
    add_fitted(&s, &tan_models[TAN_MODEL_TAN], &tan);
    checks = judged(&s);
    assert_int_equal(tan_checks_best(&checks), TAN_CHECK_TAN);
    assert_true(checks.error[TAN_CHECK_TAN] < 1e-3);
    assert_true(checks.error[TAN_CHECK_OVERLAP] > 2e-3);

    /* of which only tan-overlap's fit used the binomial tree: it checks TAN's, as no row does */
    struct tan_doubts doubts = {.n = 0};
    tan_checks_doubt(&checks, 0, false, &doubts);
    assert_true(tan_doubts_trusted(&doubts));
    checks.uneven.error[TAN_CHECK_TAN] = 0.06;
    tan_checks_doubt(&checks, 1, false, &doubts);
    assert_string_equal(
        tan_doubts_find(&doubts, "check")->text,
        "binomial:16, which no fit of tan used, is predicted +6.0 % off by tan, the best model");
    tan_doubts_clear(&doubts);
    tan_checks_doubt(&checks, 2, false, &doubts);
    assert_non_null(strstr(tan_doubts_find(&doubts, "check")->text,
                           "model: shared links, or unlike hosts? If they are in racks, "));
    tan_doubts_clear(&doubts);
    tan_checks_doubt(&checks, 2, true, &doubts);
    assert_null(strstr(tan_doubts_find(&doubts, "check")->text, "racks"));
    tan_doubts_clear(&doubts);
    checks.best = TAN_CHECK_OVERLAP;
    tan_checks_doubt(&checks, 0, false, &doubts);
    assert_true(tan_doubts_trusted(&doubts));
    clear(&s);
}

/* An error is that of fits without the tree: one that contradicts all others is far off. */
TEST(trees_are_left_out)
{
    const struct tan_params tan = {.method = TAN_METHOD_JOINT,
                                   .value = {4e-6, 1e-6, 1e-6, 0.05e-6}};
    struct seen s = {.n = 0};
    add_fitted(&s, &tan_models[TAN_MODEL_TAN], &tan);
    const size_t widest = 13;
    s.wave[widest] *= 2;
    s.row[widest].median *= 2;
    const struct tan_checks checks = judged(&s);
    /* off by half, one tree of ten; others in fits that include it are off as well */
    assert_true(checks.error[TAN_CHECK_TAN] > 0.05);
    clear(&s);
}

/* An N-to-1 tree of one leaf is what a chain of one hop is, but method paper fits it as an N-to-1
 * tree, and so do the fits that leave out another: here each leaves out one of five trees. */
TEST(trees_of_one_leaf)
{
    static const char *const specs[] = {"chain:1", "chain:4", "nto1:1", "nto1:4", "nto1:16"};
    static const double waves_us[] = {10, 40, 13, 16, 40};
    enum { N = sizeof specs / sizeof *specs };
    struct seen s = {.n = 0};
    double sum = 0;
    for (size_t i = 0; i < N; i++) {
        struct tan_observation *row = add(&s, specs[i], TAN_FITS_ALL);
        s.wave[i] = row->median = waves_us[i] * 1e-6;
        row->error[TAN_CHECK_OVERLAP] = NAN;
    }
    for (size_t i = 3; i < N; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_fit fit;
        s.row[i].role = TAN_CHECKS;
        const struct tan_fit_input input = {
            .observations = s.row, .n_observations = N, .L = NAN, .method = TAN_METHOD_PAPER};
        assert_int_equal(tan_fit(&input, &fit, &e), 0);
        sum +=
            fabs(tan_wave_time(&tan_models[TAN_MODEL_TAN], &fit.params, s.tree[i]) / s.wave[i] - 1);
        s.row[i].role = TAN_FITS_ALL;
        tan_fit_clear(&fit);
    }
    const struct tan_checks checks = judged_by(&s, TAN_METHOD_PAPER);
    assert_close(checks.error[TAN_CHECK_TAN], sum / 2, 1e-9);
    clear(&s);
}

RUN_TESTS(NULL, NULL)
