/* test_overlap_fit.c - fit of overlapping waves, and predictions of other trees
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <gsl/gsl_randist.h>

#include "model/fit/fit.h"
#include "model/wave/overlap.h"
#include "sim/engine/simulation.h"
#include "sim/schedule/tree_wave.h"
#include "topo/spec.h"

enum { MOST = 64, P = TAN_OVERLAP_PARAMS };

/* Trees of a fit and their waves. */
struct waves {
    struct tan_observation seen[MOST];
    struct tan_tree *tree[MOST];
    double *wave[MOST];
    size_t n;
};

static struct tan_tree *tree_of(const char *spec)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *tree = tan_spec_build(spec, &e);
    assert_no_error(e);
    return tree;
}

/* `n` waves of `seconds`, which scatter by this part of it. */
static void add_waves(struct waves *w, const char *spec, double seconds, size_t n, double scatter,
                      gsl_rng *rng)
{
    w->tree[w->n] = tree_of(spec);
    w->wave[w->n] = calloc(n, sizeof(double));
    for (size_t i = 0; i < n; i++) {
        w->wave[w->n][i] = seconds * (scatter > 0 ? exp(gsl_ran_gaussian(rng, scatter)) : 1);
    }
    w->seen[w->n] = (struct tan_observation){.tree = w->tree[w->n], .waves = w->wave[w->n], .n = n};
    w->n++;
}

static void clear_waves(struct waves *w)
{
    for (size_t i = 0; i < w->n; i++) {
        tan_tree_destroy(w->tree[i]);
        free(w->wave[i]);
    }
    w->n = 0;
}

static void fit(const struct waves *w, int bootstrap, struct tan_fit *out)
{
    struct tan_error e = TAN_ERROR_INIT;
    const struct tan_fit_input input = {.observations = w->seen,
                                        .n_observations = w->n,
                                        .method = TAN_METHOD_OVERLAP,
                                        .bootstrap = bootstrap,
                                        .seed = 1};
    assert_int_equal(tan_fit(&input, out, &e), 0);
    assert_no_error(e);
}

static double predict(const double value[P], bool shared, const char *spec)
{
    const struct tan_overlap p = tan_overlap_of(value, shared);
    struct tan_tree *tree = tree_of(spec);
    const double time = tan_overlap_time(&p, TAN_OVERLAP_ROUND, NULL, tree) / 2;
    tan_tree_destroy(tree);
    return time;
}

static const char *const fitted[] = {
    "chain:1",  "chain:2", "chain:3", "chain:4", "chain:6", "chain:8", "chain:12",
    "chain:16", "nto1:1",  "nto1:2",  "nto1:3",  "nto1:4",  "nto1:6",  "nto1:8",
    "nto1:12",  "nto1:16", "nto1:24", "nto1:32", "nto1:48", "nto1:64", NULL,
};
static const char *const unseen[] = {
    "levels:4x8",      "levels:16x2",   "levels:8x8",   "levels:16x16", "levels:2x2x2x2x2x2x2",
    "levels:10x10x10", "binomial:256",  "random:100:1", "random:300:2", "kary:3:100",
    "twolevel:1000",   "knomial:4:256", NULL,
};

/* The simulator's waves */

static double simulated(const double value[P], const char *spec)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_sim_params p = tan_sim_defaults;
    struct tan_simulation r;
    struct tan_tree *tree = tree_of(spec);
    const double ps = 1e12;
    p.between = (struct tan_link){
        .L = (uint64_t)llround(value[TAN_OVERLAP_L] * ps),
        .o = (uint64_t)llround(value[TAN_OVERLAP_O_S] * ps),
        .g = (uint64_t)llround(value[TAN_OVERLAP_G] * ps),
        .o_more = llround((value[TAN_OVERLAP_O_R] - value[TAN_OVERLAP_O_S]) * ps),
    };
    p.within = p.between;
    struct tan_schedule *s = tan_wave_schedule(tree, TAN_SWEEP_ROUND, 1, NULL, &e);
    assert_no_error(e);
    assert_int_equal(tan_simulate(s, &p, false, &r, &e), 0);
    const double half = (double)r.rank_finish[0] / ps / 2;
    tan_simulation_clear(&r);
    tan_schedule_destroy(s);
    tan_tree_destroy(tree);
    return half;
}

