/* test_tree_fit.c - parameters from waves of any trees
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <gsl/gsl_randist.h>

#include "model/fit/fit.h"
#include "model/wave/wave.h"
#include "topo/spec.h"

enum { MOST = 64 };

/* Waves of a known machine. */
static const struct tan_params truth = {
    .method = TAN_METHOD_JOINT,
    .value = {
        [TAN_L] = 98e-6, [TAN_A] = 49.3e-6, [TAN_B] = 3e-6, [TAN_C2] = 0.1e-6, [TAN_C0] = 20e-6}};
static const double hop = 98e-6 + 2 * 49.3e-6;

struct waves {
    struct tan_observation of[MOST];
    double seconds[MOST];
    size_t n;
};

static struct tan_tree *tree_of(const char *spec)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *tree = tan_spec_build(spec, &e);
    assert_no_error(e);
    return tree;
}

/* A wave with messages longer by `bytes` than the least, at `rate` bytes per second. */
static void add_wave(struct waves *w, const char *spec, double bytes, double rate, double factor)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *tree = tree_of(spec);
    struct tan_observation *of = &w->of[w->n];
    *of = (struct tan_observation){.name = spec, .waves = &w->seconds[w->n], .n = 1};
    assert_int_equal(tan_tree_paths_find(tree, bytes, false, &of->paths, &e), 0);
    w->seconds[w->n] = tan_wave_time(&tan_models[TAN_MODEL_TAN], &truth, tree) * factor;
    if (bytes > 0) { /* only of trees with a single path */
        assert_int_equal(of->paths.n, 1);
        w->seconds[w->n] += of->paths.row[TAN_TREE_BYTE] / rate * factor;
    }
    w->n++;
    tan_tree_destroy(tree);
}

static void clear_waves(struct waves *w)
{
    for (size_t i = 0; i < w->n; i++) {
        tan_tree_paths_clear(&w->of[i].paths);
    }
    w->n = 0;
}

static void fit_with_latency(const struct waves *w, double L, int bootstrap, struct tan_fit *out)
{
    struct tan_error e = TAN_ERROR_INIT;
    const struct tan_fit_input input = {.observations = w->of,
                                        .n_observations = w->n,
                                        .method = TAN_METHOD_JOINT,
                                        .any = true,
                                        .L = L,
                                        .bytes = 1024,
                                        .bootstrap = bootstrap,
                                        .seed = 1};
    assert_int_equal(tan_fit(&input, out, &e), 0);
    assert_no_error(e);
}

static void fit(const struct waves *w, int bootstrap, struct tan_fit *out)
{
    fit_with_latency(w, truth.value[TAN_L], bootstrap, out);
}

static const char *const specs[] = {
    "kary:2:64",    "kary:3:64",    "kary:4:64",    "kary:8:64",   "kary:16:64",  "kary:64:64",
    "kary:2:700",   "kary:3:700",   "kary:4:700",   "kary:8:700",  "kary:16:700", "kary:32:700",
    "binomial:256", "knomial:4:99", "levels:8x4x2", "binary:100",  "twolevel:90", "random:300:1",
    "random:50:2",  "chain:5",      "nto1:40",      "kary:5:1000", "kary:9:1000", "kary:31:1000"};
enum { SPECS = sizeof specs / sizeof specs[0] };

/* Of a tree 0 - (1, 2, 3), 1 - (4), 4 - (5): the path to 5 covers all others but none of the root's
 * other children is longer. Of 0 - (1, 2), 1 - 3 - 4, 2 - (5, 6, 7, 8) neither path covers the
 * other. */