/* L, o_s, o_r, c, g, C in us: overheads alike, apart either way, next to nothing; and a NIC that is
 * slower than they are. */
static const double truths[][P] = {
    {10e-6, 1.8e-6, 1.5e-6, 0, 0.5e-6, 0}, {4e-6, 0.4e-6, 1.5e-6, 0, 0.2e-6, 0},
    {5e-6, 2e-6, 0.3e-6, 0, 0, 0},         {5e-6, 0.3e-6, 0.25e-6, 0, 0.1e-6, 0},
    {10e-6, 0.2e-6, 0.1e-6, 0, 3e-6, 0},
};

TEST(simulated_truths_come_back)
{
    for (size_t t = 0; t < sizeof truths / sizeof *truths; t++) {
        struct waves w = {.n = 0};
        struct tan_fit f;
        at_row("truths[%zu]", t);
        for (const char *const *spec = fitted; *spec != NULL; spec++) {
            add_waves(&w, *spec, simulated(truths[t], *spec), 1, 0, NULL);
        }
        add_waves(&w, "binomial:32", simulated(truths[t], "binomial:32"), 1, 0, NULL);
        fit(&w, 0, &f);
        const bool gap = truths[t][TAN_OVERLAP_G] > 1e-6;
        const bool telling = t < 2; /* both overheads are a good part of a wave */
        for (int p = 0; p < P; p++) {
            const double least = truths[t][p] > 0 ? truths[t][p] : truths[t][TAN_OVERLAP_L];
            const bool seen = !gap && p != TAN_OVERLAP_G;
            if (seen || f.identifiable[p]) {
                assert_close(f.params.value[p], truths[t][p], 1e-3 * least);
            }
            assert_true(f.identifiable[p] || !telling || p == TAN_OVERLAP_G);
        }
        assert_false(f.identifiable[TAN_OVERLAP_G]); /* it is hidden, or could be an overhead */
        assert_true(f.params.value[TAN_OVERLAP_G] > 0);
        assert_false(f.exchangeable && telling);
        for (const char *const *spec = unseen; *spec != NULL; spec++) {
            const double true_time = simulated(truths[t], *spec);
            at_row("truths[%zu], %s", t, *spec);
            assert_close(predict(f.params.value, false, *spec), true_time,
                         (gap ? 0.03 : 0.001) * true_time);
        }
        tan_fit_clear(&f);
        clear_waves(&w);
    }
}

/* Waves of SimGrid's SMPI, us: a crossbar with o_s 1.8072 and o_r 1.5072 us, and a cluster as
 * others calibrated it, o_s 0.395 and o_r 1.462 us; 1 KiB. */
struct wave_row {
    const char *spec;
    double us[2];
};

static const struct wave_row smpi_fitted[] = {
    {"chain:1", {7.4633, 3.6927}},       {"chain:2", {14.9216, 7.3804}},
    {"chain:3", {22.3799, 11.0681}},     {"chain:4", {29.8381, 14.7559}},
    {"chain:6", {44.7547, 22.1313}},     {"chain:8", {59.6713, 29.5067}},
    {"chain:12", {89.5044, 44.2576}},    {"chain:16", {119.3375, 59.0085}},
    {"chain:24", {179.0038, 88.5102}},   {"chain:32", {238.6701, 118.0119}},
    {"nto1:1", {7.4633, 3.6927}},        {"nto1:2", {8.3669, 4.4237}},
    {"nto1:3", {9.2705, 5.1547}},        {"nto1:4", {10.1741, 5.8857}},
    {"nto1:6", {11.9813, 7.3477}},       {"nto1:8", {13.7885, 8.8097}},
    {"nto1:12", {19.8914, 11.7357}},     {"nto1:16", {26.5202, 14.8623}},
    {"nto1:24", {39.7778, 22.2909}},     {"nto1:32", {53.0354, 29.7196}},
    {"nto1:48", {79.5506, 44.5769}},     {"nto1:64", {106.0658, 59.4342}},
    {"nto1:96", {159.0962, 89.1488}},    {"nto1:128", {212.1266, 118.8634}},
    {"binomial:32", {58.3087, 25.0951}},
};
static const struct wave_row smpi_unseen[] = {
    {"levels:4x8", {23.9576, 14.6904}},           {"levels:16x2", {29.3792, 19.0763}},
    {"levels:2x16", {34.8821, 19.2810}},          {"levels:8x8", {27.5720, 17.6144}},
    {"levels:4x4x4", {30.5123, 17.6471}},         {"levels:2x2x2x2x2", {41.8144, 22.0986}},
    {"levels:2x2x2x2x2x2x2", {58.5382, 30.9360}}, {"levels:8x16", {40.3037, 23.6670}},
    {"levels:16x16", {47.5325, 29.5149}},         {"levels:4x4x4x4", {40.6813, 23.5278}},
    {"levels:32x32", {88.5053, 56.0681}},         {"levels:4x16x16", {57.7016, 35.3956}},
    {"levels:10x10x10", {47.7584, 30.8070}},      {"levels:4x4x4x4x4", {50.8504, 29.4085}},
    {"levels:16x16x16", {68.5445, 44.1676}},      {"levels:64x64", {170.4509, 109.1741}},
    {"levels:8x8x8x8", {55.1389, 35.2237}},       {"binomial:256", {99.6592, 40.3076}},
    {"binomial:1024", {131.7441, 51.4391}},       {"knomial:4:256", {64.4044, 24.8934}},
    {"random:64:1", {131.3138, 64.7509}},         {"random:256:2", {114.3606, 53.8065}},
    {"random:1024:3", {184.2577, 100.0467}},      {"kary:3:100", {44.4401, 23.7581}},
    {"twolevel:1000", {87.3017, 55.3372}},
};

TEST(smpi_is_predicted)
{
    static const double overhead_us[2][2] = {{1.8072, 1.5072}, {0.3952, 1.4620}};
    const size_t n = sizeof smpi_unseen / sizeof *smpi_unseen;
    for (int platform = 0; platform < 2; platform++) {
        struct waves w = {.n = 0};
        struct tan_fit f;
        double sum = 0;
        for (size_t i = 0; i < sizeof smpi_fitted / sizeof *smpi_fitted; i++) {
            add_waves(&w, smpi_fitted[i].spec, smpi_fitted[i].us[platform] * 1e-6, 1, 0, NULL);
        }
        fit(&w, 0, &f);
        assert_close(f.params.value[TAN_OVERLAP_O_S] * 1e6, overhead_us[platform][0], 1e-3);
        assert_close(f.params.value[TAN_OVERLAP_O_R] * 1e6, overhead_us[platform][1], 1e-3);
        for (size_t i = 0; i < n; i++) {
            const double us = smpi_unseen[i].us[platform];
            at_row("%d: %s", platform, smpi_unseen[i].spec);
            const double off =
                fabs(predict(f.params.value, false, smpi_unseen[i].spec) * 1e6 / us - 1);
            assert_close(off, 0, 2e-3);
            sum += off;
        }
        assert_close(sum / (double)n, 0, 2e-4);
        tan_fit_clear(&f);
        clear_waves(&w);
    }
}

/* What waves cannot tell */

static const double apart[P] = {4e-6, 0.4e-6, 1.5e-6, 0.002e-6, 0.1e-6, 0.15e-6};

static void add_model(struct waves *w, const double value[P], const char *const *spec, size_t n,
                      double scatter, gsl_rng *rng)
{
    for (; *spec != NULL; spec++) {
        add_waves(w, *spec, predict(value, false, *spec), n, scatter, rng);
    }
}