TEST(paths_that_may_be_longest)
{
    static const struct {
        int32_t parents[9], size;
        size_t n;
        double row[2][TAN_TREE_TERMS];
    } rows[] = {
        {{-1, 0, 0, 0, 1, 4}, 6, 1, {{3, 2, 0, 1, 8}}},
        {{-1, 0, 0, 1, 3, 2, 2, 2, 2}, 9, 2, {{3, 1, 0, 1, 3}, {2, 4, 0, 1, 18}}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_tree_paths paths;
        struct tan_tree *tree = tan_tree_create(rows[i].parents, rows[i].size, NULL, &e);
        assert_no_error(e);
        assert_int_equal(tan_tree_paths_find(tree, 0, false, &paths, &e), 0);
        assert_int_equal(paths.n, rows[i].n);
        for (size_t k = 0; k < paths.n; k++) {
            for (size_t j = 0; j < TAN_TREE_TERMS; j++) {
                assert_close(paths.row[k * TAN_TREE_TERMS + j], rows[i].row[k][j], 0);
            }
        }
        assert_int_equal(paths.height, 3);
        tan_tree_paths_clear(&paths);
        tan_tree_destroy(tree);
    }
}

TEST(chains_and_flat_trees_need_no_tree)
{
    static const struct {
        const char *spec;
        enum tan_experiment experiment;
        int64_t size;
    } rows[] = {{"chain:7", TAN_CHAIN, 7}, {"nto1:12", TAN_NTO1, 12}};
    for (size_t i = 0; i < 2; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_tree_paths built;
        struct tan_tree_paths known;
        struct tan_tree *tree = tree_of(rows[i].spec);
        assert_int_equal(tan_tree_paths_find(tree, 3, false, &built, &e), 0);
        assert_int_equal(tan_tree_paths_of(rows[i].experiment, rows[i].size, 3, &known, &e), 0);
        assert_int_equal(built.n, 1);
        assert_memory_equal(built.row, known.row, TAN_TREE_TERMS * sizeof(double));
        assert_int_equal(built.height, known.height);
        assert_int_equal(built.max_fanout, known.max_fanout);
        tan_tree_paths_clear(&built);
        tan_tree_paths_clear(&known);
        tan_tree_destroy(tree);
    }
}

/* The longest path down takes as long as the tree. */
TEST(paths_down)
{
    struct tan_params down = truth;
    down.one_way = TAN_DOWN;
    for (size_t i = 0; i < SPECS; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_tree_paths paths;
        struct tan_tree *tree = tree_of(specs[i]);
        double longest = 0;
        at_row("%s", specs[i]);
        assert_int_equal(tan_tree_paths_find(tree, 0, true, &paths, &e), 0);
        for (size_t k = 0; k < paths.n; k++) {
            const double *row = paths.row + k * TAN_TREE_TERMS;
            longest =
                fmax(longest, row[TAN_TREE_HOP] * hop + row[TAN_TREE_CHILD] * truth.value[TAN_B] +
                                  row[TAN_TREE_GROWTH] * truth.value[TAN_C2] +
                                  row[TAN_TREE_WAVE] * truth.value[TAN_C0]);
        }
        const struct tan_tiers tiers = tan_tiers_of(&down);
        assert_close(longest, tan_one_way_time_at(&tan_models[TAN_MODEL_TAN], &tiers, NULL, tree),
                     1e-9 * longest);
        tan_tree_paths_clear(&paths);
        tan_tree_destroy(tree);
    }
}

TEST(exact_waves_of_any_trees)
{
    struct waves w = {.n = 0};
    struct tan_fit f;
    for (size_t i = 0; i < SPECS; i++) {
        add_wave(&w, specs[i], 0, 1, 1);
    }
    fit(&w, 100, &f);
    for (int p = 0; p < TAN_PARAMS; p++) {
        assert_close(f.params.value[p], truth.value[p], 1e-9 * hop);
        assert_int_equal(f.identifiable[p], p != TAN_G);
    }
    assert_true(tan_doubts_trusted(&f.doubts));
    assert_int_equal(f.params.max_fanout, 64);
    assert_int_equal(f.params.bytes, 1024);
    tan_fit_clear(&f);
    clear_waves(&w);
}

/* L is at most what a hop takes, as certain as that, and then not the one that was given. */
TEST(latencies_longer_than_a_hop)
{
    static const struct {
        double hops;
        bool noted, doubted;
    } rows[] = {{0.9, false, false}, {1.5, true, false}, {2.5, false, true}};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        struct waves w = {.n = 0};
        struct tan_fit f;
        at_row("rows[%zu]", r);
        for (size_t i = 0; i < SPECS; i++) {
            add_wave(&w, specs[i], 0, 1, i % 2 == 0 ? 1.01 : 0.99);
        }
        fit_with_latency(&w, rows[r].hops * hop, 100, &f);
        const bool longer = rows[r].hops > 1;
        assert_close(f.params.value[TAN_L], longer ? f.terms.value[TAN_TREE_HOP] : 0.9 * hop,
                     1e-12);
        assert_int_equal(tan_interval_known(f.params.ci95[TAN_L]), longer);
        assert_int_equal(f.notes.n > 0 && strstr(f.notes.row[0].text, "longer than a hop") != NULL,
                         rows[r].noted);
        assert_int_equal(tan_doubts_find(&f.doubts, "latency") != NULL, rows[r].doubted);
        tan_fit_clear(&f);
        clear_waves(&w);
    }
}

/* 5 % of noise, a tree three times as slow: the parameters are inside of their intervals, all at
 * once, in 95 of 100 files. */
TEST(intervals_cover_the_truth)
{
    const int trials = thorough() ? 1000 : 200;
    int covered = 0;
    int aside = 0;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int t = 0; t < trials; t++) {
        struct waves w = {.n = 0};
        struct tan_fit f;
        const size_t outlier = gsl_rng_uniform_int(rng, SPECS);
        for (size_t i = 0; i < SPECS; i++) {
            const double noise = 1 + gsl_ran_gaussian(rng, 0.05);
            add_wave(&w, specs[i], 0, 1, i == outlier ? 3 * noise : noise);
        }
        fit(&w, 400, &f);
        const double wanted[TAN_TREE_TERMS] = {hop, truth.value[TAN_B], 0, truth.value[TAN_C0],
                                               truth.value[TAN_C2]};
        bool all = true;
        for (int j = 0; j < TAN_TREE_TERMS; j++) {
            all = all && (!f.terms.identifiable[j] ||
                          (wanted[j] >= f.terms.ci95[j].low && wanted[j] <= f.terms.ci95[j].high));
        }
        assert_true(f.identifiable[TAN_A] && f.identifiable[TAN_B] && f.identifiable[TAN_C2]);
        covered += all;
        aside += f.fitted[outlier].aside;
        tan_fit_clear(&f);
        clear_waves(&w);
    }
    gsl_rng_free(rng);
    assert_in_range(covered, 0.92 * trials, trials);
    assert_in_range(aside, 0.97 * trials, trials);
}

/* What the trees do not tell is not known; never 0 with an interval. */
TEST(parameters_that_trees_do_not_tell)
{
    static const struct {
        const char *spec[10];
        bool known[TAN_TREE_TERMS];
    } rows[] = {
        /* flat trees: a level or the wave */
        {{"nto1:2", "nto1:3", "nto1:4", "nto1:8", "nto1:16", "nto1:32"},
         {[TAN_TREE_CHILD] = true, [TAN_TREE_GROWTH] = true}},
        /* one fanout: a child or its growth */
        {{"levels:4", "levels:4x4", "levels:4x4x4", "levels:4x4x4x4", "chain:3", "chain:4"},
         {[TAN_TREE_HOP] = true, [TAN_TREE_WAVE] = true}},
        /* chains: no children */
        {{"chain:1", "chain:2", "chain:3", "chain:4", "chain:5", "chain:6"},
         {[TAN_TREE_HOP] = true, [TAN_TREE_WAVE] = true}},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        at_row("%s, ...", rows[r].spec[0]);
        struct waves w = {.n = 0};
        struct tan_fit f;
        for (size_t i = 0; rows[r].spec[i] != NULL; i++) {
            add_wave(&w, rows[r].spec[i], 0, 1, i % 2 == 0 ? 1.01 : 0.99);
        }
        fit(&w, 100, &f);
        for (int j = 0; j < TAN_TREE_TERMS; j++) {
            assert_int_equal(f.terms.identifiable[j], rows[r].known[j]);
            assert_int_equal(tan_interval_known(f.terms.ci95[j]), rows[r].known[j]);
        }
        assert_non_null(tan_doubts_find(&f.doubts, "not-identified"));
        tan_fit_clear(&f);
        clear_waves(&w);
    }
}