static void check_interval(const struct tan_fit *f, int p, double value)
{
    at_row("%s", tan_param_key(TAN_METHOD_OVERLAP, p));
    assert_close(fmax(0, fmax(f->params.ci95[p].low - value, value - f->params.ci95[p].high)), 0,
                 0);
}

static const char *const uneven[] = {"binomial:32", NULL};

TEST(overheads_exchanged)
{
    struct waves w = {.n = 0};
    struct tan_fit f;
    add_model(&w, apart, fitted, 1, 0, NULL);
    fit(&w, 60, &f);
    assert_true(f.exchangeable);
    assert_false(f.identifiable[TAN_OVERLAP_O_S]);
    for (int p = TAN_OVERLAP_O_S; p <= TAN_OVERLAP_O_R; p++) {
        check_interval(&f, p, apart[TAN_OVERLAP_O_S]);
        check_interval(&f, p, apart[TAN_OVERLAP_O_R]);
    }
    check_interval(&f, TAN_OVERLAP_L, apart[TAN_OVERLAP_L]);
    assert_true(f.params.ci95[TAN_OVERLAP_G].high > 0.2e-6); /* it could be more than it is */
    tan_fit_clear(&f);

    /* an uneven tree knows */
    add_model(&w, apart, uneven, 1, 0, NULL);
    fit(&w, 0, &f);
    assert_false(f.exchangeable);
    assert_close(f.params.value[TAN_OVERLAP_O_S], apart[TAN_OVERLAP_O_S], 1e-9);
    assert_close(f.params.value[TAN_OVERLAP_GROWTH], apart[TAN_OVERLAP_GROWTH], 1e-11);
    assert_close(f.params.value[TAN_OVERLAP_C], apart[TAN_OVERLAP_C], 1e-9);
    tan_fit_clear(&f);
    clear_waves(&w);
}

/* A gap above the overheads: which NIC it is shows in how fanouts and one uneven tree go together.
 */
TEST(kind_of_nic)
{
    static const struct {
        double value[P];
        bool shared;
    } rows[] = {
        {{7.2e-6, 0, 0, 0, 5.2e-6, 0.01e-6}, true},
        {{4.6e-6, 1e-6, 0.7e-6, 0, 2.6e-6, 0}, true},
        {{10e-6, 0.2e-6, 0.1e-6, 0, 3e-6, 0}, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct waves w = {.n = 0};
        struct tan_fit f;
        const double *value = rows[i].value;
        for (const char *const *spec = fitted; *spec != NULL; spec++) {
            add_waves(&w, *spec, predict(value, rows[i].shared, *spec), 1, 0, NULL);
        }
        add_waves(&w, "knomial:3:81", predict(value, rows[i].shared, "knomial:3:81"), 1, 0, NULL);
        fit(&w, 0, &f);
        at_row("rows[%zu]", i);
        assert_int_equal(f.params.nic_shared, rows[i].shared);
        for (const char *const *spec = unseen; *spec != NULL; spec++) {
            const double time = predict(value, rows[i].shared, *spec);
            at_row("rows[%zu], %s", i, *spec);
            assert_close(predict(f.params.value, f.params.nic_shared, *spec), time,
                         (f.params.nic_shared ? 1e-3 : 0.03) * time);
        }
        assert_int_equal(f.params.nic_shared, rows[i].shared);
        tan_fit_clear(&f);
        clear_waves(&w);
    }
}

/* Of trees whose answers all come one by one only the larger overhead is known. */
TEST(before_the_kink)
{
    static const char *const few[] = {"chain:1", "chain:4", "chain:8", "nto1:2",
                                      "nto1:3",  "nto1:5",  "nto1:8",  NULL};
    const double far[P] = {80e-6, 1e-6, 2e-6, 0, 0.5e-6, 0};
    struct waves w = {.n = 0};
    struct tan_fit f;
    add_model(&w, far, few, 1, 0, NULL);
    fit(&w, 60, &f);
    assert_false(f.identifiable[TAN_OVERLAP_O_S] && f.identifiable[TAN_OVERLAP_O_R]);
    assert_true(f.params.ci95[TAN_OVERLAP_O_S].high - f.params.ci95[TAN_OVERLAP_O_S].low > 0.5e-6);
    for (int p = 0; p <= TAN_OVERLAP_G; p++) {
        check_interval(&f, p, far[p]);
    }
    tan_fit_clear(&f);
    clear_waves(&w);
}

TEST(noise)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct waves w = {.n = 0};
    struct tan_fit f;
    add_model(&w, apart, fitted, 21, 0.03, rng);
    add_model(&w, apart, uneven, 21, 0.03, rng);
    fit(&w, 100, &f);
    assert_int_equal(f.params.n_draws, 100);
    assert_false(f.exchangeable);
    for (int p = 0; p < P; p++) {
        check_interval(&f, p, apart[p]);
    }
    const struct tan_interval L = f.params.ci95[TAN_OVERLAP_L];
    assert_true(L.high - L.low < 0.1 * apart[TAN_OVERLAP_L]);
    for (const char *const *spec = unseen; *spec != NULL; spec++) {
        const double true_time = predict(apart, false, *spec);
        at_row("%s", *spec);
        assert_close(predict(f.params.value, false, *spec), true_time, 0.04 * true_time);
    }
    tan_fit_clear(&f);
    clear_waves(&w);
    gsl_rng_free(rng);
}