TEST(bandwidth_of_messages_of_several_sizes)
{
    static const char *const shapes[] = {"levels:4x4", "levels:2x2x2", "levels:16", "chain:4"};
    static const double bytes[] = {0, 1e4, 1e5, 1e6};
    const double rate = 125e6;
    struct waves w = {.n = 0};
    struct tan_fit f;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t i = 0; i < 4; i++) {
        for (size_t k = 0; k < 4; k++) {
            add_wave(&w, shapes[i], bytes[k], rate, 1 + gsl_ran_gaussian(rng, 0.02));
        }
    }
    fit(&w, 400, &f);
    const struct tan_interval slow = f.terms.ci95[TAN_TREE_BYTE];
    assert_close(rate * f.terms.value[TAN_TREE_BYTE], 1, 0.05);
    assert_true(slow.low < 1 / rate && 1 / rate < slow.high && slow.high < 1.2 / rate);
    tan_fit_clear(&f);
    clear_waves(&w);
    gsl_rng_free(rng);
}

/* Of cells with `n` times and `n_paths` paths each, by their first terms. */
static void fit_paths(double (*path)[TAN_TREE_TERMS], size_t n_paths, const double *const *times,
                      size_t n, size_t cells, struct tan_fit *out)
{
    struct waves w = {.n = cells};
    for (size_t i = 0; i < cells; i++) {
        w.of[i] = (struct tan_observation){
            .paths = {.row = path[i * n_paths], .n = n_paths}, .waves = times[i], .n = n};
    }
    fit_with_latency(&w, NAN, 0, out);
}

/* Once each, and 1 % off to either side: the excess tau has 4 * 0.01^2 / tau^2 = 4 - 1. */
TEST(scatter_by_hand)
{
    static const double times[] = {0.99, 1.01};
    const double *const of[] = {&times[0], &times[1], &times[1], &times[0]};
    double path[4][TAN_TREE_TERMS] = {{1}, {1}, {1}, {1}};
    struct tan_fit f;
    fit_paths(path, 1, of, 1, 4, &f);
    assert_close(f.terms.value[0], 1, 1e-12);
    assert_close(f.scatter[0], 0.01 * sqrt(4.0 / 3), 1e-9);
    tan_fit_clear(&f);
}

/* Four times in each of 12 cells, 1 % off to either side, one of all eight times as long: a median
 * of four has pi / 2 / 4 of their variance, 0.01^2 * 4 / 3. */
TEST(one_time_of_many_is_an_outlier)
{
    enum { CELLS = 12 };
    static const double times[] = {0.99, 1.01, 0.99, 1.01};
    static const double disturbed[] = {0.99, 1.01, 0.99, 8.08};
    double path[CELLS][TAN_TREE_TERMS];
    const double *of[CELLS];
    struct tan_fit f;
    for (size_t i = 0; i < CELLS; i++) {
        memcpy(path[i], (double[TAN_TREE_TERMS]){1}, sizeof path[i]);
        of[i] = i == 5 ? disturbed : times;
    }
    fit_paths(path, 1, of, 4, CELLS, &f);
    assert_close(f.terms.value[0], 1, 1e-12);
    assert_close(f.scatter[0], 0.01 * sqrt(M_PI / 6), 1e-6);
    tan_fit_clear(&f);
}

/* Of the paths 2 x and x + k y the second is longer for x = y = 1 and k = 2, 3, ...; but where the
 * search begins at y = 0, it stays with the first. */
TEST(the_best_of_several_starts)
{
    enum { CELLS = 5 };
    double path[2 * CELLS][TAN_TREE_TERMS];
    double times[CELLS];
    const double *of[CELLS];
    struct tan_fit f;
    for (size_t i = 0; i < CELLS; i++) {
        const double k = 2 + (double)i;
        memcpy(path[2 * i], (double[TAN_TREE_TERMS]){2, 0}, sizeof path[0]);
        memcpy(path[2 * i + 1], (double[TAN_TREE_TERMS]){1, k}, sizeof path[0]);
        times[i] = 1 + k;
        of[i] = &times[i];
    }
    fit_paths(path, 2, of, 1, CELLS, &f);
    assert_close(f.terms.value[0], 1, 1e-9);
    assert_close(f.terms.value[1], 1, 1e-9);
    tan_fit_clear(&f);
}

RUN_TESTS(NULL, NULL)