/* c and C of a fit elsewhere, and its kind of NIC, hold here, with their uncertainty. */
TEST(known_and_refused)
{
    struct tan_error e = TAN_ERROR_INIT;
    double draws[2 * P];
    struct tan_params known = {.method = TAN_METHOD_OVERLAP, .draws = draws, .n_draws = 2};
    struct waves w = {.n = 0};
    struct tan_fit f;
    add_model(&w, apart, fitted, 1, 0, NULL);
    add_model(&w, apart, uneven, 1, 0, NULL);
    for (int p = 0; p < P; p++) {
        known.value[p] = 2 * apart[p];
        known.ci95[p] = (struct tan_interval){apart[p], 3 * apart[p]};
        draws[p] = apart[p];
        draws[P + p] = 3 * apart[p];
    }
    known.value[TAN_OVERLAP_GROWTH] = apart[TAN_OVERLAP_GROWTH];
    known.value[TAN_OVERLAP_C] = apart[TAN_OVERLAP_C];
    struct tan_fit_input input = {.observations = w.seen,
                                  .n_observations = w.n,
                                  .method = TAN_METHOD_OVERLAP,
                                  .known = &known,
                                  .bootstrap = 3};
    assert_int_equal(tan_fit(&input, &f, &e), 0);
    for (int p = 0; p < P; p++) {
        const bool taken = p == TAN_OVERLAP_GROWTH || p == TAN_OVERLAP_C;
        at_row("%s", tan_param_key(TAN_METHOD_OVERLAP, p));
        if (p != TAN_OVERLAP_G) {
            assert_close(f.params.value[p], apart[p], 1e-3 * apart[p]);
        }
        assert_int_equal(f.params.ci95[p].high == 3 * apart[p], taken);
        for (int i = 0; i < 3 && taken; i++) {
            assert_close(f.params.draws[i * P + p], draws[i % 2 * P + p], 0);
        }
    }
    assert_false(f.params.nic_shared);
    tan_fit_clear(&f);
    known.nic_shared = true;
    input.bootstrap = 0;
    assert_int_equal(tan_fit(&input, &f, &e), 0);
    assert_true(f.params.nic_shared);
    tan_fit_clear(&f);
    input.n_observations = 0;
    assert_int_equal(tan_fit(&input, &f, &e), -1);
    assert_error(e, TAN_FAILED, "no waves");
    clear_waves(&w);
}

RUN_TESTS(NULL, NULL)
